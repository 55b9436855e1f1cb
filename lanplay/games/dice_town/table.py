"""What lies on the table in Dice Town; all of it public."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lanplay.engine.plain import Plain
from lanplay.engine.table import Table
from lanplay.games.dice_town.cards import CLAIM_FACES, STORE_FACES

NUGGETS: Final = 30
DOLLARS_PER_SEAT: Final = 8
DOLLARS_IN_BANK: Final = 3
ROW: Final = 3
MOST_SEATS: Final = 5
_OTHERS: Final = [
    [tuple([other for other in range(seats) if other != seat]) for seat in range(seats)]
    for seats in range(MOST_SEATS + 1)
]
"""Every other seat, in seat order, by the number of seats and the seat."""


@dataclass(frozen=True, slots=True)
class DiceTownOptions:
    """The table options (DT-3.7, DT-6.1)."""

    claim_row: str = "recycle"
    brute: str = "free"

    @classmethod
    def of(cls, options: Mapping[str, str]) -> DiceTownOptions:
        """Return the options of a checked mapping."""
        return cls(claim_row=options["claim_row"], brute=options["brute"])

    def plain(self) -> Plain:
        """Return them as they are hashed."""
        return (self.claim_row, self.brute)


FIELDS: Final[tuple[str, ...]] = (
    "bank",
    "claims",
    "coach",
    "deck",
    "deeds",
    "dice",
    "discards",
    "dollars",
    "fences",
    "hands",
    "mine",
    "mixes",
    "nuggets",
    "obtained",
    "row",
    "scores",
    "sheriff",
    "shuffles",
    "takes",
    "winner",
    "options",
)
"""What the table has beyond every game's, in the order in which it is hashed."""


class DiceTownTable(Table):
    """The public state. Cards are handles; ``deck[0]`` and ``claims[0]`` are the top cards.

    ``dice[seat]`` are the faces set aside in this round, ``hands`` Store cards, ``deeds`` claims in
    hand, ``fences`` claims behind barbed wire. ``obtained`` says who obtained anything in part II
    of this round (DT-3.9). ``shuffles`` counts the new decks of the game, ``mixes`` and ``takes``
    each seat's mixes of its hand and blind draws in this round: so no luck depends on how often
    others shuffled or were asked.
    """

    __slots__: Final = FIELDS

    def __init__(self, seats: int, options: DiceTownOptions) -> None:
        super().__init__(seats)
        self.options = options
        self.bank = DOLLARS_IN_BANK
        self.coach = 0
        self.mine = NUGGETS
        self.sheriff = 0
        self.shuffles = 0
        self.mixes = [0] * seats
        self.takes = [0] * seats
        self.deck = list(STORE_FACES)
        self.claims = list(CLAIM_FACES)
        self.faces = {card: card for card in (*self.deck, *self.claims)}
        self.discards: list[int] = []
        self.row: list[int] = []
        self.dollars = [DOLLARS_PER_SEAT] * seats
        self.nuggets = [0] * seats
        self.obtained = [False] * seats
        self.dice: list[tuple[int, ...]] = [()] * seats
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.deeds: list[list[int]] = [[] for _ in range(seats)]
        self.fences: list[list[int]] = [[] for _ in range(seats)]
        self.scores: list[int] = []
        self.winner = -1

    def order(self) -> list[int]:
        """Return the seats from the Sheriff on (DT-6.15)."""
        return [(self.sheriff + step) % self.seats for step in range(self.seats)]

    def others(self, seat: int) -> tuple[int, ...]:
        """Return every other seat, in seat order."""
        return _OTHERS[self.seats][seat]

    def counts(self, face: int) -> list[int]:
        """Return how many dice each seat shows of a face."""
        return [dice.count(face) for dice in self.dice]

    def leaders(self, face: int) -> list[int]:
        """Return the seats that show the most of a face, at least one (DT-3.0)."""
        most, seats = 1, []
        for seat, dice in enumerate(self.dice):
            count = 0
            for die in dice:
                if die == face:
                    count += 1
            if count > most:
                most, seats = count, [seat]
            elif count == most:
                seats.append(seat)
        return seats

    def loot(self, seat: int) -> list[int]:
        """Return the cards that can be stolen from a seat: its hand, Store cards first (DT-3.5)."""
        return self.hands[seat] + self.deeds[seat]

    def victims(self, thief: int) -> list[int]:
        """Return the seats that a thief can pick (DT-3.5)."""
        hands, deeds = self.hands, self.deeds
        return [seat for seat in self.others(thief) if hands[seat] or deeds[seat]]

    def holders(self) -> list[int]:
        """Return the seats with at least one Store card: those a window opens for (DT-6.13)."""
        return [seat for seat, hand in enumerate(self.hands) if hand]

    def hand_over(self, giver: int, taker: int, dollars: int) -> int:
        """Move up to ``dollars`` between seats; return how many there were."""
        paid = min(dollars, self.dollars[giver])
        self.dollars[giver] -= paid
        self.dollars[taker] += paid
        return paid
