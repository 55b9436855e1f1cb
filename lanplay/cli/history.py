"""``lanplay history``: kept records as a list of games, statistics by player, challenges met.

Scores of different games are never mixed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from lanplay.cli.challenges import Met, Standing, lines, standings
from lanplay.cli.kept import Participant, Played, kept
from lanplay.columns import aligned
from lanplay.games.wording import game_title
from lanplay.language import _, figure
from lanplay.session.storage import data_folder, listed
from lanplay.told import harmless


@dataclass(slots=True)
class PlayerTally:
    """How a player did in one game's finished plays."""

    player: Participant
    game: str
    wins: int = 0
    scores: list[int] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean score."""
        return sum(self.scores) / len(self.scores)


def show(args: argparse.Namespace) -> int:
    """Run ``lanplay history``; files that cannot be used are named and left out."""
    folder, games, unusable = kept(data_folder(args.data), args.folder)
    listed(folder)
    if args.player:
        name = args.player.casefold()
        games = [each for each in games if name in (one.name.casefold() for one in each.players)]
    tallies = statistics(games)
    goals = challenges(games)
    if args.json:
        print(json.dumps(_plain(games, tallies, goals, unusable)))
    elif not games:
        print(_("No games are kept in {folder}.").format(folder=folder))
    else:
        _print(games[: args.limit], tallies)
        for game, standing in goals.items():
            print("\n" + "\n".join(lines(game, standing)))
    for text in unusable:
        print(text, file=sys.stderr)
    return 0


def statistics(games: Iterable[Played]) -> list[PlayerTally]:
    """Return one tally for each player and game, by game, the best mean score first."""
    tallies: dict[tuple[str, Participant], PlayerTally] = {}
    for game in games:
        for seat, score in enumerate(game.scores):
            player = game.players[seat]
            tally = tallies.setdefault((game.game, player), PlayerTally(player, game.game))
            tally.scores.append(score)
            tally.wins += seat in game.winners
    return sorted(tallies.values(), key=lambda each: (each.game, -each.mean, str(each.player)))


def challenges(games: Iterable[Played]) -> dict[str, list[Standing]]:
    """Return how far the own person is with the challenges of each game that it has met any of."""
    found: dict[str, list[Met]] = {}
    for game in games:
        if game.met:
            found.setdefault(game.game, []).append(game.met)
    return {game: standings(game, found[game]) for game in sorted(found)}


def _print(games: Sequence[Played], tallies: Sequence[PlayerTally]) -> None:
    for game in games:
        print(f"{game.when:%Y-%m-%d %H:%M}  {game_title(game.game)}  {_result(game)}")
        print(f"    {harmless(str(game.path))}")
    print()
    head = (_("player"), _("game"), _("games"), _("wins"), _("mean"), _("best"))
    rows = [head, *(_row(tally) for tally in tallies)]
    print("\n".join(aligned(rows)))


def _result(game: Played) -> str:
    """Return who sat there, with scores and a star for whoever won, and how the person did."""
    parts = [str(player) for player in game.players]
    for seat, score in enumerate(game.scores):
        parts[seat] += f" {score}{'*' if seat in game.winners else ''}"
    verdict = f"  [{game.verdict}]" if game.verdict else ""
    return ", ".join(parts) + verdict


def _row(tally: PlayerTally) -> tuple[str, ...]:
    numbers = (len(tally.scores), tally.wins, figure(tally.mean), max(tally.scores))
    return (str(tally.player), game_title(tally.game), *map(str, numbers))


def _plain(
    games: Sequence[Played],
    tallies: Sequence[PlayerTally],
    followed: Mapping[str, Sequence[Standing]],
    unusable: Sequence[str],
) -> dict[str, Any]:
    return {
        "games": [
            {**asdict(game), "path": str(game.path), "when": game.when.isoformat()}
            for game in games
        ],
        "players": [
            {
                **asdict(tally.player),
                "game": tally.game,
                "games": len(tally.scores),
                "wins": tally.wins,
                "mean": tally.mean,
                "best": max(tally.scores),
            }
            for tally in tallies
        ],
        "challenges": {
            game: [{**asdict(each), "met": each.met} for each in standing]
            for game, standing in followed.items()
        },
        "unusable": list(unusable),
    }
