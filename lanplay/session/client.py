"""This installation: what can be begun with it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from lanplay.errors import Fault, UserError
from lanplay.session.finding import LobbyFeed, found_tables
from lanplay.session.hosting import new_table, opened
from lanplay.session.lifecycle import play_until_left
from lanplay.session.local import played_alone
from lanplay.session.saved import resumed
from lanplay.session.settings import Access, Installation, TableWish, Target
from lanplay.session.spectating import SpectatorSession
from lanplay.session.table import TableSession
from lanplay_protocol.shell.host import HostHandover
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.runner import GameOutcome


class Client(Installation):
    """What can be begun with this installation."""

    __slots__ = ()

    def tables(self) -> AbstractAsyncContextManager[LobbyFeed]:
        """Look for the tables of this network while a block runs."""
        return found_tables(self.network, self.store)

    def host(self, wish: TableWish, access: Access) -> TableSession:
        """Return a session that opens a table; ``UserError`` if there is none such."""
        info = new_table(wish, self.profile)

        async def way(session: TableSession) -> GameOutcome:
            if access.wanted:
                await session.ask_password()

            def seat(node: Node) -> HostHandover:
                return opened(info, node, self.profile)

            return await play_until_left(session, session.identity(), seat)

        return TableSession(self, access, way)

    def join(self, target: Target, access: Access) -> TableSession:
        """Return a session that sits down at a table, as soon as it is found."""

        async def way(session: TableSession) -> GameOutcome:
            return await play_until_left(session, session.identity(), lambda _node: target)

        return TableSession(self, access, way)

    def local(self, wish: TableWish, seed: int | None = None) -> TableSession:
        """Return a session of one person and AI on this machine: no socket, no discovery."""
        return TableSession(self, NO_PASSWORD, partial(played_alone, wish=wish, seed=seed))

    def resume(self, game: Path, access: Access) -> TableSession:
        """Return a session that goes on with the game in a file."""
        return TableSession(self, access, partial(resumed, path=game))

    def watch(self, target: Target, access: Access) -> SpectatorSession:
        """Return a session that shows a table to somebody without a seat."""
        return SpectatorSession(self, access, target)


async def _nobody(*_: str) -> str:
    raise UserError(Fault.PASSWORD_NEEDED)


NO_PASSWORD = Access(False, _nobody)
"""For tables that have none."""
