"""Whoever watches ends where the table ends, verifies all of it, and never sees a hidden thing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from lanplay.engine.record import Record
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.context import OBSERVER
from lanplay_protocol.replica.events import (
    Accused,
    GameOver,
    Logged,
    PhaseCompleted,
    TrustNeeded,
    ViewChanged,
)
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import PhaseMessage, SignedMessage, parse_position, sign
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.spectator import (
    CHUNK,
    NUDGE,
    VAIN,
    Spectator,
    answer,
    public,
)
from lanplay_protocol.wire import decode, encode
from tests.replica.faults import steps
from tests.replica.harness import GAME, Table, identity, roster

GRACE = 5


class Watched(Table):
    """A table with a spectator at one of its peers; ``shuffled`` is the chance of disorder."""

    def __post_init__(self):
        super().__post_init__()
        self.spectator = None
        self.at = 0
        self.seen = []
        self.waiting = []
        self.shuffled = None

    def watch(self, peer=0, shuffled=None):
        """Let a spectator come to a peer, or go on with another one."""
        self.spectator = self.spectator or Spectator(GAME, self.roster)
        self.at, self.waiting, self.shuffled = peer, [], shuffled
        self.show(self.spectator.linked(self.now))

    def handle(self, peer, output):
        super().handle(peer, output)
        if self.spectator is not None and peer == self.at:
            for entry in output.persist:
                self.waiting += public(entry)

    def show(self, events):
        for event in events:
            self.seen.append(event)
            if isinstance(event, Envelope):
                kind, payload = decode(event.body)
                assert kind == "want"
                self.waiting += answer(self.replicas[self.at], parse_position(payload))

    def run(self, until=lambda table: False, seconds=60.0):
        def watched(table):
            self.deliver()
            return until(table)

        super().run(watched, seconds)

    def deliver(self):
        """Bring the spectator what is on its way to it."""
        while self.spectator is not None and self.waiting:
            waiting, self.waiting = self.waiting, []
            if self.shuffled is not None:
                self.shuffled.shuffle(waiting)
            for body in waiting:
                self.show(self.spectator.receive(body, self.now))
        if self.spectator is not None:
            self.show(self.spectator.tick(self.now))

    def catch_up(self):
        """Let time pass for the spectator until it is where its peer is."""
        for _ in range(100):
            self.deliver()
            if (
                self.spectator.over
                or self.spectator.position == self.replicas[self.at].transcript.at
            ):
                return
            self.now += NUDGE

    def seen_of(self, kind):
        return [event for event in self.seen if isinstance(event, kind)]

    def ended_alike(self):
        """Tell whether the game is over for the spectator, alike."""
        return self.stands_alike() and self.spectator.over

    def stands_alike(self):
        """Tell whether the spectator is where its peer is, and knows what all know."""
        self.catch_up()
        mine, theirs = self.spectator, self.replicas[self.at]
        assert mine.context.transcript_hash == theirs.context.transcript_hash
        assert mine.transcript.state == theirs.transcript.state
        assert mine.context.referee.table.faces == theirs.context.referee.table.faces
        assert mine.context.referee.history == theirs.context.referee.history
        return mine.context.referee.table.hash() == theirs.context.referee.table.hash()


def table_of(peers=3, seed=b"watched", settings=None):
    table = Watched(roster(peers, settings=settings or TableSettings(grace=GRACE)), seed=seed)
    table.start()
    return table


def finish(table):
    table.run(lambda t: t.is_over(), seconds=3000)
    assert table.is_over()


def knows_only_what_all_know(spectator):
    """It has no seat, no view, no share of any key and no key but the one that everybody has."""
    context = spectator.context
    return (context.me, context.views, any(context.shares), context.key.x) == (
        OBSERVER,
        {},
        False,
        1,
    )


@pytest.mark.parametrize("before", [0, 150, 700])
def test_a_spectator_that_comes_at_any_time_ends_with_the_table(before):
    """At the very start, in the opening rounds, late: it reaches the table's state and knows no
    face but those that all know."""
    table = table_of()
    table.run(lambda t: all(r.transcript.number >= min(before, SETUP) for r in t.replicas))
    steps(table, before)
    table.watch(peer=1)
    hidden = []

    def look(t):
        hidden.append(not knows_only_what_all_know(t.spectator))
        return t.is_over()

    table.run(look, seconds=3000)
    assert table.ended_alike()
    assert not any(hidden)
    assert len(table.seen_of(GameOver)) == 1
    assert table.seen_of(GameOver)[0].result == table.of(0, GameOver)[0].result


def test_it_tells_the_same_story_as_a_seat():
    """The log, every step and the words of the table are those of whoever plays."""
    table = table_of()
    steps(table, 400)
    table.watch()
    finish(table)
    table.catch_up()
    assert table.seen_of(Logged) == table.of(0, Logged)
    assert table.seen_of(PhaseCompleted) == table.of(0, PhaseCompleted)
    assert [event.binding for event in table.seen_of(TrustNeeded)] == [
        table.replicas[0].context.game_id
    ]


@pytest.mark.longer_games
@pytest.mark.parametrize("seed", range(2))
def test_messages_come_in_any_order(seed):
    """Moves and decisions that come before what they follow wait, or are asked for again."""
    table = table_of(4, seed=b"any order")
    steps(table, 500)
    table.watch(shuffled=random.Random(seed))
    steps(table, 200)
    table.kill(2)
    table.run(lambda t: t.replicas[0].begun, seconds=60)
    steps(table, 200)
    assert table.stands_alike()
    assert table.seen_of(ViewChanged)


def test_a_cut_whose_phase_is_past_takes_the_spectator_back():
    """A peer ends when only one other has its message: that one and who watches it go on, the table
    decides without the message, and they follow it."""
    table = table_of(5, seed=b"kind")
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    back = []
    post = table._post

    def end(peer, event):
        said, payload = decode(event.body)
        if (peer, said) == (4, "move") and payload[0] == 4 and not table.kill_at:
            kind = type(table.replicas[4].phases.get(payload[1]))
            table.kill_at = (4, table.sends[4] + 1, 1) if kind is CommitPhase else ()
        post(peer, event)

    table._post = end
    table.watch(peer=0)
    again = table.spectator.line.rewind
    table.spectator.line.rewind = lambda phase, views: (back.append(phase), again(phase, views))
    table.run(lambda t: t.dead, seconds=3000)
    number = table.replicas[1].transcript.number
    table.run(lambda t: t.spectator.transcript.number > number, seconds=10)
    table.disconnect(*table.pairs(0))
    table.run(lambda t: t.replicas[1].begun, seconds=60)
    assert table.replicas[1].begun[0].lost == {0, 4}
    table.connect(*table.pairs(0))
    table.run(lambda t: t.spectator.transcript.views, seconds=60)
    assert back == [number]
    assert table.stands_alike()


@pytest.mark.parametrize("when", ["missing", "begun", "again"])
def test_a_spectator_that_comes_during_a_cut_ends_with_the_table(when):
    """While somebody is missing, right after the decision, and after one who was cut came back."""
    table = table_of(4, seed=b"during")
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    steps(table, 300)
    table.kill(2)
    if when != "missing":
        table.run(lambda t: t.replicas[0].begun, seconds=60)
    if when == "again":
        steps(table, 100)
        table.restart(2)
        table.run(lambda t: len(t.replicas[0].begun) > 1, seconds=60)
        table.kill(1)
        table.run(lambda t: len(t.replicas[0].begun) > 2, seconds=60)
    table.watch(peer=3)
    steps(table, 200)
    if when == "missing":
        finish(table)
    assert table.stands_alike()
    assert knows_only_what_all_know(table.spectator)
    lost = [peer for event in table.seen_of(ViewChanged) for peer in event.lost]
    assert lost == ([2, 1] if when == "again" else [2])


def test_its_peer_may_go_and_another_takes_over():
    """It goes on with another peer where it stood, and tells nothing twice; a phase that those
    left have done anew without the lost one is another."""
    table = table_of(4, seed=b"other peer")
    steps(table, 300)
    table.watch(peer=2)
    steps(table, 100)
    table.kill(2)
    steps(table, 100)
    assert not table.replicas[0].over
    table.watch(peer=0)
    steps(table, 200)
    assert table.stands_alike()
    told = [(event.phase, event.transcript) for event in table.seen_of(PhaseCompleted)]
    assert told == sorted(dict.fromkeys(told), key=lambda each: each[0])


def forged(table, spectator, signer):
    """A move for the spectator's present phase, signed by an identity."""
    transcript = spectator.transcript
    peer = min(transcript.missing)
    past = (transcript.view, transcript.past, transcript.state)
    move = PhaseMessage(peer, transcript.number, *past, ())
    return encode(("move", sign(move, signer, spectator.context.game_id).plain()))


@pytest.mark.parametrize("signer", ["stranger", "itself"])
def test_what_cannot_be_verified_is_ignored(signer):
    """A false signature, or a false message that its author did sign, to us alone: the true one
    counts, as it does for those who play."""
    table = table_of()
    table.run(lambda t: t.replicas[0].transcript.number > 20)
    table.watch()
    table.deliver()
    transcript = table.spectator.transcript
    who = identity(min(transcript.missing)) if signer == "itself" else Identity(b"x" * 32)
    before = (table.spectator.position, dict(transcript.moves[-1]))
    table.show(table.spectator.receive(forged(table, table.spectator, who), table.now))
    assert (table.spectator.position, dict(transcript.moves[-1])) == before
    steps(table, 100)
    assert table.stands_alike()


def test_a_peer_that_claims_more_than_it_shows_is_left_for_another():
    """After some vain questions the connection is to be closed; another peer brings it further."""
    table = table_of()
    table.watch()
    table.run(lambda t: t.replicas[0].transcript.number > 20)
    spectator, here = table.spectator, table.spectator.position
    claim = encode(("here", (here[0], here[1] + 9)))
    told = len(table.seen_of(PhaseCompleted))
    with pytest.raises(PeerError, match="cannot be verified"):
        for _ in range(VAIN + 2):
            spectator.receive(claim, table.now)
            table.now += NUDGE
            spectator.tick(table.now)
    table.watch(peer=2)
    steps(table, 100)
    assert table.stands_alike()
    assert len(table.seen_of(PhaseCompleted)) > told
    phases = [event.phase for event in table.seen_of(PhaseCompleted)]
    assert phases == sorted(set(phases))


def test_a_view_that_not_all_of_its_members_have_signed_does_not_begin():
    """A certificate without one of its statuses is ignored."""
    table = table_of(4, seed=b"votes")
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.kill(2)
    table.run(lambda t: t.replicas[0].begun, seconds=60)
    statuses = [each.plain() for each in table.replicas[0].begun[0].statuses]
    early = table_of(4, seed=b"votes")
    early.watch()
    early.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    early.show(early.spectator.receive(encode(("view", tuple(statuses[:-1]))), early.now))
    assert early.spectator.transcript.views == []
    assert early.stands_alike()


@pytest.mark.parametrize("body", [("bye", bytes(32)), ("here", (1,)), ("move", ()), ("cut", 1)])
def test_other_messages_close_the_connection(body):
    """What is no part of watching, or malformed, is its sender's fault."""
    spectator = Spectator(GAME, roster(3))
    with pytest.raises(PeerError):
        spectator.receive(encode(body), 0.0)


def test_a_spectators_record_verifies():
    """What it has seen can be checked again by anybody, like a player's record."""
    table = table_of(4, seed=b"record")
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.kill(3)
    table.watch()
    finish(table)
    assert table.ended_alike()
    verdict = check_record(GAME, record_of(table))
    assert verdict.finding is None
    assert verdict.checked == table.spectator.checked


def record_of(table):
    """The record that the spectator of a table keeps."""
    referee, over = table.spectator.context.referee, table.spectator.over
    head = table.roster.header, tuple(referee.history), referee.table.hash()
    return Record(*head, finished=over, extra=table.spectator.proof)


def two_bodies(table, to, move):
    """Tell the one peer this and the other that."""
    return [replace(move, state=bytes(32))] if to else None


@pytest.mark.parametrize("late", [False, True])
def test_who_watches_convicts_whom_the_table_convicts_and_its_record_too(late):
    """Also who comes when all is over: it is given the proofs beside what counts."""
    table = table_of(3, seed=b"verdict")
    if not late:
        table.watch()
    table.run(lambda t: t.replicas[0].transcript.number > 30, seconds=300)
    table.shuffle_order = False  # the body that is false by itself comes second
    table.tampers[2] = two_bodies
    table.run(lambda t: all(r.begun for r in t.replicas[:2]), seconds=60)
    if late:
        table.watch()
    table.run(lambda t: len(t.replicas[0].moves) > 60, seconds=60)
    table.catch_up()
    named = {(e.peer, e.code) for e in table.seen_of(Accused)}
    assert named == table.accused(0) == {(2, Code.EQUIVOCATION)}
    assert len(table.seen_of(Accused)) == 1
    assert check_record(GAME, record_of(table)).finding.peer == 2


def test_who_watches_convicts_also_where_no_view_follows():
    """At a table of two a conviction holds the game: there is no view to name the proof."""
    table = table_of(2, seed=b"held")
    table.watch()
    table.run(lambda t: t.replicas[0].transcript.number > 30, seconds=300)
    table.tampers[1] = lambda table, to, move: [move, replace(move, state=bytes(32))]
    table.run(lambda t: t.replicas[0].halted, seconds=60)
    table.deliver()
    assert {e.peer for e in table.seen_of(Accused)} == {1}
    assert check_record(GAME, record_of(table)).finding.peer == 1


def test_a_vain_moment_now_and_then_does_not_cost_a_peer_its_spectator():
    """Only questions that are in vain one after the other count."""
    spectator, now = Spectator(GAME, roster(3)), 0.0
    spectator.linked(now)
    ahead, level = (encode(("here", (0, phase))) for phase in (9, 0))
    for _ in range(5):
        for claim in (*[ahead] * (VAIN - 1), level):
            spectator.receive(claim, now)
            now += NUDGE
            spectator.tick(now)
    with pytest.raises(PeerError, match="cannot be verified"):
        for _ in range(VAIN):
            spectator.receive(ahead, now)
            now += NUDGE
            spectator.tick(now)


def test_a_spectator_keeps_the_near_future_alone():
    """Whatever a peer sends it, messages of phases far ahead fill no memory."""
    spectator = Spectator(GAME, roster(3))
    for phase in range(1, 10 * CHUNK):
        spectator.receive(
            encode(("move", SignedMessage("move", 1, phase, 0, b"?", bytes(64)).plain())), 0.0
        )
    assert len(spectator.line.unchecked) <= CHUNK
