"""What things are worth in Dice Town, in victory points, at this time of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import comb
from typing import Final

from ai.dice_town.profiles import Profile
from lanplay.engine.view import View
from lanplay.games.dice_town.cards import (
    BRUTE,
    CARDS,
    CHEATER,
    CORRUPTION,
    CREDIT,
    DYNAMITE,
    ELIXIR,
    EQUIPMENT,
    GIRLS,
    JOE,
    MARSHAL,
    SPLIT,
    WANTED,
    kind,
    points,
)
from lanplay.games.dice_town.poker import ACE, JACK, KING, NINE, QUEEN, TEN
from lanplay.games.dice_town.table import DiceTownTable

DiceTownView = View[DiceTownTable]

ACTIONS: Final = {
    EQUIPMENT: 0.0,  # its points count instead
    DYNAMITE: 2.5,
    GIRLS: 2.8,
    BRUTE: 2.0,
    CHEATER: 3.0,
    CORRUPTION: 3.0,
    CREDIT: 2.5,
    JOE: 2.2,
    MARSHAL: 2.5,
    SPLIT: 1.5,
    WANTED: 2.0,
    ELIXIR: 1.8,
}
"""What an action card is worth in hand while there are rounds enough to play it."""
HIDDEN_CLAIM: Final = 3.0
HIDDEN_STORE: Final = 2.5
"""The mean worth of a card whose face is not known."""
DOLLAR: Final = 0.5
BADGE: Final = 5.0
BADGE_NOW: Final = 1.2
"""What the badge is worth in the first round: ties are its holder's, and it may be kept."""
LOOT: Final = 0.6
"""Victory points of a dollar in the Bank."""
PLACES: Final[dict[int, tuple[float, ...]]] = {
    NINE: (0.0, 1.0, 2.0, 3.0, 4.0, 5.0),
    TEN: (0.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    JACK: (0.0, 2.5, 3.3, 3.8, 4.2, 4.5),
    QUEEN: (0.0, 3.2, 4.0, 4.5, 4.9, 5.2),
    KING: (0.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    ACE: (0.0,) * 6,
}
"""What the location of a face brings with 0 to 5 dice: the Bank and the badge up to their scale."""
CLAIM_FACTOR: Final = 1.2
CLAIM_MORE: Final = 0.3
"""A claim is worth more than its points: nobody else has it, and it ends the game."""
WIRE: Final = 0.4
"""What it is worth to lay a claim behind barbed wire."""


def left(t: DiceTownTable) -> float:
    """Return how much of the game is left: 1 at the start, 0 at the end."""
    return min(t.mine / 30, (len(t.claims) + len(t.row)) / 25)


def badge_scale(t: DiceTownTable, p: Profile) -> float:
    """Return what the badge is worth now: it counts in the end, and settles ties until then."""
    late, gone = 1.0, 1 - left(t)
    for _ in range(p.badge_power):
        late *= gone
    return p.badge * (BADGE_NOW + (BADGE - BADGE_NOW) * late)


SCALES: Final[tuple[Callable[[DiceTownTable, Profile], float], ...]] = (
    lambda t, p: p.nugget,
    lambda t, p: p.money * LOOT * t.bank,
    lambda t, p: p.store * (1.8 if t.round == 1 else 1.0),
    lambda t, p: p.saloon,
    badge_scale,
)
"""For nine to king: what the location is worth now, as a multiple of ``PLACES``.

The Store acts twice in the first round. It is worth nothing without cards, the Saloon without loot.
"""


def scale(t: DiceTownTable, seat: int, p: Profile, face: int) -> float:
    """Return what the location of a face is worth to a seat now, as a multiple of ``PLACES``."""
    if face == JACK and not (t.deck or t.discards):
        return 0.0
    if face == QUEEN and not loot_elsewhere(t, seat):
        return 0.0
    return SCALES[face](t, p)


def loot_elsewhere(t: DiceTownTable, seat: int) -> bool:
    """Tell whether another seat has a card to be robbed of."""
    hands, deeds, after = t.hands, t.deeds, seat + 1
    return any(hands[:seat]) or any(hands[after:]) or any(deeds[:seat]) or any(deeds[after:])


def row_worth(t: DiceTownTable, p: Profile) -> tuple[float, ...]:
    """Return what the first claims of the row are worth together: of none, of one, and so on."""
    return _row_worth(p, tuple([points(t.faces[card]) for card in t.row]))


@lru_cache(maxsize=4096)
def _row_worth(p: Profile, row: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(accumulate([p.claim * (CLAIM_FACTOR * n + CLAIM_MORE) for n in row], initial=0.0))


def dice_price(t: DiceTownTable, p: Profile) -> float:
    """Return what a dollar paid for dice is worth now."""
    more = p.price - p.last_price
    return p.last_price + more * min(1.0, 2 * left(t)) if more else p.price


def transfer(t: DiceTownTable) -> float:
    """Return what a point taken from the others is worth: they fall behind as well."""
    return 1 + 1 / (t.seats - 1)


def consolation_worth(t: DiceTownTable, seat: int, p: Profile, face: int) -> float:
    """Return what Doc Badluck's consolation of a face is worth to a seat (DT-3.8)."""
    if face == NINE:
        return WIRE * p.doc * min(2, len(t.deeds[seat]))
    if face == JACK:
        return HIDDEN_STORE if t.deck or t.discards else 0.0
    taken = p.doc * transfer(t)
    if face == KING:
        poorer = [min(2, dollars) for dollars in t.dollars]
        return taken * DOLLAR * (sum(poorer) - poorer[seat])
    return taken * (len(t.nuggets) - t.nuggets.count(0) - (t.nuggets[seat] > 0))


def visit_worth(t: DiceTownTable, seat: int, p: Profile, dice: Iterable[int]) -> float:
    """Return what a visit to Doc Badluck is worth with these dice."""
    faces = {_VISITED[face] for face in dice}
    return max([consolation_worth(t, seat, p, face) for face in faces], default=0.0)


_VISITED: Final[tuple[int, ...]] = (NINE, NINE, JACK, JACK, KING, ACE)
"""The consolation that a die of each face allows."""


def card_worth(t: DiceTownTable, face: int | None) -> float:
    """Return what a card is worth in hand; an action card is worth nothing after the game."""
    return HIDDEN_STORE if face is None else card_worths(t)[face]


def card_worths(t: DiceTownTable) -> tuple[float, ...]:
    """Return what every card is worth in hand now, by its face."""
    return _card_worths(t.mine, len(t.claims) + len(t.row))


@lru_cache(maxsize=1024)
def _card_worths(nuggets: int, claims: int) -> tuple[float, ...]:
    use = min(1.0, 0.2 + 1.6 * min(nuggets / 30, claims / 25))
    actions = [ACTIONS.get(kind(face), 0.0) for face in range(CARDS)]
    return tuple([points(face) + action * use for face, action in enumerate(actions)])


def loot_worths(view: DiceTownView, seat: int) -> tuple[list[float], list[float]]:
    """Return what a seat's Store cards and its claims are worth, as far as this view knows."""
    t, face, worths = view.table, view.face, card_worths(view.table)
    store = [HIDDEN_STORE if (f := face(card)) is None else worths[f] for card in t.hands[seat]]
    claims = [HIDDEN_CLAIM if (f := face(card)) is None else worths[f] for card in t.deeds[seat]]
    return store, claims


def best_drawn(worths: Sequence[float], number: int) -> float:
    """Return the expected greatest of ``number`` things drawn blindly; 0 of nothing."""
    number = min(number, len(worths))
    if not number:
        return 0.0
    greatest, ways = _greatest(len(worths), number)
    total = 0.0
    for each, times in zip(sorted(worths, reverse=True), greatest, strict=True):
        total += each * times / ways
    return total


@cache
def _greatest(size: int, number: int) -> tuple[tuple[int, ...], int]:
    """Return in how many draws of ``number`` each of ``size`` things is the greatest; their sum."""
    times = [comb(size - place - 1, number - 1) for place in range(size)]
    return tuple(times), comb(size, number)


def best_take(view: DiceTownView, victim: int, number: int) -> tuple[float, int]:
    """Return what robbing a seat of ``number`` cards is worth, and how many Store cards to take."""
    store, claims = loot_worths(view, victim)
    number = min(number, len(store) + len(claims))
    fewest, most = max(0, number - len(claims)), min(number, len(store))
    worth, fewer = max(
        (max(best_drawn(store, n), best_drawn(claims, number - n)), -n)
        for n in range(fewest, most + 1)
    )
    return worth, -fewer


def standing(t: DiceTownTable, seat: int) -> float:
    """Return a seat's points as far as everybody can see, with hidden cards at their mean."""
    fenced = sum([points(t.faces[card]) for card in t.fences[seat]])
    hidden = HIDDEN_CLAIM * len(t.deeds[seat]) + HIDDEN_STORE * len(t.hands[seat])
    badge = BADGE if seat == t.sheriff else 0.0
    return t.nuggets[seat] + DOLLAR * t.dollars[seat] + badge + fenced + hidden


def place_worth(t: DiceTownTable, place: str, seat: int, p: Profile) -> float:
    """Return what taking a place in dispute is worth to a seat with the dice it shows."""
    if place == "hall":
        sums = row_worth(t, p)
        return sums[min(len(sums) - 1, 1 + t.dice[seat].count(ACE))]
    face = FACE_OF[place]
    number = t.dice[seat].count(face)
    if place == "mine":
        number = min(number, t.mine)
    return scale(t, seat, p, face) * PLACES[face][number]


FACE_OF: Final = {"mine": NINE, "bank": TEN, "store": JACK, "saloon": QUEEN, "badge": KING}
"""The face that counts for each location."""
