"""A Dog's Life from the set-up to the end (DL-1 to DL-4)."""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial
from typing import Final

from lanplay.engine.requests import OpenRoll, Round, Rules, Shuffle
from lanplay.engine.rules import Result, RuleSet
from lanplay.games.dogs_life.dogs import DOGS
from lanplay.games.dogs_life.snapshot import SCHEMA, deal_anew, from_snapshot, snapshot
from lanplay.games.dogs_life.table import DogsLifeTable as Table
from lanplay.games.dogs_life.town import ADDRESSES, DENS
from lanplay.games.dogs_life.turn import turn

EXTRA_ROUNDS: Final = 10
"""How many rounds a tie is played on (DL-4.2)."""
LONGEST: Final = 100
"""The round after which most bones win, where no other limit is set (DL-4.4)."""
SETUP: Final = 0
"""The round of the set-up."""


def drawn(number: int, things: int) -> tuple[int, ...]:
    """Return the order of ``things`` things that has a number below their factorial."""
    left = list(range(things))
    order = []
    for count in range(things, 0, -1):
        number, place = divmod(number, count)
        order.append(left.pop(place))
    return tuple(order)


def setup(t: Table) -> Rules[None]:
    """Draw dogs, dens and the first seat, shuffle the newspapers (DL-2.1)."""
    (number,) = yield OpenRoll((SETUP, "dogs"), 1, factorial(len(DOGS)))
    t.dogs = drawn(number, len(DOGS))[: t.seats]
    (number,) = yield OpenRoll((SETUP, "dens"), 1, factorial(DENS))
    t.dens = drawn(number, DENS)[: t.seats]
    t.place = [t.home(seat) for seat in range(t.seats)]
    for seat in range(t.seats):
        t.log_event("draws", seat=seat, dog=t.dogs[seat], place=t.place[seat])
    fresh = yield Shuffle((SETUP, "papers"), {"papers": list(range(ADDRESSES))})
    t.stack = fresh["papers"]
    (t.first,) = yield OpenRoll((SETUP, "first"), 1, t.seats)
    t.log_event("first", seat=t.first)


def is_over(t: Table) -> bool:
    """Find, between two rounds, who has won a game limited by rounds (DL-4.2, DL-4.4)."""
    last = t.rounds or LONGEST
    if t.round >= last and not t.winners:
        most = max(t.buried)
        leaders = tuple([seat for seat, bones in enumerate(t.buried) if bones == most])
        if len(leaders) == 1 or t.round >= last + EXTRA_ROUNDS:
            t.winners = leaders
    return bool(t.winners)


def rules(t: Table) -> Rules[None]:
    """Play from the table's round boundary to the end."""
    if SCHEMA.is_fresh(t):
        yield from deal_anew(t)
    if t.first < 0:
        yield from setup(t)
    while not is_over(t):
        yield Round(t.round + 1)
        t.round += 1
        t.log_event("round", number=t.round)
        for seat in t.order():
            yield from turn(t, seat)
            if t.winners:
                break
        t.pass_on(-1)
    t.log_event("wins", seats=t.winners, bones=max(t.buried))


def table(seats: int, options: Mapping[str, str]) -> Table:
    """Return the table before round 1."""
    timed = options["rounds"] != "none"
    rounds = int(options["rounds"]) if timed else 0
    return Table(seats, 0 if timed else int(options["bones"]), rounds)


def result(t: Table) -> Result:
    """Return how the game ended."""
    return Result(tuple(t.buried), t.winners)


RULES = RuleSet(table, rules, result, snapshot, from_snapshot)
