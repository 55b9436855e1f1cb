"""The environments for programs that learn: PettingZoo, Gymnasium, and many games at a time."""

from __future__ import annotations

import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest

from lanplay.engine.game import Game
from lanplay.games import NAMES, load

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from lanplay.env import batch_env, env, gym_env, parallel_env
from lanplay.env.catalog import WAIT
from lanplay.env.match import IllegalActionError, declared

TABLES = [(game, seats) for game in NAMES for seats in load(game).seats]


class Folded(gymnasium.ActionWrapper):
    """Takes a legal action for one that is not: Gymnasium's check draws one before the reset."""

    def action(self, action):
        legal = self.env.action_space.legal
        return action if action in legal else legal[int(action) % len(legal)]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_pettingzoo_and_gymnasium_accept_every_game_and_number_of_seats(game, seats):
    """Their own tests of interfaces, parallel ones and seeds pass."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent")
        warnings.filterwarnings("ignore", ".*different from the unwrapped version")
        api_test(env(game, seats), num_cycles=60)
        parallel_api_test(parallel_env(game, seats), num_cycles=60)
        seed_test(lambda: env(game, seats), num_cycles=20)
        parallel_seed_test(lambda: parallel_env(game, seats), num_cycles=20)
        check_env(Folded(gym_env(game, ["random"] * (seats - 1))), skip_render_check=True)


def played(table, seed, options=None):
    """Play a game by lot; return what was seen and done, and what every agent got."""
    lot = np.random.default_rng(1)
    table.reset(seed=seed, options=options)
    trace, got = [], dict.fromkeys(table.agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, ended, cut, info = table.last()
        got[agent] += reward
        assert table.observation_space(agent).contains(seen)
        action = None if ended or cut else int(lot.choice(np.flatnonzero(seen["action_mask"])))
        trace.append((agent, action, seen["observation"].tobytes(), sorted(info)))
        table.step(action)
    return trace, got


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("reward", ["win", "place", "score"])
def test_whole_games_end_with_rewards_that_sum_to_nothing(game, reward):
    """What is won is lost by others; the end tells the score and the share of the win."""
    trace, got = played(env(game, 2, reward=reward), 1)
    assert sum(got.values()) == pytest.approx(0)
    assert trace[-1][3] == ["score", "won"]


@pytest.mark.parametrize(("game", "seats"), [(game, max(load(game).seats)) for game in NAMES])
def test_a_seed_repeats_a_game_and_the_next_one_differs(game, seats):
    table = env(game, seats)
    assert played(table, 5) == played(env(game, seats), 5)
    assert played(table, 5)[0] != played(table, None)[0]


def test_the_end_of_a_golden_game_is_the_same_everywhere():
    """Whoever changes the catalogue's numbers, the observation or the luck changes this."""
    assert ends() == GOLDEN.read_text(), "if that is meant, run: python scripts/golden.py"


GOLDEN = Path(__file__).with_name("golden.txt")


def ends():
    """Return a line for the end of a game of each."""
    traces = {game: played(env(game, 2, max_steps=300), 7)[0] for game in NAMES}
    return "".join(f"{game} {crc32(repr(t).encode())}\n" for game, t in traces.items())


def by_sight(seen):
    """Return a legal action that hangs on nothing but what is seen."""
    legal = np.flatnonzero(seen["action_mask"])
    return int(legal[crc32(seen["observation"].tobytes()) % len(legal)])


@pytest.mark.parametrize("game", NAMES)
def test_parallel_steps_come_to_the_end_that_single_steps_come_to(game):
    """Whoever acts by what it sees plays alike: nobody sees a choice of the same moment."""
    one, all_ = env(game, 3), parallel_env(game, 3)
    one.reset(seed=2)
    scores = {}
    for agent in one.agent_iter():
        seen, _, ended, _, info = one.last()
        scores |= {agent: info} if ended else {}
        one.step(None if ended else by_sight(seen))
    seen, _ = all_.reset(seed=2)
    together = 0
    while all_.agents:
        together += sum(not each["action_mask"][WAIT] for each in seen.values()) > 1
        seen, _, _, _, infos = all_.step({agent: by_sight(each) for agent, each in seen.items()})
    assert infos == scores
    assert bool(together) == (game in ("dice-town", "fliptown"))


def test_simultaneous_choices_are_simultaneous():
    """All seats keep dice in one step, and all plan their turns in one."""
    for game in ("dice-town", "fliptown"):
        table = parallel_env(game, 3)
        seen, _ = table.reset(seed=2)
        assert not any(each["action_mask"][WAIT] for each in seen.values())
        actions = {a: int(np.flatnonzero(each["action_mask"])[0]) for a, each in seen.items()}
        with pytest.raises(IllegalActionError, match="seat_2"):
            table.step({**actions, "seat_2": WAIT})
        again, _ = parallel_env(game, 3).reset(seed=2)
        assert all(np.array_equal(again[a]["observation"], seen[a]["observation"]) for a in seen)
        table.step(actions)


def test_nobody_sees_what_another_picks():
    """Picks of an answer under way are in the observation of their seat alone."""
    table = env("fliptown", 2)
    table.reset(seed=3)
    before = table.observe("seat_1")["observation"]
    own = table.observe("seat_0")["observation"]
    table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    assert table.agent_selection == "seat_0"
    assert np.array_equal(table.observe("seat_1")["observation"], before)
    assert not np.array_equal(table.observe("seat_0")["observation"], own)


@pytest.mark.parametrize("action", [WAIT, 10**6, -1, None, 1.5, "keep", np.int64(300)])
def test_an_illegal_action_is_told_in_words_and_changes_nothing(action):
    for table in (env("dice-town", 3), parallel_env("dice-town", 3), batch_env("dice-town", 2)):
        table.reset(seed=3)
        if isinstance(table, type(env("dice-town"))):
            before = table.last()[0]["observation"].copy()
            with pytest.raises(IllegalActionError, match=r"seat_0 .*Legal: .*keep"):
                table.step(action)
            assert np.array_equal(table.last()[0]["observation"], before)
        elif hasattr(table, "agents"):
            with pytest.raises(IllegalActionError, match=r"seat_0 .*Legal: .*keep"):
                table.step({"seat_0": action})
        elif isinstance(action, int):
            with pytest.raises(IllegalActionError, match=r"Legal: .*keep"):
                table.step([action, action])


@pytest.mark.parametrize("make", [env, parallel_env, batch_env])
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"game": "poker"}, "poker"),
        ({"game": "dice-town", "seats": 9}, "9"),
        ({"game": "dice-town", "options": {"colour": "red"}}, "colour.*claim_row"),
        ({"game": "dice-town", "options": {"brute": "red"}}, "red.*one_extra"),
        ({"game": "dice-town", "reward": "money"}, "money.*win, place, score"),
        ({"game": "dice-town", "max_steps": 0}, "max_steps"),
    ],
)
def test_what_a_game_does_not_know_is_refused_at_construction(make, said, why):
    with pytest.raises(ValueError, match=why):
        make(**said)


def test_an_unknown_bot_or_place_is_refused_at_construction():
    with pytest.raises(ValueError, match=r"clever"):
        gym_env("charidice", ["clever"])
    with pytest.raises(ValueError, match=r"no bot 's' .*strong"):
        gym_env("charidice", "strong")
    with pytest.raises(ValueError, match=r"place 2"):
        gym_env("charidice", place=2)
    with pytest.raises(ValueError, match=r"9 seats|9"):
        gym_env("charidice", ["random"] * 8)


def test_a_game_that_declares_nothing_is_refused():
    """One of another package has no catalogue unless its manifest refers to it."""
    declared.cache_clear()
    bare = Game(replace(load("charidice").manifest, env=None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lanplay.env.match.load", lambda _: bare)
        with pytest.raises(ValueError, match="its manifest has no env"):
            env("charidice")
    declared.cache_clear()


def test_a_reset_takes_seats_and_table_options():
    """The spaces stay; the next reset that says nothing goes back; what is wrong is refused."""
    table = env("dice-town", 4)
    trace, got = played(table, 1, {"seats": 3, "table": {"claim_row": "slide"}})
    assert set(got) == {"seat_0", "seat_1", "seat_2"}
    assert trace != played(table, 1, {"seats": 3})[0]
    table.reset()
    assert len(table.agents) == 4
    for wrong in ({"seats": 5}, {"seats": 1}, {"seats": "3"}, {"table": {"brute": "x"}}):
        with pytest.raises(ValueError, match=r"5|1|3|x"):
            table.reset(options=wrong)


def test_a_game_is_truncated_after_so_many_steps():
    _, got = played(env("charidice", 2, max_steps=10), 1)
    assert set(got.values()) == {0.0}
    table = gym_env("charidice", max_steps=1)
    table.reset(seed=1)
    _, reward, ended, cut, _ = table.step(table.action_space.sample())
    assert (reward, ended, cut) == (0.0, False, True)
    many = batch_env("charidice", 3, max_steps=2)
    batch = many.reset(seed=1)
    for expected in (False, True, False, True):
        batch = many.step(batch.mask.argmax(1))
        assert batch.truncated.tolist() == [expected] * 3
        assert not batch.terminated.any()


def test_no_action_is_taken_before_a_reset_and_after_the_end():
    """Neither in a game that is over nor in one that was cut off; the error says what to do."""
    single, together = env("charidice"), parallel_env("charidice", max_steps=1)
    alone = gym_env("charidice", max_steps=1)
    for table, action in ((single, 0), (together, {}), (alone, 0)):
        with pytest.raises(ValueError, match="reset comes first"):
            table.step(action)
    played(single, 2**200)  # a seed may have any size
    together.reset(seed=1)
    together.step({agent: together.action_space(agent).sample() for agent in together.agents})
    alone.reset(seed=1)
    alone.step(alone.action_space.sample())
    for table, action in ((single, 0), (together, {}), (alone, alone.action_space.sample())):
        with pytest.raises(ValueError, match="reset comes first"):
            table.step(action)


@pytest.mark.parametrize("game", NAMES)
def test_one_seat_plays_against_bots_in_every_place_in_turn(game):
    """Its rewards are those of its own seat, and only its choices are asked for."""
    table = gym_env(game, ["random"], reward="score", max_steps=1000)
    for number in range(4):
        seen, _ = table.reset(seed=3 if not number else None)
        ended = cut = False
        while not (ended or cut):
            assert table.observation_space.contains(seen)
            seen, reward, ended, cut, info = table.step(table.action_space.sample())
        result = table._match.game.result(table._match.simulation.table) if ended else None
        assert table._seat == number % 2
        if result is not None:
            own = result.scores[number % 2]
            assert info["score"] == own
            assert reward == 2 * own - sum(result.scores)
    with pytest.raises(ValueError, match="reset comes first"):
        table.step(0) if not cut else gym_env(game).step(0)


@pytest.mark.parametrize("game", NAMES)
def test_a_batch_plays_the_games_that_single_ones_play(game):
    """Row by row the same observations, masks and rewards; a game that ends is begun anew."""
    many = batch_env(game, 3, 2, reward="score", max_steps=150)
    batch = many.reset(seed=4)
    singles = [played_from(many, row) for row in range(3)]
    lot = np.random.default_rng(2)
    for _ in range(320):
        actions = [lot.choice(np.flatnonzero(mask)) for mask in batch.mask]
        for row, single in enumerate(singles):
            match = single["match"]
            seat = int(batch.seat[row])
            assert seat == next(iter(match.choices))
            assert np.array_equal(match.look(seat), batch.observation[row])
            assert np.flatnonzero(batch.mask[row]).tolist() == sorted(match.choices[seat].legal)
            match.act(seat, int(actions[row]))
            single["steps"] += 1
        batch = many.step(actions)
        for row, single in enumerate(singles):
            over = not single["match"].choices or single["steps"] == 150
            assert bool(batch.terminated[row] or batch.truncated[row]) == over
            if batch.terminated[row]:
                assert batch.reward[row].tolist() == single["match"].rewards("score")
            if over:
                singles[row] = played_from(many, row)


def played_from(many, row):
    """Return the game of a row as it begins, apart from the batch."""
    return {"match": many._setting.begin(row, many._numbers[row]), "steps": 0}


def test_a_batch_against_bots_asks_for_one_seat_alone():
    many = batch_env("charidice", 4, opponents=["random", "random"])
    batch = many.reset(seed=1)
    for _ in range(150):
        assert batch.seat.tolist() == many.places.tolist()
        batch = many.step(batch.mask.argmax(1))
    assert len(set(many.places.tolist())) > 1


def test_every_place_and_action_is_described_in_words():
    """No two places and no two actions have the same words."""
    for game in NAMES:
        table = env(game, 2)
        agent = table.possible_agents[0]
        sight, actions = table.observation_space(agent), table.action_space(agent)
        for lines, size in (
            (sight.describe().splitlines(), sight["observation"].shape[0]),
            (actions.describe().splitlines(), actions.n),
        ):
            assert len(lines) == size
            assert len({line.split(maxsplit=1)[1] for line in lines}) == size, game


def test_a_situation_can_be_rendered():
    """In render mode ``ansi`` the table is told in lines of text."""
    tables = (
        env("dice-town", render_mode="ansi"),
        parallel_env("dice-town", render_mode="ansi"),
        gym_env("dice-town", render_mode="ansi"),
    )
    for table in tables:
        table.reset(seed=1)
        assert "seat_0" in table.render()
    assert env("dice-town").render() is None


def test_without_the_packages_the_error_says_what_to_install():
    """``lanplay.env`` can be imported without them; making an environment names the extra."""
    program = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import lanplay.env\n"
        "assert 'numpy' not in sys.modules\n"
        "try: lanplay.env.env('charidice')\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "To install what lanplay.env needs: " in run.stdout
