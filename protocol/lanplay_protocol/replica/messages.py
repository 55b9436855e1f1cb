"""The signed statements of a game, and their one encoding (docs/protocol.md).

What is signed is a statement's slot and the hash of its body: two of these for one slot convict
their author, whoever holds the bodies. A slot does not contain the past; a message shows its past.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.identity import SIGNATURE, Identity, check_signature
from lanplay_protocol.replica.roster import PEERS, SEATS, UNSIGNED, Roster
from lanplay_protocol.schema import binary, blob, fields, items, refuse, text, uint
from lanplay_protocol.wire import FRAME_LIMIT, decode, encode

DIGEST = 32
PHASES = 1 << 24
VIEWS = 1 << 24
BEATS = 1 << 48
MOVE, STATUS = "move", "status"
START = ""
ALIVE, LEAVE, OPEN, WAITS = "alive", "leave", "open", "waits"
COMPLAINT = "complaint"
BODY = FRAME_LIMIT - 1024
"""Bytes of a body: in whatever message a statement is shown to others, it fits a frame."""
_DISCLOSURE = 128

Slot: TypeAlias = tuple[str, int, int, int]
"""Kind, author, view and phase: what a peer signs one body for."""
Key: TypeAlias = tuple[str, int, int, int, bytes]
"""A slot, and the hash of a body for it: one statement."""


def _named(game: bytes, key: Key) -> bytes:
    return encode((game, *key))


@dataclass(frozen=True, slots=True)
class Citation:
    """The name of a statement, and its author's signature: evidence without the body."""

    sender: int
    view: int
    phase: int
    digest: bytes
    signature: bytes

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.sender, self.view, self.phase, self.digest, self.signature)

    def key(self, kind: str) -> Key:
        """Return the statement that is named."""
        return (kind, self.sender, self.view, self.phase, self.digest)


def parse_ref(value: Any) -> Citation:
    """Return the name of ``Citation.plain``; ``PeerError`` for any other shape."""
    sender, view, phase, body, signature = fields(value, 5, "name of a statement")
    return Citation(
        uint(sender, PEERS, "sender"),
        uint(view, VIEWS, "view"),
        uint(phase, PHASES, "phase"),
        binary(body, DIGEST, "hash"),
        binary(signature, SIGNATURE, "signature"),
    )


def check_ref(ref: Citation, kind: str, roster: Roster, game: bytes) -> None:
    """Raise ``PeerError`` unless the statement was signed by the author that is named."""
    sender = uint(ref.sender, len(roster.peers), "sender")
    public = roster.peers[sender].public
    check_signature(public, kind, _named(game, ref.key(kind)), ref.signature)


@dataclass(frozen=True, slots=True)
class Past:
    """What a transcript hash is the hash of: a phase's messages, or the statuses of a view.

    ``before`` is the hash before those. At the start nothing was before but that.
    """

    kind: str
    before: bytes
    refs: tuple[Citation, ...] = ()
    hash: bytes = field(init=False, compare=False)

    def __post_init__(self) -> None:
        named = [encode(ref.key(self.kind)) for ref in self.refs]
        label = "transcript" if self.kind == MOVE else "view"
        known = self.before if self.kind == START else digest(label, self.before, *named)
        object.__setattr__(self, "hash", known)

    @property
    def keys(self) -> list[Key]:
        """The statements that it names."""
        return [ref.key(self.kind) for ref in self.refs]

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.kind, self.before, tuple(ref.plain() for ref in self.refs))


def parse_past(value: Any) -> Past:
    """Return the past of ``Past.plain``; ``PeerError`` for any other shape."""
    kind, before, refs = fields(value, 3, "past")
    if kind not in (START, MOVE, STATUS):
        refuse("a past of no kind")
    found = items(refs, PEERS, "names", parse_ref)
    if [r.sender for r in found] != sorted({r.sender for r in found}) or (found and not kind):
        refuse("names out of order")
    return Past(kind, binary(before, DIGEST, "transcript hash"), found)


@dataclass(frozen=True, slots=True)
class PhaseMessage:
    """A peer's one message of one phase, in one view.

    ``past`` is all before the phase, ``state`` the hash of the public state its author had then.
    ``parts`` is plain data whose shape the phase prescribes.
    """

    sender: int
    phase: int
    view: int
    past: Past
    state: bytes
    parts: Any

    @property
    def previous(self) -> bytes:
        """The transcript hash before the phase."""
        return self.past.hash

    @property
    def at(self) -> tuple[int, int]:
        """Its view and phase."""
        return (self.view, self.phase)


@dataclass(frozen=True, slots=True)
class StatusMessage:
    """Its author joins attempt ``attempt`` at a view of ``members``, and says where it stands.

    It says nothing more in earlier views. ``at`` is its view and phase, ``past`` all before that,
    ``held`` are the messages that it holds of the phase. ``again``: something that was sealed to it
    was false, and it has to be told anew what its seats know. ``evidence`` is all by which it has
    convicted anybody: whoever leaves that out of a record alters what all have signed.
    ``consents`` are those of the people to what may be opened (see ``consent``).
    """

    author: int
    attempt: int
    members: tuple[int, ...]
    at: tuple[int, int]
    past: Past
    held: tuple[Citation, ...]
    again: bool = False
    evidence: tuple[Key, ...] = ()
    consents: tuple[SignedWish, ...] = ()


Said: TypeAlias = PhaseMessage | StatusMessage


@dataclass(frozen=True, slots=True)
class SignedMessage:
    """A statement as it travels: its slot, the body, and its author's signature of both."""

    kind: str
    sender: int
    phase: int
    view: int
    body: bytes
    signature: bytes
    digest: bytes = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest("body", self.body))

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data; its kind is told apart."""
        return (self.sender, self.phase, self.view, self.body, self.signature)

    @property
    def slot(self) -> Slot:
        """What its author signs one body for."""
        return (self.kind, self.sender, self.view, self.phase)

    @property
    def key(self) -> Key:
        """Which statement this is."""
        return (*self.slot, self.digest)

    @property
    def ref(self) -> Citation:
        """Its name."""
        return Citation(self.sender, self.view, self.phase, self.digest, self.signature)


def sign(said: Said, identity: Identity, game: bytes) -> SignedMessage:
    """Return a statement signed for the game whose id is ``game``."""
    if isinstance(said, PhaseMessage):
        kind, slot = MOVE, (said.sender, said.phase, said.view)
        body = encode((said.past.plain(), said.state, said.parts))
    else:
        kind, slot = STATUS, (said.author, 0, said.attempt)
        held = tuple(ref.plain() for ref in said.held)
        agreed = tuple(each.plain() for each in said.consents)
        told = (int(said.again), said.evidence, agreed)
        body = encode((said.members, said.at, said.past.plain(), held, *told))
    bare = SignedMessage(kind, *slot, body, b"")
    return SignedMessage(kind, *slot, body, identity.sign(kind, _named(game, bare.key)))


def parse_signed(value: Any, kind: str = MOVE) -> SignedMessage:
    """Return the statement of ``SignedMessage.plain``; ``PeerError`` for any other shape."""
    sender, phase, view, body, signature = fields(value, 5, "signed message")
    return SignedMessage(
        kind,
        uint(sender, PEERS, "sender"),
        uint(phase, PHASES, "phase"),
        uint(view, VIEWS, "view"),
        blob(body, BODY, "body"),
        binary(signature, SIGNATURE, "signature"),
    )


def parse_statement(value: Any) -> SignedMessage:
    """Return a statement that is kept with its kind."""
    kind, plain = fields(value, 2, "evidence")
    return parse_signed(plain, text(kind, 8, "kind"))


def parse_position(value: Any) -> tuple[int, int]:
    """Return a view and a phase; ``PeerError`` for any other shape."""
    view, phase = fields(value, 2, "position")
    return uint(view, VIEWS, "view"), uint(phase, PHASES, "phase")


def parse_phase(value: Any) -> tuple[SignedMessage, ...]:
    """Return the messages of a phase; ``PeerError`` for any other shape."""
    return items(value, PEERS, "phase", parse_signed)


def parse_view(value: Any) -> tuple[SignedMessage, ...]:
    """Return the statuses of a view; ``PeerError`` for any other shape."""
    return items(value, PEERS, "statuses", lambda each: parse_signed(each, STATUS))


def parse_key(value: Any) -> Key:
    """Return which statement somebody asks for; ``PeerError`` for any other shape."""
    kind, *slot, body = fields(value, 5, "name of a statement")
    sender, view, phase = slot
    return (
        text(kind, len(COMPLAINT), "kind"),
        uint(sender, PEERS, "sender"),
        uint(view, VIEWS, "view"),
        uint(phase, PHASES, "phase"),
        binary(body, DIGEST, "hash"),
    )


def check_genuine(signed: SignedMessage, roster: Roster, game: bytes) -> None:
    """Raise ``PeerError`` unless its named author signed a statement for this game."""
    check_ref(signed.ref, signed.kind, roster, game)


def read(signed: SignedMessage) -> Said:
    """Return what a statement says; a ``PeerError`` is its author's fault."""
    if signed.kind == MOVE:
        past, state, parts = fields(decode(signed.body), 3, "move")
        slot = (signed.sender, signed.phase, signed.view)
        before = parse_past(past)
        if before.kind == START and (signed.phase or signed.view):
            refuse("a past without names")
        return PhaseMessage(*slot, before, binary(state, DIGEST, "state hash"), parts)
    members, at, past, held, again, evidence, agreed = fields(decode(signed.body), 7, "status")
    found = items(members, PEERS, "members", lambda peer: uint(peer, PEERS, "peer"))
    if list(found) != sorted(set(found)) or signed.phase:
        refuse("members out of order")
    refs = items(held, PEERS, "messages", parse_ref)
    told = bool(uint(again, 2, "again")), items(evidence, 4 * PEERS, "evidence", parse_key)
    consents = items(agreed, PEERS * SEATS, "consents", lambda each: _wish(OPEN, each))
    where, before = parse_position(at), parse_past(past)
    if before.kind == START:
        refuse("a past without names")
    return StatusMessage(signed.sender, signed.view, found, where, before, refs, *told, consents)


def refs(statements: Iterable[SignedMessage]) -> tuple[Citation, ...]:
    """Return the names of statements, by author."""
    return tuple(each.ref for each in sorted(statements, key=lambda each: each.sender))


@dataclass(frozen=True, slots=True)
class SignedWish:
    """A signed word that is no evidence: its author is ``alive``, wants to ``leave`` or ``open``,
    or says for whom it ``waits``.

    ``number`` grows with every ``alive`` and ``waits``; of a ``leave`` it is the view that its
    author is in, of a consent to ``open`` a hand what it is for.
    """

    kind: str
    author: int
    number: int
    signature: bytes

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data; its kind is told apart."""
        return (self.author, self.number, self.signature)


def wish(kind: str, author: int, number: int, identity: Identity, game: bytes) -> SignedWish:
    """Return a wish, signed."""
    return SignedWish(kind, author, number, identity.sign(kind, encode((game, author, number))))


def parse_wish(kind: str, value: Any, roster: Roster, game: bytes) -> SignedWish:
    """Return the wish of ``SignedWish.plain``; ``PeerError`` unless its author signed it."""
    found = _wish(kind, value)
    check_wish(found, roster, game)
    return found


def _wish(kind: str, value: Any) -> SignedWish:
    author, number, signature = fields(value, 3, "wish")
    return SignedWish(
        kind,
        uint(author, PEERS, "author"),
        uint(number, BEATS, "number"),
        binary(signature, SIGNATURE, "signature"),
    )


def check_wish(wish: SignedWish, roster: Roster, game: bytes) -> None:
    """Raise ``PeerError`` unless the author that is named has signed a wish for this game."""
    author = uint(wish.author, len(roster.peers), "author")
    body = encode((game, author, wish.number))
    check_signature(roster.peers[author].public, wish.kind, body, wish.signature)


@dataclass(frozen=True, slots=True)
class Complaint:
    """A receiver's word that a message held something false, sealed to it; with the proof.

    ``disclosure`` opens that one sealing for everybody (see ``lanplay_protocol.crypto.sealing``).
    """

    author: int
    accused: SignedMessage
    disclosure: bytes
    signature: bytes

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.author, self.accused.plain(), self.disclosure, self.signature)

    @property
    def key(self) -> Key:
        """Which one it is, as evidence: of its author, against the author of what it is about."""
        body = digest("complaint", encode(self.plain()))
        return (COMPLAINT, self.author, self.accused.sender, 0, body)


def _complaint_body(
    author: int, accused: SignedMessage, disclosure: bytes, roster: Roster
) -> bytes:
    game = () if roster.protocol <= UNSIGNED else (roster.digest(),)
    return encode((*game, author, accused.plain(), disclosure))


def complain(
    author: int, accused: SignedMessage, disclosure: bytes, identity: Identity, roster: Roster
) -> Complaint:
    """Return the signed complaint of ``author``; in another game it is nobody's word."""
    body = _complaint_body(author, accused, disclosure, roster)
    return Complaint(author, accused, disclosure, identity.sign(COMPLAINT, body))


def parse_complaint(value: Any) -> Complaint:
    """Return the complaint of ``Complaint.plain``; ``PeerError`` for any other shape."""
    author, accused, disclosure, signature = fields(value, 4, "complaint")
    return Complaint(
        uint(author, PEERS, "author"),
        parse_signed(accused),
        blob(disclosure, _DISCLOSURE, "disclosure"),
        binary(signature, SIGNATURE, "signature"),
    )


def check_complaint(complaint: Complaint, roster: Roster) -> None:
    """Raise ``PeerError`` unless its author signed the complaint."""
    author = uint(complaint.author, len(roster.peers), "author")
    body = _complaint_body(author, complaint.accused, complaint.disclosure, roster)
    check_signature(roster.peers[author].public, COMPLAINT, body, complaint.signature)
