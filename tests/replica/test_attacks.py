"""What broke the table of yesterday: the author is named by all, or the table simply goes on; and
whom it was done to keeps seat and hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.crypto.group import hash_to_point
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.choices import CommitPhase, RevealPhase
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.failure_detector import PATIENCE
from lanplay_protocol.replica.key_setup import Escrow
from lanplay_protocol.replica.messages import complain
from lanplay_protocol.replica.reveals import DealCards, Entropy, RevealCards
from lanplay_protocol.replica.shuffling import ShufflePiles
from tests.replica.harness import GAME, Table, parts, roster
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, finish_alike, level

CHEAT = 2
VICTIM = 0


def spoiled(value):
    """Return something else of the same shape, validly signed later on."""
    if isinstance(value, tuple):
        return tuple(spoiled(part) for part in value)
    if not isinstance(value, bytes) or not value:
        return value
    return hash_to_point("any", value) if len(value) == 32 else bytes([value[0] ^ 1]) + value[1:]


def in_turn(kind, change, to=(VICTIM,), after=0):
    """Tamper with the messages of one kind of phase that go to some; the others get true ones."""

    def tamper(table, peer, move):
        late = move.phase > after and isinstance(table.replicas[CHEAT].phases[move.phase], kind)
        return [change(move)] if late and peer in to else None

    return tamper


def keeps_its_seat(table, honest):
    """Assert that the game ends alike, that all name the cheat alone, and that nobody else fell."""
    finish_alike(table, honest)
    for peer in honest:
        assert {culprit for culprit, _ in table.accused(peer)} == {CHEAT}
        assert all(view.lost <= {CHEAT} for view in table.replicas[peer].begun)
        seats = table.replicas[peer].context.seating.holders
        assert all(seats[seat].peer == seat for seat in honest)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("kind", [Entropy, RevealPhase, ShufflePiles, RevealCards])
@pytest.mark.parametrize("peers", [3, 4])
def test_a_spoiled_message_to_one_peer_and_a_true_one_to_the_others(kind, peers):
    """The victim of yesterday was cut off and its hand read: now its own proof goes first."""
    table = begun(peers, seed=b"spoiled")
    table.tampers[CHEAT] = in_turn(kind, lambda move: parts(move, spoiled(move.parts)))
    keeps_its_seat(table, [peer for peer in range(peers) if peer != CHEAT])


def other_past(move):
    """The move on a past that follows from nothing."""
    return replace(move, past=replace(move.past, before=bytes(32)))


@pytest.mark.parametrize("kind", [CommitPhase, Entropy, ShufflePiles])
def test_another_past_to_one_peer_alone(kind):
    """Wherever the others are by then: the message and what its author told them convict it."""
    table = begun(4, seed=b"past")
    table.tampers[CHEAT] = in_turn(kind, other_past)
    keeps_its_seat(table, [0, 1, 3])


def test_a_bad_proof_to_one_of_four_while_a_person_thinks():
    """No timer and no person is waited for: the view changes at once."""
    table = begun(4, seed=b"thinks")
    level(table)
    lies, handle = [], table.handle

    def lie(move):
        lies.append(move.phase)
        return parts(move, spoiled(move.parts))

    def person(peer, output):
        thinks = [e for e in output.events if isinstance(e, AnswerNeeded) and peer == 3 and lies]
        handle(peer, replace(output, events=tuple(e for e in output.events if e not in thinks)))

    table.tampers[CHEAT], table.handle = in_turn(Entropy, lie, after=30), person
    begins = table.now
    table.run(lambda t: all(t.replicas[p].begun for p in (0, 1, 3)), seconds=600)
    assert lies
    assert table.now == begins
    assert all(table.replicas[p].begun[0].lost == {CHEAT} for p in (0, 1, 3))
    table.run(lambda t: len({t.replicas[p].transcript.number for p in (0, 1, 3)}) == 1, seconds=1)
    assert table.replicas[VICTIM].transcript.number == table.replicas[1].transcript.number


def test_who_stood_still_accuses_nobody():
    """Time is no guilt: a program that was stopped for minutes begins all its waits again."""
    table = begun(3, seed=b"still")
    level(table)
    phases = table.replicas[CHEAT].phases
    table.tampers[CHEAT] = lambda table, to, move: (  # it owes what no person decides
        [] if isinstance(phases[move.phase], Entropy) else None
    )

    def waits(t):
        there = [t.replicas[peer].transcript for peer in (0, 1)]
        return all(isinstance(e.phase, Entropy) and e.missing == {CHEAT} for e in there)

    table.run(waits, seconds=60)
    assert waits(table)
    for later in (100.0, 1000.0):
        for peer in (0, 1):
            output = table.replicas[peer].step(inputs.Ticked(), table.now + later)
            assert not any(envelope.kind == "status" for envelope in output.send)
    assert all(not replica.attendance.detector.late for replica in table.replicas)


def test_who_runs_and_waits_does_suspect():
    """The same silence, lived through, is suspicion: it names nobody as a liar."""
    table = Table(roster(3), seed=b"waits")
    table.tampers[CHEAT] = lambda table, to, move: (
        [] if isinstance(table.replicas[CHEAT].phases[move.phase], RevealPhase) else None
    )
    table.start()
    table.run(lambda t: all(t.replicas[p].begun for p in (0, 1)), seconds=600)
    assert PATIENCE <= table.now <= PATIENCE + 1
    assert table.accused(0) == table.accused(1) == set()


def test_silence_towards_one_peer_costs_a_delivery():
    """What one honest peer has all have, before anybody's patience ends: nobody falls."""
    table = begun(4, seed=b"silence")
    table.tampers[CHEAT] = lambda table, to, move: [] if to == VICTIM else None
    phases = table.replicas[VICTIM].transcript.number
    finish_alike(table, range(4))
    phases = table.replicas[VICTIM].transcript.number - phases
    assert not any(replica.begun for replica in table.replicas)
    assert table.now <= 0.4 * phases


def test_a_complaint_of_a_part_that_is_long_past():
    """A complaint carries the message it is about, and the phase is kept."""
    table = begun(4, seed=b"late")
    table.run(lambda t: t.replicas[0].transcript.number > 74, seconds=600)
    replica = table.replicas[0]
    number = next(n for n in range(9) if isinstance(replica.phases.get(n), Escrow))
    made = complain(CHEAT, replica.moves[number][1], b"", table.identity(CHEAT), table.roster)
    bring(table, "complaint", made.plain(), (0, 1, 3))
    finish_alike(table, (0, 1, 3))
    for peer in (0, 1, 3):
        assert table.accused(peer) == {(CHEAT, Code.FALSE_CLAIM)}


def test_the_record_of_every_honest_peer_convicts_whom_the_table_convicted():
    """``lanplay verify`` comes to the verdict of the table, from the victim's record too."""
    table = begun(4, seed=b"record")
    level(table)
    table.tampers[CHEAT] = in_turn(
        DealCards, lambda move: parts(move, bytes(len(move.parts))), after=30
    )
    finish_alike(table, (0, 1, 3))
    for peer in (0, 1, 3):
        assert {culprit for culprit, _ in table.accused(peer)} == {CHEAT}
        finding = check_record(GAME, record_of(table, peer)).finding
        assert finding is not None
        assert finding.peer == CHEAT
