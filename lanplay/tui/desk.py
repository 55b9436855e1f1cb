"""The full screen as the place where a person sits: see ``lanplay.cli.desk.Desk``."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeVar

import trio

from lanplay.config import Settings
from lanplay.engine.game import Game, Result
from lanplay.errors import Fault, UserError
from lanplay.language import N_, _
from lanplay.told import worded
from lanplay.tui.glyphs import glyphs
from lanplay.tui.loop import run
from lanplay.tui.screens.asking import ChoiceScreen, LineScreen
from lanplay.tui.screens.forming import FormingScreen
from lanplay.tui.screens.lobby import LobbyScreen
from lanplay.tui.screens.opening import OpeningScreen
from lanplay.tui.screens.table import TableScreen
from lanplay.tui.stage import Habits, Stage
from lanplay.tui.theme import depth, style, suiting
from lanplay.ui.lobby import Listing, Offer, Opened
from lanplay_protocol.table import TableInfo

T = TypeVar("T")

PASSWORD: Final = N_(
    "Whoever sits down at the table needs the same password: up to 128 characters; capitals and "
    "blanks count. It is shown as stars, and is never sent itself."
)
"""What the password line explains."""

GUARD: Final = 0.4
"""Seconds for which a new question cannot be answered, where slips are guarded against."""

PAUSES: Final = {"slow": 1.5, "normal": 0.6, "fast": 0.2, "instant": 0.0}
"""Seconds between moves of AI, by the setting ``ai_speed``."""


class Book:
    """Where rules are looked up: the whole page of a game, and the passage of one rule."""

    def __init__(self, page: Callable[[str], str], passage: Callable[[str, str], str]) -> None:
        self.page = page
        self.passage = passage


class FullDesk:
    """Talks with the person through the full screen; ``bots`` returns the AI of a game."""

    def __init__(self, stage: Stage, book: Book, bots: Callable[[str], Sequence[str]]) -> None:
        self._stage = stage
        self._book = book
        self._bots = bots
        self._table: TableScreen | None = None
        self._ahead: list[str] = []
        self.again = False
        self._forming = FormingScreen(stage, bots, book.page)

    def say(self, text: str) -> None:
        """Tell what belongs to no game."""
        self._stage.say(text)

    def ahead(self, text: str) -> None:
        """Tell what belongs to the table that is shown next: its log begins with it."""
        self._ahead.append(text)

    # -- games -------------------------------------------------------------------------------------

    def table(self, game: Game, names: Sequence[str], alone: bool = False) -> TableScreen:
        """Return the screen of a table."""
        book = self._book

        def ruling(rule: str) -> str:
            return book.passage(book.page(game.name), rule)

        page = partial(book.page, game.name)
        self._table = TableScreen(self._stage, game, names, page, ruling)
        for text in self._ahead:
            self._table.notice(worded(text))
        self._ahead.clear()
        return self._table

    async def over(self, result: Result | None, rematch: bool) -> bool:
        """Show how the last game ended; return whether the person wants a rematch."""
        self.again = False
        if self._table is not None and result is not None:
            self.again = await self._table.over(result, rematch)
        return self.again

    def invited(self, host: str) -> None:
        """Tell who waits for the person with a rematch; empty: nobody does now."""
        if self._table is not None:
            self._table.invited(host)

    # -- forming tables ----------------------------------------------------------------------------

    @contextmanager
    def forming(self) -> Iterator[None]:
        """Show a table that forms, and before it the way to it, while a block runs."""
        self._forming = FormingScreen(self._stage, self._bots, self._book.page)
        with self._stage.showing(self._forming):
            yield

    def seats(self, info: TableInfo, awaited: Collection[bytes] = ()) -> None:
        """Show who sits where; ``awaited`` are identities that are not back yet."""
        self._forming.seats(info, awaited)

    async def host(self, obey: Callable[[str], bool], starts: Callable[[], bool]) -> None:
        """Let the person change the table until it starts the game (see ``FormingScreen.host``)."""
        await self._forming.host(obey)

    async def guest(self, seated: trio.Event | None = None) -> None:
        """Return never; ``UserError`` once the person leaves the table, or the way to it."""
        await self._forming.guest()
        raise UserError(Fault.LEFT_TABLE)

    # -- questions ---------------------------------------------------------------------------------

    async def choice(self, question: str, how: str, answers: Mapping[str, str]) -> str:
        """Return what the person's key stands for; ``UserError`` if it leaves."""
        names = {"y": _("yes"), "n": _("no"), "d": _("drop for good")}
        keys = {meant: names.get(meant, "") for meant in answers.values()} | {"q": _("leave")}
        if "" in answers:
            keys = {"enter": keys.pop(answers[""])} | keys
        screen = ChoiceScreen(self._stage, f"{question}\n\n{how}", keys)
        with self._stage.showing(screen):
            key = await screen.chosen()
        if key == "q":
            raise UserError(Fault.NOTHING_BEGUN)
        return answers["" if key == "enter" else key]

    async def sure(self, question: str) -> bool:
        """Ask again about what one key has said and cannot be undone; return whether it is so."""
        keys = {"y": _("yes"), "n": _("no")}
        screen = ChoiceScreen(self._stage, question, keys)
        with self._stage.showing(screen):
            return await screen.chosen() == "y"

    async def secret(self, prompt: str) -> str:
        """Return a line that nobody else is to read."""
        screen = LineScreen(self._stage, prompt, _("Password:"), hidden=True, about=_(PASSWORD))
        with self._stage.showing(screen):
            text = await screen.text()
        if text is None:
            raise UserError(Fault.LEFT_TABLE)
        return text

    # -- the lobby ---------------------------------------------------------------------------------

    @contextmanager
    def lobby(self, listing: Callable[[], Listing]) -> Iterator[LobbyScreen]:
        """Show the lobby while a block runs."""
        screen = LobbyScreen(self._stage, listing)
        with self._stage.showing(screen):
            yield screen

    def changed(self) -> None:
        """Show that what the lobby lists has changed."""
        self._stage.redraw()

    async def opening(self, offers: Sequence[Offer], game: str, bot: str) -> Opened | None:
        """Return the new table that the person wants, if any."""
        screen = OpeningScreen(self._stage, offers, game, bot, self._book.page)
        with self._stage.showing(screen):
            return await screen.opened()


def habits(settings: Settings) -> Habits:
    """Return how the person likes it."""
    return Habits(
        glyphs=glyphs(settings.ascii),
        pause=PAUSES[settings.ai_speed],
        animation=settings.animation,
        confirm=settings.confirm,
        guard=GUARD if settings.confirm else 0.0,
    )


def sit(
    settings: Settings,
    book: Book,
    bots: Callable[[str], Sequence[str]],
    main: Callable[[FullDesk], Awaitable[T]],
) -> T:
    """Run ``main`` with the full screen on the terminal, and return its result."""
    stage = Stage(habits(settings))
    desk = FullDesk(stage, book, bots)
    palette = style(suiting(settings.theme, os.environ))
    return run(stage, lambda: main(desk), palette, depth(settings.colours, os.environ))
