"""Round, part I: the hand (DT-2)."""

from __future__ import annotations

from itertools import count

from lanplay.engine.requests import Choose, Roll, Rules, Uncover
from lanplay.games.dice_town.cards import BRUTE, CHEATER
from lanplay.games.dice_town.poker import DICE
from lanplay.games.dice_town.questions import Cheat, Keep, price
from lanplay.games.dice_town.table import DiceTownTable as Table
from lanplay.games.dice_town.windows import Played, take_effect


def hand(t: Table) -> Rules[None]:
    """Roll and keep until every seat has five dice set aside (DT-2.1 to DT-2.6)."""
    for step in count():
        rolling = {seat: DICE - len(dice) for seat, dice in enumerate(t.dice) if len(dice) < DICE}
        if not rolling:
            return
        yield Roll((t.round, step), rolling)
        if len(rolling) == t.seats:
            revealed = yield from keep(t, rolling, step)
        else:
            revealed = yield from show_all(t, rolling)
        yield from cheat(t, revealed)


def keep(t: Table, rolling: dict[int, int], step: int) -> Rules[dict[int, int]]:
    """Keep dice secretly, show them and pay (DT-2.2, DT-2.3); return how many each revealed."""
    brute = t.options.brute
    answers = yield Choose(
        {s: Keep(dice, t.dollars[s], tuple(t.hands[s]), brute) for s, dice in rolling.items()},
        ahead=None if any(t.hands) else (t.round, step + 1),
    )
    faces = yield Uncover({seat: dice for seat, (dice, _) in answers.items() if dice})
    brutes = [Played(s, card, BRUTE) for s, (_, laid) in answers.items() for card in laid]
    works = [play.seat for play in (yield from take_effect(t, brutes))] if brutes else []
    return {seat: _pay(t, seat, faces.get(seat, ()), works.count(seat)) for seat in rolling}


def _pay(t: Table, seat: int, faces: tuple[int, ...], brutes: int) -> int:
    """Pay for the dice kept; what cannot be paid goes back, last named first (DT-6.1)."""
    kept = len(faces)
    while (cost := price(kept, brutes, t.options.brute)) > t.dollars[seat] and kept > 1:
        kept -= 1
    cost = min(cost, t.dollars[seat])
    t.dollars[seat] -= cost
    t.coach += cost
    t.dice[seat] += faces[:kept]
    if t.log is not None:
        t.say("keeps", seat=seat, faces=faces[:kept], dollars=cost)
    if kept < len(faces):
        t.say("goes-back", seat=seat, faces=faces[kept:])
    return kept


def show_all(t: Table, rolling: dict[int, int]) -> Rules[dict[int, int]]:
    """Show all of the last roll, for nothing (DT-2.5)."""
    faces = yield Uncover({seat: tuple(range(dice)) for seat, dice in rolling.items()})
    for seat in rolling:
        t.dice[seat] += faces[seat]
        t.say("last-roll", seat=seat, faces=faces[seat])
    return rolling


def cheat(t: Table, revealed: dict[int, int]) -> Rules[None]:
    """Open the window for Professional Cheaters on the dice just revealed (DT-2.6, DT-6.2)."""
    questions = {
        seat: Cheat(t.dice[seat][-number:], tuple(t.hands[seat]))
        for seat, number in revealed.items()
        if number and t.hands[seat]
    }
    if not questions:
        return
    answers = yield Choose(questions)
    turns = {card: (place, face) for answer in answers.values() for card, place, face in answer}
    if not turns:
        return
    works = yield from take_effect(
        t, [Played(s, card, CHEATER) for s, answer in answers.items() for card, _, _ in answer]
    )
    for play in works:
        place, face = turns[play.card]
        dice = list(t.dice[play.seat])
        dice[place - revealed[play.seat]] = face
        t.dice[play.seat] = tuple(dice)
        t.say("turns", seat=play.seat, faces=(questions[play.seat].faces[place], face))
