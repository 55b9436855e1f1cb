"""The lobby: the tables of the network, one's own games, and the way to a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

from lanplay.games import names
from lanplay.games.wording import game_title
from lanplay.language import N_, _
from lanplay.told import inside, worded
from lanplay.tui.cells import EMPTY, Line, Size, clip, fill, line, marked, pad, pressing
from lanplay.tui.drawing import key_rows, log, paragraph, title
from lanplay.tui.entry import Entry
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.screens.help import screen_help
from lanplay.tui.screens.hints import useless
from lanplay.tui.screens.pager import Pager
from lanplay.tui.stage import Stage
from lanplay.ui.lobby import Listing, Row, Wish
from lanplay.ui.modal import Modal

SAID_ROWS = 4
KEYS = (
    ("↑ ↓", N_("choose a table")),
    ("Enter", N_("sit down there; where they are playing already: watch")),
    ("n", N_("a new table, or a game at once against AI")),
    ("c", N_("a first game: against beginners, with a coach")),
    ("g", N_("go on with your own game")),
    ("w", N_("watch the game of a table")),
    ("j", N_("join by address: HOST:PORT")),
    ("S", N_("settings: name, language, colours, speed, bell")),
    ("q", N_("leave lanplay")),
)
"""The keys of the lobby, for the help page."""
WISHES = {"n": "new", "g": "resume", "S": "settings", "q": "leave"}
"""The keys that are wishes by themselves."""
WIDTHS = (24, 12, 8, 9)
"""Columns of a row: name, game, free seats of all, state; who is inside takes the rest."""


class LobbyScreen(Modal[Wish]):
    """Shows the tables of the network until the person wants something."""

    def __init__(self, stage: Stage, listing: Callable[[], Listing]) -> None:
        super().__init__(Wish("leave"))
        self._stage = stage
        self._listing = listing
        self._chosen = ""  # a key: rows come and go under the cursor
        self._entry: Entry | None = None
        self._said: list[Line] = []
        self._learning = False

    def say(self, text: str) -> None:
        """Show a sentence."""
        self._said += [line(("think", each)) for each in worded(text, inside).split("\n")]
        self._stage.redraw()

    async def wish(self) -> Wish:
        """Return what the person wants next."""
        self._done = trio.Event()
        return await self.answered()

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        listing = self._listing()
        body = lobby(listing, self._cursor(listing), size, self._stage.glyphs)
        said = log(self._said, size.columns - 2, SAID_ROWS)
        foot = self._bar(listing, size.columns)
        if self._entry is not None:
            foot = [self._entry.draw(size.columns)]
        rows = size.rows - 1 - len(foot) - len(said)
        head = title(_("lanplay: tables of this network"), listing.version, size.columns)
        return [head, *fill(body, rows), *said, *foot]

    def _cursor(self, listing: Listing) -> int:
        keys = [row.key for row in listing.rows]
        if self._chosen not in keys:
            self._chosen = keys[0] if keys else ""
        return keys.index(self._chosen) if keys else 0

    def _move(self, listing: Listing, place: int) -> None:
        if listing.rows:
            self._chosen = listing.rows[max(0, min(place, len(listing.rows) - 1))].key

    def _bar(self, listing: Listing, columns: int) -> list[Line]:
        rows = listing.rows
        hints = [("enter", rows[self._cursor(listing)].way[1])] if rows else []
        hints += [("n", _("new table")), ("c", _("first game"))]
        hints += [("g", _("go on with your game"))] if listing.own else []
        hints += [("w", _("watch"))] if rows else []
        hints += [
            ("j", _("join HOST:PORT")),
            ("S", _("settings")),
            ("?", _("help")),
            ("q", _("leave")),
        ]
        return key_rows(hints, columns)

    def press(self, key: str) -> None:
        """Take a key."""
        listing = self._listing()
        if self._entry is not None:
            self._typed(self._entry, key)
        elif key in ("up", "down"):
            self._move(listing, self._cursor(listing) + (1 if key == "down" else -1))
        elif key.startswith("row "):
            self._move(listing, int(key.removeprefix("row ")))
        elif self._learning:
            self._learn(key)
        elif key == "c":
            self._learning = True
            titles = (f"{n} {game_title(name)}" for n, name in enumerate(names(), 1))
            games = (each.replace(" ", "\N{NO-BREAK SPACE}") for each in titles)
            told = _("A first game of which? {games}. Esc: none now.")
            self.say(told.format(games="  ".join(games)))
        elif key == "j":
            self._entry = Entry(_("HOST:PORT:"))
        elif key == "?":
            self._stage.push(Pager(self._stage, _("Help"), lobby_help(listing, self._stage.glyphs)))
        else:
            self._wish_or_not(listing, key)

    def _wish_or_not(self, listing: Listing, key: str) -> None:
        if key in ("enter", "w") and listing.rows:
            self._go(listing.rows[self._cursor(listing)], key)
        elif key in WISHES and (key != "g" or listing.own):
            self._want(Wish(WISHES[key]))
        elif len(key) == 1:
            self._said.clear()
            self.say(useless(key))

    def _learn(self, key: str) -> None:
        """Take the number of the game that is to be learned; any other key wants none."""
        self._learning = False
        self._said.clear()
        games = names()
        if key.isdecimal() and 0 < int(key) <= len(games):
            self._want(Wish("learn", text=games[int(key) - 1]))

    def _go(self, row: Row, key: str) -> None:
        if key == "w" or row.way[0] == "watch":
            self._want(Wish("watch", row))
        elif row.closed:
            self.say(row.closed)
        else:
            self._want(Wish("join", row))

    def _typed(self, entry: Entry, key: str) -> None:
        if entry.ends(key):
            self._entry = None
            if text := entry.text.strip():
                self._want(Wish("address", text=text))

    def _want(self, wish: Wish) -> None:
        self._said.clear()
        self.give(wish)


def lobby(listing: Listing, cursor: int, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return the tables, or what to try where there are none."""
    out: list[Line] = [EMPTY]
    if listing.own:
        out += [*paragraph(listing.own, size.columns), EMPTY]
    if not listing.rows:
        return out + nothing(listing.problem, size.columns)
    out.append(_cells([_("Table"), _("Game"), _("Free"), _("State")], _("Inside"), "dim"))
    for place, row in enumerate(listing.rows):
        out += _row(row, place, place == cursor, size.columns, glyphs)
    return out


def _row(row: Row, place: int, here: bool, columns: int, glyphs: Glyphs) -> list[Line]:
    state = _("playing") if row.running else _("open")
    free = f"{row.free}/{row.seats}" if row.seats else "?"
    name = f"{row.table} {glyphs.lock}" if row.password else row.table
    spans = _cells(
        [name, game_title(row.game), free, state], ", ".join(row.people), "text", glyphs.more
    )
    mark = line(("cursor" if here else "dim", f" {glyphs.cursor if here else ' '} "))
    if row.closed:
        spans = marked("off", spans)
    out = [clip(pressing(f"row {place}", mark + spans[1:]), columns, glyphs.more)]
    if row.kept or (here and (row.note or row.password)):
        text = row.note or _("{sign} This table has a password.").format(sign=glyphs.lock)
        out += [line(("dim", f"     {text}"))]
    return out


def _cells(parts: Sequence[str], rest: str, role: str, more: str = "") -> Line:
    spans = line("   ")
    for text, broad in zip(parts, WIDTHS, strict=True):
        spans += pad(line((role, text)), broad, more) + line(" ")
    return spans + line((role, rest))


def nothing(problem: str, columns: int) -> list[Line]:
    """Return what a person can try who sees no table."""
    out = paragraph(
        _("No table was found on this network yet. Tables appear here by themselves."), columns
    )
    if problem:
        out += [EMPTY, *paragraph(problem, columns)]
    for tip in tips():
        out += [EMPTY, *paragraph(tip, columns)]
    return out


def tips() -> tuple[str, ...]:
    """Return what a person can do who misses a table."""
    return (
        _("n opens one: others see it here, and AI takes the seats that stay free."),
        _("Is the other laptop in the same Wi-Fi? Guest networks keep laptops apart."),
        _("A firewall, or macOS's Local Network permission, may block discovery."),
        _("j joins by address: HOST:PORT, as the other laptop's screen shows it."),
    )


def lobby_help(listing: Listing, glyphs: Glyphs) -> list[Line]:
    """Return the help page of the lobby."""
    missing = [*([listing.problem] if listing.problem else []), *tips()]
    missing.append(_("lanplay doctor finds out what is wrong on this laptop."))
    further = [
        line(("title", _("No table, or not the one you are looking for?"))),
        *map(line, missing),
    ]
    about = (
        _("Tables of this network appear here by themselves, and go when they are over."),
        _("{sign} This table has a password.").format(sign=glyphs.lock),
    )
    idle = {*(() if listing.rows else ("↑ ↓", "Enter", "w")), *(() if listing.own else "g")}
    return screen_help(about, [(key, _(text)) for key, text in KEYS if key not in idle], further)
