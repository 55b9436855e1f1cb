"""Other programs' games, by lot, to be measured beside ours; what is not installed is passed over.

``pip install open_spiel rlcard catanatron 'pettingzoo[classic]'`` brings them all. A decision is
what it is with us: a choice of two or more legal actions. Forced moves and chance do not count.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any

Play = Callable[[int], int]
"""Plays a game by number and returns its decisions."""


def found(package: str, *modules: str) -> tuple[str, list[Any]] | None:
    """Return the name with the version and the modules; say on stderr that they are not there."""
    try:
        return f"{package} {version(package)}", [import_module(module) for module in modules]
    except (PackageNotFoundError, ImportError) as error:
        print(f"not measured: {error} (see {__file__})", file=sys.stderr)
        return None


def peers() -> Iterator[tuple[str, Play]]:
    """Yield what is measured of each, and how it is played; OpenSpiel's backgammon comes first."""
    for package, make in (
        (found("open_spiel", "pyspiel"), open_spiel),
        (found("catanatron", "catanatron"), catanatron),
        (found("rlcard", "rlcard", "rlcard.agents"), rlcard),
    ):
        if package is not None:
            name, modules = package
            what, play = make(*modules)
            yield f"{name}: {what}", play


def open_spiel(pyspiel: Any) -> tuple[str, Play]:
    """Return how backgammon is played in a Python loop."""
    game = pyspiel.load_game("backgammon")

    def play(number: int) -> int:
        random, state, decisions = Random(number), game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                faces, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(faces, odds)[0])
            else:
                legal = state.legal_actions()
                state.apply_action(random.choice(legal))
                decisions += len(legal) > 1
        return decisions

    return "backgammon, Python loop", play


def catanatron(package: Any) -> tuple[str, Play]:
    """Return how four random players play Catan."""
    chosen = 0

    class Counting(package.RandomPlayer):  # type: ignore[misc]  # it has no types
        def decide(self, game: Any, playable_actions: Any) -> Any:
            nonlocal chosen
            chosen += len(playable_actions) > 1
            return super().decide(game, playable_actions)

    def play(number: int) -> int:
        before = chosen
        package.Game([Counting(colour) for colour in package.Color], seed=number).play()
        return chosen - before

    return "Catan, 4 random", play


def rlcard(package: Any, agents: Any) -> tuple[str, Play]:
    """Return how two random players play Uno."""
    chosen = 0

    class Counting(agents.RandomAgent):  # type: ignore[misc]  # likewise
        def step(self, state: Any) -> Any:
            nonlocal chosen
            chosen += len(state["legal_actions"]) > 1
            return super().step(state)

    table = package.make("uno", {"seed": 1})
    table.set_agents([Counting(table.num_actions) for _ in range(table.num_players)])

    def play(number: int) -> int:
        before = chosen
        table.run(is_training=False)
        return chosen - before

    return "Uno, 2 random", play


def environments() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield PettingZoo's games, each with how its environment is made."""
    for name in ("connect_four_v3", "texas_holdem_v4"):
        if package := found("pettingzoo", f"pettingzoo.classic.{name}"):
            yield f"{package[0]}: {name}", package[1][0].env
