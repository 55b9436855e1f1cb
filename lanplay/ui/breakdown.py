"""Who won, and the score by source: what every front end shows at the end of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lanplay.engine.game import Result
from lanplay.language import _


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A score by source: the sources in words, and for every seat the points of each.

    ``notes`` are sentences on what else there is to say about the end.
    """

    sources: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    notes: tuple[str, ...] = ()


def ranked(result: Result) -> list[int]:
    """Return the seats, those of winners first, then by their scores."""
    scores, won = result.scores, result.winners
    return sorted(range(len(scores)), key=lambda seat: (seat not in won, -scores[seat], seat))


def who_won(result: Result, names: Sequence[str]) -> str:
    """Return the sentence that names who won; it may be nobody."""
    who = ", ".join(names[seat] for seat in result.winners)
    return _("Winner: {names}").format(names=who) if who else _("Nobody at the table has won.")
