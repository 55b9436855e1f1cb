"""Kept games out of the lobby: their list, and each of them again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import trio

from lanplay.cli.kept import Played, kept
from lanplay.engine.game import Game
from lanplay.engine.knowledge import load_knowledge
from lanplay.engine.record import RecordError, load
from lanplay.engine.stepper import Stepper
from lanplay.games import load as load_game
from lanplay.ui.front_end import FrontEnd
from lanplay.ui.kept import KeptGame, Showcase
from lanplay.ui.looking import names_of


async def look_back(front: FrontEnd, data: Path) -> int:
    """Let the person look at its games until it has seen enough; return the exit status."""
    assert isinstance(front, Showcase)
    _folder, played, _unusable = await trio.to_thread.run_sync(kept, data)
    games, said = list(map(_listed, played)), ""
    while (wanted := await front.history(games, said)) is not None:
        try:
            stepper, game, names = await trio.to_thread.run_sync(_opened, wanted.path)
        except (OSError, RecordError, ValueError) as error:
            said = str(error)
            continue
        said = ""
        await front.replay(stepper, game, names, stepper.known[0] if stepper.known else None)
    return 0


def _opened(path: Path) -> tuple[Stepper, Game, Sequence[str]]:
    record = load(path)
    game = load_game(record.header.game)
    return Stepper(game, record, load_knowledge(path, record.state_hash)), game, names_of(record)


def _listed(played: Played) -> KeptGame:
    scores = played.scores or (None,) * len(played.players)
    pairs = zip(played.players, scores, strict=True)
    who = ", ".join(f"{name} {'' if score is None else score}".strip() for name, score in pairs)
    when = f"{played.when:%Y-%m-%d %H:%M}"
    return KeptGame(played.path, played.game, when, who, played.verdict)
