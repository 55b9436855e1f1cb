"""Where points come from in Dice Town."""

from __future__ import annotations

from lanplay.games.dice_town.cards import points
from lanplay.games.dice_town.ending import BADGE_POINTS, DOLLARS_PER_POINT, sources
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.language import _
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.scene import Scene


def breakdown(scene: Scene) -> Breakdown:
    """Return the points by source (DT-7.2)."""
    t: DiceTownTable = scene.table
    names = (_("Nuggets"), _("Dollars"), _("Badge"), _("Equipment"), _("Claims"))
    return Breakdown(names, tuple(tuple(sources(t, s).values()) for s in range(t.seats)))


def score_now(scene: Scene) -> int:
    """Return the points of the person's seat if the game ended now (DT-7.2), as far as it knows."""
    t, seat = scene.table, scene.seat
    if seat is None:
        return 0
    cards = [scene.face(card) for card in (*t.hands[seat], *t.deeds[seat], *t.fences[seat])]
    goods = int(t.nuggets[seat]) + int(t.dollars[seat]) // DOLLARS_PER_POINT
    badge = BADGE_POINTS if t.round and seat == t.sheriff else 0
    return goods + badge + sum(points(face) for face in cards if face is not None)
