"""Everything that is counted, in whole numbers: the same sums in whatever order deals are added."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import combinations
from typing import Any, Final, TypeAlias

from lanplay.tournament.moments import Moments
from lanplay.tournament.outcome import FinishedGame
from lanplay.tournament.plan import TournamentPlan
from lanplay.tournament.rankings import UNIT, Stage, stages

CELLS: Final = 200
"""So many cells share the deals for the bootstrap, so that memory does not grow with them."""

Pair: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class Entrant:
    """What is counted of one entrant; moments are over the deals that it played in."""

    seats: int = 0
    score: Moments = field(default_factory=Moments)
    win: Moments = field(default_factory=Moments)
    place: Moments = field(default_factory=Moments)
    scores: Counter[int] = field(default_factory=Counter)
    decisions: int = 0
    faults: int = 0
    income: list[int] = field(default_factory=list)

    def count(self, outcome: FinishedGame, seat: int) -> None:
        """Add one seat of one game to what is not counted by deal."""
        self.seats += 1
        self.scores[outcome.scores[seat]] += 1
        self.decisions += outcome.decisions[seat]
        self.faults += outcome.faults[seat]
        for source, by_seat in enumerate(outcome.income):
            self.income[source] += by_seat[seat]


@dataclass(slots=True)
class Duel:
    """What is counted of two entrants: the first against the second, in all deals with both.

    ``meetings`` counts pairs of their seats in one game, ``above`` is twice the number of those in
    which the first came out above (once for a draw). ``lead`` and ``wins`` compare what they got in
    a deal, also in games without the other: the first's sum times the second's seats, less the
    second's sum times the first's seats.
    """

    meetings: int = 0
    above: Moments = field(default_factory=Moments)
    lead: Moments = field(default_factory=Moments)
    wins: Moments = field(default_factory=Moments)


@dataclass(slots=True)
class _Sums:
    """What an entrant got in a deal: seats, scores, shares of wins, places."""

    seats: int = 0
    score: int = 0
    win: int = 0
    place: int = 0


@dataclass(slots=True)
class SeatTally:
    """What is counted of one seat, whoever sat there."""

    score: Moments = field(default_factory=Moments)
    win: Moments = field(default_factory=Moments)


@dataclass(slots=True)
class Tally:
    """Sums over deals. Shares of a win are counted in units of 1 / ``UNIT``."""

    sources: tuple[str, ...]
    entrants: list[Entrant]
    duels: dict[Pair, Duel]
    seats: list[SeatTally]
    deals: int = 0
    games: int = 0
    rounds: Counter[int] = field(default_factory=Counter)
    cells: dict[int, Counter[Stage]] = field(default_factory=dict)

    @classmethod
    def empty(cls, plan: TournamentPlan, sources: Sequence[str]) -> Tally:
        """Return the tally of no game."""
        count = len(plan.entrants)
        return cls(
            sources=tuple(sources),
            entrants=[Entrant(income=[0] * len(sources)) for _ in range(count)],
            duels={pair: Duel() for pair in combinations(range(count), 2)},
            seats=[SeatTally() for _ in range(plan.seats)],
        )

    def add(self, outcomes: Sequence[FinishedGame]) -> None:
        """Add all games of one deal."""
        self.deals += 1
        self.games += len(outcomes)
        cell = self.cells.setdefault(outcomes[0].deal % CELLS, Counter())
        for outcome in outcomes:
            self.rounds[outcome.rounds] += 1
            for stage, weight in stages(outcome.line_up, outcome.places):
                cell[stage] += weight
        for seat, tally in enumerate(self.seats):
            tally.score.add(sum([outcome.scores[seat] for outcome in outcomes]))
            tally.win.add(sum([outcome.share(seat, UNIT) for outcome in outcomes]))
        self._add_entrants(outcomes)
        self._add_meetings(outcomes)

    def _add_entrants(self, outcomes: Sequence[FinishedGame]) -> None:
        deal: defaultdict[int, _Sums] = defaultdict(_Sums)
        for outcome in outcomes:
            for seat, number in enumerate(outcome.line_up):
                sums = deal[number]
                sums.seats += 1
                sums.score += outcome.scores[seat]
                sums.win += outcome.share(seat, UNIT)
                sums.place += outcome.places[seat]
                self.entrants[number].count(outcome, seat)
        for number, sums in deal.items():
            entrant = self.entrants[number]
            entrant.score.add(sums.score)
            entrant.win.add(sums.win)
            entrant.place.add(sums.place)
        for pair in combinations(sorted(deal), 2):
            a, b = deal[pair[0]], deal[pair[1]]
            self.duels[pair].lead.add(a.score * b.seats - b.score * a.seats)
            self.duels[pair].wins.add(a.win * b.seats - b.win * a.seats)

    def _add_meetings(self, outcomes: Sequence[FinishedGame]) -> None:
        deal: defaultdict[Pair, list[int]] = defaultdict(lambda: [0, 0])
        for outcome in outcomes:
            ranks = outcome.places
            entered = sorted((number, seat) for seat, number in enumerate(outcome.line_up))
            for (a, here), (b, there) in combinations(entered, 2):
                if a != b:
                    sums = deal[a, b]
                    sums[0] += 1
                    sums[1] += (ranks[here] <= ranks[there]) + (ranks[here] < ranks[there])
        for pair, (meetings, above) in deal.items():
            duel = self.duels[pair]
            duel.meetings += meetings
            duel.above.add(above)

    def merge(self, other: Tally) -> None:
        """Add the sums of other deals of the same plan."""
        added(self, other)


def added(mine: Any, its: Any) -> Any:
    """Return what two sums of one shape come to; what is made of others is changed in place."""
    if isinstance(mine, int):
        return mine + its
    if isinstance(mine, Counter):
        mine.update(its)
    elif isinstance(mine, list):
        mine[:] = map(added, mine, its)
    elif isinstance(mine, dict):
        for key, value in its.items():
            mine[key] = added(mine[key], value) if key in mine else value
    elif is_dataclass(mine):
        for each in fields(mine):
            setattr(mine, each.name, added(getattr(mine, each.name), getattr(its, each.name)))
    return mine
