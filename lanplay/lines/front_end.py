"""The line interface as a front end: see ``lanplay.ui.front_end.FrontEnd``."""

from __future__ import annotations

import getpass
import io
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

import trio

from lanplay.engine.game import Game, Result
from lanplay.errors import Fault, UserError
from lanplay.language import N_, _
from lanplay.lines.commanding import at_keyboard, choice, command, say, wait_as_guest
from lanplay.lines.console import Console, Turns
from lanplay.lines.plain import NO, YES, PlainUI
from lanplay.lines.source import STDIN, Lines
from lanplay.ui.looking import PATIENCE, Review
from lanplay.ui.ringing import Ringer
from lanplay_ai.characters import known_as

if TYPE_CHECKING:
    from lanplay.config.declared import Settings
    from lanplay.lines.lobby import LobbyLines
    from lanplay.ui.invitation import Phones
    from lanplay.ui.lobby import Listing, Offer, Opened
    from lanplay.ui.settings import SettingRow
    from lanplay_protocol.table import TableInfo


AGAIN = N_("Type y for a rematch with the same seats, or Enter to end.")
LOOK = N_("Type c to see what luck and decisions brought.")


class LineFrontEnd:
    """Talks with the person in lines: the game on standard output, all else on standard error."""

    paced = False

    def __init__(self, quiet: bool = False, call: str = "off") -> None:
        """``call`` is how its person is called back (``Settings.call``)."""
        self._quiet = quiet
        self._lines = STDIN if STDIN.source is sys.stdin else Lines(sys.stdin)
        self._lobby: LobbyLines | None = None
        self._agreed: list[str] | None = None
        self._table: Turns | Console | None = None
        self._ringer = Ringer(call, os.environ)
        self._ringer.write = partial(print, end="", file=sys.stderr, flush=True)

    say = ahead = staticmethod(say)  # what belongs to the next table stands before it anyway

    def table(self, game: Game, names: Sequence[str], alone: bool = False) -> Turns | Console:
        """Return the screen of a table; ``alone``: everything there waits for its person."""
        ui = PlainUI(game, names, self._lines, io.StringIO() if self._quiet else sys.stdout)
        self._table = Turns(ui) if alone else Console(self._lines, ui)
        if self._rings:
            self._table.ringer = self._ringer
        return self._table

    @property
    def _rings(self) -> bool:
        return sys.stderr.isatty() and not self._quiet

    async def over(self, result: Result | None, rematch: bool, review: Review | None) -> bool:
        """Say what decided the game, and ask a person at the keyboard what it wants now."""
        if result is None or self._quiet:
            return False
        if self._table is not None:
            self._table.reading.cancel()
            self._table.sum_up(result.winners)
        answers = dict.fromkeys(("", *NO), "n") | dict.fromkeys(YES if rematch else (), "y")
        ask = _(AGAIN) if rematch else _("Enter ends.")
        if review is not None:
            answers["c"], ask = "c", f"{_(LOOK)} {ask}"
        wanted = "n"
        if at_keyboard() and (rematch or review):
            self._lines.forget()  # Enter for the last question would leave those with phones
            wanted = await self._wanted(ask, answers)
        while wanted == "c" and review is not None:
            say(_(PATIENCE))
            say("\n".join(await trio.to_thread.run_sync(review, abandon_on_cancel=True)))
            wanted = await self._wanted(ask, answers)
        return wanted == "y"

    def invited(self, host: str) -> None:
        """Print who waits for the person, and how it comes."""
        if host:
            say(f"{_('{host} wants a rematch.').format(host=host)} {_(AGAIN)}")

    async def _wanted(self, ask: str, answers: Mapping[str, str]) -> str:
        try:
            return await choice(ask, ask, answers)
        except UserError:
            return "n"

    def invitation(self, phones: Phones) -> None:
        """Print how phones come: on a terminal also the code that they scan."""
        shown = phones.invitation
        if sys.stderr.isatty():
            print("\n".join(shown.drawn()), file=sys.stderr)
        say("\n".join(shown.told()))

    def forming(self) -> AbstractContextManager[None]:
        """Do nothing: every change is a line."""
        return nullcontext()

    def seats(self, info: TableInfo, awaited: Collection[bytes] = ()) -> None:
        """Print what is agreed on at the table, where that is news, and who sits where."""
        from lanplay.games.wording import game_title
        from lanplay.ui.lobby import agreed

        if (told := agreed(info)) != self._agreed:
            self._agreed = told
            say("\n".join([game_title(info.game), *told]))
        late = _("{name} (not back yet)")
        names = (
            late.format(name=s.name) if s.peer in awaited else known_as(s.name) for s in info.seats
        )
        seats = ", ".join(name or _("free") for name in names)
        say(f"{info.name}: {seats}{_('  (locked)') if info.locked else ''}")

    def heard(self, text: str) -> None:
        """Print what somebody has said, and ring."""
        say(text)
        if self._rings:
            self._ringer.call(text)

    async def host(self, obey: Callable[[str], bool], info: TableInfo) -> None:
        """Read lines for the table until one of them starts the game.

        Where the table starts by itself, only a person at the keyboard is heeded.
        """
        if not info.people or at_keyboard():
            await command(self._typing(obey), bool(info.people or info.term))

    async def guest(self, seated: trio.Event, obey: Callable[[str], bool]) -> None:
        """Return once the person leaves; before it is ``seated`` it may be asked for a password."""
        if not at_keyboard():
            await trio.sleep_forever()
        await seated.wait()
        await wait_as_guest(self._typing(obey))

    def _typing(self, obey: Callable[[str], bool]) -> Callable[[str], bool]:
        """Return what takes a line of somebody who is there."""

        def take(line: str) -> bool:
            self._ringer.touched()
            return obey(line)

        return take

    async def choice(self, question: str, how: str, answers: Mapping[str, str]) -> str:
        """Return what the person's line stands for."""
        return await choice(question, how, answers)

    async def sure(self, question: str) -> bool:
        """Return true: it was typed, and sent by another key."""
        return True

    async def secret(self, prompt: str) -> str:
        """Return a line that is not shown while it is typed."""
        try:
            return await trio.to_thread.run_sync(getpass.getpass, prompt, abandon_on_cancel=True)
        except EOFError as error:
            raise UserError(Fault.LEFT_TABLE) from error

    @contextmanager
    def lobby(self, listing: Callable[[], Listing]) -> Iterator[LobbyLines]:
        """List the tables as lines while a block runs."""
        from lanplay.lines.lobby import LobbyLines

        self._lobby = LobbyLines(self._lines, listing)
        yield self._lobby

    def changed(self) -> None:
        """Print what is new in the lobby."""
        if self._lobby is not None:
            self._lobby.changed()

    async def settings(
        self, rows: Callable[[], Sequence[SettingRow]], change: Callable[[str, str], None]
    ) -> None:
        """Print the settings, and how each is changed."""
        from lanplay.ui.settings import listed

        say(listed(rows()))

    def settled(self, settings: Settings) -> None:
        """Ring from now on as settings want it."""
        self._ringer.how = settings.call

    async def opening(self, offers: Sequence[Offer], game: str, bot: str) -> Opened | None:
        """Return the new table that the last line of the lobby asked for."""
        return None if self._lobby is None else self._lobby.opened(offers, game, bot)
