"""The set-up: bounties, characters and the cowbot are drawn (FT-1.2, FT-9)."""

from __future__ import annotations

from collections.abc import Sequence
from math import perm

from lanplay.engine.requests import OpenRoll, Rules
from lanplay.games.fliptown.bounties import DRAWN, MET
from lanplay.games.fliptown.cards import CARDS, CLUB, DIAMOND, HEART, SPADE, number, suit
from lanplay.games.fliptown.characters import CHARACTERS, equip
from lanplay.games.fliptown.table import FliptownTable as Table

COWBOTS = {"bart": DIAMOND, "earp": CLUB, "jane": HEART, "kid": SPADE}
"""The suit of each cowbot (FT-9.4)."""


def setup(t: Table) -> Rules[None]:
    """Draw what the options ask for and give every seat what it starts with."""
    characters: Sequence[int] = [-1] * t.seats
    if t.seats > 1:
        t.bounties = yield from _drawn("bounties", len(MET), DRAWN)
        t.log_event("bounties", bounties=t.bounties)
    if t.options.characters == "random":
        characters = yield from _drawn("characters", len(CHARACTERS), t.seats)
    if t.seats == 1:
        characters = yield from _cowbot(t, characters)
    for seat, character in enumerate(characters):
        equip(t.sheets[seat], character)
        if character >= 0:
            t.log_event("plays", seat=seat, character=character)
    t.ready = 1


def _cowbot(t: Table, characters: Sequence[int]) -> Rules[Sequence[int]]:
    """Choose or draw the opponent; return the character, which one card may decide (FT-9.5)."""
    chosen = t.options.cowbot
    if chosen == "card":
        (face,) = yield OpenRoll((0, "solo"), 1, CARDS)
        t.cowbot, characters = suit(face), [number(face) - 1]
    elif chosen == "random":
        (t.cowbot,) = yield OpenRoll((0, "cowbot"), 1, len(COWBOTS))
    elif chosen != "none":
        t.cowbot = COWBOTS[chosen]
    if t.cowbot >= 0:
        t.log_event("cowbot", cowbot=t.cowbot)
    return characters


def _drawn(what: str, of: int, count: int) -> Rules[tuple[int, ...]]:
    """Draw ``count`` of the numbers below ``of``, in an order, by one die with a side for each."""
    (draw,) = yield OpenRoll((0, what), 1, perm(of, count))
    left, found = list(range(of)), []
    for _ in range(count):
        draw, place = divmod(draw, len(left))
        found.append(left.pop(place))
    return tuple(found)
