"""What follows a change of who takes part: new holders by lot, and what their seats know.

Whoever takes a seat over gets exactly the seat's view: the cards it knows, the dice under its cup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lanplay.engine.requests import Card, Choose
from lanplay_protocol.crypto.group import SIZE, Point, hash_to_point
from lanplay_protocol.crypto.hashing import below, digest
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
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.replica.threshold import ThresholdOpening, resume
from lanplay_protocol.schema import binary, fields
from lanplay_protocol.wire import encode


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A phase that a change interrupted, and what its messages had brought."""

    phase: Phase
    brought: Mapping[int, Any]


def after_change(context: Context, phase: Phase, brought: Mapping[int, Any]) -> Phase | None:
    """Return what follows a complete phase at whose end peers went out or came back.

    A lot that is being drawn is drawn to its end: who leaves then draws no other.
    """
    if isinstance(phase.inner if isinstance(phase, ThresholdOpening) else phase, SeatLottery):
        return resume(phase, brought)
    if isinstance(phase, ThresholdOpening) and isinstance(phase.inner, Handover):
        phase = phase.inner
    pending = phase.pending if isinstance(phase, Handover) else Interrupted(phase, brought)
    return _seated(context, pending)


def handover_first(context: Context, blind: Sequence[int], then: Phase | None = None) -> Phase:
    """Return the phase that tells the holders of some seats what is under their cups."""
    for seat in blind:
        context.seating.handover_due[seat] = context.seating.holders[seat].peer
    return Handover(context, Interrupted(then, {}) if then else None)


def _seated(context: Context, pending: Interrupted | None) -> Phase | None:
    if context.seating.unheld:
        return SeatLottery(context, pending)
    if context.seating.handover_due:
        return Handover(context, pending)
    return resume(pending.phase, pending.brought) if pending else None


class SeatLottery(ThresholdPhase):
    """The entropy of those who are left draws the new holder of every seat that has none.

    Who leaves before the lot is drawn has its part in it supplied by the quorum.
    """

    def __init__(self, context: Context, pending: Interrupted | None) -> None:
        super().__init__(context)
        self.pending = pending
        self.needs = context.present
        self._unheld = context.seating.unheld
        self._point: Point = b""

    def begin(self) -> None:
        context = self.context
        self._point = hash_to_point("succession", context.game_id, context.transcript_hash)

    def mine(self) -> Any:
        return prove(self.context, [self._point])

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        return proven(self.context, sender, [self._point], parts)

    def due(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        return {None: [Item("entropy", self._point)]}

    def done(self, brought: Mapping[int, Any]) -> Phase | None:
        context, seating = self.context, self.context.seating
        lot = digest("succession", *(brought[peer][0] for peer in sorted(brought)))
        takers = sorted(self.needs)
        for seat in self._unheld:
            taker = takers[below(len(takers), "succession", lot, encode(seat))]
            bot = seating.holders[seat].bot or context.roster.settings.bot
            if seat in seating.unheld:
                seating.seat(seat, Holder(taker, bot))
        return _seated(context, self.pending)


class Handover(SealedPhase, ThresholdPhase):
    """Everybody gives the new holders of some seats its powers for what these seats know."""

    what = "handover"

    def __init__(self, context: Context, pending: Interrupted | None) -> None:
        super().__init__(context)
        self.pending = pending
        self._taken = dict(sorted(context.seating.handover_due.items()))
        self._takers = sorted(set(self._taken.values()))
        self._cards = {seat: self._shown(seat) for seat in self._taken}
        self._cups = {seat: self._cup(seat) for seat in self._taken}
        self._due = {peer: self._parts(peer) for peer in context.everybody}
        self.needs = frozenset(p for p in context.everybody if any(self.due(p).values()))

    def _shown(self, seat: int) -> list[Card]:
        """Return the cards that the seat's holder is shown: none where hands stay sealed."""
        sealed = self.context.is_sealed(seat, self._taken[seat])
        return [] if sealed else self.context.deck.known(seat)

    def _cup(self, seat: int) -> list[Point]:
        """Return the points of the seat's dice, if its holder is asked about them and may know."""
        context, request, pending = self.context, self.context.referee.request, self.pending
        if pending and seat in pending.phase.settled(pending.brought):
            return []  # it has chosen already: nobody else learns what it did not show
        question = request.questions.get(seat) if isinstance(request, Choose) else None
        asked = question is not None and question.needs_cup
        sealed = context.is_sealed(seat, self._taken[seat])
        return context.cups.bases(seat) if asked and not sealed else []

    def due(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        return self._due[peer]

    def _parts(self, peer: int) -> Mapping[Receiver, Sequence[Item]]:
        return {taker: self._items(peer, taker) if peer != taker else () for taker in self._takers}

    def _items(self, peer: int, taker: int) -> list[Item]:
        context = self.context
        items = []
        for seat in self._of(taker):
            items += [Item("card", base) for base in context.deck.bases(self._cards[seat])]
            if context.cups.owners.get(seat) == peer:
                items += [Item("die", base) for base in self._cups[seat]]
        return items

    def _of(self, taker: int) -> list[int]:
        return [seat for seat, to in self._taken.items() if to == taker]

    def _bases(self, peer: int, taker: int) -> list[Point]:
        return [item.base for item in self.due(peer)[taker]]

    def mine(self) -> Any:
        return tuple(self._part(taker) for taker in self._takers)

    def _part(self, taker: int) -> bytes:
        context = self.context
        bases = self._bases(context.me, taker)
        if not bases:
            return b""
        label = self.label(context.transcript_hash, context.phase, context.me)
        powers = powers_of(context.key, bases)
        plain = b"".join(powers) + prove_powers(context.key, bases, powers, label)
        seed = context.secret_seed(f"handover {taker}")
        return seal(context.publics[taker], plain, label, seed)

    def check(self, sender: int, parts: Any) -> tuple[Point, ...]:
        """Return the powers that are sealed to this peer, else nothing."""
        context = self.context
        for taker in self._takers:
            sealed = self.sealing(sender, taker, parts)
            if sealed and sender != context.me != taker and not context.replaying:
                label = self.label(context.transcript_hash, context.phase, sender)
                check_sealed(context.publics[taker], sealed, label)
        mine = context.me in self._takers and self.sealing(sender, context.me, parts)
        return self.received(sender, parts) if mine else ()

    def receives(self, peer: int) -> bool:
        return peer in self._takers

    def sealing(self, sender: int, receiver: int, parts: Any) -> bytes:
        sealed = fields(parts, len(self._takers), "handover")[self._takers.index(receiver)]
        count = len(self.due(sender)[receiver])
        return binary(sealed, count * SIZE + PROOF + OVERHEAD if count else 0, "sealed powers")

    def inside(
        self, sender: int, receiver: int, parts: Any, plain: bytes, label: bytes
    ) -> tuple[Point, ...]:
        powers = tuple(plain[at : at + SIZE] for at in range(0, len(plain) - PROOF, SIZE))
        bases = self._bases(sender, receiver)
        check_powers(self.context.publics[sender], bases, powers, plain[-PROOF:], label)
        return powers

    def reconstructed(self, peer: int, powers: Mapping[Receiver, Sequence[Point]]) -> Any:
        nothing = () if not self.due(peer).get(self.context.me) else None
        return powers.get(self.context.me, nothing)

    def done(self, brought: Mapping[int, Any]) -> Phase | None:
        context = self.context
        if context.me in self._takers:
            context.handover_incomplete = None in brought.values()
            mine = {p: iter(powers or ()) for p, powers in brought.items() if p != context.me}
            mine[context.me] = iter(powers_of(context.key, self._wanted()))
            for seat in self._of(context.me):
                if context.handover_incomplete:
                    context.views[seat] = context.view(seat)
                else:
                    self._take(seat, mine)
        for seat, taker in self._taken.items():
            if taker != context.me:
                context.views.pop(seat, None)
            context.cups.seen.pop(seat, None)
            if self._cups[seat]:
                context.cups.seen[seat] = taker
        context.seating.handover_due.clear()
        return resume(self.pending.phase, self.pending.brought) if self.pending else None

    def _wanted(self) -> list[Point]:
        """Return the points of which this peer's own powers belong to what it takes over."""
        return [item.base for item in self._items(self.context.me, self.context.me)]

    def _take(self, seat: int, powers: Mapping[int, Any]) -> None:
        context, cards = self.context, self._cards[seat]
        view = context.view(seat)
        shares = {peer: [next(given) for _ in cards] for peer, given in powers.items()}
        view.own.update(zip(cards, context.deck.faces(cards, shares), strict=True))
        context.seen.dealt(seat, view.own)
        owner = context.cups.owners.get(seat)
        if self._cups[seat] and owner is not None:
            view.cup = tuple(context.cups.face(next(powers[owner])) for _ in self._cups[seat])
            context.seen.rolled(seat, context.cups.at, view.cup)
        elif owner == context.me:
            view.cup = context.cups.own(seat)
        context.views[seat] = view
