"""Cards off the deck, and the deck made anew (FT-2.1, FT-2.8)."""

from __future__ import annotations

from itertools import filterfalse

from lanplay.engine.requests import Rules, Shuffle
from lanplay.games.fliptown.table import FliptownTable as Table


def draw(t: Table, number: int) -> Rules[list[int]]:
    """Take cards off the deck, face down; one that runs out is made anew (FT-2.8)."""
    cards, t.deck = t.deck[:number], t.deck[number:]
    missing = number - len(cards)
    if missing:
        t.shuffles += 1
        t.log_event("reshuffles", amount=len(t.discards))
        fresh = yield Shuffle((t.round, "anew", t.shuffles), {"deck": t.discards})
        t.deck, t.discards = fresh["deck"], []
        cards += t.deck[:missing]
        t.deck = t.deck[missing:]
    return cards


def shuffle(t: Table) -> Rules[None]:
    """Shuffle all cards but those a cowbot holds (FT-2.1)."""
    fresh = yield Shuffle((t.round, "deck"), {"deck": t.deck})
    t.deck = fresh["deck"]


def gather(t: Table) -> None:
    """Lay all cards together again; what has been seen comes first, in the order of faces."""
    cards, seen = [*t.deck, *t.discards], t.faces.__contains__
    known = sorted(filter(seen, cards), key=t.faces.__getitem__)
    t.deck = known + list(filterfalse(seen, cards))
    t.discards = []
    t.shuffles = 0
