"""Everything that Dice Town asks a seat, one frozen value per kind of question."""

from lanplay.games.dice_town.questions.cards import Cheat, DeclareJoe, Play, Stop
from lanplay.games.dice_town.questions.keep import PRICES, Keep, price
from lanplay.games.dice_town.questions.sheriff import Decide, DocOrder, Offer, Winner
from lanplay.games.dice_town.questions.town import Buy, Consolation, Denounce, KeepLoot, Rob, Take

__all__ = [
    "PRICES",
    "Buy",
    "Cheat",
    "Consolation",
    "Decide",
    "DeclareJoe",
    "Denounce",
    "DocOrder",
    "Keep",
    "KeepLoot",
    "Offer",
    "Play",
    "Rob",
    "Stop",
    "Take",
    "Winner",
    "price",
]
