"""The words of Fliptown: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.games.fliptown.cards import RANKS, SIGNS, number, suit
from lanplay.games.fliptown.codes import BAIL, EFFECT, PICK, PLAN
from lanplay.games.fliptown.map import (
    BADLANDS,
    CEMETERY,
    MINE,
    NAMES,
    ROOM_REWARDS,
    STOP_REWARDS,
    TARGETS,
    TOWN,
    TRAIL,
    Rewards,
)
from lanplay.games.wording import Wording, texts_of
from lanplay.language import N_, _, dollars

TEXTS = texts_of(__name__)
NOUNS = TEXTS.nouns
REGIONS = TEXTS.more["regions"]
SUIT_NAMES = TEXTS.more["suit_names"]
BUILDINGS = TEXTS.more["buildings"]
STONES = TEXTS.more["stones"]
ITEMS = TEXTS.more["items"]
RANK_NAMES = TEXTS.more["rank_names"]
CHARACTERS = TEXTS.more["characters"]
ABILITIES = TEXTS.more["abilities"]
"""What each character can, in the order of ``CHARACTERS``."""
TASKS = {
    BAIL: N_("reward for an outlaw"),
    PLAN: N_("plan of the turn"),
    PICK: N_("Sheriff's Office, now that you know the card"),
}
COWBOTS = ("Calamity Jane", "Billy the Kid", "Black Bart", "Wyatt Earp")
"""By suit. Names are not translated."""
CAUSES = TEXTS.more["causes"]
"""What each of them steals on when it is gained, by suit."""
BOUNTIES = TEXTS.more["bounties"]
CHALLENGES = TEXTS.more["challenges"]
"""The challenges of a game alone, in the order of their numbers from 1 (FT-10.3)."""
TITLES = TEXTS.more["titles"]
SECONDS = TEXTS.more["seconds"]

REWARDS = {"wanted": "{count} WANTED", **TEXTS.more["rewards"]}
"""Parts of a reward that are not counted with a noun."""


def card_text(face: int) -> str:
    """Return a card as its value and the sign of its suit: in every language the same."""
    return value_text(number(face)) + SIGNS[suit(face)]


def value_text(value: int) -> str:
    """Return a card value as its letter or number."""
    return "10" if value == 10 else RANKS[value - 1]


def site_name(site: int) -> str:
    """Return the name of a site."""
    region, place = divmod(site, 16)
    if region == TOWN:
        return _(BUILDINGS[place - 1])
    if region == MINE:
        detail = NAMES[place]
    else:
        detail = _(STONES[place]) if region == CEMETERY else value_text(place)
    return f"{_(REGIONS[region])} {detail}"


def site_offer(site: int) -> str:
    """Return the name of a site with what it gives, where that is always the same."""
    region, place = divmod(site, 16)
    given: Rewards = ()
    if region == TRAIL:
        given = STOP_REWARDS[place]
    elif region == MINE:
        given = ROOM_REWARDS[place]
    elif region == BADLANDS:
        wanted, stars, cash = TARGETS[place]
        given = (("stars", stars), ("cash", cash), ("wanted", wanted))
    words = ", ".join(reward_words(*each) for each in given)
    return f"{site_name(site)} ({words})" if words else site_name(site)


def reward_words(kind: str, amount: int) -> str:
    """Return a part of a reward in words (see ``map.rewards``)."""
    if kind == "cash":
        return dollars(amount)
    if kind not in REWARDS:
        return NOUNS[kind].of(amount)
    region = _(REGIONS[amount]) if kind in ("bonus", "silver") else ""
    return _(REWARDS[kind]).format(count=amount, region=region)


def task_name(task: int) -> str:
    """Return the name of a task: a region's bonus action or a building's effect."""
    if task in TASKS:
        return _(TASKS[task])
    return _(BUILDINGS[task - EFFECT - 1]) if task > EFFECT else reward_words("bonus", task)


def squares_text(mask: int) -> str:
    """Return squares of the land as their numbers."""
    return " ".join(str(square + 1) for square in range(9) if mask >> square & 1)


def _challenges(numbers: Sequence[int], names: Sequence[str]) -> str:
    texts = [f"{number} {_(CHALLENGES[number - 1])}" for number in numbers]
    return "; ".join(texts)


WORDING = Wording(
    TEXTS.templates,
    NOUNS,
    {
        "card": lambda face, names: card_text(face),
        "cards": lambda faces, names: " ".join(map(card_text, faces)),
        "suit": lambda place, names: _(SUIT_NAMES[place]),
        "site": lambda site, names: site_name(site),
        "place": lambda site, names: site_offer(site),
        "value": lambda value, names: value_text(value),
        "task": lambda task, names: task_name(task),
        "region": lambda region, names: _(REGIONS[region]),
        "item": lambda item, names: _(ITEMS[item]),
        "rank": lambda rank, names: _(RANK_NAMES[rank]),
        "better": lambda rank, names: _(RANK_NAMES[rank]),
        "character": lambda character, names: _(CHARACTERS[character]),
        "cowbot": lambda cowbot, names: COWBOTS[cowbot],
        "bounty": lambda bounty, names: _(BOUNTIES[bounty]),
        "bounties": lambda numbers, names: "; ".join(_(BOUNTIES[each]) for each in numbers),
        "title": lambda place, names: _(TITLES[place]),
        "second": lambda place, names: _(SECONDS[place]),
        "squares": lambda mask, names: squares_text(mask),
        "challenges": _challenges,
    },
)
word = WORDING.word
