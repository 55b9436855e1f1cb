"""What a table says of itself on the network, and how far a stranger's word for it is taken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NoReturn, TypeAlias, cast, get_args

from protocol import PROTOCOL
from protocol.text import NICKNAME_LIMIT, PLACEHOLDER, TABLE_NAME_LIMIT, clean_text

MAX_SEATS: Final = 16

MAX_PEOPLE: Final = 6
"""Nicknames an advert carries; a fuller table names its first ones."""

TXT_ENTRY_BYTES: Final = 255
"""The longest `key=value` string of a TXT record (RFC 6763, 6.1)."""

TableState: TypeAlias = Literal["open", "running"]

_PROTOCOL_RANGE = range(1, 65536)
_PORT_RANGE = range(1, 65536)
_SEAT_RANGE = range(MAX_SEATS + 1)

_TABLE_ID = re.compile(r"[0-9a-f]{32}")
_GAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_NUMBER = re.compile(r"[0-9]{1,5}")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,31}")


class BadAdvert(ValueError):
    """An advert breaks the format; `field` names where."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


@dataclass(frozen=True, slots=True)
class Advert:
    """A table as its host announces it. Raises BadAdvert for a field outside its range."""

    table_id: str
    """16 random bytes of the host's, as 32 lower-case hexadecimal digits."""
    table: str
    """The table's name, as `clean_text(…, TABLE_NAME_LIMIT)` leaves it."""
    host: str
    """The host's nickname, as `clean_text(…, NICKNAME_LIMIT)` leaves it."""
    game: str
    """The name on the command line, such as dice-town."""
    seats: int
    """0 to MAX_SEATS; 0 stands for unknown in the advert of another protocol."""
    free: int
    """Seats nobody holds yet, at most `seats`."""
    people: tuple[str, ...]
    """At most MAX_PEOPLE nicknames of those inside, the host's among them."""
    password: bool
    """Whether joining needs a password."""
    state: TableState
    version: str
    """The program's version, such as 0.3.1."""
    protocol: int
    port: int
    """The TCP port the host listens on."""

    def __post_init__(self) -> None:
        _matches("table_id", self.table_id, _TABLE_ID)
        _clean("table", self.table, TABLE_NAME_LIMIT)
        _clean("host", self.host, NICKNAME_LIMIT)
        _matches("game", self.game, _GAME)
        _within("seats", self.seats, _SEAT_RANGE)
        _within("free", self.free, range(self.seats + 1))
        _within("people", len(self.people), range(MAX_PEOPLE + 1))
        for nickname in self.people:
            _clean("people", nickname, NICKNAME_LIMIT)
        _one_of("state", self.state, get_args(TableState))
        _matches("version", self.version, _VERSION)
        _within("protocol", self.protocol, _PROTOCOL_RANGE)
        _within("port", self.port, _PORT_RANGE)

    @property
    def compatible(self) -> bool:
        """Whether this program can sit at that table."""
        return self.protocol == PROTOCOL

    def to_txt(self) -> dict[str, str]:
        """The TXT record (RFC 6763, 6): every entry within TXT_ENTRY_BYTES, all within 900 bytes.

        The port is not in it; it travels in the SRV record.
        """
        return {
            "protocol": str(self.protocol),
            "version": self.version,
            "id": self.table_id,
            "table": self.table,
            "host": self.host,
            "game": self.game,
            "seats": str(self.seats),
            "free": str(self.free),
            "password": str(int(self.password)),
            "state": self.state,
            **{f"in{place}": nickname for place, nickname in enumerate(self.people)},
        }


Properties: TypeAlias = Mapping[bytes, bytes | None]


def from_txt(properties: Properties, port: int | None) -> Advert:
    """The advert in a TXT record and its SRV record's port, all of it hostile until checked here.

    Names come out clean. Unknown keys are ignored. A record of another protocol number needs its
    id, its protocol number and a port only; what cannot be read of the rest is shown as unknown
    (PLACEHOLDER, 0 seats), so that a list can still name both versions.
    Raises BadAdvert, naming the first field that is missing, too long, undecodable or out of range.
    """
    protocol = _integer(properties, "protocol", _PROTOCOL_RANGE)
    lenient = protocol != PROTOCOL
    seats = _integer(properties, "seats", _SEAT_RANGE, 0 if lenient else None)
    free = _integer(properties, "free", range(seats + 1), 0 if lenient else None)
    state = _text(properties, "state", "open" if lenient else None)
    return Advert(
        table_id=_pattern(properties, "id", _TABLE_ID),
        table=_name(properties, "table", TABLE_NAME_LIMIT, lenient),
        host=_name(properties, "host", NICKNAME_LIMIT, lenient),
        game=_pattern(properties, "game", _GAME, "unknown" if lenient else None),
        seats=seats,
        free=free,
        people=tuple(_people(properties)),
        password=bool(_integer(properties, "password", range(2), 0 if lenient else None)),
        state=cast("TableState", state if state in get_args(TableState) or not lenient else "open"),
        version=_pattern(properties, "version", _VERSION, "0" if lenient else None),
        protocol=protocol,
        port=port if port is not None else 0,
    )


def _people(properties: Properties) -> Iterable[str]:
    for place in range(MAX_PEOPLE):
        if (key := f"in{place}").encode() in properties:
            yield clean_text(_text(properties, key), NICKNAME_LIMIT)


def _text(properties: Properties, field: str, fallback: str | None = None) -> str:
    raw = properties.get(field.encode())
    if raw is None or len(raw) > TXT_ENTRY_BYTES:
        if fallback is None:
            _refuse(field, "missing" if raw is None else f"over {TXT_ENTRY_BYTES} bytes")
        return fallback
    text = raw.decode("utf-8", "replace")
    if fallback is None and "\ufffd" in text:
        _refuse(field, "not UTF-8")
    return text


def _name(properties: Properties, field: str, limit: int, lenient: bool) -> str:
    return clean_text(_text(properties, field, PLACEHOLDER if lenient else None), limit)


def _pattern(
    properties: Properties, field: str, pattern: re.Pattern[str], fallback: str | None = None
) -> str:
    text = _text(properties, field, fallback)
    if pattern.fullmatch(text):
        return text
    if fallback is None:
        _refuse(field, "not of the form it has to be")
    return fallback


def _integer(
    properties: Properties, field: str, allowed: range, fallback: int | None = None
) -> int:
    text = _text(properties, field, None if fallback is None else str(fallback))
    if _NUMBER.fullmatch(text) and int(text) in allowed:
        return int(text)
    if fallback is None:
        _refuse(field, f"not a number from {allowed.start} to {allowed.stop - 1}")
    return fallback


def _matches(field: str, text: str, pattern: re.Pattern[str]) -> None:
    if not pattern.fullmatch(text):
        _refuse(field, "not of the form it has to be")


def _clean(field: str, text: str, limit: int) -> None:
    if clean_text(text, limit) != text:
        _refuse(field, "not clean text within its limit")


def _within(field: str, value: int, allowed: range) -> None:
    if value not in allowed:
        _refuse(field, f"not a number from {allowed.start} to {allowed.stop - 1}")


def _one_of(field: str, value: str, allowed: Iterable[str]) -> None:
    if value not in allowed:
        _refuse(field, "not one of the values it can have")


def _refuse(field: str, reason: str) -> NoReturn:
    raise BadAdvert(field, reason)
