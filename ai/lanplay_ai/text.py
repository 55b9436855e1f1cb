"""What bots say of their answers, worded: the sentence of a hint."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.agent import Hint
from lanplay.engine.manifest import Words
from lanplay.engine.question import Phrase
from lanplay.language import N_, _, figure

REASONS = {"by-lot": N_("Drawn by lot from all answers that are allowed.")}
ODDS = N_("Chance that it comes off: {odds}.")
WORTH = N_("Expected: {worth} points.")
"""What a hint is expected to bring; a game in which that is no points has its own ``WORTH``."""


def sentence(hint: Hint, words: Words | None, names: Sequence[str]) -> str:
    """Return a hint's reason with its odds and its worth, in the words of the game's bots.

    ``KeyError`` for a reason that neither they nor this module know.
    """
    sentences = [_reason(hint.reason, words, names)]
    if hint.odds is not None:
        sentences.append(_(ODDS).format(odds=figure(hint.odds, ".0%")))
    if hint.worth is not None:
        worth = getattr(words, "WORTH", WORTH)
        sentences.append(_(worth).format(worth=figure(hint.worth)))
    return " ".join(sentences)


def _reason(message: Phrase, words: Words | None, names: Sequence[str]) -> str:
    if message.id in REASONS:
        return _(REASONS[message.id]).format(**message.values)
    if words is None:
        raise KeyError(message.id)
    return words.word(message, names)
