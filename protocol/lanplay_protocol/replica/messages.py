"""The signed messages of a game, and their one encoding (docs/protocol.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from lanplay_protocol.identity import SIGNATURE, Identity, check_signature
from lanplay_protocol.replica.roster import PEERS, Roster
from lanplay_protocol.schema import binary, blob, fields, uint
from lanplay_protocol.wire import FRAME_LIMIT, decode, encode

DIGEST = 32
PHASES = 1 << 24
_LABEL = "move"
_COMPLAINT = "complaint"
_DISCLOSURE = 128


Slot: TypeAlias = tuple[int, int, bytes]
"""Phase, epoch and transcript hash: what a peer signs one message for."""


@dataclass(frozen=True, slots=True)
class PhaseMessage:
    """A peer's one message of one phase.

    ``epoch`` counts the cuts before the phase: a game that goes on without some of what a lost peer
    saw passes the same phases again. ``previous`` is the transcript hash before the phase,
    ``state`` the hash of the public state its author had then. ``parts`` is plain data whose shape
    the phase prescribes.
    """

    sender: int
    phase: int
    epoch: int
    previous: bytes
    state: bytes
    parts: Any

    @property
    def slot(self) -> Slot:
        """What a peer signs one message for; another line of the game is another slot."""
        return (self.phase, self.epoch, self.previous)


@dataclass(frozen=True, slots=True)
class SignedMessage:
    """A move as it travels: its author's place, the bytes signed, and the signature."""

    sender: int
    phase: int
    body: bytes
    signature: bytes

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        return (self.sender, self.phase, self.body, self.signature)


def sign(move: PhaseMessage, identity: Identity, game: bytes) -> SignedMessage:
    """Return ``move`` signed for the game whose id is ``game``."""
    named = (game, move.sender, move.phase, move.epoch)
    body = encode((*named, move.previous, move.state, move.parts))
    return SignedMessage(move.sender, move.phase, body, identity.sign(_LABEL, body))


def parse_signed(value: Any) -> SignedMessage:
    """Return the message of ``SignedMessage.plain``; ``PeerError`` for any other shape."""
    sender, phase, body, signature = fields(value, 4, "signed message")
    return SignedMessage(
        uint(sender, PEERS, "sender"),
        uint(phase, PHASES, "phase"),
        blob(body, FRAME_LIMIT, "body"),
        binary(signature, SIGNATURE, "signature"),
    )


def verify(signed: SignedMessage, roster: Roster, game: bytes) -> PhaseMessage:
    """Return the move that its author signed for this game.

    Raises ``PeerError`` for a stranger, a false signature, another game, or labels that differ
    between envelope and body.
    """
    sender = uint(signed.sender, len(roster.peers), "sender")
    check_signature(roster.peers[sender].public, _LABEL, signed.body, signed.signature)
    named, author, phase, epoch, previous, state, parts = fields(decode(signed.body), 7, "move")
    binary(named, DIGEST, "game id")
    if named != game or (author, phase) != (signed.sender, signed.phase):
        fields((), 1, "a move of this game, phase and author")
    return PhaseMessage(
        sender,
        signed.phase,
        uint(epoch, PHASES, "epoch"),
        binary(previous, DIGEST, "transcript hash"),
        binary(state, DIGEST, "state hash"),
        parts,
    )


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


def _complaint_body(author: int, accused: SignedMessage, disclosure: bytes) -> bytes:
    return encode((author, accused.plain(), disclosure))


def complain(
    author: int, accused: SignedMessage, disclosure: bytes, identity: Identity
) -> Complaint:
    """Return the signed complaint of ``author``; the message accused binds it to its game."""
    body = _complaint_body(author, accused, disclosure)
    return Complaint(author, accused, disclosure, identity.sign(_COMPLAINT, body))


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
    body = _complaint_body(author, complaint.accused, complaint.disclosure)
    check_signature(roster.peers[author].public, _COMPLAINT, body, complaint.signature)
