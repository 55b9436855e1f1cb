"""Values that hot paths make: native once compiled."""

from __future__ import annotations

from typing import Any


class FastValue:
    """Base of values: compared, hashed and shown by their fields.

    A class of values names its fields in ``__slots__``, which is ``Final``, in the order in which
    ``__init__`` takes them, and sets each once there, ``Final`` too. So mypy refuses to assign to
    them, as to those of a frozen dataclass, which takes three times as long to make; and mypyc
    compiles the class to a struct, which it does to no class with slots of a dataclass.
    """

    __slots__: tuple[str, ...] = ()

    def fields(self) -> dict[str, Any]:
        """Return the fields by name, in their order."""
        return {name: getattr(self, name) for name in type(self).__slots__}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        fields = [f"{name}={value!r}" for name, value in self.fields().items()]
        return f"{type(self).__name__}({', '.join(fields)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._key()

    def _key(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in type(self).__slots__])
