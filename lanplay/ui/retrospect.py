"""What luck and decisions brought in a finished game, and which decisions cost most, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from heapq import nlargest
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Final

from lanplay.engine.game import Game
from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.engine.record import Record
from lanplay.games.wording import words_of
from lanplay.language import N_, _, figure
from lanplay.ui.hints import spelt
from lanplay.ui.review import PricedDecision, ReviewedStep, balance, review

MOST: Final = 3
"""How many decisions of a seat are told."""
FIGURES: Final = {
    "share": N_(
        "Luck and decisions, counted so that a sure win is 100. All that was won and lost in the "
        "whole game adds up, so a number may be beyond 100:"
    ),
    "points": N_(
        "Luck and decisions in points, from the score that was expected to the final one:"
    ),
}
"""What is told of each figure of a ``Worth``."""
LEAST: Final = {"share": 0.005, "points": 0.5}
"""What a decision costs at least that is told: less is within what the estimates are wrong by."""


def retrospect(
    game: Game, record: Record, names: Sequence[str], seen: PrivateKnowledge | None = None
) -> Iterator[str]:
    """Yield lines on a finished game: each seat's luck and decisions, then those that cost most.

    These are told of seats whose hidden dice and cards are known (see ``review``). Whoever is
    sure to win, as nobody else plays, plays for points.
    """
    steps = list(review(game, record, (), seen))
    figures = [*FIGURES][steps[0].gains[0].share == 1 :]
    for each in figures:
        yield _(FIGURES[each])
        yield from _balances(each, steps, names)
    for seat in range(len(names)):
        yield from _dearest(game, steps, seat, figures[0], names)


def _balances(each: str, steps: Sequence[ReviewedStep], names: Sequence[str]) -> Iterator[str]:
    """Yield for every seat one figure of what its result comes from."""
    scale, unit = (100, 1) if each == "share" else (10, 10)  # shown to the whole or to a tenth
    for seat, name in enumerate(names):
        parts = {part: getattr(worth, each) for part, worth in balance(seat, steps).items()}
        told = _(
            "{name}: {even} at first, luck {luck}, own decisions {own}, decisions made at once "
            "with others {shared}, others' decisions {others}: {end} at the end."
        )
        if not parts["shared"]:
            told = _(
                "{name}: {even} at first, luck {luck}, own decisions {own}, others' decisions "
                "{others}: {end} at the end."
            )
        sums = [round(scale * part) for part in accumulate(parts.values())]
        signed = [figure((b - a) / unit, "+g") for a, b in pairwise([0, *sums])]
        ends = {"even": figure(sums[0] / unit, "g"), "end": figure(sums[-1] / unit, "g")}
        yield "  " + told.format(name=name, **(dict(zip(parts, signed, strict=True)) | ends))


def _dearest(
    game: Game, steps: Sequence[ReviewedStep], seat: int, by: str, names: Sequence[str]
) -> Iterator[str]:
    """Yield what a seat's decisions cost that cost most, and what would have been better."""
    own = [(getattr(d.cost, by), s.round, d) for s in steps for d in s.decisions if d.seat == seat]
    if not own:
        return
    name, dear = names[seat], [each for each in own if each[0] >= LEAST[by]]
    if not dear:
        yield _("{name}: no decision cost as much as 1 %, as far as is known.").format(name=name)
        return
    yield _("What cost {name} most, compared with the best play that AI knows (estimated):").format(
        name=name
    )
    for _cost, round_, decision in nlargest(MOST, dear, key=itemgetter(0)):
        yield "  " + _told(game.name, round_, decision, names)


def _told(game: str, round_: int, decision: PricedDecision, names: Sequence[str]) -> str:
    word = partial(words_of(game).word, names=names)
    ways = decision.said, decision.instead
    alike = [spelt([a], word) == spelt([b], word) for a, b in zip(*ways, strict=False)]
    parted = alike.index(False) if False in alike else 0
    said, instead = ("… " * bool(parted) + spelt(each[parted:], word) for each in ways)
    told = _("round {number}, {cost} % ({points} points): {said} Better: {instead}")
    share, points = f"{100 * decision.cost.share:z.0f}", figure(decision.cost.points)
    return told.format(number=round_, cost=share, points=points, said=said, instead=instead)
