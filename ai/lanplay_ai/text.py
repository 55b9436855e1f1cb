"""What bots say of their answers, worded: the sentence of a hint."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from lanplay.engine.agent import Hint
from lanplay.engine.question import Phrase
from lanplay.language import N_, _, figure

REASONS = {
    "by-lot": N_("Drawn by lot from all answers that are allowed."),
}
ODDS = N_("Chance: {odds}.")
WORTH = N_("Expected: {worth} points.")
"""What a hint is expected to bring; a game in which that is no points has its own ``WORTH``."""


def sentence(hint: Hint, package: str, names: Sequence[str]) -> str:
    """Return a hint's reason with its odds and its worth.

    It is worded by ``package.text`` (``word``) if there is one.

    ``KeyError`` for a reason that neither it nor this module knows.
    """
    text: Any = import_module(f"{package}.text") if find_spec(f"{package}.text") else None
    sentences = [_reason(hint.reason, text, names)]
    if hint.odds is not None:
        sentences.append(_(ODDS).format(odds=figure(hint.odds, ".0%")))
    if hint.worth is not None:
        worth = getattr(text, "WORTH", WORTH)
        sentences.append(_(worth).format(worth=figure(hint.worth)))
    return " ".join(sentences)


def _reason(message: Phrase, text: Any, names: Sequence[str]) -> str:
    if message.id in REASONS:
        return _(REASONS[message.id]).format(**message.values)
    if text is None:
        raise KeyError(message.id)
    worded: str = text.word(message, names)
    return worded
