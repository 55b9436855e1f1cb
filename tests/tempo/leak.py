"""What the times of a round tell of a hand: a gradient-boosted classifier, and its AUC."""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from typing import Any

from tests.tempo.virtual import Tally

STOPS = 3


def samples(tally: Tally) -> list[tuple[int, int, tuple[Any, ...], list[float], bool]]:
    """Return (game, seat, who was asked what, times, could react) of every round of every person.

    Left out is who played a card: all saw that. Times are all of the round: those of the person's
    looks, of its beats, of all its other answers, and the looks of the others.
    """
    rounds: dict[tuple[int, int], list[Any]] = defaultdict(list)
    for each in tally.sent:
        rounds[each.game, each.round].append(each)
    found = []
    for (game, round_), sent in rounds.items():
        for seat in sorted({each.seat for each in sent}):
            own = [each for each in sent if each.seat == seat]
            looks = [each.delay for each in own if each.kind == "cheat"]
            stops = [each.delay for each in own if each.kind == "wanted"]
            if any(each.played for each in own) or not (looks or stops):
                continue
            beats = [each.delay for each in own if each.kind == "beat"]
            others = sorted(e.delay for e in sent if e.seat != seat and e.kind == "cheat")
            rest = tally.times[game, round_, seat]
            times = [
                *(looks[:1] or [float("nan")]),
                *(stops + [float("nan")] * STOPS)[:STOPS],
                max(beats, default=float("nan")),
                min(beats, default=float("nan")),
                *(others + [float("nan")] * STOPS)[:STOPS],
                sum(rest) / len(rest),
                rest[0],
                *paced(looks[:1] + stops[:1], rest),
                float(seat),
            ]
            pattern = (bool(looks), min(len(stops), STOPS))
            found.append((game, seat, pattern, times, any(each.could for each in own)))
    return found


def paced(holds: list[float], rest: list[float]) -> list[float]:
    """Return how long a person held, measured by how quick it was in the rest of the round.

    ``holds`` are its first look and its first window; who sits where tells its usual pace.
    """
    middle = sorted(rest)[len(rest) // 2]
    longest = max(holds, default=float("nan"))
    return [longest, longest / max(middle, 0.01), sum(holds) / max(sum(rest) / len(rest), 0.01)]


def area(scores: list[tuple[Any, float, bool]]) -> tuple[float, float]:
    """Return the AUC and the upper end of its 95 % interval, comparing like with like.

    ``scores`` are (stratum, score, label): that a seat is asked at all is public, and no time.
    """
    strata: dict[Any, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for stratum, score, label in scores:
        strata[stratum][label].append(score)
    won = pairs = 0.0
    high_all = low_all = 0
    for low, high in strata.values():
        if low and high:
            for one in high:
                won += sum(1.0 if one > other else 0.5 if one == other else 0.0 for other in low)
            pairs += len(low) * len(high)
            high_all += len(high)
            low_all += len(low)
    if not pairs:
        return 0.5, 1.0
    auc = won / pairs
    q1, q2 = auc / (2 - auc), 2 * auc * auc / (1 + auc)  # Hanley and McNeil, 1982
    spread = auc * (1 - auc) + (high_all - 1) * (q1 - auc**2) + (low_all - 1) * (q2 - auc**2)
    return auc, auc + 1.96 * sqrt(max(0.0, spread) / (high_all * low_all))


def told(tally: Tally) -> dict[str, tuple[float, float]]:
    """Return what the times of one round and of five tell: AUC and the upper end of its interval.

    Trained on every other game. The attacker is told which five rounds belong together.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # type: ignore[import-not-found,unused-ignore]  # optional

    every = samples(tally)
    train = [each for each in every if each[0] % 2 == 0]
    test = [each for each in every if each[0] % 2]
    model = HistGradientBoostingClassifier(random_state=0, max_depth=4, min_samples_leaf=40)
    model.fit([each[3] for each in train], [each[4] for each in train])
    scores = model.decision_function([each[3] for each in test])
    one = [
        (pattern, float(s), label)
        for (_, _, pattern, _, label), s in zip(test, scores, strict=True)
    ]
    runs: dict[tuple[Any, bool], list[float]] = defaultdict(list)
    for pattern, score, label in one:
        runs[pattern, label].append(score)
    five = [
        (pattern, sum(values[at : at + 5]), label)
        for (pattern, label), values in runs.items()
        for at in range(0, len(values) - 4, 5)
    ]
    return {"one round": area(one), "five rounds": area(five)}
