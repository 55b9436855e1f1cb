"""Why a bot of Dice Town answers as it does: worked out from the answer, when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lanplay.engine.question import Answer, Question
from lanplay.games.dice_town.cards import CHEATER
from lanplay.games.dice_town.poker import ACE, DICE, JACK, KING, NINE
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
    price,
)
from lanplay.games.dice_town.questions.shapes import held
from lanplay.games.dice_town.questions.sheriff import NOTHING
from lanplay_ai.deciding import Reason
from lanplay_ai.dice_town.aims import aim, told
from lanplay_ai.dice_town.card_rules import EFFECTS, best_target, joe_worth
from lanplay_ai.dice_town.hand_rules import best_turn
from lanplay_ai.dice_town.loot import best_take, card_worth, worths_in_hand
from lanplay_ai.dice_town.profiles import FREE, DiceTownProfile
from lanplay_ai.dice_town.sheriff_rules import gains_of, missing_gift, net_worth
from lanplay_ai.dice_town.worth import (
    DOLLAR,
    FACE_OF,
    HIDDEN_STORE,
    DiceTownView,
    consolation_worth,
    standing,
    visit_worth,
)

PLACE_OF: Final = {face: place for place, face in FACE_OF.items()}


def _keep(p: DiceTownProfile, view: DiceTownView, question: Keep, answer: Any) -> Reason:
    if p.keeping == FREE:
        return Reason("keep-most", {})
    dice, brutes = answer
    faces = tuple(view.cup[place] for place in dice)
    after = aim(view, p, faces)
    values = {
        "faces": faces,
        "dollars": price(len(dice), len(brutes), question.option),
        "place": after.place,
    }
    return Reason("keep-dice" if dice else "keep-none", values, None, told(after))


def _cheat(p: DiceTownProfile, view: DiceTownView, question: DiceTownCheat, answer: Any) -> Reason:
    card = view.own[held(view, question.hand, CHEATER)[0]]
    in_hand = card_worth(view.table, card)
    if len(view.table.dice[view.seat]) < DICE:
        return Reason("cheat-wait", {}, in_hand)
    _, face, gain = best_turn(p, view, question)
    if not answer:
        return Reason("cheat-not", {"gain": gain}, in_hand)
    return Reason("cheat", {"face": face, "place": PLACE_OF.get(face, "hall")}, gain)


def _play(p: DiceTownProfile, view: DiceTownView, question: Play, answer: Answer) -> Reason:
    card = held(view, question.hand, question.card)[0]
    worth = EFFECTS[question.card](view, p)
    return Reason("play-not" if answer is None else "play", {"card": view.own[card]}, worth)


def _stop(p: DiceTownProfile, view: DiceTownView, question: Stop, answer: Answer) -> Reason:
    face = view.table.face(best_target(view, question))
    worth = card_worth(view.table, face)
    return Reason("stop-not" if answer is None else "stop", {"card": face}, worth)


def _joe(p: DiceTownProfile, view: DiceTownView, question: DeclareJoe, answer: Answer) -> Reason:
    return Reason("joe", {"seat": answer}, joe_worth(view, question.others))


def _buy(p: DiceTownProfile, view: DiceTownView, question: Buy, answer: Any) -> Reason:
    card, victim, _ = answer
    [worth] = worths_in_hand(view, [card], HIDDEN_STORE)
    if victim is not None:
        worth = joe_worth(view, question.others)
    return Reason("buy", {"card": view.face(card)}, worth)


def _rob(p: DiceTownProfile, view: DiceTownView, question: Rob, answer: Any) -> Reason:
    return Reason("rob", {"seat": answer}, best_take(view, answer, question.dice)[0])


def _take(p: DiceTownProfile, view: DiceTownView, question: Take, answer: Any) -> Reason:
    worth, store = best_take(view, question.victim, question.count)
    return Reason("take", {"store": store, "claims": question.count - store}, worth)


def _keep_loot(p: DiceTownProfile, view: DiceTownView, question: KeepLoot, answer: Any) -> Reason:
    card, _ = answer
    [worth] = worths_in_hand(view, [card], HIDDEN_STORE)
    return Reason("keep-loot", {"card": view.face(card)}, worth)


def _consolation(
    p: DiceTownProfile, view: DiceTownView, question: Consolation, answer: Any
) -> Reason:
    face, claims = answer
    values = {"cards": tuple(view.face(card) for card in claims)} if face == NINE else {}
    return Reason(_VISITS[face], values, consolation_worth(view.table, view.seat, p, face))


_VISITS: Final = {NINE: "doc-wire", JACK: "doc-store", KING: "doc-dollars", ACE: "doc-nuggets"}


def _offer(p: DiceTownProfile, view: DiceTownView, question: SheriffOffer, answer: Any) -> Reason:
    t, place = view.table, question.place
    worth = net_worth(t, place, view.seat, p)
    if answer == NOTHING:
        return _no_offer(p, view, question, worth)
    dollars, nuggets, _ = answer
    id = "offer-least" if p.bid_limit else "offer"
    return Reason(id, {"place": place, "dollars": dollars, "nuggets": nuggets}, worth)


def _no_offer(
    p: DiceTownProfile, view: DiceTownView, question: SheriffOffer, worth: float
) -> Reason:
    """Return why nothing is offered for a place that is worth so much."""
    t, values = view.table, {"place": question.place, "gain": worth}
    if t.sheriff in question.tied:
        kept = net_worth(t, question.place, t.sheriff, p)
        return Reason("offer-kept" if kept > 0 else "offer-spurned", values | {"gain": kept})
    if p.bid_limit:
        free = missing_gift(p, t, view.seat, question) < 0
        return Reason("offer-needless" if free else "offer-dear", values)
    if not p.bribe:
        return Reason("offer-never", values)
    if p.bribe * worth < DOLLAR:
        return Reason("offer-little", values)
    return Reason("offer-poor", values | {"dollars": question.dollars})


def _decide(p: DiceTownProfile, view: DiceTownView, question: Decide, answer: Any) -> Reason:
    gains, place = gains_of(p, view.table, view.seat, question), question.place
    worth = gains[question.tied.index(answer)]
    if answer == view.seat:
        return Reason("decide-self", {"place": place}, worth)
    bribed = question.offers.get(answer, NOTHING) != NOTHING
    id = "decide-bribe" if bribed else "decide-low"
    return Reason(id, {"place": place, "seat": answer}, worth)


def _doc_order(p: DiceTownProfile, view: DiceTownView, question: DocOrder, answer: Any) -> Reason:
    t, first = view.table, answer[0]
    if first == view.seat:
        return Reason("doc-order", {}, visit_worth(t, first, p, t.dice[first]))
    return Reason("doc-order-least", {"seat": first, "gain": float(standing(t, first))})


REASONS: Final[
    dict[type[Question], Callable[[DiceTownProfile, DiceTownView, Any, Answer], Reason]]
] = {
    Keep: _keep,
    DiceTownCheat: _cheat,
    Play: _play,
    Stop: _stop,
    DeclareJoe: _joe,
    Buy: _buy,
    Rob: _rob,
    Take: _take,
    KeepLoot: _keep_loot,
    Consolation: _consolation,
    SheriffOffer: _offer,
    Decide: _decide,
    DocOrder: _doc_order,
    Winner: lambda p, view, question, answer: Reason("winner", {"seat": answer}),
}
"""The reason of an answer that the rule for this kind of question has given."""
