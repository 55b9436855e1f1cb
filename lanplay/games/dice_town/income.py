"""Where seats got what they got in Dice Town, read from the log of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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

Got = dict[str, list[int]]


class _Reader:
    """Adds up what the messages of a game say; each message that matters has a method."""

    def __init__(self, seats: int) -> None:
        self.got: Got = {source: [0] * seats for source in SOURCES}
        self._offers: dict[int, Mapping[str, Any]] = {}

    def mine(self, told: Mapping[str, Any]) -> None:
        self.got["mine_nuggets"][told["seat"]] += told["nuggets"]

    def bank(self, told: Mapping[str, Any]) -> None:
        self.got["bank_dollars"][told["seat"]] += told["dollars"]

    def splits(self, told: Mapping[str, Any]) -> None:
        self.bank(told)
        self.got["bank_dollars"][told["other"]] -= told["dollars"]

    def draws(self, told: Mapping[str, Any]) -> None:
        self.got["store_cards"][told["seat"]] += 1

    def robs(self, told: Mapping[str, Any]) -> None:
        self.got["saloon_cards"][told["seat"]] += 1

    def badge(self, told: Mapping[str, Any]) -> None:
        self.got["badges"][told["seat"]] += 1

    def hall(self, told: Mapping[str, Any]) -> None:
        self.got["hall_points"][told["seat"]] += sum([points(card) for card in told["cards"]])

    def doc_dollars(self, told: Mapping[str, Any]) -> None:
        self.got["doc_dollars"][told["seat"]] += told["dollars"]

    def doc_nuggets(self, told: Mapping[str, Any]) -> None:
        self.got["doc_nuggets"][told["seat"]] += told["nuggets"]

    def offers(self, told: Mapping[str, Any]) -> None:
        self._offers[told["seat"]] = told

    def decides(self, told: Mapping[str, Any]) -> None:
        offer = self._offers.get(told["other"])
        if offer is not None:
            self.got["bribe_dollars"][told["seat"]] += offer["dollars"]
            self.got["bribe_nuggets"][told["seat"]] += offer["nuggets"]
        self._offers.clear()


_READ: Final[Mapping[str, Callable[[_Reader, Mapping[str, Any]], None]]] = {
    "mine": _Reader.mine,
    "bank": _Reader.bank,
    "splits": _Reader.splits,
    "draws": _Reader.draws,
    "robs": _Reader.robs,
    "badge": _Reader.badge,
    "hall": _Reader.hall,
    "doc-dollars": _Reader.doc_dollars,
    "doc-nuggets": _Reader.doc_nuggets,
    "offers": _Reader.offers,
    "decides": _Reader.decides,
}


def income(t: DiceTownTable) -> list[list[int]]:
    """Return for each of ``SOURCES`` what every seat got there; what it gave away is not off."""
    reader = _Reader(t.seats)
    for message in t.log or ():
        read = _READ.get(message.id)
        if read is not None:
            read(reader, message.values)
    return list(reader.got.values())


INCOME = Income(SOURCES, income, frozenset(_READ))
