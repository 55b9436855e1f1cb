"""Dogs that are brought to the pound, and how they get out (DL-3.1, DL-3.4, DL-3.7)."""

from __future__ import annotations

from lanplay.engine.requests import Deal, Rules, Shuffle
from lanplay.games.dogs_life.deck import draw
from lanplay.games.dogs_life.table import FREED_HUNGER
from lanplay.games.dogs_life.table import DogsLifeTable as Table
from lanplay.games.dogs_life.town import NOWHERE, TOWN

CELLS = 4
"""The turn in which a dog is freed without a card (DL-3.4)."""


def lock_up(t: Table, seat: int) -> Rules[None]:
    """Put a dog into the first cell of the pound; what it carried stays where it was."""
    place = t.place[seat]
    t.place[seat] = NOWHERE
    t.pound[seat] = 1
    t.lying[place] += t.bones[seat]
    t.bones[seat] = 0
    papers, t.papers[seat] = t.papers[seat], []
    if not papers:
        return
    if place == TOWN.kiosk:
        yield from give_back(t, papers)
    else:
        lay_down(t, place, papers)


def lay_down(t: Table, place: int, papers: list[int]) -> None:
    """Lay newspapers face down on a place, upon those that lie there."""
    t.dropped[place] = t.dropped.get(place, []) + papers


def give_back(t: Table, papers: list[int]) -> Rules[None]:
    """Shuffle newspapers back into the stack (DL-3.2 j, DL-3.7)."""
    for known in t.known:
        known[:] = [card for card in known if card not in papers and card not in t.stack]
    t.steps += 1
    fresh = yield Shuffle((t.round, t.active, t.steps), {"papers": [*t.stack, *papers]})
    t.stack = fresh["papers"]


def look(t: Table, seat: int, papers: list[int]) -> Rules[None]:
    """Let a seat know the addresses of some newspapers, if it does not yet (DL-3.2 d, i)."""
    known = t.known[seat]
    unseen = [card for card in papers if card not in known and card not in t.faces]
    if unseen:
        known += unseen
        known.sort()
        yield Deal(unseen, seat)


def leave_pound(t: Table, seat: int) -> Rules[bool]:
    """Let a dog in the pound's cells try to get out; tell whether it is in the building now."""
    tries = t.pound[seat]
    free = tries == CELLS
    while tries and not free:
        tries -= 1
        card = yield from draw(t, seat)
        free = bool(t.dog(seat).pound[card])
    if not free:
        t.pound[seat] += 1
        t.log_event("stays-in-pound", seat=seat)
        return False
    t.pound[seat] = 0
    t.place[seat] = TOWN.pound
    t.hunger[seat] = FREED_HUNGER
    t.log_event("leaves-pound", seat=seat)
    return True
