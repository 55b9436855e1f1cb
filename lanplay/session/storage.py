"""Where this program keeps its files."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from lanplay import files
from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.engine.record import SUFFIX, Record, RecordError, load
from lanplay.errors import Fault, UserError


def data_folder(chosen: str | None = None) -> Path:
    """Return the folder for what this program keeps: the one chosen, or the platform's own."""
    from platformdirs import user_data_path

    return Path(chosen) if chosen else user_data_path("lanplay", appauthor=False)


def listed(folder: Path) -> Path:
    """Return a folder; ``UserError`` if it cannot be listed: ``glob`` finds such a one empty."""
    try:
        os.scandir(folder).close()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise UserError(Fault.CANNOT_OPEN, path=str(folder), why=error.strerror) from error
    return folder


def save_record(
    record: Record,
    path: Path | None = None,
    folder: Path | None = None,
    seen: PrivateKnowledge | None = None,
    warn: Callable[[str], None] = lambda text: None,
    again: bool = False,
) -> Path | None:
    """Keep a record and return its path; ``warn`` and return ``None`` where that is impossible.

    One that may be kept already is kept ``again`` in the same place. Where ``path`` refuses it, it
    goes where it goes without one. What this machine's own seats have ``seen`` is kept beside it,
    for its owner alone.
    """
    records = (folder or data_folder()) / "records"
    try:
        target = path or _free_path(records, record, again)
        record.save(target)
        if path is None:
            files.close_to_others(records, files.OWN_FOLDER)
    except OSError as error:
        if path:
            return save_record(record, None, folder, seen, warn, again)
        warn(Fault.NOT_KEPT.of(path=str(error.filename or records), why=error.strerror))
        return None
    try:
        if seen and target.is_file():
            seen.save(target, record.state_hash)
    except OSError as error:
        warn(Fault.SEEN_NOT_KEPT.of(path=str(error.filename), why=error.strerror))
    return target


def _free_path(folder: Path, record: Record, again: bool) -> Path:
    stem = f"{record.header.game}-{record.state_hash.hex()[:12]}"
    tails = chain([""], (f"-{number}" for number in count(2)))
    paths = (folder / f"{stem}{tail}{SUFFIX}" for tail in tails)
    return next(p for p in paths if not p.exists() or (again and _same(p, record)))


def _same(path: Path, record: Record) -> bool:
    """Tell whether a file holds the game of a record, whoever has signed its end by now."""
    with suppress(RecordError):
        bare = (replace(each, extra={}) for each in (load(path), record))
        return len({each.to_bytes() for each in bare}) == 1
    return False
