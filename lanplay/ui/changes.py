"""What changes on a table, as it is seen to change: piece by piece, within moments.

The truth is on the table at once: this is a layer over it, which may end at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from lanplay.language import dollars

REVEAL: Final = 0.25
"""Seconds between the seats whose new dice are seen."""
DIE: Final = 0.15
"""Seconds between the dice of a seat."""
STEP: Final = 0.15
"""Seconds for each step of a token on a board."""
MOVE: Final = 0.4
"""The longest, in seconds, that something moves from one to another."""
UNIT: Final = 0.04
"""Seconds for each further unit of it."""
LONGEST: Final = 3.0
"""Seconds within which all that changed at once has been seen."""
USUAL_PACE: Final = 0.6
"""Seconds between moves of AI at which things take as long as the figures above say."""
SLOWEST: Final = 1.5


class Figure(NamedTuple):
    """How much of something every seat has. ``source`` is whence it comes, or where it goes, in
    words; empty where it is from nowhere."""

    sign: str
    seats: tuple[int, ...]
    source: str = ""


def counted(sign: str, amount: int) -> str:
    """Return an amount with its sign, as it is written on the table; of a dog's, so many signs."""
    told = sign * amount if sign in tuple('%"#') else f"{amount}{sign}"  # "2%" is no two bones
    return dollars(amount) if sign == "$" else told


class Visible(NamedTuple):
    """What can be seen to change: by pile what lies there face up, in order; figures; tokens.

    ``tokens`` is how each thing stands that goes about; ``way`` returns how it stands meanwhile
    where it has gone from one place to another.
    """

    piles: tuple[tuple[Hashable, ...], ...] = ()
    figures: tuple[Figure, ...] = ()
    tokens: tuple[Hashable, ...] = ()
    way: Callable[[Any, Any], Sequence[Hashable]] = lambda old, new: ()


@dataclass(frozen=True, slots=True)
class Transfer:
    """Something on its way. ``giver`` and ``taker`` are seats, -1 is ``source``."""

    sign: str
    amount: int
    giver: int
    taker: int
    source: str
    start: float
    end: float

    def done(self, now: float) -> float:
        """Return how much of its way it has behind it, 0 to 1."""
        if now >= self.end:
            return 1.0
        return max(0.0, (now - self.start) / (self.end - self.start))


@dataclass(frozen=True, slots=True)
class Happening:
    """What is to be seen of one change: when each place of a pile comes to light, what moves."""

    reveals: dict[tuple[int, int], float] = field(default_factory=dict)
    moves: list[Transfer] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Effects:
    """What is laid over the table at a moment.

    ``veiled`` are places of piles that are not seen yet, as (pile, place). ``lag`` is how
    much less than the truth is shown, by sign and seat. ``gains`` are what seats got and lost,
    such as ``+$3``; they stay. ``move`` is what moves now, with how far it has come, 0 to 1.
    ``on`` is by token how one under way is seen to stand.
    """

    veiled: frozenset[tuple[int, int]] = frozenset()
    lag: Mapping[tuple[str, int], int] = field(default_factory=dict)
    gains: Mapping[int, Sequence[str]] = field(default_factory=dict)
    move: tuple[Transfer, float] | None = None
    on: Mapping[int, Any] = field(default_factory=dict)

    def shown(self, sign: str, seat: int, amount: int) -> int:
        """Return the amount that is shown of what a seat has."""
        return amount - self.lag.get((sign, seat), 0)


NONE: Final = Effects()


class Unfolding:
    """Follows a table, and tells what is to be seen of its last changes."""

    def __init__(self) -> None:
        self._last: Visible | None = None
        self._reveals: dict[tuple[int, int], float] = {}
        self._moves: list[Transfer] = []
        self._steps: list[tuple[int, Hashable, float]] = []
        self._end = 0.0

    def sees(self, standing: Visible, now: float, pace: float, own: int | None) -> Happening | None:
        """Take how the table stands now; ``pace``: seconds between moves of AI, 0 for no show.

        Return what is to be seen of its change, if anything is.

        What has changed is put after what is still to be seen: own things first, then others' in
        the order of seats, then figures in their order; where that is too much it is dropped.
        """
        last, self._last = self._last, standing
        if last is None or last == standing or pace <= 0 or len(last.piles) != len(standing.piles):
            return None
        if not now < self._end <= now + 2 * LONGEST:
            self.forget()
        factor = min(SLOWEST, pace / USUAL_PACE)
        start = max(now, self._end)
        fresh = sorted(_turned(last, standing), key=lambda each: (each[0] != own, each))
        steps, moves = list(_steps(last, standing)), list(_moves(last, standing))
        length = STEP * len(steps) + REVEAL * len(fresh) + sum(_seconds(each[1]) for each in moves)
        factor *= min(1.0, LONGEST / length) if length else 1.0
        show = Happening()
        for place, (pile, at) in enumerate(fresh):
            same = place and fresh[place - 1][0] == pile
            start += (DIE if same else REVEAL) * factor
            show.reveals[pile, at] = start
        for token, state in steps:
            start += STEP * factor
            self._steps.append((token, state, start))
        for sign, amount, giver, taker, source in moves:
            end = start + _seconds(amount) * factor
            show.moves.append(Transfer(sign, amount, giver, taker, source, start, end))
            start = end
        self._reveals |= show.reveals
        self._moves += show.moves
        self._end = start
        return show

    def effects(self, now: float) -> Effects:
        """Return what is laid over the table."""
        lag: dict[tuple[str, int], int] = {}
        sums: dict[int, dict[str, int]] = {}
        moving = None
        for move in self._moves:
            done = move.done(now)
            for seat, amount in ((move.taker, move.amount), (move.giver, -move.amount)):
                if seat >= 0:
                    key = (move.sign, seat)
                    lag[key] = lag.get(key, 0) + amount - int(amount * done)
                    if now >= move.start:
                        had = sums.setdefault(seat, {})
                        had[move.sign] = had.get(move.sign, 0) + amount
            if move.start <= now < move.end:
                moving = (move, done)
        gains = {
            seat: [
                ("+" if amount > 0 else "-") + counted(sign, abs(amount))
                for sign, amount in each.items()
                if amount
            ]
            for seat, each in sums.items()
        }
        veiled = frozenset(where for where, at in self._reveals.items() if now < at)
        on: dict[int, Any] = {}
        for token, state, until in self._steps:
            if now < until:
                on.setdefault(token, state)
        return Effects(veiled, {key: by for key, by in lag.items() if by}, gains, moving, on)

    def lasts(self, now: float) -> bool:
        """Tell whether something is still to be seen."""
        return now < self._end

    def finish(self) -> None:
        """Come to the end of what is to be seen; gains stay."""
        self._end = 0.0
        self._reveals.clear()
        self._steps.clear()
        self._moves = [replace(move, start=0.0, end=0.0) for move in self._moves]

    def forget(self) -> None:
        """Unfolding no gains any more, once nothing moves."""
        self.finish()
        self._moves.clear()


def _turned(last: Visible, now: Visible) -> Iterator[tuple[int, int]]:
    """Yield the places of piles where something else lies than before."""
    for pile, (old, new) in enumerate(zip(last.piles, now.piles, strict=True)):
        for place, each in enumerate(new):
            if place >= len(old) or old[place] != each:
                yield pile, place


def _steps(last: Visible, now: Visible) -> Iterator[tuple[int, Hashable]]:
    """Yield token by token how each that has gone is seen to stand, one after the other."""
    for token, (old, new) in enumerate(zip(last.tokens, now.tokens, strict=True)):
        if old != new:
            yield from ((token, state) for state in (old, *now.way(old, new)))


def _moves(last: Visible, now: Visible) -> Iterator[tuple[str, int, int, int, str]]:
    """Yield sign, amount, giver, taker and source of what has changed hands."""
    for old, new in zip(last.figures, now.figures, strict=True):
        changes = [after - before for before, after in zip(old.seats, new.seats, strict=True)]
        lost = {seat: -change for seat, change in enumerate(changes) if change < 0}
        for taker, wanted in enumerate(changes):
            for giver in [*lost, -1]:
                amount = wanted if giver < 0 else min(wanted, lost[giver])
                if amount > 0:
                    yield new.sign, amount, giver, taker, new.source
                    wanted -= amount
                    if giver >= 0:
                        lost[giver] -= amount
        for giver, amount in lost.items():
            if amount:
                yield new.sign, amount, giver, -1, new.source


def _seconds(amount: int) -> float:
    return min(MOVE, MOVE / 2 + UNIT * amount)
