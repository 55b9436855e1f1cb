"""What a rule of a bot returns: the answer, and why, worked out only if somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lanplay.engine.agent import Hint
from lanplay.engine.question import Answer, Message
from lanplay.engine.value import value


class Reason(NamedTuple):
    """The id and values of a message, what the answer is worth, and its odds (see ``Hint``)."""

    id: str
    values: dict[str, Any]
    worth: float | None = None
    odds: float | None = None


@value
class Decision:
    """An answer; ``why`` works out its reason."""

    answer: Answer
    why: Callable[[], Reason]

    def hint(self) -> Hint:
        """Return the decision as it is told."""
        reason = self.why()
        return Hint(self.answer, Message(reason.id, reason.values), reason.odds, reason.worth)


def decided(
    answer: Answer,
    reason: str,
    worth: float | None = None,
    odds: float | None = None,
    **values: Any,
) -> Decision:
    """Return a decision whose reason is at hand."""
    return Decision(answer, lambda: Reason(reason, values, worth, odds))
