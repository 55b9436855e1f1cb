"""What a game leaves behind in memory, and how often a process looks for it."""

import gc
import weakref

import pytest

from lanplay.engine.chance import Chance
from lanplay.engine.game import check_table
from lanplay.engine.record import Header
from lanplay.engine.simulation import Simulation
from lanplay.games import NAMES, load
from lanplay.garbage import SELDOM, seldom_collected
from lanplay_ai.random_agent import RandomAgent


@pytest.fixture
def no_collector():
    """Let nothing be freed but by its last reference."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def played(name):
    """Return a finished game of random bots."""
    game = load(name)
    seats = game.seats.start
    header = Header(name, check_table(game, seats, {}), ("Ann",) * seats, b"freed")
    agents = [RandomAgent(bytes([seat])) for seat in range(seats)]
    simulation = Simulation(game, header, agents, Chance(b"freed"))
    simulation.run()
    return simulation


@pytest.mark.parametrize("name", NAMES)
def test_a_finished_game_is_freed_with_its_last_reference(name, no_collector):
    """A finished game refers to nothing that refers to it, so that no search is needed."""
    simulation = played(name)
    freed = [weakref.ref(simulation), weakref.ref(simulation.agents[0])]
    del simulation
    assert [each() for each in freed] == [None, None]


@pytest.fixture
def usual():
    """Other thresholds than those of the tests."""
    before, usual = gc.get_threshold(), (700, 10, 10)
    gc.set_threshold(*usual)
    yield usual
    gc.set_threshold(*before)


def test_garbage_is_looked_for_seldom_only_while_games_are_played(usual):
    """The thresholds hold inside, and the usual ones again after it, whatever happens there."""
    with pytest.raises(KeyError), seldom_collected():
        assert gc.get_threshold() == SELDOM
        raise KeyError
    assert gc.get_threshold() == usual
