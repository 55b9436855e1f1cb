"""Runs a part of the rules on a table laid out by hand, with scripted lots and answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from lanplay.engine.requests import Choose, ClaimRefuted, Deal, OpenRoll, Round, Show, Shuffle
from lanplay.games import load
from lanplay.games.dogs_life.actions import STOP, action, legal
from lanplay.games.dogs_life.dogs import BONE, DOGS, RESULTS, SHUFFLE
from lanplay.games.dogs_life.questions import Act, Steer
from lanplay.games.dogs_life.town import NOWHERE, TOWN

GAME = load("dogs-life")

BELLE, FIDO, REX, GROUCHY, FANG, VAGABOND = range(6)
FAR = ("A9", "B12", "O6", "N4", "E3", "L11")
"""Spaces without anything near, one for each seat."""
START = 50
"""The first handle after a shuffle."""


def at(key):
    """Return the place with a name or key."""
    return TOWN.place(key)


def new_table(seats=3, **options):
    """Return a table in round 1: seat n has dog n and den n, and is in its den; seat 0 begins."""
    t = GAME.table(seats, {name: str(value) for name, value in options.items()})
    t.dogs = t.dens = tuple(range(seats))
    t.place = [t.home(seat) for seat in range(seats)]
    t.first = 0
    t.round = 1
    t.stack = list(range(20, 32))
    t.faces = {}
    t.log = []
    t.pass_on(0)
    t.points = 8
    return t


def hold(t, seat, *cards):
    """Let the deck of a seat be some cards and the shuffle card: the lowest comes first."""
    t.decks[seat] = (*sorted(cards), SHUFFLE)


def card(dog, name, value):
    """Return a card of a dog with a value in a field."""
    return DOGS[dog].field(name).index(value)


def food(dog, name):
    """Return the card of a dog with the most food in a field, and how much it is."""
    most = max(value for value in DOGS[dog].field(name) if value != BONE)
    return card(dog, name, most), most


def paws(one, other, *signs):
    """Return a list of cards for each of two dogs that meet in fights, one after another.

    A sign says who has more paws: 1 for ``one``, -1 for ``other``, 0 for neither.
    """
    own, its = [], []
    for sign in signs:
        pairs = product(range(RESULTS), repeat=2)
        found = next(
            (n, m)
            for n, m in pairs
            if n not in own and m not in its and more(one, n, other, m) == sign
        )
        own.append(found[0])
        its.append(found[1])
    return own, its


def more(one, own, other, its):
    own, its = DOGS[one].fight[own], DOGS[other].fight[its]
    return (own > its) - (own < its)


def can(t, kind, what=0, seat=0):
    """Tell whether an action is open to a seat."""
    return action(kind, what) in legal(t, seat)


def can_go(t, key, seat=0):
    """Tell whether a seat's dog can move to a place."""
    return action(1, at(key)) in legal(t, seat)


def said(t):
    """Return the ids of the events told so far."""
    return [message.id for message in t.log]


@dataclass
class Script:
    """``lots`` are drawn in order, later ones are 0. ``acts`` are codes, then ``STOP``.

    ``drives`` are paths of places, then the first one offered. ``faces`` are hidden faces by
    handle; a shuffle keeps the order of the cards.
    """

    lots: list = field(default_factory=list)
    acts: list = field(default_factory=list)
    drives: list = field(default_factory=list)
    faces: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    handles: int = START

    def run(self, t, part):
        answer = None
        while True:
            try:
                request = part.send(answer)
            except StopIteration as end:
                self.result = end.value
                return self
            self.requests.append(request)
            answer = self._answer(t, request)

    def of(self, kind):
        """Return the requests of one kind."""
        return [request for request in self.requests if isinstance(request, kind)]

    def _answer(self, t, request):
        match request:
            case Choose(questions=questions):
                return {seat: self._ask(t, seat, question) for seat, question in questions.items()}
            case OpenRoll(sides=sides):
                lot = self.lots.pop(0) if self.lots else 0
                assert lot < sides
                return (lot,)
            case Shuffle(piles=piles):
                return {name: self._renew(t, pile) for name, pile in piles.items()}
            case Show(cards=cards):
                t.faces |= {card: self.faces[card] for card in cards}
                return tuple(self.faces[card] for card in cards)
            case Deal() | ClaimRefuted() | Round():
                return None
        raise AssertionError(f"A Dog's Life never asks {request}")

    def _renew(self, t, pile):
        fresh = list(range(self.handles, self.handles + len(pile)))
        self.handles += len(pile)
        for old, new in zip(pile, fresh, strict=True):
            t.faces.pop(old, None)
            if old in self.faces:
                self.faces[new] = self.faces[old]
        return fresh

    def _ask(self, t, seat, question):
        self.asked.append((seat, question))
        if isinstance(question, Act):
            answer = self.acts.pop(0) if self.acts else STOP
        else:
            assert isinstance(question, Steer)
            answer = self.drives.pop(0) if self.drives else question.drives()[0]
        question.check(answer)
        return answer


__all__ = ["FAR", "NOWHERE", "Script"]
