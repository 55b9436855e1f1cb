"""Charidice from the draw of the first seat to the charity bonus (CH-1 to CH-4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from lanplay.engine.requests import Choose, Face, OpenRoll, Round, Rules
from lanplay.engine.rules import Result, RuleSet
from lanplay.games.charidice.dice import ALL, DICE, PLACES, SIDES, faces, numbered
from lanplay.games.charidice.questions import Demand, Reroll, Score
from lanplay.games.charidice.sets import DiceSet, dice_set
from lanplay.games.charidice.snapshot import from_snapshot, snapshot
from lanplay.games.charidice.table import ROUNDS
from lanplay.games.charidice.table import CharidiceTable as Table

ROLLS = 3
CHARITY = 20
GREAT_CHARITY = 30
GREAT_GIVING = 60
"""The charity bonus, and the greater one of those who gave more than so much (CH-4.1)."""


@cache
def throws(number: int, seat: int) -> tuple[tuple[OpenRoll, ...], ...]:
    """Return all that a seat may roll in a round: by the number of rolls made, by mask (CH-2.1)."""
    slots = [(number, seat, made + 1) for made in range(ROLLS)]
    by_count = [[OpenRoll(at, count, SIDES) for count in range(DICE + 1)] for at in slots]
    return tuple([tuple([rolls[len(places)] for places in PLACES]) for rolls in by_count])


def draw_first(t: Table) -> Rules[None]:
    """Draw the seat that begins (CH-1.1)."""
    drawn = yield OpenRoll((0, "first"), 1, t.seats)
    t.first = drawn[0]
    t.log_event("first", seat=t.first)


def turn(t: Table, seat: int) -> Rules[None]:
    """Let a seat roll, score a set and give the rest away (CH-2, CH-3)."""
    t.pass_on(seat)
    receiver = t.left(seat)
    rolls = throws(t.round, seat)
    mask = ALL
    while mask:
        rolled = yield rolls[t.rolls][mask]
        land(t, mask, rolled)
        if t.rolls == ROLLS:
            break
        if t.greatest[receiver] and not t.demanded:
            answers = yield Choose({receiver: Demand(seat, t.dice, t.rolls)})
            if answers[receiver]:
                demand(t, receiver)
        answers = yield Choose({seat: Reroll(t.dice, t.rolls)})
        mask = answers[seat]
    factor = 2 if t.demanded else 1
    answers = yield Choose({seat: Score(t.dice, factor)})
    scored = dice_set(t.dice, answers[seat])
    assert scored is not None, "the question has checked it"
    score(t, scored)
    give(t, factor * scored.gift)


def land(t: Table, mask: int, rolled: Sequence[Face]) -> None:
    """Lay down the dice of a mask as they were rolled in front of everybody (CH-2.1)."""
    t.rolls += 1
    t.rolled = mask
    if mask == ALL:
        t.dice = numbered(rolled)
    else:
        dice, fallen = list(t.dice), iter(rolled)
        for place in PLACES[mask]:
            dice[place] = next(fallen) + 1
        t.dice = tuple(dice)
    if t.log is not None:
        t.log_event("rolls", seat=t.active, dice=faces(t.dice), rolls=t.rolls, count=len(rolled))


def demand(t: Table, receiver: int) -> None:
    """Let the receiver demand the greatest gift, which it can do once (CH-3.2)."""
    t.greatest[receiver] = False
    t.demanded = True
    t.log_event("demands", seat=receiver, other=t.active)


def score(t: Table, scored: DiceSet) -> None:
    """Enter the points and the bonus of a set in columns 1 and 2 (CH-2.3, CH-2.4)."""
    t.points[t.active].append(scored.points)
    t.bonuses[t.active].append(scored.bonus)
    if t.log is not None:
        dice = faces(t.dice, scored.mask)
        t.log_event(
            "scores-set", seat=t.active, dice=dice, points=scored.points, bonus=scored.bonus
        )


def give(t: Table, gift: int) -> None:
    """Enter the gift in column 4 of the giver and in column 3 of the receiver (CH-3.1)."""
    receiver = t.left(t.active)
    t.given[t.active].append(gift)
    t.received[receiver].append(gift)
    if t.log is not None:
        t.log_event("gives", seat=t.active, other=receiver, gift=gift)


def ending(t: Table) -> None:
    """Give the charity bonus and count (CH-4.1, CH-4.2)."""
    given = [sum(column) for column in t.given]
    most = max(given)
    bonus = GREAT_CHARITY if most > GREAT_GIVING else CHARITY
    t.charity = [bonus if each == most else 0 for each in given]
    t.scores = [t.total(seat) + t.charity[seat] for seat in range(t.seats)]
    if t.log is not None:
        tell_scores(t, given)


def tell_scores(t: Table, given: Sequence[int]) -> None:
    """Add to the log what every seat has got, and who wins; all have ``given`` so much."""
    for seat in range(t.seats):
        t.log_event(
            "final",
            seat=seat,
            points=sum(t.points[seat]),
            bonus=sum(t.bonuses[seat]),
            received=sum(t.received[seat]),
            given=given[seat],
            charity=t.charity[seat],
            score=t.scores[seat],
        )
    t.log_event("wins", seats=winners(t), score=max(t.scores))


def winners(t: Table) -> tuple[int, ...]:
    """Return every seat with the most points (CH-4.2)."""
    most = max(t.scores)
    return tuple([seat for seat in range(t.seats) if t.scores[seat] == most])


def rules(t: Table) -> Rules[None]:
    """Play from the table's round boundary to the end."""
    if t.first < 0:
        yield from draw_first(t)
    while t.round < ROUNDS:
        yield Round(t.round + 1)
        t.round += 1
        t.log_event("round", number=t.round)
        for seat in t.order():
            yield from turn(t, seat)
        t.pass_on(-1)
    ending(t)


def table(seats: int, options: Mapping[str, str]) -> Table:
    """Return the table before round 1."""
    return Table(seats)


def result(t: Table) -> Result:
    """Return how the game ended."""
    return Result(tuple(t.scores), winners(t))


RULES = RuleSet(table, rules, result, snapshot, from_snapshot)
