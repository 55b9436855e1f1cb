"""Bytes to values and back: canonical msgpack within limits, and length-prefixed frames.

A frame is a big-endian 32-bit length and that many bytes. Its body must be the one canonical
encoding of its value: what is signed and hashed is then the same for everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgpack

from lanplay_protocol.errors import Code, PeerError

FRAME_LIMIT = 64 * 1024
DEPTH_LIMIT = 8
_PREFIX = 4
_ATOMS = frozenset((int, str, bytes, type(None)))
_LIMITS = {
    "max_str_len": 1024,
    "max_bin_len": FRAME_LIMIT,
    "max_array_len": 512,
    "max_map_len": 64,
    "max_ext_len": 0,
}


def encode(value: Any) -> bytes:
    """Return the canonical bytes of plain data (tuples, ints, str, bytes, None, maps of str)."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def decode(body: bytes) -> Any:
    """Return the plain data that ``body`` encodes, arrays as tuples.

    Raises ``PeerError`` (malformed) for anything but the canonical encoding within the limits.
    """
    try:
        value = msgpack.unpackb(body, use_list=False, strict_map_key=True, **_LIMITS)
        canonical = encode(value)
    except (
        Exception
    ) as error:  # msgpack raises a dozen kinds, TypeError and RecursionError included
        raise PeerError(
            Code.MALFORMED, f"no msgpack within limits ({type(error).__name__})"
        ) from error
    if canonical != body:
        raise PeerError(Code.MALFORMED, "not the canonical encoding of its value")
    _check_plain(value, DEPTH_LIMIT)
    return value


def _check_plain(value: object, depth: int) -> None:
    inner: Iterable[object]
    if type(value) is tuple:  # an extension is another kind of tuple
        inner = value
    elif isinstance(value, dict):
        inner = value.values()
    elif type(value) in _ATOMS:
        return
    else:
        raise PeerError(Code.MALFORMED, f"a {type(value).__name__} is no plain data")
    if value and not depth:
        raise PeerError(Code.MALFORMED, f"nested deeper than {DEPTH_LIMIT} levels")
    for item in inner:
        if type(item) not in _ATOMS:
            _check_plain(item, depth - 1)


def frame(body: bytes) -> bytes:
    """Return ``body`` with its length in front; ``ValueError`` (our fault) over the limit."""
    if len(body) > FRAME_LIMIT:
        raise ValueError(f"a frame of {len(body)} bytes is over the limit of {FRAME_LIMIT}")
    return len(body).to_bytes(_PREFIX, "big") + body


class FrameReader:
    """Cuts a stream of bytes into frames; holds at most one incomplete frame."""

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        self.limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take bytes as they come and yield the frames they complete.

        Raises ``PeerError`` (oversized) as soon as a length over the limit is announced.
        """
        self._buffer += data
        while (body := self._next()) is not None:
            yield body

    def _next(self) -> bytes | None:
        if len(self._buffer) < _PREFIX:
            return None
        size = int.from_bytes(self._buffer[:_PREFIX], "big")
        if size > self.limit:
            raise PeerError(Code.OVERSIZED, f"a frame of {size} bytes; the limit is {self.limit}")
        if len(self._buffer) < _PREFIX + size:
            return None
        body = bytes(self._buffer[_PREFIX : _PREFIX + size])
        del self._buffer[: _PREFIX + size]
        return body
