"""What modified peers say to freeze, split or starve a table: honest peers play on, unharmed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase, OpenAnswers
from lanplay_protocol.replica.events import AnswerNeeded, RestartVote
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.replica.messages import LEAVE, wish
from lanplay_protocol.replica.outbox import Output
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.view_change import FALLS
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import asks, identity, received, vote
from tests.replica.test_cut import begun, finish
from tests.replica.test_cut_cheats import CHEAT, HONEST, finish_alike, join, leave, level


def gag(table):
    """Let the cheat join nothing."""
    post = table._post

    def tell(peer, event):
        if peer != CHEAT or event.kind not in ("status", "view"):
            post(peer, event)

    table._post = tell


def asked_together(table):
    """Run until all are asked at once and none has answered; return what lets them."""
    held = []

    def wait(peer):
        honest = table.replicas[peer].step

        def step(given, now):
            phase = table.replicas[peer].transcript.phase
            here = isinstance(phase, CommitPhase) and phase.needs == frozenset(range(4))
            if not here or not isinstance(given, inputs.Answered):
                return honest(given, now)
            held.append((peer, lambda: honest(given, table.now)))
            return Output()

        table.replicas[peer].step = step
        return lambda: setattr(table.replicas[peer], "step", honest)

    undo = [wait(peer) for peer in range(4)]
    table.run(lambda t: {peer for peer, _ in held} == {0, 1, 2, 3}, seconds=900)
    assert len(held) == 4
    for each in undo:
        each()
    answers = dict(held)
    return lambda *peers: [table.handle(peer, answers[peer]()) for peer in peers]


def test_of_two_commitments_of_one_that_left_none_counts():
    """DT-2.2: a cheat commits to one thing towards 0 and to another towards 1 and 3, and leaves
    while 3 still thinks: the cut counts neither, and the game goes on."""
    table = begun(seed=b"a06")
    let = asked_together(table)
    number = table.replicas[0].transcript.number

    def tamper(table, to, move):
        if to != 0 or move.phase != number:
            return None
        (_, sealed), *rest = move.parts
        return [replace(move, parts=((bytes(32), sealed), *rest))]

    table.tampers[CHEAT] = tamper
    let(0, 1, CHEAT)
    table.run(
        lambda t: all(CHEAT in t.replicas[p].transcript.moves[number] for p in HONEST), seconds=1
    )
    table.tampers.clear()
    table.step(CHEAT, inputs.Leaving())
    table.kill(CHEAT, lost=False)
    table.run(lambda t: t.replicas[0].begun, seconds=30)
    assert table.replicas[0].begun
    let(3)
    finish_alike(table, HONEST)
    carried = table.replicas[0].begun[0].carried
    assert CHEAT not in {each.signed.sender for each in carried}
    assert all((CHEAT, Code.EQUIVOCATION) in table.accused(peer) for peer in HONEST)


def test_a_farewell_to_one_alone_reaches_all():
    """A peer that says only to 0 that it leaves is left out by all, and back at once."""
    table = begun(seed=b"a28")
    level(table)
    leave(table, to=(0,))
    finish(table)
    assert table.replicas[1].begun


def test_a_farewell_that_one_hears_before_a_view_and_another_after_it_counts_for_both():
    """Else they want other members for good, and the table stands still (a liar told one of them,
    as all had joined the attempt that began the next view)."""
    table = begun(5, seed=b"a29")
    level(table)
    table.kill(4)
    joined = lambda t: all(r.attendance.promised or r.begun for r in t.alive)  # noqa: E731
    table.run(joined, seconds=60)
    post, held = table._post, []

    def tell(peer, event):
        held.append((peer, event)) if event.kind == LEAVE else post(peer, event)

    table._post = tell
    late = next(p for p in HONEST if not table.replicas[p].begun)
    leave(table, view=0, to=(late,))
    table.run(lambda t: all(t.replicas[p].begun for p in HONEST), seconds=5)
    assert held
    table._post = post
    for each in held:
        post(*each)
    table.run(seconds=1)
    assert len({CHEAT in table.replicas[p].attendance.detector.left for p in HONEST}) == 1
    finish_alike(table, HONEST)


def test_who_asks_for_what_it_lacks_hears_who_has_left():
    """A peer that was catching up when others heard a farewell wants the same members as they."""
    table = begun(seed=b"a31")
    level(table)
    first = table.replicas[0]
    made = wish(LEAVE, CHEAT, 0, identity(CHEAT), first.context.game_id)
    first.step(inputs.Received(CHEAT, LEAVE, made.plain()), table.now)
    sent = first.step(received(1, asks(first.transcript)), table.now).send
    assert [each.payload for each in sent if each.kind == LEAVE and each.to == 1] == [made.plain()]


def test_who_asks_is_sent_the_messages_of_its_phase_but_for_those_that_it_says_it_holds():
    """What a question names is not sent anew, as long as it is of this very view and phase."""
    table = begun(seed=b"a32")
    level(table, lambda t: len(t.replicas[0].transcript.moves[-1]) > 1)
    first = table.replicas[0]
    view, phase = first.transcript.at
    authors = set(first.transcript.moves[-1])

    def sent(phase, held):
        past = first.transcript.past.hash
        want = encode(("want", (view, phase, past, (), (), held)))
        output = first.step(received(1, want), table.now).send
        return {(each.payload[0], each.payload[1]) for each in output if each.kind == "move"}

    one = min(authors)
    assert sent(phase, ()) == {(author, phase) for author in authors}
    assert sent(phase, (one, 7)) == {(author, phase) for author in authors - {one}}
    assert (one, phase) in sent(phase - 1, (one,))
    assert sent(phase, tuple(range(8))) == set()


def test_what_somebody_outside_signs_again_and_again_is_not_sent_on_once_it_is_convicted():
    """A convicted liar that is out signs attempts without end: who asks what is new gets one."""
    table = begun(5, seed=b"a30")
    level(table)
    first = table.replicas[0]
    first.line.convicted.add(CHEAT)
    for attempt in range(1, 20):
        join(table, attempt, range(5))
    sent = first.step(received(1, asks(first.transcript)), table.now).send
    assert len(first.line.statements.statuses) >= 19
    assert len([each for each in sent if each.kind == "status" and each.payload[0] == CHEAT]) == 1


def test_who_joins_no_attempt_is_left_out():
    """A cheat that joins no attempt keeps none from being made: it is late, and not guilty."""
    table = begun(5, seed=b"a05")
    level(table)
    gag(table)
    table.step(1, inputs.Leaving())
    table.kill(1, lost=False)
    finish_alike(table, (0, 3, 4))
    assert all(table.accused(peer) == set() for peer in (0, 3, 4))


def test_whoever_is_out_cannot_freeze_the_table():
    """BUDGET: a peer that is gone and asks back in every view costs the others a few waits."""
    table = begun(seed=b"a25")
    level(table)
    table.kill(CHEAT)

    asked = set()

    def ask_back(_):
        first = table.replicas[0]
        view = first.transcript.view
        if (
            CHEAT not in first.transcript.members
            and not first.attendance.promised
            and view not in asked
        ):
            asked.add(view)
            join(table, view + 1, range(4))
        return table.is_over()

    table.run(ask_back, seconds=900)
    finish_alike(table, HONEST)
    assert table.replicas[0].transcript.falls[CHEAT] == FALLS + 1
    assert all(table.accused(peer) == set() for peer in HONEST)


@pytest.mark.longer_games
def test_one_that_claims_to_hear_the_dead_keeps_nobody_waiting():
    """That another hears a lost peer is only believed while what that peer signs comes through."""
    table = begun(5, seed=b"a18")
    level(table, lambda t: isinstance(t.replicas[1].transcript.phase, CommitPhase))
    post = table._post

    def tell(peer, event):
        if peer == CHEAT and decode(event.body)[0] == "presence":
            event = replace(event, payload=Liveness(frozenset()).plain())
        post(peer, event)

    table._post = tell
    table.kill(1)
    table.run(lambda t: t.replicas[0].begun, seconds=30)
    assert table.replicas[0].begun[0].lost == {1}
    finish(table)


def test_a_program_that_does_not_let_its_ai_answer_is_left_out():
    """A majority does not want to wait, the person's program is there and does nothing for 10 s."""
    table = begun(seed=b"a20", settings=TableSettings(grace=0))
    level(table)
    honest = table.replicas[CHEAT].step
    table.replicas[CHEAT].step = lambda given, now: (
        Output() if isinstance(given, inputs.Answered) else honest(given, now)
    )

    def waits(_):
        transcript = table.replicas[0].transcript
        return isinstance(transcript.phase, CommitPhase | OpenAnswers) and transcript.missing == {
            CHEAT
        }

    table.run(waits, seconds=100)
    for peer in HONEST:
        table.step(peer, inputs.SkipWait(CHEAT))
    table.run(lambda t: t.replicas[0].begun, seconds=60)
    assert all(table.accused(peer) == set() for peer in HONEST)
    table.kill(CHEAT)
    table.run(seconds=2)  # it may have come back: a wish is over then
    for peer in HONEST:
        table.step(peer, inputs.SkipWait(CHEAT))
    finish_alike(table, HONEST)


def test_who_leaves_again_and_again_does_not_keep_the_others_from_playing():
    """Farewells cost a view each, and every time a longer wait before the return."""
    table = begun(seed=b"a24")
    level(table)
    cheat = table.replicas[CHEAT]

    def flap(_):
        first = table.replicas[0]
        here = CHEAT in first.context.present & first.transcript.members
        if here and len(cheat.begun) == len(first.begun) and not first.attendance.promised:
            leave(table)
        return table.is_over()

    table.run(flap, seconds=900)
    assert all(table.replicas[peer].over for peer in HONEST)
    assert 2 <= table.replicas[0].transcript.falls[CHEAT] <= FALLS + 1
    assert len(table.of(0, AnswerNeeded)) > 5


@pytest.mark.longer_games
def test_whoever_votes_again_and_again_for_a_new_game_is_told_of_once_until_the_game_goes_on():
    """Enough are here: each vote was forgotten at once, and the next one told as the first."""
    table = begun(4, seed=b"votes")
    level(table)
    for n in range(100):
        again = vote(table.roster, CHEAT, bytes([n]) * 32, (), (CHEAT,))
        table.step(0, inputs.Received(CHEAT, "anew", again))
    assert len(table.of(0, RestartVote)) == 1
