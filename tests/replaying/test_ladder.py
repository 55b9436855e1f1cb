"""``lanplay ladder``: ratings of people and AI by the kept games, one after the other."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from lanplay.cli import main
from lanplay.cli.kept import Played, Player
from lanplay.cli.ladder import Rung, ladders

ANN, BEN, EVE = Player("Ann", "01"), Player("Ben", "02"), Player("Eve", "03")
STRONG = Player("strong", bot=True)
START = datetime(2026, 1, 1, tzinfo=UTC)


def played(players, scores, game="dice-town", hour=0):
    """A finished game that the greatest score won."""
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    when = START + timedelta(hours=hour)
    return Played(Path("x"), when, game, tuple(players), tuple(scores), winners, ())


def rated(*games):
    """Games in the order in which they were played, as a ladder of the first's game."""
    return {rung.player: rung for rung in ladders(reversed(games))[games[0].game]}


def test_one_game_orders_its_players():
    """The winner climbs above 25, the others fall below alike, and each is better known."""
    found = rated(played((ANN, BEN, EVE), (9, 20, 12)))
    assert found[BEN].skill > 25 > found[ANN].skill
    assert found[EVE].skill == pytest.approx(found[ANN].skill)
    assert all(rung.doubt < 25 / 3 and rung.games == 1 for rung in found.values())
    assert [found[each].wins for each in (ANN, BEN, EVE)] == [0, 1, 0]


def test_who_shares_a_place_is_rated_alike():
    """Two that share the win leave as equal as they came."""
    found = rated(played((ANN, BEN, EVE), (20, 20, 12)))
    assert found[ANN].skill == pytest.approx(found[BEN].skill)
    assert found[ANN].wins == found[BEN].wins == 1


def test_beating_the_better_one_earns_more():
    """A win over who has won ten times is worth more than one over who has lost ten times."""
    past = [played((BEN, EVE), (2, 1), hour=hour) for hour in range(10)]
    over_best = rated(*past, played((ANN, BEN), (2, 1)))[ANN].skill
    over_last = rated(*past, played((ANN, EVE), (2, 1)))[ANN].skill
    assert over_best > over_last > 25


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("games", [1, 3, 12, 40])
def test_who_never_wins_does_not_lead(seats, games):
    """Who always comes second stands below a bot that wins from one of its seats each time."""
    scores = [9, *range(10, 10 - seats + 1, -1)]
    past = [
        played((ANN, *[STRONG] * (seats - 1)), [9.5, *scores[1:]], hour=hour)
        for hour in range(games)
    ]
    rungs = ladders(reversed(past))["dice-town"]
    assert [(rung.player, rung.wins > 0) for rung in rungs] == [(STRONG, True), (ANN, False)]


def test_no_history_puts_a_player_without_a_win_first():
    """200 random histories of people and bots, some of them on several seats of a game."""
    for seed in range(200):
        luck = Random(seed)
        players = [Player(f"p{number}") for number in range(luck.randint(2, 8))]
        games = []
        for hour in range(luck.randint(1, 30)):
            table = luck.choices(players, k=luck.randint(2, 6))
            games.append(played(table, [luck.randint(0, 99) for _ in table], hour=hour))
        for rungs in ladders(reversed(games)).values():
            assert rungs[0].wins


def test_a_bot_on_several_seats_is_one_player():
    """It gets the mean of what its seats earned, one game, and at most one win."""
    found = rated(played((STRONG, ANN, STRONG), (20, 12, 9)))
    assert (found[STRONG].games, found[STRONG].wins) == (1, 1)
    assert found[STRONG].skill == pytest.approx(25, abs=1)


def test_what_says_nothing_does_not_count():
    """Games broken off, of one seat, or of one player on all seats make no ladder."""
    broken = Played(Path("x"), START, "dice-town", (ANN, BEN), (), (), (0,))
    alone = played((ANN,), (70,), game="fliptown")
    assert ladders([broken, alone, played((STRONG, STRONG), (1, 2))]) == {}


def test_games_have_ladders_of_their_own():
    """Who plays one game well may play another one badly."""
    found = ladders([played((ANN, BEN), (1, 2), "charidice"), played((ANN, BEN), (2, 1))])
    assert [rung.player for rung in found["charidice"]] == [BEN, ANN]
    assert [rung.player for rung in found["dice-town"]] == [ANN, BEN]


def test_the_ladder_finds_the_order_of_skills():
    """After 200 games the order is that of the skills, and they are known much better."""
    luck = Random(7)
    skills = {ANN: 0.0, BEN: 1.0, EVE: 2.0, STRONG: 3.0}
    games = []
    for hour in range(200):
        scores = [skill + luck.gauss(0, 1) for skill in skills.values()]
        games.append(played(skills, [round(100 * score) for score in scores], hour=hour))
    rungs = ladders(reversed(games))["dice-town"]
    assert [rung.player for rung in rungs] == [STRONG, EVE, BEN, ANN]
    assert all(rung.doubt < 25 / 3 / 2 for rung in rungs)


def test_the_rating_is_what_is_as_good_as_certain():
    """A newcomer's is 0: nothing is known; at the same skill more games give a greater one."""
    assert Rung(ANN, 25, 25 / 3).rating == pytest.approx(0)
    assert Rung(ANN, 25, 2).rating == 19
    assert Rung(ANN, 25, 2).interval == pytest.approx((21.08, 28.92))


def test_kept_records_make_the_ladder(data, capsys):
    """It reads the records of the data folder, people and AI, in the order they were written."""
    assert main(["ladder", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    rungs = said["ladders"]["dice-town"]
    assert {(rung["name"], rung["bot"]) for rung in rungs} == {("Ann", False), ("steady", True)}
    assert all(rung["games"] == 3 for rung in rungs)
    assert rungs[0]["rating"] >= rungs[1]["rating"]


def test_the_table_is_for_people(data, capsys):
    """A table for each game; an unusable file is named beside it and hides nothing."""
    (data / "records" / "cut.lanplay").write_bytes(b"lanplay")
    assert main(["ladder"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "Dice Town"
    assert lines[1].split() == ["player", "rating", "skill", "95", "%", "games", "wins"]
    assert {line.split()[0] for line in lines[2:4]} == {"1.", "2."}
    assert "cut.lanplay" in err


def test_no_games_is_a_sentence(tmp_path, capsys):
    """An empty or missing folder is no error."""
    assert main(["ladder", str(tmp_path / "none")]) == 0
    assert "No finished games" in capsys.readouterr().out


def test_records_of_a_tournament_rate_its_bots(tmp_path, capsys):
    """Nobody played: each entrant is AI under its bot's name, the same bot twice one player."""
    out = tmp_path / "run"
    entrants = ["random", "beginner", "random"]
    settings = ["--games", "3", "--jobs", "1", "--seed", "5", "--records", "--quiet"]
    assert main(["tournament", "charidice", *entrants, *settings, "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["ladder", str(out / "records"), "--json"]) == 0
    rungs = json.loads(capsys.readouterr().out)["ladders"]["charidice"]
    assert {(rung["name"], rung["bot"]) for rung in rungs} == {("random", True), ("beginner", True)}


def test_a_missing_library_is_told(data, monkeypatch, capsys):
    """Without openskill the command says what to install."""
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert main(["ladder"]) == 2
    assert "pip install openskill" in capsys.readouterr().err
