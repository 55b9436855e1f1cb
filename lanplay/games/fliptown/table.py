"""What lies on the table in Fliptown; all of it public."""

from __future__ import annotations

from dataclasses import astuple
from typing import Final

from lanplay.engine.frozen import frozen
from lanplay.engine.plain import Plain
from lanplay.engine.table import Table
from lanplay.games.fliptown.cards import CARDS
from lanplay.games.fliptown.sheet import Sheet

ROUNDS, TURNS, FLIPPED = 3, 5, 3


@frozen
class FliptownOptions:
    """The table options by name; a cowbot plays against one seat only."""

    characters: str = "none"
    holdem: str = "none"
    cowbot: str = "none"
    level: str = "normal"
    guns: str = "rulebook"
    rows: str = "sites"
    jane: str = "star"

    def plain(self) -> tuple[Plain, ...]:
        """Return them as they are hashed."""
        return astuple(self)


FIELDS = (
    "bounties",
    "cowbot",
    "deck",
    "discards",
    "flipped",
    "hole",
    "ready",
    "rival",
    "scores",
    "sheriff",
    "shuffles",
    "stolen",
    "taken",
    "turn",
    "options",
    "sheets",
)
"""What the table has beyond every game's, in the order in which it is hashed."""

_FACES: Final = {card: card for card in range(CARDS)}


class FliptownTable(Table):
    """The public state. Cards are handles; ``deck[0]`` is the top card.

    ``sheriff`` is the sheriff card of this round or ``None``, ``hole[seat]`` are the two extra
    cards of hold 'em, ``flipped`` the three cards of this turn, ``stolen`` what a cowbot holds.
    ``bounties`` are the numbers of those in the game, from 0, and ``taken`` is a mask of places
    among them that have been paid once. ``cowbot`` is the suit of the opponent, -1 without one,
    ``rival`` its score. ``ready`` tells whether the set-up is done. ``turn`` counts from 1 within
    the round, ``shuffles`` the decks made anew within it.
    """

    __slots__: Final = FIELDS

    def __init__(self, seats: int, options: FliptownOptions) -> None:
        super().__init__(seats)
        self.options = options
        self.deck = [*_FACES]
        self.faces = _FACES.copy()
        self.discards: list[int] = []
        self.flipped: list[int] = []
        self.sheriff: int | None = None
        self.hole: list[list[int]] = [[] for _ in range(seats)]
        self.stolen: list[int] = []
        self.sheets = [Sheet() for _ in range(seats)]
        self.bounties: tuple[int, ...] = ()
        self.taken = 0
        self.cowbot = -1
        self.rival = 0
        self.ready = 0
        self.turn = 0
        self.shuffles = 0
        self.scores: list[int] = []

    def lineup(self) -> tuple[int, ...]:
        """Return the faces of the three flipped cards."""
        return tuple([self.faces[card] for card in self.flipped])
