"""Forks: look-ahead from what a seat can see."""

from __future__ import annotations

import gc
from itertools import chain

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.fork import _Guess, fork
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose, ClaimRefuted
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import NAMES, load
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.cards import STORE

GAME = load("dice-town")

SEATS = 4


def agents(key, bot="strong", rules=GAME):
    return [ai.make(bot, key + b"%d" % seat, rules.name) for seat in range(SEATS)]


def started(seed, steps, bot="random", rules=GAME):
    options = {name: values[0] for name, values in rules.options.items()}
    header = Header(rules.name, options, ("x",) * SEATS, seed)
    game = Simulation(rules, header, agents(seed, bot, rules), Chance(seed))
    for _ in range(steps):
        if game.request is not None:
            game.step()
    while game.request is not None and not isinstance(game.request, Choose):
        game.step()
    return game


@pytest.mark.sweep(3)
@pytest.mark.parametrize("steps", [5, 40, 150, 300])
@pytest.mark.parametrize("seed", [b"one", b"two", b"three"])
@pytest.mark.parametrize("name", NAMES)
def test_a_fork_agrees_with_its_view_and_plays_to_the_end(name, seed, steps):
    """A fork has the public state and every face that its seat knows, and can be finished."""
    rules = load(name)
    game = started(seed, steps, rules=rules)
    for view in game.views:
        twin = fork(rules, view, b"key", agents(b"fork", rules=rules))
        assert twin.table.hash() == game.table.hash()
        own = twin.views[view.seat]
        assert own.cup == view.cup
        assert all(twin._faces[card] == face for card, face in view.own.items())
        assert all(twin._faces[card] == face for card, face in game.table.faces.items())
        before = game.table.hash()
        twin.run()
        assert rules.result(twin.table).winners
        assert game.table.hash() == before


def test_a_fork_goes_on_after_a_false_claim(monkeypatch):
    """A seat claimed what its card did not show: its answers no longer say what it holds."""
    header = Header("dice-town", {}, ("x",) * SEATS)
    game = Simulation(GAME, header, agents(b"false"), Chance(b"false"))
    with monkeypatch.context() as modified:
        modified.setattr(q.Play, "only_answer", lambda ask, view: (ask.hand[0],))
        while not isinstance(game.request, ClaimRefuted):
            game.step()
    while not isinstance(game.request, Choose):
        game.step()
    explained = []
    explains = _Guess.explains_answers
    monkeypatch.setattr(
        _Guess, "explains_answers", lambda *args: explained.append(explains(*args)) or explained[-1]
    )
    twin = fork(GAME, game.views[0], b"key", agents(b"fork"))
    assert explained[-1]
    assert twin.table.hash() == game.table.hash()
    twin.run()
    assert GAME.result(twin.table).winners


@pytest.mark.parametrize("steps", [40, 150, 300])
def test_no_card_is_in_two_places_of_a_fork(steps):
    """The faces that a fork guesses are those of the game's cards, each once."""
    game = started(b"cards", steps)
    for view in game.views:
        twin = fork(GAME, view, b"key", agents(b"fork"))
        live = [*game.table.deck, *game.table.discards, *chain(*game.table.hands)]
        assert len({twin._faces[card] for card in live}) == len(live)
        assert all(0 <= twin._faces[card] < len(STORE) for card in live)


@pytest.mark.parametrize("name", NAMES)
def test_equal_views_and_keys_give_equal_forks(name):
    """The same view and key lead to the same game; another key to another one."""
    rules = load(name)
    game = started(b"equal", 30, rules=rules)
    ends = []
    for key in (b"a", b"a", b"b"):
        twin = fork(rules, game.views[1], key, agents(b"fork", rules=rules))
        twin.run()
        ends.append(twin.table.hash())
    assert ends[0] == ends[1] != ends[2]


def test_what_is_hidden_behind_a_view_changes_no_fork():
    """Two games that look alike to a seat, with other faces hidden, give it the same forks."""
    game = started(b"hidden", 80)
    view = game.views[0]
    truth = list(game._faces)
    known = {**view.own, **game.table.faces}
    deck = [card for card in game.table.deck if card not in known]
    rotated = [truth[card] for card in deck[1:] + deck[:1]]
    first = fork(GAME, view, b"k", agents(b"f"))
    for card, face in zip(deck, rotated, strict=True):
        game._faces[card] = face
    second = fork(GAME, view, b"k", agents(b"f"))
    first.run()
    second.run()
    assert first.table.hash() == second.table.hash()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_hidden_is_reachable_from_a_view(name):
    """Whatever can be reached from a view, it is neither another view nor the truth."""
    game = started(b"reach", 100, rules=load(name))
    view = game.views[2]
    seen, queue = set(), [view]
    while queue:
        thing = queue.pop()
        if id(thing) in seen or isinstance(thing, type) or callable(thing):
            continue
        seen.add(id(thing))
        queue += gc.get_referents(thing)
    assert id(game._faces) not in seen
    assert id(game) not in seen
    others = [other for other in game.views if other is not view]
    assert not any(id(other) in seen or id(other.own) in seen for other in others)
    assert isinstance(view, View)
