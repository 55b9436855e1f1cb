"""Long work that hangs on its inputs alone: a shell may do it beside everything else.

A replica decides nothing by it: what a job comes to is the same wherever and whenever it is done.
Unless a shell does jobs ``offload`` each is done in the moment in which its result is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lanplay_protocol.crypto.errors import CryptoError


@dataclass(frozen=True, slots=True)
class Job:
    """A pure function and what it is given, hashable; it may be called in any thread."""

    function: Callable[..., Any] = field(repr=False)
    given: tuple[Any, ...] = field(repr=False)

    def run(self) -> JobResult:
        """Do the job; a ``CryptoError`` is a result like any other."""
        try:
            return JobResult(self.function(*self.given))
        except CryptoError as error:
            return JobResult(None, error)


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a job came to: a value, or what is wrong with what it was given."""

    value: Any = field(repr=False)
    error: CryptoError | None = None


class JobQueue:
    """The jobs of one phase. With ``offload`` a shell does those that are ``next``."""

    def __init__(self) -> None:
        self.offload = False
        self._pending: dict[Job, None] = {}
        self._results: dict[Job, JobResult] = {}

    @property
    def next(self) -> Job | None:
        """The job to do next, if any is pending."""
        return next(iter(self._pending), None)

    def pending(self, jobs: Sequence[Job]) -> bool:
        """Tell whether some of these jobs have still to be done by a shell; queue those."""
        missing = [job for job in jobs if job not in self._results] if self.offload else []
        self._pending.update(dict.fromkeys(missing))
        return bool(missing)

    def finish(self, job: Job, work: JobResult) -> None:
        """Store the result of a job."""
        self._pending.pop(job, None)
        self._results[job] = work

    def result(self, job: Job) -> Any:
        """Return what a job comes to, done before or now; raises its ``CryptoError``."""
        work = self._results.get(job) or job.run()
        if work.error is not None:
            raise work.error
        return work.value

    def forget(self) -> None:
        """Drop all jobs and results: their phase is over."""
        self._pending.clear()
        self._results.clear()
