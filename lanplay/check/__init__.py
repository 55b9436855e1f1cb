"""The conformance kit for games, and the scaffold that writes a new one.

A check is a function of a game that yields what is wrong, each thing in a sentence that says where;
its name in ``CHECKS`` says what it holds. ``lanplay check-game NAME`` runs them all, and so do the
tests of our own games. They are written for whoever writes a game, and in English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from traceback import extract_tb
from typing import Final, TypeAlias

from lanplay.check import imports, peers, playing, seen, tables
from lanplay.check.games import EndlessError
from lanplay.engine.game import Game
from lanplay.games import load

Check: TypeAlias = Callable[[Game], Iterator[str]]

CHECKS: Final[Mapping[str, Check]] = {
    "its manifest refers to what is there": tables.manifest,
    "its table holds plain data in slots": tables.plain,
    "its rules import their own package, the engine and pure modules only": imports.pure,
    "no table is made for seats or options that it does not have": tables.refuses,
    "it plays to a result, and the same way again": playing.repeats,
    "its record replays without any hidden face": playing.replays,
    "a fork plays on to a result": playing.forks,
    "a copy of a table is independent": playing.copies,
    "every round is a point to start from": playing.rounds,
    "a snapshot that cannot be is refused": tables.snapshots,
    "no slot of chance is used twice": playing.slots,
    "whatever is answered is judged, with a rule and words": playing.odd_answers,
    "every dialogue ends in a legal answer, and the only one is told": playing.dialogues,
    "only questions that say so need the dice under the cup": playing.cups,
    "what nobody decides has a legal answer": playing.defaults,
    "everything that is said has words": seen.words,
    "every rule that is named is on its page": seen.rules,
    "its board fits a screen of 80 columns and 24 lines": seen.screens,
    "its bots answer legally, and the same way again": seen.bots,
    "its bots give reasons that have words": seen.reasons,
    "three laptops play it to one end, over a cut and a return": peers.together,
}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found: nothing, if the game passes it."""

    check: str
    problems: tuple[str, ...]


MOST: Final = 5
"""Problems of one check that are told: more are of no more use."""


def check(name: str) -> Iterator[CheckReport]:
    """Run all checks on the game of that name; ``Mistake`` if it cannot be used at all.

    A game that does not end is played no further.
    """
    game = load(name)
    for what, each in CHECKS.items():
        found = tuple(problems(each, game))
        yield CheckReport(what, found)
        if any(EndlessError.__name__ in problem for problem in found):
            return


def problems(each: Check, game: Game) -> Iterator[str]:
    """Yield the first problems that a check finds, each once; whatever the game raises is one."""
    told: dict[str, int] = {}
    try:
        for number, problem in enumerate(each(game)):
            if told.setdefault(problem, number) == number:
                yield problem
            if len(told) == MOST:
                return
    except Exception as error:  # it is the game that is on trial
        yield f"{type(error).__name__}: {error} ({_place(error)})"


def _place(error: BaseException) -> str:
    """Return where an exception was raised: file and line."""
    frames = extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "?"
