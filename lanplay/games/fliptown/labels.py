"""How the options of a turn's choices are worded: a message for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lanplay.engine.question import Phrase
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.codes import ABILITY, BY_ABILITY, JOKER, NO
from lanplay.games.fliptown.map import LAND_STARS

Label = Callable[[int, int], Phrase]
"""The wording of an option, given its note."""


def _card(_: int, face: int) -> Phrase:
    return Phrase("card", {"card": face})


def _suit_card(_: int, face: int) -> Phrase:
    return Phrase("suit-card", {"card": face, "region": suit(face)})


def _suit(option: int, gold: int) -> Phrase:
    if option >= JOKER:
        return Phrase("suit-joker", {"suit": option - JOKER})
    return Phrase("suit-gold", {"suit": option, "gold": gold}) if gold else _own_suit(option)


def _own_suit(option: int) -> Phrase:
    return Phrase("suit-own", {"suit": option})


def _site(site: int, gold: int) -> Phrase:
    values = {"site": site, "place": site, "gold": gold % BY_ABILITY}
    if gold >= BY_ABILITY:
        return Phrase("site-ability", values)
    return Phrase("site-gold" if gold else "site", values)


def _task(task: int, _: int) -> Phrase:
    if task == NO:
        return Phrase("end-turn")
    return Phrase("use-ability") if task == ABILITY else Phrase("task", {"task": task})


def _amount(amount: int, _: int) -> Phrase:
    return Phrase("amount", {"amount": amount})


def _priced(event: str, unit: str = "cash") -> Label:
    return lambda amount, price: Phrase(event, {"amount": amount, unit: price})


def _land(squares: int, cash: int) -> Phrase:
    values = {"squares": squares, "amount": LAND_STARS[squares], "cash": cash}
    return Phrase("squares", values)


def _one_of(*events: str) -> Label:
    return lambda option, note: Phrase(events[option], {"gold": note} if note else {})


LABELS: Mapping[str, Label] = {
    "suit-card": _suit_card,
    "value-card": _card,
    "suit": _suit,
    "site": _site,
    "bonus": _site,
    "way": lambda way, gold: Phrase(("way-gold", "way-pans", "way-joker")[way], {"gold": gold}),
    "next": _task,
    "region": lambda region, _: Phrase("region", {"region": region}),
    "bail": _one_of("bail-cash", "bail-gold", "bail-cross"),
    "office": _one_of("office-star", "office-cross"),
    "tool": _one_of("tool-pan", "tool-hammer"),
    "cross": _amount,
    "buy": lambda item, cash: Phrase("ware", {"item": item, "cash": cash}),
    "hideout": _amount,
    "church": _priced("donates"),
    "hotel": _priced("stays"),
    "land": _land,
    "look": _one_of("look", "look"),
    "saloon": _priced("stars-for-cash"),
    "club": _priced("stars-for-gold", "gold"),
}
"""By the name of the choice."""
_NONE = {"site": "forgo", "next": "end-turn"}


def label(what: str, option: int, note: int) -> Phrase:
    """Return the wording of an option of a choice, given its note."""
    if option == NO:
        return Phrase(_NONE.get(what, "decline"))
    return LABELS[what](option, note)
