"""The actions of Dice Town for programs that learn.

Cards are chosen by what they are, not by which of two alike; dice under a cup by their places from
the lowest face on, of equal ones the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from lanplay.engine.question import Answer, Question
from lanplay.env.catalog import Catalog, subset
from lanplay.env.declared import Choice, Steps
from lanplay.env.places import SEATS
from lanplay.games.dice_town.cards import (
    BRUTE,
    CHEATER,
    CLAIM_FACES,
    CORRUPTION,
    CREDIT,
    DYNAMITE,
    ELIXIR,
    EQUIPMENT,
    GIRLS,
    MARSHAL,
    SPLIT,
    STORE_FACES,
    WANTED,
    kind,
    points,
)
from lanplay.games.dice_town.poker import ACE, DICE, FACES, JACK, KING, NINE
from lanplay.games.dice_town.questions import (
    PRICES,
    Buy,
    Consolation,
    Decide,
    DeclareJoe,
    DiceTownCheat,
    DocOrder,
    Keep,
    KeepLoot,
    Play,
    Rob,
    SheriffOffer,
    Stop,
    Take,
    Winner,
)
from lanplay.games.dice_town.questions.cards import is_joe
from lanplay.games.dice_town.questions.keep import MOST_BRUTES
from lanplay.games.dice_town.questions.shapes import DiceTownView, held
from lanplay.games.dice_town.questions.town import to_lay
from lanplay.games.dice_town.table import DOLLARS_IN_BANK, DOLLARS_PER_SEAT, MOST_SEATS, NUGGETS

MOST_DOLLARS: Final = DOLLARS_IN_BANK + MOST_SEATS * DOLLARS_PER_SEAT
FACE_NAMES: Final = ("9", "10", "Jack", "Queen", "King", "Ace")
DICE_NAMES: Final = [f"die {place + 1}" for place in range(DICE)]
_MASKS: Final = 1 << DICE
OTHERS: Final = SEATS[1:MOST_SEATS]
_VISITS: Final = (NINE, JACK, KING, ACE)
_PLAYED: Final = (DYNAMITE, SPLIT, MARSHAL, CORRUPTION, ELIXIR)


def what(face: int) -> str:
    """Return what a card is: cards of which that is the same are alike."""
    named = kind(face)
    if named == EQUIPMENT:
        return f"equipment worth {points(face)}"
    return f"a claim worth {points(face)}" if face in CLAIM_FACES else named


WHAT: Final = tuple([what(face) for face in (*STORE_FACES, *CLAIM_FACES)])
CARD_NAMES: Final = [f"{each} (card {face})" for face, each in enumerate(WHAT)]
_KINDS: Final = tuple(dict.fromkeys(WHAT))
_KIND: Final = tuple([_KINDS.index(each) for each in WHAT])
"""The number of what a card is, by its face."""

CATALOG: Final = Catalog(
    {
        "keep": [
            f"keep {subset(DICE_NAMES, mask)}{f' with {count} Brute' if count else ''}"
            for count in range(MOST_BRUTES + 1)
            for mask in range(_MASKS)
        ],
        "play": ["play no card", *[f"play {each}" for each in _PLAYED]],
        "turn": [
            "turn no die",
            *[f"turn a {old} to {new} with a Cheater" for old in FACE_NAMES for new in FACE_NAMES],
        ],
        "stop": [
            "stop no card",
            *[f"stop the {nth} card of {seat}" for seat in OTHERS for nth in ("1st", "2nd")],
        ],
        "buy": [f"keep {each}" for each in _KINDS],
        "joe": [f"Nervous Joe visits {seat}" for seat in OTHERS],
        "credit": ["do not lay the Credit", "lay the Credit"],
        "rob": [f"rob {seat}" for seat in OTHERS],
        "take": [f"take {count} Store cards" for count in range(DICE + 1)],
        "loot": [f"keep of the loot {each}" for each in _KINDS],
        "girls": ["do not lay the Girls", "lay the Girls"],
        "visit": ["do not visit the Doc", "barbed wire", "a Store card", "dollars", "nuggets"],
        "fence": [f"fence {each}" for each in _KINDS],
        "dollars": [f"offer {count} dollars" for count in range(MOST_DOLLARS + 1)],
        "nuggets": [f"offer {count} nuggets" for count in range(NUGGETS + 1)],
        "cards": ["offer no more cards", *[f"offer {each}" for each in _KINDS]],
        "decide": [f"decide for {seat}" for seat in SEATS[:MOST_SEATS]],
        "order": [f"the Doc sees next {seat}" for seat in SEATS[:MOST_SEATS]],
        "winner": [f"the winner is {seat}" for seat in SEATS[:MOST_SEATS]],
    }
)
_START: Final = CATALOG.start
_KEEP: Final = _START["keep"]
_TURN: Final = _START["turn"]
_PASS_OR_PLAY: Final = {
    card: (_START["play"], _START["play"] + 1 + number) for number, card in enumerate(_PLAYED)
}


@lru_cache(1 << 14)
def _keeps(dice: tuple[int, ...], dollars: int, brutes: int, option: str) -> tuple[int, ...]:
    """Return the ways to keep some of sorted dice that can be paid (DT-2.2, DT-2.3, DT-6.1)."""
    masks = [
        mask
        for mask in range(1 << len(dice))
        if not any(
            mask >> place & 1 and not mask >> place - 1 & 1 and dice[place] == dice[place - 1]
            for place in range(1, len(dice))
        )
    ]
    return tuple(
        [
            _KEEP + laid * _MASKS + mask
            for laid in range(brutes + 1)
            for mask in masks
            if PRICES[option][laid][mask.bit_count()] <= dollars
        ]
    )


def _keep(choice: Choice) -> Steps:
    question: Any = choice.question
    cup = choice.view.cup
    brutes = held(choice.view, question.hand, BRUTE) if question.hand else []
    action = yield _keeps(
        tuple(sorted(cup)), min(question.dollars, DICE), len(brutes), question.option
    )
    laid, mask = divmod(action - _KEEP, _MASKS)
    order = sorted(range(len(cup)), key=cup.__getitem__)
    places = tuple([order[place] for place in range(DICE) if mask >> place & 1])
    return places, tuple(brutes[:laid])


def _play(choice: Choice) -> Steps:
    question: Any = choice.question
    passed, played = _PASS_OR_PLAY[question.card]
    action = yield (passed, played)
    return None if action == passed else held(choice.view, question.hand, question.card)[0]


def _cheat(choice: Choice) -> Steps:
    """Turn dice by their faces, one Cheater after the other, until none is turned (DT-6.2)."""
    question: Any = choice.question
    done: list[Answer] = []
    left = list(enumerate(question.faces))
    for card in held(choice.view, question.hand, CHEATER):
        olds = sorted({face for _, face in left})
        turns = [_TURN + 1 + old * FACES + new for old in olds for new in range(FACES)]
        action = yield (_TURN, *turns)
        if action == _TURN:
            break
        old, new = divmod(action - _TURN - 1, FACES)
        place = next(place for place, face in left if face == old)
        left.remove((place, old))
        done.append((card, place, new))
    return tuple(done)


def _stop(choice: Choice) -> Steps:
    question: Any = choice.question
    view = choice.view
    start = _START["stop"]
    found: dict[int, int] = {}
    for card, by in zip(question.targets, question.by, strict=True):
        number = start + 1 + 2 * ((by - view.seat) % view.table.seats - 1)
        if number not in found:
            found[number] = card
        elif kind(view.table.faces[card]) != BRUTE:  # two Brutes are alike
            found[number + 1] = card
    action = yield (start, *sorted(found))
    return None if action == start else (held(view, question.hand, WANTED)[0], found[action])


Picked: TypeAlias = "Callable[[Choice, Iterable[int]], Any]"


def _seat(section: str, own: bool = False) -> Picked:
    """Return a step in which one of some seats is picked, among them perhaps the own one."""
    start = _START[section]

    def pick(choice: Choice, seats: Iterable[int]) -> Any:
        me, count = choice.view.seat, choice.view.table.seats
        found = sorted([start + (seat - me) % count - (not own) for seat in seats])
        action = yield found
        return (action - start + (not own) + me) % count

    return pick


def _card(section: str) -> Picked:
    """Return a step in which one of some cards is picked by what it is."""
    start = _START[section]

    def pick(choice: Choice, cards: Iterable[int]) -> Any:
        found = _by_kind(choice.view, cards)
        action = yield [start + number for number in sorted(found)]
        return found[action - start][0]

    return pick


def _by_kind(view: DiceTownView, cards: Iterable[int]) -> dict[int, list[int]]:
    """Return cards of which the seat knows the face by the number of what they are."""
    found: dict[int, list[int]] = {}
    for card in cards:
        face = view.face(card)
        assert face is not None, "a seat chooses among cards that it knows"
        found.setdefault(_KIND[face], []).append(card)
    return found


_joe_visits, _robs = _seat("joe"), _seat("rob")
_decides, _orders, _wins = _seat("decide", True), _seat("order", True), _seat("winner", True)
_keeps_card, _keeps_loot, _fences = _card("buy"), _card("loot"), _card("fence")


def _one(pick: Picked, among: str) -> Callable[[Choice], Steps]:
    """Return the steps of a question that is answered in one, ``among`` what it names so."""
    return lambda choice: pick(choice, getattr(choice.question, among))


def _lay(choice: Choice, section: str, cards: Sequence[int]) -> Any:
    """Let a card be laid, or not."""
    start = _START[section]
    action = yield (start, start + 1)
    return None if action == start else cards[0]


def _buy(choice: Choice) -> Steps:
    question: Any = choice.question
    card = yield from _keeps_card(choice, question.cards)
    victim = credit = None
    if is_joe(choice.view, card):
        victim = yield from _joe_visits(choice, question.others)
    if found := to_lay(choice.view, CREDIT, question.layable, question.cards, card):
        credit = yield from _lay(choice, "credit", found)
    return card, victim, credit


def _take(choice: Choice) -> Steps:
    question: Any = choice.question
    start = _START["take"]
    least = max(0, question.count - question.claims)
    most = min(question.count, question.store)
    return (yield range(start + least, start + most + 1)) - start


def _loot(choice: Choice) -> Steps:
    question: Any = choice.question
    card = yield from _keeps_loot(choice, question.cards)
    girls = None
    if found := to_lay(choice.view, GIRLS, question.layable, question.cards, card):
        girls = yield from _lay(choice, "girls", found)
    return card, girls


def _visit(choice: Choice) -> Steps:
    """Visit the Doc; claims to fence are picked one by one, the lowest first (DT-3.8)."""
    question: Any = choice.question
    start = _START["visit"]
    offers = [start + 1 + number for number, face in enumerate(_VISITS) if face in question.faces]
    action = yield (start, *offers)
    if action == start:
        return None
    face = _VISITS[action - start - 1]
    fenced: list[int] = []
    if face == NINE:
        left = list(question.deeds)
        for more in range(min(2, len(left)), 0, -1):
            left.sort(key=lambda card: _rank(choice.view, card))
            card = yield from _fences(choice, left[: len(left) - more + 1])
            fenced.append(card)
            left = [each for each in left if _rank(choice.view, each) >= _rank(choice.view, card)]
            left.remove(card)
    return face, tuple(fenced)


def _rank(view: DiceTownView, card: int) -> int:
    face = view.face(card)
    return -1 if face is None else _KIND[face]


def _offer(choice: Choice) -> Steps:
    """Offer dollars, nuggets, then cards in the order of what they are (DT-4.2)."""
    question: Any = choice.question
    start = _START["dollars"]
    dollars = (yield range(start, start + question.dollars + 1)) - start
    start = _START["nuggets"]
    nuggets = (yield range(start, start + question.nuggets + 1)) - start
    left, start, least = _by_kind(choice.view, question.cards), _START["cards"], 0
    offered: list[int] = []
    while True:
        free = [start + 1 + each for each in sorted(left) if each >= least and left[each]]
        action = yield (start, *free)
        if action == start:
            return dollars, nuggets, tuple(offered)
        least = action - start - 1
        offered.append(left[least].pop(0))


def _order(choice: Choice) -> Steps:
    question: Any = choice.question
    left, order = list(question.visitors), []
    while left:
        seat = yield from _orders(choice, left)
        left.remove(seat)
        order.append(seat)
    return tuple(order)


STEPS: Final[dict[type[Question], Callable[[Choice], Steps]]] = {
    Keep: _keep,
    Play: _play,
    DiceTownCheat: _cheat,
    Stop: _stop,
    DeclareJoe: _one(_joe_visits, "others"),
    Buy: _buy,
    Rob: _one(_robs, "victims"),
    Take: _take,
    KeepLoot: _loot,
    Consolation: _visit,
    SheriffOffer: _offer,
    Decide: _one(_decides, "tied"),
    DocOrder: _order,
    Winner: _one(_wins, "tied"),
}
"""How each kind of question is answered."""
