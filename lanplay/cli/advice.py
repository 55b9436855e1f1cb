"""What a person can do at any table: a hint, the rules, the speed of AI."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import trio

import lanplay_ai as ai
from lanplay.cli.desk import Screen
from lanplay.engine.question import Option, Phrase, Question, picked
from lanplay.engine.view import View
from lanplay.errors import UserError
from lanplay.language import N_, _
from lanplay.ui.commands import Command
from lanplay.ui.decision import selection
from lanplay_ai.guard import failure

SPEEDS: Final[Mapping[str, float]] = {"slow": 1.5, "normal": 0.6, "fast": 0.2, "instant": 0.0}
"""Seconds between moves of AI."""
KEY: Final = bytes(32)
"""The strong bot draws nothing, so that its key does not matter."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person is asked, and where hints for it are thought out."""

    view: View[Any]
    question: Question
    nursery: trio.Nursery


class Advice:
    """The commands of a person who is asked things at a table of a game.

    ``word`` words the game's messages. ``hints`` is false at tables that forbid them.
    """

    def __init__(
        self, game: str, names: Sequence[str], screen: Screen, word: Callable[[Phrase], str]
    ) -> None:
        self._game, self._names = game, names
        self._screen = screen
        self._word = word
        self._asked: Asked | None = None
        self.hints = True
        self._usual: float | None = None
        self._slow = screen.pause or SPEEDS["normal"]

    @asynccontextmanager
    async def asked(self, view: View[Any], question: Question) -> AsyncIterator[None]:
        """Know what the person is asked while a block runs; a hint that comes later is dropped.

        What the block raises comes in a group.
        """
        before = self._asked
        async with trio.open_nursery() as nursery:
            self._asked = Asked(view, question, nursery)
            try:
                yield
            finally:
                self._asked = before
                nursery.cancel_scope.cancel()

    @property
    def commands(self) -> tuple[Command, ...]:
        """What the person can do."""
        return (
            Command(
                "hint",
                N_("ask the strong bot what it would answer, and why"),
                self._hint,
                key="h",
                now=self.hints and self._asked is not None,
            ),
            *rules(self._game, self._screen),
            Command(
                "speed", N_("slow, normal, fast or instant moves of AI"), self._speed, N_("HOW")
            ),
            Command(
                "fast", N_("let AI move at once, or at the usual speed again"), self._fast, key="f"
            ),
        )

    def forward(self, alone: bool) -> None:
        """Let AI move at once while only AI is left at the table, and say so; then as before."""
        if alone == (self._usual is not None):
            return
        if alone:
            self._usual, self._screen.pause = self._screen.pause, 0.0
            self._screen.notice(_("Only AI is left at the table: it moves at once."))
        else:
            self._screen.pause, self._usual = self._usual or 0.0, None
            self._screen.notice(_("AI moves at the usual speed again."))

    def _hint(self, _argument: str) -> None:
        if not self.hints:
            raise ValueError(_("This table forbids hints."))
        if self._asked is None:
            raise ValueError(_("There is no hint: nothing is asked of you now."))
        self._screen.reply(_("The strong bot is thinking about it."))
        self._asked.nursery.start_soon(self._think, self._asked)

    async def _think(self, asked: Asked) -> None:
        """Show a hint once it is thought out; an adviser that fails ends no game."""
        try:
            told = await self._told(asked.view, asked.question)
        except Exception as error:
            fault = failure("hint", asked.view, asked.question, error)
            told = _("There is no hint: the strong bot has failed ({fault}).")
            told = told.format(fault=fault.short)
        self._screen.reply(told)

    async def _told(self, view: View[Any], question: Question) -> str:
        """Return a hint in words, thought out in a thread: the first in a game may take long."""
        explain = ai.adviser(self._game, KEY).explain
        hint = await trio.to_thread.run_sync(explain, view, question, abandon_on_cancel=True)
        steps = picked(question, view, hint.answer)
        return f"{ai.worded(hint, self._game, self._names)} {spelt(steps, self._word)}"

    def _speed(self, name: str) -> None:
        if name not in SPEEDS:
            known = ", ".join(SPEEDS)
            raise ValueError(_("The speeds are: {known}.").format(known=known))
        self._screen.pause = SPEEDS[name]

    def _fast(self, _argument: str) -> None:
        if self._screen.pause:
            self._slow, self._screen.pause = self._screen.pause, 0.0
            self._screen.reply(_("AI moves at once."))
        else:
            self._screen.pause = self._slow
            self._screen.reply(_("AI moves at the usual speed again."))


def spelt(steps: Iterable[tuple[Phrase, Sequence[Option]]], word: Callable[[Phrase], str]) -> str:
    """Return in a sentence what is picked at each step of an answer."""
    said = (selection(prompt, options, word) for prompt, options in steps)
    return f"{'; '.join(said)}."


def rules(game: str, screen: Screen) -> tuple[Command, Command]:
    """Return the commands that show the rules of a game: those asked for, and all."""

    def show(wanted: str) -> None:
        from lanplay.ui.rulebook import flowing, matching, text

        try:
            page = text(game)
            screen.reply(flowing(matching(page, wanted) if wanted else page).rstrip())
        except UserError as error:
            raise ValueError(str(error)) from error

    some, every = N_("show the rules with a number or a word"), N_("show all rules of the game")
    return Command("rules", some, show, N_("WORD")), Command("rules", every, show)
