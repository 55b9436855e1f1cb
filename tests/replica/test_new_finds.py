"""What records, journals and watchers miss of lies on lines that were left: tests that fail."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.messages import PhaseMessage, sign
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode
from tests.byzantine.stand_ins import installed
from tests.replica.harness import GAME, identity
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level, status

LIAR, VICTIM, OTHERS, HONEST = 4, 0, (1, 2, 3), (0, 1, 2, 3)


@pytest.fixture(autouse=True)
def cheap():
    with installed():
        yield


def view_of_one(table, due=True):
    """Let a liar begin a view of all with one honest peer alone, lose that one its links, and lie
    to it there: nobody else has held what the view hangs on, and they go on without both."""
    everybody = tuple(range(5))
    level(table, lambda t: (LIAR in t.replicas[0].transcript.missing) == due)
    table.silent.add(LIAR)
    joined = status(table, 1, everybody, LIAR, LIAR)
    bring(table, "status", joined.plain(), (VICTIM,), LIAR)
    later, table.shuffle_order = [], False
    while table.queue and not table.replicas[VICTIM].transcript.view:
        sender, to, item = table.queue[0]
        said = isinstance(item, bytes) and decode(item)[0] == "status"
        if said and LIAR not in (sender, to):
            table._deliver()
        else:
            later.append(table.queue.popleft())
    line = table.replicas[VICTIM].transcript
    assert line.view == 1
    assert not any(table.replicas[p].transcript.view for p in OTHERS)
    table.queue.extend(each for each in later if LIAR not in each[:2])
    table.disconnect(*((VICTIM, p) for p in OTHERS))
    game = table.replicas[VICTIM].context.game_id
    lie = PhaseMessage(LIAR, line.number, 1, line.past, bytes(32), ())
    bring(table, "move", sign(lie, identity(LIAR), game).plain(), (VICTIM,), LIAR)
    assert set(table.replicas[VICTIM].convicted) == {LIAR}
    table.shuffle_order = True
    number = line.number
    table.run(lambda t: all(t.replicas[p].transcript.number > number + 3 for p in OTHERS), 200)
    assert all(set(table.replicas[p].transcript.members) == set(OTHERS) for p in OTHERS)
    table.connect(*((VICTIM, p) for p in OTHERS))
    table.run(lambda t: all(set(t.replicas[p].convicted) == {LIAR} for p in HONEST), 60)
    return table


def named(table, peers=HONEST):
    """Whom the records of some convict."""
    found = [check_record(GAME, record_of(table, p)).finding for p in peers]
    return [None if each is None else each.peer for each in found]


def test_a_record_names_who_lied_on_a_line_beyond_a_view():
    """All have convicted the liar, and the record has what leads there; ``verify`` names nobody."""
    table = view_of_one(begun(5, seed=b"beyond", settings=TableSettings(grace=5)))
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    assert named(table) == [LIAR] * 4


def test_all_convict_for_another_state_on_a_line_that_was_left():
    """Where nothing was due of its author: who was on that line has convicted it."""
    table = view_of_one(begun(5, seed=b"beyond", settings=TableSettings(grace=5)), due=False)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4


def test_a_record_names_who_signed_another_state_where_nothing_was_due():
    """All convict it while they play."""
    table = begun(5, seed=b"beyond", settings=TableSettings(grace=5))
    level(table, lambda t: LIAR not in t.replicas[0].transcript.phase.needs)
    line, game = table.replicas[0].transcript, table.replicas[0].context.game_id
    lie = PhaseMessage(LIAR, line.number, 0, line.past, bytes(32), ())
    bring(table, "move", sign(lie, identity(LIAR), game).plain(), HONEST, LIAR)
    assert [set(table.replicas[p].convicted) for p in HONEST] == [{LIAR}] * 4
    number = line.number
    table.run(lambda t: all(t.replicas[p].transcript.number > number + 3 for p in HONEST), 100)
    assert named(table) == [LIAR] * 4
