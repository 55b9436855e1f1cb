"""A program with all that it starts: ended as one, and never left behind by this process."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import IO, Final

from lanplay_ai.outside import walls

ENDING: Final = 5.0
"""Seconds that killed processes are waited for: one that hangs in the kernel may take for ever."""


def _await(process: subprocess.Popen[bytes]) -> None:
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDING)


if sys.platform == "win32":
    from lanplay_ai.outside.job import WindowsJob

    class Group:
        """A program in a job object.

        It is put there as soon as it runs; what it has started before that moment is not.
        """

        def __init__(self, command: str, hidden: Sequence[str] | None = None) -> None:
            """Start it, with pipes; ``OSError`` or ``ValueError`` if it cannot be.

            There are no walls here: nothing is hidden.
            """
            self.over = False
            self._job = WindowsJob()
            try:
                self.process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
                )
            except BaseException:
                self._job.end()
                raise
            self._job.take(self.process.pid)

        def status(self, seconds: float) -> int:
            """Wait for it to end by itself; ``TimeoutExpired`` if it does not."""
            return self.process.wait(seconds)

        def end(self) -> None:
            """End all of it at once; from now on it is ``over``."""
            self._job.end()
            self.process.kill()
            _await(self.process)
            self.over = True

        def rest(self) -> None:
            """Nothing stops here between two questions."""

        def wake(self) -> None:
            """Nothing has stopped."""

        def ready(self, stream: IO[bytes], *, to_write: bool = False) -> bool:
            """Tell that a stream may be used: whoever waits there is freed as the job ends."""
            return True

        def close(self) -> None:
            """Free what was needed until now."""

else:
    _LEADER: Final = (
        "trap '' HUP INT TERM; read pid; read end; kill -s KILL -- -$pid; kill -s KILL 0"
    )
    """A shell that is told a process and ends the group that this one leads, if it does, and its
    own, when nobody is left who could tell it more."""

    @contextmanager
    def _closed_by_all() -> Iterator[int]:
        """Yield a descriptor, and wait at the end until all who were given it have closed it."""
        end, given = os.pipe()
        try:
            yield given
        finally:
            os.close(given)
            os.read(end, 1)
            os.close(end)

    class Group:
        """A program in a process group, or in one that it leads itself, as ``timeout`` does.

        A shell leads the first and ends both when this process has ended, however that came. What
        leaves them is neither ended nor waited for, whatever pipes it holds. Within walls it leads
        a group of its own, which nothing leaves.
        """

        def __init__(self, command: str, hidden: Sequence[str] | None = None) -> None:
            """Start it, with pipes; ``OSError`` or ``ValueError`` if it cannot be.

            With folders that are ``hidden``, be it none, it is within walls where there can be any.
            """
            arguments = shlex.split(command)
            self._apart = hidden is not None
            self.over = False
            self._woken, self._wake = os.pipe()
            self._members: list[subprocess.Popen[bytes]] = []
            try:
                leader = subprocess.Popen(
                    _LEADER,
                    shell=True,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    process_group=0,
                )
                self._members.append(leader)
                walled = hidden is not None and walls.able()
                with _closed_by_all() if walled else nullcontext(-1) as done:
                    self.process = subprocess.Popen(
                        walls.walled(arguments, hidden or (), done) if walled else arguments,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        bufsize=0,
                        process_group=0 if self._apart else leader.pid,
                        pass_fds=(done,) if walled else (),
                    )
                    self._members.append(self.process)
                assert leader.stdin is not None
                assert self.process.stdin is not None
                leader.stdin.write(b"%d\n" % self.process.pid)
                os.set_blocking(self.process.stdin.fileno(), False)
            except BaseException:
                self.end()
                self.close()
                raise

        def status(self, seconds: float) -> int:
            """Wait for it to end by itself; ``TimeoutExpired`` if it does not.

            What it leaves behind in its group ends with it, at once: later its number may be
            another's.
            """
            status = self.process.wait(seconds)
            self._kill(self.process)
            return status

        def _kill(self, member: subprocess.Popen[bytes]) -> None:
            with suppress(OSError):
                os.killpg(member.pid, signal.SIGKILL)
            member.kill()

        def end(self) -> None:
            """End all of it at once; from now on it is ``over``."""
            for member in self._members:
                if member.returncode is None:  # else ``status`` has
                    self._kill(member)
            for member in self._members:
                _await(member)
            self.over = True
            os.write(self._wake, b"\n")  # frees whoever waits in ready()

        def rest(self) -> None:
            """Let a program that is to be within walls stand still, with all that it has started.

            So it thinks in its own time, and takes none from others.
            """
            self._signal(signal.SIGSTOP)

        def wake(self) -> None:
            """Let it go on."""
            self._signal(signal.SIGCONT)

        def _signal(self, number: int) -> None:
            if self._apart and self.process.returncode is None:
                with suppress(OSError):
                    os.killpg(self.process.pid, number)

        def ready(self, stream: IO[bytes], *, to_write: bool = False) -> bool:
            """Wait until a stream may be used; ``False`` if it is over before."""
            waiting = select.poll()
            waiting.register(stream, select.POLLOUT if to_write else select.POLLIN)
            waiting.register(self._woken, select.POLLIN)
            return stream.fileno() in dict(waiting.poll())

        def close(self) -> None:
            """Free what was needed until now."""
            for leader in self._members[:1]:
                assert leader.stdin is not None
                leader.stdin.close()
            os.close(self._wake)
            os.close(self._woken)
