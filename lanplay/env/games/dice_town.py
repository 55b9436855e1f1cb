"""Dice Town for programs that learn: what is seen of it."""

from __future__ import annotations

from typing import Any, Final

from lanplay.env.declared import CardPlaces, Declared
from lanplay.env.games.dice_town_actions import (
    CARD_NAMES,
    CATALOG,
    DICE_NAMES,
    FACE_NAMES,
    MOST_DOLLARS,
    OTHERS,
    STEPS,
    WHAT,
)
from lanplay.env.places import (
    FLAG,
    MANY,
    ASeat,
    Bits,
    BySeat,
    Encoding,
    OneOf,
    Parts,
    Several,
    SomeSeats,
    Whole,
)
from lanplay.games.dice_town.cards import STORE_FACES
from lanplay.games.dice_town.poker import FACES
from lanplay.games.dice_town.questions import (
    Buy,
    Decide,
    DiceTownCheat,
    KeepLoot,
    Play,
    SheriffOffer,
    Stop,
    Take,
)
from lanplay.games.dice_town.questions.shapes import DiceTownView
from lanplay.games.dice_town.table import MOST_SEATS, NUGGETS, DiceTownTable

_PLACES: Final = ("mine", "bank", "store", "saloon", "badge", "hall")


def _cards_told(view: DiceTownView, question: Any) -> dict[str, Any]:
    return {"cards_to_choose": [face for c in question.cards if (face := view.face(c)) is not None]}


def _offers_told(view: DiceTownView, question: Any) -> dict[str, Any]:
    t = view.table
    seats: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)] * t.seats
    for seat, (dollars, nuggets, cards) in question.offers.items():
        store = sum([card in t.hands[seat] for card in cards])
        seats[seat] = (dollars, nuggets, store, len(cards) - store)
    return {"place": question.place, "tied": question.tied, "offers": seats}


def _stop_told(view: DiceTownView, question: Any) -> dict[str, Any]:
    t = view.table
    slots: list[Any] = [(None, None)] * (2 * (t.seats - 1))
    for card, by, victim in zip(question.targets, question.by, question.victims, strict=True):
        slot = 2 * ((by - view.seat) % t.seats - 1)
        slots[slot + (slots[slot][0] is not None)] = (t.faces[card], victim)
    return {"cards_played": slots}


_DIE: Final = OneOf(range(FACES), FACE_NAMES)
_DOLLARS: Final = Whole(MOST_DOLLARS)
_NUGGETS: Final = Whole(NUGGETS)


def _by_seat(kind: Encoding, opens: bool = False) -> BySeat:
    return BySeat(kind, MOST_SEATS, opens)


DECLARED: Final = Declared(
    table=DiceTownTable,
    seats=MOST_SEATS,
    catalog=CATALOG,
    steps=STEPS,
    fields={
        "options": Parts(claim_row=OneOf(("recycle", "slide")), brute=OneOf(("free", "one_extra"))),
        "round": Whole(MANY),
        "bank": _DOLLARS,
        "coach": _DOLLARS,
        "mine": _NUGGETS,
        "sheriff": ASeat(MOST_SEATS),
        "dollars": _by_seat(_DOLLARS),
        "nuggets": _by_seat(_NUGGETS),
        "dice": _by_seat(Several(_DIE, DICE_NAMES)),
        "obtained": _by_seat(FLAG),
        "shuffles": Whole(MANY),
        "mixes": _by_seat(Whole(MANY)),
        "takes": _by_seat(Whole(MANY)),
        "scores": _by_seat(Whole(MANY), opens=True),
        "winner": ASeat(MOST_SEATS),
    },
    reads={"options": lambda view, _: (view.table.options.claim_row, view.table.options.brute)},
    cards=CardPlaces(
        CARD_NAMES, ["deck", "discards", "claims", "row"], ["hands", "deeds", "fences"], MOST_SEATS
    ),
    cup=Several(_DIE, DICE_NAMES),
    tells={
        "place": OneOf(_PLACES),
        "tied": SomeSeats(MOST_SEATS),
        "stake": Whole(MANY),
        "rival": ASeat(MOST_SEATS),
        "count": Whole(len(WHAT)),
        "dice_revealed": Several(_DIE, DICE_NAMES),
        "cards_to_choose": Bits(CARD_NAMES),
        "cards_played": Several(
            Parts(
                card=OneOf(STORE_FACES, CARD_NAMES[: len(STORE_FACES)]), victim=ASeat(MOST_SEATS)
            ),
            [f"{nth} card of {seat}" for seat in OTHERS for nth in ("1st", "2nd")],
        ),
        "offers": _by_seat(
            Parts(
                dollars=_DOLLARS, nuggets=_NUGGETS, store=Whole(len(WHAT)), claims=Whole(len(WHAT))
            )
        ),
    },
    about={
        Play: lambda view, q: {"stake": q.stake, "rival": q.rival},
        DiceTownCheat: lambda view, q: {"dice_revealed": q.faces},
        Stop: _stop_told,
        Buy: _cards_told,
        KeepLoot: _cards_told,
        Take: lambda view, q: {"rival": q.victim, "count": q.count},
        SheriffOffer: lambda view, q: {"place": q.place, "tied": q.tied},
        Decide: _offers_told,
    },
    picks=True,
)
