"""A seat's view in a few lines of text, for interfaces without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lanplay.engine.question import Answer, Phrase, Question
from lanplay.engine.view import View
from lanplay.games.dogs_life.actions import MOVE, action
from lanplay.games.dogs_life.dogs import BONE, SHUFFLE
from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP
from lanplay.games.dogs_life.questions import Act, Steer
from lanplay.games.dogs_life.reach import reach
from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.text import DOGS, address_name, place_name, words_of_places
from lanplay.games.dogs_life.town import TOWN
from lanplay.games.wording import LookupPage, Title
from lanplay.language import N_, _


def situation(view: View[DogsLifeTable], names: Sequence[str]) -> Iterator[str]:
    """Yield the dogs, the van, what lies about, and the seat's own newspapers."""
    t = view.table
    yield _("Round {number}. The van stands on {place}, coming from {came}.").format(
        number=t.round, place=place_name(t.van), came=place_name(t.came)
    )
    broad = max(map(len, names))
    for seat in range(t.seats):
        yield f"  {names[seat]:<{broad}} {_dog(t, seat)}"
    yield from _lying(t)
    numbers = [view.face(card) for card in t.papers[view.seat]]
    known = [address_name(number) for number in numbers if number is not None]
    if known:
        yield _("Your newspapers go to: {addresses}.").format(addresses=", ".join(known))


def _dog(t: DogsLifeTable, seat: int) -> str:
    if not t.dogs:
        return "-"
    text = _("{dog} at {place}: food {food}, buried {buried}, bones {bones}, papers {papers}")
    where = t.place[seat]
    return text.format(
        dog=_(DOGS[t.dogs[seat]]),
        place=_("pound {cell}").format(cell=t.pound[seat]) if where < 0 else place_name(where),
        food=t.hunger[seat],
        buried=t.buried[seat],
        bones=t.bones[seat],
        papers=len(t.papers[seat]),
    )


def _lying(t: DogsLifeTable) -> Iterator[str]:
    places = {
        _("Bones on the ground: {places}."): [
            place for place, bones in enumerate(t.lying) if bones
        ],
        _("Newspapers on the ground: {places}."): sorted(t.dropped),
        _("Markers: {places}."): [place for place, seat in enumerate(t.marks) if seat >= 0],
        _("Bins not searched: {places}."): [
            place for place in TOWN.bins if not t.searched >> TOWN.bin_at[place] & 1
        ],
    }
    for text, found in places.items():
        if found:
            yield text.format(places=words_of_places(found))


DECIDES: Final = {"buries": 10.0, "gets-bone": 4.0, "beaten": -3.0, "caught": -3.0}
"""How much an event has decided; a bone counts when it is buried."""
BROUGHT_BY: Final = {"gets-bone": ("searches", "begs", "delivers"), "beaten": ("fights",)}
TITLES: Final = (
    Title(N_("The busiest newspaper dog"), "delivers"),
    Title(N_("The keenest nose at bins"), "searches"),
    Title(N_("The most faithful guest of the pound"), "caught"),
)
DELIVERED: Final = 1.0


def weight(event: Phrase) -> float:
    """Return how much an event has decided."""
    if event.id == "delivers":
        return DELIVERED
    return DECIDES.get(event.id, 0.0)


# -- what can be looked up -------------------------------------------------------------------------


def town_map(view: View[DogsLifeTable], names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield the town line by line, from the left: spaces with what is there, and buildings."""
    cells = {cell: place for place in range(TOWN.size) for cell in TOWN.cells(place)}
    for y in range(1 + max(line for _column, line in cells)):
        row = [cells[cell] for cell in sorted(cells) if cell[1] == y]
        yield ", ".join(_at(view.table, names, place) for place in dict.fromkeys(row)) + "."


def _at(t: DogsLifeTable, names: Sequence[str], place: int) -> str:
    """Return a place with what is there, in words."""
    told = [_(FEATURES[TOWN.feature[place]])] if TOWN.feature[place] else []
    if TOWN.feature[place] == BIN and t.searched >> TOWN.bin_at[place] & 1:
        told = [_("bin, searched")]
    if place in TOWN.streets and (door := TOWN.spaces[place].door):
        told.append(_("entrance: {place}").format(place=place_name(TOWN.place(door))))
    told += [names[seat] for seat, where in enumerate(t.place) if where == place]
    told += [_("the van")] * (t.van == place)
    told += [_("bones: {count}").format(count=t.lying[place])] * bool(t.lying[place])
    return f"{place_name(place)} {', '.join(told)}".strip()


def named(text: str) -> int | None:
    """Return the place that a text names: as on the map, or how its name begins; if it is one."""
    keys = {TOWN.key(place): place for place in range(TOWN.size)}
    if text in keys or text.upper() in keys:
        return keys.get(text, keys.get(text.upper()))
    names = {place: place_name(place).casefold() for place in range(TOWN.size)}
    found = [place for place, name in names.items() if name.startswith(text.casefold())]
    return found[0] if len(found) == 1 else None


def unknown() -> str:
    """Return what is said where a name is that of no place, or of several."""
    return _("No place has that name, or more than one has: type what the map shows, such as G6.")


def out_of_reach(t: DogsLifeTable, seat: int, place: int) -> str:
    """Return why a dog cannot go to a place in this turn."""
    far = TOWN.distances(t.dens[seat], t.place[seat])[place]
    if far < 0:
        return _("Your dog may not go there.")
    if place == t.van or place in t.place:
        return _("Taken: you can pass through, but not stay.")
    return _("Out of reach now: {moves} moves away.").format(moves=far)


def led(view: View[DogsLifeTable], question: Question, text: str) -> tuple[Answer, ...]:
    """Return the answers, one after the other, that lead dog or van to the place of that name.

    ``ValueError`` says why none do.
    """
    t, seat, place = view.table, view.seat, named(text)
    if place is None:
        raise ValueError(unknown())
    if isinstance(question, Steer):
        ways = [path for path in question.drives() if path[-1] == place]
        if not ways:
            raise ValueError(_("The van cannot get there."))
        return (ways[0],)
    way = reach(t, seat, question.points).get(place) if isinstance(question, Act) else None
    if way is None:
        raise ValueError(out_of_reach(t, seat, place))
    return tuple([action(MOVE, each) for each in way])


def goes_on(t: DogsLifeTable, question: Question, answer: object) -> bool:
    """Tell whether a walk goes on: it stops where newspapers have come into sight (DL-3.2 d)."""
    if not isinstance(question, Act) or answer not in question.options:
        return False
    return t.place[t.active] not in t.dropped


def near(view: View[DogsLifeTable], names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield what is in reach of a dog with all its points, the nearest first, and its cost."""
    t = view.table
    if not t.dogs or t.place[seat] < 0:
        yield _("Your dog may not go there.")
        return
    points = t.points if seat == t.active else t.dog(seat).points
    for place, way in reach(t, seat, points).items():
        if place not in TOWN.streets or TOWN.feature[place] or t.lying[place]:
            yield _("{place}, action points: {points}").format(
                place=_at(t, names, place), points=len(way)
            )


def dog(view: View[DogsLifeTable], names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield all that is known of a dog."""
    t = view.table
    yield f"{names[seat]}: {_dog(t, seat)}"
    if t.dogs:
        yield _("bladder {bladder}, reserve {reserve}").format(
            bladder=t.bladder[seat], reserve=t.reserve[seat]
        )


def chances(view: View[DogsLifeTable], names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield how many of the cards that a dog has left bring a bone, by what it does (DL-3.5)."""
    t = view.table
    if not t.dogs:
        return
    left = [card for card in t.decks[seat] if card != SHUFFLE]
    for name, told in CHANCES.items():
        prizes = t.dog(seat).field(name)
        count = [prizes[card] for card in left].count(BONE)
        odds = _("bone: {bones} of {cards} cards").format(bones=count, cards=len(left))
        yield f"{_(told)}: {odds}"


FEATURES: Final = {BIN: N_("bin"), LAMP: N_("lamp post"), FOUNTAIN: N_("fountain")}
CHANCES: Final = {
    "trash": N_("searching a bin"),
    "restaurant": N_("begging"),
    "newspaper": N_("delivering"),
}
PAGES: Final = (
    LookupPage("map", N_("the town, line by line"), town_map),
    LookupPage(
        "near",
        N_("what your dog can reach, the nearest first, and what it costs; to PLACE goes there"),
        near,
    ),
    LookupPage("sheet", N_("how a dog is doing; sheet NAME for another's"), dog, of_seat=True),
    LookupPage(
        "chances", N_("how likely a bone is; chances NAME for another's"), chances, of_seat=True
    ),
)
