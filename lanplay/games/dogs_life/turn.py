"""A turn: hunger, actions, the van (DL-3.1 to DL-3.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanplay.engine.requests import Choose, ClaimRefuted, Rules, Show
from lanplay.games.dogs_life.actions import (
    ATTACK,
    BEG,
    BURY,
    DELIVER,
    DRINK,
    DROP_BONE,
    DROP_PAPER,
    MOVE,
    PICK_BONE,
    PICK_PAPER,
    PIDDLE,
    SEARCH,
    STEP,
    STOP,
    TAKE,
    legal,
    parts,
)
from lanplay.games.dogs_life.catching import give_back, lay_down, leave_pound, lock_up, look
from lanplay.games.dogs_life.deck import draw, gain
from lanplay.games.dogs_life.questions import Act
from lanplay.games.dogs_life.table import BIN_MARKERS, BLADDER
from lanplay.games.dogs_life.table import DogsLifeTable as Table
from lanplay.games.dogs_life.town import TOWN
from lanplay.games.dogs_life.van import drive


def turn(t: Table, seat: int) -> Rules[None]:
    """Play a seat's turn; it ends early when the game is won."""
    t.pass_on(seat)
    if t.pound[seat]:
        free = yield from leave_pound(t, seat)
        if not free:
            return
    elif t.hunger[seat] == 0:
        t.log_event("falls-asleep", seat=seat)
        yield from lock_up(t, seat)
        return
    else:
        t.hunger[seat] -= 1
    t.points = t.dog(seat).points
    yield from act(t, seat)
    t.points = 0
    if not t.pound[seat] and not t.winners:
        yield from drive(t, seat)


def act(t: Table, seat: int) -> Rules[None]:
    """Let a dog use its action points."""
    while t.points:
        options = legal(t, seat)
        if options == (STOP,):
            return
        answers = yield Choose({seat: question(t, seat, options)})
        code = answers[seat]
        if code == STOP:
            return
        t.points -= 1
        if code // STEP == MOVE:
            place = code % STEP
            move(t, seat, place)
            if place in t.dropped:
                yield from look(t, seat, t.dropped[place])
        else:
            kind, what = parts(code)
            yield from _ACTIONS[kind](t, seat, what)


def question(t: Table, seat: int, options: tuple[int, ...]) -> Act:
    """Return what a seat with points left is asked."""
    if options[-1] < DELIVER * STEP:
        return Act(options, t.points)
    return Act(options, t.points, tuple(t.papers[seat]), TOWN.number[t.place[seat]])


def move(t: Table, seat: int, place: int) -> None:
    """Move a dog to a place; another's piddle ends its actions (DL-3.2 a, l)."""
    t.place[seat] = place
    t.log_event("moves", seat=seat, place=place)
    owner = t.marks[place]
    if owner not in (-1, seat):
        t.marks[place] = -1
        t.reserve[owner] += 1
        t.points = 0
        t.log_event("sniffs", seat=seat, other=owner)


def search(t: Table, seat: int, _: int) -> Rules[None]:
    """Search a bin and mark it; the last marker empties all bins (DL-3.2 b, DL-3.6)."""
    place = t.place[seat]
    card = yield from draw(t, seat)
    t.log_event("searches", seat=seat, place=place)
    gain(t, seat, t.dog(seat).trash[card])
    mark = 1 << TOWN.bin_at[place]
    t.searched |= mark
    if t.searched.bit_count() == BIN_MARKERS:
        t.searched = mark
        t.log_event("bins-emptied", place=place)


def drop_bone(t: Table, seat: int, _: int) -> Rules[None]:
    """Drop a bone (DL-3.2 c)."""
    t.bones[seat] -= 1
    t.lying[t.place[seat]] += 1
    t.log_event("drops-bone", seat=seat)
    yield from ()


def drop_paper(t: Table, seat: int, index: int) -> Rules[None]:
    """Drop a newspaper face down (DL-3.2 c)."""
    lay_down(t, t.place[seat], [t.papers[seat].pop(index)])
    t.log_event("drops-paper", seat=seat)
    yield from ()


def pick_bone(t: Table, seat: int, _: int) -> Rules[None]:
    """Pick up a bone (DL-3.2 d)."""
    t.lying[t.place[seat]] -= 1
    t.bones[seat] += 1
    t.log_event("picks-bone", seat=seat)
    yield from ()


def pick_paper(t: Table, seat: int, index: int) -> Rules[None]:
    """Pick up a newspaper, whose face the dog has seen when it came there (DL-3.2 d)."""
    place = t.place[seat]
    papers = t.dropped[place]
    t.papers[seat].append(papers.pop(index))
    if not papers:
        del t.dropped[place]
    t.log_event("picks-paper", seat=seat)
    yield from ()


def bury(t: Table, seat: int, _: int) -> Rules[None]:
    """Bury a bone for good; the last one needed wins at once (DL-3.2 e, DL-4.1)."""
    t.bones[seat] -= 1
    t.buried[seat] += 1
    t.log_event("buries", seat=seat, bones=t.buried[seat])
    if t.buried[seat] == t.goal:
        t.winners = (seat,)
        t.points = 0
    yield from ()


def beg(t: Table, seat: int, _: int) -> Rules[None]:
    """Beg in a restaurant (DL-3.2 f)."""
    t.begged.append(t.place[seat])
    card = yield from draw(t, seat)
    t.log_event("begs", seat=seat, place=t.place[seat])
    gain(t, seat, t.dog(seat).restaurant[card])


def drink(t: Table, seat: int, _: int) -> Rules[None]:
    """Drink at a fountain (DL-3.2 g)."""
    more = min(BLADDER - t.bladder[seat], t.reserve[seat])
    t.bladder[seat] += more
    t.reserve[seat] -= more
    t.log_event("drinks", seat=seat)
    yield from ()


def piddle(t: Table, seat: int, _: int) -> Rules[None]:
    """Piddle at a lamp post (DL-3.2 h)."""
    t.bladder[seat] -= 1
    t.marks[t.place[seat]] = seat
    t.log_event("piddles", seat=seat, place=t.place[seat])
    yield from ()


def take(t: Table, seat: int, _: int) -> Rules[None]:
    """Take a newspaper off the stack in the kiosk; only the seat sees its face (DL-3.2 i)."""
    card = t.stack.pop()
    t.papers[seat].append(card)
    t.log_event("takes-paper", seat=seat)
    yield from look(t, seat, [card])


def deliver(t: Table, seat: int, index: int) -> Rules[None]:
    """Show a newspaper at its address, shuffle it back, take the reward (DL-3.2 j).

    A newspaper of another address has no effect: only a modified program can show one.
    """
    card = t.papers[seat][index]
    if card not in t.faces:
        yield Show([card])
    number = TOWN.number[t.place[seat]]
    if t.face(card) != number:
        t.points += 1
        t.log_event("refuted", seat=seat, address=t.face(card))
        yield ClaimRefuted(seat, Act.rule)
        return
    t.papers[seat].pop(index)
    t.log_event("delivers", seat=seat, address=number, place=t.place[seat])
    yield from give_back(t, [card])
    card = yield from draw(t, seat)
    gain(t, seat, t.dog(seat).newspaper[card])


def attack(t: Table, seat: int, other: int) -> Rules[None]:
    """Fight another dog: the one with fewer paws goes to the pound (DL-3.2 k)."""
    own = t.dog(seat).fight[(yield from draw(t, seat))]
    its = t.dog(other).fight[(yield from draw(t, other))]
    t.log_event("fights", seat=seat, other=other, own=own, its=its)
    if own == its:
        return
    loser = other if own > its else seat
    if loser == seat:
        t.points = 0
    t.log_event("beaten", seat=loser)
    yield from lock_up(t, loser)


_ACTIONS: Final[dict[int, Callable[[Table, int, int], Rules[None]]]] = {
    SEARCH: search,
    DROP_BONE: drop_bone,
    DROP_PAPER: drop_paper,
    PICK_BONE: pick_bone,
    PICK_PAPER: pick_paper,
    BURY: bury,
    BEG: beg,
    DRINK: drink,
    PIDDLE: piddle,
    TAKE: take,
    DELIVER: deliver,
    ATTACK: attack,
}
