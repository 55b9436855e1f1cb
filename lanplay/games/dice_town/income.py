"""Where seats got what they got in Dice Town, read from the log of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lanplay.engine.question import Message
from lanplay.games.dice_town.cards import points

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

_AMOUNTS: Final = {
    "mine": ("mine_nuggets", "nuggets"),
    "bank": ("bank_dollars", "dollars"),
    "splits": ("bank_dollars", "dollars"),
    "doc-dollars": ("doc_dollars", "dollars"),
    "doc-nuggets": ("doc_nuggets", "nuggets"),
}
_ONES: Final = {"draws": "store_cards", "robs": "saloon_cards", "badge": "badges"}


def income(log: Iterable[Message], seats: int) -> list[list[int]]:
    """Return, for each of ``SOURCES``, what each seat got there; what it gave away is not off."""
    got = {source: [0] * seats for source in SOURCES}
    offers: dict[int, Message] = {}
    for message in log:
        values = message.values
        if message.id in _AMOUNTS:
            source, name = _AMOUNTS[message.id]
            got[source][values["seat"]] += values[name]
            if message.id == "splits":
                got[source][values["other"]] -= values[name]
        elif message.id in _ONES:
            got[_ONES[message.id]][values["seat"]] += 1
        elif message.id == "hall":
            got["hall_points"][values["seat"]] += sum(points(card) for card in values["cards"])
        elif message.id == "offers":
            offers[values["seat"]] = message
        elif message.id == "decides":
            _bribe(got, offers.get(values["other"]), values["seat"])
            offers = {}
    return list(got.values())


def _bribe(got: dict[str, list[int]], offer: Message | None, sheriff: int) -> None:
    if offer is not None:
        got["bribe_dollars"][sheriff] += offer.values["dollars"]
        got["bribe_nuggets"][sheriff] += offer.values["nuggets"]
