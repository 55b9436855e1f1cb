"""A seat's view in a few lines of text, for interfaces without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lanplay.engine.question import Phrase
from lanplay.engine.view import View
from lanplay.games.fliptown.cowbot import rival_score
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import LAND, NAMES, PLACES, REGIONS, TOWN, TRAIL, site
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import FliptownTable
from lanplay.games.fliptown.text import (
    ABILITIES,
    BOUNTIES,
    CAUSES,
    CHARACTERS,
    COWBOTS,
    ITEMS,
    card_text,
    reward_words,
    site_offer,
    value_text,
)
from lanplay.games.fliptown.text import REGIONS as REGION_NAMES
from lanplay.games.teaching import lessons_of
from lanplay.games.wording import LookupPage, Title
from lanplay.language import N_, _


def situation(view: View[FliptownTable], names: Sequence[str]) -> Iterator[str]:
    """Yield the counters of all, then the map and the cards of the seat's own."""
    t = view.table
    flipped = " ".join(map(card_text, t.lineup())) or "-"
    yield _("Round {round}, turn {turn}: {cards}.").format(
        round=t.round, turn=t.turn, cards=flipped
    )
    for place, bounty in enumerate(t.bounties):
        stars = 4 if t.taken >> place & 1 else 7
        yield _("Bounty {stars}★: {bounty}.").format(stars=stars, bounty=_(BOUNTIES[bounty]))
    for seat, s in enumerate(t.sheets):
        line = _(
            "${cash}, gold {gold}, stars {stars}, silver {silver}, WANTED {wanted}, pans {pans}, "
            "hammers {hammers}"
        )
        held = line.format(
            cash=s.cash,
            gold=s.gold,
            stars=s.stars,
            silver=silver(s),
            wanted=s.wanted,
            pans=s.pans,
            hammers=s.hammers,
        )
        yield f" {names[seat]}: {held}"
    yield from _own(view, t.sheets[view.seat])


def _own(view: View[FliptownTable], s: Sheet) -> Iterator[str]:
    for region in REGIONS:
        circled = [place for place in PLACES[region] if s.circled[region] >> place & 1]
        shown = " ".join(_place(region, place) for place in circled)
        yield f" {_(REGION_NAMES[region])}: {shown or '-'}"
    if s.items:
        items = ", ".join(_(name) for place, name in enumerate(ITEMS) if s.items >> place & 1)
        yield _("You have: {items}.").format(items=items)
    t = view.table
    extra = [view.face(card) for card in t.hole[view.seat]]
    hand = [*s.poker, *[face for face in extra if face is not None]]
    yield _("Poker: {cards}.").format(cards=" ".join(map(card_text, hand)) or "-")
    known = None if t.sheriff is None else view.face(t.sheriff)
    if known is not None:
        yield _("The sheriff card is {card}.").format(card=card_text(known))


def _place(region: int, place: int) -> str:
    if region <= TOWN:
        return value_text(place) if region in (TRAIL, 1, TOWN) else NAMES[place]
    return site_offer(site(region, place)).partition(" (")[0]


PER_CASH: Final = 0.25
"""What a dollar is worth in points (FT-10.1)."""


TITLES: Final = (
    Title(N_("The greatest robbery"), "robs", "value"),
    Title(N_("The best poker hand"), "poker", "stars"),
    Title(N_("The sheriff's best catch"), "fined-stars", "amount"),
    Title(N_("Most robberies that failed"), "fails"),
)


GIVE: Final = ("visits", "bonus", "gets", "robs", "fails", "looks")
BROUGHT_BY: Final = {"gains-stars": GIVE, "gains-cash": GIVE}


def weight(event: Phrase) -> float:
    """Return the points that an event has moved."""
    values = event.values
    match event.id:
        case "gains-stars" | "drinks" | "boasts" | "settles" | "bounty" | "bank-pays":
            return float(values["amount"])
        case "fined-stars":
            return -float(values["amount"])
        case "poker":
            return float(values["stars"] + PER_CASH * values["cash"])
        case "gains-cash":
            return float(PER_CASH * values["amount"])
        case "fined-cash":
            return -float(PER_CASH * values["amount"])
    return 0.0


# -- what can be looked up -------------------------------------------------------------------------


def region_map(view: View[FliptownTable], names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield the map of a seat, region by region: what is circled, and what the rest gives."""
    s = view.table.sheets[seat]
    yield _("The map of {name}:").format(name=names[seat])
    for region in REGIONS:
        circled = [each for each in PLACES[region] if s.circled[region] >> each & 1]
        left = [each for each in PLACES[region] if each not in circled]
        yield _("{region}. Circled: {circled}. Left: {left}.").format(
            region=_(REGION_NAMES[region]),
            circled=", ".join(_place(region, each) for each in circled) or "-",
            left="; ".join(_offer(region, each) for each in left) or "-",
        )


def _offer(region: int, place: int) -> str:
    """Return a site within its region: its name there with what it gives."""
    name, _sep, given = site_offer(site(region, place)).partition(" (")
    return f"{_place(region, place)} ({given}" if given else name


def sheet(view: View[FliptownTable], names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield what a seat has beside its map, in words."""
    s = view.table.sheets[seat]
    items = ", ".join(_(name) for place, name in enumerate(ITEMS) if s.items >> place & 1)
    counts = ", ".join(
        reward_words(kind, amount)
        for kind, amount in (
            ("cash", s.cash),
            ("gold", s.gold),
            ("stars", s.stars),
            ("wanted", s.wanted),
            ("pans", s.pans),
            ("hammers", s.hammers),
        )
    )
    yield _("{name}: {counts}.").format(name=names[seat], counts=counts)
    yield _("Has {items}. Poker: {cards}.").format(
        items=items or _("nothing"), cards=" ".join(map(card_text, s.poker)) or "-"
    )
    if s.character >= 0:
        yield f"{_(CHARACTERS[s.character])}: {_(ABILITIES[s.character])}"


def land(view: View[FliptownTable], names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield the squares of a seat's land, row by row (FT-6.9)."""
    owned = view.table.sheets[seat].land
    for row in range(0, 9, 3):
        squares = [
            _("square {number} worth {stars}, {state}").format(
                number=n + 1, stars=LAND[n], state=_("owned") if owned >> n & 1 else _("free")
            )
            for n in range(row, row + 3)
        ]
        yield "; ".join(squares)


def trades() -> Iterator[str]:
    """Yield what each building sells or does."""
    told = lessons_of("fliptown")
    for place in PLACES[TOWN]:
        if effect := told.effect(Phrase("building", {"place": site(TOWN, place)})):
            yield f"{site_offer(site(TOWN, place)).partition(' (')[0]}: {effect}."


def prices(view: View[FliptownTable], names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield what each building sells or does, the bounties of this game, the cowbot (FT-9.4)."""
    yield from trades()
    t = view.table
    for place, bounty in enumerate(t.bounties):
        met = (
            _("the first has met it, later ones get {stars}")
            if t.taken >> place & 1
            else _("{stars} for the first who meets it, later ones get fewer")
        )
        stars = reward_words("stars", 4 if t.taken >> place & 1 else 7)
        yield _("Bounty: {bounty}; {met}.").format(
            bounty=_(BOUNTIES[bounty]), met=met.format(stars=stars)
        )
    if t.cowbot >= 0:
        name, cause = COWBOTS[t.cowbot], _(CAUSES[t.cowbot])
        yield _("{name} steals: {cause}. Cards held: {count}, points: {score}.").format(
            name=name, cause=cause, count=len(t.stolen), score=rival_score(t)
        )


PAGES: Final = (
    LookupPage(
        "map", N_("a map, region by region; map NAME for another's"), region_map, of_seat=True
    ),
    LookupPage("sheet", N_("what somebody has; sheet NAME for another's"), sheet, of_seat=True),
    LookupPage("land", N_("the squares of land; land NAME for another's"), land, of_seat=True),
    LookupPage("prices", N_("what is for sale, and the bounties or the cowbot"), prices),
)
