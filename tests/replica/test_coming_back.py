"""Who is out comes back, however long it asked in vain: its attempts stay where others follow."""

from __future__ import annotations

from collections import deque

from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.line import COUNTED
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from tests.replica.harness import Table, roster

OUT = 2


def thinking(until=lambda table: False):
    """A condition, while nobody answers any question."""

    def so(table):
        table.queue = deque(each for each in table.queue if not isinstance(each[2], AnswerNeeded))
        return until(table)

    return so


def test_who_asked_back_for_long_and_was_not_heard_is_back_at_once_and_stays(monkeypatch):
    """Nobody is given up at this table, so it asks all the time, with some numbers alone."""
    monkeypatch.setattr("lanplay_protocol.replica.attendance.PATIENCE", 0.0)
    seats = roster(3, game=load("charidice"), settings=TableSettings(grace=FOREVER))
    table = Table(seats, seed=b"back")
    table.start()
    table.run(thinking(lambda t: t.replicas[0].transcript.number > SETUP + 1), seconds=5)
    table.disconnect(*table.pairs(OUT))
    for peer in (0, 1):
        table.step(peer, inputs.SkipWait(OUT))
    table.run(thinking(lambda t: t.replicas[0].begun), seconds=60)
    table.silent.add(OUT)  # it hears that it is out, and is not heard
    table.connect((0, OUT))
    table.run(thinking(lambda t: t.replicas[OUT].begun), seconds=20)
    table.disconnect((0, OUT))
    table.silent.discard(OUT)
    table.run(thinking(), seconds=300)
    assert table.replicas[OUT].attendance.changes.top < 2 * COUNTED
    table.connect(*table.pairs(OUT))
    since = table.now
    table.run(thinking(lambda t: all(OUT in r.transcript.members for r in t.replicas)), seconds=60)
    assert table.now - since < 1
    for replica in table.replicas:
        replica._exchange.asked.clear()  # people come to, and answer
    table.run(seconds=400)
    assert table.is_over()
    assert all(OUT in replica.transcript.members for replica in table.replicas)
