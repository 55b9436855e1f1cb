"""The full screen of Liar's Dice: cups round the table, the bid in the middle."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.question import Option, Phrase, Question
from lanplay.language import _
from lanplay.tui.cells import EMPTY, Line, Size, line
from lanplay.tui.games import Breakdown
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.scene import Scene
from liars_dice.questions import Bid
from liars_dice.text import bid_text, dice_text, word


class LiarsScreen:
    """Draws the table: who has how many dice, what was bid, and the own dice."""

    def board(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        t = scene.table
        out = [line(("title", _("Round {number}").format(number=t.round))), EMPTY]
        for seat in range(t.seats):
            role = "title" if seat == t.active else "dim" if not t.dice[seat] else "text"
            shown = dice_text(t.shown[seat]) if t.shown else "# " * t.dice[seat]
            said = bid_text(t.bid) if t.bid and seat == t.bidder else ""
            out.append(line((role, f"{scene.names[seat]:<22.22} {shown:<12} {said}")))
        return out[: size.rows]

    def own(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        cup = scene.view.cup if scene.view is not None else ()
        return (
            [line(("text", _("Under your cup: {dice}.").format(dice=dice_text(cup))))]
            if cup
            else []
        )

    def option(self, scene: Scene, option: Option, glyphs: Glyphs) -> Line:
        return line(("text", word(option.label, scene.names)))

    def rolls(self, question: Question) -> bool:
        return isinstance(question, Bid) and not question.last

    def signs(self, glyphs: Glyphs) -> Sequence[tuple[str, str]]:
        return [("#", _("a die under a cup"))]

    def breakdown(self, scene: Scene) -> Breakdown:
        order = [*scene.table.out, *(s for s in range(scene.table.seats) if scene.table.dice[s])]
        points = tuple((order.index(seat),) for seat in range(scene.table.seats))
        return Breakdown((_("Seats that were out before"),), points)

    def weight(self, event: Phrase) -> float:
        return 0


SCREEN = LiarsScreen()
