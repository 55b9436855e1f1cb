"""Challenges of a game, followed over the games that a person has kept."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import lanplay_ai as ai
from lanplay.cli import main
from lanplay.cli.challenges import Standing, followed, lines, standings
from lanplay.engine.chance import Chance
from lanplay.engine.record import Header, Record, load
from lanplay.engine.simulation import Simulation
from lanplay.games import load as load_game
from lanplay.games.fliptown.challenges import CHALLENGES, EVERY_COWBOT, TEXTS, met
from lanplay.games.fliptown.ending import challenges
from lanplay.language import TAGS, speaking
from tests.fliptown.script import new_table

GAME = "fliptown"


def alone(seed, name="Ann", **options):
    """Return the record of a whole game of one seat, and its last table."""
    game, luck = load_game(GAME), bytes([seed]) * 32
    chosen = {key: values[0] for key, values in game.options.items()} | options
    header = Header(GAME, chosen, (name,), luck)
    played = Simulation(game, header, [ai.make("random", luck, GAME)], Chance(luck))
    played.run()
    return Record(header, played.referee.history, played.table.hash()), played.table


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A data folder with three games alone."""
    monkeypatch.setenv("LANPLAY_DATA", str(tmp_path))
    tables = []
    for seed in range(4, 7):
        record, table = alone(seed, cowbot="random")
        record.save(tmp_path / "records" / f"{seed}.lanplay")
        tables.append(table)
    return tmp_path, tables


def test_what_games_have_met_is_followed_over_all_of_them(data, capsys):
    """FT-10.3: the profile's history names all twenty, and those that any of its games has met."""
    _folder, tables = data
    assert main(["history", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["challenges"][GAME]
    expected = {number for table in tables for number in challenges(table)} - {EVERY_COWBOT}
    assert {each["number"] for each in said if each["met"]} == expected != set()
    assert [each["number"] for each in said] == list(range(1, 21))


def test_the_list_is_for_people(data, capsys):
    """Each challenge with a cross if it is met, in words."""
    assert main(["history"]) == 0
    said = capsys.readouterr().out
    assert "Challenges of Fliptown" in said
    assert said.count("  [x] ") + said.count("  [ ] ") == 20
    assert "the eight outer tombstones" in said


def test_games_of_bots_meet_nothing(tmp_path, monkeypatch, capsys):
    """Whoever lets an AI play has met nothing; the game is kept and says so."""
    monkeypatch.setenv("LANPLAY_DATA", str(tmp_path))
    path = tmp_path / "records" / "auto.lanplay"
    command = ["play", GAME, "--seats", "1", "--auto", "random", "--seed", "2", "--plain"]
    assert main([*command, "--record", str(path)]) == 0
    capsys.readouterr()
    assert load(path).extra == {"alone": True, "auto": "random"}
    assert main(["history", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [game["own"] for game in said["games"]] == [[]]
    assert said["challenges"] == {}


def test_one_challenge_takes_all_four_cowbots():
    """FT-10.3 (14): each cowbot beaten on easy is a part; the same one twice is one."""
    assert CHALLENGES.parts == {EVERY_COWBOT: 4}
    games = [[(EVERY_COWBOT, cowbot)] for cowbot in (0, 2, 2, 3)]
    assert not standings(GAME, games)[EVERY_COWBOT - 1].met
    assert standings(GAME, games)[EVERY_COWBOT - 1].done == 3
    assert standings(GAME, [*games, [(EVERY_COWBOT, 1)]])[EVERY_COWBOT - 1].met


def test_a_cowbot_beaten_on_easy_is_counted_by_its_suit():
    """FT-10.3 (14): what a game meets names the cowbot."""
    t = new_table(1, cowbot="kid", level="easy")
    t.cowbot, t.scores, t.rival = 1, [50], 20
    assert (EVERY_COWBOT, 1) in met(t)
    assert all(part == 0 for number, part in met(t) if number != EVERY_COWBOT)


def test_challenges_are_met_alone():
    """FT-10.3: a game of several seats meets none."""
    t = new_table(2)
    t.scores = [90, 10]
    assert met(t) == ()


def test_a_game_without_challenges_has_no_list():
    """The other games are left out."""
    assert followed("dice-town") is None
    assert standings("dice-town", [[(1, 0)]]) == []


@pytest.mark.parametrize("tag", TAGS)
def test_every_challenge_has_words(tag):
    """Twenty different texts in every language, and how far one is that takes several games."""
    standing = [Standing(number, text, 0, 1) for number, text in enumerate(TEXTS, 1)]
    standing[13] = replace(standing[13], done=2, of=4)
    with speaking(tag):
        said = list(lines(GAME, standing))
    assert len(set(said)) == 21
    assert said[14].endswith("(2/4)")
