"""What a manifest has to say so that its game can be offered: another package's is looked at."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from lanplay.engine.manifest import GameManifest, Pages, Ref, TableOption

REFS: Final = tuple(
    each.name for each in dataclasses.fields(GameManifest) if str(each.type).startswith("Ref[")
)
"""The fields that refer to something."""
NEEDED: Final = ("rules", "words", "summary")
"""Those that no manifest lacks."""
PARTS: Final = {
    "words": ("word",),
    "hints": ("word",),
    "summary": ("situation", "weight"),
    "lessons": ("goal", "tips", "coach", "plain", "effect"),
    "orders": ("forms", "held", "name", "effect", "says"),
    "income": ("sources", "of", "heard"),
    "challenges": ("texts", "parts", "met"),
}
"""What is there."""
NUMBERS: Final = ("cards", "cup")
PLAYED: Final = ("words", "summary", "bots", "hints", "orders")
"""What is loaded before a game is offered: without it no game comes to its end."""


def misdeclared(said: GameManifest) -> Iterator[str]:
    """Yield what is wrong with the fields of a manifest, of which nothing is loaded."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", said.name):
        yield f"the name {said.name!r}, not small letters, digits and single hyphens"
    if not isinstance(said.title, str) or not said.title:
        yield f"title={said.title!r}, not text that people read"
    seats = said.seats
    if not isinstance(seats, range) or not seats or seats.step != 1 or seats[0] < 1:
        yield f"seats={seats!r}, not a range, as range(2, 6) for 2 to 5"
    for field in NUMBERS:
        if type(number := getattr(said, field)) is not int or number < 0:
            yield f"{field}={number!r}, not a number"
    if not isinstance(said.options, tuple):
        yield f"options={said.options!r:.60}, not a tuple of TableOption"
    for option in said.options if isinstance(said.options, tuple) else ():
        yield from _declared_option(option)
    yield from _declared_places(said)


def _declared_places(said: GameManifest) -> Iterator[str]:
    """Yield what is wrong with the fields that say where something is."""
    if said.pages is not None and not isinstance(said.pages, Pages):
        yield f"pages={said.pages!r}, not Pages(page, prefix, folder)"
    for name, folder in (("locale", said.locale), ("folder", getattr(said.pages, "folder", None))):
        if folder is not None and not isinstance(folder, Path):
            yield f"{name}={folder!r}, not a Path"
    for field in REFS:
        ref = getattr(said, field)
        if not isinstance(ref, Ref) and not (ref is None and field not in NEEDED):
            yield f"{field}={ref!r:.60}, not a Ref('module:name')"


def _declared_option(option: Any) -> Iterator[str]:
    if not isinstance(option, TableOption):
        yield f"{option!r:.60} among its options, not a TableOption"
    elif not isinstance(option.values, Mapping) or not option.values or not option.title:
        yield f"an option {option.name} without title or words by value: {option.values!r}"
    elif not all(isinstance(each, str) for pair in option.values.items() for each in pair):
        yield f"an option {option.name} whose values and words are not text: {option.values!r}"


def unloadable(said: GameManifest, fields: Collection[str] = REFS) -> Iterator[str]:
    """Yield what cannot be loaded of what some fields of a manifest refer to."""
    for field in fields:
        if (ref := getattr(said, field)) is not None:
            try:
                found = ref.load()
            except Exception as error:  # importing it may raise anything
                yield f"{field}: {ref.target} cannot be loaded: {error}"
                continue
            for name in PARTS.get(field, ()):
                if not hasattr(found, name):
                    yield f"{field}: {ref.target} has no {name}"
            if field == "bots":
                yield from _no_bots(found)


def _no_bots(found: Any) -> Iterator[str]:
    """Yield what is none of ``lanplay_ai.bot``, which games do not know."""
    if not isinstance(found, Mapping):
        yield f"bots: {found!r:.60}, not Bot by name"
        return
    for name, bot in found.items():
        if not (hasattr(bot, "summary") and hasattr(bot, "make")):
            yield f"bots: {name} is {bot!r:.60}, not a Bot"
