"""Golden screens: what screens look like to the letter, in every language, set of glyphs, colour.

A screen has two files for each language: ``.txt`` holds its text, ``.ansi`` what a terminal gets
for it, with 256 colours and with none. Each file holds all sizes and sets of glyphs one after the
other, every one under a line that names it; only English has colours at the larger size.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import cache, partial

import trio

from lanplay.engine.game import Result
from lanplay.games import load
from lanplay.language import TAGS, speaking
from lanplay.tui.cells import plain
from lanplay.tui.glyphs import ASCII, UNICODE, spelled
from lanplay.tui.theme import DEPTHS
from tests.tui.harness import SIZES, Person, ansi, scene_of

GLYPHS = {"unicode": UNICODE, "ascii": ASCII}


@asynccontextmanager
async def waiting(person, screen, task, *arguments, keys=()):
    """Show a screen while a task of its waits for the person, after some keys."""
    person.stage.push(screen)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(task, *arguments)
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        for key in keys:
            screen.press(key)
        yield person
        nursery.cancel_scope.cancel()


def asking(person, table, played, view, question, keys=()):
    """Show a table with its last messages at which a question is open, after some keys."""
    table.sees(lambda: scene_of(played, view))
    for message in played.table.log[-30:]:
        table.happened(played.table.round, message)
    return waiting(person, table, table.answer, view, question, keys=keys)


def over(person, table, played):
    """Show the end of a game that is played on to its end."""
    table.sees(lambda: scene_of(played, played.views[0]))
    while played.request is not None:
        played.step()
        for message in played.table.log:
            table.happened(played.table.round, message)
        played.table.log.clear()
    ended = load(played.header.game).result(played.table)
    review = partial(list[str])  # nobody looks, but it is offered
    return waiting(person, table, table.over, Result(ended.scores, ended.winners), True, review)


class Gallery:
    """Golden files in a folder; ``screens``: contexts by name in which a person sees a screen."""

    def __init__(self, folder, screens):
        self.folder = folder
        self.screens = screens
        self.drawn = cache(self._drawn)
        self.texts = cache(self._texts)

    def _drawn(self, name, tag, kind):
        """Return the lines of a screen at every size, as a terminal with these glyphs gets them."""
        with speaking(tag):
            return trio.run(self._lines, name, GLYPHS[kind])

    async def _lines(self, name, glyphs):
        async with self.screens[name](Person(ascii_only=not glyphs.unicode)) as person:
            return {
                size: [
                    tuple(span._replace(text=spelled(span.text, glyphs)) for span in row)
                    for row in person.stage.lines(size)
                ]
                for size in SIZES
            }

    def _texts(self, name):
        """Return the golden files of a screen: content by path."""
        files = {}
        for tag in TAGS:
            text = colour = ""
            for kind in GLYPHS:
                for size, lines in self.drawn(name, tag, kind).items():
                    head = f"=== {size.columns}x{size.rows} {kind}"
                    text += f"{head}\n" + "".join(plain(row).rstrip() + "\n" for row in lines)
                    if size == SIZES[0] or tag == TAGS[0]:
                        colour += "".join(_coloured(head, lines, size))
            files[self.folder / f"{name}.{tag}.txt"] = text
            files[self.folder / f"{name}.{tag}.ansi"] = colour
        return files

    def differing(self):
        """Return the names of golden files that are missing, not as they should be, or too many."""
        wanted = {path: text for name in self.screens for path, text in self.texts(name).items()}
        here = {path: path.read_text(encoding="utf-8") for path in self.folder.iterdir()}
        return sorted(p.name for p in wanted | here if wanted.get(p) != here.get(p))

    def write(self):
        """Write all golden files anew."""
        self.folder.mkdir(exist_ok=True)
        for old in self.folder.iterdir():
            old.unlink()
        for name in self.screens:
            for path, text in self.texts(name).items():
                path.write_text(text, encoding="utf-8", newline="\n")


def _coloured(head, lines, size):
    for depth in ("256", "none"):
        shown = ansi(lines, depth=DEPTHS[depth], columns=size.columns)
        yield f"{head} colours: {depth}\n{shown}\n"
