"""What an eighth reader, of docs/protocol.md alone, found: who watches stays in a view that its
peer has left for the end."""

from __future__ import annotations

from dataclasses import replace

from lanplay.games import load
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.messages import MOVE, PhaseMessage, sign
from lanplay_protocol.replica.spectator import Spectator
from tests.replica.harness import identity, received, roster
from tests.replica.test_cut_cheats import bring
from tests.replica.test_led_astray import deliver
from tests.replica.test_spectator import Watched, record_of

GAME = load("charidice")
LIAR, FIRST, OTHER = 2, 0, 1


def test_who_watches_follows_its_peer_back_from_a_view_to_the_end():
    """A liar is convicted at the end, and gives its final to one, which has ended by it: the other
    one has begun the view without the liar, alone, and ends with what it is shown, below."""
    table = Watched(roster(3, game=GAME), seed=b"back")
    table.tampers[LIAR] = lambda t, to, move: (
        [] if isinstance(t.replicas[LIAR].phases[move.phase], Final) else None
    )
    table.start()
    honest = [table.replicas[p] for p in (FIRST, OTHER)]
    table.run(lambda t: all(isinstance(r.transcript.phase, Final) for r in honest), 3000)
    table.spectator = Spectator(GAME, table.roster)
    table.watch(peer=OTHER)
    deliver(table)
    table.silent.add(LIAR)
    line, game = honest[0].transcript, honest[0].context.game_id
    true = PhaseMessage(LIAR, line.number, 0, line.past, line.state, ())
    beyond = replace(true, phase=line.number + 1)
    for said in (beyond, replace(beyond, state=bytes(32))):
        bring(table, MOVE, sign(said, identity(LIAR), game).plain(), (FIRST, OTHER), LIAR)
    assert [set(r.convicted) for r in honest] == [{LIAR}] * 2
    for each in [each for each in table.queue if each[1] == OTHER]:
        table.queue.remove(each)
        table.step(OTHER, received(each[0], each[2]))
    table.deliver()
    assert table.spectator.position == (1, line.number)
    bring(table, MOVE, sign(true, identity(LIAR), game).plain(), (FIRST,), LIAR)
    assert honest[0].over
    table.run(lambda t: t.is_over(), seconds=30)
    assert honest[1].over
    assert table.ended_alike()
    assert check_record(GAME, record_of(table)).ended
