"""A cut: the one decision that takes peers out of a game, or brings them back.

It is decided by single-decree Paxos (Lamport, "Paxos Made Simple", 2001) among all peers of the
roster, with the table's quorum; the cuts of a game are numbered from 0. A promise freezes the game
where its author stands, and it says which messages of the peers to be cut its author holds: the
decision counts exactly those of the furthest phase. So two halves never both go on, and whoever was
cut while still connected to somebody finds that nothing it did afterwards has happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.identity import SIGNATURE, Identity, check_signature
from lanplay_protocol.replica.messages import DIGEST, PHASES, SignedMessage, parse_signed
from lanplay_protocol.replica.roster import PEERS, Roster
from lanplay_protocol.schema import binary, blob, fields, items, refuse, text, uint
from lanplay_protocol.wire import FRAME_LIMIT, decode, encode

_LABEL = "cut"
CUTS = 1 << 16
BALLOTS = 1 << 48
_LIFE = 1 << 48
Ballot: TypeAlias = int
"""Round * PEERS + the proposer's place, so that no two peers propose under one ballot."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What is decided: at the end of ``phase``, ``lost`` are out and ``back`` take part again.

    ``transcript`` is the hash before that phase; ``moves`` are the messages of the lost in that
    phase which count. ``again`` are peers that are told anew what their seats know, as one of the
    lost had not told them the truth. With nobody in any of them, the game just goes on.
    """

    number: int
    lost: tuple[int, ...]
    back: tuple[int, ...]
    again: tuple[int, ...]
    phase: int
    transcript: bytes
    moves: tuple[SignedMessage, ...]

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        moves = tuple(move.plain() for move in self.moves)
        head = (self.number, self.lost, self.back, self.again)
        return (*head, self.phase, self.transcript, moves)

    def digest(self) -> bytes:
        """Return the 32 bytes that votes sign, and that enter the transcript."""
        return digest("cut", encode(self.plain()))


def parse_cut(value: Any) -> Cut:
    """Return the cut of ``Cut.plain``; ``PeerError`` for any other shape."""
    number, lost, back, again, phase, transcript, moves = fields(value, 7, "cut")
    return Cut(
        uint(number, CUTS, "cut"),
        _peers(lost),
        _peers(back),
        _peers(again),
        uint(phase, PHASES, "phase"),
        binary(transcript, DIGEST, "transcript hash"),
        items(moves, PEERS, "moves", parse_signed),
    )


def _peers(value: Any) -> tuple[int, ...]:
    peers = items(value, PEERS, "peers", lambda peer: uint(peer, PEERS, "peer"))
    if list(peers) != sorted(set(peers)):
        refuse("peers out of order")
    return peers


@dataclass(frozen=True, slots=True)
class Prepare:
    """Whoever promises will take part in no ballot below ``ballot``."""

    number: int
    ballot: Ballot
    lost: tuple[int, ...]

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.number, self.ballot, self.lost)


@dataclass(frozen=True, slots=True)
class Promise:
    """Where its author stands, what it holds of the lost there, and what it voted for before.

    ``again`` are the peers whose complaint about one of the lost it upheld; ``held`` is the hash of
    every message of a lost peer that it holds there, by peer; ``voted`` is the ballot and the cut's
    hash of its last vote in this decision, if it has voted. What these are hashes of travels with
    the promise (``Attached``).
    """

    number: int
    ballot: Ballot
    lost: tuple[int, ...]
    again: tuple[int, ...]
    phase: int
    transcript: bytes
    held: tuple[tuple[int, bytes], ...]
    voted: tuple[Ballot, bytes] | None = None

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        head = (self.number, self.ballot, self.lost, self.again)
        return (*head, self.phase, self.transcript, self.held, self.voted or ())


@dataclass(frozen=True, slots=True)
class Propose:
    """The proposer asks for votes for a cut, and shows why it may.

    ``why`` are the promises of a quorum under this ballot. If one of those had voted, the cut is
    the one of the highest such vote, and ``origin`` the promises it was first proposed for.
    """

    ballot: Ballot
    cut: Cut
    why: tuple[Ballots, ...] = ()
    origin: tuple[Ballots, ...] = ()

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        why = tuple(each.plain() for each in self.why)
        return (self.ballot, self.cut.plain(), why, tuple(each.plain() for each in self.origin))


@dataclass(frozen=True, slots=True)
class Vote:
    """Its author votes for the cut with this hash; a quorum of votes under one ballot decides."""

    number: int
    ballot: Ballot
    cut: bytes

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.number, self.ballot, self.cut)


@dataclass(frozen=True, slots=True)
class Return:
    """A peer that is out, or may be, asks to take part again after ``number`` cuts."""

    number: int

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.number,)


@dataclass(frozen=True, slots=True)
class Leave:
    """A peer gives up its seats for now: nobody need wait for it."""

    number: int

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.number,)


@dataclass(frozen=True, slots=True)
class Alive:
    """A peer is there, although not all have a link to it; ``beat`` grows with every such word."""

    beat: int

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.beat,)


Word: TypeAlias = Prepare | Promise | Propose | Vote | Return | Leave | Alive


@dataclass(frozen=True, slots=True)
class Ballots:
    """A signed word about a cut as it travels: author, bytes signed, signature.

    ``extra`` is not signed: what a promise names by its hash.
    """

    sender: int
    body: bytes
    signature: bytes
    extra: bytes = b""

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.sender, self.body, self.signature, self.extra)

    @property
    def bare(self) -> Ballots:
        """What is signed of it, alone."""
        return replace(self, extra=b"")


@dataclass(frozen=True, slots=True)
class Attached:
    """What a promise names by its hash: messages of the lost, and what its author voted for."""

    moves: tuple[SignedMessage, ...] = ()
    voted: Propose | None = None

    def encoded(self) -> bytes:
        """Return it as bytes."""
        voted = self.voted.plain() if self.voted else ()
        return encode((tuple(move.plain() for move in self.moves), voted))


def parse_attached(promise: Promise, extra: bytes) -> Attached:
    """Return what came with a promise; ``PeerError`` unless it is what the promise names."""
    moves, voted = fields(decode(extra), 2, "attached")
    found = Attached(items(moves, PEERS, "moves", parse_signed), _propose(voted) if voted else None)
    if tuple((move.sender, digest("held", move.body)) for move in found.moves) != promise.held:
        refuse("other messages than the promise names")
    named = found.voted and (found.voted.ballot, found.voted.cut.digest())
    if named != promise.voted:
        refuse("another vote than the promise names")
    return found


def _promise(value: Any) -> Promise:
    number, ballot, lost, again, phase, transcript, held, voted = fields(value, 8, "promise")
    return Promise(
        uint(number, CUTS, "cut"),
        uint(ballot, BALLOTS, "ballot"),
        _peers(lost),
        _peers(again),
        uint(phase, PHASES, "phase"),
        binary(transcript, DIGEST, "transcript hash"),
        items(held, PEERS, "messages", _held),
        _voted(voted) if voted != () else None,
    )


def _held(value: Any) -> tuple[int, bytes]:
    sender, body = fields(value, 2, "message")
    return uint(sender, PEERS, "sender"), binary(body, DIGEST, "hash")


def _voted(value: Any) -> tuple[Ballot, bytes]:
    ballot, cut = fields(value, 2, "vote")
    return uint(ballot, BALLOTS, "ballot"), binary(cut, DIGEST, "cut's hash")


def _prepare(value: Any) -> Prepare:
    number, ballot, lost = fields(value, 3, "preparation")
    return Prepare(uint(number, CUTS, "cut"), uint(ballot, BALLOTS, "ballot"), _peers(lost))


def _propose(value: Any) -> Propose:
    ballot, cut, why, origin = fields(value, 4, "proposal")
    return Propose(
        uint(ballot, BALLOTS, "ballot"),
        parse_cut(cut),
        items(why, PEERS, "promises", parse_ballots),
        items(origin, PEERS, "promises", parse_ballots),
    )


def _vote(value: Any) -> Vote:
    number, ballot, cut = fields(value, 3, "vote")
    return Vote(
        uint(number, CUTS, "cut"),
        uint(ballot, BALLOTS, "ballot"),
        binary(cut, DIGEST, "cut's hash"),
    )


def _number(value: Any) -> int:
    return uint(fields(value, 1, "number")[0], CUTS, "cut")


_PARSERS: Mapping[str, Any] = {
    "prepare": _prepare,
    "promise": _promise,
    "propose": _propose,
    "vote": _vote,
    "return": lambda value: Return(_number(value)),
    "leave": lambda value: Leave(_number(value)),
    "alive": lambda value: Alive(uint(fields(value, 1, "beat")[0], _LIFE, "beat")),
}


def parse_kept(kind: str, value: Any) -> Word:
    """Return the promise or the vote that this peer had kept."""
    return _promise(value) if kind == "promise" else _propose(value)


def sign_word(word: Word, sender: int, identity: Identity, game: bytes) -> Ballots:
    """Return a word signed for a game."""
    body = encode((game, sender, type(word).__name__.lower(), word.plain()))
    return Ballots(sender, body, identity.sign(_LABEL, body))


def parse_ballots(value: Any) -> Ballots:
    """Return the message of ``Ballots.plain``; ``PeerError`` for any other shape."""
    sender, body, signature, extra = fields(value, 4, "word")
    return Ballots(
        uint(sender, PEERS, "sender"),
        blob(body, FRAME_LIMIT, "body"),
        binary(signature, SIGNATURE, "signature"),
        blob(extra, FRAME_LIMIT, "attached"),
    )


def check_word(ballots: Ballots, roster: Roster, game: bytes) -> Word:
    """Return what a message says; ``PeerError`` unless its named author signed it for this game."""
    sender = uint(ballots.sender, len(roster.peers), "sender")
    check_signature(roster.peers[sender].public, _LABEL, ballots.body, ballots.signature)
    named, author, kind, plain = fields(decode(ballots.body), 4, "word")
    if named != game or author != sender:
        refuse("a word of another game or author")
    parser = _PARSERS.get(text(kind, 16, "kind"))
    if parser is None:
        refuse(f"a word of kind {kind!r}")
    word: Word = parser(plain)
    return word


@dataclass(frozen=True, slots=True)
class Decided:
    """A cut with the votes of a quorum for it: proof for whoever was not there.

    ``why`` are the promises it was proposed for: with another decision in its place they name who
    denied a vote.
    """

    cut: Cut
    votes: tuple[Ballots, ...]
    why: tuple[Ballots, ...] = ()

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        votes = tuple(vote.plain() for vote in self.votes)
        return (self.cut.plain(), votes, tuple(each.plain() for each in self.why))


def parse_decided(value: Any) -> Decided:
    """Return the decision of ``Decided.plain``; ``PeerError`` for any other shape."""
    cut, votes, why = fields(value, 3, "decision")
    return Decided(
        parse_cut(cut),
        items(votes, PEERS, "votes", parse_ballots),
        items(why, PEERS, "promises", parse_ballots),
    )


def check_decided(decided: Decided, roster: Roster, game: bytes) -> Ballot:
    """Return the ballot; ``PeerError`` unless a quorum voted for this cut under one."""
    known, voters, ballots = decided.cut.digest(), set(), set()
    for each in decided.votes:
        word = check_word(each, roster, game)
        if not isinstance(word, Vote) or (word.number, word.cut) != (decided.cut.number, known):
            refuse("a vote for something else")
        voters.add(each.sender)
        ballots.add(word.ballot)
    if len(voters) < roster.quorum or len(ballots) != 1:
        refuse("no quorum voted for this cut")
    (ballot,) = ballots
    return ballot
