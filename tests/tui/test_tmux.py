"""Real programs in real terminals, played by keys alone."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path

import pytest

from lanplay.engine.record import load

pytestmark = [
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here"),
    pytest.mark.skipif(not Path("/proc").exists(), reason="programs are found by /proc"),
]

PATIENCE = 250.0
SERVERS = itertools.count()
PROGRAM = """
import sys
from lanplay.cli import main
from lanplay.session import reaction as windows
from tests.short_games import short
windows.LEAST = windows.MOST = windows.MORE = 0.05
short()
sys.exit(main())
"""
"""lanplay with short games and reaction windows, so that a whole game takes seconds."""
SETTINGS = ("--ai-speed", "instant", "--no-animation", "--no-confirm")


class Terminal:
    """A window of tmux with one program in it."""

    def __init__(self, server, name, size, arguments, folder):
        self._server, self._name = server, name
        program = folder / "program.py"
        program.write_text(PROGRAM, encoding="utf-8")
        command = [sys.executable, str(program), *arguments]
        shown = " ".join(f"'{part}'" for part in command)
        folders = f"XDG_CONFIG_HOME={folder} XDG_STATE_HOME={folder} PYTHONPATH={Path.cwd()}"
        environment = f"env -u NO_COLOR LANG=C.UTF-8 {folders}"
        line = f"{environment} {shown}; echo ended with $?; sleep 1000"
        columns, rows = size
        self._tmux("new-session", "-d", "-s", name, "-x", str(columns), "-y", str(rows), line)

    def _tmux(self, *arguments):
        command = ["tmux", "-L", self._server, "-f", os.devnull, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def press(self, *keys):
        self._tmux("send-keys", "-t", self._name, *keys)

    def type(self, text):
        self._tmux("send-keys", "-t", self._name, "-l", text)

    @property
    def text(self):
        return self._tmux("capture-pane", "-p", "-t", self._name)

    @property
    def program(self):
        """The process id of the program."""
        shell = self._tmux("display-message", "-p", "-t", self._name, "#{pane_pid}").strip()
        return int(Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])

    def kill(self):
        """End the program as a power cut would."""
        os.kill(self.program, signal.SIGKILL)

    def close(self):
        """Close the window, with the program in it."""
        self._tmux("kill-session", "-t", self._name)

    def resize(self, columns, rows):
        self._tmux("resize-window", "-t", self._name, "-x", str(columns), "-y", str(rows))

    def until(self, *texts):
        """Return what is shown once it has one of these texts."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            shown = self.text
            if any(text in shown for text in texts):
                return shown
            time.sleep(0.1)
        raise AssertionError(f"{self._name} never shows {texts}:\n{self.text}")


@pytest.fixture
def terminals(tmp_path):
    """Opens terminals: ``terminals(name, size, arguments)``; all are closed at the end."""
    server = f"lanplay-test-{os.getpid()}-{next(SERVERS)}"

    numbers = itertools.count()

    def open_(name, size, *arguments):
        own = tmp_path / name
        own.mkdir(exist_ok=True)
        given = (*arguments, "--data", str(own), "--name", name)
        given += ("--interface", "127.0.0.1") if arguments[0] != "play" else ()
        return Terminal(server, f"{name}-{next(numbers)}", size, (*given, *SETTINGS), own)

    yield open_
    subprocess.run(["tmux", "-L", server, "kill-server"], check=False, capture_output=True)


def play(people):
    """Press numbers and Enter at all terminals until each shows the result."""
    deadline = time.monotonic() + PATIENCE
    left, before = list(people), []
    second = cycle("21")  # after a number that is no choice Enter would only ask
    while left:
        shown = [person.text for person in left]
        assert time.monotonic() < deadline, "\n".join(shown)
        if shown != before:  # a screen that moves may be the result when the key arrives
            before = shown
            time.sleep(0.1)
            continue
        for person, text in zip(list(left), shown, strict=True):
            if "The game is over" in text or "ended with 0" in text:  # the last Enter was for both
                left.remove(person)
            elif "You decide" in text:
                person.press("1", "2", "3", "Enter", next(second), "Enter")


def choose(person, table):
    """Point at a table in the lobby, where tables of other tests may stand too."""
    shown = person.until(table)
    for _ in range(20):  # tables come and go meanwhile
        if f"▸ {table}" in shown:
            return
        person.press("Down" if shown.find("▸") < shown.find(table) else "Up")
        time.sleep(0.3)
        shown = person.text
    raise AssertionError(shown)


def records(folder):
    return [load(path) for path in sorted((folder / "records").glob("*.lanplay"))]


def test_two_people_and_an_ai_play_and_a_third_watches(terminals, tmp_path):
    """From the lobby to the result by keys alone, at 80 x 24 and 120 x 40: one game for all.

    A terminal is made too small and large again; a program is killed and goes on.
    """
    ann = terminals("Ann", (80, 24), "lobby")
    ann.until("new table")
    ann.press("n")
    ann.until("AI in free seats")
    ann.press("Down", "Left", "Enter")
    opened = ann.until("is open on port")
    port = re.search(r"open on port (\d+)", opened).group(1)
    bob = terminals("Bob", (120, 40), "lobby")
    bob.until("new table")
    bob.press("j")
    bob.type(f"127.0.0.1:{port}")
    bob.press("Enter")
    ann.until("Bob")
    eve = terminals("Eve", (80, 24), "watch", f"127.0.0.1:{port}")
    eve.until("has not started yet")
    ann.press("Enter")
    words = [
        re.search(r"words of this table: (\w+ \w+ \w+)", each.until("A question for you")).group(1)
        for each in (ann, bob)
    ]
    assert words[0] == words[1]
    for each in (ann, bob):
        each.press("y")
    for each in (ann, bob):
        each.until("You decide")
    assert "watching" in eve.until("round 1")
    ann.resize(60, 15)
    ann.until("lanplay needs 80 x 24")
    ann.resize(80, 24)
    bob.kill()
    ann.until("Bob is gone")
    bob = terminals("Bob", (120, 40), "resume")
    bob.until("You decide")
    ann.until("Bob is back")
    play([ann, bob])
    eve.until("The game is over")
    ann.press("Enter")
    ann.until("tables of this network")
    ann.press("q")
    for each in (eve, bob):
        each.press("Enter")
    for each in (ann, bob, eve):
        each.until("ended with 0")
    kept = [record for name in ("Ann", "Bob", "Eve") for record in records(tmp_path / name)]
    assert len(kept) == 3
    assert all(record.finished for record in kept)
    assert len({record.state_hash for record in kept}) == 1


def test_all_who_are_wanted_for_a_rematch_come_back_to_their_seats(terminals):
    """The result tells that the host wants one; one guest presses r, one comes from the lobby."""
    una = terminals("Una", (80, 24), "host", "dice-town", "--seats", "3")
    una.until("is open on port")
    bob, cyd = (terminals(name, (80, 24), "lobby") for name in ("Bob", "Cyd"))
    for each, name in ((bob, "Bob"), (cyd, "Cyd")):
        choose(each, "Una's table")
        each.press("Enter")
        una.until(name)
    people = (una, bob, cyd)
    for each in people:
        each.until("A question for you")
    una.press("y")
    una.until("Bob, Cyd: Do all screens show the same words?")
    bob.press("y")
    una.until(" Cyd: Do all screens show the same words?")
    cyd.press("y")
    for each in people:
        each.until("You decide")
    una.until("▸2 Bob")
    bob.press("1", "Enter")
    bob.until("Una, Cyd: ")
    una.until(" 2 Bob")
    play(people)
    una.press("r")
    for each in (bob, cyd):
        each.until("Una wants a rematch")
    bob.press("Enter")
    bob.until("Your seat here is kept for you.")
    cyd.press("r")
    cyd.until("the host starts the game")
    choose(bob, "Una's table")
    bob.press("Enter")
    for each in people:
        each.until("round 1")


@pytest.mark.parametrize(("keys", "status"), [(("C-c",), 130), (("q", "q"), 0)])
def test_every_way_out_leaves_the_terminal_as_it_was(terminals, keys, status):
    """Ctrl-C and q end the program at once; what was on the terminal before is there again."""
    ann = terminals("Ann", (80, 24), "play", "dice-town", "--seed", "3")
    ann.until("You decide")
    ann.press(*keys)
    shown = ann.until("ended with")
    assert f"ended with {status}" in shown
    assert "You decide" not in shown
    assert "Traceback" not in shown


def test_a_program_that_was_stopped_from_outside_takes_keys_again(terminals):
    """A shell sets its terminal to lines, with an echo, once a program of its stops."""
    ann = terminals("Ann", (80, 24), "play", "dice-town", "--seed", "3")
    ann.until("You decide")
    os.kill(ann.program, signal.SIGSTOP)
    terminal = ann._tmux("display-message", "-p", "-t", ann._name, "#{pane_tty}").strip()
    status = Path(f"/proc/{ann.program}/stat")
    deadline = time.monotonic() + PATIENCE
    while ") T" not in status.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    subprocess.run(["stty", "-F", terminal, "sane"], check=True)
    os.kill(ann.program, signal.SIGCONT)
    time.sleep(0.5)
    ann.press("?")
    ann.until("Help")


def test_a_window_that_is_closed_ends_the_program_in_order(terminals, tmp_path):
    """Its terminal is gone: it ends, and takes that for no fault of its own."""
    ann = terminals("Ann", (80, 24), "play", "dice-town", "--seed", "3")
    ann.until("You decide")
    program = Path(f"/proc/{ann.program}")
    ann.close()
    deadline = time.monotonic() + PATIENCE
    while program.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not program.exists()
    assert list(tmp_path.rglob("*crash*")) == []
