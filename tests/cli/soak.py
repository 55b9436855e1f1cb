"""A lobby, a paused table and a guest's page left open: ``python -m tests.cli.soak --minutes 120``.

With ``--tables 12`` that many games beside, of forty programs together, which wait for their
people: they talk at the beginning and at the end, and the lobby lists all tables.

Real processes on loopback. Each minute their memory and processor time are read; at the end all
must still do what they are asked. Exit status 1 if one grew by more than 10 MiB, took more than 1 %
of a core, or does not answer. Needs Linux (``/proc``).
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from tests.web.harness import Browser

GROWTH, SHARE = 10.0, 1.0
"""MiB, per cent of a core."""
SETTLED = 60.0
"""Seconds after which what a program needs anyhow is there."""
LOCAL = ("--interface", "127.0.0.1", "--trust-new")
PATIENCE = 600.0
"""Seconds that anything may take while many programs start on a busy machine."""


class Program:
    """A lanplay process at a terminal of its own; all that it shows is kept."""

    def __init__(self, home, name, *words):
        self.name, self.shown, self.came = name, bytearray(), trio.Event()
        self.end, there = pty.openpty()
        env = os.environ | {
            "HOME": f"{home}/{name}",
            "LANPLAY_NAME": name,
            "TERM": "xterm-256color",
        }
        Path(env["HOME"]).mkdir()
        command = [sys.executable, "-m", "lanplay", *words, "--data", env["HOME"]]
        self.process = subprocess.Popen(command, stdin=there, stdout=there, stderr=there, env=env)
        os.close(there)
        self.first = None

    async def read(self):
        """Keep what is shown until the process ends."""
        try:
            thread = trio.CapacityLimiter(1)  # there are more programs than trio has threads
            while data := await trio.to_thread.run_sync(
                os.read, self.end, 65536, abandon_on_cancel=True, limiter=thread
            ):
                self.shown += data
                self.came.set()
        except OSError:
            pass

    async def says(self, what):
        """Wait until something is shown, and forget all before it; return the match."""
        with trio.move_on_after(PATIENCE):
            while not (found := re.search(what.encode(), bytes(self.shown))):
                self.came = trio.Event()
                await self.came.wait()
        if not found:
            raise TimeoutError(f"{self.name} shows no {what!r}: {self.shown[-300:].decode()!r}")
        del self.shown[: found.end()]
        return found

    def type(self, text):
        os.write(self.end, text.encode())

    def draws_anew(self, columns, rows):
        """Let its terminal have another size: a screen is drawn whole then."""
        self.shown.clear()
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def measure(self):
        """Return the memory that is in use, in MiB, and the processor time, in seconds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        ticks = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        memory = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
        return memory, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def since(self, now):
        """Return how it has grown since it had settled, and its share of a core, in per cent."""
        (memory, spent), (at, before, used) = self.measure(), self.first
        return memory - before, 100 * (spent - used) / (now - at)


async def soak(home, minutes, tables):
    """Leave everything open; return the faults that were found."""
    async with trio.open_nursery() as nursery:

        def start(*words):
            programs.append(Program(home, *words))
            nursery.start_soon(programs[-1].read)
            return programs[-1]

        programs: list[Program] = []
        try:
            faults = await _open(start, programs, minutes, tables)
        finally:
            for each in programs:
                each.process.kill()
                each.process.wait()
            nursery.cancel_scope.cancel()
    return faults


async def _open(start, programs, minutes, tables):
    lobby = start("Lea", "lobby", *LOCAL[:2])
    games = [await _game(start, each) for each in range(tables)]
    for each in games:
        await _talk(each, "hello")
    host = start("Eva", "host", "dice-town", "--seats", "3", "--people", "2", "--plain", *LOCAL)
    port = (await host.says(r"on port (\d+)"))[1].decode()
    guest = start("Jan", "join", f"127.0.0.1:{port}", "--plain", *LOCAL)
    await guest.says(r"Eva, Jan")
    await host.says(r"Dice to keep")
    host.type("pause\r")
    await guest.says(r"[Pp]ause")
    phones = start("Ida", "host", "charidice", "--seats", "3", "--plain", *LOCAL)
    await phones.says(r"Enter fills")
    phones.type("invite\r")
    found = await phones.says(r"http://127\.0\.0\.1:(\d+)/([\w-]+)\s")
    browser = Browser(int(found[1]))
    status, said = await browser.join(found[2].decode(), "Tom")
    assert status == 200, said
    async with browser.stream() as events:
        await events()
        await trio.sleep(SETTLED)
        for each in programs:
            each.first = (trio.current_time(), *each.measure())
        for minute in range(1, round(minutes) + 1):
            with trio.move_on_after(60.0):
                while True:
                    await events()
            told = [(each.name, *each.since(trio.current_time())) for each in programs]
            shown = [f"{name} {grown:+.1f} MiB {share:.2f} %" for name, grown, share in told]
            print(f"{minute:4} min  ", "   ".join(shown), flush=True)
            most = [max(each[column] for each in told) for column in (1, 2)]
            print("          at most {:+.1f} MiB {:.2f} %".format(*most), flush=True)
        faults = [name for name, grown, share in told if grown > GROWTH or share > SHARE]
        for name, use in (
            ("lobby", _lobby(lobby, [f"Kitchen{each:02}" for each in range(tables)])),
            *((each[0].name, _talk(each, "good night")) for each in games),
            ("table", _table(host, guest)),
            ("page", _page(phones, browser, events)),
        ):
            try:
                await use
            except (trio.TooSlowError, AssertionError, EOFError, OSError) as error:
                faults.append(f"{name}: {error!r}")
    return faults


async def _game(start, number):
    """Begin a game of three or four programs; return them once all are asked."""
    programs = 4 if number % 3 == 0 else 3
    table, seats = f"Kitchen{number:02}", ("--seats", str(programs), "--people", str(programs))
    host = start(f"H{number:02}", "host", "dice-town", *seats, "--table", table, "--plain", *LOCAL)
    port = (await host.says(r"on port (\d+)"))[1].decode()
    join = ("join", f"127.0.0.1:{port}", "--plain", *LOCAL)
    game = [host, *(start(f"G{number:02}x{each}", *join) for each in range(1, programs))]
    for each in game:
        await each.says("Dice to keep")
    return game


async def _talk(game, words):
    """Let one of a game say something, and all others read it."""
    game[0].type(f"say {words}\r")
    for each in game[1:]:
        await each.says(words)


async def _lobby(lobby, tables):
    lobby.draws_anew(120, 60)
    for each in tables:  # by name, from above
        await lobby.says(each)
    lobby.shown.clear()
    lobby.type("?")
    await lobby.says("help|keys|Keys")


async def _table(host, guest):
    host.type("resume\r")
    host.type("say still here\r")
    await guest.says("still here")


async def _page(phones, browser, events):
    phones.type("\r")
    with trio.fail_after(PATIENCE):
        await events()
    status, _heads, body = await browser.ask("GET", browser.path)
    assert status == 200
    assert b"Tom" in body


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--tables", type=int, default=0, help="games of three or four beside")
    args = parser.parse_args()
    with TemporaryDirectory() as home:
        faults = trio.run(soak, home, args.minutes, args.tables)
    print("still usable, and no growth" if not faults else f"FAULTS: {faults}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
