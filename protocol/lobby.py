"""The table before the game: who sits where, decided by its host, shown alike to all.

Sans-I/O: the host's ``Lobby`` takes what guests ask for and gives the table as it is now; guests
hold nothing but the last table they were sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from protocol.errors import Code, PeerError
from protocol.replica.house import House, parse_house
from protocol.replica.roster import NAME, PEERS, SEATS, Peer, Roster
from protocol.schema import binary, fields, items, text, uint
from protocol.text import NICKNAME_LIMIT, clean_text

TEXT = 64


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: nobody's (``name`` empty), a person's, or a bot's; ``peer`` is who answers for it."""

    name: str = ""
    peer: bytes = b""
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Guest:
    """A program at the table, and the addresses at which others may reach it."""

    identity: bytes
    name: str
    addresses: tuple[tuple[str, int], ...]
    nonce: bytes = b""


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The table as everybody sees it while it forms. ``guests[0]`` is the host."""

    table: str
    name: str
    game: str
    version: int
    options: tuple[tuple[str, str], ...]
    seats: tuple[Seat, ...]
    guests: tuple[Guest, ...]
    house: House = field(default_factory=House)

    @property
    def free(self) -> int:
        """How many seats are nobody's."""
        return sum(not seat.name for seat in self.seats)

    def plain(self) -> tuple[Any, ...]:
        """Return the table as plain data."""
        seats = tuple((seat.name, seat.peer, seat.bot) for seat in self.seats)
        guests = tuple((guest.identity, guest.name, guest.addresses) for guest in self.guests)
        head = (self.table, self.name, self.game, self.version, self.options)
        return (*head, seats, guests, self.house.plain())

    def roster(self) -> Roster:
        """Return who plays: the programs that hold seats, in the order in which they came."""
        peers = []
        for guest in self.guests:
            held = tuple(p for p, seat in enumerate(self.seats) if seat.peer == guest.identity)
            if held:
                peers.append(Peer(guest.identity, guest.name, held, guest.nonce))
        names = tuple(seat.name for seat in self.seats)
        bots = tuple(seat.bot for seat in self.seats)
        options = dict(self.options)
        return Roster(self.game, self.version, options, names, tuple(peers), bots, self.house)


def parse_table(value: Any) -> TableInfo:
    """Return the table of ``TableInfo.plain``; ``PeerError`` for any other shape."""
    table, name, game, version, options, seats, guests, house = fields(value, 8, "table")
    return TableInfo(
        table=text(table, TEXT, "table id"),
        name=clean_text(text(name, TEXT, "table name"), NAME),
        game=text(game, NAME, "game"),
        version=uint(version, 1 << 16, "rules version"),
        options=items(options, 16, "options", _option),
        seats=items(seats, SEATS, "seats", _seat),
        guests=items(guests, PEERS, "guests", _guest),
        house=parse_house(house),
    )


def _option(value: Any) -> tuple[str, str]:
    name, chosen = fields(value, 2, "option")
    return text(name, NAME, "option"), text(chosen, NAME, "option value")


def _seat(value: Any) -> Seat:
    name, peer, bot = fields(value, 3, "seat")
    shown = clean_text(text(name, TEXT, "name"), NAME) if name else ""
    owner = binary(peer, 32, "identity") if peer else b""
    return Seat(shown, owner, text(bot, NAME, "bot"))


def _guest(value: Any) -> Guest:
    identity, name, addresses = fields(value, 3, "guest")
    shown = clean_text(text(name, TEXT, "name"), NAME)
    return Guest(
        binary(identity, 32, "identity"), shown, items(addresses, 8, "addresses", parse_address)
    )


def parse_address(value: Any) -> tuple[str, int]:
    """Return a host and a port; ``PeerError`` for any other shape."""
    host, port = fields(value, 2, "address")
    return text(host, TEXT, "host"), uint(port, 1 << 16, "port")


class Lobby:
    """The host's side of a forming table."""

    def __init__(self, info: TableInfo) -> None:
        self.info = info
        self.running = False

    def join(self, guest: Guest) -> int:
        """Seat a guest on the first free seat and return it (its old one if it is back).

        Raises ``PeerError`` that tells the guest why it cannot join.
        """
        info = self.info
        for place, seat in enumerate(info.seats):
            if seat.peer == guest.identity and not seat.bot:
                return place
        if self.running:
            raise PeerError(Code.UNEXPECTED, f"table {info.name!r} has begun to play without you")
        free = [place for place, seat in enumerate(info.seats) if not seat.name]
        if not free:
            raise PeerError(Code.UNEXPECTED, f"table {info.name!r} is full: all seats are taken")
        guest = replace(guest, name=self._unique(guest.name))
        self.info = replace(info, guests=(*info.guests, guest))
        self._set(free[0], Seat(guest.name, guest.identity))
        return free[0]

    def leave(self, identity: bytes) -> bool:
        """Free the seats of a guest that is gone; return whether it held any."""
        info = self.info
        if self.running or all(guest.identity != identity for guest in info.guests[1:]):
            return False
        guests = tuple(guest for guest in info.guests if guest.identity != identity)
        seats = tuple(Seat() if seat.peer == identity else seat for seat in info.seats)
        self.info = replace(info, guests=guests, seats=seats)
        return True

    def fill(self, bot: str, namer: Callable[[int], str] | None = None) -> int:
        """Put a bot, held by the host, on every free seat; return how many."""
        free = [place for place, seat in enumerate(self.info.seats) if not seat.name]
        for place in free:
            name = namer(place) if namer else f"{bot} {place + 1}"
            self._set(place, Seat(self._unique(name), self.info.guests[0].identity, bot))
        return len(free)

    def set_options(self, options: Mapping[str, str]) -> None:
        """Change the table's options (checked by the caller)."""
        self.info = replace(self.info, options=tuple(options.items()))

    def start(self) -> Roster:
        """Freeze the table and return its roster; ``ValueError`` while a seat is free."""
        if self.info.free:
            raise ValueError(f"{self.info.free} seats are free: fill them with AI or wait")
        self.running = True
        return self.info.roster()

    def _set(self, place: int, seat: Seat) -> None:
        seats = (*self.info.seats[:place], seat, *self.info.seats[place + 1 :])
        self.info = replace(self.info, seats=seats)

    def _unique(self, name: str) -> str:
        taken = {seat.name for seat in self.info.seats}
        number, unique = 2, name
        while unique in taken:
            unique = f"{clean_text(name, NICKNAME_LIMIT - 3)} {number}"
            number += 1
        return unique
