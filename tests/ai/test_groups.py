"""A program outside and all that it starts end together, and hold nobody up."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import lanplay_ai as ai
from lanplay.errors import Mistake
from lanplay.tournament.executor import local
from lanplay.tournament.plan import make_plan
from lanplay.tournament.storage import Goal
from lanplay_ai.outside import agent, job
from lanplay_ai.outside.program import UNREAD, BotFault, Program, end_all, lent, try_out
from tests.ai.test_outside import EXAMPLES, play
from tests.tournament.conftest import played

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
BOT = f"{PYTHON} {EXAMPLES / 'bot.py'}"
SECONDS = 60
"""What is waited for at most: a machine may be slow."""
posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups are of POSIX")

STUBBORN = """
import os, signal, sys, time
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
{deed}
life = open({life!r}, "w")
sys.stdin.readline()
os.fork()
print(".", file=life, flush=True)
while True:
    time.sleep(1)
"""
"""Two processes that neither answer, once they are asked, nor end, whatever they are told."""

LEAVING = """
import os, sys
life = open({life!r}, "w")
if not os.fork():
    os.setsid()
    print(".", file=life, flush=True)
    try:
        {deed}
    finally:  # a pipe that nobody reads any more is no reason to end before
        open({leash!r}).read()
sys.stdin.read()
"""
"""A process that leaves its group, keeps all pipes, and ends when its leash is let go."""


@pytest.fixture(autouse=True)
def _no_program_is_left():
    yield
    end_all()


class Life:
    """A pipe with a name: whatever has opened it to write is alive."""

    def __init__(self, path):
        os.mkfifo(path)
        self.path = str(path)
        self._end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._other = os.open(path, os.O_WRONLY)  # kept until all others are to end

    def begins(self):
        """Wait until somebody has written."""
        waiting = select.poll()
        waiting.register(self._end, select.POLLIN)
        assert waiting.poll(1000 * SECONDS), "nobody lives"

    def ends(self):
        """Wait until nobody is alive who has opened it; there must have been somebody."""
        self.begins()
        os.close(self._other)
        limit = time.monotonic() + SECONDS
        waiting = select.poll()
        waiting.register(self._end, select.POLLIN)
        while waiting.poll(max(0, 1000 * (limit - time.monotonic()))):
            if not os.read(self._end, 1 << 16):
                os.close(self._end)
                return
        raise AssertionError("somebody is still alive")


@pytest.fixture
def life(tmp_path):
    return Life(tmp_path / "life")


def wrapped(life, command):
    """Return a shell that runs a command as its child, and whose child is alive with it."""
    return f"sh -c 'exec 9>{life.path}; echo >&9; {command}; true'"


def stubborn(life, tmp_path, deed="pass"):
    path = tmp_path / "stubborn.py"
    path.write_text(STUBBORN.format(life=life.path, deed=deed))
    return f"{PYTHON} {path}"


def lanplay(*arguments, cwd):
    return subprocess.Popen(
        [PYTHON, "-P", "-m", "lanplay", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@posix
@pytest.mark.parametrize(
    "command",
    [
        "simulate dice-town --games 2 --seats 2 --bot BOT --bot strong",
        "play dice-town --seats 2 --bot BOT --auto strong --plain --seed 1",
        "tournament dice-town BOT strong --games 2 --jobs 2 --trusted",
    ],
)
def test_a_program_behind_a_wrapper_plays_and_ends_with_it(command, life, tmp_path):
    """A shell that runs the bot as its child is a bot like any other; nothing of it is left."""
    bot = f"cmd:{wrapped(life, BOT)}"
    process = lanplay(*[bot if word == "BOT" else word for word in command.split()], cwd=tmp_path)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert "first fault" not in err
    assert "has failed" not in out + err
    life.ends()


@posix
def test_a_wrapper_keeps_to_the_limit(life, monkeypatch):
    """A shell whose child holds its pipes is ended at the limit, with the child."""
    monkeypatch.setattr(agent, "LOADING", 0.2)
    bot = ai.guarded(f"cmd@0.2:{wrapped(life, 'sleep 600')}", b"key", "dice-town")
    play([bot, ai.make("strong", b"", "dice-town")])
    assert [fault.why.endswith("said nothing for 0.2 s") for fault in bot.faults] == [True] * 3
    life.ends()


@posix
@pytest.mark.parametrize("deed", ["os.setsid()", "os.setpgid(0, 0)"])
def test_a_program_that_leads_a_group_of_its_own_ends_with_it(deed, life, tmp_path):
    """Wrappers such as ``timeout`` and ``setsid`` make a group of their own: it is ended too."""
    command = stubborn(life, tmp_path, deed)
    with pytest.raises(BotFault, match="said nothing"), lent(command, 0.5) as program:
        program.tell({})
        life.begins()
        program.ask({})
    assert program._process.returncode == -signal.SIGKILL
    life.ends()


@posix
def test_a_group_of_its_own_ends_with_lanplay(life, tmp_path):
    """It ends as well when lanplay is killed."""
    bot = f"cmd@600:{stubborn(life, tmp_path, 'os.setsid()')}"
    process = lanplay("simulate", "dice-town", "--seats", "2", "--bot", bot, cwd=tmp_path)
    life.begins()
    process.kill()
    process.communicate()
    life.ends()


@posix
@pytest.mark.parametrize(
    ("command", "end"),
    [
        ("simulate dice-town --seats 2 --bot BOT", "SIGINT"),
        ("simulate dice-town --seats 2 --bot BOT", "SIGTERM"),
        ("simulate dice-town --seats 2 --bot BOT", "SIGHUP"),
        ("simulate dice-town --seats 2 --bot BOT", "SIGKILL"),
        ("play dice-town --seats 2 --bot BOT --auto BOT --plain", "SIGINT"),
    ],
)
def test_a_stubborn_program_ends_with_lanplay_however_that_ends(command, end, life, tmp_path):
    """Ctrl-C, a closed terminal and kill -9 end all that a program has started as well.

    A simulation ends at the second Ctrl-C: the first one lets the game under way be finished."""
    bot = f"cmd@600:{stubborn(life, tmp_path)}"
    process = lanplay(*[bot if word == "BOT" else word for word in command.split()], cwd=tmp_path)
    life.begins()
    number = signal.Signals[end]
    process.send_signal(number)
    if end == "SIGINT" and command.startswith("simulate"):
        assert any("Finishing" in line for line in process.stderr)
        process.send_signal(number)
    process.communicate()
    assert process.returncode == (130 if end == "SIGINT" else -number)
    life.ends()


@posix
@pytest.mark.parametrize(
    ("jobs", "end"),
    [
        ("1", signal.SIGINT),
        ("2", signal.SIGINT),
        ("1", signal.SIGTERM),
        ("2", signal.SIGTERM),
        ("2", signal.SIGKILL),
    ],
)
def test_a_stubborn_program_ends_with_a_tournament(jobs, end, life, tmp_path):
    """The second Ctrl-C, SIGTERM and kill -9 end the programs of all workers at once.

    Where lanplay can still say so, it names the command that goes on.
    """
    bot = f"cmd@600:{stubborn(life, tmp_path)}"
    more = ("--jobs", jobs, "--trusted")  # within walls it could not tell that it lives
    process = lanplay("tournament", "dice-town", bot, "strong", *more, cwd=tmp_path)
    life.begins()
    process.send_signal(end)
    if end == signal.SIGINT:
        assert any("Finishing" in line for line in process.stderr)
        process.send_signal(end)
    _output, said = process.communicate()
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(end, -end)
    assert ("lanplay tournament --resume tournament" in said) == (end != signal.SIGKILL)
    life.ends()


@posix
def test_programs_end_with_workers(life, tmp_path):
    """A worker that has nothing more to do takes its programs with it."""
    plan = make_plan("dice-town", [f"cmd:{wrapped(life, BOT)}", "strong"], seed=4)
    run = played(plan, tmp_path / "run", Goal(2), local(2))
    assert not run.folder.first_faults()
    life.ends()


@posix
@pytest.mark.parametrize(
    "deed", ["pass", "os.write(1, b'x' * 50_000)", "os.write(2, b'y\\n' * 20_000)"]
)
def test_nobody_waits_for_what_has_left_the_group(deed, life, tmp_path, capsys):
    """A process in a session of its own may hold all pipes: its program has ended without it."""
    leash = tmp_path / "leash"
    os.mkfifo(leash)
    path = tmp_path / "leaving.py"
    path.write_text(LEAVING.format(life=life.path, leash=str(leash), deed=deed))
    before = threading.active_count()
    try:
        program = Program(f"{PYTHON} {path}", 600)
        life.begins()
        program.tell({"long": "x" * 1_000_000})
        begun = time.monotonic()
        program.close()
        assert time.monotonic() - begun < SECONDS
        assert not any(thread.is_alive() for thread in program._threads)
        assert threading.active_count() == before
    finally:
        leash.write_text("go")
    life.ends()


@posix
def test_a_program_that_goes_to_the_background_has_ended(life):
    """Who leaves only a daemon behind is refused when it is tried out, and the daemon ended."""
    with pytest.raises(Mistake, match="has ended"):
        try_out(f"sh -c 'exec 9>{life.path}; echo >&9; sleep 600 & exit'", 1.0)
    life.ends()


@posix
def test_trying_out_ends_what_a_wrapper_runs(life):
    """What was only tried out leaves nothing behind."""
    try_out(wrapped(life, "sleep 600"), 1.0)
    life.ends()


@posix
def test_a_command_that_is_none_leaves_nothing_behind():
    """Whatever was made for a program that cannot be started is freed again."""
    held = len(list(Path("/dev/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(BotFault, match="cannot be started"):
            Program("no-such-program-anywhere", 1.0)
        with pytest.raises(BotFault, match="cannot be started"):
            Program("'", 1.0)
    assert len(list(Path("/dev/fd").iterdir())) == held


@posix
def test_programs_free_what_they_held():
    """Neither pipes nor threads are left of programs that have been ended."""
    held, threads = len(list(Path("/dev/fd").iterdir())), threading.active_count()
    for _ in range(5):
        with pytest.raises(BotFault, match="said nothing"), lent("sleep 600", 0.05) as program:
            program.ask({})
    assert len(list(Path("/dev/fd").iterdir())) == held
    assert threading.active_count() == threads


def test_who_says_more_than_it_was_asked_fills_no_memory(tmp_path):
    """A flood of lines is read up to a limit, and then the program is left to itself."""
    path = tmp_path / "flood.py"
    path.write_text("while True: print('7' * 100)")
    program = Program(f'"{PYTHON}" "{path}"', 5.0)
    try:
        program._threads[0].join(SECONDS)
        assert program._said.qsize() == UNREAD + 2
    finally:
        program.close()


def test_several_seats_may_ask_a_program_at_once():
    """A program gets one question after another, and each seat its own answer."""
    command = f'"{PYTHON}" "{EXAMPLES / "bot.py"}"'
    bots = [ai.guarded(f"cmd:{command}", b"", "dice-town") for _ in range(4)]

    def game(bot):
        return play([bot, ai.make("random", b"", "dice-town")]).table.hash()

    with ThreadPoolExecutor(len(bots)) as threads:
        ends = list(threads.map(game, bots))
    assert [bot.faults for bot in bots] == [[]] * len(bots)
    assert len(set(ends)) == 1


class Kernel:
    """The functions of Windows that jobs need: says what was called."""

    def __init__(self, job=7, limited=1):
        self.called = []
        self._job, self._limited = job, limited

    def CreateJobObjectW(self, *values):
        return self._job

    def SetInformationJobObject(self, handle, kind, limits, size):
        given = ctypes.cast(limits, ctypes.POINTER(job.Extended)).contents
        self.called.append((handle, kind, given.basic.limit_flags, size))
        return self._limited

    def OpenProcess(self, rights, inherited, pid):
        return pid and pid + 1000

    def AssignProcessToJobObject(self, *values):
        self.called.append(values)

    def CloseHandle(self, handle):
        self.called.append((handle,))


def test_a_job_of_windows_ends_its_processes_with_its_handle(monkeypatch):
    """The job is limited to the life of its handle, and takes the process that it is told."""
    kernel = Kernel()
    monkeypatch.setattr(job, "kernel", lambda: kernel)
    made = job.WindowsJob()
    made.take(5)
    made.take(0)  # has ended already
    made.end()
    size = 144 if ctypes.sizeof(ctypes.c_void_p) == 8 else 112
    assert kernel.called == [(7, 9, 0x2000, size), (7, 1005), (1005,), (7,)]


@pytest.mark.parametrize("kernel", [Kernel(job=None), Kernel(limited=0)])
def test_where_windows_makes_no_job_there_is_an_error(kernel, monkeypatch):
    """A program that could not be ended is not started."""
    monkeypatch.setattr(job, "kernel", lambda: kernel)
    with pytest.raises(OSError, match="no job"):
        job.WindowsJob()
