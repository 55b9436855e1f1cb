"""Keys on the map of A Dog's Life: a cursor, steps, actions, the van; what the panel says of them.

The way to what is pointed at is found for the person (see ``reach``): others' piddles are avoided
unless one of them is pointed at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lanplay.engine.question import Question
from lanplay.games.dogs_life.actions import (
    ATTACK,
    BEG,
    BURY,
    DELIVER,
    DRINK,
    DROP_BONE,
    DROP_PAPER,
    MOVE,
    PICK_BONE,
    PICK_PAPER,
    PIDDLE,
    SEARCH,
    STEP,
    STOP,
    TAKE,
    action,
    parts,
)
from lanplay.games.dogs_life.dogs import BONE, SHUFFLE
from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP
from lanplay.games.dogs_life.questions import Act, Steer
from lanplay.games.dogs_life.reach import reach, sniffs
from lanplay.games.dogs_life.summary import named, out_of_reach, unknown
from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.text import place_name, word
from lanplay.games.dogs_life.town import NOWHERE, TOWN, Path
from lanplay.language import _
from lanplay.tui.cells import Line, Size, Span, line, wrap
from lanplay.tui.drawing import Hint, key_rows
from lanplay.tui.games import Touch
from lanplay.tui.games.dogs_life_blocks import Spot, moved, nearest, spot_of
from lanplay.tui.games.dogs_life_map import Lit
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.scene import Scene

ARROWS: Final = ("up", "down", "left", "right")
NUMBERS: Final = "1234567890"
"""The keys of what can be done, in the order in which it is listed: as in every list."""
TAKEN: Final = (" ", "backspace", "tab", "s-tab", "enter", *NUMBERS)
"""Keys that mean nothing else while a question is answered on the map."""
ORDER: Final = (
    SEARCH,
    BURY,
    BEG,
    DRINK,
    PIDDLE,
    TAKE,
    DELIVER,
    PICK_BONE,
    PICK_PAPER,
    ATTACK,
    STOP,
    DROP_BONE,
    DROP_PAPER,
)
"""Actions in the order in which they are listed: what the place is for comes first."""
PURPOSES: Final = ORDER[: ORDER.index(PICK_BONE)]
"""What Enter does where the dog is."""
FIELDS: Final = {SEARCH: "trash", BEG: "restaurant", DELIVER: "newspaper"}
"""Actions that draw a card, and the field of it that counts."""


def lit(scene: Scene) -> Lit:
    """Return what the map points out at the question that the person is asked."""
    question = _question(scene)
    seat = scene.seat
    if seat is None or question is None:
        return Lit()
    t: DogsLifeTable = scene.table
    if isinstance(question, Act):
        found = reach(t, seat, question.points)
        at = pointed(scene)
        costs = {place: len(way) for place, way in found.items()}
        return Lit(costs, at, found.get(at, ()))
    if isinstance(question, Steer):
        path = scene.pointer
        return Lit(_ends(question), path[-1] if path else NOWHERE, path)
    return Lit()


def _question(scene: Scene) -> Question | None:
    return scene.decision.question if scene.decision is not None else None


def pointed(scene: Scene) -> int:
    """Return the place that is pointed at: at first, that of one's own dog."""
    if scene.pointer:
        return scene.pointer[0]
    t: DogsLifeTable = scene.table
    return t.place[scene.seat or 0]


def _spot(scene: Scene) -> Spot:
    """Return what is pointed at, with the column and line in which arrows have come there."""
    return Spot(*scene.pointer) if len(scene.pointer) > 1 else spot_of(pointed(scene))


def keyed(scene: Scene, key: str) -> Touch | None:
    """See ``lanplay.tui.games.Mapped``."""
    question = _question(scene)
    if isinstance(question, Act):
        return _act(scene, question, key)
    return _steer(scene, question, key) if isinstance(question, Steer) else None


# -- actions -----------------------------------------------------------------------------------


def listed(scene: Scene, question: Act) -> list[int]:
    """Return what can be done beside moving, in the order in which it is listed."""
    assert scene.view is not None
    legal = [code for code in question.legal(scene.view) if code // STEP != MOVE]
    return sorted(legal, key=lambda code: (ORDER.index(code // STEP), code))


def _act(scene: Scene, question: Act, key: str) -> Touch | None:
    t: DogsLifeTable = scene.table
    at = pointed(scene)
    if key in ARROWS:
        before = _spot(scene)
        after = moved(before, key)
        return Touch((*after,), note=_("The town ends there.") if after == before else "")
    if key.startswith("find "):
        place = named(key.removeprefix("find "))
        return Touch(scene.pointer, note=unknown()) if place is None else Touch((place,))
    if key in ("tab", "s-tab"):
        return _next_thing(scene, question, 1 if key == "tab" else -1)
    if key in NUMBERS:
        return _do(scene, question, NUMBERS.index(key))
    if key.startswith("act "):
        return _do(scene, question, int(key.removeprefix("act ")))
    if key.startswith("place "):
        place = int(key.removeprefix("place "))
        return _go(scene, question, place) if place == at else Touch((place,))
    if key == "enter" and at != t.place[scene.seat or 0]:
        return _go(scene, question, at)
    if key in ("enter", " "):
        purposes = [code for code in listed(scene, question)[:1] if code // STEP in PURPOSES]
        return _do(scene, question, 0) if purposes else _nothing_here(scene)
    if key == "escape":
        return Touch(())
    return _nothing_here(scene) if key in TAKEN else None


def _do(scene: Scene, question: Act, number: int) -> Touch:
    """Do what is listed at a place of the list."""
    codes = listed(scene, question)
    if number >= len(codes):
        none = _("Nothing is listed under {number}.").format(number=NUMBERS[number])
        return Touch(scene.pointer, note=none)
    note = ""
    if codes[number] == STOP:
        note = _("Points not used are lost: {points}. Press the same key again to end the actions.")
    return Touch(scene.pointer, (codes[number],), note.format(points=question.points))


def _nothing_here(scene: Scene) -> Touch:
    note = _("Your dog is here: point at another place with the arrow keys, then press Enter.")
    return Touch(scene.pointer, note=note)


def _next_thing(scene: Scene, question: Act, by: int) -> Touch:
    """Point at the next place in reach where there is something, the nearest first."""
    t: DogsLifeTable = scene.table
    found = reach(t, scene.seat or 0, question.points)
    things = sorted((len(way), place) for place, way in found.items() if _has_something(t, place))
    places = [place for _cost, place in things]
    if not places:
        return Touch(scene.pointer, note=_("There is nothing in reach."))
    at = pointed(scene)
    turn = places.index(at) + by if at in places else min(by, 0)
    return Touch((places[turn % len(places)],))


def _has_something(t: DogsLifeTable, place: int) -> bool:
    """Tell whether a place is more than a space to pass."""
    searched = TOWN.feature[place] == BIN and t.searched >> TOWN.bin_at[place] & 1
    there = place not in TOWN.streets or (TOWN.feature[place] and not searched)
    return bool(there or t.lying[place] or place in t.dropped)


def _go(scene: Scene, question: Act, place: int) -> Touch:
    """Go to a place by the shortest way, as far as the points reach."""
    t: DogsLifeTable = scene.table
    seat = scene.seat or 0
    if place == t.place[seat]:
        return _nothing_here(scene)
    way = reach(t, seat, question.points).get(place)
    if way is None:
        return Touch((place,), note=out_of_reach(t, seat, place))
    codes = tuple(action(MOVE, each) for each in way)
    return Touch((place,), codes, _warning(scene, place))


def _warning(scene: Scene, place: int) -> str:
    if not sniffs(scene.table, scene.seat or 0, place):
        return ""
    return _("Another dog's marker there ends your actions. Press the same key again to go there.")


# -- the van -----------------------------------------------------------------------------------


def _ends(question: Steer) -> dict[int, int]:
    """Return where the van can stop, and how many spaces away that is."""
    found: dict[int, int] = {}
    for path in question.drives():
        found.setdefault(path[-1], len(path))
    return found


def _ways(question: Steer, place: int) -> list[Path]:
    """Return the ways to a place, one for every space that it can be reached from."""
    return [path for path in question.drives() if path[-1] == place]


def _steer(scene: Scene, question: Steer, key: str) -> Touch | None:
    path = scene.pointer
    at = path[-1] if path else question.van
    if key in ARROWS:
        return _aim(question, path, nearest(at, key, _ends(question)))
    if key.startswith("find "):
        place = named(key.removeprefix("find "))
        return Touch(path, note=unknown()) if place is None else _aim(question, path, place)
    if key.startswith("place "):
        place = int(key.removeprefix("place "))
        return _drive(scene, path) if path and place == at else _aim(question, path, place)
    if key == "enter":
        return _drive(scene, path)
    if key in (" ", "tab") and path:
        ways = _ways(question, at)
        return Touch(ways[(ways.index(path) + 1) % len(ways)] if path in ways else ways[0])
    if key == "backspace" and path:
        return Touch(path[:-1])
    if key == "escape":
        return Touch(())
    return Touch(path, note=_lit_only()) if key in TAKEN else None


def _aim(question: Steer, path: Path, place: int) -> Touch:
    ways = _ways(question, place)
    return Touch(ways[0]) if ways else Touch(path, note=_lit_only())


def _lit_only() -> str:
    return _("Point at a lit space with the arrow keys, then press Enter.")


def _drive(scene: Scene, path: Path) -> Touch:
    if not path:
        return Touch((), note=_lit_only())
    t: DogsLifeTable = scene.table
    own = t.place[scene.seat or 0]
    note = ""
    if own == path[-1] or own in TOWN.beside[path[-1]]:
        note = _("That is beside your own dog. Press the same key again to drive there.")
    return Touch(path, (path,), note)


# -- the panel ---------------------------------------------------------------------------------


def panel(scene: Scene, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return what is said of the place pointed at, and the keys that do something there."""
    question = _question(scene)
    if isinstance(question, Act):
        said, hints = _of_place(scene), _hints(scene, question)
    elif isinstance(question, Steer):
        said, hints = _of_drive(scene, question), _steer_hints()
    else:
        return []
    rows = [(Span("text", " "), *row) for row in key_rows(hints, size.columns - 1)]
    room = max(1, size.rows - len(rows))
    return [*wrap((Span("text", " "), *said), size.columns, 1)[:room], *rows][: size.rows]


def _of_place(scene: Scene) -> Line:
    t: DogsLifeTable = scene.table
    seat, at = scene.seat or 0, pointed(scene)
    spans = line(("title", place_name(at)), f"  {', '.join(there(scene, at))}")
    if at == t.place[seat]:
        return spans
    cost = lit(scene).costs.get(at)
    if cost is None:
        return (*spans, Span("dim", "  " + out_of_reach(t, seat, at)))
    said = _("Enter goes there, action points: {points}").format(points=cost)
    return (*spans, Span("good", "  " + said))


def there(scene: Scene, place: int) -> Iterator[str]:
    """Yield in words what is at a place."""
    t: DogsLifeTable = scene.table
    names = {BIN: _("bin"), LAMP: _("lamp post"), FOUNTAIN: _("fountain")}
    feature = TOWN.feature[place]
    if feature == BIN and t.searched >> TOWN.bin_at[place] & 1:
        yield _("bin, searched")
    elif feature:
        yield names[feature]
    if place in TOWN.streets and (door := TOWN.spaces[place].door):
        yield _("entrance: {place}").format(place=place_name(TOWN.place(door)))
    if t.marks[place] >= 0:
        yield _("marker: {name}").format(name=scene.names[t.marks[place]])
    for seat, each in enumerate(t.place):
        if each == place:
            yield scene.names[seat]
    if t.van == place:
        yield _("the van")
    if t.lying[place]:
        yield _("bones: {count}").format(count=t.lying[place])
    if place in t.dropped:
        faces = [scene.face(card) for card in t.dropped[place]]
        known = " ".join("?" if face is None else str(face + 1) for face in faces)
        yield _("newspapers: {numbers}").format(numbers=known)


def _hints(scene: Scene, question: Act) -> list[Hint]:
    """Return what can be done here by its number, and the keys of the map."""
    codes = zip(NUMBERS, listed(scene, question), strict=False)
    hints = [(number, _label(scene, question, code)) for number, code in codes]
    keys = [(_("arrows"), _("point")), ("tab", _("next thing")), ("/", _("find"))]
    return [*hints, *keys, ("enter", _("go"))]


def _label(scene: Scene, question: Act, code: int) -> str:
    """Return an action in words; where it draws a card, with how many of those left bring a bone.

    Everybody can count them: all cards that were drawn lie open.
    """
    assert scene.view is not None
    text = word(question.option(code, scene.view).label, scene.names)
    kind, _what = parts(code)
    if kind not in FIELDS:
        return text
    t: DogsLifeTable = scene.table
    seat = scene.seat or 0
    prizes = t.dog(seat).field(FIELDS[kind])
    left = [prizes[card] for card in t.decks[seat] if card != SHUFFLE]
    odds = _("bone: {bones} of {cards} cards").format(bones=left.count(BONE), cards=len(left))
    return f"{text} ({odds})"


def _of_drive(scene: Scene, question: Steer) -> Line:
    path = scene.pointer
    if not path:
        return line(("dim", _("Point at one of the lit spaces: the number says how far it is.")))
    t: DogsLifeTable = scene.table
    count = _("spaces: {count} of {die}").format(count=len(path), die=question.die)
    spans = line(("title", place_name(path[-1])), f"  {count}")
    on = [scene.names[seat] for seat, each in enumerate(t.place) if each == path[-1]]
    by = [scene.names[seat] for seat in t.order() if t.place[seat] in TOWN.beside[path[-1]]]
    if on:
        spans += line(("bad", "  " + _("catches: {names}").format(names=", ".join(on))))
    if by:
        spans += line(("bad", "  " + _("has to escape: {names}").format(names=", ".join(by))))
    return spans


def _steer_hints() -> list[Hint]:
    return [
        ("enter", _("drive")),
        (_("arrows"), _("point")),
        ("/", _("find")),
        ("space", _("another way there")),
        ("backspace", _("one space less")),
    ]
