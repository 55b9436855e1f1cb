"""The referee: runs a game's rules, judges every answer and keeps the public record.

Every driver works through one. A driver finds out what only it can know (what agents answer, what
chance brings, what peers send) and hands it over; the referee does the rest, alike on all replicas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Illegal
from lanplay.engine.record import Entry
from lanplay.engine.requests import (
    Card,
    Choose,
    Deal,
    Face,
    Mix,
    OpenRoll,
    Refuted,
    Request,
    Roll,
    Round,
    Show,
    Shuffle,
    Uncover,
)

DIE_FACES: Final = 6


class IllegalAnswerError(Exception):
    """A seat's answer was refused. ``seat`` is its author, ``illegal`` the reason."""

    def __init__(self, seat: int, illegal: Illegal) -> None:
        super().__init__(f"seat {seat}: {illegal}")
        self.seat = seat
        self.illegal = illegal


class Referee:
    """One game under way.

    ``request`` is what the rules ask now, ``None`` once the game is over. ``history`` grows by one
    entry for every request that brings something new to all (``Choose``, ``Uncover``, ``OpenRoll``,
    ``Show``); header and history together are the game. ``steps`` counts the requests answered.
    """

    __slots__ = ("_cards", "_rules", "game", "history", "request", "steps", "table")

    def __init__(self, game: Game, table: Any) -> None:
        self.game = game
        self.table = table
        self.history: list[Entry] = []
        self.steps = 0
        self._cards = game.cards
        self._rules = game.rules(table)
        self.request: Request | None = next(self._rules)

    def chosen(self, answers: Mapping[int, Answer]) -> None:
        """Answer a ``Choose``; ``IllegalAnswerError``, and no change, if one is illegal."""
        request = self._expect(Choose)
        for seat, question in request.questions.items():
            try:
                question.check(answers[seat])
            except Illegal as illegal:
                raise IllegalAnswerError(seat, illegal) from None
        self.vouched({seat: answers[seat] for seat in request.questions})

    def vouched(self, answers: Mapping[int, Any]) -> None:
        """Answer a ``Choose`` or ``Uncover`` for which the driver vouches.

        ``answers`` are in the order of the request, and every one has been checked or cannot be
        wrong: nothing is looked at here.
        """
        self.history.append(tuple(answers.values()))
        self._send(answers)

    def uncovered(self, faces: Mapping[int, tuple[Face, ...]]) -> None:
        """Answer an ``Uncover`` with the faces of each seat's dice, in the order asked."""
        request = self._expect(Uncover)
        for seat, places in request.dice.items():
            _check_faces(faces[seat], len(places), DIE_FACES)
        self.vouched({seat: faces[seat] for seat in request.dice})

    def rolled(self, faces: tuple[Face, ...]) -> None:
        """Answer an ``OpenRoll``."""
        request = self._expect(OpenRoll)
        _check_faces(faces, request.count, request.sides)
        self.landed(faces)

    def landed(self, faces: tuple[Face, ...]) -> None:
        """Answer an ``OpenRoll`` with faces for which the driver vouches."""
        self.history.append(faces)
        self._send(faces)

    def shown(self, faces: tuple[Face, ...]) -> None:
        """Answer a ``Show``: these faces become public."""
        request = self._expect(Show)
        _check_faces(faces, len(request.cards), self.game.cards)
        self.history.append(faces)
        self.table.faces.update(zip(request.cards, faces, strict=True))
        self._send(faces)

    def renewed(self) -> dict[str, list[Card]]:
        """Answer a ``Shuffle`` or ``Mix``: return and send the new handles, pile by pile."""
        request = self._expect(Shuffle, Mix)
        fresh = {}
        for name, pile in request.piles.items():
            fresh[name] = list(range(self._cards, self._cards + len(pile)))
            self._cards += len(pile)
            for card in pile:
                self.table.faces.pop(card, None)
        self._send(fresh)
        return fresh

    def passed(self) -> None:
        """Answer a ``Roll``, ``Deal``, ``Round`` or ``Refuted``: with nothing that all can see."""
        self._expect(Roll, Deal, Round, Refuted)
        self._send(None)

    def _expect(self, *kinds: type[Any]) -> Any:
        if not isinstance(self.request, kinds):
            raise TypeError(f"the rules ask {self.request!r}, which is none of {kinds}")
        return self.request

    def _send(self, answer: Any) -> None:
        self.steps += 1
        try:
            self.request = self._rules.send(answer)
        except StopIteration:
            self.request = None


def _check_faces(faces: Sequence[Face], count: int, limit: int) -> None:
    good = len(faces) == count
    for face in faces:
        good = good and type(face) is int and 0 <= face < limit
    if not good:
        raise ValueError(f"{faces!r} are not {count} faces below {limit}")
