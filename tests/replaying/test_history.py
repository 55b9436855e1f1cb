"""``lanplay history``: kept games, and statistics by player."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace

import pytest

from lanplay.cli import main
from lanplay.cli.history import statistics
from lanplay.cli.kept import Participant, read
from lanplay.engine.record import load
from lanplay_protocol.shell.journal import journals
from tests.replaying.test_stepping import public
from tests.replica.harness import Table, identity, roster
from tests.replica.test_audit import record_of


def told(capsys, *arguments):
    assert main(["history", "--json", *arguments]) == 0
    out, err = capsys.readouterr()
    return json.loads(out), err


def test_games_are_listed_with_their_results(data, games, capsys):
    """The newest first: who sat there, scores, who won, and how the own person did."""
    said, _ = told(capsys)
    assert [game["path"][-9:] for game in said["games"]] == [f"{n}.lanplay" for n in (2, 1, 0)]
    for game in said["games"]:
        assert [player["name"] for player in game["players"]] == ["Ann", "steady", "steady"]
        assert max(game["scores"]) == game["scores"][game["winners"][0]]
        assert game["own"] == [0]


def test_statistics_count_by_player(data, capsys):
    """Ann's games, wins, mean and best follow from the list; the AI of two seats is one player."""
    said, _ = told(capsys)
    ann, steady = sorted(said["players"], key=lambda each: each["name"])
    scores = [game["scores"][0] for game in said["games"]]
    assert (ann["games"], ann["best"]) == (3, max(scores))
    assert ann["mean"] == pytest.approx(sum(scores) / 3)
    assert ann["wins"] == sum(0 in game["winners"] for game in said["games"])
    assert (steady["games"], steady["bot"]) == (6, True)


def test_the_list_is_for_people(data, capsys):
    """Lines with date, result and file, at most --limit games; then a table."""
    assert main(["history", "--limit", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Dice Town  Ann " in lines[0]
    assert lines[0].endswith(("[won]", "[lost]"))
    assert lines[1].strip() == str(data / "records" / "2.lanplay")
    assert lines[3].split() == ["player", "game", "games", "wins", "mean", "best"]
    assert len(lines) == 6


def test_one_player_can_be_asked_for(data, capsys):
    """Only games with that player count, whatever the case of the name."""
    assert len(told(capsys, "--player", "ann")[0]["games"]) == 3
    assert told(capsys, "--player", "ben")[0]["games"] == []


def test_damaged_files_are_named_and_left_out(data, capsys):
    """Files cut short, altered, empty, or of another program do not hide the others."""
    whole = (data / "records" / "0.lanplay").read_bytes()
    for name, content in (
        ("cut", whole[:-5]),
        ("altered", whole[:99] + b"?" + whole[100:]),
        ("empty", b""),
        ("other", b"PNG"),
    ):
        (data / "records" / f"{name}.lanplay").write_bytes(content)
    (data / "records" / "folder.lanplay").mkdir()
    said, err = told(capsys)
    assert len(said["games"]) == 3
    assert len(said["unusable"]) == len(err.splitlines()) == 5
    for name in ("cut", "altered", "empty", "other", "folder"):
        assert f"{name}.lanplay" in err


def test_a_game_that_was_not_finished_counts_in_no_statistics(tmp_path, games):
    """It is listed as broken off."""
    record = games[0]
    from lanplay.engine.replay import Replay
    from tests.replica.harness import GAME

    short = replace(public(record), history=record.history[:40], finished=False)
    replay = Replay(GAME, short)
    while replay.advance():
        pass
    replace(short, state_hash=replay.table.hash()).save(tmp_path / "x.lanplay")
    [game], unusable = read(tmp_path)
    assert (game.scores, game.verdict, unusable) == ((), "broken off", [])
    assert statistics([game]) == []


def test_no_games_is_a_sentence(tmp_path, capsys):
    """An empty or missing folder is no error."""
    assert main(["history", str(tmp_path / "none")]) == 0
    assert "No games are kept" in capsys.readouterr().out


def test_between_peers_players_are_known_by_their_keys(tmp_path):
    """Two of one name are two players; the own seats are those of the own key, without its AI."""
    seats = replace(roster(2, seats=3), bots=("", "", "random"), names=("Ann", "Ann", "random"))
    table = Table(seats, seed=b"history")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 1, seconds=900)
    record_of(table).save(tmp_path / "x.lanplay")
    [game], _ = read(tmp_path, identity(0).public)
    keys = [identity(place).public.hex()[:8] for place in (0, 1)]
    assert game.players == (
        Participant("Ann", keys[0]),
        Participant("Ann", keys[1]),
        Participant("random", bot=True),
    )
    assert game.own == (0,)
    assert read(tmp_path, b"")[0][0].own == ()


def test_a_record_that_is_deleted_while_it_is_read_is_in_no_list(data, monkeypatch, capsys):
    """The person clears up in another window: nothing ends for that."""

    def read_and_gone(path):
        record = load(path)
        path.unlink()
        return record

    monkeypatch.setattr("lanplay.cli.kept.load", read_and_gone)
    assert told(capsys)[0]["games"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="devices are no files there")
def test_what_is_no_file_is_not_read_in_search_of_games(tmp_path):
    """A pipe was waited for, and a device that has no end filled the memory."""
    for name in ("device.lanplay", "device.game"):
        (tmp_path / name).symlink_to(os.devnull)
    assert read(tmp_path) == ([], [])
    assert journals(tmp_path) == []
