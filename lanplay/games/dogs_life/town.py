"""The town as the rules use it: places, neighbours, entrances, the ways of the van (DL-1.4).

A *place* is a number: first the street spaces, line by line, then the buildings that a dog can be
in: the six dens, the kiosk, the pound, the twelve addresses, the restaurants. Houses without an
entrance are no places.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP, Building, Cell, neighbours, read

DENS: Final = 6
ADDRESSES: Final = 12
DEN_KEYS: Final = tuple("ABCDEF")
KIOSK_KEY: Final = "K"
POUND_KEY: Final = "P"
ADDRESS_KEYS: Final = tuple([str(number + 1) for number in range(ADDRESSES)])
RESTAURANT_KEYS: Final = tuple("abcdefghijk")
HOUSE_KEYS: Final = tuple("SUVWXY")
NOWHERE: Final = -1
"""The place of a dog in the pound's cells, and where no place is."""
STRAIGHT: Final = (3, 2, 4)
"""The side opposite that of entry, and the two next to that (DL-3.9), counted clockwise."""
Path = tuple[int, ...]


class Town:
    """A town, worked out once from its text. All of it is read only.

    ``spaces`` are the street spaces; ``building[place]`` is the building of a place that is one;
    ``houses`` are the others. ``dens``, ``addresses`` (by number, from 0) and ``restaurants`` are
    places, as are ``kiosk`` and ``pound``. ``feature[place]`` is what a place has;
    ``bin_at[place]`` numbers the bins, -1 elsewhere; ``number[place]`` is the number of an address,
    from 0, -1 elsewhere.

    ``walk[den][place]`` are the places that the dog of a den can go to from a place: never the
    pound, nor another's den. ``beside[place]`` are the places whose dogs can be attacked from there
    or are next to the van there: dens and pound are safe. ``van`` is the first place of the van,
    ``came`` the space it comes from.
    """

    def __init__(self, text: str) -> None:
        """Raise ``ValueError`` where the text is no town; whether it is a fair one a test tells."""
        plan = read(text)
        self.plan = plan
        self.spaces = plan.spaces
        self.van, self.came = plan.van, plan.came
        enterable = (*DEN_KEYS, KIOSK_KEY, POUND_KEY, *ADDRESS_KEYS, *RESTAURANT_KEYS)
        if plan.buildings.keys() != {*enterable, *HOUSE_KEYS}:
            wrong = plan.buildings.keys() ^ {*enterable, *HOUSE_KEYS}
            raise ValueError(f"missing or unknown buildings: {', '.join(sorted(wrong))}")
        streets = len(self.spaces)
        self.streets = range(streets)
        self.building = {n: plan.buildings[key] for n, key in enumerate(enterable, streets)}
        self.houses = tuple([plan.buildings[key] for key in HOUSE_KEYS])
        self.size = streets + len(enterable)
        self.dens = range(streets, streets + DENS)
        self.kiosk = self.dens.stop
        self.pound = self.kiosk + 1
        self.addresses = range(self.pound + 1, self.pound + 1 + ADDRESSES)
        self.restaurants = range(self.addresses.stop, self.size)
        self._features()
        self._sides()
        self.ways = self._ways()
        self._by_key = {self.key(place): place for place in range(self.size)}

    def _features(self) -> None:
        nothing = (0,) * len(self.building)
        self.feature = (*[space.feature for space in self.spaces], *nothing)
        found = iter(range(self.size))
        self.bin_at = tuple([next(found) if each == BIN else NOWHERE for each in self.feature])
        self.bins = tuple([n for n, each in enumerate(self.feature) if each == BIN])
        self.lamps = tuple([n for n, each in enumerate(self.feature) if each == LAMP])
        self.fountains = tuple([n for n, each in enumerate(self.feature) if each == FOUNTAIN])
        numbers = dict(zip(self.addresses, range(ADDRESSES), strict=True))
        self.number = tuple([numbers.get(place, NOWHERE) for place in range(self.size)])

    def _sides(self) -> None:
        at: dict[Cell, int] = {space.cell: place for place, space in enumerate(self.spaces)}
        self.sides = tuple(
            [
                tuple([at.get(cell, NOWHERE) for cell in neighbours(space.cell)])
                for space in self.spaces
            ]
        )
        """``sides[space]``: the street space behind each of the six sides, or ``NOWHERE``."""
        closed = {*self.dens, self.pound}
        self.walk = tuple([self._neighbours(closed - {den}, {self.pound}) for den in self.dens])
        self.beside = self._neighbours(closed, set())

    def _neighbours(self, not_into: set[int], always: set[int]) -> tuple[Path, ...]:
        """Return the neighbours of each place: without some, which have none but ``always``."""
        inside = {space: place for place, b in self.building.items() for space in b.doors}
        found: list[Path] = []
        for place, sides in enumerate(self.sides):
            around = [each for each in sides if each != NOWHERE]
            if place in inside and inside[place] not in not_into:
                around.append(inside[place])
            found.append(tuple(around))
        for place, building in self.building.items():
            shut = place in not_into and place not in always
            found.append(() if shut else building.doors)
        return tuple(found)

    def _ways(self) -> dict[tuple[int, int], Path]:
        found: dict[tuple[int, int], Path] = {}
        for place, sides in enumerate(self.sides):
            for side, came in enumerate(sides):
                if came != NOWHERE:
                    ahead = [sides[(side + turn) % 6] for turn in STRAIGHT]
                    found[place, came] = tuple([n for n in ahead if n != NOWHERE]) or (came,)
        return found

    @lru_cache(1 << 13)  # noqa: B019  # there is one town
    def drives(self, place: int, came: int, most: int) -> tuple[Path, ...]:
        """Return a shortest path to every end the van can come to, in 1 to ``most`` spaces.

        An end is a space and the one before it. Paths come in order of length and do not name the
        space the van stands on at first.
        """
        ends: dict[tuple[int, int], Path] = {}
        edge: list[tuple[int, int, Path]] = [(place, came, ())]
        for _ in range(most):
            further = []
            for here, before, path in edge:
                for there in self.ways[here, before]:
                    if (there, here) not in ends:
                        ends[there, here] = (*path, there)
                        further.append((there, here, (*path, there)))
            edge = further
        return tuple(ends.values())

    def is_drive(self, place: int, came: int, path: Path) -> bool:
        """Tell whether the van can go along ``path``."""
        for there in path:
            if there not in self.ways[place, came]:
                return False
            place, came = there, place
        return True

    @cache  # noqa: B019  # there is one town
    def distances(self, den: int, start: int) -> tuple[int, ...]:
        """Return how many moves each place is from ``start`` for the dog of ``den``, 0 to 5.

        Other dogs, piddles and the van are left out of account. -1 where it cannot go.
        """
        far = [NOWHERE] * self.size
        far[start] = 0
        edge = [start]
        while edge:
            further = []
            for here in edge:
                for there in self.walk[den][here]:
                    if far[there] == NOWHERE:
                        far[there] = far[here] + 1
                        further.append(there)
            edge = further
        return tuple(far)

    def key(self, place: int) -> str:
        """Return the name of a street space (``"C7"``) or the key of a building."""
        return self.building[place].key if place in self.building else self.spaces[place].label

    def place(self, key: str) -> int:
        """Return the place with a name or key as ``key`` gives it; ``KeyError`` for any other.

        A den is its letter: no street space has a name without a number.
        """
        return self._by_key[key]

    def cells(self, place: int) -> tuple[Cell, ...]:
        """Return where a place lies on the plan, in half columns and lines: one cell or more."""
        building: Building | None = self.building.get(place)
        return (self.spaces[place].cell,) if building is None else building.cells


TOWN: Final = Town(files(__package__).joinpath("town.toml").read_text("utf-8"))
"""The one town there is."""
