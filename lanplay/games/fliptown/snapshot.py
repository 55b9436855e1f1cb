"""A game continued anew from a round boundary: the sheets stay, cards are dealt again."""

from __future__ import annotations

from typing import Any, Final

from lanplay.engine.fields import Amount, Cards, Column, Fields, Part, Schema
from lanplay.engine.plain import Plain
from lanplay.engine.redeal import redistribute
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

DECK: Final = range(CARDS)


class _Bounties(Column):
    """Those in the game, behind the number of seats: with one there are none."""

    def saved(self, value: Any, table: Any) -> Plain:
        return (table.seats, *value)

    def laid(self, data: Any, table: Any) -> Any:
        if type(data) is not tuple or data[:1] != (table.seats,):
            raise ValueError(f"{data!r} are no bounties for {table.seats} seats")
        return super().laid(data[1:], table)


SHEET = Fields(
    character=Amount(len(CHARACTERS) - 1, -1),
    circled=Column(Amount(), len(ALL_CIRCLED)),
    ranks=Column(Amount(ROYAL_FLUSH), lambda t: t.round, tuple),
    counters=Fields(
        cash=Amount(),
        gold=Amount(),
        stars=Amount(),
        wanted=Amount(),
        pans=Amount(MOST_TOOLS),
        hammers=Amount(MOST_TOOLS),
        items=Amount((1 << len(ITEMS)) - 1),
        land=Amount(ALL_LAND),
        hotel=Amount(len(HOTEL_STARS) - 1),
        mined=Amount(),
        bonuses=Amount(ALL_REGIONS),
        moments=Amount(RICH | OUTLAWED),
        bounties=Amount((1 << DRAWN) - 1),
        arrests=Amount(ROUNDS),
        ever_wanted=Amount(1),
        uses=Amount(JOKERS),
    ),
)
SCHEMA = Schema(
    "Fliptown",
    round=Amount(ROUNDS - 1),
    cowbot=Amount(lambda t: len(COWBOTS) - 1 if t.seats == 1 else -1, -1),
    bounties=_Bounties(Amount(len(MET) - 1), lambda t: DRAWN if t.seats > 1 else 0, tuple),
    taken=Amount((1 << DRAWN) - 1),
    cards=Fields(deck=Cards(DECK), stolen=Cards(DECK)),
    sheets=Column(Part(Sheet, SHEET)),
)
snapshot = SCHEMA.snapshot


def from_snapshot(t: Table, data: Any) -> None:
    """Lay a new table as ``snapshot`` says; ``ValueError`` names what cannot be."""
    SCHEMA.from_snapshot(t, data)
    if len(set(t.bounties)) != len(t.bounties):
        raise ValueError("a bounty is there twice")
    characters = [s.character for s in t.sheets if s.character >= 0]
    if len(set(characters)) != len(characters):
        raise ValueError("a character is played twice")
    for s in t.sheets:
        if any(mask | most != most for mask, most in zip(s.circled, ALL_CIRCLED, strict=True)):
            raise ValueError(f"{s.circled!r} are no places of the regions")
        if not s.circled[CEMETERY] >> CENTRE & 1:
            raise ValueError("the centre tombstone is circled from the start")
    if len(t.stolen) > TURNS * t.round or not t.faces.keys().isdisjoint(t.stolen):
        raise ValueError("nobody has seen what a cowbot holds, at most a card per turn")
    if data["cards"][0][: len(t.faces)] != tuple(sorted(t.faces)):
        raise ValueError("the cards that have been seen lie first, in order")
    t.ready = 1


def deal_anew(t: Table) -> Rules[None]:
    """Shuffle the cards that nobody has seen between the deck and the cowbot."""
    hidden = SCHEMA.hidden(t, DECK)
    yield from redistribute((t.round, "cards"), {"hidden": hidden}, (t.deck, t.stolen))
    t.log_event("deals-anew", amount=len(hidden))
