"""The settings, each of which counts as soon as it is changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanplay.errors import Problem
from lanplay.language import _
from lanplay.told import inside, worded
from lanplay.tui.cells import EMPTY, Line, Size, beside, fill, line, pressing, wrapped
from lanplay.tui.drawing import key_bar, title
from lanplay.tui.entry import Entry
from lanplay.tui.stage import Stage
from lanplay.ui.modal import Modal
from lanplay.ui.settings import SettingRow

LABELS = 44
"""Columns for what a setting is called."""


class SettingsScreen(Modal[None]):
    """Shows what ``rows`` returns; left and right ``change`` the one that the cursor is at."""

    def __init__(
        self,
        stage: Stage,
        rows: Callable[[], Sequence[SettingRow]],
        change: Callable[[str, str], None],
    ) -> None:
        super().__init__(None)
        self._stage = stage
        self._rows = rows
        self._change = change
        self._cursor = 0
        self._entry: Entry | None = None
        self._said = ""

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        out = [EMPTY]
        for place, row in enumerate(self._rows()):
            mark = self._stage.glyphs.cursor if place == self._cursor else " "
            value = row.choices.get(row.value, row.value)
            told = wrapped("text", row.told, LABELS)
            values = wrapped("chosen", value, size.columns - LABELS - 4)
            for spans in beside(told, values, LABELS, line(" ")):
                out.append(pressing(f"row {place}", line(("cursor", f" {mark} ")) + spans))
                mark = " "
        out += [EMPTY, line(("dim", "   " + _("Each change takes effect at once and is kept.")))]
        out += [EMPTY, *wrapped("bad", f"   {self._said}", size.columns, 3)] if self._said else []
        keys = [("up down", _("setting")), ("left right", _("change")), ("enter", _("change"))]
        foot = key_bar([*keys, ("escape", _("back"))], size.columns)
        if self._entry is not None:
            foot = self._entry.draw(size.columns)
        return [title(_("Settings"), "", size.columns), *fill(out, size.rows - 2), foot]

    def press(self, key: str) -> None:
        """Take a key: of the line that is typed, or for the list."""
        rows = self._rows()
        self._said = ""
        if self._entry is not None:
            self._typed(self._entry, key)
            return
        match key:
            case "up" | "down":
                self._cursor = (self._cursor + (1 if key == "down" else -1)) % len(rows)
            case "left" | "right" | " " | "enter":
                self._step(rows[self._cursor], -1 if key == "left" else 1)
            case "escape" | "q" | "S":
                self.give(None)
            case _ if key.startswith("row "):
                self._cursor = int(key.removeprefix("row "))
                self._step(rows[self._cursor], 1)

    def _step(self, row: SettingRow, by: int) -> None:
        """Take the next of the values, or begin to type one where it may be any text."""
        if not row.choices:
            self._entry = Entry(f"{row.told}:", row.value)
            return
        values = list(row.choices)
        at = values.index(row.value) if row.value in values else -by
        self._set(row.name, values[(at + by) % len(values)])

    def _typed(self, entry: Entry, key: str) -> None:
        if entry.ends(key):
            self._entry = None
            if key == "enter":
                self._set(self._rows()[self._cursor].name, entry.text)

    def _set(self, name: str, value: str) -> None:
        try:
            self._change(name, value)
        except Problem as error:
            self._said = worded(error.told, inside)
        self._stage.redraw()
