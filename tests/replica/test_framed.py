"""Attempts to frame an honest peer, or to keep the table busy, with statements about nothing."""

from __future__ import annotations

from dataclasses import replace

from lanplay_protocol.errors import Code
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.line import COUNTED
from lanplay_protocol.replica.messages import MOVE, SignedMessage, complain
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.wire import encode
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, HONEST, VICTIM, bring, join, leave, level

ALL = (0, 1, 2, 3)


def complaint_about(table, kind):
    """A complaint of the cheat about the victim's true message of a phase of a kind."""
    replica = table.replicas[VICTIM]
    moves = replica.transcript.moves
    number = max(n for n, phase in replica.phases.items() if isinstance(phase, kind))
    return complain(CHEAT, moves[number][VICTIM], bytes(96), table.identity(CHEAT))


def test_a_complaint_about_a_message_with_nothing_sealed_convicts_its_author():
    """It is judged at once: nobody goes over the game again at every step, and none is left out."""
    table = begun(4, seed=b"nothing")
    level(table)
    for kind in (Entropy, CommitPhase):
        bring(table, "complaint", complaint_about(table, kind).plain())
        table.run(lambda t: all(t.accused(p) for p in HONEST), seconds=2)
        assert all(table.accused(p) == {(CHEAT, Code.FALSE_CLAIM)} for p in HONEST)


def test_a_forged_message_in_a_complaint_is_no_evidence_that_anybody_could_lack():
    """Else the status of who convicts its author would name what nobody can hold, and not count."""
    table = begun(4, seed=b"forged")
    level(table)
    forged = SignedMessage(MOVE, VICTIM, 2, 0, b"\x90", bytes(64))
    made = complain(CHEAT, forged, bytes(96), table.identity(CHEAT))
    bring(table, "complaint", made.plain())
    after = table.replicas[0].transcript.number + 4
    table.run(lambda t: all(t.replicas[p].transcript.number > after for p in HONEST), seconds=60)
    for peer in HONEST:
        replica = table.replicas[peer]
        assert set(replica.convicted) == {CHEAT}
        assert replica.transcript.members == set(HONEST)
        assert all(replica.line.statements.holds(key) for key in replica._verdicts.evidence)


def test_what_a_complaint_carries_is_taken_as_a_statement():
    """What nobody can read convicts its author wherever it comes by, in a complaint too."""
    table = begun(4, seed=b"carried")
    level(table)
    number, game = table.replicas[0].transcript.number, table.replicas[0].context.game_id
    bare = SignedMessage(MOVE, CHEAT, number, 0, b"\x90", b"")
    signature = table.identity(CHEAT).sign(MOVE, encode((game, *bare.key)))
    made = complain(VICTIM, replace(bare, signature=signature), b"", table.identity(VICTIM))
    bring(table, "complaint", made.plain(), to=(0, 3), by=VICTIM)
    assert all(table.accused(p) == {(CHEAT, Code.MALFORMED)} for p in (0, 3))


def test_a_farewell_that_one_peer_heard_reaches_who_comes_back():
    """Else one has joined an attempt without its author, and the other never hears why."""
    table = begun(3, seed=b"farewell")
    level(table, lambda t: isinstance(t.replicas[0].transcript.phase, Entropy))
    table.silent.add(CHEAT)
    table.disconnect((0, 1))
    leave(table, to=(0,))
    table.run(seconds=1)
    table.connect((0, 1))
    table.run(lambda t: all(t.replicas[p].begun for p in (0, 1)), seconds=2)
    assert all(table.replicas[p].transcript.members == {0, 1} for p in (0, 1))


def test_one_peer_cannot_drive_the_numbers_of_attempts_up():
    """Each number as high as it is heard: no honest number and no memory follows it."""
    table = begun(4, seed=b"numbers")
    level(table)
    table.silent.add(CHEAT)
    for attempt in range(10, 2000, COUNTED - 4):
        join(table, attempt, (CHEAT, 3), to=(0,))
    replica = table.replicas[0]
    assert replica.line.ground == 0
    assert max(k.signed.view for k in replica.line.statements.statuses) <= 2 * COUNTED
    assert replica.attendance.changes.top <= COUNTED + 1
