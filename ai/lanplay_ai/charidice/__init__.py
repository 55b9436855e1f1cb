"""Bots for Charidice: the exact optimum of a turn, at a price that fits the game."""

from __future__ import annotations

from functools import partial

from lanplay.engine.agent import Agent
from lanplay.language import N_
from lanplay_ai.bot import Bot


def _beginner(key: bytes) -> Agent:
    from lanplay_ai.charidice.beginner import Beginner

    return Beginner()


def _player(name: str, key: bytes) -> Agent:
    from lanplay_ai.charidice.players import PLAYERS

    return PLAYERS[name]()


BOTS = {
    "beginner": Bot(N_("keeps what it has most of and scores it"), _beginner, "beginner"),
    "casual": Bot(
        N_("wants points of its own, looks one roll ahead"), partial(_player, "casual"), "casual"
    ),
    "strong": Bot(
        N_("plays each turn for the most points of its own"), partial(_player, "strong"), "strong"
    ),
    "expert": Bot(
        N_("plays each turn to win, computed exactly over all rolls"),
        partial(_player, "expert"),
        "expert",
    ),
    "giver": Bot(N_("plays for the charity bonus"), partial(_player, "giver"), "strong", "giver"),
    "miser": Bot(N_("gives as little as it can"), partial(_player, "miser"), "strong", "miser"),
}
