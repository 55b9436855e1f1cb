"""``lanplay host`` and ``lanplay join``: a seat at a table that forms, until its game has ended."""

from __future__ import annotations

import argparse

import lanplay_ai as ai
from lanplay.cli import network
from lanplay.cli.commanding import say
from lanplay.cli.hosting import Secret, again, host_table, new_table, opened, own_node
from lanplay.cli.identity import session_identity
from lanplay.cli.joining import Search, playable, sit_down
from lanplay.cli.resuming import go_on, wanted
from lanplay.cli.settings import data_folder
from lanplay.errors import Mistake, UserError
from lanplay.language import _
from lanplay_protocol.identity import Identity
from lanplay_protocol.shell.gather import Inheritance, Start
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.play import Outcome

REMATCH_WAIT = 600.0
"""Seconds for which a guest waits for its host to open the table again."""
WAIT = 30.0
"""Seconds for which a host without guests tries to sit down with the one that they follow."""


async def host(args: argparse.Namespace) -> int:
    """Run ``lanplay host``; ``UserError`` for what the person can mend."""
    info = new_table(args)
    secret = Secret(args)
    if args.password or args.password_file:
        await secret.ask()
    identity = session_identity(data_folder(args.data))
    async with own_node(identity, args) as node:
        args.port = node.port
        outcome = await sit(node, opened(info, node, args), args, secret)
        status = await network.finish(outcome, args, rematch=True)
    return await rematches(status, identity, args, secret)


async def rematches(
    status: int, identity: Identity, args: argparse.Namespace, secret: Secret
) -> int:
    """Play again as often as the person wants, everybody on the same seat.

    Returns the exit status of the last game; ``status`` is that of the first.
    """
    while args.desk.again:
        async with own_node(identity, args) as node:
            args.port = node.port
            outcome = await sit(node, seat_again(args.sat, node, args), args, secret)
            status = await network.finish(outcome, args, rematch=True)
    return status


def seat_again(sat: Start, node: Node, args: argparse.Namespace) -> Inheritance | Search:
    """Return the table of the last game: its host opens it anew, all others go to it."""
    host = sat.roster.peers[0].public
    if host == node.identity.public:
        return again(sat, node)
    return Search(args, REMATCH_WAIT, sat.addresses.get(host, ()))


async def join_table(args: argparse.Namespace) -> int:
    """Run ``lanplay join``; ``UserError`` for what the person can mend.

    Without a table's name, the own game in progress comes first.
    """
    if args.auto:
        try:
            ai.check_anywhere(args.auto)
        except Mistake as error:
            raise UserError(error.told) from error
    identity = session_identity(data_folder(args.data))
    if args.table or args.new:
        network.hint_at_resume(args)
    elif (path := await wanted(identity, args)) is not None:
        return await go_on(path, identity, args)
    places = vars(args).get("places", ())
    search, secret = Search(args, args.wait, places, identity.public), Secret(args)
    async with own_node(identity, args) as node:
        args.port = node.port
        outcome = await sit(node, search, args, secret)
        status = await network.finish(outcome, args, rematch=True)
    return await rematches(status, identity, args, secret)


async def sit(
    node: Node, seat: Inheritance | Search, args: argparse.Namespace, secret: Secret
) -> Outcome:
    """Be the host of a table, or a guest at one that is found, whichever it is by turns; play.

    A guest that inherits its table becomes its host; a host without whom the guests have gone on
    becomes a guest again.
    """
    with args.desk.forming():
        return await _sit(node, seat, args, secret)


async def _sit(
    node: Node, seat: Inheritance | Search, args: argparse.Namespace, secret: Secret
) -> Outcome:
    while True:
        if isinstance(seat, Inheritance):
            ended = await host_table(node, seat, args, secret)
            if isinstance(ended, Outcome):
                return ended
            seat = Search(args, WAIT, ended.addresses)
        else:
            said = await sit_down(node, seat, args, secret)
            if isinstance(said, Start):
                return await play_as_guest(node, said, args, secret)
            say(_("You are the host of the table from now on."))
            seat = said


async def play_as_guest(
    node: Node, start: Start, args: argparse.Namespace, secret: Secret
) -> Outcome:
    """Play the game that a host has started."""
    game = playable(start.roster)
    seats = next(p.seats for p in start.roster.peers if p.public == node.identity.public)
    bots = {seat: args.auto for seat in seats if args.auto}
    gate = Gate(node, secret.text) if secret.text else None
    return await network.play(node, network.Table(game, start, bots, bool(gate), gate), args)
