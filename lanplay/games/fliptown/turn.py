"""A turn of one seat: the plan, bonus actions and buildings, up to a robbery or a look (FT-2.7).

A ``TurnWalk`` changes nothing but its sheet. The dialogue of a question, its check, the rules and
the bots all take one, so that there is one truth of what is legal.
"""

from __future__ import annotations

from typing import Final

from lanplay.engine.question import Answer, Illegal
from lanplay.games.fliptown.asks import Ask, Next, TaskStage, Told, Turn
from lanplay.games.fliptown.codes import END
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.tasks import following

RULE: Final = "FT-2.7"


class TurnWalk:
    """A turn on its way, choice by choice; what leaves no choice is done at once.

    ``ask`` is the choice at hand, ``None`` once there is none. Then ``pause`` is the target robbed,
    ``codes.LOOK``, or ``None`` at the end of the turn. A walk of one ``task`` stops at its end too;
    ``going`` tells that the turn goes on from there.
    """

    __slots__ = ("_stage", "_task", "ask", "going", "pause", "sheet", "told", "turn")

    _stage: TaskStage

    def __init__(
        self,
        s: Sheet,
        turn: Turn,
        told: Told = None,
        *,
        task: bool = False,
        at: TaskStage | None = None,
    ) -> None:
        """Set out on ``s``, which the walk changes; or go on ``at`` a stage, with ``take``."""
        self.sheet = s
        self.turn = turn
        self.told = told
        self.ask: Ask | None = None
        self.pause: int | None = None
        self.going = True
        self._task = task
        if at is None:
            self._go(following(s))
        else:
            self._stage = at

    def take(self, option: int) -> None:
        """Take one of the options of ``ask``."""
        self._go(self._stage.use(self.sheet, self.turn, option, self.told))

    def after(self, option: int) -> TurnWalk:
        """Return an independent walk that has taken one of the options."""
        twin = TurnWalk(self.sheet.copy(), self.turn, task=self._task, at=self._stage)
        twin.take(option)
        return twin

    def _go(self, stage: Next) -> None:
        s, turn = self.sheet, self.turn
        while stage is not None or not self._task:
            stage = stage or following(s)
            if type(stage) is not TaskStage:
                self.pause, self.going = pause_of(stage), False
                break
            ask = stage.ask(s, turn)
            if len(ask.values) > 1:
                self.ask, self._stage = ask, stage
                return
            stage = stage.use(s, turn, ask.values[0], self.told)
        self.ask = None


def pause_of(end: int) -> int | None:
    """Return the pause of a turn by what its last stage returned."""
    return None if end == END else end


def follow(s: Sheet, turn: Turn, answer: Answer, told: Told = None) -> int | None:
    """Carry on a turn with the options of ``answer``; return its pause (see ``TurnWalk``).

    Raises ``Illegal`` unless ``answer`` is a tuple of exactly the options that the turn asks for.
    """
    if type(answer) is not tuple:
        raise Illegal(RULE, "malformed")
    walk = TurnWalk(s, turn, told)
    for option in answer:
        if walk.ask is None:
            raise Illegal(RULE, "malformed")
        if type(option) is not int or option not in walk.ask.values:
            raise Illegal(RULE, "not-possible")
        walk.take(option)
    if walk.ask is not None:
        raise Illegal(RULE, "malformed")
    return walk.pause
