"""``lanplay host`` and ``lanplay join``: a seat at a table that forms, until its game has ended."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import ai
from lanplay.cli import network
from lanplay.cli.commanding import say
from lanplay.cli.hosting import Secret, host_table, new_table, opened, own_node
from lanplay.cli.joining import find, playable, sit_down
from lanplay.errors import UserError
from protocol.shell.gather import Inheritance, Start
from protocol.shell.node import Node
from protocol.shell.play import Outcome


async def host(args: argparse.Namespace) -> int:
    """Run ``lanplay host``; ``UserError`` for what the person can mend."""
    info = new_table(args)
    secret = Secret(args)
    if args.password or args.password_file:
        await secret.ask()
    async with own_node(args) as node:
        outcome = await sit(node, opened(info, node, args), args, secret)
    return network.finish(outcome, args)


async def join_table(args: argparse.Namespace) -> int:
    """Run ``lanplay join``; ``UserError`` for what the person can mend."""
    if args.auto:
        try:
            ai.make(args.auto, bytes(32))
        except ValueError as error:
            raise UserError(f"{error}.") from error
    network.hint_at_resume(args)
    addresses = await find(args)
    async with own_node(args) as node:
        outcome = await sit(node, addresses, args, Secret(args))
    return network.finish(outcome, args)


async def sit(
    node: Node,
    seat: Inheritance | Sequence[tuple[str, int]],
    args: argparse.Namespace,
    secret: Secret,
) -> Outcome:
    """Be the host of a table, or a guest at one of its addresses, whichever it is by turns; play.

    A guest that inherits its table becomes its host; a host without whom the guests have gone on
    becomes a guest again.
    """
    while True:
        if isinstance(seat, Inheritance):
            ended = await host_table(node, seat, args, secret)
            if isinstance(ended, Outcome):
                return ended
            seat = ended.addresses
        else:
            said = await sit_down(node, seat, args, secret)
            if isinstance(said, Start):
                return await play_as_guest(node, said, args, secret)
            say("You are the host of the table from now on.")
            seat = said


async def play_as_guest(
    node: Node, start: Start, args: argparse.Namespace, secret: Secret
) -> Outcome:
    """Play the game that a host has started."""
    game = playable(start.roster)
    seats = next(p.seats for p in start.roster.peers if p.public == node.identity.public)
    bots = {seat: args.auto for seat in seats if args.auto}
    return await network.play(node, network.Table(game, start, bots, bool(secret.text)), args)
