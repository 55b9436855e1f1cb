"""What a position of Fliptown is worth: every sheet by the bots' own worth of it."""

from __future__ import annotations

from lanplay.engine.record import Header
from lanplay.engine.view import View
from lanplay.games.fliptown.table import FliptownTable
from lanplay_ai.fliptown.outlook import FliptownOutlook
from lanplay_ai.fliptown.weights import TURNS
from lanplay_ai.values import FeatureValues


def features(t: FliptownTable) -> tuple[list[list[float]], float]:
    """Return the expected points of every sheet, and the part of the turns that are over."""
    header, rows = Header("fliptown", {}, ("",) * t.seats), []
    for seat in range(t.seats):
        view: View[FliptownTable] = View(seat, t, header, [])
        rows.append([FliptownOutlook(view).worth(t.sheets[seat]) / 10])
    return rows, min(1.0, max(0, t.round * 5 + t.turn - 5) / TURNS)


VALUES = FeatureValues("fliptown", features)
