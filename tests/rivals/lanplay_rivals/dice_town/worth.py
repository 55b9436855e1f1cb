"""What things are worth in Dice Town, in victory points, at this time of the game."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Final

from lanplay.engine.view import View
from lanplay.games.dice_town.cards import (
    BRUTE,
    CARDS,
    CHEATER,
    CLAIM_FACES,
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
    points,
)
from lanplay.games.dice_town.poker import ACE, DICE, JACK, KING, NINE, QUEEN, TEN
from lanplay.games.dice_town.questions.town import FENCED
from lanplay.games.dice_town.table import NUGGETS, DiceTownTable
from lanplay_rivals.dice_town.kept import Kept
from lanplay_rivals.dice_town.profiles import DiceTownProfile

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
    return min(t.mine / NUGGETS, (len(t.claims) + len(t.row)) / len(CLAIM_FACES))


def badge_scale(t: DiceTownTable, p: DiceTownProfile) -> float:
    """Return what the badge is worth now: it counts in the end, and settles ties until then."""
    late, gone = 1.0, 1 - left(t)
    for _ in range(p.badge_power):
        late *= gone
    return p.badge * (BADGE_NOW + (BADGE - BADGE_NOW) * late)


SCALES: Final[tuple[Callable[[DiceTownTable, DiceTownProfile], float], ...]] = (
    lambda t, p: p.nugget,
    lambda t, p: p.money * LOOT * t.bank,
    lambda t, p: p.store * (1.8 if t.round == 1 else 1.0),
    lambda t, p: p.saloon,
    badge_scale,
)
"""For nine to king: what the location is worth now, as a multiple of ``PLACES``.

The Store acts twice in the first round. It is worth nothing without cards, the Saloon without loot.
"""


def scale(t: DiceTownTable, seat: int, p: DiceTownProfile, face: int) -> float:
    """Return what the location of a face is worth to a seat now, as a multiple of ``PLACES``."""
    if face == JACK and not (t.deck or t.discards):
        return 0.0
    if face == QUEEN and not loot_elsewhere(t, seat):
        return 0.0
    return SCALES[face](t, p)


def loot_elsewhere(t: DiceTownTable, seat: int) -> bool:
    """Tell whether another seat has a card to be robbed of."""
    hands, deeds = t.hands, t.deeds
    for other in range(t.seats):  # noqa: SIM110  # asked all the time: a generator costs more
        if other != seat and (hands[other] or deeds[other]):
            return True
    return False


def row_worth(t: DiceTownTable, p: DiceTownProfile) -> tuple[float, ...]:
    """Return what the first claims of the row are worth together: of none, one, … six."""
    faces = t.faces
    return _row_worth(p, tuple([POINTS[faces[card]] for card in t.row]))


@lru_cache(maxsize=4096)
def _row_worth(p: DiceTownProfile, row: tuple[int, ...]) -> tuple[float, ...]:
    worths = [p.claim * (CLAIM_FACTOR * n + CLAIM_MORE) for n in row]
    sums = tuple(accumulate(worths, initial=0.0))
    return sums + sums[-1:] * (DICE + 1 - len(row))


def dice_price(t: DiceTownTable, p: DiceTownProfile) -> float:
    """Return what a dollar paid for dice is worth now."""
    more = p.price - p.last_price
    return p.last_price + more * min(1.0, 2 * left(t)) if more else p.price


def transfer(t: DiceTownTable) -> float:
    """Return what a point taken from the others is worth: they fall behind as well."""
    return 1 + 1 / (t.seats - 1)


def consolation_worth(t: DiceTownTable, seat: int, p: DiceTownProfile, face: int) -> float:
    """Return what Doc Badluck's consolation of a face is worth to a seat (DT-3.8)."""
    if face == NINE:
        claims = len(t.deeds[seat])
        return WIRE * p.doc * (min(FENCED, claims))
    if face == JACK:
        return HIDDEN_STORE if t.deck or t.discards else 0.0
    taken = p.doc * transfer(t)
    if face == KING:
        dollars = sum([min(2, has) for has in t.dollars]) - min(2, t.dollars[seat])
        return taken * DOLLAR * dollars
    return taken * (t.seats - t.nuggets.count(0) - (t.nuggets[seat] > 0))


def visit_worth(t: DiceTownTable, seat: int, p: DiceTownProfile, dice: tuple[int, ...]) -> float:
    """Return what a visit to Doc Badluck is worth with these dice."""
    best = 0.0
    for face in VISITED[dice]:
        worth = consolation_worth(t, seat, p, face)
        if worth > best:
            best = worth
    return best


def visited(dice: tuple[int, ...]) -> list[int]:
    """Return the faces of the consolations that some dice allow."""
    return sorted({(NINE, NINE, JACK, JACK, KING, ACE)[face] for face in dice})


VISITED: Final[dict[tuple[int, ...], list[int]]] = Kept(visited)
POINTS: Final = tuple(map(points, range(CARDS)))
"""The victory points printed on every card, by its face."""


def standing(t: DiceTownTable, seat: int) -> float:
    """Return a seat's points as far as everybody can see, with hidden cards at their mean."""
    worth = t.nuggets[seat] + DOLLAR * t.dollars[seat]
    if seat == t.sheriff:
        worth += BADGE
    for card in t.fences[seat]:
        worth += POINTS[t.faces[card]]
    return worth + HIDDEN_CLAIM * len(t.deeds[seat]) + HIDDEN_STORE * len(t.hands[seat])


def place_worth(t: DiceTownTable, place: str, seat: int, p: DiceTownProfile) -> float:
    """Return what taking a place in dispute is worth to a seat with the dice it shows."""
    dice = t.dice[seat]
    if place == "hall":
        return row_worth(t, p)[1 + dice.count(ACE)]
    face = FACE_OF[place]
    number = dice.count(face)
    if face == NINE and number > t.mine:
        number = t.mine
    return scale(t, seat, p, face) * PLACES[face][number]


FACE_OF: Final = {"mine": NINE, "bank": TEN, "store": JACK, "saloon": QUEEN, "badge": KING}
"""The face that counts for each location."""
