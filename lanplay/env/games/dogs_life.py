"""A Dog's Life for programs that learn: what is seen of it, and the actions.

Newspapers are chosen by their address. Of those whose address the seat does not know it is told
where they are and who knows it, place by place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from lanplay.env.catalog import Catalog
from lanplay.env.declared import Choice, Declared, Steps
from lanplay.env.places import (
    FLAG,
    MANY,
    SEATS,
    ASeat,
    Bits,
    BySeat,
    Encoding,
    OneOf,
    Parts,
    Several,
    SomeSeats,
    Spread,
    Whole,
)
from lanplay.games.dogs_life.actions import (
    ATTACK,
    DELIVER,
    DROP_PAPER,
    KIND_NAMES,
    MOVE,
    PICK_PAPER,
    STEP,
    action,
)
from lanplay.games.dogs_life.catching import CELLS
from lanplay.games.dogs_life.dogs import CARDS, DOGS
from lanplay.games.dogs_life.questions import UNKNOWN, Act, DogsLifeView, Steer
from lanplay.games.dogs_life.table import BLADDER, BONES, LOAD, MOST_HUNGER, PIDDLES, DogsLifeTable
from lanplay.games.dogs_life.town import ADDRESSES, DENS, TOWN

MOST: Final = 6
_PLACES: Final = [TOWN.key(place) for place in range(TOWN.size)]
_PAPERS: Final = [f"newspaper {number + 1}" for number in range(ADDRESSES)]
_NAMED: Final = (*_PAPERS, "a newspaper of unknown address")
_PLAIN: Final = [
    kind for kind in range(len(KIND_NAMES)) if kind not in (MOVE, DROP_PAPER, PICK_PAPER, ATTACK)
]
_ENDS: Final = sorted(TOWN.ways)
CATALOG: Final = Catalog(
    {
        "act": [
            *[KIND_NAMES[kind].replace("-", " ") for kind in _PLAIN],
            *[f"move to {place}" for place in _PLACES],
            *[f"drop {paper}" for paper in _NAMED],
            *[f"pick up {paper}" for paper in _NAMED],
            *[f"attack {seat}" for seat in SEATS[1:MOST]],
        ],
        "drive": [f"drive to {_PLACES[place]} from {_PLACES[came]}" for place, came in _ENDS],
    }
)
_ACT: Final = CATALOG.start["act"]
_MOVES: Final = _ACT + len(_PLAIN)
_DROPS: Final = _MOVES + len(_PLACES)
_PICKS: Final = _DROPS + len(_NAMED)
_ATTACKS: Final = _PICKS + len(_NAMED)
_END: Final = {end: number for number, end in enumerate(_ENDS, CATALOG.start["drive"])}
_NUMBER: Final = {
    **{action(kind): _ACT + number for number, kind in enumerate(_PLAIN)},
    **{action(MOVE, place): _MOVES + place for place in range(TOWN.size)},
}
"""The numbers of the actions that are the same for all seats, by their codes."""


def _act(choice: Choice) -> Steps:
    question: Any = choice.question
    view: DogsLifeView = choice.view
    codes = {}
    for code in question.legal(view):
        number = _NUMBER.get(code)
        codes[_other(code, view) if number is None else number] = code
    return codes[(yield sorted(codes))]


def _other(code: int, view: DogsLifeView) -> int:
    """Return the number of an action with a newspaper or another dog."""
    t, me = view.table, view.seat
    kind, which = divmod(code, STEP)
    if kind == ATTACK:
        return _ATTACKS + (which - me) % t.seats - 1
    if kind == DELIVER:
        return _NUMBER[action(DELIVER)]
    if kind == DROP_PAPER:
        return _DROPS + _address(view, t.papers[me][which])
    return _PICKS + _address(view, t.dropped[t.place[me]][which])


def _address(view: DogsLifeView, paper: int) -> int:
    face = view.face(paper)
    return UNKNOWN % len(_NAMED) if face is None else face


def _steer(choice: Choice) -> Steps:
    question: Any = choice.question
    found = {}
    for path in question.drives():
        came = path[-2] if len(path) > 1 else question.van
        found[_END[path[-1], came]] = path
    return found[(yield sorted(found))]


def _papers(view: DogsLifeView, _: Choice | None) -> tuple[Any, ...]:
    """Return the stack's size, and of each newspaper elsewhere where it is and who knows it.

    Known addresses come by their number, the others in the order of where they are.
    """
    t = view.table
    known: list[Any] = [(0, 0, 0, ())] * ADDRESSES
    unknown = []
    for holder, place, number, paper in _lying(t, view.seat):
        who = tuple([seat for seat, own in enumerate(t.known) if paper in own])
        face = view.face(paper)
        if face is None:
            unknown.append((holder + 1, place, number, who))
        else:
            known[face] = (holder + 1, place, number, who)
    return len(t.stack), known, unknown


def _lying(t: DogsLifeTable, me: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield newspapers off the stack: who has it (``MOST`` for nobody), where, which of them."""
    for turn in range(t.seats):
        for number, paper in enumerate(t.papers[(me + turn) % t.seats]):
            yield turn, 0, number, paper
    for place in sorted(t.dropped):
        for number, paper in enumerate(t.dropped[place]):
            yield MOST, place, number, paper


_PAPER: Final = Parts(
    where=OneOf(range(1, MOST + 2), [f"carried by {seat}" for seat in SEATS[:MOST]] + ["lies"]),
    place=Whole(TOWN.size),
    among_those_there=Whole(ADDRESSES),
    known_by=SomeSeats(MOST),
)


_PLACE: Final = OneOf(range(TOWN.size), _PLACES)
_STREET: Final = OneOf(range(len(TOWN.spaces)), _PLACES[: len(TOWN.spaces)])


def _by_seat(kind: Encoding) -> BySeat:
    return BySeat(kind, MOST)


DECLARED: Final = Declared(
    table=DogsLifeTable,
    seats=MOST,
    catalog=CATALOG,
    steps={Act: _act, Steer: _steer},
    fields={
        "goal": Whole(6),
        "rounds": Whole(30),
        "round": Whole(MANY),
        "first": ASeat(MOST),
        "active": ASeat(MOST),
        "points": Whole(8),
        "die": OneOf(range(1, 7)),
        "steps": Whole(MANY),
        "begged": Spread(FLAG, [_PLACES[place] for place in TOWN.restaurants]),
        "dogs": _by_seat(OneOf(range(len(DOGS)), [dog.key for dog in DOGS])),
        "dens": _by_seat(OneOf(range(DENS), _PLACES[TOWN.dens.start : TOWN.dens.stop])),
        "place": _by_seat(_PLACE),
        "pound": _by_seat(OneOf(range(CELLS + 1))),
        "hunger": _by_seat(OneOf(range(MOST_HUNGER + 1))),
        "buried": _by_seat(Whole(BONES)),
        "bones": _by_seat(OneOf(range(LOAD + 1))),
        "bladder": _by_seat(OneOf(range(BLADDER + 1))),
        "reserve": _by_seat(Whole(PIDDLES)),
        "decks": _by_seat(Bits([f"card {card + 1}" for card in range(CARDS)])),
        "supply": Whole(BONES),
        "lying": Spread(Whole(BONES), _PLACES),
        "marks": Spread(ASeat(MOST), [_PLACES[place] for place in TOWN.lamps], empty=-1),
        "searched": Bits([_PLACES[place] for place in TOWN.bins]),
        "van": _STREET,
        "came": _STREET,
        "winners": SomeSeats(MOST),
        "papers": Parts(
            stack=Whole(ADDRESSES),
            known=Several(_PAPER, _PAPERS),
            unknown=Several(_PAPER, [f"unknown {number + 1}" for number in range(ADDRESSES)]),
        ),
    },
    reads={
        "papers": _papers,
        "begged": lambda view, _: [place in view.table.begged for place in TOWN.restaurants],
        "marks": lambda view, _: [view.table.marks[place] for place in TOWN.lamps],
    },
    also=("stack", "dropped", "known"),
)
