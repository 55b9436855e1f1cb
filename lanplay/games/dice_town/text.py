"""The words of Dice Town: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.question import Phrase
from lanplay.games.dice_town.cards import CLAIM_FACES, EQUIPMENT, kind, points
from lanplay.games.dice_town.poker import rank
from lanplay.games.wording import Wording, texts_of
from lanplay.language import _, filled

FACES = ("9", "10", "J", "Q", "K", "A")

TEXTS = texts_of(__name__)
NOUNS = TEXTS.nouns
CARDS = TEXTS.more["cards"]

PLACES = TEXTS.more["places"]

BRIBE = TEXTS.more["bribe"]
"""The parts of an offer, as what is offered."""


def dice_text(faces: Sequence[int]) -> str:
    """Return dice as poker letters."""
    return " ".join(FACES[face] for face in faces)


HANDS = TEXTS.more["hands"]
"""By the kind of a hand (``poker.rank``), what it is called."""


def hand_name(faces: Sequence[int]) -> str:
    """Return what a hand of five dice is called: what counts first, then by which faces."""
    kind, *by = rank(tuple(faces))
    values = {"faces": " ".join(FACES[face] for face in by), "face": FACES[by[0]]}
    if len(by) > 1:
        values["other"] = FACES[by[1]]
    return _(HANDS[kind - 1]).format(**values)


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


def _hand(faces: Sequence[int], names: Sequence[str]) -> str:
    return hand_name(faces)


def _held(faces: Sequence[int], names: Sequence[str]) -> str:
    """Return cards at the end of a game: claims, of which there are many, by their points."""
    store = [card_name(face) for face in sorted(faces) if face not in CLAIM_FACES]
    claims = sorted((points(face) for face in faces if face in CLAIM_FACES), reverse=True)
    told = [_("claims of {points}").format(points=" ".join(map(str, claims)))] if claims else []
    return ", ".join([*store, *told])


def _standing(standing: Sequence[tuple[int, Sequence[int]]], names: Sequence[str]) -> str:
    return ", ".join(f"{names[seat]} {dice_text(faces)}" for seat, faces in standing)


WORDING = Wording(
    TEXTS.templates,
    NOUNS,
    {
        "faces": _dice,
        "face": lambda face, names: FACES[face],
        "card": lambda face, names: card_name(face),
        "cards": _cards,
        "hand": _hand,
        "held": _held,
        "next": _hand,
        "standing": _standing,
        "kind": lambda kind, names: kind_name(kind),
        "place": lambda place, names: place_name(place),
    },
)


def word(message: Phrase, names: Sequence[str]) -> str:
    """Return a message in the language of the process; ``KeyError`` for an unknown id."""
    if message.id in ("offers", "seat-offers"):
        message = Phrase(message.id, {**message.values, "bribe": _bribe(message.values)})
    if message.id == "keeps" and not message.values["faces"]:
        message = Phrase("keeps-nothing", message.values)
    if message.id == "hand":
        message = Phrase(message.id, {"hand": message.values["faces"], **message.values})
    return WORDING.word(message, names)
