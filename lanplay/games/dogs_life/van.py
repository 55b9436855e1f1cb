"""The van: rolled for, steered, catching dogs (DL-3.3, DL-3.9)."""

from __future__ import annotations

from lanplay.engine.requests import Choose, OpenRoll, Rules
from lanplay.games.dogs_life.catching import lock_up
from lanplay.games.dogs_life.deck import draw
from lanplay.games.dogs_life.questions import Steer
from lanplay.games.dogs_life.table import DogsLifeTable as Table
from lanplay.games.dogs_life.town import TOWN

SIDES = 6


def drive(t: Table, seat: int) -> Rules[None]:
    """Let a seat roll the die and move the van; it catches dogs where it stops."""
    t.steps += 1
    (rolled,) = yield OpenRoll((t.round, t.active, t.steps), 1, SIDES)
    t.die = rolled + 1
    t.log_event("rolls", seat=seat, die=t.die)
    answers = yield Choose({seat: Steer(t.van, t.came, t.die)})
    path = answers[seat]
    t.came = path[-2] if len(path) > 1 else t.van
    t.van = path[-1]
    t.die = 0
    t.log_event("drives", seat=seat, place=t.van)
    if t.van in t.place:
        yield from catch(t, t.place.index(t.van))
    beside = TOWN.beside[t.van]
    for other in t.order():
        if t.place[other] in beside:
            yield from chase(t, other)


def catch(t: Table, seat: int) -> Rules[None]:
    """Bring a dog to the pound."""
    t.log_event("caught", seat=seat)
    yield from lock_up(t, seat)


def chase(t: Table, seat: int) -> Rules[None]:
    """Let a dog next to the van draw whether it escapes."""
    card = yield from draw(t, seat)
    if t.dog(seat).catcher[card]:
        t.log_event("escapes", seat=seat)
    else:
        yield from catch(t, seat)
