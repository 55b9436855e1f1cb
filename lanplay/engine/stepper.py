"""A record to be stepped through, forward and back: every moment at which something had happened.

Whose hidden faces are known depends on the record: all seats' where it was played in one process
(its seed says how), the own seats' where a private file lies beside it (see ``engine.knowledge``),
and nobody's else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.engine.record import Record, RecordError
from lanplay.engine.referee import IllegalAnswerError, Referee
from lanplay.engine.replay import Replay
from lanplay.engine.requests import Choose, ClaimRefuted, Deal, Mix, Request, Roll, Round, Shuffle
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.errors import Fault, told_of


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a game.

    ``round`` is 0 before the first; ``move`` counts from 1 in each round. ``events`` are what
    happened since the position before. ``public`` is what everybody sees, as a view of seat 0 that
    knows nothing hidden; ``views`` are those of the seats whose faces are known. ``asked`` are the
    questions that are open now, by seat. Nothing here changes any more.
    """

    round: int
    move: int
    events: tuple[Phrase, ...]
    public: View[Any]
    views: Mapping[int, View[Any]]
    asked: Mapping[int, Question]

    def view(self, seat: int) -> View[Any]:
        """Return what everybody knows of a seat: its view with nothing hidden."""
        return View(seat, self.public.table, self.public.header, self.public.history)


class Stepper:
    """A record and a place in it. ``positions`` has at least one; ``at`` is the present one."""

    def __init__(self, game: Game, record: Record, seen: PrivateKnowledge | None = None) -> None:
        """Go through the whole record once.

        Raises ``RecordError`` if it is of another game or version, or does not hold to its end.
        """
        Replay(game, record).run()
        self.positions: Sequence[Position] = tuple(_positions(_driver(game, record, seen)))
        self.at = 0
        self.finished = record.finished

    @property
    def now(self) -> Position:
        """The present position."""
        return self.positions[self.at]

    @property
    def known(self) -> tuple[int, ...]:
        """The seats whose hidden faces can be shown."""
        return tuple(self.positions[0].views)

    @property
    def moves(self) -> int:
        """How many moves the present round has."""
        return sum(position.round == self.now.round for position in self.positions)

    @property
    def rounds(self) -> int:
        """The last round that was begun."""
        return self.positions[-1].round

    def forward(self) -> bool:
        """Go on by one move; ``False`` at the end."""
        return self._go(self.at + 1)

    def back(self) -> bool:
        """Go back by one move; ``False`` at the start."""
        return self._go(self.at - 1)

    def next_round(self) -> bool:
        """Go to the first move of the next round; ``False`` in the last one."""
        return self.to_round(self.now.round + 1)

    def previous_round(self) -> bool:
        """Go to the first move of this round, or from there to that of the one before."""
        first = self.now.move == 1
        return self.to_round(self.now.round - first)

    def to_round(self, number: int) -> bool:
        """Go to the first move of a round; ``False`` if there is none such."""
        places = (at for at, position in enumerate(self.positions) if position.round == number)
        return self._go(next(places, -1))

    def to_start(self) -> bool:
        """Go to the first position."""
        return self._go(0)

    def to_end(self) -> bool:
        """Go to the last position."""
        return self._go(len(self.positions) - 1)

    def _go(self, at: int) -> bool:
        if not 0 <= at < len(self.positions):
            return False
        self.at = at
        return True


class _Driver(Protocol):
    """A game that is played again. ``views`` are those of the seats whose faces are known."""

    referee: Referee
    views: dict[int, View[Any]]
    public: View[Any]

    def step(self) -> bool:
        """Answer one request; ``False`` if nothing is left."""
        ...


def _driver(game: Game, record: Record, seen: PrivateKnowledge | None) -> _Driver:
    if record.header.seed is not None and seen is None:
        return OpenReplay(game, record, record.header.seed)
    return OwnReplay(game, record, seen or PrivateKnowledge())


def _positions(driver: _Driver) -> Iterator[Position]:
    """Yield a position before every decision and round where anything was said, and at the end."""
    table = driver.referee.table
    table.log = []
    last: Position | None = None
    going = True
    while going:
        if _pause(driver.referee.request) and (table.log or last is None):
            last = _position(driver, last)
            yield last
        going = driver.step()
    if last is None or len(last.public.history) < len(driver.referee.history):
        yield _position(driver, last)


def _pause(request: Request | None) -> bool:
    return request is None or isinstance(request, Choose | Round)


def _position(driver: _Driver, last: Position | None) -> Position:
    """Return the game as it is now, and empty its log."""
    referee = driver.referee
    events = tuple(referee.table.log)
    referee.table.log.clear()
    table, history = referee.table.copy(), list(referee.history)
    move = last.move + 1 if last is not None and last.round == table.round else 1
    return Position(
        round=table.round,
        move=move,
        events=events,
        public=_frozen(driver.public, table, history),
        views={seat: _frozen(view, table, history) for seat, view in driver.views.items()},
        asked=dict(referee.request.questions) if isinstance(referee.request, Choose) else {},
    )


def _frozen(view: View[Any], table: Any, history: list[Any]) -> View[Any]:
    twin = View(view.seat, table, view.header, history)
    twin.cup, twin.own = view.cup, dict(view.own)
    return twin


class OwnReplay:
    """Played again from public answers; what the own seats saw is looked up.

    ``views`` are theirs. ``step`` answers one request; ``False`` if nothing is left.
    """

    def __init__(self, game: Game, record: Record, seen: PrivateKnowledge) -> None:
        self.replay = Replay(game, record)
        self._seen = seen
        self._cards = game.cards
        self.referee = self.replay.referee
        self.public = self._view(0)
        seats = [seat for seat in seen.seats if seat < len(record.header.seats)]
        self.views = {seat: self._view(seat) for seat in seats}

    def _view(self, seat: int) -> View[Any]:
        referee = self.referee
        return View(seat, referee.table, self.replay.record.header, referee.history)

    def step(self) -> bool:
        request = self.referee.request
        if isinstance(request, Roll):
            for seat, view in self.views.items():
                if seat in request.dice:
                    view.cup = self._seen.cups.get((seat, request.at), ())
        elif isinstance(request, Deal):
            self._learn(request.seat, request.cards)
        elif isinstance(request, Shuffle | Mix):
            before, self._cards = self._cards, self._cards + sum(map(len, request.piles.values()))
            if isinstance(request, Mix):
                self._learn(request.seat, range(before, self._cards))
        return self.replay.advance()

    def _learn(self, seat: int, cards: Sequence[int]) -> None:
        if seat in self.views:
            faces = self._seen.cards.get(seat, {})
            self.views[seat].own.update((card, faces[card]) for card in cards if card in faces)


class OpenReplay:
    """Played again with the luck of its seed: every face is known.

    ``step`` answers one request; ``False`` if nothing is left. ``RecordError`` if the seed gives
    another game.
    """

    def __init__(self, game: Game, record: Record, seed: bytes) -> None:
        agents = [_Recorded(self) for _ in record.header.seats]
        self._simulation = Simulation(game, record.header, agents, Chance(seed))
        self._history = record.history
        self.referee = self._simulation.referee
        self.views = dict(enumerate(self._simulation.views))
        header = replace(record.header, seed=None)
        self.public: View[Any] = View(0, self.referee.table, header, self.referee.history)

    def step(self) -> bool:
        place = len(self.referee.history)
        if self.referee.request is None or (place == len(self._history) and not self._silent()):
            return False
        try:
            self._simulation.step()
        except IllegalAnswerError as error:
            raise RecordError(Fault.RECORD_BREAKS, number=place, why=told_of(error)) from error
        grown = self.referee.history[place:]
        if grown and grown[0] != self._history[place]:
            raise RecordError(Fault.RECORD_STATE)
        return True

    def _silent(self) -> bool:
        """Tell whether the request at hand leaves nothing in the record."""
        return isinstance(self.referee.request, Roll | Deal | Shuffle | Mix | Round | ClaimRefuted)

    def recorded(self, seat: int) -> Answer:
        """Return what a seat answers to the question at hand."""
        request: Any = self.referee.request
        entry: Any = self._history[len(self.referee.history)]
        answer: Answer = entry[list(request.questions).index(seat)]
        return answer


class _Recorded:
    """Answers as the record says."""

    def __init__(self, driver: OpenReplay) -> None:
        self._driver = driver

    def answer(self, view: View[Any], question: Question) -> Answer:
        return self._driver.recorded(view.seat)
