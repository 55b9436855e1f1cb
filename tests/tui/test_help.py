"""``?`` on every screen: what it is, and what its keys do."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from lanplay.engine.record import Record
from lanplay.engine.stepper import Stepper
from lanplay.tui.cells import plain
from lanplay.tui.games import screen_of
from lanplay.tui.glyphs import UNICODE
from lanplay.tui.screens.help import table_help
from lanplay.tui.screens.replay import ReplayScreen
from lanplay.ui import rulebook
from lanplay.ui.lobby import Offer
from tests.tui.golden import SCREENS
from tests.tui.harness import GAME, NAMES, SIZES, Person, game_of, sitting
from tests.tui.test_lobby import desk, info
from tests.tui.test_table import ask


@pytest.mark.parametrize(
    "name", ["keep", "words", "watching", "result", "lobby", "opening", "choice"]
)
async def test_help_is_one_key_away_and_leads_back(name):
    """The page has the keys of the screen; Esc shows the screen again as it was."""
    async with SCREENS[name](Person()) as person:
        before = person.text()
        person.stage.screens[-1].press("?")
        assert person.lines()[0].startswith(" Help")
        assert "Keys" in person.text(SIZES[1])
        person.stage.screens[-1].press("escape")
        assert person.text() == before


@pytest.mark.parametrize(
    ("who", "told"),
    [("host", "kick NAME"), ("guest", "The host decides who sits where")],
)
async def test_both_sides_of_a_forming_table_have_help_and_rules(who, told, monkeypatch):
    """A guest that waits may read on as well as the host."""
    monkeypatch.setattr(rulebook, "text", lambda game: f"# {game}\n\nThe rules.")
    async with sitting() as person:
        own = desk(person)
        with own.forming():
            own.seats(info("Ann", "Bob", "", ""))
            async with trio.open_nursery() as nursery:
                if who == "host":
                    nursery.start_soon(own.host, lambda line: False, None)
                else:
                    nursery.start_soon(own.guest, trio.Event(), bool)
                await person.press("?")
                assert told in person.text(SIZES[1])
                await person.press("escape", "R")
                assert "The rules." in person.text()
                nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("game", "listed"), [("dice-town", True), ("dogs-life", False)])
def test_the_keys_of_a_list_are_told_where_there_is_one(game, listed):
    """On a map one points and goes; where nothing is asked, nothing is chosen."""
    for question in ("Which?", ""):
        page = table_help(question, "", (), screen_of(game), UNICODE)
        text = "\n".join(map(plain, page))
        assert ("where several may be picked" in text) == (listed and bool(question))
        assert ("arrows, Enter" in text) == (not listed and bool(question))


async def test_the_rules_of_a_game_can_be_read_before_it_is_opened(monkeypatch):
    """``R`` shows the page of the game that is chosen."""
    monkeypatch.setattr(rulebook, "text", lambda game: f"# {game}\n\nThe rules.")
    offers = (Offer("dice-town", range(2, 6), {}, {"strong": ""}),)
    async with sitting() as person, trio.open_nursery() as nursery:
        own = desk(person)
        nursery.start_soon(own.opening, offers, "dice-town", "strong")
        await person.press("R")
        assert "dice-town" in person.text()
        assert "The rules." in person.text()
        nursery.cancel_scope.cancel()


async def test_a_replay_explains_its_keys_and_signs():
    """The page names every way to step, and what stands on the board."""
    played = game_of(3)
    played.run()
    record = Record(played.views[0].header, played.referee.history, played.table.hash())
    async with sitting() as person:
        screen = ReplayScreen(person.stage, Stepper(GAME, record), GAME, NAMES[:4], None)
        person.stage.push(screen)
        await person.press("?")
        text = person.text(SIZES[1])
        await person.press("escape")
        assert "as everybody saw it" in person.text()
    assert "to the round before" in text
    assert "the Sheriff" in text


async def test_help_with_the_words_says_what_they_are_for():
    """Before the game the question is whether all screens show the same words."""
    async with SCREENS["words"](Person()) as person:
        person.stage.screens[-1].press("?")
        assert "nobody sits between the laptops" in " ".join(person.text().split())


async def test_help_has_the_signs_of_the_game():
    """What stands on the board of this game is explained, and what stands on every board."""
    async with sitting() as person, trio.open_nursery() as nursery:
        _table, _question, _view, answer = await ask(person, "keep", [])
        nursery.start_soon(answer)
        await person.press("?")
        text = person.text(SIZES[1])
        nursery.cancel_scope.cancel()
    assert "a tie: the Sheriff decides" in text
    assert "AI takes this seat in so many seconds" in text


async def test_a_password_line_explains_itself():
    """Any key may belong to a password, ``?`` too: what is asked for stands there all the time."""
    given = []
    async with sitting() as person, trio.open_nursery() as nursery:

        async def ask():
            given.append(await desk(person).secret("Password of the table: "))

        nursery.start_soon(ask)
        await person.press("?")
        assert "needs the same password" in person.text()
        await person.press("enter")
    assert given == ["?"]
