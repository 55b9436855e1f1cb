"""Checks of what people see of a game: its words, its board, its bots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import lanplay_ai as ai
from lanplay.check.random_games import (
    WHERE,
    few,
    finish,
    options_of,
    questions,
    requests,
    table_of,
    unworded,
)
from lanplay.engine.agent import Agent
from lanplay.engine.chance import Chance
from lanplay.engine.game import Game
from lanplay.engine.question import Answer, Illegal, Phrase, Pick, Question, picked
from lanplay.engine.record import Header
from lanplay.engine.referee import IllegalAnswerError
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.errors import UserError
from lanplay.games.wording import narrator_of, summary_of
from lanplay.language import TAGS, speaking
from lanplay.tui.cells import Size, width
from lanplay.tui.games import screen_of
from lanplay.tui.glyphs import ASCII, UNICODE
from lanplay.ui import rulebook
from lanplay.ui.scene import Scene
from lanplay.web.board import Taps, board_of

COLUMNS = 80
CLOSELY = 30
"""The first choices at which the board is drawn; later on it is at every so many."""
BOARD = Size(COLUMNS - 4, 11)
"""What is left for a board on the smallest screen."""


def words(game: Game) -> Iterator[str]:
    """Put all that a game says into words, in every language that it has them in."""
    names = [f"seat {seat}" for seat in range(game.seats[-1])]
    said: dict[tuple[str, frozenset[str]], Phrase] = {}
    simulation = table_of(game, game.seats[-1], b"words")
    simulation.table.log = []
    for view, question in questions(simulation):
        for phrase in phrases(view, question):
            said.setdefault((phrase.id, frozenset(phrase.values)), phrase)
    narrator = narrator_of(game.name)
    told = [each for event in simulation.table.log for each in narrator.tell(event)]
    for phrase in (*simulation.table.log, *told, *narrator.closing(simulation.table)):
        said.setdefault((phrase.id, frozenset(phrase.values)), phrase)
    for tag in TAGS:
        with speaking(tag):
            for phrase in said.values():
                yield from _worded(game, phrase, names, tag)


def _worded(game: Game, phrase: Phrase, names: list[str], tag: str) -> Iterator[str]:
    for problem in unworded(game.manifest.words.load(), phrase, names):
        yield f"{problem}{WHERE}{tag}"


def phrases(view: View[Any], question: Question) -> Iterator[Phrase]:
    """Yield what is to be put into words of the first step of a question."""
    yield Phrase(f"ask-{question.name}", question.values())
    step = next(question.dialogue(view), None)
    if step is None:
        return
    yield step.prompt
    if step.asks is not None:
        yield step.asks
    for option in step.options:
        yield option.label
        if option.why_not is not None:
            yield option.why_not.message
    if not isinstance(step, Pick):
        every = tuple(option.value for option in step.options)
        for some in (every, every[:1], ()):
            for found in (step.note(some), step.why_not(some)):
                if found is not None:
                    yield found if isinstance(found, Phrase) else found.message


def screens(game: Game) -> Iterator[str]:
    """Draw a whole game as a seat and an onlooker see it."""
    names = [f"seat {seat}" for seat in range(game.seats[-1])]
    simulation = table_of(game, game.seats[-1], b"screen")
    screen, web, summary = screen_of(game.name), board_of(game.name), summary_of(game.name)
    simulation.table.log = []
    asked = (request for request in requests(simulation) if isinstance(request, Choose))
    for number, request in enumerate(asked):
        if number > CLOSELY and number % CLOSELY:
            continue
        for view in (simulation.views[0], None):
            scene = Scene(simulation.table, names, view, request.questions)
            web.board(scene, Taps(None, ""))
            if view is not None:
                web.own(scene, Taps(None, ""))
            for glyphs in (UNICODE, ASCII):
                lines = list(screen.board(scene, BOARD, glyphs))
                if len(lines) > BOARD.rows or any(width(each) > COLUMNS for each in lines):
                    yield f"choice {number}: a board of {len(lines)} lines does not fit {BOARD}"
        if not all(summary.situation(simulation.views[0], names)):
            yield f"choice {number}: the summary has an empty line"
    for board in (screen, web):
        board.breakdown(Scene(simulation.table, names))
    for event in simulation.table.log:
        summary.weight(event)


def rules(game: Game) -> Iterator[str]:
    """Look up the rule of every question, as a person does who asks for it."""
    if game.manifest.pages is None:
        return
    page = rulebook.text(game.name)
    asked = questions(table_of(game, game.seats[-1], b"rules"))
    for rule in {type(question): question.rule for _, question in asked}.values():
        try:
            rulebook.matching(page, rule)
        except UserError:
            yield f"{rule} is on no page"


def reasons(game: Game) -> Iterator[str]:
    """Put into words why each bot that gives reasons would answer as it says, step by step."""
    names = [f"seat {seat}" for seat in range(game.seats[-1])]
    advisers = [
        (name, agent)
        for name in ai.names(game.name)
        if ai.own(name, game.name)
        and hasattr(agent := ai.make(name, b"reasons", game.name), "explain")
    ]
    for view, question in few(table_of(game, game.seats[-1], b"reasons"), 1):
        if question.only_answer(view) is not None:
            continue  # nobody is asked
        for name, agent in advisers:
            hint = agent.explain(view, question)
            for tag in TAGS:
                with speaking(tag):
                    try:
                        question.check(hint.answer)
                        ai.worded(hint, game.name, names)
                        picked(question, view, hint.answer)
                    except (KeyError, TypeError, ValueError, Illegal) as error:
                        yield f"{name}: its reason for {question.name} in {tag}: {error!r}"


def bots(game: Game) -> Iterator[str]:
    """Let each bot play against itself, twice."""
    for name in ai.names(game.name):
        if ai.own(name, game.name):
            touched: list[Question] = []
            try:
                ends = [finish(_played(game, name, touched)).table.hash() for _ in range(2)]
            except IllegalAnswerError as error:
                yield f"{name}: its answer is refused: {error.illegal}"
                continue
            if ends[0] != ends[1]:
                yield f"{name}: one key led to two games"
            if touched:
                yield f"{name}: it changes the table that it looks at"


class _Watched:
    """A bot that may look at the table, but not touch it; questions at which it did are noted."""

    def __init__(self, agent: Agent, touched: list[Question]) -> None:
        self._agent, self._touched = agent, touched

    def answer(self, view: View[Any], question: Question) -> Answer:
        before = view.table.hash()
        answer = self._agent.answer(view, question)
        if view.table.hash() != before:
            self._touched.append(question)
        return answer


def _played(game: Game, bot: str, touched: list[Question]) -> Simulation:
    seats = game.seats[0]
    header = Header(game.name, options_of(game, 0), ("x",) * seats, b"bots")
    made = [ai.make(bot, b"bots%d" % seat, game.name) for seat in range(seats)]
    agents = [_Watched(each, touched) for each in made]
    return Simulation(game, header, agents, Chance(b"bots"))
