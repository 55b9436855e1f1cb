"""What a dog may do with its next action point (DL-3.2): codes, and which are legal.

An action is a number, its kind times 256 plus what it is done with: a place for ``MOVE``, a seat
for ``ATTACK``, for newspapers their index among those carried (``DROP_PAPER``, ``DELIVER``) or
lying there (``PICK_PAPER``); 0 for all others.
"""

from __future__ import annotations

from typing import Final

from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP
from lanplay.games.dogs_life.table import BLADDER, LOAD, DogsLifeTable
from lanplay.games.dogs_life.town import NOWHERE, TOWN

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
_STOP: Final = (STOP,)


def legal(t: DogsLifeTable, seat: int) -> tuple[int, ...]:
    """Return every action open to a seat that has points left, ``STOP`` first.

    It is missing where the dog cannot stop: on a space that it is passing, or in the pound
    building while there is a way out. ``DELIVER`` and ``ATTACK`` come last. ``DELIVER`` is named
    for every newspaper carried into an address that may be its own: only whoever knows its face
    can tell.
    """
    place = t.place[seat]
    taken = [*t.place, t.van]
    moves = _MOVES[t.dens[seat]][place]
    for each in TOWN.walk[t.dens[seat]][place]:
        if each in taken:
            moves = _open(t, seat, moves, taken)
            break
    if place == TOWN.pound:
        return moves or _STOP
    if place < TOWN.dens.start:
        if taken.count(place) > 1:
            return moves
        found = _street(t, seat, place)
    elif taken.count(place) > 1:
        return moves
    else:
        found = _inside(t, seat, place)
    if place in TOWN.dens:
        return (*_STOP, *moves, *found)
    for other in TOWN.beside[place]:
        if other in t.place:
            return (*_STOP, *moves, *found, *_attacks(t, seat, place))
    return (*_STOP, *moves, *found)


def is_passing(t: DogsLifeTable, seat: int) -> bool:
    """Tell whether a dog shares its space with a dog or the van and has to move on."""
    place = t.place[seat]
    if place in (NOWHERE, TOWN.pound):
        return False
    return place == t.van or t.place.count(place) > 1


def _open(t: DogsLifeTable, seat: int, moves: tuple[int, ...], taken: list[int]) -> tuple[int, ...]:
    others = [*taken]
    others.remove(t.place[seat])
    return tuple(
        [code for code in moves if _can_enter(t, seat, code - MOVE * STEP, t.points, others)]
    )


def can_enter(t: DogsLifeTable, seat: int, place: int, points: int) -> bool:
    """Tell whether a dog with so many points may move to a neighbouring place (DL-3.2 a).

    A place with a dog or the van can be passed: without another's piddle, with a point to go on,
    and a place to go on to.
    """
    others = [each for other, each in enumerate(t.place) if other != seat]
    return _can_enter(t, seat, place, points, [*others, t.van])


def _can_enter(t: DogsLifeTable, seat: int, place: int, points: int, others: list[int]) -> bool:
    if place not in others:
        return points > 0
    if t.marks[place] not in (-1, seat) or points < 2:
        return False
    around = TOWN.walk[t.dens[seat]][place]
    return any(_can_enter(t, seat, each, points - 1, others) for each in around)


def _street(t: DogsLifeTable, seat: int, place: int) -> list[int]:
    found = []
    feature = TOWN.feature[place]
    if feature == BIN:
        if not t.searched >> TOWN.bin_at[place] & 1:
            found.append(SEARCH * STEP)
    elif feature == LAMP:
        if t.bladder[seat] and t.marks[place] < 0:
            found.append(PIDDLE * STEP)
    elif feature == FOUNTAIN and t.bladder[seat] < BLADDER and t.reserve[seat]:
        found.append(DRINK * STEP)
    return found + _things(t, seat, place)


def _things(t: DogsLifeTable, seat: int, place: int) -> list[int]:
    """Return what can be picked up and dropped at a place."""
    found = []
    papers = t.papers[seat]
    if t.bones[seat]:
        found.append(DROP_BONE * STEP)
    if papers and place != TOWN.kiosk:
        found += [DROP_PAPER * STEP + index for index in range(len(papers))]
    if t.bones[seat] + len(papers) < LOAD:
        if t.lying[place]:
            found.append(PICK_BONE * STEP)
        if place in t.dropped:
            found += [PICK_PAPER * STEP + index for index in range(len(t.dropped[place]))]
    return found


def _inside(t: DogsLifeTable, seat: int, place: int) -> list[int]:
    found = []
    if place in TOWN.dens:
        if t.bones[seat]:
            found.append(BURY * STEP)
    elif place in TOWN.restaurants:
        if place not in t.begged:
            found.append(BEG * STEP)
    elif place in TOWN.addresses:
        number = TOWN.number[place]
        found += [
            DELIVER * STEP + index
            for index, card in enumerate(t.papers[seat])
            if t.faces.get(card, number) == number
        ]
    elif place == TOWN.kiosk and t.stack and t.room(seat):
        found.append(TAKE * STEP)
    return _things(t, seat, place) + found


def _attacks(t: DogsLifeTable, seat: int, place: int) -> list[int]:
    beside = TOWN.beside[place]
    return [ATTACK * STEP + other for other, there in enumerate(t.place) if there in beside]
