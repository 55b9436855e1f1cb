"""What time, a power cut and a restart do to suspicion and proof: nothing that a liar could use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica.choices import RevealPhase
from lanplay_protocol.replica.failure_detector import PATIENCE
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import MOVE, Citation, Past, PhaseMessage, read, sign
from lanplay_protocol.replica.reveals import DealCards, Entropy
from lanplay_protocol.replica.view_change import MERCIES, Electorate, ViewChange
from tests.replica.faults import steps
from tests.replica.harness import Table, identity, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import (
    CHEAT,
    HONEST,
    VICTIM,
    bring,
    join,
    level,
    status,
    withholds_entropy,
)


@pytest.mark.longer_games(12, 8)
def test_views_again_and_again_do_not_pay_what_is_owed():
    """A liar owes its message and begins an attempt with everybody whenever a view has begun."""
    table = begun(4, seed=b"circles")
    level(table)
    withholds_entropy(table)
    table.run(lambda t: t.now > 0, seconds=60)
    table.silent.add(CHEAT)
    assert all(isinstance(table.replicas[p].transcript.phase, Entropy) for p in HONEST)
    begins = table.now

    def out(_):
        return all(CHEAT not in table.replicas[p].transcript.members for p in HONEST)

    while not out(table) and table.now < begins + 5 * PATIENCE:
        view = table.replicas[0].transcript.view
        if all(table.replicas[p].transcript.view == view for p in HONEST):
            join(table, view + 1, range(4), at=table.replicas[0].transcript.at)
        table.run(out, seconds=1)
    assert out(table)
    assert not any(table.replicas[p].convicted for p in HONEST)  # it is late, and that is all
    assert table.now <= begins + 2 * PATIENCE + 2
    assert all(view.lost <= {CHEAT} for p in HONEST for view in table.replicas[p].begun)


def test_one_peer_ends_suspicion_only_so_often_in_a_view():
    """An accomplice that begins attempts with everybody again and again covers nobody for good."""
    everybody = (0, 1, 2, 3, 4)
    table = begun(5, seed=b"mercy")
    changes, statuses = ViewChange(0, 5, 3), []
    forgiven = []
    for attempt in range(1, 20, 2):
        signed = status(table, attempt, everybody, author=4, signer=4)
        statuses.append(read(signed))
        seen = Electorate(0, frozenset(everybody), statuses, {3}, set(), {}, set(), {})
        own, forgives = changes.joins(seen)
        forgiven.append(forgives)
        if own is not None:
            made = status(table, own[0], own[1], author=0, signer=0)
            changes.signed(read(made))
            statuses.append(read(made))
    assert sum(forgiven) == MERCIES
    assert changes.tried[1] == (0, 1, 2, 4)


def test_who_convicted_alone_and_restarts_shows_its_proof():
    """The statements that convict lie on the disk: a restart loses none, and all come to know."""
    table = begun(4, seed=b"alone")
    level(table)
    table.disconnect((VICTIM, 0), (VICTIM, 3))
    replica = table.replicas[VICTIM]
    move = PhaseMessage(CHEAT, 1, 0, replica.transcript.past, bytes(32), ())
    bare = sign(move, identity(CHEAT), replica.line.statements.game_id(1))
    bring(table, "move", bare.plain(), (VICTIM,))
    assert CHEAT in table.replicas[VICTIM].convicted
    table.restart(VICTIM)
    assert table.replicas[VICTIM].convicted[CHEAT].statements
    goes_on_without_it(table)


def goes_on_without_it(table, phases=8):
    """Assert that all honest convict the cheat and nobody else, and play on in one view."""
    after = max(table.replicas[p].transcript.number for p in HONEST) + phases

    def on(_):
        replicas = [table.replicas[p] for p in HONEST]
        return all(r.transcript.number >= after or r.over for r in replicas)

    table.run(on, seconds=300)
    assert on(table)
    for peer in HONEST:
        assert set(table.replicas[peer].convicted) == {CHEAT}
        assert table.replicas[peer].transcript.members == set(HONEST)


@pytest.mark.parametrize("kind", [Entropy, RevealPhase, DealCards])
def test_what_left_before_the_power_failed_is_on_the_disk(kind):
    """Else an honest peer would deny, in the next attempt, what others hold of it."""
    table = begun(4, seed=b"power")
    level(table)

    def sent(_):
        here = table.replicas[VICTIM].transcript
        return isinstance(here.phase, kind) and VICTIM in here.moves[-1]

    table.run(sent, seconds=3000)
    assert sent(table)
    number = table.replicas[VICTIM].transcript.number
    table.restart(VICTIM, flushed=False)
    signed = table.replicas[VICTIM].line.statements
    held = [
        each.signed.key
        for other in (0, 2, 3)
        for each in table.replicas[other].line.statements.of(("move", VICTIM, 0, number))
    ]
    assert all(signed.get(key) for key in held)
    assert table.replicas[VICTIM].transcript.number >= number
    steps(table, 300)
    assert not any(table.accused(peer) for peer in range(4))


@pytest.mark.longer_games
def test_a_false_message_of_a_phase_that_passed_without_it_convicts_for_all():
    """Whoever it was told to alone: else one would not want back whom the others let in."""
    table = begun(4, seed=b"passed")
    level(table, lambda t: isinstance(t.replicas[0].transcript.phase, Entropy))
    table.disconnect(*table.pairs(CHEAT))
    table.dead.add(CHEAT)
    table.run(
        lambda t: (
            all(len(t.replicas[p].begun) > 0 for p in HONEST)
            and min(t.replicas[p].transcript.number for p in HONEST) > t.replicas[0].begun[0].phase
        ),
        seconds=60,
    )
    transcript = table.replicas[0].transcript
    number = transcript.views[0].phase
    assert CHEAT not in transcript.moves[number]
    there = next(read(m) for m in transcript.moves[number].values() if m.view == 0)
    false = PhaseMessage(CHEAT, number, 0, there.past, transcript.state_at(number), (b"", 7))
    made = sign(false, identity(CHEAT), table.replicas[0].context.game_id)
    bring(table, "move", made.plain(), (VICTIM,), by=0)
    table.run(lambda t: all(CHEAT in t.replicas[p].convicted for p in HONEST), seconds=5)
    assert all(set(table.replicas[p].convicted) == {CHEAT} for p in HONEST)


def test_a_false_message_that_came_before_its_phase_convicts_once_a_view_has_passed_it():
    """A laptop that is behind holds it, and comes by a view to where its author is left out."""
    table = begun(5, seed=b"early")
    level(table)
    table.disconnect(*table.pairs(VICTIM))
    others = [peer for peer in range(5) if peer not in (CHEAT, VICTIM)]
    first = table.replicas[0].transcript
    table.run(lambda t: VICTIM not in first.members, seconds=60)
    behind = table.replicas[VICTIM].transcript.number
    table.run(lambda t: all(isinstance(t.replicas[p].transcript.phase, Entropy) for p in others))
    table.disconnect(*table.pairs(CHEAT))
    table.dead.add(CHEAT)
    table.run(lambda t: first.view == 2 and first.number > first.views[-1].phase, seconds=60)
    number = first.views[-1].phase
    assert number > behind + 1
    assert CHEAT not in first.moves[number]
    there = next(read(m) for m in first.moves[number].values() if m.view == 1)
    false = PhaseMessage(CHEAT, number, 1, there.past, first.state_at(number), (b"", 7))
    made = sign(false, identity(CHEAT), first.context.game_id)
    bring(table, "move", made.plain(), (VICTIM,), by=0)
    assert not table.replicas[VICTIM].convicted
    table.connect(*table.pairs(VICTIM))
    table.run(lambda t: all(t.replicas[p].convicted for p in (*others, VICTIM)), seconds=60)
    assert all(set(table.replicas[p].convicted) == {CHEAT} for p in (*others, VICTIM))


def test_a_lie_beside_true_messages_before_the_game_does_not_keep_it_from_beginning():
    """All have what they need of the liar: the game begins, and goes on without it."""
    table = Table(roster(4), seed=b"beside")
    garbage = bytes(32)

    def lie(table, to, move):
        if move.phase != 2:
            return None
        return [move, PhaseMessage(CHEAT, 2, 0, move.past, garbage, move.parts)]

    table.tampers[CHEAT] = lie
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number > SETUP, seconds=60)
    goes_on_without_it(table)


@pytest.mark.longer_games
def test_a_third_body_of_a_liar_that_an_honest_line_hangs_on_is_taken():
    """Two bodies convict, and no more are kept; but one that another honest peer has built on."""
    table = begun(4, seed=b"three")
    level(table)
    after, lies = table.replicas[0].transcript.number + 2, []

    def lie(table, to, move):
        if move.phase > after and not lies:
            lies.append(move.phase)
        if move.phase not in lies or to == VICTIM:
            return None
        return [replace(move, state=bytes([number]) * 32) for number in (1, 2)]

    table.tampers[CHEAT] = lie
    table.run(lambda t: lies and t.replicas[0].convicted, seconds=20)
    goes_on_without_it(table)


def test_a_conviction_while_another_is_out_waits_for_its_return():
    """Two are left of three, and one of them is convicted: who comes back makes up the quorum."""
    table = begun(3, seed=b"returns")
    level(table, lambda t: isinstance(t.replicas[0].transcript.phase, Entropy))
    table.disconnect(*table.pairs(0))
    table.run(lambda t: 0 not in t.replicas[VICTIM].transcript.members, seconds=60)
    replica = table.replicas[VICTIM]
    assert replica.transcript.members == {VICTIM, CHEAT}
    move = PhaseMessage(CHEAT, 1, 0, replica.transcript.past, bytes(32), ())
    made = sign(move, identity(CHEAT), replica.line.statements.game_id(1))
    bring(table, "move", made.plain(), (VICTIM,))
    assert set(replica.convicted) == {CHEAT}
    assert replica.halted is None
    table.connect((0, VICTIM))
    after = replica.transcript.number + 3
    table.run(lambda t: all(t.replicas[p].transcript.number > after for p in (0, 1)), seconds=60)
    assert all(table.replicas[p].transcript.members == {0, VICTIM} for p in (0, 1))
    assert all(table.replicas[p].transcript.number > after for p in (0, 1))


def test_a_false_past_that_came_too_early_is_judged_when_its_phase_has_come():
    """Whatever view it claims to be of: else one peer alone would never know."""
    table = begun(4, seed=b"early")
    level(table)
    transcript = table.replicas[VICTIM].transcript
    number, game = transcript.number, table.replicas[0].context.game_id
    mine = next(iter(transcript.moves[number - 1].values()))
    false = Citation(mine.sender, 0, 0, mine.digest, mine.signature)
    past = Past(MOVE, transcript.past.hash, (false,))
    made = sign(PhaseMessage(CHEAT, number + 1, 1, past, bytes(32), ()), identity(CHEAT), game)
    bring(table, "move", made.plain(), (VICTIM,))
    table.run(lambda t: all(t.replicas[p].convicted for p in HONEST), seconds=20)
    assert all(set(table.replicas[p].convicted) == {CHEAT} for p in HONEST)
