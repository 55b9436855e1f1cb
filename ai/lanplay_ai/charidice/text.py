"""Why a bot of Charidice does what it does, in one sentence for every reason."""

from __future__ import annotations

from lanplay.games.charidice.text import NOUNS
from lanplay.games.charidice.text import WORDING as GAME
from lanplay.games.wording import Wording
from lanplay.language import N_

REASONS = {
    "reroll": N_("Of all dice to roll again, these promise most for you, the gift deducted."),
    "stop": N_("No roll promises more than these dice bring."),
    "score": N_("What it brings you, {points:points}, weighs most against the gift: {gift}."),
    "demand-first": N_("Demand the first gift that may be demanded: {seat}."),
    "keep-alike": N_("Keep the most dice of one number or of one colour: {dice}."),
    "score-most": N_("Of all sets it brings you most points."),
    "demand": N_(
        "Doubling this gift of {seat} promises more than the {gain} points of waiting for another."
    ),
    "wait": N_(
        "Waiting for another gift promises more than the {gain} points of doubling this of {seat}."
    ),
}

WORDING = Wording(REASONS, NOUNS, GAME.shown)
word = WORDING.word
