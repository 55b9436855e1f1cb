"""A new table: the game, its seats and options, who fills it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanplay.games.wording import game_title, option_name, option_value
from lanplay.language import _
from lanplay.session.settings import WINDOWS
from lanplay.tui.cells import EMPTY, Line, Size, cells, fill, line, pad, pressing, wrapped
from lanplay.tui.drawing import key_rows, title
from lanplay.tui.screens.help import screen_help
from lanplay.tui.screens.pager import Pager, page
from lanplay.tui.stage import Stage
from lanplay.ui.alerts import seconds
from lanplay.ui.lobby import Offer, Opened, absent_in_words, windows_in_words
from lanplay.ui.modal import Modal

YES_NO = ("yes", "no")
NO_YES = ("no", "yes")
TIMES = ("0", "30", "60", "120", "300")
"""Seconds to think between which one may choose; 0: there is no timer."""
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
        self._offers = offers
        self._wanted_bot = bot
        self._choice: dict[str, str] = {}
        self._cursor = 0
        names = [offer.game for offer in offers]
        self._take(offers[names.index(game) if game in names else 0])

    def _take(self, offer: Offer) -> None:
        self._offer = offer
        seats = min(4, offer.seats.stop - 1)
        bot = self._wanted_bot if self._wanted_bot in offer.bots else next(iter(offer.bots))
        self._choice = {"game": offer.game, "seats": str(seats), "bot": bot}
        self._choice |= {"absent": offer.absent[0], "idle": TIMES[0]}
        self._choice |= {"hints": YES_NO[0], "password": NO_YES[0]}
        self._choice |= {"windows": offer.windows[0]} if offer.windows else {}
        self._choice |= {name: values[0] for name, values in offer.options.items()}

    def _fields(self) -> dict[str, Sequence[str]]:
        """Return what can be chosen, and between what."""
        offer = self._offer
        fields: dict[str, Sequence[str]] = {
            "game": [each.game for each in self._offers],
            "seats": [str(count) for count in offer.seats],
        }
        fields |= {**offer.options, "bot": tuple(offer.bots)}
        fields |= {"absent": offer.absent}
        fields |= {"windows": offer.windows} if offer.windows else {}
        return fields | {"idle": TIMES, "hints": YES_NO, "password": NO_YES}

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        glyphs = self._stage.glyphs
        out: list[Line] = [EMPTY]
        for place, (name, values) in enumerate(self._fields().items()):
            here = place == self._cursor
            mark = ("cursor" if here else "dim", f" {glyphs.cursor if here else ' '} ")
            spans = line(mark) + pad(line(self._label(name)), LABELS, glyphs.more) + line("  ")
            words = [self._shown(name, value) for value in values]
            at = list(values).index(self._choice[name])
            spans += _values(words, at, size.columns - LABELS - 8)
            out.append(pressing(f"field {place}", spans))
        bot = self._choice["bot"]
        if summary := self._offer.bots[bot]:
            out += [EMPTY, *wrapped("dim", f"   {bot}: {_(summary)}", size.columns, indent=3)]
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

    def _label(self, name: str) -> str:
        names = {
            "game": _("Game"),
            "seats": _("Seats"),
            "bot": _("AI in free seats"),
            "absent": _("A lost laptop's seat"),
            "windows": _("Reactions"),
            "idle": _("Time for an answer"),
            "hints": _("Hints"),
            "password": _("Password"),
        }
        return names.get(name) or option_name(self._offer.game, name)

    def _shown(self, name: str, value: str) -> str:
        """Return a value in words."""
        if name == "game":
            return game_title(value)
        if name == "absent":
            return absent_in_words(value)
        if name == "windows":
            return windows_in_words(value)
        if name == "idle":
            return seconds(int(value)) if value != TIMES[0] else _("no limit")
        if name == "hints":
            return _("allowed") if value == "yes" else _("forbidden")
        if name == "password":
            return _("you will be asked for it") if value == "yes" else _("none")
        return option_value(self._offer.game, name, value)

    def press(self, key: str) -> None:
        """Take a key."""
        fields = self._fields()
        match key:
            case "up" | "down":
                self._cursor = (self._cursor + (1 if key == "down" else -1)) % len(fields)
            case "left" | "right" | " ":
                self._change(list(fields)[self._cursor], -1 if key == "left" else 1)
            case "enter" | "a":
                self._open(alone=key == "a")
            case "escape" | "q":
                self.give(None)
            case "?":
                self._stage.push(Pager(self._stage, _("Help"), self._help()))
            case "R":
                text = page(self._rules(self._offer.game))
                self._stage.push(Pager(self._stage, _("Rules"), text))
            case _ if key.startswith("field "):
                self._cursor = int(key.removeprefix("field "))
                self._change(list(fields)[self._cursor], 1)

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

    def _change(self, name: str, step: int) -> None:
        values = self._fields()[name]
        at = (list(values).index(self._choice[name]) + step) % len(values)
        self._choice[name] = values[at]
        if name == "game":
            self._take(next(offer for offer in self._offers if offer.game == values[at]))

    def _open(self, alone: bool) -> None:
        chosen = self._choice
        options = tuple((name, chosen[name]) for name in self._offer.options)
        opened = Opened(
            chosen["game"],
            int(chosen["seats"]),
            options,
            chosen["bot"],
            alone,
            hints=chosen["hints"] == "yes",
            password=chosen["password"] == "yes" and not alone,
            idle=0 if alone else int(chosen["idle"]),
            absent=chosen["absent"],
            windows=chosen.get("windows", WINDOWS[0]),
        )
        self.give(opened)


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
