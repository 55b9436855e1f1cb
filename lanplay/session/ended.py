"""Finished games are shown for a week to whoever had a seat and missed the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import trio

from lanplay import __version__
from lanplay.errors import Fault
from lanplay.session.profile import public_now, session_identity
from lanplay.session.reconnect import running
from lanplay.session.settings import Installation, Network, Store
from lanplay_protocol.shell.archive import Archive
from lanplay_protocol.shell.discovery import open_discovery
from lanplay_protocol.shell.journal import SavedGame
from lanplay_protocol.shell.node import Node, open_node
from lanplay_protocol.shell.offers import Offers

FOLDER, OFFERS = "ended", "offers"
MOST = 4
"""Games that are announced at one time, the newest."""


def archive_of(store: Store) -> Archive:
    """Return the finished games of this installation."""
    return Archive(store.folder / FOLDER)


@asynccontextmanager
async def shown(node: Node, client: Installation) -> AsyncIterator[None]:
    """Show the ends of games on a node, and announce those that somebody missed, in a block."""
    archive = archive_of(client.store)

    def refused(error: OSError) -> None:
        client.say(Fault.OFFER_NOT_KEPT.of(path=str(error.filename), why=error.strerror))

    node.archive, node.offers = archive, Offers(client.store.folder / OFFERS, refused)
    async with _announced(node, archive, client.network):
        yield


@asynccontextmanager
async def _announced(node: Node, archive: Archive, network: Network) -> AsyncIterator[None]:
    games = archive.missed()[:MOST]
    async with AsyncExitStack() as stack:
        if games and node.port:
            discovery = await stack.enter_async_context(open_discovery(network.interfaces))
            for roster in games:
                kept = SavedGame(roster, {}, b"", {})
                told = replace(running(kept, node.identity.public, node.port), state="ended")
                await stack.enter_async_context(discovery.announce(told))
        yield


async def show_from_lobby(network: Network, store: Store) -> None:
    """Show the ends that somebody missed while this program's person is in the lobby.

    Without its identity, which another program may have, nobody would ask it.
    """
    archive = archive_of(store)
    if not archive.missed() or not public_now(store.folder):
        return
    identity = session_identity(store.folder, lambda _: None)
    async with open_node(identity, __version__) as node:
        try:
            await node.listen(0, network.listen_host)
        except OSError:
            return
        node.archive = archive
        async with _announced(node, archive, network), trio.open_nursery() as nursery:
            nursery.start_soon(_pass_over, node)


async def _pass_over(node: Node) -> None:
    """Take what comes for a table: there is none here."""
    while True:
        await node.events.receive()
