"""Why a bot of A Dog's Life does what it does, in one sentence for every reason."""

from __future__ import annotations

from lanplay.games.dogs_life.text import NOUNS
from lanplay.games.dogs_life.text import WORDING as GAME
from lanplay.games.wording import Wording
from lanplay.language import N_

REASONS = {
    "bury": N_("You carry {bones:bones}. Bones count when they are buried at home: {place}."),
    "search": N_("The bin promises most for the points it takes: {place}."),
    "beg": N_("Begging promises most for the points it takes: {place}."),
    "take": N_("A newspaper, with the way to its address, promises most: {place}."),
    "pick-paper": N_("The newspaper that lies there promises most: {place}."),
    "deliver": N_("The newspaper is expected there: {place}."),
    "pick-bone": N_("A bone lies there for the taking: {place}."),
    "attack": N_("The fight is worth its risk: {seat}."),
    "piddle": N_("A marker there is in the way of others: {place}."),
    "drink": N_("An empty bladder marks no lamp post: {place}."),
    "rest": N_("Nothing is worth another action point: the best would bring {gain} bones."),
    "idle": N_("There is nothing to do with what is left: {points:points}."),
    "stuck": N_("What would bring most cannot be reached from here: {place}."),
    "drive-at": N_("There the van is most of a danger to whoever is ahead or loaded: {place}."),
    "drive-off": N_(
        "There the van catches nobody and stays {spaces:spaces} away from your own dog: {place}."
    ),
    "drive-empty": N_("There the van catches nobody, and your own dog is out of its way: {place}."),
}

WORTH = N_("Expected, in bones buried: {worth}.")
"""What a hint is worth: who buries most bones wins (DL-4.1)."""

WORDING = Wording(REASONS, NOUNS, GAME.shown)
word = WORDING.word
