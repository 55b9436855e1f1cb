"""A first game from a table that one has opened oneself."""

from __future__ import annotations

import io
from contextlib import nullcontext

import trio

import lanplay_ai as ai
from lanplay.games.teaching import lessons_of
from lanplay.lines.console import Console
from lanplay.lines.plain import PlainUI
from lanplay.lines.source import Lines
from lanplay.session.audience import OWNER
from lanplay.session.client import NO_PASSWORD
from lanplay.session.settings import TableWish
from lanplay.ui.presenter import Presenter
from tests.session.harness import GAME, Keyboard, client_of
from tests.session.test_commands import until


class Typing:
    """A front end whose person types one line at its table, and sits before a game's lines then."""

    def __init__(self, line):
        self.line, self.out = line, io.StringIO()
        self.display = None

    def forming(self):
        return nullcontext()

    def seats(self, info, awaited=()):
        pass

    def say(self, text):
        pass

    ahead = say

    async def guest(self, seated, obey):
        await trio.sleep_forever()

    async def host(self, obey, info):
        obey(self.line)

    def table(self, game, names, alone=False):
        self.display = Console(Lines(Keyboard()), PlainUI(game, names, Lines(Keyboard()), self.out))
        return self.display


async def test_whoever_sits_alone_at_a_table_begins_a_first_game_with_one_word(tmp_path, nursery):
    """Beginners take the free seats, and a coach says what the game is about."""
    wish = TableWish(GAME.name, 3, "strong")
    session = client_of(tmp_path, "Ann").host(wish, NO_PASSWORD)
    front = Typing("learn")
    await nursery.start(Presenter(session, front, lambda ended: None).run)
    nursery.start_soon(session.run)
    goal = lessons_of(GAME.name).goal()[0]
    await until(lambda: goal.split(".")[0][:40] in front.out.getvalue())
    levels = [ai.bots(GAME.name)[each.bot].level for each in session.snapshot(OWNER).holders[1:]]
    assert levels == [ai.bots(GAME.name)[ai.plainest(GAME.name)].level] * 2
    again = Presenter(session, Typing(""), lambda ended: None)  # as after lanplay resume
    await nursery.start(again.run)
    await until(lambda: again._coach is not None)
    assert not again._coach.goal(), "it has been told"
