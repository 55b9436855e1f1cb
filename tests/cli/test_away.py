"""A game against AI alone on the full screen: its person goes away and comes back."""

from __future__ import annotations

from threading import Event

import trio

import lanplay_ai as ai
from lanplay.cli.playing import Local
from lanplay.engine.requests import Choose
from lanplay.tui.desk import Book, FullDesk
from lanplay_ai.guard import Guarded
from tests.tui.harness import GAME, NAMES, game_of, scene_of, sitting


async def until(true):
    """Return once something is true."""
    for _ in range(2000):
        if true():
            return
        await trio.sleep(0.01)
    raise AssertionError("in vain")


async def test_a_person_goes_away_and_comes_back():
    """``away`` lets an AI answer at once and without pauses, ``back`` asks the person again."""
    async with sitting() as person:
        screen = person.table(NAMES[:3], GAME)
        screen.pause = 0.01
        played = game_of(3, 3)
        agents = {seat: ai.guarded("random", b"%d" % seat, GAME.name) for seat in (1, 2)}
        made = []

        def stand_in():
            made.append(Leaving(local))
            return Guarded("leaving", made[-1])

        class Leaving:
            """Answers thrice, then its person is back."""

            def __init__(self, local):
                self.bot, self.left = ai.make("random", b"me", GAME.name), 3

            def answer(self, view, question):
                self.left -= 1
                if not self.left:
                    trio.from_thread.run_sync(screen.obey, "back")
                return self.bot.answer(view, question)

        local = Local(played, agents, screen, stand_in)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(local.run)
            await until(lambda: screen._asked.decision is not None)
            screen.obey("away")
            assert screen.pause == 0.0
            await until(lambda: made and not made[0].left and screen._asked.decision is not None)
            assert screen.pause == 0.01
            text = person.text()
            nursery.cancel_scope.cancel()
    assert isinstance(played.request, Choose)
    assert len(made) == 1
    assert "You decide" in text


async def test_what_precedes_a_resumed_game_stands_in_its_log():
    """It is shown with the table that comes next, once, and not after the end."""
    async with sitting() as person:
        desk = FullDesk(person.stage, Book(lambda game: "", lambda page, rule: ""), lambda game: ())
        desk.ahead("Going on. Waiting for Ann.")
        first, second = desk.table(GAME, NAMES[:3]), desk.table(GAME, NAMES[:3])
        played = game_of(3, 3)
        for screen, shown in ((second, False), (first, True)):
            screen.sees(lambda: scene_of(played, played.views[0]))
            with screen.showing():
                assert ("Waiting for Ann" in person.text()) is shown
        assert not person.stage.parting


async def test_who_has_answered_is_no_longer_marked_while_ai_thinks():
    """Each answer is shown at once: nothing else happens before the last one has come."""
    async with sitting() as person:
        screen = person.table(NAMES[:3], GAME)
        played = game_of(3, 3)
        goes_on = Event()

        class Slow:
            def answer(self, view, question):
                assert goes_on.wait(20)
                return ai.make("random", b"", GAME.name).answer(view, question)

        agents = {0: ai.make("random", b"me", GAME.name), 1: Slow(), 2: Slow()}
        agents = {seat: Guarded("random", agent) for seat, agent in agents.items()}
        local = Local(played, agents, screen, lambda: None)
        drawn = []
        person.stage.redraw = lambda: drawn.append(set(local._asked))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(local.run)
            await until(lambda: drawn and drawn[-1] == {1, 2})
            nursery.cancel_scope.cancel()
            goes_on.set()
