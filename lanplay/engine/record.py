"""The record of a game: one file format for solo games, tournaments, LAN games and bug reports.

A record is a header and the answers in order (``design``: header + answers = the game), closed by
the final state hash and a checksum over everything before it. Format 2 names the rules by their
fingerprint; format 1, which named them by a number kept by hand, is read for good. ``RecordError``
names the file and what is wrong with it; a record is read whole or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from lanplay import files
from lanplay.engine.plain import Plain, decode, encode
from lanplay.errors import Fault, Mistake, Problem, told_of

Entry: TypeAlias = Plain
"""What the record keeps of one request: answers in seat order, or the faces that were shown."""

RulesId: TypeAlias = bytes | int
"""The fingerprint of a game's rules (``Game.fingerprint``), or their number in format 1."""

MAGIC = b"lanplay record 2\n"
MAGIC_1 = b"lanplay record 1\n"
SUFFIX = ".lanplay"
ALONE = "alone"
"""In ``Record.extra``: the game was played at one machine, by the first seat's person and bots."""
AUTO = "auto"
"""The note in a record's ``extra`` that a bot had the first seat, and which: nobody played."""
FAILURES = "failures"
"""The note in a record's ``extra`` on bots that failed, and where: ``lanplay_ai.guard.Failure``."""
_CHECKSUM = 32
T = TypeVar("T")


class RecordError(Problem):
    """A record that cannot be used; it tells which file, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a game is before its first answer.

    ``seats`` names who sits where. ``seed`` is set for games played in one process, whose hidden
    faces and luck can therefore be worked out again; ``None`` for games between peers. ``start`` is
    what a game continued anew started from (see ``Game.snapshot``), ``None`` for all others.
    ``rules`` are those of a game that is kept; a game in memory alone needs no name for them.
    """

    game: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    seed: bytes | None = None
    start: Plain = None
    rules: RulesId = b""

    def plain(self) -> dict[str, Plain]:
        """Return the header as plain data in a fixed order."""
        return {
            "game": self.game,
            "version" if isinstance(self.rules, int) else "rules": self.rules,
            "options": dict(self.options),
            "seats": self.seats,
            "seed": self.seed,
            "start": self.start,
        }


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game. ``extra`` holds what only some have (a LAN game's signed messages)."""

    header: Header
    history: Sequence[Entry]
    state_hash: bytes
    finished: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """Return the record's file content; equal records, equal bytes."""
        body = encode(
            {
                "header": self.header.plain(),
                "history": tuple(self.history),
                "finished": int(self.finished),
                "state_hash": self.state_hash,
                "extra": dict(self.extra),
            }
        )
        magic = MAGIC_1 if isinstance(self.header.rules, int) else MAGIC
        return magic + body + _checksum(magic + body)

    def save(self, path: Path) -> None:
        """Write the file, for its owner alone, whole or not at all; ``OSError`` if that fails."""
        files.replace(path, self.to_bytes())


def load(path: Path) -> Record:
    """Read a record; ``RecordError`` if it is missing, no record, truncated or altered."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RecordError(Fault.CANNOT_OPEN, path=str(path), why=error.strerror) from error
    try:
        return from_bytes(content)
    except ValueError as error:
        raise RecordError(Fault.IN_FILE, path=str(path), why=told_of(error)) from error


def from_bytes(content: bytes) -> Record:
    """Return the record of ``Record.to_bytes``; ``ValueError`` that says what is wrong."""
    if not content.startswith((MAGIC, MAGIC_1)):
        raise Mistake(Fault.NO_RECORD)
    body, checksum = content[:-_CHECKSUM], content[-_CHECKSUM:]
    if len(content) < len(MAGIC) + _CHECKSUM or _checksum(body) != checksum:
        raise Mistake(Fault.RECORD_ALTERED)
    try:
        return _record(decode(body[len(MAGIC) :]), numbered=content.startswith(MAGIC_1))
    except (KeyError, TypeError, AttributeError) as error:
        raise Mistake(Fault.RECORD_FIELDS, why=str(error)) from error


def _record(data: Any, numbered: bool) -> Record:
    head = _field({"header": data["header"]}, "header", dict)
    header = Header(
        game=_field(head, "game", str),
        options=_texts(_field(head, "options", dict)),
        seats=tuple(_texts(dict(enumerate(_field(head, "seats", tuple)))).values()),
        seed=None if head["seed"] is None else _field(head, "seed", bytes),
        start=head.get("start"),
        rules=_field(head, "version", int) if numbered else _field(head, "rules", bytes),
    )
    return Record(
        header=header,
        history=_field(data, "history", tuple),
        state_hash=_field(data, "state_hash", bytes),
        finished=bool(_field(data, "finished", int)),
        extra=_field(data, "extra", dict),
    )


def _field(data: Mapping[Any, Any], name: Any, kind: type[T]) -> T:
    """Return a field, which may be a stranger's; ``TypeError`` if it is of another kind."""
    if type(data[name]) is not kind:
        raise TypeError(f"{name} is no {kind.__name__}")
    return cast("T", data[name])


def _texts(data: Mapping[Any, Any]) -> dict[Any, str]:
    return {name: _field(data, name, str) for name in data}


def _checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM).digest()
