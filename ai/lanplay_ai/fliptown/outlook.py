"""What a sheet is worth to its seat at the end of a turn: what it has, what is to come."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lanplay.games.fliptown.bounties import RICHES
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.cowbot import COEFFICIENTS, LEVELS, ROWS, wanted
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import ALWAYS_STARS, FINES, GUNS, REGIONS, TARGETS, TRAIL
from lanplay.games.fliptown.phases import WORK_CASH
from lanplay.games.fliptown.questions import FliptownView
from lanplay.games.fliptown.reach import open_sites
from lanplay.games.fliptown.sheet import PISTOL, RIFLE, Sheet
from lanplay.games.fliptown.table import ROUNDS, TURNS, FliptownTable
from lanplay.games.fliptown.visits import robbed
from lanplay_ai.fliptown import odds
from lanplay_ai.fliptown.ahead import ahead
from lanplay_ai.fliptown.features import hand_feature
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
LOW, FAILS = 0, (-12, -12, -12)
"""A card with which no robbery comes through, with guns like these."""


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
        self._promised = Prospects(t, self.left, hopes=foresight > 0).worth
        self._ahead = ahead(self.left)
        self._riches = RICHES in t.bounties
        self._cowbot = _Rival(t, self.left) if t.cowbot >= 0 else None
        self._foresight = foresight
        self._taste = [(region, worth) for region, worth in enumerate(taste) if worth]
        self._hands: dict[tuple[int, ...], float] = {}
        self._thrifty = not self._cowbot and GOLD + foresight * min(self._ahead.least_gold, 0) > 0

    def worth(self, s: Sheet, pause: int | None = None) -> float:
        """Return the expected points of a sheet; ``pause`` as ``turn.play`` returns it."""
        if pause is None or pause < 2:
            return self._goods(s) + self._money(s)
        chance = self.success(s, pause)
        robber = s.copy()
        robbed(robber, pause, LOW, FAILS, None)
        goods, lost = self._goods(robber), self._money(robber)
        _, stars, cash = TARGETS[pause]
        robber.gain_stars(stars - stars // 2)
        robber.gain_cash(cash)
        return goods + chance * self._money(robber) + (1 - chance) * lost

    def success(self, s: Sheet, target: int) -> float:
        """Return the chance that a robbery succeeds."""
        gun = self.guns[2 if s.owns(RIFLE) else s.owns(PISTOL)]
        return odds.success(self.faces, target, gun)

    @property
    def thrifty(self) -> bool:
        """Whether of two sheets that differ in gold alone that with more gold is worth more."""
        return self._thrifty

    def _goods(self, s: Sheet) -> float:
        """Return the worth of all that no robbery card can change."""
        worth = (s.gold + s.pans * self.rounds) * GOLD + silver(s) + self.hand(s.poker)
        if self._foresight:
            worth += self._foresight * self._ahead.worth(s)
        if s.pool:
            worth += pending(s)
        for region, liked in self._taste:
            worth += liked * s.count(region)
        return worth if self._riches else worth + self._promised(s)

    def _money(self, s: Sheet) -> float:
        """Return the worth of dollars and stars with all that hangs on them."""
        worth = (s.cash + WORK_CASH * s.hammers * self.rounds) * CASH + s.stars
        if self._foresight:
            worth += self._foresight * self._ahead.cash[s.cash]
        if s.wanted:
            worth -= self.fine(s)
        if self._riches:
            worth += self._promised(s)
        if self._cowbot:
            worth += self._cowbot.worth(s)
        return worth

    def fine(self, s: Sheet) -> float:
        """Return what the arrest at the end of this round is expected to cost, in points."""
        wanted = s.wanted
        chance = self._arrest[min(ALWAYS_STARS, wanted)]
        if not chance:
            return 0.0
        cash, stars = FINES[self.round - 1]
        lost = min(s.stars, stars)
        if wanted < ALWAYS_STARS and s.cash + WORK_CASH * s.hammers >= cash:
            in_cash = cash * CASH
            cost = chance * (lost if s.stars >= stars and lost < in_cash else in_cash)
        else:
            cost = chance * lost
        bribe = wanted * GOLD
        return bribe if bribe < cost and wanted <= s.gold + s.pans else cost

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
        return worth + self._foresight * (self._ahead.worth(s) + self._ahead.cash[s.cash])

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
