"""A question outside of games: one key of a few, or a line of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lanplay.language import _
from lanplay.tui.cells import EMPTY, Line, Size, fill
from lanplay.tui.drawing import SHOWN, key_bar, paragraph, title
from lanplay.tui.entry import Entry
from lanplay.tui.screens.help import screen_help
from lanplay.tui.screens.pager import Pager
from lanplay.tui.stage import Stage
from lanplay.ui.modal import Modal


class ChoiceScreen(Modal[str]):
    """Asks for one of the ``answers``: keys and what they stand for, in words."""

    def __init__(self, stage: Stage, question: str, answers: Mapping[str, str]) -> None:
        super().__init__("")
        self._stage = stage
        self._question = question
        self._answers = {**answers, "?": _("help")}

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        body = fill([EMPTY, *paragraph(self._question, size.columns)], size.rows - 2)
        head = title(_("A question for you"), "", size.columns)
        return [head, *body, key_bar(list(self._answers.items()), size.columns)]

    def press(self, key: str) -> None:
        """Take a key that is an answer, or that asks for help."""
        if key == "?":
            self._stage.push(Pager(self._stage, _("Help"), self._help()))
        elif key in self._answers:
            self.give(key)

    def _help(self) -> Sequence[Line]:
        about = (
            *filter(None, self._question.split("\n")),
            _("One key is the answer; nothing happens until you press it."),
        )
        keys = [(SHOWN.get(key, key), text) for key, text in self._answers.items()]
        return screen_help(about, keys)


class SecretScreen(Modal[str | None]):
    """Asks for a line of text that is shown as stars; ``None`` if there is none.

    ``about`` explains what is asked for: any key may belong to the line,
    so that none asks for help.
    """

    def __init__(self, question: str, prompt: str, about: str) -> None:
        super().__init__(None)
        self._question = question
        self._about = about
        self._entry = Entry(prompt, hidden=True)

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        body = [EMPTY, *paragraph(self._question, size.columns), EMPTY]
        body += [self._entry.draw(size.columns), EMPTY, *paragraph(self._about, size.columns)]
        hints = [("enter", _("done")), ("escape", _("back"))]
        head = title(_("A question for you"), "", size.columns)
        return [head, *fill(body, size.rows - 2), key_bar(hints, size.columns)]

    def press(self, key: str) -> None:
        """Take a key of the line, or the end of it."""
        if key in ("enter", "escape"):
            self.give(self._entry.text if key == "enter" else None)
        else:
            self._entry.press(key)
