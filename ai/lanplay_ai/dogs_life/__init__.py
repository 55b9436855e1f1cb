"""Bots for A Dog's Life: jobs about the town, what they bring and how far they are."""

from __future__ import annotations

from lanplay.engine.manifest import Ref
from lanplay_ai.bot import bots_of
from lanplay_ai.dogs_life.profiles import PROFILES

BOTS = bots_of(PROFILES, Ref("lanplay_ai.dogs_life.players:DogsLifePlayer"))
