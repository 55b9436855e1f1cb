"""What a visit to a site brings: rewards, robberies, buildings, tombstones (FT-4 to FT-8)."""

from __future__ import annotations

from lanplay.games.fliptown.asks import EFFECT, Ask, Steps, Told, take, tell
from lanplay.games.fliptown.cards import number
from lanplay.games.fliptown.map import (
    BADLANDS,
    GABLES,
    GOODS,
    KIND_BITS,
    KIND_BONUS,
    KIND_OF,
    MINE,
    PAIRS_OF,
    ROOM_REWARDS,
    STOP_REWARDS,
    TARGETS,
    TOWN,
    TRAIL,
    Rewards,
)
from lanplay.games.fliptown.sheet import BANDANA, PISTOL, RIFLE, SHOVEL, UNDERTAKER, Sheet

UNDERTAKER_PLACE = 1
TOOLS = ("pans", "hammers")


def visit(s: Sheet, where: int, told: Told) -> Steps:
    """Circle a site and take what it gives; a robbery returns its target (FT-2.4)."""
    region, place = divmod(where, 16)
    before = s.circled[region]
    s.circled[region] = before | 1 << place
    if region == BADLANDS:
        return _rob(s, place, told)
    if region == TOWN:
        yield from _enter(s, place, before >> place & 1 == 0, told)
    elif region == TRAIL:
        yield from reward(s, STOP_REWARDS[place], told)
    elif region == MINE:
        s.mined += dict(ROOM_REWARDS[place]).get("gold", 0)
        yield from reward(s, ROOM_REWARDS[place], told)
    else:
        yield from _dig(s, place, told)
    return None


def reward(s: Sheet, rewards: Rewards, told: Told) -> Steps:
    """Take a reward: goods at once, bonus actions into the pool (FT-8.1)."""
    for kind, amount in rewards:
        if kind in GOODS:
            take(s, kind, amount, told)
        elif kind == "bonus":
            s.gain_bonus(amount)
        elif kind == "tool":
            take(s, TOOLS[(yield Ask("tool", (0, 1)))], amount, told)
        elif kind == "cross":
            yield from cross(s, amount, told)


def cross(s: Sheet, most: int, told: Told) -> Steps:
    """Cross out up to so many WANTED."""
    limit = min(most, s.wanted)
    if limit:
        amount = yield Ask("cross", tuple(range(limit, -1, -1)))
        s.wanted -= amount
        if amount:
            tell(told, "crosses", amount=amount)


def _rob(s: Sheet, target: int, told: Told) -> int:
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


def _enter(s: Sheet, building: int, first: bool, told: Told) -> Steps:
    """Enter a building: the gable on the first visit, and its effect to be used (FT-6)."""
    if building == UNDERTAKER_PLACE:
        item = SHOVEL if s.owns(UNDERTAKER) else UNDERTAKER
        if not s.owns(item):
            s.items |= item
            tell(told, "gets", item=item.bit_length() - 1)
    else:
        s.pool.append(EFFECT + building)
    if first:
        yield from reward(s, GABLES[building], told)


def _dig(s: Sheet, stone: int, told: Told) -> Steps:
    """Circle a tombstone and take what lies between it and its neighbours (FT-8)."""
    if not s.owns(UNDERTAKER):
        s.gain_wanted(1)
        tell(told, "gains-wanted", amount=1)
    if s.owns(SHOVEL):
        s.gain_stars(1)
        tell(told, "gains-stars", amount=1)
    circled = s.circled[4]
    for pair, rewards in PAIRS_OF[stone]:
        if circled & pair == pair:
            yield from reward(s, rewards, told)
