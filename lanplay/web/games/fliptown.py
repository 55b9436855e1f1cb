"""The table of Fliptown: the map of one seat as sheets of paper, the cards, what others have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from markupsafe import Markup

from lanplay.engine.question import Option
from lanplay.games.fliptown.cards import SIGNS, is_red, number, suit
from lanplay.games.fliptown.cowbot import rival_score
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import (
    BADLANDS,
    BETWEEN,
    CEMETERY,
    EDGES,
    GABLES,
    HOTEL_STARS,
    KINDS,
    LAND,
    MINE,
    NAMES,
    ROOM_REWARDS,
    STONES,
    STOP_REWARDS,
    TARGETS,
    TOWN,
    TRAIL,
    Rewards,
    rewards,
    site,
)
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import TURNS, FliptownTable
from lanplay.games.fliptown.text import (
    ABILITIES,
    BOUNTIES,
    BUILDINGS,
    CAUSES,
    CHARACTERS,
    COWBOTS,
    ITEMS,
    REGIONS,
    reward_words,
    site_name,
    value_text,
    word,
)
from lanplay.language import _, current, dollars
from lanplay.ui.fliptown_plan import Preview, card_of, preview
from lanplay.ui.games.fliptown import breakdown, score_now, standing
from lanplay.ui.scene import Scene
from lanplay.web.board import Taps, seat_name
from lanplay.web.elements import NOTHING, Kid, el, joined, some
from lanplay.web.pieces import amount, emblem, icon

SITES: Final = ("site", "site-gold", "site-ability")
"""The options that stand for a site of the map."""
CARDS: Final = ("card", "suit-card")
"""The options that stand for a card."""
EMBLEM: Final = (0, 18, 40)
"""Cards that stand for the game."""
TOMB, PAN, HAMMER = "∩", "◡", "⚒"


class FliptownBoard:
    """See ``lanplay.web.board.WebBoard``."""

    art = NOTHING

    @property
    def emblem(self) -> Markup:
        """Return three cards."""
        return emblem(map(_card, EMBLEM))

    def board(self, scene: Scene, taps: Taps) -> Markup:
        """Return the cards, the map, and everybody's points."""
        turns = scene.table.turn % len(scene.names)  # a spectator sees one's map after the other's
        seat = scene.seat if scene.seat is not None else turns
        shown = preview(scene, seat)
        table = joined([_cards(scene, shown, taps), _map(scene, shown, taps, seat)])
        return el("div", table, _seats(scene), class_="felt desert flip")

    def own(self, scene: Scene, taps: Taps) -> Markup:
        """Return the poker hand and the goods of the person's seat."""
        if scene.seat is None:
            return NOTHING
        sheet = preview(scene, scene.seat).sheet
        score = el("output", score_now(sheet), class_="total", data_count="own")
        told = el("span", _("Your score"), class_="dim")
        return el("div", _goods(sheet), _hand(scene), el("p", told, score), class_="mine-row")

    def option(self, scene: Scene, option: Option) -> Markup:
        """Return a card as one, all else in words."""
        if option.label.id in CARDS:
            face = card_of(option)
            region = option.label.values.get("region")
            name = None if region is None else el("span", _(REGIONS[region]))
            return joined([_card(face), name])
        return joined([word(option.label, scene.names)])

    breakdown = staticmethod(breakdown)
    standing = staticmethod(standing)


BOARD: Final = FliptownBoard()


# -- signs ----------------------------------------------------------------------------------------


def _card(face: int) -> Markup:
    """Return a playing card."""
    value, sign = value_text(number(face)), SIGNS[suit(face)]
    inside = joined([el("b", value), el("i", sign)])
    return el("span", inside, class_=f"pcard{some(is_red(face), 'red')}")


def _sign(region: int) -> str:
    return TOMB if region == CEMETERY else SIGNS[region]


def _gives(rewarded: Rewards) -> list[Markup]:
    """Return what a place gives: a sign for each kind, which has its words too."""
    return [_good(kind, amount) for kind, amount in rewarded]


def _good(kind: str, amount: int) -> Markup:
    token = {"wanted": icon("wanted"), "cross": icon("wanted"), "gold": el("i", class_="token")}
    words = reward_words(kind, amount)
    inside = joined([_amount(kind, amount), token.get(kind)])
    return el("span", inside, class_=f"good g-{kind}", title=words, role="img")


def _amount(kind: str, amount: int) -> str:
    match kind:
        case "bonus":
            return f"+{_sign(amount)}"
        case "silver":
            return f"☆{_sign(amount)}"
        case "cash":
            return dollars(amount, tight=True)
        case "cross":
            return f"−{amount}"
        case "stars":
            return f"{amount}★"
        case "tool" | "hammers":
            return HAMMER
        case "pans":
            return PAN
    return str(amount)


# -- the cards ------------------------------------------------------------------------------------


def _placed(taps: Taps, labels: tuple[str, ...], key: str) -> Mapping[int, int]:
    """Return the options that have one of these labels, by what they are about."""
    options = taps.decision.options if taps.decision is not None else ()
    return {
        each.label.values[key]: place
        for place, each in enumerate(options)
        if each.label.id in labels
    }


def _cards(scene: Scene, shown: Preview, taps: Taps) -> Markup:
    t: FliptownTable = scene.table
    if not t.turn:
        return el("p", _("between the turns"), class_="calm")
    turn = _("turn {turn} of {turns}").format(turn=t.turn, turns=TURNS)
    places = _placed(taps, CARDS, "card")
    laid = {face: what for what, face in shown.laid.items()}
    items = []
    for place, card in enumerate(t.flipped):
        if (face := t.faces.get(card)) is None:
            continue
        drawn = _card(face)
        if face in places:
            taps.placed.add(places[face])
            drawn = taps.option(places[face], drawn)
        name = {"suit-card": _("suit"), "value-card": _("value")}.get(laid.get(face, ""), "")
        what = el("small", name) if name else None
        items.append(
            el("li", drawn, what, data_key=f"{t.round}.{t.turn}.{card}", data_seen=f"0.{place}")
        )
    head = el("p", turn)
    return el(
        "div",
        head,
        el("ul", *items, class_="flipped", data_way="card"),
        _aims(scene, shown),
        class_="top",
    )


def _aims(scene: Scene, shown: Preview) -> Markup | None:
    """Return what one plays for: bounties, the cowbot, the own character."""
    t: FliptownTable = scene.table
    out: list[Markup] = []
    for place, bounty in enumerate(t.bounties):
        stars = 4 if t.taken >> place & 1 else 7
        met = shown.sheet.bounties >> place & 1
        text = joined([el("b", f"{stars}★ "), _(BOUNTIES[bounty])])
        out.append(el("li", text, class_="met" if met else None))
    if t.cowbot >= 0:
        told = _("steals on {sign}: {cause}")
        cause = told.format(sign=_sign(t.cowbot), cause=_(CAUSES[t.cowbot]))
        out.append(el("li", el("b", COWBOTS[t.cowbot]), f" {cause}"))
    if (character := shown.sheet.character) >= 0:
        used = None if shown.sheet.uses else "met"
        name = joined([el("b", _(CHARACTERS[character])), f": {_(ABILITIES[character])}"])
        out.append(el("li", name, class_=used))
    return el("ul", *out, class_="aims") if out else None


# -- the map --------------------------------------------------------------------------------------


class Marks(NamedTuple):
    """What a map has on it, whoever looks: ``due`` is the region to which one goes, or -1."""

    circled: tuple[int, ...]
    trail: int
    land: int
    items: int
    hotel: int
    due: int


def _map(scene: Scene, shown: Preview, taps: Taps, seat: int) -> Markup:
    places, sheet = _placed(taps, SITES, "site"), shown.sheet
    region = shown.region if shown.laid and shown.region is not None else -1
    marks = Marks(tuple(sheet.circled), sheet.trail, sheet.land, sheet.items, sheet.hotel, region)
    regions = _regions(marks, taps, places) if places else _untapped(current(), marks)
    whose = _("map: {name}").format(name=scene.names[seat])
    seen = "unseen" if scene.seat is not None else "whose"  # one's own is known to be so
    return el("div", el("h2", whose, class_=seen), regions, class_="map")


@lru_cache(maxsize=32)
def _untapped(_lang: str, marks: Marks) -> Markup:
    """Return a map on which there is nothing to tap: drawn once for all who see it."""
    return _regions(marks, Taps(None, ""), {})


def _regions(marks: Marks, taps: Taps, places: Mapping[int, int]) -> Markup:
    return joined(
        [
            _region(TRAIL, marks, el("ol", *_trail(marks, taps, places), class_="stops")),
            _region(BADLANDS, marks, el("div", *_badlands(marks, taps, places), class_="kinds")),
            _region(TOWN, marks, el("ol", *_town(marks, taps, places), class_="houses")),
            _region(MINE, marks, el("div", *_mine(marks, taps, places), class_="mineshaft")),
            _region(CEMETERY, marks, _cemetery(marks, taps, places)),
            _things(marks),
        ]
    )


def _region(region: int, marks: Marks, inside: Markup) -> Markup:
    due = some(marks.due == region, "due")
    head = el("h2", el("i", _sign(region), class_=f"suit s{region}"), _(REGIONS[region]))
    return el("section", head, inside, class_=f"paper region-{region}{due}")


def _spot(
    marks: Marks, taps: Taps, places: Mapping[int, int], where: int, inside: Markup, left: bool
) -> Markup:
    """Return a site: a button where it can be visited, marked once it is circled or left behind."""
    region, place = divmod(where, 16)
    state = "circled" if marks.circled[region] >> place & 1 else ""
    state = state or ("left" if left else "")
    body = el("span", inside, class_=f"site {state}".strip(), data_key=f"site.{where}")
    if where not in places or taps.decision is None:
        return body
    option = places[where]
    taps.placed.add(option)
    gold = taps.decision.options[option].label.values["gold"]
    price = el("i", f"−{gold}", el("i", class_="token"), class_="price") if gold else None
    named = el("span", site_name(where), class_="unseen")
    return taps.option(option, joined([body, price, named]), "spot")


def _trail(marks: Marks, taps: Taps, places: Mapping[int, int]) -> Iterator[Markup]:
    for place, rewarded in STOP_REWARDS.items():
        inside = joined([el("b", value_text(place)), el("small", *_gives(rewarded))])
        where, left = site(TRAIL, place), place < marks.trail
        yield el("li", _spot(marks, taps, places, where, inside, left))


def _badlands(marks: Marks, taps: Taps, places: Mapping[int, int]) -> Iterator[Markup]:
    for name, values, wanted, stars, _cash, bonus in KINDS:
        every = joined([*_gives((("wanted", wanted), ("stars", stars)))])
        whole = el("small", _("all three"), " ", *_gives(rewards(bonus)))
        targets = []
        for value in values:
            cash = el("small", dollars(TARGETS[value][2], tight=True))
            inside = joined([el("b", value_text(value)), cash])
            where = site(BADLANDS, value)
            targets.append(el("li", _spot(marks, taps, places, where, inside, False)))
        head = el("p", every, whole)
        yield el("div", head, el("ul", *targets), class_=f"kind k-{name}")


def _town(marks: Marks, taps: Taps, places: Mapping[int, int]) -> Iterator[Markup]:
    for place, gable in GABLES.items():
        given = el("small", *_gives(gable))
        name = el("span", _(BUILDINGS[place - 1]))
        inside = joined([el("b", value_text(place)), name, given])
        yield el("li", _spot(marks, taps, places, site(TOWN, place), inside, False))


def _mine(marks: Marks, taps: Taps, places: Mapping[int, int]) -> Iterator[Markup]:
    """Yield the rows of rooms, each with one room more; above a room are the ways into it."""
    first = 0
    for row in range(4):
        rooms = []
        for room in range(first, first + row + 2):
            ways = " ".join(
                f"{value_text(low)}–{value_text(high)}" for _s, low, high in EDGES[room]
            )
            given = el("small", *_gives(ROOM_REWARDS[room]))
            inside = joined([el("b", NAMES[room]), given])
            spot = _spot(marks, taps, places, site(MINE, room), inside, False)
            rooms.append(el("li", el("small", ways, class_="ways-in"), spot))
        first += row + 2
        yield el("ul", *rooms, class_="gallery")


def _cemetery(marks: Marks, taps: Taps, places: Mapping[int, int]) -> Markup:
    """Return the tombstones, and what lies between neighbours, in five rows of five."""
    cells: list[Kid] = [_grave(marks, taps, places, x, y) for y in range(5) for x in range(5)]
    return el("div", *cells, class_="graves")


def _grave(marks: Marks, taps: Taps, places: Mapping[int, int], x: int, y: int) -> Markup:
    if x % 2 and y % 2:
        return el("span")
    if x % 2 == y % 2 == 0:
        place = 3 * (y // 2) + x // 2
        inside = el("b", TOMB)
        return _spot(marks, taps, places, site(CEMETERY, place), inside, False)
    one = 3 * (y // 2) + x // 2
    other = one + 1 if x % 2 else one + 3
    circled = marks.circled[CEMETERY]
    paid = circled >> one & circled >> other & 1
    given = _gives(rewards(BETWEEN[f"{STONES[one]}-{STONES[other]}"]))
    return el("small", *given, class_=f"between{some(paid, 'left')}")


def _things(marks: Marks) -> Markup:
    """Return what is no site: land, nights at the hotel, items."""
    squares = [
        el("i", worth, class_=f"plot{some(marks.land >> n & 1, 'circled')}")
        for n, worth in enumerate(LAND)
    ]
    items = ", ".join(_(name) for place, name in enumerate(ITEMS) if marks.items >> place & 1)
    hotel = f"{_('Hotel')} {HOTEL_STARS[marks.hotel]}☆"
    return el(
        "section",
        el("h2", _("Land")),
        el("div", *squares, class_="land"),
        el("p", hotel),
        el("p", el("span", _("Has"), class_="dim"), " ", items or _("nothing")),
        class_="paper region-things",
    )


# -- what seats have ------------------------------------------------------------------------------


def _goods(s: Sheet, seat: int | None = None) -> Markup:
    """Return what a sheet counts; with a ``seat``, as the numbers that are seen to change."""
    counts = (
        (el("i", "$", class_="token"), s.cash, _("Cash"), "dollars", "$"),
        (el("i", class_="token"), s.gold, _("Gold"), "nuggets", "g"),
        (el("span", "★"), s.stars, _("Stars"), "stars", "★"),
        (el("span", "☆"), silver(s), _("Silver stars"), "silver", ""),
        (icon("wanted"), s.wanted, "WANTED", "wanted", "W"),
        (el("span", PAN), s.pans, _("pans"), "tools", ""),
        (el("span", HAMMER), s.hammers, _("hammers"), "tools", ""),
    )
    shown = [
        amount(token, count, label, kind, f"{sign}.{seat}" if sign and seat is not None else None)
        for token, count, label, kind, sign in counts
    ]
    return el("div", *shown, class_="goods")


def _hand(scene: Scene) -> Markup:
    """Return the poker hand of the person's seat, and the sheriff card if it has seen it."""
    t: FliptownTable = scene.table
    assert scene.seat is not None
    own = [scene.face(card) for card in t.hole[scene.seat]]
    faces = [*t.sheets[scene.seat].poker, *(face for face in own if face is not None)]
    cards = [el("li", _card(face)) for face in faces]
    known = None if t.sheriff is None else scene.face(t.sheriff)
    if known is not None:
        cards.append(el("li", el("small", _("sheriff card")), _card(known)))
    inside = el("ul", *cards) if cards else el("p", _("no cards"), class_="dim")
    return el("div", el("h2", _("Poker hand")), inside, class_="hand")


def _seats(scene: Scene) -> Markup:
    t: FliptownTable = scene.table
    rows = [_seat(scene, seat, sheet) for seat, sheet in enumerate(t.sheets)]
    if t.cowbot >= 0:
        stolen = _("{count} stolen").format(count=len(t.stolen))
        total = el("output", rival_score(t), class_="total", data_count="rival")
        name = el("header", el("b", COWBOTS[t.cowbot], class_="name"))
        rows.append(el("li", name, el("p", stolen, class_="goods"), total, class_="seat"))
    return el("ol", *rows, class_="seats")


def _seat(scene: Scene, seat: int, sheet: Sheet) -> Markup:
    total = el("output", score_now(sheet), class_="total", data_count=f"t.{seat}")
    waits = some(seat in scene.asked, "active") + some(seat == scene.seat, "mine")
    inside = joined([el("header", seat_name(scene, seat)), _goods(sheet, seat), total])
    return el("li", inside, class_=f"seat{waits}", data_key=f"seat.{seat}")
