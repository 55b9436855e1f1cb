"""What the game is worth to each seat between two turns: its share of the win.

Every turn to come is expected to bring so many points and to give so many away; the seat with the
charity bonus is drawn by what all will have given, the winner then by what all will have scored: a
softmax each, flatter the more turns are to come. Once no turn is to come the rules say it (CH-4).
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, fsum, sqrt

from lanplay.games.charidice.rules import CHARITY, GREAT_CHARITY, GREAT_GIVING
from lanplay.games.charidice.table import ROUNDS, CharidiceTable

SOON = 1.5
"""In about so many turns of the giver a gift comes that is worth being the greatest one."""
_STEPS = 1 << 30
"""Shares are told apart in such parts: what a platform's ``exp`` does beyond decides nothing."""

Outcome = tuple[int, int]
"""What a turn brings: points with bonus, and the gift as it is entered."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The figures of ``prospects.toml`` for one number of seats."""

    points: float
    gift: float
    greatest: float
    last: float
    turn: float
    given_last: float
    given_turn: float
    great: float
    own: float


@cache
def fitted(seats: int) -> Fitted:
    """Return the figures for so many seats."""
    text = files(__package__).joinpath("prospects.toml").read_text("utf-8")
    return Fitted(**tomllib.loads(text)[str(seats)])


class CharidiceProspects:
    """What all seats look forward to, from between two turns of a table.

    ``scores`` and ``given`` are expected at the end, without charity; of the seat ``active``, if
    there is one, without its present turn: it plays for charity more than others do.
    """

    def __init__(self, t: CharidiceTable, active: int = -1, fit: Fitted | None = None) -> None:
        self._seats = t.seats
        left = [ROUNDS - len(column) for column in t.given]
        if active >= 0:
            left[active] -= 1
        self.over = not any(left)
        self.scores = [float(t.total(seat)) for seat in range(t.seats)]
        self.given = [float(sum(column)) for column in t.given]
        if self.over:
            return
        fit = self._fit = fit or fitted(t.seats)
        for seat, turns in enumerate(left):
            receiver = t.left(seat)
            gifts = (fit.gift + fit.own * (seat == active)) * turns
            if t.greatest[receiver]:
                gifts += fit.greatest * (1 - exp(-turns / SOON))
            self.scores[seat] += fit.points * turns
            self.scores[receiver] += gifts
            self.given[seat] += gifts
        turns_each = sum(left) / t.seats
        self._slope = 1 / sqrt(fit.last**2 + fit.turn**2 * turns_each)
        self._given_slope = 1 / sqrt(fit.given_last**2 + fit.given_turn**2 * turns_each)

    def shares(self) -> list[float]:
        """Return every seat's share of the win."""
        if self.over:
            return _shares_at_the_end(self.scores, self.given)
        found = [0.0] * self._seats
        for chance, bonus, seat in self._charity(self.given):
            scores = [*self.scores]
            scores[seat] += bonus
            best = max(scores)
            odds = [exp(self._slope * (score - best)) for score in scores]
            whole = chance / fsum(odds)
            found = [share + whole * each for share, each in zip(found, odds, strict=True)]
        return found

    def after(self, seat: int, outcomes: Collection[Outcome]) -> dict[Outcome, float]:
        """Return the share of a seat, which is ``active``, for what its present turn may bring.

        Turns are to come after it.
        """
        odds = {points: exp(-self._slope * points) for points in {points for points, _ in outcomes}}
        against = {gift: self._against(seat, gift) for gift in {gift for _, gift in outcomes}}
        found = {}
        for points, gift in outcomes:
            own, share = odds[points], 0.0
            for chance, rivals in against[gift]:
                share += chance / (1.0 + rivals * own)
            found[points, gift] = _told_apart(share)
        return found

    def charity(self, seat: int, gift: int) -> float:
        """Return the bonus that a seat may expect if its present turn gives so much."""
        given = [*self.given]
        given[seat] += gift
        if self.over:
            return _bonus(given) if given[seat] == max(given) else 0.0
        likely = (chance * bonus for chance, bonus, who in self._charity(given) if who == seat)
        return _told_apart(fsum(likely))

    def _charity(self, given: Sequence[float]) -> list[tuple[float, float, int]]:
        """Return for every seat its chance of the charity bonus, the bonus, and the seat."""
        most = max(given)
        odds = [exp(self._given_slope * (each - most)) for each in given]
        whole = fsum(odds)
        sharp = self._given_slope * self._fit.great
        found = []
        for seat, each in enumerate(given):
            great = 1 / (1 + exp(-sharp * (each - GREAT_GIVING - 0.5)))
            bonus = CHARITY + (GREAT_CHARITY - CHARITY) * great
            found.append((odds[seat] / whole, bonus, seat))
        return found

    def _against(self, seat: int, gift: int) -> list[tuple[float, float]]:
        """Return each seat's chance of the charity bonus, and then the odds against ``seat``.

        These are odds where its present turn scores nothing, and gives so much.
        """
        given, scores = [*self.given], [*self.scores]
        given[seat] += gift
        scores[(seat + 1) % self._seats] += gift
        found = []
        for chance, bonus, receiver in self._charity(given):
            own = scores[seat] + (bonus if receiver == seat else 0.0)
            rivals = 0.0
            for other, score in enumerate(scores):
                if other != seat:
                    lead = score - own + (bonus if receiver == other else 0.0)
                    rivals += exp(self._slope * lead)
            found.append((chance, rivals))
        return found


def _told_apart(worth: float) -> float:
    return round(worth * _STEPS) / _STEPS


def _bonus(given: Sequence[float]) -> float:
    return GREAT_CHARITY if max(given) > GREAT_GIVING else CHARITY


def _shares_at_the_end(scores: Sequence[float], given: Sequence[float]) -> list[float]:
    """Return every seat's share of the win, with the charity bonus still to come (CH-4)."""
    bonus, most = _bonus(given), max(given)
    final = [s + bonus if g == most else s for s, g in zip(scores, given, strict=True)]
    best = max(final)
    winners = final.count(best)
    return [1 / winners if score == best else 0.0 for score in final]
