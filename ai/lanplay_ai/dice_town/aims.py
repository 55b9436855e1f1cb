"""What dice are kept for: the place that they promise most of, and the chance to take it.

The place is the one whose expected worth, as the bot counts it, the dice kept raise most over
rolling them again; where none are kept, the one that the dice set aside before promise most of.
The chance is that the seat takes that place in this round. First it is worked out as if all dice to
come were rolled once and kept as they fall. They are not, rivals play cards, and the Sheriff has
likes; so it is brought to what came about in games of all levels (``aims.toml``, made by
``scripts/campaigns/hints.py``).
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from math import exp, fsum, log
from typing import Final, NamedTuple

from lanplay.games.dice_town.poker import ACE, DICE
from lanplay_ai.dice_town.multisets import code, multisets
from lanplay_ai.dice_town.outlook import Rivals, rivals_of, rolled_once
from lanplay_ai.dice_town.profiles import DiceTownProfile
from lanplay_ai.dice_town.stakes import stakes_of
from lanplay_ai.dice_town.worth import FACE_OF, PLACES, DiceTownView, loot_elsewhere

Dice = tuple[int, ...]
HALL: Final = "hall"


class Aim(NamedTuple):
    """A place, the chance to take it as worked out, and how many dice the seat has to come."""

    place: str
    chance: float
    to_come: int


def aim(view: DiceTownView, p: DiceTownProfile, kept: Dice) -> Aim:
    """Return what a seat keeps some dice for, beside those that it has set aside."""
    t, seat, number = view.table, view.seat, multisets().number
    before = t.dice[seat]
    held, aside = number[code(before)], number[code(before + kept)]
    to_come = DICE - len(before + kept)
    rivals = rivals_of(view, not to_come)
    place, most = HALL, -1.0
    for each in (*FACE_OF, HALL):
        worths = rolled_once(held, _taken(rivals, each, _brings(view, p, each)))
        gain = worths[aside] - worths[held] if kept else worths[held]
        if gain > most:
            place, most = each, gain
    chance = rolled_once(aside, _taken(rivals, place, _ONE))[aside]
    return Aim(place, chance, to_come)


_ONE: Final = (1.0,) * (DICE + 1)


def _brings(view: DiceTownView, p: DiceTownProfile, place: str) -> tuple[float, ...]:
    """Return what a place is worth with 0 to 5 dice of its face (Town Hall: aces)."""
    stakes = stakes_of(p, view.table)
    if place == HALL:
        return tuple(stakes.claims[1:])
    face = FACE_OF[place]
    scales = stakes.looting if loot_elsewhere(view.table, view.seat) else stakes.scales
    return tuple([scales[face] * each for each in PLACES[face]])


def _taken(rivals: Rivals, place: str, brings: tuple[float, ...]) -> list[float]:
    """Return, for every hand of five, the chance to take a place times what it brings."""
    tables = multisets()
    first = tables.first[DICE]
    found = [0.0] * len(tables.faces)
    for hand in range(first, len(found)):
        if place == HALL:
            won = brings[tables.counts[hand][ACE]]
            for beaten in rivals.beaten:
                won *= beaten[hand - first]
        else:
            face = FACE_OF[place]
            dice = tables.counts[hand][face]
            won = rivals.places[face].taken[dice] * brings[dice]
        found[hand] = won
    return found


def told(aim: Aim) -> float:
    """Return the chance that an aim comes true, as games have shown."""
    weights = fitted()
    z = fsum(weights[name] * value for name, value in features(aim).items())
    return 1 / (1 + exp(-z))


def features(aim: Aim) -> dict[str, float]:
    """Return what the log-odds that an aim comes true are a weighed sum of."""
    chance = min(max(aim.chance, 0.01), 0.99)
    z = log(chance / (1 - chance))
    done, early = aim.to_come == 0, aim.to_come > 2
    return {
        "one": 1.0,
        "odds": z,
        "done": float(done),
        "done-odds": z * done,
        "early": float(early),
        "early-odds": z * early,
        "hall-odds": z * (aim.place == HALL),
        **{place: float(aim.place == place) for place in (*FACE_OF, HALL) if place != "mine"},
    }


@cache
def fitted() -> dict[str, float]:
    """Return the weights of ``features``."""
    text = files(__package__).joinpath("aims.toml").read_text(encoding="utf-8")
    found: dict[str, float] = tomllib.loads(text)["weights"]
    return found
