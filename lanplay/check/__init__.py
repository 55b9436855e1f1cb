"""The conformance kit for games, and the scaffold that writes a new one.

A check is a function of a game that yields what is wrong, each thing in a sentence that says where;
its name in ``CHECKS`` says what it holds. ``lanplay check-game NAME`` runs them all, and so do the
tests of our own games. They are written for whoever writes a game, and in English.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Final, TypeAlias

from lanplay.check import asked, learned, peers, playing, seen, sources, tables
from lanplay.check.random_games import WHERE, EndlessError
from lanplay.engine.game import Game
from lanplay.engine.referee import IllegalAnswerError
from lanplay.games import load

Check: TypeAlias = Callable[[Game], Iterator[str]]

CHECKS: Final[Mapping[str, Check]] = {
    "its manifest refers to what is there": tables.manifest,
    "its rules yield what they ask": sources.yielded,
    "its rules ask for what there is": asked.asked,
    "its table holds plain data in slots": tables.plain,
    "its rules use their own package, the engine and pure modules only": sources.pure,
    "no table is made for seats or options that it does not have": tables.refuses,
    "it plays to a result, and the same way again": playing.repeats,
    "it tells what the seats got, if it says so": playing.income,
    "it plays the same way in another process": playing.elsewhere,
    "its record replays without any hidden face": playing.replays,
    "a fork plays on to a result": playing.forks,
    "a copy of a table is independent": playing.copies,
    "every round is told": playing.told,
    "every round is a point to start from": playing.rounds,
    "a snapshot that cannot be is refused": tables.snapshots,
    "no slot of chance is used twice": playing.slots,
    "whatever is answered is judged, with a rule and words": playing.odd_answers,
    "every dialogue ends in a legal answer, and the only one is told": playing.dialogues,
    "only questions that say so need the dice under the cup": playing.cups,
    "every question can be answered without seeing the hand": playing.hands,
    "what nobody decides has a legal answer": playing.defaults,
    "everything that is said has words": seen.words,
    "every rule that is named is on its page": seen.rules,
    "its board fits a screen of 80 columns and 24 lines": seen.screens,
    "its bots answer legally, and the same way again": seen.bots,
    "its bots give reasons that have words": seen.reasons,
    "programs that learn it see and do what can be": learned.learned,
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

    A game that does not end is played no further. What one check has told no other tells again.
    """
    game = load(name)
    told: set[str] = set()
    for what, each in CHECKS.items():
        found = [*problems(each, game)]
        fresh = [problem for problem in found if _cause(problem) not in told]
        told |= {*map(_cause, fresh)}
        yield CheckReport(what, tuple(fresh or ["as above"] * bool(found)))
        if any(EndlessError.__name__ in problem for problem in found):
            return


def _cause(problem: str) -> str:
    return problem.partition(WHERE)[0]


def problems(each: Check, game: Game) -> Iterator[str]:
    """Yield the first problems that a check finds, each once; whatever the game raises is one."""
    told: dict[str, int] = {}
    try:
        for number, problem in enumerate(each(game)):
            if told.setdefault(_cause(problem), number) == number:
                yield problem
            if len(told) == MOST:
                return
    except Exception as error:  # it is the game that is on trial
        where = "; ".join([_place(error, game), *getattr(error, "__notes__", ())])
        yield f"{_told(error)}{WHERE}{where}"


def _told(error: Exception) -> str:
    if isinstance(error, IllegalAnswerError):  # picked at random, no bot is asked
        refused = f"{error.illegal.rule}: {error.illegal.message.id}"
        return f"what can be picked leads to an answer that is refused: {refused}"
    return f"{type(error).__name__}: {error}"


def _place(error: BaseException, game: Game) -> str:
    """Return where an exception was raised, file and line: in the game, if it was running."""
    frames = extract_tb(error.__traceback__)
    module = sys.modules[game.manifest.rules.target.partition(":")[0]]
    folder = str(Path(module.__file__ or "").parent)
    own = [each for each in frames if each.filename.startswith(folder)]
    last = (own or frames)[-1]
    return f"{last.filename}:{last.lineno}"
