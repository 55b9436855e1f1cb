"""What bots say of their answers, worded: the sentence of a hint."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from lanplay.engine.agent import Hint
from lanplay.engine.question import Message
from lanplay.language import N_, _

REASONS = {
    "by-lot": N_("Drawn by lot from all answers that are allowed."),
}
ODDS = N_("{reason} Chance: {percent} %.")
WORTH = N_("{reason} Expected: {points} points.")
ODDS_AND_WORTH = N_("{reason} Chance: {percent} %; expected: {points} points.")


def sentence(hint: Hint, package: str, names: Sequence[str]) -> str:
    """Return a hint's reason with its odds, worded by ``package.text`` (``word``) if there is one.

    ``KeyError`` for a reason that neither it nor this module knows.
    """
    reason = _reason(hint.reason, package, names)
    values = {"reason": reason}
    if hint.odds is not None:
        values["percent"] = f"{100 * hint.odds:.0f}"
    if hint.worth is not None:
        values["points"] = f"{hint.worth:.1f}"
    forms = {0: "{reason}", 1: ODDS, 2: WORTH, 3: ODDS_AND_WORTH}
    form = forms[(hint.odds is not None) + 2 * (hint.worth is not None)]
    return _(form).format(**values)


def _reason(message: Message, package: str, names: Sequence[str]) -> str:
    if message.id in REASONS:
        return _(REASONS[message.id]).format(**message.values)
    if find_spec(f"{package}.text") is None:
        raise KeyError(message.id)
    worded: str = import_module(f"{package}.text").word(message, names)
    return worded
