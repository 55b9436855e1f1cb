"""Forking a running game from a seat's view, for look-ahead.

A fork is a simulation that goes on from what one seat can see: unseen faces and future chance are
drawn from a key, consistent with the view, so that nothing hidden can leak into what a bot does.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.question import Illegal
from lanplay.engine.referee import DIE_FACES, Referee
from lanplay.engine.replay import replay_step
from lanplay.engine.requests import (
    Card,
    Choose,
    ClaimRefuted,
    Deal,
    Face,
    Mix,
    Roll,
    Show,
    Shuffle,
    Uncover,
)
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View

_DICE = 5
"""Dice that are drawn for every cup, or as many as the fullest one has."""
ATTEMPTS = 100
"""Guesses at the hidden faces; the last one stands if none explains all answers given so far."""


def fork(game: Game, view: View[Any], key: bytes, agents: Sequence[Agent]) -> Simulation:
    """Return a simulation that continues the game of ``view``, played by ``agents``.

    ``key`` (at most 64 bytes) decides what the view leaves open. The game itself is not touched.
    Equal views and keys give equal forks.
    """
    for attempt in range(ATTEMPTS):
        chance = Chance(blake2b(b"fork %d" % attempt, key=key).digest())
        simulation = Simulation(game, view.header, agents, chance)
        guess = _Guess(game, view, simulation.referee, chance)
        guess.replay()
        simulation.resume(guess.faces(), guess.known, guess.cups)
        if guess.explains_answers(simulation.views):
            break
    return simulation


class _Guess:
    """Replays a public history and works out which faces its cards can have.

    A face of ``_cards`` is certain where the seat has seen it (``_shown``) and a guess elsewhere.
    """

    def __init__(self, game: Game, view: View[Any], referee: Referee, chance: Chance) -> None:
        self.known: list[dict[Card, Face]] = [{} for _ in view.header.seats]
        self.cups: list[tuple[Face, ...]] = [() for _ in view.header.seats]
        self._dealt: list[set[Card]] = [set() for _ in view.header.seats]
        self._view = view
        self._referee = referee
        self._chance = chance
        self._cards: list[Face] = list(range(game.cards))
        self._draws = 0
        self._answered: list[tuple[Choose, Any]] = []
        self._refuted: set[int] = set()
        self._shown = self._faces_shown()

    def _faces_shown(self) -> dict[Card, Face]:
        """Return every face the seat knows or that was public at any time of the history."""
        shown = dict(enumerate(self._cards)) | self._view.own
        watch = Referee(self._referee.game, self._fresh_table())
        place = 0
        while True:
            request = watch.request
            if not replay_step(watch, self._view.history, place):
                break
            if isinstance(request, Show):
                shown.update(zip(request.cards, self._view.history[place], strict=True))  # type: ignore[arg-type]  # faces
            place = len(watch.history)
        return shown

    def _fresh_table(self) -> Any:
        header = self._view.header
        return self._referee.game.table(len(header.seats), header.options, header.start)

    def replay(self) -> None:
        """Bring the referee to the present, following every card on the way."""
        history = self._view.history
        while True:
            request = self._referee.request
            if not self._step(history):
                break
            if isinstance(request, Choose):
                self._answered.append((request, history[len(self._referee.history) - 1]))
            elif isinstance(request, Roll):
                self._roll(request)
            elif isinstance(request, Deal):
                self._dealt[request.seat].update(request.cards)
            elif isinstance(request, Mix):
                self._dealt[request.seat].update(range(self._before, len(self._cards)))
            elif isinstance(request, Uncover):
                self._uncover(request, history[len(self._referee.history) - 1])
            elif isinstance(request, ClaimRefuted):
                self._refuted.add(request.seat)

    def _step(self, history: Sequence[Any]) -> bool:
        request = self._referee.request
        if isinstance(request, Shuffle | Mix):
            self._before = len(self._cards)
            for pile in request.piles.values():
                self._shuffle(pile)
        return replay_step(self._referee, history, len(self._referee.history))

    def _shuffle(self, pile: Sequence[Card]) -> None:
        """Give the new handles of a pile its faces: those known stay where the seat saw them."""
        first = len(self._cards)
        seen = {place: self._shown.get(first + place) for place in range(len(pile))}
        wanted = [face for face in seen.values() if face is not None]
        for face in wanted:
            self._bring(face, pile, wanted)
        self._draws += 1
        order = self._chance.permutation(len(pile), "fork shuffle", (self._draws,))
        rest = [self._cards[pile[place]] for place in order]
        rest = [face for face in rest if face not in wanted]
        self._cards += [rest.pop() if face is None else face for face in seen.values()]

    def _bring(self, face: Face, pile: Sequence[Card], wanted: Sequence[Face]) -> None:
        """Let a face be in the pile: exchange it, wherever faces are guesses, with one there."""
        faces = [self._cards[card] for card in pile]
        if face in faces:
            return
        other = next(
            self._cards[card]
            for card in pile
            if card not in self._shown and self._cards[card] not in wanted
        )
        exchange = {face: other, other: face}
        for card, old in enumerate(self._cards):
            if card not in self._shown:
                self._cards[card] = exchange.get(old, old)

    def _roll(self, request: Roll) -> None:
        self._draws += 1
        most = max(_DICE, *request.dice.values())
        sampled = self._chance.dice(most * len(self.cups), DIE_FACES, ("fork", self._draws))
        for seat, count in request.dice.items():
            self.cups[seat] = sampled[most * seat : most * seat + count]

    def _uncover(self, request: Uncover, faces: Any) -> None:
        for (seat, places), shown in zip(request.dice.items(), faces, strict=True):
            cup = list(self.cups[seat])
            for place, face in zip(places, shown, strict=True):
                cup[place] = face
            self.cups[seat] = tuple(cup)

    def explains_answers(self, views: Sequence[View[Any]]) -> bool:
        """Tell whether every answer of the history was legal for its seat with these faces.

        What a seat answered that was refuted later says nothing of its cards.
        """
        try:
            for request, answers in self._answered:
                for (seat, question), answer in zip(
                    request.questions.items(), answers, strict=True
                ):
                    if seat not in self._refuted:
                        question.check_own(answer, views[seat])
        except Illegal:
            return False
        return True

    def faces(self) -> list[Face]:
        """Return a face for every card, and set what each seat knows and has under its cup."""
        found = self._cards
        for seat, cards in enumerate(self._dealt):
            self.known[seat] = {card: found[card] for card in sorted(cards)}
        self.known[self._view.seat] = dict(self._view.own)
        if self._view.cup:  # a stand-in may not know it
            self.cups[self._view.seat] = self._view.cup
        return found
