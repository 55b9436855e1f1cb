"""Plain data: what answers, records and hashed states are made of, and its one encoding."""

from __future__ import annotations

import hashlib
from typing import Final, TypeAlias

import msgpack

Plain: TypeAlias = "int | str | bytes | tuple[Plain, ...] | list[Plain] | dict[str, Plain] | None"
"""Nested data without floats. Decoding gives tuples, never lists."""

DIGEST_SIZE: Final = 32
_pack: Final = msgpack.Packer(use_bin_type=True).pack
"""One packer for all: making one takes thrice as long as packing something small."""


def encode(data: Plain) -> bytes:
    """Return the canonical msgpack bytes of ``data``: the same value, the same bytes, anywhere.

    Maps keep the order they were built in, so whoever builds one owes a fixed order.
    """
    packed: bytes = _pack(data)
    return packed


def decode(data: bytes) -> Plain:
    """Return the value of ``encode``'s bytes, arrays as tuples; ``ValueError`` for others."""
    try:
        value: Plain = msgpack.unpackb(data, use_list=False, strict_map_key=True)
    except Exception as error:  # msgpack raises a dozen kinds for malformed input
        raise ValueError(f"not valid msgpack: {error}") from error
    return value


def digest(data: Plain) -> bytes:
    """Return the 32-byte BLAKE2b hash of ``encode(data)``."""
    return hashlib.blake2b(encode(data), digest_size=DIGEST_SIZE).digest()
