"""What a reader of the code found: what one alone checked in another order, or on another line."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.handover import Handover
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, refs, sign
from lanplay_protocol.replica.threshold import ThresholdOpening
from tests.replica.harness import identity, parts
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, bring, false_sealing, join, level
from tests.replica.test_led_astray import deliver
from tests.replica.test_lines_left import LIAR, VICTIM, harmless, view_of_one, watched

HONEST = (0, 1, 3)

pytestmark = pytest.mark.whole_games


def two_takers(seed):
    """A table at which the seats of two who are lost go to two honest peers, who have still to hear
    the cheat; ``None`` where they go to others."""
    table = begun(5, seed=b"takers%d" % seed)
    level(table)
    table.tampers[CHEAT] = lambda table, to, move: (
        [] if isinstance(table.replicas[CHEAT].phases[move.phase], Handover) else None
    )
    table.kill(3)
    table.kill(4)
    lines = [table.replicas[p] for p in (0, 1)]

    def stuck(_):
        phases = [line.transcript.phase for line in lines]
        owed = all(line.transcript.missing == {CHEAT} for line in lines)
        return owed and all(isinstance(phase, Handover) for phase in phases)

    table.run(stuck, seconds=20)
    if not stuck(table) or lines[0].transcript.phase._takers != [0, 1]:
        return None
    return table if all(lines[0].transcript.phase.due(CHEAT).values()) else None


def test_whom_something_false_was_sealed_to_goes_nowhere_where_nobody_can_follow():
    """What is sealed to the first new holder is false, and to the second it is nothing at all: for
    all others that message breaks the rules, and so it does for the first. One liar is enough: it
    joins a view that all have joined, from a place behind that message."""
    table = next(filter(None, map(two_takers, range(3, 60))))
    deliver(table)
    table.silent.add(CHEAT)
    line = table.replicas[0].transcript
    view, number = line.at
    phase = table.replicas[CHEAT].phases[number]
    own = PhaseMessage(CHEAT, number, view, line.past, line.state, phase.mine())
    to_first, to_second = false_sealing(table, phase, own)
    lie = parts(own, (to_first, bytes(len(to_second))))
    lie = sign(lie, identity(CHEAT), line.context.game_id)
    past = Past(MOVE, line.past.hash, refs([*line.moves[-1].values(), lie]))
    table.restart(3)
    tried = [table.replicas[p].attendance.changes for p in HONEST]

    def asked(_):
        return all(changes.tried[1] == (0, 1, CHEAT, 3) for changes in tried)

    table.run(asked, seconds=30)
    assert asked(table)
    join(table, *tried[0].tried, at=(view, number + 1), past=past, held=())
    bring(table, MOVE, lie.plain())
    assert all(set(table.replicas[p].convicted) == {CHEAT} for p in HONEST)
    assert {table.replicas[p].transcript.at for p in HONEST} == {(view, number)}
    lines = [table.replicas[p] for p in HONEST]
    table.run(lambda _: all(r.transcript.number > number + 30 for r in lines), seconds=60)
    assert all(replica.transcript.number > number + 30 for replica in lines)


def test_a_partial_that_was_sealed_to_oneself_is_looked_at_last():
    """What is false for all is found first, whatever else is false."""
    looked = []
    phase = ThresholdOpening.__new__(ThresholdOpening)
    phase.context, phase._items = SimpleNamespace(me=0), {0: {}, None: {}, 1: {}}
    phase._given = lambda sender, receiver, part, parts: looked.append(receiver)
    phase.check(2, ((), (), ()))
    assert looked == [None, 1, 0]


def comes_out(table, line):
    """Let it come out for one alone that the liar had claimed what is false, as with a card shown:
    no statement proves that, but the whole line."""
    line.context.late_violations[LIAR] = (Code.FALSE_CLAIM, "claimed what its cards do not show")
    table.step(VICTIM, inputs.Nudged())


def test_what_came_out_on_a_line_that_was_left_convicts_nobody():
    """Whoever was there alone goes over to the others, who can never tell: it keeps its seat where
    the liar asks back, and its journal says the same."""

    def is_back(t):
        return VICTIM in t.replicas[1].transcript.members

    table = view_of_one(True, is_back, lies=comes_out, first=16)
    honest = [table.replicas[p] for p in (0, 1, 2, 3)]
    assert [set(replica.convicted) for replica in honest] == [set()] * 4
    table.silent.clear()
    table.disconnect(*table.pairs(LIAR))
    table.connect(*table.pairs(LIAR))

    def all_are_back(_):
        return all(replica.transcript.members == frozenset(range(5)) for replica in honest)

    table.run(all_are_back, seconds=30)
    assert all_are_back(table)
    table.kill(VICTIM)
    table.restart(VICTIM)
    assert not table.replicas[VICTIM].convicted


@pytest.mark.parametrize("anew", [False, True])
def test_what_came_out_on_a_line_that_was_left_convicts_nobody_for_who_watches(anew):
    """It goes back with its peer, or follows the game anew."""
    seen = []

    def comes_out_too(table, line):
        comes_out(table, line)
        seen.append(watched(table, VICTIM))
        seen[0].context.late_violations[LIAR] = line.context.late_violations[LIAR]
        watched(table, VICTIM, *seen)
        assert set(seen[0]._verdicts.convicted) == {LIAR}

    table = view_of_one(
        True, lambda t: VICTIM in t.replicas[1].transcript.members, lies=comes_out_too, first=16
    )
    if anew:
        seen[0]._begin()
    watched(table, VICTIM, *seen)
    assert seen[0].position == table.replicas[VICTIM].transcript.at
    assert not seen[0]._verdicts.convicted


@pytest.mark.parametrize("again", [False, True])
def test_who_watches_follows_over_a_view_whatever_its_statuses_say_they_hold(again):
    """A liar's names a message that never counted: the table has asked for it, who watches does
    not. Who is started again still has it."""
    table = begun(5, seed=b"watch")
    level(table)
    line, honest = table.replicas[0].transcript, (0, 1, 2, 3)
    beside = harmless(table, 10)
    bring(table, MOVE, beside.plain(), honest, LIAR)
    table.silent.add(LIAR)
    held = (beside.ref, *(each.ref for each in line.brought if each.sender == LIAR))
    join(table, 1, range(5), honest, LIAR, held=held)
    table.run(lambda t: all(t.replicas[p].begun for p in honest), seconds=5)
    assert not any(table.replicas[p].convicted for p in honest)
    if again:
        table.kill(0)
        table.restart(0)
    deliver(table)
    assert table.replicas[0].transcript.view == 1
    assert watched(table, 0).position == table.replicas[0].transcript.at
