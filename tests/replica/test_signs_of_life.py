"""Signs of life of who was restarted in a long phase count for those who heard it before."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import encode
from tests.byzantine.stand_ins import installed
from tests.replica.harness import received, roster
from tests.replica.test_mercy import Lying

CHEAT, VICTIM, HONEST = 2, 1, (0, 1, 3)
GRACE = 10
WORD = encode(("presence", Liveness(frozenset({VICTIM})).plain()))


@pytest.mark.parametrize("before", [0, 60, 120])
@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("thinker", [VICTIM, CHEAT, 3])
def test_a_restarted_peer_that_a_liar_does_not_hear_stays(before, restarted, thinker):
    with installed():
        table = Lying(roster(4, 4, TableSettings(grace=GRACE)), b"doubts")
        table.liar = CHEAT
        table.lies = lambda kind, payload, body: WORD if kind == "presence" else body
        table.start()
        table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
        table.think = {thinker}
        for peer in set(HONEST) - {VICTIM}:
            table.step(peer, received(CHEAT, WORD))
        table.run(seconds=before)
        if restarted:
            table.kill(VICTIM)
            table.restart(VICTIM)
        table.run(seconds=8 * GRACE)
        lost = {each for p in HONEST for e in table.of(p, ViewChanged) for each in e.lost}
        assert not lost & set(HONEST), lost


@pytest.mark.parametrize("before", [0, 60, 120])
@pytest.mark.parametrize("thinker", [VICTIM, 3])
def test_a_restarted_peer_without_one_link_stays(before, thinker):
    """Nobody lies here: two have no link to each other, while a person thinks."""
    with installed():
        table = Lying(roster(4, 4, TableSettings(grace=GRACE)), b"doubts")
        table.start()
        table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
        table.think = {thinker}
        table.disconnect((CHEAT, VICTIM))
        table.run(seconds=before)
        table.kill(VICTIM)
        table.restart(VICTIM)
        table.disconnect((CHEAT, VICTIM))
        table.run(seconds=8 * GRACE)
        lost = {each for p in HONEST for e in table.of(p, ViewChanged) for each in e.lost}
        assert not lost, lost
