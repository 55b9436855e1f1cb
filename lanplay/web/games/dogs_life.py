"""The table of A Dog's Life: the town as a map drawn from its plan, the dogs, what one carries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from markupsafe import Markup

from lanplay.engine.question import Option
from lanplay.games.dogs_life.table import MOST_HUNGER, DogsLifeTable
from lanplay.games.dogs_life.text import DOGS, dog_name, place_name, word
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from lanplay.language import _
from lanplay.ui.games.dogs_life import breakdown, standing
from lanplay.ui.scene import Scene
from lanplay.web.board import Taps, seat_name
from lanplay.web.elements import NOTHING, Kid, el, joined, some
from lanplay.web.games.dogs_life_town import BONE, PAPER, PIDDLE, art, legend, middle, size
from lanplay.web.pieces import amount, emblem

NEAR: Final = 105
"""How far a phone sees around what matters, in units of the map."""
EARS: Final = (
    "M-8-5C-13-4-14 4-11 8-9 4-8 0-6-4zM8-5C13-4 14 4 11 8 9 4 8 0 6-4z",
    "M-9-3-10-13-2-8zM9-3 10-13 2-8z",
    "M-8-6C-14-10-15-2-11 1zM8-6C14-10 15-2 11 1z",
    "M-8-4-13-9-11 0zM8-4 10-13 2-8z",
    "M-9-4-7-15-2-8zM9-4 7-15 2-8z",
    "M-6-8C-12-12-16-6-13 6-11 2-9-1-8-3zM6-8C12-12 16-6 13 6 11 2 9-1 8-3z",
)
"""The ears of each dog: besides its colour and its coat they tell it from the others."""
COATS: Final = (
    "M-6-8a4 4 0 0 1 3-5 4 4 0 0 1 6 0 4 4 0 0 1 3 5C2-6-2-6-6-8z",
    "M1-9.8A10 10 0 0 1 9.8 2C4 3 0-2 1-9.8z",
    "",
    "M-8 6C-7 1 7 1 8 6 4 11-4 11-8 6z",
    "M-2-10H2L1.5-1 9 5A10 10 0 0 1-9 5L-1.5-1z",
    "M-9.5-3A10 10 0 0 1 9.5-3C5-6-5-6-9.5-3zM-3 1H3V9H-3z",
)
"""What is of another colour: a crest, a patch, jowls, a mask, a saddle."""


class DogsLifeBoard:
    """See ``lanplay.web.board.WebBoard``."""

    @property
    def art(self) -> Markup:
        """Return the town."""
        return art()

    @property
    def emblem(self) -> Markup:
        """Return three dogs."""
        return emblem(map(_portrait, (1, 3, 4)))

    def board(self, scene: Scene, taps: Taps) -> Markup:
        """Return the town, and the dogs below it."""
        things = el("g", *_ground(scene), *_movers(scene), id="things")
        inside = joined([el("use", href="#town"), things, *_spots(scene, taps)])
        view = f"0 0 {size()[0]} {size()[1]}"
        name = _("The town")
        town = el(
            "svg",
            inside,
            viewBox=view,
            class_="streets",
            role="group",
            aria_label=name,
            data_near=_near(scene, taps),
        )
        whole = el("svg", el("use", href="#town"), el("use", href="#things"), viewBox=view)
        summary = el("summary", _("The town"))
        map_ = el("details", summary, legend(), whole, class_="overview", data_wide=True)
        dogs = [_dog_row(scene, seat) for seat in range(scene.table.seats)]
        return el("div", town, map_, el("ol", *dogs, class_="seats"), class_="felt dogs")

    def own(self, scene: Scene, taps: Taps) -> Markup:
        """Return what the person's dog carries."""
        t, seat = scene.table, scene.seat
        if seat is None or not t.dogs:
            return NOTHING
        things = ", ".join(_load(scene, seat))
        carried = f"{_('carries')} {things}" if things else _("carries nothing")
        bones = _("bones buried: {count} of {goal}").format(count=t.buried[seat], goal=t.goal)
        if not t.goal:
            bones = _("bones buried: {count}").format(count=t.buried[seat])
        rest = _("bladder {bladder}, reserve {reserve}")
        told = rest.format(bladder=t.bladder[seat], reserve=t.reserve[seat])
        return el(
            "div",
            _portrait(t.dogs[seat]),
            el("div", el("b", carried), el("span", told, class_="dim")),
            el("div", el("b", bones), _food(t, seat)),
            class_="mine-row carried",
        )

    def option(self, scene: Scene, option: Option) -> Markup:
        """Return the option's wording."""
        return joined([word(option.label, scene.names)])

    breakdown = staticmethod(breakdown)
    standing = staticmethod(standing)


BOARD: Final = DogsLifeBoard()


# -- what lies and who stands there ---------------------------------------------------------------


def _ground(scene: Scene) -> Iterator[Markup]:
    """Yield what lies in the town: markers of bins, piddles, bones, newspapers."""
    t: DogsLifeTable = scene.table
    for place in range(TOWN.size):
        x, y = middle(place)
        bin_ = TOWN.bin_at[place]
        if bin_ >= 0 and t.searched >> bin_ & 1:
            yield el("path", d=f"M{x - 7} {y - 10}l14 14m0-14l-14 14", class_="searched")
        if (owner := t.marks[place]) >= 0:
            hue = t.dogs[owner] if t.dogs else 0
            yield _thing(PIDDLE, x - 9, y + 7, f"piddle d{hue}", f"p{place}")
        if t.lying[place]:
            yield _thing(BONE, x + 9, y + 8, "bone", f"b{place}")
            if t.lying[place] > 1:
                yield el("text", t.lying[place], x=x + 14, y=y + 4, class_="lots")
        if place in t.dropped:
            yield _thing(PAPER, x + 8, y - 8, "news", f"n{place}")


def _thing(shape: str, x: int, y: int, kind: str, key: str) -> Markup:
    return el("path", d=shape, transform=f"translate({x} {y})", class_=kind, data_key=key)


def _movers(scene: Scene) -> Iterator[Markup]:
    """Yield the van and the dogs."""
    t: DogsLifeTable = scene.table
    x, y = middle(t.van)
    side = TOWN.sides[t.van].index(t.came) if t.came in TOWN.sides[t.van] else 3
    turned = (side + 3) % 6 * 60
    van = joined(
        [
            el("path", d="M-10-11h6v22h-6zM4-11h6v22h-6z", class_="ink"),
            el("rect", x=-15, y=-9, width=30, height=18, rx=4, class_="body"),
            el("path", d="M5-7H11L13-4V4L11 7H5z", class_="glass"),
            el("path", d="M-12-6V6M-9-6V6M-6-6V6M-3-6V6M0-6V6", class_="bars"),
            el("title", _("the van")),
        ]
    )
    where = f"translate({x} {y}) rotate({turned})"
    yield el("g", van, transform=where, class_="van", data_key="van", data_move=True)
    for seat in range(t.seats if t.dogs else 0):
        if t.place[seat] != NOWHERE:
            yield _dog(scene, seat)


def _dog(scene: Scene, seat: int) -> Markup:
    t: DogsLifeTable = scene.table
    x, y = middle(t.place[seat])
    others = [each for each in range(seat) if t.place[each] == t.place[seat]]
    away = 9 * len(others)
    name = f"{scene.names[seat]}: {dog_name(t.dogs[seat])}"
    first = scene.names[seat].partition(" ")[0]
    label = el("text", first if len(first) <= 8 else f"{first[:7]}…", y=16, class_="owner")
    inside = joined([el("title", name), _head(t.dogs[seat]), label])
    turn = some(seat == t.active, "active") + some(seat == scene.seat, "mine")
    where = f"translate({x + away} {y - 2 + away})"
    return el(
        "g", inside, transform=where, class_=f"dog{turn}", data_key=f"dog.{seat}", data_move=True
    )


@cache
def _head(dog: int) -> Markup:
    """Return the head of a dog."""
    return el(
        "g",
        el("circle", r=10, class_="fur"),
        el("path", d=COATS[dog], class_="coat"),
        el("path", d=EARS[dog], class_="ear"),
        el("ellipse", cy=4, rx=5, ry=4, class_="snout"),
        el("path", d="M-2 2H2L0 4.5z", class_="ink"),
        el("circle", cx=-4, cy=-2, r=1.5, class_="ink"),
        el("circle", cx=4, cy=-2, r=1.5, class_="ink"),
        class_=f"d{dog}",
    )


def _portrait(dog: int) -> Markup:
    name = dog_name(dog)
    return el(
        "svg", _head(dog), viewBox="-15 -16 30 30", class_="portrait", role="img", aria_label=name
    )


# -- where one may tap ----------------------------------------------------------------------------


def _spots(scene: Scene, taps: Taps) -> Iterator[Markup]:
    """Yield the places and dogs that options are about; of several the first, all are listed."""
    for place, (option, *more) in _aims(scene, taps).items():
        assert taps.decision is not None
        taps.placed.update(more)
        x, y = middle(place)
        name = word(taps.decision.options[option].label, scene.names)
        shape = joined([el("title", name), el("use", href="#hex", x=x, y=y)])
        yield taps.spot(option, shape)


def _aims(scene: Scene, taps: Taps) -> dict[int, list[int]]:
    """Return the options that the map shows, by place."""
    t: DogsLifeTable = scene.table
    found: dict[int, list[int]] = {}
    for number, option in enumerate(taps.decision.options if taps.decision is not None else ()):
        values = option.label.values
        match option.label.id:
            case "do-move" | "drive-to":
                found.setdefault(values["place"], []).append(number)
            case "do-attack":
                found.setdefault(t.place[values["seat"]], []).append(number)
    return found


def _near(scene: Scene, taps: Taps) -> str:
    """Return the part of the map that a phone shows: around what can be tapped, else one's dog."""
    t: DogsLifeTable = scene.table
    seat = scene.seat if scene.seat is not None else t.active
    own = t.place[seat] if seat >= 0 and t.place[seat] != NOWHERE else t.van
    found = [middle(each) for each in _aims(scene, taps)] or [middle(own)]
    broad, high = size()
    left, right = min(x for x, _y in found), max(x for x, _y in found)
    top, bottom = min(y for _x, y in found), max(y for _x, y in found)
    wide = min(broad, max(2 * NEAR, right - left + 40))
    tall = min(high, max(2 * NEAR, bottom - top + 40))
    x = max(0, min(broad - wide, (left + right - wide) // 2))
    y = max(0, min(high - tall, (top + bottom - tall) // 2))
    return f"{x} {y} {wide} {tall}"


# -- the dogs -------------------------------------------------------------------------------------


def _dog_row(scene: Scene, seat: int) -> Markup:
    t: DogsLifeTable = scene.table
    if not t.dogs:
        return el("li", el("header", seat_name(scene, seat)), class_="seat")
    breed = el("span", _(DOGS[t.dogs[seat]]), class_="breed")
    dog = joined([_portrait(t.dogs[seat]), seat_name(scene, seat), breed])
    goods: list[Kid] = [
        _food(t, seat),
        _amount(BONE, t.bones[seat], _("bones"), "bone", f"%.{seat}"),
    ]
    goods.append(_amount(PAPER, len(t.papers[seat]), _("papers"), "news", f'".{seat}'))
    goods.append(_amount(PIDDLE, t.bladder[seat], _("bladder"), f"piddle d{t.dogs[seat]}"))
    if t.pound[seat]:
        goods.append(el("b", f"{_('dog pound')} {t.pound[seat]}", class_="badge"))
    number = el("output", t.buried[seat], data_has=f"#.{seat}")
    goal = el("small", f"/{t.goal}") if t.goal else None
    total = el("span", number, goal, class_="total", title=_("Bones buried"))
    waits = some(seat == t.active, "active") + some(seat == scene.seat, "mine")
    inside = joined([el("header", dog), el("p", *goods, class_="goods"), total])
    return el("li", inside, class_=f"seat{waits}", data_key=f"seat.{seat}")


def _amount(shape: str, count: int, label: str, kind: str, has: str | None = None) -> Markup:
    picture = el("svg", el("path", d=shape, class_=kind), viewBox="-9 -9 18 18", aria_hidden="true")
    return amount(picture, count, label, has=has)


def _food(t: DogsLifeTable, seat: int) -> Markup:
    left = t.hunger[seat]
    text = _("food {food} of {most}").format(food=left, most=MOST_HUNGER)
    bars = [el("i", class_="full" if n < left else None) for n in range(MOST_HUNGER)]
    kind = f"meter{some(left < 2, 'low')}"
    return el("span", *bars, class_=kind, role="img", aria_label=text, title=text)


def _load(scene: Scene, seat: int) -> Sequence[str]:
    """Return what a dog carries, in words."""
    t: DogsLifeTable = scene.table
    things = [_("a bone")] * t.bones[seat]
    for card in t.papers[seat]:
        face = scene.face(card)
        told = _("newspaper for {place}")
        things.append(
            _("newspaper") if face is None else told.format(place=place_name(TOWN.addresses[face]))
        )
    return things
