"""What luck and decisions brought in a finished game, and which decisions cost most, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import accumulate, pairwise
from typing import Final

from lanplay.engine.game import Game
from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.engine.record import Record
from lanplay.games.wording import words_of
from lanplay.language import _
from lanplay.ui.hints import spelt
from lanplay.ui.review import PricedDecision, ReviewedStep, balance, review, worth_at_first

MOST: Final = 3
"""How many decisions of a seat are told."""
LEAST: Final = 0.005
"""What one costs at least that is told: less is within what the estimates are wrong by."""


def retrospect(
    game: Game, record: Record, names: Sequence[str], seen: PrivateKnowledge | None = None
) -> Iterator[str]:
    """Yield lines on a finished game: each seat's luck and decisions, then those that cost most.

    These are told of seats whose hidden dice and cards are known (see ``review``).
    """
    steps = list(review(game, record, (), seen))
    yield _(
        "Luck and decisions, counted so that a sure win is 100. All that was won and lost in the "
        "whole game adds up, so a number may be beyond 100:"
    )
    for seat, even in enumerate(worth_at_first(game, record)):
        parts = asdict(balance(seat, even, steps))
        told = _(
            "{name}: {even} at first, luck {luck}, own decisions {own}, decisions made at once "
            "with others {shared}, others' decisions {others}: {end} at the end."
        )
        if not parts["shared"]:
            told = _(
                "{name}: {even} at first, luck {luck}, own decisions {own}, others' decisions "
                "{others}: {end} at the end."
            )
        sums = [round(100 * each) for each in accumulate(parts.values())]
        signed = {
            key: f"{b - a:+d}" for key, (a, b) in zip(parts, pairwise([0, *sums]), strict=True)
        }
        signed |= {"even": str(sums[0]), "end": str(sums[-1])}
        yield "  " + told.format(name=names[seat], **signed)
    for seat, name in enumerate(names):
        yield from _dearest(game, steps, seat, name, names)


def _dearest(
    game: Game, steps: Sequence[ReviewedStep], seat: int, name: str, names: Sequence[str]
) -> Iterator[str]:
    """Yield what a seat's decisions cost that cost most, and what would have been better."""
    own = [(step.round, d) for step in steps for d in step.decisions if d.seat == seat]
    if not own:
        return
    dear = sorted((each for each in own if each[1].cost >= LEAST), key=lambda each: -each[1].cost)
    if not dear:
        yield _("{name}: no decision cost as much as 1 %, as far as is known.").format(name=name)
        return
    yield _("What cost {name} most, compared with the best play that AI knows (estimated):").format(
        name=name
    )
    for round_, decision in dear[:MOST]:
        yield "  " + _told(game.name, round_, decision, names)


def _told(game: str, round_: int, decision: PricedDecision, names: Sequence[str]) -> str:
    word = partial(words_of(game).word, names=names)
    ways = decision.said, decision.instead
    alike = [spelt([a], word) == spelt([b], word) for a, b in zip(*ways, strict=False)]
    parted = alike.index(False) if False in alike else 0
    said, instead = ("… " * bool(parted) + spelt(each[parted:], word) for each in ways)
    told = _("round {number}, {cost} %: {said} Better: {instead}")
    return told.format(number=round_, cost=f"{100 * decision.cost:.0f}", said=said, instead=instead)
