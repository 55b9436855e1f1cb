"""Three words that are the same on every screen of a table, and on no other.

Somebody in between two players would have to be at the table twice, under a key of their own, and
the two tables would show different words. So that nobody can search for contributions that make
them agree, everybody first commits to a nonce of 16 random bytes, and reveals it only when the
roster is frozen and all commitments of that roster are in. Then one try at a time is left, and it
succeeds with probability 2**-33 (the short authentication strings of S. Vaudenay, CRYPTO 2005).

The words are BIP-39's English list: 2048 words, told apart by their first four letters. It is the
work of M. Palatinus, P. Rusnak, A. Voisine and S. Bowe, under the MIT licence (words.LICENSE).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hmac import compare_digest
from importlib.resources import files
from typing import Final

from lanplay_protocol.channel.errors import ChannelError
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.errors import Code
from lanplay_protocol.identity import PUBLIC

NONCE: Final = 16
"""Bytes of everybody's contribution."""
COUNT: Final = 3
_BITS: Final = 11


def commitment(nonce: bytes, key: bytes) -> bytes:
    """The 32 bytes that bind the holder of ``key`` to ``nonce`` and tell nothing about it.

    ``ValueError`` unless the nonce has 16 bytes and the key 32.
    """
    return digest("channel/words/commit", _sized(key, PUBLIC), _sized(nonce, NONCE))


def check(committed: bytes, nonce: bytes, key: bytes) -> None:
    """Raise ``ChannelError`` (bad opening) unless ``committed`` is ``key``'s for ``nonce``."""
    if len(nonce) != NONCE or not compare_digest(committed, commitment(nonce, key)):
        raise ChannelError(Code.BAD_OPENING, "a nonce that is not the one committed to")


def words(nonces: Mapping[bytes, bytes]) -> tuple[str, str, str]:
    """The words of a roster, given the revealed nonce of every key in it, its own included.

    Whoever asks has checked each nonce against the commitment that came before its own was
    revealed. The order of the mapping does not matter.
    """
    parts = [part for key in sorted(nonces) for part in (key, nonces[key])]
    return spelled(digest("channel/words", *parts))


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


def _sized(data: bytes, size: int) -> bytes:
    if len(data) != size:
        raise ValueError(f"{size} bytes are needed, not {len(data)}")
    return data
