"""What is on its way between the programs of a world: messages, and questions to people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from operator import itemgetter


@dataclass(slots=True)
class Parcel:
    """A message, or a question to a person, on its way since before `due`.

    Places beyond those of the peers are of who watches. What one `link` brings comes in turn.
    """

    sender: int
    to: int
    item: object
    due: float = 0.0
    link: tuple[int, int, int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.link = (self.sender, self.to, id(self) if self.sender == self.to else 0)


class Post:
    """Parcels on their way, in the order in which they were posted; each link has its own bag, as
    a sleeper's fill up and need not be looked through."""

    def __init__(self) -> None:
        self._bags: dict[tuple[int, int, int], dict[int, Parcel]] = {}
        self._posted = 0

    def __iter__(self) -> Iterator[Parcel]:
        every = (each for bag in self._bags.values() for each in bag.items())
        return iter([parcel for _, parcel in sorted(every, key=itemgetter(0))])

    def append(self, parcel: Parcel) -> None:
        self._bags.setdefault(parcel.link, {})[self._posted] = parcel
        self._posted += 1

    def remove(self, parcel: Parcel) -> bool:
        """Take a parcel out, and tell whether it was there."""
        bag = self._bags.get(parcel.link, {})
        number = next((number for number, each in bag.items() if each is parcel), None)
        if number is None:
            return False
        del bag[number]
        if not bag:
            del self._bags[parcel.link]
        return True

    def take(self, which: Callable[[Parcel], bool]) -> list[Parcel]:
        """Take all parcels of a kind out."""
        taken = [parcel for parcel in self if which(parcel)]
        for parcel in taken:
            self.remove(parcel)
        return taken

    def due(self, now: float, asleep: Set[int]) -> list[Parcel]:
        """Return what may come next: of each link the first that is due."""
        bags = [bag for link, bag in self._bags.items() if link[1] not in asleep]
        first = (next((each for each in bag.items() if each[1].due <= now), None) for bag in bags)
        return [parcel for _, parcel in sorted(filter(None, first), key=itemgetter(0))]
