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
from lanplay_ai.deciding import by_lot
from lanplay_ai.dice_town.card_rules import buy, joe, play, stop
from lanplay_ai.dice_town.hand_rules import cheat, keep
from lanplay_ai.dice_town.profiles import DiceTownProfile
from lanplay_ai.dice_town.sheriff_rules import decide, doc_order, offer, winner
from lanplay_ai.dice_town.town_rules import consolation, keep_loot, rob, take
from lanplay_ai.dice_town.worth import DiceTownView

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
        blunder = by_lot(self._chance, profile.blunders, view, question)
        if blunder is not None:
            return blunder.answer
        return RULES[type(question)](profile, view, question)

    def explain(self, view: DiceTownView, question: Question) -> Hint:
        """Return the same answer with its reason (see ``Adviser.explain``)."""
        from lanplay_ai.dice_town.reasons import REASONS

        profile = self._profile
        blunder = by_lot(self._chance, profile.blunders, view, question)
        if blunder is not None:
            return blunder.hint()
        answer = RULES[type(question)](profile, view, question)
        return REASONS[type(question)](profile, view, question, answer).hint(answer)
