"""Complaints that nobody can judge, as their message hangs nowhere, are in nobody's way."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.allowance import NAMED, Allowance
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, complain, sign
from lanplay_protocol.replica.roster import PEERS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.verdicts import Verdicts
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import Table, identity, roster
from tests.replica.test_audit import record_of
from tests.replica.test_cut_cheats import bring, status
from tests.replica.test_finals import GAME, near_the_end

ONE, OTHER, LIAR = 0, 1, 2
HONEST = (ONE, OTHER)


def complaint_of(table, signed, disclosure=bytes(96)):
    return complain(LIAR, signed, disclosure, identity(LIAR), table.roster)


def nowhere(table, number=0):
    """A complaint of the liar about a message of its own."""
    replica = table.replicas[ONE]
    place = replica.transcript.number + 1, replica.transcript.view + 9
    said = PhaseMessage(LIAR, *place, Past(MOVE, bytes(32), ()), bytes(32), ())
    signed = sign(said, identity(LIAR), replica.context.game_id)
    return complaint_of(table, signed, number.to_bytes(2, "big"))


def later(table, view):
    """A message of the liar in which nothing was sealed, of a view that may be kept then."""
    replica = table.replicas[ONE]
    line, number = replica.transcript, replica.transcript.number - 3
    past = next(p for p in line.followed.values() if line.line[p.hash] == (number, 0))
    said = PhaseMessage(LIAR, number, view, past, line.state_at(number), ())
    return sign(said, identity(LIAR), replica.context.game_id)


@pytest.mark.parametrize("over", [False, True])
def test_whoever_complains_of_a_message_that_is_true_is_convicted_by_all_at_the_end_too(over):
    """Each honest peer was shown another complaint first, and nobody names anything any more."""
    with installed():
        table = near_the_end(3, grace=5)
        moves = table.replicas[ONE].transcript.moves[:-1]
        own = next(said[LIAR] for said in reversed(moves) if LIAR in said)
        idle = nowhere(table)
        if over:
            table.run(Table.is_over, seconds=60)
        bring(table, "complaint", idle.plain(), (ONE,), LIAR)
        bring(table, "complaint", complaint_of(table, own).plain(), (OTHER,), LIAR)
        table.run(seconds=30)
        assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 2
        found = [check_record(GAME, record_of(table, p)).finding for p in HONEST]
        assert [each and each.peer for each in found] == [LIAR] * 2


def test_what_a_liar_names_is_charged_to_nobody_that_has_gone_on_with_it():
    """And what they have gone on with is kept beside, as they may have been given it before."""
    allowance = Allowance()
    assert all(allowance.grants({LIAR}, {ONE}) for _ in range(NAMED))
    assert not allowance.grants({LIAR})
    assert allowance.grants({ONE})
    assert all(allowance.grants({LIAR}, {ONE}) for _ in range(NAMED * PEERS))
    assert not allowance.grants({LIAR}, {ONE})
    assert allowance.grants({ONE}, {OTHER})


class Naming(Verdicts):
    """A liar's, whose statuses name what it likes."""

    named = ()

    @property
    def evidence(self):
        return tuple(sorted(each.key for each in self.named))


def test_what_a_liar_names_uses_up_nothing_of_what_is_kept_for_whoever_has_gone_on_with_it():
    """Else no status of an honest peer counts at another one that comes back, as it names one
    complaint more: the table of three would stand for good."""
    with installed():
        table = Thinking(roster(3, settings=TableSettings(grace=5)), b"spent", shuffle_order=False)
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 20, seconds=600)
        table.replicas[LIAR]._has_signed = lambda *_: None  # it says what it likes beside that
        accused = later(table, table.replicas[ONE].line.ground + 3)
        bring(table, "complaint", nowhere(table).plain(), (OTHER,), LIAR)
        verdicts = table.replicas[LIAR]._verdicts
        verdicts.__class__ = Naming

        def waits(t):
            lines = [t.replicas[p].transcript for p in t.up]
            asked = all(line.phase and not line.phase.prompt for line in lines)
            return asked and not t.queue and all(line.missing == {ONE} for line in lines)

        for _ in range(2):  # the other one is away for longer than the grace
            table.up, table.think = (ONE, OTHER, LIAR), {ONE}
            table.run(waits, seconds=60)
            assert waits(table)
            verdicts.named = [nowhere(table, 1 + n) for n in range(32)]
            for each in verdicts.named:
                table.replicas[LIAR].line.add(each.accused)
                table.replicas[LIAR].line.statements.complain(each)
            at, table.up = table.replicas[ONE].transcript.number, (ONE, LIAR)
            table.disconnect(*table.pairs(OTHER))
            table.run(lambda t: OTHER not in t.replicas[ONE].transcript.members, seconds=60)
            table.answer()
            table.run(lambda t, at=at: t.replicas[ONE].transcript.number > at + 2, seconds=60)
            table.think = {ONE}
            table.run(waits, seconds=60)
            verdicts.named = ()
            table.connect((ONE, OTHER), (LIAR, OTHER))
            table.run(lambda t: all(len(r.transcript.members) == 3 for r in t.replicas), seconds=60)
            table.answer()
        last = complaint_of(table, accused)
        names = status(table, 99, (ONE, LIAR), LIAR, LIAR, evidence=(last.key,))
        bring(table, "status", names.plain(), (ONE,), LIAR)
        bring(table, "complaint", last.plain(), (ONE,), LIAR)
        assert set(table.replicas[ONE].convicted) == {LIAR}
        table.kill(LIAR)
        goal = table.replicas[ONE].transcript.number + 9
        honest = [table.replicas[p] for p in HONEST]
        table.run(lambda t: all(r.transcript.number > goal or r.over for r in honest), seconds=60)
        assert all(r.transcript.number > goal or r.over for r in honest)
        assert all(set(r.convicted) == {LIAR} for r in honest)
