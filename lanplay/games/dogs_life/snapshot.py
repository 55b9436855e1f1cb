"""A game continued anew from a round boundary: all stays but the faces of hidden newspapers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lanplay.engine.plain import Plain
from lanplay.engine.redeal import laid, redistribute, spare_faces, visible_faces
from lanplay.engine.requests import Rules
from lanplay.games.dogs_life.catching import CELLS, look
from lanplay.games.dogs_life.dogs import CARDS, DOGS, SHUFFLE
from lanplay.games.dogs_life.plan import LAMP
from lanplay.games.dogs_life.table import (
    BIN_MARKERS,
    BLADDER,
    BONES,
    LOAD,
    MOST_HUNGER,
    PIDDLES,
)
from lanplay.games.dogs_life.table import DogsLifeTable as Table
from lanplay.games.dogs_life.town import ADDRESSES, DENS, NOWHERE, TOWN

MOST_ROUNDS: Final = 1_000_000
PER_SEAT: Final = {
    "dogs": len(DOGS) - 1,
    "dens": DENS - 1,
    "pound": CELLS,
    "hunger": MOST_HUNGER,
    "buried": BONES,
    "bones": LOAD,
    "bladder": BLADDER,
}
"""Numbers of which every seat has one, with the most that each can be."""
KEYS: Final = (
    "round",
    "first",
    *PER_SEAT,
    "place",
    "decks",
    "marks",
    "lying",
    "papers",
    "searched",
    "van",
)


def snapshot(t: Table) -> dict[str, Plain]:
    """Return what a new game can start from (see ``Game.snapshot``)."""
    data: dict[str, Plain] = {"round": t.round, "first": t.first}
    data |= {name: tuple(getattr(t, name)) for name in PER_SEAT}
    data["place"] = tuple(t.place)
    data["decks"] = tuple(t.decks)
    data["marks"] = tuple([(place, seat) for place, seat in enumerate(t.marks) if seat >= 0])
    data["lying"] = tuple([(place, bones) for place, bones in enumerate(t.lying) if bones])
    dropped = tuple(
        [(place, visible_faces(t, cards)) for place, cards in sorted(t.dropped.items())]
    )
    data["papers"] = (
        visible_faces(t, t.stack),
        tuple([visible_faces(t, p) for p in t.papers]),
        dropped,
    )
    data["searched"] = t.searched
    data["van"] = (t.van, t.came)
    return data


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table as ``snapshot`` says; ``ValueError`` names what cannot be."""
    if type(data) is not dict or tuple(data) != KEYS:
        raise ValueError(f"a snapshot of A Dog's Life has {', '.join(KEYS)}, in this order")
    t.round = _number(data["round"], MOST_ROUNDS)
    t.first = _number(data["first"], t.seats - 1)
    for name, most in PER_SEAT.items():
        numbers = [_number(each, most) for each in _tuple(data[name], t.seats)]
        setattr(t, name, tuple(numbers) if name in ("dogs", "dens") else numbers)
    if len(set(t.dogs)) != t.seats or len(set(t.dens)) != t.seats:
        raise ValueError("a dog or a den is there twice")
    if t.goal and max(t.buried) >= t.goal:
        raise ValueError("the game is over")
    t.decks = [_deck(each) for each in _tuple(data["decks"], t.seats)]
    t.searched = _number(data["searched"], (1 << len(TOWN.bins)) - 1)
    if t.searched.bit_count() >= BIN_MARKERS:
        raise ValueError("there are too few bin markers for that")
    _lay_van_and_dogs(t, data["van"], data["place"])
    _lay_marks(t, data["marks"])
    _lay_bones(t, data["lying"])
    _lay_papers(t, data["papers"])
    _check_pound(t)


def _lay_van_and_dogs(t: Table, van: Any, places: Any) -> None:
    t.van, t.came = [_number(each, TOWN.size) for each in _tuple(van, 2)]
    if (t.van, t.came) not in TOWN.ways:
        raise ValueError("the van cannot stand like that")
    t.place = [_number(each, TOWN.size - 1, NOWHERE) for each in _tuple(places, t.seats)]
    out = [place for place in t.place if place not in (NOWHERE, TOWN.pound)]
    if len(set(out)) != len(out) or t.van in out:
        raise ValueError("two dogs, or a dog and the van, are on one space")
    for seat, place in enumerate(t.place):
        if (place == NOWHERE) != bool(t.pound[seat]):
            raise ValueError("a dog is in the pound's cells or somewhere else")
        if place in TOWN.dens and place != t.home(seat):
            raise ValueError("a dog is in another's den")


def _lay_marks(t: Table, marks: Any) -> None:
    t.reserve = [PIDDLES - each for each in t.bladder]
    for place, seat in _pairs(marks):
        if TOWN.feature[place] != LAMP:
            raise ValueError("piddles are at lamp posts")
        t.marks[place] = _number(seat, t.seats - 1)
        t.reserve[t.marks[place]] -= 1
    if min(t.reserve) < 0:
        raise ValueError(f"a dog has more than {PIDDLES} piddle markers")


def _lay_bones(t: Table, lying: Any) -> None:
    for place, bones in _pairs(lying):
        t.lying[place] = _number(bones, BONES, 1)
    t.supply = BONES - sum(t.buried) - sum(t.bones) - sum(t.lying)
    if t.supply < 0:
        raise ValueError(f"there are more than {BONES} bones")


def _lay_papers(t: Table, papers: Any) -> None:
    stack, carried, dropped = _tuple(papers, 3)
    carried = _tuple(carried, t.seats)
    dropped = _pairs(dropped)
    hidden = spare_faces(range(ADDRESSES), (stack, *carried, *[p for _, p in dropped]))
    t.faces = {face: face for face in range(ADDRESSES) if face not in hidden}
    spare = iter(hidden)
    t.stack = laid(stack, spare)
    t.papers = [laid(each, spare) for each in carried]
    t.dropped = {place: laid(each, spare) for place, each in dropped}
    if not all(t.dropped.values()) or TOWN.kiosk in t.dropped:
        raise ValueError("newspapers do not lie like that")
    if any(t.room(seat) < 0 for seat in range(t.seats)):
        raise ValueError(f"a dog carries more than {LOAD} things")


def _check_pound(t: Table) -> None:
    inside = [seat for seat, place in enumerate(t.place) if place in (NOWHERE, TOWN.pound)]
    carried = any(t.room(seat) < LOAD for seat in inside)
    if carried or t.lying[TOWN.pound] or TOWN.pound in t.dropped:
        raise ValueError("nothing is carried in the pound, or lies there")


def _deck(cards: Any) -> tuple[int, ...]:
    if type(cards) is tuple and all(type(card) is int for card in cards):
        whole = sorted(set(cards)) == list(cards) and set(cards) <= set(range(CARDS))
        if whole and SHUFFLE in cards:
            return cards
    raise ValueError(f"{cards!r} is no deck")


def _pairs(values: Any) -> tuple[tuple[int, Any], ...]:
    """Return pairs of a place and something, in the order of the places, each named once."""
    if type(values) is not tuple or any(type(v) is not tuple or len(v) != 2 for v in values):
        raise ValueError(f"{values!r} are no pairs")
    places = [_number(place, TOWN.size - 1) for place, _ in values]
    if places != sorted(set(places)):
        raise ValueError("places are named in order, each once")
    return values


def _number(value: object, most: int, least: int = 0) -> int:
    if type(value) is int and least <= value <= most:
        return value
    raise ValueError(f"{value!r} is no number from {least} to {most}")


def _tuple(values: Any, count: int) -> tuple[Any, ...]:
    if type(values) is tuple and len(values) == count:
        return values
    raise ValueError(f"{values!r} does not have {count} values")


def is_fresh(t: Table) -> bool:
    """Tell whether the hidden newspapers are still to be dealt: they have a new table's handles."""
    return any(card < ADDRESSES for card in _hidden(t))


def deal_anew(t: Table) -> Rules[None]:
    """Shuffle the hidden newspapers over their places; dogs look at what they may see."""
    hidden = _hidden(t)
    places = (t.stack, *t.papers, *t.dropped.values())
    yield from redistribute((t.round, "anew"), {"papers": hidden}, places)
    for seat in range(t.seats):
        yield from look(t, seat, [*t.papers[seat], *t.dropped.get(t.place[seat], ())])
    t.log_event("deals-anew", count=len(hidden))


def _hidden(t: Table) -> list[int]:
    places: Sequence[list[int]] = (t.stack, *t.papers, *t.dropped.values())
    return [card for place in places for card in place if card not in t.faces]
