"""Bots for Fliptown: exact odds, and what a map is worth later on, learned from games."""

from __future__ import annotations

from functools import partial

from ai.bot import Bot
from ai.fliptown.profiles import PROFILES
from lanplay.engine.agent import Agent


def _player(name: str, key: bytes) -> Agent:
    from ai.fliptown.players import Player

    return Player(PROFILES[name], key)


BOTS = {
    name: Bot(each.summary, partial(_player, name), each.level) for name, each in PROFILES.items()
}
