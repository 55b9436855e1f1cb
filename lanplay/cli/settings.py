"""Where this program keeps its files."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from lanplay.engine.record import SUFFIX, Record


def records_folder() -> Path:
    """Return the folder for records of games, by the platform's custom."""
    from platformdirs import user_data_path

    return user_data_path("lanplay", appauthor=False) / "records"


def save_record(record: Record, path: Path | None = None) -> Path | None:
    """Keep a record and return its path; warn and return ``None`` where that is impossible."""
    target = path or _free_path(records_folder(), record)
    try:
        record.save(target)
    except OSError as error:
        print(f"The record was not kept: {target}: {error.strerror}.", file=sys.stderr)
        return None
    return target


def _free_path(folder: Path, record: Record) -> Path:
    stem = f"{record.header.game}-{record.state_hash.hex()[:12]}"
    for number in count(1):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        if not path.exists():
            return path
    raise AssertionError("unreachable: numbers do not end")
