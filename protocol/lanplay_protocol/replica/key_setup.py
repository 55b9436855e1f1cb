"""The first phases of every game: keys, from which it gets its id, and their escrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from lanplay_protocol.crypto import escrow
from lanplay_protocol.crypto.group import SIZE, Point, Scalar, encode, scalar
from lanplay_protocol.crypto.hashing import digest, number
from lanplay_protocol.crypto.keys import check_key, prove_key
from lanplay_protocol.crypto.schnorr import PROOF
from lanplay_protocol.crypto.sealing import OVERHEAD, check_sealed, seal
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.phases import Phase, SealedPhase
from lanplay_protocol.schema import binary, fields

NONCE = 32
UNNAMED = 2
"""Phases before the game has its id: their messages are signed for the roster's hash."""
SETUP = 4
"""Phases before the game itself."""


class SetupPhase(Phase):
    """Base of the phases before a game begins: it takes all peers, and nobody can stand in."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.needs = context.everybody

    def rest(self, brought: Mapping[int, Any]) -> Phase | None:
        raise AssertionError("nobody is cut off before the game has begun")


class KeyCommitments(SetupPhase):
    """Every peer commits to a fresh nonce and its key of this game.

    The game's id hangs on both, and the words that people compare on that: were they not committed
    to first, whoever speaks last could try keys until other words came out.
    """

    def __init__(self, context: Context, nonce: bytes) -> None:
        super().__init__(context)
        self._nonce = nonce

    def mine(self) -> Any:
        return key_commitment(self.context, self.context.me, self._nonce, self.context.key.X)

    def check(self, sender: int, parts: Any) -> bytes:
        return binary(parts, SIZE, "promise")

    def done(self, brought: Mapping[int, Any]) -> Phase:
        return Keys(self.context, self._nonce, tuple(brought[peer] for peer in sorted(brought)))


def key_commitment(context: Context, peer: int, nonce: bytes, public: Point) -> bytes:
    """Return the hash by which a peer commits to its nonce and key."""
    return digest("promise", context.roster.digest(), number(peer), nonce, public)


class Keys(SetupPhase):
    """Every peer publishes the nonce and the key it promised, with proof of possession."""

    def __init__(self, context: Context, nonce: bytes, promises: Sequence[bytes]) -> None:
        super().__init__(context)
        self._nonce = nonce
        self._promises = promises

    def _label(self, peer: int) -> bytes:
        return digest("possession", self.context.game_id, self.context.roster.peers[peer].public)

    def mine(self) -> Any:
        key = self.context.key
        return self._nonce, key.X, prove_key(key, self._label(self.context.me))

    def check(self, sender: int, parts: Any) -> tuple[bytes, bytes]:
        nonce, public, proof = fields(parts, 3, "key")
        binary(public, SIZE, "public key")
        binary(nonce, NONCE, "nonce")
        if key_commitment(self.context, sender, nonce, public) != self._promises[sender]:
            raise PeerError(Code.BAD_OPENING, "published another key or nonce than it promised")
        check_key(public, binary(proof, PROOF, "proof"), self._label(sender))
        return nonce, public

    def done(self, brought: Mapping[int, Any]) -> Phase:
        context = self.context
        given = [brought[peer] for peer in sorted(brought)]
        context.publics = tuple(public for _, public in given)
        flat = [part for pair in given for part in pair]
        context.game_id = context.transcript_hash = digest("game", context.game_id, *flat)
        context.deck.open()
        return Escrow(context)


class Escrow(SetupPhase, SealedPhase):
    """Every peer shares its key with the quorum: commitments for all, a sealed share for each."""

    what = "escrow"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._peers = len(context.roster.peers)

    def mine(self) -> Any:
        context = self.context
        seed = context.secret_seed("escrow")
        dealing = escrow.deal(context.key, self._peers, context.roster.quorum, seed)
        label = self.label(context.transcript_hash, context.phase, context.me)
        sealed = tuple(
            seal(public, encode(share), label, context.secret_seed(f"share {peer}"))
            for peer, (public, share) in enumerate(
                zip(context.publics, dealing.shares, strict=True)
            )
        )
        return dealing.commitments, sealed

    def check(self, sender: int, parts: Any) -> tuple[tuple[Point, ...], Scalar]:
        """Return the commitments, and this peer's share (0 for an observer)."""
        context = self.context
        commitments = self._commitments(sender, parts)
        label = self.label(context.transcript_hash, context.phase, sender)
        for peer, public in enumerate(context.publics):
            if sender != context.me != peer and not context.replaying:
                check_sealed(public, self.sealing(sender, peer, parts), label)
        return commitments, self.received(sender, parts) if context.seated else 0

    def _commitments(self, sender: int, parts: Any) -> tuple[Point, ...]:
        context = self.context
        given, _ = fields(parts, 2, "escrow")
        quorum = context.roster.quorum
        found = tuple(
            binary(each, SIZE, "commitment") for each in fields(given, quorum, "commitments")
        )
        escrow.check_commitments(found, context.publics[sender], quorum)
        return found

    def receives(self, peer: int) -> bool:
        return 0 <= peer < self._peers

    def sealing(self, sender: int, receiver: int, parts: Any) -> bytes:
        sealed = fields(fields(parts, 2, "escrow")[1], self._peers, "shares")
        return binary(sealed[receiver], SIZE + OVERHEAD, "sealed share")

    def inside(self, sender: int, receiver: int, parts: Any, plain: bytes, label: bytes) -> Scalar:
        share = scalar(plain)
        escrow.check_share(self._commitments(sender, parts), receiver, share)
        return share

    def done(self, brought: Mapping[int, Any]) -> Phase:
        given = [brought[peer] for peer in sorted(brought)]
        self.context.commitments = tuple(commitments for commitments, _ in given)
        self.context.shares = tuple(share for _, share in given)
        return Ready(self.context)


class Ready(SetupPhase):
    """Every peer signs that all its shares verify, and that it trusts who sits here.

    Only then may the game begin. Where people compare words first, this waits for them.
    """

    prompt = False

    def mine(self) -> Any:
        return () if self.context.trusted else None

    def check(self, sender: int, parts: Any) -> None:
        fields(parts, 0, "readiness")

    def done(self, brought: Mapping[int, Any]) -> None:
        """Go on to the game: what was signed is the transcript with all shares in it."""


def comparing(phase: Phase | None, missing: Set[int]) -> list[int]:
    """Return those of ``missing`` whose people have still to compare the words of the table."""
    return sorted(missing) if isinstance(phase, Ready) else []
