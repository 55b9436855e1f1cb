"""Why a bot of Dice Town does what it does, in one sentence for every reason."""

from __future__ import annotations

from lanplay.games.dice_town.text import NOUNS
from lanplay.games.dice_town.text import WORDING as GAME
from lanplay.games.wording import Wording, texts_of

REASONS = texts_of(__name__).templates

WORDING = Wording(REASONS, NOUNS, GAME.shown)
word = WORDING.word
