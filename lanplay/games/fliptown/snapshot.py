"""A game continued anew from a round boundary: the sheets stay, cards are dealt again."""

from __future__ import annotations

from itertools import filterfalse
from typing import Any, Final

from lanplay.engine.plain import Plain
from lanplay.engine.redeal import HIDDEN, laid, redistribute, spare_faces, visible_faces
from lanplay.engine.requests import Rules
from lanplay.games.fliptown.bounties import ALL_REGIONS, DRAWN, MET
from lanplay.games.fliptown.cards import CARDS
from lanplay.games.fliptown.characters import CHARACTERS, JOKERS
from lanplay.games.fliptown.effects import ALL_LAND
from lanplay.games.fliptown.map import ALL_CIRCLED, CEMETERY, CENTRE, HOTEL_STARS, ITEMS, MOST_TOOLS
from lanplay.games.fliptown.poker import ROYAL_FLUSH
from lanplay.games.fliptown.setup import COWBOTS
from lanplay.games.fliptown.sheet import OUTLAWED, RICH, Sheet
from lanplay.games.fliptown.table import ROUNDS, TURNS
from lanplay.games.fliptown.table import FliptownTable as Table

MUCH: Final = 1_000_000
COUNTERS: Final = {
    "cash": MUCH,
    "gold": MUCH,
    "stars": MUCH,
    "wanted": MUCH,
    "pans": MOST_TOOLS,
    "hammers": MOST_TOOLS,
    "items": (1 << len(ITEMS)) - 1,
    "land": ALL_LAND,
    "hotel": len(HOTEL_STARS) - 1,
    "mined": MUCH,
    "bonuses": ALL_REGIONS,
    "moments": RICH | OUTLAWED,
    "bounties": (1 << DRAWN) - 1,
    "arrests": ROUNDS,
    "ever_wanted": 1,
    "uses": JOKERS,
}
"""The counters of a sheet, and the most that each can be."""
KEYS: Final = ("round", "cowbot", "bounties", "taken", "cards", "sheets")


def snapshot(t: Table) -> dict[str, Plain]:
    """Return what a new game can start from (see ``Game.snapshot``)."""
    return {
        "round": t.round,
        "cowbot": t.cowbot,
        "bounties": (t.seats, *t.bounties),
        "taken": t.taken,
        "cards": (visible_faces(t, t.deck), visible_faces(t, t.stolen)),
        "sheets": tuple([_sheet(s) for s in t.sheets]),
    }


def _sheet(s: Sheet) -> Plain:
    counters = tuple([getattr(s, name) for name in COUNTERS])
    return (s.character, tuple(s.circled), s.ranks, counters)


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table as ``snapshot`` says; ``ValueError`` names what cannot be."""
    if type(data) is not dict or tuple(data) != KEYS:
        raise ValueError(f"a snapshot of Fliptown has {', '.join(KEYS)}, in this order")
    t.round = _number(data["round"], ROUNDS - 1)
    t.cowbot = _number(data["cowbot"], len(COWBOTS) - 1 if t.seats == 1 else -1, -1)
    t.taken = _number(data["taken"], (1 << DRAWN) - 1)
    seats, *bounties = _tuple(data["bounties"], 1 + DRAWN if t.seats > 1 else 1)
    if seats != t.seats or len(set(bounties)) != len(bounties):
        raise ValueError("these are no bounties for so many seats")
    t.bounties = tuple([_number(each, len(MET) - 1) for each in bounties])
    t.sheets = [_laid(t.round, each) for each in _tuple(data["sheets"], t.seats)]
    characters = [s.character for s in t.sheets if s.character >= 0]
    if len(set(characters)) != len(characters):
        raise ValueError("a character is played twice")
    _lay_cards(t, data["cards"])
    t.ready = 1


def _lay_cards(t: Table, cards: Any) -> None:
    deck, stolen = _tuple(cards, 2)
    spare = iter(spare_faces(range(CARDS), (deck, stolen)))
    if len(stolen) > TURNS * t.round or any(spot != HIDDEN for spot in stolen):
        raise ValueError("nobody has seen what a cowbot holds, at most a card per turn")
    t.deck, t.stolen = laid(deck, spare), laid(stolen, spare)
    known = [spot for spot in deck if spot != HIDDEN]
    if list(deck) != sorted(known) + [HIDDEN] * (len(deck) - len(known)):
        raise ValueError("the cards that have been seen lie first, in order")
    t.faces = {face: face for face in known}


def _laid(rounds: int, data: Any) -> Sheet:
    s = Sheet()
    character, circled, ranks, counters = _tuple(data, 4)
    s.character = _number(character, len(CHARACTERS) - 1, -1)
    s.circled = [_mask(m, a) for m, a in zip(_tuple(circled, 5), ALL_CIRCLED, strict=True)]
    if not s.circled[CEMETERY] >> CENTRE & 1:
        raise ValueError("the centre tombstone is circled from the start")
    s.ranks = tuple([_number(rank, ROYAL_FLUSH) for rank in _tuple(ranks, rounds)])
    for (name, most), each in zip(COUNTERS.items(), _tuple(counters, len(COUNTERS)), strict=True):
        setattr(s, name, _number(each, most))
    return s


def _number(value: object, most: int, least: int = 0) -> int:
    if type(value) is int and least <= value <= most:
        return value
    raise ValueError(f"{value!r} is no number from {least} to {most}")


def _mask(value: object, most: int) -> int:
    if type(value) is int and value | most == most:
        return value
    raise ValueError(f"{value!r} are no places of this region")


def _tuple(values: Any, count: int) -> tuple[Any, ...]:
    if type(values) is tuple and len(values) == count:
        return values
    raise ValueError(f"{values!r} does not have {count} values")


def is_fresh(t: Table) -> bool:
    """Tell whether the hidden cards are still to be dealt: they have the handles of a new table."""
    return any(card < CARDS for card in _hidden(t))


def deal_anew(t: Table) -> Rules[None]:
    """Shuffle the cards that nobody has seen between the deck and the cowbot."""
    hidden = _hidden(t)
    yield from redistribute((t.round, "cards"), {"hidden": hidden}, (t.deck, t.stolen))
    t.log_event("deals-anew", amount=len(hidden))


def _hidden(t: Table) -> list[int]:
    return list(filterfalse(t.faces.__contains__, (*t.deck, *t.stolen)))
