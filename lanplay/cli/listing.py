"""The lists of AI players and of tables."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import textwrap
from collections.abc import Iterator

import trio

import lanplay_ai as ai
from lanplay.cli.table_arguments import network_of
from lanplay.errors import Fault, UserError
from lanplay.games import load, names
from lanplay.games.wording import game_title
from lanplay.language import N_, _
from lanplay.session.joining import other_rules, versions
from lanplay.session.settings import Network
from lanplay.told import worded
from lanplay.ui.lobby import bot_lines
from lanplay_ai import plugins
from lanplay_ai.bot import Bot
from lanplay_protocol.shell.addresses import written
from lanplay_protocol.shell.discovery import Found, open_discovery


def list_bots(args: argparse.Namespace) -> int:
    """Run ``lanplay bots``; ``UserError`` for an unknown game."""
    if args.game is not None:
        load(args.game)
    if args.explain:
        return _explain(args.explain, [args.game] if args.game else [*names()])
    for game in [args.game] if args.game else names():
        lines = _json(game, ai.bots(game)) if args.json else bot_lines(game)
        print("\n".join(lines))
    for told in plugins.astray():
        print(worded(told), file=sys.stderr)
    return 0


def _explain(name: str, games: list[str]) -> int:
    having = [game for game in games if name in ai.bots(game)]
    if not having:
        known = dict.fromkeys(bot for game in games for bot in ai.bots(game))
        raise UserError(Fault.NO_BOT_ANYWHERE, bot=name, known=", ".join(known))
    for game in having:
        bot = ai.bots(game)[name]
        said = ai.explained(game).get(name, bot.summary)
        print(f"{game_title(game)}, {name}:")
        print(textwrap.fill(_(said), width=78, initial_indent="  ", subsequent_indent="  "))
    return 0


def _json(game: str, every: dict[str, Bot]) -> Iterator[str]:
    for name, bot in every.items():
        yield json.dumps(
            {
                "game": game,
                "bot": name,
                "level": bot.level,
                "character": bot.character,
                "summary": bot.summary,
            }
        )


STATES = {"open": N_("open"), "running": N_("playing")}


def tables(args: argparse.Namespace) -> int:
    """Run ``lanplay tables``."""
    return trio.run(list_tables, network_of(vars(args)), args.seconds, args.json)


async def list_tables(network: Network, seconds: float, as_json: bool) -> int:
    """Print the tables that are found within so many seconds."""
    async with open_discovery(network.interfaces) as discovery:
        await trio.sleep(seconds)
        rows = discovery.tables
        problem = discovery.problem
    for row in rows:
        print(json.dumps(_plain(row)) if as_json else _line(row))
    if not rows:
        print(worded(problem or Fault.NO_TABLE.of()), file=sys.stderr)
    return 0


def _plain(row: Found) -> dict[str, object]:
    addresses = [written(host, port) for host, port in row.addresses]
    return {**dataclasses.asdict(row.advert), "addresses": addresses}


def _line(row: Found) -> str:
    advert = row.advert
    other = ""
    if not advert.compatible:
        other = f"  ({versions(advert).removesuffix('.')})"
    elif (rules := other_rules(advert)) is not None:
        other = f"  ({_('rules {theirs}; here are {ours}').format(**rules)})"
    host, port = row.addresses[0] if row.addresses else ("?", 0)
    free = _("{free} of {seats} seats free").format(free=advert.free, seats=advert.seats)
    return (
        f"{advert.table}  {game_title(advert.game)}  {free}  "
        f"{_(STATES.get(advert.state, advert.state))}  {', '.join(advert.people)}  "
        f"{written(host, port)}{other}"
    )
