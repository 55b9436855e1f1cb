"""The lobby as all front ends show it: tables, what can be opened, what a table has agreed on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import lanplay_ai as ai
from lanplay.columns import aligned
from lanplay.games import load
from lanplay.games.wording import option_name, option_value
from lanplay.language import _
from lanplay.session.settings import WINDOWS, TableWish
from lanplay_protocol.replica.settings import PASS, PLAY, SEALED
from lanplay_protocol.table import TableInfo


@dataclass(frozen=True, slots=True)
class Row:
    """A table of the network. ``closed`` says why the person cannot sit down there now, if so.

    ``kept``: a seat there is kept for the person.
    """

    key: str
    table: str
    game: str
    seats: int
    free: int
    password: bool
    running: bool
    people: tuple[str, ...]
    closed: str = ""
    watched: bool = False
    kept: bool = False

    @property
    def note(self) -> str:
        """What the person should know of the table, in words; may be empty."""
        return self.closed or (_("Your seat here is kept for you.") if self.kept else "")

    @property
    def way(self) -> tuple[str, str]:
        """Return the wish to come to it, and what that is called: to watch where it is played."""
        watch = self.running and self.watched
        return ("watch", _("watch")) if watch else ("join", _("sit down"))


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person wants next.

    ``join``, ``watch``, ``new``, ``resume``, ``address``, ``leave``, or, where the front end is a
    ``Showcase``, ``history``, where it ``ShowsSettings``, ``settings``. ``learn`` is a first game,
    of the game that ``text`` names, or of the usual one; with ``settings`` it is a change, if any.
    """

    what: str
    row: Row | None = None
    text: str = ""


@dataclass(slots=True)
class Listing:
    """What the lobby shows: tables, the own game that can go on (in words), what is wrong."""

    rows: Sequence[Row] = ()
    own: str = ""
    problem: str = ""
    version: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that can be opened: seats, options with their values (the default first), its AI.

    ``bots`` has a line on each, in English, marked for translation. ``absent`` is what may become
    of lost laptops' seats, ``windows`` how reactions may be waited for, in games that have any;
    what is offered first before the others.
    """

    game: str
    seats: range
    options: Mapping[str, Sequence[str]]
    bots: Mapping[str, str]
    absent: Sequence[str] = (SEALED, PLAY)
    windows: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """The table that the person opens; ``alone`` at once and against AI on this machine only.

    ``password``: it has one, for which its person is asked later.
    """

    wish: TableWish
    alone: bool = False
    password: bool = False


def agreed(info: TableInfo) -> list[str]:
    """Return the table options and the house rules that are not as usual, in words."""
    options = [
        f"{option_name(info.game, name)}: {option_value(info.game, name, value)}"
        for name, value in info.options
    ]
    hints = [] if info.settings.hints else [_("No hints are given at this table.")]
    told = _("Time for an answer: {seconds} s; then AI answers.")
    timer = [told.format(seconds=info.settings.idle_limit)] if info.settings.idle_limit else []
    shown = _("Reactions are open: whoever takes time holds a card.")
    opened = [] if info.settings.hide_windows else [shown]
    watched = [] if info.settings.spectators else [_("No spectators.")]
    becomes = _("A lost laptop's seat: {what}.").format(what=absent_in_words(info.settings.absent))
    return [*options, becomes, *timer, *hints, *opened, *watched]


def windows_in_words(windows: str) -> str:
    """Return how reactions are waited for, in a few words."""
    return _("nobody can tell who holds one") if windows == WINDOWS[0] else _("quick and open")


def absent_in_words(absent: str) -> str:
    """Return what becomes of a lost laptop's seat, in a few words."""
    words = {SEALED: _("AI plays"), PLAY: _("AI plays, with the hand"), PASS: _("nobody plays on")}
    return words[absent]


def bot_lines(game: str) -> Iterator[str]:
    """Yield the bots of a game with a line on each, under its name."""
    yield f"{game}:"
    yield from aligned([[f"  {name}", _(bot.summary)] for name, bot in ai.bots(game).items()])


def option_lines(game: str) -> list[str]:
    """Return what may be chosen with ``option`` and what it means, a line for each."""
    pairs = [(name, value) for name, each in load(game).options.items() for value in each]
    return [
        f"  {f'{name}={value}':<25}{option_name(game, name)}: {option_value(game, name, value)}"
        for name, value in pairs
    ]
