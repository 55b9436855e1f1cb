"""An audience that does not keep up is closed; whoever presents the table begins again."""

from __future__ import annotations

import trio

from lanplay.session import audience
from lanplay.session.audience import OWNER, Subscriptions
from lanplay.session.events import Snapshot, TableNotice
from lanplay.session.table import BESIDE
from tests.session.harness import Seated, at_keep, sat_down


async def test_an_audience_that_lets_too_much_wait_is_closed(monkeypatch):
    """It gets what had come until then, and the end; who comes again is told the last notices."""
    monkeypatch.setattr(audience, "QUEUE", 100)
    session = Seated(at_keep()).session
    with session.subscribe(OWNER) as slow:
        for number in range(130):
            session.tell(TableNotice(str(number)))
        heard = [event async for event in slow]
    assert isinstance(heard[0], Snapshot)
    assert len(heard) == 100
    with session.subscribe(OWNER) as again:
        session.tell(TableNotice("later"))
        assert isinstance(again.receive_nowait(), Snapshot)
        told = [again.receive_nowait().text for _ in range(BESIDE + 1)]
    assert told == [*map(str, range(130 - BESIDE, 130)), "later"]


async def test_who_comes_late_is_told_all_of_a_log_that_is_longer_than_what_may_wait(monkeypatch):
    monkeypatch.setattr(audience, "QUEUE", 10)
    log = [TableNotice(str(number)) for number in range(30)]
    subscriptions = Subscriptions(lambda a: Snapshot, lambda a: log, lambda a: None)
    with subscriptions.subscribe(OWNER) as late:
        subscriptions.tell(TableNotice("later"))
        assert [late.receive_nowait() for _ in range(32)][1:] == [*log, TableNotice("later")]


async def test_a_presenter_that_was_too_slow_shows_the_table_as_it_is(monkeypatch, nursery):
    """From a new snapshot: what is asked is asked again there, and later events are shown."""
    monkeypatch.setattr(audience, "QUEUE", 100)
    person, asked = await sat_down(nursery), []
    answer = person.console.answer
    monkeypatch.setattr(person.console, "answer", lambda *a: asked.append(a) or answer(*a))
    nursery.start_soon(person.answer)
    await trio.testing.wait_all_tasks_blocked()
    assert len(asked) == 1
    for number in range(200):
        person.session.tell(TableNotice(f"notice {number}"))
    await trio.testing.wait_all_tasks_blocked()
    person.session.tell(TableNotice("the last notice"))
    await trio.testing.wait_all_tasks_blocked()
    assert "notice 10" in person.said
    assert "notice 120" not in person.said
    assert "the last notice" in person.said
    assert len(asked) == 2
    assert asked[0] == asked[1]
