"""Why a bot of Dice Town does what it does, in one sentence for every reason."""

from __future__ import annotations

from lanplay.games.dice_town.text import NOUNS
from lanplay.games.dice_town.text import WORDING as GAME
from lanplay.games.wording import Wording
from lanplay.language import N_

REASONS = {
    "keep-dice": N_("They cost ${dollars} and count here: {place}."),
    "keep-dice/none": N_("They cost nothing and count here: {place}."),
    "keep-none": N_("Though it costs ${dollars}, a new roll is worth more than these dice."),
    "keep-none/none": N_("A new roll is worth more than these dice."),
    "keep-most": N_("One die costs nothing: keep the face that you have most of."),
    "cheat": N_("Turn a die to {face}. It counts here: {place}."),
    "cheat-wait": N_("The Professional Cheater gains most from five dice: keep it until then."),
    "cheat-not": N_("The best face gains {gain} points now, the Professional Cheater more later."),
    "play": N_("Now it brings more than it is worth in your hand: {card}."),
    "play-not": N_("It is worth more in your hand than it brings now: {card}."),
    "stop": N_("It would bring its owner more than Wanted is worth to you: {card}."),
    "stop-not": N_("Keep Wanted for a better card than this one: {card}."),
    "joe": N_("Nobody can hand over more: {seat}."),
    "buy": N_("Of these cards it is worth most at this time of the game: {card}."),
    "rob": N_("The best card may be expected in this hand: {seat}."),
    "take": N_("Among these backs the best card may be expected: {store:store-cards}, "
               "{claims:claims}."),
    "keep-loot": N_("Of these cards it is worth most: {card}."),
    "doc-wire": N_("Nothing else is worth more, and nobody can steal what the wire guards: "
                   "{cards}."),
    "doc-store": N_("A Store card is worth more than what else the Doc has for your dice."),
    "doc-dollars": N_("The dollars of all others are worth more than what else the Doc has."),
    "doc-nuggets": N_("A nugget of every other seat is worth more than what else the Doc has."),
    "offer": N_("{place}: it is worth this offer to you, and no more."),
    "offer-kept": N_("{place}: the Sheriff is tied as well, and keeping it brings {gain} points."),
    "offer-never": N_("Offer nothing for what may bring you {gain} points: {place}."),
    "offer-little": N_("{place}: {gain} points to you are too little for an offer."),
    "offer-poor": N_("{place}: {gain} points to you, but ${dollars} is too little for an offer."),
    "decide-self": N_("{place}: worth more to you than what is offered."),
    "decide-bribe": N_("{place}: the best offer is that of {seat}."),
    "decide-low": N_("{place}: it harms you least if it goes to {seat}."),
    "doc-order": N_("Who goes first gets most: you begin, and then who has least."),
    "doc-order-least": N_("First goes who has least, {gain} points as far as all can see: {seat}."),
    "winner": N_("The Sheriff picks the winner: {seat}."),
}  # fmt: skip

WORDING = Wording(REASONS, NOUNS, GAME.shown)
word = WORDING.word
