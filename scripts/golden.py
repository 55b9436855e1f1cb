#!/usr/bin/env python3
"""Write the golden games of all games anew; read what has changed before you commit it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.environment import require_packages  # noqa: E402

require_packages()
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.question import Phrase  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.requests import Round  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import NAMES as GAMES  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.games.wording import words_of  # noqa: E402
from lanplay_ai.random_agent import RandomAgent  # noqa: E402  # needs the line above

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")


def folder(name: str) -> Path:
    """Return where the playthroughs of a game lie, a file for each number of seats."""
    return ROOT / "tests" / name.replace("-", "_") / "golden"


def playthrough(name: str, seats: int) -> str:
    """Return one game of ``seats`` random agents, an event a line, a state hash a round."""
    rules = load(name)
    word = words_of(name).word
    names = NAMES[:seats]
    seed = b"golden %d" % seats
    options = {name: values[seats % 2] for name, values in rules.options.items()}
    header = Header(rules.name, options, names, seed)
    agents = [RandomAgent(seed + each.encode()) for each in names]
    game = Simulation(rules, header, agents, Chance(seed))
    log: list[Phrase] = []
    game.table.log = log
    lines = [f"{name.replace('-', ' ').title()}, {', '.join(names)}; {options}"]
    while game.request is not None:
        if isinstance(game.request, Round):
            lines.append(f"state {game.table.hash().hex()[:32]}")
        game.step()
        lines += [word(message, names) for message in log]
        log.clear()
    lines.append(f"state {game.table.hash().hex()[:32]}")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write a file for each number of seats of each game; print which are not as they were."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    from tests.env import test_env

    files = {
        folder(name) / f"{seats}_seats.txt": playthrough(name, seats)
        for name in GAMES
        for seats in load(name).seats
    }
    for path, new in {**files, test_env.GOLDEN: test_env.ends()}.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != new:
            path.write_text(new, encoding="utf-8", newline="\n")
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
