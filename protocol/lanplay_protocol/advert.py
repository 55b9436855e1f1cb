"""What a table says of itself on the network, and how far a stranger's word for it is taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, Literal, TypeAlias, TypeVar, cast, get_args

from lanplay_protocol import PROTOCOL
from lanplay_protocol.text import NICKNAME_LIMIT, PLACEHOLDER, TABLE_NAME_LIMIT, clean_text

MAX_SEATS: Final = 16

MAX_PEOPLE: Final = 6
"""Nicknames an advert carries, and kept seats; a fuller table names its first ones."""

MAX_ADDRESSES: Final = 32
"""Addresses a table is listed with, those of all peers that announce it together."""

FINGERPRINT: Final = 16
"""Hexadecimal digits of a peer's key in an advert."""

TXT_ENTRY_BYTES: Final = 255
"""The longest `key=value` string of a TXT record (RFC 6763, 6.1)."""

TableState: TypeAlias = Literal["open", "running", "ended"]

Properties: TypeAlias = Mapping[bytes, bytes | None]
"""A TXT record as it came: key to value, None for a key without one."""

T = TypeVar("T")

_PROTOCOL_RANGE = range(1, 65536)
_PORT_RANGE = range(1, 65536)
_SEAT_RANGE = range(MAX_SEATS + 1)

TABLE_ID = re.compile(r"[0-9a-f]{32}")
_FINGERPRINT = re.compile(r"([0-9a-f]{16})?")
_KEPT = re.compile(r"[0-9a-f]{16}")
_GAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_DIGITS = re.compile(r"[0-9]{1,5}")
_BROADCAST = IPv4Address("255.255.255.255")
_RULES = re.compile(r"[0-9a-f]{8}")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,31}")


class BadAdvert(ValueError):
    """An advert breaks the format; `field` names where."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field


@dataclass(frozen=True, slots=True)
class Advert:
    """A table as one of its peers announces it; all of them may, under the same `table_id`.

    Raises BadAdvert for a field outside its range.
    """

    table_id: str
    """16 bytes that no other table has, as 32 lower-case hexadecimal digits."""
    table: str
    """The table's name, as `clean_text(…, TABLE_NAME_LIMIT)` leaves it."""
    host: str
    """The host's nickname, as `clean_text(…, NICKNAME_LIMIT)` leaves it."""
    game: str
    """The name on the command line, such as dice-town."""
    seats: int
    """At most MAX_SEATS; 0 stands for unknown in the advert of another protocol."""
    free: int
    """Seats nobody holds yet, at most `seats`."""
    people: tuple[str, ...]
    """At most MAX_PEOPLE nicknames of those inside, the host's among them."""
    password: bool
    """Whether joining needs a password."""
    state: TableState
    rules: str
    """The first digits of the fingerprint of the game's rules, as they are shown: a hint."""
    version: str
    """The program's version, such as 0.3.1."""
    protocol: int
    port: int
    """The TCP port that peer listens on."""
    peer: str = ""
    """Who announces: the `fingerprint` of its key; empty where only one peer ever does."""
    kept: tuple[str, ...] = ()
    """For whom seats are kept who are not there: at most MAX_PEOPLE fingerprints."""

    def __post_init__(self) -> None:
        _matches("table_id", self.table_id, TABLE_ID)
        _require_clean("table", self.table, TABLE_NAME_LIMIT)
        _require_clean("host", self.host, NICKNAME_LIMIT)
        _matches_or_unknown("game", self.game, _GAME)
        _within("seats", self.seats, _SEAT_RANGE)
        _within("free", self.free, range(self.seats + 1))
        _within("people", len(self.people), range(MAX_PEOPLE + 1))
        for nickname in self.people:
            _require_clean("people", nickname, NICKNAME_LIMIT)
        _known_state(self.state)
        _matches_or_unknown("rules", self.rules, _RULES)
        _matches_or_unknown("version", self.version, _VERSION)
        _within("protocol", self.protocol, _PROTOCOL_RANGE)
        _within("port", self.port, _PORT_RANGE)
        _matches("peer", self.peer, _FINGERPRINT)
        _within("kept", len(self.kept), range(MAX_PEOPLE + 1))
        for peer in self.kept:
            _matches("kept", peer, _KEPT)

    @property
    def instance(self) -> str:
        """The name of this announcement: no other peer's of the table has the same."""
        return f"{self.table_id}-{self.peer}" if self.peer else self.table_id

    @property
    def compatible(self) -> bool:
        """Whether this program can sit at that table."""
        return self.protocol == PROTOCOL

    def keeps(self, public: bytes) -> bool:
        """Whether a seat is kept for whoever has this key; no key is empty."""
        return bool(public) and fingerprint(public) in self.kept

    def to_txt(self) -> dict[str, str]:
        """The TXT record (RFC 6763, 6): every entry within TXT_ENTRY_BYTES, all within 1000 bytes.

        The port is not in it; it travels in the SRV record.
        """
        return {
            "protocol": str(self.protocol),
            "version": self.version,
            "r": self.rules,
            "id": self.table_id,
            "table": self.table,
            "host": self.host,
            "game": self.game,
            "seats": str(self.seats),
            "free": str(self.free),
            "password": str(int(self.password)),
            "state": self.state,
            **({"peer": self.peer} if self.peer else {}),
            **({"kept": "".join(self.kept)} if self.kept else {}),
            **{f"in{place}": nickname for place, nickname in enumerate(self.people)},
        }


def fingerprint(public: bytes) -> str:
    """The first 8 bytes of a peer's public key, as 16 hexadecimal digits: a hint, never a proof."""
    return public.hex()[:FINGERPRINT]


def from_txt(properties: Properties, port: int | None) -> Advert:
    """The advert in a TXT record and its SRV record's port, all of it hostile until checked here.

    Names come out clean. Unknown keys are ignored. A record of another protocol number needs only
    its id, that number and a port; what cannot be read of the rest is shown as unknown
    (PLACEHOLDER, 0 seats), so that a list can still name both versions.
    Raises BadAdvert with the first field that is missing, too long, undecodable or out of range.
    """
    protocol = _integer(properties, "protocol", _PROTOCOL_RANGE)
    strict = protocol == PROTOCOL

    def read(parse: Callable[[], T], unknown: T) -> T:
        try:
            return parse()
        except BadAdvert:
            if strict:
                raise
            return unknown

    seats = read(lambda: _integer(properties, "seats", _SEAT_RANGE[1:]), 0)
    return Advert(
        table_id=_pattern(properties, "id", TABLE_ID),
        table=read(lambda: _name(properties, "table", TABLE_NAME_LIMIT), PLACEHOLDER),
        host=read(lambda: _name(properties, "host", NICKNAME_LIMIT), PLACEHOLDER),
        game=read(lambda: _pattern(properties, "game", _GAME), PLACEHOLDER),
        seats=seats,
        free=read(lambda: _integer(properties, "free", range(seats + 1)), 0),
        people=read(lambda: tuple(_people(properties)), ()),
        password=read(lambda: _integer(properties, "password", range(2)) == 1, False),
        state=read(lambda: _known_state(_value(properties, "state")), "running"),
        rules=read(lambda: _pattern(properties, "r", _RULES), PLACEHOLDER),
        version=read(lambda: _pattern(properties, "version", _VERSION), PLACEHOLDER),
        protocol=protocol,
        port=port or 0,
        peer=read(lambda: _peer(properties), ""),
        kept=read(lambda: _kept(properties), ()),
    )


def candidates(addresses: Iterable[str]) -> tuple[str, ...]:
    """The addresses worth dialling, in the order to try them, none twice.

    IPv4 first, then IPv6, then link-local IPv6 with its scope (`fe80::1%3`), loopback last;
    `addresses` come newest first and stay so within each kind. Left out: what is no address,
    unspecified, multicast or broadcast, and a link-local IPv6 address without its scope, which no
    socket could reach.
    """
    usable = [address for text in addresses if (address := _usable(text))]
    return tuple(str(address) for address in sorted(dict.fromkeys(usable), key=_kind))


_Address: TypeAlias = IPv4Address | IPv6Address


def _usable(text: str) -> _Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if address.is_unspecified or address.is_multicast or address == _BROADCAST:
        return None
    unscoped = isinstance(address, IPv6Address) and address.is_link_local and not address.scope_id
    return None if unscoped else address


def _kind(address: _Address) -> int:
    if address.is_loopback:
        return 3
    return 0 if address.version == 4 else 1 + address.is_link_local


def _value(properties: Properties, field: str) -> str:
    raw = properties.get(field.encode())
    if raw is None:
        raise BadAdvert(field, "missing")
    if len(raw) > TXT_ENTRY_BYTES:
        raise BadAdvert(field, f"{len(raw)} bytes, at most {TXT_ENTRY_BYTES} are allowed")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise BadAdvert(field, "not UTF-8") from None


def _integer(properties: Properties, field: str, allowed: range) -> int:
    text = _value(properties, field)
    if not _DIGITS.fullmatch(text):
        raise BadAdvert(field, f"{text!r} is no number of at most 5 digits")
    return _within(field, int(text), allowed)


def _pattern(properties: Properties, field: str, pattern: re.Pattern[str]) -> str:
    return _matches(field, _value(properties, field), pattern)


def _name(properties: Properties, field: str, limit: int) -> str:
    return clean_text(_value(properties, field), limit)


def _peer(properties: Properties) -> str:
    return _pattern(properties, "peer", _FINGERPRINT) if b"peer" in properties else ""


def _kept(properties: Properties) -> tuple[str, ...]:
    text = _value(properties, "kept") if b"kept" in properties else ""
    return tuple(text[at : at + FINGERPRINT] for at in range(0, len(text), FINGERPRINT))


def _people(properties: Properties) -> Iterator[str]:
    """The nicknames in in0, in1, …: up to the first place that is not there."""
    for place in range(MAX_PEOPLE):
        if f"in{place}".encode() not in properties:
            return
        yield _name(properties, f"in{place}", NICKNAME_LIMIT)


def _known_state(text: str) -> TableState:
    if text not in get_args(TableState):
        raise BadAdvert("state", f"{text!r} is none of {get_args(TableState)}")
    return cast("TableState", text)


def _matches(field: str, text: str, pattern: re.Pattern[str]) -> str:
    if not pattern.fullmatch(text):
        raise BadAdvert(field, f"{text!r} does not match {pattern.pattern}")
    return text


def _matches_or_unknown(field: str, text: str, pattern: re.Pattern[str]) -> None:
    if text != PLACEHOLDER:
        _matches(field, text, pattern)


def _within(field: str, number: int, allowed: range) -> int:
    if number not in allowed:
        raise BadAdvert(field, f"{number} is not in {allowed.start} to {allowed.stop - 1}")
    return number


def _require_clean(field: str, text: str, limit: int) -> None:
    if clean_text(text, limit) != text:
        raise BadAdvert(field, f"{text!r} is not clean text of at most {limit} characters")
