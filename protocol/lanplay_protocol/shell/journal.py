"""The game in progress on disk: one append-only file, so that a crash or a reboot loses nothing.

Every entry is canonical msgpack behind a head of 16 bytes: its length in four, its checksum in
eight, and a checksum of these twelve in four, so that an entry that a power failure left half
written is told apart from damage. The first one is the game (roster, this peer's seed, its bots);
the others are what the replica kept, in order. The file holds this game's secret key: its owner
alone can read it, and it is deleted with the end.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from typing import Any

from lanplay.errors import Fault, Problem
from lanplay.files import locked, naming, to_disk
from lanplay.files import replace as replace_file
from lanplay_protocol.crypto.hashing import SEED
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.outbox import Entry
from lanplay_protocol.replica.roster import (
    NAME,
    PEERS,
    SEATS,
    TABLE,
    UNSIGNED,
    Roster,
    parse_roster,
)
from lanplay_protocol.replica.start import accepts_of, certified, parse_accept
from lanplay_protocol.schema import binary, fields, items, text, uint
from lanplay_protocol.table import PLACES
from lanplay_protocol.wire import decode, encode

SUFFIX = ".game"
INCOMPLETE = ".stale"
"""A journal that misses something: its peer comes back only as one that was cut."""
ASIDE = ".damaged"
"""What is kept of a damaged journal; nothing reads it."""
_START = "start"
_BOT = 4096
"""Letters of the name of an AI: one of another package, or the way to it."""
_PREFIX = 4
_CHECK = 8
_HEAD = _PREFIX + _CHECK + 4

Address = tuple[str, int]


class JournalError(Problem):
    """A journal that cannot be used; it tells the file, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """What a game in progress needs to go on: who plays, where, and this peer's own secrets.

    One that was offered and accepted, and has not begun, has no certificate in its roster.
    ``bots`` are this peer's, by seat: name and key. ``table`` is what its people call the table;
    ``password``: it had one.
    """

    roster: Roster
    addresses: Mapping[bytes, Sequence[Address]]
    seed: bytes = field(repr=False)
    bots: Mapping[int, tuple[str, bytes]] = field(repr=False)
    table: str = ""
    password: bool = False

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        addresses = tuple((key, tuple(places)) for key, places in self.addresses.items())
        bots = tuple((seat, *bot) for seat, bot in sorted(self.bots.items()))
        table = (self.table, int(self.password))
        return ("game", self.roster.plain(), addresses, self.seed, bots, table)


class Damaged(JournalError):
    """A journal that holds something false at byte ``at``; what comes before it is whole."""

    def __init__(self, path: Path, at: int, kept: SavedGame, entries: list[Entry]) -> None:
        super().__init__(Fault.JOURNAL_DAMAGED, path=str(path), at=at)
        self.path = path
        self.at = at
        self.kept = kept
        self.entries = entries

    def set_aside(self) -> tuple[Path, Path]:
        """Keep the damaged file under another name, and what is whole of it as a stale journal.

        Returns the paths of both. What the damage hides may have bound this peer, so that it comes
        back only as one that was cut. ``OSError`` if the disk refuses.
        """
        whole = self.path.with_suffix(INCOMPLETE)
        aside = self.path.with_suffix(f".{self.at}{ASIDE}")
        new = self.path.with_suffix(".new")
        new.unlink(missing_ok=True)
        Journal._new(new, (self.kept.plain(), *self.entries)).close()
        try:
            self._keep(aside)
            self.path.replace(whole)  # at every moment one of both is there, and is found
            try:
                new.replace(whole)
            except OSError:
                whole.replace(self.path)
                raise
        except OSError:
            for left in (new, aside):
                with suppress(OSError):
                    left.unlink(missing_ok=True)
            raise
        return aside, whole

    def _keep(self, aside: Path) -> None:
        aside.unlink(missing_ok=True)
        try:
            aside.hardlink_to(self.path)
        except OSError:  # not every file system knows links
            replace_file(aside, self.path.read_bytes())


class Journal:
    """An open journal: ``path`` is its file, ``lost`` says that nobody may go on with it.

    It owns that file: to close it again does nothing, and nothing is written once it is closed.
    """

    def __init__(self, path: Path, file: FileIO) -> None:
        self.path = path
        self.lost = False
        self._file = file

    @classmethod
    def create(cls, folder: Path, kept: SavedGame) -> Journal:
        """Begin a journal in ``folder``; ``OSError`` if the disk refuses."""
        return cls._new(folder / (os.urandom(8).hex() + SUFFIX), [kept.plain()])

    @classmethod
    def open(cls, path: Path) -> tuple[Journal, SavedGame, list[Entry]]:
        """Open a journal to go on with it; an entry that was cut off at its end is dropped.

        Raises ``JournalError`` if it is no journal or another program has it open, and ``Damaged``
        if something else of it is not as it was written.
        """
        journal = cls._open(path, 0)
        try:
            with naming(path):
                content = journal._file.readall()
                kept, entries, whole = _read(path, content)
                if whole < len(content):
                    journal._file.truncate(whole)
                journal._file.seek(0, os.SEEK_END)
        except (OSError, JournalError):
            with suppress(OSError):
                journal.close()
            raise
        return journal, kept, entries

    @classmethod
    def _new(cls, path: Path, values: Iterable[Any]) -> Journal:
        """Make a journal of whole entries; none is left behind if the disk refuses one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        journal = cls._open(path, os.O_CREAT | os.O_EXCL)
        try:
            for value in values:
                journal._add(value)
            journal.sync()
        except OSError:
            with suppress(OSError):
                journal.close(delete=True)
            raise
        return journal

    @classmethod
    def _open(cls, path: Path, flags: int) -> Journal:
        flags |= os.O_RDWR | getattr(os, "O_BINARY", 0)
        file = FileIO(os.open(path, flags, 0o600), "r+")
        if not locked(file.fileno()):
            file.close()
            raise JournalError(Fault.JOURNAL_IN_USE, path=str(path))
        return cls(path, file)

    def append(self, entry: Entry) -> None:
        """Add an entry; ``OSError`` if the disk refuses."""
        self._add(entry)

    def _add(self, value: Any) -> None:
        body = encode(value)
        head = len(body).to_bytes(_PREFIX, "big") + _check(body)
        entry = head + _check(head, _HEAD - len(head)) + body
        with naming(self.path):
            if self._file.write(entry) != len(entry):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def begin(self, roster: Roster) -> None:
        """Add the start certificate of a game that was kept when its offer was accepted.

        ``OSError`` if the disk refuses.
        """
        self._add((_START, tuple(each.plain() for each in accepts_of(roster))))
        self.sync()

    def sync(self) -> None:
        """Return once everything added is on the disk."""
        with naming(self.path):
            to_disk(self._file.fileno())

    def give_up(self) -> Fault:
        """Close a journal that misses something from now on; return what that means.

        It must not be gone on with as if it were whole: what it misses may have bound this peer.
        """
        with suppress(OSError):
            self._file.close()
        try:
            self.path = self.path.rename(self.path.with_suffix(INCOMPLETE))
        except OSError:
            with suppress(OSError):
                self.path.unlink()
            self.lost = True
            return Fault.JOURNAL_LOST
        return Fault.JOURNAL_STALE

    def close(self, delete: bool = False) -> None:
        """Close the file; with ``delete``, remove it: the game is over.

        ``OSError`` if the disk refuses; the journal is closed then, too.
        """
        try:
            with naming(self.path):
                self._file.close()
        finally:
            if delete:
                self.path.unlink(missing_ok=True)


def journals(folder: Path) -> list[Path]:
    """Return the games in progress in a folder, the newest first; a pipe or a device is none."""
    changed: dict[Path, int] = {}
    found = (path for end in (SUFFIX, INCOMPLETE) for path in folder.glob(f"*{end}"))
    for path in (each for each in found if each.is_file() or each.is_dir()):
        with suppress(OSError):  # another program may have ended that game by now
            changed[path] = path.stat().st_mtime_ns
    return sorted(changed, key=lambda path: (-changed[path], path.name))


def in_use(path: Path) -> bool:
    """Tell whether a program has a journal open to play its game."""
    try:
        Journal._open(path, 0).close()
    except (JournalError, OSError) as error:  # whoever opens it is told what else is wrong
        return isinstance(error, JournalError)
    return False


def read_journal(path: Path) -> tuple[SavedGame, list[Entry]]:
    """Return what a journal holds, and change nothing: its game may be going on.

    Raises ``JournalError`` as ``Journal.open`` does, and ``OSError``.
    """
    kept, entries, _ = _read(path, path.read_bytes())
    return kept, entries


def _check(content: bytes, size: int = _CHECK) -> bytes:
    return blake2b(content, digest_size=size).digest()


def _read(path: Path, content: bytes) -> tuple[SavedGame, list[Entry], int]:
    """Return the game, what was kept of it, and where the last whole entry ends."""
    fault = Fault.JOURNAL_INCONSISTENT
    try:
        whole, at = _whole(content)
        if not whole:
            raise JournalError(Fault.NO_JOURNAL, path=str(path))
        entries = [_entry(each) for each in whole[1:]]
        fault = Fault.JOURNAL_VERSION
        kept = _kept(whole[0])
        for plain in [plain for kind, plain in entries if kind == _START]:
            accepts = items(plain, PEERS, "accepts", parse_accept)
            kept = replace(kept, roster=certified(kept.roster, accepts) or kept.roster)
        entries = [entry for entry in entries if entry[0] != _START]
    except (PeerError, ValueError, TypeError) as error:
        raise JournalError(fault, path=str(path), why=str(error)) from error
    if not _cut_off(content, at):
        raise Damaged(path, at, kept, entries)
    return kept, entries, at


def _whole(content: bytes) -> tuple[list[Any], int]:
    """Return the entries before the first one that is not whole, and where that one begins."""
    entries, at = [], 0
    while (size := _size(content, at)) is not None:
        start = at + _HEAD
        body = content[start : start + size]
        if _check(body) != content[at + _PREFIX : at + _PREFIX + _CHECK]:
            break
        entries.append(decode(body))
        at = start + size
    return entries, at


def _size(content: bytes, at: int) -> int | None:
    """Return the length that the head at a place says; ``None`` if none is there."""
    head = content[at : at + _HEAD]
    plain = head[: _PREFIX + _CHECK]
    if len(head) < _HEAD or _check(plain, _HEAD - len(plain)) != head[len(plain) :]:
        return None
    return int.from_bytes(head[:_PREFIX], "big")


def _cut_off(content: bytes, at: int) -> bool:
    """Tell whether what follows the whole entries is what a power failure leaves of the next one.

    That is less than the entry, or nothing but zeros where the file had grown already.
    """
    size, left = _size(content, at), len(content) - at
    return left < (_HEAD if size is None else _HEAD + size) or not any(content[at:])


def _entry(value: Any) -> Entry:
    kind, plain = fields(value, 2, "entry")
    return text(kind, 16, "kind"), plain


def _kept(value: Any) -> SavedGame:
    _, plain, addresses, seed, bots, (table, password) = fields(value, 6, "game")
    roster = parse_roster(plain)
    if roster.protocol <= UNSIGNED:
        raise ValueError("protocol 1" if isinstance(roster.rules, int) else "protocol 2")
    return SavedGame(
        roster=roster,
        addresses=dict(items(addresses, PEERS, "addresses", _places)),
        seed=binary(seed, SEED, "seed"),
        bots=dict(items(bots, SEATS, "AI", _bot)),
        table=text(table, NAME, "table"),
        password=bool(password),
    )


def _places(value: Any) -> tuple[bytes, tuple[Address, ...]]:
    key, places = fields(value, 2, "addresses")
    return binary(key, 32, "identity"), items(places, 2 * PLACES, "places", _place)


def _place(value: Any) -> Address:
    host, port = fields(value, 2, "address")
    return text(host, TABLE, "host"), uint(port, 1 << 16, "port")


def _bot(value: Any) -> tuple[int, tuple[str, bytes]]:
    seat, name, key = fields(value, 3, "AI")
    return uint(seat, SEATS, "seat"), (text(name, _BOT, "AI"), binary(key, SEED, "key"))
