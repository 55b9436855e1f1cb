"""The pages before a game: the tables of the network, a new table, a table that forms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import trio
from markupsafe import Markup

from lanplay.games import names
from lanplay.games.wording import game_title
from lanplay.language import _, pgettext
from lanplay.ui.commands import reason
from lanplay.ui.forming import nobody_else, through
from lanplay.ui.lobby import Listing, Offer, Opened, Row, Wish, agreed
from lanplay.ui.modal import Modal
from lanplay.ui.opening import Field, fields, opened
from lanplay.web.elements import NOTHING, Kid, choice, el, joined
from lanplay.web.live import Page, Tap
from lanplay.web.log import LINES
from lanplay.web.pages import PageStack
from lanplay.web.regions import LogLine, button, game_button, head, side, sure, tile, whole
from lanplay.web.rules import RulesPage
from lanplay_ai.characters import known_as, played_by
from lanplay_protocol.table import Seat, TableInfo

T = TypeVar("T")


class Answers(Modal[T], Page):
    """A page on which somebody waits for what its person wants. ``said`` are sentences on it."""

    def __init__(self, pages: PageStack, answer: T) -> None:
        super().__init__(answer)
        self._pages = pages
        self.said: list[str] = []

    def say(self, text: str) -> None:
        """Show a sentence."""
        self.said.append(text)
        self._pages.redraw()

    def spoken(self) -> list[Markup]:
        """Return what was said, a paragraph each."""
        return [el("p", text, class_="said", role="status") for text in self.said[-4:]]


class LobbyPage(Answers[Wish]):
    """Shows the tables of this network, and what one may do there: see ``Wishing``."""

    def __init__(self, pages: PageStack, listing: Callable[[], Listing]) -> None:
        super().__init__(pages, Wish("leave"))
        self._listing = listing

    async def wish(self) -> Wish:
        """Return what the person wants next."""
        self._done = trio.Event()
        wish = await self.answered()
        self.said.clear()
        return wish

    def regions(self) -> Mapping[str, Markup]:
        """Return the tables, or what to try where there are none."""
        listing = self._listing()
        rows: list[Kid] = [el("ul", *map(_row, listing.rows), class_="tables")]
        if not listing.rows:
            none = _("No table was found on this network yet. Tables appear here by themselves.")
            rows = [el("p", none, class_="calm"), el("p", listing.problem, class_="dim")]
        own = button(_("go on with your game"), "resume", "", "main") if listing.own else None
        first = [
            button(joined([tile(game), el("small", _("first game"))]), f"learn.{game}", "", "game")
            for game in names()
        ]
        kept = button(_("kept games"), "history", "", "quiet")
        settings = button(_("Settings"), "settings", "", "quiet")
        rules = button(_("rules"), "rules", "", "quiet")
        new = button(_("new table"), "new", "", "main")
        ways = joined(
            [
                el("div", new, own, rules, kept, settings, class_="ways"),
                el("div", *first, class_="games"),
            ]
        )
        address = el(
            "form",
            el("label", _("address of a table"), for_="address"),
            el("input", id="address", name="text", maxlength=80, required=True),
            el("button", _("sit down"), class_="quiet"),
            data_do="address",
            class_="say",
        )
        body = el("div", *self.spoken(), *rows, ways, address, class_="paper lobby")
        leave = el("nav", button(_("leave"), "leave"), aria_label=_("Commands"))
        title = head(_("lanplay: tables of this network"), el("span", listing.version))
        return whole(head=title, board=body, menu=leave)

    def act(self, tap: Tap) -> bool:
        """Take what the person wants."""
        verb, _sep, key = tap.do.partition(".")
        if verb == "rules":
            self._pages.push(RulesPage(self._pages), self)
            return True
        row = next((each for each in self._listing().rows if each.key == key), None)
        text = tap.fields.get("text", "").strip()
        wishes = {name: Wish(name) for name in ("new", "resume", "history", "settings", "leave")}
        if verb == "learn" and key in names():
            wishes[verb] = Wish(verb, text=key)
        if row is not None and verb in ("join", "watch"):
            wishes[verb] = Wish(verb, row)
        if text:
            wishes["address"] = Wish("address", text=text)
        return verb in wishes and self.give(wishes[verb])


def _row(row: Row) -> Markup:
    free = _("{free} of {seats} free").format(free=row.free, seats=row.seats or "?")
    verb, text = row.way
    shut = bool(row.closed) and verb != "watch"
    return el(
        "li",
        el("h2", row.table, " 🔒" if row.password else None),
        el("p", f"{game_title(row.game)} · {free}"),
        el("p", ", ".join(row.people), class_="dim"),
        el("p", row.note, class_="dim") if row.note else None,
        None if shut else button(text, f"{verb}.{row.key}", "", "main"),
        class_="paper",
        data_key=row.key,
    )


class OpeningPage(Answers[Opened | None]):
    """Asks what to open; ``None`` if the person goes back."""

    def __init__(self, pages: PageStack, offers: Sequence[Offer], game: str, bot: str) -> None:
        super().__init__(pages, None)
        self._offers = {offer.game: offer for offer in offers}
        self._offer = self._offers.get(game, offers[0])
        self._bot = bot

    def regions(self) -> Mapping[str, Markup]:
        """Return the games, and a form for what can be chosen of the one picked."""
        games = [game_button("game", name, self._offer.game) for name in self._offers]
        rows = [_select(*each) for each in fields(self._offer, self._bot).items()]
        ways = el(
            "div",
            el("button", _("open the table"), name="alone", value="", class_="main"),
            el("button", _("play now against AI alone"), name="alone", value="1", class_="main"),
            button(_("rules"), "rules", "", "quiet"),
            button(_("back"), "leave", "", "quiet"),
            class_="ways",
        )
        form = el("form", *rows, ways, data_do="open", data_key=self._offer.game, class_="form")
        body = el(
            "div", *self.spoken(), el("div", *games, class_="games"), form, class_="paper lobby"
        )
        return whole(head=head(_("A new table")), board=body)

    def act(self, tap: Tap) -> bool:
        """Take another game, what is to be opened, or the way back."""
        verb, _sep, name = tap.do.partition(".")
        if verb == "game" and name in self._offers:
            self._offer = self._offers[name]
        elif verb == "rules":
            self._pages.push(RulesPage(self._pages, self._offer.game), self)
        elif verb == "open":
            made = opened(self._offer, tap.fields, alone=tap.fields.get("alone") == "1")
            return made is not None and self.give(made)
        else:
            return verb == "leave" and self.give(None)
        return True


def _select(name: str, field: Field) -> Markup:
    values = choice(name, field.values, field.usual, ident=f"f.{name}")
    return el("p", el("label", field.label, for_=f"f.{name}"), values)


def seat_row(
    info: TableInfo, seat: Seat, awaited: Collection[bytes], *ways: Kid, key: str = ""
) -> Markup:
    """Return a seat of a forming table, with what may be done about it."""
    note = played_by(seat.bot) if seat.bot else ""
    if laptop := through(info, seat):
        note = _("with {laptop}").format(laptop=laptop)
    if seat.peer in awaited and not seat.bot:
        note = _("not back yet: the seat is kept")
    name = el("b", known_as(seat.name)) if seat.name else el("span", _("free"), class_="dim")
    return el("li", name, el("span", note, class_="dim"), *ways, data_key=key or None)


class FormingPage(Answers[None]):
    """Shows a forming table to its host or a guest, and before that the way to it.

    ``sit`` is what somebody with a phone does for a seat, ``name`` who that is.
    """

    def __init__(
        self, pages: PageStack, sit: Callable[[], None] | None = None, name: str = ""
    ) -> None:
        super().__init__(pages, None)
        self._sit = sit
        self._name = name
        self._invites: Callable[[str], bool] | None = None
        self._info: TableInfo | None = None
        self._awaited: frozenset[bytes] = frozenset()
        self._talk: list[LogLine] = []
        self._obey: Callable[[str], bool] | None = None
        self._weighs = ""

    def seats(self, info: TableInfo, awaited: Collection[bytes] = ()) -> None:
        """Show the table as it is now; ``awaited`` are identities that are not back yet."""
        self._info, self._awaited = info, frozenset(awaited)
        self._pages.redraw()

    def heard(self, text: str) -> None:
        """Show what somebody has said."""
        number = self._talk[-1].number + 1 if self._talk else 0
        self._talk = [*self._talk[1 - LINES :], LogLine(number, "note", text)]
        self._pages.redraw()

    async def host(self, obey: Callable[[str], bool]) -> None:
        """Let the person change the table by lines for ``obey`` until one of them starts it."""
        self._obey, self._done = obey, trio.Event()
        self._pages.redraw()
        try:
            await self.answered()
        finally:
            self._obey = None

    async def guest(self, invites: Callable[[str], bool] | None = None) -> None:
        """Wait until the person leaves; ``invites`` obeys lines about phones."""
        self._done, self._invites = trio.Event(), invites
        await self.answered()

    def regions(self) -> Mapping[str, Markup]:
        """Return who sits where, and what the host may do."""
        info = self._info
        leave = el("nav", button(_("leave"), "leave"), aria_label=_("Commands"))
        if info is None:
            looking = el("p", _("Looking for the table."), class_="sentence", role="status")
            board = el("div", looking, *self.spoken())
            return whole(head=head(_("A table is forming")), board=board, menu=leave)
        terms = [el("p", text, class_="dim") for text in agreed(info)]
        facts = el("details", el("summary", _("what is agreed on")), *terms, data_wide=True)
        seats = [self._seat(info, place, seat) for place, seat in enumerate(info.seats)]
        phones = button(pgettext("key", "invite phones"), "invite", "", "quiet")
        rules = button(_("rules"), "rules", "", "quiet")
        invites = self._invites is not None and self._sit is None
        free = self._sit is not None and info.free and not self._sits(info)
        sit = button(_("sit down"), "sit", "", "main") if free else None
        told = el("p", _("the host starts the game"), class_="calm")
        own = el("div", sit, phones if invites else None, rules, class_="ways")
        ways: Kid = joined([told, own])
        if self._obey is not None:
            lock = "unlock" if info.locked else "lock"
            ways = el(
                "div",
                button(_("start, AI in free seats"), "start", "", "main"),
                button(_("first game"), "learn", "", "main") if nobody_else(info) else None,
                phones,
                button(_("unlock") if info.locked else _("lock"), lock, "", "quiet"),
                rules,
                class_="ways",
            )
        title = el("h2", game_title(info.game))
        places = el("ol", *seats, class_="places")
        board = el("div", title, facts, places, *self.spoken(), ways, class_="paper lobby")
        locked = el("span", _("locked")) if info.locked else None
        talk = side(self._talk, chat=self._sit is None or self._sits(info))
        asks = sure(self._warning, "sure.yes", "sure.no") if self._weighs else NOTHING
        return whole(head=head(info.name, locked), board=board, ask=asks, side=talk, menu=leave)

    @property
    def _warning(self) -> str:
        """What waits for a yes, as a question."""
        name = self._weighs.removeprefix("kick ")
        kicks = _("send {name} away for good").format(name=name)
        return f"{_('leave the table') if self._weighs == 'leave' else kicks}?"

    def _sits(self, info: TableInfo) -> bool:
        return any(each.name == self._name for each in info.seats)

    def _seat(self, info: TableInfo, place: int, seat: Seat) -> Markup:
        """Return a seat, and what its host may do about it."""
        ways: list[Kid] = []
        if self._obey is not None:
            if not seat.name:
                ways.append(button("AI", f"ai {place + 1}", "", "quiet"))
            elif seat.bot:
                ways.append(button(pgettext("action", "free"), f"free {place + 1}", "", "quiet"))
            elif seat.peer != info.host.identity:
                ways.append(button(_("kick"), f"kick {seat.name}", "", "quiet"))
        return seat_row(info, seat, self._awaited, *ways, key=f"place.{place}")

    def act(self, tap: Tap) -> bool:
        """Do what a host wants, in its words; or leave. What weighs waits for a yes."""
        kicks = self._obey is not None and tap.do.startswith("kick ")
        if self._info is not None and (kicks or tap.do == "leave"):
            self._weighs = tap.do
            return True
        if tap.do in ("sure.yes", "sure.no"):
            do, self._weighs = self._weighs, ""
            return bool(do) and (tap.do == "sure.no" or self._do(replace(tap, do=do)))
        return self._do(tap)

    def _do(self, tap: Tap) -> bool:
        if tap.do == "leave":
            if self._obey is not None:
                self._line("q")
            return self.give(None)
        if tap.do == "rules" and self._info is not None:
            self._pages.push(RulesPage(self._pages, self._info.game), self)
            return True
        line = f"say {tap.fields.get('text', '')}" if tap.do == "say" else tap.do
        return self._seated() if tap.do == "sit" else self._line(line)

    def _seated(self) -> bool:
        """Take a seat, if one may be had."""
        if self._sit is None:
            return False
        try:
            self._sit()
        except ValueError as error:
            self.say(reason(error, way))
        return True

    def _line(self, text: str) -> bool:
        if self._obey is None and self._invites is None:
            return False
        try:
            if self._obey is None:
                return self._invites is not None and self._invites(text)
            if self._obey(text):
                self.give(None)
        except ValueError as error:
            self.say(reason(error, way))
            return False
        return True


def way(command: str) -> str:
    """Return what the button of a host's command is called."""
    words = {"start": _("start, AI in free seats"), "q": _("leave")}
    return _("“{button}”").format(button=words.get(command) or _(command))
