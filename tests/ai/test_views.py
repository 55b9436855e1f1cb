"""What a bot can reach from its view."""

from __future__ import annotations

from functools import partial

import pytest

import lanplay_ai as ai
from lanplay.engine.chance import Chance
from lanplay.engine.fork import fork
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.engine.view import View
from lanplay.games import NAMES, load
from tests.ai.watched import CODE, SEED, Observer, Watched, leaks, watched

KEYS = (b"one", b"two")
CLOSELY = 300
"""After so many requests of a game views are looked at after every tenth."""


def first_leaks(simulation, game):
    """Play a game and return the first request that has let seats reach what they must not.

    With what they reach: ``None`` and nothing for a game without any.
    """
    observer, number = Observer(game, len(simulation.views)), 0
    while (request := simulation.request) is not None:
        simulation.step()
        observer.note(request)
        number += 1
        if (number <= CLOSELY or number % 10 == 0) and (found := leaks(simulation, observer)):
            return request, found
    assert observer.public, "faces were marked, and some have become known"
    return None, []


@pytest.mark.parametrize("game", NAMES)
def test_nothing_hidden_can_be_reached_from_a_view(game):
    """After every request views and questions lead to no face that their seat may not know.

    Nor to the driver, other views, chance, the seed or a bot.
    """
    assert first_leaks(watched(game), game) == (None, [])


class Wide(View):
    """A view with room for what does not belong there."""

    __slots__ = ("extra",)


class Leaky(Watched):
    """A driver whose views have room for more."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.views = [Wide(v.seat, v.table, v.header, v.history) for v in self.views]


class DealsToAll(Leaky):
    """Lets every seat learn the cards that are dealt to one."""

    def deal(self, request):
        super().deal(request)
        for view in self.views:
            view.own.update({card: self._faces[card] for card in request.cards})


class MixesForAll(Leaky):
    """Lets every seat follow the cards that one mixes."""

    def mix(self, request):
        fresh = super().mix(request)
        for view in self.views:
            view.own.update(self.views[request.seat].own)
        return fresh


class LiftsCups(Leaky):
    """Shows every seat what lies under all cups."""

    def roll(self, request):
        super().roll(request)
        for view in self.views:
            view.extra = [each.cup for each in self.views]


class TurnsCards(Leaky):
    """Hands every seat a copy of all faces."""

    def step(self):
        super().step()
        for view in self.views:
            view.extra = tuple(self._faces)


class TurnsCardsLater(Leaky):
    """Hands every seat a function that knows all faces."""

    def step(self):
        super().step()
        faces = tuple(self._faces)
        for view in self.views:
            view.extra = partial(lambda card: faces[card])


class HandsOutChance(Leaky):
    """Hands every seat the luck that is still to come."""

    def step(self):
        super().step()
        for view in self.views:
            view.extra = {"luck": [self._chance]}


LEAKY = [
    *(("dice-town", each) for each in (DealsToAll, MixesForAll, LiftsCups)),
    *((game, each) for game in ("fliptown", "dogs-life") for each in (DealsToAll,)),
    *((game, TurnsCards) for game in ("dice-town", "fliptown", "dogs-life")),
    ("dice-town", TurnsCardsLater),
    *((game, HandsOutChance) for game in NAMES),
]


@pytest.mark.parametrize(("game", "driver"), LEAKY)
def test_a_driver_that_tells_too_much_is_caught(game, driver):
    """The walk of the test above finds what leaks, in whatever it lies."""
    request, found = first_leaks(watched(game, driver), game)
    assert request is not None
    assert found


def positions(game, seats):
    """Yield a simulation at each of its choices, with the seats that are asked."""
    rules = load(game)
    options = {name: values[0] for name, values in rules.options.items()}
    header = Header(game, options, ("x",) * seats, SEED)
    bots = [ai.make("random", b"%d" % seat, game) for seat in range(seats)]
    simulation = Simulation(rules, header, bots, Chance(SEED))
    while (request := simulation.request) is not None:
        if isinstance(request, Choose):
            yield simulation, request.questions
        simulation.step()


def dump(thing):
    """Return all that can be reached from a thing as nested plain data."""
    if isinstance(thing, dict):
        return {repr(key): dump(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple | set | frozenset | range):
        return [dump(each) for each in thing]
    names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    names += getattr(thing, "__dict__", {})
    if not names or isinstance(thing, CODE):
        return repr(thing)
    return {name: dump(getattr(thing, name)) for name in names if hasattr(thing, name)}


def test_what_is_hidden_shows_nowhere_in_a_view():
    """Two games with one view and other hidden faces behind it: all that it leads to is equal."""
    differed = 0
    for number, (simulation, questions) in enumerate(positions("dice-town", 3)):
        if number % 40:
            continue
        for seat in questions:
            bots = [ai.make("random", b"", "dice-town") for _ in simulation.views]
            twins = [fork(load("dice-town"), simulation.views[seat], key, bots) for key in KEYS]
            views = [dump(twin.views[seat]) for twin in twins]
            assert views[0] == views[1]
            differed += twins[0]._faces != twins[1]._faces
    assert differed
