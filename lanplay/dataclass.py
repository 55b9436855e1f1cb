"""Dataclasses with slots that the standard library makes once they have an object.

A program that starts has two hundred of them, and few with objects before anything is seen; each
takes half a millisecond. ``frozen`` ones are so to the checker of types alone, and their objects
cheaper for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

METHODS = ("__init__", "__repr__", "__eq__", "__hash__", "__match_args__", "__dataclass_fields__")


class _Field(dict[str, Any]):
    """What a field is besides its name and type."""


def _dataclass(*, slots: bool, frozen: bool = False) -> Callable[[type], type]:
    assert slots, "a dataclass without slots is one of the standard library"
    return lambda cls: _made(cls, frozen)


def _made(cls: type, hashed: bool) -> type:
    """Return a class with slots that is made a dataclass as soon as it is to have an object."""
    body, types = dict(cls.__dict__), cls.__annotations__
    names = [name for name in types if not str(types[name]).startswith("ClassVar")]
    told = {name: body.pop(name) for name in names if name in body}

    def fill() -> None:
        import dataclasses as library

        for name, how in told.items():
            if type(how) is _Field:
                setattr(cls, name, library.field(**how))
        unhashed = hashed and body.get("__hash__") is None
        like: Any = library.dataclass(slots=True, unsafe_hash=unhashed)(cls)
        for name in METHODS:
            setattr(made, name, like.__dict__[name])

    def init(self: Any, *given: Any, **named: Any) -> None:
        fill()
        made.__init__(self, *given, **named)

    def restore(self: Any, state: tuple[None, dict[str, Any]]) -> None:
        if made.__init__ is init:
            fill()
        for name, value in state[1].items():
            setattr(self, name, value)

    body = {name: each for name, each in body.items() if name not in ("__dict__", "__weakref__")}
    methods = {"__slots__": names, "__init__": init, "__setstate__": restore}
    made: Any = type(cls)(cls.__name__, cls.__bases__, {**methods, **body})
    made.__qualname__ = cls.__qualname__
    return made  # type: ignore[no-any-return]  # a class


def _replace(value: Any, **changes: Any) -> Any:
    return type(value)(**{name: getattr(value, name) for name in value.__match_args__} | changes)


if TYPE_CHECKING:  # to the checker of types they are what they stand for
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _dataclass, _Field, _replace

__all__ = ["dataclass", "field", "replace"]
