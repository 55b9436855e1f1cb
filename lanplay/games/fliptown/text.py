"""The words of Fliptown: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.games.fliptown.asks import BAIL, EFFECT, PICK, PLAN
from lanplay.games.fliptown.cards import RANKS, SUITS, number, suit
from lanplay.games.fliptown.map import CEMETERY, MINE, NAMES, TOWN
from lanplay.games.wording import Wording, seat_name, seat_names
from lanplay.language import Plural, _

Count = Plural


def T_(text: str) -> str:
    """Return ``text``: translated, ``T_`` becomes ``N_`` and ``Count`` ``Plural``."""
    return text


REGIONS = (T_("Trail"), T_("Badlands"), T_("Mine"), T_("Town"), T_("Cemetery"))
SUIT_NAMES = (T_("hearts"), T_("spades"), T_("diamonds"), T_("clubs"))
BUILDINGS = (
    T_("Undertaker"),
    T_("Bank"),
    T_("Hideout"),
    T_("Stables"),
    T_("General Store"),
    T_("Church"),
    T_("Hotel"),
    T_("Land Office"),
    T_("Gunsmith"),
    T_("Bail Bonds"),
    T_("Sheriff's Office"),
    T_("Saloon"),
    T_("Prospector's Club"),
)
STONES = (
    T_("top left"),
    T_("top centre"),
    T_("top right"),
    T_("middle left"),
    T_("middle"),
    T_("middle right"),
    T_("bottom left"),
    T_("bottom centre"),
    T_("bottom right"),
)
ITEMS = (
    T_("work horse"),
    T_("trail horse"),
    T_("pan"),
    T_("pickaxe"),
    T_("bandana"),
    T_("pistol"),
    T_("rifle"),
    T_("bet on red"),
    T_("bet on black"),
    T_("hunt for jacks"),
    T_("hunt for queens"),
    T_("hunt for kings"),
    T_("friendship of the Undertaker"),
    T_("shovel"),
)
RANK_NAMES = (
    T_("nothing"),
    T_("a pair"),
    T_("two pair"),
    T_("three of a kind"),
    T_("a straight"),
    T_("a flush"),
    T_("a full house"),
    T_("four of a kind"),
    T_("a straight flush"),
    T_("a royal flush"),
)
CHARACTERS = (
    T_("Trailblazer"),
    T_("Cheat"),
    T_("Prospector"),
    T_("Settler"),
    T_("Bandit"),
    T_("Marshal"),
    T_("Preacher"),
    T_("Miner"),
    T_("Ranch Hand"),
    T_("Grave Robber"),
    T_("Man in Black"),
    T_("Baroness"),
    T_("Mayor"),
    T_("Wild Card"),
)
TASKS = {
    BAIL: T_("reward for an outlaw"),
    PLAN: T_("plan of the turn"),
    PICK: T_("after the look at the sheriff card"),
}
COWBOTS = ("Calamity Jane", "Billy the Kid", "Black Bart", "Wyatt Earp")
"""By suit. Names are not translated."""
BOUNTIES = (
    T_("four sites each in Trail, Badlands, Mine and Town"),
    T_("Trail stops 3, 6, 9 and Q"),
    T_("five pans and hammers"),
    T_("buildings 2, 3, 6, 10 and Q"),
    T_("nine gold of the Mine"),
    T_("a target of each kind"),
    T_("five tombstones without the middle"),
    T_("the end of the Trail or two outlaws hunted"),
    T_("nine WANTED at a time"),
    T_("four tools of the list"),
    T_("$30 or 15 gold at a time"),
    T_("a bonus action in each region"),
)
TITLES = (
    T_("Greenhorn"),
    T_("Old Hand"),
    T_("Fearless"),
    T_("Sharpshooter"),
    T_("Legendary"),
)
SECONDS = (T_("Deputy"), T_("Rancher"), T_("Cowboy"), T_("Desperado"), T_("Outlaw"))

NOUNS = {
    "stars": Count("{count} star", "{count} stars"),
    "silver": Count("{count} silver star", "{count} silver stars"),
    "pans": Count("{count} pan", "{count} pans"),
    "hammers": Count("{count} hammer", "{count} hammers"),
    "cards": Count("{count} card", "{count} cards"),
    "points": Count("{count} point", "{count} points"),
}

EVENTS = {
    "bounties": T_("Bounties: {bounties}."),
    "plays": T_("{seat} plays this character: {character}."),
    "cowbot": T_("The opponent: {cowbot}."),
    "deals-anew": T_("Shuffled anew, unseen: {amount:cards}."),
    "reshuffles": T_("The discards become a new deck of {amount:cards}."),
    "round": T_("--- Round {number} ---"),
    "flips": T_("Turn {number}: {cards}."),
    "uses": T_("{seat} uses an ability: {character}."),
    "plans": T_("{seat} plans: suit, value, poker {cards}."),
    "joker-suit": T_("{seat} lays a joker: the suit is {suit}."),
    "changes-suit": T_("{seat} pays 2 gold: the suit is {suit}."),
    "changes-value": T_("{seat} changes the value for {amount} gold."),
    "forgoes": T_("{seat} forgoes the action."),
    "visits": T_("{seat} visits {site}."),
    "bonus": T_("{seat} visits {site} as a bonus."),
    "gains-stars": T_("{seat} gains {amount:stars}."),
    "gains-wanted": T_("{seat} gains {amount} WANTED."),
    "gains-cash": T_("{seat} gains ${amount}."),
    "gains-gold": T_("{seat} gains {amount} gold."),
    "gains-pans": T_("{seat} gains {amount:pans}."),
    "gains-hammers": T_("{seat} gains {amount:hammers}."),
    "crosses": T_("{seat} crosses out {amount} WANTED."),
    "gets": T_("{seat} gets: {item}."),
    "sleeps": T_("{seat} sleeps in the Hotel: {stars:silver}."),
    "looks": T_("{seat} looks at the sheriff card."),
    "robs": T_("{seat} robs target {value} with {card}."),
    "fails": T_("{seat} fails at target {value} with {card}."),
    "bank-pays": T_("The Bank pays {seat} {amount:stars}."),
    "steals": T_("{cowbot} steals a card and holds {amount:cards}."),
    "bounty": T_("{seat} meets a bounty for {amount:stars}: {bounty}."),
    "poker": T_("{seat} has {rank}: ${cash}, {stars:stars}."),
    "works": T_("{seat} gains {gold} gold and ${cash} by pans and hammers."),
    "bribes": T_("{seat} bribes the sheriff with {gold} gold."),
    "sheriff": T_("The sheriff card: {card}."),
    "own-sheriff": T_("{seat} draws an own sheriff card: {card}."),
    "fined-cash": T_("{seat} is arrested and pays ${amount}."),
    "fined-stars": T_("{seat} is arrested and loses {amount:stars}."),
    "final": T_(
        "{seat}: {score:points} (cash {cash}, gold {gold}, stars {stars}, silver {silver})."
    ),
    "titled": T_("{seat}: {title} {second}."),
    "rival": T_("{cowbot}: {score:points}."),
    "met": T_("{seat} meets these challenges: {challenges}."),
    "wins": T_("Most points, {score}: {seats}."),
    "nobody-wins": T_("The cowbot wins against {score:points}."),
}

QUESTIONS = {
    "ask-move": T_("How do you go on? The cards are {cards}."),
    "ask-replace": T_("Do you replace the cards {cards} for all?"),
    "ask-cheat": T_("Does one of your cards count as any? {rank} becomes {better}."),
    "ask-preach": T_("How many WANTED do you cross out?"),
    "ask-bribe": T_("Do you bribe the sheriff with {gold} gold?"),
    "ask-redraw": T_("The sheriff card is {card}. Do you draw an own one?"),
    "ask-fine": T_("How do you pay the fine?"),
}

PROMPTS = {
    "pick-suit-card": T_("Suit card"),
    "pick-value-card": T_("Value card"),
    "pick-suit": T_("The suit card counts as"),
    "pick-site": T_("Site"),
    "pick-bonus": T_("Bonus action"),
    "pick-way": T_("Change of the value"),
    "pick-next": T_("What comes next"),
    "pick-region": T_("Region of the bonus action"),
    "pick-bail": T_("Reward for an outlaw"),
    "pick-office": T_("Sheriff's Office"),
    "pick-tool": T_("Tool"),
    "pick-cross": T_("WANTED to cross out"),
    "pick-buy": T_("What you take"),
    "pick-hideout": T_("WANTED to cross out"),
    "pick-church": T_("Donation"),
    "pick-hotel": T_("Hotel"),
    "pick-land": T_("Land: squares from 1 to 9, row by row"),
    "pick-look": T_("Sheriff's Office"),
    "pick-saloon": T_("Saloon"),
    "pick-club": T_("Prospector's Club"),
    "pick-replace": T_("Flipped cards"),
    "pick-cheat": T_("Poker hand"),
    "pick-preach": T_("WANTED to cross out"),
    "pick-bribe": T_("Bribe"),
    "pick-redraw": T_("Sheriff card"),
    "pick-fine": T_("Fine"),
}

OPTIONS = {
    "card": "{card}",
    "suit-own": "{suit}",
    "suit-gold": T_("{suit}, for {gold} gold"),
    "suit-joker": T_("{suit}, by a joker"),
    "site": "{site}",
    "site-ability": T_("{site}, by the character's ability and {gold} gold"),
    "site-gold": T_("{site}, for {gold} gold"),
    "forgo": T_("no action"),
    "decline": T_("nothing"),
    "end-turn": T_("end of the turn"),
    "use-ability": T_("the character's ability"),
    "task": "{task}",
    "region": "{region}",
    "way-gold": T_("by {gold} gold"),
    "way-pans": T_("by the pans, and {gold} gold"),
    "way-joker": T_("by a joker"),
    "bail-cash": "$4",
    "bail-gold": T_("2 gold"),
    "bail-cross": T_("cross out 2 WANTED"),
    "office-star": T_("1 star"),
    "office-cross": T_("cross out 2 WANTED"),
    "tool-pan": T_("a pan"),
    "tool-hammer": T_("a hammer"),
    "amount": "{amount}",
    "ware": T_("{item}, for ${cash}"),
    "donates": T_("{amount} WANTED, for ${cash}"),
    "stays": T_("a night, for ${cash}"),
    "squares": T_("{squares}, for ${cash}"),
    "look": T_("look at the sheriff card"),
    "stars-for-cash": T_("{amount:stars}, for ${cash}"),
    "stars-for-gold": T_("{amount:stars}, for {gold} gold"),
    "replace-0": T_("keep {cards}"),
    "replace-1": T_("flip three new cards"),
    "cheat-0": T_("stay honest"),
    "cheat-1": T_("a card counts as any"),
    "bribe-0": T_("no bribe"),
    "bribe-1": T_("pay {gold} gold"),
    "redraw-0": T_("keep {card}"),
    "redraw-1": T_("draw an own card"),
    "fine-0": T_("pay ${cash}"),
    "fine-1": T_("lose {stars:stars}"),
}

REASONS = {
    "malformed": T_("that is no answer to this question"),
    "not-possible": T_("that cannot be chosen here"),
}


def card_text(face: int) -> str:
    """Return a card as its rank and the letter of its suit: in every language two ASCII letters."""
    return value_text(number(face)) + SUITS[suit(face)]


def value_text(value: int) -> str:
    """Return a card value as its letter or number."""
    return "10" if value == 10 else RANKS[value - 1]


def site_name(site: int) -> str:
    """Return the name of a site."""
    region, place = divmod(site, 16)
    if region == TOWN:
        return _(BUILDINGS[place - 1])
    if region == MINE:
        detail = NAMES[place]
    else:
        detail = _(STONES[place]) if region == CEMETERY else value_text(place)
    return f"{_(REGIONS[region])} {detail}"


def task_name(task: int) -> str:
    """Return the name of a task: a region's bonus action or a building's effect."""
    if task in TASKS:
        return _(TASKS[task])
    return _(BUILDINGS[task - EFFECT - 1]) if task > EFFECT else _(REGIONS[task])


def squares_text(mask: int) -> str:
    """Return squares of the land as their numbers."""
    return " ".join(str(square + 1) for square in range(9) if mask >> square & 1)


def _numbers(values: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(map(str, values)) or _(T_("none"))


WORDING = Wording(
    {**EVENTS, **QUESTIONS, **PROMPTS, **OPTIONS, **REASONS},
    NOUNS,
    {
        "seat": seat_name,
        "seats": seat_names,
        "card": lambda face, names: card_text(face),
        "cards": lambda faces, names: " ".join(map(card_text, faces)),
        "suit": lambda place, names: _(SUIT_NAMES[place]),
        "site": lambda site, names: site_name(site),
        "value": lambda value, names: value_text(value),
        "task": lambda task, names: task_name(task),
        "region": lambda region, names: _(REGIONS[region]),
        "item": lambda item, names: _(ITEMS[item]),
        "rank": lambda rank, names: _(RANK_NAMES[rank]),
        "better": lambda rank, names: _(RANK_NAMES[rank]),
        "character": lambda character, names: _(CHARACTERS[character]),
        "cowbot": lambda cowbot, names: COWBOTS[cowbot],
        "bounty": lambda bounty, names: _(BOUNTIES[bounty]),
        "bounties": lambda numbers, names: "; ".join(_(BOUNTIES[each]) for each in numbers),
        "title": lambda place, names: _(TITLES[place]),
        "second": lambda place, names: _(SECONDS[place]),
        "squares": lambda mask, names: squares_text(mask),
        "challenges": _numbers,
    },
)
word = WORDING.word
