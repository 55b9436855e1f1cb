"""The steady bot: one readable rule for every kind of question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ai.dice_town.keeping import best_keep
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.games.dice_town.cards import (
    BRUTE,
    CHEATER,
    CLAIM_FACES,
    CORRUPTION,
    CREDIT,
    DYNAMITE,
    ELIXIR,
    EQUIPMENT,
    GIRLS,
    JOE,
    MARSHAL,
    SPLIT,
    WANTED,
    kind,
    points,
)
from lanplay.games.dice_town.poker import ACE, JACK, KING, NINE
from lanplay.games.dice_town.questions import (
    Buy,
    Cheat,
    Consolation,
    Decide,
    DeclareJoe,
    DocOrder,
    Keep,
    KeepLoot,
    Offer,
    Play,
    Rob,
    Stop,
    Take,
    Winner,
)
from lanplay.games.dice_town.table import DiceTownTable

DiceTownView = View[DiceTownTable]

WORTH = {
    EQUIPMENT: 0.0,  # its points count instead
    DYNAMITE: 2.5,
    GIRLS: 2.5,
    BRUTE: 2.0,
    CHEATER: 3.0,
    CORRUPTION: 3.0,
    CREDIT: 2.5,
    JOE: 2.2,
    MARSHAL: 2.5,
    SPLIT: 1.5,
    WANTED: 2.0,
    ELIXIR: 1.8,
}
"""What a card is worth in hand, in victory points."""


def card_worth(face: int) -> float:
    """Return what a card is worth in hand, in victory points."""
    return points(face) + (0.0 if face in CLAIM_FACES else WORTH[kind(face)])


class Steady:
    """Plays for points: exact odds for its dice, cards as soon as they pay, small fair bribes."""

    def __init__(self) -> None:
        self._rules: dict[type[Question], Callable[[DiceTownView, Any], Answer]] = {
            Keep: self._keep,
            Cheat: self._cheat,
            Play: self._play,
            Stop: self._stop,
            DeclareJoe: self._joe,
            Buy: self._buy,
            Rob: self._rob,
            Take: self._take,
            KeepLoot: self._keep_loot,
            Consolation: self._consolation,
            Offer: self._offer,
            Decide: self._decide,
            DocOrder: self._doc_order,
            Winner: self._winner,
        }

    def answer(self, view: DiceTownView, question: Question) -> Answer:
        """Return the answer of the rule for this kind of question (see ``Agent.answer``)."""
        return self._rules[type(question)](view, question)

    def _keep(self, view: DiceTownView, question: Keep) -> Answer:
        """Keep what is worth most; lay a Brute when it saves two dollars or more."""
        dice = best_keep(view, question, 0)
        brutes = _own(view, question.hand, BRUTE)
        if brutes:
            free = best_keep(view, question, 1)
            if len(free) > len(dice) or len(dice) > 2:
                return free, (brutes[0],)
        return dice, ()

    def _cheat(self, view: DiceTownView, question: Cheat) -> Answer:
        """Turn a lone die to the face this hand shows most, if that makes four or more."""
        dice = view.table.dice[view.seat]
        face = max(dice, key=lambda each: (dice.count(each), each))
        turned = min(range(len(question.faces)), key=lambda p: dice.count(question.faces[p]))
        if question.faces[turned] == face or dice.count(face) < 3:
            return ()
        return ((_own(view, question.hand, CHEATER)[0], turned, face),)

    def _play(self, view: DiceTownView, question: Play) -> Answer:
        """Play a card where it pays: nearly always at once."""
        t, seat = view.table, view.seat
        card = _own(view, question.hand, question.card)[0]
        pays = {
            DYNAMITE: min(t.mine, 2 * t.counts(NINE)[seat]) > t.counts(NINE)[seat],
            MARSHAL: t.sheriff == seat,
            SPLIT: True,
            ELIXIR: KING in t.dice[seat] or ACE in t.dice[seat] or len(t.deeds[seat]) > 1,
        }
        return card if pays.get(question.card, True) else None

    def _stop(self, view: DiceTownView, question: Stop) -> Answer:
        """Stop the first card of another seat that is worth as much as Wanted itself."""
        wanted = _own(view, question.hand, WANTED)[0]
        for target in question.targets:
            if WORTH[kind(view.table.face(target))] >= WORTH[WANTED]:
                return wanted, target
        return None

    def _joe(self, view: DiceTownView, question: DeclareJoe) -> Answer:
        """Send Nervous Joe to the richest."""
        return _richest(view, question.others)

    def _buy(self, view: DiceTownView, question: Buy) -> Answer:
        """Keep the card that is worth most."""
        card = _most_valuable(view, question.cards)
        face = view.own[card] if card in view.own else view.table.face(card)
        return card, _richest(view, question.others) if kind(face) == JOE else None

    def _rob(self, view: DiceTownView, question: Rob) -> Answer:
        """Rob the largest hand of the leader among equals."""
        t = view.table
        return max(question.victims, key=lambda s: (len(t.loot(s)), standing(t, s), -s))

    def _take(self, view: DiceTownView, question: Take) -> Answer:
        """Take claims first."""
        return question.count - min(question.claims, question.count)

    def _keep_loot(self, view: DiceTownView, question: KeepLoot) -> Answer:
        """Keep the card that is worth most."""
        return _most_valuable(view, question.cards)

    def _consolation(self, view: DiceTownView, question: Consolation) -> Answer:
        """Take what brings most points now; wire only for claims worth guarding."""
        t, seat = view.table, view.seat
        dollars = sum(min(2, t.dollars[other]) for other in t.others(seat)) / 2
        nuggets = float(sum(t.nuggets[other] > 0 for other in t.others(seat)))
        worth = {NINE: 0.4 * min(2, len(t.deeds[seat])), JACK: 2.0, KING: dollars, ACE: nuggets}
        face = max(question.faces, key=lambda each: worth[each])
        if face != NINE:
            return face, ()
        best = sorted(question.deeds, key=lambda card: (-_worth(view, card), card))
        return NINE, tuple(best[: min(2, len(best))])

    def _offer(self, view: DiceTownView, question: Offer) -> Answer:
        """Offer a fair share of what is at stake, in dollars first."""
        t = view.table
        stake = {"bank": t.bank / 2, "mine": float(max(t.counts(NINE))), "badge": 3.0, "hall": 3.0}
        worth = stake.get(question.place, 2.0)
        dollars = min(question.dollars // 2, int(worth))
        nuggets = 1 if not dollars and question.nuggets and worth >= 3 else 0
        return dollars, nuggets, ()

    def _decide(self, view: DiceTownView, question: Decide) -> Answer:
        """Take it oneself unless an offer is better than the place."""
        t = view.table
        own = {"bank": t.bank / 2, "mine": float(max(t.counts(NINE))), "badge": 4.0, "hall": 3.5}

        def gain(seat: int) -> float:
            if seat == view.seat:
                return own.get(question.place, 2.5)
            dollars, nuggets, cards = question.offers.get(seat, (0, 0, ()))
            return dollars / 2 + nuggets + 2 * len(cards) - standing(t, seat) / 100

        return max(question.tied, key=lambda seat: (gain(seat), -seat))

    def _doc_order(self, view: DiceTownView, question: DocOrder) -> Answer:
        """Go first oneself, then the poorest."""
        t = view.table
        return tuple(sorted(question.visitors, key=lambda s: (s != view.seat, standing(t, s), s)))

    def _winner(self, view: DiceTownView, question: Winner) -> Answer:
        """Win oneself if one may."""
        return view.seat if view.seat in question.tied else question.tied[0]


def standing(t: DiceTownTable, seat: int) -> float:
    """Return a seat's points as far as everybody can see, with hidden cards at their mean."""
    fenced = sum(points(t.face(card)) for card in t.fences[seat])
    hidden = 3.0 * len(t.deeds[seat]) + 2.5 * len(t.hands[seat])
    badge = 5 if seat == t.sheriff else 0
    return t.nuggets[seat] + t.dollars[seat] / 2 + badge + fenced + hidden


def _own(view: DiceTownView, hand: Iterable[int], wanted: str) -> list[int]:
    own = view.own
    return [card for card in hand if card in own and kind(own[card]) == wanted]


def _richest(view: DiceTownView, seats: Sequence[int]) -> int:
    t = view.table
    return max(seats, key=lambda seat: (min(4, t.dollars[seat]), standing(t, seat), -seat))


def _worth(view: DiceTownView, card: int) -> float:
    face = view.face(card)
    return 0.0 if face is None else card_worth(face)


def _most_valuable(view: DiceTownView, cards: Sequence[int]) -> int:
    return max(cards, key=lambda card: (_worth(view, card), -card))
