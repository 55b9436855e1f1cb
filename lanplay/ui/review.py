"""A game looked at again: what luck brought every seat, and what each decision cost.

Before and after all that happens the position is worth to every seat a share of the win and a score
(``lanplay_ai.values``). What happens gains or loses the difference, so that all gains of a seat
add up to its result, less what the first position was worth, exactly. Between a decision and the
dice or cards that follow stands the mean over them: up to it a change belongs to the decision, from
it on to luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import lanplay_ai as ai
from lanplay.engine.agent import Agent
from lanplay.engine.fork import fork
from lanplay.engine.game import Game
from lanplay.engine.knowledge import PrivateKnowledge
from lanplay.engine.question import Answer, Option, Phrase, Question, picked
from lanplay.engine.record import Record
from lanplay.engine.referee import IllegalAnswerError, Referee
from lanplay.engine.requests import Choose, OpenRoll, Show, Uncover
from lanplay.engine.stepper import OpenReplay, OwnReplay
from lanplay.engine.view import View
from lanplay.games import manifest
from lanplay_ai.values import ValuedPosition, Values, Worth

SAMPLES: Final = 4
"""In so many ways the next dice and cards fall, where values do not foresee them."""
BEST: Final = "expert"
"""The bot whose answer is the best known."""
_FALLS: Final = (OpenRoll, Show, Uncover)
Said = Sequence[tuple[Phrase, tuple[Option, ...]]]
"""An answer in the words of its question: each prompt with the options picked."""


@dataclass(frozen=True, slots=True)
class PricedDecision:
    """What a seat decided, the best answer known, and what the difference cost.

    ``said`` and ``instead`` are both in words. Costs are estimates, and may come out below 0: then
    the seat's own answer was the better one. The best answer wins most; it may score less.
    """

    seat: int
    question: Question
    answer: Answer
    best: Answer
    cost: Worth
    said: Said
    instead: Said


@dataclass(frozen=True, slots=True)
class ReviewedStep:
    """Something that happened in a game.

    ``place`` counts the entries of the record before it. ``seats`` are those that were asked, none
    where dice fell or cards were turned. ``gains`` is the change of what all is worth to each seat.
    """

    place: int
    round: int
    seats: tuple[int, ...]
    gains: tuple[Worth, ...]
    decisions: tuple[PricedDecision, ...]


def review(
    game: Game, record: Record, seats: Sequence[int] = (), seen: PrivateKnowledge | None = None
) -> Iterator[ReviewedStep]:
    """Yield all that happened in a finished game, with the decisions of some seats (all).

    First comes a step before all others, at place -1: what the first position was worth.

    The hidden dice and cards of a seat are known where the record has its seed, and of own seats
    where it was ``seen``. Without both, in games that have any, a seat's decisions are not priced;
    without a seed luck begins there where a decision ends.
    ``RecordError`` is raised as ``Replay`` has it, and if the seed gives another game.
    """
    ref = manifest(game.name).values
    if ref is None:
        raise ValueError(f"{game.name} does not say what its positions are worth")
    judged = seats or range(len(record.header.seats))
    yield from _Review(game, record, ref.load(), judged, seen or PrivateKnowledge()).steps()


def balance(seat: int, steps: Sequence[ReviewedStep]) -> dict[str, Worth]:
    """Return where a seat's result comes from: added up it is its share of the win and its score.

    After what the first position was ``even`` worth comes what ``luck`` brought, its ``own``
    decisions, those ``shared``, which it took at once with others, and those of ``others``.
    """
    parts = dict.fromkeys(("even", "luck", "own", "shared", "others"), Worth())
    for step in steps:
        part = "even" if step.place < 0 else "luck"
        if step.seats:
            own = "own" if len(step.seats) == 1 else "shared"
            part = own if seat in step.seats else "others"
        parts[part] += step.gains[seat]
    return parts


class _Said:
    """Answers as the record has it."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def answer(self, view: View[Any], question: Question) -> Answer:
        return self._answer


class _Review:
    def __init__(
        self,
        game: Game,
        record: Record,
        values: Values,
        seats: Sequence[int],
        seen: PrivateKnowledge,
    ) -> None:
        self._game = game
        self._record = record
        self._values = values
        self._judged = seats
        header, count = record.header, len(record.header.seats)
        seed = None if seen else header.seed  # a game that was seen was dealt by its table
        self._open = seed is not None or not game.cards
        self._play: OpenReplay | OwnReplay
        if seed is None:
            self._play = OwnReplay(game, record, seen)
        else:
            whole = OpenReplay(game, record, seed)
            while whole.step():
                pass
            self._play = OpenReplay(game, record, seed)
        self._views: Mapping[int, View[Any]] = self._play.views
        self._best = [ai.make(BEST, b"review %d" % seat, game.name) for seat in range(count)]

    def steps(self) -> Iterator[ReviewedStep]:
        play = self._play.referee
        now = self._worths(play)
        waiting: ReviewedStep | None = ReviewedStep(-1, 0, (), tuple(now), ())
        while (request := play.request) is not None:
            if not isinstance(request, (Choose, *_FALLS)):
                self._play.step()
                continue
            place, number = len(play.history), play.table.round
            asked: tuple[int, ...] = ()
            decisions: tuple[PricedDecision, ...] = ()
            if isinstance(request, Choose):
                asked, decisions = self._asked(request)
            elif self._open and not self._values.foresees:
                mean = self._mean(self._view(0), SAMPLES)
                if waiting is not None:
                    waiting = _more(waiting, now, mean)
                    now = mean
            if waiting is not None:
                yield waiting
            self._play.step()
            after = self._worths(play)
            waiting = _more(
                ReviewedStep(place, number, asked, (Worth(),) * len(now), decisions), now, after
            )
            now = after
        if isinstance(self._play, OwnReplay):
            self._play.replay.step()
        if waiting is not None:
            yield waiting

    def _worths(self, play: Referee) -> Sequence[Worth]:
        """Return what a position is worth to every seat; at the end its result."""
        if play.request is None:
            end = self._game.result(play.table)
            return [Worth(end.share(seat), points) for seat, points in enumerate(end.scores)]
        return self._values.worths(ValuedPosition(play.table, play.request, play.history))

    def _view(self, seat: int) -> View[Any]:
        if seat in self._views:
            return self._views[seat]
        header = self._record.header
        return View(seat, self._play.referee.table, header, self._play.referee.history)

    def _asked(self, request: Choose) -> tuple[tuple[int, ...], tuple[PricedDecision, ...]]:
        """Return the seats that had a choice, and what those that are looked at decided."""
        seats, decisions = [], []
        entry: Any = self._record.history[len(self._play.referee.history)]
        for (seat, question), answer in zip(request.questions.items(), entry, strict=True):
            view = self._view(seat)
            if question.only_answer(view) is not None:
                continue
            seats.append(seat)
            known = seat in self._views or (self._open and not question.needs_cup)
            if seat in self._judged and known:
                with suppress(IllegalAnswerError):  # who stood in for it may have seen other cards
                    decisions.append(self._decision(view, request, question, answer))
        return tuple(seats), tuple(decisions)

    def _decision(
        self, view: View[Any], request: Choose, question: Question, answer: Answer
    ) -> PricedDecision:
        best = self._best[view.seat].answer(view, question)
        cost = Worth()
        if best != answer:
            others = {other: ai.plainest(self._game.name) for other in request.questions}
            worths = [self._after(view, each, others) for each in (best, answer)]
            cost = worths[0] - worths[1]
        said, instead = (picked(question, view, each) for each in (answer, best))
        return PricedDecision(view.seat, question, answer, best, cost, said, instead)

    def _after(self, view: View[Any], answer: Answer, others: Mapping[int, str]) -> Worth:
        """Return what the position after an answer is worth to its seat: a mean, if dice fall."""
        name = self._game.name
        agents: list[Agent] = [
            _Said(answer) if seat == view.seat else ai.make(others.get(seat, BEST), b"", name)
            for seat in range(len(view.header.seats))
        ]
        return self._mean(view, 1 if self._values.foresees else SAMPLES, agents)[view.seat]

    def _mean(self, view: View[Any], samples: int, agents: Sequence[Agent] = ()) -> Sequence[Worth]:
        """Return what the position is worth after the next dice or cards, on average.

        ``agents`` answer first, if there are any.
        """
        total = [Worth()] * len(view.header.seats)
        agents = agents or [_Said(None)] * len(total)
        for sample in range(samples):
            simulation = fork(self._game, view, b"review %d" % sample, agents)
            if isinstance(simulation.request, Choose):
                simulation.step()
            while not self._values.foresees and simulation.request is not None:
                request = simulation.request
                if isinstance(request, Choose):
                    break
                simulation.step()
                if isinstance(request, _FALLS):
                    break
            total = [a + b for a, b in zip(total, self._worths(simulation.referee), strict=True)]
        return [each / samples for each in total]


def _more(step: ReviewedStep, before: Sequence[Worth], after: Sequence[Worth]) -> ReviewedStep:
    """Return a step that also changed worths from these to those."""
    gains = tuple([g + b - a for g, a, b in zip(step.gains, before, after, strict=True)])
    return ReviewedStep(step.place, step.round, step.seats, gains, step.decisions)
