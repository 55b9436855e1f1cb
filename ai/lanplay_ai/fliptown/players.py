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
from lanplay.games.fliptown.rules import set_out
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import FLIPPED, TURNS
from lanplay.games.fliptown.visits import robbed
from lanplay_ai.deciding import BotDecision, decided
from lanplay_ai.fliptown import phase_rules
from lanplay_ai.fliptown.outlook import FliptownOutlook, pending
from lanplay_ai.fliptown.profiles import FliptownProfile
from lanplay_ai.fliptown.reasons import why_move
from lanplay_ai.fliptown.search import Search, Way
from lanplay_ai.random_agent import RandomAgent

RULES: dict[type[Question], Callable[[FliptownOutlook, FliptownView, Any], BotDecision]] = {
    Bribe: phase_rules.bribe,
    Fine: phase_rules.fine,
    Preach: phase_rules.preach,
    FliptownCheat: phase_rules.cheat,
    Redraw: phase_rules.redraw,
}
REPLACED = 6
"""Flips that the Mayor compares with the one that lies there."""
MARGIN, CLOSE = 2.0, 4
"""Ways are compared by the next turn that are worth at most so much less than the best, so many."""
NEXT = 3, 400
"""Beam and nodes of the search of a next turn."""
TRUST = 0.75
"""The part that the next turn counts of a way's worth then, against the worth at once."""


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
        at = (len(view.history),)
        if self._chance.below(1_000, "blunder", at) < self._profile.blunders:
            key = self._chance.digest("lot", at)
            return decided(RandomAgent(key).answer(view, question), "by-lot")
        outlook = FliptownOutlook(view, self._profile.foresight, taste=self._profile.taste)
        if isinstance(question, Move):
            return self._move(outlook, view, question)
        if isinstance(question, Replace):
            return self._replace(outlook, view, question)
        return RULES[type(question)](outlook, view, question)

    def _search(self, o: FliptownOutlook, turn: Turn) -> Search:
        return Search(o, turn, self._profile.beam, self._profile.nodes)

    def _move(self, o: FliptownOutlook, view: FliptownView, question: Move) -> BotDecision:
        search = self._search(o, question.turn)
        if self._profile.flips and view.table.turn < TURNS and view.table.cowbot < 0:
            best = self._foreseen(o, view, search.ways(question.sheet))
        else:
            best = search.best(question.sheet)
        return BotDecision(best.answer, lambda: why_move(o, question, best))

    def _foreseen(self, o: FliptownOutlook, view: FliptownView, ways: list[Way]) -> Way:
        """Return the best of the ways that come first, by what the next turn then brings.

        All of them meet the same flips, drawn by the bot's key from what it has not seen, and the
        same robbery card.
        """
        close: dict[float, Way] = {}
        for way in ways:
            if way.worth < ways[0].worth - MARGIN or len(close) == CLOSE:
                break
            close.setdefault(round(way.worth, 6), way)
        if len(close) == 1:
            return ways[0]
        p, t = self._profile, view.table
        brought = [0.0] * len(close)
        for card, *cards in self._drawn(o, view, 1 + FLIPPED, p.flips):
            turn = Turn(tuple(cards), t.round, o.guns)
            then = FliptownOutlook(view, p.foresight, (card, *cards), p.taste, turns=1)
            for place, way in enumerate(close.values()):
                s = way.sheet.copy()
                if way.pause is not None and way.pause > 1:
                    robbed(s, way.pause, card, o.guns, None)
                brought[place] += pending(s) / p.flips
                set_out(s, turn.flipped, t.round)
                brought[place] += Search(then, turn, *NEXT).best(s).worth / p.flips
        worths = [
            TRUST * then + (1 - TRUST) * way.worth
            for then, way in zip(brought, close.values(), strict=True)
        ]
        return list(close.values())[worths.index(max(worths))]

    def _replace(self, o: FliptownOutlook, view: FliptownView, question: Replace) -> BotDecision:
        """Replace the cards if three others promise clearly more on average."""
        s, t = view.table.sheets[view.seat].copy(), view.table
        s.pool = [PLAN]
        here = self._best(o, s, Turn(question.flipped, t.round, o.guns)).worth
        others = 0.0
        for flipped in self._drawn(o, view, FLIPPED, REPLACED):
            other = FliptownOutlook(view, self._profile.foresight, flipped, self._profile.taste)
            others += self._best(other, s, Turn(flipped, t.round, o.guns)).worth / REPLACED
        margin = 1.0 + o.left / 5
        replace = others - here > margin
        return decided(int(replace), "replace" if replace else "replace-not", others - here)

    def _best(self, o: FliptownOutlook, s: Sheet, turn: Turn) -> Way:
        return self._search(o, turn).best(s)

    def _drawn(
        self, o: FliptownOutlook, view: FliptownView, cards: int, times: int
    ) -> list[tuple[int, ...]]:
        """Return so many times so many cards that this seat has not seen, drawn by its key."""
        found = []
        for number in range(times):
            order = self._chance.permutation(len(o.faces), "flip", (len(view.history), number))
            found.append(tuple([o.faces[place] for place in order[:cards]]))
        return found
