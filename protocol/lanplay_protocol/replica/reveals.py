"""The phases of chance and of showing: entropy, dice under cups, cards for one and for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.requests import At, Deal, Show, Uncover
from lanplay_protocol.crypto.group import SIZE, Point
from lanplay_protocol.crypto.partials import Item
from lanplay_protocol.crypto.proofs import check_powers, powers_of, prove_powers
from lanplay_protocol.crypto.schnorr import PROOF
from lanplay_protocol.crypto.sealing import OVERHEAD, check_sealed, seal
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.phases import (
    Phase,
    Receiver,
    SealedPhase,
    ThresholdPhase,
    prove,
    proven,
)
from lanplay_protocol.schema import binary


class Entropy(ThresholdPhase):
    """Every peer publishes its part of a slot's entropy."""

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"entropy": len(brought)}

    def __init__(self, context: Context, at: At) -> None:
        super().__init__(context)
        self.needs = context.present
        self.at = at
        context.cups.begin(at)

    def _bases(self) -> list[Point]:
        return [self.context.cups.entropy_base(self.at)]

    def mine(self) -> Any:
        return prove(self.context, self._bases())

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        return proven(self.context, sender, self._bases(), parts)

    def due(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        return {None: [Item("entropy", base) for base in self._bases()]}

    def done(self, brought: Mapping[int, Any]) -> None:
        self.context.cups.settle(self.at, [brought[peer][0] for peer in sorted(brought)])


class RevealDice(ThresholdPhase):
    """Dice that were not shown with a choice are shown by whose key they hang on."""

    def __init__(self, context: Context, request: Uncover) -> None:
        super().__init__(context)
        shown = context.cups.shown
        self._dice = [
            (s, place)
            for s, places in request.dice.items()
            for place in places
            if (s, place) not in shown
        ]
        self.needs = frozenset(context.cups.owners[seat] for seat, _ in self._dice)

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"dice": len(self._dice)}

    def _of(self, peer: int) -> list[tuple[int, int]]:
        return [die for die in self._dice if self.context.cups.owners[die[0]] == peer]

    def _bases(self, peer: int) -> list[Point]:
        return [self.context.cups.base(*die) for die in self._of(peer)]

    def mine(self) -> Any:
        return prove(self.context, self._bases(self.context.me))

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        return proven(self.context, sender, self._bases(sender), parts)

    def due(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        return {None: [Item("die", base) for base in self._bases(peer)]}

    def done(self, brought: Mapping[int, Any]) -> None:
        for peer, powers in brought.items():
            for die, power in zip(self._of(peer), powers, strict=True):
                self.context.cups.show(die, power)


class RevealCards(ThresholdPhase):
    """Every peer publishes its decryption shares of cards that all may see."""

    def __init__(self, context: Context, request: Show) -> None:
        super().__init__(context)
        self.needs = context.everybody
        self._cards = request.cards
        self._bases = context.deck.bases(request.cards)

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"shares": len(brought) * len(self._bases)}

    def mine(self) -> Any:
        return prove(self.context, self._bases)

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        return proven(self.context, sender, self._bases, parts)

    def due(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        return {None: [Item("card", base) for base in self._bases]}

    def done(self, brought: Mapping[int, Any]) -> None:
        self.context.referee.shown(self.context.deck.faces(self._cards, brought))


class DealCards(SealedPhase, ThresholdPhase):
    """Everybody else sends its decryption shares to one peer, sealed to its key."""

    what = "deal"

    def __init__(self, context: Context, request: Deal) -> None:
        super().__init__(context)
        self._receiver = context.seating.holders[request.seat].peer
        self._request = request
        self._bases = context.deck.bases(request.cards)
        self._size = len(self._bases) * SIZE + PROOF
        self.needs = context.everybody - {self._receiver}

    def verified(self, brought: Mapping[int, Any]) -> dict[str, int]:
        return {"shares": len(brought) * len(self._bases)}

    def mine(self) -> Any:
        context = self.context
        label = self.label(context.transcript_hash, context.phase, context.me)
        powers = powers_of(context.key, self._bases)
        plain = b"".join(powers) + prove_powers(context.key, self._bases, powers, label)
        return seal(context.publics[self._receiver], plain, label, context.secret_seed("deal"))

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        """Return the shares if they are sealed to this peer, else nothing."""
        context = self.context
        sealed = self.sealing(sender, self._receiver, parts)
        if context.me == self._receiver:
            shares: tuple[Point, ...] = self.received(sender, parts)
            return shares
        if sender != context.me and not context.replaying:
            label = self.label(context.transcript_hash, context.phase, sender)
            check_sealed(context.publics[self._receiver], sealed, label)
        return ()

    def receives(self, peer: int) -> bool:
        return peer == self._receiver

    def sealing(self, sender: int, receiver: int, parts: Any) -> bytes:
        return binary(parts, self._size + OVERHEAD, "sealed shares")

    def inside(
        self, sender: int, receiver: int, parts: Any, plain: bytes, label: bytes
    ) -> tuple[Point, ...]:
        powers = tuple(plain[at : at + SIZE] for at in range(0, self._size - PROOF, SIZE))
        public = self.context.publics[sender]
        check_powers(public, self._bases, powers, plain[-PROOF:], label)
        return powers

    def due(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        return {self._receiver: [Item("card", base) for base in self._bases]}

    def reconstructed(self, peer: int, powers: Mapping[Receiver, Sequence[Point]]) -> Any:
        return powers.get(self._receiver)

    @property
    def stale(self) -> bool:
        return self.context.seating.holders[self._request.seat].peer != self._receiver

    def rest(self, brought: Mapping[int, Any]) -> Phase | None:
        """Deal again where the seat has another holder now; else let the quorum stand in."""
        return None if self.stale else self

    def done(self, brought: Mapping[int, Any]) -> None:
        context, request = self.context, self._request
        context.deck.learn(request.seat, request.cards)
        if context.me == self._receiver and None in brought.values():
            context.handover_incomplete = True
        elif context.me == self._receiver:
            own = powers_of(context.key, self._bases)
            faces = context.deck.faces(request.cards, {**brought, context.me: own})
            known = dict(zip(request.cards, faces, strict=True))
            context.views[request.seat].own.update(known)
            context.seen.dealt(request.seat, known)
        context.referee.passed()
