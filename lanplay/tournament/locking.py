"""One process at a time in a tournament's folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from lanplay.errors import UserError
from lanplay.files import locked
from lanplay.tournament.faults import Wrong

LOCK: Final = "lock"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other processes out; the system lets them in again however this one ends.

    Makes the folder if it is missing. ``UserError`` if another process is in there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("ab") as file:
        if not locked(file.fileno()):
            raise UserError(Wrong.IN_USE, folder=str(folder))
        yield
