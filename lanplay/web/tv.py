"""A big screen for all at a table: what everybody may see, and nothing to tap."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import trio
from markupsafe import Markup

from lanplay.engine.game import Game, Result
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.games.teaching import NO_LESSONS
from lanplay.games.wording import game_title
from lanplay.language import _
from lanplay.told import worded
from lanplay.ui.alerts import alerts
from lanplay.ui.front_end import TablesShown
from lanplay.ui.invitation import Invitation, Phones
from lanplay.ui.looking import Review
from lanplay.web import regions as r
from lanplay.web.board import Taps, board_of
from lanplay.web.elements import NOTHING, el, joined
from lanplay.web.joining import link, qr
from lanplay.web.live import Page, Tap
from lanplay.web.lobby import seat_row
from lanplay.web.pages import PageStack
from lanplay.web.table import GamePicture
from lanplay.web.taste import Taste
from lanplay_protocol.table import TableInfo

LINES: Final = 9
"""Events that are shown beside the board, the newest last."""


class TvPages(PageStack):
    """The pages of one big screen; whatever is tapped there, nothing happens."""

    def __init__(self, taste: Taste) -> None:
        super().__init__("tv", taste)
        self.scope = trio.CancelScope()

    def regions(self) -> Mapping[str, Markup]:
        """Return the topmost page; nothing can be set here."""
        return {**super().regions(), "taste": r.region("taste", None)}

    def act(self, tap: Tap) -> bool:
        """Return false: there is nothing to do."""
        return False


class TvFrontEnd(TablesShown["TvForming", "TvTable"]):
    """Shows a session on a big screen: see ``lanplay.ui.front_end.TableFrontEnd``.

    ``invitation`` returns how phones come now.
    """

    def __init__(self, pages: TvPages, invitation: Callable[[], Invitation]) -> None:
        super().__init__(pages.showing, lambda: TvForming(pages, invitation))
        self._pages = pages
        self._invitation = invitation

    def say(self, text: str) -> None:
        """Tell what belongs to no game."""
        self._forming.heard(worded(text))

    def table(self, game: Game, names: Sequence[str], alone: bool = False) -> TvTable:
        """Return the picture of a table."""
        return self._begun(TvTable(self._pages, game, names, self._invitation))

    async def over(self, result: Result | None, rematch: bool, review: Review | None) -> bool:
        """Show how the last game ended, until something else is shown."""
        if self._table is not None:
            self._table.ended(result)
        await trio.sleep_forever()

    def invited(self, host: str) -> None:
        """Say nothing: it is nobody's seat."""

    def invitation(self, phones: Phones) -> None:
        """Say nothing: the address is in sight."""

    async def host(self, obey: Callable[[str], bool], info: TableInfo) -> None:
        """Wait: nothing is decided here."""
        await trio.sleep_forever()

    async def guest(self, seated: trio.Event, obey: Callable[[str], bool]) -> None:
        """Wait: nothing is decided here."""
        await trio.sleep_forever()


class TvForming(Page):
    """A table that forms: how one comes to it, large, and who has."""

    def __init__(self, pages: TvPages, invitation: Callable[[], Invitation]) -> None:
        self._pages = pages
        self._invitation = invitation
        self._info: TableInfo | None = None
        self._awaited: Collection[bytes] = ()
        self._said = ""

    def heard(self, text: str) -> None:
        """Show a sentence."""
        self._said = text
        self._pages.redraw()

    def seats(self, info: TableInfo, awaited: Collection[bytes]) -> None:
        """Show who sits where."""
        self._info, self._awaited = info, awaited
        self._pages.redraw()

    def regions(self) -> Mapping[str, Markup]:
        """Return the code, the address, and the seats."""
        info = self._info
        if info is None:
            told = el("p", _("A table is forming"), class_="sentence")
            return r.whole(head=r.head("lanplay"), board=told)
        shown = self._invitation()
        come = None
        if shown.address:
            come = joined(
                [qr(shown.address), el("p", _("Scan the code, or type:")), _address(shown)]
            )
        places = el(
            "ol", *(seat_row(info, seat, self._awaited) for seat in info.seats), class_="places"
        )
        said = el("p", self._said, class_="said", role="status") if self._said else None
        title = el("h2", board_of(info.game).emblem, game_title(info.game))
        seats = el("div", title, places, said)
        inside = el(
            "div", seats, el("div", come) if come else None, class_="paper lobby invitation"
        )
        return r.whole(head=r.head(info.name), board=inside)


class TvTable(GamePicture):
    """A game as all may see it: see ``lanplay.ui.front_end.TableDisplay``."""

    def __init__(
        self, pages: TvPages, game: Game, names: Sequence[str], invitation: Callable[[], Invitation]
    ) -> None:
        super().__init__(pages, game, names, NO_LESSONS)
        self.listens = False
        self._invitation = invitation
        self._result: Result | None = None

    async def run(self) -> None:
        """Wait: nobody does anything here."""
        await trio.sleep_forever()

    async def answer(self, view: View[Any], question: Question) -> Answer:
        """Wait: whoever has no seat is not asked."""
        await trio.sleep_forever()

    async def agree(self, question: str) -> None:
        """Wait: it is for the people at their own screens."""
        await trio.sleep_forever()

    reply = GamePicture.notice

    def coached(self, told: object) -> None:
        """Show nothing: nobody answers or is taught on a screen that all see."""

    introduced = refused = coached

    def ended(self, result: Result | None) -> None:
        """Show how the game ended."""
        self._result = result
        self._pages.redraw()

    def regions(self) -> Mapping[str, Markup]:
        """Return the common board, for whom the game waits, and what has happened."""
        if self._scene is None:
            wait = el("p", _("The table is being laid."), class_="sentence")
            return r.whole(head=r.head(self._title), board=wait)
        scene = self._scene()
        art = self._artist.board.art
        over = el("span", _("The game is over"), class_="dim") if self._result else None
        head = r.head(self._title, over or self._round(scene))
        lines = [each.drawn for each in list(self._log.lines)[-LINES:]]
        latest = el("ol", *lines, class_="latest paper")
        side = el("div", latest, role="log", aria_label=_("Log"))
        news = [el("p", each) for each in alerts(scene, self.way)]
        if self._result is not None:
            board = self._story(scene, self._result)
            return r.whole(head=head, alerts=joined(news), board=board, art=art)
        return r.whole(
            head=head,
            alerts=joined(news),
            board=self._artist.board.board(scene, Taps(None, "")),
            own=self._come(),
            ask=r.waiting(scene),
            side=side,
            art=art,
            stage=self._staged(scene),
        )

    def _come(self) -> Markup:
        """Return how more may come, to watch."""
        shown = self._invitation()
        if not shown.address:
            return NOTHING
        told = el("p", _("Watch:"), " ", _address(shown))
        return el("div", qr(shown.address), told, class_="come")


def _address(invitation: Invitation) -> Markup:
    return link(invitation.address.removeprefix("http://"))
