"""The commands at a table, from their arguments to a person's place."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import lanplay_ai as ai
from lanplay.cli import lobby as lobbies
from lanplay.cli.place import Place, run
from lanplay.cli.resuming import forget, list_games
from lanplay.cli.table_arguments import access_of, place_of, target_of, wish_of
from lanplay.session.settings import Access
from lanplay.session.storage import data_folder, listed
from lanplay.ui.front_end import FrontEnd
from lanplay_protocol.shell.journal import journals


def _seated(args: argparse.Namespace, act: Callable[[Place], Awaitable[int]]) -> int:
    def main(front: FrontEnd) -> Awaitable[int]:
        return act(place_of(args, front))

    return run(main, args.settings, vars(args).get("quiet", False))


def _access(args: argparse.Namespace, place: Place) -> Access:
    return access_of(args, place.front)


def host(args: argparse.Namespace) -> int:
    """Open a table and play; return the exit status."""
    return _seated(args, lambda place: place.host(wish_of(args), _access(args, place)))


def join(args: argparse.Namespace) -> int:
    """Sit down at a table and play; return the exit status."""
    return _seated(args, lambda place: place.join(target_of(args), _access(args, place), args.new))


def watch(args: argparse.Namespace) -> int:
    """Watch a game to its end; return the exit status."""
    return _seated(args, lambda place: place.watch(target_of(args), _access(args, place)))


def play(args: argparse.Namespace) -> int:
    """Play on this machine; return the exit status."""

    def act(place: Place) -> Awaitable[int]:
        wish = wish_of(args)
        if args.learn and wish.bot == place.settings.bot:
            wish = replace(wish, bot=ai.plainest(wish.game))
        return place.play(wish, args.seed, args.learn)

    return _seated(args, act)


def lobby(args: argparse.Namespace) -> int:
    """Show the lobby until its person leaves; return the exit status."""
    return _seated(args, lobbies.lobby)


def resume(args: argparse.Namespace) -> int:
    """Go on with a game, or list or forget those that can go on; return the exit status."""
    file = Path(args.file) if args.file else None
    if args.list:
        games = data_folder(args.data) / "games"
        return list_games([file] if file else journals(listed(games)))
    if args.forget:
        return forget(Path(args.forget))
    return _seated(args, lambda place: place.resume(_access(args, place), file))
