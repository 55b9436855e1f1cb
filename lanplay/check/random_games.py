"""Games of random agents for the checks: whole ones, and the moments in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.manifest import Words
from lanplay.engine.plain import Plain
from lanplay.engine.question import Phrase, Question, choices
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose, Request
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay_ai.random_agent import RandomAgent

WHERE = " -- "
"""Behind it a problem says where it was met."""
LONGEST = 200_000
"""Requests after which a game is held to be one that does not end."""


class EndlessError(Exception):
    """A game does not come to its end."""


def options_of(game: Game, turn: int) -> dict[str, str]:
    """Return a choice of table options; each turn has other ones."""
    return {name: values[turn % len(values)] for name, values in game.options.items()}


def table_of(
    game: Game, seats: int, key: bytes, *, turn: int = 0, snapshot: Plain = None
) -> Simulation:
    """Return a game of random agents that has yet to be played."""
    names = tuple(f"seat {seat}" for seat in range(seats))
    header = Header(game.name, options_of(game, turn), names, key, snapshot)
    agents: list[Agent] = [RandomAgent(key + b"%d" % seat) for seat in range(seats)]
    return Simulation(game, header, agents, Chance(key))


def requests(simulation: Simulation) -> Iterator[Request]:
    """Yield what the rules ask, one after the other; each is answered when the next is wanted."""
    for _ in range(LONGEST):
        request = simulation.request
        if request is None:
            return
        yield request
        try:
            simulation.step()
        except Exception as error:
            error.add_note(_where(simulation, request))
            raise
    asked = _where(simulation, simulation.request)
    raise EndlessError(f"the game has not ended after {LONGEST} requests: {asked}")


def _where(simulation: Simulation, request: Request | None) -> str:
    """Return where a game is: what its rules have asked was being answered there."""
    asked = type(request).__name__
    if isinstance(request, Choose):
        asked += f" {', '.join({each.name for each in request.questions.values()})}"
    return f"{len(simulation.views)} seats, round {simulation.table.round}, {asked}"


def finish(simulation: Simulation) -> Simulation:
    """Play a game to its end and return it."""
    for _ in requests(simulation):
        pass
    return simulation


def questions(simulation: Simulation) -> Iterator[tuple[View[Any], Question]]:
    """Yield every question of a game, with the view of the seat that it is put to."""
    for request in requests(simulation):
        if isinstance(request, Choose):
            for seat, question in request.questions.items():
                yield simulation.views[seat], question


def unworded(words: Words, phrase: Phrase, names: Sequence[str]) -> Iterator[str]:
    """Yield what keeps a phrase from being told."""
    try:
        line = words.word(phrase, names)
    except KeyError as error:
        if error.args == (phrase.id,):
            yield f"{phrase.id}: there are no words for it"
        else:
            values = ", ".join(phrase.values) or "none"
            yield f"{phrase.id}: its words name {error}, no noun nor among its values: {values}"
    else:
        if not line or "{" in line:
            yield f"{phrase.id}: {line!r} is no sentence"


def few(simulation: Simulation, most: int = 3) -> Iterator[tuple[View[Any], Question]]:
    """Yield some questions of each kind."""
    met: dict[type[Question], int] = {}
    for view, question in questions(simulation):
        met[type(question)] = met.get(type(question), 0) + 1
        if met[type(question)] <= most:
            yield view, question


def walked(question: Question, view: View[Any], turn: int) -> Any:
    """Return the answer at the end of one way through a question's dialogue."""
    dialogue = question.dialogue(view)
    try:
        step = next(dialogue)
        while True:
            legal = [choice for choice, _ in zip(choices(step), range(80), strict=False)]
            step = dialogue.send(legal[turn * 7 % len(legal)])
    except StopIteration as end:
        return end.value
