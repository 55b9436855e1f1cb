"""Fliptown from the set-up to the end: three rounds of five turns (FT-1.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from lanplay.engine.question import Answer, Phrase
from lanplay.engine.requests import Choose, Deal, Round, Rules, Show
from lanplay.engine.rules import Result, RuleSet
from lanplay.games.fliptown.asks import Turn
from lanplay.games.fliptown.bounties import BY_PAY, settle
from lanplay.games.fliptown.cards import JACK, is_red, number
from lanplay.games.fliptown.characters import MAYOR, can
from lanplay.games.fliptown.codes import BAIL, LOOK, PLAN
from lanplay.games.fliptown.cowbot import theft
from lanplay.games.fliptown.deck import draw, gather, shuffle
from lanplay.games.fliptown.ending import ending, winners
from lanplay.games.fliptown.map import GUNS
from lanplay.games.fliptown.phases import pan_and_work, poker, sheriff
from lanplay.games.fliptown.questions import Move, Replace
from lanplay.games.fliptown.setup import setup
from lanplay.games.fliptown.sheet import BLACK, HUNTS, RED, Sheet
from lanplay.games.fliptown.snapshot import SCHEMA, deal_anew, from_snapshot, snapshot
from lanplay.games.fliptown.table import FLIPPED, ROUNDS, TURNS, FliptownOptions, FliptownTable
from lanplay.games.fliptown.turn import TurnWalk, follow
from lanplay.games.fliptown.visits import robbed

HOLE = 2
PAYING: Final = RED | BLACK | sum(HUNTS)
"""The items that may pay on the flipped cards."""
Table = FliptownTable


def one_round(t: Table) -> Rules[None]:
    """The six phases (FT-2, FT-3)."""
    t.log_event("round", number=t.round)
    yield from shuffle(t)
    (t.sheriff,) = yield from draw(t, 1)
    if t.options.holdem != "none":
        for seat in range(t.seats):
            t.hole[seat] = yield from draw(t, HOLE)
            yield Deal(t.hole[seat], seat)
    for t.turn in range(1, TURNS + 1):
        yield from one_turn(t)
    t.turn = 0
    yield from poker(t)
    settle(t, BY_PAY)
    pan_and_work(t)
    settle(t, BY_PAY)
    yield from sheriff(t)
    for s in t.sheets:
        s.poker, s.gained, s.counted, s.assigned = (), 0, -1, -1
    gather(t)


def one_turn(t: Table) -> Rules[None]:
    """Flip three cards; every seat plays its turn, step by step (FT-2.2, FT-2.7)."""
    yield from flip(t)
    for seat, s in enumerate(t.sheets):
        if s.uses and can(s, MAYOR):
            yield from replace(t, seat)
    turn = Turn(t.lineup(), t.round, GUNS[t.options.guns])
    for seat, s in enumerate(t.sheets):
        s.gained = 0
        s.counted = s.assigned = -1
        s.pool = [PLAN]
        if s.items & PAYING:
            pay(t, seat, turn.flipped)
    waiting: Sequence[int] = range(t.seats)
    while waiting:
        moves = {seat: Move(t.sheets[seat], turn) for seat in waiting}
        answers = yield Choose(dict(moves))
        pauses = _moved(t, moves, answers)
        if pauses:
            yield from _paused(t, pauses, turn.guns)
        waiting = [seat for seat in pauses if not _is_done(t, seat, turn)]
    if t.cowbot >= 0:
        yield from theft(t)
    settle(t)
    t.discards += t.flipped
    t.flipped = []


def flip(t: Table) -> Rules[None]:
    """Flip the three cards of a turn (FT-2.2)."""
    t.flipped = yield from draw(t, FLIPPED)
    yield Show(t.flipped)
    if t.log is not None:
        t.log_event("flips", number=t.turn, cards=t.lineup())


def replace(t: Table, seat: int) -> Rules[None]:
    """Let the Mayor replace the flipped cards for all (FT-9.2)."""
    answers = yield Choose({seat: Replace(t.lineup())})
    if answers[seat]:
        t.sheets[seat].uses -= 1
        t.log_event("uses", seat=seat, character=MAYOR)
        t.discards += t.flipped
        yield from flip(t)


def pay(t: Table, seat: int, lineup: Sequence[int]) -> None:
    """Let the Bank pay, and hunted ranks be paid for first of all (FT-2.6, FT-6)."""
    s = t.sheets[seat]
    reds = sum([is_red(face) for face in lineup])
    if (reds == FLIPPED and s.owns(RED)) or (reds == 0 and s.owns(BLACK)):
        s.gain_stars(t.round)
        t.log_event("bank-pays", seat=seat, amount=t.round)
    s.pool[:0] = [BAIL] * hunted(s, lineup)


def hunted(s: Sheet, lineup: Sequence[int]) -> int:
    """Return how many of the flipped cards are of a rank that a seat hunts (FT-6)."""
    ranks = [rank for rank, hunt in enumerate(HUNTS, JACK) if s.owns(hunt)]
    return sum([number(face) in ranks for face in lineup])


def _moved(t: Table, moves: Mapping[int, Move], answers: Mapping[int, Answer]) -> dict[int, int]:
    """Carry on the turns of the seats with their answers, on new sheets; return their pauses."""
    pauses = {}
    for seat, move in moves.items():
        answer = answers[seat]
        t.sheets[seat], pause = move.outcome(answer)
        if pause is not None:
            pauses[seat] = pause
        if t.log is not None:
            told: list[Phrase] = []
            follow(move.sheet.copy(), move.turn, answer, told)
            _say_all(t, seat, told)
    return pauses


def _say_all(t: Table, seat: int, told: Sequence[Phrase] | None) -> None:
    for message in told or ():
        t.log_event(message.id, seat=seat, **message.values)


def _is_done(t: Table, seat: int, turn: Turn) -> bool:
    """Tell whether a seat has nothing more to choose; what is left without choice is done."""
    told: list[Phrase] | None = None if t.log is None else []
    walk = TurnWalk(t.sheets[seat].copy(), turn, told)
    if walk.ask is not None:
        return False
    t.sheets[seat] = walk.sheet
    _say_all(t, seat, told)
    return True


def _paused(t: Table, pauses: Mapping[int, int], guns: tuple[int, int, int]) -> Rules[None]:
    """Carry out what the seats wait for: robberies and looks at the sheriff card."""
    targets = {seat: pause for seat, pause in pauses.items() if pause != LOOK}
    if targets:
        yield from _robberies(t, targets, guns)
    for seat, pause in pauses.items():
        if pause == LOOK and t.sheriff is not None:
            yield Deal([t.sheriff], seat)


def _robberies(t: Table, targets: Mapping[int, int], guns: tuple[int, int, int]) -> Rules[None]:
    """Flip a robbery card for each robbing seat, in seat order (FT-2.7, FT-5)."""
    cards = yield from draw(t, len(targets))
    yield Show(cards)
    for card, (seat, target) in zip(cards, targets.items(), strict=True):
        told: list[Phrase] | None = None if t.log is None else []
        robbed(t.sheets[seat], target, t.face(card), guns, told)
        _say_all(t, seat, told)
    t.discards += cards


def rules(t: Table) -> Rules[None]:
    """Play from the table's round boundary to the end."""
    if SCHEMA.is_fresh(t):
        yield from deal_anew(t)
    if not t.ready:
        yield from setup(t)
    while t.round < ROUNDS:
        yield Round(t.round + 1)
        t.round += 1
        yield from one_round(t)
    ending(t)


def table(seats: int, options: Mapping[str, str]) -> FliptownTable:
    """Return the table before round 1."""
    return FliptownTable(seats, FliptownOptions(**options))


def result(t: FliptownTable) -> Result:
    """Return how the game ended."""
    return Result(tuple(t.scores), winners(t))


RULES = RuleSet(table, rules, result, snapshot, from_snapshot)
