"""Runs a part of the rules with scripted dice and answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from lanplay.engine.requests import Choose, Deal, Mix, OpenRoll, Roll, Show, Shuffle, Uncover
from lanplay.games import load
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.cards import CLAIM_FACES, STORE, kind, points
from lanplay.games.dice_town.poker import NINE

GAME = load("dice-town")

FACES = {letter: face for face, letter in enumerate("9TJQKA")}

DEFAULTS = {
    q.Keep: lambda ask: ((0,), ()),
    q.DiceTownCheat: lambda ask: (),
    q.Play: lambda ask: None,
    q.Stop: lambda ask: None,
    q.DeclareJoe: lambda ask: None,
    q.Buy: lambda ask: (ask.cards[0], None, None),
    q.Rob: lambda ask: ask.victims[0],
    q.Take: lambda ask: min(ask.count, ask.store),
    q.KeepLoot: lambda ask: (ask.cards[0], None),
    q.Denounce: lambda ask: None,
    q.Consolation: lambda ask: (
        ask.faces[0],
        ask.deeds[:2] if ask.faces[0] == NINE else (),
    ),
    q.SheriffOffer: lambda ask: (0, 0, ()),
    q.Decide: lambda ask: ask.tied[0],
    q.DocOrder: lambda ask: ask.visitors,
    q.Winner: lambda ask: ask.tied[0],
}


def dice(text):
    """Return faces from letters, ``99JKA``; T is ten."""
    return tuple(FACES[letter] for letter in text)


def card(wanted, which=0):
    """Return the number of a Store card of a kind."""
    return [face for face, each in enumerate(STORE) if each == wanted][which]


def claim(value, which=0):
    """Return the number of a claim worth ``value``."""
    return [face for face in CLAIM_FACES if points(face) == value][which]


def new_table(seats=3, hands=(), **options):
    """Return a table in round 2 whose cards are all face up; ``hands`` are dice as letters."""
    t = GAME.table(seats, options)
    t.round = 2
    t.log = []
    for seat, text in enumerate(hands):
        t.dice[seat] = dice(text)
    return t


def give(t, seat, *cards):
    """Put cards of the deck into a hand, Store cards and claims alike."""
    for one in cards:
        if one in CLAIM_FACES:
            t.claims.remove(one)
            t.deeds[seat].append(one)
        else:
            t.deck.remove(one)
            t.hands[seat].append(one)


@dataclass
class Script:
    """What agents answer: ``answers[Question class]`` is a function of (seat, question).

    To ``Play`` the name of a kind may be answered: the first such card of the hand, if there is
    one. ``opens`` are the faces of open dice, a tuple for each request; then zeros.
    """

    t: object
    answers: dict = field(default_factory=dict)
    rolls: list = field(default_factory=list)
    opens: list = field(default_factory=list)
    asked: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    truth: dict = field(default_factory=dict)

    def run(self, part):
        self.cups = {}
        self.truth |= self.t.faces
        self.fresh = 1000
        answer = None
        while True:
            try:
                request = part.send(answer)
            except StopIteration as end:
                return end.value
            self.requests.append(request)
            try:
                answer = self._answer(request)
            except StopIteration as error:
                raise AssertionError("a scripted answer ran out of things") from error

    def questions(self, kind):
        return [(seat, ask) for seat, ask in self.asked if isinstance(ask, kind)]

    def _answer(self, request):
        match request:
            case Choose(questions=questions):
                return {seat: self._ask(seat, ask) for seat, ask in questions.items()}
            case Roll(dice=wanted):
                self.cups = {s: dice(text) for s, text in self.rolls.pop(0).items()}
                assert {s: len(d) for s, d in self.cups.items()} == dict(wanted)
            case Uncover(dice=places):
                return {s: tuple(self.cups[s][p] for p in ps) for s, ps in places.items()}
            case OpenRoll(count=count, sides=sides):
                faces = self.opens.pop(0) if self.opens else (0,) * count
                assert len(faces) == count
                assert max(faces) < sides
                return faces
            case Shuffle(piles=piles) | Mix(piles=piles):
                return {name: [self._renew(one) for one in pile] for name, pile in piles.items()}
            case Show(cards=cards):
                faces = tuple(self.truth[one] for one in cards)
                self.t.faces.update(zip(cards, faces, strict=True))
                return faces
            case Deal():
                return None
        return None

    def kind(self, one):
        """Return the kind of card that a handle stands for."""
        return kind(self.truth[one])

    def _renew(self, one):
        self.fresh += 1
        self.truth[self.fresh] = self.truth[one]
        self.t.faces.pop(one, None)
        return self.fresh

    def _ask(self, seat, ask):
        self.asked.append((seat, ask))
        scripted = self.answers.get(type(ask))
        answer = scripted(seat, ask) if scripted else DEFAULTS[type(ask)](ask)
        if isinstance(ask, q.Play) and isinstance(answer, str):
            answer = next((c for c in ask.hand if self.kind(c) == answer), None)
        if isinstance(ask, q.Buy | q.KeepLoot) and isinstance(answer[-1], str):
            free = [c for c in ask.layable if c not in ask.cards or c == answer[0]]
            laid = next((c for c in free if self.kind(c) == answer[-1]), None)
            answer = (*answer[:-1], laid)
        ask.check(answer)
        return answer


def run(t, part, **options):
    """Run a part of the rules; return the script with what was asked."""
    script = Script(t, **options)
    script.result = script.run(part)
    return script


def plays(**by_kind):
    """Return answers that play cards: ``dynamite=0`` lets seat 0 play its own, if it has it."""

    def laid(seat, kind):
        return kind if by_kind.get(kind) == seat else None

    return {
        q.Play: lambda seat, ask: laid(seat, ask.card),
        q.Buy: lambda seat, ask: (ask.cards[0], None, laid(seat, "credit")),
        q.KeepLoot: lambda seat, ask: (ask.cards[0], laid(seat, "girls")),
    }
