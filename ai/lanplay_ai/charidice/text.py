"""Why a bot of Charidice does what it does, in one sentence for every reason."""

from __future__ import annotations

from lanplay.games.charidice.text import NOUNS
from lanplay.games.charidice.text import WORDING as GAME
from lanplay.games.wording import Wording, texts_of

REASONS = texts_of(__name__).templates

WORDING = Wording(REASONS, NOUNS, GAME.shown)
word = WORDING.word
