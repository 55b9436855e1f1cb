"""The table before the game: who sits where, and what its host can do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

import trio

from lanplay.games.wording import game_title
from lanplay.language import N_, _, pgettext
from lanplay.told import worded
from lanplay.tui.cells import EMPTY, Line, Size, fill, line, pad, pressing
from lanplay.tui.drawing import Hint, key_rows, log, title
from lanplay.tui.entry import Entry
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.screens.help import screen_help
from lanplay.tui.screens.hints import useless
from lanplay.tui.screens.pager import Pager, page
from lanplay.tui.stage import Stage
from lanplay.ui.commands import reason
from lanplay.ui.forming import nobody_else, through
from lanplay.ui.lobby import agreed
from lanplay_ai.characters import known_as, played_by
from lanplay_protocol.table import Seat, TableInfo

SAID_ROWS = 8
"""Rows for what was said."""

LINES = {"enter": "start", "s": "start", "c": "learn"}
"""What keys of the host mean as lines."""
GIVEN = {"start": "Enter", "lock": "L", "unlock": "L", "move": "x", "kick": "k"}
GIVEN |= {"help": "?", "q": "q"}
"""The keys by which commands are given; all others are typed."""
KEYS = (
    ("Enter", N_("start the game; AI takes the free seats")),
    ("c", N_("a first game: beginners in the free seats, and a coach")),
    ("↑ ↓", N_("choose a seat")),
    ("a", N_("AI on all free seats, or another one on the seat chosen")),
    ("b", N_("another level of AI for the key a")),
    ("x", N_("move whoever sits there to another seat: choose it, then x again")),
    ("k", N_("send the guest away for good, or take the AI from its seat")),
    ("L", N_("take no more guests; take them again")),
    ("t", N_("say something to all at the table")),
    ("i", N_("invite phones: show the code to scan")),
    ("R", N_("the rules, with / to search in them")),
    ("q", N_("leave the table to its guests")),
)
"""The keys of a host, for the help page."""
TYPED = N_("""\
kick NAME                  send a guest away for good
move SEAT SEAT             let two seats change places
ai SEAT [BOT]              put an AI on a free seat
free SEAT                  take an AI from its seat
option NAME=VALUE          change a rule of the game""")
"""What a host may type, for the help page."""


class FormingScreen:
    """Shows a forming table to its host or a guest, and before that the way to it.

    ``bots`` returns the AI there are for a game, weakest first; ``rules`` its rules page. What the
    person does are lines: the same as at the line interface.
    """

    def __init__(
        self, stage: Stage, bots: Callable[[str], Sequence[str]], rules: Callable[[str], str] = str
    ) -> None:
        self._stage = stage
        self._rules = rules
        self._bots = bots
        self._info: TableInfo | None = None
        self._awaited: frozenset[bytes] = frozenset()
        self._obey: Callable[[str], bool] | None = None
        self._started = trio.Event()
        self._guest = False
        self._waits: Callable[[str], bool] = bool
        self._cursor = 0
        self._carried: int | None = None
        self._bot = ""
        self._entry: Entry | None = None
        self._begun = ""
        self._sure: tuple[Sequence[str], str, Callable[[], None]] | None = None
        self._left = trio.Event()
        self._said: list[Line] = []

    # -- what the driver calls ---------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Add a line to what was said."""
        self._said += [line(each) for each in worded(text, way).split("\n")]
        self._stage.redraw()

    heard = say

    def seats(self, info: TableInfo, awaited: Collection[bytes] = ()) -> None:
        """Show the table as it is now; ``awaited`` are identities that are not back yet."""
        self._info, self._awaited = info, frozenset(awaited)
        self._bot = self._bot or info.settings.bot
        self._cursor = min(self._cursor, len(info.seats) - 1)
        self._stage.redraw()

    async def host(self, obey: Callable[[str], bool]) -> None:
        """Let the person change the table by lines for ``obey`` until one of them starts it.

        What ``obey`` raises as a ``ValueError`` is shown, all else is raised here.
        """
        self._obey, self._started = obey, trio.Event()
        try:
            await self._started.wait()
        finally:
            self._obey = None

    async def guest(self, obey: Callable[[str], bool]) -> None:
        """Wait until the person leaves; ``obey`` takes the lines of a guest."""
        self._guest, self._left, self._waits = True, trio.Event(), obey
        try:
            await self._left.wait()
        finally:
            self._guest = False

    # -- drawing -----------------------------------------------------------------------------------

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        info, glyphs = self._info, self._stage.glyphs
        heading = _("A table is forming") if info is None else info.name
        body: list[Line] = [EMPTY]
        if info is None:
            body += [line(("dim", "  " + _("Looking for the table.")))]
        else:
            body += described(info, self._cursor, self._carried, glyphs, self._awaited)
        foot = key_rows(self._hints(), size.columns)
        if self._entry is not None:
            foot = [self._entry.draw(size.columns)]
        rows = size.rows - 1 - len(foot)
        said = log(self._said, size.columns - 2, min(rows - len(body) - 1, SAID_ROWS))
        body += [EMPTY, *((*line("  "), *spans) for spans in said)]
        state = _("locked") if info is not None and info.locked else ""
        return [title(heading, state, size.columns), *fill(body, rows), *foot]

    def _hints(self) -> list[Hint]:
        if self._sure is not None:
            return [("y", self._sure[1]), ("escape", _("no"))]
        if self._obey is None:
            seated = self._guest and self._info is not None
            wait = [("", _("the host starts the game"))] if seated else []
            rules = [("R", _("rules"))] if self._info is not None else []
            phones = [("i", pgettext("key", "invite phones"))] if seated else []
            talk = [("t", pgettext("key", "say"))] if seated else []
            return [*wait, *talk, *phones, ("?", _("help")), *rules, ("q", _("leave"))]
        lock = _("unlock") if self._info is not None and self._info.locked else _("lock")
        alone = self._info is not None and nobody_else(self._info)
        return [
            ("enter", _("start, AI in free seats")),
            *([("c", _("first game"))] if alone else []),
            ("a", played_by(self._bot)),
            ("b", _("other AI")),
            ("x", _("move") if self._carried is None else _("to here")),
            ("k", pgettext("action", "free")),
            ("L", lock),
            ("t", pgettext("key", "say")),
            ("i", pgettext("key", "invite phones")),
            (":", _("more")),
            ("?", _("help")),
            ("R", _("rules")),
            ("q", _("leave")),
        ]

    def _help(self) -> Sequence[Line]:
        if self._obey is None:
            about = _(
                "The host decides who sits where, and starts the game; then all screens show the "
                "same three words. Until then you may leave: your seat is then free again."
            )
            keys = [(key, _(text)) for key, text in KEYS if key in "tiR"]
            return screen_help([about], [*keys, ("q", _("leave the table"))])
        about = _(
            "Your table: others see it in their lobby and sit down. You start the game; AI takes "
            "the seats that are free then."
        )
        typed = [line(text) for text in _(TYPED).split("\n")]
        keys = [(key, _(text)) for key, text in KEYS]
        head = line(("title", _("Commands, typed after :")))
        return screen_help([about], keys, [head, *typed])

    # -- keys --------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Take a key: a move of the cursor, or a line for the table."""
        if self._entry is not None:
            self._typed(self._entry, key)
        elif self._sure is not None:
            yes, _text, do = self._sure
            self._sure = None
            if key in yes:
                do()
        elif key == "q":
            self._sure = ("y", "q"), _("leave the table"), self._leave
        elif key == "?":
            self._stage.push(Pager(self._stage, _("Help"), self._help()))
        elif key == "R" and self._info is not None:
            text = page(self._rules(self._info.game))
            self._stage.push(Pager(self._stage, _("Rules"), text))
        elif key in ("up", "down") and self._info is not None:
            step = 1 if key == "down" else -1
            self._cursor = (self._cursor + step) % len(self._info.seats)
        elif key in ("i", "t") and self._info is not None:
            self._anybodys_key(key)
        elif self._obey is not None and self._info is not None:
            self._host_key(self._info, key)
        else:
            self._useless(key)

    def _useless(self, key: str) -> None:
        if len(key) == 1:
            told = line(useless(key))
            self._said = [*(each for each in self._said if each != told), told]

    def _anybodys_key(self, key: str) -> None:
        if key == "i":
            self._line("invite")
        else:
            self._entry, self._begun = Entry(f"{pgettext('key', 'say')}:"), "say "

    def _leave(self) -> None:
        if self._obey is not None:
            self._line("q")
        self._left.set()

    def _host_key(self, info: TableInfo, key: str) -> None:
        place = self._cursor + 1
        match key:
            case _ if key in LINES:
                self._line(LINES[key])
            case "a":
                self._fill(info)
            case "b":
                names = list(self._bots(info.game))
                at = names.index(self._bot) if self._bot in names else -1
                self._bot = names[(at + 1) % len(names)]
            case "k" if info.seats[self._cursor].bot:
                self._line(f"free {place}")
            case "k" if info.seats[self._cursor].name:
                self._kick(info.seats[self._cursor])
            case "L":
                self._line("unlock" if info.locked else "lock")
            case "x":
                self._move(place)
            case ":":
                self._entry, self._begun = Entry(_("Command:")), ""
            case _ if key.startswith("seat "):
                self._cursor = int(key.removeprefix("seat "))
            case _:
                self._useless(key)

    def _kick(self, seat: Seat) -> None:
        late = seat.peer in self._awaited and not seat.bot
        sure = _("free the seat kept for {name}") if late else _("send {name} away for good")
        do = partial(self._line, f"kick {seat.name}")
        self._sure = ("y",), sure.format(name=seat.name), do

    def _fill(self, info: TableInfo) -> None:
        """Put AI on all free seats; where none is free, change the one at the cursor."""
        free = [place for place, seat in enumerate(info.seats) if not seat.name]
        for place in free or [self._cursor]:
            self._line(f"ai {place + 1} {self._bot}")

    def _move(self, place: int) -> None:
        if self._carried is None:
            self._carried = self._cursor
        else:
            carried, self._carried = self._carried, None
            self._line(f"move {carried + 1} {place}")

    def _typed(self, entry: Entry, key: str) -> None:
        if entry.ends(key):
            self._entry = None
            if text := entry.text.strip():
                self._line(f"{self._begun}{text}")

    def _line(self, text: str) -> None:
        try:
            if self._obey is None:
                self._waits(text)
            elif self._obey(text):
                self._started.set()
        except ValueError as error:
            self.say(reason(error, way))


def way(command: str) -> str:
    """Return how the person gives a command: by its key, or typed."""
    return GIVEN.get(command, f":{command}")


def described(
    info: TableInfo,
    cursor: int,
    carried: int | None,
    glyphs: Glyphs,
    awaited: Collection[bytes] = (),
) -> list[Line]:
    """Return a table's game, what is agreed on there, and seats."""
    out = [line("  ", ("title", game_title(info.game)))]
    out += [line("  ", ("dim", text)) for text in agreed(info)] + [EMPTY]
    rows = []
    for place, seat in enumerate(info.seats):
        mark = glyphs.cursor if place == cursor else ("*" if place == carried else " ")
        who = _who(info, seat, awaited)
        cells = [line(("cursor" if place == cursor else "dim", f"  {mark} {place + 1} ")), *who]
        rows.append([pressing(f"seat {place}", spans) for spans in cells])
    return [*out, *((*row[0], *pad(row[1], 34, glyphs.more), *line("  "), *row[2]) for row in rows)]


def _who(info: TableInfo, seat: Seat, awaited: Collection[bytes]) -> tuple[Line, Line]:
    if not seat.name:
        return line(("dim", _("free"))), line("")
    if seat.bot:
        return line(known_as(seat.name)), line(("think", played_by(seat.bot)))
    if seat.peer in awaited:
        return line(("dim", seat.name)), line(("dim", _("not back yet: the seat is kept")))
    role = _("host") if seat.peer == info.host.identity else _("person")
    if laptop := through(info, seat):
        role = _("with {laptop}").format(laptop=laptop)
    return line(("you", seat.name)), line(("dim", role))
