"""Dice and card games between the laptops of one network.

Whoever writes a bot imports from here alone: ``Agent`` is the contract (``Adviser`` with a ``Hint``
of why), ``View`` what a seat sees, ``Question`` what it is asked, ``Chance`` keyed luck of the
bot's own, ``fork`` look-ahead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from lanplay.engine.agent import Adviser, Agent, Hint
    from lanplay.engine.chance import Chance
    from lanplay.engine.fork import fork
    from lanplay.engine.question import Answer, Illegal, Pick, PickSome, Question
    from lanplay.engine.view import View

__all__ = [
    "Adviser",
    "Agent",
    "Answer",
    "Chance",
    "Hint",
    "Illegal",
    "Pick",
    "PickSome",
    "Question",
    "View",
    "__version__",
    "fork",
]

_HOMES = {
    "Adviser": "agent",
    "Agent": "agent",
    "Answer": "question",
    "Chance": "chance",
    "Hint": "agent",
    "Illegal": "question",
    "Pick": "question",
    "PickSome": "question",
    "Question": "question",
    "View": "view",
    "fork": "fork",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``--version`` loads none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'lanplay' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"lanplay.engine.{_HOMES[name]}"), name)
