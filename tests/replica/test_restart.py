"""A peer that crashes anywhere goes on from what it had kept, and never contradicts itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import ChoicePhase
from lanplay_protocol.replica.events import Logged, LoggedBefore
from lanplay_protocol.replica.messages import parse_signed, read, sign
from lanplay_protocol.replica.reveals import DealCards
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode
from tests.replica.harness import GAME, Recorded, Table, identity, roster
from tests.replica.test_card_cheats import CHEAT, HONEST, in_phase, sealed_shares

CRASHING = 1
ESCROW = 2
"""The phase in which keys are shared."""


def restart(table, peer, flushed):
    """Replace a replica by one that knows only what the old one had kept on disk."""
    kept = table.kept(peer, flushed)
    seed = (table.seed * 32)[:31] + bytes([peer])
    table.replicas[peer] = Recorded(GAME, table.roster, identity(peer), seed)
    table.queue = type(table.queue)(
        (sender, to, item) for sender, to, item in table.queue if to != peer
    )
    table.step(peer, inputs.Restored(kept))
    for other in range(len(table.replicas)):
        if other != peer:
            table.step(other, inputs.LinkUp(peer))


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(1, 1500), st.booleans(), st.integers(0, 3))
def test_a_crash_anywhere_loses_nothing(deliveries, flushed, luck):
    """Killed after any number of messages, with or without its last buffered writes, a peer that
    comes back plays on, nobody accuses it, and all end in one state."""
    table = Table(roster(3), seed=b"crash%d" % luck)
    table.start()
    left = [deliveries]

    def enough(_):
        left[0] -= 1
        return left[0] <= 0

    table.run(enough, seconds=3000)
    restart(table, CRASHING, flushed)
    table.run(seconds=6000)
    assert table.is_over()
    assert all(table.accused(peer) == set() for peer in range(3))
    assert len({replica.context.transcript_hash for replica in table.replicas}) == 1


def test_a_restarted_peer_says_the_same_bytes_again():
    """What it had sent and lost is derived from its key and the transcript: no double message."""
    table = Table(roster(3), seed=b"bytes", shuffle_order=False)
    table.start()
    table.run(lambda t: t.replicas[CRASHING].transcript.number > 40, seconds=600)
    before = [dict(phase) for phase in table.replicas[CRASHING].moves]
    restart(table, CRASHING, flushed=False)
    table.run(seconds=3000)
    after = table.replicas[CRASHING].moves
    for phase, moves in enumerate(before):
        assert after[phase][CRASHING].body == moves[CRASHING].body if CRASHING in moves else True


@pytest.mark.parametrize("last", [False, True])
def test_a_journal_counts_what_had_counted_whatever_an_earlier_verdict_shows(last):
    """Of two messages of a liar the one counts that was kept as it counted: the other one may have
    come first, or convicted it alone, in the phases of the start and in the last one."""
    table = Table(roster(3), seed=b"shown", shuffle_order=False)
    table.start()
    table.run(seconds=3000)
    kept = list(table.kept(CRASHING))
    moves = [n for n, (kind, plain) in enumerate(kept) if kind == "move" and plain[0] == CHEAT]
    place = moves[-1] if last else moves[ESCROW]
    signed = parse_signed(kept[place][1])
    assert signed.phase == (table.replicas[0].transcript.number - 1 if last else ESCROW)
    said = read(signed)
    forged = replace(said.past.refs[0], signature=bytes(64))
    past = replace(said.past, refs=(forged, *said.past.refs[1:]))
    game = table.replicas[0].line.statements.game_id(signed.phase)
    shown = sign(replace(said, past=past), identity(CHEAT), game)
    verdict = (
        CHEAT,
        "diverged",
        "a past that nobody signed",
        signed.phase,
        (("move", shown.plain()),),
    )
    before = next(n for n, (_, plain) in enumerate(kept) if plain[1] == signed.phase)
    kept.insert(before, ("verdict", (*verdict, ())))
    again = Recorded(GAME, table.roster, identity(CRASHING), (table.seed * 32)[:31] + bytes([1]))
    again.step(inputs.Restored(tuple(kept)), 0.0)
    assert again.transcript.line == table.replicas[CRASHING].transcript.line
    assert again.moves[signed.phase][CHEAT] == signed


def test_messages_of_another_game_are_no_restart():
    """A journal whose messages do not fit is refused."""
    table = Table(roster(3), seed=b"one")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number > 5, seconds=600)
    other = Recorded(GAME, roster(3), identity(0), b"another seed of this peer, 32 by")
    with pytest.raises(ValueError, match="phase"):
        other.step(inputs.Restored(table.kept(0)), 0.0)


def test_a_restarted_peer_knows_the_log_of_the_game():
    """What it had shown comes back, each event once and in order, with the round it belongs to."""
    table = Table(roster(3), seed=b"log", shuffle_order=False)
    table.start()
    table.run(lambda t: t.replicas[CRASHING].context.referee.table.round > 2, seconds=600)
    shown = [e.message for e in table.events[CRASHING] if isinstance(e, Logged)]
    restart(table, CRASHING, flushed=True)
    recalled = [e for e in table.events[CRASHING] if isinstance(e, LoggedBefore)]
    assert [each.message for each in recalled] == shown
    assert [each.round for each in recalled] == sorted(each.round for each in recalled)
    assert {each.round for each in recalled} >= {1, 2}


def test_what_cannot_be_said_again_alike_binds_before_it_is_sent():
    """Answers and statuses are no function of seed and transcript: each is kept, and bound to the
    disk, before the first peer is sent it; from then on nothing else may be signed there."""
    table = Bound(roster(4, settings=TableSettings(grace=2)), seed=b"bind")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 1, seconds=600)
    table.kill(3)
    table.run(lambda t: t.replicas[0].context.referee.table.round > 2, seconds=600)
    table.restart(3)
    table.run(seconds=3000)
    assert table.found == {"move", "status"}


def test_a_complaint_and_a_verdict_are_on_the_disk_before_anybody_is_told():
    """Whoever loses its power right after them still knows whom it has accused, and why."""
    table = Bound(roster(3), seed=b"deal")
    other = GameKey.derive(b"w" * 32)
    false = in_phase(DealCards, lambda c, p, m: sealed_shares(c, p, m, other, p._receiver))
    table.tampers[CHEAT] = lambda table, to, move: false(
        table, to, move, table.replicas[CHEAT].phases[move.phase]
    )
    table.start()
    table.run(lambda t: all(t.accused(p) for p in HONEST), seconds=9000)
    assert {(CHEAT, Code.BAD_PROOF)} == table.accused(HONEST[0]) == table.accused(HONEST[1])
    assert "complaint" in table.found
    for peer in HONEST:
        assert "verdict" in {kind for kind, _ in table.kept(peer, flushed=False)}


class Bound(Table):
    """Checks of everything that is sent whether what binds of it is on the disk by then."""

    def __post_init__(self):
        super().__post_init__()
        self.found = set()

    def _post(self, peer, envelope):
        bound = self.kept(peer, flushed=False)
        said = unrepeatable(self, peer, *decode(envelope.body))
        if said is not None:
            self.found.add(said[0])
            assert said in bound
        super()._post(peer, envelope)


def unrepeatable(table, peer, kind, payload):
    """What has to be bound for a message of a peer, if anything has."""
    replica = table.replicas[peer]
    if kind == "move":
        signed = parse_signed(payload)
        own = signed.sender == peer and isinstance(replica.phases.get(signed.phase), ChoicePhase)
        return ("move", signed.plain()) if own else None
    own = kind in ("status", "complaint") and payload[0] == peer
    return (kind, payload) if own else None
