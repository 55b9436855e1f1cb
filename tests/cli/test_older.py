"""A data folder of lanplay 0.1.0 opens: nothing is lost, and what cannot go on says so.

``older`` holds what commit 510501c wrote: settings, an identity, known keys, the record of a game
of Charidice, a game of Dice Town that a kill broke off, and a tournament.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.session.profile import FILE, own_identity
from lanplay.session.trust import KnownKeys
from lanplay_protocol.identity import Identity

OLDER = Path(__file__).parent / "older"
PEER = "a9fd718d89c7faa4931fa0f9bec11deaaa497fa394d796a90897e3f51c8c1515"


@pytest.fixture
def older(tmp_path, monkeypatch, capsys):
    """Return what runs a command on a copy: its status, what it printed, its errors."""
    home = Path(shutil.copytree(OLDER, tmp_path / "older"))
    monkeypatch.chdir(home)
    monkeypatch.setenv("LANPLAY_CONFIG", str(home / "config.toml"))

    def run(*words, data=True):
        status = main([*words, *(["--data", str(home)] if data else [])])
        told = capsys.readouterr()
        return status, told.out, told.err

    yield run
    for path in OLDER.rglob("*"):
        if path.is_file():
            assert (home / path.relative_to(OLDER)).read_bytes() == path.read_bytes(), path


def test_settings_are_read_and_the_renamed_one_says_so(older):
    """``absent = plays`` is ``play`` now; the other settings are what they were."""
    status, shown, told = older("config", "--json", data=False)
    assert status == 0
    assert "absent = plays is now called play" in shown + told
    assert {"Eva", "strong", "play", "light"} <= {
        word for line in shown.splitlines() for word in json.dumps(json.loads(line)).split('"')
    }


def test_the_identity_is_the_same(older, tmp_path):
    """Who knew this installation still does: its key is read as it is."""
    own = own_identity(tmp_path / "older", pytest.fail)
    assert own.public == Identity((OLDER / FILE).read_bytes()).public
    status, shown, _ = older("doctor", "--json", "--interface", "127.0.0.1")
    assert status == 0
    assert [each for each in json.loads(shown)["findings"] if each["state"] == "FAULT"] == []


def test_whom_one_knew_one_still_knows(tmp_path):
    """Keys that were remembered keep their names."""
    shutil.copy(OLDER / "known_peers.json", tmp_path)
    assert KnownKeys(tmp_path).names == {PEER: "Jan"}


def test_a_finished_game_is_in_the_history_and_replays_to_the_same_end(older):
    """The rules were renamed, and play the same: the scores are those that were signed."""
    status, shown, _ = older("history")
    assert (status, "342" in shown, "213" in shown) == (0, True, True)
    [record] = (OLDER / "records").iterdir()
    status, shown, _ = older("replay", f"records/{record.name}", "--plain", data=False)
    assert status == 0
    assert "342" in shown
    assert "213" in shown


def test_a_record_of_the_first_protocol_is_not_judged_and_says_who_can(older):
    """Nobody is called guilty or innocent by rules that were not those of the game."""
    [record] = (OLDER / "records").iterdir()
    status, _, told = older("verify", f"records/{record.name}", data=False)
    assert status == 2
    assert "older protocol" in told
    assert "the lanplay that wrote it verifies it" in told


@pytest.mark.parametrize(
    "words", [("resume", "--plain"), ("resume", "--list"), ("doctor", "--interface", "127.0.0.1")]
)
def test_a_kept_game_of_the_first_protocol_is_named_and_stays(older, words):
    """It cannot go on here; which version it needs is said, and the file is left as it is."""
    _, shown, told = older(*words)
    assert "another version of lanplay (protocol 1)" in shown + told


def test_a_tournament_of_other_rules_is_not_mixed_with_new_games(older):
    """``--resume`` names both rules; the results stay as they were."""
    status, _, told = older("tournament", "--resume", "tournament", data=False)
    assert status == 2
    assert "charidice/1" in told
    assert "Use the version of lanplay that began it" in told
