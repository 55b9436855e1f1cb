"""A screen or a page that somebody waits for: until its person has answered."""

from __future__ import annotations

from typing import Generic, TypeVar

import trio

T = TypeVar("T")


class Modal(Generic[T]):
    """Asks for one answer; ``answer`` is what it is as long as there is none."""

    def __init__(self, answer: T) -> None:
        self._answer = answer
        self._done = trio.Event()

    async def answered(self) -> T:
        """Return the answer once there is one."""
        await self._done.wait()
        return self._answer

    def give(self, answer: T) -> bool:
        """Answer, and return true."""
        self._answer = answer
        self._done.set()
        return True
