"""The game in progress on disk: one append-only file, so that a crash or a reboot loses nothing.

Every entry is a length in four bytes, a checksum in eight, and canonical msgpack. The first one is
the game (roster, this peer's seed, its bots); the others are what the replica kept, in order. The
file holds this game's secret key: its owner alone can read it, and it is deleted with the end.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from protocol.errors import PeerError
from protocol.replica.roster import Roster, parse_roster
from protocol.schema import fields, text
from protocol.wire import FRAME_LIMIT, decode, encode

SUFFIX = ".game"
STALE = ".stale"
"""A journal that misses something: its peer comes back only as one that was cut."""
_PREFIX = 4
_CHECK = 8
_LIMIT = FRAME_LIMIT + 1024

Address = tuple[str, int]
Entry: TypeAlias = tuple[str, Any]
"""What a replica keeps: a kind, and plain data."""


class JournalError(Exception):
    """A journal that cannot be used; the text names the file, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a game in progress needs to go on: who plays, where, and this peer's own secrets.

    ``bots`` are this peer's, by seat: name and key.
    """

    roster: Roster
    addresses: Mapping[bytes, Sequence[Address]]
    seed: bytes = field(repr=False)
    bots: Mapping[int, tuple[str, bytes]] = field(repr=False)

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        addresses = tuple((key, tuple(places)) for key, places in self.addresses.items())
        bots = tuple((seat, *bot) for seat, bot in sorted(self.bots.items()))
        return ("game", self.roster.plain(), addresses, self.seed, bots)


class Journal:
    """An open journal. ``path`` is its file."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    @classmethod
    def create(cls, folder: Path, kept: Kept) -> Journal:
        """Begin a journal in ``folder``; ``OSError`` if the disk refuses."""
        folder.mkdir(parents=True, exist_ok=True)
        name = blake2b(kept.seed, digest_size=8).hexdigest() + SUFFIX
        journal = cls._open(folder / name, os.O_CREAT | os.O_EXCL)
        journal._add(kept.plain())
        journal.sync()
        return journal

    @classmethod
    def again(cls, path: Path) -> tuple[Journal, Kept, list[Entry]]:
        """Open a journal to go on with it; an entry that was cut off at its end is dropped.

        Raises ``JournalError`` if it is no journal or was changed.
        """
        content = path.read_bytes()
        kept, entries, whole = _read(path, content)
        journal = cls._open(path, 0)
        if whole < len(content):
            os.ftruncate(journal._descriptor, whole)
        os.lseek(journal._descriptor, 0, os.SEEK_END)
        return journal, kept, entries

    @classmethod
    def _open(cls, path: Path, flags: int) -> Journal:
        binary = getattr(os, "O_BINARY", 0)
        return cls(path, os.open(path, os.O_RDWR | binary | flags, 0o600))

    def append(self, entry: Entry) -> None:
        """Add an entry; ``OSError`` if the disk refuses."""
        self._add(entry)

    def _add(self, value: Any) -> None:
        body = encode(value)
        entry = len(body).to_bytes(_PREFIX, "big") + _check(body) + body
        if os.write(self._descriptor, entry) != len(entry):
            raise OSError("the disk is full")

    def sync(self) -> None:
        """Return once everything added is on the disk."""
        os.fsync(self._descriptor)

    def give_up(self) -> str:
        """Close a journal that misses something from now on; return what that means.

        It must not be gone on with as if it were whole: what it misses may have bound this peer.
        """
        with suppress(OSError):
            os.close(self._descriptor)
        try:
            self.path.rename(self.path.with_suffix(STALE))
        except OSError:
            with suppress(OSError):
                self.path.unlink()
            return "after a crash you could only watch."
        return "after a crash an AI takes your seat until you come back with lanplay resume."

    def close(self, delete: bool = False) -> None:
        """Close the file; with ``delete``, remove it: the game is over."""
        os.close(self._descriptor)
        if delete:
            self.path.unlink(missing_ok=True)


def journals(folder: Path) -> list[Path]:
    """Return the games in progress in a folder, the newest first."""
    found = [*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*{STALE}")] if folder.is_dir() else ()
    return sorted(found, key=lambda path: (-path.stat().st_mtime_ns, path.name))


def _check(body: bytes) -> bytes:
    return blake2b(body, digest_size=_CHECK).digest()


def _read(path: Path, content: bytes) -> tuple[Kept, list[Entry], int]:
    entries, at = [], 0
    while len(content) - at >= _PREFIX + _CHECK:
        size = int.from_bytes(content[at : at + _PREFIX], "big")
        start = at + _PREFIX + _CHECK
        if size > _LIMIT or start + size > len(content):
            break
        body = content[start : start + size]
        if _check(body) != content[at + _PREFIX : start]:
            if start + size == len(content):
                break
            raise JournalError(f"{path}: it was changed or damaged at byte {at}; move it away.")
        entries.append(decode(body))
        at = start + size
    if not entries:
        raise JournalError(f"{path}: it holds no game; move it away.")
    try:
        return _kept(entries[0]), [_entry(each) for each in entries[1:]], at
    except (PeerError, ValueError, TypeError) as error:
        raise JournalError(f"{path}: it is of another version of lanplay ({error}).") from error


def _entry(value: Any) -> Entry:
    kind, plain = fields(value, 2, "entry")
    return text(kind, 16, "kind"), plain


def _kept(value: Any) -> Kept:
    _, roster, addresses, seed, bots = value
    return Kept(
        roster=parse_roster(roster),
        addresses={key: tuple(places) for key, places in addresses},
        seed=seed,
        bots={seat: (name, key) for seat, name, key in bots},
    )
