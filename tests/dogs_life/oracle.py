"""What DL-3.2 allows, word for word and without haste: the rules are held against it."""

from __future__ import annotations

from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.actions import action
from lanplay.games.dogs_life.plan import BIN, FOUNTAIN, LAMP, neighbours
from lanplay.games.dogs_life.town import NOWHERE, TOWN

CELLS = {space.cell: place for place, space in enumerate(TOWN.spaces)}
KEYS = {building.key: place for place, building in TOWN.building.items()}
DEN_OF = dict(enumerate("ABCDEF"))
POUND = KEYS["P"]


def are_joined(one, other):
    """Tell whether two places have a common side, or an entrance between them (DL-1.4)."""
    if one in TOWN.streets and other in TOWN.streets:
        return TOWN.spaces[other].cell in neighbours(TOWN.spaces[one].cell)
    street, building = sorted((one, other))
    if street not in TOWN.streets:
        return False
    return TOWN.spaces[street].door == TOWN.building[building].key


JOINED = [[n for n in range(TOWN.size) if are_joined(place, n)] for place in range(TOWN.size)]


def is_taken(t, seat, place):
    """Tell whether another dog or the van is on a place."""
    return place == t.van or any(
        there == place for other, there in enumerate(t.place) if other != seat
    )


def is_home(t, seat, place):
    return TOWN.building[place].key == DEN_OF[t.dens[seat]] if place in TOWN.building else False


def is_den(place):
    return place in TOWN.building and TOWN.building[place].key in DEN_OF.values()


def may_go(t, seat, here, there, points):
    """Tell whether a move is allowed, and can be followed as it must be (DL-3.2 a)."""
    if points < 1 or there not in JOINED[here] or there == POUND:
        return False
    if is_den(there) and not is_home(t, seat, there):
        return False
    if not is_taken(t, seat, there):
        return True
    if t.marks[there] >= 0 and t.marks[there] != seat:
        return False
    return any(may_go(t, seat, there, on, points - 1) for on in JOINED[there])


def may_attack(t, seat, other):
    """Tell whether a dog can attack another from where it is (DL-3.2 k, DL-3.8)."""
    here, there = t.place[seat], t.place[other]
    if seat == other or NOWHERE in (here, there) or POUND in (here, there):
        return False
    return there in JOINED[here] and not is_den(here) and not is_den(there)


def at_place(t, seat):
    """Return what can be done on the place where a dog has stopped, newspapers apart."""
    place = t.place[seat]
    room = 2 - t.bones[seat] - len(t.papers[seat])
    key = TOWN.building[place].key if place in TOWN.building else ""
    feature = TOWN.feature[place]
    marked = feature == BIN and t.searched & (1 << TOWN.bins.index(place))
    can = {
        a.SEARCH: feature == BIN and not marked,
        a.DROP_BONE: t.bones[seat] > 0,
        a.PICK_BONE: t.lying[place] > 0 and room > 0,
        a.BURY: is_home(t, seat, place) and t.bones[seat] > 0,
        a.BEG: key in tuple("abcdefghijk") and place not in t.begged,
        a.DRINK: feature == FOUNTAIN and t.bladder[seat] < 2 and t.reserve[seat] > 0,
        a.PIDDLE: feature == LAMP and t.bladder[seat] > 0 and t.marks[place] < 0,
        a.TAKE: key == "K" and room > 0 and len(t.stack) > 0,
    }
    return {action(kind) for kind, allowed in can.items() if allowed}


def with_papers(t, seat):
    """Return what can be done with newspapers, as far as all can tell (DL-3.2 c, d, j)."""
    place = t.place[seat]
    room = 2 - t.bones[seat] - len(t.papers[seat])
    key = TOWN.building[place].key if place in TOWN.building else ""
    found = set()
    for index, card in enumerate(t.papers[seat]):
        if key != "K":
            found.add(action(a.DROP_PAPER, index))
        if key.isdigit() and t.faces.get(card, int(key) - 1) == int(key) - 1:
            found.add(action(a.DELIVER, index))
    if room > 0:
        found |= {action(a.PICK_PAPER, n) for n, _ in enumerate(t.dropped.get(place, ()))}
    return found


def allowed(t, seat):
    """Return the codes of all that a dog with points left may do."""
    place = t.place[seat]
    moves = {
        action(a.MOVE, there)
        for there in range(TOWN.size)
        if may_go(t, seat, place, there, t.points)
    }
    if place == POUND:
        return moves or {a.STOP}
    if is_taken(t, seat, place):
        return moves
    fights = {action(a.ATTACK, other) for other in range(t.seats) if may_attack(t, seat, other)}
    return {a.STOP} | moves | at_place(t, seat) | with_papers(t, seat) | fights
