"""Why a bot of A Dog's Life does what it does, in one sentence for every reason."""

from __future__ import annotations

from lanplay.games.dogs_life.text import NOUNS
from lanplay.games.dogs_life.text import WORDING as GAME
from lanplay.games.wording import Wording, texts_of
from lanplay.language import N_

REASONS = texts_of(__name__).templates

WORTH = N_("Expected, in bones buried: {worth}.")
"""What a hint is worth: who buries most bones wins (DL-4.1)."""

WORDING = Wording(REASONS, NOUNS, GAME.shown)
word = WORDING.word
