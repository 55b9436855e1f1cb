"""The bots that later ones are measured against decide as on the day they were frozen."""

from __future__ import annotations

from hashlib import blake2b
from importlib import import_module
from pathlib import Path

import pytest

from lanplay.engine.chance import Chance
from lanplay.engine.plain import encode
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.games import load

RIVALS = Path(__file__).parents[1] / "rivals"
SAME = {
    "charidice": (4, "08725d239b9ed4f1"),
    "dice-town": (2, "526cd86ef95ccba5"),
    "dogs-life": (2, "4f561e4bac6a1e95"),
    "fliptown": (1, "b65a24ae8750c9ca"),
}
"""Of so many games of the bots of commit 0b5e9ad2, all answers and dice as a hash.

That of A Dog's Life was made anew when its town and decks changed: the same bots in another town.
"""


def answered(game, make, games):
    """Return the hash of the histories of some games of three levels at one table."""
    rules, said = load(game), blake2b(digest_size=8)
    options = {name: values[0] for name, values in rules.options.items()}
    for number in range(games):
        luck = b"rivals %d" % number
        levels = ("expert", "strong", "casual")
        agents = [make(level)(luck + b"%d" % seat) for seat, level in enumerate(levels)]
        game_of = Simulation(rules, Header(game, options, levels, luck), agents, Chance(luck))
        game_of.run()
        said.update(encode(tuple(game_of.referee.history)))
    return said.hexdigest()


@pytest.mark.parametrize("game", SAME)
def test_a_rival_answers_as_on_its_day(game, monkeypatch):
    """Three levels at one table, a few games: the same answers, whatever today's bots do."""
    monkeypatch.syspath_prepend(str(RIVALS))
    rivals = import_module("lanplay_rivals")
    games, same = SAME[game]
    name = game.replace("-", "_")
    assert answered(game, lambda level: getattr(rivals, f"{name}_{level}"), games) == same
