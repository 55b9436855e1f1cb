"""What a quorum gives in the place of a peer that is gone: exactly what is due, and no more.

Everything that a peer owes is a power of a point by its key x, and the point says what for: entropy
of a slot, a die, its share of a card, what a committed choice is sealed under. Each of q others
gives its *partial* of the points that are due, with one proof (Chaum and Pedersen, CRYPTO '92) that
they are powers by its share of x; Lagrange's formula makes x·H of them. x is never rebuilt.

A partial is bound to whose key it is of, who gives it, and what its points are for. A proof covers
all the powers of its partial: what may be shown alone later (each die of a cup) is due alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lanplay_protocol.crypto import escrow
from lanplay_protocol.crypto.choice import base_of
from lanplay_protocol.crypto.errors import BadElement, BadProof
from lanplay_protocol.crypto.group import SIZE, Point, Scalar, point
from lanplay_protocol.crypto.hashing import digest, number
from lanplay_protocol.crypto.schnorr import PROOF


@dataclass(frozen=True, slots=True)
class Item:
    """A point H whose power by the lost peer's key is due, and what for."""

    what: str
    base: Point


def choice_item(slot: bytes) -> Item:
    """Return what opens the choice committed to at a slot (``choice.open_by_gamma``)."""
    return Item("choice", base_of(slot))


@dataclass(frozen=True, slots=True)
class Due:
    """What is asked of the quorum.

    ``commitments``: the escrow of the lost peer's key, checked when the game began. ``peers``: how
    many hold a share. ``context`` names game, phase and purpose. ``ValueError`` without items.
    """

    commitments: tuple[Point, ...]
    peers: int
    items: tuple[Item, ...]
    context: bytes

    def __post_init__(self) -> None:
        if not self.items or not 1 <= self.quorum <= self.peers:
            raise ValueError(f"{len(self.items)} items due of {self.quorum} of {self.peers} peers")

    @property
    def quorum(self) -> int:
        """Return how many partials it takes."""
        return len(self.commitments)

    @property
    def bases(self) -> tuple[Point, ...]:
        """Return the points in order."""
        return tuple(item.base for item in self.items)

    def label(self, peer: int) -> bytes:
        """Return what a peer's partial, and its sealing, is bound to; ``BadProof`` if no peer."""
        if not 0 <= peer < self.peers:
            raise BadProof(f"there is no peer {peer} of {self.peers} that holds a share")
        items = [part for item in self.items for part in (item.what.encode(), item.base)]
        return digest("partial", self.context, b"".join(self.commitments), number(peer), *items)


@dataclass(frozen=True, slots=True)
class Partial:
    """What peer ``peer`` gives: share·H for every item in order, and one proof of 64 bytes."""

    peer: int
    powers: tuple[Point, ...]
    proof: bytes


def partial(due: Due, peer: int, share: Scalar) -> Partial:
    """Return this peer's partial of what is due; the same bytes whenever it is asked again."""
    return Partial(peer, *escrow.partials(share, due.bases, due.label(peer)))


def check_partial(due: Due, given: Partial) -> None:
    """Raise ``BadProof`` unless every power is that of its peer's share, proven for this purpose.

    It costs 2n + 1 multiplications for n items, and quorum - 1 for the share key.
    """
    label = due.label(given.peer)
    try:
        escrow.check_partials(
            due.commitments, given.peer, due.bases, given.powers, given.proof, label
        )
    except BadProof as error:
        why = _bad_point(given.powers) or str(error)
        raise BadProof(f"the partial of peer {given.peer}: {why}") from error


def _bad_point(powers: Sequence[Point]) -> str:
    for place, power in enumerate(powers):
        try:
            point(power)
        except BadElement as error:
            return f"power {place}: {error}"
    return ""


def combine(due: Due, given: Sequence[Partial]) -> tuple[Point, ...]:
    """Return x·H for every item, from checked partials of a quorum; any quorum gives the same.

    ``BadProof`` for two partials of one peer or one of nobody; ``ValueError`` for too few.
    """
    by_peer: dict[int, tuple[Point, ...]] = {}
    for one in given:
        due.label(one.peer)
        if one.peer in by_peer:
            raise BadProof(f"there are two partials of peer {one.peer}")
        by_peer[one.peer] = one.powers
    if len(by_peer) < due.quorum:
        raise ValueError(f"{len(by_peer)} partials, where {due.quorum} open what is due")
    chosen = sorted(by_peer.items())[: due.quorum]
    return tuple(
        escrow.combine({peer: powers[place] for peer, powers in chosen})
        for place in range(len(due.items))
    )


def read_partial(due: Due, peer: int, plain: bytes) -> Partial:
    """Return the partial that an opened sealing holds; ``CryptoError`` if it is false."""
    if len(plain) != len(due.items) * SIZE + PROOF:
        raise BadElement(f"a partial of {len(due.items)} points has not {len(plain)} bytes")
    cut = [plain[at : at + SIZE] for at in range(0, len(plain) - PROOF, SIZE)]
    given = Partial(peer, tuple(cut), plain[-PROOF:])
    check_partial(due, given)
    return given
