"""Dice under cups, open dice and the entropy they hang on.

The entropy of a slot is E = H(x_1·B, …, x_n·B) with B = HashToPoint(game, slot): every part is
unique, so there is nothing to choose, and none is known before its owner publishes it. A die under
a seat's cup is an unbiased map of H(γ, E) with γ = x·HashToPoint(game, slot, seat, die): known to
the owner alone until γ is shown with its proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lanplay.engine.requests import At, Choose, Face, OpenRoll, Roll
from lanplay_protocol.crypto.group import Point, hash_to_point, mul
from lanplay_protocol.crypto.hashing import below, digest
from lanplay_protocol.wire import encode

if TYPE_CHECKING:
    from lanplay_protocol.replica.context import Context

SIDES = 6


class Cups:
    """The dice of one game as this peer sees them.

    ``at`` is the slot of the last roll, ``shown[seat, place]`` are the faces of its cups that
    everybody knows, ``owners[seat]`` the peers on whose keys their dice hang: whoever held the seat
    when the slot's entropy was begun, so that nobody who leaves then changes its dice. ``seen`` is
    the peer that knows what is under a seat's cup.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.at: At = ()
        self._dice: dict[int, int] = {}
        self.owners: dict[int, int] = {}
        self.seen: dict[int, int] = {}
        self._begun: dict[At, tuple[int, ...]] = {}
        self.shown: dict[tuple[int, int], Face] = {}

    def begin(self, at: At) -> None:
        """Fix on whose keys the dice of a slot hang, before any part of its entropy is known."""
        holders = self._context.seating.holders
        self._begun.setdefault(at, tuple(holder.peer for holder in holders))

    def blind(self, request: Choose) -> list[int]:
        """Return the seats whose holder does not know the dice it is asked about, and may."""
        holders = self._context.seating.holders
        return [
            seat
            for seat, question in request.questions.items()
            if question.needs_cup
            and seat in self.owners
            and self.seen.get(seat) != holders[seat].peer
            and not self._context.is_sealed(seat, holders[seat].peer)
        ]

    def entropy_base(self, at: At) -> Point:
        """Return the point whose power each peer publishes for a slot."""
        return hash_to_point("entropy", self._context.game_id, encode(at))

    def settle(self, at: At, powers: Sequence[Point]) -> None:
        """Fix the entropy of a slot from all peers' powers, in peer order."""
        parts = (self._context.game_id, encode(at), *powers)
        self._context.entropy[at] = digest("entropy", *parts)

    def roll(self, request: Roll) -> None:
        """Replace the cups by those of a slot whose entropy is known; compute this peer's own."""
        context = self._context
        self.at = request.at
        self._dice = dict(request.dice)
        self.begin(request.at)
        holders = self._begun.pop(request.at)
        self.owners = {seat: holders[seat] for seat in request.dice}
        self.seen = dict(self.owners)
        self.shown.clear()
        for seat in request.dice:
            view = context.views.get(seat)
            if view is not None and self.owners[seat] != context.me:
                view.cup = ()
            elif view is not None:
                view.cup = self.own(seat)
                context.seen.rolled(seat, self.at, view.cup)

    def own(self, seat: int) -> tuple[Face, ...]:
        """Return the dice under a seat's cup that hang on this peer's own key."""
        return tuple(self.face(mul(self._context.key.x, base)) for base in self.bases(seat))

    def open_roll(self, request: OpenRoll) -> tuple[Face, ...]:
        """Return dice that are functions of the slot's entropy alone."""
        entropy = self._context.entropy[request.at]
        numbers = range(request.count)
        return tuple(below(request.sides, "open", entropy, encode(number)) for number in numbers)

    def base(self, seat: int, place: int) -> Point:
        """Return the point whose power by its owner's key is the secret of a die."""
        return hash_to_point("die", self._context.game_id, encode((self.at, seat, place)))

    def bases(self, seat: int) -> list[Point]:
        """Return the points of all dice under a seat's cup."""
        return [self.base(seat, place) for place in range(self._dice.get(seat, 0))]

    def show(self, die: tuple[int, int], power: Point) -> None:
        """Reveal a die (seat, place) to everybody, given its secret."""
        self.shown[die] = self.face(power)

    def face(self, power: Point) -> Face:
        """Return the face of the die with this secret."""
        return below(SIDES, "die", power, self._context.entropy[self.at])
