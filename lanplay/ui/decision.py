"""A person's way through the dialogue of a question: free to go back until the answer is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lanplay.engine.question import Answer, Illegal, Option, Phrase, Pick, PickSome, Question
from lanplay.engine.view import View
from lanplay.language import _, pgettext


def selection(prompt: Phrase, options: Sequence[Option], word: Callable[[Phrase], str]) -> str:
    """Return in words what is picked at a step, which may be nothing."""
    return f"{word(prompt)}: {', '.join(word(each.label) for each in options) or nothing()}"


def nothing() -> str:
    """Return what is said where nothing is picked."""
    return pgettext("picked", "none")


AMOUNTS = frozenset(("amount", "count"))
"""What values of labels are called that are amounts."""


def numbers(options: Sequence[Option], seats: bool = True) -> Sequence[int]:
    """Return the number that calls each option: never another one than it stands for.

    An amount is called by itself, a seat by its number on the board where ``seats`` have numbers
    there, all else by its place from 1.
    """
    own = [own_number(option, seats) for option in options]
    found = [number for number in own if number is not None]
    if len(set(found)) == len(options):
        return found
    return range(1, len(options) + 1)


def refusal(illegal: Illegal, word: Callable[[Phrase], str]) -> str:
    """Return why something is not allowed: the reason and its rule's number."""
    why = _("{reason} (rule {rule})").format(reason=word(illegal.message), rule=illegal.rule)
    return _("Not allowed: {why}.").format(why=why)


def digits(options: Sequence[Option]) -> str:
    """Return the keys of digits that call options: ``1–5``."""
    calls = sorted(numbers(options))
    return f"{calls[0]}–{min(calls[-1], 9)}" if len(calls) > 1 else str(calls[0])


def own_number(option: Option, seats: bool = True) -> int | None:
    """Return the number that an option shows, if it is that number."""
    match dict(option.label.values):
        case {"seat": seat} if seats and seat == option.value:
            return int(seat) + 1
        case {"store": count} if count == option.value:  # so many cards of these, the rest others
            return int(count)
        case values if len(values) == 1 and option.value in values.values():
            (name, number), *_ = values.items()
            return int(number) if name in AMOUNTS else None
    return None


class Decision:
    """Where a person is in a question's dialogue.

    ``step`` is what is to be picked now, ``None`` once all is: then ``answer`` is what would be
    given. ``cursor`` is the option pointed at, ``chosen`` the options picked so far of a step that
    takes several, in the order in which they were picked. ``refused`` is why the last wish was not
    granted, ``astray`` what was given last if it was no choice at all.
    """

    def __init__(self, view: View[Any], question: Question) -> None:
        self.view = view
        self.question = question
        self._path: list[Answer] = []
        self._kept: list[tuple[int, list[int]]] = []
        self._labels: list[tuple[Phrase, tuple[Option, ...]]] = []
        self._notes: list[Phrase | None] = []
        self._begin()

    def _begin(self) -> None:
        """Go to the end of the path; what was picked there before is picked again, if known."""
        self.step: Pick | PickSome | None = None
        self.answer: Answer = None
        self.cursor = 0
        self.chosen: list[int] = []
        self.refused: Illegal | None = None
        self.astray = ""
        dialogue = self.question.dialogue(self.view)
        try:
            self.step = next(dialogue)
            for value in self._path:
                self.step = dialogue.send(value)
        except StopIteration as end:
            self.step, self.answer = None, end.value

    @property
    def ready(self) -> bool:
        """Whether everything is picked."""
        return self.step is None

    @property
    def asks(self) -> Phrase:
        """What is asked now: the question, or what its step asks in its place."""
        question, asks = self.question, None if self.step is None else self.step.asks
        return asks or Phrase(f"ask-{question.name}", question.values())

    @property
    def count(self) -> str:
        """How many options are picked, and how many are needed at least, in words."""
        count, least = len(self.chosen), getattr(self.step, "at_least", 0)
        if count < least:
            return _("{count} of {needed} picked").format(count=count, needed=least)
        return _("{count} picked").format(count=count)

    @property
    def begun(self) -> bool:
        """Whether there is a step to go back to."""
        return bool(self._path)

    @property
    def picked(self) -> tuple[tuple[Phrase, tuple[Option, ...]], ...]:
        """What was picked at each step so far: its prompt and the options."""
        return tuple(self._labels)

    @property
    def notes(self) -> tuple[Phrase | None, ...]:
        """What was said of what was picked at each step so far, for example its price."""
        return tuple(self._notes)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the step at hand."""
        return tuple(self.step.options) if self.step is not None else ()

    @property
    def several(self) -> bool:
        """Whether the step takes several options."""
        return isinstance(self.step, PickSome)

    @property
    def slip(self) -> bool:
        """Whether the answer should be looked at once more.

        That is so after several steps, where nothing was picked, and where the answer is weighty.
        """
        nothing = any(not options for _, options in self._labels)
        return len(self._path) > 1 or nothing or self.question.needs_confirmation(self.answer)

    def move(self, by: int) -> None:
        """Point at another option, as far as there are any."""
        self.point(self.cursor + by)

    def point(self, place: int) -> None:
        """Point at an option by its place; beyond the last is the last."""
        self.refused = None
        self.astray = ""
        self.cursor = max(0, min(place, len(self.options) - 1))

    def toggle(self, place: int | None = None) -> None:
        """Pick or put back the option pointed at (or at ``place``) of a step that takes several."""
        if place is not None:
            self.point(place)
        step = self.step
        if not isinstance(step, PickSome) or not step.options:
            return
        if self.cursor in self.chosen:
            self.refused = None
            self.chosen.remove(self.cursor)
        elif (refused := self.why_not(self.cursor)) is None:
            self.refused = None
            self._choose(step)
        else:
            self.refused = refused

    def _choose(self, step: PickSome) -> None:
        if len(self.chosen) >= step.at_most:
            if step.at_most != 1:
                return
            self.chosen.clear()
        self.chosen.append(self.cursor)

    def why_not(self, place: int) -> Illegal | None:
        """Return why an option cannot be picked now, with what is picked already; ``None`` if so.

        An option that could only be picked along with others is not refused.
        """
        step = self.step
        option = self.options[place]
        if option.why_not is not None or not isinstance(step, PickSome):
            return option.why_not
        if place in self.chosen or len(self.chosen) + 1 < step.at_least:
            return None
        return step.why_not(self._values([*self.chosen, place]))

    @property
    def note(self) -> Phrase | None:
        """What the options picked would mean, for example their price."""
        step = self.step
        return step.note(self._values(self.chosen)) if isinstance(step, PickSome) else None

    def _values(self, places: list[int]) -> tuple[Answer, ...]:
        options = self.options
        return tuple(options[place].value for place in places)

    def settle(self) -> bool:
        """Take what is picked and go on; return false, with ``refused`` set, where it is illegal.

        At a step that takes fewer or more options than are picked, nothing happens.
        """
        step = self.step
        if step is None:
            return True
        if isinstance(step, Pick):
            places = [self.cursor]
            self.refused = self.options[self.cursor].why_not
            value: Answer = self.options[self.cursor].value
        else:
            places = list(self.chosen)
            value = self._values(places)
            if not step.at_least <= len(places) <= step.at_most:
                return False
            self.refused = step.why_not(value)
        if self.refused is not None:
            return False
        self._labels.append((step.prompt, tuple(self.options[place] for place in places)))
        self._notes.append(self.note)
        self._kept.append((self.cursor, places))
        self._path.append(value)
        self._begin()
        return True

    def doubt(self) -> str:
        """Return why Enter should not go on yet; empty if it may.

        Whoever has just given what was no choice, in a hurry, may not want what is at hand instead.
        """
        astray, self.astray = self.astray, ""
        told = _("{given} was no choice. Enter once more goes on all the same.")
        return told.format(given=astray) if astray else ""

    def follow(self, path: Sequence[Answer]) -> bool:
        """Pick what comes next on a path; false if nothing does, or it cannot be picked.

        Whoever has strayed from the path is led back to where it has left it first.
        """
        while tuple(self._path) != tuple(path[: len(self._path)]):
            self.back()
        if self.step is None or len(self._path) >= len(path):
            return False
        value = path[len(self._path)]
        wanted = value if isinstance(self.step, PickSome) and isinstance(value, tuple) else (value,)
        calls = [option.value for option in self.options]
        self.chosen = [calls.index(each) for each in wanted]
        self.point(self.chosen[0] if self.chosen else 0)
        return self.settle()

    def back(self) -> bool:
        """Go back to the step before, with what was picked there; false at the first step."""
        if not self._path:
            return False
        self._path.pop()
        self._labels.pop()
        self._notes.pop()
        cursor, places = self._kept.pop()
        self._begin()
        self.cursor = cursor
        self.chosen = places if self.several else []
        return True
