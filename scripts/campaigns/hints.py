"""Whether hints come true: what they say by what came about, at tables of mixed levels.

    python scripts/campaigns/hints.py dice-town --games 600 --first 10000
    python scripts/campaigns/hints.py dice-town --games 600 --first 2000 --fit > AIMS

What "comes true" means for each kind of hint is in docs/bots.md. Every second seat is played by
the bot that advises, so that its hints are followed; the others by bots of all levels, drawn by
lot. The number of seats goes round. ``--fit`` prints ``ai/lanplay_ai/dice_town/aims.toml`` anew;
never print tables of the games that it was fitted to.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / each) for each in ("", "ai", "protocol")]

import lanplay_ai as ai  # noqa: E402  # needs the line above
from lanplay.engine.agent import Hint  # noqa: E402
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.question import Answer, Phrase, Question  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.engine.view import View  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.dogs_life import actions  # noqa: E402
from lanplay.games.fliptown.cards import number  # noqa: E402
from lanplay_ai.dice_town.aims import aim, features  # noqa: E402
from lanplay_ai.dice_town.profiles import PROFILES  # noqa: E402

Heard = Callable[[int, Question, View[Any], Hint], None]
LEVELS = ("beginner", "casual", "strong", "expert")
LEAST = 300
"""Hints of a bin that are enough to judge it."""
RIDGE = 0.5
HEAD = """# What tells whether dice win the place that they are kept for: log-odds are the sum of
# these, each times what lanplay_ai.dice_town.aims says of it. Made by
# python scripts/campaigns/hints.py dice-town --first 2000 --games 600 --fit

[weights]"""


class Told(NamedTuple):
    """A hint that was followed: its kind, what it said, what came, and what it was told by."""

    kind: str
    said: float
    came: float
    aim: Any = None


class Followed:
    """Plays as the adviser says, and hands every hint on."""

    def __init__(self, adviser: Any, heard: Heard) -> None:
        self._adviser = adviser
        self._heard = heard

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the hint's answer."""
        hint: Hint = self._adviser.explain(view, question)
        self._heard(view.seat, question, view, hint)
        return hint.answer


class DiceTownWatch:
    """For dice: the chance that the seat takes the place named in this round."""

    def __init__(self) -> None:
        self.found: list[Told] = []
        self._open: list[tuple[int, Told]] = []
        self._taken: set[tuple[str, int]] = set()

    def heard(self, seat: int, question: Question, view: View[Any], hint: Hint) -> None:
        """Take note of the place and the chance."""
        if question.name == "keep" and hint.odds is not None:
            found = aim(view, PROFILES["strong"], tuple(hint.reason.values["faces"]))
            kind = "all dice kept" if not found.to_come else f"dice for {found.place}"
            self._open.append((seat, Told(kind, hint.odds, 0.0, found)))

    def step(self, log: Sequence[Phrase]) -> None:
        """Close what is open once the Town Hall, the last place of a round, is given away."""
        for event in log:
            if event.id in TAKES:
                self._taken.add((TAKES[event.id], event.values["seat"]))
            if event.id == "row":
                for seat, told in self._open:
                    came = float((told.aim.place, seat) in self._taken)
                    self.found.append(told._replace(came=came))
                self._open, self._taken = [], set()


TAKES = {
    "mine": "mine",
    "bank": "bank",
    "draws": "store",
    "robs": "saloon",
    "badge": "badge",
    "hall": "hall",
}
"""What the log says of a place that is taken; of the badge as its holder wins the Kings too."""


class CharidiceWatch:
    """For dice to roll again: the points that the turn brings."""

    def __init__(self) -> None:
        self.found: list[Told] = []
        self._open: list[Told] = []

    def heard(self, seat: int, question: Question, view: View[Any], hint: Hint) -> None:
        """Take note of the points expected."""
        if question.name == "reroll" and hint.worth is not None:
            self._open.append(Told(f"roll {question.rolls}", hint.worth, 0.0))  # type: ignore[attr-defined]  # a Reroll

    def step(self, log: Sequence[Phrase]) -> None:
        """Close what is open as the seat scores: one plays at a time."""
        for event in log:
            if event.id == "scores-set":
                came = float(event.values["points"] + event.values["bonus"])
                self.found += [told._replace(came=came) for told in self._open]
                self._open = []


class FliptownWatch:
    """For a way that ends in a robbery: that it succeeds; for a bribe: that there is no arrest."""

    def __init__(self) -> None:
        self.found: list[Told] = []
        self._robs: dict[int, float] = {}
        self._wanted: list[tuple[int, float]] = []

    def heard(self, seat: int, question: Question, view: View[Any], hint: Hint) -> None:
        """Take note of the chance."""
        if question.name == "move" and hint.odds is not None:
            self._robs[seat] = hint.odds
        elif question.name in ("bribe", "preach") and hint.odds is not None:
            crossed = hint.answer if question.name == "preach" else 0
            wanted = view.table.sheets[seat].wanted - crossed
            self._wanted.append((wanted, hint.odds))

    def step(self, log: Sequence[Phrase]) -> None:
        """Close what is open as the robbery card or the sheriff is turned."""
        for event in log:
            if event.id in ("robs", "fails") and event.values["seat"] in self._robs:
                said = self._robs.pop(event.values["seat"])
                self.found.append(Told("robbery", said, float(event.id == "robs")))
            elif event.id == "sheriff":
                value = number(event.values["card"])
                self.found += [Told("arrest", s, float(value >= w)) for w, s in self._wanted]
                self._wanted = []


class DogsLifeWatch:
    """For an action that hangs on a card: that it brings anything, a bone, or the victory."""

    def __init__(self) -> None:
        self.found: list[Told] = []
        self._open: dict[int, tuple[int, float]] = {}

    def heard(self, seat: int, question: Question, view: View[Any], hint: Hint) -> None:
        """Take note of the chance, where the action itself is advised and not a way to it."""
        if question.name == "act" and hint.odds is not None:
            kind, _ = actions.parts(hint.answer)  # type: ignore[arg-type]  # a number
            if kind in (actions.SEARCH, actions.BEG, actions.DELIVER, actions.ATTACK):
                self._open[seat] = kind, hint.odds

    def step(self, log: Sequence[Phrase]) -> None:
        """Close what is open as the card is drawn."""
        for event in log:
            if event.id in DRAWN and (found := self._open.pop(event.values["seat"], None)):
                kind, said = found
                came = event.id != "finds-nothing"
                if kind == actions.ATTACK:
                    came = event.values["own"] > event.values["its"]
                elif kind == actions.DELIVER:
                    came = event.id in ("gets-bone", "leaves-bone")
                self.found.append(Told(actions.KIND_NAMES[kind], said, float(came)))


DRAWN = ("eats", "finds-nothing", "gets-bone", "leaves-bone", "fights")
"""What the log says when a dog has drawn a card."""
Watch: TypeAlias = DiceTownWatch | CharidiceWatch | FliptownWatch | DogsLifeWatch
WATCHES: dict[str, tuple[type[Watch], float]] = {
    "dice-town": (DiceTownWatch, 0.1),
    "charidice": (CharidiceWatch, 10.0),
    "fliptown": (FliptownWatch, 0.1),
    "dogs-life": (DogsLifeWatch, 0.1),
}
"""Who watches the hints of a game, and how wide the bins are."""


def games(game: str, first: int, number: int) -> Iterator[list[Told]]:
    """Yield what came of the hints of each of some games."""
    rules = load(game)
    options = {name: values[0] for name, values in rules.options.items()}
    counts = [each for each in rules.seats if each > 1]
    for place in range(first, first + number):
        luck = b"hints %d" % place
        lot, seats = Chance(luck), counts[place % len(counts)]
        watch = WATCHES[game][0]()
        agents, names = [], []
        for seat in range(seats):
            key = luck + b"/%d" % seat
            names.append(LEVELS[lot.below(len(LEVELS), "level", (seat,))])
            agent: Any = ai.make(names[-1], key, game)
            if (seat + place) % 2:
                agent = Followed(ai.adviser(game, key), watch.heard)
            agents.append(agent)
        play = Simulation(rules, Header(game, options, tuple(names), luck), agents, lot)
        log: list[Phrase] = []
        play.table.log = log
        while play.request is not None:
            play.step()
            watch.step(log)
            log.clear()
        yield watch.found


def table(rows: Sequence[Told], width: float) -> Iterator[str]:
    """Yield a line of Markdown for each bin: how many, said, came, and the gap."""
    bins: dict[int, list[Told]] = defaultdict(list)
    for row in rows:
        bins[int(row.said / width)].append(row)
    for _, some in sorted(bins.items()):
        yield line("", some)


def line(name: str, rows: Sequence[Told]) -> str:
    """Return the line of some hints."""
    said, came = sum([row.said for row in rows]), sum([row.came for row in rows])
    said, came = said / len(rows), came / len(rows)
    few = "" if len(rows) >= LEAST else " (few)"
    return f"| {name} | {len(rows):,} | {said:.3f} | {came:.3f} | {came - said:+.3f}{few} |"


def fitted(rows: Sequence[Told]) -> dict[str, float]:
    """Return the weights under which what came was most likely: Newton's method, a small ridge."""
    import numpy as np

    told = [features(row.aim) for row in rows]
    names = list(told[0])
    x = np.array([[each[name] for name in names] for each in told])
    y = np.array([row.came for row in rows])
    weights = np.zeros(len(names))
    for _ in range(15):
        said = 1 / (1 + np.exp(-x @ weights))
        bend = x.T @ (x * (said * (1 - said))[:, None]) + RIDGE * np.eye(len(names))
        weights = weights + np.linalg.solve(bend, x.T @ (y - said) - RIDGE * weights)
    return {name: round(float(each), 3) for name, each in zip(names, weights, strict=True)}


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=WATCHES)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--first", type=int, default=10_000, help="the number of the first game")
    parser.add_argument("--fit", action="store_true", help="print weights instead (Dice Town)")
    asked = parser.parse_args()
    rows = [row for some in games(asked.game, asked.first, asked.games) for row in some]
    if asked.fit:
        print(HEAD, *(f"{name} = {each}" for name, each in fitted(rows).items()), sep="\n")
        return
    print("| hints | number | said | came | gap |\n|---|---|---|---|---|")
    print(line("all", rows))
    print("\n".join(table(rows, WATCHES[asked.game][1])))
    for kind in sorted({row.kind for row in rows}):
        print(line(kind, [row for row in rows if row.kind == kind]))


if __name__ == "__main__":
    main()
