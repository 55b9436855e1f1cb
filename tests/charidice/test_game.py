"""Whole games: what always adds up, and what a start may be."""

from __future__ import annotations

import io
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lanplay_ai as ai
from lanplay.cli import main
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header
from lanplay.engine.requests import Round
from lanplay.engine.simulation import Simulation
from lanplay.games import load
from lanplay.games.charidice.dice import NUMBERS
from lanplay.games.charidice.rules import CHARITY, GREAT_CHARITY
from lanplay.games.charidice.sets import EQUAL_NUMBERS, RUNS
from lanplay.games.charidice.table import COLUMNS, ROUNDS
from lanplay.tournament.income import income_of, sources_of

GAME = load("charidice")

BONUSES = {0, 15, *RUNS.values(), *EQUAL_NUMBERS.values()}


@cache
def played(seats, luck, bot="random"):
    """Return a whole game and its tables at the boundaries of its rounds."""
    seed = b"game %d" % luck
    header = Header(GAME.name, {}, ("x",) * seats, seed)
    agents = [ai.make(bot, seed + b"%d" % seat, GAME.name) for seat in range(seats)]
    game = Simulation(GAME, header, agents, Chance(seed))
    boundaries = []
    while game.request is not None:
        if isinstance(game.request, Round):
            boundaries.append(game.table.copy())
        game.step()
    return game, boundaries


games = st.tuples(st.integers(2, 4), st.integers(0, 5), st.sampled_from(["random", "strong"]))


@given(games)
@settings(deadline=None, max_examples=30)
def test_what_is_given_is_received(which):
    """CH-3.1: what a seat has given the next one has received, entry by entry."""
    t = played(*which)[0].table
    for seat in range(t.seats):
        assert t.received[t.left(seat)] == t.given[seat]


@given(games)
@settings(deadline=None, max_examples=30)
def test_every_sheet_is_full_and_adds_up(which):
    """CH-1.1, CH-4.2: seven entries in each column; the score is three columns and the bonus."""
    game, _ = played(*which)
    t = game.table
    for seat in range(t.seats):
        assert all(len(t.column(name, seat)) == ROUNDS for name in COLUMNS)
        columns = t.points[seat] + t.bonuses[seat] + t.received[seat]
        assert t.scores[seat] == sum(columns) + t.charity[seat]
        assert min(t.points[seat]) >= 1
        assert set(t.bonuses[seat]) <= BONUSES


@given(games)
@settings(deadline=None, max_examples=30)
def test_income_tells_where_every_point_came_from(which):
    """CH-4.2: the sources of a seat's income add up to its score, the charity bonus included."""
    t = played(*which)[0].table
    income = income_of(GAME, t)
    assert len(income) == len(sources_of(GAME))
    assert [sum(by_seat) for by_seat in zip(*income, strict=True)] == t.scores
    assert list(income[-1]) == t.charity


@given(games)
@settings(deadline=None, max_examples=30)
def test_charity_goes_to_the_most_given_alone(which):
    """CH-4.1: 20 or 30 to whoever gave most, nothing to the others."""
    t = played(*which)[0].table
    given_ = [sum(column) for column in t.given]
    for seat in range(t.seats):
        assert (t.charity[seat] in (CHARITY, GREAT_CHARITY)) == (given_[seat] == max(given_))
        assert (t.charity[seat] == 0) == (given_[seat] < max(given_))


@given(games)
@settings(deadline=None, max_examples=30)
def test_all_points_come_from_dice_bonuses_gifts_and_charity(which):
    """The sum of all scores is what all have scored, with all that was given, and the charity."""
    game, _ = played(*which)
    t = game.table
    scored = sum(map(sum, t.points)) + sum(map(sum, t.bonuses))
    assert sum(GAME.result(t).scores) == scored + sum(map(sum, t.given)) + sum(t.charity)


@given(games, st.integers(0, ROUNDS - 1))
@settings(deadline=None, max_examples=30)
def test_between_rounds_no_dice_lie_on_the_table(which, number):
    """CH-1.1: at a boundary every seat has as many rows as rounds were played, and no turn runs."""
    t = played(*which)[1][number]
    assert (t.round, t.active, t.dice, t.rolls, t.demanded) == (number, -1, (), 0, False)
    assert all(len(t.column(name, seat)) == number for name in COLUMNS for seat in range(t.seats))


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("round", ROUNDS, "number"),
        ("first", 3, "number"),
        ("first", -1, "number"),
        ("greatest", (1, 1), "values"),
        ("greatest", (1, 1, 2), "number"),
        ("points", ((1, 1), (1, 1), (1,)), "values"),
        ("points", ((1, 1), (1, 1), (1, 37)), "number"),
        ("bonuses", ((0, 0), (0, 0), (0, 61)), "number"),
        ("given", ((0, 0), (0, 0), (0, 121)), "number"),
        ("given", ((120, 1), (0, 0), (0, 0)), "differ"),
    ],
)
def test_a_start_that_cannot_be_is_refused(field, value, why):
    """CH-3.1, CH-3.2: what a stranger says of a boundary is checked and adds up."""
    start = GAME.snapshot(played(3, 1)[1][2])
    GAME.table(3, {}, start)
    with pytest.raises(ValueError, match=why):
        GAME.table(3, {}, {**start, field: value})


def test_a_die_shows_a_number_from_one_to_six():
    """CH-1.2: over whole games every number comes, and no other."""
    game, _ = played(4, 0)
    rolled = [face for entry in game.referee.history[1:] if len(entry) > 1 for face in entry]
    assert {face + 1 for face in rolled} == set(NUMBERS)


def test_a_person_plays_with_numbers(monkeypatch, capsys, tmp_path):
    """The plain interface offers dice, sets and demands; '?' shows the rule; lines stay narrow."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\nx\n1 2\n" + "1\n" * 400))
    record = str(tmp_path / "r.lanplay")
    arguments = ["play", "charidice", "--plain", "--name", "Ann", "--seed", "3", "--record", record]
    assert main([*arguments, "--bot", "beginner"]) == 0
    said = capsys.readouterr().out
    assert "CH-2.1" in said
    assert "Best sets" in said
    assert "Most points" in said
    assert max(map(len, said.splitlines())) < 80


def test_no_module_of_the_engine_or_network_names_a_game():
    """Nothing but the games' own modules, their bots and screens knows them by name."""
    root = Path(__file__).resolve().parents[2]
    own = re.compile(r"lanplay[/.]games[/.]|ai[/.](charidice|dice_town)|tui/games/")
    found = []
    for folder in ("lanplay/engine", "protocol", "lanplay/tui", "lanplay/tournament"):
        for path in (root / folder).rglob("*.py"):
            if not own.search(path.as_posix()):
                code = path.read_text(encoding="utf-8")
                if re.search(r"charidice|import.*dice_town|games\.dice_town", code, re.IGNORECASE):
                    found.append(path.name)
    assert found == []
