"""One line of text that a person types."""

from __future__ import annotations

from lanplay.language import _
from lanplay.tui.cells import Line, Span, cells, line

LIMIT = 240
"""Letters that one line takes."""
PASTE = "paste "
"""How the key begins that a pasted text is: one key, so that no letter of it answers anything."""


class Entry:
    """A line under the cursor. ``press`` takes a key and tells whether it was one for a line."""

    def __init__(self, prompt: str, text: str = "", hidden: bool = False) -> None:
        self.prompt = prompt
        self.text = text
        self._place = len(text)
        self._hidden = hidden

    def press(self, key: str) -> bool:
        """Take a key that edits; enter and escape are not among them."""
        before, after = self.text[: self._place], self.text[self._place :]
        match key:
            case "backspace":
                self._set(before[:-1], after)
            case "delete":
                self._set(before, after[1:])
            case "left":
                self._place = max(0, self._place - 1)
            case "right":
                self._place = min(len(self.text), self._place + 1)
            case "home" | "c-a":
                self._place = 0
            case "end" | "c-e":
                self._place = len(self.text)
            case "c-u":
                self._set("", after)
            case _ if key.startswith(PASTE) or (len(key) == 1 and key.isprintable()):
                letters = "".join(filter(str.isprintable, key.removeprefix(PASTE)))
                self._set(before + letters[: LIMIT - len(self.text)], after)
            case _:
                return False
        return True

    def ends(self, key: str) -> bool:
        """Take any key; true if it ends the line, of which ``escape`` leaves nothing."""
        if key == "escape":
            self._set("", "")
        self.press(key)
        return key in ("enter", "escape")

    def _set(self, before: str, after: str) -> None:
        self.text, self._place = before + after, len(before)

    def draw(self, columns: int) -> Line:
        """Return the prompt and as much of the text around the cursor as fits."""
        shown = "*" * len(self.text) if self._hidden else self.text
        head = line(("key", f" {self.prompt} "))
        room = max(8, columns - cells(self.prompt) - 4)
        start = max(0, self._place - room)
        at = shown[self._place : self._place + 1] or " "
        rest = shown[self._place + 1 : start + room]
        keys = f"  {_('Enter goes on, Esc back')}"
        fits = cells(self.prompt + shown + keys) + 4 <= columns
        return (
            *head,
            Span("text", shown[start : self._place]),
            Span("cursor", at),
            Span("text", rest),
            Span("dim", keys if fits else ""),
        )
