"""The PettingZoo environment."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest

from lanplay.engine.question import Illegal
from lanplay.games import NAMES

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

import numpy as np

from lanplay.env import env
from lanplay.env.asking import OPTIONS


def played(table, seed=None, pick=np.argmax):
    """Play a game with the action that ``pick`` takes of each mask; return what was seen last."""
    table.reset(seed=seed)
    trace = []
    for _ in table.agent_iter():
        seen, _, ended, _, _ = table.last()
        action = None if ended else int(pick(seen["action_mask"]))
        trace.append((table.agent_selection, action))
        table.step(action)
    return trace


def lots(seed):
    """Return a way to pick by lot from what a mask allows; a choice of several is soon done."""
    draw = np.random.default_rng(seed)

    def pick(mask):
        if mask[OPTIONS] and draw.random() < 0.4:
            return OPTIONS
        return draw.choice(np.flatnonzero(mask))

    return pick


@pytest.mark.parametrize("game", NAMES)
def test_pettingzoo_accepts_it(game):
    """PettingZoo's own test of the AEC interface passes, for every game."""
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("default")
        api_test(env(game, 3), num_cycles=300)


@pytest.mark.parametrize("game", NAMES)
def test_whole_games_end_with_rewards_that_sum_to_nothing(game):
    """Legal actions by lot lead to an end; the shares of the win less the mean sum to zero."""
    table = env(game, 2)
    table.reset(seed=1)
    pick = lots(1)
    total = dict.fromkeys(table.possible_agents, 0.0)
    won = dict.fromkeys(table.possible_agents, False)
    for agent in table.agent_iter():
        seen, reward, ended, _, info = table.last()
        total[agent] += reward
        assert table.observation_space(agent).contains(seen)
        if ended:
            assert {"score", "won"} <= set(info)
            won[agent] = bool(info["won"])
        table.step(None if ended else int(pick(seen["action_mask"])))
    assert sum(total.values()) == pytest.approx(0)
    assert any(won.values())
    gains = {agent for agent, reward in total.items() if reward > 0}
    assert gains == (set() if all(won.values()) else {agent for agent in won if won[agent]})


def test_a_seed_repeats_a_game():
    """The same seed and actions give the same game; the next one differs."""
    table = env("dice-town", 3)
    first = played(table, 5, lots(1))
    assert played(table, 5, lots(1)) == first
    assert played(table, None, lots(1)) != first


def test_an_action_that_the_mask_forbids_is_refused():
    """A forbidden action raises ``Illegal`` and changes nothing."""
    table = env()
    table.reset(seed=3)
    seen, *_ = table.last()
    with pytest.raises(Illegal):
        table.step(int(np.argmin(seen["action_mask"])))
    assert np.array_equal(table.last()[0]["observation"], seen["observation"])


def test_nobody_sees_what_another_is_asked_or_holds():
    """Dice under a cup and a dialogue under way are in the observation of their seat alone."""
    table = env("dice-town", 3)
    table.reset(seed=3)
    other = next(agent for agent in table.agents if agent != table.agent_selection)
    before = table.observe(other)
    assert not before["action_mask"].any()
    table.step(int(np.argmax(table.last()[0]["action_mask"])))
    assert table.agent_selection != other
    assert np.array_equal(table.observe(other)["observation"], before["observation"])


def test_a_situation_can_be_rendered():
    """In render mode ``ansi`` the table is told in lines of text."""
    table = env(render_mode="ansi")
    table.reset(seed=1)
    assert "seat_0" in table.render()


def test_without_the_packages_the_error_says_what_to_install():
    """``lanplay.env`` can be imported without them; making an environment names the extra."""
    program = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import lanplay.env\n"
        "assert 'numpy' not in sys.modules\n"
        "try: lanplay.env.env()\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "To install what lanplay.env needs: " in run.stdout
