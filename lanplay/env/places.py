"""What an observation is made of: kinds of values, and the places that each of them takes.

A value of a table is written as numbers at fixed places: a number as it is, one of several things
as a flag for each, a list by seat with the own seat first and the others in turn order. Each kind
knows its places in words and with their ranges, so that nothing is written that is not described.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

Numbers: TypeAlias = "array[float]"
MANY: Final = 1000
"""What has no limit in the rules is shown up to this number."""
OPEN: Final = -1
"""What stands where there is no number yet."""
SEATS: Final = (
    "you",
    "the next seat",
    *[f"the {nth} seat after you" for nth in ("2nd", "3rd", "4th", "5th")],
)
"""What seats are called, from the own one on in turn order."""


@dataclass(frozen=True, slots=True)
class ObservedPlace:
    """A place of an observation: what it says, its least and its greatest number."""

    words: str
    least: float
    most: float


class Encoding:
    """How values of one kind are written: ``size`` places, which are 0 before ``write``.

    ``me`` is the seat that looks, ``seats`` how many there are at the table.
    """

    size: int

    def places(self) -> Iterator[ObservedPlace]:
        """Yield the places in their order."""
        raise NotImplementedError

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        """Write a value from place ``at`` on."""
        raise NotImplementedError

    def update(self, into: Numbers, at: int, value: Any, last: Any, me: int, seats: int) -> None:
        """Write a value where ``last`` was written; ``last`` is another one."""
        into[at : at + self.size] = self.blank
        self.write(into, at, value, me, seats)

    @cached_property
    def blank(self) -> Numbers:
        """As many places as it takes, all 0."""
        return array("f", bytes(4 * self.size))


class Whole(Encoding):
    """A whole number as it is, at most ``most``; nothing is written for ``None``."""

    size = 1

    def __init__(self, most: int = MANY) -> None:
        self.most = most

    def places(self) -> Iterator[ObservedPlace]:
        yield ObservedPlace("", 0, self.most)

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        if value:
            into[at] = value if value <= self.most else self.most  # noqa: FURB136  # quicker

    def update(self, into: Numbers, at: int, value: Any, last: Any, me: int, seats: int) -> None:
        into[at] = min(value or 0, self.most)


FLAG: Final = Whole(1)


class Flags(Encoding):
    """A flag for each thing of ``words``."""

    def __init__(self, words: Sequence[str]) -> None:
        self.size = len(words)
        self.words = words

    def places(self) -> Iterator[ObservedPlace]:
        for words in self.words:
            yield ObservedPlace(words, 0, 1)


class OneOf(Flags):
    """One of some values, a flag for each; nothing is set for what is none of them."""

    def __init__(self, values: Sequence[Any], words: Sequence[str] = ()) -> None:
        super().__init__(words or [str(each) for each in values])
        self.at: dict[Any, int] = {each: at for at, each in enumerate(values)}

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        place = self.at.get(value)
        if place is not None:
            into[at + place] = 1

    def update(self, into: Numbers, at: int, value: Any, last: Any, me: int, seats: int) -> None:
        place = self.at.get(last)
        if place is not None:
            into[at + place] = 0
        place = self.at.get(value)
        if place is not None:
            into[at + place] = 1


class ASeat(Flags):
    """One of at most ``most`` seats, counted from the own one; nothing for -1 and ``None``."""

    def __init__(self, most: int) -> None:
        super().__init__(SEATS[:most])

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        if value is not None and value >= 0:
            into[at + (value - me) % seats] = 1


class SomeSeats(ASeat):
    """Some of at most ``most`` seats, a flag for each."""

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        for seat in value:
            into[at + (seat - me) % seats] = 1


class Bits(Flags):
    """A mask, or some numbers from 0: a flag for each thing of ``words``."""

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        if type(value) is int:
            self._flip(into, at, value)
        else:
            for each in value:
                into[at + each] = 1

    def update(self, into: Numbers, at: int, value: Any, last: Any, me: int, seats: int) -> None:
        if type(value) is int:
            self._flip(into, at, value ^ last)
        else:
            super().update(into, at, value, last, me, seats)

    def _flip(self, into: Numbers, at: int, mask: int) -> None:
        if mask >> self.size:
            raise ValueError(f"{mask:#b} has more flags than the {self.size} declared")
        while mask:
            low = mask & -mask
            place = at + low.bit_length() - 1
            into[place] = 1 - into[place]
            mask ^= low


class Several(Encoding):
    """A list of up to ``len(words)`` values of one kind, in their order.

    ``OPEN`` stands where there is no number yet, where ``opens``.
    """

    def __init__(self, kind: Encoding, words: Sequence[str], opens: bool = False) -> None:
        self.kind = kind
        self.words = words
        self.opens = opens
        self.size = kind.size * len(words)
        self._flags = kind.at if type(kind) is OneOf else None

    def places(self) -> Iterator[ObservedPlace]:
        for words in self.words:
            yield from within(words, self.kind, self.opens)

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        write, size, flags = self.kind.write, self.kind.size, self._flags
        end = at + self.size
        for each in value:
            if flags is None:
                write(into, at, each, me, seats)
            elif each in flags:  # dice, most often
                into[at + flags[each]] = 1
            at += size
        if self.opens:
            while at < end:
                into[at] = OPEN
                at += 1

    def update(self, into: Numbers, at: int, value: Any, last: Any, me: int, seats: int) -> None:
        if self._flags is not None or len(value) < len(last):
            super().update(into, at, value, last, me, seats)
            return
        kind, size = self.kind, self.kind.size
        for each, before in zip(value, last, strict=False):  # some may have come
            if each != before:
                kind.update(into, at, each, before, me, seats)
            at += size
        for each in value[len(last) :]:
            Encoding.update(kind, into, at, each, None, me, seats)
            at += size


class BySeat(Several):
    """A list by seat: the own value first, those of the others in turn order."""

    def __init__(self, kind: Encoding, most: int, opens: bool = False) -> None:
        super().__init__(kind, SEATS[:most], opens)

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        super().write(into, at, [*value[me:], *value[:me]], me, seats)

    def update(self, into: Numbers, at: int, value: Any, last: Any, me: int, seats: int) -> None:
        if len(value) != len(last):
            Encoding.update(self, into, at, value, last, me, seats)
            return
        update, size = self.kind.update, self.kind.size
        for seat, each in enumerate(value):
            if each != last[seat]:
                update(into, at + (seat - me) % seats * size, each, last[seat], me, seats)


class Parts(Encoding):
    """A tuple of values, each of a kind of its own."""

    def __init__(self, **kinds: Encoding) -> None:
        self.kinds = kinds
        self._parts: list[tuple[int, Encoding]] = []
        self.size = 0
        for kind in kinds.values():
            self._parts.append((self.size, kind))
            self.size += kind.size

    def places(self) -> Iterator[ObservedPlace]:
        for name, kind in self.kinds.items():
            yield from within(name, kind)

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        for (offset, kind), each in zip(self._parts, value, strict=True):
            kind.write(into, at + offset, each, me, seats)

    def update(self, into: Numbers, at: int, value: Any, last: Any, me: int, seats: int) -> None:
        for (offset, kind), each, before in zip(self._parts, value, last, strict=True):
            if each != before:
                kind.update(into, at + offset, each, before, me, seats)


class Spread(Encoding):
    """A list of values of which most are ``empty``: a value of which nothing is written."""

    def __init__(self, kind: Encoding, words: Sequence[str], empty: int = 0) -> None:
        self.kind = kind
        self.words = words
        self.empty = empty
        self.size = kind.size * len(words)

    def places(self) -> Iterator[ObservedPlace]:
        for words in self.words:
            yield from within(words, self.kind)

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        write, size, empty = self.kind.write, self.kind.size, self.empty
        for place, each in enumerate(value):
            if each != empty:
                write(into, at + place * size, each, me, seats)

    def update(self, into: Numbers, at: int, value: Any, last: Any, me: int, seats: int) -> None:
        update, size = self.kind.update, self.kind.size
        for place, each in enumerate(value):
            if each != last[place]:
                update(into, at + place * size, each, last[place], me, seats)


def within(words: str, kind: Encoding, opens: bool = False) -> Iterator[ObservedPlace]:
    """Yield the places of a part, named by the whole as well."""
    words = named(words)
    for place in kind.places():
        least = min(place.least, OPEN) if opens else place.least
        yield ObservedPlace(f"{words}: {place.words}" if place.words else words, least, place.most)


def named(name: str) -> str:
    """Return the name of a field in words."""
    return name.replace("_", " ")
