"""Dataclasses with slots, at a twentieth of what the standard library takes to make one.

A program that starts makes two hundred of them, and few have an object before anything is seen: so
``__init__`` is written when the first object is made, and comparing needs no code of the class's
own. ``frozen`` ones are so to the checker of types alone, and their objects cheaper for it, too.
``fields``, ``asdict`` and the rest of the standard library take these classes as theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

Fields = Mapping[str, Mapping[str, Any]]
"""What ``dataclasses.field`` is told of each field."""


class _Field(dict[str, Any]):
    """What a field is besides its name and type."""


class _Described:
    """The fields of a class as the standard library has them, once it asks."""

    def __init__(self, fields: Fields, types: Mapping[str, Any]) -> None:
        self._fields, self._types, self._found = fields, types, None

    def __get__(self, _value: object, _cls: type) -> Any:
        if self._found is None:
            import dataclasses as library

            told = [(n, self._types[n], library.field(**how)) for n, how in self._fields.items()]
            made: Any = library.make_dataclass("_", told, kw_only=True)
            self._found = made.__dataclass_fields__
        return self._found


def _dataclass(*, slots: bool, frozen: bool = False) -> Callable[[type], type]:
    assert slots, "a dataclass without slots is one of the standard library"
    return lambda cls: _made(cls, frozen)


def _made(cls: type, frozen: bool) -> type:
    """Return the class anew, with slots and the methods of a dataclass, but for its own."""
    body, types = dict(cls.__dict__), cls.__annotations__
    fields: dict[str, Mapping[str, Any]] = {}
    for name in types:
        if not str(types[name]).startswith("ClassVar"):
            given = body.pop(name, ...)
            how = {} if given is ... else {"default": given}
            fields[name] = given if type(given) is _Field else how
    compared = [name for name, how in fields.items() if how.get("compare", True)]
    values = attrgetter("__class__", "__class__", *compared)  # two at least, which makes a tuple

    def init(self: Any, *given: Any, **named: Any) -> None:
        made.__init__ = _init(made, fields)  # type: ignore[misc]  # once
        made.__init__(self, *given, **named)  # type: ignore[misc]  # this class's own

    def equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if type(self) is type(other) else NotImplemented

    if body.get("__hash__") is None:
        body["__hash__"] = (lambda self: hash(values(self)[2:])) if frozen else None
    methods = {
        "__init__": init,
        "__repr__": _shown,
        "__eq__": equal,
        "__match_args__": tuple([name for name, how in fields.items() if how.get("init", True)]),
        "__dataclass_fields__": _Described(fields, types),
        "__slots__": tuple(fields),
    }
    body = {name: each for name, each in body.items() if name not in ("__dict__", "__weakref__")}
    made = type(cls)(cls.__name__, cls.__bases__, {**methods, **body})
    made.__qualname__ = cls.__qualname__
    return made


def _init(cls: type, fields: Fields) -> Any:
    """Write ``__init__``."""
    known: dict[str, Any] = {}
    takes, does = ["self"], []
    for name, how in fields.items():
        default, value, made = "", name, f"_{name}"
        if "default_factory" in how:
            known[made], made = how["default_factory"], f"{made}()"
            default, value = "=...", f"{made} if {name} is ... else {name}"
        elif "default" in how:
            known[made], default = how["default"], f"={made}"
        if how.get("init", True):
            takes.append(name + default)
        elif default:
            value = made
        else:
            continue
        does.append(f"self.{name} = {value}")
    does.append("self.__post_init__()" if hasattr(cls, "__post_init__") else "pass")
    exec(f"def __init__({', '.join(takes)}):\n " + "\n ".join(does), known)
    return known["__init__"]


def _shown(self: Any) -> str:
    fields = self.__dataclass_fields__.values()
    said = [f"{each.name}={getattr(self, each.name)!r}" for each in fields if each.repr]
    return f"{type(self).__qualname__}({', '.join(said)})"


def _replace(value: Any, **changes: Any) -> Any:
    return type(value)(**{name: getattr(value, name) for name in value.__match_args__} | changes)


if TYPE_CHECKING:  # to the checker of types they are what they stand for
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _dataclass, _Field, _replace

__all__ = ["dataclass", "field", "replace"]
