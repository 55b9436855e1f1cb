"""Dice Town from the set-up to the end: DT-1, then rounds of DT-2 and DT-3, then DT-7."""

from __future__ import annotations

from collections.abc import Mapping

from lanplay.engine.requests import OpenRoll, Round, Rules, Shuffle
from lanplay.engine.rules import Result, RuleSet
from lanplay.games.dice_town.doc import doc
from lanplay.games.dice_town.ending import ending, over
from lanplay.games.dice_town.hand import hand
from lanplay.games.dice_town.snapshot import SCHEMA, deal_anew, from_snapshot, snapshot
from lanplay.games.dice_town.table import DiceTownOptions, DiceTownTable
from lanplay.games.dice_town.town import (
    badge,
    bank,
    mine,
    refill,
    saloon,
    stagecoach,
    store,
    town_hall,
)


def setup(t: DiceTownTable) -> Rules[None]:
    """DT-1.1 and DT-1.2: shuffled decks, three claims in the row, a Sheriff drawn at random."""
    fresh = yield Shuffle((0, "decks"), {"store": t.deck, "claims": t.claims})
    t.deck, t.claims = fresh["store"], fresh["claims"]
    yield from refill(t)
    faces = yield OpenRoll((0, "badge"), 1, t.seats)
    t.sheriff = faces[0]
    t.log_event("first-sheriff", seat=t.sheriff)


def one_round(t: DiceTownTable) -> Rules[None]:
    """Parts I and II in the order of the rules page; then all take their dice back (DT-3.10)."""
    t.log_event("round", number=t.round)
    yield from hand(t)
    if t.log is not None:
        for seat, dice in enumerate(t.dice):
            t.log_event("hand", seat=seat, faces=tuple(sorted(dice)))
    yield from mine(t)
    yield from bank(t)
    stagecoach(t)
    yield from store(t)
    yield from saloon(t)
    yield from badge(t)
    yield from town_hall(t)
    yield from doc(t)
    t.dice = [()] * t.seats
    t.obtained = [False] * t.seats
    t.mixes = [0] * t.seats
    t.takes = [0] * t.seats


def rules(t: DiceTownTable) -> Rules[None]:
    """Play from the table's round boundary to the end."""
    if not t.round and not t.row:
        yield from setup(t)
    elif SCHEMA.is_fresh(t):
        yield from deal_anew(t)
    while not over(t):
        yield Round(t.round + 1)
        t.round += 1
        yield from one_round(t)
    yield from ending(t)


def table(seats: int, options: Mapping[str, str]) -> DiceTownTable:
    """Return the table before round 1."""
    return DiceTownTable(seats, DiceTownOptions.of(options))


def result(t: DiceTownTable) -> Result:
    """Return how the game ended."""
    return Result(tuple(t.scores), (t.winner,))


RULES = RuleSet(table, rules, result, snapshot, from_snapshot)
