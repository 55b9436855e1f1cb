"""The start of a game in two steps: its host offers a table, and everybody signs that very one.

What all have signed is the start certificate: the game's id hangs on it, so that there is no game
without. An accept is void once its author has signed one of a higher term of that table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import SIGNATURE, Identity, check_signature
from lanplay_protocol.replica.roster import NONCE, TABLE, TERMS, Roster
from lanplay_protocol.schema import binary, fields, refuse, text, uint
from lanplay_protocol.wire import encode

ACCEPT = "accept"
_DIGEST = 32


@dataclass(frozen=True, slots=True)
class Accept:
    """Its author agrees to play at a table as it is offered in a term: one offer for each term.

    ``offer`` is the digest of the roster that is offered.
    """

    public: bytes
    table: str
    term: int
    offer: bytes
    signature: bytes = b""

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.public, self.table, self.term, self.offer, self.signature)

    @property
    def body(self) -> bytes:
        """What is signed."""
        return encode((self.table, self.term, self.offer))


def accept(offer: Roster, identity: Identity) -> Accept:
    """Return the signed word that its author plays at a table as it is offered."""
    bare = Accept(identity.public, offer.table, offer.term, offer.digest())
    return replace(bare, signature=identity.sign(ACCEPT, bare.body))


def check_accept(given: Accept) -> Accept:
    """Return an accept; ``PeerError`` unless its author signed it."""
    check_signature(given.public, ACCEPT, given.body, given.signature)
    return given


def parse_accept(value: Any) -> Accept:
    """Return the accept of ``Accept.plain``; ``PeerError`` unless its author signed it."""
    public, table, term, offer, signature = fields(value, 5, "accept")
    return check_accept(
        Accept(
            binary(public, 32, "identity"),
            text(table, TABLE, "table id"),
            uint(term, TERMS, "term"),
            binary(offer, _DIGEST, "offer"),
            binary(signature, SIGNATURE, "signature"),
        )
    )


def signed_twice(accepts: Iterable[Accept]) -> dict[bytes, tuple[Accept, Accept]]:
    """Return the keys of those who have signed two offers of one table in one term, with both.

    It is proof: an honest program signs one, whatever it is shown and however often it is started.
    """
    seen: dict[tuple[bytes, str, int], Accept] = {}
    found: dict[bytes, tuple[Accept, Accept]] = {}
    for each in accepts:
        first = seen.setdefault((each.public, each.table, each.term), each)
        if first.offer != each.offer:
            found.setdefault(each.public, (first, each))
    return found


def accepts_of(roster: Roster) -> tuple[Accept, ...]:
    """Return what the peers of a table have signed of its start."""
    offer = roster.digest()
    named = zip(roster.peers, roster.accepts, strict=False)
    return tuple(Accept(p.public, roster.table, roster.term, offer, s) for p, s in named)


def of_this_start(roster: Roster, offers: Mapping[bytes, Sequence[Accept]]) -> Iterator[Accept]:
    """Give what convicts peers of a table of two offers in its very term."""
    for peer in roster.peers:
        yield from (each for each in offers.get(peer.public, ()) if each.term == roster.term)


def certified(offer: Roster, accepts: Iterable[Accept]) -> Roster | None:
    """Return the table with the accepts of all its peers; ``None`` while one is missing."""
    digest = offer.digest()
    by = {each.public: each.signature for each in accepts if each.offer == digest}
    signatures = [by.get(peer.public) for peer in offer.peers]
    whole = tuple(each for each in signatures if each is not None)
    return replace(offer, accepts=whole) if len(whole) == len(signatures) else None


def check_start(roster: Roster) -> None:
    """Raise ``PeerError`` unless all peers of a table that was offered have accepted it."""
    if not roster.table:
        return
    if len(roster.accepts) != len(roster.peers):
        refuse("a start that not all have accepted")
    for each in accepts_of(roster):
        check_accept(each)


def difference(shown: Roster, offered: Roster, own: bytes, nonce: bytes) -> str:
    """Return what of an offer is not as the table that was shown; empty where nothing differs.

    Nonces are shown by nobody: one's own has to be in the offer, any of the others.
    """
    place = next((n for n, peer in enumerate(offered.peers) if peer.public == own), None)
    if place is None or offered.peers[place].nonce != nonce:
        return "peers"
    if any(len(peer.nonce) != NONCE for peer in offered.peers) or offered.accepts:
        return "peers"
    bare = tuple(replace(peer, nonce=b"") for peer in offered.peers)
    known = tuple(replace(peer, nonce=b"") for peer in shown.peers)
    one = replace(shown, peers=known).named()
    other = replace(offered, peers=bare).named()
    return next((name for name in one if encode(one[name]) != encode(other[name])), "")


def refused(error: PeerError) -> str:
    """Return what to call the cause of an offer that cannot even be read."""
    return "form" if error.code is Code.MALFORMED else str(error.code)
