"""Bots for Charidice: the exact optimum of a turn, at a price that fits the game."""

from __future__ import annotations

from ai.bot import Bot
from lanplay.engine.agent import Agent
from lanplay.language import N_


def _beginner(key: bytes) -> Agent:
    from ai.charidice.beginner import Beginner

    return Beginner()


def _casual(key: bytes) -> Agent:
    from ai.charidice.players import Casual

    return Casual()


def _strong(key: bytes) -> Agent:
    from ai.charidice.players import Priced

    return Priced({2: 1.0, 3: 0.5, 4: 0.5})


def _expert(key: bytes) -> Agent:
    from ai.charidice.players import Planner
    from ai.charidice.stakes import TO_WIN

    return Planner(TO_WIN)


def _giver(key: bytes) -> Agent:
    from ai.charidice.players import Planner
    from ai.charidice.stakes import Aims

    return Planner(dict.fromkeys((2, 3, 4), Aims(cost=0.0, charity=3.0)))


def _miser(key: bytes) -> Agent:
    from ai.charidice.players import Priced

    return Priced(dict.fromkeys((2, 3, 4), 2.0))


BOTS = {
    "beginner": Bot(N_("keeps what it has most of and scores it"), _beginner, "beginner"),
    "casual": Bot(N_("wants its own points, looks one roll ahead"), _casual, "casual"),
    "strong": Bot(N_("plays each turn best, its gifts at what they cost it"), _strong, "strong"),
    "expert": Bot(
        N_("plays each turn best, with the charity bonus in its plan"), _expert, "expert"
    ),
    "giver": Bot(N_("plays for the charity bonus"), _giver, "strong", "giver"),
    "miser": Bot(N_("gives as little as it can"), _miser, "strong", "miser"),
}
