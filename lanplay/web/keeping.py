"""The guests of a kept game, on the laptop's disk: after a restart their pages go on by themselves.

Of what lets a browser in there are hashes alone, in a file for its owner alone.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from lanplay import files
from lanplay.web.taste import Taste
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text

_LOG: Final = logging.getLogger(__name__)
MOST_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class KeptGuest:
    """Somebody with a phone: its name, its taste, and its ``sessions``: a hash and a path each."""

    name: str
    taste: str = ""
    sessions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class KeptGuests:
    """The guests of a game, and the port where they come."""

    port: int
    guests: Sequence[KeptGuest] = ()

    @property
    def content(self) -> bytes:
        """The file that holds them."""
        return json.dumps(asdict(self)).encode()

    def save(self, path: Path) -> None:
        """Write the file; where the disk refuses, guests have to scan the code again."""
        try:
            files.renew(path, self.content)
        except OSError as error:
            _LOG.warning("the guests of the game are not kept: %s", error)


def load(path: Path) -> KeptGuests | None:
    """Return what a file holds; ``None`` where there is none, or none of ours."""
    try:
        with path.open("rb") as file:
            kept = files.plain(file.read(MOST_BYTES))
        return KeptGuests(_port(kept["port"]), [_guest(each) for each in kept["guests"]])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        _LOG.warning("the guests of the game cannot be read: %s", error)
        return None


def _port(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= 65535:
        raise ValueError("no port")
    return value


def _guest(plain: Any) -> KeptGuest:
    name = plain["name"]
    if type(name) is not str:
        raise ValueError("no name")
    sessions = tuple((str(key), str(path)) for key, path in plain["sessions"])
    if not all(path.startswith("/") and len(bytes.fromhex(key)) == 32 for key, path in sessions):
        raise ValueError("no session")
    return KeptGuest(clean_text(name, NICKNAME_LIMIT), str(plain["taste"]), sessions)


def taste_in(guest: KeptGuest) -> Taste:
    """Return how a guest likes pages."""
    return Taste.read(guest.taste) or Taste()
