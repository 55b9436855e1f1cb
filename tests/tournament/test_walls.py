"""What a program within walls leaves behind, holds up or takes: nothing."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from lanplay.errors import Mistake
from lanplay.tournament.plan import make_plan
from lanplay_ai.outside import program, walls
from lanplay_ai.outside.program import BotFault, lent, try_out

shut = pytest.mark.skipif(not walls.able(), reason="no walls can be built here")
posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups are of POSIX")


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
    with pytest.raises(BotFault, match="has ended"), lent(command, 5.0, hidden=()) as lone:
        lone.ask({})
    assert left(place) == []


@posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_program_that_ends_at_once_leaves_nothing_running_when_it_is_tried_out(
    place, monkeypatch
):
    """Before the first game each program is started once; one that ends is refused, whole."""
    monkeypatch.setattr(program, "SETTLING", 10.0)
    with pytest.raises(Mistake, match="has ended"):
        try_out(leaving(place, "pass"), 5.0, hidden=())
    assert left(place) == []


def within(deed, file, most=None):
    """Return what a program within walls prints."""
    end, done = os.pipe()

    def limited():
        if most is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (most, most))

    try:
        return subprocess.run(
            walls.walled([sys.executable, "-c", deed, str(file)], (), done),
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
    """It could tell another bot, or itself once restarted, what it saw, and change all files."""
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
        "import mmap; m = mmap.mmap(-1, 300 << 20, 0x122); m[::4096] = bytes(300 << 8)",
        (
            "import mmap, os; m = mmap.mmap(os.open('/dev/zero', os.O_RDWR), 300 << 20)\n"
            "m[::4096] = bytes(300 << 8)"
        ),
        "import resource; resource.setrlimit(resource.RLIMIT_STACK, (300 << 20, 300 << 20))",
    ],
    ids=["memory files", "shared memory", "memory that grows", "zeros", "a stack"],
)
def test_the_limit_of_memory_holds_for_all_memory(deed, place):
    """``MEMORY`` (here 128 MiB) is what a process may write to, whatever it is called."""
    assert within(f"{deed}; print('had 300 MiB')", place, 128 << 20) == ""


@shut
def test_a_program_within_walls_works_as_ever(place):
    """It starts others, waits, reads files as memory, and makes and blocks pipes."""
    deed = (
        "import asyncio, fcntl, mmap, os, subprocess, sys, threading, time\n"
        "file = open(sys.argv[1], 'rb'); end, start = os.pipe(); os.set_blocking(end, False)\n"
        "thread = threading.Thread(target=time.sleep, args=[0]); thread.start(); thread.join()\n"
        "asyncio.run(asyncio.sleep(0))\n"
        "said = subprocess.run(['echo', 'said'], capture_output=True, text=True).stdout\n"
        "held = mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ)[:].decode()\n"
        "fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 5); mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE)\n"
        "print(said.strip(), held, file.isatty(), len(os.listdir(sys.argv[1][:-5])))"
    )
    (place / "file").write_text("held")
    assert within(deed, place / "file") == "said held False 1\n"


@shut
def test_a_bot_within_walls_reaches_no_socket_of_the_machine(place):
    """Half of a pair of sockets sends datagrams to whoever listens in a file, as logs do."""
    deed = (
        "import socket, sys; one, _other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        "one.sendto(b'loot', sys.argv[1]); print('sent')"
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(place / "file"))
        assert within(deed, place / "file") == ""


@shut
def test_a_bot_within_walls_gives_no_socket_a_name(place):
    """Names of sockets are listed to all: two bots within walls would tell each other hands."""
    deed = "import socket; socket.socketpair()[0].bind(b'\\0loot'); print('named')"
    assert within(deed, place) == ""


@shut
def test_a_program_within_walls_has_no_timer_that_wakes_it(place):
    """One that sends ``SIGCONT`` lets a bot that was stopped think on, in the time of others."""
    number = 222 if os.uname().machine == "x86_64" else 107
    event = f"bytes(8) + ({signal.SIGCONT:d}).to_bytes(4, 'little') + bytes(52)"
    deed = f"{CALL}print('woken' * (call({number}, 1, {event}, bytes(8)) == 0))"
    assert within(deed, place).strip() == ""


@shut
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
    with suppress(BotFault), lent(command, 5.0, hidden=(str(place / "data"),)) as lone:
        lone.ask({})
        descriptor = os.open(games, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK)  # raises if leased
        os.close(descriptor)


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
