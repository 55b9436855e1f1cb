"""What one seat, or somebody without a seat, sees of a game at a moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any

from lanplay.engine.question import Question
from lanplay.engine.view import View
from lanplay.session.events import Absence, Snapshot
from lanplay.ui.changes import NONE, Effects
from lanplay.ui.decision import Decision
from lanplay.ui.orders import OrderRow, rows
from lanplay_ai.characters import known_as


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of a game, for drawing.

    ``view`` is what the person's seat sees, ``None`` for onlookers. ``asked`` are the questions the
    game waits for, by seat; ``comparing`` names who has still to compare the words of the table;
    ``absent`` are the laptops that nobody hears, and ``stuck`` tells that so
    many are missing that no AI may take their seats; ``away`` are people's seats for which AI
    answers now; ``laptops`` names whose laptop it is, for seats of people who play through another
    one's; ``paused_by`` names who has paused the game, for ``pause_left`` seconds more; with
    ``own_pause`` the person itself did. ``openings`` names whose hands the person is
    asked to open; ``passes``: nobody plays for who is out; ``starting``: the game has not begun,
    and does not without all. ``returning``: the person was away,
    and has its seat back in a moment. ``rolling`` counts down while dice are shown rolling.
    ``decision`` is the person's way through its question, if it is asked one. ``leaf`` and
    ``focus`` are for boards that do not fit or that show one seat at a time: how many leaves the
    person has turned over, and whose things it wants to see, its own unless set. ``pointer`` is for
    boards on which one points: places, of which the last is pointed at; empty if none is.
    ``orders`` returns what the person has ordered for cards that react. ``pace`` is how many
    seconds lie between moves of AI, 0 for none; ``effects`` is what is laid over the table while
    changes are seen happening. ``over``: it is the end of the game.
    """

    table: Any
    names: Sequence[str]
    view: View[Any] | None = None
    asked: Mapping[int, Question] = field(default_factory=dict)
    comparing: Sequence[str] = ()
    absent: Sequence[Absence] = ()
    stuck: bool = False
    away: frozenset[int] = frozenset()
    laptops: Mapping[int, str] = field(default_factory=dict)
    paused_by: Sequence[str] = ()
    pause_left: float | None = None
    own_pause: bool = False
    openings: Sequence[str] = ()
    passes: bool = False
    starting: bool = False
    returning: bool = False
    rolling: int = 0
    decision: Decision | None = None
    leaf: int = 0
    focus: int | None = None
    pointer: tuple[int, ...] = ()
    orders: Callable[[], Sequence[OrderRow]] = tuple
    pace: float = 0.0
    effects: Effects = NONE
    over: bool = False

    @property
    def seat(self) -> int | None:
        """The person's own seat, if any."""
        return None if self.view is None else self.view.seat

    @property
    def missing(self) -> Mapping[int, float | None]:
        """The seats whose laptop nobody hears, and in how many seconds AI takes each, if so."""
        return {seat: each.left for each in self.absent for seat in each.seats}

    @property
    def stands(self) -> float:
        """For how many seconds what counts down is shown as it is: see ``alerts.minutes``."""
        lefts = [each.left % 1.0 for each in self.absent if each.left is not None]
        if self.pause_left is not None:
            lefts.append(self.pause_left % (10.0 if self.pause_left > 60.0 else 1.0))
        return max(0.05, min(lefts, default=inf))

    def face(self, card: int) -> int | None:
        """Return the face of a card as far as the person may know it."""
        if self.view is not None:
            return self.view.face(card)
        face: int | None = self.table.faces.get(card)
        return face


def as_shown(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot with the names of its seats as their person reads them."""
    return replace(snapshot, names=tuple(map(known_as, snapshot.names)))


def scene_of(snapshot: Snapshot) -> Scene:
    """Return the moment of a game that a snapshot holds, for its own seat or for onlookers."""
    return Scene(
        table=snapshot.table,
        names=snapshot.names,
        view=snapshot.own_view,
        asked=snapshot.asked or {},
        comparing=snapshot.comparing,
        absent=snapshot.absent,
        stuck=snapshot.stuck,
        away=snapshot.away,
        laptops=laptops(snapshot),
        paused_by=snapshot.paused_by,
        pause_left=snapshot.pause_left,
        own_pause=snapshot.own in snapshot.pauses,
        openings=snapshot.openings,
        passes=snapshot.passes,
        starting=snapshot.starting,
        pace=snapshot.pace,
        returning=snapshot.returning,
        orders=partial(rows, snapshot),
    )


def laptops(snapshot: Snapshot) -> Mapping[int, str]:
    """Return, for seats of people who play through another one's laptop, whose it is."""
    held = {
        seat: snapshot.peers[each.peer]
        for seat, each in enumerate(snapshot.holders)
        if not each.bot
    }
    return {seat: name for seat, name in held.items() if name != snapshot.names[seat]}
