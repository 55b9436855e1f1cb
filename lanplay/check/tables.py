"""Checks of what a game declares, and of what it refuses."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

from lanplay.check.games import options_of, requests, table_of
from lanplay.engine.fields import HIDDEN, shown
from lanplay.engine.game import Game
from lanplay.engine.manifest import GameManifest, Pages, Ref, TableOption
from lanplay.engine.plain import encode
from lanplay.engine.requests import Round

REFS: Final = tuple(
    each.name for each in dataclasses.fields(GameManifest) if str(each.type).startswith("Ref[")
)
"""The fields that refer to something."""
NEEDED: Final = {"rules": (), "words": ("word",), "summary": ("situation", "weight")}
"""Those that no manifest lacks, and what is there."""
NUMBERS: Final = ("cards", "cup")


def declared(game: Game) -> Iterator[str]:
    """Look at the fields of the manifest."""
    yield from misdeclared(game.manifest)


def misdeclared(said: GameManifest) -> Iterator[str]:
    """Yield what is wrong with the fields of a manifest, of which nothing is loaded."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", said.name):
        yield f"{said.name!r} is no name: small letters, digits and single hyphens"
    if not isinstance(said.title, str) or not said.title:
        yield f"title={said.title!r}: text that people read"
    seats = said.seats
    if not isinstance(seats, range) or not seats or seats.step != 1 or seats[0] < 1:
        yield f"seats={seats!r}: a range, as range(2, 6) for 2 to 5"
    for field in NUMBERS:
        if type(number := getattr(said, field)) is not int or number < 0:
            yield f"{field}={number!r}: a number"
    if not isinstance(said.options, tuple):
        yield f"options={said.options!r:.60}: a tuple of TableOption"
    for option in said.options if isinstance(said.options, tuple) else ():
        yield from _declared_option(option)
    yield from _declared_places(said)


def _declared_places(said: GameManifest) -> Iterator[str]:
    """Yield what is wrong with the fields that say where something is."""
    if said.pages is not None and not isinstance(said.pages, Pages):
        yield f"pages={said.pages!r}: Pages(page, prefix, folder)"
    for name, folder in (("locale", said.locale), ("folder", getattr(said.pages, "folder", None))):
        if folder is not None and not isinstance(folder, Path):
            yield f"{name}={folder!r}: a Path"
    for field in REFS:
        ref = getattr(said, field)
        if not isinstance(ref, Ref) and not (ref is None and field not in NEEDED):
            yield f"{field}={ref!r:.60}: a Ref('module:name')"


def _declared_option(option: Any) -> Iterator[str]:
    if not isinstance(option, TableOption):
        yield f"{option!r:.60} is no TableOption"
    elif not isinstance(option.values, Mapping) or not option.values or not option.title:
        yield f"the option {option.name}: it needs a title, and words by value: {option.values!r}"
    elif not all(isinstance(each, str) for pair in option.values.items() for each in pair):
        yield f"the option {option.name}: its values and their words are text: {option.values!r}"


def manifest(game: Game) -> Iterator[str]:
    """Load everything that the manifest refers to."""
    said = game.manifest
    for field in REFS:
        if (ref := getattr(said, field)) is not None:
            try:
                found = ref.load()
            except Exception as error:
                yield f"{field}: {ref.target} cannot be loaded: {error}"
                continue
            for name in NEEDED.get(field, ()):
                if not hasattr(found, name):
                    yield f"{field}: {ref.target} has no {name}"
    pages = said.pages
    if said.locale is not None and not any(said.locale.glob(f"*/LC_MESSAGES/{said.name}.mo")):
        yield f"there is no catalog {said.locale}/LANGUAGE/LC_MESSAGES/{said.name}.mo"
    if pages is not None and pages.folder is not None and not (pages.folder / pages.page).is_file():
        yield f"there is no page {pages.folder / pages.page}"


def plain(game: Game) -> Iterator[str]:
    """Encode every field of a table, whenever its rules ask something, and at the end."""
    simulation = table_of(game, game.seats[-1], b"plain")
    if hasattr(simulation.table, "__dict__"):
        yield f"{type(simulation.table).__name__} has no __slots__ that name its fields"
        return
    wrong: set[str] = set()
    for _request in chain(requests(simulation), ("the end",)):
        for field in type(simulation.table).__slots__:
            value = getattr(simulation.table, field)
            if field not in wrong and not _is_plain(value):
                wrong.add(field)
                yield f"round {simulation.table.round}: {field} is no plain data: {value!r:.100}"


def _is_plain(value: Any) -> bool:
    try:
        data = shown(value)
        encode(data)
    except (TypeError, ValueError, OverflowError):
        return False
    return not _has_float(data)


def _has_float(data: Any) -> bool:
    inner = data.values() if isinstance(data, dict) else data
    return isinstance(data, float) or (
        isinstance(data, list | tuple | dict) and any(map(_has_float, inner))
    )


def refuses(game: Game) -> Iterator[str]:
    """Ask for tables that there cannot be."""
    least = game.seats[0]
    for seats, options in ((game.seats[-1] + 1, {}), (least - 1, {}), (least, {"no-such": "x"})):
        try:
            game.table(seats, options)
        except ValueError:
            continue
        yield f"a table of {seats} seats with {options} was made"


def snapshots(game: Game) -> Iterator[str]:
    """Spoil a snapshot field by field: it may come from a stranger."""
    simulation = table_of(game, game.seats[-1], b"spoil")
    for request in requests(simulation):
        if isinstance(request, Round) and request.number == 2:
            break
    snapshot: Any = game.snapshot(simulation.table)
    for wrong in (*_spoilt(snapshot), None.__class__, (), {}, "x", 1.5):
        try:
            game.table(game.seats[-1], options_of(game, 0), wrong)
        except ValueError:
            continue
        except Exception as error:
            yield f"{wrong!r:.100} raises {error!r}, not ValueError"
        else:
            yield f"{wrong!r:.100} is taken for a snapshot"


def _spoilt(snapshot: Any) -> Iterator[Any]:
    if not isinstance(snapshot, Mapping):
        return
    yield {**snapshot, "more": 1}
    for field, value in snapshot.items():
        yield {name: other for name, other in snapshot.items() if name != field}
        for odd in (-2, (), "x", None, (HIDDEN,) * 99, (1.5,)):
            if odd != value:
                yield {**snapshot, field: odd}
