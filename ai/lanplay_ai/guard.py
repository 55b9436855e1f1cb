"""A bot that may fail, and simpler ones that answer in its place: no bot ends a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import Any, Final

from lanplay.engine.agent import Agent
from lanplay.engine.plain import Plain
from lanplay.engine.question import Answer, Illegal, Question, answers
from lanplay.engine.record import FAILURES, Record
from lanplay.engine.view import View
from lanplay.language import N_, _

STRIKES: Final = 3
"""After so many faults in one game a bot is not asked again in that game."""
FRAMES: Final = 8
"""So many places in the code are kept of a fault, the innermost ones."""
LENGTH: Final = 300
"""So many characters are kept of what an error says."""
FAILED = N_("The bot {bot} has failed; a simpler one answers in its place ({fault}).")


@dataclass(frozen=True, slots=True)
class Failure:
    """What a bot did wrong, and where: enough to come to the same question again.

    ``seat`` counts from 0, ``step`` the entries that the game's history had. ``at`` are the places
    in the code that it came from, the innermost first.
    """

    bot: str
    question: str
    seat: int
    step: int
    why: str
    at: str = ""

    def __str__(self) -> str:
        place = f"{self.question}, seat {self.seat + 1}, step {self.step}: {self.why}"
        return f"{place} [{self.at}]" if self.at else place

    @property
    def short(self) -> str:
        """What was wrong, for a person who sits at the table."""
        return f"{self.question}: {self.why}"

    def plain(self) -> dict[str, Plain]:
        """Return it as plain data, as it stands in records."""
        return asdict(self)


def failure(bot: str, view: View[Any], question: Question, error: BaseException) -> Failure:
    """Return what a bot did wrong at a question, and log it.

    The log has no more than the kind of the error: its text might tell what the seat holds.
    """
    seat, step = view.seat, len(view.history)
    at: str = getattr(error, "at", "") or places(error)
    kind = type(error).__name__
    where = question.name, seat + 1, step, view.header.game, dict(view.header.options)
    from logging import getLogger  # which loads much

    log = getLogger(__name__)
    log.info("%s failed at %s, seat %d, step %d of %s %s: %s [%s]", bot, *where, kind, at)
    return Failure(bot, question.name, seat, step, described(error), at)


def _text(error: BaseException) -> str:
    """Return what an error says, fit for a line on a terminal and in a file, whoever raised it."""
    try:
        text = str(error)[:LENGTH]
    except BaseException:  # a number with too many digits; another package's code
        return ""
    return "".join([each if each.isprintable() else " " for each in text])


def described(error: BaseException) -> str:
    """Return an error's kind, and what it says."""
    return f"{type(error).__name__}: {_text(error)}".removesuffix(": ")


def noted(record: Record, faults: Sequence[Failure]) -> Record:
    """Return a record that says which bots failed; the same one where none did."""
    if not faults:
        return record
    return replace(
        record, extra={**record.extra, FAILURES: tuple([each.plain() for each in faults])}
    )


def places(error: BaseException) -> str:
    """Return the places in the code that an error came from."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)[: -FRAMES - 1 : -1]
    found = ["/".join(PurePath(frame.filename).parts[-2:]) for frame in frames]
    return " ".join(f"{name}:{frame.lineno}" for name, frame in zip(found, frames, strict=True))


def _check(answer: Answer, view: View[Any], question: Question) -> None:
    """Raise ``Illegal`` for an answer that the rules refuse, with the answer among its values."""
    try:
        question.check(answer)
        question.check_own(answer, view)
    except Illegal as it:
        raise Illegal(it.rule, it.message.id, **{**it.message.values, "answer": answer}) from None


class BotsFailed(Exception):
    """Bots of lanplay's own have failed in a run, which was played to its end all the same."""


class Unmade:
    """A bot that could not be made."""

    def __init__(self, why: Exception) -> None:
        self._why = why

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Raise why there is nobody to answer."""
        raise self._why


class First:
    """Gives the first legal answer to which a question's own dialogue leads."""

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return a legal answer (see ``Agent.answer``)."""
        return next(answers(question, view))


class Guarded:
    """Asks a bot; where it raises anything or answers against the rules, its stand-in answers.

    What it answers is legal: nobody has to check it again. ``faults`` says what was wrong, with the
    bot and with its stand-in, which is made by ``stand_in`` once it is needed. What the stand-in
    answers is the answer given: it stands in the record.
    """

    def __init__(self, name: str, bot: Agent, stand_in: Callable[[], Agent] = First) -> None:
        self.faults: list[Failure] = []
        self._name = name
        self._bot = bot
        self._make = stand_in
        self._stand_in: Agent | None = None
        self._told = 0

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the bot's answer, or its stand-in's (see ``Agent.answer``)."""
        if not (self.faults and self.out):
            try:
                answer = self._bot.answer(view, question)
                _check(answer, view, question)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # whatever a bot does, the game goes on
                self.faults.append(failure(self._name, view, question, error))
            else:
                return answer
        return self._deputy().answer(view, question)

    @property
    def out(self) -> bool:
        """Whether the bot is not asked any more in this game."""
        return sum(fault.bot == self._name for fault in self.faults) >= STRIKES

    def _deputy(self) -> Agent:
        if self._stand_in is None:
            self._stand_in = self._make()
            if isinstance(self._stand_in, Guarded):
                self._stand_in.faults = self.faults
        return self._stand_in

    def told(self) -> list[str]:
        """Return a sentence for a person on each fault that was not told yet."""
        fresh, self._told = self.faults[self._told :], len(self.faults)
        return [_(FAILED).format(bot=each.bot, fault=each.short) for each in fresh]
