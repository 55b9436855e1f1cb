"""End and scoring (DT-7)."""

from __future__ import annotations

from typing import Final

from lanplay.engine.requests import Choose, Rules, Show
from lanplay.games.dice_town.cards import JOE, kind, points
from lanplay.games.dice_town.questions import Winner
from lanplay.games.dice_town.refuted import joe_found
from lanplay.games.dice_town.table import DiceTownTable as Table

BADGE_POINTS: Final = 5
DOLLARS_PER_POINT: Final = 2


def over(t: Table) -> bool:
    """DT-7.1: the mine is empty, or no claim is left in the row and the deck."""
    return not t.mine or not (t.row or t.claims)


def ending(t: Table) -> Rules[None]:
    """Show hands, count (DT-7.2) and settle a tie (DT-7.3)."""
    hidden = [card for seat in range(t.seats) for card in t.loot(seat) if card not in t.faces]
    if hidden:
        yield Show(hidden)
    for seat in range(t.seats):
        for card in [card for card in t.hands[seat] if kind(t.face(card)) == JOE]:
            yield from joe_found(t, seat, card)
    for seat in range(t.seats):
        found = sources(t, seat)
        t.scores.append(sum(found.values()))
        t.log_event("scores", seat=seat, points=t.scores[seat], **found)
    t.winner = yield from decide_winner(t)
    t.log_event("wins", seat=t.winner, points=t.scores[t.winner])


def sources(t: Table, seat: int) -> dict[str, int]:
    """Return a seat's victory points by source (DT-7.2); its cards must be public."""
    claims = t.deeds[seat] + t.fences[seat]
    return {
        "nuggets": t.nuggets[seat],
        "dollars": t.dollars[seat] // DOLLARS_PER_POINT,
        "badge": BADGE_POINTS if seat == t.sheriff else 0,
        "equipment": sum(points(t.face(card)) for card in t.hands[seat]),
        "claims": sum(points(t.face(card)) for card in claims),
    }


def decide_winner(t: Table) -> Rules[int]:
    """Most points, then most claims, then the Sheriff's pick (DT-7.3)."""
    keys = [(t.scores[s], len(t.deeds[s]) + len(t.fences[s])) for s in range(t.seats)]
    tied = tuple(seat for seat in range(t.seats) if keys[seat] == max(keys))
    if len(tied) == 1:
        return tied[0]
    answers = yield Choose({t.sheriff: Winner(tied)})
    seat: int = answers[t.sheriff]
    return seat
