"""A hint in words: why, and what would be picked at each step of the question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import lanplay_ai as ai
from lanplay.engine.question import Option, Phrase, picked
from lanplay.language import _
from lanplay.session.events import Hinted
from lanplay.ui.decision import selection


def hint_text(
    hinted: Hinted, game: str, names: Sequence[str], word: Callable[[Phrase], str]
) -> str:
    """Return what the strong bot advises; or that it has failed."""
    if hinted.hint is None:
        failed = _("There is no hint: the strong bot has failed ({fault}).")
        return failed.format(fault=hinted.fault)
    steps = picked(hinted.asked.question, hinted.asked.view, hinted.hint.answer)
    return f"{ai.worded(hinted.hint, game, names)} {spelt(steps, word)}"


def spelt(steps: Iterable[tuple[Phrase, Sequence[Option]]], word: Callable[[Phrase], str]) -> str:
    """Return in a sentence what is picked at each step of an answer."""
    said = (selection(prompt, options, word) for prompt, options in steps)
    return f"{'; '.join(said)}."
