"""Rules for the questions outside of turns: replaced cards, bribes, fines, abilities."""

from __future__ import annotations

from lanplay.games.fliptown.characters import PREACHER_CROSSES
from lanplay.games.fliptown.map import ALWAYS_STARS
from lanplay.games.fliptown.questions import (
    Bribe,
    Fine,
    FliptownCheat,
    FliptownView,
    Preach,
    Redraw,
)
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import ROUNDS
from lanplay_ai.deciding import BotDecision, decided
from lanplay_rivals.fliptown.odds import PAY
from lanplay_rivals.fliptown.outlook import FliptownOutlook

WELL_BETTER = 3
"""So many ranks more make it worth the Cheat's only card before the last round."""
LAST = ROUNDS


def bribe(o: FliptownOutlook, view: FliptownView, question: Bribe) -> BotDecision:
    """Bribe if what the arrest is expected to cost is more than what the gold is worth."""
    s = view.table.sheets[view.seat]
    chance = o.chance(s.wanted)
    safe = s.copy()
    safe.gold -= question.gold
    free = o.later(safe)
    caught = chance * o.later(fined(o, s)) + (1 - chance) * o.later(s)
    if free > caught:
        return decided(1, "bribe", odds=1 - chance, gold=question.gold)
    return decided(0, "bribe-not", odds=1 - chance, gold=question.gold)


def fined(o: FliptownOutlook, s: Sheet) -> Sheet:
    """Return the sheet after the cheaper fine."""
    cash, stars = o.fines
    in_cash, in_stars = s.copy(), s.copy()
    in_stars.stars -= min(stars, s.stars)
    in_cash.cash -= cash
    if s.wanted >= ALWAYS_STARS or s.cash < cash:
        return in_stars
    if s.stars < stars:
        return in_cash
    return max((in_cash, in_stars), key=o.later)


def fine(o: FliptownOutlook, view: FliptownView, question: Fine) -> BotDecision:
    """Pay with what is worth less from now on."""
    s = view.table.sheets[view.seat]
    in_cash, in_stars = s.copy(), s.copy()
    in_cash.cash -= question.cash
    in_stars.stars -= question.stars
    stars, cash = o.later(in_stars), o.later(in_cash)
    answer = int(stars > cash)
    return decided(answer, "fine-stars" if answer else "fine-cash", abs(stars - cash))


def preach(o: FliptownOutlook, view: FliptownView, question: Preach) -> BotDecision:
    """Cross out all that can be, once it is much or the last time."""
    s = view.table.sheets[view.seat]
    wait = view.table.round < LAST and s.wanted < PREACHER_CROSSES
    crossed = 0 if wait else question.most
    free = 1 - o.chance(s.wanted - crossed)
    return decided(crossed, "preach-not" if wait else "preach", odds=free)


def cheat(o: FliptownOutlook, view: FliptownView, question: FliptownCheat) -> BotDecision:
    """Use the card if the hand gets much better, or in the last round."""
    better = question.after - question.before
    use = view.table.round == LAST or better >= WELL_BETTER
    gain = PAY[question.after] - PAY[question.before]
    return decided(int(use), "cheat" if use else "cheat-not", gain, rank=question.after)


def redraw(o: FliptownOutlook, view: FliptownView, question: Redraw) -> BotDecision:
    """Draw an own card if there is a fair chance of a better one, at the latest in the end."""
    s = view.table.sheets[view.seat]
    chance = 1 - o.chance(s.wanted)
    use = chance > 0 and (view.table.round == LAST or chance >= 1 / 3)
    return decided(int(use), "redraw" if use else "redraw-not", odds=chance)
