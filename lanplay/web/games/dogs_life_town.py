"""The town of A Dog's Life as a picture, drawn from its plan alone: it never changes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from markupsafe import Markup

from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP, Cell, neighbours
from lanplay.games.dogs_life.town import TOWN
from lanplay.language import _
from lanplay.web.elements import Kid, el, joined

WIDE, HIGH = 17, 30
"""Half the width of a cell, and how far lines are apart, in units of the map."""
HEX: Final = "M0-19.5 16.5-9.7V9.7L0 19.5-16.5 9.7V-9.7z"
PARK: Final = 14
"""How many half columns of trees are beside the town."""
FEATURES: Final = {
    BIN: "M-5-5H5L4 7H-4zM-7-7H7M-2-2 -1.5 4M2-2 1.5 4",
    LAMP: "M0 9V-4M-4 9H4M-4-4H4L2-10H-2z",
    FOUNTAIN: "M-8 3H8L5 9H-5zM0 3V-3M0-3C-5-8-7-3-6 0M0-3C5-8 7-3 6 0",
}
BONE: Final = (
    "M-6-2A2.6 2.6 0 1 1-3-5L3 1A2.6 2.6 0 1 1 6 4 2.6 2.6 0 1 1 3 6L-4-1A2.6 2.6 0 0 1-6-2z"
)
PIDDLE: Final = "M0-7C4-1 5 1 5 3A5 5 0 0 1-5 3C-5 1-4-1 0-7z"
PAPER: Final = "M-6-5H4V6H-6zM4-2H7V6H4M-4-2H2M-4 1H2M-4 4H0"
PITCHED: Final = (
    ("wall", "M-10-4H10V13H-10z"),
    ("tiles", "M5-14H9V-5H5zM-14-2 0-15 14-2z"),
    ("pane", "M-7 2h5v6h-5zM2 2h5v6H2z"),
)
FRONTS: Final = {
    "address": PITCHED,
    "food": (
        ("wall", "M-12-5H12V13H-12z"),
        ("pane", "M-8 1H8V9H-8z"),
        ("tiles", "M-15-3-11-13H11L15-3z"),
        ("stripe", "M-7-13-9-3h5l1-10zM3-13l1 10h5L7-13z"),
    ),
    "den": (
        ("wall", "M-11-3 0-12 11-3V13H-11z"),
        ("tiles", "M-15-1 0-16 15-1 11 2 0-9-11 2z"),
        ("hole", "M-7 13V4a7 7 0 0 1 14 0V13z"),
    ),
    "kiosk": (
        ("wall", "M-14-5H14V15H-14z"),
        ("pane", "M-11-2H11V5H-11z"),
        ("tiles", "M-18-4C-16-14-8-17 0-17S16-14 18-4z"),
        ("stripe", "M-6-4C-6-12-2-16 0-17 2-16 6-12 6-4z"),
    ),
    "pound": (
        ("wall", "M-13-6H13V13H-13z"),
        ("tiles", "M-15-12H15V-5H-15z"),
        ("hole", "M-9-1H-6V10H-9zM-3-1H0V10H-3zM3-1H6V10H3zM9-1h2V10H9z"),
    ),
    "shut": (*PITCHED[:2], ("boards", "M-8 2 8 10M8 2-8 10")),
}
"""What a building looks like from the front: outlines by class, on one cell."""
TREES: Final = (
    ("trunk", "M-2 4H2V14H-2z"),
    ("leaves", "M0-15a10 10 0 0 1 8 15 8 8 0 0 1-16 0A10 10 0 0 1 0-15z"),
)
BUSH: Final = (("leaves", "M-12 9a7 7 0 0 1 4-12 8 8 0 0 1 14 2 6 6 0 0 1 4 10z"),)


def at(cell: Cell) -> tuple[int, int]:
    """Return the middle of a cell on the map."""
    x, y = cell
    return WIDE * (x - _left() + 1) + 4, HIGH * y + 24


@cache
def _left() -> int:
    """Return the half column of the leftmost cell."""
    return min(x for place in range(TOWN.size) for x, _y in TOWN.cells(place))


@cache
def _built() -> tuple[Cell, ...]:
    """Return all cells on which there is something."""
    cells = [cell for place in range(TOWN.size) for cell in TOWN.cells(place)]
    return (*cells, *(cell for house in TOWN.houses for cell in house.cells))


@cache
def size() -> tuple[int, int]:
    """Return the width and the height of the map."""
    found = [at(cell) for cell in _built()]
    return max(x for x, _y in found) + WIDE + 4, max(y for _x, y in found) + 24


@cache
def middle(place: int) -> tuple[int, int]:
    """Return where the things of a place are drawn: in the cell nearest to its middle."""
    found = [at(cell) for cell in TOWN.cells(place)]
    x = sum(each[0] for each in found) // len(found)
    y = sum(each[1] for each in found) // len(found)
    return min(found, key=lambda each: (abs(each[0] - x) + abs(each[1] - y), each))


def _role(key: str) -> str:
    """Return the class of a building, by its key."""
    if key.isdecimal():
        return "address"
    return "food" if key.islower() else {"K": "kiosk", "P": "pound"}.get(key, "den")


@cache
def art() -> Markup:
    """Return the shapes that maps refer to, and the town put together of them."""
    shapes = [el("path", id="hex", d=HEX)]
    for name, paths in {**FRONTS, "tree": TREES, "bush": BUSH}.items():
        drawn = [el("path", d=outline, class_=kind) for kind, outline in paths]
        shapes.append(el("g", *drawn, id=f"f-{name}", class_=f"front {name}"))
    town = el("symbol", *_park(), *_ground(), *_buildings(), id="town", overflow="visible")
    return el("svg", *shapes, town, aria_hidden="true")


def _park() -> Iterator[Markup]:
    """Yield trees where there is no town."""
    built, (first, *_rest) = {*_built()}, sorted(_built())
    right, low = max(x for x, _y in built), max(y for _x, y in built)
    for y in range(-1, low + 2):
        for x in range(first[0] - PARK, right + PARK + 1):
            if (x + y - first[0] - first[1]) % 2 or (x, y) in built:
                continue
            if kind := ("", "tree", "bush", "", "tree")[(x * 7 + y * 11 + x * y) % 5]:
                yield _cell(at((x, y)), "", f"#f-{kind}")


def _ground() -> Iterator[Markup]:
    """Yield what lies under all else: kerbs, then streets, plots with what encloses them."""
    streets = [middle(place) for place in TOWN.streets]
    for kind in ("kerb", "street"):
        yield from (_cell(each, kind) for each in streets)
    plots = [(each.cells, _role(each.key)) for each in TOWN.building.values()]
    plots += [(each.cells, "shut") for each in TOWN.houses]
    for cells, role in plots:
        yield from (_cell(at(cell), "fence") for cell in cells)
        yield from (_cell(at(cell), f"house {role}") for cell in cells)


def _buildings() -> Iterator[Markup]:
    """Yield what stands there: features of the streets, houses with their signs, doors."""
    for place in TOWN.streets:
        yield from _feature(place)
        yield _named(place)
    for house in TOWN.houses:
        yield from (_cell(at(cell), "", "#f-shut") for cell in house.cells)
    for place, building in TOWN.building.items():
        role, sign = _role(building.key), middle(place)
        for each in map(at, building.cells):
            if role != "kiosk" or each == sign:  # what is around the kiosk is its square
                yield _cell(each, "", f"#f-{role}")
        yield _sign(building.key, *sign)
    for place in TOWN.streets:
        yield from _door(place)


def _sign(key: str, x: int, y: int) -> Markup:
    return el("text", key, x=x, y=y + 10, class_="sign")


def _cell(where: tuple[int, int], kind: str, shape: str = "#hex") -> Markup:
    return el("use", href=shape, x=where[0], y=where[1], class_=kind or None)


def _feature(place: int) -> Iterator[Markup]:
    if feature := TOWN.feature[place]:
        x, y = at(TOWN.cells(place)[0])
        name = {BIN: "bin", LAMP: "lamp", FOUNTAIN: "fountain"}[feature]
        yield el("path", d=FEATURES[feature], transform=f"translate({x} {y})", class_=name)


def _named(place: int) -> Markup:
    """Return how log and options call a street, where no door is in the way."""
    x, y = at(TOWN.cells(place)[0])
    door = _door_at(place)
    y += 16 if door is None or door[1] <= y else -10
    return el("text", TOWN.key(place), x=x, y=y, class_="lot")


def _door(place: int) -> Iterator[Markup]:
    """Yield the way into a building: a mat with its sign, at the side on which it is."""
    if (door := _door_at(place)) is None:
        return
    (x, y), key = door, TOWN.spaces[place].door
    yield el("circle", cx=x, cy=y, r=6, class_=f"mat {_role(key)}")
    yield el("text", key, x=x, y=y + 3, class_="door")


def _door_at(place: int) -> tuple[int, int] | None:
    key, cell = TOWN.spaces[place].door, TOWN.cells(place)[0]
    if not key:
        return None
    inside = next(each.cells for each in TOWN.building.values() if each.key == key)
    (x, y), (to_x, to_y) = at(cell), at(next(each for each in neighbours(cell) if each in inside))
    return x + round((to_x - x) * 0.4), y + round((to_y - y) * 0.4)


def legend() -> Markup:
    """Return what the colours and the signs of the map mean."""
    houses = (
        ("address", "5", _("delivery addresses")),
        ("food", "a", _("restaurants")),
        ("den", "A", _("dens")),
        ("kiosk", "K", _("newspaper kiosk")),
        ("pound", "P", _("dog pound")),
    )
    signs = (
        ("bin", FEATURES[BIN], _("bin")),
        ("lamp", FEATURES[LAMP], _("lamp post")),
        ("fountain", FEATURES[FOUNTAIN], _("fountain")),
        ("bone", BONE, _("bones")),
        ("news", PAPER, _("newspaper")),
    )
    drawn: list[tuple[Markup, Kid]] = []
    for kind, key, name in houses:
        every = (_cell((0, 0), f"house {kind}"), _cell((0, 0), "", f"#f-{kind}"), _sign(key, 0, 0))
        drawn.append((joined(every), name))
    for kind, shape, name in signs:
        drawn.append((joined([_cell((0, 0), "street"), el("path", d=shape, class_=kind)]), name))
    view = "-18 -21 36 42"
    items = [
        el("li", el("svg", each, viewBox=view, aria_hidden="true"), name) for each, name in drawn
    ]
    return el("ul", *items, class_="legend")
