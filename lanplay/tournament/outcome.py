"""How one game of a tournament ended, and its rows in the table of all games."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from typing import Final

COLUMNS: Final = (
    "game",
    "deal",
    "seat",
    "entrant",
    "bot",
    "score",
    "place",
    "win",
    "rounds",
    "decisions",
    "faults",
    "state",
)
"""The columns that every game has; those of its incomes follow.

One row for each seat of each game; all numbers count from 1 but ``rounds``, ``decisions``,
``faults``. ``win`` is the seat's share of the win, ``state`` the first 16 hexadecimal digits of the
hash of the final state.
"""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game. Sequences go by seat; ``income`` has a sequence for each source.

    ``number`` and ``deal`` count from 0, ``line_up`` names entrants from 0, ``places`` are 1 for
    winners only, then by score; equal scores share a place.
    """

    number: int
    deal: int
    line_up: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    rounds: int
    decisions: tuple[int, ...]
    faults: tuple[int, ...]
    state: str
    income: tuple[tuple[int, ...], ...] = ()

    def share(self, seat: int, whole: int) -> int:
        """Return a seat's share of the win, of which there are ``whole`` (rounded down)."""
        return whole // self.places.count(1) if self.places[seat] == 1 else 0


def header(sources: Sequence[str]) -> str:
    """Return the first line of the table of all games."""
    return ",".join((*COLUMNS, *sources)) + "\n"


def to_csv(outcomes: Iterable[FinishedGame], labels: Sequence[str]) -> str:
    """Return the rows of games as CSV (RFC 4180, lines end with LF); equal games, equal text."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for outcome in outcomes:
        writer.writerows(_rows(outcome, labels))
    return text.getvalue()


def _rows(outcome: FinishedGame, labels: Sequence[str]) -> Iterator[tuple[int | str, ...]]:
    for seat, entrant in enumerate(outcome.line_up):
        place = outcome.places[seat]
        yield (
            outcome.number + 1,
            outcome.deal + 1,
            seat + 1,
            entrant + 1,
            labels[entrant],
            outcome.scores[seat],
            place,
            f"{1 / outcome.places.count(1):.6g}" if place == 1 else "0",
            outcome.rounds,
            outcome.decisions[seat],
            outcome.faults[seat],
            outcome.state,
            *[source[seat] for source in outcome.income],
        )


def from_csv(lines: Iterable[str]) -> Iterator[FinishedGame]:
    """Yield the games of rows without header; ``ValueError`` or ``IndexError`` for other text."""
    for _, rows in groupby(csv.reader(lines), key=lambda row: row[0]):
        yield _outcome(list(rows))


def _outcome(rows: Sequence[Sequence[str]]) -> FinishedGame:
    first = rows[0]

    def column(number: int) -> tuple[int, ...]:
        return tuple([int(row[number]) for row in rows])

    return FinishedGame(
        number=int(first[0]) - 1,
        deal=int(first[1]) - 1,
        line_up=tuple([entrant - 1 for entrant in column(3)]),
        scores=column(5),
        places=column(6),
        rounds=int(first[8]),
        decisions=column(9),
        faults=column(10),
        state=first[11],
        income=tuple([column(number) for number in range(len(COLUMNS), len(first))]),
    )
