"""Liar's Dice from the first roll to the last die (LD-1 to LD-4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lanplay.engine.fields import Amount, Column, Schema
from lanplay.engine.requests import Choose, OpenRoll, Roll, Round, Rules, Uncover
from lanplay.engine.rules import Result, RuleSet
from liars_dice.questions import CALL, Bid
from liars_dice.table import DICE
from liars_dice.table import LiarsTable as Table

SCHEMA = Schema(
    "Liar's Dice",
    round=Amount(),
    first=Amount(lambda t: t.seats - 1, least=-1),  # -1: nobody yet
    dice=Column(Amount(DICE)),  # one for each seat
    out=Column(Amount(), None, tuple),  # so many as there are
)
"""What lasts from round to round: no dice lie under cups between two."""


def rules(t: Table) -> Rules[None]:
    """Play from the table's round boundary (or the set-up) to the end."""
    if t.first < 0:
        (t.first,) = yield OpenRoll((0, "first"), 1, t.seats)
        t.log_event("first", seat=t.first)
    while len(t.out) < t.seats - 1:
        yield Round(t.round + 1)
        t.round += 1
        yield from one_round(t)
    (winner,) = [seat for seat in range(t.seats) if t.dice[seat]]
    t.log_event("wins", seat=winner)


def one_round(t: Table) -> Rules[None]:
    """Roll, bid, call, show (LD-2, LD-3)."""
    t.log_event("round", number=t.round)
    seats = [seat for seat in range(t.seats) if t.dice[seat]]
    yield Roll((t.round,), {seat: t.dice[seat] for seat in seats})
    t.active = t.first
    while True:
        bid = (yield Choose({t.active: Bid(t.bid, sum(t.dice))}))[t.active]
        if bid == CALL:
            break
        t.bid, t.bidder = bid, t.active
        t.log_event("bids", seat=t.active, bid=bid)
        t.active = t.after(t.active)
    t.log_event("calls", seat=t.active, other=t.bidder)
    shown = yield Uncover({seat: tuple(range(t.dice[seat])) for seat in seats})
    t.shown = tuple([shown.get(seat, ()) for seat in range(t.seats)])
    for seat in seats:
        t.log_event("shows", seat=seat, dice=tuple(sorted(t.shown[seat])))
    lose(t, t.active if t.matching(t.bid) >= t.bid // 6 else t.bidder)


def lose(t: Table, loser: int) -> None:
    """Take a die off the loser, who begins the next round (LD-3.2)."""
    t.log_event("loses", seat=loser, count=t.matching(t.bid), bid=t.bid)
    t.dice[loser] -= 1
    if not t.dice[loser]:
        t.out = (*t.out, loser)
        t.log_event("out", seat=loser)
    t.first = loser if t.dice[loser] else t.after(loser)
    t.active = t.bidder = -1
    t.bid, t.shown = 0, ()


def result(t: Table) -> Result:
    """Return how the game ended: a point for every seat that was out before (LD-4.1)."""
    order = [*t.out, *(seat for seat in range(t.seats) if t.dice[seat])]
    scores = tuple(order.index(seat) for seat in range(t.seats))
    return Result(scores, (order[-1],))


def table(seats: int, options: Mapping[str, str]) -> Table:
    """Return the table before round 1."""
    return Table(seats, options["ones"] == "wild")


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table so; ``ValueError`` says what cannot be."""
    SCHEMA.from_snapshot(t, data)
    lost = DICE * t.seats - sum(t.dice)
    if sorted(t.out) != [seat for seat in range(t.seats) if not t.dice[seat]]:
        raise ValueError(f"{t.out} are not the seats without dice")
    if t.round != lost or len(t.out) == t.seats:
        raise ValueError(f"after {t.round} rounds {lost} dice are not lost")
    if lost if t.first < 0 else not t.dice[t.first]:
        raise ValueError(f"the seat {t.first} does not begin")


RULES = RuleSet(table, rules, result, SCHEMA.snapshot, from_snapshot)
