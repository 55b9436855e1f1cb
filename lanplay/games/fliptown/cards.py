"""The 52 cards of Fliptown: a face is 13 times its suit plus its value less one (FT-1.1)."""

from __future__ import annotations

HEART, SPADE, DIAMOND, CLUB = range(4)
"""The suits, in the order of the regions they lead to (FT-2.3)."""

RANKS = "A23456789TJQK"
SUITS = "hsdc"
"""What suits are called in the names of cards."""
SIGNS = "♥♠♦♣"
"""What suits are shown as."""
ACE, JACK, QUEEN, KING = 1, 11, 12, 13
CARDS = 52


def suit(face: int) -> int:
    """Return the suit of a card: heart 0, spade 1, diamond 2, club 3."""
    return face // 13


def number(face: int) -> int:
    """Return the value of a card, from 1 for an ace to 13 for a king (FT-1.4)."""
    return face % 13 + 1


def is_red(face: int) -> bool:
    """Tell whether a card is a heart or a diamond."""
    return suit(face) in (HEART, DIAMOND)


def card(name: str) -> int:
    """Return the face of a card such as ``Ah`` or ``Td``; ``ValueError`` for anything else."""
    return 13 * SUITS.index(name[1:]) + RANKS.index(name[0])
