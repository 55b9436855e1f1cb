"""Lies about the end of a game, the start, a pause, and what others have signed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.pausing import LENGTH
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.evidence import SPARE
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.line import NAMED
from lanplay_protocol.replica.messages import (
    BODY,
    MOVE,
    Past,
    PhaseMessage,
    SignedMessage,
    StatusMessage,
    refs,
    sign,
)
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.start import accept, certified
from lanplay_protocol.shell.chat import NUDGE
from lanplay_protocol.wire import encode
from tests.replica.harness import Table, identity, roster
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring
from tests.replica.test_led_astray import deliver
from tests.replica.test_pauses import tell, word
from tests.wire.test_pausing import Room

GAME = load("charidice")
FORKER, LIAR, VICTIM, HONEST = 2, 3, 0, (0, 1)


def unsigned(peers, liars, seed):
    """A table at its end, which all have signed but the liars, who say nothing more."""
    table = Table(roster(peers, game=GAME), seed=seed)
    for liar in liars:
        table.tampers[liar] = lambda t, to, move, liar=liar: (
            [] if isinstance(t.replicas[liar].phases[move.phase], Final) else None
        )
    table.start()
    honest = sorted(set(range(peers)) - set(liars))
    table.run(
        lambda t: all(isinstance(t.replicas[p].transcript.phase, Final) for p in honest), 3000
    )
    table.silent |= set(liars)
    deliver(table)
    return table


def say(table, said, to):
    """Let the author of a statement give it to some."""
    by = said.author if isinstance(said, StatusMessage) else said.sender
    signed = sign(said, identity(by), table.replicas[VICTIM].context.game_id)
    bring(table, signed.kind, signed.plain(), to, by)
    return signed


def test_whoever_is_shown_a_false_end_denies_nothing():
    """A liar shows, as the end, what the victim had signed on a line that it has left, and with it
    a status that counts only then: the victim's next status leaves out its own final."""
    table = unsigned(4, (FORKER, LIAR), b"denies")
    first = table.replicas[1].transcript
    everybody = (0, 1, 2, 3)
    here = first.at, first.past
    say(table, StatusMessage(LIAR, 1, everybody, *here, ()), HONEST)
    deliver(table)
    # two statuses of the forker's begin the view on two lines: it is out for that
    say(table, StatusMessage(FORKER, 1, everybody, *here, ()), (VICTIM,))
    say(table, StatusMessage(FORKER, 1, everybody, *here, refs([first.moves[-1][1]])), (1,))
    deliver(table)
    table.run(lambda t: all(FORKER in t.replicas[p].convicted for p in HONEST), 5)
    deliver(table)
    own = table.replicas[VICTIM].line.statements.of((MOVE, VICTIM, 1, first.number))
    line = table.replicas[1].transcript
    rest = (0, 1, LIAR)
    say(table, StatusMessage(LIAR, 2, rest, line.at, line.past, ()), HONEST)
    deliver(table)
    lines = [table.replicas[p].transcript for p in HONEST]
    line = lines[0]
    assert len({each.past.hash for each in lines}) == 1
    assert all(each.at == (2, first.number) for each in lines)
    assert all(each.moves[-1][VICTIM].view == 2 for each in lines)
    assert own
    assert own[0].said.previous not in line.line
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{FORKER}] * 2
    # all that follows comes to the victim alone
    say(table, StatusMessage(LIAR, 3, rest, line.at, line.past, ()), (VICTIM,))
    beyond = PhaseMessage(FORKER, line.number + 1, 0, line.past, line.state, ())
    beyond = say(table, beyond, (VICTIM,))
    shown = Past(MOVE, line.past.hash, (own[0].signed.ref,))
    further = Past(MOVE, shown.hash, (beyond.ref,))
    say(table, StatusMessage(LIAR, 4, rest, (2, line.number + 2), further, ()), (VICTIM,))
    bring(table, "end", shown.plain(), (VICTIM,), LIAR)
    deliver(table)
    assert not any(VICTIM in table.replicas[p].convicted for p in HONEST)


def test_no_final_is_carried_into_another_view():
    """A liar shows one of two the finals of the view before, after the past of this one."""
    table = unsigned(3, (2,), b"carried")
    zero, one = (table.replicas[p] for p in (0, 1))
    finals = dict(one.transcript.moves[-1])
    here = one.transcript.at, one.transcript.past
    say(table, StatusMessage(2, 1, (0, 1, 2), *here, ()), (0, 1))
    deliver(table)
    line = one.transcript
    assert zero.transcript.at == line.at == (1, line.number)
    assert all(line.moves[-1][p].view == 1 for p in (0, 1))
    old = PhaseMessage(2, line.number, 0, here[1], line.state, ())
    old = say(table, old, (1,))
    shown = Past(MOVE, line.past.hash, refs([finals[0], finals[1], old]))
    bring(table, "end", shown.plain(), (1,), 2)
    say(table, PhaseMessage(2, line.number, 1, line.past, line.state, ()), (0, 1))
    deliver(table)
    assert zero.over
    assert one.over
    reports = [check_record(GAME, record_of(table, p)) for p in (0, 1)]
    assert all(each.ended for each in reports)
    assert {each.finding.peer for each in reports if each.finding is not None} <= {2}


def test_what_a_liar_names_of_its_own_takes_bounded_memory():
    """Its statuses name bodies of its own for one slot: each of them is kept."""
    table = begun(3, seed=b"named")
    replica = table.replicas[0]
    line, game = replica.transcript, replica.context.game_id
    me, named = identity(2), []
    for attempt in range(1, 6):
        bodies = []
        for n in range(24):
            body = bytes([attempt, n]) * (BODY // 2 - 8)
            bare = SignedMessage(MOVE, 2, line.number + 9, 0, body, b"")
            signature = me.sign(MOVE, encode((game, *bare.key)))
            bodies.append(SignedMessage(MOVE, 2, line.number + 9, 0, body, signature))
        keys = tuple(sorted(each.key for each in bodies))
        said = StatusMessage(2, attempt, (0, 1, 2), line.at, line.past, (), False, keys)
        replica.step(inputs.Received(2, "status", sign(said, me, game).plain()), table.now)
        named += bodies
    for each in named:
        replica.step(inputs.Received(2, MOVE, each.plain()), table.now)
    held = replica.line.statements.of((MOVE, 2, 0, line.number + 9))
    assert sum(len(each.signed.body) for each in held) <= SPARE + NAMED


@pytest.mark.parametrize(("peers", "liars"), [(3, (2,)), (5, (2, 4))])
def test_who_is_told_late_of_a_pause_stands_no_longer_than_it_lasts(peers, liars):
    """As many as may lie say nothing of its end, and too few others are there to be believed: a
    limit, which costs nobody its seat."""
    room = Room(peers)
    room.now = 100.0
    room.down = {frozenset((p, o)) for p in range(peers) for o in range(p) if {p, o} & {1, *liars}}
    asked = word(room.table, 1, "pause", (2, 0))
    others = sorted(set(range(peers)) - {1, *liars})
    for other in others:
        tell(room, other, asked)
    room.run()
    room.wait(LENGTH + 1)
    for other in others:
        room.meet(1, other)
    tell(room, 1, asked)
    room.run()
    assert not any(room.talks[p].paused_by(room.now) for p in others)
    assert room.talks[1].paused_by(room.now)
    room.wait(LENGTH + 1)
    assert not room.talks[1].paused_by(room.now)


def test_an_opening_ends_for_all_or_for_nobody():
    """A liar gives its word that it is ready to one, and its accept of a later start to the other:
    one plays, the other is back at its table, and its seat is handed over."""
    offered = replace(roster(3), table="t" * 32, term=1)
    agreed = certified(offered, [accept(offered, identity(place)) for place in range(3)])
    table = Table(agreed, seed=b"later")
    ready = SETUP - 1
    table.tampers[2] = lambda t, to, move: [] if move.phase == ready else None
    table.start()

    def waits(t):
        lines = [t.replicas[p].transcript for p in (0, 1)]
        return all(line.number == ready and line.missing == {2} for line in lines)

    table.run(waits, seconds=60)
    table.silent.add(2)
    deliver(table)
    own = table.replicas[2].transcript.moves[ready][2]
    later = accept(replace(offered, term=2), identity(2))
    table.step(1, inputs.Received(2, "accept", later.plain()))
    bring(table, "move", own.plain(), (0,), 2)
    deliver(table)
    table.silent.discard(2)  # it plays on, with the one
    table.run(seconds=100)
    assert not any(table.replicas[p].halted for p in (0, 1))
    assert not any(1 in view.lost for view in table.replicas[0].begun)


def test_who_gives_a_start_up_before_it_is_ready_tells_the_others():
    """A liar's accept of a later start comes to one alone, which is not ready: none waits on."""
    offered = replace(roster(3), table="t" * 32, term=1)
    agreed = certified(offered, [accept(offered, identity(place)) for place in range(3)])
    table = Table(agreed, seed=b"later")
    table.tampers[2] = lambda t, to, move: [] if move.phase == SETUP - 2 else None
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas[:2]) == SETUP - 2, 60)
    table.silent.add(2)
    deliver(table)
    later = accept(replace(offered, term=2), identity(2))
    table.step(1, inputs.Received(2, "accept", later.plain()))
    deliver(table)
    assert all(table.replicas[p].halted for p in (0, 1))


def test_what_counts_by_now_is_charged_to_nobody_who_named_it():
    """It was kept for who named it, before this peer came there."""
    table = begun(3, seed=b"charged")
    table.run(lambda t: t.replicas[0].transcript.number > 30, seconds=600)
    line = table.replicas[0].line
    counts = line.transcript.moves[0][1]
    line._named[counts.key] = (2 * NAMED, {0, 1, 2})
    line._granted(counts)
    assert line._named == {}


class Alone(Table):
    """A table at which one program's clock stands, as it was told of a pause that is over."""

    stands: float | None = None
    nudged = 0.0
    thinks = False

    def handle(self, peer, output):
        asked = [e for e in output.events if self.thinks and isinstance(e, AnswerNeeded)]
        rest = tuple(event for event in output.events if event not in asked)
        super().handle(peer, replace(output, events=rest))

    def step(self, peer, given):
        now, stands = self.now, self.stands if peer == 1 else None
        self.now = now if stands is None else stands
        output = self.replicas[peer].step(given, self.now)
        self.now = now
        self.handle(peer, output)
        if stands is not None:
            self.deadlines[peer] = None  # ``GameClock.when``: never
            if now >= self.nudged + NUDGE:  # see ``Runner._turn``
                self.nudged = now
                self.step(peer, inputs.Nudged())


@pytest.mark.parametrize("stands", [True, False])
def test_whose_clock_stands_alone_keeps_its_seat(stands):
    """A liar cuts its link to a peer whose clock stands: that one signs no life while it does."""
    table = Alone(roster(3, settings=TableSettings(grace=10)), seed=b"alone")
    table.start()
    table.run(lambda t: all(r.transcript.number > 9 for r in t.replicas), seconds=60)
    table.thinks = True  # all people do: nobody owes anything
    deliver(table)
    table.stands = table.now if stands else None
    table.deadlines[1] = None if stands else table.deadlines[1]
    table.disconnect((1, 2))
    table.run(lambda t: t.now > 40, seconds=60)
    assert not any(1 in view.lost for view in table.replicas[0].begun)
