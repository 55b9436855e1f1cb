"""A new table: the game, its seats and options, who fills it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanplay.games.wording import game_title
from lanplay.language import _
from lanplay.tui.cells import EMPTY, Line, Size, cells, fill, line, pad, pressing, wrapped
from lanplay.tui.drawing import key_rows, title
from lanplay.tui.screens.help import screen_help
from lanplay.tui.screens.pager import Pager, page
from lanplay.tui.stage import Stage
from lanplay.ui.lobby import Offer, Opened
from lanplay.ui.modal import Modal
from lanplay.ui.opening import Field, fields, opened

LABELS = 32
"""Columns for what a field is called."""


class OpeningScreen(Modal[Opened | None]):
    """Asks what to open; ``None`` if the person goes back. Left and right change a line.

    ``rules`` returns the rules page of a game.
    """

    def __init__(
        self,
        stage: Stage,
        offers: Sequence[Offer],
        game: str,
        bot: str,
        rules: Callable[[str], str] = str,
    ) -> None:
        super().__init__(None)
        self._stage = stage
        self._rules = rules
        self._offers = {offer.game: offer for offer in offers}
        self._bot = bot
        self._cursor = 0
        self._take(self._offers.get(game, offers[0]))

    def _take(self, offer: Offer) -> None:
        self._offer = offer
        titles = {name: game_title(name) for name in self._offers}
        self._fields = {"game": Field(_("Game"), titles, offer.game), **fields(offer, self._bot)}
        self._chosen = {name: field.usual for name, field in self._fields.items()}

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        glyphs = self._stage.glyphs
        out: list[Line] = [EMPTY]
        for place, (name, field) in enumerate(self._fields.items()):
            here = place == self._cursor
            mark = ("cursor" if here else "dim", f" {glyphs.cursor if here else ' '} ")
            spans = line(mark) + pad(line(field.label), LABELS, glyphs.more) + line("  ")
            at = list(field.values).index(self._chosen[name])
            spans += _values(list(field.values.values()), at, size.columns - LABELS - 8)
            out.append(pressing(f"field {place}", spans))
        bot = self._chosen["bot"]
        if summary := self._offer.bots[bot]:
            told = f"   {self._fields['bot'].values[bot]}: {_(summary)}"
            out += [EMPTY, *wrapped("dim", told, size.columns, indent=3)]
        out += [EMPTY, line(("dim", "   " + _("Others see an open table and can sit down at it.")))]
        hints = [
            ("enter", _("open the table")),
            ("a", _("play now against AI alone")),
            ("left right", _("change")),
            ("R", _("rules")),
            ("?", _("help")),
            ("escape", _("back")),
        ]
        head = title(_("A new table"), "", size.columns)
        foot = key_rows(hints, size.columns)
        return [head, *fill(out, size.rows - 1 - len(foot)), *foot]

    def press(self, key: str) -> None:
        """Take a key."""
        match key:
            case "up" | "down":
                self._cursor = (self._cursor + (1 if key == "down" else -1)) % len(self._fields)
            case "left" | "right" | " ":
                self._change(-1 if key == "left" else 1)
            case "enter" | "a":
                self.give(opened(self._offer, self._chosen, alone=key == "a"))
            case "escape" | "q":
                self.give(None)
            case "?":
                self._stage.push(Pager(self._stage, _("Help"), self._help()))
            case "R":
                text = page(self._rules(self._offer.game))
                self._stage.push(Pager(self._stage, _("Rules"), text))
            case _ if key.startswith("field "):
                self._cursor = int(key.removeprefix("field "))
                self._change(1)

    def _help(self) -> Sequence[Line]:
        about = (
            _("A table of your own. Others on the network see it and sit down until you start."),
            _("AI of this level takes the seats that stay free, and those of lost laptops."),
            _("A lost laptop's seat: whether AI plays on there, and whether it sees the hand."),
            _("Time for an answer: AI answers for whoever lets it pass, until the person is back."),
            _("Hints: whether h may ask the strong bot here. Password: guests have to know it."),
        )
        keys = (
            ("↑ ↓", _("choose a line")),
            ("← → Space", _("change what is chosen there")),
            ("Enter", _("open the table for others")),
            ("a", _("play at once, on this laptop alone, against AI")),
            ("R", _("the rules of this game, with / to search in them")),
            ("Esc q", _("back to the tables")),
        )
        return screen_help(about, keys)

    def _change(self, step: int) -> None:
        """Choose the next value of the line with the cursor, or the one before."""
        name = list(self._fields)[self._cursor]
        values = list(self._fields[name].values)
        value = values[(values.index(self._chosen[name]) + step) % len(values)]
        self._chosen[name] = value
        if name == "game":
            self._take(self._offers[value])


def _values(values: Sequence[str], at: int, columns: int) -> Line:
    """Return the values from which one is chosen, as many of them as fit around it."""
    shown = list(values)
    while sum(cells(value) + 3 for value in shown) > columns and len(shown) > 1:
        first = at >= len(shown) // 2
        shown.pop(0 if first else -1)
        at -= first
    spans: Line = ()
    for place, value in enumerate(shown):
        mark = ("chosen", f"[{value}]") if place == at else ("dim", f" {value} ")
        spans += line(mark, " ")
    hidden = len(values) - len(shown)
    return spans + (line(("dim", f"+{hidden}")) if hidden else line(""))
