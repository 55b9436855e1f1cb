"""Who sits where: the peers of one game and the seats that each of them holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lanplay.engine.fingerprint import SIZE as FINGERPRINT
from lanplay.engine.plain import Plain
from lanplay.engine.record import Header, RulesId
from lanplay_protocol import PROTOCOL
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.identity import SIGNATURE
from lanplay_protocol.replica.settings import TableSettings, parse_settings
from lanplay_protocol.schema import binary, blob, fields, items, refuse, text, uint
from lanplay_protocol.text import clean_text
from lanplay_protocol.wire import encode

PEERS = 8
SEATS = 8
NAME = 32
NONCE = 32
TABLE = 64
TERMS = 1 << 16
_PARTS = (
    *("game", "rules", "options", "names", "peers", "bots", "settings", "start"),
    *("protocol", "table", "term"),
)
UNSIGNED = 2
"""The last protocol in which nobody signed the start and the end of a game."""


@dataclass(frozen=True, slots=True)
class Peer:
    """One process at the table: its identity, its name, and the seats it answers for.

    ``nonce`` is its own and fresh for every table: what is signed for this roster is of no other.
    """

    public: bytes
    name: str
    seats: tuple[int, ...]
    nonce: bytes = b""


@dataclass(frozen=True, slots=True)
class Roster:
    """What all agree on before a game: rules, options, peers in order, and who sits where.

    ``names[seat]`` is what the players read, ``bots[seat]`` the AI that sits there at the start
    (empty: a person). Peers are named by their place in ``peers``. ``start`` is what a game that
    is continued anew starts from (see ``Game.snapshot``). ``rules`` are a number in records of
    protocol 1 only; ``protocol`` is 2 where nobody has signed the end of the game.
    A table that was offered has its id, the ``term`` of its host, and the peers' signatures of the
    offer, in order (see ``lanplay_protocol.replica.start``); one of this machine alone, or one
    that is continued anew, has none of them.
    """

    game: str
    rules: RulesId
    options: Mapping[str, str]
    names: tuple[str, ...]
    peers: tuple[Peer, ...]
    bots: tuple[str, ...] = ()
    settings: TableSettings = field(default_factory=TableSettings)
    start: Plain = None
    protocol: int = PROTOCOL
    table: str = ""
    term: int = 0
    accepts: tuple[bytes, ...] = ()

    def bot(self, seat: int) -> str:
        """Return the AI that sits at a seat from the start; empty for a person."""
        return self.bots[seat] if self.bots else ""

    def host(self, seat: int) -> int:
        """Return the peer that answers for a seat."""
        return next(place for place, peer in enumerate(self.peers) if seat in peer.seats)

    def shown(self, peer: int) -> str:
        """Return a peer's name made harmless to show."""
        return clean_text(self.peers[peer].name, NAME)

    def plain(self) -> tuple[Any, ...]:
        """Return the roster as plain data, ready to send."""
        if self.protocol <= UNSIGNED:
            return self._game
        return (*self._game, self.protocol, (self.table, self.term, self.accepts))

    def named(self) -> dict[str, Any]:
        """Return what is offered, part by part."""
        offered = (*self._game, self.protocol, self.table, self.term)
        return dict(zip(_PARTS, offered, strict=True))

    @property
    def _game(self) -> tuple[Any, ...]:
        """What is played, and by whom."""
        peers = tuple((p.public, p.name, p.seats, p.nonce) for p in self.peers)
        options = tuple(self.options.items())
        return (
            self.game,
            self.rules,
            options,
            self.names,
            peers,
            self.bots,
            self.settings.plain(),
            self.start,
        )

    @property
    def header(self) -> Header:
        """The game before its first answer."""
        return Header(self.game, self.options, self.names, start=self.start, rules=self.rules)

    def digest(self) -> bytes:
        """Return the 32-byte hash that stands for the roster, and for the offer of its table.

        Of a game that is continued anew, too, it is another one than in protocol 2.
        """
        known = digest("roster", encode(self._game))
        if self.protocol <= UNSIGNED or not (self.table or self.start is not None):
            return known
        return digest("start", known, encode((self.table, self.term)))

    @property
    def quorum(self) -> int:
        """More than half of the peers that started."""
        return len(self.peers) // 2 + 1


def parse_roster(value: Any) -> Roster:
    """Return the roster of ``Roster.plain``.

    Raises ``PeerError`` unless every seat has exactly one host and no identity comes twice.
    """
    old = type(value) is tuple and len(value) == 8
    given = (*value, UNSIGNED, ("", 0, ())) if old else value
    *known, protocol, start_of = fields(given, 10, "roster")
    table, term, accepts = fields(start_of, 3, "start")
    game, rules, options, names, peers, bots, settings, start = known
    roster = Roster(
        game=text(game, NAME, "game"),
        rules=uint(rules, 1 << 16, "rules") if isinstance(rules, int) else parse_rules(rules),
        options=dict(items(options, 16, "options", _option)),
        names=items(names, SEATS, "names", lambda name: text(name, NAME, "name")),
        peers=items(peers, PEERS, "peers", _peer),
        bots=items(bots, SEATS, "AI", lambda bot: text(bot, NAME, "AI")),
        settings=parse_settings(settings),
        start=start,
        protocol=uint(protocol, PROTOCOL + 1, "protocol"),
        table=text(table, TABLE, "table id"),
        term=uint(term, TERMS, "term"),
        accepts=items(accepts, PEERS, "accepts", lambda one: binary(one, SIGNATURE, "accept")),
    )
    if roster.accepts and not roster.table:
        refuse("a start of no table that was offered")
    if not old and roster.protocol <= UNSIGNED:
        refuse("a start that protocol 2 did not have")
    if roster.bots and len(roster.bots) != len(roster.names):
        refuse("the AI seats are not those of the table")
    held = sorted(seat for peer in roster.peers for seat in peer.seats)
    if held != list(range(len(roster.names))) or not held:
        refuse("the seats are not each held by one peer")
    if len({peer.public for peer in roster.peers}) != len(roster.peers):
        refuse("an identity sits twice at the table")
    return roster


def parse_rules(value: Any) -> bytes:
    """Return the fingerprint of rules; ``PeerError`` if it is none."""
    return binary(value, FINGERPRINT, "rules")


def _option(value: Any) -> tuple[str, str]:
    name, chosen = fields(value, 2, "option")
    return text(name, NAME, "option"), text(chosen, NAME, "option value")


def _peer(value: Any) -> Peer:
    public, name, seats, nonce = fields(value, 4, "peer")
    held = items(seats, SEATS, "seats", lambda seat: uint(seat, SEATS, "seat"))
    if not held:
        refuse("a peer without a seat")
    shown = text(name, NAME, "peer name")
    return Peer(binary(public, 32, "identity"), shown, held, blob(nonce, NONCE, "nonce"))
