"""Bots for Charidice: the exact optimum of a turn, at a price that fits the game."""

from __future__ import annotations

from ai.bot import Bot
from lanplay.engine.agent import Agent


def _expert(key: bytes) -> Agent:
    from ai.charidice.players import expert

    return expert()


BOTS = {
    "expert": Bot("the exact optimum of a turn, with charity in its plan", _expert, level="expert"),
}
