"""Rules for Store cards: when to play one, what to stop, what to buy (DT-6, DT-3.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanplay.engine.question import Answer
from lanplay.games.dice_town.cards import (
    CORRUPTION,
    CREDIT,
    DYNAMITE,
    ELIXIR,
    GIRLS,
    MARSHAL,
    SPLIT,
    WANTED,
    kind,
)
from lanplay.games.dice_town.poker import JACK, NINE, QUEEN
from lanplay.games.dice_town.questions import Buy, DeclareJoe, Play, Stop
from lanplay.games.dice_town.questions.cards import joe_among
from lanplay.games.dice_town.questions.shapes import held
from lanplay.games.dice_town.questions.town import to_lay
from lanplay_ai.dice_town.loot import best_take, card_worth, dearest, worths_in_hand
from lanplay_ai.dice_town.profiles import DiceTownProfile
from lanplay_ai.dice_town.worth import (
    DOLLAR,
    HIDDEN_CLAIM,
    HIDDEN_STORE,
    DiceTownView,
    badge_scale,
    standing,
    transfer,
    visit_worth,
)

JOE_DOLLARS: Final = 4
PATIENCE: Final = 0.7
"""The part of a card's worth in hand that playing it has to bring."""


def play(p: DiceTownProfile, view: DiceTownView, question: Play) -> Answer:
    """Play a card where it brings more now than it is worth in hand."""
    return lay(p, view, held(view, question.hand, question.card))


def _dynamite(view: DiceTownView, p: DiceTownProfile) -> float:
    nines = view.table.counts(NINE)[view.seat]
    return p.nugget * (min(view.table.mine, 2 * nines) - nines)


def _credit(view: DiceTownView, p: DiceTownProfile) -> float:
    jacks = view.table.counts(JACK)[view.seat]
    cards = len(view.table.deck) + len(view.table.discards)
    return p.store * (HIDDEN_STORE + 0.5 * (min(jacks, cards) - 1)) if cards else 0.0


def _girls(view: DiceTownView, p: DiceTownProfile) -> float:
    queens = view.table.counts(QUEEN)[view.seat]
    victims = view.table.victims(view.seat)
    return p.saloon * max((best_take(view, each, queens)[0] for each in victims), default=0.0)


def _marshal(view: DiceTownView, p: DiceTownProfile) -> float:
    t = view.table
    return badge_scale(t, p) * transfer(t) if t.sheriff == view.seat else 0.0


def _split(view: DiceTownView, p: DiceTownProfile) -> float:
    """Return what half the loot is worth, seen from a thief that has just robbed the Bank."""
    t = view.table
    tens = t.counts(1)
    thief = max(t.others(view.seat), key=lambda seat: (tens[seat], t.dollars[seat]))
    return DOLLAR * p.money * min(4.0, t.dollars[thief] / 3) * transfer(t)


def _elixir(view: DiceTownView, p: DiceTownProfile) -> float:
    return visit_worth(view.table, view.seat, p, view.table.dice[view.seat])


EFFECTS: Final[dict[str, Callable[[DiceTownView, DiceTownProfile], float]]] = {
    DYNAMITE: _dynamite,
    CREDIT: _credit,
    GIRLS: _girls,
    MARSHAL: _marshal,
    CORRUPTION: lambda view, p: p.claim * HIDDEN_CLAIM,
    SPLIT: _split,
    ELIXIR: _elixir,
}
"""What playing a card now brings, in victory points, by its kind."""


def stop(p: DiceTownProfile, view: DiceTownView, question: Stop) -> Answer:
    """Stop the best of the cards shown, if it is worth as much as Wanted itself."""
    t = view.table
    wanted, target = held(view, question.hand, WANTED)[0], best_target(view, question)
    enough = card_worth(t, t.face(target)) >= card_worth(t, view.own[wanted])
    return (wanted, target) if enough else None


def best_target(view: DiceTownView, question: Stop) -> int:
    """Return the card shown that is worth most in a hand."""
    t = view.table
    return max(question.targets, key=lambda each: (card_worth(t, t.face(each)), -each))


def richest(view: DiceTownView, seats: Sequence[int]) -> int:
    """Return the seat that can pay Nervous Joe most; among equals the one that leads."""
    t = view.table
    return max(seats, key=lambda s: (min(JOE_DOLLARS, t.dollars[s]), standing(t, s), -s))


def joe_worth(view: DiceTownView, seats: Sequence[int]) -> float:
    """Return what Nervous Joe brings, in victory points."""
    t = view.table
    return DOLLAR * min(JOE_DOLLARS, t.dollars[richest(view, seats)]) * transfer(t)


def joe(p: DiceTownProfile, view: DiceTownView, question: DeclareJoe) -> Answer:
    """Send Nervous Joe to the richest."""
    return richest(view, question.others)


def buy(p: DiceTownProfile, view: DiceTownView, question: Buy) -> Answer:
    """Keep the card that is worth most at this time of the game; Nervous Joe acts at once."""
    worths = worths_in_hand(view, list(question.cards), HIDDEN_STORE)
    joe = joe_among(view, question.cards)
    if joe is not None:
        worths[question.cards.index(joe)] = joe_worth(view, question.others)
    card = dearest(question.cards, worths)
    victim = richest(view, question.others) if card == joe else None
    credits = to_lay(view, CREDIT, question.layable, question.cards, card)
    return card, victim, lay(p, view, credits)


def lay(p: DiceTownProfile, view: DiceTownView, cards: Sequence[int]) -> Answer:
    """Return the first of some cards of a kind, if there is one and it brings enough now."""
    if not cards:
        return None
    face = view.own[cards[0]]
    in_hand = PATIENCE * card_worth(view.table, face)
    return cards[0] if EFFECTS[kind(face)](view, p) > in_hand else None
