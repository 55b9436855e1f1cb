"""The list of AI players."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

import lanplay_ai as ai
from lanplay.errors import Fault, UserError
from lanplay.games import names
from lanplay.ui.lobby import bot_lines
from lanplay_ai.bot import Bot


def list_bots(args: argparse.Namespace) -> int:
    """Run ``lanplay bots``; ``UserError`` for an unknown game."""
    if args.game is not None and args.game not in names():
        raise UserError(Fault.NO_GAME, game=args.game, known=", ".join(names()))
    for game in [args.game] if args.game else names():
        lines = _json(game, ai.bots(game)) if args.json else bot_lines(game)
        print("\n".join(lines))
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
