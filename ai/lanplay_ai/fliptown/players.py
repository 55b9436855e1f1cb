"""The bots of Fliptown: one search for turns, one rule for every other question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lanplay.engine.agent import Hint
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Question
from lanplay.games.fliptown.asks import Turn
from lanplay.games.fliptown.codes import PLAN
from lanplay.games.fliptown.questions import (
    Bribe,
    Fine,
    FliptownCheat,
    FliptownView,
    Move,
    Preach,
    Redraw,
    Replace,
)
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import FLIPPED
from lanplay_ai.deciding import BotDecision, by_lot, decided
from lanplay_ai.fliptown import phase_rules
from lanplay_ai.fliptown.outlook import FliptownOutlook
from lanplay_ai.fliptown.profiles import FliptownProfile
from lanplay_ai.fliptown.reasons import why_move
from lanplay_ai.fliptown.search import Search, Way

RULES: dict[type[Question], Callable[[FliptownOutlook, FliptownView, Any], BotDecision]] = {
    Bribe: phase_rules.bribe,
    Fine: phase_rules.fine,
    Preach: phase_rules.preach,
    FliptownCheat: phase_rules.cheat,
    Redraw: phase_rules.redraw,
}
REPLACED = 6
"""Flips that the Mayor compares with the one that lies there."""


class FliptownPlayer:
    """Plays with the settings of its profile; some levels blunder now and then.

    An answer depends on the view, the question, the profile and the key, on nothing else.
    """

    def __init__(self, profile: FliptownProfile, key: bytes) -> None:
        self._profile = profile
        self._chance = Chance(key)

    def answer(self, view: FliptownView, question: Question) -> Answer:
        """Return the answer of the rule for this kind of question (see ``Agent.answer``)."""
        return self._decide(view, question).answer

    def explain(self, view: FliptownView, question: Question) -> Hint:
        """Return the same answer with its reason (see ``Adviser.explain``)."""
        return self._decide(view, question).hint()

    def _decide(self, view: FliptownView, question: Question) -> BotDecision:
        blunder = by_lot(self._chance, self._profile.blunders, view, question)
        if blunder is not None:
            return blunder
        outlook = FliptownOutlook(view, self._profile.foresight, taste=self._profile.taste)
        if isinstance(question, Move):
            return self._move(outlook, question)
        if isinstance(question, Replace):
            return self._replace(outlook, view, question)
        return RULES[type(question)](outlook, view, question)

    def _search(self, o: FliptownOutlook, turn: Turn) -> Search:
        return Search(o, turn, self._profile.beam, self._profile.nodes)

    def _move(self, o: FliptownOutlook, question: Move) -> BotDecision:
        search, looks = self._search(o, question.turn), self._profile.looks
        if looks and o.left:
            ways = search.distinct(question.sheet, looks)
            best = max(ways, key=lambda way: way.worth + o.together(way.sheet, way.pause))
        else:
            best = search.best(question.sheet)
        return BotDecision(best.answer, lambda: why_move(o, question, best))

    def _replace(self, o: FliptownOutlook, view: FliptownView, question: Replace) -> BotDecision:
        """Replace the cards if three others promise clearly more on average."""
        s, t = view.table.sheets[view.seat].copy(), view.table
        s.pool = [PLAN]
        here = self._best(o, s, Turn(question.flipped, t.round, o.guns)).worth
        others = 0.0
        for flipped in self._flips(o, view, REPLACED):
            other = FliptownOutlook(view, self._profile.foresight, flipped, self._profile.taste)
            others += self._best(other, s, Turn(flipped, t.round, o.guns)).worth / REPLACED
        margin = 1.0 + o.left / 5
        replace = others - here > margin
        return decided(int(replace), "replace" if replace else "replace-not", others - here)

    def _best(self, o: FliptownOutlook, s: Sheet, turn: Turn) -> Way:
        return self._search(o, turn).best(s)

    def _flips(self, o: FliptownOutlook, view: FliptownView, count: int) -> list[tuple[int, ...]]:
        """Return so many flips of three cards that this seat has not seen, drawn by its key."""
        found = []
        for number in range(count):
            order = self._chance.permutation(len(o.faces), "flip", (len(view.history), number))
            found.append(tuple([o.faces[place] for place in order[:FLIPPED]]))
        return found
