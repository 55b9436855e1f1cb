"""The words of A Dog's Life: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.games.dogs_life.town import TOWN
from lanplay.games.wording import Wording, seat_name, seat_names
from lanplay.language import N_, Plural, _

DOGS = (N_("Belle"), N_("Fido"), N_("Rex"), N_("Grouchy"), N_("White Fang"), N_("Vagabond"))
BREEDS = (
    N_("poodle"),
    N_("fox terrier"),
    N_("labrador"),
    N_("boxer"),
    N_("husky"),
    N_("German shepherd"),
)
"""By the number of the dog (DL-1.3)."""

BUILDINGS = {
    "A": N_("Den A"),
    "B": N_("Den B"),
    "C": N_("Den C"),
    "D": N_("Den D"),
    "E": N_("Den E"),
    "F": N_("Den F"),
    "K": N_("Newspaper kiosk"),
    "P": N_("Dog pound"),
    "1": N_("Bank"),
    "2": N_("School"),
    "3": N_("Post office"),
    "4": N_("Cinema"),
    "5": N_("Museum"),
    "6": N_("Fire station"),
    "7": N_("Pharmacy"),
    "8": N_("Library"),
    "9": N_("Bakery"),
    "10": N_("Theatre"),
    "11": N_("Barber"),
    "12": N_("Hospital"),
    "a": N_("The Golden Goose"),
    "b": N_("The Blue Trout"),
    "c": N_("The Butcher's Table"),
    "d": N_("The Old Mill"),
    "e": N_("The Copper Pot"),
    "f": N_("The Three Chestnuts"),
    "g": N_("Café Central"),
    "h": N_("The Soup Bowl"),
    "i": N_("The Hungry Sailor"),
    "j": N_("The Warm Stove"),
    "k": N_("The Town Hall Cellar"),
    "S": N_("Church"),
    "U": N_("Casino"),
    "V": N_("Gasworks"),
    "W": N_("Brewery"),
    "X": N_("Observatory"),
    "Y": N_("Court"),
}
"""By the key of the building; of addresses it is the number."""

NOUNS = {
    "bones": Plural("{count} bone", "{count} bones"),
    "spaces": Plural("{count} space", "{count} spaces"),
    "points": Plural("{count} action point", "{count} action points"),
}

EVENTS = {
    "draws": N_("{seat}: {dog}, at home in: {place}."),
    "first": N_("{seat} begins every round."),
    "round": N_("--- Round {number} ---"),
    "deals-anew": N_("Newspapers whose address is hidden are dealt anew: {count}."),
    "falls-asleep": N_("{seat} falls asleep, starving, and wakes up in the pound."),
    "stays-in-pound": N_("{seat} stays in the pound."),
    "leaves-pound": N_("{seat} gets out of the pound, fed."),
    "moves": N_("{seat} goes to: {place}."),
    "sniffs": N_("{seat} has to sniff. The piddle is that of: {other}."),
    "searches": N_("{seat} searches the bin: {place}."),
    "bins-emptied": N_("The bins are emptied, all but this one: {place}."),
    "eats": N_("{seat} eats. Food: {food}."),
    "finds-nothing": N_("{seat} gets nothing."),
    "gets-bone": N_("{seat} gets a bone."),
    "leaves-bone": N_("{seat} gets no bone: no room or no bone left."),
    "drops-bone": N_("{seat} drops a bone."),
    "drops-paper": N_("{seat} drops a newspaper."),
    "picks-bone": N_("{seat} picks up a bone."),
    "picks-paper": N_("{seat} picks up a newspaper."),
    "buries": N_("{seat} buries a bone, and has buried {bones:bones}."),
    "begs": N_("{seat} begs: {place}."),
    "drinks": N_("{seat} drinks."),
    "piddles": N_("{seat} piddles: {place}."),
    "takes-paper": N_("{seat} takes a newspaper."),
    "delivers": N_("{seat} delivers newspaper {address}: {place}."),
    "refuted": N_("{seat} shows newspaper {address}, which belongs elsewhere: no effect."),
    "fights": N_("{seat} attacks: {other}. Paws: {own} against {its}."),
    "beaten": N_("{seat} is beaten and brought to the pound."),
    "reshuffles": N_("{seat} shuffles all 13 cards."),
    "rolls": N_("{seat} rolls {die} for the van."),
    "drives": N_("{seat} steers the van to: {place}."),
    "escapes": N_("{seat} escapes the catcher."),
    "caught": N_("{seat} is caught and brought to the pound."),
    "wins": N_("Most bones buried, {bones}: {seats}."),
}

QUESTIONS = {
    "ask-act": N_("What does your dog do next? You have {points:points}."),
    "ask-steer": N_("Where does the van go? You rolled {die}."),
}

PROMPTS = {
    "action": N_("Next action"),
    "drive": N_("The van stops on"),
}

OPTIONS = {
    "do-stop": N_("end the actions"),
    "do-move": N_("go to: {place}"),
    "do-search": N_("search the bin"),
    "do-drop-bone": N_("drop a bone"),
    "do-drop-paper": N_("drop newspaper {address}"),
    "do-drop-paper-unknown": N_("drop a newspaper"),
    "do-pick-bone": N_("pick up a bone"),
    "do-pick-paper": N_("pick up newspaper {address}"),
    "do-pick-paper-unknown": N_("pick up a newspaper"),
    "do-bury": N_("bury a bone"),
    "do-beg": N_("beg for food"),
    "do-drink": N_("drink"),
    "do-piddle": N_("piddle at the lamp post"),
    "do-take": N_("take a newspaper"),
    "do-deliver": N_("deliver newspaper {address}"),
    "do-attack": N_("attack: {seat}"),
    "drive-to": N_("{place}, coming from {from} ({count:spaces})"),
}

REASONS = {
    "malformed": N_("that is no answer to this question"),
    "no-action": N_("your dog cannot do that here and now"),
    "other-address": N_("this newspaper belongs to another address"),
    "no-drive": N_("the van goes straight on or turns by one side"),
}


def dog_name(dog: int) -> str:
    """Return the name and the breed of a dog, by its number."""
    return f"{_(DOGS[dog])} ({_(BREEDS[dog])})"


def place_name(place: int) -> str:
    """Return the name of a place: of a street space its line and number, as on the map.

    A building has its name with its key, as on the map: ``"Museum [5]"``.
    """
    key = TOWN.key(place)
    if place in TOWN.streets:
        return key
    return _(BUILDINGS[key]) if place in TOWN.dens else f"{_(BUILDINGS[key])} [{key}]"


def address_name(number: int) -> str:
    """Return the number on a newspaper as people count it: from 1."""
    return str(number + 1)


WORDING = Wording(
    {**EVENTS, **QUESTIONS, **PROMPTS, **OPTIONS, **REASONS},
    NOUNS,
    {
        "seat": seat_name,
        "other": seat_name,
        "seats": seat_names,
        "dog": lambda dog, names: dog_name(dog),
        "place": lambda place, names: place_name(place),
        "from": lambda place, names: place_name(place),
        "address": lambda number, names: address_name(number),
    },
)
word = WORDING.word


def words_of_places(places: Sequence[int]) -> str:
    """Return the names of several places, in their order."""
    return ", ".join(map(place_name, places))
