"""Runs turns and parts of the rules of Fliptown with scripted cards and answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from lanplay.engine.requests import Choose, Deal, OpenRoll, Round, Show, Shuffle
from lanplay.games import load
from lanplay.games.fliptown import questions as q
from lanplay.games.fliptown import turn as turns
from lanplay.games.fliptown.asks import Turn
from lanplay.games.fliptown.cards import card
from lanplay.games.fliptown.characters import CHARACTERS, equip
from lanplay.games.fliptown.codes import NO, PLAN
from lanplay.games.fliptown.map import GUNS, ITEMS, NAMES, REGION_NAMES, STONES, site
from lanplay.games.fliptown.sheet import Sheet

GAME = load("fliptown")

RULEBOOK = GUNS["rulebook"]
VALUES = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(n): n for n in range(2, 11)}


def cards(text):
    """Return faces from a list of cards: ``"Ah Td 5c"``."""
    return tuple(card(each) for each in text.split())


def at(name):
    """Return a site by its name: ``"trail 7"``, ``"town K"``, ``"mine 2b"``, ``"cemetery TL"``."""
    region, place = name.split()
    if region == "mine":
        return site(2, NAMES.index(place))
    if region == "cemetery":
        return site(4, STONES.index(place))
    return site(REGION_NAMES.index(region), VALUES[place])


def sheet(character=None, circled=(), **values):
    """Return a sheet as at the start of the game, with sites circled and fields set."""
    s = Sheet()
    equip(s, -1 if character is None else list(CHARACTERS).index(character))
    for name in circled:
        region, place = divmod(at(name), 16)
        s.circled[region] |= 1 << place
    for name, value in values.items():
        setattr(s, name, value)
    return s


@dataclass
class Walk:
    """A turn under way: ``asks`` are the choices it offered, ``pause`` where it stopped."""

    sheet: Sheet
    asks: list = field(default_factory=list)
    pause: int | None = None
    answer: tuple = ()

    def offered(self, what):
        """Return option: note of the first choice of this kind."""
        ask = next(ask for ask in self.asks if ask.what == what)
        return dict(zip(ask.values, ask.notes or (0,) * len(ask.values), strict=True))


def default(ask):
    """Nothing, where that can be chosen; else the first option."""
    return NO if NO in ask.values else ask.values[0]


def walk(s, flipped, *picks, round=1, guns="rulebook", pool=(PLAN,)):
    """Run a turn from its start on ``s``: the first card flipped is the suit card, then the value.

    ``picks`` are (choice, option) in order, the option as a number or the name of a site; every
    other choice takes its default. A choice that is not offered is an error.
    """
    turn = Turn(cards(flipped), round, GUNS[guns])
    s.pool = list(pool)
    return go_on(s, turn, *picks)


def go_on(s, turn, *picks):
    """Run a turn on from where it stands."""
    made, left = Walk(s), list(picks)
    walk = turns.TurnWalk(s, turn)
    while (ask := walk.ask) is not None:
        made.asks.append(ask)
        option = default(ask)
        if left and left[0][0] == ask.what:
            option = left.pop(0)[1]
            option = at(option) if isinstance(option, str) else option
        assert option in ask.values, f"{option} is not among {ask}"
        made.answer += (option,)
        walk.take(option)
    made.pause = walk.pause
    assert not left, f"never asked: {left}"
    return made


def visit(s, name, *picks):
    """Visit a site by a bonus action, then make the picks."""
    region = REGION_NAMES.index(name.split()[0])
    return walk(s, "2h 3s 4d", ("bonus", name), *picks, pool=(region,))


def new_table(seats=2, round=1, characters=(), **options):
    """Return a table in a round, its cards face up and in the order of their faces."""
    t = GAME.table(seats, options)
    t.round, t.ready, t.turn, t.log = round, 1, 1, []
    for seat, s in enumerate(t.sheets):
        name = characters[seat] if seat < len(characters) else None
        equip(s, -1 if name is None else list(CHARACTERS).index(name))
    return t


def stack(t, text):
    """Put cards on top of the deck, the first one first."""
    top = list(cards(text))
    t.deck = top + [each for each in t.deck if each not in top]


@dataclass
class Script:
    """Answers requests of the rules: handles are faces, no shuffle changes an order.

    ``turns[seat]`` is a list of picks for that seat's turns (see ``walk``); ``answers`` maps other
    question classes to a number, or to numbers by seat. ``opens`` are the faces of open dice.
    """

    turns: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)
    opens: list = field(default_factory=list)
    asked: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def run(self, t, part):
        self.t = t
        answer = None
        while True:
            try:
                request = part.send(answer)
            except StopIteration as end:
                self.result = end.value
                return self
            self.requests.append(request)
            answer = self._answer(request)

    def questions(self, kind):
        """Return (seat, question) of one kind, in the order asked."""
        return [(seat, each) for seat, each in self.asked if isinstance(each, kind)]

    def of(self, kind):
        """Return the requests of one kind."""
        return [each for each in self.requests if isinstance(each, kind)]

    def _answer(self, request):
        match request:
            case Choose(questions=questions):
                return {seat: self._ask(seat, each) for seat, each in questions.items()}
            case OpenRoll(count=count):
                return (self.opens.pop(0),) if self.opens else (0,) * count
            case Shuffle(piles=piles):
                for pile in piles.values():
                    for each in pile:
                        self.t.faces.pop(each, None)
                return {name: list(pile) for name, pile in piles.items()}
            case Show(cards=shown):
                self.t.faces.update({each: each for each in shown})
                return tuple(shown)
            case Deal() | Round():
                return None
        raise AssertionError(f"Fliptown never asks {request}")

    def _ask(self, seat, question):
        self.asked.append((seat, question))
        if isinstance(question, q.Move):
            answer = self._move(seat, question)
        else:
            answer = self.answers.get(type(question), 0)
            answer = answer.get(seat, 0) if isinstance(answer, dict) else answer
        question.check(answer)
        return answer

    def _move(self, seat, question):
        left, answer = self.turns.setdefault(seat, []), ()
        walk = turns.TurnWalk(question.sheet.copy(), question.turn)
        while (ask := walk.ask) is not None:
            option = default(ask)
            if left and left[0][0] == ask.what:
                option = left.pop(0)[1]
                option = at(option) if isinstance(option, str) else option
            answer += (option,)
            walk.take(option)
        return answer


def run(t, part, **script):
    """Run a part of the rules; return the script with what was asked."""
    return Script(**script).run(t, part)


GOODS = ("cash", "gold", "stars", "wanted", "pans", "hammers")


def goods(s):
    """Return what a sheet has, zeros left out."""
    return {name: getattr(s, name) for name in GOODS if getattr(s, name)}


def bare(**values):
    """Return a sheet without money."""
    return sheet(**{"cash": 0, "gold": 0, **values})


def item(name):
    return ITEMS.index(name)


def items(*names):
    return sum(1 << item(name) for name in names)


def reached(made, region):
    """Return the places of a region that the plan offered, with their prices."""
    found = made.offered("site").items()
    return {option % 16: price for option, price in found if option // 16 == region != NO}


def circle(s, *names):
    for name in names:
        region, place = divmod(at(name), 16)
        s.circled[region] |= 1 << place


def own(s, *names):
    for name in names:
        s.items |= 1 << ITEMS.index(name)
