"""Going on with a network game after this program was left, crashed or was restarted."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lanplay import __version__
from lanplay.cli import network
from lanplay.cli.identity import own_identity
from lanplay.cli.joining import playable
from lanplay.cli.settings import data_folder
from lanplay.cli.trust import shown
from lanplay.errors import UserError
from protocol.shell.journal import Journal, JournalError, Kept, journals
from protocol.shell.node import Node, open_node
from protocol.text import NICKNAME_LIMIT, clean_text


async def resume(args: argparse.Namespace) -> int:
    """Run ``lanplay resume``; ``UserError`` for what the person can mend."""
    files = [Path(args.file)] if args.file else journals(network.games_folder(args))
    if args.list:
        return _list(files)
    if not files:
        raise UserError("There is no game to go on with. lanplay join looks for open tables.")
    identity = own_identity(data_folder(args.data))
    try:
        journal, kept, moves = Journal.again(files[0])
    except OSError as error:
        raise UserError(f"{files[0]}: it cannot be opened ({error.strerror}).") from error
    except JournalError as error:
        raise UserError(str(error)) from error
    if identity.public not in {peer.public for peer in kept.roster.peers}:
        raise UserError(
            f"{files[0]}: this game was played with another identity. Is lanplay still running "
            "somewhere on this machine? End it, or give the right folder with --data."
        )
    playable(kept.roster)
    async with open_node(identity, __version__) as node:
        await _listen(node, kept, args)
        others = [shown(peer) for peer in kept.roster.peers if peer.public != identity.public]
        print(f"Going on, with {', '.join(others)}.", file=sys.stderr, flush=True)
        outcome = await network.go_on(node, journal, kept, moves, args)
    return network.finish(outcome, args)


def _list(files: list[Path]) -> int:
    for path in files:
        try:
            journal, kept, moves = Journal.again(path)
        except (OSError, JournalError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        journal.close()
        print(f"{path}  {kept.roster.game}  {_names(kept)}  {len(moves)} messages")
    return 0


def _names(kept: Kept) -> str:
    return ", ".join(clean_text(name, NICKNAME_LIMIT) for name in kept.roster.names)


async def _listen(node: Node, kept: Kept, args: argparse.Namespace) -> None:
    """Listen where the others last knew this program, if that port is still free."""
    ports = [port for _, port in kept.addresses.get(node.identity.public, ())]
    try:
        await node.listen(args.port or next(iter(ports), 0), network.listen_host(args))
    except OSError:
        await node.listen(0, network.listen_host(args))
