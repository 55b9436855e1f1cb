"""Everything that Dice Town asks a seat, one frozen value per kind of question."""

from lanplay.games.dice_town.questions.cards import DeclareJoe, DiceTownCheat, Play, Stop
from lanplay.games.dice_town.questions.keep import PRICES, Keep, price
from lanplay.games.dice_town.questions.sheriff import Decide, DocOrder, SheriffOffer, Winner
from lanplay.games.dice_town.questions.town import Buy, Consolation, Denounce, KeepLoot, Rob, Take

__all__ = [
    "PRICES",
    "Buy",
    "Consolation",
    "Decide",
    "DeclareJoe",
    "Denounce",
    "DiceTownCheat",
    "DocOrder",
    "Keep",
    "KeepLoot",
    "Play",
    "Rob",
    "SheriffOffer",
    "Stop",
    "Take",
    "Winner",
    "price",
]
