"""What the fields of a table may be: how they are copied, shown, saved and laid again.

A table's fields are its ``__slots__``, all of them public, in the order in which they are hashed.
Those that last from round to round stand in the game's ``Schema``: each has a kind, which says what
is saved of it and refuses what cannot be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from lanplay.engine.plain import Plain

Limit: TypeAlias = "int | Callable[[Any], int]"
"""A number, or what is worked out of the table (its seats, its round)."""


class Kind(ABC):
    """What a field may hold."""

    @abstractmethod
    def saved(self, value: Any) -> Plain:
        """Return what a snapshot has of a value."""

    @abstractmethod
    def laid(self, value: Any, table: Any) -> Any:
        """Return the value that a snapshot, maybe a stranger's, has; ``ValueError`` if none."""


class Amount(Kind):
    """A whole number from ``least`` to ``most``."""

    def __init__(self, most: Limit, least: int = 0) -> None:
        self.most = most
        self.least = least

    def saved(self, value: Any) -> Plain:
        return int(value)

    def laid(self, value: Any, table: Any) -> int:
        most = self.most(table) if callable(self.most) else self.most
        if type(value) is int and self.least <= value <= most:
            return value
        raise ValueError(f"{value!r} is no number from {self.least} to {most}")


class Flag(Amount):
    """Yes or no, saved as 1 or 0."""

    def __init__(self) -> None:
        super().__init__(1)

    def laid(self, value: Any, table: Any) -> bool:
        return bool(super().laid(value, table))


class Column(Kind):
    """A list of so many values of one kind: one for each seat, unless said otherwise."""

    def __init__(self, kind: Kind, count: Limit = lambda table: table.seats) -> None:
        self.kind = kind
        self.count = count

    def saved(self, value: Any) -> Plain:
        return tuple([self.kind.saved(each) for each in value])

    def laid(self, value: Any, table: Any) -> list[Any]:
        count = self.count(table) if callable(self.count) else self.count
        if type(value) is not tuple or len(value) != count:
            raise ValueError(f"{value!r} does not have {count} values")
        return [self.kind.laid(each, table) for each in value]


class Schema:
    """The fields that last, in the order of the snapshot; ``round`` is among them, before others
    that hang on it."""

    def __init__(self, title: str, **kinds: Kind) -> None:
        self.title = title
        self.kinds = kinds

    def snapshot(self, table: Any) -> dict[str, Plain]:
        """Return what a new game can start from (see ``RuleSet``)."""
        return {name: kind.saved(getattr(table, name)) for name, kind in self.kinds.items()}

    def from_snapshot(self, table: Any, data: Any) -> None:
        """Lay a new table as a snapshot says; ``ValueError`` names what cannot be."""
        if type(data) is not dict or tuple(data) != tuple(self.kinds):
            known = ", ".join(self.kinds)
            raise ValueError(f"a snapshot of {self.title} has {known}, in this order")
        for name, kind in self.kinds.items():
            setattr(table, name, kind.laid(data[name], table))


def copied(value: Any) -> Any:
    """Return a value that shares nothing that changes."""
    if isinstance(value, list):
        return [copied(each) for each in value]
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    own: Callable[[], Any] | None = getattr(value, "copy", None)
    return value if own is None else own()


def shown(value: Any) -> Plain:
    """Return a value of a field as plain data; equal values, equal bytes."""
    if isinstance(value, list):
        return [shown(each) for each in value]
    if isinstance(value, dict):
        return tuple([(key, shown(each)) for key, each in sorted(value.items())])
    own: Callable[[], Plain] | None = getattr(value, "plain", None)
    return value if own is None else own()
