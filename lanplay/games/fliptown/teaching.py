"""What Fliptown teaches: see ``teaching.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lanplay.engine.question import Phrase, Question
from lanplay.engine.view import View
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.codes import EFFECT
from lanplay.games.fliptown.map import BADLANDS, TOWN, TRAIL
from lanplay.games.fliptown.questions import Bribe, Move
from lanplay.games.fliptown.table import FliptownTable
from lanplay.games.teaching import Lessons, Tip

MANY: Final = 4
"""WANTED that are worth a word."""


def _key(label: Phrase) -> str:
    """Return which building a site or a task is, which thing a ware; all else goes by its name."""
    match dict(label.values):
        case {"item": item}:
            return f"item-{item}"
        case {"place": site} if site // 16 == TOWN:
            return f"building-{site % 16}"
        case {"task": task} if task > EFFECT:
            return f"building-{task - EFFECT}"
    return label.id


def _tips(view: View[FliptownTable], question: Question) -> Iterator[Tip]:
    """Yield what a newcomer could be told; see ``teaching.Tips``."""
    mine = view.table.sheets[view.seat]
    if isinstance(question, Bribe):
        yield "bribe", {"gold": mine.wanted}
    if isinstance(question, Move):
        suits = {suit(card) for card in question.turn.flipped}
        yield "first", {}
        yield "value", {}
        yield "site", {}
        if mine.wanted >= MANY:
            yield "wanted", {"wanted": mine.wanted}
        if BADLANDS in suits:
            yield "robbery", {}
        if TRAIL in suits:
            yield "trail", {}
        if TOWN in suits:
            yield "gable", {}
        yield "bonus", {}
        if view.table.seats > 1:
            yield "bounty", {}


LESSONS: Final = Lessons.beside(__name__, _key, _tips)
