"""What decided a game: the events that moved most points, and the one that won it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final

from lanplay.engine.game import Result
from lanplay.engine.question import Phrase
from lanplay.games.wording import Title, brought_by, summary_of, titles_of, words_of
from lanplay.language import _
from lanplay.ui.breakdown import Breakdown

MOMENTS: Final = 5
"""How many events are named."""
OFTEN: Final = 2
"""How often at least something must have been done to be worth telling."""
ALIKE: Final = 2
"""How many of them may be of one kind."""
TO: Final = {"gives": "other"}
"""By event, the value that names who gains by it, where that is not its seat."""
Told = tuple[int, Phrase]
"""An event with its round."""


def gains(event: Phrase) -> int | None:
    """Return the seat that an event's points go to; ``None`` if it names none."""
    seat = event.values.get(TO.get(event.id, "seat"))
    return seat if isinstance(seat, int) else None


def decisive(
    events: Sequence[Told], weight: Callable[[Phrase], float], winners: Sequence[int] = ()
) -> list[Told]:
    """Return the events that moved most points, with their rounds, in the order of play.

    No two of them say the same, and few are alike. What a winner got counts twice: it is why the
    game was won. The last one that brought a winner points is always among them.
    """
    found = [weight(message) for _round, message in events]
    won = [at for at in range(len(events)) if found[at] > 0 and gains(events[at][1]) in winners]
    weights = [abs(points) * (2 if at in won else 1) for at, points in enumerate(found)]
    chosen: set[int] = set()
    kinds: Counter[str] = Counter()
    by_weight = sorted(range(len(events)), key=lambda at: (-weights[at], at))
    for at in (*won[-1:], *by_weight):
        message = events[at][1]
        same = any(events[other][1] == message for other in chosen)
        if weights[at] > 0 and not same and kinds[message.id] < ALIKE and len(chosen) < MOMENTS:
            chosen.add(at)
            kinds[message.id] += 1
    return [events[at] for at in sorted(chosen)]


def decided(
    game: str, events: Sequence[Told], names: Sequence[str], winners: Sequence[int] = ()
) -> list[tuple[str, str]]:
    """Return what decided a game, with its rounds, in words: each event after what led to it."""
    word, led = words_of(game).word, brought_by(game)
    found = []
    for told in decisive(events, summary_of(game).weight, winners):
        at = next(place for place, each in enumerate(events) if each is told)
        cause = _cause(events[:at], told[1], led.get(told[1].id, ()))
        found.append((_round(told), " ".join(word(each, names) for each in (*cause, told[1]))))
    return found


def _round(told: Told) -> str:
    return _("round {number}").format(number=told[0])


def _cause(before: Sequence[Told], event: Phrase, causes: Collection[str]) -> Sequence[Phrase]:
    """Return the last of the events before, of some kinds, that the same seat took part in."""
    for _number, each in reversed(before):
        if each.id in causes and gains(event) in (each.values["seat"], each.values.get("other")):
            return [each]
    return []


def titled(game: str, events: Sequence[Told], names: Sequence[str]) -> list[str]:
    """Return what is worth telling of a game, in words: its greatest robbery, its busiest thief."""
    said = (_titled(game, title, events, names) for title in titles_of(game))
    return [text for text in said if text]


def _titled(game: str, title: Title, events: Sequence[Told], names: Sequence[str]) -> str:
    found = [told for told in events if told[1].id == title.event]
    if not title.by:
        often = Counter(gains(event) for _number, event in found)
        seat, count = max(often.items(), key=lambda each: each[1], default=(None, 0))
        if seat is None or count < OFTEN:
            return ""
        told = _("{title}: {name} ({count})")
        return told.format(title=_(title.told), name=names[seat], count=count)
    much = [sum(event.values[each] for each in title.by.split()) for _number, event in found]
    if not any(much):
        return ""
    best = found[much.index(max(much))]
    return f"{_(title.told)}: {words_of(game).word(best[1], names)} ({_round(best)})"


def ahead(names: Sequence[str], result: Result, breakdown: Breakdown) -> str:
    """Return by how much a game was won, and where that came from; empty where nobody is ahead."""
    if len(result.winners) != 1 or len(names) < 2:
        return ""
    first = result.winners[0]
    second = max((s for s in range(len(names)) if s != first), key=lambda s: result.scores[s])
    by = result.scores[first] - result.scores[second]
    own, its = breakdown.points[first], breakdown.points[second]
    most = max(range(len(own)), key=lambda place: own[place] - its[place], default=-1)
    if by <= 0 or most < 0 or own[most] <= its[most]:
        return ""
    told = _("{name} is {by} ahead of {other}, by this above all: {source}, {own} against {its}.")
    return told.format(
        name=names[first],
        by=by,
        other=names[second],
        source=breakdown.sources[most],
        own=own[most],
        its=its[most],
    )


def curve(
    events: Sequence[Told], weight: Callable[[Phrase], float], seats: int
) -> list[list[float]]:
    """Return for each seat what it had gained by the end of each round, as all could see it."""
    rounds = max((number for number, _event in events), default=0)
    gained = [[0.0] * (rounds + 1) for _ in range(seats)]
    for number, event in events:
        seat = gains(event)
        if seat is not None and seat < seats and (points := weight(event)):
            gained[seat][number] += points
    for row in gained:
        for number in range(rounds):
            row[number + 1] += row[number]
    return gained
