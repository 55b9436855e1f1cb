"""Who watches at a liar first convicts in the end whom the table convicts."""

from __future__ import annotations

import pytest

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.events import Accused
from lanplay_protocol.replica.messages import complain
from lanplay_protocol.replica.spectator import NUDGE, VAIN
from lanplay_protocol.wire import encode
from tests.byzantine.stand_ins import installed
from tests.replica.harness import identity
from tests.replica.test_cut_cheats import bring
from tests.replica.test_spectator import table_of

LIAR = 1


def test_a_complaint_that_came_before_the_game_was_followed_anew_is_judged():
    """It was told that first by one who showed nothing else, and left it for another."""
    with installed():
        table = table_of(2, seed=b"held")
        table.run(lambda t: t.replicas[0].transcript.number > 30, seconds=300)
        true = table.replicas[0].moves[10][0]
        false = complain(LIAR, true, b"", identity(LIAR), table.roster)
        table.watch(peer=LIAR)
        table.waiting.clear()
        spectator = table.spectator
        spectator.receive(encode(("complaint", false.plain())), table.now)
        with pytest.raises(PeerError, match="cannot be verified"):
            for _ in range(VAIN + 2):
                table.now += NUDGE
                spectator.tick(table.now)
        bring(table, "complaint", false.plain(), (0,), LIAR)
        assert set(table.replicas[0].convicted) == {LIAR}
        table.watch(peer=0)
        table.catch_up()
        assert table.stands_alike()
        assert {event.peer for event in table.seen_of(Accused)} == {LIAR}
