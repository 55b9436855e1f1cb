"""Two complaints of one liar about another, one true and one false, each to others first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.crypto.sealing import seal
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    MOVE,
    Past,
    PhaseMessage,
    complain,
    parse_complaint,
    sign,
)
from lanplay_protocol.replica.reveals import DealCards
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode
from tests.replica.harness import GAME, identity
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, join

SENDER, RECEIVER = 2, 4


def false_to_receiver(table):
    """Let the sender seal one false part to the receiver; return the complaint that it makes."""
    said, at = [], []

    def tamper(table, to, move):
        phase = table.replicas[SENDER].phases.get(move.phase)
        if not isinstance(phase, DealCards) or phase._receiver != RECEIVER or move.phase < 20:
            return None
        if at and at[0] != move.phase:
            return None
        at[:] = [move.phase]
        context = table.replicas[SENDER].context
        label = phase.label(move.previous, move.phase, SENDER)
        junk = seal(context.publics[RECEIVER], bytes(phase._size), label, b"e" * 32)
        return [replace(move, parts=junk)]

    post = table._post

    def listen(peer, event):
        kind, payload = decode(event.body)
        if peer == RECEIVER and kind == "complaint":
            said.append(parse_complaint(payload))
        else:
            post(peer, event)

    table.tampers[SENDER], table._post = tamper, listen
    table.run(lambda t: said, seconds=900)
    return said[0]


@pytest.mark.parametrize("first", [(0,), (0, 1)])
def test_all_convict_both(first):
    table = begun(5, seed=b"both", settings=TableSettings(grace=10))
    true = false_to_receiver(table)
    past = table.replicas[RECEIVER].moves[2][SENDER]
    false = complain(RECEIVER, past, b"", identity(RECEIVER), table.roster)
    honest = (0, 1, 3)
    for p in honest:
        bring(table, "complaint", (false if p in first else true).plain(), (p,), RECEIVER)
    table.run(seconds=400)
    lost = {each for p in honest for e in table.of(p, ViewChanged) for each in e.lost}
    assert not lost & set(honest), lost
    assert len({frozenset(table.replicas[p].convicted) for p in honest}) == 1
    assert all(table.replicas[p].over for p in honest)


@pytest.mark.parametrize("count", [3, 4, 5])
@pytest.mark.parametrize("whom", ["itself"])
def test_one_liar_whose_first_complaint_nobody_can_judge(count, whom):
    """It tells one of a message that hangs nowhere, the others of one in which nothing is false."""
    table = begun(count, seed=b"one%d" % count, settings=TableSettings(grace=10))
    cheat, honest = SENDER, tuple(p for p in range(count) if p != SENDER)
    table.run(lambda t: t.replicas[0].transcript.number > 40, seconds=600)
    replica = table.replicas[0]
    game, number = replica.context.game_id, replica.transcript.number
    # a message of a phase that is long past, of a view that never was
    said = PhaseMessage(cheat, number + 30, 50, Past(MOVE, bytes(32), ()), bytes(32), ())
    nowhere = sign(said, identity(cheat), game)
    idle = complain(cheat, nowhere, b"", identity(cheat), table.roster)
    false = complain(cheat, replica.moves[2][cheat], b"", identity(cheat), table.roster)
    for p in honest:
        bring(table, "complaint", (idle if p == 0 else false).plain(), (p,), cheat)
    table.run(seconds=400)
    lost = {each for p in honest for e in table.of(p, ViewChanged) for each in e.lost}
    assert not lost & set(honest), lost
    assert len({frozenset(table.replicas[p].convicted) for p in honest}) == 1


def test_a_record_names_whom_a_second_complaint_convicted_after_the_end():
    """A first one about the same peer is about what hangs nowhere, and convicts nobody; the liar's
    own status names the second, and no view, nor any final."""
    table, cheat, honest = begun(3, seed=b"one3"), SENDER, (0, 1)
    table.run(lambda t: t.is_over(), seconds=3000)
    replica = table.replicas[0]
    said = PhaseMessage(cheat, 9, 50, Past(MOVE, bytes(32), ()), bytes(32), ())
    nowhere = sign(said, identity(cheat), replica.context.game_id)
    idle = complain(cheat, nowhere, b"", identity(cheat), table.roster)
    false = complain(cheat, replica.moves[2][cheat], b"", identity(cheat), table.roster)
    bring(table, "complaint", idle.plain(), honest, cheat)
    join(table, 5, range(3), honest, cheat, held=(), evidence=(false.key,))
    bring(table, "complaint", false.plain(), honest, cheat)
    assert [set(table.replicas[p].convicted) for p in honest] == [{cheat}] * 2
    found = [check_record(GAME, record_of(table, p)).finding for p in honest]
    assert [each and each.peer for each in found] == [cheat] * 2


def test_complaints_about_what_is_long_past_go_over_no_game_again(monkeypatch):
    """A liar's status names as many as it may: each took one honest peer as long as all phases
    before, half a minute in all, while the others waited for it."""
    table, cheat, judge = begun(3, seed=b"long past"), SENDER, 0
    table.run(lambda t: t.replicas[judge].transcript.number > 90, seconds=900)
    replica = table.replicas[judge]
    others = [by[p] for by in replica.moves[2:12] for p in (0, 1) if p in by]
    made = [complain(cheat, each, b"", identity(cheat), table.roster) for each in others]
    named = tuple(each.key for each in made)
    join(table, 1, range(3), (judge,), cheat, evidence=named)
    again, times = GameLine._again, []
    monkeypatch.setattr(GameLine, "_again", lambda *given: times.append(1) or again(*given))
    for each in made:
        bring(table, "complaint", each.plain(), (judge,), cheat)
    assert len(replica.line.statements.complaints) == len(made) > 10
    assert set(replica.convicted) == {cheat}
    assert len(times) < 3


def test_a_true_complaint_that_comes_late_convicts_whom_it_is_about():
    """Its author was not heard for more phases than any question asks for."""
    table = begun(5, seed=b"both", settings=TableSettings(grace=10))
    true, honest = false_to_receiver(table), (0, 1, 3)
    table.disconnect(*table.pairs(RECEIVER))
    after = true.accused.phase + 70
    table.run(lambda t: t.replicas[0].transcript.number > after, seconds=900)
    assert table.replicas[0].transcript.number > after
    bring(table, "complaint", true.plain(), honest, RECEIVER)
    assert [set(table.replicas[p].convicted) for p in honest] == [{SENDER}] * 3
