"""What a game declares for programs that learn it: its observation, its actions, its questions.

A game's manifest refers to its ``Declared``. Every field of the table is in it, and every kind of
question: one that is not is refused when the declaration is made.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress, count
from operator import attrgetter, ne
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from lanplay.engine.question import Answer, Question
from lanplay.engine.view import View
from lanplay.env.catalog import Catalog
from lanplay.env.places import SEATS, Encoding, Numbers, ObservedPlace, Spread, Whole, named, within

Steps: TypeAlias = "Generator[Sequence[int], Any, Any]"
"""How a question is answered by actions: yields those that are legal, is sent one, returns the
answer."""
Observation: TypeAlias = "npt.NDArray[np.float32]"
MOST_PICKS: Final = 50
"""The most actions that are taken to answer one question."""


class Choice:
    """What a seat has to choose now: ``legal`` are the actions, ``picked`` those it took before.

    ``working`` is whatever the steps of its question want observed. A step that leaves no choice
    is taken at once.
    """

    __slots__ = ("_steps", "answer", "legal", "picked", "question", "view", "working")

    def __init__(self, declared: Declared, view: View[Any], question: Question) -> None:
        self.view = view
        self.question = question
        self.working: Any = None
        self.picked: list[int] = []
        self.legal: Sequence[int] = ()
        self.answer: Answer = None
        self._steps = declared.steps[type(question)](self)
        self._go(None)

    def _go(self, action: int | None) -> None:
        try:
            legal = self._steps.send(action)
            while len(legal) == 1:
                legal = self._steps.send(legal[0])
        except StopIteration as end:
            self.answer = end.value
            legal = ()
        self.legal = legal

    def take(self, action: int) -> None:
        """Take one of the legal actions; afterwards ``legal`` is empty if this was the last."""
        self.picked.append(action)
        self._go(action)


class CardPlaces(Encoding):
    """Where each card lies of which the seat knows the face, and how many cards lie where.

    ``piles`` are the fields of the table with cards, from a list, a card, or a list by seat; what
    is in ``by_seat`` is one. A value is (piles, faces that all see, faces that the seat knows).
    """

    def __init__(
        self, cards: Sequence[str], piles: Sequence[str], by_seat: Sequence[str], most: int
    ) -> None:
        self.cards = cards
        self.names = (*piles, *by_seat)
        self.words = [named(pile) for pile in piles]
        self.words += [f"{named(pile)} of {seat}" for pile in by_seat for seat in SEATS[:most]]
        self._singles = len(piles)
        self._most = most
        self._row = len(self.words) + 1
        self.size = len(self.words) + self._row * len(cards)

    def places(self) -> Iterator[ObservedPlace]:
        for pile in self.words:
            yield ObservedPlace(f"cards in {pile}", 0, len(self.cards))
        for card in self.cards:
            for pile in self.words:
                yield ObservedPlace(f"{card} in {pile}", 0, 1)
            yield ObservedPlace(f"{card}: how far from the top", 0, len(self.cards))

    def write(self, into: Numbers, at: int, value: Any, me: int, seats: int) -> None:
        piles, faces, own = value
        rows, row, first = at + len(self.words), self._row, self._singles
        flat = [(n, (p,) if type(p) is int else p or ()) for n, p in enumerate(piles[:first])]
        for number, hands in zip(count(first, self._most), piles[first:], strict=False):
            flat += [(number + (seat - me) % seats, p) for seat, p in enumerate(hands) if p]
        for number, pile in flat:
            into[at + number] = len(pile)
            if own.keys().isdisjoint(pile) and faces.keys().isdisjoint(pile):  # a deck
                continue
            for place, card in enumerate(pile):
                if (face := own.get(card, faces.get(card))) is not None:
                    here = rows + face * row
                    into[here + number] = 1
                    if place:
                        into[here + row - 1] = place


class Declared:
    """All that ``lanplay.env`` needs of a game.

    ``fields`` are the kinds of the fields of a ``table``, ``cards`` says where its cards lie.
    ``reads`` are what is not observed as it stands: functions of the view and of what is chosen.
    ``also`` names fields that are observed together with another one. ``cup`` is how the dice under
    a cup are observed, from the lowest on. ``steps`` says for each kind of question how it is
    answered by actions of the ``catalog``; ``about`` what is told of it beside that, by names of
    ``tells``. ``picks``: a question may take several actions; it is observed of each when it was
    taken last.

    Raises ``TypeError`` for a field of the table that is not declared, and for a declared one that
    it does not have.
    """

    def __init__(
        self,
        table: type[Any],
        seats: int,
        catalog: Catalog,
        steps: Mapping[type[Question], Callable[[Choice], Steps]],
        fields: Mapping[str, Encoding],
        cards: CardPlaces | None = None,
        cup: Encoding | None = None,
        tells: Mapping[str, Encoding] | None = None,
        about: Mapping[type[Question], Callable[[View[Any], Any], Mapping[str, Any]]] | None = None,
        reads: Mapping[str, Callable[[View[Any], Choice | None], Any]] | None = None,
        also: Sequence[str] = (),
        picks: bool = False,
    ) -> None:
        names = {*table.__slots__, "round"}
        shown = {*fields, *(cards.names if cards is not None else ()), *also}
        wrong = sorted(names - shown | shown - names - {*(reads or ())})
        if wrong:
            raise TypeError(f"{table.__name__}: not declared, or absent: {wrong}")
        self.seats = seats
        self.catalog = catalog
        self.steps = steps
        self.about = about or {}
        self.tells = tells or {}
        self.cards = cards
        self.reads = reads or {}
        self.plain = ["seats", *[name for name in fields if name not in self.reads]]
        self.at: dict[str, int] = {}
        self.kinds: dict[str, Encoding] = {}
        self.size = 0
        kinds = {"seats": Whole(seats), **fields}
        self._add({name: kinds[name] for name in (*self.plain, *self.reads)})
        if cards is not None:
            self._add({"cards": cards})
        if cup is not None:
            self._add({"your_cup": cup})
        self._add({"you_choose": catalog.kind(), **self.tells})
        if picks:
            self._add({"you_have_picked": Spread(Whole(MOST_PICKS), catalog.words)})
        self.unasked: Numbers = array("f", bytes(4 * (self.size - self.at["you_choose"])))

    def _add(self, kinds: Mapping[str, Encoding]) -> None:
        for name, kind in kinds.items():
            self.at[name], self.kinds[name] = self.size, kind
            self.size += kind.size

    @cached_property
    def places(self) -> tuple[ObservedPlace, ...]:
        """The places of an observation, in their order."""
        return tuple([place for name, kind in self.kinds.items() for place in within(name, kind)])


_NOTHING: Final = object()


def _kept(value: Any) -> Any:
    """Return a value of a field as it is now: only lists of it may change later."""
    if type(value) is list:
        return [each[:] for each in value] if value and type(value[0]) is list else value[:]
    return value


class Observer:
    """What one seat sees of one game, brought up to date where something has changed."""

    def __init__(self, declared: Declared, view: View[Any]) -> None:
        self._view = view
        self._declared = declared
        self._numbers: Numbers = array("f", bytes(4 * declared.size))
        self._seen = np.frombuffer(self._numbers, np.float32)
        self._plain = attrgetter(*declared.plain)
        self._reads = tuple(declared.reads.values())
        self._places = [
            (declared.kinds[name], declared.at[name]) for name in (*declared.plain, *declared.reads)
        ]
        self._last: list[Any] = [_NOTHING] * len(self._places)
        self._piles = attrgetter(*declared.cards.names) if declared.cards else None
        self._laid: Any = ()
        self._under: Any = ()
        self._asked: tuple[Any, ...] = ()

    def look(self, choice: Choice | None) -> Observation:
        """Return what the seat sees now; ``choice`` is what it has to choose, if anything.

        The next look changes what is returned.
        """
        view, into = self._view, self._numbers
        table, me, seats = view.table, view.seat, view.table.seats
        kinds, ats = self._declared.kinds, self._declared.at
        values = self._plain(table)
        if self._reads:
            values = (*values, *[read(view, choice) for read in self._reads])
        last = self._last
        for number in compress(count(), map(ne, values, last)):
            value, before = values[number], last[number]
            kind, at = self._places[number]
            if before is _NOTHING:
                kind.write(into, at, value, me, seats)
            else:
                kind.update(into, at, value, before, me, seats)
            last[number] = _kept(value)
        if self._piles is not None:
            piles = self._piles(table)
            laid = (len(table.faces), len(view.own), piles)
            if laid != self._laid:
                self._laid = (*laid[:2], tuple(map(_kept, piles)))
                known = (piles, table.faces, view.own)
                kinds["cards"].update(into, ats["cards"], known, None, me, seats)
        if view.cup is not self._under:
            self._under = view.cup
            cup, at = sorted(view.cup), ats["your_cup"]
            Encoding.update(kinds["your_cup"], into, at, cup, None, me, seats)
        asked = () if choice is None else (choice, len(choice.picked))
        if asked != self._asked:
            self._asked = asked
            self._ask(choice)
        return self._seen

    def _ask(self, choice: Choice | None) -> None:
        """Write what the seat is asked, from the section it chooses from to the last place."""
        declared, into, view = self._declared, self._numbers, self._view
        at, me, seats = declared.at, view.seat, view.table.seats
        start = at["you_choose"]
        into[start:] = declared.unasked
        if choice is None:
            return
        declared.kinds["you_choose"].write(into, start, choice.legal[0], me, seats)
        about = declared.about.get(type(choice.question))
        if about is not None:
            for name, value in about(view, choice.question).items():
                declared.tells[name].write(into, at[name], value, me, seats)
        if choice.picked:
            start = at["you_have_picked"]
            for number, action in enumerate(choice.picked, 1):
                into[start + action] = number
