"""Bots for Liar's Dice: how likely is the last bid, how likely the next?"""

from __future__ import annotations

from functools import partial
from math import comb
from typing import Any

from lanplay.engine.agent import Agent, Hint
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.engine.view import View
from lanplay.games.wording import Wording
from lanplay.language import N_
from lanplay_ai.bot import Bot
from liars_dice.questions import CALL, Bid
from liars_dice.table import FACES, LiarsTable
from liars_dice.text import WORDING as GAME

TEMPLATES = {
    "call": N_("The last bid is less likely than any that you could make: {bid}."),
    "bid": N_("Of all bids that are allowed this one is hardest to call: {bid}."),
}
WORDING = Wording(TEMPLATES, {}, GAME.shown)
word = WORDING.word


class Counter:
    """Calls what is unlikely, and bids what looks most likely; ``blunders`` of 100 are by lot."""

    def __init__(self, blunders: int, key: bytes) -> None:
        self._blunders = blunders
        self._chance = Chance(key)

    def answer(self, view: View[LiarsTable], question: Question) -> Answer:
        return self.explain(view, question).answer

    def explain(self, view: View[LiarsTable], question: Question) -> Hint:
        assert isinstance(question, Bid)
        t = view.table
        most = question.total * FACES + FACES - 1
        bids = range(max(FACES, question.last + 1), most + 1)
        slot = (t.round, question.last)
        if bids and self._chance.below(100, "blunder", slot) < self._blunders:
            lot = bids[self._chance.below(min(len(bids), FACES), "bid", slot)]
            return Hint(lot, Phrase("bid", {"bid": lot}), self._odds(view, lot))
        best = max(bids, key=lambda bid: self._odds(view, bid), default=None)
        if question.last and (
            best is None or 1 - self._odds(view, question.last) > self._odds(view, best)
        ):
            said = Phrase("call", {"bid": question.last})
            return Hint(CALL, said, 1 - self._odds(view, question.last))
        assert best is not None
        return Hint(best, Phrase("bid", {"bid": best}), self._odds(view, best))

    def _odds(self, view: View[LiarsTable], bid: int) -> float:
        """Return the chance that a bid is true, as this seat sees it."""
        t = view.table
        counted = {bid % FACES, 0} if t.wild else {bid % FACES}
        need = bid // FACES - sum(face in counted for face in view.cup)
        unseen, chance = sum(t.dice) - len(view.cup), len(counted) / FACES
        ways = range(max(0, need), unseen + 1)
        return sum(comb(unseen, n) * chance**n * (1 - chance) ** (unseen - n) for n in ways)


def _made(blunders: int, key: bytes) -> Agent:
    return Counter(blunders, key)


def _bot(summary: str, blunders: int, level: str) -> Bot:
    return Bot(summary, partial(_made, blunders), level)


BOTS: dict[str, Any] = {
    "beginner": _bot(N_("bids by lot every third time"), 33, "beginner"),
    "casual": _bot(N_("knows the odds, and forgets them now and then"), 10, "casual"),
    "strong": _bot(N_("knows the odds of every bid"), 0, "strong"),
    "expert": _bot(N_("knows the odds of every bid, too"), 0, "expert"),
}
