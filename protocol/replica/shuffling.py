"""Phases in which peers re-mask and permute piles, each with a proof that all others check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.requests import Card, Mix, Shuffle
from protocol.crypto.cards import Ciphertext, parse_deck, plain_deck
from protocol.crypto.shuffle import check_shuffle, prove_shuffle, shuffle
from protocol.replica.context import Context
from protocol.replica.phases import Phase
from protocol.schema import blob, fields
from protocol.wire import FRAME_LIMIT

Piles = Mapping[str, Sequence[Ciphertext]]


class ShufflePiles(Phase):
    """One peer's turn at shuffling; the others follow, and with the last the order is nobody's."""

    def __init__(self, context: Context, request: Shuffle, turn: int, piles: Piles) -> None:
        super().__init__(context)
        self._request = request
        self._turn = turn
        self._piles = piles
        self.needs = frozenset({turn})

    def mine(self) -> Any:
        return tuple(remask(self.context, name, pile)[0] for name, pile in self._piles.items())

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"shuffles": len(self._piles)}

    def check(self, sender: int, parts: Any) -> Piles:
        return check_piles(self.context, sender, self._piles, parts)

    def rest(self, brought: Mapping[int, Any]) -> Phase | None:
        """Go on without the peer whose turn it was."""
        return self.done({self._turn: self._piles})

    def done(self, brought: Mapping[int, Any]) -> Phase | None:
        piles = brought[self._turn]
        later = [peer for peer in self.context.present if peer > self._turn]
        if later:
            return ShufflePiles(self.context, self._request, min(later), piles)
        renew(self.context, self._request.piles, piles)
        return None


class MixPiles(Phase):
    """The owner of a hand mixes it alone: it can follow its cards, nobody else can."""

    def __init__(self, context: Context, request: Mix) -> None:
        super().__init__(context)
        self._request = request
        self._piles = {name: context.deck.masked(pile) for name, pile in request.piles.items()}
        self._orders: dict[str, Sequence[int]] = {}
        self._owner = context.seating.holders[request.seat].peer
        self.needs = frozenset({self._owner})

    def mine(self) -> Any:
        parts = []
        for name, pile in self._piles.items():
            part, self._orders[name] = remask(self.context, name, pile)
            parts.append(part)
        return tuple(parts)

    def recall(self, parts: Any) -> None:
        self.mine()

    @property
    def stale(self) -> bool:
        return self.context.seating.holders[self._request.seat].peer != self._owner

    def rest(self, brought: Mapping[int, Any]) -> None:
        """Whoever holds the seat now mixes the hand."""

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"shuffles": len(self._piles)}

    def check(self, sender: int, parts: Any) -> Piles:
        return check_piles(self.context, sender, self._piles, parts)

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
    return ShufflePiles(context, request, min(context.present), piles)


def remask(context: Context, name: str, pile: Sequence[Ciphertext]) -> tuple[Any, Sequence[int]]:
    """Return (new pile, proof) ready to send, and which old place each new card came from."""
    joint, label = context.deck.joint, context.proof_context(context.me, f"shuffle {name}")
    fresh, witness = shuffle(pile, joint, context.secret_seed(f"shuffle {name}"))
    seed = context.secret_seed(f"prove {name}")
    proof = prove_shuffle(pile, fresh, witness, joint, label, seed)
    return (plain_deck(fresh), proof), witness.order


def check_piles(context: Context, sender: int, piles: Piles, parts: Any) -> Piles:
    """Return the piles as a peer shuffled them; ``PeerError`` or ``CryptoError`` if it cheated."""
    fresh = {}
    for (name, pile), part in zip(piles.items(), fields(parts, len(piles), "piles"), strict=True):
        deck, proof = fields(part, 2, "pile")
        fresh[name] = parse_deck(blob(deck, FRAME_LIMIT, "pile"), len(pile))
        label = context.proof_context(sender, f"shuffle {name}")
        blob(proof, FRAME_LIMIT, "proof")
        if sender != context.me and not context.recalling:
            check_shuffle(pile, fresh[name], proof, context.deck.joint, label)
    return fresh


def renew(
    context: Context, old: Mapping[str, Sequence[Card]], piles: Piles
) -> dict[str, list[Card]]:
    """Give the shuffled piles their new handles."""
    before = {name: list(pile) for name, pile in old.items()}
    fresh = context.referee.renewed()
    for name, cards in fresh.items():
        context.deck.renew(before[name], cards, piles[name])
    return fresh
