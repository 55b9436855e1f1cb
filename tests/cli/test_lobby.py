"""The forming table on the command line: what its host types, and programs that come and go."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from types import SimpleNamespace

import pytest

from lanplay.games import load
from lanplay.lines.front_end import LineFrontEnd
from lanplay.session import commands as c
from lanplay.session.company import fill
from lanplay.session.forming import HostedTable
from lanplay.session.hosting import advert
from lanplay.session.joining import closed
from lanplay.ui import forming
from lanplay.ui.presenter import Presenter
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo
from lanplay_protocol.shell.host import LobbyHost

ME, ANN = (Identity(bytes([n]) * 32).public for n in (1, 2))


class Quiet:
    """A node without links."""

    seated, identity = frozenset(), Identity(bytes([1]) * 32)

    def places(self):
        return ()

    def __init__(self):
        self.sent = []
        self.closed = []

    def send(self, identity, body):
        self.sent.append(identity)

    def close(self, identity, error):
        self.closed.append((identity, error.text))


@pytest.fixture
def hosting():
    """A table of four seats: the host, Ann with a blank in her name, two free ones."""
    seats = (Seat("host", ME), *(Seat() for _ in range(3)))
    options = (("brute", "free"),)
    host, rules = Guest(ME, "host", ()), load("dice-town").fingerprint
    info = TableInfo("0" * 32, "t", "dice-town", rules, options, seats, (host,))
    hosting = LobbyHost(Quiet(), Lobby(info), lambda info: None)
    hosting.lobby.join(Guest(ANN, "Ann B", ()))
    return hosting


def obey(line, hosting):
    """Do what a host has typed; return whether the game is to start."""
    submit = HostedTable(hosting, lambda: None).submit
    return forming.obey(line, hosting.lobby.info.game, submit, print)


def test_what_is_to_be_said_is_a_line_like_others_of_host_and_guest():
    """``say`` alone says nothing; help names it, and what is said is no word of the table."""
    said, shown = [], []
    session = SimpleNamespace(submit=lambda command, audience: said.append(command))
    person = Presenter(session, SimpleNamespace(say=shown.append), print)
    assert person._typed("say kick Ann B")
    assert not person._obey("dice-town", "say start")
    assert not person._obey("dice-town", "help")
    assert not person._typed("say")
    assert said == [c.Say("kick Ann B"), c.Say("start")]
    assert "say TEXT  say something to all at the table" in shown[0]


def test_who_types_nothing_is_called_by_what_somebody_says(monkeypatch, capsys):
    """On a terminal, and not on a pipe; it is printed in any case."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    front = LineFrontEnd(call="bell")
    front._ringer._clock = lambda: 1e9
    front.heard("Ann: “hello”")
    assert capsys.readouterr().err == "Ann: “hello”\n\a"
    front._typing(lambda line: False)("x")
    front.heard("Ann: “there you are”")
    assert "\a" not in capsys.readouterr().err


def seats(hosting):
    return [seat.name or "free" for seat in hosting.lobby.info.seats]


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("kick Ann B", ["host", "free", "free", "free"]),
        ("move 2 4", ["host", "free", "free", "Ann B"]),
        ("ai 3", ["host", "Ann B", "random 3", "free"]),
        ("ai 3 steady", ["host", "Ann B", "steady 3", "free"]),
        ("free 4", ["host", "Ann B", "free", "free"]),
    ],
)
def test_commands_change_seats_and_are_shown_to_all(hosting, line, after):
    """Each command does what it says, and whoever is left at the table is sent the new table."""
    assert not obey(line, hosting)
    assert seats(hosting) == after
    assert hosting._node.sent[-1:] == [ANN]


@pytest.mark.parametrize("line", ["start", ""])
def test_start_or_an_empty_line_fills_the_table_and_starts(hosting, line):
    """AI takes the free seats as the table is offered, and whoever is awaited is named before."""
    assert obey(line, hosting)
    fill(hosting.lobby)
    assert seats(hosting) == ["host", "Ann B", "random 3", "random 4"]


def test_the_table_is_locked_and_unlocked_and_so_announced(hosting):
    """A locked table is announced without free seats, so that nobody comes in vain."""
    for line, free in (("lock", 0), ("unlock", 2)):
        obey(line, hosting)
        said = advert(hosting.lobby, port=1, password=False)
        assert said.free == free
    assert not closed(said)


def test_an_option_is_changed_and_the_others_stay(hosting):
    """The options of an open table are those of the game, checked as at its opening."""
    obey("option brute=one_extra", hosting)
    assert dict(hosting.lobby.info.options)["brute"] == "one_extra"


def test_help_names_every_command(hosting, capsys):
    """What is listed is what can be typed."""
    obey("help", hosting)
    shown = capsys.readouterr().out
    for word in ("start", "kick", "lock", "unlock", "move", "ai", "free", "option", "q"):
        assert word in shown


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("dance", "no command 'dance'"),
        ("kick", "has no command"),
        ("kick Bob", "The guests are: Ann B"),
        ("kick host", "yourself"),
        ("move 1", "has no command"),
        ("move 1 9", "1 to 4"),
        ("move one two", "'one' is not a seat"),
        ("move ² 1", "is not a seat"),
        ("ai 2", "kick: free it"),
        ("ai 3 deep", "random, .*steady"),
        ("free 1", "your own"),
        ("unlock", "not locked"),
        ("option brute", "NAME=VALUE"),
        ("option brute=strong", "one_extra .one more die."),
        ("option luck=much", "no option 'luck'"),
    ],
)
def test_wrong_commands_say_what_would_be_right_and_lose_nothing(hosting, line, hint):
    """A slip of the keyboard changes nothing."""
    before = hosting.lobby.info
    with pytest.raises(ValueError, match=hint):
        obey(line, hosting)
    assert hosting.lobby.info == before
    assert hosting._node.sent == []


def test_a_host_may_leave():
    """``q`` leaves the table to its guests."""
    assert forming.parsed("q", "dice-town") == c.LeaveTable()


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ({"state": "running"}, "playing"),
        ({"free": 0}, "full or locked"),
        ({"protocol": 9}, "has another version"),
    ],
)
def test_why_a_table_cannot_be_joined_is_said(hosting, change, hint):
    """A table of the list that takes nobody now is named with the reason."""
    said = advert(hosting.lobby, port=1, password=False)
    assert hint in closed(replace(said, **change))


COMMON = ["--interface", "127.0.0.1", "--trust-new", "--quiet"]


class Programs:
    """Real programs on the loopback interface; none outlives its test."""

    def __init__(self, folder):
        self.folder = folder
        self.stack = ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.stack.close()

    def start(self, name, *arguments, bot="steady", **streams):
        given = [*arguments, *COMMON, "--json", "--name", name, "--data", str(self.folder / name)]
        command = [sys.executable, "-m", "lanplay", *given, *(["--auto", bot] if bot else [])]
        streams = {"stdin": subprocess.DEVNULL, **streams}
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **streams
        )
        self.stack.callback(self.stop, process)
        return process

    def stop(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def programs(tmp_path):
    """A way to start programs that ends them all."""
    with Programs(tmp_path) as started:
        yield started


def until(process, *words):
    """Read what a program says of its table until a line has all these words; return the line."""
    said = []
    for line in process.stderr:
        said.append(line)
        if all(word in line for word in words):
            return line
    raise AssertionError("".join(said))


def port_of(process):
    return until(process, " is open on port ").rsplit(" ", 1)[1].strip(".\n")


def test_a_host_without_input_says_how_to_start(programs):
    """Where nobody can type and no number of people is given, the program does not wait."""
    host = programs.start("ann", "host", "dice-town", "--seats", "2")
    out, errors = host.communicate()
    assert (host.returncode, out) == (2, "")
    assert "--people" in errors


def test_a_host_types_its_table_together_and_starts(programs):
    """Commands come line by line; wrong ones get a sentence; the game is the one that was typed."""
    options = ["--seats", "3", "--bot", "steady"]
    host = programs.start("ann", "host", "dice-town", *options, stdin=subprocess.PIPE)
    typed = "ai 2 random\nfly\nmove 2 9\nmove 2 3\nhelp\nstart\n"
    out, errors = host.communicate(typed)
    assert host.returncode == 0, errors
    assert "no command 'fly'" in errors
    assert "seats are 1 to 3" in errors
    assert "kick NAME" in errors
    assert json.loads(out.splitlines()[-1])["seats"] == ["ann", "steady 2", "random 2"]


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")
def test_a_table_survives_the_kill_of_its_host(programs):
    """kill -9 of the host of a forming table: its guests go on, others come, all play one game."""
    host = programs.start("host", "host", "charidice", "--people", "4", bot="random")
    first = port_of(host)
    ann = programs.start("ann", "join", f"127.0.0.1:{first}", bot="random")
    until(ann, "host, ann, free")
    ben = programs.start("ben", "join", f"127.0.0.1:{first}", bot="random")
    for guest in (ann, ben):
        until(guest, "host, ann, ben, free")
    os.kill(host.pid, signal.SIGKILL)
    address = f"127.0.0.1:{port_of(ann)}"
    until(ann, "free, ann, ben, free")
    others = [programs.start(name, "join", address, bot="random") for name in ("cid", "dan")]
    ends = []
    for process in (ann, ben, *others):
        out, errors = process.communicate()
        assert process.returncode == 0, errors
        ends.append(json.loads(out.splitlines()[-1]))
    assert len({end["state_hash"] for end in ends}) == 1
    assert sorted(ends[0]["seats"]) == ["ann", "ben", "cid", "dan"]


def test_the_guest_of_a_host_that_leaves_is_told_so(programs):
    """``q`` at a table with one guest: it ends with a sentence and what to do, and no traceback."""
    host = programs.start("host", "host", "dice-town", stdin=subprocess.PIPE)
    guest = programs.start("ann", "join", f"127.0.0.1:{port_of(host)}")
    until(guest, "host, ann, free")
    _, errors = host.communicate("q\n")
    assert (host.returncode, "You have left the table." in errors) == (0, True)
    _, errors = guest.communicate()
    assert guest.returncode == 2
    assert "The host, host, has left, and nobody else" in errors
    assert "Traceback" not in errors


def test_a_kicked_guest_ends_with_a_sentence(programs):
    """The kicked program says who sent it away and what to do; coming again brings the same."""
    host = programs.start("host", "host", "dice-town", stdin=subprocess.PIPE)
    address = f"127.0.0.1:{port_of(host)}"
    guest = programs.start("ann", "join", address)
    until(guest, "host, ann, free")
    host.stdin.write("kick ann\n")
    host.stdin.flush()
    for kicked in (guest, None):
        guest = kicked or programs.start("ann", "join", address)
        _, errors = guest.communicate()
        assert guest.returncode == 2
        assert "host has sent you away" in errors


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_a_guest_at_a_keyboard_may_leave_and_nothing_else(programs):
    """A guest's lines are answered while the table forms; ``q`` frees its seat."""
    host = programs.start("host", "host", "dice-town", "--people", "3")
    address = f"127.0.0.1:{port_of(host)}"
    ours, theirs = os.openpty()
    with os.fdopen(theirs), os.fdopen(ours, "w") as keyboard:
        guest = programs.start("ann", "join", address, bot="", stdin=theirs)
        until(guest, "host, ann, free")
        keyboard.write("start\nq\n")
        keyboard.flush()
        _, errors = guest.communicate()
    assert guest.returncode == 0
    assert "You are a guest" in errors
    assert "You have left the table." in errors
    until(host, "host, free, free")
