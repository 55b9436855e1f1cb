"""The full screen as a front end: see ``lanplay.ui.front_end.FrontEnd``."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

import trio
from prompt_toolkit.styles import DynamicStyle

import lanplay_ai as ai
from lanplay.config.declared import Settings
from lanplay.engine.game import Game, Result
from lanplay.errors import Fault, UserError
from lanplay.language import N_, _
from lanplay.tui.cells import EMPTY, line
from lanplay.tui.glyphs import glyphs
from lanplay.tui.loop import run
from lanplay.tui.screens.asking import ChoiceScreen, SecretScreen
from lanplay.tui.screens.forming import FormingScreen
from lanplay.tui.screens.lobby import LobbyScreen
from lanplay.tui.screens.opening import OpeningScreen
from lanplay.tui.screens.pager import Pager
from lanplay.tui.screens.settings import SettingsScreen
from lanplay.tui.screens.table import TableScreen
from lanplay.tui.stage import Habits, Stage
from lanplay.tui.theme import PALETTES, depth, style, suiting
from lanplay.ui import rulebook
from lanplay.ui.front_end import TablesShown
from lanplay.ui.invitation import Phones
from lanplay.ui.lobby import Listing, Offer, Opened
from lanplay.ui.looking import Review
from lanplay.ui.ringing import Ringer
from lanplay.ui.settings import SettingRow
from lanplay_protocol.table import TableInfo

T = TypeVar("T")

PASSWORD: Final = N_(
    "Whoever sits down at the table needs the same password: up to 128 characters; capitals "
    "and spaces count. It is shown as stars, and the password itself is never sent."
)
"""What the password line explains."""

BLANK: Final = "\N{NO-BREAK SPACE}"
"""A cell of a code that no line is broken at."""
GUARD: Final = 0.4
"""Seconds for which a new question cannot be answered, where slips are guarded against."""


class FullScreen(TablesShown[FormingScreen, TableScreen]):
    """Talks with the person through the full screen; ``palette`` is what it is drawn in."""

    paced = True

    def __init__(self, stage: Stage, palette: str = PALETTES[0]) -> None:
        super().__init__(stage.showing, lambda: FormingScreen(stage, ai.names, rulebook.shown))
        self._stage = stage
        self.palette = palette
        self._people: set[str] = set()

    def say(self, text: str) -> None:
        """Tell what belongs to no game."""
        self._stage.say(text)

    # -- games -------------------------------------------------------------------------------------

    def table(self, game: Game, names: Sequence[str], alone: bool = False) -> TableScreen:
        """Return the screen of a table."""
        page = partial(rulebook.shown, game.name)
        return self._begun(TableScreen(self._stage, game, names, page, page))

    async def over(self, result: Result | None, rematch: bool, review: Review | None) -> bool:
        """Show how the last game ended; return whether the person wants a rematch."""
        if self._table is None or result is None:
            return False
        return await self._table.over(result, rematch, review)

    def invited(self, host: str) -> None:
        """Tell who waits for the person with a rematch; empty: nobody does now."""
        if self._table is not None:
            self._table.invited(host)

    # -- forming tables ----------------------------------------------------------------------------

    def seats(self, info: TableInfo, awaited: Collection[bytes] = ()) -> None:
        """Show who sits where; ``awaited`` are identities that are not back yet."""
        people = {seat.name for seat in info.seats if seat.name and not seat.bot}
        if self._people and (come := people - self._people):
            told = _("{names} has come to the table.").format(names=", ".join(sorted(come)))
            self._stage.ringer.call(told)
        self._people = people
        super().seats(info, awaited)

    def heard(self, text: str) -> None:
        """Show what somebody has said, ring, and keep it for the log of the game."""
        super().heard(text)
        self._stage.ringer.call(text)

    async def host(self, obey: Callable[[str], bool], info: TableInfo) -> None:
        """Let the person change the table until it starts the game (see ``FormingScreen.host``)."""
        await self._forming.host(obey)

    async def guest(self, seated: trio.Event, obey: Callable[[str], bool]) -> None:
        """Return once the person leaves the table, or the way to it."""
        await self._forming.guest(obey)

    def invitation(self, phones: Phones) -> None:
        """Show how phones come: the code that they scan, dark on light whatever the palette."""
        shown = phones.invitation
        code = [line(("qr", row.replace(" ", BLANK))) for row in shown.drawn()]
        told = [line(text) for text in shown.told()]
        self._stage.push(Pager(self._stage, _("Phones"), [*code, EMPTY, *told]))

    # -- questions ---------------------------------------------------------------------------------

    async def choice(self, question: str, how: str, answers: Mapping[str, str]) -> str:
        """Return what the person's key stands for; ``UserError`` if it leaves."""
        names = {"y": _("yes"), "n": _("no"), "d": _("drop for good")}
        keys = {meant: names.get(meant, "") for meant in answers.values()} | {"q": _("leave")}
        if "" in answers:
            keys = {"enter": keys.pop(answers[""])} | keys
        key = await self._stage.ask(ChoiceScreen(self._stage, f"{question}\n\n{how}", keys))
        if key == "q":
            raise UserError(Fault.NOTHING_BEGUN)
        return answers["" if key == "enter" else key]

    async def sure(self, question: str) -> bool:
        """Ask again about what one key has said and cannot be undone; return whether it is so."""
        keys = {"y": _("yes"), "n": _("no")}
        return await self._stage.ask(ChoiceScreen(self._stage, question, keys)) == "y"

    async def secret(self, prompt: str) -> str:
        """Return a line that nobody else is to read."""
        text = await self._stage.ask(SecretScreen(prompt, _("Password:"), _(PASSWORD)))
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

    async def settings(
        self, rows: Callable[[], Sequence[SettingRow]], change: Callable[[str, str], None]
    ) -> None:
        """Let the person change settings until it has seen enough."""
        await self._stage.ask(SettingsScreen(self._stage, rows, change))

    def settled(self, settings: Settings) -> None:
        """Look, move, ring and ask from now on as settings want it."""
        self.palette = suiting(settings.theme, os.environ)
        self._stage.habits = replace(habits(settings), glyphs=self._stage.glyphs)
        self._stage.ringer.how = settings.call
        self._stage.redraw()

    def changed(self) -> None:
        """Show that what the lobby lists has changed."""
        self._stage.redraw()

    async def opening(self, offers: Sequence[Offer], game: str, bot: str) -> Opened | None:
        """Return the new table that the person wants, if any."""
        screen = OpeningScreen(self._stage, offers, game, bot, rulebook.shown)
        return await self._stage.ask(screen)


def habits(settings: Settings) -> Habits:
    """Return how the person likes it."""
    return Habits(
        glyphs=glyphs(settings.ascii),
        animation=settings.animation,
        confirm=settings.confirm,
        guard=GUARD if settings.confirm else 0.0,
    )


def sit(settings: Settings, main: Callable[[FullScreen], Awaitable[T]]) -> T:
    """Run ``main`` with the full screen on the terminal, and return its result."""
    stage = Stage(habits(settings))
    stage.ringer = Ringer(settings.call, os.environ)
    front = FullScreen(stage, suiting(settings.theme, os.environ))
    looks = DynamicStyle(lambda: style(front.palette))
    return run(stage, lambda: main(front), looks, depth(settings.colours, os.environ))
