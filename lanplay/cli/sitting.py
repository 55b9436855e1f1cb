"""``lanplay host`` and ``lanplay join``: a seat at a table that forms, until its game has ended."""

from __future__ import annotations

import lanplay_ai as ai
from lanplay.cli import network
from lanplay.cli.client import Client
from lanplay.cli.hosting import Secret, again, host_table, new_table, opened, own_node
from lanplay.cli.joining import Search, playable, sit_down
from lanplay.cli.network import Played
from lanplay.cli.resuming import go_on, wanted
from lanplay.errors import Mistake, UserError
from lanplay.language import _
from lanplay.lines.commanding import say
from lanplay.session.profile import session_identity
from lanplay.session.settings import Access, Profile, TableWish, Target
from lanplay_protocol.identity import Identity
from lanplay_protocol.shell.host import FrozenTable, HostHandover
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.passwords import Gate

REMATCH_WAIT = 600.0
"""Seconds for which a guest waits for its host to open the table again."""
WAIT = 30.0
"""Seconds for which a host without guests tries to sit down with the one that they follow."""


async def host(client: Client, wish: TableWish, access: Access) -> int:
    """Run ``lanplay host``; ``UserError`` for what the person can mend."""
    info = new_table(wish, client.profile)
    secret = Secret(access)
    if access.wanted:
        await secret.ask()
    identity = session_identity(client.store.folder)
    async with own_node(identity, client.network) as node:
        client = client.at(node.port)
        played = await sit(node, opened(info, node, client.profile), client, secret)
        status = await network.finish(played.outcome, client, rematch=True)
    return await rematches(status, played.sat, identity, client, secret)


async def rematches(
    status: int, sat: FrozenTable, identity: Identity, client: Client, secret: Secret
) -> int:
    """Play again as often as the person wants, everybody on the same seat.

    Returns the exit status of the last game; ``status`` is that of the first, played at ``sat``.
    """
    while client.desk.again:
        async with own_node(identity, client.network) as node:
            client = client.at(node.port)
            played = await sit(node, seat_again(sat, node), client, secret)
            sat = played.sat
            status = await network.finish(played.outcome, client, rematch=True)
    return status


def seat_again(sat: FrozenTable, node: Node) -> HostHandover | Target:
    """Return the table of the last game: its host opens it anew, all others go to it."""
    host = sat.roster.peers[0].public
    if host == node.identity.public:
        return again(sat, node)
    return Target(wait=REMATCH_WAIT, places=tuple(sat.addresses.get(host, ())))


async def join_table(client: Client, target: Target, access: Access, new: bool) -> int:
    """Run ``lanplay join``; ``UserError`` for what the person can mend.

    Without a table's name, the own game in progress comes first, unless a ``new`` one is wanted.
    """
    check_auto(client.profile)
    identity = session_identity(client.store.folder)
    if target.table or new:
        network.hint_at_resume(client.store)
    elif (path := await wanted(identity, client)) is not None:
        return await go_on(path, identity, client, access)
    secret = Secret(access)
    async with own_node(identity, client.network) as node:
        client = client.at(node.port)
        played = await sit(node, target, client, secret)
        status = await network.finish(played.outcome, client, rematch=True)
    return await rematches(status, played.sat, identity, client, secret)


def check_auto(profile: Profile) -> None:
    """Raise ``UserError`` if there is no such bot as is to answer here."""
    try:
        if profile.auto:
            ai.check_anywhere(profile.auto)
    except Mistake as error:
        raise UserError(error.told) from error


async def sit(node: Node, seat: HostHandover | Target, client: Client, secret: Secret) -> Played:
    """Be the host of a table, or a guest at one that is found, whichever it is by turns; play.

    A guest that inherits its table becomes its host; a host without whom the guests have gone on
    becomes a guest again.
    """
    with client.desk.forming():
        return await _sit(node, seat, client, secret)


async def _sit(node: Node, seat: HostHandover | Target, client: Client, secret: Secret) -> Played:
    while True:
        if isinstance(seat, HostHandover):
            ended = await host_table(node, seat, client, secret)
            if isinstance(ended, Played):
                return ended
            seat = Target(wait=WAIT, places=tuple(ended.addresses))
        else:
            search = Search(seat, client.network.interfaces, node.identity.public)
            said = await sit_down(node, search, client, secret)
            if isinstance(said, FrozenTable):
                return await play_as_guest(node, said, client, secret)
            say(_("You are the host of the table from now on."))
            seat = said


async def play_as_guest(node: Node, start: FrozenTable, client: Client, secret: Secret) -> Played:
    """Play the game that a host has started."""
    game, auto = playable(start.roster), client.profile.auto
    seats = next(p.seats for p in start.roster.peers if p.public == node.identity.public)
    bots = {seat: auto for seat in seats if auto}
    gate = Gate(node, secret.text) if secret.text else None
    return await network.play(node, network.Table(game, start, bots, bool(gate), gate), client)
