"""What can be done inside the buildings of the Town (FT-6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from lanplay.engine.frozen import frozen
from lanplay.games.fliptown.asks import Told, take, tell
from lanplay.games.fliptown.codes import LOOK, PICK
from lanplay.games.fliptown.map import (
    CHURCH_LIMIT,
    CLUB_LIMIT,
    FOR_SALE,
    HIDEOUT_CROSSES,
    HOTEL_FEE,
    HOTEL_STARS,
    LAND_ALL,
    LAND_STARS,
    PLACINGS,
    PRICES,
    SALE_REWARDS,
    SALOON_CASH,
    SALOON_LIMIT,
)
from lanplay.games.fliptown.sheet import PISTOL, RIFLE, Sheet

ALL_LAND = (1 << 9) - 1
_DEAREST = max(PLACINGS.values())


@frozen
class Effect:
    """What a building offers: options that are possible and paid for, their price, their use.

    ``use`` returns a pause, if any. ``what`` names the choice.
    """

    what: str
    options: Callable[[Sheet], Sequence[int]]
    price: Callable[[int], int]
    use: Callable[[Sheet, int, Told], int | None]


def _sells(building: int) -> Callable[[Sheet], Sequence[int]]:
    wares = FOR_SALE[building]

    def options(s: Sheet) -> Sequence[int]:
        return [w for w in wares if PRICES[w] <= s.cash and not s.items >> w & 1 and _fits(s, w)]

    return options


def _fits(s: Sheet, ware: int) -> bool:
    """The rifle is had for a pistol only."""
    return 1 << ware != RIFLE or s.owns(PISTOL)


def _buy(s: Sheet, ware: int, told: Told) -> None:
    s.cash -= PRICES[ware]
    s.items |= 1 << ware
    tell(told, "gets", item=ware)
    for kind, amount in SALE_REWARDS[ware]:
        take(s, kind, amount, told)


def _hide(s: Sheet, amount: int, told: Told) -> None:
    s.wanted -= amount
    tell(told, "crosses", amount=amount)


def _donate(s: Sheet, amount: int, told: Told) -> None:
    s.cash -= amount
    _hide(s, amount, told)


def _drink(s: Sheet, stars: int, told: Told) -> None:
    s.cash -= SALOON_CASH * stars
    s.gain_stars(stars)
    tell(told, "drinks", amount=stars)


def _boast(s: Sheet, stars: int, told: Told) -> None:
    s.gold -= stars
    s.gain_stars(stars)
    tell(told, "boasts", amount=stars)


def _sleep(s: Sheet, _: int, told: Told) -> None:
    s.cash -= HOTEL_FEE
    s.hotel += 1
    tell(told, "sleeps", stars=HOTEL_STARS[s.hotel])


def _free_land(s: Sheet) -> Sequence[int]:
    return _placings(s.land, min(s.cash, _DEAREST))


@cache
def _placings(land: int, cash: int) -> Sequence[int]:
    return [mask for mask, price in PLACINGS.items() if price <= cash and not mask & land]


def _claim(s: Sheet, squares: int, told: Told) -> None:
    s.cash -= PLACINGS[squares]
    s.land |= squares
    stars = LAND_STARS[squares] + (LAND_ALL if s.land == ALL_LAND else 0)
    s.gain_stars(stars)
    tell(told, "settles", amount=stars)


def _look(s: Sheet, _: int, told: Told) -> int:
    s.pool.append(PICK)
    tell(told, "looks")
    return LOOK


def _hidden(s: Sheet) -> Sequence[int]:
    """As many WANTED as may be crossed out for nothing, the most first."""
    return _upto(min(HIDEOUT_CROSSES, s.wanted))[::-1]


def _upto(most: int) -> range:
    return range(1, most + 1)


def _shop(building: int) -> Effect:
    return Effect("buy", _sells(building), PRICES.__getitem__, _buy)


def _free(_: int) -> int:
    return 0


EFFECTS: dict[int, Effect] = {
    2: _shop(2),
    3: Effect("hideout", _hidden, _free, _hide),
    4: _shop(4),
    5: _shop(5),
    6: Effect("church", lambda s: _upto(min(CHURCH_LIMIT, s.cash, s.wanted)), lambda n: n, _donate),
    7: Effect(
        "hotel",
        lambda s: (1,) if s.cash >= HOTEL_FEE and s.hotel < len(HOTEL_STARS) - 1 else (),
        lambda _: HOTEL_FEE,
        _sleep,
    ),
    8: Effect("land", _free_land, PLACINGS.__getitem__, _claim),
    9: _shop(9),
    10: _shop(10),
    11: Effect("look", lambda s: (1,), _free, _look),
    12: Effect(
        "saloon",
        lambda s: _upto(min(SALOON_LIMIT, s.cash // SALOON_CASH)),
        lambda n: SALOON_CASH * n,
        _drink,
    ),
    13: Effect("club", lambda s: _upto(min(CLUB_LIMIT, s.gold)), lambda n: n, _boast),
}
"""By building; the Undertaker's effect is not a choice."""
