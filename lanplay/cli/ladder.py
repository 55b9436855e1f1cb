"""``lanplay ladder``: how good people and AI are, by the kept games, one after the other.

Unlike a tournament's rating, which weighs all games at once, a ladder moves with each game: whoever
gets better climbs. The model is Weng and Lin's for Plackett and Luce (Journal of Machine Learning
Research 12, 2011), as openskill has it: a player's skill is a normal distribution. Everybody starts
at 25 and unknown; a game makes the winners' skill greater, the others' less, and everybody's better
known. Only winning counts: who always comes second is not rated above those who win.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from lanplay.cli.kept import Played, Player, kept
from lanplay.columns import aligned
from lanplay.errors import Fault, UserError
from lanplay.extras import installing
from lanplay.games.wording import game_title
from lanplay.language import _, figure
from lanplay.session.storage import data_folder

if TYPE_CHECKING:
    from openskill.models import PlackettLuce, PlackettLuceRating

CERTAINTY: Final = 1.96
"""Standard deviations to each side that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A player's place on one game's ladder.

    ``skill`` is the mean of what the skill may be, ``doubt`` its standard deviation. ``games`` and
    ``wins`` count games, not seats: a bot can have several in one.
    """

    player: Player
    skill: float
    doubt: float
    games: int = 0
    wins: int = 0

    @property
    def rating(self) -> float:
        """The skill that is as good as certain: three standard deviations below the mean."""
        return self.skill - 3 * self.doubt

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the skill."""
        return self.skill - CERTAINTY * self.doubt, self.skill + CERTAINTY * self.doubt


def show(args: argparse.Namespace) -> int:
    """Run ``lanplay ladder``; files that cannot be used are named and left out."""
    folder, games, unusable = kept(data_folder(args.data), args.folder)
    found = ladders(games)
    if args.json:
        print(json.dumps(_plain(found, unusable)))
    elif not found:
        text = _("No finished games of two players or more are kept in {folder}.")
        print(text.format(folder=folder))
    else:
        print("\n\n".join(_table(game, rungs) for game, rungs in found.items()))
        print("\n" + _("Rating: the skill that is as good as certain. Everybody starts at 0."))
    for text in unusable:
        print(text, file=sys.stderr)
    return 0


def ladders(games: Iterable[Played]) -> dict[str, list[Rung]]:
    """Return the ladder of each game, the best rating first; ``games`` come the newest first.

    Games that were broken off do not count, nor those in which one player had all seats.
    """
    found: dict[str, dict[Player, Rung]] = {}
    for game in reversed(list(games)):
        if game.scores and len(set(game.players)) > 1:
            rungs = found.setdefault(game.game, {})
            rungs.update({rung.player: rung for rung in climbed(rungs, game)})
    return {
        game: sorted(found[game].values(), key=lambda rung: (-rung.rating, str(rung.player)))
        for game in sorted(found)
    }


def climbed(rungs: Mapping[Player, Rung], game: Played) -> list[Rung]:
    """Return the new rungs of the players of a finished game.

    It is won or lost: who did not win is not rated by the place. Each seat plays for itself. A
    player with several seats gets the mean of what they earned.
    """
    model = _model()
    new = Rung(Player(""), model.mu, model.sigma)
    before = [rungs.get(player, new) for player in game.players]
    teams = [[model.rating(rung.skill, rung.doubt)] for rung in before]
    earned: dict[Player, list[PlackettLuceRating]] = {}
    ranks = [1.0 if seat in game.winners else 2.0 for seat in range(len(game.players))]
    for player, [rating] in zip(game.players, model.rate(teams, ranks), strict=True):
        earned.setdefault(player, []).append(rating)
    winners = {game.players[seat] for seat in game.winners}
    return [
        Rung(
            player,
            fmean(rating.mu for rating in ratings),
            fmean(rating.sigma for rating in ratings),
            rungs.get(player, new).games + 1,
            rungs.get(player, new).wins + (player in winners),
        )
        for player, ratings in earned.items()
    ]


def _model() -> PlackettLuce:
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        how = installing(["openskill"])
        raise UserError(
            Fault.NO_PACKAGE, command="lanplay ladder", package="openskill", how=how
        ) from error
    return PlackettLuce()


def _table(game: str, rungs: Sequence[Rung]) -> str:
    head = ("", _("player"), _("rating"), _("skill"), "95 %", _("games"), _("wins"))
    rows = [head, *(_row(place, rung) for place, rung in enumerate(rungs, 1))]
    return "\n".join([game_title(game), *aligned(rows)])


def _row(place: int, rung: Rung) -> tuple[str, ...]:
    low, high = rung.interval
    interval = _("{low} to {high}").format(low=figure(low), high=figure(high))
    figures = (figure(rung.rating), figure(rung.skill), interval)
    return (f"{place}.", str(rung.player), *figures, str(rung.games), str(rung.wins))


def _plain(found: Mapping[str, Sequence[Rung]], unusable: Sequence[str]) -> dict[str, Any]:
    return {
        "ladders": {
            game: [
                {
                    **asdict(rung.player),
                    "rating": rung.rating,
                    "skill": rung.skill,
                    "interval": rung.interval,
                    "games": rung.games,
                    "wins": rung.wins,
                }
                for rung in rungs
            ]
            for game, rungs in found.items()
        },
        "unusable": list(unusable),
    }
