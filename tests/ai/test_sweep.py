"""The sweep over all games, options, bots and seats: a small part of it, and that it would see."""

from __future__ import annotations

from collections import Counter

import pytest

import lanplay_ai as ai
from lanplay.engine import record
from lanplay.games import NAMES, load
from scripts.campaigns import sweep
from tests.ai.test_guard import Faulty, fails, plant

LAP = len(sweep.cells())
PART = range(3, 2 * LAP, 2 * LAP // 12)
"""Games from two laps: tables of one bot and mixed ones."""


@pytest.mark.parametrize("number", PART)
def test_no_game_has_a_fault(number):
    """Bots, hints, words, records: nothing is wrong with any of them (``sweep.py`` has all).

    The same number is the same game.
    """
    found = sweep.play(5, number)
    assert found.faults == []
    assert found.questions == found.hints > 0
    assert found.events > 0


def test_a_lap_has_every_value_bot_and_number_of_seats():
    """In the first lap one at a time and alike in all seats, in the second among others."""
    for lap in range(2):
        seen = Counter()
        for number in range(lap * LAP, (lap + 1) * LAP):
            of = sweep.setting(7, number)
            rules = load(of.game)
            assert len(of.bots) in rules.seats
            for name, value in of.options.items():
                assert value in rules.options[name]
                seen.update((of.game, name, value, bot, len(of.bots)) for bot in {*of.bots})
            seen.update((of.game, bot, len(of.bots)) for bot in {*of.bots})
            assert lap or len({*of.bots}) == 1
            assert lap or len(of.options) < 2
        for game in NAMES:
            for bot in ai.ours(game):
                for seats in load(game).seats:
                    assert seen[game, bot, seats]
                    for name, values in load(game).options.items():
                        assert all(seen[game, name, each, bot, seats] for each in values[1:])


def of_a_game(name, bot):
    """Return the number of a game whose seats a bot has."""
    for number in range(LAP):
        of = sweep.setting(1, number)
        if of.game == name and of.bots == (bot,) * 2 and not of.options:
            return number
    raise AssertionError("no such game")


def test_a_fault_of_a_bot_is_found_and_how_to_find_it_again(monkeypatch, capsys):
    """The command that is printed plays the same game alone."""
    number = of_a_game("charidice", "miser")
    plant(monkeypatch, "charidice", "miser", lambda key: Faulty(fails, key, "charidice"))
    found = sweep.play(1, number)
    assert len(found.faults) == 6
    assert sweep.report(1, [found]) == 6
    told = capsys.readouterr().out
    assert f"--seed 1 --only {number}  # charidice, no options: miser miser" in told
    assert "miser: " in told
    assert "IndexError" in told
    assert sweep.main(["--seed", "1", "--only", str(number)]) == 1


def test_faults_of_hints_words_and_records_are_found(monkeypatch):
    """An adviser that fails, a hint and an event without words, a record with another end."""
    number = of_a_game("charidice", "beginner")

    class Failing:
        def explain(self, view, question):
            raise KeyError(25)

    with monkeypatch.context() as patch:
        patch.setattr(ai, "adviser", lambda game, key: Failing())
        found = sweep.play(1, number)
        assert len(found.faults) == found.questions
        assert "KeyError: 25" in found.faults[0]
    with monkeypatch.context() as patch:
        patch.setattr(ai, "worded", lambda hint, game, names: "")
        found = sweep.play(1, number)
        assert len(found.faults) == 3 * found.hints
    with monkeypatch.context() as patch:
        patch.setattr("lanplay.games.charidice.text.word", lambda message, names: "")
        assert len(sweep.play(1, number).faults) >= 3 * found.events
    with monkeypatch.context() as patch:
        patch.setattr(sweep, "from_bytes", lambda content: record.from_bytes(content[:-1]))
        [fault] = sweep.play(1, number).faults
        assert fault.startswith("game: Mistake: ")


def test_processes_play_what_one_plays():
    """Two processes come to what one comes to, in the order of the games."""
    number = of_a_game("charidice", "random")
    found = sweep.sweep(1, range(number, number + 2), 2, 600.0)
    assert [each.number for each in found] == [number, number + 1]
    alone = sweep.play(1, number)
    found[0].seconds = alone.seconds = 0.0
    assert found[0] == alone


def test_a_sweep_without_time_plays_nothing(capsys):
    assert sweep.main(["--seed", "1", "--games", "3", "--minutes", "0"]) == 0
    assert "charidice" in capsys.readouterr().out
