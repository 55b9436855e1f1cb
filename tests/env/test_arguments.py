"""What is asked of an environment is taken whole or refused in words."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import numpy as np

from lanplay.env import batch_env, env, gym_env, parallel_env
from lanplay.env.match import IllegalActionError

MAKERS = {"aec": env, "parallel": parallel_env, "gym": gym_env, "batch": batch_env}


@pytest.mark.parametrize("kind", list(MAKERS))
def test_a_seed_of_numpy_is_a_seed(kind):
    """It is what ``rng.integers`` gives; the game is that of the same whole number."""
    table, same = MAKERS[kind]("charidice"), MAKERS[kind]("charidice")
    same.reset(seed=7)
    table.reset(seed=np.int64(7))
    if kind == "aec":
        seen, expected = table.observe("seat_0"), same.observe("seat_0")
        assert np.array_equal(seen["observation"], expected["observation"])


@pytest.mark.parametrize("kind", list(MAKERS))
@pytest.mark.parametrize("seed", [np.int64(7), [1], "x"])
def test_a_seed_that_is_refused_changes_nothing(kind, seed):
    """The next reset goes on as if it had never been asked for."""
    table = MAKERS[kind]("charidice")
    table.reset(seed=1)
    try:
        table.reset(seed=seed)
    except (TypeError, ValueError):
        table.reset()


@pytest.mark.parametrize("kind", list(MAKERS))
def test_a_limit_of_steps_is_a_whole_number(kind):
    """Others are refused when the environment is made: a batch would never be cut off."""
    with pytest.raises(ValueError, match="max_steps"):
        MAKERS[kind]("charidice", max_steps=1.5)


@pytest.mark.parametrize("kind", ["aec", "parallel", "gym"])
def test_a_way_to_render_that_there_is_not_is_refused(kind):
    """Only ``ansi`` is among the render modes."""
    with pytest.raises(ValueError, match="human"):
        MAKERS[kind]("charidice", render_mode="human")


@pytest.mark.parametrize("kind", ["aec", "gym"])
def test_an_array_for_an_action_is_refused_in_words(kind):
    """A policy's ``argmax(keepdims=True)`` is an illegal action like any other."""
    table = MAKERS[kind]("dice-town")
    table.reset(seed=1)
    with pytest.raises(IllegalActionError, match="Legal: "):
        table.step(np.array([1]))


def test_a_batch_takes_whole_numbers_alone_and_nothing_is_done_before():
    """Neither 0.0 nor a list is an action, in whichever game it stands."""
    table = batch_env("charidice", 2)
    legal = table.reset(seed=1).mask.argmax(1)
    for wrong in ([int(legal[0]), float(legal[1])], legal.reshape(2, 1), legal.astype(float)):
        with pytest.raises(IllegalActionError, match="which is no action"):
            table.step(wrong)
    assert table._steps == [0, 0]
    table.step(legal)


def test_a_batch_that_was_not_reset_says_so():
    with pytest.raises(ValueError, match="reset comes first"):
        batch_env("charidice", 2).step([1, 1])


@pytest.mark.parametrize("games", [1.5, True, "2"])
def test_the_number_of_games_of_a_batch_is_a_whole_number(games):
    with pytest.raises(ValueError, match="game"):
        batch_env("charidice", games).reset(seed=1)


@pytest.mark.parametrize("kind", ["aec", "parallel", "batch"])
def test_a_number_of_seats_is_a_whole_number(kind):
    """As at a reset: 2.0 seats are refused in words when the environment is made."""
    with pytest.raises(ValueError, match="seats"):
        MAKERS[kind]("charidice", seats=2.0)


@pytest.mark.parametrize("kind", ["aec", "parallel", "batch"])
def test_a_reset_takes_a_number_of_seats_of_numpy(kind):
    """As a curriculum draws it; 2.0 and ``True`` are none there either."""
    table = MAKERS[kind]("charidice", seats=4)
    table.reset(seed=1, options={"seats": np.int64(3)})
    for wrong in (2.0, True, 5):
        with pytest.raises(ValueError, match="seats"):
            table.reset(seed=1, options={"seats": wrong})


@pytest.mark.parametrize("place", [1.0, True, -1, 2])
def test_a_place_is_a_whole_number_of_one_of_the_seats(place):
    """Others are refused when the environment is made, not by the reward of the first game."""
    with pytest.raises(ValueError, match="place"):
        gym_env("charidice", place=place)
