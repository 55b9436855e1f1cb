"""Checks of what a game declares, and of what it refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from lanplay.check.random_games import options_of, requests, table_of
from lanplay.engine.fields import HIDDEN, shown
from lanplay.engine.game import Game
from lanplay.engine.plain import encode
from lanplay.engine.requests import Round
from lanplay.games.declared import unloadable


def manifest(game: Game) -> Iterator[str]:
    """Load everything that the manifest refers to."""
    said = game.manifest
    yield from unloadable(said)
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
