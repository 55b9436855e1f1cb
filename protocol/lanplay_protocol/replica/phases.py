"""The bases of all phases: who owes what, how it is checked, what it brings.

A phase is complete when every present peer of ``needs`` has sent its one message. Phases know
nothing of signatures, order or time: those are the replica's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from lanplay_protocol.crypto.errors import BadProof, CryptoError
from lanplay_protocol.crypto.group import SIZE, Point, mul
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.crypto.partials import Item
from lanplay_protocol.crypto.proofs import check_powers, prove_powers
from lanplay_protocol.crypto.schnorr import PROOF
from lanplay_protocol.crypto.sealing import check_sealed, judge, open_sealed
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.replica.messages import Key, PhaseMessage
from lanplay_protocol.schema import binary, fields
from lanplay_protocol.wire import encode

Receiver: TypeAlias = int | None
"""Whom a peer's powers are for: one peer, or all."""


class Phase(ABC):
    """One exchange of messages.

    ``needs`` are the peers whose part it takes, ``owing`` those of them that are there to send it.
    ``prompt`` says that they owe it without waiting for a person: a program that keeps the table
    waiting here is suspect.
    """

    needs: frozenset[int]
    prompt = True
    anew = False
    """Whether a view carries no message of this phase: all sign it again."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @property
    def owing(self) -> frozenset[int]:
        """The peers that send a message."""
        return self.needs & self.context.present

    def begin(self) -> None:  # noqa: B027  # most are bound to nothing
        """Note where the game is: the phase begins, and is bound to that whoever asks and when."""

    @abstractmethod
    def mine(self) -> Any:
        """Return the parts of this peer's own message, or ``None`` while an answer is missing."""

    def making(self) -> Sequence[Job]:
        """Return the long work that ``mine`` needs."""
        return ()

    def checking(self, sender: int, parts: Any) -> Sequence[Job]:
        """Return the long work that ``check`` needs; ``PeerError`` for bad shapes."""
        return ()

    def recall(self, parts: Any) -> None:  # noqa: B027  # most know nothing more
        """Restore what this peer knew when it sent ``parts``, after a restart."""

    @abstractmethod
    def check(self, sender: int, parts: Any) -> Any:
        """Return what a message brings; ``PeerError`` or ``CryptoError`` names a fault in it."""

    @abstractmethod
    def done(self, brought: Mapping[int, Any]) -> Phase | None:
        """Take what all messages brought, by peer; return the phase that follows, if planned."""

    @abstractmethod
    def rest(self, brought: Mapping[int, Any]) -> Phase | None:
        """Return what follows where some of ``needs`` are out.

        ``None``: the request is planned again. Itself: the quorum gives what is missing.
        """

    def names(self, parts: Any) -> tuple[Key, ...]:
        """Return the statements that have to be held before a message counts."""
        return ()

    def settled(self, brought: Mapping[int, Any]) -> frozenset[int]:
        """Return the seats that have chosen already, though others have not."""
        return frozenset()

    @property
    def stale(self) -> bool:
        """Tell whether a seat has moved since, so that what was brought is of no use to it."""
        return False

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        """Return how many things of which kind the messages have proven."""
        return {}


class ThresholdPhase(Phase):
    """Base of phases in which every part is a power of points by its peer's key.

    The quorum can give such a part in the place of a peer that is out.
    """

    @abstractmethod
    def due(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        """Return the points whose powers by a peer's key are due, and for whom."""

    def reconstructed(self, peer: int, powers: Mapping[Receiver, Sequence[Point]]) -> Any:
        """Return what the peer's own message would have brought; what others get is left out."""
        return tuple(powers[None])

    def rest(self, brought: Mapping[int, Any]) -> Phase | None:
        return self


class SealingFault(CryptoError):
    """What was sealed to this peer is not what its author owed: nobody else has seen it."""


class SealedPhase(Phase):
    """Base of phases whose messages carry parts sealed to single peers.

    Everybody checks that a sealing was made for its place; what is inside, its receiver alone, and
    last: what is false for all does not count for it either. A receiver that finds it false
    discloses it, and ``guilty`` judges alike for everybody.
    """

    what = "sealed"

    def label(self, previous: bytes, phase: int, sender: int) -> bytes:
        """Return what a sealing is bound to: the game until then, phase, author and purpose."""
        named = encode((phase, sender, self.what))
        return digest("proof", self.context.game_id, previous, named)

    @abstractmethod
    def receives(self, peer: int) -> bool:
        """Tell whether parts are sealed to a peer."""

    @abstractmethod
    def sealing(self, sender: int, receiver: int, parts: Any) -> bytes:
        """Return the part of a message that is sealed to a peer; ``PeerError`` for bad shapes."""

    @abstractmethod
    def inside(self, sender: int, receiver: int, parts: Any, plain: bytes, label: bytes) -> Any:
        """Return what a sealed part brings; ``PeerError`` or ``CryptoError`` if it is false."""

    def received(self, sender: int, parts: Any) -> Any:
        """Return what was sealed to this peer; ``SealingFault`` if it is false."""
        context = self.context
        label = self.label(context.transcript_hash, context.phase, sender)
        sealed = self.sealing(sender, context.me, parts)
        check_sealed(context.publics[context.me], sealed, label)
        try:
            plain = open_sealed(context.key, sealed, label)
            return self.inside(sender, context.me, parts, plain, label)
        except (PeerError, CryptoError) as error:
            raise SealingFault(f"what it sealed for another peer is false: {error}") from error

    def guilty(self, receiver: int, move: PhaseMessage, previous: bytes, disclosure: bytes) -> int:
        """Return who is at fault when ``receiver`` complains of a move: its author, or itself.

        ``previous`` is the transcript hash that the phase began with.
        """
        if not self.receives(receiver) or move.sender not in self.needs:
            return receiver
        label = self.label(previous, move.phase, move.sender)
        try:
            sealed = self.sealing(move.sender, receiver, move.parts)
            if not sealed:
                return receiver  # nothing was due to it
            plain = judge(self.context.publics[receiver], sealed, disclosure, label)
        except BadProof:
            return receiver
        except (PeerError, CryptoError):
            return move.sender
        try:
            self.inside(move.sender, receiver, move.parts, plain, label)
        except (PeerError, CryptoError):
            return move.sender
        return receiver


def prove(context: Context, bases: Sequence[Point]) -> tuple[tuple[Point, ...], bytes]:
    """Return this peer's powers of some points with one proof for all."""
    powers = tuple(mul(context.key.x, base) for base in bases)
    if not powers:
        return (), b""
    label = context.proof_context(context.me, "powers")
    return powers, prove_powers(context.key, bases, powers, label)


def proven(context: Context, sender: int, bases: Sequence[Point], parts: Any) -> tuple[Point, ...]:
    """Return a peer's powers of some points; ``PeerError`` if the proof does not hold."""
    powers, proof = fields(parts, 2, "powers")
    given: tuple[Point, ...] = tuple(
        binary(power, SIZE, "power") for power in fields(powers, len(bases), "powers")
    )
    if not given:
        binary(proof, 0, "proof")
        return ()
    if sender == context.me or context.replaying:
        return given
    label = context.proof_context(sender, "powers")
    check_powers(context.publics[sender], bases, given, binary(proof, PROOF, "proof"), label)
    return given
