"""The table of A Dog's Life: the town as a map, the dogs beside it, what one carries below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from lanplay.engine.question import Answer, Option, Question
from lanplay.engine.view import View
from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP
from lanplay.games.dogs_life.summary import goes_on
from lanplay.games.dogs_life.table import LOAD, MOST_HUNGER, DogsLifeTable
from lanplay.games.dogs_life.text import DOGS, NOUNS, address_name, dog_name, place_name, word
from lanplay.games.dogs_life.town import TOWN
from lanplay.language import _, filled
from lanplay.tui.cells import EMPTY, Line, Size, Span, beside, clip, line, width, wrap
from lanplay.tui.drawing import gained, grid, seat_name, turn
from lanplay.tui.games import Touch
from lanplay.tui.games import dogs_life_keys as keys
from lanplay.tui.games.dogs_life_blocks import MAP_ROWS
from lanplay.tui.games.dogs_life_map import (
    BONE,
    BROAD,
    BROAD_COLUMNS,
    DOG,
    FEATURES,
    HOUSE,
    LARGE,
    LARGE_COLUMNS,
    LARGE_ROWS,
    MAP_COLUMNS,
    PAPER,
    PIDDLE,
    SEARCHED,
    dog_span,
    large_town,
    town,
)
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.games.dogs_life import breakdown, standing
from lanplay.ui.scene import Scene

WORDY: Final = 3
"""Lines of a dog that is told of in words."""
DOGS_COLUMNS: Final = 26
"""Columns that the dogs need beside a large map."""
LEAST_NAME, BESIDE_NAME = 8, 9
"""Cells in the table of all dogs: of a name at least, and of what stands before and after it."""
BROAD_ROWS: Final = LARGE_ROWS + 8
"""Rows of a broad map, and of the table of all dogs below it."""


class DogsLifeScreen:
    """See ``lanplay.tui.games.GameScreen`` and ``Mapped``."""

    def board(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the town, around the person's dog where it does not fit, beside the dogs."""
        pointed = keys.lit(scene)
        broad = size.rows >= BROAD_ROWS and size.columns >= BROAD_COLUMNS
        large = size.rows >= LARGE_ROWS and size.columns >= LARGE_COLUMNS + DOGS_COLUMNS
        if broad or large:
            streets = large_town(scene, pointed, BROAD if broad else LARGE, glyphs)
        else:
            streets = town(scene, pointed, min(size.rows, MAP_ROWS), glyphs)
        out: Sequence[Line] = streets
        if not broad:  # there a table of all dogs is below
            left = LARGE_COLUMNS if large else MAP_COLUMNS
            right = size.columns - left - 1
            dogs = _dogs(scene, right, len(streets), glyphs)
            aside = [clip(each, right, glyphs.more) for each in dogs]
            out = beside(streets, aside[: len(streets)], left, line(" "))
        spare = size.rows - len(out) - 1
        if spare >= scene.table.seats + 1:
            out = [*out, EMPTY, *_sheet(scene, size.columns, glyphs)]
        spare = size.rows - len(out) - 1
        legend = wrap(_legend(glyphs), size.columns, 1)
        return [*out, EMPTY, *legend] if spare >= len(legend) else out

    def own(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return what the person's dog carries, and how hungry it is."""
        t, seat = scene.table, scene.seat
        if seat is None or not t.dogs:
            return ()
        bones = _("bones buried: {count} of {goal}").format(count=t.buried[seat], goal=t.goal)
        if not t.goal:
            bones = _("bones buried: {count}").format(count=t.buried[seat])
        left = line(" ", dog_span(t, seat), ("you", f" {dog_name(t.dogs[seat])}"), "  ")
        left += _hunger(t, seat) + line("  ", ("gold", bones))
        rest = _("bladder {bladder}, reserve {reserve}").format(
            bladder=t.bladder[seat], reserve=t.reserve[seat]
        )
        load = (*line(" ", *_load(scene, seat)), Span("dim", "  " + rest))
        if size.rows > 1:
            return [clip(left, size.columns), clip(load, size.columns)]
        short = (*left[:1], dog_span(t, seat), Span("text", "  "), *_hunger(t, seat), *line("  "))
        brief = line(" ", *_load(scene, seat, brief=True))
        fitting = [
            each for each in (load, brief + load[-1:]) if width(short + each) <= size.columns
        ]
        return [clip(short + [*fitting, brief][0], size.columns, glyphs.more)]

    def option(self, scene: Scene, option: Option, glyphs: Glyphs) -> Line:
        """Return the option's wording."""
        return (Span("text", word(option.label, scene.names)),)

    def rolls(self, question: Question) -> bool:
        """Tell that no dice are shown: the van's is said in its question."""
        return False

    def signs(self, glyphs: Glyphs) -> Sequence[tuple[str, str]]:
        """Return the signs of the map, and those of the dogs."""
        return (*_signs(glyphs), *_dog_signs())

    breakdown = staticmethod(breakdown)
    standing = staticmethod(standing)

    def keyed(self, scene: Scene, key: str) -> Touch | None:
        """Return what a key means on the map."""
        return keys.keyed(scene, key)

    def panel(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return what is pointed at, and the keys."""
        return keys.panel(scene, size, glyphs)

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys of the map."""
        return (
            (
                _("arrows, Enter"),
                _("point at a place; go there by the shortest way that avoids markers"),
            ),
            ("Tab", _("point at the next thing in reach, the nearest first")),
            ("/", _("point at a place by its name on the map: G6, 7, k")),
            ("1 2 3", _("do what is listed under that number; press it again where it says so")),
            (_("Enter or Space"), _("where the dog is: do what the place is for")),
        )

    def goes_on(self, view: View[Any], question: Question, answer: Answer) -> bool:
        """Tell whether a walk goes on."""
        return goes_on(view.table, question, answer)


SCREEN = DogsLifeScreen()


def _signs(glyphs: Glyphs) -> tuple[tuple[str, str], ...]:
    """Return the signs of the map."""
    return (
        (f"{DOG}1", _("dog of player 1")),
        ("=>", _("van and its heading")),
        (FEATURES[BIN], _("bin")),
        (SEARCHED, _("bin, searched")),
        (FEATURES[LAMP], _("lamp post")),
        (f"{PIDDLE}1", _("marker of player 1")),
        (FEATURES[FOUNTAIN], _("fountain")),
        (BONE, _("bone")),
        (PAPER, _("newspaper")),
        ("< > / \\", _("entrance of the building on that side")),
        ("[A1]", _("den of player 1")),
        ("[K]", _("newspaper kiosk")),
        ("[P]", _("dog pound")),
        ("[1]..[12]", _("delivery addresses")),
        ("[a]..[k]", _("restaurants")),
        (HOUSE[glyphs.unicode] * 2, _("a house that nobody can enter")),
    )


def _dog_signs() -> tuple[tuple[str, str], ...]:
    return (
        ("F3", _("food: 4 is full, 0 starving")),
        ("#2", _("bones buried")),
        (f"{BONE}{PAPER}5", _("carries a bone and newspaper 5")),
        (f"{PIDDLE}2", _("markers in the bladder")),
        ("P2", _("in the pound, in its second cell")),
    )


def _legend(glyphs: Glyphs) -> Line:
    spans: Line = (Span("text", " "),)
    for sign, meaning in _signs(glyphs):
        spans += line(("key", sign), ("dim", f" {meaning}  "))
    return spans


# -- dogs ----------------------------------------------------------------------------------------


def _dogs(scene: Scene, columns: int, rows: int, glyphs: Glyphs) -> Iterator[Line]:
    """Yield how each dog stands, below whose it is: in words where there are lines for them."""
    t: DogsLifeTable = scene.table
    for seat in range(t.seats):
        name = seat_name(scene, seat, columns - 5, glyphs)
        yield (*turn(scene, seat, glyphs), dog_span(t, seat), Span("text", " "), *name)
        if rows < WORDY * t.seats:
            yield (Span("text", "  "), *_short(scene, seat), *gained(scene, seat))
            continue
        food = _("food {food}").format(food=t.hunger[seat])
        bones = _("bones {bones}").format(bones=t.buried[seat])
        yield line("  ", ("bad" if t.hunger[seat] < 2 else "text", food), " ", ("gold", bones))
        yield (Span("text", "  "), *_carried(scene, seat), *gained(scene, seat))


def _short(scene: Scene, seat: int) -> Line:
    t: DogsLifeTable = scene.table
    food = Span("bad" if t.hunger[seat] < 2 else "text", f"F{t.hunger[seat]} ")
    spans: Line = (food, Span("gold", f"#{t.buried[seat]} "))
    return spans + _carried(scene, seat)


def _carried(scene: Scene, seat: int) -> Line:
    """Return in which cell of the pound a dog is, what it carries, and its bladder."""
    t: DogsLifeTable = scene.table
    spans: Line = line(("bad", f"P{t.pound[seat]} ")) if t.pound[seat] else ()
    bones = BONE * t.bones[seat]
    papers = "".join(PAPER + _number(scene, card, "") for card in t.papers[seat])
    spans += line(("badge", f"{bones}{papers}".ljust(LOAD)), (dog_span(t, seat).role, ""))
    return spans + line(("dim", f" {PIDDLE}{t.bladder[seat]}"))


def _number(scene: Scene, card: int, unknown: str) -> str:
    face = scene.face(card)
    return unknown if face is None else address_name(face)


def _hunger(t: DogsLifeTable, seat: int) -> Line:
    left = t.hunger[seat]
    text = _("food {food} of {most}").format(food=left, most=MOST_HUNGER)
    return line(("bad" if left < 2 else "text", text))


def _load(scene: Scene, seat: int, brief: bool = False) -> Line:
    """Return what a dog carries in words: where a newspaper belongs, and how far that is."""
    t: DogsLifeTable = scene.table
    had = t.bones[seat]
    things = [filled("{count:bones}", {"count": had}, NOUNS)] if had > 1 else [_("a bone")] * had
    for card in t.papers[seat]:
        face = scene.face(card)
        place = TOWN.addresses[face] if face is not None else None
        things.append(_("newspaper") if place is None else _paper(t, seat, place, brief))
    if not things:
        return line(("dim", _("carries nothing")))
    return line(("dim", _("carries") + " "), ("card", ", ".join(things)))


def _paper(t: DogsLifeTable, seat: int, place: int, brief: bool) -> str:
    name = place_name(place)
    text = PAPER + name if brief else _("newspaper for {place}").format(place=name)
    if brief or t.place[seat] < 0:
        return text
    far = TOWN.distances(t.dens[seat], t.place[seat])[place]
    return text + " " + _("(moves: {moves})").format(moves=far)


def _sheet(scene: Scene, columns: int, glyphs: Glyphs) -> list[Line]:
    """Return a table of all dogs, in words; where it is narrow dogs go without their names."""
    t: DogsLifeTable = scene.table
    heads = (
        "",
        _("points"),
        _("food"),
        _("buried"),
        _("bones"),
        _("papers"),
        _("bladder"),
        _("reserve"),
        _("cards"),
    )
    rows: list[list[Line]] = [[line(("dim", text)) for text in heads]]
    if not t.dogs:
        return []
    breeds = [line(_(DOGS[each])) for each in t.dogs]
    room = columns - width(grid(rows)[0]) - BESIDE_NAME
    if room - max(map(width, breeds)) < LEAST_NAME:
        breeds = [EMPTY for _breed in breeds]
    room = min(DOGS_COLUMNS, room - max(map(width, breeds)))
    for seat, breed in enumerate(breeds):
        values = (
            t.dog(seat).points,
            t.hunger[seat],
            t.buried[seat],
            t.bones[seat],
            len(t.papers[seat]),
            t.bladder[seat],
            t.reserve[seat],
            len(t.decks[seat]),
        )
        name = (*turn(scene, seat, glyphs), dog_span(t, seat), Span("text", " "))
        name += seat_name(scene, seat, room, glyphs) + breed
        rows.append([(*name, *gained(scene, seat)), *(line(str(value)) for value in values)])
    return [clip(each, columns) for each in grid(rows)]
