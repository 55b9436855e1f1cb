"""The bots of Dice Town: one rule for every kind of question, weighed by a profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lanplay.engine.agent import Hint
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Question
from lanplay.games.dice_town.questions import (
    Buy,
    Consolation,
    Decide,
    DeclareJoe,
    DiceTownCheat,
    DocOrder,
    Keep,
    KeepLoot,
    Play,
    Rob,
    SheriffOffer,
    Stop,
    Take,
    Winner,
)
from lanplay_ai.deciding import Reason
from lanplay_ai.dice_town.card_rules import buy, joe, play, stop
from lanplay_ai.dice_town.hand_rules import cheat, keep
from lanplay_ai.dice_town.profiles import DiceTownProfile
from lanplay_ai.dice_town.sheriff_rules import decide, doc_order, offer, winner
from lanplay_ai.dice_town.town_rules import consolation, keep_loot, rob, take
from lanplay_ai.dice_town.worth import DiceTownView
from lanplay_ai.random_agent import RandomAgent

RULES: Final[dict[type[Question], Callable[[DiceTownProfile, DiceTownView, Any], Answer]]] = {
    Keep: keep,
    DiceTownCheat: cheat,
    Play: play,
    Stop: stop,
    DeclareJoe: joe,
    Buy: buy,
    Rob: rob,
    Take: take,
    KeepLoot: keep_loot,
    Consolation: consolation,
    SheriffOffer: offer,
    Decide: decide,
    DocOrder: doc_order,
    Winner: winner,
}


class DiceTownPlayer:
    """Plays by the rules above with the weights of its profile; some levels blunder now and then.

    An answer depends on the view, the question, the profile and the key, on nothing else.
    """

    def __init__(self, profile: DiceTownProfile, key: bytes) -> None:
        self._profile = profile
        self._chance = Chance(key)

    def answer(self, view: DiceTownView, question: Question) -> Answer:
        """Return the answer of the rule for this kind of question (see ``Agent.answer``)."""
        profile = self._profile
        if profile.blunders and self._blunders(view):
            lot = self._chance.digest("lot", (len(view.history),))
            return RandomAgent(lot).answer(view, question)
        return RULES[type(question)](profile, view, question)

    def explain(self, view: DiceTownView, question: Question) -> Hint:
        """Return the same answer with its reason (see ``Adviser.explain``)."""
        from lanplay_ai.dice_town.reasons import REASONS

        answer, profile = self.answer(view, question), self._profile
        if profile.blunders and self._blunders(view):
            return Reason("by-lot", {}).hint(answer)
        return REASONS[type(question)](profile, view, question, answer).hint(answer)

    def _blunders(self, view: DiceTownView) -> bool:
        lot = self._chance.below(1_000, "blunder", (len(view.history),))
        return lot < self._profile.blunders
