"""Who has joined an attempt says nothing more until a view begins, and owes nothing meanwhile."""

from __future__ import annotations

from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.failure_detector import PATIENCE, FailureDetector
from lanplay_protocol.replica.messages import MOVE, STATUS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.view_change import CIRCLES
from tests.replica.harness import Table, roster
from tests.replica.test_cut_cheats import bring, status

GRACE, LIARS, HONEST, ALL = 10, (3, 4), (0, 1, 2), tuple(range(5))


def test_the_wait_for_who_is_excused_stands_still():
    detector, debt, members = FailureDetector(0, GRACE), (1, MOVE, 7), frozenset(ALL)
    detector.judge(members, {debt}, 0.0)
    detector.judge(members, {debt}, 6.0, excused={debt})
    detector.judge(members, {debt}, 60.0, excused={debt})
    assert detector.deadline(members, 60.0) is None
    detector.judge(members, {debt}, 61.0)
    assert (detector.late, detector.deadline(members, 61.0)) == (set(), 55.0 + GRACE)
    detector.judge(members, {debt}, 65.0)
    assert detector.late == {1}
    detector.judge(members, {debt}, 66.0, excused={debt})
    detector.forgive(70.0)  # a wait that begins anew while it stands still begins now
    detector.judge(members, {debt}, 71.0)
    assert detector.deadline(members, 71.0) == 71.0 + GRACE


def test_three_honest_ones_of_five_go_on_however_often_liars_had_views_begin_before_they_spoke():
    """Each time all had joined the next attempt before the view began: what they owe there they
    cannot say, and would all be late at once with the liars that sign no further one."""
    table, held = Table(roster(5, 5, TableSettings(grace=GRACE)), seed=b"excused"), []
    post = table._post

    def hold(peer, envelope):
        commits = any(isinstance(r.transcript.phase, CommitPhase) for r in table.replicas)
        if peer in LIARS and envelope.kind == MOVE and (held or commits):
            held.append((peer, envelope.payload))
        elif peer not in LIARS or not held:
            post(peer, envelope)

    table._post = hold
    table.start()
    table.run(lambda _: len({peer for peer, _ in held}) == 2, seconds=600)
    table.run(seconds=1)
    lines = [table.replicas[p].transcript for p in HONEST]
    number = lines[0].number
    assert [(t.number, t.missing) for t in lines] == [(number, set(LIARS))] * 3

    def signs(liar, attempt):
        bring(table, STATUS, status(table, attempt, ALL, liar, liar).plain(), HONEST, liar)
        table.run(seconds=0.1)

    def says(liar):
        for _, move in (each for each in held if each[0] == liar):
            bring(table, MOVE, move, HONEST, liar)
        table.run(seconds=0.1)

    says(3)
    signs(3, 1)
    assert all(table.replicas[p].attendance.promised for p in HONEST)
    says(4)
    for attempt in range(1, CIRCLES + 1):
        signs(3, attempt + 1)
        signs(4, attempt)
    lines = [table.replicas[p].transcript for p in HONEST]
    assert [(t.number, t.circles) for t in lines] == [(number + 1, CIRCLES)] * 3
    assert all(t.missing.issuperset(ALL[1:]) for t in lines[:1])
    table.run(lambda t: all(t.replicas[p].transcript.number > number + 6 for p in HONEST), 300)
    assert all(table.replicas[p].transcript.number > number + 6 for p in HONEST)
    assert table.now < 8 * PATIENCE
