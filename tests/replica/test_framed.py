"""Attempts to frame an honest peer, or to keep the table busy, with statements about nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.errors import Code
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import PeerUnreachable, ViewChanged
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.line import COUNTED
from lanplay_protocol.replica.messages import MOVE, SignedMessage, complain
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode, encode
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import received, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, HONEST, VICTIM, bring, join, leave, level

ALL = (0, 1, 2, 3)
GRACE = 5


class Mute(Thinking):
    """A table at which the cheat does not sign that it is there."""

    def _tampered(self, peer, to, body):
        return (
            [] if (peer, decode(body)[0]) == (CHEAT, "alive") else super()._tampered(peer, to, body)
        )


def complaint_about(table, kind):
    """A complaint of the cheat about the victim's true message of a phase of a kind."""
    replica = table.replicas[VICTIM]
    moves = replica.transcript.moves
    number = max(n for n, phase in replica.phases.items() if isinstance(phase, kind))
    return complain(CHEAT, moves[number][VICTIM], bytes(96), table.identity(CHEAT), table.roster)


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
    made = complain(CHEAT, forged, bytes(96), table.identity(CHEAT), table.roster)
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
    made = complain(
        VICTIM, replace(bare, signature=signature), b"", table.identity(VICTIM), table.roster
    )
    bring(table, "complaint", made.plain(), to=(0, 3), by=VICTIM)
    assert all(table.accused(p) == {(CHEAT, Code.MALFORMED)} for p in (0, 3))


@pytest.mark.longer_games
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
    assert max(k.signed.view for k in replica.line.statements.statuses) > COUNTED
    assert max(k.signed.view for k in replica.line.statements.statuses) <= 2 * COUNTED
    leave(table, to=(0,))
    assert 0 < replica.attendance.changes.top <= COUNTED + 1


def test_an_older_attempt_that_comes_later_lowers_no_number():
    """What a peer has come to it has come to, in whatever order its attempts are heard."""
    table = begun(4, seed=b"order")
    level(table)
    table.silent.add(CHEAT)
    for attempt in (60, 20):
        join(table, attempt, (CHEAT, 3), to=(0,))
    assert table.replicas[0].line.statements.tops[CHEAT] == 60


def test_who_cuts_its_link_to_one_peer_alone_is_out_itself_and_its_victim_stays():
    """The victim alone could not hear it, wanted it out, and was left out itself by the others."""
    with installed():
        table = Mute(roster(4, 4, TableSettings(grace=GRACE)), b"refuses")
        table.start()
        table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
        table.think = {HONEST[-1]}
        table.disconnect((CHEAT, VICTIM))
        table.run(lambda t: all(t.replicas[p].transcript.views for p in HONEST), seconds=4 * GRACE)
        table.answer()
        table.run(lambda t: t.is_over(), seconds=60)
        assert all(table.replicas[peer].over for peer in HONEST)
        lost = {p for peer in HONEST for each in table.of(peer, ViewChanged) for p in each.lost}
        assert lost == {CHEAT}


def test_one_that_tells_others_alone_that_it_does_not_hear_a_peer_moves_nobody():
    """That peer hears of it from them, and signs that it is there."""
    with installed():
        table = Thinking(roster(4, 4, TableSettings(grace=GRACE)), b"doubts")
        table.start()
        table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
        table.think = {VICTIM}
        word = encode(("presence", Liveness(frozenset({VICTIM})).plain()))
        for peer in set(HONEST) - {VICTIM}:
            table.step(peer, received(CHEAT, word))
        table.run(seconds=8 * GRACE)
        assert not any(r.transcript.views for r in table.replicas)
        assert not any(table.of(peer, PeerUnreachable) for peer in HONEST)
