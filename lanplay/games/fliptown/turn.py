"""One seat's turn as far as it can choose on: up to its next robbery or look (FT-2.7).

``play`` is a coroutine over a sheet. It yields an ``Ask`` and is sent one of its options; it
changes nothing but the sheet. The dialogue of a question, its check and the rules all run it, each
on a sheet of its own but the rules, so that there is one truth of what is legal.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cache, lru_cache
from operator import itemgetter
from typing import Final

from lanplay.engine.question import Answer, Illegal
from lanplay.engine.value import value
from lanplay.games.fliptown.asks import (
    ABILITY,
    BAIL,
    EFFECT,
    NO,
    PICK,
    PLAN,
    Ask,
    Steps,
    Told,
    tell,
)
from lanplay.games.fliptown.cards import number, suit
from lanplay.games.fliptown.characters import (
    BARONESS,
    BONUS_OF,
    PROSPECTOR,
    RANCH_CROSSES,
    RANCH_HAND,
    WILD_CARD,
    can,
)
from lanplay.games.fliptown.effects import EFFECTS
from lanplay.games.fliptown.map import (
    CEMETERY,
    HUNT_CASH,
    HUNT_CROSSES,
    HUNT_GOLD,
    OFFICE_CROSSES,
    SUIT_GOLD,
    site,
)
from lanplay.games.fliptown.reach import Prices, open_sites, reach, stones
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.visits import cross, visit

RULE: Final = "FT-2.7"
NEVER: Final = 99
"""More than any price."""
BY_ABILITY: Final = 32
"""Marks the price of a site that gold alone does not reach."""
BY_GOLD, BY_PANS, BY_JOKER = range(3)
JOKER: Final = 8
"""Added to a suit that a joker stands for."""


@value
class Turn:
    """What a turn is played with: the flipped cards, the round, what guns add."""

    flipped: tuple[int, ...]
    round: int
    guns: tuple[int, int, int]


def play(s: Sheet, turn: Turn, told: Told = None) -> Generator[Ask, int, int | None]:
    """Carry on a turn; return the target robbed, ``asks.LOOK``, or ``None`` at its end."""
    going, pause = True, None
    while going:
        going, pause = yield from one_task(s, turn, told)
    return pause


def one_task(
    s: Sheet, turn: Turn, told: Told = None
) -> Generator[Ask, int, tuple[bool, int | None]]:
    """Carry out the next task; return whether the turn goes on, and if not its pause."""
    task = yield from _next(s)
    if task == NO:
        s.pool.clear()
        return False, None
    if task == ABILITY:
        yield from _ability(s, told)
        return True, None
    s.pool.remove(task)
    pause: int | None = yield from _carry_out(s, turn, task, told)
    return pause is None, pause


def follow(s: Sheet, turn: Turn, answer: Answer, told: Told = None) -> int | None:
    """Carry on a turn with the options of ``answer``; return its pause as ``play`` does.

    Raises ``Illegal`` unless ``answer`` is a tuple of exactly the options that the turn asks for.
    """
    if type(answer) is not tuple:
        raise Illegal(RULE, "malformed")
    steps = play(s, turn, told)
    left = list(answer[::-1])
    try:
        ask = next(steps)
        while left:
            option = left.pop()
            if type(option) is not int or option not in ask.options:
                raise Illegal(RULE, "not-possible")
            ask = steps.send(option)
    except StopIteration as end:
        if not left:
            pause: int | None = end.value
            return pause
    raise Illegal(RULE, "malformed")


def has_choice(s: Sheet, turn: Turn) -> bool:
    """Tell whether the turn of a seat that is not done asks for anything more."""
    return bool(s.pool or has_ability(s)) and next(play(s.copy(), turn), None) is not None


def _carry_out(s: Sheet, turn: Turn, task: int, told: Told) -> Steps:
    if task == PLAN:
        return (yield from _plan(s, turn, told))
    if task == BAIL:
        return (yield from _bail(s, told))
    if task == PICK:
        return (yield from _pick(s, told))
    if task > PICK:
        return (yield from _effect(s, task, told))
    return (yield from _bonus(s, task, told))


def _next(s: Sheet) -> Generator[Ask, int, int]:
    """Ask for the task to go on with, where there is a choice (FT-8.1, FT-9.2)."""
    options = _tasks(s)
    if has_ability(s):
        options = (*options, ABILITY) if options else (NO, ABILITY)
    if len(options) < 2:
        return options[0] if options else NO
    return (yield Ask("next", options))


def _tasks(s: Sheet) -> tuple[int, ...]:
    pool = s.pool
    if not pool:
        return ()
    for first in (BAIL, PLAN):
        if first in pool:
            return (first,)
    tasks = sorted(set(pool)) if len(pool) > 1 else pool
    return tuple([task for task in tasks if _possible(s, task)])


def _possible(s: Sheet, task: int) -> bool:
    if task < BAIL:
        return len(open_sites(s, task)) > 0
    return task == PICK or len(EFFECTS[task - EFFECT].options(s)) > 0


def has_ability(s: Sheet) -> bool:
    """Tell whether a seat's ability can do anything in its own turn now (FT-9.2)."""
    if not s.uses:
        return False
    if s.character == BARONESS:
        return s.wanted > 0
    if s.character == RANCH_HAND:
        return s.wanted > 0 and s.hammers > 0
    return any(open_sites(s, region) for region in BONUS_OF.get(s.character, ()))


def _ability(s: Sheet, told: Told) -> Steps:
    s.uses -= 1
    tell(told, "uses", character=s.character)
    if s.character == BARONESS:
        s.gain_gold(s.wanted)
        tell(told, "gains-gold", amount=s.wanted)
    elif s.character == RANCH_HAND:
        yield from cross(s, RANCH_CROSSES * s.hammers, told)
    else:
        regions = [region for region in BONUS_OF[s.character] if open_sites(s, region)]
        region = regions[0] if len(regions) == 1 else (yield Ask("region", tuple(regions)))
        s.gain_bonus(region)


def _bail(s: Sheet, told: Told) -> Steps:
    """A hunted rank was flipped (FT-6)."""
    answer = yield Ask("bail", (0, 1, 2) if s.wanted else (0, 1))
    if answer == 0:
        s.gain_cash(HUNT_CASH)
        tell(told, "gains-cash", amount=HUNT_CASH)
    elif answer == 1:
        s.gain_gold(HUNT_GOLD)
        tell(told, "gains-gold", amount=HUNT_GOLD)
    else:
        _cross_out(s, HUNT_CROSSES, told)


def _cross_out(s: Sheet, most: int, told: Told) -> None:
    amount = min(most, s.wanted)
    s.wanted -= amount
    tell(told, "crosses", amount=amount)


def _pick(s: Sheet, told: Told) -> Steps:
    """After the look at the sheriff card (FT-6, J)."""
    if s.wanted and (yield Ask("office", (0, 1))):
        _cross_out(s, OFFICE_CROSSES, told)
        return
    s.gain_stars(1)
    tell(told, "gains-stars", amount=1)


def _effect(s: Sheet, task: int, told: Told) -> Steps:
    effect = EFFECTS[task - EFFECT]
    options = effect.options(s)
    notes = (*[effect.price(each) for each in options], 0)
    answer = yield Ask(effect.what, (*options, NO), notes)
    return None if answer == NO else effect.use(s, answer, told)


def _bonus(s: Sheet, region: int, told: Told) -> Steps:
    sites = open_sites(s, region)
    answer = yield Ask("bonus", (*sites, NO), (0,) * (len(sites) + 1))
    if answer == NO:
        return None
    tell(told, "bonus", site=answer)
    return (yield from visit(s, answer, told))


def _plan(s: Sheet, turn: Turn, told: Told) -> Steps:
    """Assign the cards, pay for changes and visit a site (FT-2.2 to FT-2.5)."""
    flipped = turn.flipped
    first = yield Ask("suit-card", (0, 1, 2), flipped)
    rest = tuple([place for place in range(3) if place != first])
    second = yield Ask("value-card", rest, tuple([flipped[place] for place in rest]))
    poker = flipped[3 - first - second]
    s.poker += (poker,)
    tell(told, "plans", cards=(flipped[first], flipped[second], poker))
    s.assigned = first
    region = yield from _suit(s, suit(flipped[first]), told)
    ways = _ways(s, region, number(flipped[second]))
    ask = _sites(tuple([found for _, found in ways]), stones(s))
    answer = (yield ask) if len(ask.options) > 1 else NO
    if answer == NO:
        tell(told, "forgoes")
        return None
    if answer < site(CEMETERY, 0):
        yield from _pay_way(s, ways, answer, told)
    tell(told, "visits", site=answer)
    return (yield from visit(s, answer, told))


@lru_cache(1 << 14)
def _sites(ways: tuple[Prices, ...], free: Prices) -> Ask:
    """Return the choice of a site, each with its price by gold alone, if there is one.

    Otherwise the price is what it costs beside the ability, and ``BY_ABILITY`` more. The cheapest
    come first, then the tombstones.
    """
    prices: dict[int, int] = {}
    for found in ways[1:]:
        for where, price in found:
            prices[where] = min(price + BY_ABILITY, prices.get(where, NEVER))
    prices |= dict(ways[0])
    prices = dict(sorted(prices.items(), key=itemgetter(1))) | dict(free)
    return Ask("site", (*prices, NO), (*prices.values(), 0))


@cache
def _suits(own: int, paid: bool, joker: bool) -> Ask:
    options, notes = [own], [0]
    others = [each for each in range(4) if each != own]
    if paid:
        options += others
        notes += [SUIT_GOLD] * 3
    if joker:
        options += [each + JOKER for each in others]
        notes += [0] * 3
    return Ask("suit", tuple(options), tuple(notes))


def _suit(s: Sheet, own: int, told: Told) -> Steps:
    """Let the suit card count as another suit, by gold or by a joker (FT-2.5, FT-9.2)."""
    ask = _suits(own, s.gold >= SUIT_GOLD, can(s, WILD_CARD))
    answer = (yield ask) if len(ask.options) > 1 else own
    if answer >= JOKER:
        s.uses -= 1
        tell(told, "joker-suit", suit=answer - JOKER)
    elif answer != own:
        s.gold -= SUIT_GOLD
        tell(told, "changes-suit", suit=answer)
    s.counted = answer % JOKER
    return s.counted


def _ways(s: Sheet, region: int, value: int) -> list[tuple[int, Prices]]:
    """Return the places in reach with their prices, for each way to change the value card."""
    ways = [(BY_GOLD, reach(s, region, (value,), s.gold))]
    if can(s, PROSPECTOR) and s.pans:
        ways.append((BY_PANS, reach(s, region, (value + s.pans, value - s.pans), s.gold)))
    if can(s, WILD_CARD):
        ways.append((BY_JOKER, reach(s, region, tuple(range(1, 14)), 0)))
    return ways


def _pay_way(s: Sheet, ways: list[tuple[int, Prices]], where: int, told: Told) -> Steps:
    """Pay for the value of the card; a way that spares no gold is not offered (FT-2.5)."""
    prices: dict[int, int] = {}
    for way, found in ways:
        price = dict(found).get(where, NEVER)
        if price < min(prices.values(), default=NEVER):
            prices[way] = price
    way = next(iter(prices))
    if len(prices) > 1:
        way = yield Ask("way", tuple(prices), tuple(prices.values()))
    if way != BY_GOLD:
        s.uses -= 1
        tell(told, "uses", character=s.character)
    s.gold -= prices[way]
    if prices[way]:
        tell(told, "changes-value", amount=prices[way])
