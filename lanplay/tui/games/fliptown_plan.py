"""A turn of Fliptown while it is being planned: the sheet as it would be, the sites in reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lanplay.engine.question import Option
from lanplay.games.fliptown.asks import NO, Ask
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.questions import Move
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.turn import BY_ABILITY, play
from lanplay.tui.decision import Decision
from lanplay.tui.scene import Scene

PLACES = ("suit-card", "value-card")
"""The choices of the plan that lay a card."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a map shows while its turn is planned.

    ``sheet`` is how the map would be after what is picked so far. ``lit`` are the sites that can be
    visited with their prices in gold (see ``turn._sites``), ``places`` the options that stand for
    them, if a site is picked next. ``pointed`` is the site pointed at, ``region`` the one that a
    suit card pointed at or picked leads to. ``laid`` are the cards laid so far, by choice.
    """

    sheet: Sheet
    lit: Mapping[int, int] = field(default_factory=dict)
    places: Mapping[int, int] = field(default_factory=dict)
    pointed: int | None = None
    region: int | None = None
    laid: Mapping[str, int] = field(default_factory=dict)


def preview(scene: Scene, seat: int) -> Preview:
    """Return what the map of a seat shows; only the person's own is ever being planned."""
    decision = scene.decision
    if decision is None or seat != scene.seat or not isinstance(decision.question, Move):
        return Preview(scene.table.sheets[seat])
    return _planned(decision, decision.question)


def _planned(decision: Decision, question: Move) -> Preview:
    s, asks = question.sheet.copy(), []
    steps = play(s, question.turn)
    path = [options[0].value for _prompt, options in decision.picked]
    laid: dict[str, int] = {}
    try:
        asks.append(next(steps))
        for value in path:
            assert isinstance(value, int), "every step of a turn picks one number"
            if asks[-1].what in PLACES:
                laid[asks[-1].what] = question.turn.flipped[value]
            asks.append(steps.send(value))
    except StopIteration:
        return Preview(s.copy(), laid=laid, region=_region(s, laid))
    shown, ask = s.copy(), asks[-1]
    pointed = ask.options[decision.cursor]
    if ask.what in ("site", "bonus"):
        places = {each: place for place, each in enumerate(ask.options) if each != NO}
        here = None if pointed == NO else pointed
        return Preview(shown, _lit(ask), places, here, _region(s, laid), laid)
    if ask.what == PLACES[0]:
        return Preview(shown, region=suit(question.turn.flipped[pointed]), laid=laid)
    lit = {}
    if ask.what in (PLACES[1], "suit"):
        lit = _ahead(decision, question, (*path, pointed))
    return Preview(shown, lit, region=_region(s, laid), laid=laid)


def _region(s: Sheet, laid: Mapping[str, int]) -> int | None:
    """Return the region that the suit card leads to, as it counts."""
    if s.counted >= 0:
        return s.counted
    return suit(laid[PLACES[0]]) if PLACES[0] in laid else None


def _ahead(decision: Decision, question: Move, path: tuple[object, ...]) -> dict[int, int]:
    """Return the sites in reach if the plan went on like this, the suit card with its own suit."""
    steps = play(question.sheet.copy(), question.turn)
    try:
        ask = next(steps)
        for value in path:
            assert isinstance(value, int), "every step of a turn picks one number"
            ask = steps.send(value)
        if ask.what == "suit":
            ask = steps.send(ask.options[0])
    except StopIteration:
        return {}
    return _lit(ask) if ask.what == "site" else {}


def _lit(ask: Ask) -> dict[int, int]:
    return {
        each: price for each, price in zip(ask.options, ask.notes, strict=True) if each != NO
    }


def price_text(price: int) -> str:
    """Return what a site costs: gold with a minus, and ``!`` for the character's ability."""
    gold, mark = (price - BY_ABILITY, "!") if price >= BY_ABILITY else (price, "")
    return mark + (f"-{gold}" if gold else "")


def is_step(scene: Scene, what: str) -> bool:
    """Tell whether the person is about to make this choice."""
    step = scene.decision.step if scene.decision is not None else None
    return step is not None and step.prompt.id == f"pick-{what}"


def card_of(option: Option) -> int:
    """Return the face of an option that is a card."""
    face: int = option.label.values["card"]
    return face
