"""Watching a game: find it, show what all may see of it, keep its record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import trio

from lanplay import __version__
from lanplay.engine.game import Game, Result
from lanplay.engine.record import Record
from lanplay.errors import Fault, UserError, by_code, told_of
from lanplay.language import _
from lanplay.session import commands as c
from lanplay.session.audience import OWNER, Audience, Subscriptions
from lanplay.session.events import (
    Chatted,
    Ended,
    GamePaused,
    GameResumed,
    Logbook,
    PeersChanged,
    Snapshot,
    StageChanged,
    TableNotice,
    TableStage,
    WordsShown,
)
from lanplay.session.joining import all_heard, called, found, places, playable
from lanplay.session.on_disk import keep
from lanplay.session.profile import session_identity
from lanplay.session.settings import Access, Address, Installation, Target
from lanplay.session.trust import KnownKeys, shown
from lanplay.told import briefly, worded
from lanplay_protocol.channel.words import spelled
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import events as core
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.spectator import Spectator
from lanplay_protocol.shell.discovery import Found, open_discovery
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.shell.notices import change, sentences
from lanplay_protocol.shell.runner import GameOutcome
from lanplay_protocol.shell.spectator_client import SpectatorClient
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text


class SpectatorSession:
    """A table as somebody without a seat sees it: like ``TableSession``, with less to do."""

    def __init__(self, client: Installation, access: Access, target: Target) -> None:
        self.client = client
        self.access = access
        self._target = target
        self._stage = TableStage.SEARCHING
        self._watching: SpectatorClient | None = None
        self._roster: Roster | None = None
        self._result: Result | None = None
        self._log = Logbook()
        self.kept_in: Path | None = None
        self._chosen = trio.Event()
        self._scope = trio.CancelScope()
        self._subscriptions = Subscriptions(
            self.snapshot, lambda audience: self._log, lambda _: None
        )
        self.tell = self._subscriptions.tell
        self.subscribe = self._subscriptions.subscribe

    async def run(self) -> GameOutcome:
        """Follow the game to its end; ``UserError`` if it was left before, or cannot be watched."""
        try:
            with self._scope:
                return await self._run()
        finally:
            self._stage = TableStage.LEFT
        raise UserError(Fault.LEFT_WATCHING if self._roster is not None else Fault.LEFT_TABLE)

    async def _run(self) -> GameOutcome:
        client = self.client
        self.tell(StageChanged(TableStage.SEARCHING))
        where, table = await find(self._target, client)
        ask = partial(self.access.ask, table)
        identity = session_identity(client.store.folder, client.say)
        async with open_node(identity, __version__) as node:
            try:
                self._watching = SpectatorClient(node, client.profile.name, self, ask)
                spectator = await self._watching.run(where)
            except OSError as error:
                raise UserError(Fault.UNREACHABLE, why=briefly(told_of(error))) from error
            except PeerError as error:
                why = briefly(by_code(error.code, error.text))
                raise UserError(Fault.CANNOT_WATCH, why=why) from error
        outcome = self._outcome(spectator)
        self._stage = TableStage.OVER
        self.tell(Ended(outcome, keep(outcome, client), rematch=False))
        await self._chosen.wait()
        return outcome

    # -- what a front end needs (see ``TableSession``) ---------------------------------------------

    def snapshot(self, _audience: Audience) -> Snapshot:
        """Return what all may see now."""
        watching, roster = self._watching, self._roster
        if watching is None or roster is None or (spectator := watching.spectator) is None:
            return Snapshot(self._stage, game=roster.game if roster else "", names=self._names)
        return Snapshot(
            self._stage,
            game=roster.game,
            table=spectator.context.referee.table,
            names=self._names,
            asked=spectator.awaited,
            comparing=tuple(roster.shown(peer) for peer in spectator.comparing),
            paused_by=watching.paused_by,
            pause_left=watching.pause_left,
            pace=self.client.pace,
        )

    @property
    def _names(self) -> tuple[str, ...]:
        names = self._roster.names if self._roster is not None else ()
        return tuple(clean_text(name, NICKNAME_LIMIT) for name in names)

    def commands(self, _audience: Audience) -> Sequence[c.CommandOffer]:
        """Return what may be submitted now."""
        say = () if self._roster is None else (c.CommandOffer(c.Say),)
        return (*say, c.CommandOffer(c.LeaveTable))

    def submit(self, command: c.Command, audience: Audience = OWNER) -> None:
        """Do what the person wants; ``ValueError`` says why that cannot be."""
        match command:
            case c.LeaveTable() if self._stage is TableStage.OVER:
                self._chosen.set()
            case c.LeaveTable():
                self._scope.cancel()
            case c.Say(text=text) if self._watching is not None:
                self._watching.say(text)
            case _:
                raise ValueError(_("That cannot be done now."))

    # -- what is told of the game (see ``spectator_client.Audience``) ------------------------------

    def table(self, roster: Roster) -> Game:
        """Begin to show a table; ``UserError`` if this program does not play its game."""
        game = playable(roster)
        self._roster, self._result, self._stage = roster, None, TableStage.PLAYING
        self._log = Logbook()
        self._subscriptions.begin()
        known = KnownKeys(self.client.store.folder)
        for name in known.impostors(roster, b""):
            self.notice(worded(Fault.OTHER_KEY_WATCHED.of(names=name)))
        return game

    def saw(self, event: core.Event) -> None:
        """Tell what happened."""
        match event:
            case core.Logged(message=message) if self._watching is not None:
                table = self.snapshot(Audience()).table
                self.tell(self._log.note(table.round, message))
            case core.ViewChanged() | core.SeatReassigned() | core.HandOpened():
                for line in change(self._roster, event) if self._roster is not None else ():
                    self.notice(line)
            case core.Accused() if self._roster is not None:
                for line in sentences(self._roster, event, ""):
                    self.notice(line)
            case core.TrustNeeded(binding=binding):
                self._words(binding)
            case core.GameOver(result=result):
                self._result = result

    def changed(self) -> None:
        """Tell that somebody else is waited for."""
        self.tell(PeersChanged())

    def _words(self, binding: bytes) -> None:
        self.tell(WordsShown(" ".join(spelled(binding)), asks=False))
        if self._roster is None:
            return
        if new := KnownKeys(self.client.store.folder).strangers(self._roster, b""):
            names = ", ".join(shown(peer) for peer in new)
            new_to_me = _("New to this program: {names}. Their screens should show these words.")
            self.notice(new_to_me.format(names=names))

    def said(self, said: ChatMessage) -> None:
        """Tell what somebody has said."""
        self.tell(Chatted(said))

    def paused(self, by: str, seconds: float) -> None:
        """Tell who has paused the game, and for how long."""
        self.tell(GamePaused(by, seconds))

    def resumed(self, by: str) -> None:
        """Tell who lets the game go on."""
        self.tell(GameResumed(by))

    def notice(self, text: str) -> None:
        """Tell what concerns the table."""
        self.tell(TableNotice(text))

    def _outcome(self, spectator: Spectator) -> GameOutcome:
        """Return how the game ended."""
        referee, line = spectator.context.referee, spectator.transcript
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
            steps=line.number,
            trace=tuple(map(line.state_at, range(1, line.number + 1))),
            checked=spectator.checked,
        )


async def find(target: Target, client: Installation) -> tuple[Sequence[Address], str]:
    """Return where the table asked for may be reached, one that plays first; what it is called."""
    if known := places(target):
        return known, target.table
    with trio.move_on_after(target.wait):
        async with open_discovery(client.network.interfaces) as discovery:
            await all_heard(target)
            while True:
                if (row := chosen(discovery.tables, target.table)) is not None:
                    client.say(found(row.advert))
                    return row.addresses, row.advert.table
                await discovery.changed()
    raise UserError(Fault.NOTHING_TO_WATCH)


def chosen(tables: Iterable[Found], name: str) -> Found | None:
    """Return the table to watch among those ``called`` so; ``None`` without one.

    Those without a password come first, and running ones.
    """
    rows = [row for row in called(tables, name) if row.advert.compatible]
    return min(
        rows, key=lambda row: (row.advert.password, row.advert.state != "running"), default=None
    )
