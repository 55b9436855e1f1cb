"""Dice Town in English: a wording for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lanplay.engine.question import Message
from lanplay.games.dice_town.cards import CLAIM_FACES, EQUIPMENT, kind, points

FACES = ("9", "10", "J", "Q", "K", "A")

CARDS = {
    "equipment": "Equipment",
    "dynamite": "Dynamite",
    "girls": "The Girls",
    "brute": "The Brute",
    "cheater": "Professional Cheater",
    "corruption": "Corruption",
    "credit": "Unlimited Credit",
    "joe": "Nervous Joe",
    "marshal": "Marshal",
    "split": "Even Split",
    "wanted": "Wanted",
    "elixir": "Doc Badluck's Elixir",
}

PLACES = {
    "mine": "the Gold Mine",
    "bank": "the Bank",
    "store": "the General Store",
    "saloon": "the Saloon",
    "badge": "the Sheriff's badge",
    "hall": "the Town Hall",
}

EVENTS = {
    "round": "--- Round {number} ---",
    "first-sheriff": "{seat} is the first Sheriff.",
    "deals-anew": "{count} hidden cards are shuffled and dealt anew.",
    "row": "In the Town Hall row: {cards}.",
    "keeps": "{seat} keeps {faces} for ${dollars}.",
    "goes-back": "{seat} cannot pay for {faces}: back under the cup.",
    "last-roll": "{seat} shows a last roll: {faces}.",
    "turns": "{seat} turns a die: {faces} (old and new).",
    "hand": "{seat} has {faces}.",
    "plays": "{seat} plays {card}.",
    "stops": "{seat} stops {card}.",
    "offers": "{seat} offers the Sheriff ${dollars}, {nuggets} nuggets and {cards} cards.",
    "decides": "Sheriff {seat} gives {place} to {other}.",
    "mine": "Gold Mine: {seat} takes {nuggets} nuggets.",
    "bank": "Bank: {seat} takes ${dollars}.",
    "splits": "{seat} gets ${dollars} of it from {other}.",
    "coach": "The Stagecoach brings ${dollars} to the Bank.",
    "draws": "General Store: {seat} draws {count} cards and keeps one.",
    "reshuffles": "The discards become a new deck of {count} cards.",
    "joe": "{other} hands ${dollars} over to {seat}.",
    "robs": "Saloon: {seat} looks at {count} cards of {other} and keeps one.",
    "marshal": "The Marshal keeps the badge with {seat}; {other} goes without.",
    "badge": "{seat} has the Sheriff's badge.",
    "hall": "Town Hall: {seat} takes {cards}.",
    "corruption": "{seat} draws one more claim, unseen.",
    "no-doc": "{seat} does not visit Doc Badluck.",
    "doc-wire": "Doc Badluck: {seat} fences {cards}.",
    "doc-store": "Doc Badluck: {seat} draws a Store card.",
    "doc-dollars": "Doc Badluck: {seat} collects ${dollars}.",
    "doc-nuggets": "Doc Badluck: {seat} collects {nuggets} nuggets.",
    "scores": (
        "{seat}: {points} points (nuggets {nuggets}, dollars {dollars}, badge {badge}, "
        "equipment {equipment}, claims {claims})."
    ),
    "wins": "{seat} wins with {points} points.",
}

QUESTIONS = {
    "ask-keep": "Which of your {dice} dice do you keep? You have ${dollars}.",
    "ask-play": "Do you play {kind}?",
    "ask-cheat": "Do you turn one of the dice you have just shown ({faces})?",
    "ask-wanted": "Do you stop a card with Wanted?",
    "ask-joe": "Nervous Joe is yours: whom does he visit?",
    "ask-store": "Which card do you keep?",
    "ask-rob": "Whom do you rob? You may look at {count} cards.",
    "ask-take": "Which {count} cards of {seat} do you look at?",
    "ask-keep-loot": "Which card do you keep?",
    "ask-doc": "What does Doc Badluck do for you?",
    "ask-offer": "A tie for {place} between {seats}. What do you offer the Sheriff?",
    "ask-decide": "A tie for {place} between {seats}: you decide.",
    "ask-doc-order": "Who visits Doc Badluck first?",
    "ask-winner": "A tie to the end: who wins?",
}

PROMPTS = {
    "lay-brutes": "Lay The Brute with them",
    "keep-dice": "Dice to keep",
    "play": "Play {kind}",
    "turn-die": "Die to turn",
    "turn-to": "New face",
    "stop-card": "Card to stop",
    "joe-visits": "Seat that Nervous Joe visits",
    "buy-card": "Card to keep",
    "rob": "Seat to rob",
    "take": "Cards of {seat} to look at",
    "keep-loot": "Card to keep",
    "doc": "Consolation",
    "fence": "Claims to lay behind barbed wire",
    "offer-dollars": "Dollars to offer",
    "offer-nuggets": "Nuggets to offer",
    "offer-cards": "Cards to offer",
    "decide": "Who gets {place}",
    "doc-order": "Order of visits",
    "winner": "Winner",
}

OPTIONS = {
    "pass": "no",
    "die": "{face}",
    "card": "{card}",
    "hidden-card": "a hidden card",
    "seat": "{seat}",
    "seats": "{seats}",
    "backs": "{store} Store cards, {claims} claims",
    "dollars": "${count}",
    "nuggets": "{count} nuggets",
    "costs": "costs ${dollars}",
    "seat-offers": "{seat} (offers ${dollars}, {nuggets} nuggets, {cards} cards)",
    "doc-wire": "barbed wire around two of your claims",
    "doc-store": "the top Store card",
    "doc-dollars": "$2 of every other seat",
    "doc-nuggets": "a nugget of every other seat",
}

REASONS = {
    "malformed": "that is no answer to this question",
    "too-dear": "that costs ${dollars} and you have ${have}",
    "not-that-card": "that card is not {kind}",
    "joe-must-be-played": "Nervous Joe comes out at once, and only he does",
    "fence-exactly": "lay exactly {count} claims",
    "name-all": "name every visitor once",
}

_OPTION_VALUES = frozenset({"face", "store", "have"})


def dice_text(faces: Sequence[int]) -> str:
    """Return dice as poker letters."""
    return " ".join(FACES[face] for face in faces)


def card_name(face: int) -> str:
    """Return the name of a card, with its points where it has any."""
    if face in CLAIM_FACES:
        return f"Claim {points(face)}"
    name = CARDS[kind(face)]
    return f"{name} {points(face)}" if kind(face) == EQUIPMENT else name


def word(message: Message, names: Sequence[str]) -> str:
    """Return a message in English, seats by their names; ``KeyError`` for an unknown id."""
    template = _template(message)
    return template.format_map(_worded(message.values, names))


def _template(message: Message) -> str:
    if message.id in OPTIONS and (message.id not in EVENTS or "seat" not in message.values):
        return OPTIONS[message.id]
    for table in (EVENTS, QUESTIONS, REASONS):
        if message.id in table and (table is not EVENTS or message.values):
            return table[message.id]
    return PROMPTS[message.id]


def _worded(values: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    def name(seat: int) -> str:
        return names[seat]

    wordings: dict[str, Callable[[Any], str]] = {
        "seat": name,
        "other": name,
        "seats": lambda seats: ", ".join(map(name, seats)),
        "faces": lambda faces: dice_text(faces) or "nothing",
        "face": lambda face: FACES[face],
        "card": card_name,
        "cards": lambda c: str(c) if isinstance(c, int) else ", ".join(map(card_name, c)) or "none",
        "kind": lambda kind: CARDS[kind],
        "place": lambda place: PLACES.get(place, str(place)),
    }
    return {key: wordings.get(key, str)(value) for key, value in values.items()}
