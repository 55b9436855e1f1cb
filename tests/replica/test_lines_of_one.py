"""A lie on a line that one honest peer alone was on: the others have to convict its author, too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, sign
from lanplay_protocol.replica.other_lines import DEAD_ENDS
from lanplay_protocol.replica.settings import TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring

FORKER, LIAR, VICTIM, HONEST = 2, 4, 0, (0, 1, 3)


def name_nothing(table):
    """Let the liar name pasts that nobody has gone to, parts of phases, to all but the victim."""
    for p in HONEST[1:]:
        line = table.replicas[p].transcript
        phases = [n for n in range(10, line.number) if len(line.moves[n]) > 1][: DEAD_ENDS + 1]
        for number in phases:
            one = min(line.moves[number].values(), key=lambda each: each.sender)
            past = Past(MOVE, line.bases[number], (one.ref,))
            said = PhaseMessage(LIAR, number + 1, 50, past, bytes(32), ())
            signed = sign(said, identity(LIAR), table.replicas[p].context.game_id)
            bring(table, "move", signed.plain(), (p,), LIAR)


@pytest.mark.longer_games
@pytest.mark.sweep(2)
@pytest.mark.parametrize(("seed", "names"), [(0, False), (1, False), (0, True)])
def test_a_lie_on_a_line_of_one_convicts_for_all(seed, names):
    """Also where its author ``names`` pasts of nothing first: they use up nothing here."""
    with installed():
        table = begun(5, seed=b"dead%d" % seed, settings=TableSettings(grace=10))
        at, told = [], []

        def two_faced(table, to, move):
            phase = table.replicas[FORKER].phases.get(move.phase)
            if move.phase <= 40 or not isinstance(phase, CommitPhase) or move.view:
                return None
            if at and at[0] != move.phase:
                return None
            if not at and len(phase.needs) < 5:
                return None
            at[:] = [move.phase]
            if to != VICTIM:
                return None
            (_, sealed), *rest = move.parts
            return [replace(move, parts=((bytes(32), sealed), *rest))]

        def keeps(table, to, move):
            return [] if at and move.phase > at[0] and not move.view else None

        table.tampers[FORKER], table.tampers[LIAR] = two_faced, keeps

        def lies(t):
            line = t.replicas[VICTIM].transcript
            if at and line.number == at[0] + 1 and not line.view and not told:
                said = PhaseMessage(LIAR, line.number, 0, line.past, line.state, ())
                told.append(sign(said, identity(LIAR), t.replicas[VICTIM].context.game_id))
                bring(t, "move", told[0].plain(), (VICTIM,), LIAR)
            return False

        if names:
            table.run(lambda t: min(r.transcript.number for r in t.replicas) > 30, seconds=300)
            name_nothing(table)
        table.run(lies, seconds=300)
        assert told
        lost = {each for p in HONEST for e in table.of(p, ViewChanged) for each in e.lost}
        assert not lost & set(HONEST), lost
        assert len({frozenset(table.replicas[p].convicted) for p in HONEST}) == 1
        assert all(table.replicas[p].over for p in HONEST)
