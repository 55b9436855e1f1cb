"""What a game teaches: effects of options, rules in plain words, the goal, what a coach says.

Ours stand in a file ``teaching.toml`` beside the module ``text`` of the game::

    [effects]
    brute = "laid with your dice: keeping several costs less, or nothing"
    [plain]
    keep = "Only you see your dice. …"

An effect is a line under the name of an option. A rule in plain words is under the name of its
question, or under the prompt of one of its steps. Neither cites numbers: the rules' pages do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from lanplay.engine.question import Phrase, Question
from lanplay.engine.view import View
from lanplay.games import manifest
from lanplay.language import _, filled

Key = Callable[[Phrase], str]
"""Under which name the effect of an option stands, given its label."""
Tip: TypeAlias = "tuple[str, Mapping[str, Any]]"
"""What a coach could say: the name of the sentence, and its values."""
Tips = Callable[[View[Any], Question], Iterator[Tip]]
"""All that a coach could say where a seat is asked something, what matters most first."""


def no_tips(view: View[Any], question: Question) -> Iterator[Tip]:
    """Return nothing."""
    return iter(())


def by_label(label: Phrase) -> str:
    """Return the id of a label: the key where options of one name do one thing."""
    return label.id


class Lessons:
    """What one game teaches; empty where it brings nothing of a kind."""

    def __init__(
        self, texts: Mapping[str, Mapping[str, str]], key: Key = by_label, tips: Tips = no_tips
    ) -> None:
        self._texts = texts
        self._key = key
        self.tips = tips

    @classmethod
    def beside(cls, module: str, key: Key = by_label, tips: Tips = no_tips) -> Lessons:
        """Return what the ``teaching.toml`` beside a module says."""
        folder = files(module.rpartition(".")[0])
        return cls(tomllib.loads(folder.joinpath("teaching.toml").read_text("utf-8")), key, tips)

    def effect(self, label: Phrase) -> str:
        """Return what an option does, in a line; empty where its name says all."""
        return _(self._of("effects").get(self._key(label), ""))

    def plain(self, question: Question, prompt: Phrase | None = None) -> str:
        """Return the rule of a question, or of the step with that prompt; empty if there is none.

        A question about one thing has that thing's effect behind it.
        """
        texts = self._of("plain")
        step = texts.get(prompt.id, "") if prompt is not None else ""
        about = _(self._of("effects").get(str(question.values().get("kind")), ""))
        said = [_(step or texts.get(question.name, "")), f"{about[:1].upper()}{about[1:]}"]
        return "\n".join(text for text in said if text)

    def goal(self) -> Sequence[str]:
        """Return the goal of the game, a sentence each."""
        return [_(text) for text in self._of("goal").values()]

    def places(self) -> Sequence[str]:
        """Return what is to be had at the places of the board, in its order."""
        return [_(text) for text in self._of("places").values()]

    def coach(self, name: str, values: Mapping[str, Any]) -> str:
        """Return what the coach says of something, in words."""
        return filled(_(self._of("coach")[name]), values, {})

    def _of(self, table: str) -> Mapping[str, str]:
        return self._texts.get(table, {})


NO_LESSONS: Final = Lessons({})


@cache
def lessons_of(game: str) -> Lessons:
    """Return what a game teaches."""
    found = manifest(game).lessons
    return NO_LESSONS if found is None else found.load()
