"""A running game on the network: every peer announces it, so that whoever comes back finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import trio

from lanplay import __version__
from lanplay.engine.game import SHOWN
from lanplay.language import _, figure
from lanplay.session.profile import public_now
from lanplay.session.settings import Address, Installation, Profile
from lanplay_protocol import PROTOCOL
from lanplay_protocol.advert import MAX_PEOPLE, Advert, fingerprint
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.shell.discovery import Discovery, Found, open_discovery
from lanplay_protocol.shell.journal import SavedGame
from lanplay_protocol.shell.links import Links
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.stillness import beat
from lanplay_protocol.text import NICKNAME_LIMIT, TABLE_NAME_LIMIT, clean_text

LOOK_SECONDS = 1.0
"""How often links are compared with what is announced."""
ALONE_SECONDS = 60.0
"""How long nobody of a game is heard before this program says that it may have ended."""
MOST_PLACES = 4
"""Announced addresses of one peer that are tried: an advert is a stranger's word."""


def table_id(roster: Roster) -> str:
    """Return the name of a running game on the network: all its peers know it, also from disk."""
    return roster.digest()[:16].hex()


def leaving(profile: Profile) -> str:
    """Return how a person leaves a game that waits."""
    if profile.auto:
        return _("Ctrl-C leaves; the game stays kept.")
    return _("q or Ctrl-C leaves; the game stays kept.")


def running(kept: SavedGame, public: bytes, port: int) -> Advert:
    """Return what one peer of a game announces of it: all the same, under the table's own name."""
    roster = kept.roster
    assert isinstance(roster.rules, bytes)  # no game of protocol 1 goes on
    people = tuple(clean_text(peer.name, NICKNAME_LIMIT) for peer in roster.peers)
    return Advert(
        table_id=table_id(roster),
        table=clean_text(
            kept.table or _("{name}'s table").format(name=people[0]), TABLE_NAME_LIMIT
        ),
        host=people[0],
        game=roster.game,
        seats=len(roster.names),
        free=0,
        people=people[:MAX_PEOPLE],
        password=kept.password,
        state="running",
        rules=roster.rules.hex()[:SHOWN],
        version=__version__,
        protocol=PROTOCOL,
        port=port,
        peer=fingerprint(public),
    )


async def stay_findable(node: Node, kept: SavedGame, links: Links, client: Installation) -> None:
    """Announce a game while it runs, and see to it that its peers are dialled where they are now.

    An address that is announced is a hint: whoever answers there has to prove its identity. When
    this machine loses an address, whom it spoke to from there is dialled anew at once.
    """
    advert = running(kept, node.identity.public, node.port)
    others = [peer.public for peer in kept.roster.peers if peer.public != node.identity.public]
    async with (
        open_discovery(client.network.interfaces) as discovery,
        discovery.announce(advert),
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(_follow, node, others, advert.table_id, discovery, links)
        if others:
            nursery.start_soon(_mind_silence, node, others, advert.table_id, discovery, client)


async def await_rematch(
    client: Installation, waits: Callable[[], str], invited: Callable[[str], None]
) -> None:
    """Tell who wants to play again with the person, whose game is over; empty: nobody any more.

    A host keeps a seat for it; a guest ``waits`` for its table.
    """
    own = public_now(client.store.folder)
    told = ""
    async with open_discovery(client.network.interfaces) as discovery:
        while True:
            hosts = (row.advert.host for row in discovery.tables if row.advert.keeps(own))
            if (name := next(hosts, "") or waits()) != told:
                told = name
                invited(name)
            with trio.move_on_after(LOOK_SECONDS):
                await discovery.changed()


async def _follow(
    node: Node, others: Sequence[bytes], table: str, discovery: Discovery, links: Links
) -> None:
    """Tell what is announced of the others, and what this machine's own moves have cut."""
    told: dict[bytes, tuple[Address, ...]] = {}
    before = discovery.addresses
    while True:
        for identity, places in announced(discovery.tables, table, others):
            if told.get(identity) != places:
                told[identity] = places
                for place in reversed(places[:MOST_PLACES]):
                    links.known_at(identity, place)
        now = discovery.addresses
        for identity in node.forsake(before - now) & frozenset(others):
            links.reach(identity)
        before = now
        await discovery.changed()


def announced(
    tables: Iterable[Found], table: str, others: Sequence[bytes]
) -> Iterator[tuple[bytes, tuple[Address, ...]]]:
    """Yield where each of the others is, as far as an advert of the table says so."""
    known = {fingerprint(identity): identity for identity in others}
    for row in tables:
        if row.advert.table_id == table:
            yield from ((known[peer], places) for peer, places in row.peers if peer in known)


async def _mind_silence(
    node: Node, others: Sequence[bytes], table: str, discovery: Discovery, client: Installation
) -> None:
    """Say it once each time that nobody is linked and nobody announces the game for a minute."""
    since = trio.current_time()
    said = False
    while True:
        alone = not node.linked & frozenset(others)
        if not alone or any(announced(discovery.tables, table, others)):
            since, said = trio.current_time(), False
        elif not said and trio.current_time() - since >= ALONE_SECONDS:
            said = True
            lonely = _(
                "Nobody of this game has answered for {seconds} s. The others may have finished "
                "it, or be away: it waits for them. {leaving}"
            )
            client.say(
                lonely.format(seconds=figure(ALONE_SECONDS, "g"), leaving=leaving(client.profile))
            )
        await beat(LOOK_SECONDS)
