#!/usr/bin/env python3
"""Measure how soon a key press is drawn while a game of 5 peers with crypto runs on this machine.

    python3 scripts/bench_keys.py [--games 2] [--bot expert] [--size 80x24]
    python3 scripts/bench_keys.py --idle 60    what the screen costs where nothing happens (Linux)

One peer has the full screen on a pseudo-terminal; an AI answers for it (``away``) while letters are
typed, from the moment the table is shown: key set-up and shuffles are in it. Each time is from
writing the key until the letter has come out. ``--idle``: CPU time of the lobby, and of a table of
5 peers at which the person thinks. POSIX only. Needs an environment that has lanplay's
dependencies: the one this script runs in.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

if sys.platform == "win32":
    sys.exit("This benchmark needs a pseudo-terminal of POSIX.")

ROOT = Path(__file__).resolve().parent.parent
PEERS = 5
LOOPBACK = "127.0.0.1"
LETTERS = ("§".encode(), "¶".encode())
"""Stand nowhere else on the screen; by turns, so that each changes it whatever was drawn before."""
CLEAR = b"\x15"
PATIENCE = 10.0
"""Seconds after which a letter that was not drawn means that the game is over."""
SETTLED = 15.0
"""Seconds after which the person is asked, and nothing more happens without an answer."""
BOARD = b"Stagecoach"
"""What is shown as soon as the game is."""


class Terminal:
    """A program on a pseudo-terminal: what is typed, and what it writes."""

    def __init__(self, command: Sequence[str], size: tuple[int, int]) -> None:
        import fcntl
        import struct
        import termios

        self._ours, theirs = os.openpty()
        columns, rows = size
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._ours, keys)

    def read(self, seconds: float) -> bytes:
        """Return what comes within so many seconds at most; empty if nothing."""
        if not select.select([self._ours], [], [], max(0.0, seconds))[0]:
            return b""
        try:
            return os.read(self._ours, 65536)
        except OSError:  # the program has ended
            return b""

    def until(self, text: bytes, seconds: float) -> float | None:
        """Return how many seconds it takes for a text to come; ``None`` if it does not."""
        began, seen = time.perf_counter(), b""
        while (passed := time.perf_counter() - began) < seconds:
            seen = seen[-len(text) :] + self.read(seconds - passed)
            if text in seen:
                return time.perf_counter() - began
            if self.process.poll() is not None:
                return None
        return None

    def rest(self, seconds: float) -> None:
        """Read for so many seconds."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.read(left)


def command(number: int, bot: str, port: str, folder: Path) -> list[str]:
    """Return the command line of a peer: number 0 hosts, the last one is the person."""
    lanplay = [sys.executable, "-m", "lanplay"]
    common = ["--interface", LOOPBACK, "--trust-new", "--name", f"peer{number}"]
    common += ["--data", str(folder / str(number))]
    if number < PEERS - 1:
        common += ["--auto", bot, "--quiet"]
    if number:
        return [*lanplay, "join", f"{LOOPBACK}:{port}", *common]
    seats = ["--seats", str(PEERS), "--people", str(PEERS), "--bot", bot]
    return [*lanplay, "host", "dice-town", *seats, *common]


@contextmanager
def table(bot: str, size: tuple[int, int]) -> Iterator[Terminal]:
    """Start all peers of a game; return the person's terminal, which ends with the others."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = ""
        for number in range(PEERS - 1):
            peer = subprocess.Popen(
                command(number, bot, port, folder),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if number else subprocess.PIPE,
                text=True,
            )
            stack.callback(end, peer)
            if not number:
                assert peer.stderr is not None
                port = peer.stderr.readline().rsplit(" ", 1)[1].strip(".\n")
        terminal = Terminal(command(PEERS - 1, bot, port, folder), size)
        stack.callback(end, terminal.process)
        yield terminal


def end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """End a program that was started here, if it still runs."""
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stderr is not None:
        process.stderr.close()


def keys(bot: str, size: tuple[int, int], most: float, skipped: float) -> list[float]:
    """Return the seconds that each key of a game took, in their order; none of the first ones."""
    luck = random.Random(1)
    times: list[float] = []
    with table(bot, size) as terminal:
        if terminal.until(BOARD, 60.0) is None:
            raise SystemExit("no table is shown")
        terminal.type(b":away\r:")
        terminal.rest(0.2 + skipped)
        over = time.perf_counter() + most
        while time.perf_counter() < over:
            letter = LETTERS[len(times) % 2]
            terminal.type(letter)
            took = terminal.until(letter, PATIENCE)
            if took is None:
                break
            times.append(took)
            terminal.type(CLEAR)
            terminal.rest(luck.uniform(0.02, 0.12))
    return times


def cpu(process: subprocess.Popen[bytes]) -> float:
    """Return the seconds of CPU that a running process has used (proc_pid_stat(5))."""
    fields = (
        Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    )
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle(bot: str, size: tuple[int, int], seconds: float) -> dict[str, float]:
    """Return the share of a core that a screen takes while nothing happens at it."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        lanplay = [sys.executable, "-m", "lanplay", "lobby", "--interface", LOOPBACK]
        lobby = Terminal([*lanplay, "--data", folder], size)
        stack.callback(end, lobby.process)
        thinking = stack.enter_context(table(bot, size))
        if thinking.until(BOARD, 60.0) is None:
            raise SystemExit("no table is shown")
        screens = {"lobby": lobby, "table": thinking}
        _watch(screens, SETTLED)
        before = {name: cpu(screen.process) for name, screen in screens.items()}
        _watch(screens, seconds)
        return {name: (cpu(screens[name].process) - before[name]) / seconds for name in screens}


def _watch(screens: dict[str, Terminal], seconds: float) -> None:
    over = time.perf_counter() + seconds
    while time.perf_counter() < over:
        for screen in screens.values():
            screen.rest(0.25)


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description="How soon a key press is drawn.")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--bot", default="strong", help="the AI of all seats")
    parser.add_argument("--size", default="80x24", help="the terminal (default: 80x24)")
    parser.add_argument("--seconds", type=float, default=60.0, help="the most per game")
    parser.add_argument("--skip", type=float, default=0.0, help="seconds not measured at first")
    parser.add_argument("--idle", type=float, default=0.0, help="seconds of idling to measure")
    args = parser.parse_args()
    columns, rows = map(int, args.size.split("x"))
    if args.idle:
        for name, share in idle(args.bot, (columns, rows), args.idle).items():
            print(f"{name}: {100 * share:.2f} % of a core while idle")
        return 0
    times: list[float] = []
    for _ in range(args.games):
        times += keys(args.bot, (columns, rows), args.seconds, args.skip)
    ms = sorted(1e3 * each for each in times)
    print(f"{len(ms)} keys: median {statistics.median(ms):.1f} ms, ", end="")
    print(f"p99 {ms[int(len(ms) * 0.99)]:.1f} ms, max {ms[-1]:.1f} ms; slowest in order of play:")
    slow = sorted(range(len(times)), key=lambda n: -times[n])[:8]
    print("  " + ", ".join(f"#{n}: {1e3 * times[n]:.0f}" for n in sorted(slow)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
