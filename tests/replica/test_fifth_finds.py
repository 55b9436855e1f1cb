"""What a fifth reader of the code found: who judges what a view has passed, and who comes to the
end that others have signed."""

from __future__ import annotations

from collections import deque

import pytest

from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, read, sign
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import identity
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level, status
from tests.replica.test_false_ends import say, unsigned
from tests.replica.test_lines_left import HONEST, LIAR, OTHERS, VICTIM, named


def begin_view_without(table):
    """Let a view of all begin for the others, where the liar owes its message: its status stands at
    another past of this phase, so that it denies nothing. Return what they have said later."""
    line = table.replicas[VICTIM].transcript
    beside = Past(MOVE, line.past.before, ())
    joined = status(table, 1, range(5), LIAR, LIAR, past=beside, held=())
    bring(table, "status", joined.plain(), OTHERS, LIAR)
    later, table.shuffle_order = [], False
    while table.queue and not all(table.replicas[p].transcript.view for p in OTHERS):
        item = table.queue[0][2]
        kind, payload = decode(item) if isinstance(item, bytes) else ("", ())
        before = kind == MOVE and payload[2] == 0
        if before or kind == "want" or (kind == "status" and payload[0] != LIAR):
            table._deliver()
        else:
            later.append(table.queue.popleft())
    table.shuffle_order = True
    assert [table.replicas[p].transcript.at for p in OTHERS] == [(1, line.number)] * 3
    assert line.view == 0
    return later


def test_all_judge_what_one_was_told_before_a_view_of_the_same_members():
    """It is told something false in the view that is over for the others, who are told what is true
    in the next one: else it alone convicts the liar, with whom they play on."""
    table = begun(5, seed=b"before", settings=TableSettings(grace=5))

    def owing(t):
        mine, line = t.replicas[LIAR].transcript, t.replicas[VICTIM].transcript
        return LIAR in line.missing and LIAR in mine.moves[-1] and line.past.refs

    level(table, owing)
    table.silent.add(LIAR)
    table.queue = deque(each for each in table.queue if LIAR not in each[:2])
    line, game = table.replicas[VICTIM].transcript, table.replicas[VICTIM].context.game_id
    number = line.number
    true = read(table.replicas[LIAR].transcript.moves[-1][LIAR]).parts
    later = begin_view_without(table)
    lie = PhaseMessage(LIAR, number, 0, line.past, line.state, ("nonsense",))
    bring(table, MOVE, sign(lie, identity(LIAR), game).plain(), (VICTIM,), LIAR)
    assert set(table.replicas[VICTIM].convicted) == {LIAR}
    here = table.replicas[1].transcript
    said = sign(PhaseMessage(LIAR, number, 1, here.past, here.state, true), identity(LIAR), game)
    table.queue.extend((LIAR, p, encode((MOVE, said.plain()))) for p in HONEST)
    table.queue.extend(later)
    table.run(lambda t: all(t.replicas[p].transcript.number > number for p in HONEST), seconds=5)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    assert named(table) == [LIAR] * 4


@pytest.mark.parametrize("flooded", [False, True])
def test_a_third_final_of_a_liar_with_which_another_has_ended_is_taken(flooded):
    """Two false ones are held, and convict; nothing but the end that the other shows names the
    third. Nor does another end, which the liar shows again and again, take its place."""
    cheat, other = 2, 1
    table = unsigned(3, (cheat,), b"one place")
    line = table.replicas[other].transcript
    number, past, game = line.number, line.past, table.replicas[VICTIM].context.game_id
    nowhere = sign(PhaseMessage(cheat, number, 0, past, bytes(32), ()), identity(cheat), game)
    end, deliver = Past(MOVE, past.hash, (nowhere.ref,)), table._deliver

    def shows():
        if flooded and not table.replicas[VICTIM].over:
            bring(table, "end", end.plain(), (VICTIM,), cheat)

    def delivered():
        deliver()
        shows()

    shows()  # first of all, too
    say(table, PhaseMessage(cheat, number, 0, past, line.state, ()), (other,))
    assert table.replicas[other].over
    for body in (1, 2):
        say(table, PhaseMessage(cheat, number, 0, past, bytes([body]) * 32, ()), (VICTIM,))

    table._deliver = delivered
    table.run(lambda t: t.replicas[VICTIM].over, seconds=30)
    assert table.replicas[VICTIM].over
    assert len({table.replicas[p].transcript.past.hash for p in (VICTIM, other)}) == 1
