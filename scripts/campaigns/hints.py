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
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / each) for each in ("", "ai", "protocol")]

import lanplay_ai as ai  # noqa: E402  # needs the line above
from lanplay.engine.agent import Hint  # noqa: E402
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.question import Answer, Phrase, Question  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.engine.view import View  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.dogs_life import actions as a  # noqa: E402
from lanplay.games.dogs_life.table import MOST_HUNGER  # noqa: E402
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


Noted = Callable[[Question, View[Any], Hint], Told | None]
Came = Callable[[Phrase, int, Told], float | None]


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


def dice_town(question: Question, view: View[Any], hint: Hint) -> Told | None:
    """For dice: the chance that the seat takes the place named in this round."""
    if question.name != "keep" or hint.odds is None:
        return None
    found = aim(view, PROFILES["strong"], tuple(hint.reason.values["faces"]))
    kind = "all dice kept" if not found.to_come else f"dice for {found.place}"
    return Told(kind, hint.odds, 0.0, found)


TAKES = {"draws": "store", "robs": "saloon"} | {p: p for p in ("mine", "bank", "badge", "hall")}
"""What the log says of a place that is taken; of the badge as its holder wins the Kings too."""


def taken(event: Phrase, seat: int, told: Told) -> float | None:
    """Whether it has, before the Town Hall, the last place of a round, is given away."""
    if TAKES.get(event.id) == told.aim.place and event.values["seat"] == seat:
        return 1.0
    return 0.0 if event.id == "row" else None


def charidice(question: Question, view: View[Any], hint: Hint) -> Told | None:
    """For dice to roll again: the points that the turn brings."""
    if question.name != "reroll" or hint.worth is None:
        return None
    return Told(f"roll {question.rolls}", hint.worth, 0.0)  # type: ignore[attr-defined]  # a Reroll


def scored(event: Phrase, seat: int, told: Told) -> float | None:
    """The points as the seat scores: one plays at a time."""
    return event.values["points"] + event.values["bonus"] if event.id == "scores-set" else None


def fliptown(question: Question, view: View[Any], hint: Hint) -> Told | None:
    """For a way that ends in a robbery: that it succeeds; for a bribe: that there is no arrest."""
    if question.name == "move" and hint.odds is not None:
        return Told("robbery", hint.odds, 0.0)
    if question.name in ("bribe", "preach") and hint.odds is not None:
        crossed = hint.answer if question.name == "preach" else 0
        return Told("arrest", hint.odds, 0.0, view.table.sheets[view.seat].wanted - crossed)
    return None


def turned(event: Phrase, seat: int, told: Told) -> float | None:
    """What the robbery card or the sheriff has brought."""
    if told.kind == "robbery" and event.id in ("robs", "fails") and event.values["seat"] == seat:
        return float(event.id == "robs")
    arrest = told.kind == "arrest" and event.id == "sheriff"
    return float(number(event.values["card"]) >= told.aim) if arrest else None


def dogs_life(question: Question, view: View[Any], hint: Hint) -> Told | None:
    """For an action that hangs on a card: that it brings what is of use, or the victory."""
    kind = 0 if question.name != "act" else a.parts(hint.answer)[0]  # type: ignore[arg-type]
    if hint.odds is None or kind not in (a.SEARCH, a.BEG, a.DELIVER, a.ATTACK):
        return None  # a step on the way there, too
    fed = kind == a.DELIVER or view.table.hunger[view.seat] == MOST_HUNGER
    return Told(a.KIND_NAMES[kind], hint.odds, 0.0, ("gets-bone", "eats")[: 1 if fed else 2])


def drawn(event: Phrase, seat: int, told: Told) -> float | None:
    """Whether the card has."""
    if event.id == "fights" and event.values["seat"] == seat:
        return float(event.values["own"] > event.values["its"])
    found = ("gets-bone", "leaves-bone", "eats", "finds-nothing")
    drew = event.id in found and event.values["seat"] == seat
    return float(event.id in told.aim) if drew else None


WATCHED: dict[str, tuple[Noted, Came, float]] = {
    "dice-town": (dice_town, taken, 0.1),
    "charidice": (charidice, scored, 10.0),
    "fliptown": (fliptown, turned, 0.1),
    "dogs-life": (dogs_life, drawn, 0.1),
}
"""What is noted of the hints of a game, what comes of them, and how wide the bins are."""


class Watch:
    """The hints of a game that are followed, each with its seat, until the log says what came."""

    def __init__(self, game: str) -> None:
        self.noted, self.came, _ = WATCHED[game]
        self.found: list[Told] = []
        self._open: list[tuple[int, Told]] = []

    def heard(self, seat: int, question: Question, view: View[Any], hint: Hint) -> None:
        """Take note of what a hint says."""
        if told := self.noted(question, view, hint):
            self._open.append((seat, told))

    def step(self, log: Sequence[Phrase]) -> None:
        """Close what has come about, or has not."""
        for event in log:
            for each in list(self._open):
                if (came := self.came(event, *each)) is not None:
                    self.found.append(each[1]._replace(came=came))
                    self._open.remove(each)


def games(game: str, first: int, number: int) -> Iterator[list[Told]]:
    """Yield what came of the hints of each of some games."""
    rules = load(game)
    options = {name: values[0] for name, values in rules.options.items()}
    counts = [each for each in rules.seats if each > 1]
    for place in range(first, first + number):
        luck = b"hints %d" % place
        lot, seats = Chance(luck), counts[place % len(counts)]
        watch = Watch(game)
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
    yield from (line("", some) for _, some in sorted(bins.items()))


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
    parser.add_argument("game", choices=WATCHED)
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
    print("\n".join(table(rows, WATCHED[asked.game][2])))
    for kind in sorted({row.kind for row in rows}):
        print(line(kind, [row for row in rows if row.kind == kind]))


if __name__ == "__main__":
    main()
