"""One hash for everything: BLAKE2b-512 over a domain label and length-prefixed parts."""

from __future__ import annotations

from hashlib import blake2b
from itertools import count

PREFIX = "lanplay/1/"
SEED = 32


def wide(label: str, *parts: bytes) -> bytes:
    """64 bytes: BLAKE2b-512 of the label and the parts, each behind its length in 8 bytes.

    The framing is injective: no two different (label, parts) feed the hash the same bytes.
    """
    framed = [len(part).to_bytes(8, "big") + part for part in ((PREFIX + label).encode(), *parts)]
    return blake2b(b"".join(framed)).digest()


def digest(label: str, *parts: bytes) -> bytes:
    """32 bytes, collision resistant: the first half of ``wide``."""
    return wide(label, *parts)[:32]


def number(value: int) -> bytes:
    """A count or an index, 0 <= value < 2**64, as the 8 bytes that go into a hash."""
    return value.to_bytes(8, "big")


def expand(label: str, seed: bytes, n: int) -> bytes:
    """The first ``n`` bytes of the stream that ``label`` and the secret ``seed`` determine."""
    blocks = -(-n // 64)
    return b"".join(wide(label, seed, number(i)) for i in range(blocks))[:n]


def below(n: int, label: str, *parts: bytes) -> int:
    """An exactly uniform integer in [0, n), 1 <= n <= 2**16, determined by the label and parts.

    Rejection over 16-bit words of a hash stream, never a remainder of a short range: a word is
    used only below the greatest multiple of ``n`` that 16 bits hold.
    """
    if not 1 <= n <= 1 << 16:
        raise ValueError(f"a uniform draw needs 1 <= n <= 65536, not {n}")
    limit = (1 << 16) - (1 << 16) % n
    for block in count():
        stream = wide(label, *parts, number(block))
        for i in range(0, len(stream), 2):
            word = int.from_bytes(stream[i : i + 2], "big")
            if word < limit:
                return word % n
    raise AssertionError("unreachable: the stream has no end")


def check_seed(seed: bytes) -> bytes:
    """The seed itself; ValueError unless it has 32 bytes (a caller's mistake, not a peer's)."""
    if len(seed) != SEED:
        raise ValueError(f"a seed has {SEED} bytes, not {len(seed)}: derive one for each use")
    return seed
