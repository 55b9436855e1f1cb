"""Fliptown for programs that learn: what is seen of it, and the actions.

A turn is chosen pick by pick, as people choose it; while it is chosen, the own sheet is observed as
the picks have made it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from lanplay.engine.view import View
from lanplay.env.catalog import Catalog
from lanplay.env.declared import CardPlaces, Choice, Declared, Steps
from lanplay.env.places import FLAG, MANY, Bits, BySeat, OneOf, Parts, Several, Spread, Whole
from lanplay.games.fliptown import MANIFEST
from lanplay.games.fliptown.bounties import DRAWN, MET
from lanplay.games.fliptown.cards import CARDS, RANKS, SUITS
from lanplay.games.fliptown.characters import CHARACTERS, JOKERS
from lanplay.games.fliptown.codes import ABILITY, BAIL, EFFECT, JOKER, NO, PICK, PLAN
from lanplay.games.fliptown.map import (
    BUILDINGS,
    CHURCH_LIMIT,
    CLUB_LIMIT,
    HIDEOUT_CROSSES,
    HOTEL_STARS,
    ITEMS,
    MOST_TOOLS,
    NAMES,
    PLACES,
    PLACINGS,
    REGION_NAMES,
    REGIONS,
    SALOON_LIMIT,
    STONES,
    site,
)
from lanplay.games.fliptown.poker import ROYAL_FLUSH
from lanplay.games.fliptown.questions import (
    Bribe,
    Fine,
    FliptownCheat,
    Move,
    Preach,
    Redraw,
    Replace,
)
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import FLIPPED, ROUNDS, TURNS, FliptownTable
from lanplay.games.fliptown.turn import TurnWalk

MOST: Final = 4
_CARD_NAMES: Final = [f"{RANKS[card % 13]}{SUITS[card // 13]}" for card in range(CARDS)]
_WAYS: Final = ("gold", "pans", "a joker")
_CROSSES: Final = 12
"""More WANTED than are crossed out at a time."""


def _place_name(region: int, place: int) -> str:
    name = {2: NAMES, 4: STONES}.get(region)
    return f"{REGION_NAMES[region]} {place if name is None else name[place]}"


_SITES: Final = {
    site(region, place): _place_name(region, place)
    for region in REGIONS
    for place in PLACES[region]
}
_TASKS: Final = {
    **{region: f"a bonus in the {REGION_NAMES[region]}" for region in REGIONS},
    BAIL: "the hunted card",
    PLAN: "the plan",
    ABILITY: "the ability",
    PICK: "what the office gives",
    **{EFFECT + building: f"the {name}" for building, (name, _) in BUILDINGS.items()},
}
_UNTIL: Final = {
    "cross": _CROSSES,
    "hideout": HIDEOUT_CROSSES,
    "church": CHURCH_LIMIT,
    "hotel": 1,
    "look": 1,
    "saloon": SALOON_LIMIT,
    "club": CLUB_LIMIT,
}
_OPTIONS: Final[dict[str, dict[int, str]]] = {
    "suit-card": {place: f"card {place + 1}" for place in range(FLIPPED)},
    "value-card": {place: f"card {place + 1}" for place in range(FLIPPED)},
    "suit": {
        **dict(enumerate(SUITS)),
        **{number + JOKER: f"{suit} by a joker" for number, suit in enumerate(SUITS)},
    },
    "site": _SITES,
    "way": dict(enumerate(_WAYS)),
    "next": _TASKS,
    "bonus": _SITES,
    "region": dict(enumerate(REGION_NAMES)),
    "bail": dict(enumerate(("cash", "gold", "cross out"))),
    "office": dict(enumerate(("star", "cross out"))),
    "tool": dict(enumerate(("pan", "hammer"))),
    "buy": dict(enumerate(ITEMS)),
    "land": {mask: f"squares {mask:09b}" for mask in PLACINGS},
    **{what: {count: str(count) for count in range(most + 1)} for what, most in _UNTIL.items()},
}
_NUMBERS: Final[dict[Any, tuple[str, ...]]] = {
    Replace: ("keep the cards", "replace the cards"),
    FliptownCheat: ("do not cheat", "cheat"),
    Preach: tuple([f"cross out {count}" for count in range(MOST_TOOLS + 3)]),
    Bribe: ("do not bribe", "bribe the sheriff"),
    Redraw: ("do not draw", "draw an own sheriff card"),
    Fine: ("pay the fine in cash", "pay the fine in stars"),
}
CATALOG: Final = Catalog(
    {
        what: [f"{what}: none", *[f"{what}: {each}" for each in options.values()]]
        for what, options in _OPTIONS.items()
    }
    | {kind.name: words for kind, words in _NUMBERS.items()}
)
_ACTIONS: Final = {
    what: {
        NO: CATALOG.start[what],
        **{value: number for number, value in enumerate(options, CATALOG.start[what] + 1)},
    }
    for what, options in _OPTIONS.items()
}
"""The numbers of the actions by what is chosen and by the option."""


def _move(choice: Choice) -> Steps:
    question: Any = choice.question
    walk = TurnWalk(question.sheet.copy(), question.turn)
    choice.working = walk.sheet
    picked = []
    while walk.ask is not None:
        numbers = _ACTIONS[walk.ask.what]
        found = {numbers[value]: value for value in walk.ask.values}
        value = found[(yield tuple(found))]
        picked.append(value)
        walk.take(value)
    return tuple(picked)


def _number(kind: Any) -> Callable[[Choice], Steps]:
    start = CATALOG.start[kind.name]

    def steps(choice: Choice) -> Steps:
        question: Any = choice.question
        return (yield range(start, start + question.most + 1)) - start

    return steps


_COUNTERS: Final = {
    "cash": Whole(MANY),
    "gold": Whole(MANY),
    "stars": Whole(MANY),
    "wanted": Whole(MANY),
    "mined": Whole(MANY),
    "pans": OneOf(range(MOST_TOOLS + 1)),
    "hammers": OneOf(range(MOST_TOOLS + 1)),
    "hotel": OneOf(range(len(HOTEL_STARS))),
    "items": Bits(ITEMS),
    "land": Bits([f"square {number + 1}" for number in range(9)]),
    "bonuses": Bits(REGION_NAMES),
    "moments": Bits(("rich", "outlawed")),
    "bounties": Bits([f"bounty {number + 1}" for number in range(DRAWN)]),
    "gained": Bits(("gold", "bonus", "star", "wanted", "cash")),
    "arrests": Whole(ROUNDS),
    "ever_wanted": FLAG,
    "uses": Whole(JOKERS),
    "character": OneOf(range(len(CHARACTERS)), tuple(CHARACTERS)),
    "counted": OneOf(range(4), SUITS),
    "assigned": OneOf(range(FLIPPED), [f"card {place + 1}" for place in range(FLIPPED)]),
}
_counters = attrgetter(*_COUNTERS)
_SHEET: Final = Parts(
    **_COUNTERS,
    poker=Bits(_CARD_NAMES),
    ranks=Several(Whole(ROYAL_FLUSH), [f"round {n + 1}" for n in range(ROUNDS)], opens=True),
    circled=Parts(
        **{
            REGION_NAMES[region]: Bits(
                [_place_name(region, place) for place in range(PLACES[region].stop)]
            )
            for region in REGIONS
        }
    ),
    pool=Spread(Whole(MANY), [*_TASKS.values()]),
)
_TASK: Final = {task: number for number, task in enumerate(_TASKS)}
_NO_TASKS: Final = (0,) * len(_TASKS)


def _sheet(s: Sheet) -> tuple[Any, ...]:
    tasks: tuple[int, ...] | list[int] = _NO_TASKS
    if s.pool:
        tasks = [*_NO_TASKS]
        for task in s.pool:
            tasks[_TASK[task]] += 1
    return (*_counters(s), s.poker, s.ranks, tuple(s.circled), tasks)


def _sheets(view: View[FliptownTable], choice: Choice | None) -> list[tuple[Any, ...]]:
    """Return the sheets of all; the own one as the picks so far have made it."""
    sheets = list(view.table.sheets)
    if choice is not None and choice.working is not None:
        sheets[view.seat] = choice.working
    return list(map(_sheet, sheets))


_options = attrgetter(*[each.name for each in MANIFEST.options])
_CARD: Final = Parts(suit=OneOf(range(4), SUITS), rank=OneOf(range(13), RANKS))


def _parted(face: int) -> tuple[int, int]:
    return face // 13, face % 13


DECLARED: Final = Declared(
    table=FliptownTable,
    seats=MOST,
    catalog=CATALOG,
    steps={Move: _move, **{kind: _number(kind) for kind in _NUMBERS}},
    fields={
        "options": Parts(**{each.name: OneOf(tuple(each.values)) for each in MANIFEST.options}),
        "round": OneOf(range(ROUNDS + 1)),
        "turn": OneOf(range(TURNS + 1)),
        "ready": FLAG,
        "shuffles": Whole(MANY),
        "bounties": Several(OneOf(range(len(MET))), [f"bounty {n + 1}" for n in range(DRAWN)]),
        "taken": Bits([f"bounty {number + 1}" for number in range(DRAWN)]),
        "cowbot": OneOf(range(4), SUITS),
        "rival": Whole(MANY),
        "scores": BySeat(Whole(MANY), MOST, opens=True),
        "sheets": BySeat(_SHEET, MOST),
        "flipped_cards": Several(_CARD, [f"card {place + 1}" for place in range(FLIPPED)]),
    },
    reads={
        "options": lambda view, _: _options(view.table.options),
        "sheets": _sheets,
        "flipped_cards": lambda view, _: [_parted(face) for face in view.table.lineup()],
    },
    cards=CardPlaces(
        _CARD_NAMES, ["deck", "discards", "flipped", "stolen", "sheriff"], ["hole"], MOST
    ),
    tells={
        "hand_without": Whole(ROYAL_FLUSH),
        "hand_with": Whole(ROYAL_FLUSH),
        "card_against_you": _CARD,
    },
    about={
        FliptownCheat: lambda view, q: {"hand_without": q.before, "hand_with": q.after},
        Redraw: lambda view, q: {"card_against_you": _parted(q.card)},
    },
    picks=True,
)
