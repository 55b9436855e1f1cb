"""What a position of Fliptown is worth: every sheet by the bots' own worth of it."""

from __future__ import annotations

from lanplay.engine.record import Header
from lanplay.engine.view import View
from lanplay.games.fliptown.cowbot import rival_score
from lanplay.games.fliptown.table import FliptownTable
from lanplay_ai.fliptown.outlook import FliptownOutlook
from lanplay_ai.fliptown.weights import TURNS
from lanplay_ai.values import FeatureValues

_FALL = 56
"""What a cowbot loses from the first turn to the last, as measured at all levels of it."""


def features(t: FliptownTable) -> tuple[list[list[float]], float]:
    """Return the expected points of every sheet and a cowbot, and how many turns are over."""
    header, rows = Header("fliptown", {}, ("",) * t.seats), []
    progress = min(1.0, max(0, t.round * 5 + t.turn - 5) / TURNS)
    for seat in range(t.seats):
        view: View[FliptownTable] = View(seat, t, header, [])
        rows.append([0.0, FliptownOutlook(view, rival=False).worth(t.sheets[seat]) / 10])
    if t.cowbot >= 0:
        rows.append([0.0, (rival_score(t) - _FALL * (1 - progress)) / 10])
    return rows, progress


VALUES = FeatureValues("fliptown", features)
