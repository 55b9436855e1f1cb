"""The one place where tournaments get their bots, and what is done about one that fails."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any, Final, TypeAlias

import lanplay_ai as ai
from lanplay.engine.agent import Agent
from lanplay.engine.plain import digest
from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.errors import Fault, Mistake, UserError
from lanplay.files import replace
from lanplay.told import Told
from lanplay.tournament.faults import Wrong
from lanplay.tournament.plan import TournamentPlan
from lanplay.tournament.storage import Folder
from lanplay_ai.guard import Unmade

KEY: Final = 32
"""Bytes of a bot's key."""


Hidden: TypeAlias = tuple[str, ...]
"""Folders that bots from outside see nothing of."""


def make(game: str, name: str, key: bytes, hidden: Hidden | None = None) -> Agent:
    """Return the bot of that name for a game; ``ValueError`` names the bots there are."""
    return ai.make(name, key, game, programs=True, hidden=hidden)


def check(plan: TournamentPlan, folder: Folder, named: bool = False) -> None:
    """Make each bot of a plan once and start its program; ``UserError`` says what is wrong.

    A folder may be anybody's: no program is started before this machine's person has ``named`` it.
    """
    bots = ", ".join([bot for bot in plan.entrants if ai.program(bot)])
    if bots and named:
        replace(folder.named(plan), b"")
    if bots and not folder.named(plan).exists():
        raise UserError(Wrong.PROGRAMS, folder=str(folder.path), bots=bots, command=folder.going_on)
    for bot, version in dict(zip(plan.entrants, plan.versions, strict=True)).items():
        try:
            ai.check(bot, bytes(KEY), plan.game, hidden=folder.hidden(plan))
        except Mistake as error:
            raise UserError(error.told) from error
        if version != (here := ai.version(bot, plan.game)):
            raise UserError(Wrong.BOT_VERSION, bot=bot, theirs=version, ours=here)


def changed(plan: TournamentPlan) -> list[str]:
    """Return the bots of a plan that are others here by now."""
    versions = dict(zip(plan.entrants, plan.versions, strict=True))
    return [bot for bot, version in versions.items() if version != ai.version(bot, plan.game)]


def _bot(plan: TournamentPlan, name: str, key: bytes, hidden: Hidden | None) -> Agent:
    """Return a bot; one that cannot be made, though it could when the run was checked, is at fault.

    ``UserError`` if there is none of that name.
    """
    try:
        return make(plan.game, name, key, hidden)
    except Mistake as error:
        if isinstance(error.told, Told) and error.told.saying is Fault.NO_BOT:
            raise UserError(error.told) from error
        return Unmade(error)
    except Exception as error:
        return Unmade(error)


def seated(
    plan: TournamentPlan, deal: int, line_up: Sequence[int], hidden: Hidden | None = None
) -> list[Contestant]:
    """Return the agents of one game.

    A seat's key belongs to the deal and the seat, so that a bot in the same seat of the same deal
    draws alike whoever else plays. Bots that are not lanplay's own could try out which seed a key
    is made from: theirs has nothing of it.
    """
    agents = []
    for seat, entrant in enumerate(line_up):
        bot, purpose = plan.entrants[entrant], ("bot", deal, seat)
        key = plan.key(*purpose) if ai.own(bot, plan.game) else digest(purpose)
        agents.append(Contestant(plan, bot, key, hidden))
    return agents


class Contestant:
    """A bot at a tournament's table: guarded (see ``Guarded``) and timed.

    ``decisions`` counts what it was asked and ``spared`` how often its stand-in was asked at once,
    ``nanoseconds`` and ``slowest`` say how long it took, ``faults`` what was wrong.
    """

    __slots__ = ("_bot", "decisions", "faults", "nanoseconds", "slowest", "spared")

    def __init__(
        self, plan: TournamentPlan, name: str, key: bytes, hidden: Hidden | None = None
    ) -> None:
        self._bot = ai.guard(name, _bot(plan, name, key, hidden), key, plan.game)
        self.decisions = 0
        self.spared = 0
        self.nanoseconds = 0
        self.slowest = 0
        self.faults = self._bot.faults

    def answer(self, view: View[Any], question: Question) -> Answer:
        """Return the bot's answer, or its stand-in's if the bot fails (see ``Agent.answer``)."""
        self.decisions += 1
        if self.faults and self._bot.out:
            self.spared += 1
            return self._bot.answer(view, question)
        begun = perf_counter_ns()
        answer = self._bot.answer(view, question)
        took = perf_counter_ns() - begun
        self.nanoseconds += took
        self.slowest = max(self.slowest, took)
        return answer
