"""What a sheet is worth to its seat at the end of a turn: what it has, what is to come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from lanplay.games.fliptown.bounties import RICHES
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.cowbot import COEFFICIENTS, LEVELS, ROWS, wanted
from lanplay.games.fliptown.map import (
    ALWAYS_STARS,
    BADLANDS,
    FINES,
    GUNS,
    KIND_BITS,
    KIND_OF,
    REGIONS,
    TARGETS,
    TRAIL,
)
from lanplay.games.fliptown.phases import WORK_CASH
from lanplay.games.fliptown.questions import FliptownView
from lanplay.games.fliptown.reach import open_sites
from lanplay.games.fliptown.sheet import PISTOL, RIFLE, Sheet
from lanplay.games.fliptown.table import ROUNDS, TURNS, FliptownTable
from lanplay.games.fliptown.visits import robbed
from lanplay_ai.fliptown import odds
from lanplay_ai.fliptown.ahead import CASH, GOLD, Cases, ahead
from lanplay_ai.fliptown.features import hand_feature
from lanplay_ai.fliptown.look import together
from lanplay_ai.fliptown.prospects import Prospects
from lanplay_ai.fliptown.weights import table as weights

BONUS = (5.0, 4.0, 4.0, 3.0, 2.0)
"""What a bonus action is worth before it is looked at, by region."""
EFFECT = 1.0
LAST_STOP = 13
AHEAD = 0.35
"""The part of the stops ahead on the Trail that will be circled, where a cowbot counts them."""
LOW, HIGH, FAILS = 0, 12, (-12, -12, -12)
"""Cards with which no robbery comes through, with guns like the last, and with which all do."""


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
        rival: bool = True,
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
        self._at_least = odds.at_least(self.faces)
        self._ahead = ahead(self.left, self.rounds, foresight)
        self._prospects = Prospects(t, self.seat, self.left, hopes=foresight > 0)
        self._cowbot = _Rival(t, self.left) if rival and t.cowbot >= 0 else None
        self._races, self._riches = bool(t.bounties), RICHES in t.bounties
        self._taste = taste
        self._regions = self._ahead.regions
        if taste or self._cowbot:
            self._regions = [Cases(partial(self._region, region)) for region in REGIONS]
        self._hands: dict[tuple[int, ...], float] = {}
        self.thrifty = not self._cowbot and self._ahead.thrifty
        """Whether of two sheets that differ in gold alone that with more gold is worth more."""

    def _region(self, region: int, circled: int) -> float:
        worth = self._ahead.regions[region][circled]
        if self._taste:
            worth += self._taste[region] * circled.bit_count()
        if self._cowbot:
            worth += self._cowbot.row(region, circled)
        return worth

    def worth(self, s: Sheet, pause: int | None = None) -> float:
        """Return the expected points of a sheet; ``pause`` as ``turn.play`` returns it."""
        if pause is None or pause < 2:
            return self._goods(s) + self._money(s, s.cash, s.stars)
        chance = self.success(s, pause)
        _, stars, cash = TARGETS[pause]
        kind = KIND_BITS[KIND_OF[pause]]
        if self._cowbot or self._riches or s.circled[BADLANDS] & kind == kind:
            won, lost = self._robbed(s, pause)
            return chance * self.worth(won) + (1 - chance) * self.worth(lost)
        won_money = self._money(s, s.cash + cash, s.stars + stars)
        lost_money = self._money(s, s.cash, s.stars + stars // 2)
        return self._goods(s) + chance * won_money + (1 - chance) * lost_money

    def together(self, s: Sheet, pause: int | None) -> float:
        """Return what such a sheet is worth beyond ``worth``, by what its features are together."""
        if pause is None or pause < 2:
            return together(s, self.left)
        chance, (won, lost) = self.success(s, pause), self._robbed(s, pause)
        return chance * together(won, self.left) + (1 - chance) * together(lost, self.left)

    def _robbed(self, s: Sheet, pause: int) -> tuple[Sheet, Sheet]:
        won, lost = s.copy(), s.copy()
        robbed(won, pause, HIGH, self.guns, None)
        robbed(lost, pause, LOW, FAILS, None)
        return won, lost

    def _goods(self, s: Sheet) -> float:
        """Return the worth of all that no robbery card can change."""
        worth = self._ahead.worth(s, self._regions)
        if s.poker:
            worth += self.hand(s.poker)
        if s.pool:
            worth += pending(s)
        if self._races:
            worth += self._prospects.worth(s)
        if self._cowbot:
            worth -= self._cowbot.steals(s)
        return worth

    def _money(self, s: Sheet, cash: int, stars: int) -> float:
        """Return the worth of a sheet's dollars and stars, were they so many."""
        worth = self._ahead.cash[cash] + stars
        return worth - self.fine(s, cash, stars) if s.wanted else worth

    def success(self, s: Sheet, target: int) -> float:
        """Return the chance that a robbery succeeds (FT-5)."""
        gun = self.guns[2 if s.items & RIFLE else s.items & PISTOL != 0]
        return self._at_least[target - gun if target > gun else 0]

    def fine(self, s: Sheet, has: int, stars: int) -> float:
        """Return what the arrest at the end of this round is expected to cost, in points.

        ``has`` and ``stars`` are the dollars and stars of the sheet by then, but for its work.
        """
        wanted = s.wanted
        chance = self.chance(wanted)
        if not chance:
            return 0.0
        cash, most = FINES[self.round - 1]
        if wanted < ALWAYS_STARS and has + WORK_CASH * s.hammers >= cash:
            in_cash = cash * CASH
            cost = chance * (most if stars >= most and most < in_cash else in_cash)
        else:
            cost = chance * min(most, stars)
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
        return self._ahead.worth(s, self._ahead.regions) + self._ahead.cash[s.cash] + s.stars

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

    def row(self, region: int, circled: int) -> float:
        """Return what it loses by what is circled in a region."""
        worth = 0.0
        for factor, of in self._rows:
            if of == region:
                worth += factor * circled.bit_count()
                if region == TRAIL:
                    stop = max(circled.bit_length() - 1, 0)
                    worth += factor * AHEAD * min(LAST_STOP - stop, self._left)
        return worth

    def steals(self, s: Sheet) -> int:
        """Return what it gains by this turn."""
        return self._stolen * self._calls(s)

    def _calls(self, s: Sheet) -> bool:
        if not s.gained & self._wanted:
            return False
        suits = [
            s.counted if place == s.assigned else each for place, each in enumerate(self._suits)
        ]
        return self._suit in suits
