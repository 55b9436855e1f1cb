"""The referee: runs a game's rules, judges every answer and keeps the public record.

Every driver works through one. A driver finds out what only it can know (what agents answer, what
chance brings, what peers send) and hands it over; the referee does the rest, alike on all replicas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Illegal
from lanplay.engine.record import Entry
from lanplay.engine.requests import (
    Card,
    Choose,
    ClaimRefuted,
    Deal,
    Face,
    Mix,
    OpenRoll,
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


class RulesError(Exception):
    """Rules asked for what their game's manifest rules out: a fault of the rules."""


class Referee:
    """One game under way.

    ``request`` is what the rules ask now, ``None`` once the game is over. ``history`` grows by one
    entry for every request that brings something new to all (``Choose``, ``Uncover``, ``OpenRoll``,
    ``Show``); header and history together are the game.
    """

    __slots__ = ("_cards", "_cup", "_send", "game", "history", "request", "table")

    def __init__(self, game: Game, table: Any) -> None:
        self.game = game
        self.table = table
        self.history: list[Entry] = []
        self._cards = game.cards
        self._cup = game.cup
        rules = game.rules(table)
        self._send: Callable[[Any], Request] = rules.send
        self.request: Request | None = None
        self.go_on(None)

    def chosen(self, answers: Mapping[int, Answer]) -> None:
        """Answer a ``Choose``; ``IllegalAnswerError``, and no change, if one is illegal."""
        request = self._expect(Choose)
        for seat, question in request.questions.items():
            try:
                question.check(answers[seat])
            except Illegal as illegal:
                raise IllegalAnswerError(seat, illegal) from None
        self._by_seat({seat: answers[seat] for seat in request.questions})

    def uncovered(self, faces: Mapping[int, tuple[Face, ...]]) -> None:
        """Answer an ``Uncover`` with the faces of each seat's dice, in the order asked."""
        request = self._expect(Uncover)
        for seat, places in request.dice.items():
            _check_faces(faces[seat], len(places), DIE_FACES)
        self._by_seat({seat: faces[seat] for seat in request.dice})

    def rolled(self, faces: tuple[Face, ...]) -> None:
        """Answer an ``OpenRoll``."""
        request = self._expect(OpenRoll)
        _check_faces(faces, request.count, request.sides)
        self.history.append(faces)
        self.go_on(faces)

    def shown(self, faces: tuple[Face, ...]) -> None:
        """Answer a ``Show``: these faces become public."""
        request = self._expect(Show)
        _check_faces(faces, len(request.cards), self.game.cards)
        self.history.append(faces)
        self.table.faces.update(zip(request.cards, faces, strict=True))
        self.go_on(faces)

    def renewed(self) -> dict[str, list[Card]]:
        """Answer a ``Shuffle`` or ``Mix``: return and send the new handles, pile by pile."""
        fresh = self.handles(self._expect(Shuffle, Mix).piles)
        self.go_on(fresh)
        return fresh

    def handles(self, piles: dict[str, list[Card]]) -> dict[str, list[Card]]:
        """Return new handles for the cards of some piles; the old ones say no more."""
        faces: dict[int, int] = self.table.faces
        fresh: dict[str, list[Card]] = {}
        card = self._cards
        for name, pile in piles.items():
            fresh[name] = cards = []
            for old in pile:
                if old in faces:
                    del faces[old]  # noqa: RUF051  # few are: testing first costs less
                cards.append(card)
                card += 1
        self._cards = card
        return fresh

    def passed(self) -> None:
        """Answer a ``Roll``, ``Deal``, ``Round`` or ``ClaimRefuted``: nothing that all can see."""
        self._expect(Roll, Deal, Round, ClaimRefuted)
        self.go_on(None)

    def go_on(self, answer: Any) -> Request | None:
        """Send the rules an answer for which the driver vouches; return the next request.

        The answer is not looked at here, and what belongs into ``history`` the driver has put
        there. ``RulesError`` for a request that the game's manifest rules out.
        """
        request: Request | None
        try:
            self.request = request = self._send(answer)
        except StopIteration:
            self.request = request = None
        if type(request) is Roll and max(request.dice.values(), default=0) > self._cup:
            dice = max(request.dice.values())
            raise RulesError(f"{dice} dice are rolled under a cup that holds {self._cup}")
        return request

    def _by_seat(self, answers: dict[int, Any]) -> None:
        self.history.append(tuple(answers.values()))
        self.go_on(answers)

    def _expect(self, *kinds: type[Any]) -> Any:
        if not isinstance(self.request, kinds):
            raise TypeError(f"the rules ask {self.request!r}, which is none of {kinds}")
        return self.request


def _check_faces(faces: Sequence[Face], count: int, limit: int) -> None:
    good = len(faces) == count
    for face in faces:
        good = good and type(face) is int and 0 <= face < limit
    if not good:
        raise ValueError(f"{faces!r} are not {count} faces below {limit}")
