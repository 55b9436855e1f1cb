"""The quorum gives what peers that are out owe: exactly that, and no more (see ``partials``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay_protocol.crypto.group import SIZE, Point
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.crypto.partials import (
    Due,
    Item,
    Partial,
    check_partial,
    combine,
    partial,
    read_partial,
)
from lanplay_protocol.crypto.schnorr import PROOF
from lanplay_protocol.crypto.sealing import OVERHEAD, check_sealed, seal
from lanplay_protocol.replica.phases import Phase, Receiver, SealedPhase, ThresholdPhase
from lanplay_protocol.schema import binary, fields, refuse
from lanplay_protocol.wire import encode

Given = Mapping[Receiver, Sequence[Partial]]


def resume(phase: Phase, brought: Mapping[int, Any]) -> Phase | None:
    """Go on after a phase whose present peers have all sent their part."""
    if phase.needs <= brought.keys() and not phase.stale:
        return phase.done(brought)
    rest = phase.rest(brought)
    return (
        ThresholdOpening(phase, brought)
        if rest is phase and isinstance(phase, ThresholdPhase)
        else rest
    )


class ThresholdOpening(SealedPhase):
    """Every present peer gives its partials of what those that are out owe to a phase.

    What is due to one peer alone is sealed to it; its own partial it adds itself.
    """

    what = "partials"

    def __init__(self, phase: ThresholdPhase, brought: Mapping[int, Any]) -> None:
        context = phase.context
        super().__init__(context)
        self.needs = context.present
        self._phase = phase
        self._brought = brought
        self._bound = b""
        self._lost = sorted(phase.needs - brought.keys())
        self._items: dict[Receiver, dict[int, tuple[Item, ...]]] = {}
        for peer in self._lost:
            for receiver, items in phase.due(peer).items():
                if items and (receiver is None or receiver in context.present):
                    self._items.setdefault(receiver, {})[peer] = tuple(items)

    def begin(self) -> None:
        context = self.context
        named = encode((context.phase, self.what))
        self._bound = digest("proof", context.game_id, context.transcript_hash, named)

    def _dues(self, receiver: Receiver) -> list[Due]:
        """Return what is due to a receiver, by peer."""
        context = self.context
        peers = len(context.roster.peers)
        return [
            Due(context.commitments[lost], peers, items, self._bound)
            for lost, items in self._items[receiver].items()
        ]

    def _own(self, receiver: Receiver) -> list[Partial]:
        context = self.context
        lost = self._items[receiver]
        return [
            partial(due, context.me, context.shares[peer])
            for peer, due in zip(lost, self._dues(receiver), strict=True)
        ]

    def mine(self) -> Any:
        return tuple(self._part(receiver) for receiver in self._items)

    def _part(self, receiver: Receiver) -> Any:
        context = self.context
        if receiver == context.me:
            return b""
        own = self._own(receiver)
        if receiver is None:
            return tuple((each.powers, each.proof) for each in own)
        label = self.label(context.transcript_hash, context.phase, context.me)
        plain = b"".join(b"".join(each.powers) + each.proof for each in own)
        seed = context.secret_seed(f"partials {receiver}")
        return seal(context.publics[receiver], plain, label, seed)

    def check(self, sender: int, parts: Any) -> Given:
        given = dict(zip(self._items, fields(parts, len(self._items), "partials"), strict=True))
        return {
            receiver: self._given(sender, receiver, given[receiver], parts)
            for receiver in sorted(given, key=lambda each: each == self.context.me)
        }

    def _given(self, sender: int, receiver: Receiver, part: Any, parts: Any) -> Sequence[Partial]:
        context = self.context
        if receiver is None:
            return self._open(sender, part)
        if receiver == sender:
            binary(part, 0, "own partials")
            return self._own(receiver) if sender == context.me else ()
        self.sealing(sender, receiver, parts)
        if receiver == context.me:
            partials: Sequence[Partial] = self.received(sender, parts)
            return partials
        if sender != context.me and not context.replaying:
            label = self.label(context.transcript_hash, context.phase, sender)
            check_sealed(context.publics[receiver], part, label)
        return ()

    def _open(self, sender: int, part: Any) -> list[Partial]:
        dues = self._dues(None)
        found = []
        for due, one in zip(dues, fields(part, len(dues), "partials"), strict=True):
            powers, proof = fields(one, 2, "partial")
            points = fields(powers, len(due.items), "powers")
            given = Partial(
                sender,
                tuple(binary(each, SIZE, "power") for each in points),
                binary(proof, PROOF, "proof"),
            )
            if sender != self.context.me and not self.context.replaying:
                check_partial(due, given)
            found.append(given)
        return found

    @property
    def inner(self) -> ThresholdPhase:
        """The phase to which something is due."""
        return self._phase

    def settled(self, brought: Mapping[int, Any]) -> frozenset[int]:
        return self._phase.settled(self._brought)

    def receives(self, peer: int) -> bool:
        return peer in self._items

    def sealing(self, sender: int, receiver: int, parts: Any) -> bytes:
        place = list(self._items).index(receiver)
        sizes = [len(items) * SIZE + PROOF for items in self._items[receiver].values()]
        sealed = fields(parts, len(self._items), "partials")[place]
        return binary(sealed, sum(sizes) + OVERHEAD, "sealed partials")

    def inside(
        self, sender: int, receiver: int, parts: Any, plain: bytes, label: bytes
    ) -> list[Partial]:
        found, at = [], 0
        for due in self._dues(receiver):
            size = len(due.items) * SIZE + PROOF
            found.append(read_partial(due, sender, plain[at : at + size]))
            at += size
        if at != len(plain):
            refuse("more was sealed than the partials that are due")
        return found

    def verified(self, brought: Mapping[int, Given]) -> dict[str, int]:
        items = sum(len(i) for lost in self._items.values() for i in lost.values())
        return {"partials": items * len(brought)}

    def rest(self, brought: Mapping[int, Any]) -> Phase | None:
        """Begin again with those who are left."""
        return resume(self._phase, self._brought)

    def done(self, brought: Mapping[int, Given]) -> Phase | None:
        supplied = {
            peer: self._phase.reconstructed(peer, self._powers(peer, brought))
            for peer in self._lost
        }
        return resume(self._phase, {**self._brought, **supplied})

    def _powers(self, peer: int, brought: Mapping[int, Given]) -> dict[Receiver, tuple[Point, ...]]:
        powers: dict[Receiver, tuple[Point, ...]] = {}
        for receiver, lost in self._items.items():
            if peer in lost and receiver in (None, self.context.me):
                place = list(lost).index(peer)
                due = self._dues(receiver)[place]
                if all(given is not None for given in brought.values()):
                    given = [brought[sender][receiver][place] for sender in sorted(brought)]
                    powers[receiver] = combine(due, given)
        return powers
