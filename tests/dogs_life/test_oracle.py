"""The rules of an action against the rules page: what is legal is what it allows, all else is not.

Tables are laid out at random, crowded round a place, with all that can lie there and be carried.
"""

from __future__ import annotations

from random import Random

import pytest

from lanplay.engine.question import Illegal
from lanplay.engine.requests import Choose
from lanplay.games.dogs_life import actions as a
from lanplay.games.dogs_life.actions import action, legal, parts
from lanplay.games.dogs_life.plan import LAMP
from lanplay.games.dogs_life.questions import Act
from lanplay.games.dogs_life.reach import reach, sniffs
from lanplay.games.dogs_life.town import NOWHERE, TOWN
from tests.dogs_life.oracle import JOINED, POUND, allowed, is_den, is_taken
from tests.dogs_life.script import new_table
from tests.dogs_life.test_games import SEATS, simulation

WHATS = {
    a.MOVE: range(TOWN.size),
    a.ATTACK: range(6),
    a.DROP_PAPER: range(3),
    a.PICK_PAPER: range(3),
    a.DELIVER: range(3),
}
EVERY = [action(kind, what) for kind in a.KINDS for what in WHATS.get(kind, range(1))]
"""All codes there are, and some more."""
TABLES = 150
MIDDLES = (TOWN.streets, TOWN.dens, TOWN.addresses, TOWN.restaurants, (TOWN.kiosk,))


def crowded(lot, seats):
    """Return a table with dogs, the van, piddles and things near some place."""
    t = new_table(seats)
    t.dens = tuple(lot.sample(range(6), seats))
    middle = lot.choice(lot.choice(MIDDLES))
    near = {middle, *JOINED[middle], *[each for n in JOINED[middle] for each in JOINED[n]]}
    free = sorted(place for place in near if place != POUND and not is_den(place))
    t.van, t.came = lot.choice([way for way in TOWN.ways if way[0] in near] or [*TOWN.ways])
    lot.shuffle(free)
    for seat in range(seats):
        spots = [t.home(seat), POUND, NOWHERE, *[free.pop() for _ in range(8) if free]]
        weights = [1, 1, 1, *[3] * (len(spots) - 3)]
        t.place[seat] = lot.choices(spots, weights)[0]
    if not is_den(middle) and middle != t.van and lot.random() < 0.8:
        t.place[0] = middle
    for place in near:
        if TOWN.feature[place] == LAMP:
            t.marks[place] = lot.choice([-1, *range(seats)])
        t.lying[place] = lot.choice([0, 0, 1])
        if lot.random() < 0.2:
            t.dropped[place] = [lot.randrange(40, 60) for _ in range(lot.choice((1, 2)))]
    t.searched = lot.getrandbits(len(TOWN.bins))
    t.begged = lot.sample(TOWN.restaurants, 5)
    t.stack = lot.choice([[], [20, 21]])
    t.points = lot.randint(1, 8)
    t.faces = {7: lot.randrange(12)}
    for seat in range(seats):
        t.bladder[seat], t.reserve[seat] = lot.randint(0, 2), lot.choice([0, 1, 5])
        t.bones[seat] = lot.randint(0, 2)
        t.papers[seat] = [7, 8][: lot.randint(0, 2 - t.bones[seat])]
    return t


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_legal_is_what_the_page_allows(seats):
    """DL-3.2 a to k: on crowded tables; every other action is refused."""
    lot = Random(seats)
    met = set()
    for _ in range(TABLES):
        t = crowded(lot, seats)
        for seat in range(seats):
            if t.place[seat] == NOWHERE:
                continue
            found = legal(t, seat)
            if not found:
                assert is_taken(t, seat, t.place[seat])
                continue
            assert len(set(found)) == len(found)
            assert set(found) == allowed(t, seat), TOWN.key(t.place[seat])
            met |= {parts(code)[0] for code in found}
            ask = Act(found, t.points)
            for code in found:
                ask.check(code)
            for code in {*lot.sample(EVERY, 10)} - {*found}:
                with pytest.raises(Illegal):
                    ask.check(code)
    assert met == set(a.KINDS)


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_offered_in_games_is_what_the_page_allows(seats):
    """DL-3.2: a whole game long; there is always something to answer."""
    game = simulation(seats, b"page", {"bones": "4"})
    asked = 0
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            ((seat, ask),) = request.questions.items()
            if isinstance(ask, Act):
                asked += 1
                assert set(ask.options) == allowed(game.table, seat)
                assert ask.points == game.table.points > 0
        game.step()
    assert asked > 100


@pytest.mark.parametrize("seats", SEATS)
def test_a_dog_can_stop_where_reach_says(seats):
    """DL-3.2 a, l: on crowded tables, by a shortest way, and nowhere else."""
    lot = Random(b"reach %d" % seats)
    for _ in range(TABLES // 3):
        t = crowded(lot, seats)
        if t.place[0] == NOWHERE or is_taken(t, 0, t.place[0]):
            continue
        found = reach(t, 0, t.points)
        assert {place: len(way) for place, way in found.items()} == stops(t)


def stops(t):
    """Return where the dog of seat 0 can stop, with the cost in points, move by move."""
    home, points = t.place[0], t.points
    costs, edge = {}, {home}
    for cost in range(1, points + 1):
        further = set()
        for place in sorted(edge):
            t.place[0], t.points = place, points - cost + 1
            further |= {what for kind, what in map(parts, allowed(t, 0)) if kind == a.MOVE}
        for place in further:
            if place != home and not is_taken(t, 0, place):
                costs.setdefault(place, cost)
        edge = {place for place in further if not sniffs(t, 0, place)}
    t.place[0], t.points = home, points
    return costs
