"""One program outside: started when needed, given time, ended when it fails."""

from __future__ import annotations

import atexit
import json
import math
import os
import shlex
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from subprocess import TimeoutExpired
from threading import Lock, Thread
from typing import IO, Any, Final, TypeAlias

from lanplay.errors import Fault, Mistake
from lanplay.language import ngettext
from lanplay.told import harmless
from lanplay_ai.outside.group import Group

SECONDS = 10.0
"""How long a bot that is not lanplay's own may take for a decision, unless its name says more."""
LOADING: Final = 60.0
"""Seconds in which a program has to start, and a package's bot to be imported and made."""
MOST = 1 << 16
"""Bytes of the longest line that is read from a program; what is longer counts as several."""
UNREAD = 100
"""Lines that nobody asked for after which a program is not listened to any more."""
FAULT = 1000
"""Most characters of what is told of a fault."""
LINE = 1000
"""Most characters of a program's complaint that are shown."""
LONGEST = 200
"""Characters of a program's last complaint that stand in its fault."""
LAST_WORDS = 1.0
"""Seconds that a program's last complaint is waited for, once it has ended."""
SETTLING = 0.25
"""Seconds after which a program that cannot run, or has closed its output, has ended, mostly."""
KNOWN = 1 << 12
"""Most complaints that are remembered, to be shown once, or kept for another process."""
_runs = count()


class BotFault(Exception):
    """A bot has failed: it crashed, said nothing in time, or what it said is no answer.

    Its text, which may quote the bot, is harmless to show. ``at`` are the places in the bot's code
    that it came from, where they are known.
    """

    def __init__(self, told: str, at: str = "") -> None:
        super().__init__(harmless(told)[:FAULT])
        self.at = harmless(at)[:FAULT]


class Program:
    """A running program that answers lines with lines.

    ``seconds`` is how long it may take for each. What it writes to standard error is shown on that
    of lanplay, with its name (its command, unless it has one) before each line. ``matches`` are the
    numbers of the games that it has been told of, ``started`` whether it has said anything. Ctrl-C
    is for lanplay and not for it. With ``hidden`` folders it is within walls (see ``Group``), and
    stands still while nobody asks it.
    """

    def __init__(
        self, command: str, seconds: float, name: str = "", hidden: tuple[str, ...] | None = None
    ) -> None:
        self.name = name or command
        self.matches: set[int] = set()
        self.started = False
        self._seconds = seconds
        try:
            self._group = Group(command, hidden)
        except (OSError, ValueError) as error:
            raise BotFault(f"{self.name!r} cannot be started: {error}") from error
        self._process = self._group.process
        self._said: SimpleQueue[bytes] = SimpleQueue()
        self._told: SimpleQueue[bytes] = SimpleQueue()
        self._complained: deque[str] = deque(maxlen=1)
        said = self._group, self._process.stdout, self._said
        told = self._group, self._process.stdin, self._told
        complaints = self._group, self._process.stderr, self.name, self._complained
        self._threads = [
            Thread(target=_read, args=said, daemon=True),
            Thread(target=_write, args=told, daemon=True),
            Thread(target=_pass_on, args=complaints, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a line; it does not matter here whether the program takes it."""
        self._told.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def ask(self, message: dict[str, Any], seconds: float | None = None) -> Any:
        """Send a line and return the value that the next line from the program holds.

        It has ``seconds`` for it, or as long as for any.

        ``BotFault`` if it ends, says nothing for too long, or its line is too long or no JSON.
        """
        self._group.wake()
        self.tell(message)
        limit = seconds or self._seconds
        for second in range(math.ceil(limit)):  # a Ctrl-C just before a wait is heard after it
            with suppress(Empty):
                line = self._said.get(timeout=min(1.0, limit - second))
                break
        else:
            raise BotFault(f"{self.name!r} said nothing for {limit:g} s")
        self._group.rest()
        self.started = True
        if not line:
            raise self._ended()
        if len(line) > MOST:
            raise BotFault(f"{self.name!r} said a line of more than {MOST} bytes")
        try:
            return json.loads(line)
        except (ValueError, RecursionError) as error:
            said = f"{line[:80].decode(errors='replace')!r}; notes go to standard error"
            raise BotFault(f"{self.name!r} said what is no JSON: {said}") from error

    def try_out(self, seconds: float) -> None:
        """Wait a moment; ``BotFault`` if the program has ended then, not having been asked."""
        with suppress(TimeoutExpired):
            self._group.status(seconds)
            raise self._ended()

    def _ended(self) -> BotFault:
        """Return the fault of a program that says no more, with the last line that it wrote."""
        self._threads[2].join(timeout=LAST_WORDS)
        said = "".join([f": {line}" for line in self._complained])
        what = "has closed its output"
        with suppress(TimeoutExpired):
            status = self._group.status(SETTLING)
            what = f"has ended ({'signal' if status < 0 else 'exit status'} {abs(status)})"
        return BotFault(f"{self.name!r} {what}{said}")

    def close(self) -> None:
        """End the program at once, and all that it has started."""
        self._group.end()
        self._told.put(b"")
        for thread in self._threads:
            thread.join(timeout=LAST_WORDS)
        self._group.close()


def _write(group: Group, stream: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    """Write line after line up to an empty one, or until nobody reads them any more."""
    with suppress(OSError), stream:
        while line := lines.get():
            rest = memoryview(line)
            while rest:
                if not group.ready(stream, to_write=True):
                    return
                rest = rest[stream.write(rest) or 0 :]


def _lines(group: Group, stream: IO[bytes]) -> Iterator[bytes]:
    """Yield line after line, to the end of the stream or of what is in it when it is over."""
    rest, over = b"", False
    with stream:
        while not over:
            over = group.over
            if not group.ready(stream) or not (chunk := stream.read(MOST)):
                break
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole
            if len(rest) > MOST:
                yield rest
                rest = b""
    if rest:
        yield rest


def _read(group: Group, stream: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    """Hand on line after line; an empty one says that there are no more."""
    for line in _lines(group, stream):
        lines.put(line or b" ")
        if lines.qsize() > UNREAD:
            break
    lines.put(b"")


Run: TypeAlias = tuple[int, int]
"""One run of a program: the process that started it, and a number."""
Words: TypeAlias = tuple[Run, str, str | None]
"""A run, the program's name, and a line that it has written; ``None``: it is over."""
_first: dict[tuple[str, str], Run] = {}
"""Of a program and a line, the run that wrote it first."""
_held: dict[Run, list[str]] = {}
_again: Counter[str] = Counter()
"""By program: runs that ended with nothing else since any line was shown."""


def hear(run: Run, name: str, line: str | None) -> None:
    """Show a line of a program, but hold back what another run of it has written before.

    That is shown before the next line that is new, and only counted if the run is over first.
    """
    held = _held.setdefault(run, [])
    if line is None:
        _again[name] += bool(_held.pop(run))
        return
    held.append(line)
    if _first.setdefault((name, line), run) == run or len(held) > UNREAD:
        _show(name, held)
        held.clear()
    if len(_first) > KNOWN:
        del _first[next(iter(_first))]


told: Callable[[Run, str, str | None], None] = hear
"""Who is told of each line; ``kept`` is what another process is to show, that games are played for.
"""
kept: Final = deque[Words](maxlen=KNOWN)


def _show(name: str, lines: Sequence[str]) -> None:
    """Show lines of a program, after how often those before them came again."""
    if count := _again.pop(name, 0):
        more = ngettext("… and {count} more time", "… and {count} more times", count)
        lines = [more.format(count=count), *lines]
    with suppress(OSError, ValueError):  # standard error may have gone
        for text in lines:
            print(f"{name}: {text}", file=sys.stderr, flush=True)


def _pass_on(group: Group, stream: IO[bytes], name: str, last: deque[str]) -> None:
    """Pass on line after line, and keep the last that says something."""
    run = os.getpid(), next(_runs)
    for line in _lines(group, stream):
        text = harmless(line.decode("utf-8", "replace").expandtabs().rstrip())[:LINE]
        if said := text.strip():
            last.append(said[:LONGEST])
            told(run, name, text)
    told(run, name, None)


_Slot: TypeAlias = tuple[int, str, float, tuple[str, ...] | None]
_running: dict[_Slot, Program] = {}
"""Programs by process, command line, seconds and walls: one plays all that it is named for.

By process, so that one which is forked does not write into the pipes of another.
"""
_turns: dict[_Slot, Lock] = {}
"""What lets a program answer one seat after another, whoever asks for them at once."""


@contextmanager
def lent(
    command: str, seconds: float, name: str = "", hidden: tuple[str, ...] | None = None
) -> Iterator[Program]:
    """Lend the program of a command line, started if need be, to nobody else meanwhile.

    ``BotFault`` if it cannot be started. It is ended by whatever is raised here: who comes next
    gets a new one.
    """
    slot = os.getpid(), command, seconds, hidden
    with _turns.setdefault(slot, Lock()):
        program = _running.get(slot)
        if program is None:
            program = _running[slot] = Program(command, seconds, name, hidden)
        try:
            yield program
        except BaseException:
            _end(slot)
            raise


def try_out(command: str, seconds: float, hidden: tuple[str, ...] | None = None) -> None:
    """Start a program and end it; ``Mistake`` if it cannot be started or ends by itself."""
    try:
        program = Program(command, seconds, hidden=hidden)
        try:
            program.try_out(SETTLING)
        finally:
            program.close()
    except BotFault as error:
        raise Mistake(Fault.BOT_UNUSABLE, bot=f"cmd:{command}", why=str(error)) from error


def files_of(command: str, posix: bool = os.name == "posix") -> str:
    """Return a hash of the files that a command names, of its program if of none; "" for neither.

    An interpreter does not count beside what it runs, nor what is found by its name alone: that is
    another one on each machine of a tournament in parts.
    """
    try:
        program, *arguments = shlex.split(command if posix else command.replace("\\", r"\\"))
    except ValueError:  # a quotation that is not closed
        return ""
    return _hash(arguments) or _hash([program] if Path(program).name != program else [])


def _hash(paths: Iterable[str]) -> str:
    hasher, found = blake2b(digest_size=16), False
    for path in map(Path, paths):
        with suppress(OSError, ValueError):
            if path.is_file():  # no pipe, and no device
                with path.open("rb") as file:
                    while block := file.read(MOST):
                        hasher.update(block)
                found = True
    return hasher.hexdigest() if found else ""


def dismiss(command: str, seconds: float, hidden: tuple[str, ...] | None, match: int) -> None:
    """Tell a program, if it runs, that a game is over."""
    program = _running.get((os.getpid(), command, seconds, hidden))
    if program is not None and match in program.matches:
        program.matches.discard(match)
        program.tell({"type": "over", "match": match})


def _end(slot: _Slot) -> None:
    program = _running.pop(slot, None)
    if program is not None:  # nobody else has ended it
        program.close()


@atexit.register
def end_all() -> None:
    """End all programs that this process started."""
    for slot in list(_running):
        if slot[0] == os.getpid():
            _end(slot)
    for name in list(_again):
        _show(name, ())
