"""``lanplay resume``: a program that was killed comes back to its table."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest

from lanplay.cli import main, resuming
from lanplay.cli.resuming import wanted
from lanplay.errors import UserError
from lanplay.language import speaking
from lanplay.lines import commanding
from lanplay.lines.front_end import LineFrontEnd
from lanplay.session import saved
from lanplay.session.client import Client
from lanplay.session.reconnect import table_id
from lanplay.session.saved import opened, own_games
from lanplay.session.settings import Network, Profile, Store
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.shell.journal import INCOMPLETE, Journal, SavedGame, read_journal

ME = Identity(bytes(32))
ANN = Identity(bytes([1]) * 32).public

COMMON = ["--interface", "127.0.0.1", "--auto", "steady", "--trust-new", "--json", "--quiet"]


def started(folder, *arguments, common=tuple(COMMON)):
    command = [sys.executable, "-m", "lanplay", *arguments, *common, "--data", str(folder)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
    )


def result(process):
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    return json.loads(out.splitlines()[-1])


def journal_of(folder, size):
    """Wait until the game in ``folder`` has so many bytes on disk."""
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline:
        for path in (folder / "games").glob("*.game"):
            if path.stat().st_size >= size:
                return path
        time.sleep(0.02)
    raise AssertionError("no game was begun")


def until(process, word):
    """Read what a program says until a line has the word; return all lines."""
    said = []
    for line in process.stderr:
        said.append(line)
        if word in line:
            return "".join(said)
    raise AssertionError("".join(said))


@pytest.fixture
def killed(tmp_path):
    """A game of two programs of which one was killed with 60 kB on disk: ``killed(victim)``.

    Returns the folder of the victim and the other program.
    """
    programs = []

    def kill(victim):
        host = started(tmp_path / "a", "host", "dice-town", "--seats", "3", "--people", "2")
        programs.append(host)
        port = until(host, "is open on port").rsplit(" ", 1)[1].strip(".\n")
        guest = started(tmp_path / "b", "join", f"127.0.0.1:{port}")
        programs.append(guest)
        ends = [(tmp_path / "a", host), (tmp_path / "b", guest)]
        folder, process = ends.pop(0 if victim == "host" else 1)
        assert journal_of(folder, 60_000).exists()
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        return folder, ends[0][1]

    yield kill
    for process in programs:
        if process.poll() is None:
            process.kill()
        process.communicate()


POSIX = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")


@pytest.mark.sweep(2)
@POSIX
@pytest.mark.parametrize("victim", ["host", "guest"])
def test_a_killed_program_comes_back_and_the_game_ends_equal(killed, victim):
    """kill -9 of the host or a guest in the middle of a game: resume, and both end in one state."""
    folder, other = killed(victim)
    again = started(folder, "resume")
    ends = [result(again), result(other)]
    assert ends[0]["state_hash"] == ends[1]["state_hash"]
    assert not list((folder / "games").iterdir())


@POSIX
def test_join_goes_on_with_the_own_game_that_is_being_played(killed):
    """Without a table's name and a person: found by its announcement, at whatever port."""
    folder, other = killed("guest")
    again = started(folder, "join")
    said = until(again, "Going on")
    assert "A game of yours is being played: Dice Town with " in said
    ends = [result(again), result(other)]
    assert ends[0]["state_hash"] == ends[1]["state_hash"]


@POSIX
def test_new_skips_the_own_game(killed):
    """``--new`` looks for an open table (not here: others may be open), and names the way back."""
    folder, _ = killed("guest")
    again = started(folder, "join", "--new", "--wait", "0")
    _, errors = again.communicate()
    assert again.returncode == 2
    assert "lanplay resume" in errors
    assert "Going on" not in errors
    assert journal_of(folder, 60_000)


@POSIX
def test_whoever_resumes_alone_is_told_for_whom_it_waits(killed):
    """Nobody is there: the missing ones are named, Ctrl-C leaves, and the game stays kept."""
    folder, other = killed("guest")
    other.kill()
    loud = [word for word in COMMON if word != "--quiet"]
    again = started(folder, "resume", common=loud)
    said = until(again, "Going on")
    assert "Waiting for " in said
    assert "Ctrl-C leaves; the game stays kept." in said
    assert any("is not here yet" in line for line in again.stdout)
    again.send_signal(signal.SIGINT)
    _, errors = again.communicate()
    assert again.returncode == 130
    assert "The game is kept. lanplay resume goes on with it." in errors
    assert journal_of(folder, 60_000)


def kept_game(folder, public, number):
    """Put a game of two programs into a folder of games; return its journal's path."""
    nonce = bytes([number]) * 32
    peers = (Peer(public, "Me", (0,), nonce), Peer(ANN, "Ann", (1,), nonce))
    roster = Roster("dice-town", bytes(16), {}, ("Me", "Ann"), peers)
    journal = Journal.create(folder, SavedGame(roster, {}, nonce, {}))
    journal.close()
    os.utime(journal.path, (number, number))
    return journal.path


@pytest.fixture
def own(tmp_path, monkeypatch, autojump_clock):
    """What ``join`` does about own games: ``await own(playing=…, typed=…, auto=…)``."""

    async def chosen(playing=None, typed=None, auto="", state="running"):
        lines = iter(typed or ())

        async def line():
            return next(lines, "")

        async def announced(tables, network):
            rosters = (read_journal(path)[0].roster for path in [playing] if path)
            return {t: state for t in map(table_id, rosters) if t in tables}

        monkeypatch.setattr(saved, "_announced", announced)
        monkeypatch.setattr(resuming, "at_keyboard", lambda: typed is not None)
        monkeypatch.setattr(commanding, "_line", line)
        front = LineFrontEnd()
        client = Client(Profile("Me", auto), Store(tmp_path), Network(), front.say)
        return await wanted(ME, client, front)

    return chosen


@pytest.mark.parametrize("line", ["", "y", "Yes"])
async def test_a_person_goes_on_with_the_own_game_by_a_word(own, tmp_path, capsys, line):
    """An empty line is a yes, and wrong input gets a sentence; the newest game is offered."""
    kept_game(tmp_path / "games", ME.public, 1)
    newest = kept_game(tmp_path / "games", ME.public, 2)
    assert await own(typed=["maybe\n", f"{line}\n"]) == newest
    said = capsys.readouterr().err
    assert "A game of yours can go on: Dice Town with Ann; nobody is at it now." in said
    assert "Go on with it? [Y/n/d]" in said
    assert "Type y for yes, n to look for another table, d to drop the game for good" in said


async def test_the_game_that_is_played_now_comes_before_newer_ones(own, tmp_path, capsys):
    """Somebody announces the older one: that is where this program is missing."""
    played = kept_game(tmp_path / "games", ME.public, 1)
    kept_game(tmp_path / "games", ME.public, 2)
    assert await own(playing=played, typed=["\n"]) == played
    assert "A game of yours is being played: Dice Town with Ann." in capsys.readouterr().err


async def test_a_person_may_look_for_another_table_or_leave(own, tmp_path):
    """``n`` goes to the open tables; ``q`` and the end of the input leave the program."""
    kept_game(tmp_path / "games", ME.public, 1)
    assert await own(typed=["n\n"]) is None
    for typed in (["q\n"], []):
        with pytest.raises(UserError, match="still kept"):
            await own(typed=typed)


async def test_a_person_may_drop_a_kept_game(own, tmp_path, capsys):
    """``d`` deletes the game that is offered and goes to the open tables; others stay."""
    other = kept_game(tmp_path / "games", ME.public, 1)
    newest = kept_game(tmp_path / "games", ME.public, 2)
    assert await own(typed=["d\n"]) is None
    assert not newest.exists()
    assert other.exists()
    assert "Forgotten: Dice Town with Me, Ann." in capsys.readouterr().err


def test_forget_deletes_a_game_and_nothing_else(tmp_path, capsys):
    """``--forget`` names what it deleted; a file that is no game stays and is named."""
    path = kept_game(tmp_path / "games", ME.public, 1)
    stranger = tmp_path / "letter.txt"
    stranger.write_text("no game")
    assert main(["resume", "--forget", str(stranger), "--data", str(tmp_path)]) == 2
    assert stranger.exists()
    assert "letter.txt: this is not a game in progress" in capsys.readouterr().err
    assert main(["resume", "--forget", str(path), "--data", str(tmp_path)]) == 0
    assert not path.exists()
    assert "Forgotten" in capsys.readouterr().err
    assert main(["resume", "--forget", str(path), "--data", str(tmp_path)]) == 2
    assert "cannot be opened" in capsys.readouterr().err


def test_a_game_that_another_program_plays_is_not_forgotten(tmp_path, capsys):
    """That program would go on without what it says it has kept."""
    path = kept_game(tmp_path / "games", ME.public, 1)
    with closing(Journal.open(path)[0]):
        assert main(["resume", "--forget", str(path), "--data", str(tmp_path)]) == 2
    assert path.exists()
    assert "another lanplay is playing this game now" in capsys.readouterr().err


def test_listing_changes_nothing(tmp_path, capsys):
    """A game that another program is just writing keeps the half of its last entry."""
    path = kept_game(tmp_path / "games", ME.public, 1)
    with path.open("ab") as file:
        file.write(b"half")
    before = path.read_bytes()
    assert main(["resume", "--list", "--data", str(tmp_path)]) == 0
    assert "Me, Ann" in capsys.readouterr().out
    assert [found for found, _ in own_games(tmp_path / "games", ME)] == [path]
    assert path.read_bytes() == before


def test_a_list_names_levels_of_ai_in_the_language_of_its_reader():
    """As the table itself does."""
    roster = Roster("dice-town", bytes(16), {}, ("Me", "Pip (beginner)"), ())
    with speaking("cs"):
        assert resuming._names(SavedGame(roster, {}, b"", {})) == "Me, Pip (začátečník)"


def test_a_file_that_cannot_be_listed_is_named_once_with_what_to_do(tmp_path, capsys):
    """Be it none of a game, or one that the system does not open."""
    junk, gone = tmp_path / "junk.game", tmp_path / "gone.game"
    junk.write_text("junk")
    for path, why in ((junk, "not a game in progress"), (gone, "Check the name, and whether")):
        assert main(["resume", str(path), "--list", "--data", str(tmp_path)]) == 0
        told = capsys.readouterr().err
        assert told.count(str(path)) == 1
        assert why in told


@pytest.mark.parametrize("words", ["resume --list", "resume --plain", "history"])
def test_a_folder_that_cannot_be_read_is_not_called_empty(words, tmp_path, monkeypatch, capsys):
    """Another account has made it, as ``sudo`` does: what is kept there is not lost."""

    def refuse(folder):
        raise PermissionError(errno.EACCES, "not yours", str(folder))

    monkeypatch.setattr(os, "scandir", refuse)
    assert main([*words.split(), "--data", str(tmp_path)]) == 2
    assert "cannot be opened (not yours)" in capsys.readouterr().err


def test_a_damaged_game_is_named_kept_aside_and_goes_on_as_one_that_was_cut(tmp_path, capsys):
    """A bit that fell over is told with its place; the journal that goes on is a stale one."""
    path = kept_game(tmp_path / "games", ME.public, 1)
    whole = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"what was never written so")
    journal, kept, moves = opened(path, print)
    journal.close()
    assert (kept.roster.names, moves) == (("Me", "Ann"), [])
    assert journal.path == path.with_suffix(INCOMPLETE)
    aside = path.with_suffix(f".{whole}.damaged")
    assert aside.stat().st_size == whole + 25
    said = capsys.readouterr().out
    assert f"{path.name}: it was changed or damaged at byte {whole}" in said
    assert aside.name in said


async def test_a_program_without_a_person_only_goes_on_where_others_play(own, tmp_path, capsys):
    """A game that nobody is at does not keep a bot from an open table; its way back is said."""
    path = kept_game(tmp_path / "games", ME.public, 1)
    assert await own(auto="steady", typed=["\n"]) is None
    assert "lanplay resume" in capsys.readouterr().err
    assert await own(auto="steady", playing=path) == path


async def test_a_game_that_ended_without_this_program_says_so(own, tmp_path, capsys):
    """It does not say that it can go on: going on with it shows its end, also without a person."""
    path = kept_game(tmp_path / "games", ME.public, 1)
    assert await own(auto="steady", playing=path, state="ended") == path
    said = capsys.readouterr().err
    assert "has ended without you" in said
    assert "can go on" not in said


async def test_games_of_others_and_damaged_ones_are_not_offered(own, tmp_path, capsys):
    """What was played with another identity cannot be gone on with by this one."""
    kept_game(tmp_path / "games", bytes([9]) * 32, 1)
    (tmp_path / "games" / "damaged.game").write_bytes(b"no game")
    assert await own(typed=["\n"]) is None
    assert capsys.readouterr().err == ""


def test_nothing_to_go_on_with_is_said(tmp_path, capsys):
    """Without a game in progress the command says so and what else there is."""
    assert main(["resume", "--data", str(tmp_path)]) == 2
    assert "lanplay join" in capsys.readouterr().err
    assert main(["resume", "--list", "--data", str(tmp_path)]) == 0
