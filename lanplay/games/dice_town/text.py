"""The words of Dice Town: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.question import Phrase
from lanplay.games.dice_town.cards import CLAIM_FACES, EQUIPMENT, kind, points
from lanplay.games.wording import Wording, seat_name, seat_names
from lanplay.language import N_, Plural, _, filled

FACES = ("9", "10", "J", "Q", "K", "A")

CARDS = {
    "equipment": N_("Equipment"),
    "dynamite": N_("Dynamite"),
    "girls": N_("The Girls"),
    "brute": N_("The Brute"),
    "cheater": N_("Professional Cheater"),
    "corruption": N_("Corruption"),
    "credit": N_("Unlimited Credit"),
    "joe": N_("Nervous Joe"),
    "marshal": N_("Marshal"),
    "split": N_("Even Split"),
    "wanted": N_("Wanted"),
    "elixir": N_("Doc Badluck's Elixir"),
}

PLACES = {
    "mine": N_("Gold Mine"),
    "bank": N_("Bank"),
    "store": N_("General Store"),
    "saloon": N_("Saloon"),
    "badge": N_("Sheriff's badge"),
    "hall": N_("Town Hall"),
}

NOUNS = {
    "nuggets": Plural("{count} nugget", "{count} nuggets"),
    "cards": Plural("{count} card", "{count} cards"),
    "store-cards": Plural("{count} Store card", "{count} Store cards"),
    "claims": Plural("{count} claim", "{count} claims"),
    "points": Plural("{count} point", "{count} points"),
}

EVENTS = {
    "round": N_("--- Round {number} ---"),
    "first-sheriff": N_("{seat} is the first Sheriff."),
    "deals-anew": N_("Shuffled and dealt anew, face down: {count:cards}."),
    "row": N_("In the Town Hall row: {cards}."),
    "row/none": N_("The Town Hall row is empty."),
    "keeps": N_("{seat} keeps {faces} for ${dollars}."),
    "keeps/none": N_("{seat} keeps nothing for ${dollars}."),
    "goes-back": N_("{seat} cannot pay for {faces}: back under the cup."),
    "last-roll": N_("{seat} shows a last roll: {faces}."),
    "turns": N_("{seat} turns a die: {faces} (old and new)."),
    "hand": N_("{seat} has {faces}."),
    "plays": N_("{seat} plays {card}."),
    "stops": N_("{seat} stops {card}."),
    "refuted": N_("{seat}: {card} is not what was claimed. It has no effect."),
    "offers": N_("{seat} offers the Sheriff: {bribe}."),
    "offers/none": N_("{seat} offers the Sheriff nothing."),
    "decides": N_("{place}: Sheriff {seat} decides for {other}."),
    "mine": N_("Gold Mine: {seat} takes {nuggets:nuggets}."),
    "mine/none": N_("Gold Mine: {seat} takes nothing."),
    "bank": N_("Bank: {seat} takes ${dollars}."),
    "splits": N_("Even Split: {other} hands ${dollars} of the loot to {seat}."),
    "splits/none": N_("Even Split: {other} hands nothing to {seat}."),
    "coach": N_("The Stagecoach brings ${dollars} to the Bank."),
    "coach/none": N_("The Stagecoach brings nothing to the Bank."),
    "draws": N_("General Store: {seat} draws {count:cards} and keeps one."),
    "reshuffles": N_("General Store: the discards become a new deck of {count:cards}."),
    "joe": N_("Nervous Joe: {other} hands ${dollars} to {seat}."),
    "joe/none": N_("Nervous Joe: {other} has no dollars to hand to {seat}."),
    "robs": N_("Saloon: {seat} robs {other}, looks at {count:cards} and keeps one."),
    "marshal": N_("Marshal: {seat} stays Sheriff, {other} goes without the badge."),
    "badge": N_("{seat} has the Sheriff's badge."),
    "hall": N_("Town Hall: {seat} takes {cards}."),
    "hall/none": N_("Town Hall: {seat} takes nothing."),
    "corruption": N_("Corruption: {seat} draws one more claim, unseen."),
    "no-doc": N_("{seat} does not visit Doc Badluck."),
    "doc-wire": N_("Doc Badluck: {seat} puts barbed wire around {cards}."),
    "doc-store": N_("Doc Badluck: {seat} draws a Store card."),
    "doc-dollars": N_("Doc Badluck: {seat} collects ${dollars}."),
    "doc-dollars/none": N_("Doc Badluck: {seat} collects nothing."),
    "doc-nuggets": N_("Doc Badluck: {seat} collects {nuggets:nuggets}."),
    "doc-nuggets/none": N_("Doc Badluck: {seat} collects nothing."),
    "scores": N_(
        "{seat}: {points:points} (nuggets {nuggets}, dollars {dollars}, badge {badge}, "
        "equipment {equipment}, claims {claims})."
    ),
    "wins": N_("{seat} wins with {points:points}."),
}

QUESTIONS = {
    "ask-lay-brutes": N_("Do you lay The Brute with the dice that you keep?"),
    "ask-keep": N_("Which dice do you keep? Dice: {dice}. You have ${dollars}."),
    "ask-play": N_("Do you play {kind}?"),
    "ask-cheat": N_("Do you turn one of the dice you have just shown ({faces})?"),
    "ask-turn-to": N_("To which face do you turn it?"),
    "ask-wanted": N_("Do you stop a card with Wanted?"),
    "ask-joe": N_("Nervous Joe is yours: whom does he visit?"),
    "ask-store": N_("Which card do you keep?"),
    "ask-rob": N_("Whom do you rob? You may look at {count:cards}."),
    "ask-take": N_("You rob {seat} and look at {count:cards}: with which backs?"),
    "ask-keep-loot": N_("Which card of the loot do you keep?"),
    "ask-denounce": N_("Is Nervous Joe among the cards of the bribe?"),
    "ask-doc": N_("What does Doc Badluck do for you?"),
    "ask-fence": N_("What goes behind barbed wire? Name {count:claims}."),
    "ask-offer": N_("{place}: a tie between {seats}. What do you offer the Sheriff?"),
    "ask-decide": N_("{place}: a tie between {seats}. You decide."),
    "ask-doc-order": N_("In which order do they visit Doc Badluck?"),
    "ask-winner": N_("A tie to the end: who wins?"),
}

PROMPTS = {
    "lay-brutes": N_("Brutes to lay"),
    "keep-dice": N_("Dice to keep"),
    "play": N_("Playing {kind}"),
    "turn-die": N_("Die to turn"),
    "turn-to": N_("New face"),
    "stop-card": N_("Card to stop"),
    "joe-visits": N_("Player that Nervous Joe visits"),
    "buy-card": N_("Card to keep"),
    "rob": N_("Player to rob"),
    "take": N_("Cards to look at (of {seat})"),
    "keep-loot": N_("Card to keep"),
    "doc": N_("Consolation"),
    "fence": N_("Claims to lay behind barbed wire"),
    "offer-dollars": N_("Dollars to offer"),
    "offer-nuggets": N_("Nuggets to offer"),
    "offer-cards": N_("Cards to offer"),
    "decide": N_("Who gets it ({place})"),
    "doc-order": N_("Order of visits"),
    "winner": N_("Winner"),
}

OPTIONS = {
    "pass": N_("no"),
    "die": "{face}",
    "card": "{card}",
    "hidden-card": N_("a hidden card"),
    "hidden-die": N_("a hidden die"),
    "seat": "{seat}",
    "seats": "{seats}",
    "backs": N_("{store:store-cards}, {claims:claims}"),
    "dollars": "${count}",
    "nuggets": "{count:nuggets}",
    "costs": N_("costs ${dollars}"),
    "seat-offers": N_("{seat} (offers {bribe})"),
    "seat-offers/none": N_("{seat} (offers nothing)"),
    "visit-wire": N_("barbed wire around two of your claims"),
    "visit-store": N_("the top Store card"),
    "visit-dollars": N_("$2 of every other seat"),
    "visit-nuggets": N_("a nugget of every other seat"),
}

BRIBE = {
    "dollars": N_("${dollars}"),
    "nuggets": N_("{nuggets:nuggets}"),
    "count": N_("{count:cards}"),
}
"""The parts of an offer, as what is offered."""

REASONS = {
    "malformed": N_("that is no answer to this question"),
    "too-dear": N_("that costs ${dollars} and you have ${have}"),
    "not-that-card": N_("that card is not {kind}"),
    "joe-must-be-played": N_("Nervous Joe comes out at once, and only he does"),
    "fence-exactly": N_("lay exactly {count:claims}"),
    "name-all": N_("name every visitor once"),
}


def dice_text(faces: Sequence[int]) -> str:
    """Return dice as poker letters."""
    return " ".join(FACES[face] for face in faces)


def kind_name(kind: str) -> str:
    """Return the name of a kind of Store card."""
    return _(CARDS[kind])


def place_name(place: str) -> str:
    """Return the name of a location, without an article."""
    return _(PLACES[place])


def card_name(face: int) -> str:
    """Return the name of a card, with its points where it has any."""
    if face in CLAIM_FACES:
        return _("Claim {points}").format(points=points(face))
    name = kind_name(kind(face))
    return f"{name} {points(face)}" if kind(face) == EQUIPMENT else name


def _dice(faces: Sequence[int], names: Sequence[str]) -> str:
    return dice_text(faces)


def _cards(faces: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(map(card_name, faces))


def _bribe(values: Mapping[str, Any]) -> str:
    """Return what an offer holds, without what there is none of."""
    parts = [filled(_(form), values, NOUNS) for name, form in BRIBE.items() if values[name]]
    return ", ".join(parts)


WORDING = Wording(
    {**EVENTS, **QUESTIONS, **PROMPTS, **OPTIONS, **REASONS},
    NOUNS,
    {
        "seat": seat_name,
        "other": seat_name,
        "seats": seat_names,
        "faces": _dice,
        "face": lambda face, names: FACES[face],
        "card": lambda face, names: card_name(face),
        "cards": _cards,
        "kind": lambda kind, names: kind_name(kind),
        "place": lambda place, names: place_name(place),
    },
)


def word(message: Phrase, names: Sequence[str]) -> str:
    """Return a message in the language of the process; ``KeyError`` for an unknown id."""
    if message.id in ("offers", "seat-offers"):
        message = Phrase(message.id, {**message.values, "bribe": _bribe(message.values)})
    return WORDING.word(message, names)
