#!/usr/bin/env python3
"""Write the golden playthroughs of Dice Town anew; read what has changed before you commit it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ai.random_agent import RandomAgent  # noqa: E402  # needs the line above
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.question import Message  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.requests import Round  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games.dice_town import GAME  # noqa: E402
from lanplay.games.dice_town.text import word  # noqa: E402

FOLDER = ROOT / "tests" / "dice_town" / "golden"
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve")


def playthrough(seats: int) -> str:
    """Return one game of ``seats`` random agents, an event a line, a state hash a round."""
    names = NAMES[:seats]
    seed = b"golden %d" % seats
    options = {name: values[seats % 2] for name, values in GAME.options.items()}
    header = Header(GAME.name, GAME.version, options, names, seed)
    agents = [RandomAgent(seed + name.encode()) for name in names]
    game = Simulation(GAME, header, agents, Chance(seed))
    log: list[Message] = []
    game.table.log = log
    lines = [f"Dice Town, {', '.join(names)}; {options}"]
    while game.request is not None:
        if isinstance(game.request, Round):
            lines.append(f"state {game.table.hash().hex()[:32]}")
        game.step()
        lines += [word(message, names) for message in log]
        log.clear()
    lines.append(f"state {game.table.hash().hex()[:32]}")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write a file for each number of seats."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for seats in GAME.seats:
        text = playthrough(seats)
        (FOLDER / f"{seats}_seats.txt").write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
