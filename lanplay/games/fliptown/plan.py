"""The plan: three cards get their places, are changed for gold, and lead to a site (FT-2.2 to 2.5).

Its stages follow each other: suit card, value card, suit, site, and the way to pay for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Final

from lanplay.games.fliptown.asks import Ask, Next, TaskStage, Told, Turn, tell
from lanplay.games.fliptown.cards import KING, number, suit
from lanplay.games.fliptown.characters import PROSPECTOR, WILD_CARD, can
from lanplay.games.fliptown.codes import BY_ABILITY, BY_GOLD, BY_JOKER, BY_PANS, JOKER, NO
from lanplay.games.fliptown.map import CEMETERY, SUIT_GOLD, site
from lanplay.games.fliptown.reach import price, reach, reach_by, stones
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.visits import visit

NEVER: Final = 99
"""More than any price."""
VALUES: Final = range(1, KING + 1)
FIRST_STONE: Final = site(CEMETERY, 0)


def _lay_suit(s: Sheet, turn: Turn, first: int, told: Told) -> TaskStage:
    s.assigned = first
    return _VALUE_CARD


def _lay_value(s: Sheet, turn: Turn, second: int, told: Told) -> TaskStage:
    flipped = turn.flipped
    poker = flipped[3 - s.assigned - second]
    s.poker += (poker,)
    if told is not None:
        tell(told, "plans", cards=(flipped[s.assigned], flipped[second], poker))
    return _SUITS[number(flipped[second])]


def _ask_suit(s: Sheet, turn: Turn) -> Ask:
    joker = s.uses > 0 and can(s, WILD_CARD)
    return _suits(suit(turn.flipped[s.assigned]), s.gold >= SUIT_GOLD, joker)


@cache
def _suits(own: int, paid: bool, joker: bool) -> Ask:
    """Return the suits that a card can count as: its own, another by gold or a joker (FT-2.5)."""
    options, notes = [own], [0]
    others = [each for each in range(4) if each != own]
    if paid:
        options += others
        notes += [SUIT_GOLD] * 3
    if joker:
        options += [each + JOKER for each in others]
        notes += [0] * 3
    return Ask("suit", tuple(options), tuple(notes))


def _suit(value: int) -> TaskStage:
    """Return the choice of the suit, with a value card of that value."""

    def use(s: Sheet, turn: Turn, answer: int, told: Told) -> TaskStage:
        if answer >= JOKER:
            s.uses -= 1
            tell(told, "joker-suit", suit=answer - JOKER)
        elif answer != suit(turn.flipped[s.assigned]):
            s.gold -= SUIT_GOLD
            tell(told, "changes-suit", suit=answer)
        s.counted = answer % JOKER
        return _SITES[value]

    return TaskStage(_ask_suit, use)


def _site(value: int) -> TaskStage:
    """Return the choice of a site: those in reach, the cheapest first, then the tombstones."""

    def ask(s: Sheet, turn: Turn) -> Ask:
        near, prices = _near(_ways(s, value)) if s.uses else reach(s, s.counted, value, s.gold)
        free, nothing = stones(s)
        return Ask("site", near + free, prices + nothing)

    def use(s: Sheet, turn: Turn, where: int, told: Told) -> Next:
        if where == NO:
            tell(told, "forgoes")
            return None
        if where < FIRST_STONE:
            if s.uses:
                return _way(value, where)
            _pay(s, price(s, where, value), told)
        return _arrive(s, where, told)

    return TaskStage(ask, use)


def _near(ways: Mapping[int, Mapping[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sites in reach, each with its price by gold alone, if there is one.

    Otherwise the price is what it costs beside the ability, and ``BY_ABILITY`` more.
    """
    prices: dict[int, int] = {}
    for way, found in ways.items():
        if way != BY_GOLD:
            for where, each in found.items():
                prices[where] = min(each + BY_ABILITY, prices.get(where, NEVER))
    prices |= ways[BY_GOLD]
    prices = dict(sorted(prices.items(), key=itemgetter(1)))
    return tuple(prices), tuple(prices.values())


def _ways(s: Sheet, value: int) -> dict[int, dict[int, int]]:
    """Return the sites in reach with their prices, for each way to change the value card."""
    region = s.counted
    ways = {BY_GOLD: reach_by(s, region, (value,), s.gold)}
    if can(s, PROSPECTOR) and s.pans:
        ways[BY_PANS] = reach_by(s, region, (value + s.pans, value - s.pans), s.gold)
    if can(s, WILD_CARD):
        ways[BY_JOKER] = reach_by(s, region, VALUES, 0)
    return ways


def _arrive(s: Sheet, where: int, told: Told) -> Next:
    if told is not None:
        tell(told, "visits", site=where)
    return visit(s, where, told)


def _pay(s: Sheet, gold: int, told: Told) -> None:
    s.gold -= gold
    if gold:
        tell(told, "changes-value", amount=gold)


def _by_way(s: Sheet, value: int, where: int) -> dict[int, int]:
    """Return what each way to a site costs; one that spares no gold is not offered (FT-2.5)."""
    prices: dict[int, int] = {}
    for way, found in _ways(s, value).items():
        cost = found.get(where, NEVER)
        if cost < min(prices.values(), default=NEVER):
            prices[way] = cost
    return prices


def _way(value: int, where: int) -> TaskStage:
    """Return the choice how to reach a site."""

    def ask(s: Sheet, turn: Turn) -> Ask:
        prices = _by_way(s, value, where)
        return Ask("way", tuple(prices), tuple(prices.values()))

    def use(s: Sheet, turn: Turn, way: int, told: Told) -> Next:
        gold = _by_way(s, value, where)[way]
        if way != BY_GOLD:
            s.uses -= 1
            tell(told, "uses", character=s.character)
        _pay(s, gold, told)
        return _arrive(s, where, told)

    return TaskStage(ask, use)


SUIT_CARD: Final = TaskStage(lambda s, turn: turn.suit_card, _lay_suit)
"""The first stage of a plan."""
_VALUE_CARD: Final = TaskStage(lambda s, turn: turn.value_cards[s.assigned], _lay_value)
_SUITS: Final = {value: _suit(value) for value in VALUES}
_SITES: Final = {value: _site(value) for value in VALUES}
"""By the value of the value card."""
