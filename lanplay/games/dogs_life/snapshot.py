"""A game continued anew from a round boundary: all stays but the faces of hidden newspapers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from lanplay.engine.fields import Amount, Cards, Column, Fields, Pairs, Schema, Sparse
from lanplay.engine.redeal import redistribute
from lanplay.engine.requests import Rules
from lanplay.games.dogs_life.catching import CELLS, look
from lanplay.games.dogs_life.dogs import CARDS, DOGS, SHUFFLE
from lanplay.games.dogs_life.plan import LAMP
from lanplay.games.dogs_life.table import BIN_MARKERS, BLADDER, BONES, LOAD, MOST_HUNGER, PIDDLES
from lanplay.games.dogs_life.table import DogsLifeTable as Table
from lanplay.games.dogs_life.town import ADDRESSES, DENS, NOWHERE, TOWN

PAPERS: Final = range(ADDRESSES)
SCHEMA = Schema(
    "A Dog's Life",
    round=Amount(),
    first=Amount(lambda t: t.seats - 1),
    dogs=Column(Amount(len(DOGS) - 1), make=tuple),
    dens=Column(Amount(DENS - 1), make=tuple),
    pound=Column(Amount(CELLS)),
    hunger=Column(Amount(MOST_HUNGER)),
    buried=Column(Amount(BONES)),
    bones=Column(Amount(LOAD)),
    bladder=Column(Amount(BLADDER)),
    place=Column(Amount(TOWN.size - 1, NOWHERE)),
    decks=Column(Column(Amount(CARDS - 1), None, tuple)),
    marks=Sparse(TOWN.size, Amount(lambda t: t.seats - 1), empty=-1),
    lying=Sparse(TOWN.size, Amount(BONES, 1), empty=0),
    papers=Fields(
        stack=Cards(PAPERS), papers=Column(Cards(PAPERS)), dropped=Pairs(TOWN.size, Cards(PAPERS))
    ),
    searched=Amount((1 << len(TOWN.bins)) - 1),
    van=Fields(van=Amount(TOWN.size), came=Amount(TOWN.size)),
)
snapshot = SCHEMA.snapshot


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table as ``snapshot`` says; ``ValueError`` names what cannot be."""
    SCHEMA.from_snapshot(t, data)
    t.supply = BONES - sum(t.buried) - sum(t.bones) - sum(t.lying)
    t.reserve = [PIDDLES - t.bladder[seat] - t.marks.count(seat) for seat in range(t.seats)]
    for impossible, why in (*_things(t), *_places(t)):
        if impossible:
            raise ValueError(why)


def _things(t: Table) -> Iterator[tuple[bool, str]]:
    yield (
        len(set(t.dogs)) != t.seats or len(set(t.dens)) != t.seats,
        "a dog or a den is there twice",
    )
    yield bool(t.goal) and max(t.buried) >= t.goal, "the game is over"
    ordered = all(list(deck) == sorted(set(deck)) and SHUFFLE in deck for deck in t.decks)
    yield not ordered, "a deck has its cards in order, and the shuffle card"
    yield t.searched.bit_count() >= BIN_MARKERS, "there are too few bin markers for that"
    yield min(t.reserve) < 0, f"a dog has more than {PIDDLES} piddle markers"
    yield t.supply < 0, f"there are more than {BONES} bones"
    heavy = any(t.room(seat) < 0 for seat in range(t.seats))
    yield heavy, f"a dog carries more than {LOAD} things"


def _places(t: Table) -> Iterator[tuple[bool, str]]:
    yield (t.van, t.came) not in TOWN.ways, "the van cannot stand like that"
    out = [place for place in t.place if place not in (NOWHERE, TOWN.pound)]
    meet = len(set(out)) != len(out) or t.van in out
    yield meet, "two dogs, or a dog and the van, are on one space"
    for seat, place in enumerate(t.place):
        lost = (place == NOWHERE) != bool(t.pound[seat])
        yield lost, "a dog is in the pound's cells or somewhere else"
        yield place in TOWN.dens and place != t.home(seat), "a dog is in another's den"
        inside = place in (NOWHERE, TOWN.pound)
        yield inside and t.room(seat) < LOAD, "nothing is carried in the pound"
    for place, seat in enumerate(t.marks):
        yield seat >= 0 and TOWN.feature[place] != LAMP, "piddles are at lamp posts"
    odd = not all(t.dropped.values()) or TOWN.kiosk in t.dropped
    yield odd, "newspapers do not lie like that"
    yield bool(t.lying[TOWN.pound]) or TOWN.pound in t.dropped, "nothing lies in the pound"


def deal_anew(t: Table) -> Rules[None]:
    """Shuffle the hidden newspapers over their places; dogs look at what they may see."""
    hidden = SCHEMA.hidden(t, PAPERS)
    yield from redistribute((t.round, "anew"), {"papers": hidden}, SCHEMA.piles(t, PAPERS))
    for seat in range(t.seats):
        yield from look(t, seat, [*t.papers[seat], *t.dropped.get(t.place[seat], ())])
    t.log_event("deals-anew", count=len(hidden))
