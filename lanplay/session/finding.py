"""The tables of this network, as a person who has none yet sees them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence, Set
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from lanplay.session.ended import show_from_lobby
from lanplay.session.joining import closed
from lanplay.session.profile import public_now
from lanplay.session.saved import states_of
from lanplay.session.settings import Address, Network, Store
from lanplay_protocol.advert import Advert
from lanplay_protocol.shell.discovery import Discovery, open_discovery


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table. ``closed`` says why this program cannot sit down there now, in words, if so.

    ``kept``: a seat there is kept for this program.
    """

    advert: Advert
    addresses: Sequence[Address]
    closed: str = ""
    kept: bool = False


class LobbyFeed:
    """The tables of this network, now and on every change."""

    def __init__(self, discovery: Discovery, own: bytes) -> None:
        self._discovery = discovery
        self._own = own

    @property
    def tables(self) -> Sequence[FoundTable]:
        """The tables, in the order in which they were found."""
        own = self._own
        return [
            FoundTable(row.advert, row.addresses, closed(row.advert, own), row.advert.keeps(own))
            for row in self._discovery.tables
            if row.advert.state != "ended"
        ]

    def states(self, tables: Set[str]) -> Mapping[str, str]:
        """Return what is announced of own games: whether they are played, or have ended."""
        return states_of(tables, (row.advert for row in self._discovery.tables))

    @property
    def problem(self) -> str:
        """Why no tables can be found here, and what to do; empty while all is well."""
        return self._discovery.problem or ""

    async def changed(self) -> None:
        """Return when there is something else to see than now."""
        await self._discovery.changed()


@asynccontextmanager
async def found_tables(network: Network, store: Store) -> AsyncIterator[LobbyFeed]:
    """Look for tables while a block runs."""
    async with open_discovery(network.interfaces) as discovery, trio.open_nursery() as nursery:
        nursery.start_soon(show_from_lobby, network, store)
        yield LobbyFeed(discovery, public_now(store.folder))
        nursery.cancel_scope.cancel()
