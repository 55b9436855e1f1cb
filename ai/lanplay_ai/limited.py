"""Bots of other packages, which play in this process: given time, and kept from ending it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, Self, TypeVar

from lanplay.engine.agent import Agent
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.watchdog import Late, within
from lanplay_ai.outside.messages import plain_answer
from lanplay_ai.outside.program import BotFault

T = TypeVar("T")

SECONDS: Final = 10.0
"""How long a bot that is not lanplay's own may take for a decision, unless its name says more."""


class Limited:
    """Asks a bot of another package; ``BotFault`` says how it failed.

    It fails if it takes too long, raises anything (``SystemExit`` too, but a person's Ctrl-C is no
    fault of it) or if what it says is no plain data. Code that takes too long is interrupted at its
    next step of Python.
    """

    def __init__(self, bot: Agent, seconds: float = SECONDS) -> None:
        self.bot = bot
        self._seconds = seconds

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the bot's answer (see ``Agent.answer``)."""
        try:
            said = contained(within, self._seconds, self.bot.answer, view, question)
        except Late:
            raise BotFault(f"no answer within {self._seconds:g} s") from None
        return plain_answer(said)


def contained(function: Callable[..., T], *values: Any) -> T:
    """Return what a function of another package returns.

    ``BotFault`` tells whatever it raises but ``Late``. ``KeyboardInterrupt`` is raised only if the
    person pressed Ctrl-C meanwhile and that ends the program.
    """
    with _Interrupts() as interrupts:
        try:
            result = function(*values)
        except Late:
            interrupts.go_on()
            raise
        except BaseException as error:  # whatever another package does wrong
            interrupts.go_on()
            raise BotFault(_described(error)) from error
        interrupts.go_on()
    return result


def _described(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")
    except BaseException:  # its text is another package's code as well
        return type(error).__name__


class _Interrupts:
    """Tells a person's Ctrl-C from a ``KeyboardInterrupt`` that a bot raised itself.

    Only the main thread is ever interrupted by a person.
    """

    def __enter__(self) -> Self:
        self._pressed: KeyboardInterrupt | None = None
        self._before: Any = None
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if callable(before):
                self._before = before
                signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def go_on(self) -> None:
        """Raise ``KeyboardInterrupt`` if the person ends the program, whatever a bot made of it."""
        if self._pressed is not None:
            raise self._pressed

    def _note(self, number: int, frame: FrameType | None) -> None:
        try:
            self._before(number, frame)
        except KeyboardInterrupt as pressed:
            self._pressed = pressed
            raise
