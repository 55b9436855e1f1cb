"""Liar's Dice, made small: a game of another package, as far as the drivers can tell.

Everybody rolls under a cup and says whether to double the stakes; then seat after seat bids on the
number of dice with one face under all cups, higher each time, or calls the last bid.
"""

from __future__ import annotations

from lanplay.engine.game import Game
from lanplay.engine.manifest import GameManifest, Ref, TableOption
from lanplay.engine.question import Illegal, Option, Phrase, Pick, Question
from lanplay.engine.requests import Choose, Roll, Round, Uncover
from lanplay.engine.rules import Result, RuleSet
from lanplay.engine.table import Table

ROUNDS = 3
JUMP = 3
"""How far above the last bid another may be."""


class Double(Question):
    """Double the stakes (1) or not (0): asked openly, of everybody at once."""

    __slots__ = ()
    name = "double"
    rule = "LD-1.1"
    needs_cup = False

    def check(self, answer):
        if type(answer) is not int or answer not in (0, 1):
            raise Illegal(self.rule, "malformed")

    def dialogue(self, view):
        return (yield Pick(Phrase("double"), [Option(each, Phrase("yes")) for each in (0, 1)]))


class Bid(Question):
    """Bid more than ``last``, of ``dice`` dice in all, or call (0). No answer shows a die."""

    __slots__ = ("last", "dice")
    name = "bid"
    rule = "LD-1.2"
    needs_cup = True

    def __init__(self, last, dice):
        self.last = last
        self.dice = dice

    @property
    def legal(self):
        higher = range(self.last + 1, min(self.last + JUMP, self.dice) + 1)
        return [*([0] if self.last else []), *higher]

    def check(self, answer):
        if type(answer) is not int or answer not in self.legal:
            raise Illegal(self.rule, "malformed")

    def dialogue(self, view):
        options = [Option(bid, Phrase("bid", {"count": bid})) for bid in self.legal]
        return (yield Pick(Phrase("bid"), options))


class LiarsTable(Table):
    """``bid`` is the last bid on ``face``, ``shown`` the dice of the last round by seat."""

    __slots__ = ("bid", "dice", "face", "points", "shown")

    def __init__(self, seats, dice):
        super().__init__(seats)
        self.dice = dice
        self.bid = self.face = 0
        self.points = (0,) * seats
        self.shown = ()


def table(seats, options):
    return LiarsTable(seats, int(options["dice"]))


def rules(t):
    everybody = range(t.seats)
    while t.round < ROUNDS:
        yield Round(t.round + 1)
        t.round += 1
        t.bid, t.face, seat = 0, t.round % 6, t.round
        yield Roll((t.round,), dict.fromkeys(everybody, t.dice))
        doubled = yield Choose({each: Double() for each in everybody})
        while True:
            seat = (seat + 1) % t.seats
            bid = (yield Choose({seat: Bid(t.bid, t.dice * t.seats)}))[seat]
            if not bid:
                break
            t.bid = bid
            t.log_event("bid", seat=seat, count=bid)
            if bid == t.dice * t.seats:
                seat = (seat + 1) % t.seats
                break
        shown = yield Uncover(dict.fromkeys(everybody, tuple(range(t.dice))))
        t.shown = tuple(shown.values())
        true = sum(dice.count(t.face) for dice in t.shown) >= t.bid
        winner = (seat - true) % t.seats
        stake = 1 + sum(doubled.values())
        t.points = tuple(p + stake * (s == winner) for s, p in enumerate(t.points))


def result(t):
    best = max(t.points)
    return Result(t.points, tuple(s for s, points in enumerate(t.points) if points == best))


def snapshot(t):
    return (t.round, t.points)


def from_snapshot(t, data):
    t.round, t.points = data


RULES = RuleSet(table, rules, result, snapshot, from_snapshot)
DICE = ("5", *(str(dice) for dice in (1, 2, 3, 4, *range(6, 13), 250)))
MANIFEST = GameManifest(
    name="liars-dice",
    title="Liar's Dice",
    seats=range(2, 11),
    options=(TableOption("dice", "Dice of each seat", dict(zip(DICE, DICE, strict=True))),),
    rules=Ref("tests.games.liars_dice:RULES"),
    words=Ref("tests.games.liars_dice"),
    summary=Ref("tests.games.liars_dice"),
    cup=250,
)
GAME = Game(MANIFEST, RULES)
