"""Golden screens: what screens look like to the letter, in every language, set of glyphs, colour.

A screen has two files for each language: ``.txt`` holds its text, ``.ansi`` what a terminal gets
for it, with 256 colours and with none. Each file holds all sizes and sets of glyphs one after the
other, every one under a line that names it; only English has colours at the larger size.
"""

from __future__ import annotations

from functools import cache

import trio

from lanplay.language import TAGS, speaking
from lanplay.tui.cells import plain
from lanplay.tui.glyphs import ASCII, UNICODE, spelled
from lanplay.tui.theme import DEPTHS
from tests.tui.harness import SIZES, Person, ansi

GLYPHS = {"unicode": UNICODE, "ascii": ASCII}


class Gallery:
    """Golden files in a folder; ``screens``: contexts by name in which a person sees a screen."""

    def __init__(self, folder, screens):
        self.folder = folder
        self.screens = screens
        self.drawn = cache(self._drawn)

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

    def texts(self, name):
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
