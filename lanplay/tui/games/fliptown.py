"""The table of Fliptown: the map of one seat, whole or in pages, and what all others have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lanplay.engine.question import Option, Question
from lanplay.games.fliptown.cards import number, suit
from lanplay.games.fliptown.codes import BY_ABILITY
from lanplay.games.fliptown.cowbot import rival_score
from lanplay.games.fliptown.ending import silver
from lanplay.games.fliptown.map import CEMETERY, HOTEL_STARS, LAND, MINE
from lanplay.games.fliptown.poker import FOUR, HAND, PAIR, THREE, TWO_PAIR, best
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.summary import trades
from lanplay.games.fliptown.table import TURNS, FliptownTable
from lanplay.games.fliptown.text import (
    ABILITIES,
    BOUNTIES,
    CAUSES,
    CHARACTERS,
    COWBOTS,
    ITEMS,
    RANK_NAMES,
    REGIONS,
    site_name,
    word,
)
from lanplay.language import _, dollars
from lanplay.tui.cells import Line, Size, Span, cells, clip, line, pad, width, wrap
from lanplay.tui.drawing import shortened
from lanplay.tui.games.fliptown_map import (
    CEMETERY_COLUMNS,
    MINE_COLUMNS,
    SILVER,
    badlands,
    card_span,
    region_sign,
    site_gives,
    town,
    trail,
    under_ground,
)
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.tiles import abreast, covered, framed
from lanplay.ui.fliptown_plan import PLACES, Preview, card_of, preview, price_text
from lanplay.ui.games.fliptown import breakdown, score_now, standing
from lanplay.ui.scene import Scene

TALL: Final = 36
"""Rows from which on cards are drawn large, and what everybody has stands below."""
ASIDE: Final = MINE_COLUMNS + CEMETERY_COLUMNS + 3
"""Columns from which on there is room beside mine and cemetery."""
LEAST_ASIDE: Final = 20
MAP_NAME: Final = 20
GROUPS: Final = {(): 0, (2,): PAIR, (2, 2): TWO_PAIR, (3,): THREE, (4,): FOUR}
"""Ranks of hands that are not complete, by how many cards are of one value."""
LANDS: Final = tuple(enumerate(LAND))
Page = Callable[[Scene, Preview, Size, Glyphs], list[Line]]


class FliptownScreen:
    """See ``lanplay.tui.games.GameScreen`` and ``Leaved``."""

    def leaves(self, scene: Scene) -> int:
        """Return how many pages the map has where it does not fit."""
        return len(PAGES)

    def board(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the map of a seat, or the page of it that matters now, between head and totals."""
        shown = preview(scene, shown_seat(scene))
        around = [_cards(scene, shown, size.columns, glyphs)]
        foot = [_totals(scene, size.columns, glyphs)]
        if size.rows >= TALL:
            around += _tall_cards(scene, glyphs)
            foot += _everybody(scene, size.columns, glyphs)
        room = Size(size.columns, size.rows - len(around) - len(foot))
        whole = [each for page in PAGES[:2] for each in page(scene, shown, room, glyphs)]
        if len(whole) <= room.rows:
            left = room.rows - len(whole)
            for further in (_things(scene, shown, glyphs, size), map(_trade, trades())):
                rest = [part for each in further for part in wrap(each, size.columns, 4)]
                if len(rest) <= left:
                    whole, left = [*whole, *rest], left - len(rest)
            return [*around, *whole, *foot]
        page = PAGES[(_due(shown) + scene.leaf) % len(PAGES)]
        return [*around, *page(scene, shown, room, glyphs)[: room.rows], *foot]

    def own(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the poker hand, the score as it stands, goods and items of the person's seat."""
        if scene.seat is None:
            return ()
        shown = preview(scene, scene.seat)
        score = line(("dim", _("Your score") + " "), ("you", str(score_now(shown.sheet))))
        hand = _hand(scene, glyphs)
        if size.columns >= ASIDE + LEAST_ASIDE:
            hand += tuple(
                part for each in _character(shown) for part in (Span("text", "  "), *each)
            )
        hand = clip(hand, size.columns - width(score) - 1, glyphs.more)
        goods = (Span("text", " "), *_goods(shown.sheet, glyphs))
        return [
            (*pad(hand, size.columns - width(score)), *score),
            *wrap(goods, size.columns, 1)[: size.rows - 1],
        ]

    def option(self, scene: Scene, option: Option, glyphs: Glyphs) -> Line:
        """Return a card, or a site with its price and what it gives; all else in words."""
        label = option.label
        match label.id:
            case "card":
                return (card_span(card_of(option), glyphs),)
            case "suit-card":
                region = _(REGIONS[label.values["region"]])
                return (card_span(card_of(option), glyphs), Span("text", f" {region}"))
            case "site" | "site-gold" | "site-ability":
                return _site(scene, option, glyphs)
            case "suit-own" | "suit-gold":
                region, gold = label.values["suit"], label.values.get("gold", 0)
                spans = line(f"{region_sign(region, glyphs)} {_(REGIONS[region])}")
                return spans + line(("bad", f" -{gold}g")) if gold else spans
        return (Span("text", word(label, scene.names)),)

    def rolls(self, question: Question) -> bool:
        """Tell that there are no dice."""
        return False

    def signs(self, glyphs: Glyphs) -> Sequence[tuple[str, str]]:
        """Return the signs of the map."""
        signs = " ".join(region_sign(region, glyphs) for region in range(5))
        regions = ", ".join(_(name) for name in REGIONS)
        return (
            (signs, regions),
            ("(5)", _("a site that is circled")),
            ("[5]", _("a site that you can visit now; <5>: the one pointed at")),
            ("[5]-2", _("visiting it costs two gold; !: the character's ability")),
            (f"{glyphs.dot}5{glyphs.dot}", _("a stop left behind on the Trail")),
            (
                f"2{glyphs.badge} 1W 3g {dollars(4, tight=True)}",
                _("what a site gives: stars, WANTED, gold, dollars"),
            ),
            ("P H P/H", _("a pan, a hammer, one of them as you like")),
            (f"+{region_sign(MINE, glyphs)}", _("a bonus action in that region")),
            ("-6W", _("cross out that many WANTED")),
            (
                f"{SILVER[glyphs.unicode]}{region_sign(CEMETERY, glyphs)}",
                _("at the end a silver star for every site circled in that region"),
            ),
            ("\\5-7 8-10/", _("values that lead into a room of the Mine, from left and right")),
            (f"7{glyphs.badge} 4{glyphs.badge}", _("before a bounty: what it pays now")),
        )

    breakdown = staticmethod(breakdown)
    standing = staticmethod(standing)


SCREEN = FliptownScreen()


def shown_seat(scene: Scene) -> int:
    """Return whose map is shown: the one wanted, else the person's own, else the first."""
    seats = len(scene.table.sheets)
    if scene.focus is not None:
        return scene.focus % seats
    return 0 if scene.seat is None else scene.seat


def _due(shown: Preview) -> int:
    """Return the page that matters now: the one with the site or region pointed at."""
    if shown.squares:
        return PAGES.index(_inventory)
    if shown.pointed is not None:
        return int(shown.pointed // 16 in (MINE, CEMETERY))
    if shown.places and all(where // 16 in (MINE, CEMETERY) for where in shown.places):
        return 1
    return int(shown.region == MINE)


# -- pages ----------------------------------------------------------------------------------------


def _above(scene: Scene, shown: Preview, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return Trail, Badlands and Town."""
    columns = size.columns
    regions = (trail(shown, columns, glyphs), badlands(shown, columns, glyphs))
    return [*regions[0], *regions[1], *town(shown, size, glyphs)]


def _below(scene: Scene, shown: Preview, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return Mine and Cemetery, and beside them, where there is room, what one plays for."""
    broad = size.columns - ASIDE
    aside: list[Line] = []
    if broad >= LEAST_ASIDE:
        aims = [*_rivals(scene, shown, glyphs)]
        if shown_seat(scene) != scene.seat:
            aims += _character(shown)
        aside = [part for each in aims for part in wrap(each, broad, 1)]
    return under_ground(shown, aside, size.columns, glyphs)


def _inventory(scene: Scene, shown: Preview, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return everything that is no site."""
    out: list[Line] = []
    for each in _things(scene, shown, glyphs, size):
        out += wrap(each, size.columns, 4)
    return out


PAGES: Final[tuple[Page, ...]] = (_above, _below, _inventory)


def _cards(scene: Scene, shown: Preview, columns: int, glyphs: Glyphs) -> Line:
    """Return the head: the turn, the flipped cards and what they are laid as, whose map it is."""
    t: FliptownTable = scene.table
    owner = _("map: {name}").format(name=scene.names[shown_seat(scene)])
    whose = clip(line(("title", owner)), MAP_NAME, glyphs.more)
    flipped = [t.faces[card] for card in t.flipped if card in t.faces]
    if not t.turn:
        spans = line(("dim", " " + _("between the turns")))
    else:
        turn = _("turn {turn} of {turns}").format(turn=t.turn, turns=TURNS)
        spans = line(("dim", f" {turn} "), *[card_span(face, glyphs) for face in flipped])
    for place, face in shown.laid.items():
        name = _("suit") if place == PLACES[0] else _("value")
        spans += (Span("dim", f"  {name} "), card_span(face, glyphs))
        if place == PLACES[0] and shown.region not in (None, suit(face)):
            spans += line(("bad", f"={region_sign(shown.region or 0, glyphs)}"))
    if len(shown.laid) == len(PLACES):
        left = flipped[:]
        for face in shown.laid.values():
            left.remove(face)
        spans += (Span("dim", "  " + _("poker") + " "), card_span(left[0], glyphs))
    room = columns - width(whose) - 1
    return (*pad(clip(spans, room - 1, glyphs.more), room), *whose, Span("text", " "))


def _tall_cards(scene: Scene, glyphs: Glyphs) -> list[Line]:
    """Return the flipped cards as tiles; those not seen yet from behind."""
    t: FliptownTable = scene.table
    veiled = scene.effects.veiled
    faces = [t.faces[card] for card in t.flipped if card in t.faces]
    tiles = []
    for place, face in enumerate(faces):
        shown = card_span(face, glyphs)
        name = shown.text.strip("[]")
        rows = [line((shown.role, text)) for text in (f" {name:<5}", "", f"{name:>6} ")]
        tile = framed(rows, 9, shown.role, glyphs)
        tiles.append(covered(tile, glyphs) if (0, place) in veiled else tile)
    return [line("  ") + row for row in abreast(tiles, 2)]


def _everybody(scene: Scene, columns: int, glyphs: Glyphs) -> list[Line]:
    """Return what every seat has, a paragraph each."""
    out: list[Line] = []
    for seat, s in enumerate(scene.table.sheets):
        role = "you" if seat == scene.seat else "text"
        hand = tuple(card_span(face, glyphs) for face in s.poker)
        spans = line(" ", (role, scene.names[seat]), "  ") + _goods(s, glyphs)
        out += wrap((*spans, Span("text", "  "), *hand), columns, 4)
    return out


def _totals(scene: Scene, columns: int, glyphs: Glyphs) -> Line:
    """Return every seat with its points and WANTED, and the cowbot."""
    t: FliptownTable = scene.table
    entries = [(scene.names[seat], score_now(s), s.wanted) for seat, s in enumerate(t.sheets)]
    if t.cowbot >= 0:
        entries.append((COWBOTS[t.cowbot], rival_score(t), len(t.stolen)))
    broad = columns // max(3, len(entries))
    out: Line = ()
    for seat, (name, score, count) in enumerate(entries):
        asked = "?" if seat in scene.asked else " "
        missing = "!" if seat in scene.missing else asked
        state = " " + _("(AI)") if seat in scene.away else ""
        last = _("{count} stolen").format(count=count) if seat >= t.seats else f"{count}W"
        right = f"{state} {score} {last}"
        name = shortened(name, broad - cells(right) - 3)
        for text in reversed(scene.effects.gains.get(seat, ())):
            if cells(f"{name} {text}{right}") <= broad - 3:
                right = f" {text}{right}"
        role = "you" if seat == scene.seat else "text"
        mark = Span("bad" if missing == "!" else "think", missing)
        named = pad(line((role, name)), broad - width(line(right)) - 3, glyphs.more)
        out += pad((mark, *named, Span("title", right)), broad)
    return clip(out, columns)


# -- what a seat has -------------------------------------------------------------------------------


def _goods(s: Sheet, glyphs: Glyphs) -> Line:
    """Return the counters of a seat."""
    spans = line(
        ("money", dollars(s.cash)),
        ("gold", "  " + _("gold {count}").format(count=s.gold)),
        ("badge", f"  {s.stars}{glyphs.badge}+{silver(s)}{SILVER[glyphs.unicode]}"),
        ("bad", f"  WANTED {s.wanted}"),
    )
    tools = _("pans {pans}, hammers {hammers}").format(pans=s.pans, hammers=s.hammers)
    items = ", ".join(_(name) for place, name in enumerate(ITEMS) if s.items >> place & 1)
    has = (("dim", "  " + _("Has") + " "), ("card", items or _("nothing")))
    return spans + line(("claim", f"  {tools}"), *has)


def _hand(scene: Scene, glyphs: Glyphs) -> Line:
    """Return the poker hand of the person's seat, and the sheriff card if it has seen it."""
    assert scene.seat is not None
    t: FliptownTable = scene.table
    own = [scene.face(card) for card in t.hole[scene.seat]]
    known = [face for face in own if face is not None]
    faces = [*t.sheets[scene.seat].poker, *known]
    spans = line(("dim", " " + _("Poker hand") + " "))
    for face in faces:
        spans += (card_span(face, glyphs),)
    spans += line(("text", f" {_(RANK_NAMES[rank_so_far(faces)])}"))
    sheriff = None if t.sheriff is None else scene.face(t.sheriff)
    if sheriff is not None:
        spans += (Span("dim", "  " + _("sheriff card") + " "), card_span(sheriff, glyphs))
    return spans


def rank_so_far(faces: Sequence[int]) -> int:
    """Return the rank of a poker hand, complete or not."""
    if len(faces) >= HAND:
        return best(tuple(faces))[0]
    several = [count for count in Counter(map(number, faces)).values() if count > 1]
    return GROUPS[tuple(sorted(several))]


def _rivals(scene: Scene, shown: Preview, glyphs: Glyphs) -> Iterator[Line]:
    """Yield what one plays for: bounties or the cowbot."""
    t: FliptownTable = scene.table
    for place, bounty in enumerate(t.bounties):
        stars = 4 if t.taken >> place & 1 else 7
        met = shown.sheet.bounties >> place & 1
        text = f"{_('met')}: {_(BOUNTIES[bounty])}" if met else _(BOUNTIES[bounty])
        yield line(("badge", f"{stars}{glyphs.badge} "), ("off" if met else "text", text))
    if t.cowbot >= 0:
        told = _("steals on {sign}: {cause}").format(
            sign=region_sign(t.cowbot, glyphs), cause=_(CAUSES[t.cowbot])
        )
        yield line(("bad", COWBOTS[t.cowbot]), f" {told}")


def _character(shown: Preview) -> Iterator[Line]:
    """Yield the character of the seat shown with its ability, if it plays one."""
    character = shown.sheet.character
    if character >= 0:
        used = "" if shown.sheet.uses else f" ({_('used')})"
        name = line(("card", f"{_(CHARACTERS[character])}{used}: "))
        yield name + line(("dim" if used else "text", _(ABILITIES[character])))


def _trade(told: str) -> Line:
    building, _colon, effect = told.partition(":")
    return line(f" {building}:", ("dim", effect))


def _things(scene: Scene, shown: Preview, glyphs: Glyphs, size: Size) -> Iterator[Line]:
    """Yield everything of a seat that is no site, a paragraph each, beside what stands aside."""
    s = shown.sheet
    if size.columns < ASIDE + LEAST_ASIDE:
        aims = (*_character(shown), *_rivals(scene, shown, glyphs))
        yield from ((Span("text", " "), *each) for each in aims)
    if shown_seat(scene) != scene.seat:
        yield (Span("text", " "), *_goods(s, glyphs))
        hand = [card_span(face, glyphs) for face in s.poker]
        yield (Span("dim", " " + _("Poker hand") + " "), *hand)
    squares = [_square(s.land >> n & 1, shown.squares >> n & 1, worth) for n, worth in LANDS]
    rows = f" {glyphs.bar} ".join("".join(squares[row : row + 3]) for row in (0, 3, 6))
    nights = f"{HOTEL_STARS[s.hotel]}{SILVER[glyphs.unicode]}"
    yield line(("dim", " " + _("Land") + " "), rows, ("dim", "  " + _("Hotel") + " "), nights)
    ranks = ", ".join(_(RANK_NAMES[rank]) for rank in s.ranks)
    if ranks:
        yield line(("dim", " " + _("Poker so far") + " "), ranks)


def _square(owned: int, pointed: int, worth: int) -> str:
    """Return a square of the land: owned, pointed at, or free."""
    if pointed:
        return f"<{worth}>"
    return f"({worth})" if owned else f" {worth} "


def _site(scene: Scene, option: Option, glyphs: Glyphs) -> Line:
    """Return a site with what it costs and what it gives."""
    values = option.label.values
    where: int = values["site"]
    spans = line(site_name(where))
    price = values["gold"] + (BY_ABILITY if option.label.id == "site-ability" else 0)
    if price:
        spans += line(("bad", f" {price_text(price)}g"))
    if scene.seat is None or scene.decision is None or scene.decision.ready:
        return spans
    given = site_gives(preview(scene, scene.seat).sheet, where, glyphs)
    return spans + line(("good", f" {given}")) if given else spans
