"""``lanplay resume`` of a game of this machine alone: what it takes, and what it says it cannot."""

from __future__ import annotations

import json
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.cli import main
from lanplay.engine.record import AUTO, load
from lanplay.session.local import identity_of, local_table
from lanplay.session.requests import table_setup
from lanplay.session.saved import all_games
from lanplay.session.settings import Profile, TableWish
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import NONCE, Peer
from lanplay_protocol.shell.journal import Journal, journals

SEED = bytes(32)
WISH = TableWish(game="charidice", seats=2, bot="random")


@pytest.fixture
def kept(tmp_path):
    """The open journal of a game in which a person is asked for the first time."""
    table = table_setup(WISH.game, WISH.seats, WISH.options, [WISH.bot])
    saved = local_table(table, WISH, Profile("Ann"), SEED, typed=True)
    replica = Replica(table.game, saved.roster, identity_of(SEED), SEED)
    journal = Journal.create(tmp_path / "games", saved)
    for given in (inputs.Started(), inputs.Trusted()):
        for entry in replica.step(given, 0.0).persist:
            journal.append(entry)
    yield journal
    journal.close()


def resumed(folder, *arguments):
    return main(["resume", "--data", str(folder), *arguments])


def test_a_bot_answers_for_the_person_of_a_kept_game(kept, tmp_path, capsys):
    """``resume --auto`` plays it to its end, and its record says who answered."""
    kept.close()
    assert resumed(tmp_path, "--auto", "casual", "--json") == 0
    said = capsys.readouterr()
    record = json.loads(said.out.splitlines()[-1])["record"]
    assert "lanplay verify" not in said.err  # nothing of it is signed
    assert load(Path(record)).extra[AUTO] == "casual"
    assert main(["replay", record]) == 0


def test_a_bot_that_is_not_there_is_named_and_the_game_stays(kept, tmp_path, capsys):
    """Before anything is played."""
    kept.close()
    before = kept.path.read_bytes()
    assert resumed(tmp_path, "--auto", "nobody") == 2
    assert "nobody" in capsys.readouterr().err
    assert kept.path.read_bytes() == before


PROGRAM = "import sys; open(sys.argv[1], 'a').write('started'); sys.stdin.readline()"


@pytest.mark.parametrize(("place", "runs"), [("sent", False), ("games", True)])
def test_a_game_that_somebody_has_sent_starts_no_program(place, runs, tmp_path):
    """What its file calls a bot may be any command; one's own game goes on with the whole of it."""
    notes = tmp_path / "a folder with a name that is long" / "notes"
    notes.parent.mkdir()
    command = shlex.join([sys.executable, "-c", PROGRAM, str(notes)])
    table = table_setup(WISH.game, WISH.seats, WISH.options, [WISH.bot])
    saved = local_table(table, replace(WISH, bot=f"cmd:{command}"), Profile("Ann"), SEED, True)
    journal = Journal.create(tmp_path / place, saved)
    journal.close()
    assert resumed(tmp_path, str(journal.path), "--auto", "random") == 0
    assert notes.exists() is runs


def test_two_programs_do_not_play_one_game(kept, tmp_path, capsys):
    """Who comes second is told so; what the first has written stays."""
    before = kept.path.read_bytes()
    assert resumed(tmp_path, "--auto", "casual") == 2
    assert "another lanplay is playing this game now" in capsys.readouterr().err
    assert kept.path.read_bytes() == before


def test_a_game_that_another_window_plays_is_not_the_one_to_go_on_with(kept, tmp_path, capsys):
    """Though it is the newest: the next one is, which ends."""
    table = table_setup(WISH.game, WISH.seats, WISH.options, [WISH.bot])
    saved = local_table(table, WISH, Profile("Ann"), bytes([1]) * 32, typed=True)
    newest = Journal.create(tmp_path / "games", saved)
    kept.close()
    os.utime(kept.path, (0, 0))
    assert [path for path, _ in all_games(tmp_path / "games")] == [kept.path]
    assert resumed(tmp_path, "--auto", "casual") == 0
    assert journals(tmp_path / "games") == [newest.path]
    newest.close()


def test_a_file_that_holds_no_game_is_not_the_one_to_go_on_with(kept, tmp_path):
    """A power cut as a game began may leave it empty: the next one is, which ends."""
    kept.close()
    empty = tmp_path / "games" / "empty.game"
    empty.touch()
    os.utime(kept.path, (0, 0))
    assert resumed(tmp_path, "--auto", "casual") == 0
    assert journals(tmp_path / "games") == [empty]


def test_two_games_with_one_seed_are_both_kept(kept, tmp_path):
    """A seed names no game: each has a file of its own."""
    table = table_setup(WISH.game, WISH.seats, WISH.options, [WISH.bot])
    saved = local_table(table, WISH, Profile("Ann"), SEED, typed=True)
    second = Journal.create(tmp_path / "games", saved)
    second.close()
    assert second.path != kept.path


def test_a_journal_without_one_of_its_messages_is_told(kept, tmp_path, capsys):
    """No crash report: it names the file and what can be done, and the file stays."""
    kept.close()
    journal, saved, entries = Journal.open(kept.path)
    journal.close(delete=True)
    journal = Journal.create(tmp_path / "games", saved)
    for entry in entries[1:]:
        journal.append(entry)
    journal.close()
    before = journal.path.read_bytes()
    assert resumed(tmp_path, "--auto", "casual") == 2
    said = capsys.readouterr().err
    assert f"{journal.path}: its messages do not make one game" in said
    assert f"lanplay resume --forget {journal.path}" in said
    assert journal.path.read_bytes() == before


def test_an_address_that_this_laptop_has_no_more_is_told(kept, tmp_path, capsys):
    """It stands in the settings still, and the laptop is on another network: no crash report."""
    kept.close()
    journal, saved, _entries = Journal.open(kept.path)
    journal.close(delete=True)
    (tmp_path / "identity.key").write_bytes(SEED)
    keys = Identity(SEED).public, bytes(32)
    peers = tuple(Peer(key, "Ann", (n,), bytes(NONCE)) for n, key in enumerate(keys))
    saved = replace(saved, roster=replace(saved.roster, peers=peers))
    journal = Journal.create(tmp_path / "games", saved)
    journal.close()
    there = ("--auto", "casual", "--trust-new", "--interface", "192.0.2.1")
    assert resumed(tmp_path, str(journal.path), *there) == 2
    assert "192.0.2.1" in capsys.readouterr().err


@pytest.mark.parametrize("alone", [True, False])
def test_a_journal_that_begins_from_what_no_game_comes_to_is_told(alone, kept, tmp_path, capsys):
    """Whoever made it, of this machine alone or among others: nothing counts as our fault."""
    kept.close()
    journal, saved, _entries = Journal.open(kept.path)
    journal.close(delete=True)
    others = tuple(Peer(bytes([n] * 32), "Ann", (n,), bytes(NONCE)) for n in range(2))
    peers = saved.roster.peers if alone else others
    roster = replace(saved.roster, start={"round": "x"}, peers=peers)
    journal = Journal.create(tmp_path / "games", replace(saved, roster=roster))
    journal.close()
    assert resumed(tmp_path, str(journal.path), "--auto", "casual") == 2
    assert f"{journal.path}: its messages do not make one game" in capsys.readouterr().err
