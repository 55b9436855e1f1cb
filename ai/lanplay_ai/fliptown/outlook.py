"""What a sheet is worth to its seat at the end of a turn: what it has, what is to come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, lru_cache

from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.cowbot import COEFFICIENTS, LEVELS, ROWS, wanted
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import ALWAYS_STARS, FINES, GUNS, REGIONS, TRAIL
from lanplay.games.fliptown.phases import WORK_CASH
from lanplay.games.fliptown.questions import FliptownView
from lanplay.games.fliptown.reach import open_sites
from lanplay.games.fliptown.sheet import PISTOL, RIFLE, Sheet
from lanplay.games.fliptown.table import ROUNDS, TURNS, FliptownTable
from lanplay.games.fliptown.visits import robbed
from lanplay_ai.fliptown import odds
from lanplay_ai.fliptown.features import (
    counter_features,
    hand_feature,
    owned_features,
    region_features,
    tools,
)
from lanplay_ai.fliptown.prospects import Prospects
from lanplay_ai.fliptown.weights import table as weights

CASH, GOLD = 0.25, 0.5
"""Points for a dollar and for a piece of gold."""
BONUS = (5.0, 4.0, 4.0, 3.0, 2.0)
"""What a bonus action is worth before it is looked at, by region."""
EFFECT = 1.0
LAST_STOP = 13
AHEAD = 0.35
"""The part of the stops ahead on the Trail that will be circled, where a cowbot counts them."""
LOW, HIGH = 0, 12
"""Faces that no robbery and every robbery comes through with."""


class FliptownOutlook:
    """Weighs sheets of one seat at one moment; equal views, equal worths.

    ``foresight`` is the part of what is still to come that counts, from 0 to 1. ``flipped`` are
    faces that are supposed to have been flipped next; ``taste`` as in ``FliptownProfile``.
    """

    def __init__(
        self,
        view: FliptownView,
        foresight: float = 1.0,
        flipped: Collection[int] = (),
        taste: Sequence[float] = (),
    ) -> None:
        t = view.table
        self.seat = view.seat
        self.faces = odds.unseen(view, flipped)
        self.guns = GUNS[t.options.guns]
        self.round = max(t.round, 1)
        self.rounds = ROUNDS - t.round + 1
        self.left = (ROUNDS - self.round) * TURNS + (TURNS - t.turn if t.turn else 0)
        self.hole = tuple([view.own[card] for card in t.hole[view.seat] if card in view.own])
        self._arrest = odds.arrest(view, self.faces)
        prospects = Prospects(t, self.left)
        self._promised = prospects.worth if foresight else prospects.met
        self._cowbot = _Rival(t, self.left) if t.cowbot >= 0 else None
        self._foresight = foresight
        self._taste = [(region, worth) for region, worth in enumerate(taste) if worth]
        self._hands: dict[tuple[int, ...], float] = {}

    def worth(self, s: Sheet, pause: int | None = None) -> float:
        """Return the expected points of a sheet; ``pause`` as ``turn.play`` returns it."""
        if pause is None or pause < 2:
            return self._settled(s)
        chance = self.success(s, pause)
        won, lost = s.copy(), s.copy()
        robbed(won, pause, HIGH, self.guns, None)
        robbed(lost, pause, LOW, (-HIGH,) * 3, None)
        return chance * self._settled(won) + (1 - chance) * self._settled(lost)

    def success(self, s: Sheet, target: int) -> float:
        """Return the chance that a robbery succeeds."""
        gun = self.guns[2 if s.owns(RIFLE) else s.owns(PISTOL)]
        return odds.success(self.faces, target, gun)

    def _settled(self, s: Sheet) -> float:
        worth = self.base(s) + self.hand(s.poker)
        if self._foresight:
            worth += self._foresight * to_come(self.left, s)
        if s.pool:
            worth += pending(s)
        worth += self._promised(s)
        for region, liked in self._taste:
            worth += liked * s.count(region)
        if self._cowbot:
            worth += self._cowbot.worth(s)
        return worth

    def base(self, s: Sheet) -> float:
        """Return the points of what a sheet has, with pay for tools, less expected fines."""
        cash = s.cash + WORK_CASH * s.hammers * self.rounds
        gold = s.gold + s.pans * self.rounds
        return cash * CASH + gold * GOLD + s.stars + silver(s) - self.fine(s)

    def fine(self, s: Sheet) -> float:
        """Return what the arrest at the end of this round is expected to cost, in points."""
        if not s.wanted:
            return 0.0
        chance = self.chance(s.wanted)
        gold = s.gold + s.pans
        cost = chance * self.penalty(s)
        return min(cost, s.wanted * GOLD) if s.wanted <= gold else cost

    def penalty(self, s: Sheet) -> float:
        """Return what an arrest costs this round."""
        cash, stars = FINES[self.round - 1]
        lost = float(min(stars, s.stars))
        has_cash = s.cash + WORK_CASH * s.hammers >= cash
        if s.wanted < ALWAYS_STARS and has_cash:
            return min(lost, cash * CASH) if s.stars >= stars else cash * CASH
        return lost

    @property
    def fines(self) -> tuple[int, int]:
        """The fine of this round, in cash and in stars."""
        return FINES[self.round - 1]

    def chance(self, wanted: int) -> float:
        """Return the chance to be arrested without a bribe."""
        return self._arrest[min(wanted, ALWAYS_STARS)]

    def later(self, s: Sheet) -> float:
        """Return what a sheet is worth once the sheriff has gone."""
        future = WORK_CASH * s.hammers * CASH + s.pans * GOLD
        worth = s.cash * CASH + s.gold * GOLD + s.stars + future * (ROUNDS - self.round)
        return worth + self._foresight * to_come(self.left, s)

    def hand(self, cards: tuple[int, ...]) -> float:
        """Return what the poker hand of this round will pay on average."""
        found = self._hands.get(cards)
        if found is None:
            found = self._hands[cards] = self._hand(cards)
        return found

    def _hand(self, cards: tuple[int, ...]) -> float:
        held = cards + self.hole
        if not cards:
            return 0.0
        if len(cards) == TURNS:
            return odds.PAY[odds.rank(tuple(sorted(held)))]
        if len(cards) == TURNS - 1:
            return odds.draw(held, self.faces)
        return weights(0).get(hand_feature(cards), 0.0)


def pending(s: Sheet) -> float:
    """Return what the tasks of a turn that are still to be done are worth, roughly."""
    worth = 0.0
    for task in s.pool:
        if task >= len(REGIONS):
            worth += EFFECT
        elif open_sites(s, task):
            worth += BONUS[task]
    return worth


def to_come(left: int, s: Sheet) -> float:
    """Return what is still to come with so many turns left, by what was learned."""
    circled = s.circled
    worth = _regions(left, 0, circled[0]) + _regions(left, 1, circled[1])
    worth += _regions(left, 2, circled[2]) + _regions(left, 3, circled[3])
    worth += _regions(left, 4, circled[4]) + _owned(left, s.items, s.hotel, s.land)
    worth += _counter(left, "cash", s.cash) + _counter(left, "gold", s.gold)
    worth += _counter(left, "wanted", s.wanted) + _counter(left, "pans", s.pans)
    worth += _counter(left, "hammers", s.hammers)
    if s.items:
        worth += _amounts(left, tools(s))
    return worth + s.uses * weights(left).get("uses", 0.0)


@lru_cache(1 << 15)
def _regions(left: int, region: int, circled: int) -> float:
    return _weigh(left, region_features(region, circled))


@lru_cache(1 << 14)
def _owned(left: int, items: int, hotel: int, land: int) -> float:
    return _weigh(left, owned_features(items, hotel, land))


@cache
def _counter(left: int, name: str, amount: int) -> float:
    return _amounts(left, counter_features(name, amount))


@lru_cache(1 << 14)
def _amounts(left: int, amounts: tuple[tuple[str, int], ...]) -> float:
    worth, by = 0.0, weights(left)
    for feature, times in amounts:
        worth += by.get(feature, 0.0) * times
    return worth


def _weigh(left: int, names: tuple[str, ...]) -> float:
    worth, by = 0.0, weights(left)
    for name in names:
        worth += by.get(name, 0.0)
    return worth


class _Rival:
    """What a cowbot loses by sites that are circled, and gains by what calls it (FT-9.4)."""

    def __init__(self, t: FliptownTable, left: int) -> None:
        self._left = left
        level = LEVELS[t.options.level]
        self._suit, self._stolen, self._wanted = t.cowbot, level, wanted(t)
        self._suits = [suit(face) for face in t.lineup()]
        self._rows = tuple(zip(COEFFICIENTS[: level + 1], ROWS[t.cowbot], strict=False))

    def worth(self, s: Sheet) -> float:
        worth = 0.0
        for factor, region in self._rows:
            worth += factor * s.count(region)
            if region == TRAIL:
                worth += factor * AHEAD * min(LAST_STOP - s.trail, self._left)
        return worth - self._stolen * self._calls(s)

    def _calls(self, s: Sheet) -> bool:
        if not s.gained & self._wanted:
            return False
        suits = [
            s.counted if place == s.assigned else each for place, each in enumerate(self._suits)
        ]
        return self._suit in suits
