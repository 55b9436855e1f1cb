"""What a tournament found out, as JSON data: the one source of every file, page and table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from csv import writer
from io import StringIO
from math import fsum
from typing import Any, Final

from lanplay.tournament.moments import Estimate
from lanplay.tournament.plan import TournamentPlan
from lanplay.tournament.rankings import UNIT, ratings
from lanplay.tournament.schedule import deal_size, deals_for
from lanplay.tournament.sprt import Sprt
from lanplay.tournament.storage import Goal
from lanplay.tournament.tally import Duel, Entrant, Tally

FORMAT: Final = 1
DIGITS: Final = 5


def results(plan: TournamentPlan, goal: Goal, tally: Tally, games_hash: str) -> dict[str, Any]:
    """Return everything that was found out, rounded so that it reads alike on every machine.

    An estimate is ``{"mean", "low", "high"}``, low and high being its 95 % interval or ``null``.
    """
    count, key = len(plan.entrants), plan.key("bootstrap")
    rated = ratings(tally.cells, count, key, tally.deals) if tally.games else []
    verdict = verdict_of(goal.sprt, tally) if goal.sprt else None
    ended = tally.deals >= goal.deals or bool(verdict and verdict["verdict"])
    return {
        "format": FORMAT,
        **plan.plain(),
        "seed": None if plan.sealed and not ended else plan.seed,
        "games": tally.games,
        "deals": tally.deals,
        "games_per_deal": deal_size(plan),
        "complete": ended,
        "games_hash": games_hash,
        "entrants": [
            _entrant(plan, tally, number, rated[number] if rated else None)
            for number in range(len(plan.entrants))
        ],
        "pairs": [
            _pair(plan, tally, pair) for pair, duel in tally.duels.items() if duel.lead.deals
        ],
        "seats_effect": list(_seats(tally)),
        "rounds": _counts(tally.rounds),
        "sprt": verdict,
    }


def verdict_of(sprt: Sprt, tally: Tally) -> dict[str, Any]:
    """Return how a sequential test stands."""
    duel = tally.duels[sprt.pair]
    unit = unit_of(duel)
    lower, upper = sprt.bounds
    return {
        **sprt.plain(),
        "ratio": round(sprt.ratio(duel.above, unit), 3),
        "lower": round(lower, 3),
        "upper": round(upper, 3),
        "deals": duel.above.deals,
        "verdict": sprt.verdict(duel.above, unit),
    }


def unit_of(duel: Duel) -> float:
    """Return what a deal's ``above`` is at most: two for each meeting in it."""
    return 2 * duel.meetings / max(1, duel.above.deals)


def table(found: dict[str, Any]) -> str:
    """Return the table of entrants as CSV."""
    text = StringIO()
    lines = writer(text, lineterminator="\n")
    estimates = ("rating", "score", "win_share", "place")
    columns = [f"{name}{end}" for name in estimates for end in ("", "_low", "_high")]
    income = [f"{source}_per_game" for source in found["entrants"][0]["income"]]
    lines.writerow(["entrant", "bot", "seats_played", *columns, "decisions", "faults", *income])
    for entrant in found["entrants"]:
        cells = [
            "" if entrant[name] is None else entrant[name][end]
            for name in estimates
            for end in ("mean", "low", "high")
        ]
        last = (entrant["decisions"], entrant["faults"], *entrant["income"].values())
        lines.writerow([entrant["number"], entrant["label"], entrant["played"], *cells, *last])
    return text.getvalue()


def _entrant(
    plan: TournamentPlan, tally: Tally, number: int, rating: Estimate | None
) -> dict[str, Any]:
    entrant = tally.entrants[number]
    seats = _per_deal(entrant)
    played = max(1, entrant.seats)
    return {
        "number": number + 1,
        "bot": plan.entrants[number],
        "label": plan.labels[number],
        "played": entrant.seats,
        "rating": _plain(rating, digits=1),
        "score": _plain(entrant.score.estimate(seats)),
        "win_share": _plain(entrant.win.share(seats * UNIT)),
        "place": _plain(entrant.place.estimate(seats)),
        "decisions": entrant.decisions,
        "faults": entrant.faults,
        "income": {
            source: round(amount / played, DIGITS)
            for source, amount in zip(tally.sources, entrant.income, strict=True)
        },
        "scores": _counts(entrant.scores),
    }


def _per_deal(entrant: Entrant) -> float:
    return max(1, entrant.seats) / max(1, entrant.score.deals)


def _pair(plan: TournamentPlan, tally: Tally, pair: tuple[int, int]) -> dict[str, Any]:
    duel = tally.duels[pair]
    a, b = pair
    first, second = _per_deal(tally.entrants[a]), _per_deal(tally.entrants[b])
    seats = first * second
    return {
        "a": a + 1,
        "b": b + 1,
        "labels": [plan.labels[a], plan.labels[b]],
        "meetings": duel.meetings,
        "above": _plain(duel.above.share(unit_of(duel))),
        "lead": _plain(duel.lead.estimate(seats)),
        "win_lead": _plain(duel.wins.estimate(seats * UNIT)),
        "saves": _saves(tally, pair, duel.lead.variance() / seats**2),
    }


def _saves(tally: Tally, pair: tuple[int, int], paired: float) -> float | None:
    """Return how many times more games it would take, each under its own luck, for ``lead``."""
    entrants = [tally.entrants[number] for number in pair]
    apart = fsum(_variance(entrant.scores) / _per_deal(entrant) for entrant in entrants)
    return round(apart / paired, 2) if paired else None


def _variance(counts: Counter[int]) -> float:
    games = counts.total()
    total = sum(value * times for value, times in counts.items())
    squares = sum(value * value * times for value, times in counts.items())
    return (games * squares - total * total) / max(1, games * (games - 1))


def _seats(tally: Tally) -> Iterator[dict[str, Any]]:
    games = max(1, tally.games) / max(1, tally.deals)
    for seat, its in enumerate(tally.seats):
        yield {
            "seat": seat + 1,
            "score": _plain(its.score.estimate(games)),
            "win_share": _plain(its.win.share(games * UNIT)),
        }


def _counts(counter: Counter[int]) -> dict[str, int]:
    return {str(value): counter[value] for value in sorted(counter)}


def _plain(estimate: Estimate | None, digits: int = DIGITS) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    ends = {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
    return {
        name: None if end is None else round(end, digits) + 0.0  # no minus zero
        for name, end in ends.items()
    }


def goal_for(plan: TournamentPlan, games: int, sprt: Sprt | None, records: bool) -> Goal:
    """Return the goal of at least so many games, in whole deals."""
    return Goal(deals_for(plan, games), sprt, records)
