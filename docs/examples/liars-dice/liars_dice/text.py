"""The words of Liar's Dice: a template for every phrase of its rules and questions."""

from __future__ import annotations

from lanplay.games.wording import Wording
from lanplay.language import N_, Plural, _

FACE = N_("{count} x {face}")

TEMPLATES = {
    # what happens
    "first": N_("{seat} begins."),
    "round": N_("--- Round {number} ---"),
    "bids": N_("{seat} bids {bid}."),
    "calls": N_("{seat} calls {other} a liar."),
    "shows": N_("{seat} had {dice}."),
    "loses": N_("There are {count}, the bid was {bid}: {seat} loses a die."),
    "out": N_("{seat} has no dice left."),
    "wins": N_("{seat} wins."),
    # what is asked
    "ask-bid": N_("What do you bid? The last bid: {bid}, of {total:dice} in all."),
    "ask-bid/none": N_("What do you bid, of {total:dice} in all?"),
    "how-many": N_("How many dice"),
    "which": N_("With which face"),
    "call": N_("call {bid}: liar!"),
    "count": "{count}",
    "face": "{face}",
    # why not
    "malformed": N_("that is no bid"),
    "too-low": N_("a bid has to be higher than {bid}"),
}


def bid_text(bid: int) -> str:
    """Return a bid: how many dice with which face."""
    return _(FACE).format(count=bid // 6, face=bid % 6 + 1)


def dice_text(dice: tuple[int, ...]) -> str:
    """Return dice as numbers."""
    return " ".join(str(face + 1) for face in dice)


WORDING = Wording(
    TEMPLATES,
    {"dice": Plural("{count} die", "{count} dice")},
    {
        "bid": lambda bid, names: bid_text(bid) if bid else "",
        "face": lambda face, names: str(face + 1),
        "dice": lambda dice, names: dice_text(dice),
    },
)
word = WORDING.word
