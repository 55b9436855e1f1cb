"""Where seats got what they got in Dice Town, read from the log of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lanplay.engine.manifest import Income
from lanplay.games.dice_town.cards import points
from lanplay.games.dice_town.table import DiceTownTable

SOURCES: Final = (
    "mine_nuggets",
    "bank_dollars",
    "store_cards",
    "saloon_cards",
    "badges",
    "hall_points",
    "doc_dollars",
    "doc_nuggets",
    "bribe_dollars",
    "bribe_nuggets",
)
"""Places of the town with what they give; ``bribe_…`` is what the Sheriff took."""

ADDED: Final[Mapping[str, tuple[str, str]]] = {
    "mine": ("mine_nuggets", "nuggets"),
    "bank": ("bank_dollars", "dollars"),
    "splits": ("bank_dollars", "dollars"),
    "draws": ("store_cards", ""),
    "robs": ("saloon_cards", ""),
    "badge": ("badges", ""),
    "doc-dollars": ("doc_dollars", "dollars"),
    "doc-nuggets": ("doc_nuggets", "nuggets"),
}
"""By event, the source, and the value that its seat got there; one where none is named."""
HEARD: Final = frozenset((*ADDED, "hall", "offers", "decides"))


def income(t: DiceTownTable) -> list[list[int]]:
    """Return for each of ``SOURCES`` what every seat got there; what it gave away is not off."""
    got = {source: [0] * t.seats for source in SOURCES}
    offers: dict[int, Mapping[str, Any]] = {}
    for event in t.log or ():
        told, seat = event.values, event.values.get("seat", 0)
        if event.id in ADDED:
            source, value = ADDED[event.id]
            got[source][seat] += told[value] if value else 1
        if event.id == "splits":
            got["bank_dollars"][told["other"]] -= told["dollars"]
        elif event.id == "hall":
            got["hall_points"][seat] += sum([points(card) for card in told["cards"]])
        elif event.id == "offers":
            offers[seat] = told
        elif event.id == "decides":
            bribe = offers.get(told["other"], {"dollars": 0, "nuggets": 0})
            got["bribe_dollars"][seat] += bribe["dollars"]
            got["bribe_nuggets"][seat] += bribe["nuggets"]
            offers.clear()
    return list(got.values())


INCOME = Income(SOURCES, income, HEARD)
