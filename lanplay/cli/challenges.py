"""The challenges of a game that the own person has met in the games it has kept.

A game that has challenges brings a module ``challenges`` (see ``Followed``). They are worked out
from the records: what is kept of a game is kept once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from lanplay.games.wording import game_title
from lanplay.language import _

Met = Sequence[tuple[int, int]]
"""Challenges that one game has met: number, and which part of it."""


class Followed(Protocol):
    """A game's challenges: what each asks for, and how many parts those have that have several."""

    TEXTS: Sequence[str]
    PARTS: Mapping[int, int]

    def met(self, table: Any) -> Met:
        """Return what a finished game meets."""
        ...


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


def followed(game: str) -> Followed | None:
    """Return the challenges of a game; ``None`` if it has none."""
    name = f"lanplay.games.{game.replace('-', '_')}.challenges"
    if find_spec(name) is None:
        return None
    found: Any = import_module(name)
    module: Followed = found
    return module


def standings(game: str, games: Iterable[Met]) -> list[Standing]:
    """Return how far every challenge of a game is after these games; none if it has none."""
    challenges = followed(game)
    if challenges is None:
        return []
    parts = {part for each in games for part in each}
    out = []
    for number, text in enumerate(challenges.TEXTS, 1):
        done = sum(part[0] == number for part in parts)
        out.append(Standing(number, text, done, challenges.PARTS.get(number, 1)))
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
