"""Who sits where in which deal.

A *table* is a line-up of as many entrants as there are seats; a *deal* is one piece of luck and the
games that are played under it. With ``orders``

- ``rotations`` these are the rotations of a line-up, so that everybody has every seat's luck once;
- ``all`` they are all orders of it;
- ``single`` it is one game, with its line-up moved on from deal to deal: no luck cancels.

``schedule`` says which tables there are:

- ``round-robin``: all sets of entrants, a deal for each, in turn;
- ``gauntlet``: all sets with the first entrant among them;
- ``field``: each entrant but the last, alone against the last in all other seats, all of them under
  the same luck: one deal has them all. At tables of one seat it is each entrant, the last too.

Tables come in orbits of a cyclic shift of the entrants, so that after each orbit everybody has
played equally often and a table of a part of the run is fair. Neighbours are balanced over deals:
each time a table comes again its line-up is another circle (``circles``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial
from typing import Final, TypeAlias

from lanplay.errors import UserError
from lanplay.tournament.faults import Wrong
from lanplay.tournament.plan import TournamentPlan

LineUp: TypeAlias = tuple[int, ...]
"""An entrant (by number, from 0) for each seat."""

MOST_TABLES: Final = 10_000


@cache
def tables(plan: TournamentPlan) -> tuple[LineUp, ...]:
    """Return the tables in the order in which their deals come (``UserError`` for too many)."""
    count, seats = len(plan.entrants), plan.seats
    if plan.schedule == "field":
        if seats == 1:
            return tuple((entrant,) for entrant in range(count))
        field = count - 1
        return tuple((entrant, *[field] * (seats - 1)) for entrant in range(field))
    first = plan.schedule == "gauntlet"
    number = comb(count - first, seats - first)
    if number > MOST_TABLES:
        asked = {"entrants": count, "seats": seats, "tables": number}
        raise UserError(Wrong.TOO_MANY, **asked, most=MOST_TABLES)
    if not first:
        return tuple(orbits(count, seats))
    others = orbits(count - 1, seats - 1)
    return tuple((0, *[other + 1 for other in each]) for each in others)


def orbits(count: int, size: int) -> Iterator[LineUp]:
    """Yield all ``size`` of ``count`` things; each run of ``count`` has everything equally often.

    (An orbit of the cyclic shift may be shorter than ``count``; it is balanced, too.)
    """
    seen: set[frozenset[int]] = set()
    for start in combinations(range(count), size):
        for shift in (*range(0, count * size, size), *range(count)):
            moved = tuple((thing + shift) % count for thing in start)
            if frozenset(moved) not in seen:
                seen.add(frozenset(moved))
                yield moved


@cache
def circles(size: int) -> tuple[LineUp, ...]:
    """Return orders of ``size`` around a table in which all pairs are neighbours equally often.

    For a prime size these are the ``size`` - 1 multiples of one circle, and the balance is exact;
    else all circles (up to 120, at most 28 for eight and more), the next always the one that evens
    out most.
    """
    if size == 1:
        return ((0,),)
    if all(size % divisor for divisor in range(2, size)):
        return tuple(tuple(step * place % size for place in range(size)) for step in range(1, size))
    limit = min(factorial(size - 1), 120 if size <= 6 else 28)
    every = [(0, *rest) for rest in permutations(range(1, size))]
    met = [[0] * size for _ in range(size)]
    found: list[LineUp] = []
    for _ in range(limit):
        best = min(every, key=lambda circle: sum(met[a][b] for a, b in neighbours(circle)))
        every.remove(best)
        found.append(best)
        for a, b in neighbours(best):
            met[a][b] += 1
    return tuple(found)


def neighbours(line_up: LineUp) -> Iterator[tuple[int, int]]:
    """Yield each seat's entrant and the one to its left, all around the table."""
    return zip(line_up, line_up[1:] + line_up[:1], strict=True)


def line_ups(plan: TournamentPlan, deal: int) -> tuple[LineUp, ...]:
    """Return the line-ups of the games of a deal (from 0), in the order they are played."""
    every = tables(plan)
    if plan.schedule == "field":
        return tuple(order for table in every for order in _orders(plan, table, deal))
    visit, number = divmod(deal, len(every))
    return _orders(plan, every[number], visit)


def _orders(plan: TournamentPlan, table: LineUp, visit: int) -> tuple[LineUp, ...]:
    size = plan.seats
    if plan.orders == "all":
        return _all_orders(table)
    turn = visit % size if plan.orders == "single" else 0
    round_table = circles(size)
    circle = round_table[(visit // size if plan.orders == "single" else visit) % len(round_table)]
    line_up = tuple([table[place] for place in circle])
    rotations = tuple(line_up[shift:] + line_up[:shift] for shift in range(size))
    return rotations[turn : turn + 1] if plan.orders == "single" else rotations


@cache
def _all_orders(table: LineUp) -> tuple[LineUp, ...]:
    return tuple(sorted(set(permutations(table))))


@cache
def deal_size(plan: TournamentPlan) -> int:
    """Return how many games a deal has."""
    return len(line_ups(plan, 0))


def deals_for(plan: TournamentPlan, games: int) -> int:
    """Return how many deals it takes to play at least ``games`` games."""
    return -(-games // deal_size(plan))
