"""Shapes of decoded values: checks that turn hostile data into typed values or a PeerError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.wire import decode

KIND_LIMIT = 32
"""Characters of the kind of a message."""
T = TypeVar("T")


def message(body: bytes) -> tuple[str, Any]:
    """Return the kind of a message and its payload, which may be any plain data."""
    kind, payload = fields(decode(body), 2, "message")
    return text(kind, KIND_LIMIT, "kind"), payload


def refuse(what: str) -> NoReturn:
    """Raise the ``PeerError`` for a value of the wrong shape."""
    raise PeerError(Code.MALFORMED, what)


def uint(value: Any, limit: int, what: str) -> int:
    """Return ``value`` if it is an int from 0 to ``limit`` - 1."""
    if type(value) is not int or not 0 <= value < limit:
        refuse(f"{what} is not a number below {limit}")
    return value


def binary(value: Any, size: int, what: str) -> bytes:
    """Return ``value`` if it is exactly ``size`` bytes."""
    if type(value) is not bytes or len(value) != size:
        refuse(f"{what} is not {size} bytes")
    return value


def blob(value: Any, limit: int, what: str) -> bytes:
    """Return ``value`` if it is bytes, at most ``limit`` of them."""
    if type(value) is not bytes or len(value) > limit:
        refuse(f"{what} is not bytes, at most {limit}")
    return value


def text(value: Any, limit: int, what: str) -> str:
    """Return ``value`` if it is a string of at most ``limit`` characters."""
    if type(value) is not str or len(value) > limit:
        refuse(f"{what} is not text of at most {limit} characters")
    return value


def items(value: Any, limit: int, what: str, check: Callable[[Any], T]) -> tuple[T, ...]:
    """Return ``value``, a tuple of at most ``limit`` things, each as ``check`` returns it."""
    if type(value) is not tuple or len(value) > limit:
        refuse(f"{what} is not a list of at most {limit}")
    return tuple(check(item) for item in value)


def fields(value: Any, count: int, what: str) -> tuple[Any, ...]:
    """Return ``value`` if it is a tuple of exactly ``count`` fields."""
    if type(value) is not tuple or len(value) != count:
        refuse(f"{what} has not {count} fields")
    return value
