"""What all front ends show alike of Dice Town: where points come from, who leads for what."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.games.dice_town.cards import points
from lanplay.games.dice_town.ending import BADGE_POINTS, DOLLARS_PER_POINT, sources
from lanplay.games.dice_town.poker import ACE, DICE, rank
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.language import _
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.changes import Figure, Visible
from lanplay.ui.scene import Scene

LETTERS = ("9", "10", "J", "Q", "K", "A")
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


def leaders(scene: Scene, face: int) -> tuple[int, Sequence[int]]:
    """Return the most dice of a face that a seat shows, and who does; several tie (DT-3.0)."""
    counts = [seen(scene, seat)[0].count(face) for seat in range(scene.table.seats)]
    most = max(counts)
    return most, [seat for seat, count in enumerate(counts) if count == most > 0]


def best_hands(scene: Scene) -> tuple[Sequence[int], int]:
    """Return who shows the best hand once all dice are on the table (DT-3.7), and its aces."""
    t: DiceTownTable = scene.table
    if any(len(seen(scene, seat)[0]) < DICE for seat in range(t.seats)):
        return (), 0
    ranks = [rank(dice) for dice in t.dice]
    seats = [seat for seat, each in enumerate(ranks) if each == max(ranks)]
    return seats, t.counts(ACE)[seats[0]]


def seen(scene: Scene, seat: int) -> tuple[tuple[int, ...], int]:
    """Return the dice of a seat that are seen already, and how many are still to be."""
    dice = scene.table.dice[seat]
    veiled = scene.effects.veiled
    shown = tuple(face for place, face in enumerate(dice) if (seat, place) not in veiled)
    return shown, len(dice) - len(shown)
