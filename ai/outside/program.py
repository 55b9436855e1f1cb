"""One program outside: started when needed, given time, ended when it fails."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import subprocess
import sys
from collections import deque
from contextlib import suppress
from io import BufferedReader, FileIO, TextIOWrapper
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

from lanplay.errors import Fault, Mistake

MOST = 1 << 16
"""Bytes of the longest line that is read from a program."""
LONGEST = 200
"""Characters of a program's last complaint that stand in its fault."""
LAST_WORDS = 1.0
"""Seconds that a program's last complaint is waited for, once it has ended."""
SETTLING = 0.25
"""Seconds after which a program that cannot run at all has ended, mostly."""


class BotFault(Exception):
    """A bot has failed: it crashed, said nothing in time, or what it said is no answer."""


class Program:
    """A running program that answers lines with lines.

    ``seconds`` is how long it may take for each. What it writes to standard error is shown on that
    of lanplay, with its command before each line. ``matches`` are the numbers of the games that it
    has been told of. Ctrl-C is for lanplay and not for it.
    """

    def __init__(self, command: str, seconds: float) -> None:
        self.command = command
        self.matches: set[int] = set()
        self._seconds = seconds
        arguments = command if os.name == "nt" else shlex.split(command)
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                process_group=None if os.name == "nt" else 0,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:
            raise BotFault(f"{command!r} cannot be started: {error}") from error
        self._said: SimpleQueue[bytes] = SimpleQueue()
        self._told: SimpleQueue[bytes] = SimpleQueue()
        self._complained: deque[str] = deque(maxlen=1)
        complaints = self._process.stderr, command, self._complained
        self._threads = [
            Thread(target=_read, args=(self._process.stdout, self._said), daemon=True),
            Thread(target=_write, args=(self._process.stdin, self._told), daemon=True),
            Thread(target=_pass_on, args=complaints, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a line; it does not matter here whether the program takes it."""
        self._told.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def ask(self, message: dict[str, Any]) -> Any:
        """Send a line and return the value that the next line from the program holds.

        ``BotFault`` if it ends, says nothing for too long, or its line is no JSON.
        """
        self.tell(message)
        try:
            line = self._said.get(timeout=self._seconds)
        except Empty:
            raise BotFault(f"{self.command!r} said nothing for {self._seconds:g} s") from None
        if not line:
            raise self._ended()
        try:
            return json.loads(line)
        except ValueError as error:
            raise BotFault(f"{self.command!r} said what is no JSON: {line[:80]!r}") from error

    def try_out(self, seconds: float) -> None:
        """Wait a moment; ``BotFault`` if the program has ended then, not having been asked."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
            raise self._ended()

    def _ended(self) -> BotFault:
        """Return the fault of a program that has ended, with the last line that it wrote."""
        self._threads[2].join(timeout=LAST_WORDS)
        said = "".join([f": {line}" for line in self._complained])
        return BotFault(f"{self.command!r} has ended{said}")

    def close(self) -> None:
        """End the program at once."""
        self._process.kill()
        self._process.wait()
        self._told.put(b"")
        for thread in self._threads[:2]:
            thread.join()
        self._threads[2].join(timeout=LAST_WORDS)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def _write(stream: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    """Write line after line up to an empty one, or until nobody reads them any more."""
    while line := lines.get():
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[stream.write(rest) :]
        except OSError:
            return


def _read(stream: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    """Hand on line after line; an empty one says that there are no more."""
    buffer = bytearray()
    while chunk := stream.read(MOST):
        buffer += chunk
        *whole, rest = buffer.split(b"\n")
        for line in whole:
            lines.put(bytes(line) or b" ")
        buffer = bytearray(rest)
        if len(buffer) > MOST:
            break
    lines.put(b"")


def _pass_on(stream: FileIO, command: str, last: deque[str]) -> None:
    """Show line after line, and keep the last that says something; whoever else holds the pipe."""
    with TextIOWrapper(BufferedReader(stream), "utf-8", "replace") as lines:
        for line in lines:
            if text := line.strip():
                last.append(text[:LONGEST])
                with suppress(OSError, ValueError):  # standard error may have gone
                    print(f"{command}: {line.rstrip()}", file=sys.stderr, flush=True)


_running: dict[tuple[int, str, float], Program] = {}
"""Programs by process, command line and seconds: one plays all the seats and games it is named for.

By process, so that one which is forked does not write into the pipes of another.
"""


def running(command: str, seconds: float) -> Program:
    """Return the program of a command line, started if need be; ``BotFault`` if it cannot be."""
    slot = os.getpid(), command, seconds
    if slot not in _running:
        _running[slot] = Program(command, seconds)
    return _running[slot]


def try_out(command: str, seconds: float) -> None:
    """Start a program and end it; ``Mistake`` if it cannot be started or ends by itself."""
    try:
        program = Program(command, seconds)
        try:
            program.try_out(SETTLING)
        finally:
            program.close()
    except BotFault as error:
        raise Mistake(Fault.BOT_UNUSABLE, bot=f"cmd:{command}", why=str(error)) from error


def end(program: Program) -> None:
    """End a program that has failed; who asks for it next gets a new one."""
    for slot, each in list(_running.items()):
        if each is program:
            del _running[slot]
    program.close()


@atexit.register
def end_all() -> None:
    """End all programs that this process started."""
    for (process, _, _), program in list(_running.items()):
        if process == os.getpid():
            end(program)
