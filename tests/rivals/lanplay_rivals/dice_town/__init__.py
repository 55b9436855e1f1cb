"""Bots for Dice Town: readable rules over exact odds."""

from __future__ import annotations

from functools import partial

from lanplay.engine.agent import Agent
from lanplay_ai.bot import Bot
from lanplay_rivals.dice_town.profiles import PROFILES


def _planner(name: str, key: bytes) -> Agent:
    from lanplay_rivals.dice_town.planner import DiceTownPlayer

    return DiceTownPlayer(PROFILES[name], key)


BOTS = {
    name: Bot(each.summary, partial(_planner, name), each.level, each.character)
    for name, each in PROFILES.items()
}
