#!/usr/bin/env python3
"""Play every game with every option, bot and number of seats, and ask for a hint at every question.

    python3 scripts/campaigns/sweep.py [--games 1000] [--minutes 30] [--jobs 2] [--seed 1]
    python3 scripts/campaigns/sweep.py --seed 1 --only 137

A lap has a game for every value of every option (and for the defaults), every bot and every number
of seats: in the first, third, ... lap that bot has all seats and nothing else is changed; in the
others it sits in one seat, and the other bots and options are drawn. Each game is looked at for

- a bot, its simplest stand-in or the hint's adviser that fails or answers against the rules;
- a hint, an event or a pick that cannot be worded in every language;
- a record that does not lead to the same end when it is replayed without any hidden face;
- in every tenth game: answers that are others where no hint was asked for.

The same seed, the same games; ``--first`` begins with a later one, and Ctrl-C ends it. Prints a
table and how each fault is found again; the exit status is 1 if there was any.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import lanplay_ai as ai  # noqa: E402  # needs the line above
from lanplay.columns import aligned  # noqa: E402
from lanplay.engine.agent import Adviser, Agent, Hint  # noqa: E402
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.plain import digest  # noqa: E402
from lanplay.engine.question import (  # noqa: E402
    Answer,
    Illegal,
    Phrase,
    Question,
    is_plain_answer,
    picked,
)
from lanplay.engine.record import Header, Record, from_bytes  # noqa: E402
from lanplay.engine.replay import Replay  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.engine.view import View  # noqa: E402
from lanplay.games import NAMES, load  # noqa: E402
from lanplay.games.wording import words_of  # noqa: E402
from lanplay.language import TAGS, speaking  # noqa: E402
from lanplay_ai.guard import First, Guarded, failure  # noqa: E402

AGAIN = 10
"""Every so many games, a game is played once more without hints."""
AHEAD = 4
"""Games that wait for each process."""


@dataclass(frozen=True)
class Cell:
    """What a lap has one game of: a value of an option (none: the defaults), a bot, the seats."""

    game: str
    options: dict[str, str]
    bot: str
    seats: int


@dataclass(frozen=True)
class Setting:
    """One game of a sweep: everything that it depends on."""

    game: str
    options: dict[str, str]
    bots: tuple[str, ...]
    luck: bytes


@dataclass
class Found:
    """What a game came to."""

    number: int
    game: str
    seats: int = 0
    questions: int = 0
    hints: int = 0
    events: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)


@cache
def cells() -> tuple[Cell, ...]:
    """Return the cells of a lap, game by game."""
    found: list[Cell] = []
    for name in NAMES:
        game = load(name)
        alone = [{option: value} for option, every in game.options.items() for value in every[1:]]
        for options in ({}, *alone):
            for bot in ai.ours(name):
                found += [Cell(name, options, bot, seats) for seats in game.seats]
    return tuple(found)


@lru_cache(2)
def order(seed: int, lap: int) -> list[int]:
    """Return the order of the cells in a lap."""
    return sorted(range(len(cells())), key=lambda place: digest(("lap", seed, lap, place)))


def setting(seed: int, number: int) -> Setting:
    """Return game ``number`` of a sweep, from 0."""
    every = cells()
    lap, place = divmod(number, len(every))
    luck = digest(("sweep", seed, number))
    chance = Chance(luck)
    cell = every[order(seed, lap)[place]]
    if lap % 2 == 0:
        return Setting(cell.game, cell.options, (cell.bot,) * cell.seats, luck)
    drawn = {
        name: values[chance.below(len(values), f"option {name}", ())]
        for name, values in load(cell.game).options.items()
    }
    known = list(ai.ours(cell.game))
    bots = [known[chance.below(len(known), "bot", (seat,))] for seat in range(cell.seats)]
    bots[chance.below(cell.seats, "seat", ())] = cell.bot
    return Setting(cell.game, drawn | cell.options, tuple(bots), luck)


class Asked:
    """An agent that asks for a hint first; what is wrong with hint or answer is noted.

    ``told`` is what a person would read of the hints: where in the game, and what.
    """

    def __init__(self, agent: Agent, of: Setting, found: Found) -> None:
        self.told: list[tuple[str, Hint | Phrase]] = []
        self._agent = agent
        self._found = found
        self._adviser: Adviser = ai.adviser(of.game, bytes(32))

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the agent's answer (see ``Agent.answer``)."""
        self._found.questions += 1
        with self._noting("hint", view, question):
            self._hint(view, question)
        with self._noting("dialogue", view, question):
            judge(question, First().answer(view, question), view)
        answer = self._agent.answer(view, question)
        with self._noting("answer", view, question):
            judge(question, answer, view)
        return answer

    def _hint(self, view: View[Any], question: Question) -> None:
        where = f"hint at {question.name}, seat {view.seat + 1}, step {len(view.history)}"
        hint = self._adviser.explain(view, question)
        judge(question, hint.answer, view)
        self.told.append((where, hint))
        for prompt, chosen in picked(question, view, hint.answer):
            self.told += [(where, each) for each in (prompt, *[option.label for option in chosen])]
        self._found.hints += 1

    @contextmanager
    def _noting(self, who: str, view: View[Any], question: Question) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self._found.faults.append(f"{who}: {failure(who, view, question, error)}")


def tell(of: Setting, told: Sequence[tuple[str, Hint | Phrase]], found: Found) -> None:
    """Word all that is told of a game in every language; note what cannot be worded."""
    word = words_of(of.game).word
    seats = names(of)
    for tag in TAGS:
        with speaking(tag):
            for where, each in told:
                try:
                    if isinstance(each, Hint):
                        said = ai.worded(each, of.game, seats)
                    else:
                        said = word(each, seats)
                    if not said:
                        raise ValueError("no words")
                except Exception as error:
                    why = f"{type(error).__name__}: {error}"
                    found.faults.append(f"{where} ({tag}): {why}, {each}")


def judge(question: Question, answer: Answer, view: View[Any]) -> None:
    """Raise ``Illegal`` unless an answer can be given."""
    question.check(answer)
    question.check_own(answer, view)
    if not is_plain_answer(answer):
        raise Illegal(question.rule, "no plain data")


def names(of: Setting) -> list[str]:
    """Return the names of the seats."""
    return [f"{bot} {seat + 1}" for seat, bot in enumerate(of.bots)]


def play(seed: int, number: int) -> Found:
    """Play one game of a sweep, and look at it."""
    of = setting(seed, number)
    found = Found(number, of.game, len(of.bots))
    begun = time.perf_counter()
    try:
        _look(of, found)
    except Exception as error:  # the rules, the record or the driver
        found.faults.append(f"game: {type(error).__name__}: {error}")
    found.seconds = round(time.perf_counter() - begun, 3)
    return found


def _look(of: Setting, found: Found) -> None:
    bots = seated(of)
    asked = [Asked(bot, of, found) for bot in bots]
    game = simulation(of, asked)
    game.table.log = []
    game.run()
    for bot in bots:
        found.faults += [f"{fault.bot}: {fault}" for fault in bot.faults]
    found.events = len(game.table.log)
    events = [(f"event {number}", each) for number, each in enumerate(game.table.log)]
    tell(of, [*events, *[each for agent in asked for each in agent.told]], found)
    rules = load(of.game)
    record = from_bytes(Record(game.header, game.referee.history, game.table.hash()).to_bytes())
    replay = Replay(rules, record)
    replay.run()
    if rules.result(replay.table) != rules.result(game.table):
        found.faults.append("game: its record has another result")
    if found.number % AGAIN == 0:
        again = simulation(of, seated(of))
        again.run()
        if again.referee.history != game.referee.history:
            found.faults.append("game: it goes otherwise where no hints are asked for")


def seated(of: Setting) -> list[Guarded]:
    """Return the bots of a game, guarded as everywhere."""
    return [
        ai.guarded(bot, digest(("bot", of.luck, seat)), of.game) for seat, bot in enumerate(of.bots)
    ]


def simulation(of: Setting, agents: Sequence[Agent]) -> Simulation:
    """Return a game before its first question."""
    rules = load(of.game)
    header = Header(of.game, of.options, tuple(names(of)), of.luck)
    return Simulation(rules, header, agents, Chance(of.luck), judged=True)


def sweep(seed: int, numbers: Iterable[int], jobs: int, seconds: float) -> list[Found]:
    """Play games of a sweep, as far as time allows."""
    ends = time.monotonic() + seconds
    missing, played = iter(numbers), list[Found]()
    waiting: set[Future[Found]] = set()
    with ProcessPoolExecutor(jobs, initializer=_leave_interrupts) as pool:
        try:
            while True:
                room = AHEAD * jobs - len(waiting) if time.monotonic() < ends else 0
                waiting |= {pool.submit(play, seed, each) for each in islice(missing, room)}
                if not waiting:
                    break
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                played += [future.result() for future in done]
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("Broken off; the same command with --first goes on.", file=sys.stderr)
    return sorted(played, key=lambda found: found.number)


def _leave_interrupts() -> None:
    """Leave Ctrl-C to the process that conducts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def report(seed: int, played: Sequence[Found]) -> int:
    """Print the table and the faults; return how many there are."""
    rows = [["game", "seats", "games", "questions", "hints", "events", "slowest", "faults"]]
    for name in (*NAMES, "all"):
        of = [found for found in played if name in (found.game, "all")]
        seats = sorted({found.seats for found in of})
        sums = [sum(getattr(f, what) for f in of) for what in ("questions", "hints", "events")]
        slowest = max((found.seconds for found in of), default=0.0)
        faults = sum(len(found.faults) for found in of)
        span = f"{seats[0]}-{seats[-1]}" if seats else "-"
        figures = [f"{each:,}" for each in (len(of), *sums)]
        rows.append([name, span, *figures, f"{slowest:.1f} s", f"{faults:,}"])
    print("\n".join(aligned(rows)))
    for found in played:
        for fault in found.faults:
            print(f"{describe(seed, found.number)}\n  {fault}")
    return sum(len(found.faults) for found in played)


def describe(seed: int, number: int) -> str:
    """Return the command that plays a game again, and what it is."""
    of = setting(seed, number)
    options = " ".join(f"{name}={value}" for name, value in of.options.items()) or "no options"
    command = f"python3 scripts/campaigns/sweep.py --seed {seed} --only {number}"
    return f"{command}  # {of.game}, {options}: {' '.join(of.bots)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Sweep and print."""
    parser = argparse.ArgumentParser(description="Play every game with every option, bot and seat.")
    parser.add_argument("--games", type=int, help="how many (default: one lap)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no game later")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this game alone")
    args = parser.parse_args(arguments)
    if args.only is not None:
        print(describe(args.seed, args.only))
        return min(report(args.seed, [play(args.seed, args.only)]), 1)
    games = len(cells()) if args.games is None else args.games
    numbers = range(args.first, args.first + games)
    return min(report(args.seed, sweep(args.seed, numbers, args.jobs, 60 * args.minutes)), 1)


if __name__ == "__main__":
    sys.exit(main())
