"""Tables of levels: each bot against the level below in all other seats, at every number of seats.

    python scripts/campaigns/levels.py FOLDER --seed 40417 [--games charidice fliptown]

Each row is a tournament of its own in ``FOLDER``: who stops the program goes on with the same line.
How many games a row has is said beforehand, so that nobody stops where it looks well. It ends with
the tables of all rows that are complete, for ``docs/bots.md``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / each) for each in ("", "ai", "protocol")]

from lanplay.games import NAMES, load  # noqa: E402  # needs the line above
from lanplay.tournament.executor import local  # noqa: E402
from lanplay.tournament.plan import make_plan  # noqa: E402
from lanplay.tournament.results import goal_for  # noqa: E402
from lanplay.tournament.running import begin, resume  # noqa: E402
from lanplay.tournament.storage import PLAN, RESULTS, Folder  # noqa: E402

STEPS = {"beginner": "random", "casual": "beginner", "strong": "casual", "expert": "strong"}
GAMES = {
    "charidice": {"beginner": 60, "casual": 480, "strong": 2400, "expert": 1200},
    "dice-town": {"beginner": 60, "casual": 120, "strong": 120, "expert": 600},
    "dogs-life": {"beginner": 60, "casual": 240, "strong": 600, "expert": 600},
    "fliptown": {"beginner": 60, "casual": 96, "strong": 96, "expert": 120},
}
"""Games of a row, by game and level."""


class Row(NamedTuple):
    """One line of a table: ``one`` alone against ``others`` in all other seats."""

    game: str
    seats: int
    one: str
    others: str

    @property
    def name(self) -> str:
        """Its folder."""
        return f"{self.game}-{self.seats}-{self.one}"

    def text(self, found: dict[str, Any]) -> str:
        """Return it as a line of Markdown; ``found`` are its results."""
        won, even = found["entrants"][0]["win_share"], 1 / self.seats
        share = f"{won['mean']:.1%} ({won['low']:.1%} to {won['high']:.1%})".replace("%", " %")
        clear = "yes" if won["low"] > even else "**no**"
        return (
            f"| {self.seats} | `{self.one}` | `{self.others}` | {found['games']:,} | {share} | "
            f"{even:.0%} | {clear} |".replace("% |", " % |").replace("  ", " ")
        )


def rows(games: list[str]) -> Iterator[Row]:
    """Yield all lines, those of few games first."""
    for one, others in STEPS.items():
        for game in games:
            yield from (Row(game, seats, one, others) for seats in load(game).seats if seats > 1)


def play(row: Row, folder: Path, seed: int) -> None:
    """Play what is missing of a line."""
    here = Folder(folder / row.name)
    if (here.path / PLAN).exists():
        run = resume(here)
    else:
        bots = [row.one, row.others]
        plan = make_plan(row.game, bots, schedule="field", seats=row.seats, seed=seed)
        run = begin(plan, goal_for(plan, GAMES[row.game][row.one], None, False), here)
    run.play(local(1))
    run.write(run.found())


def tables(games: list[str], folder: Path) -> Iterator[str]:
    """Yield the tables of what is complete."""
    for game in games:
        yield f"\n{game}\n\n| seats | one | against the rest | games | wins | even | clear |"
        yield "|---|---|---|---|---|---|---|"
        for row in sorted(rows([game]), key=lambda each: (each.seats, -[*STEPS].index(each.one))):
            path = folder / row.name / RESULTS
            if path.exists() and (found := json.loads(path.read_text()))["complete"]:
                yield row.text(found)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=40417, help="one that nothing was tuned on")
    parser.add_argument("--games", nargs="+", choices=NAMES, default=[*NAMES])
    parser.add_argument("--print", action="store_true", help="play nothing, print what is there")
    asked = parser.parse_args()
    for row in () if asked.print else rows(asked.games):
        play(row, asked.folder, asked.seed)
        print(row.name, flush=True)
    print("\n".join(tables(asked.games, asked.folder)))


if __name__ == "__main__":
    main()
