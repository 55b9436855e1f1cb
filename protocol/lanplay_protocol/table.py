"""The table before the game as plain values: what its host decides and all others are shown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b
from ipaddress import ip_address
from typing import Any, Final

from lanplay_protocol.advert import TABLE_ID
from lanplay_protocol.identity import SIGNATURE, Identity, check_signature
from lanplay_protocol.replica.roster import NAME, PEERS, SEATS, TERMS, Peer, Roster, parse_rules
from lanplay_protocol.replica.roster import TABLE as TEXT
from lanplay_protocol.replica.settings import TableSettings, parse_settings
from lanplay_protocol.schema import binary, blob, fields, items, refuse, text, uint
from lanplay_protocol.text import alike, clean_text
from lanplay_protocol.wire import encode

LISTENS: Final = "listens"
BARRED: Final = 32
"""Kicked programs that a table remembers; of more the first are forgotten."""
PLACES: Final = 8
"""Addresses of its own that a program names at most; others may add as many."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: nobody's (``name`` empty), a person's, or a bot's; ``peer`` is who answers for it."""

    name: str = ""
    peer: bytes = b""
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Guest:
    """A program at the table: ``addresses`` are where its host sees it, ``places`` where it says
    itself that it listens, with its ``signature`` of that for the sitting that has its ``nonce``.
    """

    identity: bytes
    name: str
    addresses: tuple[tuple[str, int], ...]
    nonce: bytes = b""
    places: tuple[tuple[str, int], ...] = ()
    signature: bytes = b""

    @property
    def reached(self) -> tuple[tuple[str, int], ...]:
        """Where it may be reached while nobody has checked what it has signed."""
        return tuple(dict.fromkeys(self.addresses + self.places))

    def signed(self, identity: Identity) -> Guest:
        """Return it with its own signature of where it listens."""
        return replace(self, signature=identity.sign(LISTENS, encode((self.nonce, self.places))))

    def check_places(self, nonce: bytes) -> None:
        """Raise ``PeerError`` unless it has signed its places for a sitting."""
        check_signature(self.identity, LISTENS, encode((nonce, self.places)), self.signature)


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The table as everybody sees it while it forms. ``guests[0]`` is the host.

    It starts when ``people`` sit at it (0: when its host says so, or all seats are theirs); several
    may share a program, which has the name of the first of them. It takes no more while it is
    ``locked``, and never those that are ``barred``. ``term`` counts its hosts: 0 for the one that
    opened it, one more for each that took it over.
    """

    table: str
    name: str
    game: str
    rules: bytes
    options: tuple[tuple[str, str], ...]
    seats: tuple[Seat, ...]
    guests: tuple[Guest, ...]
    settings: TableSettings = field(default_factory=TableSettings)
    people: int = 0
    term: int = 0
    locked: bool = False
    barred: tuple[bytes, ...] = ()

    @property
    def free(self) -> int:
        """How many seats are nobody's."""
        return sum(not seat.name for seat in self.seats)

    @property
    def host(self) -> Guest:
        """The program that decides while the table forms."""
        return self.guests[0]

    @property
    def addresses(self) -> dict[bytes, tuple[tuple[str, int], ...]]:
        """Where each listens: what it has signed comes first, of the host how it was reached."""
        listed = {guest.identity: guest.places + guest.addresses for guest in self.guests}
        listed[self.host.identity] = self.host.reached
        return {identity: tuple(dict.fromkeys(places)) for identity, places in listed.items()}

    @property
    def heirs(self) -> tuple[Guest, ...]:
        """All others that have seats, in whose order they become the host."""
        placed = {self.place(guest.identity): guest for guest in self.guests[1:]}
        return tuple(guest for place, guest in sorted(placed.items()) if place < len(self.seats))

    def place(self, identity: bytes) -> int:
        """Return where the first person of a program sits; the number of seats if nowhere.

        That is who came with it, and then whoever else sits there.
        """
        names = {guest.name for guest in self.guests if guest.identity == identity}
        own = [(p, seat) for p, seat in enumerate(self.seats) if seat.peer == identity]
        first = [p for p, seat in own if seat.name in names]
        return next(iter([*first, *(p for p, seat in own if not seat.bot)]), len(self.seats))

    def persons(self, identity: bytes) -> tuple[str, ...]:
        """Return the names of the people who sit at a program, the first of them first."""
        first = self.place(identity)
        own = [p for p, seat in enumerate(self.seats) if seat.peer == identity and not seat.bot]
        return tuple(self.seats[p].name for p in sorted(own, key=lambda p: (p != first, p)))

    @property
    def came(self) -> int:
        """How many people sit at the table, and programs that AI answers for."""
        people = sum(bool(seat.name) and not seat.bot for seat in self.seats)
        return people + sum(not self.persons(guest.identity) for guest in self.guests)

    def follows(self, table: str, term: int) -> bool:
        """Tell whether this is a table in a later term, or what it is once its terms run out."""
        return self.term > term if self.table == table else self.table == renewed(table)

    def plain(self) -> tuple[Any, ...]:
        """Return the table as plain data."""
        seats = tuple((seat.name, seat.peer, seat.bot) for seat in self.seats)
        guests = tuple(
            (guest.identity, guest.name, guest.addresses, guest.places, guest.signature)
            for guest in self.guests
        )
        head = (self.table, self.name, self.game, self.rules, self.options)
        state = (self.people, self.term, int(self.locked), self.barred)
        return (*head, seats, guests, self.settings.plain(), state)

    def roster(self) -> Roster:
        """Return the table as it is offered: the programs that hold seats, as they came."""
        peers = []
        for guest in self.guests:
            held = tuple(p for p, seat in enumerate(self.seats) if seat.peer == guest.identity)
            if held:
                peers.append(Peer(guest.identity, guest.name, held, guest.nonce))
        names = tuple(seat.name for seat in self.seats)
        bots = tuple(seat.bot for seat in self.seats)
        options = dict(self.options)
        head = (self.game, self.rules, options, names, tuple(peers), bots, self.settings)
        return Roster(*head, table=self.table, term=self.term)


def renewed(table: str) -> str:
    """Return the id that a table has, for all, once a host has left too few of its terms."""
    return blake2b(table.encode(), digest_size=16).hexdigest()


def parse_table(value: Any) -> TableInfo:
    """Return the table of ``TableInfo.plain``; ``PeerError`` for any other shape."""
    table, name, game, rules, options, seats, guests, settings, state = fields(value, 9, "table")
    people, term, locked, barred = fields(state, 4, "state of the table")
    if not guests:
        refuse("a table without a host")
    info = TableInfo(
        table=text(table, TEXT, "table id"),
        name=clean_text(text(name, TEXT, "table name"), NAME),
        game=text(game, NAME, "game"),
        rules=parse_rules(rules),
        options=items(options, 16, "options", _option),
        seats=items(seats, SEATS, "seats", _seat),
        guests=items(guests, PEERS, "guests", _guest),
        settings=parse_settings(settings),
        people=uint(people, SEATS + 1, "people"),
        term=uint(term, TERMS, "term"),
        locked=bool(uint(locked, 2, "locked")),
        barred=items(barred, BARRED, "barred", lambda each: binary(each, 32, "identity")),
    )
    if not TABLE_ID.fullmatch(info.table):  # whoever hosts it next has to announce it
        refuse("a table id that is none")
    here = {guest.identity for guest in info.guests}
    if len(here) != len(info.guests):
        refuse("an identity comes twice to the table")
    if any(bool(seat.name) != (seat.peer in here) for seat in info.seats):
        refuse("a seat of a program that is not at the table")
    taken = [alike(seat.name) for seat in info.seats if seat.name]
    if len(set(taken)) < len(taken):
        refuse("two seats have one name")
    for guest in info.guests:  # who cheats is named by it
        held = [seat.name for seat in info.seats if seat.peer == guest.identity]
        if held and guest.name not in held:
            refuse("a laptop has the name of none of its seats")
    return info


def _option(value: Any) -> tuple[str, str]:
    name, chosen = fields(value, 2, "option")
    return text(name, NAME, "option"), text(chosen, NAME, "option value")


def _seat(value: Any) -> Seat:
    name, peer, bot = fields(value, 3, "seat")
    shown = clean_text(text(name, TEXT, "name"), NAME) if name else ""
    owner = binary(peer, 32, "identity") if peer else b""
    return Seat(shown, owner, text(bot, NAME, "bot"))


def _guest(value: Any) -> Guest:
    identity, name, addresses, places, signature = fields(value, 5, "guest")
    return Guest(
        binary(identity, 32, "identity"),
        clean_text(text(name, TEXT, "name"), NAME),
        items(addresses, PLACES, "addresses", parse_address),
        places=parse_places(places),
        signature=blob(signature, SIGNATURE, "signature"),
    )


def parse_places(value: Any) -> tuple[tuple[str, int], ...]:
    """Return where a program says that it listens; ``PeerError`` for what is no address."""
    places = items(value, PLACES, "places", parse_address)
    try:
        return tuple((str(ip_address(host)), port) for host, port in places)
    except ValueError:
        refuse("a place that is no address")


def parse_address(value: Any) -> tuple[str, int]:
    """Return a host and a port; ``PeerError`` for any other shape.

    The scope of a link-local address goes: it is of the machine that says it.
    """
    host, port = fields(value, 2, "address")
    return text(host, TEXT, "host").partition("%")[0], uint(port, 1 << 16, "port")


def parse_addresses(value: Any) -> tuple[tuple[bytes, tuple[tuple[str, int], ...]], ...]:
    """Return identities with where each may be reached; ``PeerError`` for any other shape."""
    return items(value, PEERS, "addresses", _reached)


def _reached(value: Any) -> tuple[bytes, tuple[tuple[str, int], ...]]:
    identity, places = fields(value, 2, "addresses")
    return binary(identity, 32, "identity"), items(places, 2 * PLACES, "places", parse_address)
