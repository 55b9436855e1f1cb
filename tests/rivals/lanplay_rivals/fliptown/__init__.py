"""Bots for Fliptown: exact odds, and what a map is worth later on, learned from games."""

from __future__ import annotations

from functools import partial

from lanplay.engine.agent import Agent
from lanplay_ai.bot import Bot
from lanplay_rivals.fliptown.profiles import PROFILES


def _player(name: str, key: bytes) -> Agent:
    from lanplay_rivals.fliptown.players import FliptownPlayer

    return FliptownPlayer(PROFILES[name], key)


BOTS = {
    name: Bot(each.summary, partial(_player, name), each.level) for name, each in PROFILES.items()
}
