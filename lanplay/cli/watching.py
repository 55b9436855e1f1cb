"""Watching a game: find it, show what all may see of it, keep its record."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

import trio

from lanplay import __version__
from lanplay.cli import network
from lanplay.cli.commanding import say
from lanplay.cli.hosting import Secret
from lanplay.cli.identity import own_identity
from lanplay.cli.joining import parse_address, playable
from lanplay.cli.desk import Screen as GameScreen
from lanplay.cli.settings import data_folder
from lanplay.cli.trust import Known, shown
from lanplay.engine.game import Game, Result
from lanplay.engine.record import Record
from lanplay.errors import UserError
from protocol.channel.words import spelled
from protocol.errors import PeerError
from protocol.replica.events import Changed, Confirm, Event, Happened, Over, Seated, Stepped
from protocol.replica.roster import Roster
from protocol.replica.spectator import Spectator
from protocol.shell.discovery import Found, open_discovery
from protocol.shell.node import open_node
from protocol.shell.notices import change
from protocol.shell.play import Outcome
from protocol.shell.watching import Watch

NOTHING_FOUND = (
    "No table to watch was found on this network. A firewall or macOS's Local Network permission "
    "may block discovery: then use lanplay watch HOST:PORT with what a player's screen shows."
)
Address = tuple[str, int]


async def watch(args: argparse.Namespace) -> int:
    """Run ``lanplay watch``; ``UserError`` for what the person can mend."""
    places = await find(args)
    identity = own_identity(data_folder(args.data))
    screen = Screen(args)
    async with open_node(identity, __version__) as node:
        try:
            secret = Secret(args)
            watching = Watch(node, network.own_name(args), screen, secret.ask)
            spectator = await watching.run(places)
        except OSError as error:
            raise UserError(
                f"The table cannot be reached: {error}. Check the address, the Wi-Fi, firewalls."
            ) from error
        except PeerError as error:
            raise UserError(f"The table cannot be watched: {error.text}.") from error
    return network.finish(screen.outcome(spectator), args)


async def find(args: argparse.Namespace) -> Sequence[Address]:
    """Return where the table asked for may be reached: one that plays, else one that forms."""
    if args.table and (address := parse_address(args.table)) is not None:
        return [address]
    with trio.move_on_after(args.wait):
        async with open_discovery(args.interface) as discovery:
            while True:
                if (row := chosen(discovery.tables, args.table or "")) is not None:
                    say(f"Found {row.advert.table!r} of {row.advert.host}.")
                    return row.addresses
                await discovery.changed()
    raise UserError(NOTHING_FOUND)


def chosen(tables: Iterable[Found], name: str) -> Found | None:
    """Return the table to watch among those whose name holds ``name``; ``None`` without one.

    Those without a password come first, and running ones.
    """
    rows = [
        row
        for row in tables
        if row.advert.compatible and name.casefold() in row.advert.table.casefold()
    ]
    return min(rows, key=_rank, default=None)


def _rank(row: Found) -> tuple[bool, bool]:
    return (row.advert.password, row.advert.state != "running")


class Screen:
    """Shows a game in the plain interface, and keeps what its outcome needs."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._ui: GameScreen | None = None
        self._roster: Roster | None = None
        self._result: Result | None = None
        self._trace: list[bytes] = []

    def table(self, roster: Roster) -> Game:
        """Begin to show a table; ``UserError`` if this program does not play its game."""
        game = playable(roster)
        self._roster = roster
        self._ui = network.screen_of(game, roster, self._args)
        known = Known(data_folder(self._args.data))
        for name in known.impostors(roster, b""):
            self.notice(f"WARNING: {name} had another key the last time: this may be another one.")
        return game

    def saw(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case Happened(message=message) if self._ui is not None:
                self._ui.happened(message)
            case Changed() | Seated() if self._roster is not None:
                for line in change(self._roster, event):
                    self.notice(line)
            case Confirm(binding=binding):
                self._words(binding)
            case Stepped(state=state):
                self._trace.append(state)
            case Over(result=result):
                self._result = result

    def _words(self, binding: bytes) -> None:
        self.notice(f"The words of this table: {' '.join(spelled(binding))}")
        if self._roster is None:
            return
        if new := Known(data_folder(self._args.data)).strangers(self._roster, b""):
            names = ", ".join(shown(peer) for peer in new)
            self.notice(f"New to this program: {names}. Their screens should show these words.")

    def notice(self, text: str) -> None:
        """Show what concerns the table."""
        if self._ui is None:
            say(text)
        else:
            self._ui.notice(text)

    def outcome(self, spectator: Spectator) -> Outcome:
        """Return how the game ended."""
        referee = spectator.context.referee
        record = Record(
            header=spectator.roster.header,
            history=tuple(referee.history),
            state_hash=referee.table.hash(),
            finished=spectator.over,
            extra=spectator.proof,
        )
        return Outcome(
            record=record,
            result=self._result,
            rounds=referee.table.round,
            held=spectator.held.reason if spectator.held else "",
            steps=len(self._trace),
            trace=tuple(self._trace),
            checked=spectator.checked,
        )
