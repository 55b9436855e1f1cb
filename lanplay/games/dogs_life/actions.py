"""What a dog may do with its next action point (DL-3.2): codes, and which are legal.

An action is a number, its kind times 256 plus what it is done with: a place for ``MOVE``, a seat
for ``ATTACK``, for newspapers their index among those carried (``DROP_PAPER``, ``DELIVER``) or
lying there (``PICK_PAPER``); 0 for all others.
"""

from __future__ import annotations

from typing import Final

from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP
from lanplay.games.dogs_life.table import BLADDER, LOAD, DogsLifeTable
from lanplay.games.dogs_life.town import TOWN

(
    STOP,
    MOVE,
    SEARCH,
    DROP_BONE,
    DROP_PAPER,
    PICK_BONE,
    PICK_PAPER,
    BURY,
    BEG,
    DRINK,
    PIDDLE,
    TAKE,
    DELIVER,
    ATTACK,
) = KINDS = range(14)
STEP: Final = 256
KIND_NAMES: Final = (
    "stop",
    "move",
    "search",
    "drop-bone",
    "drop-paper",
    "pick-bone",
    "pick-paper",
    "bury",
    "beg",
    "drink",
    "piddle",
    "take",
    "deliver",
    "attack",
)


def action(kind: int, what: int = 0) -> int:
    """Return the code of an action."""
    return kind * STEP + what


def parts(code: int) -> tuple[int, int]:
    """Return the kind of an action, and what it is done with."""
    return divmod(code, STEP)


_MOVES: Final = tuple(
    [tuple([tuple([action(MOVE, n) for n in around]) for around in walk]) for walk in TOWN.walk]
)
_NEAR: Final = tuple([tuple([frozenset(around) for around in walk]) for walk in TOWN.walk])
_STOP: Final = (STOP,)
_POUND: Final = TOWN.pound
_FEATURE: Final = TOWN.feature
_INSIDE: Final = TOWN.dens.start
"""The first place that is a building."""


def legal(t: DogsLifeTable, seat: int) -> tuple[int, ...]:
    """Return every action open to a seat that has points left, ``STOP`` first.

    It is missing where the dog cannot stop: on a space that it is passing, or in the pound
    building while there is a way out. ``DELIVER`` and ``ATTACK`` come last. ``DELIVER`` is named
    for every newspaper carried into an address that may be its own: only whoever knows its face
    can tell.
    """
    place, den = t.place[seat], t.dens[seat]
    taken = [*t.place, t.van]
    alone = _NEAR[den][place].isdisjoint(taken)
    moves = _MOVES[den][place] if alone else _open(t, seat, _MOVES[den][place], taken)
    if place == _POUND or taken.count(place) > 1:
        return moves or _STOP
    if place >= _INSIDE:
        found = _things(t, seat, place) + _inside(t, seat, place)
    else:
        found = _things(t, seat, place)
        if _FEATURE[place] and _is_of_use(t, seat, place):
            found.append(_USE[_FEATURE[place]])
    if not alone:
        found += _attacks(t, seat, place)
    return (STOP, *moves, *found)


def _open(t: DogsLifeTable, seat: int, moves: tuple[int, ...], taken: list[int]) -> tuple[int, ...]:
    others = [*taken]
    others.remove(t.place[seat])
    return tuple(
        [code for code in moves if can_enter(t, seat, code - MOVE * STEP, t.points, others)]
    )


def can_enter(t: DogsLifeTable, seat: int, place: int, points: int, others: list[int]) -> bool:
    """Tell whether a dog with so many points may move to a neighbouring place (DL-3.2 a).

    ``others`` are where the other dogs and the van are. A place with one of them can be passed:
    without another's piddle, with a point to go on, and a place to go on to.
    """
    if place not in others:
        return points > 0
    if t.marks[place] not in (-1, seat) or points < 2:
        return False
    around = TOWN.walk[t.dens[seat]][place]
    return any(can_enter(t, seat, each, points - 1, others) for each in around)


_USE: Final = {BIN: SEARCH * STEP, LAMP: PIDDLE * STEP, FOUNTAIN: DRINK * STEP}


def _is_of_use(t: DogsLifeTable, seat: int, place: int) -> bool:
    """Tell whether a bin can be searched, a lamp post marked, a fountain drunk from."""
    feature = _FEATURE[place]
    if feature == BIN:
        return not t.searched >> TOWN.bin_at[place] & 1
    if feature == LAMP:
        return t.bladder[seat] > 0 > t.marks[place]
    return t.bladder[seat] < BLADDER and t.reserve[seat] > 0


def _things(t: DogsLifeTable, seat: int, place: int) -> list[int]:
    """Return what can be picked up and dropped at a place."""
    found = []
    bones, papers = t.bones[seat], len(t.papers[seat])
    if bones:
        found.append(DROP_BONE * STEP)
    if papers and place != TOWN.kiosk:
        found += [DROP_PAPER * STEP + index for index in range(papers)]
    if bones + papers < LOAD:
        if t.lying[place]:
            found.append(PICK_BONE * STEP)
        if place in t.dropped:
            found += [PICK_PAPER * STEP + index for index in range(len(t.dropped[place]))]
    return found


def _inside(t: DogsLifeTable, seat: int, place: int) -> list[int]:
    """Return what can be done in a building and nowhere else."""
    if place in TOWN.dens:
        return [BURY * STEP] if t.bones[seat] else []
    if place in TOWN.restaurants:
        return [] if place in t.begged else [BEG * STEP]
    if place == TOWN.kiosk:
        return [TAKE * STEP] if t.stack and t.room(seat) else []
    number = TOWN.number[place]
    return [
        DELIVER * STEP + index
        for index, card in enumerate(t.papers[seat])
        if t.faces.get(card, number) == number
    ]


def _attacks(t: DogsLifeTable, seat: int, place: int) -> list[int]:
    beside = TOWN.beside[place]
    return [ATTACK * STEP + other for other, there in enumerate(t.place) if there in beside]
