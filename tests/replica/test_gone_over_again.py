"""What was checked once, when a line, a journal or a chain of pasts is gone over again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import Logged, LoggedBefore
from lanplay_protocol.replica.key_setup import SETUP, Escrow
from lanplay_protocol.replica.messages import (
    MOVE,
    Past,
    PhaseMessage,
    StatusMessage,
    refs,
    sign,
)
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import Table, identity, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring

NAMER, LIAR, HONEST = 4, 2, (0, 1, 3)


def carried_lie():
    """A view whose certificate carries a false part of a peer that the view itself leaves out.

    The liar withholds entropy and is cut off; the namer withholds its own, too, joins last, and
    says that it holds the liar's part, whose proof is false; then it sends its own. Everybody
    convicts the liar, and plays on without its part.
    """
    table = begun(5, seed=b"carried", settings=TableSettings(grace=5))
    kept = {}

    def withhold(table, to, move):
        phase = table.replicas[move.sender].phases[move.phase]
        if move.sender not in kept and move.phase > 40 and isinstance(phase, Entropy):
            kept.setdefault(move.sender, move)
        return [] if move.sender in kept and move.phase >= kept[move.sender].phase else None

    table.tampers[LIAR] = table.tampers[NAMER] = withhold
    table.run(lambda t: len(kept) == 2, seconds=600)
    number = kept[LIAR].phase
    assert number == kept[NAMER].phase
    table.run(lambda t: all(t.replicas[p].transcript.number == number for p in HONEST), seconds=5)
    table.silent.add(LIAR)
    table.disconnect(*table.pairs(LIAR))
    members, joined = (0, 1, 3, 4), []

    def voted(t):
        for p in HONEST:
            said = t.replicas[p].line.said()
            by = {s.author: s for s in said if s.members == members}
            if not by.keys() >= set(HONEST):
                return False
            joined[:] = [by[0]]
        return True

    table.silent.add(NAMER)
    table.run(voted, seconds=60)
    assert joined
    replica, status = table.replicas[0], joined[0]
    assert replica.transcript.number == number
    game = replica.context.game_id
    powers, proof = kept[LIAR].parts
    false = replace(kept[LIAR], parts=(powers, bytes([proof[0] ^ 1]) + proof[1:]))
    signed = sign(false, identity(LIAR), game)
    at, past = replica.transcript.at, replica.transcript.past
    said = StatusMessage(NAMER, status.attempt, members, at, past, refs([signed]))
    bring(table, "status", sign(said, identity(NAMER), game).plain(), HONEST, NAMER)
    bring(table, "move", signed.plain(), HONEST, NAMER)
    assert all(table.replicas[p].transcript.view == status.attempt for p in HONEST)
    assert all(set(table.replicas[p].convicted) == {LIAR} for p in HONEST)
    last = replica.transcript
    own = replace(kept[NAMER], view=last.view, past=last.past)
    bring(table, "move", sign(own, identity(NAMER), game).plain(), HONEST, NAMER)
    goes_on(table, HONEST, number + 5)
    assert all(set(table.replicas[p].convicted) == {LIAR} for p in HONEST)
    return table, number


def goes_on(table, peers, number):
    table.run(lambda t: all(t.replicas[p].transcript.number > number for p in peers), seconds=120)
    assert all(table.replicas[p].transcript.number > number for p in peers)


def test_a_lie_that_a_view_has_carried_keeps_nobody_from_being_restarted():
    """What the journal holds of it is not checked once more, and counts then."""
    table, _number = carried_lie()
    table.restart(0)
    table.run(lambda t: all(t.replicas[p].over for p in HONEST), seconds=900)
    assert all(table.replicas[p].over for p in HONEST)


def test_a_journal_that_ends_before_a_verdict_counts_no_lie_that_a_view_has_carried():
    """What the view carried was not checked when it was kept."""
    table, number = carried_lie()
    kept = table.kept(0)
    again = table.replica(0)
    verdict = next(n for n, (kind, _) in enumerate(kept) if kind == "verdict")
    again.step(inputs.Restored(kept[:verdict]), 0.0)
    assert again.transcript.number == number
    assert LIAR not in {each.sender for each in again.transcript.brought}
    assert set(again.convicted) == {LIAR}


def test_a_lie_that_a_view_has_carried_ends_no_program():
    """One message that names a past beside the line makes everybody go over its line again."""
    table, number = carried_lie()
    goes_on(table, HONEST, number + 20)
    for p in HONEST:
        replica = table.replicas[p]
        line = replica.transcript
        later = next(n for n in range(number + 6, line.number) if len(line.moves[n]) > 1)
        one = min(line.moves[later].values(), key=lambda each: each.sender)
        past = Past(MOVE, line.bases[later], (one.ref,))
        said = PhaseMessage(NAMER, later + 1, 50, past, bytes(32), ())
        signed = sign(said, identity(NAMER), replica.context.game_id)
        bring(table, "move", signed.plain(), (p,), NAMER)
    goes_on(table, HONEST, number + 40)


def test_a_false_share_beside_a_true_one_leads_nobody_astray_who_is_restarted():
    """Before all keys are shared a liar's true message counts though it is convicted; its false one
    stands first in a journal, is not checked once more, and counts there."""
    table = Table(roster(4), seed=b"shares")

    def both(table, to, move):
        if not isinstance(table.replicas[LIAR].phases[move.phase], Escrow):
            return None
        commitments, sealed = move.parts
        broken = list(sealed)
        broken[1] = bytes(len(sealed[1]))
        return [replace(move, parts=(commitments, tuple(broken))), move]

    table.tampers[LIAR] = both
    table.shuffle_order = False
    table.start()
    table.run(lambda t: (MOVE, 0, 0, SETUP) in t.replicas[0]._exchange.signed, seconds=60)
    before = table.replicas[0].transcript
    assert LIAR in table.replicas[0].convicted
    assert not before.views
    table.restart(0)
    assert table.replicas[0].transcript.past.hash == before.past.hash
    table.run(lambda t: all(t.replicas[p].transcript.number > 30 for p in HONEST), seconds=60)
    assert not table.replicas[0].halted
    assert all(table.replicas[p].transcript.number > 30 for p in HONEST)


@pytest.mark.parametrize("what", ["past", "move"])
def test_attempts_after_a_long_chain_of_nothing_make_nobody_spin(what, monkeypatch):
    """Each of a liar's attempts names the end of one long chain: no step goes over it for each.

    Neither of one that it shows a past, however often, nor of an honest peer's message.
    """
    table, cheat = begun(3, seed=b"chain"), 2
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 60, seconds=600)
    replica, past = table.replicas[0], Past(MOVE, bytes(32), ())
    game, at = replica.context.game_id, replica.transcript.at
    for n in range(200):
        past = Past(MOVE, past.hash, ())
        said = PhaseMessage(cheat, 10 + n % 50, 1 + n // 50, past, bytes(32), ())
        bring(table, "move", sign(said, identity(cheat), game).plain(), (0,), cheat)
    past = Past(MOVE, past.hash, ())
    for n in range(40):
        status = StatusMessage(cheat, at[0] + 1 + n, (0, 1, 2), at, past, ())
        bring(table, "status", sign(status, identity(cheat), game).plain(), (0,), cheat)
    keys, gone_over = Past.keys.fget, []
    monkeypatch.setattr(Past, "keys", property(lambda self: gone_over.append(self) or keys(self)))
    if what == "past":
        bring(table, "past", Past("", bytes(32), ()).plain(), (0,), cheat)
    else:
        said = PhaseMessage(1, at[1] + 3, at[0], Past(MOVE, bytes(32), ()), bytes(32), ())
        bring(table, "move", sign(said, identity(1), game).plain(), (0,), 1)
    assert len(gone_over) < 5_000


def test_who_is_restarted_comes_to_where_it_was_though_long_work_is_done_beside():
    """As in every real program: else all since the first shuffle is told, and kept, once more."""
    table = Table(roster(3, bots=("random",) * 3), seed=b"off", offload=True)
    table.start()
    table.run(lambda t: all(r.transcript.number > 60 for r in t.replicas), seconds=600)
    at, kept, said = table.replicas[0].transcript.at, len(table.kept(0)), len(table.of(0, Logged))
    table.events[0].clear()
    table.restart(0)
    assert table.replicas[0].transcript.at == at
    assert len(table.of(0, LoggedBefore)) == said
    assert len(table.kept(0)) <= kept + 1  # what it says here it says once more
