"""What an eighth reader, of docs/protocol.md alone, found: who watches stays in a view that its
peer has left for the end, and who said farewell and is back at once is left for good."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.finals import Final
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, StatusMessage, sign
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.spectator import Spectator
from lanplay_protocol.replica.view_change import Electorate, ViewChange
from tests.replica.harness import Table, identity, received, roster
from tests.replica.test_cut_cheats import bring, leave
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


@pytest.mark.parametrize("how", ["lies", "leaves", "is silent"])
def test_who_is_back_before_a_view_without_it_has_begun_takes_part(how):
    """A liar signs no view without the one that said farewell, and then is out itself, or is no
    liar and its laptop dead: three of four are linked, and two of them want each other alone."""
    honest, back = (0, 1, 3), 1
    table = Table(roster(4, settings=TableSettings(grace=5), game=GAME), seed=b"left")
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 20, 600)
    table.silent.add(LIAR)
    deliver(table)
    table.step(back, inputs.Leaving())
    table.kill(back, lost=False)
    deliver(table)
    if how == "lies":
        replica = table.replicas[0]
        line = replica.transcript
        said = PhaseMessage(LIAR, line.number, line.view, line.past, bytes(32), ())
        signed = sign(said, identity(LIAR), replica.context.game_id)
        bring(table, MOVE, signed.plain(), (0, 3), LIAR)
    elif how == "leaves":
        leave(table, author=LIAR, to=(0, 3))
    table.run(seconds=1)
    table.restart(back)
    table.run(lambda t: all(t.replicas[p].over for p in honest), seconds=120)
    assert all(table.replicas[p].over for p in honest)
    assert not any(back in view.lost for view in table.replicas[0].begun)


def test_who_said_farewell_may_ask_back_before_a_view_only_where_too_few_stay():
    """Elsewhere the view without it comes first: a liar that leaves and asks begins none."""
    left, past = 3, Past(MOVE, bytes(32), ())
    asks = [StatusMessage(left, 1, (*stay, left), (0, 9), past, ()) for stay in ((0, 1, 2), (0, 1))]
    table = Electorate(0, frozenset(range(4)), asks, set(), set(), {left}, set(), {})
    assert ViewChange(0, 4, 3).want(table) == (0, 1, 2)
    assert ViewChange(0, 4, 3).want(table._replace(gone={2})) == (0, 1, left)
