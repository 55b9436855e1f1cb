"""Everything that A Dog's Life asks a seat, one value per kind of question."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar, Final

from lanplay.engine.question import Answer, Dialogue, Illegal, Option, Phrase, Pick, Question
from lanplay.engine.view import View
from lanplay.games.dogs_life.actions import (
    ATTACK,
    DELIVER,
    DROP_PAPER,
    KIND_NAMES,
    MOVE,
    PICK_PAPER,
    STEP,
    parts,
)
from lanplay.games.dogs_life.table import DogsLifeTable
from lanplay.games.dogs_life.town import TOWN, Path

DogsLifeView = View[DogsLifeTable]
UNKNOWN = -1
"""What stands for the address of a newspaper that the seat does not know."""


class Act(Question):
    """Use an action point (DL-3.2): one of ``options``, the codes of ``actions``.

    Every action costs one of the ``points`` left; ``STOP`` (0) gives up the rest of them. In an
    address ``number`` is its number, from 0, and ``papers`` are the newspapers carried.
    """

    __slots__: Final = ("options", "points", "papers", "number")

    name: ClassVar[str] = "act"
    rule: ClassVar[str] = "DL-3.2"
    needs_cup: ClassVar[bool] = False

    def __init__(
        self, options: tuple[int, ...], points: int, papers: tuple[int, ...] = (), number: int = -1
    ) -> None:
        self.options: Final = options
        self.points: Final = points
        self.papers: Final = papers
        self.number: Final = number

    def check(self, answer: Answer) -> None:
        if type(answer) is not int:
            raise Illegal(self.rule, "malformed")
        if answer not in self.options:
            raise Illegal(self.rule, "no-action")

    def check_own(self, answer: Answer, view: DogsLifeView) -> None:
        """Raise ``Illegal`` for a newspaper that is delivered elsewhere (DL-3.2 j)."""
        if type(answer) is not int or answer < DELIVER * STEP:
            return
        if not self._is_deliverable(answer, view):
            raise Illegal(self.rule, "other-address")

    def legal(self, view: DogsLifeView) -> tuple[int, ...]:
        """Return the options that are legal as far as the seat itself can tell."""
        if self.options[-1] < DELIVER * STEP:
            return self.options
        return tuple([code for code in self.options if self._is_deliverable(code, view)])

    def _is_deliverable(self, code: int, view: DogsLifeView) -> bool:
        """Tell whether a code delivers what the seat knows to belong here, or does not deliver."""
        kind, index = parts(code)
        return kind != DELIVER or view.face(self.papers[index]) == self.number

    def only_answer(self, view: DogsLifeView) -> tuple[Answer] | None:
        options = self.options
        if len(options) > 1 and options[1] < DELIVER * STEP:
            return None
        legal = self.legal(view)
        return (legal[0],) if len(legal) == 1 else None

    def default_answer(self) -> tuple[Answer]:
        """Return that the rest of the points is given up."""
        return (self.options[0],)

    def dialogue(self, view: DogsLifeView) -> Dialogue:
        t = view.table
        if t.papers[view.seat] or t.place[view.seat] in t.dropped:
            options = [self.option(code, view) for code in self.legal(view)]
            answer: Answer = yield Pick(_ACTION, options)
        else:
            answer = yield _picks(self.options)
        return answer

    def option(self, code: int, view: DogsLifeView) -> Option:
        """Return an action as an option, worded with what the seat knows of newspapers."""
        kind, what = parts(code)
        if kind not in _WITH_PAPER:
            return _option(code)
        t = view.table
        papers = t.dropped[t.place[view.seat]] if kind == PICK_PAPER else t.papers[view.seat]
        face = view.face(papers[what])
        return _paper_option(code, UNKNOWN if face is None else face)

    def values(self) -> dict[str, Any]:
        return {"points": self.points}


_ACTION = Phrase("action")
_WITH_PAPER = (DROP_PAPER, PICK_PAPER, DELIVER)


@lru_cache(1 << 12)
def _option(code: int) -> Option:
    kind, what = parts(code)
    about = {MOVE: {"place": what}, ATTACK: {"seat": what}}.get(kind, {})
    return Option(code, Phrase(f"do-{KIND_NAMES[kind]}", about))


@lru_cache(1 << 12)
def _picks(options: tuple[int, ...]) -> Pick:
    """Return the choice of an action where no newspaper is at hand, which is most of the time."""
    return Pick(_ACTION, [_option(code) for code in options])


@lru_cache(1 << 12)
def _paper_option(code: int, face: int) -> Option:
    kind, _ = parts(code)
    if face == UNKNOWN:
        return Option(code, Phrase(f"do-{KIND_NAMES[kind]}-unknown"))
    return Option(code, Phrase(f"do-{KIND_NAMES[kind]}", {"address": face}))


class Steer(Question):
    """Steer the van (DL-3.3): the spaces it goes to, one by one, 1 to ``die`` of them.

    It stands on ``van`` and has come from ``came``. Any legal path is an answer; the dialogue
    offers a shortest one to every end (a space, and the one the van gets there from).
    """

    __slots__: Final = ("van", "came", "die")

    name: ClassVar[str] = "steer"
    rule: ClassVar[str] = "DL-3.3"
    needs_cup: ClassVar[bool] = False

    def __init__(self, van: int, came: int, die: int) -> None:
        self.van: Final = van
        self.came: Final = came
        self.die: Final = die

    def check(self, answer: Answer) -> None:
        if type(answer) is not tuple or not 1 <= len(answer) <= self.die:
            raise Illegal(self.rule, "malformed")
        if any(type(each) is not int for each in answer):
            raise Illegal(self.rule, "malformed")
        if not TOWN.is_drive(self.van, self.came, answer):  # type: ignore[arg-type]  # numbers
            raise Illegal("DL-3.9", "no-drive")

    def drives(self) -> tuple[Path, ...]:
        """Return a shortest path to every end."""
        return TOWN.drives(self.van, self.came, self.die)

    def ends(self) -> Iterator[int]:
        """Yield every space on which the van can stop, once each."""
        yield from dict.fromkeys(path[-1] for path in self.drives())

    def only_answer(self, view: DogsLifeView) -> tuple[Answer] | None:
        ways = TOWN.ways[self.van, self.came]
        return (ways,) if self.die == 1 == len(ways) else None

    def default_answer(self) -> tuple[Answer]:
        """Return the first drive there is: the van has to be driven."""
        return (self.drives()[0],)

    def dialogue(self, view: DogsLifeView) -> Dialogue:
        answer: Answer = yield _steering(self.van, self.came, self.die)
        return answer

    def values(self) -> dict[str, Any]:
        return {"die": self.die}


@lru_cache(1 << 12)
def _steering(van: int, came: int, die: int) -> Pick:
    paths = TOWN.drives(van, came, die)
    return Pick(Phrase("drive"), [_drive_option((came, van, *path)) for path in paths])


def _drive_option(spaces: Path) -> Option:
    end = {"place": spaces[-1], "from": spaces[-2], "count": len(spaces) - 2}
    return Option(spaces[2:], Phrase("drive-to", end))
