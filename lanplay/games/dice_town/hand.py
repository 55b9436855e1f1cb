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
        rolling = [seat for seat in range(t.seats) if len(t.dice[seat]) < DICE]
        if not rolling:
            return
        yield Roll((t.round, step), {seat: DICE - len(t.dice[seat]) for seat in rolling})
        if len(rolling) == t.seats:
            revealed = yield from keep(t, rolling, step)
        else:
            revealed = yield from show_all(t, rolling)
        yield from cheat(t, revealed)


def keep(t: Table, rolling: list[int], step: int) -> Rules[dict[int, int]]:
    """Keep dice secretly, show them and pay (DT-2.2, DT-2.3); return how many each revealed."""
    no_window = not any(t.hands[seat] for seat in rolling)
    answers = yield Choose(
        {seat: _keep_question(t, seat) for seat in rolling},
        ahead=(t.round, step + 1) if no_window else None,
    )
    faces = yield Uncover({seat: dice for seat, (dice, _) in answers.items() if dice})
    brutes = [Played(seat, card, BRUTE) for seat in rolling for card in answers[seat][1]]
    works = yield from take_effect(t, brutes)
    revealed = {}
    for seat in rolling:
        helped = sum(play.seat == seat for play in works)
        revealed[seat] = _pay(t, seat, faces.get(seat, ()), helped)
    return revealed


def _keep_question(t: Table, seat: int) -> Keep:
    dice = DICE - len(t.dice[seat])
    return Keep(dice, t.dollars[seat], tuple(t.hands[seat]), t.options.brute)


def _pay(t: Table, seat: int, faces: tuple[int, ...], brutes: int) -> int:
    """Pay for the dice kept; what cannot be paid goes back, last named first (DT-6.1)."""
    kept = len(faces)
    while kept > 1 and price(kept, brutes, t.options.brute) > t.dollars[seat]:
        kept -= 1
    cost = min(t.dollars[seat], price(kept, brutes, t.options.brute))
    t.dollars[seat] -= cost
    t.coach += cost
    t.dice[seat] += faces[:kept]
    t.say("keeps", seat=seat, faces=faces[:kept], dollars=cost)
    if kept < len(faces):
        t.say("goes-back", seat=seat, faces=faces[kept:])
    return kept


def show_all(t: Table, rolling: list[int]) -> Rules[dict[int, int]]:
    """Show all of the last roll, for nothing (DT-2.5)."""
    dice = {seat: tuple(range(DICE - len(t.dice[seat]))) for seat in rolling}
    faces = yield Uncover(dice)
    for seat in rolling:
        t.dice[seat] += faces[seat]
        t.say("last-roll", seat=seat, faces=faces[seat])
    return {seat: len(faces[seat]) for seat in rolling}


def cheat(t: Table, revealed: dict[int, int]) -> Rules[None]:
    """Open the window for Professional Cheaters on the dice just revealed (DT-2.6, DT-6.2)."""
    questions = {
        seat: Cheat(tuple(t.dice[seat][-number:]), tuple(t.hands[seat]))
        for seat, number in revealed.items()
        if number and t.hands[seat]
    }
    if not questions:
        return
    answers = yield Choose(questions)
    turns = {card: (place, face) for answer in answers.values() for card, place, face in answer}
    works = yield from take_effect(
        t, [Played(s, card, CHEATER) for s, answer in answers.items() for card, _, _ in answer]
    )
    for play in works:
        place, face = turns[play.card]
        t.dice[play.seat][place - revealed[play.seat]] = face
        t.say("turns", seat=play.seat, faces=(questions[play.seat].faces[place], face))
