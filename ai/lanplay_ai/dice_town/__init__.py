"""Bots for Dice Town: readable rules over exact odds."""

from __future__ import annotations

from lanplay.engine.manifest import Ref
from lanplay_ai.bot import bots_of
from lanplay_ai.dice_town.profiles import PROFILES

BOTS = bots_of(PROFILES, Ref("lanplay_ai.dice_town.planner:DiceTownPlayer"))
