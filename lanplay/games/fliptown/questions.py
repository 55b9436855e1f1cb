"""Everything that Fliptown asks a seat, one frozen value per kind of question."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from lanplay.engine.question import Answer, ChoiceQuestion, Dialogue, Illegal, Option, Phrase, Pick
from lanplay.engine.view import View
from lanplay.games.fliptown.asks import Next, TaskStage, Turn
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import FliptownTable
from lanplay.games.fliptown.tasks import following
from lanplay.games.fliptown.turn import follow, pause_of

FliptownView = View[FliptownTable]


class _Followed(ChoiceQuestion):
    """Base of the question that is followed to be checked: what came of the last legal answer."""

    __slots__ = ("_last",)

    _last: tuple[Answer, Sheet, int | None] | None


class Move(_Followed):
    """Go on with a turn up to its next robbery, look or end (FT-2.7): the options in their order.

    ``sheet`` is the seat's own as it stands; it is not changed. What came of the last answer is
    kept, so that asking, checking and carrying out one and the same tuple play the turn once.
    """

    __slots__: Final = ("sheet", "turn")

    name: ClassVar[str] = "move"
    rule: ClassVar[str] = "FT-2.7"
    needs_cup: ClassVar[bool] = False
    whole_turn: ClassVar[bool] = True

    def __init__(self, sheet: Sheet, turn: Turn) -> None:
        self.sheet: Final = sheet
        self.turn: Final = turn
        self._last = None

    def check(self, answer: Answer) -> None:
        self._follow(answer)

    def outcome(self, answer: Answer) -> tuple[Sheet, int | None]:
        """Return the sheet after a legal answer, to be kept by the caller, and the pause."""
        _, sheet, pause = self._follow(answer)
        self._last = None
        return sheet, pause

    def _follow(self, answer: Answer) -> tuple[Answer, Sheet, int | None]:
        last = self._last
        if last is None or last[0] is not answer:
            sheet = self.sheet.copy()
            last = self._last = answer, sheet, follow(sheet, self.turn, answer)
        return last

    def default_answer(self) -> tuple[Answer]:
        """Return the last option of every choice: to do without, where that may be."""
        sheet, turn = self.sheet.copy(), self.turn
        path: list[int] = []
        stage: Next = None
        while type(stage := stage or following(sheet)) is TaskStage:
            values = stage.ask(sheet, turn).values
            path += values[-1:] if len(values) > 1 else ()
            stage = stage.use(sheet, turn, values[-1], None)
        return (tuple(path),)

    def path(self, view: FliptownView, answer: Any) -> tuple[Answer, ...]:
        return tuple(answer)

    def dialogue(self, view: FliptownView) -> Dialogue:
        sheet, turn, legal = self.sheet.copy(), self.turn, True
        path: list[int] = []
        stage: Next = None
        while type(stage := stage or following(sheet)) is TaskStage:
            ask = stage.ask(sheet, turn)
            values = ask.values
            if len(values) > 1:
                option = yield ask
                if type(option) is not int or option not in values:
                    legal = False
                path.append(option)
            else:
                option = values[0]
            stage = stage.use(sheet, turn, option, None)
        answer = tuple(path)
        if legal:
            self._last = answer, sheet, pause_of(stage)
        return answer

    def values(self) -> dict[str, Any]:
        return {"cards": self.turn.flipped}


class _Amount(ChoiceQuestion):
    """Base of questions that are answered by one number from 0 to ``most``."""

    __slots__ = ()

    most: int

    def check(self, answer: Answer) -> None:
        if type(answer) is not int or not 0 <= answer <= self.most:
            raise Illegal(self.rule, "malformed")

    def default_answer(self) -> tuple[Answer]:
        """Return 0: nothing is used, and a fine is paid in cash."""
        return (0,)

    def needs_confirmation(self, answer: Answer) -> bool:
        """Tell that using an ability is: it is used once (FT-9.2)."""
        return answer != 0 and self.rule == "FT-9.2"

    def dialogue(self, view: FliptownView) -> Dialogue:
        options = [Option(each, self.label(each)) for each in range(self.most + 1)]
        answer: Answer = yield Pick(Phrase(f"pick-{self.name}"), options)
        return answer

    def label(self, answer: int) -> Phrase:
        """Return the wording of an answer."""
        return Phrase(f"{self.name}-{answer}", self.values())


class Replace(_Amount):
    """Replace the three flipped cards (FT-9.2, Mayor): 1 for yes, 0 for no."""

    __slots__: Final = ("flipped", "most")

    name: ClassVar[str] = "replace"
    rule: ClassVar[str] = "FT-9.2"
    needs_cup: ClassVar[bool] = False

    def __init__(self, flipped: tuple[int, ...], most: int = 1) -> None:
        self.flipped: Final = flipped
        self.most = most

    def values(self) -> dict[str, Any]:
        return {"cards": self.flipped}


class FliptownCheat(_Amount):
    """Let one poker card count as any (FT-9.2, Cheat): 1 for yes, 0 for no.

    ``before`` and ``after`` are the ranks of the hand without and with it.
    """

    __slots__: Final = ("before", "after", "most")

    name: ClassVar[str] = "cheat"
    rule: ClassVar[str] = "FT-9.2"
    needs_cup: ClassVar[bool] = False

    def __init__(self, before: int, after: int, most: int = 1) -> None:
        self.before: Final = before
        self.after: Final = after
        self.most = most

    def values(self) -> dict[str, Any]:
        return {"rank": self.before, "better": self.after}


class Preach(_Amount):
    """Cross out up to ``most`` WANTED before the sheriff comes (FT-9.2, Preacher)."""

    __slots__: Final = ("most",)

    name: ClassVar[str] = "preach"
    rule: ClassVar[str] = "FT-9.2"
    needs_cup: ClassVar[bool] = False

    def __init__(self, most: int) -> None:
        self.most = most

    def label(self, answer: int) -> Phrase:
        return Phrase("amount", {"amount": answer})


class Bribe(_Amount):
    """Bribe the sheriff with ``gold`` (FT-3.3): 1 for yes, 0 for no."""

    __slots__: Final = ("gold", "most")

    name: ClassVar[str] = "bribe"
    rule: ClassVar[str] = "FT-3.3"
    needs_cup: ClassVar[bool] = False

    def __init__(self, gold: int, most: int = 1) -> None:
        self.gold: Final = gold
        self.most = most

    def values(self) -> dict[str, Any]:
        return {"gold": self.gold}


class Redraw(_Amount):
    """Draw an own sheriff card (FT-9.2, Marshal): 1 for yes, 0 for no."""

    __slots__: Final = ("card", "most")

    name: ClassVar[str] = "redraw"
    rule: ClassVar[str] = "FT-9.2"
    needs_cup: ClassVar[bool] = False

    def __init__(self, card: int, most: int = 1) -> None:
        self.card: Final = card
        self.most = most

    def values(self) -> dict[str, Any]:
        return {"card": self.card}


class Fine(_Amount):
    """Pay a fine (FT-3.3): 0 in cash, 1 in stars."""

    __slots__: Final = ("cash", "stars", "most")

    name: ClassVar[str] = "fine"
    rule: ClassVar[str] = "FT-3.3"
    needs_cup: ClassVar[bool] = False

    def __init__(self, cash: int, stars: int, most: int = 1) -> None:
        self.cash: Final = cash
        self.stars: Final = stars
        self.most = most

    def values(self) -> dict[str, Any]:
        return {"cash": self.cash, "stars": self.stars}
