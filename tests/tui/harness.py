"""Positions of real games, and a person whose keys and screens need no terminal."""

from __future__ import annotations

import io
from contextlib import asynccontextmanager
from dataclasses import replace

import trio
import trio.testing
from prompt_toolkit.data_structures import Size as Terminal
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import print_formatted_text

from lanplay.engine.chance import Chance
from lanplay.engine.question import answers
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.tui.cells import Size
from lanplay.tui.glyphs import ASCII, UNICODE, spelled
from lanplay.tui.screens.table import TableScreen
from lanplay.tui.stage import Habits, Stage
from lanplay.tui.theme import style
from lanplay.ui.scene import Scene

GAME = load("dice-town")
NAMES = ("Ann", "Běla Příšerná", "東京の人", "steady 4", "steady 5")
"""Names with accents and with letters two cells wide."""
SIZES = (Size(80, 24), Size(120, 40))
CALM = Habits(animation=False, guard=0.0)
RULES = "# Rules\n\n- **DT-2.2** Keep some dice.\n- **DT-4.2** Bribes are sealed.\n"


class Walker:
    """Answers with the first, the last or a middle legal answer, in turn."""

    def __init__(self, seat):
        self._turn = seat

    def answer(self, view, question):
        self._turn += 1
        some = []
        for answer in answers(question, view):
            some.append(answer)
            if len(some) > 40:
                break
        return some[(self._turn * 7) % len(some)]


def game_of(seed, seats=4, name="dice-town", options=None):
    """Return a fresh simulation of walkers."""
    game = load(name)
    chosen = {key: values[0] for key, values in game.options.items()} | (options or {})
    header = Header(game.name, chosen, NAMES[:seats], bytes([seed]) * 32)
    walkers = [Walker(seat) for seat in range(seats)]
    played = Simulation(game, header, walkers, Chance(bytes([seed]) * 32))
    played.table.log = []
    return played


def asked_in(played, kind, seat=None):
    """Play on until a question of that kind leaves a seat a choice; return (view, question).

    ``None`` if the game ends before.
    """
    while (request := played.request) is not None:
        if isinstance(request, Choose):
            for each, question in request.questions.items():
                here = question.name == kind and seat in (None, each)
                if here and question.only_answer(played.views[each]) is None:
                    return played.views[each], question
        played.step()
    return None


def position(kind, seats=4):
    """Return (simulation, view, question) of a game in which this question is open."""
    for seed in range(1, 120):
        played = game_of(seed, seats)
        if (found := asked_in(played, kind)) is not None:
            return played, *found
    raise AssertionError(f"no game of the harness asks {kind}")


def scene_of(played, view=None):
    """Return the scene of a simulation as a view's seat, or nobody, sees it."""
    request = played.request
    asked = dict(request.questions) if isinstance(request, Choose) else {}
    return Scene(played.table, played.views[0].header.seats, view, asked)


class Person:
    """A stage without a terminal: keys go in, text comes out."""

    def __init__(self, habits=CALM, ascii_only=False):
        self.stage = Stage(replace(habits, glyphs=ASCII if ascii_only else UNICODE))

    async def press(self, *keys):
        await trio.testing.wait_all_tasks_blocked()
        for key in keys:
            self.stage.feed(key)
            await trio.testing.wait_all_tasks_blocked()

    def lines(self, size=SIZES[0]):
        return [
            "".join(spelled(span.text, self.stage.glyphs) for span in spans).rstrip()
            for spans in self.stage.lines(size)
        ]

    def text(self, size=SIZES[0]):
        return "\n".join(self.lines(size))

    def table(self, names=NAMES, game=GAME):
        return TableScreen(
            self.stage,
            game,
            names,
            lambda: RULES,
            lambda rule: f"- **{rule}** So it is.",
        )


@asynccontextmanager
async def sitting(**how):
    """A person whose keys are taken while the block runs."""
    person = Person(**how)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(person.stage.run)
        yield person
        nursery.cancel_scope.cancel()


def ansi(lines, palette="dark", depth=ColorDepth.DEPTH_8_BIT, columns=80):
    """Return lines as a terminal gets them, with their colours."""
    out = io.StringIO()
    output = Vt100_Output(
        out, lambda: Terminal(40, columns), default_color_depth=depth, enable_cpr=False
    )
    parts = []
    for spans in lines:
        parts += [(f"class:{span.role}", span.text) for span in spans]
        parts.append(("", "\n"))
    print_formatted_text(output, FormattedText(parts), style(palette), color_depth=depth)
    return out.getvalue().replace("\r\n", "\n")
