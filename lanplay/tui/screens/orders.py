"""The panel of standing orders: what is done with cards that react, without asking."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanplay.engine.orders import Order
from lanplay.language import N_, _
from lanplay.tui.cells import EMPTY, Line, Size, fill, line, pressing, wrapped
from lanplay.tui.drawing import key_bar, title
from lanplay.tui.stage import Stage
from lanplay.ui.orders import OrderRow

ABOUT = N_(
    "Your orders stay on this laptop. An answer they give leaves at the same moment as the "
    "answer of somebody without the card. Cards that you hold come first."
)


class OrdersScreen:
    """Shows ``rows`` of orders; left and right change the one that the cursor is at."""

    def __init__(
        self,
        stage: Stage,
        rows: Callable[[], Sequence[OrderRow]],
        give: Callable[[str, Order], None],
    ) -> None:
        self._stage = stage
        self._rows = rows
        self._give = give
        self._cursor = 0

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        glyphs, out = self._stage.glyphs, [EMPTY]
        for place, row in enumerate(self._rows()):
            here = place == self._cursor
            mark = ("cursor" if here else "dim", f" {glyphs.cursor if here else ' '} ")
            name = ("you" if row.held else "text", f"{row.name}: ")
            out.append(pressing(f"order {place}", line(mark, name, ("chosen", row.says))))
            out += wrapped("dim", f"     {row.effect}", size.columns, indent=5)
        out += [EMPTY, *wrapped("dim", f"   {_(ABOUT)}", size.columns, indent=3)]
        keys = [("up down", _("card")), ("left right", _("change")), ("escape", _("back"))]
        head = title(_("Orders for reaction cards"), "", size.columns)
        return [head, *fill(out, size.rows - 2), key_bar(keys, size.columns)]

    def press(self, key: str) -> None:
        """Take a key."""
        rows = self._rows()
        match key:
            case "up" | "down" if rows:
                self._cursor = (self._cursor + (1 if key == "down" else -1)) % len(rows)
            case "left" | "right" | " " if rows:
                self._change(rows[self._cursor], -1 if key == "left" else 1)
            case "escape" | "q" | "enter" | "O":
                self._stage.pop(self)
            case _ if key.startswith("order "):
                self._cursor = int(key.removeprefix("order "))
                self._change(rows[self._cursor], 1)

    def _change(self, row: OrderRow, step: int) -> None:
        self._give(row.card, row.orders[(row.at + step) % len(row.orders)])
        self._stage.redraw()
