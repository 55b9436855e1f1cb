"""Phases in which peers re-mask and permute piles, each with a proof that all others check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.requests import Card, Mix, Shuffle
from lanplay_protocol.crypto.cards import Ciphertext, parse_deck, plain_deck
from lanplay_protocol.crypto.group import Point
from lanplay_protocol.crypto.shuffle import check_shuffle, permutation, prove_shuffle, shuffle
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.replica.phases import Phase
from lanplay_protocol.schema import blob, fields
from lanplay_protocol.wire import FRAME_LIMIT

Piles = Mapping[str, Sequence[Ciphertext]]


class _Remasking(Phase):
    """One peer's turn at re-masking piles."""

    def __init__(self, context: Context, piles: Piles, peer: int) -> None:
        super().__init__(context)
        self._piles = piles
        self._peer = peer
        self.needs = frozenset({peer})

    def making(self) -> Sequence[Job]:
        return remaskings(self.context, self._piles)

    def mine(self) -> Any:
        return tuple(self.context.jobs.result(job) for job in self.making())

    def checking(self, sender: int, parts: Any) -> Sequence[Job]:
        return checkings(self.context, sender, self._piles, parts)

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"shuffles": len(self._piles)}

    def check(self, sender: int, parts: Any) -> Piles:
        return check_piles(self.context, sender, self._piles, parts)


class ShufflePiles(_Remasking):
    """One peer's turn at shuffling; the others follow, and with the last the order is nobody's.

    Whoever comes back meanwhile has its turn: of those who ``had`` one the honest may be gone.
    """

    def __init__(
        self, context: Context, request: Shuffle, piles: Piles, had: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(context, piles, min(context.present - had))
        self._request = request
        self._had = had

    def rest(self, brought: Mapping[int, Any]) -> Phase | None:
        """Go on without the peer whose turn it was."""
        return self._next(self._piles, self._had)

    def done(self, brought: Mapping[int, Any]) -> Phase | None:
        return self._next(brought[self._peer], self._had | {self._peer})

    def _next(self, piles: Piles, had: frozenset[int]) -> Phase | None:
        if self.context.present - had:
            return ShufflePiles(self.context, self._request, piles, had)
        renew(self.context, self._request.piles, piles)
        return None


class MixPiles(_Remasking):
    """The owner of a hand mixes it alone: it can follow its cards, nobody else can."""

    def __init__(self, context: Context, request: Mix) -> None:
        piles = {name: context.deck.masked(pile) for name, pile in request.piles.items()}
        super().__init__(context, piles, context.seating.holders[request.seat].peer)
        self._request = request
        self._orders: dict[str, tuple[int, ...]] = {}

    def begin(self) -> None:
        """Note its own order: who leaves meanwhile may have others come before the end of this."""
        seed = self.context.secret_seed
        self._orders = {
            n: permutation(len(p), seed(f"shuffle {n}")) for n, p in self._piles.items()
        }

    @property
    def stale(self) -> bool:
        return self.context.seating.holders[self._request.seat].peer != self._peer

    def rest(self, brought: Mapping[int, Any]) -> None:
        """Whoever holds the seat now mixes the hand."""

    def done(self, brought: Mapping[int, Any]) -> None:
        (piles,) = brought.values()
        old = self._request.piles
        view = self.context.views.get(self._request.seat)
        faces = {n: [view.face(c) for c in pile] for n, pile in old.items()} if view else {}
        known = {
            name: self.context.deck.knows(self._request.seat, pile) for name, pile in old.items()
        }
        fresh = renew(self.context, old, piles)
        for name, all_known in known.items():
            if all_known:
                self.context.deck.learn(self._request.seat, fresh[name])
        for name, before in faces.items():
            for card, place in zip(fresh[name], self._orders[name], strict=True):
                if view is not None and (face := before[place]) is not None:
                    view.own[card] = face
                    self.context.seen.dealt(view.seat, {card: face})


def first_turn(context: Context, request: Shuffle) -> ShufflePiles:
    """Return the phase that starts a shuffle."""
    piles = {name: context.deck.masked(pile) for name, pile in request.piles.items()}
    return ShufflePiles(context, request, piles)


def remaskings(context: Context, piles: Piles) -> list[Job]:
    """Return the work of this peer's own turn: (new pile, proof) of each pile, ready to send."""
    jobs = []
    for name, pile in piles.items():
        label = context.proof_context(context.me, f"shuffle {name}")
        seeds = context.secret_seed(f"shuffle {name}"), context.secret_seed(f"prove {name}")
        jobs.append(Job(remask, (tuple(pile), context.deck.joint, label, *seeds)))
    return jobs


def remask(
    pile: Sequence[Ciphertext], joint: Point, label: bytes, order: bytes, proof: bytes
) -> tuple[bytes, bytes]:
    """Return a pile shuffled by one secret seed, and the proof of it, made by the other."""
    fresh, witness = shuffle(pile, joint, order)
    return plain_deck(fresh), prove_shuffle(pile, fresh, witness, joint, label, proof)


def checkings(context: Context, sender: int, piles: Piles, parts: Any) -> list[Job]:
    """Return the work of checking a peer's turn: its piles; ``PeerError`` for bad shapes."""
    jobs = []
    for (name, pile), part in zip(piles.items(), fields(parts, len(piles), "piles"), strict=True):
        deck, proof = fields(part, 2, "pile")
        label = context.proof_context(sender, f"shuffle {name}")
        sent = (blob(deck, FRAME_LIMIT, "pile"), blob(proof, FRAME_LIMIT, "proof"))
        if sender == context.me or context.replaying:
            jobs.append(Job(parse_deck, (sent[0], len(pile))))
        else:
            jobs.append(Job(checked, (tuple(pile), *sent, context.deck.joint, label)))
    return jobs


def checked(
    pile: Sequence[Ciphertext], sent: bytes, proof: bytes, joint: Point, label: bytes
) -> list[Ciphertext]:
    """Return a pile as a peer shuffled it; ``CryptoError`` if it cheated."""
    fresh = parse_deck(sent, len(pile))
    check_shuffle(pile, fresh, proof, joint, label)
    return fresh


def check_piles(context: Context, sender: int, piles: Piles, parts: Any) -> Piles:
    """Return the piles as a peer shuffled them; ``PeerError`` or ``CryptoError`` if it cheated."""
    jobs = checkings(context, sender, piles, parts)
    return {name: context.jobs.result(job) for name, job in zip(piles, jobs, strict=True)}


def renew(
    context: Context, old: Mapping[str, Sequence[Card]], piles: Piles
) -> dict[str, list[Card]]:
    """Give the shuffled piles their new handles."""
    before = {name: list(pile) for name, pile in old.items()}
    fresh = context.referee.renewed()
    for name, cards in fresh.items():
        context.deck.renew(before[name], cards, piles[name])
    return fresh
