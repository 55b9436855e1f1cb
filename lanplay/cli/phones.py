"""Phones at a table of this laptop; nothing of what serves them is loaded before one is invited."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import trio

from lanplay.config.declared import Settings
from lanplay.errors import Fault, Mistake
from lanplay.session.hosting import own_addresses
from lanplay.session.table import TableSession
from lanplay.ui.invitation import Invitation, Phones
from lanplay.ui.presenter import Session

if TYPE_CHECKING:
    from lanplay.web.inviting import WebPhones


@asynccontextmanager
async def phones_at(
    session: Session, settings: Settings, nobody: bool
) -> AsyncIterator[Phones | None]:
    """Let the phones of a table come while a block runs; ``nobody``: none may be invited."""
    if nobody or not isinstance(session, TableSession):
        yield None
        return
    async with trio.open_nursery() as nursery:
        phones = TablePhones(session, settings, nursery)
        yield phones
        await phones.close()
        nursery.cancel_scope.cancel()


class TablePhones:
    """The phones of a table: see ``Phones``."""

    def __init__(self, session: TableSession, settings: Settings, nursery: trio.Nursery) -> None:
        self._session = session
        self._settings = settings
        self._nursery = nursery
        self._made: WebPhones | None = None

    @property
    def invitation(self) -> Invitation:
        """How phones come now, and who has come."""
        return self._made.invitation if self._made is not None else Invitation()

    def invite(self) -> None:
        """Let phones come from now on; ``Mistake`` says why they cannot."""
        if self._made is None:
            from lanplay.web.inviting import WebPhones, reachable
            from lanplay.web.taste import settled

            chosen = self._session.client.network.interfaces
            hosts = reachable(own_addresses(chosen), chosen is not None)
            settings = self._settings
            self._made = WebPhones(self._session, hosts, settled(settings), settings.confirm)
            self._nursery.start_soon(self._made.run)
        self._made.invite()

    def uninvite(self) -> None:
        """Let no more come."""
        if self._made is not None:
            self._made.uninvite()

    async def close(self) -> None:
        """Tell all who are here that the laptop leaves the table."""
        if self._made is not None:
            await self._made.close()

    def admit(self, name: str) -> None:
        """Let a phone take the seat that it asks for."""
        self._known(name).admit(name)

    def remove(self, name: str) -> None:
        """Take the seat of a phone away."""
        self._known(name).remove(name)

    def _known(self, name: str) -> WebPhones:
        if self._made is None:
            raise Mistake(Fault.NO_PHONE, name=name, known="-")
        return self._made
