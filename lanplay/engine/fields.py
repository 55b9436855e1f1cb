"""What the fields of a table may be: how they are copied, shown, saved and laid again.

A table's fields are its ``__slots__``, all of them public, in the order in which they are hashed.
Those that last from round to round stand in the game's ``Schema``: each has a kind, which says what
is saved of it and refuses what cannot be. What adds up across fields is the game's own to check.

A card is saved by its *visible face*: its face if that is public, ``HIDDEN`` if not. A new table
lays a public card with its face as its handle and hidden ones with the faces that are left over;
its rules then shuffle these before anything else, so that what anybody knew of the old cards says
nothing about the new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, TypeAlias

from lanplay.engine.plain import Plain

Limit: TypeAlias = "int | Callable[[Any], int]"
"""A number, or what is worked out of the table (its seats, its round)."""
UNLIMITED: Final = 1_000_000
"""The most of what has no limit in the rules."""
HIDDEN: Final = -1
"""The visible face of a card whose face is not public."""
Back: TypeAlias = Sequence[int]
"""The faces of all cards of one back, in the order in which hidden ones are laid."""
Piles: TypeAlias = Iterator[tuple[Back, list[int]]]


class Kind:
    """What a field may hold."""

    def saved(self, value: Any, table: Any) -> Plain:
        """Return what a snapshot has of a value."""
        raise NotImplementedError

    def laid(self, data: Any, table: Any) -> Any:
        """Return the value that a snapshot, maybe a stranger's, has; ``ValueError`` if none."""
        raise NotImplementedError

    def piles(self, value: Any) -> Piles:
        """Yield the cards in a value, pile by pile."""
        yield from ()


class Amount(Kind):
    """A whole number from ``least`` to ``most``."""

    def __init__(self, most: Limit = UNLIMITED, least: int = 0) -> None:
        self.most = most
        self.least = least

    def saved(self, value: Any, table: Any) -> Plain:
        return int(value)

    def laid(self, data: Any, table: Any) -> int:
        most = _of(table, self.most)
        if type(data) is int and self.least <= data <= most:
            return data
        raise ValueError(f"{data!r} is no number from {self.least} to {most}")


class Flag(Amount):
    """Yes or no, saved as 1 or 0."""

    def __init__(self) -> None:
        super().__init__(1)

    def laid(self, data: Any, table: Any) -> bool:
        return bool(super().laid(data, table))


class Cards(Kind):
    """A pile of cards of one back. Each card of a back lies in one of the piles of the table."""

    def __init__(self, back: Back) -> None:
        self.back = back

    def saved(self, value: Any, table: Any) -> Plain:
        return tuple([table.faces.get(card, HIDDEN) for card in value])

    def laid(self, data: Any, table: Any) -> list[int]:
        if type(data) is tuple and all(type(face) is int for face in data):
            return list(data)
        raise ValueError(f"{data!r} is no pile of cards")

    def piles(self, value: Any) -> Piles:
        yield self.back, value


class Column(Kind):
    """A list of so many values of one kind: one for each seat, unless said otherwise.

    ``count`` is ``None`` where there may be any number; ``make`` is for what is no list.
    """

    def __init__(
        self,
        kind: Kind,
        count: Limit | None = lambda table: table.seats,
        make: Callable[[list[Any]], Any] = list,
    ) -> None:
        self.kind = kind
        self.count = count
        self.make = make

    def saved(self, value: Any, table: Any) -> Plain:
        return tuple([self.kind.saved(each, table) for each in value])

    def laid(self, data: Any, table: Any) -> Any:
        values = _tuple(data, None if self.count is None else _of(table, self.count))
        return self.make([self.kind.laid(each, table) for each in values])

    def piles(self, value: Any) -> Piles:
        return chain.from_iterable(map(self.kind.piles, value))


class Pairs(Kind):
    """A dictionary by numbers below ``count``, saved as pairs in the order of these."""

    def __init__(self, count: int, kind: Kind) -> None:
        self.count = count
        self.kind = kind

    def saved(self, value: Any, table: Any) -> Plain:
        return tuple([(key, self.kind.saved(each, table)) for key, each in sorted(value.items())])

    def laid(self, data: Any, table: Any) -> Any:
        number = Amount(self.count - 1)
        pairs = [_tuple(pair, 2) for pair in _tuple(data, None)]
        laid = {number.laid(key, table): self.kind.laid(each, table) for key, each in pairs}
        if len(laid) != len(pairs) or list(laid) != sorted(laid):
            raise ValueError(f"{data!r} are not in order, each once")
        return laid

    def piles(self, value: Any) -> Piles:
        return chain.from_iterable(map(self.kind.piles, value.values()))


class Sparse(Kind):
    """A list with a number for each of ``count`` things, of which most are ``empty``."""

    def __init__(self, count: int, kind: Kind, empty: int) -> None:
        self.count = count
        self.full = Pairs(count, kind)
        self.empty = empty

    def saved(self, value: Any, table: Any) -> Plain:
        full = {key: each for key, each in enumerate(value) if each != self.empty}
        return self.full.saved(full, table)

    def laid(self, data: Any, table: Any) -> list[int]:
        full = self.full.laid(data, table)
        return [full.get(key, self.empty) for key in range(self.count)]


class Fields:
    """Some fields of a table, or of a part of it, in the order in which they are saved.

    An entry names a field, or has fields of its own: then what they hold is saved as a tuple.
    """

    def __init__(self, **entries: Kind | Fields) -> None:
        self.entries = entries

    def saved(self, owner: Any, table: Any) -> tuple[Plain, ...]:
        """Return what is saved of the fields of ``owner``."""
        return tuple(
            [
                kind.saved(owner if isinstance(kind, Fields) else getattr(owner, name), table)
                for name, kind in self.entries.items()
            ]
        )

    def lay(self, owner: Any, data: Any, table: Any) -> None:
        """Set the fields of ``owner``; ``ValueError`` says what cannot be."""
        values = _tuple(data, len(self.entries))
        for (name, kind), value in zip(self.entries.items(), values, strict=True):
            if isinstance(kind, Fields):
                kind.lay(owner, value, table)
            else:
                setattr(owner, name, kind.laid(value, table))

    def piles(self, owner: Any) -> Piles:
        """Yield the cards in the fields of ``owner``, pile by pile."""
        for name, kind in self.entries.items():
            yield from kind.piles(owner if isinstance(kind, Fields) else getattr(owner, name))


class Part(Kind):
    """A thing with fields of its own, which ``make`` returns as it is at the start."""

    def __init__(self, make: Callable[[], Any], fields: Fields) -> None:
        self.make = make
        self.fields = fields

    def saved(self, value: Any, table: Any) -> Plain:
        return self.fields.saved(value, table)

    def laid(self, data: Any, table: Any) -> Any:
        owner = self.make()
        self.fields.lay(owner, data, table)
        return owner

    def piles(self, value: Any) -> Piles:
        return self.fields.piles(value)


class Schema:
    """The fields that last, in the order of the snapshot; ``round`` is among them, before others
    that hang on it."""

    def __init__(self, title: str, **entries: Kind | Fields) -> None:
        self.title = title
        self.fields = Fields(**entries)

    def snapshot(self, table: Any) -> dict[str, Plain]:
        """Return what a new game can start from (see ``RuleSet``)."""
        return dict(zip(self.fields.entries, self.fields.saved(table, table), strict=True))

    def from_snapshot(self, table: Any, data: Any) -> None:
        """Lay a new table as a snapshot says; ``ValueError`` names what cannot be."""
        names = tuple(self.fields.entries)
        if type(data) is not dict or tuple(data) != names:
            raise ValueError(f"a snapshot of {self.title} has {', '.join(names)}, in this order")
        self.fields.lay(table, tuple(data.values()), table)
        backs = dict.fromkeys(back for back, _ in self.fields.piles(table))
        table.faces = {}
        for back in backs:
            _lay_cards(table, back, self.piles(table, back))

    def piles(self, table: Any, back: Back) -> list[list[int]]:
        """Return the piles of a table with cards of one back."""
        return [pile for each, pile in self.fields.piles(table) if each == back]

    def hidden(self, table: Any, back: Back) -> list[int]:
        """Return the hidden cards of one back, pile by pile."""
        cards = chain.from_iterable(self.piles(table, back))
        return [card for card in cards if card not in table.faces]

    def is_fresh(self, table: Any) -> bool:
        """Tell whether hidden cards are still to be dealt: they have handles of a new table."""
        return any(
            card in back and card not in table.faces
            for back, pile in self.fields.piles(table)
            for card in pile
        )


def _lay_cards(table: Any, back: Back, piles: list[list[int]]) -> None:
    """Give the hidden cards of one back the handles that the public ones leave."""
    laid = list(chain.from_iterable(piles))
    known = [face for face in laid if face != HIDDEN]
    if not set(known) <= set(back) or len(set(known)) != len(known):
        raise ValueError(f"a card is named twice or is none of {min(back)} to {max(back)}")
    if len(laid) != len(back):
        raise ValueError(f"there are {len(laid)} cards where {len(back)} belong")
    table.faces |= {face: face for face in sorted(known)}
    spare = iter([face for face in back if face not in table.faces])
    for pile in piles:
        pile[:] = [next(spare) if face == HIDDEN else face for face in pile]


def _of(table: Any, limit: Limit) -> int:
    return limit(table) if callable(limit) else limit


def _tuple(data: Any, count: int | None) -> tuple[Any, ...]:
    if type(data) is tuple and count in (None, len(data)):
        return data
    raise ValueError(f"{data!r} does not have {'some' if count is None else count} values")


def copied(value: Any) -> Any:
    """Return a value that shares nothing that changes."""
    if isinstance(value, list):
        return [copied(each) for each in value]
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    own: Callable[[], Any] | None = getattr(value, "copy", None)
    return value if own is None else own()


_ATOMS = frozenset((int, str, bytes, bool, type(None)))


def shown(value: Any) -> Plain:
    """Return a value of a field as plain data; equal values, equal bytes."""
    if isinstance(value, list):
        return [each if type(each) in _ATOMS else shown(each) for each in value]
    if isinstance(value, dict):
        return tuple([(key, shown(each)) for key, each in sorted(value.items())])
    own: Callable[[], Plain] | None = getattr(value, "plain", None)
    return value if own is None else own()
