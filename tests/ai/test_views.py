"""What a bot can reach from its view."""

from __future__ import annotations

import gc
import types

import pytest

import ai
from lanplay.engine.chance import Chance
from lanplay.engine.fork import fork
from lanplay.engine.record import Header
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load

SEED = b"a seed that nobody may see"
KEYS = (b"one", b"two")
CODE = type | types.FunctionType | types.BuiltinFunctionType | types.ModuleType | property


def reachable(*roots):
    """Yield every object that can be reached through attributes, items and members."""
    seen, todo = set(), list(roots)
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, CODE):
            continue
        seen.add(id(thing))
        yield thing
        todo += [each for each in gc.get_referents(thing) if not isinstance(each, CODE)]


def positions(game, seats):
    """Yield a simulation at each of its choices, with the seats that are asked."""
    rules = load(game)
    options = {name: values[0] for name, values in rules.options.items()}
    header = Header(game, rules.version, options, ("x",) * seats, SEED)
    bots = [ai.make("random", b"%d" % seat, game) for seat in range(seats)]
    simulation = Simulation(rules, header, bots, Chance(SEED))
    while (request := simulation.request) is not None:
        if isinstance(request, Choose):
            yield simulation, request.questions
        simulation.step()


@pytest.mark.parametrize("game", NAMES)
def test_nothing_hidden_can_be_reached_from_a_view(game):
    """From a view and its question lead no ways to the driver, other views, chance or the seed."""
    for number, (simulation, questions) in enumerate(positions(game, 3)):
        if number % 7:
            continue
        for seat, question in questions.items():
            hidden = {
                id(each)
                for each in (
                    simulation,
                    simulation._faces,
                    simulation._chance,
                    simulation.referee,
                    simulation.header,
                    *simulation.agents,
                    *(view for view in simulation.views if view.seat != seat),
                    *(view.own for view in simulation.views if view.seat != seat),
                )
            }
            for thing in reachable(simulation.views[seat], question):
                assert id(thing) not in hidden
                assert thing != SEED


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
