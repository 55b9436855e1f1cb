"""Where points come from in Fliptown."""

from __future__ import annotations

from lanplay.engine.question import Phrase
from lanplay.games.fliptown.ending import challenges, sources, title
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import FliptownTable
from lanplay.games.fliptown.text import word
from lanplay.language import _
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.changes import Figure, Visible
from lanplay.ui.scene import Scene


def breakdown(scene: Scene) -> Breakdown:
    """Return the points by source (FT-10.1), and the titles."""
    t: FliptownTable = scene.table
    names = (_("Cash"), _("Gold"), _("Stars"), _("Silver stars"))
    ends = [Phrase("titled", _titled(t, seat)) for seat in range(t.seats)]
    if t.cowbot >= 0:
        ends.append(Phrase("rival", {"cowbot": t.cowbot, "score": t.rival}))
    if t.seats == 1:
        ends.append(Phrase("met", {"seat": 0, "challenges": challenges(t)}))
    notes = tuple(word(each, scene.names) for each in ends)
    return Breakdown(names, tuple(tuple(sources(s).values()) for s in t.sheets), notes)


def score_now(sheet: Sheet) -> int:
    """Return the points of a sheet as it is (FT-10.1)."""
    return sum(sources(sheet).values())


def _titled(t: FliptownTable, seat: int) -> dict[str, int]:
    first, second = title(t, seat)
    return {"seat": seat, "title": first, "second": second}


def standing(scene: Scene) -> Visible:
    """Return the cards of this turn, and what every seat has of all that it counts."""
    t: FliptownTable = scene.table
    faces = tuple(t.faces.get(card) for card in t.flipped)
    lie = t.turn and None not in faces
    flipped = tuple((t.round, t.turn, face) for face in faces) if lie else ()
    figures = (
        Figure("★", tuple(s.stars for s in t.sheets)),
        Figure("$", tuple(s.cash for s in t.sheets)),
        Figure("g", tuple(s.gold for s in t.sheets)),
        Figure("W", tuple(s.wanted for s in t.sheets)),
    )
    return Visible((flipped,), figures)
