"""Cards that nobody can read alone: every handle stands for an ElGamal ciphertext.

At the start card ``c`` is the face ``c`` under the deterministic first masking, so that everybody
makes the same deck; shuffles and mixes give new handles new ciphertexts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lanplay.engine.requests import Card, Face
from lanplay_protocol.crypto.cards import (
    Ciphertext,
    FaceTable,
    card_point,
    joint_key,
    open_mask,
    unmask,
)
from lanplay_protocol.crypto.group import Point

if TYPE_CHECKING:
    from lanplay_protocol.replica.context import Context


class Deck:
    """The ciphertexts of one game by handle; empty until the keys of all peers are known."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._faces: FaceTable | None = None
        self._masked: dict[Card, Ciphertext] = {}
        self._known: dict[int, dict[Card, None]] = {}
        self.joint: Point = b""

    def open(self) -> None:
        """Mask the faces of the game, once all public keys are known."""
        context = self._context
        faces = range(context.referee.game.cards)
        points = [card_point(context.roster.game, face) for face in faces]
        self.joint = joint_key(context.publics)
        self._faces = dict(zip(points, faces, strict=True))
        self._masked = {c: open_mask(points[c], self.joint) for c in faces}

    def masked(self, cards: Sequence[Card]) -> list[Ciphertext]:
        """Return the ciphertexts of some cards."""
        return [self._masked[card] for card in cards]

    def renew(self, old: Sequence[Card], new: Sequence[Card], masked: Sequence[Ciphertext]) -> None:
        """Replace old handles by new ones with their ciphertexts."""
        for card in old:
            del self._masked[card]
            for known in self._known.values():
                known.pop(card, None)
        self._masked.update(zip(new, masked, strict=True))

    def learn(self, seat: int, cards: Sequence[Card]) -> None:
        """Note that a seat knows some cards now."""
        self._known.setdefault(seat, {}).update(dict.fromkeys(cards))

    def known(self, seat: int) -> list[Card]:
        """Return the cards that a seat knows and not everybody, in the order it came to know them.

        Which ones is public; their faces are not.
        """
        public = self._context.referee.table.faces
        return [card for card in self._known.get(seat, ()) if card not in public]

    def knows(self, seat: int, cards: Sequence[Card]) -> bool:
        """Tell whether a seat knows every one of some cards."""
        public, known = self._context.referee.table.faces, self._known.get(seat, {})
        return all(card in known or card in public for card in cards)

    def bases(self, cards: Sequence[Card]) -> list[Point]:
        """Return the points whose powers by all keys open some cards."""
        return [self._masked[card].b for card in cards]

    def faces(
        self, cards: Sequence[Card], shares: Mapping[int, Sequence[Point]]
    ) -> tuple[Face, ...]:
        """Return the faces of some cards, given every peer's decryption shares for them."""
        assert self._faces is not None
        faces = []
        for place, card in enumerate(cards):
            point = unmask(self._masked[card], [mine[place] for mine in shares.values()])
            faces.append(self._faces[point])
        return tuple(faces)
