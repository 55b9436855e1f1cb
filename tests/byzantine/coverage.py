"""What lies a campaign has told: of which kind, how, to whom, in which phase, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TypeAlias

from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.replica import Replica

Lie: TypeAlias = tuple[str, str, str, str, str]
"""Kind of message, what was done to it, and its recipient: its part, its phase, its moment."""
AXES = ("kind", "lie", "recipient", "phase", "time")


def lie(kind: str, how: str, replica: Replica) -> Lie:
    """Return what a lie is, told to a replica as it stands."""
    transcript = replica.transcript
    if replica.me not in transcript.members:
        part = "out"
    else:
        part = "owes" if replica.me in transcript.missing else "has said"
    return (kind, how, part, type(transcript.phase).__name__, _time(replica))


def _time(replica: Replica) -> str:
    transcript = replica.transcript
    if replica.over:
        return "after the end"
    if replica.halted:
        return "held"
    if transcript.number < SETUP:
        return "before the game"
    if replica.attendance.promised:
        return "in a view change"
    if transcript.here:
        return "in a phase with a view"
    return "later views" if transcript.views else "first view"


def report(seen: Counter[Lie]) -> Iterator[str]:
    """Give lines that say what was covered, and every pair of values that was not."""
    values = [sorted({each[axis] for each in seen}) for axis in range(len(AXES))]
    for axis, name in enumerate(AXES):
        told = Counter[str]()
        for each, times in seen.items():
            told[each[axis]] += times
        yield f"{name}: " + ", ".join(f"{value} {told[value]}" for value in values[axis])
    yield f"{len(seen)} combinations, {sum(seen.values())} lies; pairs that never came:"
    for one, other in combinations(range(len(AXES)), 2):
        pairs = {(each[one], each[other]) for each in seen}
        holes = {a: [b for b in values[other] if (a, b) not in pairs] for a in values[one]}
        for value, missing in holes.items():
            if missing:
                yield f"  {AXES[one]} {value}: no {AXES[other]} {', '.join(missing)}"


def counted(plain: Iterable[list]) -> Counter[Lie]:
    """Return the lies of ``plain`` data: each with its times at the end."""
    seen = Counter[Lie]()
    for *each, times in plain:
        seen[tuple(each)] += times
    return seen
