"""Long work that hangs on its inputs alone: a shell may do it beside everything else.

A replica decides nothing by it: what a job comes to is the same wherever and whenever it is done.
Unless a shell does jobs ``apart`` each is done in the moment in which its result is needed.
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

    def run(self) -> Work:
        """Do it; a ``CryptoError`` is a result like any other."""
        try:
            return Work(self.function(*self.given))
        except CryptoError as error:
            return Work(None, error)


@dataclass(frozen=True, slots=True)
class Work:
    """What a job came to: a value, or what is wrong with what it was given."""

    value: Any = field(repr=False)
    error: CryptoError | None = None


class Labour:
    """The jobs of one phase. With ``apart`` a shell does those that are ``wanted``."""

    def __init__(self) -> None:
        self.apart = False
        self._wanted: dict[Job, None] = {}
        self._done: dict[Job, Work] = {}

    @property
    def wanted(self) -> Job | None:
        """The job for which something waits first, if any."""
        return next(iter(self._wanted), None)

    def lacks(self, jobs: Sequence[Job]) -> bool:
        """Tell whether a shell has to do some of these jobs first: they are wanted from now on."""
        missing = [job for job in jobs if job not in self._done] if self.apart else []
        self._wanted.update(dict.fromkeys(missing))
        return bool(missing)

    def did(self, job: Job, work: Work) -> None:
        """Know what a job came to."""
        self._wanted.pop(job, None)
        self._done[job] = work

    def result(self, job: Job) -> Any:
        """Return what a job comes to, done before or now; raises its ``CryptoError``."""
        work = self._done.get(job) or job.run()
        if work.error is not None:
            raise work.error
        return work.value

    def forget(self) -> None:
        """Know of no job any longer: the phase is over."""
        self._wanted.clear()
        self._done.clear()
