"""How the options of a turn's choices are worded: a message for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lanplay.engine.question import Message
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.codes import ABILITY, BY_ABILITY, JOKER, NO
from lanplay.games.fliptown.map import LAND_STARS

Label = Callable[[int, int], Message]
"""The wording of an option, given its note."""


def _card(_: int, face: int) -> Message:
    return Message("card", {"card": face})


def _suit_card(_: int, face: int) -> Message:
    return Message("suit-card", {"card": face, "region": suit(face)})


def _suit(option: int, gold: int) -> Message:
    if option >= JOKER:
        return Message("suit-joker", {"suit": option - JOKER})
    return Message("suit-gold", {"suit": option, "gold": gold}) if gold else _own_suit(option)


def _own_suit(option: int) -> Message:
    return Message("suit-own", {"suit": option})


def _site(site: int, gold: int) -> Message:
    values = {"site": site, "place": site, "gold": gold % BY_ABILITY}
    if gold >= BY_ABILITY:
        return Message("site-ability", values)
    return Message("site-gold" if gold else "site", values)


def _task(task: int, _: int) -> Message:
    if task == NO:
        return Message("end-turn")
    return Message("use-ability") if task == ABILITY else Message("task", {"task": task})


def _amount(amount: int, _: int) -> Message:
    return Message("amount", {"amount": amount})


def _priced(event: str, unit: str = "cash") -> Label:
    return lambda amount, price: Message(event, {"amount": amount, unit: price})


def _land(squares: int, cash: int) -> Message:
    values = {"squares": squares, "amount": LAND_STARS[squares], "cash": cash}
    return Message("squares", values)


def _one_of(*events: str) -> Label:
    return lambda option, note: Message(events[option], {"gold": note} if note else {})


LABELS: Mapping[str, Label] = {
    "suit-card": _suit_card,
    "value-card": _card,
    "suit": _suit,
    "site": _site,
    "bonus": _site,
    "way": lambda way, gold: Message(("way-gold", "way-pans", "way-joker")[way], {"gold": gold}),
    "next": _task,
    "region": lambda region, _: Message("region", {"region": region}),
    "bail": _one_of("bail-cash", "bail-gold", "bail-cross"),
    "office": _one_of("office-star", "office-cross"),
    "tool": _one_of("tool-pan", "tool-hammer"),
    "cross": _amount,
    "buy": lambda item, cash: Message("ware", {"item": item, "cash": cash}),
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


def label(what: str, option: int, note: int) -> Message:
    """Return the wording of an option of a choice, given its note."""
    if option == NO:
        return Message(_NONE.get(what, "decline"))
    return LABELS[what](option, note)
