"""Reaction windows where people play: the time of an answer tells nothing (DT-6.13)."""

from __future__ import annotations

from random import Random

import pytest
import trio
import trio.testing

from lanplay.session import reaction as windows
from lanplay.session.reaction import LEAST, MORE, MOST, Window
from tests.session.harness import Person
from tests.tui.harness import position


@pytest.fixture
def window(monkeypatch, nursery):
    """A person whose table keeps windows open: ``window(holds)`` returns it, view and question."""
    monkeypatch.setattr(windows, "SHARE", 0.0)

    async def make(holds):
        person = Person()
        await nursery.start(person.presenter.run)
        await trio.testing.wait_all_tasks_blocked()
        person.replica.windows = True
        _game, view, question = position("play", 3)
        if not holds:
            view.own = {}
        assert (question.only_answer(view) is None) is holds
        return person, view, question

    return make


async def test_who_cannot_react_is_not_asked_and_answers_in_due_time(window, autojump_clock):
    """Nothing is shown, and the answer leaves within the bounds of the table's delay."""
    person, view, question = await window(holds=False)
    began = trio.current_time()
    assert await person.game.answer(view.seat, view, question, "") is None
    assert LEAST <= trio.current_time() - began <= MOST
    assert person.out.getvalue() == ""


async def test_a_quick_person_is_as_slow_as_all_others(window, mock_clock):
    """An answer that comes at once leaves when an automatic one would."""
    person, view, question = await window(holds=True)
    given = []

    async def answer():
        given.append(await person.game.answer(view.seat, view, question, ""))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        person.type("2\n")
        await trio.testing.wait_all_tasks_blocked(0.01)
        while person.game._seats.person_of(frozenset({view.seat})).hurried:
            await trio.testing.wait_all_tasks_blocked(0.01)
        assert not given
        mock_clock.jump(MOST)
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert given[0] in question.hand
        nursery.cancel_scope.cancel()


async def test_a_person_that_lets_the_time_pass_has_passed(window, mock_clock):
    """Nobody is held up by who is away: the window closes on its own."""
    person, view, question = await window(holds=True)
    given = []

    async def answer():
        given.append(await person.game.answer(view.seat, view, question, ""))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        await trio.testing.wait_all_tasks_blocked(0.05)
        mock_clock.jump(LEAST - 0.01)
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert not given
        mock_clock.jump(MOST - LEAST + 0.02)
    assert given == [None]
    await trio.testing.wait_all_tasks_blocked()
    assert "time for this reaction is over" in person.out.getvalue()


async def test_more_time_is_had_once(window, mock_clock):
    """``more`` keeps the window open, a second time it says no."""
    person, view, question = await window(holds=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.game.answer, view.seat, view, question, "")
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert await person.command("more")
        assert await person.command("more")
        assert "You had more time already" in person.out.getvalue()
        mock_clock.jump(MORE)
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert "is over" not in person.out.getvalue()
        mock_clock.jump(MOST)
    await trio.testing.wait_all_tasks_blocked()
    assert "is over" in person.out.getvalue()


async def test_the_time_stands_still_in_a_pause(window, mock_clock):
    """Nobody's window closes while the game is paused; it goes on with what was left."""
    person, view, question = await window(holds=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.game.answer, view.seat, view, question, "")
        await trio.testing.wait_all_tasks_blocked(0.05)
        person.game.paused("Ann", 300.0)
        mock_clock.jump(100)
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert "is over" not in person.out.getvalue()
        person.game.resumed("Ann")
        mock_clock.jump(MOST)
    await trio.testing.wait_all_tasks_blocked()
    assert "is over" in person.out.getvalue()


async def test_without_a_window_nothing_runs_out(window):
    """``more`` says so where there is no hurry."""
    person, _view, _question = await window(holds=True)
    assert await person.command("more")
    assert "no hurry" in person.out.getvalue()


async def test_automatic_answers_ask_for_more_time_too(autojump_clock):
    """Of many, some leave late: who asks for more time is not known by it."""
    luck = Random(5)
    late = 0
    for _ in range(200):
        window = Window(luck)
        began = trio.current_time()
        await window.leave(automatic=True)
        late += trio.current_time() - began > MOST
    assert 5 < late < 50


async def test_a_persons_window_does_not_close_in_a_pause(autojump_clock):
    """What was left of its time is left when the game goes on, more time asked for included."""
    window = Window(Random(1))
    left = window.closes - trio.current_time()
    with window.patience() as patience:
        window.run(False)
        await trio.sleep(1000)
        assert window.more()
        window.run(True)
        began = trio.current_time()
        await trio.sleep_forever()
    assert patience.cancelled_caught
    assert trio.current_time() - began == pytest.approx(left + MORE)
