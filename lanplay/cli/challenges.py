"""The challenges of a game that the own person has met in the games it has kept.

The manifest of a game that has challenges names them. They are worked out from the records: what is
kept of a game is kept once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lanplay.engine.manifest import Challenges
from lanplay.games import manifest
from lanplay.games.wording import game_title
from lanplay.language import _

Met = Sequence[tuple[int, int]]
"""Challenges that one game has met: number, and which part of it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a challenge is: ``done`` of ``of`` parts. ``text`` is not translated."""

    number: int
    text: str
    done: int
    of: int

    @property
    def met(self) -> bool:
        """Whether it is met."""
        return self.done >= self.of


def followed(game: str) -> Challenges | None:
    """Return the challenges of a game; ``None`` if it has none."""
    ref = manifest(game).challenges
    return None if ref is None else ref.load()


def standings(game: str, games: Iterable[Met]) -> list[Standing]:
    """Return how far every challenge of a game is after these games; none if it has none."""
    challenges = followed(game)
    if challenges is None:
        return []
    parts = {part for each in games for part in each}
    out = []
    for number, text in enumerate(challenges.texts, 1):
        done = sum(part[0] == number for part in parts)
        out.append(Standing(number, text, done, challenges.parts.get(number, 1)))
    return out


def lines(game: str, standing: Sequence[Standing]) -> Iterator[str]:
    """Yield the challenges of a game for people."""
    done = sum(each.met for each in standing)
    told = _("Challenges of {game}: {done} of {all} met")
    yield told.format(game=game_title(game), done=done, all=len(standing))
    for each in standing:
        mark = "x" if each.met else " "
        some = f" ({each.done}/{each.of})" if each.of > 1 else ""
        yield f"  [{mark}] {each.number:>2} {_(each.text)}{some}"
