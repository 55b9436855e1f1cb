"""Bots for A Dog's Life: jobs about the town, what they bring and how far they are."""

from __future__ import annotations

from functools import partial

from lanplay.engine.agent import Agent
from lanplay_ai.bot import Bot
from lanplay_rivals.dogs_life.profiles import PROFILES


def _player(name: str, key: bytes) -> Agent:
    from lanplay_rivals.dogs_life.players import DogsLifePlayer

    return DogsLifePlayer(PROFILES[name], key)


BOTS = {
    name: Bot(each.summary, partial(_player, name), each.level) for name, each in PROFILES.items()
}
