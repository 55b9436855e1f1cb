"""Phones at a table of this laptop; nothing of what serves them is loaded before one is invited."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence, Set
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import trio

from lanplay.config.declared import Settings
from lanplay.errors import Fault, Mistake
from lanplay.session import commands as c
from lanplay.session.audience import EVERYBODY, Audience
from lanplay.session.events import Snapshot
from lanplay.session.hosting import own_addresses
from lanplay.session.on_disk import guests_of
from lanplay.session.table import TableSession
from lanplay.ui.invitation import Invitation, Phones
from lanplay.ui.presenter import Session

if TYPE_CHECKING:
    from lanplay.web.inviting import WebPhones
    from lanplay.web.keeping import KeptGuests


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
        nursery.start_soon(phones.go_on)
        try:
            yield phones
        except Exception:  # so a person leaves, too; Ctrl-C leaves at once
            await phones.close()
            raise
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

    async def go_on(self) -> None:
        """Serve again the phones that were at a kept game, once that goes on."""
        with self._session.subscribe(EVERYBODY) as events:
            async for event in events:
                if isinstance(event, Snapshot) and event.game:
                    break
        journal = self._session.kept_in
        if self._made is None and journal is not None and guests_of(journal).is_file():
            from lanplay.web.keeping import load

            if (kept := load(guests_of(journal))) is not None:
                self._leave_to_ai({guest.name for guest in kept.guests})
                if kept.guests:
                    with suppress(Mistake):
                        self._serve(kept)

    def _leave_to_ai(self, here: Set[str]) -> None:
        """Let AI answer for people with phones who had gone: nobody else here could do that."""
        for name in self._session.persons:
            seat = self._session.snapshot(Audience(person=name)).own
            if name not in here and seat is not None:
                with suppress(ValueError):
                    self._session.submit(c.SetAway(seat, True))

    def invite(self) -> None:
        """Let phones come from now on; ``Mistake`` says why they cannot."""
        (self._made or self._serve(None)).invite()

    def _serve(self, kept: KeptGuests | None) -> WebPhones:
        from lanplay.web.doors import PORT, Doors, reachable
        from lanplay.web.inviting import WebPhones
        from lanplay.web.taste import settled

        chosen = self._session.client.network.interfaces
        tls = None
        if self._settings.guests == "tls":
            from lanplay.web.certificate import certificate

            tls = certificate(self._session.client.store.folder)

        def hosts() -> Sequence[str]:
            return reachable(own_addresses(chosen), chosen is not None)

        doors = Doors(hosts, kept.port if kept is not None else PORT, tls)
        taste, confirm = settled(self._settings), self._settings.confirm
        self._made = WebPhones(self._session, doors, taste, confirm, kept)
        self._nursery.start_soon(self._made.run)
        return self._made

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

    def remove(self, name: str, asks: bool | None = None) -> None:
        """Take the seat of a phone away, or refuse the one that asks for it."""
        self._known(name).remove(name, asks)

    def _known(self, name: str) -> WebPhones:
        if self._made is None:
            raise Mistake(Fault.NO_PHONE, name=name, known="-")
        return self._made
