"""Where points come from in Dice Town."""

from __future__ import annotations

from lanplay.games.dice_town.cards import points
from lanplay.games.dice_town.ending import BADGE_POINTS, DOLLARS_PER_POINT, sources
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.language import _
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.changes import Figure, Visible
from lanplay.ui.scene import Scene

NUGGET = "●"
STORE, CLAIM = "▮", "▯"


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


def standing(scene: Scene) -> Visible:
    """Return the dice of every seat, and what it has of all that changes hands, as it is drawn.

    Figures come in the order of the places that give them (DT-3).
    """
    t: DiceTownTable = scene.table
    claims = tuple([len(t.deeds[seat]) + len(t.fences[seat]) for seat in range(t.seats)])
    figures = (
        Figure(NUGGET, tuple(t.nuggets), _("Gold Mine")),
        Figure("$", tuple(t.dollars), _("Bank")),
        Figure(STORE, tuple(map(len, t.hands)), _("General Store")),
        Figure(CLAIM, claims, _("Town Hall")),
    )
    return Visible(tuple(t.dice), figures)


def seen(scene: Scene, seat: int) -> tuple[tuple[int, ...], int]:
    """Return the dice of a seat that are seen already, and how many are still to be."""
    dice = scene.table.dice[seat]
    veiled = scene.effects.veiled
    shown = tuple(face for place, face in enumerate(dice) if (seat, place) not in veiled)
    return shown, len(dice) - len(shown)
