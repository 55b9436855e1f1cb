"""A turn of Fliptown while it is being planned: the sheet as it would be, the sites in reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lanplay.engine.question import Answer, Option
from lanplay.games.fliptown.asks import Ask
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.codes import BY_ABILITY, JOKER, NO
from lanplay.games.fliptown.questions import Move
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.turn import TurnWalk
from lanplay.ui.decision import Decision
from lanplay.ui.scene import Scene

PLACES = ("suit-card", "value-card")
"""The choices of the plan that lay a card."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a map shows while its turn is planned.

    ``sheet`` is how the map would be after what is picked so far. ``lit`` are the sites that can be
    visited with their prices in gold (see ``plan._near``), ``places`` the options that stand for
    them, if a site is picked next. ``pointed`` is the site pointed at, ``region`` the one that a
    suit card pointed at or picked leads to. ``laid`` are the cards laid so far, by choice, and
    ``squares`` the land pointed at.
    """

    sheet: Sheet
    lit: Mapping[int, int] = field(default_factory=dict)
    places: Mapping[int, int] = field(default_factory=dict)
    pointed: int | None = None
    region: int | None = None
    laid: Mapping[str, int] = field(default_factory=dict)
    squares: int = 0


def preview(scene: Scene, seat: int) -> Preview:
    """Return what the map of a seat shows; only the person's own is ever being planned."""
    decision = scene.decision
    if decision is None or seat != scene.seat or not isinstance(decision.question, Move):
        return Preview(scene.table.sheets[seat])
    return _planned(decision, decision.question)


def _planned(decision: Decision, question: Move) -> Preview:
    """Walk the turn as far as it is picked; what comes next says what is shown."""
    s, flipped = question.sheet.copy(), question.turn.flipped
    path = [options[0].value for _prompt, options in decision.picked]
    asks = list(_walk(s, question, path))
    laid = {
        ask.what: flipped[int(str(value))]
        for ask, value in zip(asks, path, strict=False)
        if ask.what in PLACES
    }
    region = _region(s, laid)
    if decision.step is None:
        return Preview(s, laid=laid, region=region)
    ask = asks[-1]
    pointed = ask.values[decision.cursor]
    match ask.what:
        case "site" | "bonus":
            places = {each: place for place, each in enumerate(ask.values) if each != NO}
            here = None if pointed == NO else pointed
            return Preview(s, _lit(ask), places, here, region, laid)
        case "suit-card":
            return Preview(s, region=suit(flipped[pointed]), laid=laid)
        case "suit":
            region = pointed % JOKER
        case "land":
            return Preview(s, region=region, laid=laid, squares=max(pointed, 0))
    lit = _ahead(question, [*path, pointed]) if ask.what in (PLACES[1], "suit") else {}
    return Preview(s, lit, region=region, laid=laid)


def _walk(s: Sheet, question: Move, path: Sequence[Answer]) -> Iterator[Ask]:
    """Yield what a turn asks along a path, and what it asks next; ``s`` changes with it."""
    walk = TurnWalk(s, question.turn)
    for value in path:
        assert isinstance(value, int), "every step of a turn picks one number"
        assert walk.ask is not None, "these are options of the turn"
        yield walk.ask
        walk.take(value)
    if walk.ask is not None:
        yield walk.ask


def _region(s: Sheet, laid: Mapping[str, int]) -> int | None:
    """Return the region that the suit card leads to, as it counts."""
    if s.counted >= 0:
        return s.counted
    return suit(laid[PLACES[0]]) if PLACES[0] in laid else None


def _ahead(question: Move, path: Sequence[Answer]) -> dict[int, int]:
    """Return the sites in reach if the plan went on like this, the suit card with its own suit."""
    for _ in range(2):
        asks = list(_walk(question.sheet.copy(), question, path))
        if len(asks) == len(path):  # nothing is in reach: the turn ends there
            return {}
        ask = asks[-1]
        if ask.what != "suit":
            break
        path = [*path, ask.values[0]]
    return _lit(ask) if ask.what == "site" else {}


def _lit(ask: Ask) -> dict[int, int]:
    return {each: price for each, price in zip(ask.values, ask.notes, strict=True) if each != NO}


def price_text(price: int) -> str:
    """Return what a site costs: gold with a minus, and ``!`` for the character's ability."""
    gold, mark = (price - BY_ABILITY, "!") if price >= BY_ABILITY else (price, "")
    return mark + (f"-{gold}" if gold else "")


def card_of(option: Option) -> int:
    """Return the face of an option that is a card."""
    face: int = option.label.values["card"]
    return face
