"""What the bots of Fliptown expect of cards to come, against every draw counted one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import load
from lanplay.games.fliptown import questions as q
from lanplay.games.fliptown.characters import MAYOR
from lanplay_ai.fliptown import odds
from lanplay_ai.fliptown.players import FliptownPlayer
from tests.fliptown.script import cards, new_table

GAME = load("fliptown")

TABLES = [
    (seats, holdem, mayor) for seats in (1, 2, 4) for holdem in ("none", "each") for mayor in (0, 1)
]
PAYS = {(2,): 1.5, (2, 2): 2.75, (3,): 4.0, (2, 3): 7.75, (4,): 9.0}
"""Points for cards alike (FT-3.1, FT-10.1): cash / 4 + stars."""
STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL = 5.25, 6.5, 10.25, 11.5


def pays(hand):
    """Return what five cards pay in points."""
    counts = Counter(face % 13 for face in hand)
    alike = tuple(sorted(count for count in counts.values() if count > 1))
    if alike:
        return PAYS[alike]
    flush = len({face // 13 for face in hand}) == 1
    starts = [start for start in range(10) if {(start + n) % 13 for n in range(5)} == set(counts)]
    if starts and flush:
        return ROYAL if starts == [9] else STRAIGHT_FLUSH
    return FLUSH if flush else STRAIGHT if starts else 0.0


def best_pay(hand):
    return max(map(pays, combinations(hand, 5)))


def mean_pay(held, pool):
    """Return what a hand that lacks one card pays on average, of all flips of three."""
    flips = [*map(max, combinations([best_pay((*held, face)) for face in pool], 3))]
    return Fraction(sum(flips)) / len(flips)


def position(seats, holdem, mayor):
    """Return a game before the first choice of seat 0 in turn 4: a Mayor's, or its plan."""
    for number in range(200):
        seed = b"odds %d" % number
        options = {"characters": "random", "holdem": holdem}
        header = Header(GAME.name, options, ("beginner",) * seats, seed)
        agents = [ai.make("beginner", seed + b"%d" % seat, "fliptown") for seat in range(seats)]
        game = Simulation(GAME, header, agents, Chance(seed))
        while not game.table.ready:
            game.step()
        if mayor and game.table.sheets[0].character != MAYOR:
            continue
        while game.table.turn < 4 or 0 not in getattr(game.request, "questions", ()):
            game.step()
        if isinstance(game.request.questions[0], q.Replace if mayor else q.Move):
            return game
    raise AssertionError("no game comes to it")


def hidden(game, seat):
    """Return the faces of all cards that a seat cannot see, by what lies where."""
    t, view = game.table, game.views[seat]
    face_down = [*t.deck, *t.stolen, *[card for cards in t.hole for card in cards], t.sheriff]
    return {game._faces[card] for card in face_down if card not in view.own}


@pytest.mark.parametrize(("seats", "holdem", "mayor"), TABLES)
def test_every_card_to_come_is_counted_once(monkeypatch, seats, holdem, mayor):
    """FT-3.1, FT-3.3, FT-5: the last poker card, robberies and arrests, also after other flips."""
    game = position(seats, holdem, mayor)
    view, pool = game.views[0], hidden(game, 0)
    question = game.request.questions[0]
    weighed = []
    search = FliptownPlayer._search

    def noted(player, outlook, turn):
        weighed.append((outlook, turn.flipped))
        return search(player, outlook, turn)

    monkeypatch.setattr(FliptownPlayer, "_search", noted)
    ai.make("expert", b"key", "fliptown").answer(view, question)
    assert len(weighed) == (7 if mayor else 1)
    hole = tuple(view.own[card] for card in game.table.hole[0])
    poker, sheriff = game.table.sheets[0].poker, view.own.get(game.table.sheriff)
    for outlook, flipped in weighed:
        assert len({*flipped}) == 3
        assert flipped == game.table.lineup() or pool.issuperset(flipped)
        left = sorted(pool.difference(flipped))
        for card in flipped:
            expected = mean_pay((*poker, card, *hole), left)
            assert outlook.hand((*poker, card)) == pytest.approx(float(expected), abs=1e-12)
        s = game.table.sheets[0].copy()
        s.items = 0
        for target in range(2, 14):
            fewer = [face for face in left if face % 13 + 1 < target]
            below = Fraction(len(fewer), len(left))
            assert outlook.success(s, target) == pytest.approx(float(1 - below))
            arrested = below if sheriff is None else sheriff % 13 + 1 < target
            assert outlook.chance(target) == pytest.approx(float(arrested))


def test_a_deck_too_small_for_a_flip_gives_used_cards_again():
    """FT-2.8: what a Mayor weighs then comes of the discards too, and never lies there twice."""
    t = new_table(1)
    t.deck, t.discards, t.flipped, t.sheriff = [0, 1, 2, 3], list(range(4, 48)), [48, 49, 50], 51
    t.faces = {card: card for card in range(4, 51)}
    view = View(0, t, Header("fliptown", {}, ("x",), None), [])
    assert odds.unseen(view) == (0, 1, 2, 3, 51)
    again = odds.unseen(view, (0, 1, 2))
    assert again == (*range(3, 48), 51)
    t.turn, t.round = 4, 3
    t.sheets[0].poker = cards("9h 9s 9d")
    answer = ai.make("casual", b"key", "fliptown").answer(view, q.Replace((48, 49, 50)))
    assert answer in (0, 1)
