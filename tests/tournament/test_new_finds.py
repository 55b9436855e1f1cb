"""What bots of strangers, disks and odd folders can still do to a tournament."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.cli import main, tournaments
from lanplay.errors import Mistake
from lanplay.tournament import bots
from lanplay.tournament.executor import local
from lanplay.tournament.merging import merge
from lanplay.tournament.plan import make_plan
from lanplay.tournament.report import page
from lanplay.tournament.running import begin, resume
from lanplay.tournament.storage import FAULTS, Folder, Goal
from lanplay_ai.outside import walls
from lanplay_ai.outside.program import BotFault, lent, try_out
from tests.tournament.conftest import bytes_of, concluded, played

shut = pytest.mark.skipif(not walls.able(), reason="no walls can be built here")
posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups are of POSIX")


@pytest.fixture
def place():
    """A folder that bots within walls can read: all of ``/dev`` is hidden from them."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


LEAVING = """
import os, sys, time
{first}
if os.fork():
    os._exit(3)
for stream in range(3):
    os.close(stream)
time.sleep(60)
"""
"""A program that ends, and leaves a process of its own group which has closed all pipes."""


def leaving(place, first):
    path = place / "leaving.py"
    path.write_text(LEAVING.format(first=first))
    return shlex.join([sys.executable, str(path)])


def left(place):
    """Return the processes that run the program, by number; they are ended."""
    found = []
    time.sleep(1)
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            said = (path / "cmdline").read_bytes()
            if str(place / "leaving.py").encode() in said:
                state = (path / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z":
                    found.append((int(path.name), state))
    for process, _state in found:
        os.kill(process, signal.SIGKILL)
    return found


@posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_what_a_program_has_started_ends_with_it_though_it_ended_first_itself(place):
    """A bot that exits at a question is a fault, and nothing of it is left."""
    command = leaving(place, "sys.stdin.readline()")
    with pytest.raises(BotFault, match="has ended"), lent(command, 5.0, hidden=()) as program:
        program.ask({})
    assert left(place) == []


@posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_program_that_ends_at_once_leaves_nothing_running_when_it_is_tried_out(place):
    """Before the first game each program is started once; one that ends is refused, whole."""
    with pytest.raises(Mistake, match="has ended"):
        try_out(leaving(place, "pass"), 5.0, hidden=())
    assert left(place) == []


def within(deed, file, most=None, hidden=()):
    """Return what a program within walls prints."""
    end, done = os.pipe()

    def limited():
        if most is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (most, most))

    try:
        return subprocess.run(
            walls.walled([sys.executable, "-c", deed, str(file)], hidden, done),
            pass_fds=(done,),
            preexec_fn=limited,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        ).stdout
    finally:
        os.close(end)
        os.close(done)


CALL = "import ctypes, sys; call = ctypes.CDLL(None, use_errno=True).syscall\n"
NOTES = {
    "times": "import os, sys; os.utime(sys.argv[1], (4711, 4711)); print('done')",
    "locks": (
        "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "print('done')"
    ),
    "byte locks": (
        "import fcntl, struct, sys; f = open(sys.argv[1])\n"
        "fcntl.fcntl(f, fcntl.F_SETLK, struct.pack('hhqqi', fcntl.F_RDLCK, 0, 1, 1, 0))\n"
        "print('done')"
    ),
    "leases": (
        "import fcntl, sys; fcntl.fcntl(open(sys.argv[1]), fcntl.F_SETLEASE, fcntl.F_RDLCK)\n"
        "print('done')"
    ),
    "flags": (
        "import array, fcntl, sys; f = open(sys.argv[1]); a = array.array('l', [0])\n"
        "fcntl.ioctl(f, 0x80086601, a); a[0] |= 0x80; fcntl.ioctl(f, 0x40086602, a)\n"
        "print('done')"
    ),
}


@shut
@pytest.mark.parametrize("way", NOTES)
def test_a_bot_within_walls_leaves_no_notes_at_a_file(way, place):
    """It could tell another bot, or itself after a restart, what it saw; and change others' files.

    docs/tournaments.md: it reads other files, but cannot pass anything on.
    """
    file = place / "file"
    file.write_text("x")
    assert within(NOTES[way], file) == ""


@shut
def test_a_bot_within_walls_leaves_no_notes_with_the_kernel(place):
    """What one program within walls puts into the keyring of its session another one reads."""
    number = 248 if os.uname().machine == "x86_64" else 217
    put = f"{CALL}print(call({number}, b'user', b'lanplay-test', b'loot', 4, -4))"
    get = (
        f"{CALL}key = call({number + 2 if number == 248 else 219}, 10, -4, b'user',"
        " b'lanplay-test', 0)\n"
        "into = ctypes.create_string_buffer(9)\n"
        f"call({number + 2 if number == 248 else 219}, 11, key, into, 9); print(into.value)"
    )
    within(put, place)
    assert "loot" not in within(get, place)


@shut
@pytest.mark.parametrize(
    "deed",
    [
        "import os; f = os.memfd_create('x'); [os.write(f, bytes(1 << 20)) for _ in range(300)]",
        "import mmap; m = mmap.mmap(-1, 300 << 20); m[::4096] = bytes(300 << 8)",
    ],
    ids=["memory files", "shared memory"],
)
def test_the_limit_of_memory_holds_for_all_memory(deed, place):
    """``MEMORY`` (here 128 MiB) is what a process may write to, whatever it is called."""
    assert within(f"{deed}; print('had 300 MiB')", place, 128 << 20) == ""


def test_a_folder_that_is_hidden_shows_nothing_of_another_around_it():
    """With lanplay's data in ``/dev/shm`` all terminals and all else in ``/dev`` are still shut."""
    hidden = ["/proc", "/dev", "/dev/shm/lanplay"]
    assert [path for path in walls.spared(hidden) if path.startswith("/dev")] == []


@shut
def test_a_bot_does_not_hold_up_who_writes_the_results(place):
    """A lease on ``games.csv`` would let each deal that is appended wait for 45 seconds."""
    games = place / "games.csv"
    games.write_text("")
    deed = (
        "import fcntl, sys, time; f = open(sys.argv[1])\n"
        "fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_RDLCK)\n"
        "print(1, flush=True); [print(1, flush=True) for line in sys.stdin]"
    )
    command = shlex.join([sys.executable, "-c", deed, str(games)])
    with suppress(BotFault), lent(command, 5.0, hidden=(str(place / "data"),)) as program:
        program.ask({})
        descriptor = os.open(games, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK)  # raises if leased
        os.close(descriptor)


class Refused(Exception):
    """Stands for the moment at which a process is killed."""


@pytest.fixture
def faulty(monkeypatch):
    """The own bot ``beginner`` fails in each game, and says so with letters beyond ASCII."""
    from lanplay.engine.question import answers

    class Failing:
        def __init__(self):
            self.asked = 0

        def answer(self, view, question):
            self.asked += 1
            if self.asked == 3:
                raise ValueError("žluťoučký kůň" * 4)
            return next(iter(answers(question, view)))

    made = bots.make
    monkeypatch.setattr(
        bots,
        "make",
        lambda game, name, *rest: Failing() if name == "beginner" else made(game, name, *rest),
    )


def faults_of(folder):
    return folder.path.joinpath(FAULTS).read_bytes(), list(folder.records())


@pytest.mark.parametrize("refused", ["append_faults", "write_record"])
def test_a_merge_that_is_cut_off_loses_no_faults_and_records(
    faulty, refused, tmp_path, monkeypatch
):
    """``--resume`` of what it left (``merge`` itself names it) gives the bytes of one run."""
    plan = make_plan("charidice", ["random", "beginner"], seed=3)
    goal = Goal(4, records=True)
    whole = played(plan, tmp_path / "whole", goal).folder
    parts = [
        played(plan, tmp_path / f"part-{n}", replace(goal, shard=(n, 2))).folder for n in (1, 2)
    ]
    into = Folder(tmp_path / "merged")

    def refuse(*said):
        raise Refused

    with monkeypatch.context() as patch, pytest.raises(Refused):
        patch.setattr(Folder, refused, refuse)
        merge(parts, into)
    run = resume(into)
    run.play(local(1))
    concluded(run)
    assert bytes_of(into.path) == bytes_of(whole.path)
    assert faults_of(into) == faults_of(whole)


def test_a_run_is_gone_on_with_though_its_list_of_faults_ends_within_a_letter(
    faulty, tmp_path, monkeypatch
):
    """A disk that is full cuts off anywhere, also within a letter of two bytes."""
    monkeypatch.setattr(tournaments, "write_report", lambda *said: [])
    plan = make_plan("charidice", ["random", "beginner"], seed=3)
    folder = played(plan, tmp_path / "run", Goal(2)).folder
    before = (folder.path / FAULTS).read_bytes()
    letter = "ž".encode()
    cut = before.rindex(letter) + 1
    (folder.path / FAULTS).write_bytes(before[:cut])
    folder.games.write_text(folder.games.read_text().split("3,2,")[0])
    run = resume(folder)
    run.play(local(1))
    assert (folder.path / FAULTS).read_bytes() == before


MULTILINE = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "question":
        print(json.dumps({"id": said["id"], "answer": said["answers"][0]}), flush=True)
"""


@pytest.fixture
def several_lines(tmp_path, monkeypatch):
    """A run of three deals with a bot whose command has several lines."""
    monkeypatch.setattr(tournaments, "write_report", lambda *said: [])
    bot = f"cmd:{shlex.join([sys.executable, '-c', MULTILINE.rstrip()])}"
    folder = tmp_path / "run"
    said = ["--games", "6", "--seed", "3", "--out", str(folder), "--jobs", "1", "--quiet"]
    assert main(["tournament", "charidice", bot, "beginner", *said, "--trusted"]) == 0
    return folder


def test_a_finished_run_with_a_command_of_several_lines_can_be_resumed(several_lines, capsys):
    """Its table is as it was; nothing is cut off."""
    before = (several_lines / "games.csv").read_bytes()
    status = main(["tournament", "--resume", str(several_lines), "--jobs", "1", "--quiet"])
    assert (several_lines / "games.csv").read_bytes() == before
    assert status == 0, capsys.readouterr().err


def test_a_game_of_a_command_of_several_lines_can_be_replayed(several_lines, capsys):
    status = main(["replay", str(several_lines), "--game", "2", "--no-step"])
    assert status == 0, capsys.readouterr().err


def test_what_was_kept_of_games_that_are_played_again_is_gone_before(tmp_path, monkeypatch):
    """Records come before rows: a bot could read there the luck of a game that it plays again.

    And what such a game was the first time is not what the table says of it.
    """
    data = tmp_path / "data"
    plan = make_plan("charidice", ["random", "beginner"], seed=1 << 100, sealed=True)
    folder = Folder(tmp_path / "run", data)

    def refuse(*said):
        raise Refused

    run = begin(plan, Goal(2, records=True), folder)
    with monkeypatch.context() as patch, pytest.raises(Refused):
        patch.setattr(Folder, "append", refuse)
        run.play(local(1))
    run = resume(folder)
    assert run.tally.games == 0
    assert [number for number, _content in folder.records() if number >= run.tally.games] == []


@shut
def test_a_hidden_folder_is_not_listed(place):
    """The names of what lanplay keeps are nobody's business either."""
    (place / "hidden").mkdir()
    (place / "hidden" / "of-ann").touch()
    deed = "import os, sys; print(os.listdir(sys.argv[1]))"
    assert "of-ann" not in within(deed, place / "hidden", hidden=[str(place / "hidden")])


LONG_NUMBER = "9" * 5000


@pytest.mark.parametrize("said", [f"{LONG_NUMBER}/{LONG_NUMBER}", f"1/{LONG_NUMBER}"])
def test_a_part_whose_number_is_too_long_is_told(said, tmp_path, capsys):
    status = main(["tournament", "charidice", "random", "beginner", "--shard", said])
    assert status == 2, capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plan.json", "[" * 100_000),
        ("timing.json", "[" * 100_000),
        ("timing.json", '{"seconds": null}'),
        ("timing.json", '{"decisions": [1, null], "nanoseconds": [1, 1], "slowest": [1, 1]}'),
        ("games.csv", b"\xff\xfe"),
        ("games.csv", b"entrant 9"),
        ("faults.jsonl", "{}\n"),
    ],
)
def test_odd_files_of_a_run_are_told_or_passed_over(name, content, tmp_path, capsys, monkeypatch):
    """``--resume`` says which file cannot be used; it does not call it a fault of lanplay."""
    monkeypatch.setattr(tournaments, "write_report", lambda *said: [])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    plan = make_plan("charidice", ["random", "beginner"], seed=3)
    folder = played(plan, tmp_path / "run", Goal(2)).folder
    path = folder.path / name
    if content == b"entrant 9":
        path.write_text(path.read_text().replace("1,1,1,1,random", "1,1,1,9,random"))
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content)
    status = main(["tournament", "--resume", str(folder.path), "--jobs", "1", "--quiet"])
    assert status in (0, 2), capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="the file is executable by its mode")
def test_a_program_that_is_its_own_file_is_another_one_once_it_has_changed(tmp_path):
    """The commitment binds a bot that is called by its path alone, as it does ``python bot.py``."""
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\nexec cat\n")
    bot.chmod(0o755)
    before = make_plan("charidice", [f"cmd:{bot}", "beginner"], sealed=True)
    bot.write_text("#!/bin/sh\nexec tac\n")
    after = make_plan("charidice", [f"cmd:{bot}", "beginner"], sealed=True)
    assert before.commitment != after.commitment


@posix
def test_a_command_that_names_what_is_no_file_holds_nothing_up(tmp_path):
    """A pipe (``/dev/urandom`` would fill the memory) is not read for the version of a bot."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    deed = f"from lanplay_ai.outside.program import files_of; files_of('bot {pipe}')"
    subprocess.run([sys.executable, "-c", deed], timeout=20, check=True)


def test_the_report_of_a_sealed_run_does_not_speak_of_the_same_luck(tmp_path):
    """Among strangers no two games have it."""
    plan = make_plan("charidice", ["random", "beginner"], seed=3, sealed=True)
    found = played(plan, tmp_path / "run", Goal(2)).found()
    assert "under the same luck" not in page(found, [])


def test_a_list_of_faults_is_read_by_its_lines_alone(tmp_path, monkeypatch, capsys):
    """A bot's command may hold a letter that ends lines for Python, and not in the file."""
    monkeypatch.setattr(tournaments, "write_report", lambda *said: [])
    bot = f"cmd:{sys.executable} -c 'import sys; sys.stdin.read() # \u2028'"
    folder = str(tmp_path / "run")
    said = ["--games", "2", "--jobs", "1", "--quiet", "--out", folder, "--trusted"]
    assert (
        main(["tournament", "charidice", bot.replace("cmd:", "cmd@0.1:"), "beginner", *said]) == 0
    )
    status = main(["tournament", "--resume", folder, "--jobs", "1", "--quiet"])
    assert status == 0, capsys.readouterr().err
