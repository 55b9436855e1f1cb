"""Why a bot of Dice Town does what it does, in one sentence for every reason."""

from __future__ import annotations

from lanplay.games.dice_town.text import NOUNS
from lanplay.games.dice_town.text import WORDING as GAME
from lanplay.games.wording import Wording
from lanplay.language import N_

REASONS = {
    "keep-dice": N_("Keep {faces} for ${dollars}. They count here: {place}."),
    "keep-none": N_("Keep nothing for ${dollars}: a new roll is worth more than these dice."),
    "keep-most": N_("Keep one die for nothing, of the face that you have most of."),
    "cheat": N_("Turn a die to {face}. It counts here: {place}."),
    "cheat-not": N_("No face gains as much now as the Professional Cheater may gain later."),
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
    "offer": N_("{place}: worth an offer of ${dollars} and {nuggets:nuggets}, and no more."),
    "offer-nothing": N_("{place}: not worth an offer, or the Sheriff would keep it anyway."),
    "decide-self": N_("{place}: worth more to you than what is offered."),
    "decide-bribe": N_("{place}: this offer is the best. {seat}."),
    "decide-low": N_("{place}: least harm to you if it goes here. {seat}."),
    "doc-order": N_("First who goes first gets most, then who has least: {seat} begins."),
    "winner": N_("The Sheriff picks the winner: {seat}."),
}  # fmt: skip

WORDING = Wording(REASONS, NOUNS, GAME.shown)
word = WORDING.word
