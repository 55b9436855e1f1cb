"""The choices within a turn, and what a turn tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, final

from lanplay.engine.frozen import frozen
from lanplay.engine.question import Option, Phrase, Pick
from lanplay.games.fliptown.labels import label
from lanplay.games.fliptown.sheet import Sheet


class Ask(Pick):
    """A choice within a turn: the values of its options, for each a number that its wording needs.

    ``NO`` is the last of them, so that whoever takes the first one forgoes nothing; but ending the
    turn comes before the character's ability, which is used once. The wording is made when it is
    read: programs need the values alone.
    """

    __slots__ = ("_worded", "notes", "values", "what")

    _worded: Sequence[Option]
    asks = None

    def __init__(self, what: str, values: tuple[int, ...], notes: tuple[int, ...] = ()) -> None:
        self.what = what
        self.values = values
        self.notes = notes

    def legal(self) -> tuple[int, ...]:
        """Return the values of all options."""
        return self.values

    @property
    def prompt(self) -> Phrase:
        """What is chosen."""
        return Phrase(f"pick-{self.what}")

    @property
    def options(self) -> Sequence[Option]:  # type: ignore[override]  # nobody assigns to a pick
        """The options in words."""
        worded: Sequence[Option] | None = getattr(self, "_worded", None)
        if worded is None:
            notes = self.notes or (0,) * len(self.values)
            labels = [label(self.what, *each) for each in zip(self.values, notes, strict=True)]
            worded = self._worded = list(map(Option, self.values, labels))
        return worded


class Turn:
    """What a turn is played with: the flipped cards, the round, what guns add.

    ``suit_card`` is its first choice, ``value_cards`` the second one by what was chosen first: the
    same for all seats.
    """

    __slots__ = ("flipped", "guns", "round", "suit_card", "value_cards")

    def __init__(self, flipped: tuple[int, ...], round: int, guns: tuple[int, int, int]) -> None:
        self.flipped: Final = flipped
        self.round: Final = round
        self.guns: Final = guns
        one, two, three = flipped
        self.suit_card = Ask("suit-card", (0, 1, 2), flipped)
        self.value_cards = (
            Ask("value-card", (1, 2), (two, three)),
            Ask("value-card", (0, 2), (one, three)),
            Ask("value-card", (0, 1), (one, two)),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turn) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.flipped, self.round, self.guns))

    def __reduce__(self) -> tuple[Any, ...]:
        return Turn, (self.flipped, self.round, self.guns)

    def plain(self) -> dict[str, Any]:
        """Return what it is told by."""
        return {"flipped": self.flipped, "round": self.round, "guns": self.guns}


Told: TypeAlias = "list[Phrase] | None"


@final
@frozen
class TaskStage:
    """A stage of a task: what it lets a seat choose, and what the option chosen does.

    ``ask`` changes nothing. ``use`` changes the sheet and nothing else, and returns what follows:
    another stage of the task, ``None`` at its end, or how the turn pauses or ends.
    """

    ask: Callable[[Sheet, Turn], Ask]
    use: Callable[[Sheet, Turn, int, Told], Next]


Next: TypeAlias = "TaskStage | int | None"


def tell(told: Told, event: str, **values: Any) -> None:
    """Add an event, if events are wanted."""
    if told is not None:
        told.append(Phrase(event, values))


def take(s: Sheet, kind: str, amount: int, told: Told) -> None:
    """Gain goods (see ``Sheet.gain``) and tell how many they are: a fifth tool is none (FT-1.3)."""
    before: int = getattr(s, kind)
    s.gain(kind, amount)
    if told is not None and (gained := getattr(s, kind) - before):
        tell(told, f"gains-{kind}", amount=gained)
