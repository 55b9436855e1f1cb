"""Three words that are the same on every screen of a table, and on no other.

Somebody in between two players would have to be at the table twice, under a key of their own, and
the two tables would show different words. As everybody commits to a nonce before any is shown (see
``replica.key_setup``), nobody can search for one that makes them agree: one try at a time is left,
and it succeeds with probability 2**-33 (the short authentication strings of S. Vaudenay, CRYPTO
2005).

The words are BIP-39's English list: 2048 words, told apart by their first four letters. It is the
work of M. Palatinus, P. Rusnak, A. Voisine and S. Bowe, under the MIT licence (words.LICENSE).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

COUNT: Final = 3
_BITS: Final = 11


def spelled(data: bytes) -> tuple[str, str, str]:
    """The words for the first 33 bits of ``data``: every word for one 11-bit number."""
    number = int.from_bytes(data[:5], "big") >> (40 - COUNT * _BITS)
    first, second, third = (number >> shift & 0x7FF for shift in (22, 11, 0))
    return word_list()[first], word_list()[second], word_list()[third]


@cache
def word_list() -> tuple[str, ...]:
    """The 2048 words, in their published order."""
    text = files("lanplay_protocol.channel").joinpath("words.txt").read_text(encoding="ascii")
    return tuple(text.split())
