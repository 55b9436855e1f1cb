"""The browser as a front end: see ``lanplay.ui.front_end.FrontEnd``."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import webbrowser
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import trio

from lanplay import files
from lanplay.config.declared import Settings
from lanplay.engine.game import Game, Result
from lanplay.engine.stepper import Stepper
from lanplay.errors import Fault, UserError
from lanplay.language import N_, _, use
from lanplay.told import inside, worded
from lanplay.ui.front_end import TablesShown
from lanplay.ui.invitation import Phones
from lanplay.ui.kept import KeptGame
from lanplay.ui.lobby import Listing, Offer, Opened
from lanplay.ui.looking import Review
from lanplay.ui.settings import SettingRow
from lanplay.web.asking import ChoicePage, SecretPage
from lanplay.web.elements import el
from lanplay.web.gate import WebGate
from lanplay.web.http import HttpServer
from lanplay.web.joining import InvitationPage
from lanplay.web.live import GAP_SECONDS, Person
from lanplay.web.lobby import Answers, FormingPage, LobbyPage, OpeningPage
from lanplay.web.pages import PageStack, Sentence
from lanplay.web.replaying import HistoryPage, ReplayPage
from lanplay.web.settings import SettingsPage
from lanplay.web.site import Site, by_link, document
from lanplay.web.table import WebTable
from lanplay.web.taste import settled
from lanplay_protocol.table import TableInfo

T = TypeVar("T")

HOST: Final = "127.0.0.1"
"""Where the pages of this laptop's person are: nobody else reaches them."""
FAREWELL_SECONDS: Final = 8 * GAP_SECONDS
"""How long the last page may take to be shown."""


class WebFrontEnd(TablesShown[FormingPage, WebTable]):
    """Talks with the person through pages. ``confirm``: what weighs is asked for once more.

    ``sit`` is what somebody with a phone does for a seat, ``name`` who that is.
    """

    paced = True

    def __init__(
        self,
        pages: PageStack,
        confirm: bool = True,
        sit: Callable[[], None] | None = None,
        name: str = "",
    ) -> None:
        self.pages = pages
        super().__init__(pages.showing, lambda: FormingPage(pages, sit, name))
        self._confirm = confirm
        self._sit = sit
        self._lobby: LobbyPage | None = None
        self._invitation: InvitationPage | None = None

    def say(self, text: str) -> None:
        """Tell what belongs to no game: on the page, and in the owner's terminal."""
        if self._sit is None:
            print(worded(text), file=sys.stderr, flush=True)
        for page in (self._lobby, self._table, self._forming):
            if page is not None:
                page.say(worded(text, inside))
                return

    # -- games ------------------------------------------------------------------------------------

    def table(self, game: Game, names: Sequence[str], alone: bool = False) -> WebTable:
        """Return the page of a table."""
        phone = self._sit is not None
        return self._begun(WebTable(self.pages, game, names, self._confirm, phone=phone))

    async def over(self, result: Result | None, rematch: bool, review: Review | None) -> bool:
        """Show how the last game ended; return whether the person wants a rematch."""
        if self._table is None or (result is None and self._sit is None):
            return False
        if result is None:
            await trio.sleep_forever()
        return await self._table.over(result, rematch and self._sit is None, review)

    def invited(self, host: str) -> None:
        """Tell who waits for the person with a rematch; empty: nobody does now."""
        if self._table is not None:
            self._table.invited(host)

    # -- forming tables ---------------------------------------------------------------------------

    async def host(self, obey: Callable[[str], bool], info: TableInfo) -> None:
        """Let the person change the table until it starts the game."""
        await self._forming.host(obey)

    async def guest(self, seated: trio.Event, obey: Callable[[str], bool] | None = None) -> None:
        """Return once the person leaves the table, or the way to it."""
        await self._forming.guest(obey)

    def invitation(self, phones: Phones) -> None:
        """Show how phones come, until the person has seen enough."""
        if self._invitation is not None:
            self.pages.pop(self._invitation)
        self._invitation = InvitationPage(self.pages, phones)
        self.pages.push(self._invitation)

    # -- questions --------------------------------------------------------------------------------

    async def choice(self, question: str, how: str, answers: Mapping[str, str]) -> str:
        """Return what the person's button stands for; ``UserError`` if it leaves."""
        names = {"y": _("yes"), "n": _("no"), "d": _("drop for good")}
        keys = {meant: names.get(meant, meant) for meant in answers.values()} | {"q": _("leave")}
        given = await self._answered(ChoicePage(self.pages, question, keys))
        if given == "q":
            raise UserError(Fault.NOTHING_BEGUN)
        return given

    async def sure(self, question: str) -> bool:
        """Ask again about what cannot be undone; return whether it is so."""
        page = ChoicePage(self.pages, question, {"y": _("yes"), "n": _("no")})
        return await self._answered(page) == "y"

    async def secret(self, prompt: str) -> str:
        """Return a line that nobody else is to read."""
        text = await self._answered(SecretPage(self.pages, prompt))
        if text is None:
            raise UserError(Fault.LEFT_TABLE)
        return text

    async def _answered(self, page: Answers[T]) -> T:
        """Show a page until its person has answered; return the answer."""
        with self.pages.showing(page):
            return await page.answered()

    # -- the lobby --------------------------------------------------------------------------------

    @contextmanager
    def lobby(self, listing: Callable[[], Listing]) -> Iterator[LobbyPage]:
        """Show the lobby while a block runs."""
        self._lobby = page = LobbyPage(self.pages, listing)
        try:
            with self.pages.showing(page):
                yield page
        finally:
            self._lobby = None

    def changed(self) -> None:
        """Show that what the lobby lists has changed."""
        self.pages.redraw()

    async def opening(self, offers: Sequence[Offer], game: str, bot: str) -> Opened | None:
        """Return the new table that the person wants, if any."""
        return await self._answered(OpeningPage(self.pages, offers, game, bot))

    # -- settings ---------------------------------------------------------------------------------

    async def settings(
        self, rows: Callable[[], Sequence[SettingRow]], change: Callable[[str, str], None]
    ) -> None:
        """Let the person change settings until it has seen enough."""
        await self._answered(SettingsPage(self.pages, rows, change))

    def settled(self, settings: Settings) -> None:
        """Look, move and ask from now on as settings want it."""
        self._confirm = settings.confirm
        self.pages.taste = replace(settled(settings), sound=self.pages.taste.sound)
        self.pages.redraw()

    # -- kept games -------------------------------------------------------------------------------

    async def history(self, games: Sequence[KeptGame], said: str = "") -> KeptGame | None:
        """Return the game that the person wants to see; ``None`` if it leaves."""
        page = HistoryPage(self.pages, games)
        if said:
            page.say(said)
        return await self._answered(page)

    async def replay(
        self, stepper: Stepper, game: Game, names: Sequence[str], seat: int | None
    ) -> None:
        """Let the person step through a record until it leaves."""
        await self._answered(ReplayPage(self.pages, stepper, game, names, seat))


class OwnPages(PageStack):
    """The pages of this laptop's person: all that it reads is in the language it wants."""

    def retold(self) -> None:
        """Speak that language from now on, also in the terminal."""
        use(self.taste.lang)


def sit(settings: Settings, main: Callable[[WebFrontEnd], Awaitable[T]]) -> T:
    """Run ``main`` with the browser of this laptop, and return its result; SIGTERM is Ctrl-C."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    if hasattr(signal, "SIGTTIN"):
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # it plays on in the background, too
    with tempfile.TemporaryDirectory(prefix="lanplay-", ignore_cleanup_errors=True) as folder:
        return trio.run(partial(seated, settings, main, partial(show, Path(folder)), entered))


async def seated(
    settings: Settings,
    main: Callable[[WebFrontEnd], Awaitable[T]],
    shown: Callable[[str], Awaitable[None]],
    again: Callable[[], Awaitable[None]] = trio.sleep_forever,
) -> T:
    """Serve the pages of this laptop's person while ``main`` runs; ``shown`` is told the link.

    It is told another one each time that ``again`` returns: a page may have been closed.
    """
    pages = OwnPages("", settled(settings))
    front = WebFrontEnd(pages, settings.confirm)
    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host=HOST)
        origin = f"http://{HOST}:{listeners[0].socket.getsockname()[1]}"
        gate: WebGate[Person] = WebGate((origin,), trio.current_time)
        server = HttpServer(Site(gate, by_link(gate)).answer)
        nursery.start_soon(trio.serve_listeners, server.connection, listeners)

        def link() -> str:
            return f"{origin}/login?token={gate.link(pages)}"

        async def show_again() -> None:
            while True:
                await again()
                await shown(link())

        await shown(link())
        nursery.start_soon(show_again)
        try:
            return await main(front)
        finally:
            with trio.CancelScope(shield=True), pages.showing(Sentence(N_("You have left."))):
                await trio.sleep(FAREWELL_SECONDS)
            nursery.cancel_scope.cancel()


async def show(folder: Path, link: str) -> None:
    """Print the link with which the person logs in, and open it in the system's browser.

    That goes through a file in a folder that only the person can read: others can read command
    lines.
    """
    print(_("Play in a browser: {link}").format(link=link), file=sys.stderr, flush=True)
    if sys.platform.startswith("linux") and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        return  # what would be opened is a program of the terminal
    go = el("meta", http_equiv="refresh", content=f"0;url={link}")
    page = folder / "login.html"
    try:
        files.replace(page, document(el("p", el("a", "lanplay", href=link)), go))
    except OSError:
        return  # the link that is printed is enough
    there = page.resolve().as_uri()  # Windows keeps elsewhere what the Store's Python writes
    await trio.to_thread.run_sync(webbrowser.open, there, abandon_on_cancel=True)


async def entered() -> None:
    """Return once somebody presses Enter at the terminal; where nobody can, wait for ever."""
    line = ""
    if sys.stdin is not None and sys.stdin.isatty():
        told = _("If you close the page: Enter here shows another link.")
        print(told, file=sys.stderr, flush=True)
        with suppress(OSError):  # another program has the terminal
            line = await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
    if not line:
        await trio.sleep_forever()
