"""Round, part I: the hand (DT-2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final, TypeAlias

from lanplay.engine.question import Question
from lanplay.engine.requests import Choose, Roll, Rules, Uncover
from lanplay.games.dice_town.cards import BRUTE, CHEATER
from lanplay.games.dice_town.lookout import chances, out
from lanplay.games.dice_town.poker import DICE
from lanplay.games.dice_town.questions import PRICES, DiceTownCheat, Keep
from lanplay.games.dice_town.questions.cards import Turns
from lanplay.games.dice_town.table import DiceTownTable as Table
from lanplay.games.dice_town.windows import PlayedCard, take_effect

Revealed: TypeAlias = "dict[int, tuple[int, ...]]"
"""The dice that each seat, if any, has just revealed."""
Kept: TypeAlias = "tuple[tuple[int, ...], tuple[int, ...]]"
"""An answer to ``Keep``."""
_ALL: Final = tuple([tuple(range(dice)) for dice in range(DICE + 1)])
"""The places of all of so many dice."""


def hand(t: Table) -> Rules[None]:
    """Roll and keep until every seat has five dice set aside (DT-2.1 to DT-2.6)."""
    for step in count():
        rolling = {seat: left for seat, dice in enumerate(t.dice) if (left := DICE - len(dice))}
        last = len(rolling) < t.seats
        if rolling:
            yield Roll((t.round, step), rolling)
            if last:
                revealed = yield from show_all(t, rolling)
            else:
                revealed = yield from keep(t, rolling, step)
            last = last or all(len(dice) == DICE for dice in t.dice)
            yield from cheat(t, revealed, last)
        if last:
            return


def keep(t: Table, rolling: dict[int, int], step: int) -> Rules[Revealed]:
    """Keep dice secretly, show them and pay (DT-2.2, DT-2.3)."""
    dollars, hands, brute = t.dollars, t.hands, t.options.brute
    answers: dict[int, Kept] = yield Choose(
        {s: Keep(dice, dollars[s], tuple(hands[s]), brute) for s, dice in rolling.items()},
        prefetch=None if any(hands) else (t.round, step + 1),
    )
    shown: Revealed = {}
    brutes: list[PlayedCard] = []
    for seat, (dice, laid) in answers.items():
        if dice:
            shown[seat] = dice
        if laid:
            brutes += [PlayedCard(seat, card, BRUTE) for card in laid]
    faces: Revealed = yield Uncover(shown)
    works = (yield from take_effect(t, brutes)) if brutes else []
    return _pay(t, rolling, faces, [play.seat for play in works])


def _pay(t: Table, rolling: dict[int, int], faces: Revealed, brutes: list[int]) -> Revealed:
    """Pay for the dice kept; ``brutes`` has the seat of each Brute that works."""
    prices, dollars, dice = PRICES[t.options.brute], t.dollars, t.dice
    paid = 0
    for seat in rolling:
        kept = shown = faces.get(seat, ())
        cost = prices[brutes.count(seat) if brutes else 0][len(shown)]
        owned = dollars[seat]
        if cost > owned:  # a Brute was stopped
            kept, cost = _give_back(shown, owned, prices[brutes.count(seat)])
            faces = {**faces, seat: kept}
        dollars[seat] = owned - cost
        paid += cost
        dice[seat] += kept
        if t.log is not None:
            t.log_event("keeps", seat=seat, faces=kept, dollars=cost)
            if len(kept) < len(shown):
                t.log_event("goes-back", seat=seat, faces=shown[len(kept) :])
    t.coach += paid
    return faces


def _give_back(
    shown: tuple[int, ...], dollars: int, prices: Sequence[int]
) -> tuple[tuple[int, ...], int]:
    """Return the dice that can be paid, without those last named, and the cost (DT-6.1)."""
    kept = len(shown)
    while prices[kept] > dollars and kept > 1:
        kept -= 1
    return shown[:kept], min(prices[kept], dollars)


def show_all(t: Table, rolling: dict[int, int]) -> Rules[Revealed]:
    """Show all of the last roll, for nothing (DT-2.5)."""
    faces: Revealed = yield Uncover({seat: _ALL[dice] for seat, dice in rolling.items()})
    for seat, shown in faces.items():
        t.dice[seat] += shown
        if t.log is not None:
            t.log_event("last-roll", seat=seat, faces=shown)
    return faces


def cheat(t: Table, revealed: Revealed, last: bool) -> Rules[None]:
    """Open the window for Professional Cheaters on the dice just revealed (DT-2.6, DT-6.2).

    After the last reveal it is the look: all are asked who could still react in this round.
    """
    hands = t.hands
    asked = [s for s, dice in revealed.items() if dice and hands[s]] if not out(t, CHEATER) else []
    if last:
        asked = [s for s in t.holders() if s in asked or chances(t, t.dice, s)]
    questions: dict[int, Question] = {
        s: DiceTownCheat(revealed.get(s, ()), tuple(hands[s]), last) for s in asked
    }
    if not questions:
        return
    answers: dict[int, Turns] = yield Choose(questions)
    plays, turns = [], {}
    for seat, answer in answers.items():
        for card, place, face in answer:
            plays.append(PlayedCard(seat, card, CHEATER))
            turns[card] = place, face
    if not plays:
        return
    for play in (yield from take_effect(t, plays)):
        place, face = turns[play.card]
        dice = list(t.dice[play.seat])
        dice[place - len(revealed[play.seat])] = face
        t.dice[play.seat] = tuple(dice)
        t.log_event("turns", seat=play.seat, faces=(revealed[play.seat][place], face))
