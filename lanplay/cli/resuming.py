"""Going on with a network game after this program was left, crashed or was restarted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from lanplay import __version__
from lanplay.cli import network
from lanplay.cli.client import Client
from lanplay.cli.desk import Desk
from lanplay.cli.endings import REFUSALS
from lanplay.cli.hosting import Secret
from lanplay.cli.joining import playable
from lanplay.cli.reuniting import leaving, table_id
from lanplay.errors import Fault, UserError, told_of
from lanplay.games.wording import game_title
from lanplay.language import N_, _, ngettext
from lanplay.lines.commanding import at_keyboard, say
from lanplay.lines.plain import NO, YES
from lanplay.session.profile import session_identity
from lanplay.session.settings import Access, Network
from lanplay.session.trust import shown
from lanplay.told import worded
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.shell.discovery import open_discovery
from lanplay_protocol.shell.journal import (
    Damaged,
    Journal,
    JournalError,
    SavedGame,
    journals,
    read_journal,
)
from lanplay_protocol.shell.node import Node, open_node
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text

HOW = N_("Type y for yes, n to look for another table, d to drop the game for good, or q to leave.")
GO_ON = N_("Go on with it? [Y/n/d]")
"""The question about a kept game; ``HOW`` says what the letters are."""
ANSWERS = {
    **dict.fromkeys(("", *YES), "y"),
    **dict.fromkeys(NO, "n"),
    "d": "d",
}
"""What a person may answer to that, in any of the languages."""
LOOK_SECONDS = 3.0
"""How long ``lanplay join`` looks whether a game of its own is being played."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game in progress of this installation, and whether somebody announces it now."""

    path: Path
    kept: SavedGame
    playing: bool


async def resume(client: Client, access: Access, file: Path | None = None) -> int:
    """Go on with the newest game, or that in a file; ``UserError`` for what can be mended."""
    files = [file] if file else journals(client.store.games)
    if not files:
        raise UserError(Fault.NO_KEPT_GAME)
    return await go_on(files[0], session_identity(client.store.folder), client, access)


async def go_on(path: Path, identity: Identity, client: Client, access: Access) -> int:
    """Go on with the game in a file; ``UserError`` if that cannot be."""
    journal, kept, moves = opened(path, client.desk.ahead)
    if identity.public not in {peer.public for peer in kept.roster.peers}:
        raise UserError(Fault.OTHER_IDENTITY, path=str(path))
    playable(kept.roster)
    async with open_node(identity, __version__) as node:
        await _listen(node, kept, client.network)
        if others := _others(kept, identity):
            said = _("Going on. Waiting for {names}. {leaving}")
            client.desk.ahead(said.format(names=others, leaving=leaving(client.profile)))
        client = client.at(node.port)
        played = await network.go_on(node, journal, kept, moves, client, access)
        status = await network.finish(played.outcome, client, rematch=True)
    from lanplay.cli.sitting import rematches  # which begins with kept games itself

    secret = Secret(access)
    if kept.password and client.desk.again:
        await secret.ask()
    return await rematches(status, played.sat, identity, client, secret)


def opened(path: Path, tell: Callable[[str], None] = say) -> tuple[Journal, SavedGame, list[Entry]]:
    """Open a game in progress to go on with it; ``UserError`` if that cannot be.

    Of a damaged one what is whole goes on, as of a program that the table has to cut off first.
    """
    try:
        try:
            return Journal.open(path)
        except Damaged as damaged:
            aside, whole = damaged.set_aside()
            where = {"path": str(damaged.path), "at": damaged.at}
            tell(Fault.JOURNAL_ASIDE.of(aside=aside.name, **where))
            return Journal.open(whole)
    except OSError as error:
        fault = Fault.DISK if error.errno in REFUSALS else Fault.CANNOT_OPEN
        raise UserError(fault, path=str(path), why=error.strerror) from error
    except JournalError as error:
        raise UserError(error.told) from error


async def wanted(identity: Identity, client: Client) -> Path | None:
    """Return the file of the own game to go on with before any other table is looked for.

    A person is asked; without one it is a game that is being played now.
    """
    game = await own_game(identity, client)
    if game is None:
        return None
    if game.playing:
        said = _("A game of yours is being played: {game}.")
    else:
        said = _("A game of yours can go on: {game}; nobody is at it now.")
    say(said.format(game=_described(game.kept, identity)))
    if client.profile.auto or not at_keyboard():
        if not game.playing:
            say(_("lanplay resume goes on with it."))
        return game.path if game.playing else None
    return await _chosen(game.path, client.desk)


async def _chosen(path: Path, desk: Desk) -> Path | None:
    """Ask the person what to do with a kept game: go on, look for another table, or drop it."""
    match await desk.choice(_(GO_ON), _(HOW), ANSWERS):
        case "y":
            return path
        case "d" if await desk.sure(_("Drop the game for good? Its seat stays with an AI.")):
            forget(path)
    return None


async def own_game(identity: Identity, client: Client) -> OwnGame | None:
    """Return the game of this identity that is being played now, else its newest, if any."""
    games = own_games(client.store.games, identity)
    if not games:
        return None
    playing = await _announced({table_id(kept.roster) for _, kept in games}, client.network)
    rows = [OwnGame(path, kept, table_id(kept.roster) in playing) for path, kept in games]
    return next((game for game in rows if game.playing), rows[0])


def own_games(folder: Path, identity: Identity) -> list[tuple[Path, SavedGame]]:
    """Return the games in progress of an identity, the newest first; damaged files are left out."""
    found = []
    for path in journals(folder):
        with suppress(OSError, JournalError):
            kept, _moves = looked(path)
            if identity.public in {peer.public for peer in kept.roster.peers}:
                found.append((path, kept))
    return found


async def _announced(tables: Set[str], network: Network) -> Set[str]:
    """Return which of the tables are announced: as soon as there are any, or after a while."""
    found: Set[str] = frozenset()
    with trio.move_on_after(LOOK_SECONDS):
        async with open_discovery(network.interfaces) as discovery:
            while not found:
                found = tables & {row.advert.table_id for row in discovery.tables}
                if not found:
                    await discovery.changed()
    return found


def _described(kept: SavedGame, identity: Identity) -> str:
    others = _others(kept, identity) or _("AI alone")
    return _("{game} with {names}").format(game=game_title(kept.roster.game), names=others)


def _others(kept: SavedGame, identity: Identity) -> str:
    return ", ".join(shown(peer) for peer in kept.roster.peers if peer.public != identity.public)


def looked(path: Path) -> tuple[SavedGame, list[Entry]]:
    """Return what a game in progress holds, of a damaged one what is whole; it is not changed.

    Raises ``JournalError`` if it is none, ``OSError``.
    """
    try:
        return read_journal(path)
    except Damaged as damaged:
        return damaged.kept, damaged.entries


def list_games(files: Sequence[Path]) -> int:
    """Print the games in progress in these files; return 0."""
    for path in files:
        try:
            kept, moves = looked(path)
        except (OSError, JournalError) as error:
            print(f"{path}: {worded(told_of(error))}", file=sys.stderr)
            continue
        moved = ngettext("{count} message", "{count} messages", len(moves))
        said = moved.format(count=len(moves))
        print(f"{path}  {game_title(kept.roster.game)}  {_names(kept)}  {said}")
    return 0


def forget(path: Path) -> int:
    """Delete a game in progress; ``UserError`` if it is none, or cannot be deleted."""
    try:
        kept, _moves = looked(path)
        path.unlink()
    except OSError as error:
        raise UserError(Fault.CANNOT_FORGET, path=str(path), why=error.strerror) from error
    except JournalError as error:
        raise UserError(error.told) from error
    forgotten = _("Forgotten: {game} with {names}. Its seat stays with an AI.")
    say(forgotten.format(game=game_title(kept.roster.game), names=_names(kept)))
    return 0


def _names(kept: SavedGame) -> str:
    return ", ".join(clean_text(name, NICKNAME_LIMIT) for name in kept.roster.names)


async def _listen(node: Node, kept: SavedGame, network: Network) -> None:
    """Listen where the others last knew this program, if that port is still free."""
    ports = [port for _, port in kept.addresses.get(node.identity.public, ())]
    try:
        await node.listen(network.port or next(iter(ports), 0), network.listen_host)
    except OSError:
        await node.listen(0, network.listen_host)
