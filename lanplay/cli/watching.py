"""Watching a game: find it, show what all may see of it, keep its record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import trio

from lanplay import __version__
from lanplay.cli import network
from lanplay.cli.advice import rules
from lanplay.cli.client import Client
from lanplay.cli.desk import Screen as GameScreen
from lanplay.cli.hosting import Secret
from lanplay.cli.joining import found, places, playable
from lanplay.engine.game import Game, Result
from lanplay.engine.record import Record
from lanplay.errors import Fault, UserError, by_code, told_of
from lanplay.language import N_, _
from lanplay.lines.commanding import say
from lanplay.session.profile import session_identity
from lanplay.session.settings import Access, Address, Network, Target
from lanplay.session.trust import Known, shown
from lanplay.told import briefly, worded
from lanplay.ui.commands import Command
from lanplay.ui.scene import Scene
from lanplay_protocol.channel.words import spelled
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.events import (
    Event,
    GameOver,
    Logged,
    PhaseCompleted,
    SeatReassigned,
    TrustNeeded,
    ViewChanged,
)
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.spectator import Spectator
from lanplay_protocol.shell.discovery import Found, open_discovery
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.shell.notices import change
from lanplay_protocol.shell.runner import GameOutcome
from lanplay_protocol.shell.spectator_client import SpectatorClient
from lanplay_protocol.text import NICKNAME_LIMIT, alike, clean_text


async def watch(client: Client, target: Target, access: Access) -> int:
    """Run ``lanplay watch``; ``UserError`` for what the person can mend."""
    where = await find(target, client.network)
    identity = session_identity(client.store.folder)
    screen = Screen(client)
    async with open_node(identity, __version__) as node:
        try:
            secret = Secret(access)
            watching = SpectatorClient(node, client.profile.name, screen, secret.ask)
            with client.desk.forming(), screen.showing(watching):
                spectator = await watching.run(where)
        except OSError as error:
            raise UserError(Fault.UNREACHABLE, why=briefly(told_of(error))) from error
        except PeerError as error:
            why = briefly(by_code(error.code, error.text))
            raise UserError(Fault.CANNOT_WATCH, why=why) from error
    return await network.finish(screen.outcome(spectator), client)


async def find(target: Target, network: Network) -> Sequence[Address]:
    """Return where the table asked for may be reached: one that plays, else one that forms."""
    if known := places(target):
        return known
    with trio.move_on_after(target.wait):
        async with open_discovery(network.interfaces) as discovery:
            while True:
                if (row := chosen(discovery.tables, target.table)) is not None:
                    say(found(row.advert))
                    return row.addresses
                await discovery.changed()
    raise UserError(Fault.NOTHING_TO_WATCH)


def chosen(tables: Iterable[Found], name: str) -> Found | None:
    """Return the table to watch among those whose name holds ``name``; ``None`` without one.

    Those without a password come first, and running ones.
    """
    rows = [
        row for row in tables if row.advert.compatible and alike(name) in alike(row.advert.table)
    ]
    return min(rows, key=_rank, default=None)


def _rank(row: Found) -> tuple[bool, bool]:
    return (row.advert.password, row.advert.state != "running")


def leave(_argument: str) -> None:
    """Stop watching."""
    raise UserError(Fault.LEFT_WATCHING)


LEAVE = Command("q", N_("stop watching"), leave, sure=N_("Stop watching this game?"))


class Screen:
    """Shows a game to somebody without a seat, and keeps what its outcome needs."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._ui: GameScreen | None = None
        self._roster: Roster | None = None
        self._result: Result | None = None
        self._trace: list[bytes] = []
        self._shown = ExitStack()

    @contextmanager
    def showing(self, watching: SpectatorClient) -> Iterator[None]:
        """Show the game while a block runs, from when it is known."""
        self._watching = watching
        with self._shown:
            yield

    def table(self, roster: Roster) -> Game:
        """Begin to show a table; ``UserError`` if this program does not play its game."""
        game = playable(roster)
        self._roster = roster
        self._result = None
        self._trace.clear()
        self._shown.close()
        self._ui = network.screen_of(game, roster, self._client.desk)
        say = Command(
            "say",
            N_("say something to all at the table"),
            self._watching.say,
            N_("TEXT"),
            key="t",
        )
        reading = rules(roster.game, self._ui)
        self._ui.commands = lambda: (say, *reading, LEAVE)
        self._shown.enter_context(self._ui.showing())
        known = Known(self._client.store.folder)
        for name in known.impostors(roster, b""):
            self.notice(worded(Fault.OTHER_KEY_WATCHED.of(names=name)))
        return game

    def saw(self, event: Event) -> None:
        """Show what happened."""
        match event:
            case Logged(message=message) if self._ui is not None:
                self._ui.sees(self._scene)
                self._ui.happened(message)
            case ViewChanged() | SeatReassigned() if self._roster is not None:
                for line in change(self._roster, event):
                    self.notice(line)
            case TrustNeeded(binding=binding):
                self._words(binding)
            case PhaseCompleted(state=state):
                self._trace.append(state)
            case GameOver(result=result):
                self._result = result

    def _scene(self) -> Scene:
        spectator = self._watching.spectator
        assert spectator is not None
        assert self._roster is not None
        names = [clean_text(name, NICKNAME_LIMIT) for name in self._roster.names]
        table, comparing = spectator.context.referee.table, spectator.comparing
        return Scene(
            table, names, None, spectator.awaited, [self._roster.shown(p) for p in comparing]
        )

    def changed(self) -> None:
        """Show who is waited for now."""
        if self._ui is not None:
            self._ui.changed()

    def _words(self, binding: bytes) -> None:
        words = " ".join(spelled(binding))
        self.notice(_("The words of this table: {words}").format(words=words))
        if self._roster is None:
            return
        if new := Known(self._client.store.folder).strangers(self._roster, b""):
            names = ", ".join(shown(peer) for peer in new)
            new_to_me = _("New to this program: {names}. Their screens should show these words.")
            self.notice(new_to_me.format(names=names))

    def said(self, said: ChatMessage) -> None:
        """Show what somebody has said; who watches is told apart."""
        line = _("{name} (watching): {text}") if said.watching else _("{name}: {text}")
        self.notice(line.format(name=said.name, text=said.text))

    def paused(self, by: str) -> None:
        """Say who has paused the game."""
        self.notice(_("{name} has paused the game.").format(name=by))

    def resumed(self, by: str) -> None:
        """Say who lets the game go on."""
        self.notice(_("{name} lets the game go on.").format(name=by))

    def notice(self, text: str) -> None:
        """Show what concerns the table."""
        if self._ui is None:
            say(text)
        else:
            self._ui.notice(text)

    def outcome(self, spectator: Spectator) -> GameOutcome:
        """Return how the game ended."""
        referee = spectator.context.referee
        record = Record(
            header=spectator.roster.header,
            history=tuple(referee.history),
            state_hash=referee.table.hash(),
            finished=spectator.over,
            extra=spectator.proof,
        )
        return GameOutcome(
            record=record,
            result=self._result,
            rounds=referee.table.round,
            steps=len(self._trace),
            trace=tuple(self._trace),
            checked=spectator.checked,
        )
