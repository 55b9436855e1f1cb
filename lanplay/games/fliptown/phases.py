"""The end of a round: poker hands, pan and work, the sheriff (FT-3)."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.question import Question
from lanplay.engine.requests import Choose, Rules, Show
from lanplay.games.fliptown.cards import number
from lanplay.games.fliptown.characters import CHEAT, MARSHAL, PREACHER, PREACHER_CROSSES, can
from lanplay.games.fliptown.deck import draw
from lanplay.games.fliptown.map import ALWAYS_STARS, FINES, POKER
from lanplay.games.fliptown.poker import Worth, best
from lanplay.games.fliptown.questions import Bribe, Fine, FliptownCheat, Preach, Redraw
from lanplay.games.fliptown.table import FliptownTable as Table

WORK_CASH = 2


def poker(t: Table) -> Rules[None]:
    """Phase 4: hands pay by their rank, or only the best one of the table (FT-3.1, FT-9.3)."""
    hole = [card for cards in t.hole for card in cards]
    if hole:
        yield Show(hole)
        t.discards += hole
    hands = [
        (*s.poker, *[t.face(card) for card in cards])
        for s, cards in zip(t.sheets, t.hole, strict=True)
    ]
    t.hole = [[] for _ in range(t.seats)]
    worths = [best(hand) for hand in hands]
    yield from _cheat(t, hands, worths)
    for s, (rank, _) in zip(t.sheets, worths, strict=True):
        s.ranks += (rank,)
    for seat, (rank, _) in enumerate(worths):
        cash, stars = _pays(t, seat, worths)
        t.sheets[seat].gain_cash(cash)
        t.sheets[seat].gain_stars(stars)
        if t.log is not None:
            t.log_event("poker", seat=seat, rank=rank, cash=cash, stars=stars)


def _pays(t: Table, seat: int, worths: Sequence[Worth]) -> tuple[int, int]:
    """Return the dollars and stars for a hand; winners share them where only the best is paid."""
    cash, stars = POKER[worths[seat][0]]
    if t.options.holdem != "best":
        return cash, stars
    if worths[seat] != max(worths):
        return 0, 0
    shares = worths.count(worths[seat])
    return cash // shares, stars // shares


def _cheat(t: Table, hands: Sequence[tuple[int, ...]], worths: list[Worth]) -> Rules[None]:
    """Let the Cheat use one card as any, if its hand can pay more by it (FT-9.2, FT-9.8)."""
    for seat, s in enumerate(t.sheets):
        if not can(s, CHEAT):
            continue
        better = best(hands[seat], True)
        if better[0] > worths[seat][0] or (t.options.holdem == "best" and better > worths[seat]):
            answers = yield Choose({seat: FliptownCheat(worths[seat][0], better[0])})
            if answers[seat]:
                s.uses -= 1
                worths[seat] = better
                t.log_event("uses", seat=seat, character=CHEAT)


def pan_and_work(t: Table) -> None:
    """Phase 5: gold for pans, cash for hammers (FT-3.2)."""
    for seat, s in enumerate(t.sheets):
        cash, gold = WORK_CASH * s.hammers, s.pans
        s.gain_gold(gold)
        s.gain_cash(cash)
        if t.log is not None and (cash or gold):
            t.log_event("works", seat=seat, cash=cash, gold=gold)


def sheriff(t: Table) -> Rules[None]:
    """Phase 6: Preacher, bribes, sheriff card, Marshal, fines (FT-3.3)."""
    yield from _preach(t)
    safe = yield from _bribes(t)
    assert t.sheriff is not None, "every round has a sheriff card"
    (face,) = yield Show([t.sheriff])
    t.log_event("sheriff", card=face)
    t.discards.append(t.sheriff)
    t.sheriff = None
    wanted = [s for s in range(t.seats) if s not in safe and number(face) < t.sheets[s].wanted]
    arrested = yield from _redraw(t, wanted, face)
    yield from _fines(t, arrested)


def _preach(t: Table) -> Rules[None]:
    for seat, s in enumerate(t.sheets):
        if can(s, PREACHER) and s.wanted:
            answers = yield Choose({seat: Preach(min(PREACHER_CROSSES, s.wanted))})
            if answers[seat]:
                s.uses -= 1
                s.wanted -= answers[seat]
                t.log_event("uses", seat=seat, character=PREACHER)
                t.log_event("crosses", seat=seat, amount=answers[seat])


def _bribes(t: Table) -> Rules[list[int]]:
    """Return the seats that have bribed the sheriff."""
    able = {seat: s.wanted for seat, s in enumerate(t.sheets) if 0 < s.wanted <= s.gold}
    if not able:
        return []
    answers = yield Choose({seat: Bribe(gold) for seat, gold in able.items()})
    safe = [seat for seat in able if answers[seat]]
    for seat in safe:
        t.sheets[seat].gold -= able[seat]
        t.log_event("bribes", seat=seat, gold=able[seat])
    return safe


def _redraw(t: Table, arrested: Sequence[int], face: int) -> Rules[list[int]]:
    """Let a Marshal that would be arrested draw its own card; return who is arrested (FT-9.2)."""
    left = list(arrested)
    for seat in arrested:
        s = t.sheets[seat]
        if can(s, MARSHAL):
            answers = yield Choose({seat: Redraw(face)})
            if answers[seat]:
                s.uses -= 1
                cards = yield from draw(t, 1)
                (own,) = yield Show(cards)
                t.discards += cards
                t.log_event("uses", seat=seat, character=MARSHAL)
                t.log_event("own-sheriff", seat=seat, card=own)
                if number(own) >= s.wanted:
                    left.remove(seat)
    return left


def _fines(t: Table, arrested: Sequence[int]) -> Rules[None]:
    cash, stars = FINES[t.round - 1]
    in_cash: dict[int, bool] = {}
    questions: dict[int, Question] = {}
    for seat in arrested:
        s = t.sheets[seat]
        s.arrests += 1
        in_cash[seat] = s.wanted < ALWAYS_STARS and s.cash >= cash
        if in_cash[seat] and s.stars >= stars:
            questions[seat] = Fine(cash, stars)
    if questions:
        answers = yield Choose(questions)
        in_cash |= {seat: not answers[seat] for seat in questions}
    for seat in arrested:
        s = t.sheets[seat]
        if in_cash[seat]:
            s.cash -= cash
            t.log_event("fined-cash", seat=seat, amount=cash)
        else:
            lost = min(stars, s.stars)
            s.stars -= lost
            t.log_event("fined-stars", seat=seat, amount=lost)
