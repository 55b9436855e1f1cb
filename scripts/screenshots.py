#!/usr/bin/env python3
"""Draw the screenshots of docs/images anew, as SVG, from the real screens at fixed positions."""

from __future__ import annotations

import argparse
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

import trio
from prompt_toolkit.styles import Style

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanplay import __version__  # noqa: E402
from lanplay.engine.chance import Chance  # noqa: E402
from lanplay.engine.question import Question  # noqa: E402
from lanplay.engine.record import Header  # noqa: E402
from lanplay.engine.requests import Choose  # noqa: E402
from lanplay.engine.simulation import Simulation  # noqa: E402
from lanplay.games import load  # noqa: E402
from lanplay.language import speaking  # noqa: E402
from lanplay.tui.cells import Line, Size, cells  # noqa: E402
from lanplay.tui.screens.lobby import LobbyScreen  # noqa: E402
from lanplay.tui.theme import style  # noqa: E402
from lanplay.ui.lobby import Listing, Row  # noqa: E402
from lanplay_ai.random_agent import RandomAgent  # noqa: E402  # needs the line above
from tests.tui.gallery import asking, over  # noqa: E402
from tests.tui.harness import Person  # noqa: E402

FOLDER: Final = ROOT / "docs" / "images"
SIZE: Final = Size(100, 26)
HIGH: Final = Size(100, 30)
"""What the whole maps of Fliptown and A Dog's Life take."""
NAMES: Final = ("Ann", "Bob", "strong 3", "banker 4")
CELL: Final = (8.4, 18)
"""Width and height of a terminal cell, in units of the picture."""
FONT: Final = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
INK, PAPER = "#d0d0d0", "#1c1c1c"


# -- positions ------------------------------------------------------------------------------------


def played(name: str, seed: int) -> Simulation:
    """Return a game at its beginning; random agents play it, whom no better bot ever changes."""
    game = load(name)
    options = {option: values[0] for option, values in game.options.items()}
    key = bytes([seed]) * 32
    header = Header(game.name, options, NAMES, key)
    agents = [RandomAgent(key + bytes([seat])) for seat in range(len(NAMES))]
    simulation = Simulation(game, header, agents, Chance(key))
    simulation.table.log = []
    return simulation


def play_until(simulation: Simulation, kind: str, round_: int) -> Question | None:
    """Play on to a question of that kind for seat 0 in that round or later; return it, if any."""
    while (request := simulation.request) is not None:
        if isinstance(request, Choose) and simulation.table.round >= round_:
            question = request.questions.get(0)
            if question is not None and question.name == kind:
                return question
        simulation.step()
    return None


def shown(person: Any, name: str, seed: int, kind: str, round_: int, keys: Sequence[str]) -> Any:
    """Show a table with a question, after some keys."""
    simulation = played(name, seed)
    question = play_until(simulation, kind, round_)
    if question is None:
        raise SystemExit(f"no {kind} for seat 0 from round {round_} on: choose another seed")
    table = person.table(NAMES, load(name))
    view = simulation.views[0]
    return asking(person, table, simulation, view, question, keys)


def result(person: Any) -> Any:
    """Show the end of a game."""
    return over(person, person.table(NAMES), played("dice-town", 5))


@asynccontextmanager
async def lobby(person: Any) -> AsyncIterator[None]:
    """Show a lobby with tables of several kinds."""
    closed = f"The program there is lanplay 0.0.9, this one is {__version__}."
    rows = (
        Row("0" * 32, "Saloon", "dice-town", 4, 2, False, False, ("Ann", "Bob")),
        Row("1" * 32, "Kitchen table", "charidice", 3, 1, True, False, ("Eve", "Dan")),
        Row("2" * 32, "Upstairs", "dice-town", 5, 0, False, True, ("Cat", "Fay"), watched=True),
        Row("3" * 32, "Old laptop", "dice-town", 4, 3, False, False, ("Gus",), closed=closed),
    )
    person.stage.push(LobbyScreen(person.stage, lambda: Listing(rows, version=__version__)))
    yield


Show = Callable[[Any], Any]
SHOTS: Final[dict[str, Show]] = {
    "lobby": lobby,
    "dice-town": lambda person: shown(person, "dice-town", 2, "keep", 4, ("2", "3")),
    "charidice": lambda person: shown(person, "charidice", 3, "reroll", 5, ("2", "5")),
    "fliptown": lambda person: shown(person, "fliptown", 4, "move", 2, ("enter", "enter")),
    "dogs-life": lambda person: shown(person, "dogs-life", 6, "act", 6, ("up", "left")),
    "result": result,
}
"""Every screenshot by the name of its file."""
SIZES: Final = {"fliptown": HIGH, "dogs-life": HIGH}
"""The terminals that are not of the usual size."""


# -- pictures -------------------------------------------------------------------------------------


async def _drawn(show: Show, size: Size) -> Sequence[Line]:
    person = Person()
    async with show(person):
        lines: Sequence[Line] = person.stage.lines(size)
        return lines


def svg(lines: Sequence[Line], look: Style) -> str:
    """Return a picture of a terminal: every span at its cells, whatever font the viewer has."""
    broad, high = SIZE.columns * CELL[0] + 16, len(lines) * CELL[1] + 16
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {broad:g} {high:g}" '
        f'width="{broad:g}" height="{high:g}" font-family="{FONT}" font-size="14" fill="{INK}">'
    )
    paper = f'<rect width="100%" height="100%" rx="6" fill="{PAPER}"/>'
    body = [part for row, spans in enumerate(lines) for part in _row(row, spans, look)]
    return "\n".join([head, paper, *body, "</svg>"]) + "\n"


def _row(row: int, spans: Line, look: Style) -> Iterator[str]:
    at = 0
    for span in spans:
        attributes = look.get_attrs_for_style_str(f"class:{span.role}")
        ink = f"#{attributes.color}" if attributes.color else INK
        paper = f"#{attributes.bgcolor}" if attributes.bgcolor else PAPER
        if attributes.reverse:
            ink, paper = paper, ink
        wide = cells(span.text)
        if paper != PAPER and wide:
            yield _box(row, at, wide, paper)
        marks = ' font-weight="bold"' if attributes.bold else ""
        marks += ' text-decoration="underline"' if attributes.underline else ""
        yield from _words(row, at, span.text, f' fill="{ink}"{marks}' if ink != INK else marks)
        at += wide


def _box(row: int, at: int, wide: int, fill: str) -> str:
    x, y = 8 + at * CELL[0], 8 + row * CELL[1]
    size = f'width="{wide * CELL[0]:g}" height="{CELL[1]:g}"'
    return f'<rect x="{x:g}" y="{y:g}" {size} fill="{fill}"/>'


def _words(row: int, at: int, text: str, marks: str) -> Iterator[str]:
    """Return a text element, stretched to the cells that it takes; nothing for blanks."""
    shown = text.strip(" ")
    if not shown:
        return
    x = 8 + (at + cells(text) - cells(text.lstrip(" "))) * CELL[0]
    y = 8 + row * CELL[1] + 13
    long = f'textLength="{cells(shown) * CELL[0]:g}" lengthAdjust="spacingAndGlyphs"'
    blanks = escape(shown).replace(" ", "&#160;")
    yield f'<text x="{x:g}" y="{y:g}" {long}{marks}>{blanks}</text>'


def picture(name: str) -> str:
    """Return a screenshot as SVG, in English and in the colours of the dark palette."""
    with speaking("en"):
        return svg(trio.run(_drawn, SHOTS[name], SIZES.get(name, SIZE)), style("dark"))


def main() -> int:
    """Write all screenshots."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in SHOTS:
        (FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
