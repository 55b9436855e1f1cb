"""What a visit to a site brings: rewards, robberies, buildings, tombstones (FT-4 to FT-8)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Final, TypeAlias

from lanplay.games.fliptown.asks import Ask, Next, TaskStage, Told, Turn, take, tell
from lanplay.games.fliptown.cards import number
from lanplay.games.fliptown.codes import EFFECT
from lanplay.games.fliptown.map import (
    BADLANDS,
    GABLES,
    GOODS,
    KIND_BITS,
    KIND_BONUS,
    KIND_OF,
    PAIRS_OF,
    ROOM_REWARDS,
    STONES,
    STOP_REWARDS,
    TARGETS,
    Rewards,
)
from lanplay.games.fliptown.sheet import BANDANA, GAINS, PISTOL, RIFLE, SHOVEL, UNDERTAKER, Sheet

UNDERTAKER_PLACE = 1
TOOLS = ("pans", "hammers")
Takes: TypeAlias = "tuple[tuple[Callable[[Sheet, int, Told], Next], int], ...]"
"""A reward as what takes each part of it, with its amount."""


def visit(s: Sheet, where: int, told: Told) -> Next:
    """Circle a site and take what it gives; return the target of a robbery, or what follows."""
    region, place = where >> 4, where & 15
    before = s.circled[region]
    s.circled[region] = before | 1 << place
    return _VISITS[region](s, place, before, told)


def reward(s: Sheet, takes: Takes, told: Told) -> Next:
    """Take a reward: goods at once, bonus actions into the pool (FT-8.1).

    Returns the choice that its last part is, if it is one.
    """
    follows: Next = None
    for taken, amount in takes:
        follows = taken(s, amount, told)
    return follows


def _stop(s: Sheet, place: int, _: int, told: Told) -> Next:
    return reward(s, _STOPS[place], told)


def _room(s: Sheet, room: int, _: int, told: Told) -> Next:
    s.mined += _MINED[room]
    return reward(s, _ROOMS[room], told)


def _rob(s: Sheet, target: int, _: int, told: Told) -> Next:
    """Take the WANTED of a target; the rest hangs on the robbery card (FT-5)."""
    wanted = TARGETS[target][0] - s.owns(BANDANA)
    s.gain_wanted(wanted)
    if wanted:
        tell(told, "gains-wanted", amount=wanted)
    return target


def robbed(s: Sheet, target: int, card: int, guns: tuple[int, int, int], told: Told) -> bool:
    """Settle a robbery with its card; return whether it succeeded (FT-5)."""
    _, stars, cash = TARGETS[target]
    success = number(card) + guns[2 if s.owns(RIFLE) else s.owns(PISTOL)] >= target
    tell(told, "robs" if success else "fails", value=target, card=card)
    gained = stars if success else stars // 2
    s.gain_stars(gained)
    tell(told, "gains-stars", amount=gained)
    if success:
        s.gain_cash(cash)
        tell(told, "gains-cash", amount=cash)
    kind = KIND_OF[target]
    if s.circled[BADLANDS] & KIND_BITS[kind] == KIND_BITS[kind]:
        s.gain_bonus(KIND_BONUS[kind])
    return success


def _enter(s: Sheet, building: int, before: int, told: Told) -> Next:
    """Enter a building: the gable on the first visit, and its effect to be used (FT-6)."""
    if building == UNDERTAKER_PLACE:
        item = SHOVEL if s.owns(UNDERTAKER) else UNDERTAKER
        if not s.owns(item):
            s.items |= item
            tell(told, "gets", item=item.bit_length() - 1)
    else:
        s.pool.append(EFFECT + building)
    return None if before >> building & 1 else reward(s, _GABLES[building], told)


def _dig(s: Sheet, stone: int, before: int, told: Told) -> Next:
    """Circle a tombstone and take what lies between it and its neighbours (FT-8)."""
    if not s.items & UNDERTAKER:
        s.gain_wanted(1)
        if told is not None:
            tell(told, "gains-wanted", amount=1)
    if s.items & SHOVEL:
        s.gain_stars(1)
        tell(told, "gains-stars", amount=1)
    return reward(s, _between(stone, before), told)


_VISITS: Final = (_stop, _rob, _room, _enter, _dig)
"""By region."""


@cache
def crossing(most: int) -> TaskStage:
    """Return the choice how many WANTED to cross out, up to so many."""
    return TaskStage(partial(_ask_cross, most), _cross)


def _ask_cross(most: int, s: Sheet, _: Turn) -> Ask:
    return Ask("cross", tuple(range(min(most, s.wanted), -1, -1)))


def _cross(s: Sheet, _: Turn, amount: int, told: Told) -> None:
    s.wanted -= amount
    if amount:
        tell(told, "crosses", amount=amount)


_TOOL: Final = Ask("tool", (0, 1))


@cache
def _choosing_tool(amount: int) -> TaskStage:
    return TaskStage(lambda s, turn: _TOOL, partial(_take_tool, amount))


def _take_tool(amount: int, s: Sheet, _: Turn, tool: int, told: Told) -> None:
    take(s, TOOLS[tool], amount, told)


def _good(kind: str) -> Callable[[Sheet, int, Told], Next]:
    gain = GAINS[kind]
    return lambda s, amount, told: gain(s, amount) if told is None else take(s, kind, amount, told)


_TAKES: Final[dict[str, Callable[[Sheet, int, Told], Next]]] = {
    **{kind: _good(kind) for kind in GOODS},
    "bonus": lambda s, region, told: s.gain_bonus(region),
    "tool": lambda s, amount, told: _choosing_tool(amount),
    "cross": lambda s, most, told: crossing(most),
}
"""By the kind of what is given; silver is counted at the end."""


def _takes(rewards: Rewards) -> Takes:
    return tuple([(_TAKES[kind], amount) for kind, amount in rewards if kind in _TAKES])


_STOPS: Final = {place: _takes(each) for place, each in STOP_REWARDS.items()}
_ROOMS: Final = tuple(map(_takes, ROOM_REWARDS))
_MINED: Final = tuple([dict(each).get("gold", 0) for each in ROOM_REWARDS])
_GABLES: Final = {place: _takes(each) for place, each in GABLES.items()}
_PAIRS: Final = tuple(
    [
        tuple([(pair, _takes(each)) for pair, each in PAIRS_OF[stone]])
        for stone in range(len(STONES))
    ]
)


@cache
def _between(stone: int, circled: int) -> Takes:
    """Return what lies between a stone and its neighbours, of which so many are circled."""
    circled |= 1 << stone
    found: Takes = ()
    for pair, takes in _PAIRS[stone]:
        if circled & pair == pair:
            found += takes
    return found
