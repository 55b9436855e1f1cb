"""A liar begins two views of one number: who is out goes where others have gone on."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.settings import TableSettings
from tests.replica.harness import GAME
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, level, status

HOST, LIAR, OUT = 0, 1, 2


def led_astray():
    """A table of three that has ended without one, to which a liar has shown another view."""
    table = begun(3, seed=b"two views", settings=TableSettings(grace=10))
    level(table)
    table.disconnect(*table.pairs(OUT))
    table.run(lambda t: t.replicas[HOST].begun, seconds=60)
    (view,) = table.replicas[HOST].begun
    said = view.said[1]
    odd = status(table, view.number, (HOST, LIAR), LIAR, LIAR, at=said.at, past=said.past, held=())
    carried = [each.signed for each in view.carried]
    table.run(lambda t: t.replicas[HOST].over, seconds=3000)
    for signed in (*carried, view.statuses[0], odd):
        bring(table, signed.kind, signed.plain(), (OUT,), LIAR)
    assert table.replicas[OUT].transcript.views[0].statuses[1] == odd
    assert odd != view.statuses[1]
    table.kill(LIAR)
    return table


@pytest.mark.parametrize("restarted", [False, True])
def test_who_is_out_has_the_end_though_a_liar_began_another_view_of_that_number_for_it(restarted):
    """The other two have played on to the end: no later view leads it back."""
    table = led_astray()
    if restarted:
        table.kill(OUT)
        table.restart(OUT)
    else:
        table.connect((HOST, OUT))
    table.run(lambda t: t.replicas[OUT].over, seconds=60)
    assert table.replicas[OUT].result == table.replicas[HOST].result
    assert table.replicas[OUT].over
    assert check_record(GAME, record_of(table, OUT)).finding.peer == LIAR
    table.kill(OUT)
    table.restart(OUT)
    assert table.replicas[OUT].over


@pytest.mark.parametrize("restarted", [False, True])
def test_who_was_left_alone_in_its_view_has_the_end_of_the_other_one(restarted):
    """A liar has begun one with each of two that cannot reach each other, and played on in both."""
    table = begun(3, seed=b"two views", settings=TableSettings(grace=10))
    level(table)
    before = [*table.disks[LIAR]]
    table.disconnect(*table.pairs(HOST))
    number = table.replicas[OUT].transcript.number + 9
    table.run(lambda t: t.replicas[OUT].transcript.number > number, seconds=60)
    table.kill(LIAR)
    table.dead.add(OUT)
    table.disks[LIAR] = before
    table.restart(LIAR)
    table.run(lambda t: t.replicas[HOST].over, seconds=3000)
    assert [table.replicas[p].transcript.view for p in (HOST, OUT)] == [1, 1]
    assert not table.replicas[OUT].over
    table.kill(LIAR)
    table.dead.discard(OUT)
    if restarted:
        table.restart(OUT)
    else:
        table.connect((HOST, OUT))
    table.run(lambda t: t.replicas[OUT].over, seconds=60)
    assert table.replicas[OUT].over
    assert table.replicas[OUT].result == table.replicas[HOST].result
    assert [set(table.replicas[p].convicted) for p in (HOST, OUT)] == [{LIAR}, {LIAR}]
    table.kill(OUT)
    table.restart(OUT)
    assert table.replicas[OUT].over
