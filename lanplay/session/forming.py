"""A table before its game: what the people of its host, and those of a guest, may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import lanplay_ai as ai
from lanplay.errors import Fault, Mistake
from lanplay.games import load
from lanplay.language import _
from lanplay.session import commands as c
from lanplay.session import company
from lanplay.session.requests import checked
from lanplay_protocol.lobby import TableInfo
from lanplay_protocol.lobby_chat import LobbyChat
from lanplay_protocol.shell.guest import say, seat_person
from lanplay_protocol.shell.host import LobbyHost
from lanplay_protocol.shell.node import Node
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text


class FormingTable(Protocol):
    """What the owner of this program may do at a forming table."""

    def submit(self, command: c.Command) -> None:
        """Do what is wanted; ``ValueError`` says why that cannot be, and nothing has changed."""

    def say(self, text: str, name: str) -> None:
        """Say something, as the first person here or the one named; ``Mistake`` says why not."""

    def offers(self) -> tuple[c.CommandOffer, ...]:
        """Return what may be submitted."""


class HostedTable:
    """What its host may do; ``start`` is called when the game is to begin."""

    def __init__(self, hosting: LobbyHost, start: Callable[[], None]) -> None:
        self._hosting = hosting
        self.say = hosting.say
        self._start = start

    def submit(self, command: c.Command) -> None:
        """Do what the host's person wants.

        Raises ``Mistake`` that says what would be right, and changes nothing then.
        """
        hosting, lobby = self._hosting, self._hosting.lobby
        match command:
            case c.StartGame(bot=bot):
                self._begin(bot)
                return
            case c.Kick(name=name):
                hosting.kick(name)
                return
            case c.Lock(locked=locked):
                lobby.lock(locked)
            case c.MoveSeat(one=one, other=other):
                lobby.move(one, other)
            case c.SeatBot(place=place, bot=bot):
                chosen = bot or lobby.info.settings.bot
                ai.make(chosen, bytes(32), lobby.info.game)
                company.seat(lobby, place, chosen)
            case c.FreeSeat(place=place):
                lobby.free(place)
            case c.SeatPerson(name=name):
                self._seat(name)
                return
            case c.UnseatPerson(name=name):
                lobby.unseat(lobby.info.host.identity, name)
            case c.SetOption(name=name, value=value):
                info = lobby.info
                options = {**dict(info.options), name: value}
                lobby.set_options(checked(load(info.game), len(info.seats), options))
            case _:
                raise ValueError(_("That cannot be done now."))
        hosting.publish()

    def _seat(self, name: str) -> None:
        """Seat somebody at this laptop: the last for whom the table has waited starts it."""
        lobby = self._hosting.lobby
        lobby.seat(lobby.info.host.identity, clean_text(name, NICKNAME_LIMIT))
        self._hosting.publish()
        if lobby.ready:
            self._start()

    def _begin(self, bot: str) -> None:
        self._hosting.give_up()
        self._hosting.lobby.check_all_came()
        if bot:
            company.fill(self._hosting.lobby, bot)
            self._hosting.publish()
        self._start()

    def offers(self) -> tuple[c.CommandOffer, ...]:
        """Return what its host may submit."""
        kinds = (c.StartGame, c.Kick, c.Lock, c.MoveSeat, c.SeatBot, c.FreeSeat, c.SetOption)
        more = (c.SeatPerson, c.UnseatPerson, c.Say, c.LeaveTable)
        return tuple(map(c.CommandOffer, (*kinds, *more)))


class StartingTable(HostedTable):
    """What its host may do while a start is agreed on: send away for whom it waits."""

    def __init__(self, hosting: LobbyHost) -> None:
        super().__init__(hosting, lambda: None)

    def submit(self, command: c.Command) -> None:
        """Do what may be done now."""
        if not isinstance(command, c.Kick):
            raise ValueError(_("That cannot be done now."))
        super().submit(command)

    def offers(self) -> tuple[c.CommandOffer, ...]:
        """Return what its host may submit now."""
        return tuple(map(c.CommandOffer, (c.Kick, c.Say, c.LeaveTable)))


class JoinedTable:
    """What a guest may do: ask the host for seats of further people at its laptop, and talk."""

    def __init__(self, node: Node, chat: LobbyChat) -> None:
        self._node = node
        self._chat = chat
        self.info: TableInfo | None = None
        """The table as its host last showed it, once this program sits there."""

    def submit(self, command: c.Command) -> None:
        """Ask the host for it."""
        if self.info is None or not isinstance(command, c.SeatPerson | c.UnseatPerson):
            raise ValueError(_("That cannot be done now."))
        seat_person(self._node, self.info, command.name, isinstance(command, c.SeatPerson))

    def say(self, text: str, name: str) -> None:
        """Say something to all, as a further person here if one is named."""
        if self.info is None:
            raise Mistake(Fault.NOT_SEATED)
        say(self._node, self.info, self._chat, text, name)

    def offers(self) -> tuple[c.CommandOffer, ...]:
        """Return what a guest may submit."""
        persons = () if self.info is None else (c.SeatPerson, c.UnseatPerson, c.Say)
        return tuple(map(c.CommandOffer, (*persons, c.LeaveTable)))
