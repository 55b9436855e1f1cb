"""The check of what rules ask for: a fault there shows as an odd error far away from its cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lanplay.check.random_games import requests, table_of
from lanplay.engine.game import Game
from lanplay.engine.plain import Plain
from lanplay.engine.question import Question, answers
from lanplay.engine.requests import (
    Choose,
    Deal,
    Mix,
    OpenRoll,
    Request,
    Roll,
    Round,
    Rules,
    Show,
    Shuffle,
    Uncover,
)

MOST_SIDES = 2**16


def asked(game: Game) -> Iterator[str]:
    """Judge every request of whole games, of one begun from a snapshot, too."""
    for seats in {game.seats[0], game.seats[-1]}:
        snapshots: list[Plain] = []
        found = _judged(game, seats, None, snapshots)
        for snapshot in snapshots[1:2]:
            found += _judged(game, seats, snapshot, [])
        yield from found
        if found:  # what is wrong with few seats is so with many
            return


def _judged(game: Game, seats: int, start: Plain, snapshots: list[Plain]) -> list[str]:
    begun = ", begun from a snapshot" if start is not None else ""
    ledger = _Ledger(game, seats, begun)
    rule_set = replace(game.manifest.rules.load(), rules=ledger.watched)
    watched = Game(game.manifest, rule_set)
    try:
        simulation = table_of(watched, seats, b"asked", turn=seats, snapshot=start)
    except ValueError as error:
        return [f"{seats} seats{begun}: it is refused: {error}"]
    try:
        for request in requests(simulation):
            if isinstance(request, Round):
                snapshots.append(game.snapshot(simulation.table))
            if isinstance(request, Choose):
                for seat, question in request.questions.items():
                    if not ledger.told and not _leads_on(question, simulation.views[seat]):
                        ledger.tell(f"{question.name}: seat {seat} has nothing to pick")
            if ledger.told:
                break
    except Exception:
        if not ledger.told:
            raise
    return ledger.told


def _leads_on(question: Question, view: Any) -> bool:
    return next(iter(answers(question, view)), answers) is not answers


class _Ledger:
    """The cards and dice that there are while rules run, and what was ``told`` of them."""

    def __init__(self, game: Game, seats: int, begun: str) -> None:
        self.told: list[str] = []
        self._game, self._seats, self._begun = game, seats, begun
        self._cards = set(range(game.cards))
        self._known: list[set[int]] = [set() for _ in range(seats)]
        self._dice: dict[int, int] = {}
        self._table: Any = None

    def tell(self, what: str) -> None:
        """Note a problem with where the game is."""
        self.told.append(f"{self._seats} seats{self._begun}, round {self._table.round}: {what}")

    def watched(self, table: Any) -> Rules[None]:
        """Run the rules, and look at all that they yield and are sent."""
        self._table = table
        rules = self._game.rules(table)
        answer: Any = None
        brought: Mapping[str, list[int]] = {}
        request: Any = None
        while True:
            before = {name: list(cards) for name, cards in brought.items()}
            try:
                following = rules.send(answer)
            except StopIteration:
                return
            finally:
                if before != brought:
                    self.tell(f"the rules change a list of cards that {_name(request)} brought")
            request = following
            for problem in self._problems(request):
                self.tell(problem)
            answer = yield request
            brought = answer if isinstance(request, Shuffle | Mix) else {}
            self._note(request, brought)

    def _problems(self, request: Any) -> Iterator[str]:
        if not isinstance(request, Request):
            yield f"the rules yield {request!r:.60}, which is no request: is it yield from?"
            return
        what = _name(request)
        for seat in _seats(request):
            if type(seat) is not int or not 0 <= seat < self._seats:
                yield f"{what}: there is no seat {seat!r}"
        if isinstance(request, Choose):
            yield from _asks(request)
        if isinstance(request, Roll | Mix | Deal) and not self._game.manifest.hides:
            yield f"{what}: it hides something, and the manifest says hides=False"
        yield from self._of_dice(request, what)
        yield from self._of_cards(request, what)

    def _of_dice(self, request: Request, what: str) -> Iterator[str]:
        at: Any = getattr(request, "at", ())
        if type(at) is not tuple or not all(type(each) in (int, str) for each in at):
            yield f"{what}: its slot is no tuple of numbers and text"
        if isinstance(request, OpenRoll):
            if request.count < 1 or not 1 <= request.sides <= MOST_SIDES:
                yield f"{what}: there are no {request.count} dice of {request.sides} sides"
        elif isinstance(request, Uncover):
            for seat, places in request.dice.items():
                has = self._dice.get(seat, 0)
                if not set(places) <= set(range(has)):
                    yield f"{what}: seat {seat} has {has} dice under its cup, and shows {places}"

    def _of_cards(self, request: Request, what: str) -> Iterator[str]:
        cards = _cards(request)
        lost = [card for card in cards if card not in self._cards]
        if lost:
            most = f"cards={self._game.cards} in the manifest"
            yield f"{what}: there are no cards {lost}: shuffled meanwhile, or too many for {most}"
        for card in self._cards.intersection(cards):
            if card in self._table.faces:
                if isinstance(request, Deal):
                    yield f"{what}: everybody sees card {card} already"
            elif isinstance(request, Deal | Show) and card < self._game.cards:
                yield f"{what}: card {card} was never shuffled: its handle is its face"
            elif isinstance(request, Mix) and card not in self._known[request.seat]:
                yield f"{what}: its seat has never seen card {card}"
        if len(set(cards)) < len(cards):
            yield f"{what}: a card is there twice"

    def _note(self, request: Request, brought: Mapping[str, list[int]]) -> None:
        fresh = {card for pile in brought.values() for card in pile}
        if isinstance(request, Shuffle | Mix):
            self._cards = self._cards - set(_cards(request)) | fresh
        if isinstance(request, Roll):
            self._dice |= request.dice
        if isinstance(request, Mix | Deal):
            self._known[request.seat] |= fresh if isinstance(request, Mix) else {*request.cards}


def _asks(request: Choose) -> Iterator[str]:
    if not request.questions:
        yield "Choose asks nobody"
    for seat, question in request.questions.items():
        if not isinstance(question, Question):
            yield f"Choose: seat {seat} is asked {question!r:.60}, which is no Question"
            continue
        for field in ("name", "rule"):
            if not isinstance(getattr(question, field, None), str):
                yield f"the question {type(question).__name__} does not state its {field}"


def _seats(request: Request) -> Iterator[Any]:
    if isinstance(request, Choose):
        yield from request.questions
    elif isinstance(request, Roll | Uncover):
        yield from request.dice
    elif isinstance(request, Deal | Mix):
        yield request.seat


def _cards(request: Request) -> list[Any]:
    if isinstance(request, Shuffle | Mix):
        return [card for pile in request.piles.values() for card in pile]
    return [*request.cards] if isinstance(request, Deal | Show) else []


def _name(request: Request) -> str:
    """Return how a request is called in a problem: its kind, its slot, its seat."""
    said = [repr(getattr(request, each)) for each in ("at", "seat") if hasattr(request, each)]
    return f"{type(request).__name__}({', '.join(said)})" if said else type(request).__name__
