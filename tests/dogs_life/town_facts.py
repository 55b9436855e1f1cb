"""What a town must be: the facts of DL-1.4, and that no den is better placed than others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lanplay.games.dogs_life.plan import neighbours
from lanplay.games.dogs_life.town import Town

BIN_COUNT: Final = range(20, 23)
LAMP_COUNT: Final = range(14, 17)
FOUNTAIN_COUNT: Final = range(7, 10)
LEAST_KIOSK_DOORS: Final = 3
UNEVEN: Final = 0.15
"""By how much of the mean over all dens a den may be nearer to, or farther from, what matters."""
Measure = Callable[[Town, int], float]


def faults(town: Town) -> Iterator[str]:
    """Yield, in a sentence each, everything about a town that DL-1.4 does not allow."""
    counts = {
        "bins": (len(town.bins), BIN_COUNT),
        "lamp posts": (len(town.lamps), LAMP_COUNT),
        "fountains": (len(town.fountains), FOUNTAIN_COUNT),
    }
    for name, (count, wanted) in counts.items():
        if count not in wanted:
            yield f"{count} {name} are not {wanted.start} to {wanted.stop - 1}"
    yield from _building_faults(town)
    yield from _street_faults(town)
    for name, dens in uneven(town).items():
        yield f"{name}: {', '.join(dens)} differ by more than {UNEVEN:.0%} from the mean"


def _building_faults(town: Town) -> Iterator[str]:
    doors = {place: building.doors for place, building in town.building.items()}
    if any(not found for found in doors.values()):
        yield "a building that is a place has no entrance"
    if len(doors[town.kiosk]) < LEAST_KIOSK_DOORS:
        yield "the kiosk has few entrances"
    if len(doors[town.pound]) != 1 or not _touches(town, town.pound, town.kiosk):
        yield "the pound has not one exit, beside the kiosk"
    if any(len(doors[den]) != 1 for den in town.dens):
        yield "a den has not one entrance"
    counts = [len(doors[place]) for place in town.addresses]
    if 1 not in counts or max(counts) == 1:
        yield "addresses with one entrance and with several are both wanted"
    if not town.houses or any(house.doors for house in town.houses):
        yield "houses have no entrance, and there is at least one"


def _touches(town: Town, one: int, other: int) -> bool:
    """Tell whether a space with an entrance of ``one`` has a side on the entrances of ``other``."""
    near = {each for door in town.building[one].doors for each in (door, *town.sides[door])}
    return bool(near & set(town.building[other].doors))


def _street_faults(town: Town) -> Iterator[str]:
    for den, place in enumerate(town.dens):
        shut = {*town.dens, town.pound} - {place}
        far = town.distances(den, place)
        lost = [town.key(each) for each in range(town.size) if far[each] < 0 and each not in shut]
        if lost:
            yield f"there is no way from den {town.key(place)} to {', '.join(lost)}"
    if town.came not in town.sides[town.van]:
        yield "the van has not come from a neighbouring space"
    if not set(neighbours(town.spaces[town.van].cell)) & set(town.cells(town.pound)):
        yield "the van is not beside the pound"


def _from_den(places: Callable[[Town], Sequence[int]], nearest: int) -> Measure:
    """Return a measure: how far a den is from the nearest ones of some places, on the average."""

    def measure(town: Town, den: int) -> float:
        far = town.distances(den, town.dens[den])
        return sum(sorted([far[place] for place in places(town)])[:nearest]) / nearest

    return measure


def _from_pound(town: Town, den: int) -> float:
    return town.distances(den, town.pound)[town.dens[den]]


MEASURES: Final[dict[str, Measure]] = {
    "kiosk": _from_den(lambda town: [town.kiosk], 1),
    "all addresses": _from_den(lambda town: town.addresses, 12),
    "four addresses": _from_den(lambda town: town.addresses, 4),
    "all restaurants": _from_den(lambda town: town.restaurants, 11),
    "two restaurants": _from_den(lambda town: town.restaurants, 2),
    "all bins": _from_den(lambda town: town.bins, 20),
    "five bins": _from_den(lambda town: town.bins, 5),
    "three lamp posts": _from_den(lambda town: town.lamps, 3),
    "fountain": _from_den(lambda town: town.fountains, 1),
    "home from the pound": _from_pound,
}
"""What matters to a den, in moves."""


def uneven(town: Town, most: float = UNEVEN) -> dict[str, list[str]]:
    """Return, by measure, the dens that differ from the mean by more than ``most`` of it."""
    found = {}
    for name, measure in MEASURES.items():
        values = [measure(town, den) for den in range(len(town.dens))]
        mean = sum(values) / len(values)
        off = [
            f"{town.key(town.dens[den])} {value:.2f} against {mean:.2f}"
            for den, value in enumerate(values)
            if abs(value - mean) > most * mean
        ]
        if off:
            found[name] = off
    return found
