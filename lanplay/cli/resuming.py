"""Going on with a network game after this program was left, crashed or was restarted."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from lanplay import __version__
from lanplay.cli import network
from lanplay.cli.commanding import at_keyboard, choice, say
from lanplay.cli.identity import own_identity
from lanplay.cli.joining import playable
from lanplay.cli.reuniting import leaving, table_id
from lanplay.cli.settings import data_folder
from lanplay.cli.trust import shown
from lanplay.errors import UserError
from protocol.identity import Identity
from protocol.shell.discovery import open_discovery
from protocol.shell.journal import Damaged, Entry, Journal, JournalError, Kept, journals, look
from protocol.shell.node import Node, open_node
from protocol.text import NICKNAME_LIMIT, clean_text

GO_ON = "Go on with it? [Y/n/d]"
"""The question about a kept game; ``commanding.HOW`` says what the letters are."""
LOOK_SECONDS = 3.0
"""How long ``lanplay join`` looks whether a game of its own is being played."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game in progress of this installation, and whether somebody announces it now."""

    path: Path
    kept: Kept
    playing: bool


async def resume(args: argparse.Namespace) -> int:
    """Run ``lanplay resume``; ``UserError`` for what the person can mend."""
    files = [Path(args.file)] if args.file else journals(network.games_folder(args))
    if args.list:
        return _list(files)
    if args.forget:
        return _forget(Path(args.forget))
    if not files:
        raise UserError("There is no game to go on with. lanplay join looks for open tables.")
    return await go_on(files[0], own_identity(data_folder(args.data)), args)


async def go_on(path: Path, identity: Identity, args: argparse.Namespace) -> int:
    """Go on with the game in a file; ``UserError`` if that cannot be."""
    journal, kept, moves = opened(path)
    if identity.public not in {peer.public for peer in kept.roster.peers}:
        raise UserError(
            f"{path}: this game was played with another identity. Is lanplay still running "
            "somewhere on this machine? End it, or give the right folder with --data."
        )
    playable(kept.roster)
    async with open_node(identity, __version__) as node:
        await _listen(node, kept, args)
        if others := _others(kept, identity):
            say(f"Going on. Waiting for {others}. {leaving(args)}")
        outcome = await network.go_on(node, journal, kept, moves, args)
    return network.finish(outcome, args)


def opened(path: Path) -> tuple[Journal, Kept, list[Entry]]:
    """Open a game in progress to go on with it; ``UserError`` if that cannot be.

    Of a damaged one what is whole goes on, as of a program that the table has to cut off first.
    """
    try:
        try:
            return Journal.again(path)
        except Damaged as damaged:
            aside, whole = damaged.set_aside()
            say(
                f"{damaged} It is kept as {aside.name}. What comes before the damage goes on: the "
                "table lets an AI play for you, then you take your seat again."
            )
            return Journal.again(whole)
    except OSError as error:
        raise UserError(f"{path}: it cannot be opened ({error.strerror}).") from error
    except JournalError as error:
        raise UserError(str(error)) from error


async def wanted(identity: Identity, args: argparse.Namespace) -> Path | None:
    """Return the file of the own game to go on with before any other table is looked for.

    A person is asked; without one it is a game that is being played now.
    """
    game = await own_game(identity, args)
    if game is None:
        return None
    if game.playing:
        say(f"A game of yours is being played: {_described(game.kept, identity)}.")
    else:
        say(f"A game of yours can go on: {_described(game.kept, identity)}; nobody is at it now.")
    if args.auto or not at_keyboard():
        if not game.playing:
            say("lanplay resume goes on with it.")
        return game.path if game.playing else None
    return await _chosen(game.path)


async def _chosen(path: Path) -> Path | None:
    """Ask the person what to do with a kept game: go on, look for another table, or drop it."""
    match await choice(GO_ON, {"": "y", "y": "y", "yes": "y", "n": "n", "no": "n", "d": "d"}):
        case "y":
            return path
        case "d":
            _forget(path)
    return None


async def own_game(identity: Identity, args: argparse.Namespace) -> OwnGame | None:
    """Return the game of this identity that is being played now, else its newest, if any."""
    games = own_games(network.games_folder(args), identity)
    if not games:
        return None
    playing = await _announced({table_id(kept.roster) for _, kept in games}, args)
    rows = [OwnGame(path, kept, table_id(kept.roster) in playing) for path, kept in games]
    return next((game for game in rows if game.playing), rows[0])


def own_games(folder: Path, identity: Identity) -> list[tuple[Path, Kept]]:
    """Return the games in progress of an identity, the newest first; damaged files are left out."""
    found = []
    for path in journals(folder):
        with suppress(OSError, JournalError):
            kept, _ = looked(path)
            if identity.public in {peer.public for peer in kept.roster.peers}:
                found.append((path, kept))
    return found


async def _announced(tables: Set[str], args: argparse.Namespace) -> Set[str]:
    """Return which of the tables are announced: as soon as there are any, or after a while."""
    found: Set[str] = frozenset()
    with trio.move_on_after(LOOK_SECONDS):
        async with open_discovery(args.interface) as discovery:
            while not found:
                found = tables & {row.advert.table_id for row in discovery.tables}
                if not found:
                    await discovery.changed()
    return found


def _described(kept: Kept, identity: Identity) -> str:
    return f"{kept.roster.game} with {_others(kept, identity) or 'AI alone'}"


def _others(kept: Kept, identity: Identity) -> str:
    return ", ".join(shown(peer) for peer in kept.roster.peers if peer.public != identity.public)


def looked(path: Path) -> tuple[Kept, list[Entry]]:
    """Return what a game in progress holds, of a damaged one what is whole; it is not changed.

    Raises ``JournalError`` if it is none, ``OSError``.
    """
    try:
        return look(path)
    except Damaged as damaged:
        return damaged.kept, damaged.entries


def _list(files: list[Path]) -> int:
    for path in files:
        try:
            kept, moves = looked(path)
        except (OSError, JournalError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        print(f"{path}  {kept.roster.game}  {_names(kept)}  {len(moves)} messages")
    return 0


def _forget(path: Path) -> int:
    """Delete a game in progress; ``UserError`` if it is none, or cannot be deleted."""
    try:
        kept, _ = looked(path)
        path.unlink()
    except OSError as error:
        raise UserError(f"{path}: it cannot be forgotten ({error.strerror}).") from error
    except JournalError as error:
        raise UserError(str(error)) from error
    say(f"Forgotten: {kept.roster.game} with {_names(kept)}. Its seat stays with an AI.")
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
