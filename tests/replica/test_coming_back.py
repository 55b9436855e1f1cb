"""Who is out comes back, however long it asked in vain: its attempts stay where others follow."""

from __future__ import annotations

from collections import deque

from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.line import COUNTED
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from tests.byzantine.stand_ins import installed
from tests.replica.harness import Table, roster
from tests.replica.test_back_after_farewell import begun, unsigned
from tests.replica.test_cut_cheats import bring
from tests.replica.test_told_anew import by

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


def test_who_is_out_is_led_by_one_member_to_no_number_from_which_nobody_hears_it():
    """Of five a liar asks one that comes back, alone, to join it with another one, which then dies:
    the three that are linked play on."""
    back, dies, liar, stay = 0, 3, 4, (1, 2)
    with installed():
        table = begun()
        table.kill(back)
        table.kill(dies)
        table.run(lambda t: all(r.transcript.members == {1, 2, 4} for r in t.alive), 60)
        unsigned(table, liar)
        table.restart(dies)
        table.restart(back)
        line = table.replicas[back].line
        table.run(lambda t: any(s.author == dies for s in line.said()), 30)
        bring(table, "status", by(liar, table, back, line.ground + 2 * COUNTED, range(5)), (back,))
        table.kill(dies)
        goal = 6 + max(replica.transcript.number for replica in table.alive)
        honest = [table.replicas[p] for p in (back, *stay)]
        table.run(lambda t: all(r.transcript.number > goal or r.over for r in honest), seconds=90)
        assert all(replica.transcript.number > goal or replica.over for replica in honest)
