"""Where games are played: one seam, ``concurrent.futures.Executor``.

In this process, in processes of this machine, or on a Dask cluster. Batches come back in the order
of their deals, whatever order they were played in. A worker that dies loses nothing: its tasks are
given out again, and a task counts when its batch is merged, which happens once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from threading import Event, Thread
from typing import Any, Final, TypeVar

import lanplay
from lanplay.errors import UserError
from lanplay.extras import installing, missing
from lanplay.tournament.faults import Wrong
from lanplay.tournament.playing import Batch, Task, play
from lanplay_ai.outside import program

T = TypeVar("T")

LONG: Final = 0.5
"""Seconds that a task should last: long against handing it over, short against the run."""

PATIENCE: Final = 3
"""How often in a row workers may die before anything was finished."""


@dataclass(frozen=True, slots=True)
class Workers:
    """A way to get an executor, again after one broke, and how many tasks it works on at once.

    ``lost`` are the errors of a task whose workers died too often.
    """

    open: Callable[[], AbstractContextManager[Executor]]
    jobs: int
    lost: tuple[type[Exception], ...] = ()


class Inline(Executor):
    """Does everything at once, in this process."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call ``fn``; the future holds what it returned or raised."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def local(jobs: int) -> Workers:
    """Return so many processes of this machine (none but this one for 1)."""
    if jobs == 1:
        return Workers(Inline, 1)
    if sys.platform == "win32":
        jobs = min(jobs, 61)  # as many as Windows lets a process wait for
    context = multiprocessing.get_context("spawn")  # which works on every system
    return Workers(lambda: _pool(_Processes(jobs, context, _serve)), jobs)


class _Processes(ProcessPoolExecutor):
    """Starts processes that hear no Ctrl-C, not even before they can ignore it by themselves."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Do the same as ``Executor.submit``, which is where processes are started."""
        with _deaf():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _deaf() -> Iterator[None]:
    """Keep Ctrl-C waiting while the block runs; processes that it starts do not hear it at all."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _pool(executor: ProcessPoolExecutor) -> Iterator[Executor]:
    """Yield an executor whose workers are killed if what they do is not wanted any more."""
    others = set(multiprocessing.active_children())
    try:
        try:
            yield executor
        except GeneratorExit:  # all that was wanted has come
            executor.shutdown(cancel_futures=True)
            raise
        executor.shutdown(cancel_futures=True)
    except GeneratorExit:
        raise
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()
        executor.shutdown()  # its thread finds them dead, and ends before this process does
        raise


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cluster(address: str) -> Workers:
    """Return the workers of a Dask scheduler; ``UserError`` if there are none of this version."""
    if find_spec("distributed") is None:
        raise UserError(Wrong.NO_DASK, how=installing(missing("cluster")))
    client = _connected(import_module("distributed").Client, address)
    cores = sum(client.nthreads().values())
    if not cores:
        client.close()
        raise UserError(Wrong.NO_WORKERS, address=address)
    killed = import_module("distributed.scheduler").KilledWorker
    return Workers(lambda: _dask(client), cores, lost=(killed,))


def _connected(client: Callable[..., Any], address: str) -> Any:
    try:
        connected = client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError(Wrong.NO_SCHEDULER, address=address, why=str(error)) from error
    try:
        versions = set(connected.run(_version).values())
    except Exception as error:
        connected.close()
        raise UserError(Wrong.WORKERS_LACK, address=address, why=str(error)) from error
    if versions - {lanplay.__version__}:
        connected.close()
        theirs = ", ".join(sorted(versions))
        raise UserError(
            Wrong.WORKERS_VERSION, address=address, theirs=theirs, ours=lanplay.__version__
        )
    return connected


@contextmanager
def _dask(client: Any) -> Iterator[Executor]:
    with client:
        executor = client.get_executor(pure=False)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)  # cancels what nobody waits for any more


def _version() -> str:
    return lanplay.__version__


def _serve() -> None:
    """Leave Ctrl-C and complaints to the process that conducts; end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    program.told = lambda *words: program.kept.append(words)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)


@dataclass(slots=True)
class Feed:
    """Cuts a run into tasks that last about ``LONG`` seconds, as far as is known by then."""

    make: Callable[[int, int], Task]
    next: int
    end: int
    most: int
    rate: float = 0.0

    def task(self) -> Task | None:
        """Return the next task; ``None`` if all are given out."""
        if self.next >= self.end:
            return None
        size = max(1, min(self.most, int(self.rate * LONG)))
        first, self.next = self.next, min(self.end, self.next + size)
        return self.make(first, self.next)

    def learn(self, batch: Batch) -> None:
        """Take note of how fast deals are played."""
        deals = batch.task.last - batch.task.first
        self.rate = deals / max(batch.seconds, 1e-6)


@dataclass(slots=True)
class Line:
    """Tasks given out and not yet merged, in order, and what plays them.

    ``going_on`` is the command that goes on with the run.
    """

    workers: Workers
    feed: Feed
    stop: Event
    going_on: str
    tasks: deque[Task] = field(default_factory=deque)
    futures: deque[Future[Batch]] = field(default_factory=deque)
    failures: int = 0

    def batches(self) -> Generator[Batch, None, None]:
        """Yield batches in order until all are played; after ``stop`` those under way.

        Raises what a task raised, and ``UserError`` if workers keep dying.
        """
        losses: tuple[type[Exception], ...] = (BrokenExecutor, *self.workers.lost)
        while True:
            try:
                with self.workers.open() as executor:
                    yield from self._through(executor)
                return
            except losses as error:
                broken = isinstance(error, BrokenExecutor)  # else it was tried often enough
                self.failures = self.failures + 1 if broken else PATIENCE + 1
                if self.failures > PATIENCE:
                    known = {"times": self.failures, "why": str(error), "command": self.going_on}
                    raise UserError(Wrong.WORKERS_DIE, **known) from error

    def _through(self, executor: Executor) -> Generator[Batch, None, None]:
        self.futures.clear()
        while self._give_out(executor):
            batch = self._result(self.futures[0])
            if batch is None:
                return
            self.tasks.popleft()
            self.futures.popleft()
            self.failures = 0
            self.feed.learn(batch)
            yield batch

    def _give_out(self, executor: Executor) -> bool:
        """Keep the executor busy; return whether anything is under way."""
        while len(self.tasks) < 2 * self.workers.jobs and not self.stop.is_set():
            task = self.feed.task()
            if task is None:
                break
            self.tasks.append(task)
        for task in islice(self.tasks, len(self.futures), None):
            self.futures.append(executor.submit(play, task))
        return bool(self.tasks)

    def _result(self, future: Future[Batch]) -> Batch | None:
        """Wait for a batch; ``None`` if it was not under way when the run was stopped.

        The executor cancels what is left when it shuts down. A future that is cancelled here would
        be one that the thread of a pool whose workers are killed cannot end: it raises.
        """
        while True:
            if self.stop.is_set() and not (future.running() or future.done()):
                return None
            if wait([future], timeout=0.2).done:
                return future.result()
