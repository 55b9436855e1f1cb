"""What a game's package says of each of its bots."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pkgutil import get_data  # importlib.resources loads zipfile and more
from typing import Any, TypeAlias, TypeVar

from lanplay.engine.agent import Agent
from lanplay.engine.manifest import Ref

P = TypeVar("P")
Factory: TypeAlias = Callable[[bytes], Agent]
"""Makes an agent with a key of its own (at most 64 bytes) to draw from."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that can be named.

    ``summary`` is one line in English, marked for translation. ``level`` and ``character`` are
    names too, the latter empty for bots without a plan of their own. ``make`` imports what it needs
    when it is called.
    """

    summary: str
    make: Factory
    level: str = ""
    character: str = ""


Bots: TypeAlias = Mapping[str, Bot]
"""The bots of one game by name: what ``lanplay_ai.<game>.BOTS`` is."""


def profiles(module: str, kind: Callable[..., P]) -> dict[str, P]:
    """Return what the ``profiles.toml`` beside a module says of each bot, by its name."""
    said = tomllib.loads((get_data(module, "profiles.toml") or b"").decode())
    return {
        name: kind(**{key: _plain(each) for key, each in values.items()})
        for name, values in said.items()
    }


def bots_of(profiles: Mapping[str, Any], player: Ref[Callable[[Any, bytes], Agent]]) -> Bots:
    """Return a bot for each profile, by its name; its ``player`` is loaded when it is made."""

    def make(profile: Any, key: bytes) -> Agent:
        return player.load()(profile, key)

    return {
        name: Bot(each.summary, partial(make, each), each.level, getattr(each, "character", ""))
        for name, each in profiles.items()
    }


def explained(module: str) -> dict[str, str]:
    """Return how each bot thinks, in English, by its name: the ``explained.toml`` beside a module.

    Nothing where there is none.
    """
    with suppress(FileNotFoundError):
        said = tomllib.loads((get_data(module, "explained.toml") or b"").decode())
        return dict(said["bots"])
    return {}


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
