"""Whether the programs of one network game agree: exit statuses, results, steps and records."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from lanplay.engine.record import Record, RecordError, load
from lanplay.games import load as load_game
from lanplay_protocol.replica.audit import check_record

HELD = 3
"""The exit status of a game that is held."""
LEVEL_SECONDS = 0.5
"""Who completes a step at most so long after the first one does is level with the table."""

Verdict: TypeAlias = Literal["ok", "hung", "held", "lost", "diverged"]


def closing_line(output: str) -> dict[str, Any] | None:
    """Return the JSON object with which a program ends; None if it said none."""
    last = (output.strip().splitlines() or [""])[-1]
    return dict(json.loads(last)) if last.startswith("{") else None


def verdict(codes: Sequence[int | None], closing: Sequence[dict[str, Any] | None]) -> Verdict:
    """Return what exit statuses and closing lines say, before the results are compared."""
    if any(code not in (0, HELD) for code in codes):
        return "lost"
    if any(code == HELD for code in codes):
        return "held"
    return "lost" if any(each is None or each["scores"] is None for each in closing) else "ok"


def difference(results: Sequence[dict[str, Any]]) -> str | None:
    """Return in what the results, steps or records of programs differ; None if they agree."""
    for key in ("scores", "winners", "state_hash"):
        if len({str(result[key]) for result in results}) > 1:
            return f"{key} differ: {[result[key] for result in results]}"
    for steps, same in itertools.groupby(sorted(results, key=_steps), _steps):
        if len({result["trace"] for result in same}) > 1:
            return f"traces of {steps} steps differ"
    try:
        records = [load(Path(result["record"])) for result in results]
    except (RecordError, OSError, TypeError) as error:
        return f"a record cannot be read: {error}"
    return unequal_moves(records) or broken_record(records)


def _steps(result: dict[str, Any]) -> int:
    return int(result["steps"])


def unequal_moves(records: Iterable[Record]) -> str | None:
    """Return the first message of which two records hold two versions."""
    known: dict[tuple[int, int, int], bytes] = {}
    for record in records:
        for sender, phase, view, body, _ in itertools.chain(*record.extra["moves"]):
            if known.setdefault((phase, view, sender), body) != body:
                return f"phase {phase}: two messages of peer {sender}"
    return None


def broken_record(records: Sequence[Record]) -> str | None:
    """Return what ``lanplay verify`` finds in the first record that does not hold."""
    for place, record in enumerate(records):
        if record in records[:place]:
            continue
        finding = check_record(load_game(record.header.game), record).finding
        if finding is not None:
            return f"a record does not hold: {finding}"
    return None


def standstill(programs: Iterable[Sequence[float]]) -> float | None:
    """Return the longest time between two steps of a program; None if none made two."""
    return max((b - a for steps in programs for a, b in itertools.pairwise(steps)), default=None)


def caught_up(
    since: float, own: Sequence[float], others: Sequence[Sequence[float]]
) -> float | None:
    """Return how long after ``since`` a program was level with the first of the others.

    Steps are told apart from the end, which all reach: one who was started again has fewer.
    """
    if not (shared := min(map(len, (own, *others)))):
        return None
    first = [min(moments) for moments in zip(*(steps[-shared:] for steps in others), strict=True)]
    for mine, theirs in zip(own[-shared:], first, strict=True):
        if mine > since and mine - theirs < LEVEL_SECONDS:
            return mine - since
    return None
