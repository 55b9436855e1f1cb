"""What modified peers say to freeze, split or starve a table: honest peers play on, unharmed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase, OpenAnswers
from lanplay_protocol.replica.cut import (
    Cut,
    Leave,
    Prepare,
    Promise,
    Propose,
    Vote,
    check_word,
    parse_ballots,
    sign_word,
)
from lanplay_protocol.replica.deciding import Deciding, Stand
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.replica.outbox import Output
from lanplay_protocol.replica.roster import PEERS
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode
from tests.replica.harness import identity
from tests.replica.test_cut import begun, finish
from tests.replica.test_cut_cheats import CHEAT, HONEST, cut, finish_alike, level, say


def gag(table, change):
    """Let the cheat's words about cuts be changed, or not said where ``change`` is ``None``."""
    post, game = table._post, table.replicas[0].context.game_id

    def tell(peer, event):
        kind, payload = decode(event.body)
        if peer == CHEAT and kind == "cut":
            ballots = parse_ballots(payload)
            changed = change(check_word(ballots, table.roster, game)) if change else None
            if changed is None:
                return
            signed = sign_word(changed, CHEAT, identity(CHEAT), game)
            signed = replace(signed, extra=ballots.extra)
            event = replace(event, payload=signed.plain())
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
    table.run(lambda t: t.replicas[0].decided, seconds=30)
    assert table.replicas[0].decided
    let(3)
    finish_alike(table, HONEST)
    assert table.replicas[0].decided[0].cut.moves == ()
    assert all((CHEAT, Code.EQUIVOCATION) in table.accused(peer) for peer in HONEST)


def test_who_was_cut_by_a_vote_that_nobody_else_saw_votes_for_it_too():
    """0 has voted 2 out and 1 may have; 1 ends and 2 is back: a quorum is here and goes on."""
    table = begun(3, seed=b"a10", settings=TableSettings(grace=5))
    level(table, lambda t: t.replicas[0].transcript.number > 20)
    table.disconnect((0, 2), (1, 2))
    post = table._post

    def tell(peer, event):
        post(peer, event)
        kind, payload = decode(event.body)
        if kind == "cut" and peer == 0 and 1 not in table.dead and decode(payload[1])[2] == "vote":
            table.kill(1)

    table._post = tell
    table.run(lambda t: 1 in t.dead, seconds=60)
    assert table.replicas[0]._deciding.voted
    assert not table.replicas[1].decided
    table.connect((0, 2))
    table.run(lambda t: t.is_over(), seconds=100)
    assert [decided.cut.lost for decided in table.replicas[0].decided] == [(2,), (1,)]
    finish_alike(table, (0, 2))


def test_a_farewell_to_one_alone_reaches_all():
    """A peer that says only to 0 that it leaves is cut off by all, and back at once."""
    table = begun(seed=b"a28")
    level(table)
    say(table, Leave(0), to=(0,))
    finish(table)
    assert table.replicas[1].decided


def test_whoever_is_out_cannot_freeze_the_table():
    """A peer that was cut off asks for promises again and again: nobody listens."""
    table = begun(seed=b"a25")
    level(table)
    for peer in HONEST:
        table.replicas[peer]._detector.suspect(CHEAT, "it left")
    gag(table, None)
    table.run(lambda t: all(t.replicas[p].decided for p in HONEST), seconds=30)
    answers = say(table, Prepare(1, PEERS + CHEAT, ()))
    assert not any(answers.values())
    finish_alike(table, HONEST)


@pytest.mark.parametrize("peers", [3, 4, 5])
def test_who_asks_for_promises_and_gives_none_is_cut_off(peers):
    """A cheat freezes the table by a preparation and keeps silent then: it counts as missing."""
    table = begun(peers, seed=b"a05")
    level(table)
    gag(table, None)
    others = tuple(peer for peer in range(peers) if peer != CHEAT)
    say(table, Prepare(0, PEERS + CHEAT, ()), to=others)
    finish_alike(table, others)
    assert all(table.accused(peer) <= {(CHEAT, Code.WITHHOLDS)} for peer in others)


def test_who_claims_to_be_further_has_to_bring_the_others_there():
    """A promise of a phase that nobody can reach: its author counts as missing."""
    table = begun(seed=b"a03")
    level(table)
    number = table.replicas[0].transcript.number

    def change(word):
        if isinstance(word, Promise):
            return replace(word, phase=number + 3, transcript=bytes(32))
        return word if not isinstance(word, Propose | Prepare) else None

    gag(table, change)
    say(table, Prepare(0, PEERS + CHEAT, ()))
    finish_alike(table, HONEST)
    assert all(table.accused(peer) <= {(CHEAT, Code.WITHHOLDS)} for peer in HONEST)


def test_nobody_uses_the_ballots_up():
    """A ballot far above all others is not heard."""
    table = begun(seed=b"a04")
    level(table)
    answers = say(table, Prepare(0, (1 << 48) - PEERS + CHEAT, ()))
    assert not any(answers.values())
    finish(table)


def test_a_promise_with_a_message_that_its_author_did_not_sign_is_refused():
    """What is attached to a promise is what the promise names, signed by its author."""
    table = begun(seed=b"a12")
    level(table)
    replica = table.replicas[0]
    stand = (replica.transcript.number, replica.context.transcript_hash)
    promise = Promise(0, PEERS, (), (), *stand, ((1, bytes(32)),))
    with pytest.raises(PeerError):
        say(table, promise, to=(0,))
    finish(table)


def test_an_old_message_of_a_lost_peer_is_none_of_the_present_phase():
    """A cut that counts an earlier message of the lost is refused."""
    table = begun(seed=b"a34")
    level(table)
    replica = table.replicas[0]
    old = next(phase[1] for phase in reversed(replica.moves[:-1]) if 1 in phase)
    with pytest.raises(PeerError, match="another phase"):
        table.replicas[0]._deciding.promised = PEERS + CHEAT
        say(table, Propose(PEERS + CHEAT, cut(table, lost=(1,), moves=(old,))), to=(0,))


NOWHERE = bytes(32)


def stand(**changes):
    """Where a voter stands that hears everybody."""
    sets = ("lost", "back", "barred", "wronged", "two_faced")
    plain = {name: frozenset() for name in sets}
    here = {"phase": 9, "transcript": NOWHERE, "present": frozenset(range(4))}
    return Stand(**{**plain, **here, "held": lambda peers: (), **changes})


def voting(proposed, promises, origin=(), where=None):
    """Return what peer 0 of four says to a proposal of the cheat's."""
    deciding = Deciding(0, 3, 4)
    deciding.prepared(Prepare(0, BALLOT, ()), where or stand())
    return deciding.ballot(proposed, dict(promises), dict(origin), where or stand())


BALLOT = 3 * PEERS + CHEAT
NOBODY = Cut(0, (), (), (), 9, NOWHERE, ())
FREE = {peer: Promise(0, BALLOT, (), (), 9, NOWHERE, ()) for peer in (0, 1, CHEAT)}


def test_a_proposal_that_its_promises_lead_to_gets_a_vote():
    """A cut of nobody, where all who promised stand."""
    assert voting(Propose(BALLOT, NOBODY), FREE) == Vote(0, BALLOT, NOBODY.digest())


@pytest.mark.parametrize(
    "lie",
    [{"lost": (1,)}, {"back": (7,)}, {"phase": 12}, {"transcript": bytes([1]) * 32}, {"phase": 8}],
)
def test_a_proposal_that_its_promises_do_not_lead_to_gets_no_vote(lie):
    """Voters work the cut out themselves: whom it loses, whom it lets back, where it takes hold."""
    assert voting(Propose(BALLOT, replace(NOBODY, **lie)), FREE) is None


def test_a_cut_that_leaves_no_quorum_gets_no_vote():
    """With 3 out already, 1 is not cut off as well: two of four can open nothing."""
    where = stand(present=frozenset((0, 1, CHEAT)), lost=frozenset((1,)))
    promises = {p: replace(word, lost=(1,)) for p, word in FREE.items() if p != 1}
    promises[3] = promises[0]
    assert voting(Propose(BALLOT, replace(NOBODY, lost=(1,))), promises, where=where) is None


def test_promises_of_too_few_or_under_another_ballot_lead_to_nothing():
    """It takes a quorum that promised this very ballot."""
    few = {peer: FREE[peer] for peer in (0, CHEAT)}
    old = {**FREE, 1: replace(FREE[1], ballot=BALLOT - PEERS)}
    assert voting(Propose(BALLOT, NOBODY), few) is None
    assert voting(Propose(BALLOT, NOBODY), old) is None


def test_an_earlier_vote_binds_the_proposer():
    """Whoever promised and had voted says so: no other cut may be proposed, and that one only with
    the promises that it was proposed for at first."""
    before = BALLOT - PEERS
    lost = replace(NOBODY, lost=(1,), back=())
    origin = {peer: Promise(0, before, (1,), (), 9, NOWHERE, ()) for peer in (0, CHEAT, 3)}
    bound = {**FREE, CHEAT: replace(FREE[CHEAT], voted=(before, lost.digest()))}
    assert voting(Propose(BALLOT, NOBODY), bound) is None
    assert voting(Propose(BALLOT, lost), bound) is None
    assert voting(Propose(BALLOT, lost), bound, FREE) is None
    assert voting(Propose(BALLOT, lost), bound, origin) == Vote(0, BALLOT, lost.digest())


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
    table.run(lambda t: t.replicas[0].decided, seconds=30)
    assert table.replicas[0].decided[0].cut.lost == (1,)
    finish(table)


def test_a_program_that_does_not_let_its_ai_answer_is_cut_off():
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
    table.run(lambda t: t.replicas[0].decided, seconds=60)
    assert all(table.accused(peer) == {(CHEAT, Code.WITHHOLDS)} for peer in HONEST)
    table.kill(CHEAT)
    finish_alike(table, HONEST)


def test_who_leaves_again_and_again_stays_away_longer_each_time():
    """Farewells cannot keep the others from playing."""
    table = begun(seed=b"a24")
    level(table)
    cheat = table.replicas[CHEAT]

    def flap(_):
        first = table.replicas[0]
        here = CHEAT in first.context.present & first.transcript.members
        if here and len(cheat.decided) == len(first.decided) and not first.status.promised:
            say(table, Leave(len(first.decided)))
        return table.is_over()

    table.run(flap, seconds=900)
    assert table.is_over()
    assert len(table.of(0, AnswerNeeded)) > 5
    finish_alike(table, HONEST)
