"""Bots for Dice Town: readable rules over exact odds."""

from __future__ import annotations

from ai.bot import Bot
from lanplay.engine.agent import Agent


def _steady(key: bytes) -> Agent:
    from ai.dice_town.steady import Steady

    return Steady()


BOTS = {
    "steady": Bot("plays for points with exact odds", _steady, level="strong"),
}
