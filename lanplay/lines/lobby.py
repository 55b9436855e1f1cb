"""The lobby as lines: tables are printed as they come, and wishes are typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import trio

import lanplay_ai as ai
from lanplay.errors import Fault
from lanplay.games import names
from lanplay.games.wording import game_named, game_title
from lanplay.language import N_, _
from lanplay.lines.commanding import say
from lanplay.lines.source import Lines
from lanplay.session.settings import WINDOWS, TableWish
from lanplay.told import meant, suggesting
from lanplay.ui.lobby import Listing, Offer, Opened, Row, Wish, bot_lines, option_lines

HELP = N_(
    "join N         sit down at the table with this number\nwatch N        watch it\nHOST:PORT "
    "     sit down at the table at this address\nnew GAME SEATS BOT    open a table; what you "
    "leave out is as usual\nplay GAME SEATS BOT   play at once against AI on this machine\n    "
    "                  after either: OPTION=VALUE, no-hints\n                      after new: "
    "password (asked for then), idle=SECONDS for an answer,\n                      "
    "absent=sealed, play or pass for the seat of a lost laptop,\n                      "
    "windows=open: all may see who takes time for a reaction card\nlearn GAME     a first "
    "game: against beginners, with a coach\nbots GAME      what each AI of a game is "
    "like\nresume         go on with your own game\nsettings       the settings, and how one is "
    "changed\nq              leave"
)

COMMANDS = ("join", "watch", "new", "play", "learn", "bots", "resume", "settings", "help", "q")
NO_HINTS, PASSWORD = "no-hints", "password"
WORDS = (NO_HINTS, PASSWORD)
IDLE, ABSENT, REACTIONS = "idle", "absent", "windows"


class LobbyLines:
    """Prints the tables of the network and reads what the person wants."""

    def __init__(self, lines: Lines, listing: Callable[[], Listing]) -> None:
        self._lines = lines
        self._listing = listing
        self._told: list[str] = []
        self._keys: list[str] = []
        self._wanted: list[str] = []

    def say(self, text: str) -> None:
        """Print a sentence."""
        say(text)

    def changed(self) -> None:
        """Print the tables if they are others than before; a number means one of those printed."""
        listing = self._listing()
        rows = [f"{number}. {_row(row)}" for number, row in enumerate(listing.rows, 1)]
        self._keys = [row.key for row in listing.rows]
        if rows != self._told:
            self._told = rows
            say("\n".join(rows) if rows else _("No table is open now."))

    async def wish(self) -> Wish:
        """Read lines until one is a wish; the end of the input is the wish to leave."""
        if own := self._listing().own:
            say(own)
        if not self._listing().rows:
            say(_("No table was found on this network yet. Tables appear here by themselves."))
        say(_("help shows what you can type here."))
        self.changed()
        while True:
            await trio.to_thread.run_sync(self._lines.wait, abandon_on_cancel=True)
            line = self._lines.readline()
            if not line:
                return Wish("leave")
            if (wish := self._wish(line.strip())) is not None:
                return wish

    def _wish(self, line: str) -> Wish | None:
        word, *rest = line.split() or [""]
        match word, rest:
            case ("q", []):
                return Wish("leave")
            case ("resume", []):
                return Wish("resume")
            case ("settings", _):
                return Wish("settings", text=" ".join(rest))
            case ("learn", [] | [_]) if not rest or rest[0] in names():
                return Wish("learn", text="".join(rest))
            case (("new" | "play"), _):
                self._wanted = [word, *rest]
                return Wish("new")
            case ("bots", [game]) if game in names():
                say("\n".join(bot_lines(game)))
                return None
            case (("join" | "watch"), [number]) if number.isdecimal():
                return self._numbered(word, int(number))
            case (address, []) if ":" in address:
                return Wish("address", text=address)
            case (("learn" | "bots"), [game]):
                say(Fault.NO_GAME.of(game=game, known=", ".join(names())))
                return None
        say("\n".join(filter(None, [_(HELP), *_choices(), meant(word, COMMANDS)])))
        return None

    def _numbered(self, word: str, number: int) -> Wish | None:
        key = dict(enumerate(self._keys, 1)).get(number)
        row = next((each for each in self._listing().rows if each.key == key), None)
        if row is None:
            say(_("There is no table {number}.").format(number=number))
            return None
        if word == "join" and row.closed:
            say(row.closed)
            return None
        return Wish(word, row)

    def opened(self, offers: Sequence[Offer], game: str, bot: str) -> Opened | None:
        """Return the table that the last wish described; says so and returns ``None`` if none."""
        word, *rest = self._wanted
        words = {each for each in rest if each in WORDS}
        options = dict(_pair(each) for each in rest if "=" in each)
        idle = options.pop(IDLE) if options.get(IDLE, "").isdecimal() else "0"
        rest = [each for each in rest if each not in WORDS and "=" not in each]
        name, seats, player = (*rest, "", "", "")[:3]
        offer = next((each for each in offers if each.game == (name or game)), None)
        if offer is None:
            games = ", ".join(each.game for each in offers)
            say(Fault.NO_GAME.of(game=name or game, known=games))
            return None
        absent = options.pop(ABSENT, offer.absent[0])
        if absent not in offer.absent:
            told = _("absent is one of: {known}.").format(known=", ".join(offer.absent))
            say(suggesting(told, absent, offer.absent))
            return None
        windows = options.pop(REACTIONS, (*WINDOWS[:1], *offer.windows[:1])[-1])
        if windows not in WINDOWS:
            told = _("windows is one of: {known}.").format(known=", ".join(WINDOWS))
            say(suggesting(told, windows, WINDOWS))
            return None
        count = int(seats) if seats.isdecimal() else min(4, offer.seats.stop - 1)
        usual = bot if bot in offer.bots else next(iter(offer.bots))
        opens = word == "new"
        wish = TableWish(
            game=offer.game,
            seats=count,
            bot=player or usual,
            options=options,
            idle=int(idle) if opens else 0,
            absent=absent,
            hints=NO_HINTS not in words,
            windows=windows,
        )
        return Opened(wish, alone=not opens, password=PASSWORD in words and opens)


def _choices() -> list[str]:
    """Return the games and, for each, its AI and, in words, what OPTION=VALUE may be."""
    out = [_("The games are: {known}.").format(known=", ".join(map(game_named, names())))]
    for game in names():
        known = _("AI: {known}").format(known=", ".join(ai.names(game)))
        out += [f"{game_named(game)}:", f"  {known}", *option_lines(game)]
    return out


def _pair(text: str) -> tuple[str, str]:
    name, _sep, value = text.partition("=")
    return name, value


def _row(row: Row) -> str:
    state = _("playing") if row.running else _("{free} of {seats} free")
    text = f"{row.table}  {game_title(row.game)}  {state.format(free=row.free, seats=row.seats)}"
    inside = f"  {', '.join(row.people)}" if row.people else ""
    password = f"  {_('(password)')}" if row.password else ""
    return f"{text}{inside}{password}{'  ' + row.note if row.note else ''}"
