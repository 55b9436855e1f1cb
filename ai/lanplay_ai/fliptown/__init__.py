"""Bots for Fliptown: exact odds, and what a map is worth later on, learned from games."""

from __future__ import annotations

from lanplay.engine.manifest import Ref
from lanplay_ai.bot import bots_of
from lanplay_ai.fliptown.profiles import PROFILES

BOTS = bots_of(PROFILES, Ref("lanplay_ai.fliptown.players:FliptownPlayer"))
