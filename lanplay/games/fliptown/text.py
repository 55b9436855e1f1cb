"""The words of Fliptown: a template for every message id of its rules and questions."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.games.fliptown.cards import RANKS, SIGNS, number, suit
from lanplay.games.fliptown.codes import BAIL, EFFECT, PICK, PLAN
from lanplay.games.fliptown.map import (
    BADLANDS,
    CEMETERY,
    MINE,
    NAMES,
    ROOM_REWARDS,
    STOP_REWARDS,
    TARGETS,
    TOWN,
    TRAIL,
    Rewards,
)
from lanplay.games.wording import Wording, seat_name, seat_names
from lanplay.language import N_, Plural, _

REGIONS = (N_("Trail"), N_("Badlands"), N_("Mine"), N_("Town"), N_("Cemetery"))
SUIT_NAMES = (N_("hearts"), N_("spades"), N_("diamonds"), N_("clubs"))
BUILDINGS = (
    N_("Undertaker"),
    N_("Bank"),
    N_("Hideout"),
    N_("Stables"),
    N_("General Store"),
    N_("Church"),
    N_("Hotel"),
    N_("Land Office"),
    N_("Gunsmith"),
    N_("Bail Bonds"),
    N_("Sheriff's Office"),
    N_("Saloon"),
    N_("Prospector's Club"),
)
STONES = (
    N_("top left"),
    N_("top centre"),
    N_("top right"),
    N_("middle left"),
    N_("middle"),
    N_("middle right"),
    N_("bottom left"),
    N_("bottom centre"),
    N_("bottom right"),
)
ITEMS = (
    N_("work horse"),
    N_("trail horse"),
    N_("pan"),
    N_("pickaxe"),
    N_("bandana"),
    N_("pistol"),
    N_("rifle"),
    N_("bet on red"),
    N_("bet on black"),
    N_("hunt for jacks"),
    N_("hunt for queens"),
    N_("hunt for kings"),
    N_("friendship of the Undertaker"),
    N_("shovel"),
)
RANK_NAMES = (
    N_("nothing"),
    N_("a pair"),
    N_("two pair"),
    N_("three of a kind"),
    N_("a straight"),
    N_("a flush"),
    N_("a full house"),
    N_("four of a kind"),
    N_("a straight flush"),
    N_("a royal flush"),
)
CHARACTERS = (
    N_("Trailblazer"),
    N_("Cheat"),
    N_("Prospector"),
    N_("Settler"),
    N_("Bandit"),
    N_("Marshal"),
    N_("Preacher"),
    N_("Miner"),
    N_("Ranch Hand"),
    N_("Grave Robber"),
    N_("Man in Black"),
    N_("Baroness"),
    N_("Mayor"),
    N_("Wild Card"),
)
ABILITIES = (
    N_("a Trail bonus, once"),
    N_("one poker card counts as any, once"),
    N_("the value moves by the pans owned, once"),
    N_("a Town bonus, once"),
    N_("a Badlands bonus, once"),
    N_("when arrested, an own sheriff card, once"),
    N_("before the arrest, up to 6 WANTED crossed out, once"),
    N_("a Mine bonus, once"),
    N_("up to 2 WANTED crossed out for each hammer, once"),
    N_("a Cemetery bonus, once"),
    N_("a bonus action anywhere, once"),
    N_("gold for each WANTED, once"),
    N_("three new flipped cards for all, once"),
    N_("a suit or value card counts as any, twice"),
)
"""What each character can, in the order of ``CHARACTERS``."""
TASKS = {
    BAIL: N_("reward for an outlaw"),
    PLAN: N_("plan of the turn"),
    PICK: N_("after the look at the sheriff card"),
}
COWBOTS = ("Calamity Jane", "Billy the Kid", "Black Bart", "Wyatt Earp")
"""By suit. Names are not translated."""
CAUSES = (N_("stars"), N_("WANTED"), N_("gold"), N_("bonus actions"))
"""What each of them steals on when it is gained, by suit."""
BOUNTIES = (
    N_("four sites each in Trail, Badlands, Mine and Town"),
    N_("Trail stops 3, 6, 9 and Q"),
    N_("five pans and hammers"),
    N_("buildings 2, 3, 6, 10 and Q"),
    N_("nine gold of the Mine"),
    N_("a target of each kind"),
    N_("five tombstones without the middle"),
    N_("the end of the Trail or two outlaws hunted"),
    N_("nine WANTED at a time"),
    N_("four tools of the list"),
    N_("$30 or 15 gold at a time"),
    N_("a bonus action in each region"),
)
CHALLENGES = (
    N_("six sites circled in every region"),
    N_("seven pans and hammers"),
    N_("no WANTED at the end"),
    N_("every room of the Mine with gold"),
    N_("every stop of the Trail with stars"),
    N_("every gable of the Town with a star"),
    N_("a target of each kind"),
    N_("the eight outer tombstones"),
    N_("four of a kind or better in poker"),
    N_("never any WANTED"),
    N_("$30 and 15 gold at the end"),
    N_("three poker hands better than a pair"),
    N_("at most 5 WANTED and never arrested"),
    N_("all four cowbots beaten on easy"),
    N_("a cowbot beaten on hard"),
    N_("a cowbot that stole one card at most"),
    N_("20 WANTED at the end"),
    N_("24 silver stars"),
    N_("every site of one region"),
    N_("a Legendary score"),
)
"""The challenges of a game alone, in the order of their numbers from 1 (FT-10.3)."""
TITLES = (
    N_("Greenhorn"),
    N_("Old Hand"),
    N_("Fearless"),
    N_("Sharpshooter"),
    N_("Legendary"),
)
SECONDS = (N_("Deputy"), N_("Rancher"), N_("Cowboy"), N_("Desperado"), N_("Outlaw"))

NOUNS = {
    "stars": Plural("{count} star", "{count} stars"),
    "silver": Plural("{count} silver star", "{count} silver stars"),
    "pans": Plural("{count} pan", "{count} pans"),
    "hammers": Plural("{count} hammer", "{count} hammers"),
    "cards": Plural("{count} card", "{count} cards"),
    "points": Plural("{count} point", "{count} points"),
    "gold": Plural("{count} gold", "{count} gold"),
}

REWARDS = {
    "wanted": "{count} WANTED",
    "cash": "${count}",
    "tool": N_("a pan or a hammer"),
    "cross": N_("cross out up to {count} WANTED"),
    "bonus": N_("bonus action {region}"),
    "silver": N_("silver stars by the region {region}"),
}
"""Parts of a reward that are not counted with a noun."""

EVENTS = {
    "bounties": N_("Bounties: {bounties}."),
    "plays": N_("{seat} plays this character: {character}."),
    "cowbot": N_("The opponent: {cowbot}."),
    "deals-anew": N_("Shuffled anew, unseen: {amount:cards}."),
    "reshuffles": N_("The discards become a new deck of {amount:cards}."),
    "round": N_("--- Round {number} ---"),
    "flips": N_("Turn {number}: {cards}."),
    "uses": N_("{seat} uses an ability: {character}."),
    "plans": N_("{seat} plans: suit, value, poker {cards}."),
    "joker-suit": N_("{seat} lays a joker: the suit is {suit}."),
    "changes-suit": N_("{seat} pays 2 gold: the suit is {suit}."),
    "changes-value": N_("{seat} changes the value for {amount:gold}."),
    "changes-value/none": N_("{seat} changes the value for nothing."),
    "forgoes": N_("{seat} forgoes the action."),
    "visits": N_("{seat} visits {site}."),
    "bonus": N_("{seat} visits {site} as a bonus."),
    "gains-stars": N_("{seat} gains {amount:stars}."),
    "gains-wanted": N_("{seat} gains {amount} WANTED."),
    "gains-cash": N_("{seat} gains ${amount}."),
    "gains-gold": N_("{seat} gains {amount:gold}."),
    "gains-pans": N_("{seat} gains {amount:pans}."),
    "gains-hammers": N_("{seat} gains {amount:hammers}."),
    "crosses": N_("{seat} crosses out {amount} WANTED."),
    "gets": N_("{seat} gets: {item}."),
    "sleeps": N_("{seat} sleeps in the Hotel: {stars:silver}."),
    "looks": N_("{seat} looks at the sheriff card."),
    "robs": N_("{seat} robs target {value} with {card}."),
    "fails": N_("{seat} fails at target {value} with {card}."),
    "bank-pays": N_("The Bank pays {seat} {amount:stars}."),
    "steals": N_("{cowbot} steals a card and holds {amount:cards}."),
    "bounty": N_("{seat} meets a bounty for {amount:stars}: {bounty}."),
    "poker": N_("{seat} has {rank}: ${cash}, {stars:stars}."),
    "poker/none": N_("{seat} has nothing in poker."),
    "works": N_("{seat} gains {gold:gold} and ${cash} by pans and hammers."),
    "bribes": N_("{seat} bribes the sheriff with {gold:gold}."),
    "sheriff": N_("The sheriff card: {card}."),
    "own-sheriff": N_("{seat} draws an own sheriff card: {card}."),
    "fined-cash": N_("{seat} is arrested and pays ${amount}."),
    "fined-stars": N_("{seat} is arrested and loses {amount:stars}."),
    "final": N_(
        "{seat}: {score:points} (cash {cash}, gold {gold}, stars {stars}, silver {silver})."
    ),
    "titled": N_("{seat}: {title} {second}."),
    "rival": N_("{cowbot}: {score:points}."),
    "met": N_("{seat} meets these challenges: {challenges}."),
    "met/none": N_("{seat} meets no challenge."),
    "wins": N_("Most points, {score}: {seats}."),
    "nobody-wins": N_("The cowbot wins against {score:points}."),
}

QUESTIONS = {
    "ask-move": N_("How do you go on? The cards are {cards}."),
    "ask-replace": N_("Do you replace the cards {cards} for all?"),
    "ask-cheat": N_("Does one of your cards count as any? Now: {rank}. Then: {better}."),
    "ask-preach": N_("How many WANTED do you cross out?"),
    "ask-bribe": N_("Do you bribe the sheriff with {gold:gold}?"),
    "ask-redraw": N_("The sheriff card is {card}. Do you draw an own one?"),
    "ask-fine": N_("How do you pay the fine?"),
}

PROMPTS = {
    "pick-suit-card": N_("Suit card"),
    "pick-value-card": N_("Value card"),
    "pick-suit": N_("The suit card counts as"),
    "pick-site": N_("Site"),
    "pick-bonus": N_("Bonus action"),
    "pick-way": N_("Change of the value"),
    "pick-next": N_("What comes next"),
    "pick-region": N_("Region of the bonus action"),
    "pick-bail": N_("Reward for an outlaw"),
    "pick-office": N_("Sheriff's Office"),
    "pick-tool": N_("Tool"),
    "pick-cross": N_("To cross out"),
    "pick-buy": N_("What you take"),
    "pick-hideout": N_("To cross out"),
    "pick-church": N_("Donation"),
    "pick-hotel": N_("Night in the Hotel"),
    "pick-land": N_("Land: squares from 1 to 9, row by row"),
    "pick-look": N_("Sheriff's Office"),
    "pick-saloon": N_("Stars for cash"),
    "pick-club": N_("Stars for gold"),
    "pick-replace": N_("Flipped cards"),
    "pick-cheat": N_("Poker hand"),
    "pick-preach": N_("To cross out"),
    "pick-bribe": N_("Bribe"),
    "pick-redraw": N_("Sheriff card"),
    "pick-fine": N_("Fine"),
}

OPTIONS = {
    "card": "{card}",
    "suit-card": "{card} ({region})",
    "suit-own": "{suit}",
    "suit-gold": N_("{suit}, for {gold:gold}"),
    "suit-joker": N_("{suit}, by a joker"),
    "site": "{place}",
    "site-ability": N_("{place}, by the character's ability and {gold:gold}"),
    "site-ability/none": N_("{place}, by the character's ability"),
    "site-gold": N_("{place}, for {gold:gold}"),
    "forgo": N_("no action"),
    "decline": N_("nothing"),
    "end-turn": N_("end of the turn"),
    "use-ability": N_("the character's ability"),
    "task": "{task}",
    "region": "{region}",
    "way-gold": N_("by {gold:gold}"),
    "way-pans": N_("by the pans, and {gold:gold}"),
    "way-pans/none": N_("by the pans"),
    "way-joker": N_("by a joker"),
    "bail-cash": "$4",
    "bail-gold": N_("2 gold"),
    "bail-cross": N_("cross out 2 WANTED"),
    "office-star": N_("1 star"),
    "office-cross": N_("cross out 2 WANTED"),
    "tool-pan": N_("a pan"),
    "tool-hammer": N_("a hammer"),
    "amount": "{amount} WANTED",
    "ware": N_("{item}, for ${cash}"),
    "donates": N_("{amount} WANTED, for ${cash}"),
    "stays": N_("a night, for ${cash}"),
    "squares": N_("squares {squares}: {amount:stars}, for ${cash}"),
    "look": N_("look at the sheriff card"),
    "stars-for-cash": N_("{amount:stars}, for ${cash}"),
    "stars-for-gold": N_("{amount:stars}, for {gold:gold}"),
    "replace-0": N_("keep {cards}"),
    "replace-1": N_("flip three new cards"),
    "cheat-0": N_("stay honest"),
    "cheat-1": N_("a card counts as any"),
    "bribe-0": N_("no bribe"),
    "bribe-1": N_("pay {gold:gold}"),
    "redraw-0": N_("keep {card}"),
    "redraw-1": N_("draw an own card"),
    "fine-0": N_("pay ${cash}"),
    "fine-1": N_("lose {stars:stars}"),
}

REASONS = {
    "malformed": N_("that is no answer to this question"),
    "not-possible": N_("that cannot be chosen here"),
}


def card_text(face: int) -> str:
    """Return a card as its value and the sign of its suit: in every language the same."""
    return value_text(number(face)) + SIGNS[suit(face)]


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


def site_offer(site: int) -> str:
    """Return the name of a site with what it gives, where that is always the same."""
    region, place = divmod(site, 16)
    given: Rewards = ()
    if region == TRAIL:
        given = STOP_REWARDS[place]
    elif region == MINE:
        given = ROOM_REWARDS[place]
    elif region == BADLANDS:
        wanted, stars, cash = TARGETS[place]
        given = (("stars", stars), ("cash", cash), ("wanted", wanted))
    words = ", ".join(reward_words(*each) for each in given)
    return f"{site_name(site)} ({words})" if words else site_name(site)


def reward_words(kind: str, amount: int) -> str:
    """Return a part of a reward in words (see ``map.rewards``)."""
    if kind not in REWARDS:
        return NOUNS[kind].of(amount)
    region = _(REGIONS[amount]) if kind in ("bonus", "silver") else ""
    return _(REWARDS[kind]).format(count=amount, region=region)


def task_name(task: int) -> str:
    """Return the name of a task: a region's bonus action or a building's effect."""
    if task in TASKS:
        return _(TASKS[task])
    return _(BUILDINGS[task - EFFECT - 1]) if task > EFFECT else reward_words("bonus", task)


def squares_text(mask: int) -> str:
    """Return squares of the land as their numbers."""
    return " ".join(str(square + 1) for square in range(9) if mask >> square & 1)


def _challenges(numbers: Sequence[int], names: Sequence[str]) -> str:
    texts = [f"{number} {_(CHALLENGES[number - 1])}" for number in numbers]
    return "; ".join(texts)


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
        "place": lambda site, names: site_offer(site),
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
        "challenges": _challenges,
    },
)
word = WORDING.word
