"""The table of Dice Town: eight locations, every seat's dice and goods, one's own cup and hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from lanplay.engine.question import Option, Phrase, Question
from lanplay.games.dice_town.cards import CLAIM_FACES, STORE, kind, points
from lanplay.games.dice_town.poker import DICE, FACES, JACK, KING, NINE, QUEEN, TEN
from lanplay.games.dice_town.questions import Keep
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.games.dice_town.text import card_name, word
from lanplay.games.teaching import lessons_of
from lanplay.language import _, dollars
from lanplay.tui.cells import EMPTY, Line, Size, Span, beside, clip, line, pad, right, width, wrap
from lanplay.tui.drawing import gained, seat_name, shortened
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.tiles import abreast, covered, framed, letter_die
from lanplay.ui.games import dice_town as dt
from lanplay.ui.scene import Scene

ROOMY: Final = 20
"""Rows from which on the town has its rules' words beside the stakes."""
TALL: Final = 3
"""Rows of a seat with large dice."""
TALLER: Final = 5
LARGEST: Final = 11
"""Rows of a seat with larger ones, and the most."""
BROAD: Final = 100
"""Columns from which on there is room for the larger ones."""
FRAMED: Final = 6
TOLD: Final = 2
"""Rows of a location in a frame, and of what is to be had there."""
CARD: Final = 26
"""Columns of a card in the own hand that tells what it does."""


class DiceTownScreen:
    """See ``lanplay.tui.games.GameScreen``."""

    def board(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the town above the seats."""
        columns, seats = size.columns, scene.table.seats
        broad = columns >= BROAD
        if size.rows >= 2 * FRAMED + TALL * seats + 1:
            told = broad and size.rows >= 2 * (FRAMED + TOLD) + TALLER * seats + 1
            town = _framed_town(scene, columns, glyphs, TOLD if told else 0)
        else:
            town = _town(scene, columns, glyphs, size.rows >= ROOMY)
        each = (size.rows - len(town) - 1) // seats
        if each < TALL:
            drawn = _seats(scene, columns, glyphs)
        else:
            rows = min(each - 1 | 1, LARGEST if broad else TALL)
            drawn = _tall_seats(scene, Size(columns, rows), glyphs)
        apart = [EMPTY] if len(town) + len(drawn) < size.rows else []
        return [*town, *apart, *drawn][: size.rows]

    def own(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the cup, the score as it stands and the hand of the person's seat."""
        view, t = scene.view, scene.table
        if view is None:
            return ()
        if size.rows > TALL:
            return _tall_own(scene, size, glyphs)
        cup: Line = line(("dim", _("Your cup") + "  "))
        unfinished = len(t.dice[view.seat]) < DICE
        if view.cup and unfinished:
            for place, face in enumerate(view.cup):
                cup += (_die(_tumbling(scene, face, place)),)
        else:
            cup += line(("dim", _("nothing to roll now")))
        score = line(("dim", _("Your score") + " "), ("you", str(dt.score_now(scene))))
        first = (*pad(cup, size.columns - width(score)), *score)
        return [first, *wrap(_hand(scene), size.columns, 11)][: size.rows]

    def option(self, scene: Scene, option: Option, glyphs: Glyphs) -> Line:
        """Return a die as a face, a card with what it is worth, all else in words."""
        values = option.label.values
        if option.label.id == "die":
            return (_die(values["face"]),)
        if option.label.id == "card":
            face = values["card"]
            role = "claim" if face in CLAIM_FACES else "card"
            return (Span(role, card_name(face)),)
        return (Span("text", word(option.label, scene.names)),)

    def rolls(self, question: Question) -> bool:
        """Tell that a roll comes before one keeps dice (DT-2.1)."""
        return isinstance(question, Keep)

    def signs(self, glyphs: Glyphs) -> Sequence[tuple[str, str]]:
        """Return the signs of the town and of the seats."""
        return (
            (glyphs.cursor, _("before a name: the game waits for this seat")),
            (glyphs.badge, _("the Sheriff")),
            (glyphs.nugget, _("nuggets: in the Gold Mine, or with a player")),
            (glyphs.store, _("Store cards: on the deck, or face down in a hand")),
            (glyphs.claim, _("claims, face down in a hand")),
            ("(3)", _("a claim of that many points, face up: in the Town Hall, or fenced")),
            ("2x #1", _("who shows most of the face so far: two dice, seat 1")),
            ("#1=#3", _("a tie: the Sheriff decides")),
            ("+1A", _("the best hand, and how many aces are in it")),
        )

    breakdown = staticmethod(dt.breakdown)
    standing = staticmethod(dt.standing)


SCREEN = DiceTownScreen()


# -- dice -----------------------------------------------------------------------------------------


def _die(face: int, role: str = "die") -> Span:
    """Return a die of four cells: its letter in a frame, so that no colour is needed."""
    return Span(role, f"[{dt.LETTERS[face]:>2}]")


def _tumbling(scene: Scene, face: int, place: int) -> int:
    """Return the face that a die shows while it rolls; it comes to rest on its own."""
    return (face + scene.rolling * (place + 1)) % FACES


def _dice(scene: Scene, seat: int) -> Line:
    """Return the five dice of a seat, those still under the cup as blanks."""
    faces, veiled = dt.seen(scene, seat)
    shown = [_die(face) for face in sorted(faces)] + [Span("dim", "[▒▒]")] * veiled
    return (*shown, *[Span("dim", "[  ]")] * (DICE - len(shown)))


def _tall_dice(scene: Scene, seat: int, rows: int, glyphs: Glyphs) -> list[Line]:
    faces, veiled = dt.seen(scene, seat)
    tiles = [letter_die(dt.LETTERS[face], "die", glyphs, rows) for face in sorted(faces)]
    blank = letter_die("", "dim", glyphs, rows)
    tiles += [covered(blank, glyphs)] * veiled
    return abreast([*tiles, *[blank] * (DICE - len(tiles))], 0)


# -- the town -------------------------------------------------------------------------------------


def _town(scene: Scene, columns: int, glyphs: Glyphs, roomy: bool) -> list[Line]:
    """Return the locations in two rows of four: name, stake, who leads for it."""
    broad = (columns - 3) // 4
    boxes = _locations(scene, glyphs, broad - 5 if roomy else 0)
    out: list[Line] = []
    for start in range(0, len(boxes), 4):
        row = boxes[start : start + 4]
        depth = 3 if roomy else 2
        if start and roomy:
            out.append(EMPTY)
        for part in range(depth):
            spans: Line = ()
            for place, box in enumerate(row):
                cell = _part(box, part, broad, roomy, glyphs.more)
                spans += pad(cell, broad, glyphs.more)
                if place < len(row) - 1:
                    spans += line(("dim", glyphs.bar))
            out.append(spans)
    return out


def _part(box: tuple[Line, Line, Line], part: int, broad: int, roomy: bool, more: str) -> Line:
    """Return a line of a location; where it has two, the stake gives way to who leads for it."""
    head, stake, leads = box
    blank = line(" ")
    if part == 0:
        return blank + head
    if roomy:
        return blank + (stake if part == 1 else leads)
    room = broad - 3 - width(leads)
    if not leads or room < 1:
        return blank + (leads or stake)
    return blank + clip(stake, room, more) + line("  ") + leads


def _locations(scene: Scene, glyphs: Glyphs, room: int) -> list[tuple[Line, Line, Line]]:
    """Return the locations by name, stake and leaders: ``room`` is what names have, 0 for none."""
    t: DiceTownTable = scene.table
    held = sum(map(len, t.hands)) + sum(map(len, t.deeds))
    row: Line = ()
    for card in t.row:
        row += (_claim(scene, card),)
    unlucky = [seat for seat in range(t.seats) if not t.obtained[seat]]
    doc = _who(scene, unlucky, room) if any(t.obtained) else EMPTY
    backs = f"{glyphs.store}{glyphs.claim} {held}"
    hands = _("{count} in hands").format(count=held) if room else backs
    holder = shortened(scene.names[t.sheriff], 0)
    sheriff = f"{glyphs.badge} {holder}" if t.round else _("not drawn yet")
    return [
        _place(
            "9",
            _("Gold Mine"),
            line(("gold", f"{glyphs.nugget} {t.mine}")),
            _leads(scene, NINE, room),
        ),
        _place("10", _("Bank"), line(("money", dollars(t.bank))), _leads(scene, TEN, room)),
        _place("", _("Stagecoach"), line(("money", dollars(t.coach))), EMPTY),
        _place("J", _("General Store"), _store(t, glyphs, room > 0), _leads(scene, JACK, room)),
        _place("Q", _("Saloon"), line(("card", hands)), _leads(scene, QUEEN, room)),
        _place("K", _("Sheriff"), line(("badge", sheriff)), _leads(scene, KING, room)),
        _place("+", _("Town Hall"), row, _best(scene, room)),
        _place("", _("Doc Badluck"), line(("dim", _("helps the unlucky"))), doc),
    ]


def _claim(scene: Scene, card: int) -> Span:
    """Return a claim with its points; while it is being turned nobody knows them yet."""
    face = scene.table.faces.get(card)
    return Span("claim", "(?)" if face is None else f"({points(face)})")


def _store(t: DiceTownTable, glyphs: Glyphs, whole: bool) -> Line:
    of_all = f"/{len(STORE)}" if whole else ""
    return line(("card", f"{glyphs.store} {len(t.deck)}{of_all}"))


def _place(face: str, name: str, stake: Line, leads: Line) -> tuple[Line, Line, Line]:
    head = line(("die", f"{face} "), ("title", name)) if face else line(("title", name))
    return head, stake, leads


def _leads(scene: Scene, face: int, room: int) -> Line:
    """Return who shows the most of a face, and how many."""
    most, seats = dt.leaders(scene, face)
    return line(("dim", f"{most}x ")) + _who(scene, seats, room) if seats else EMPTY


def _best(scene: Scene, room: int) -> Line:
    """Return who shows the best hand, and how many aces are in it."""
    seats, aces = dt.best_hands(scene)
    tail = line(("dim", f" +{aces}A" if aces else ""))
    return _who(scene, seats, room) + tail if seats else EMPTY


def _who(scene: Scene, seats: Sequence[int], room: int) -> Line:
    """Return seats by name, or by number where there is no room; a tie is marked as such."""
    role = "think" if len(seats) > 1 else "text"
    named = line((role, "=".join(shortened(scene.names[seat], 0) for seat in seats)))
    return named if width(named) <= room else line((role, "=".join(f"#{n + 1}" for n in seats)))


# -- the seats ------------------------------------------------------------------------------------


def _seats(scene: Scene, columns: int, glyphs: Glyphs) -> list[Line]:
    name = min(20, columns - 65)
    head = line(
        ("dim", " " * (name + 5) + f"{_('Dice'):<22}"),
        ("dim", f"{'$':>4}{glyphs.nugget:>5}"),
        ("dim", f"{_('Store'):>8}{_('Claims'):>8}  "),
        ("dim", _("Fenced")),
    )
    seats = range(scene.table.seats)
    return [clip(head, columns), *(_seat(scene, seat, name, columns, glyphs) for seat in seats)]


def _seat(scene: Scene, seat: int, name: int, columns: int, glyphs: Glyphs) -> Line:
    t: DiceTownTable = scene.table
    sheriff = t.round and seat == t.sheriff
    badge = Span("badge", glyphs.badge) if sheriff else Span("text", " ")
    state = _state(scene, seat, glyphs)
    spans: Line = (
        badge,
        *state,
        Span("dim", f"{seat + 1} "),
        *seat_name(scene, seat, name, glyphs),
        Span("text", " "),
        *pad(_dice(scene, seat), 22),
        *right(_money(scene, seat), 4),
        *right(_nuggets(scene, seat), 5),
        *right(_backs("card", glyphs.store, len(t.hands[seat])), 8),
        *right(_backs("claim", glyphs.claim, len(t.deeds[seat])), 8),
        Span("text", "  "),
    )
    fences = tuple(_claim(scene, card) for card in t.fences[seat])
    spans += fences or line(("claim", glyphs.dot))
    return clip(spans + gained(scene, seat), columns, glyphs.more)


def _money(scene: Scene, seat: int) -> Line:
    return line(("money", dollars(scene.effects.shown("$", seat, scene.table.dollars[seat]))))


def _nuggets(scene: Scene, seat: int) -> Line:
    return line(("gold", str(scene.effects.shown(dt.NUGGET, seat, scene.table.nuggets[seat]))))


def _tall_seats(scene: Scene, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return the seats with their dice as tiles: whose they are, dice, goods, cards."""
    t: DiceTownTable = scene.table
    name = min(22, size.columns - 54)
    out: list[Line] = []
    for seat in range(t.seats):
        badge = Span("badge", glyphs.badge if t.round and seat == t.sheriff else " ")
        who = (badge, *_state(scene, seat, glyphs), Span("dim", f"{seat + 1} "))
        goods = (*right(_money(scene, seat), 6), *right(_nuggets(scene, seat), 5))
        fences = tuple(_claim(scene, card) for card in t.fences[seat])
        cards = _backs("card", glyphs.store, len(t.hands[seat])) + line("  ")
        cards += _backs("claim", glyphs.claim, len(t.deeds[seat]))
        aside = [
            (*goods, Span("gold", f" {glyphs.nugget}"), *gained(scene, seat)),
            line("   ") + cards,
            line("   ") + (line(("dim", _("Fenced") + " ")) + fences if fences else EMPTY),
        ]
        left = [(*who, *seat_name(scene, seat, name, glyphs))]
        dice = beside(left, _tall_dice(scene, seat, size.rows, glyphs), name + 5, EMPTY)
        above: list[Line] = [EMPTY] * (size.rows // 2 - 1)
        out += beside(dice, above + aside, width(dice[0]), line(" "))
    return out


def _framed_town(scene: Scene, columns: int, glyphs: Glyphs, told: int) -> list[Line]:
    """Return the locations in frames: name, in ``told`` rows what is to be had, the stake, the
    stake as far as it can be counted, leads."""
    broad = columns // 4
    places = zip(_locations(scene, glyphs, broad - 7), _piles(scene, glyphs), strict=True)
    boxes = []
    for ((head, stake, leads), pile), text in zip(
        places, lessons_of("dice-town").places(), strict=True
    ):
        had = [*wrap(line(("dim", text)), broad - 4, 0), EMPTY, EMPTY][:told]
        rows = [line(" ") + each for each in (head, *had, stake, pile, leads)]
        boxes.append(framed(rows, broad, "dim", glyphs))
    return [row for start in (0, 4) for row in abreast(boxes[start : start + 4], 0)]


def _piles(scene: Scene, glyphs: Glyphs) -> list[Line]:
    """Return what lies in each location, thing by thing, in the order of ``_locations``."""
    t: DiceTownTable = scene.table
    found = {
        0: line(("gold", glyphs.nugget * t.mine)),
        1: line(("money", "$" * t.bank)),
        2: line(("money", "$" * t.coach)),
        3: line(("card", glyphs.store * len(t.deck))),
    }
    return [found.get(place, EMPTY) for place in range(8)]


def _tall_own(scene: Scene, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return the cup as tiles, and the cards of the own hand with what they do."""
    view, t = scene.view, scene.table
    assert view is not None
    score = line(("dim", _("Your score") + " "), ("you", str(dt.score_now(scene))))
    rolled = view.cup if len(t.dice[view.seat]) < DICE else ()
    faces = [_tumbling(scene, face, place) for place, face in enumerate(rolled)]
    rows = TALLER if size.columns >= BROAD else TALL
    tiles = [letter_die(dt.LETTERS[face], "die", glyphs, rows) for face in faces]
    blank = [line(("dim", _("nothing to roll now")))]
    cup = [line(("dim", _("Your cup"))), *(abreast(tiles) if tiles else blank)]
    hand = [face for card in t.loot(view.seat) if (face := scene.face(card)) is not None]
    aside = DICE * (rows + 3) + 2
    room = (size.columns - aside - 4) // (CARD + 1)
    if not hand or len(hand) > room:
        rest = wrap(_hand(scene), size.columns - aside - 2, 11)
    else:
        rest = abreast([_tall_card(scene, face, glyphs) for face in sorted(hand)])
    both = beside([*cup, score], rest, aside, line("  "))
    return both[: size.rows]


def _tall_card(scene: Scene, face: int, glyphs: Glyphs) -> list[Line]:
    """Return a card in a frame: its name, in a few words what it does, and what is ordered."""
    role = "claim" if face in CLAIM_FACES else "card"
    effect = lessons_of("dice-town").effect(Phrase("card", {"card": face}))
    told = wrap(line(("dim", effect)), CARD - 4, 0)[:3] if effect else []
    rows = [line((role, card_name(face))), *told]
    if order := _order(scene, face):
        rows.append(line(("key", "O "), ("chosen", order)))
    return framed([line(" ") + each for each in rows], CARD, role, glyphs)


def _backs(role: str, back: str, count: int) -> Line:
    """Return the backs of hidden cards, drawn as far as there is room, and their number."""
    return line((role, f"{back * (min(4, count) or 1)} {count}"))


def _state(scene: Scene, seat: int, glyphs: Glyphs) -> Line:
    """Return one cell that says whether a seat is asked, or its laptop missing."""
    if seat in scene.missing:
        return line(("bad", "!"))
    return line(("think", glyphs.cursor if seat in scene.asked else " "))


def _hand(scene: Scene) -> Line:
    t, seat = scene.table, scene.seat
    spans: Line = line(("dim", _("Your hand") + "  "))
    faces = [scene.face(card) for card in t.loot(seat)]
    known = [face for face in faces if face is not None]
    if not known:
        return spans + line(("dim", _("no cards")))
    counts = Counter(_card(scene, face) for face in sorted(known))
    for place, ((role, told), count) in enumerate(counts.items(), 1):
        many = f"{count}x {told}" if count > 1 else told
        name, *order = many.split(" (")
        whole = " (".join([name.replace(" ", "\u00a0"), *order])  # a name is never broken
        spans += line((role, f"{whole}, " if place < len(counts) else whole))
    return spans


def _card(scene: Scene, face: int) -> tuple[str, str]:
    """Return how a card of the own hand looks, and its name with what is ordered for it."""
    order = _order(scene, face)
    role = "claim" if kind(face) == "claim" else "card"
    return role, f"{card_name(face)} ({order})" if order else card_name(face)


def _order(scene: Scene, face: int) -> str:
    """Return what the person has ordered for a card of its hand; empty for one without orders."""
    return next((row.says for row in scene.orders() if row.card == kind(face)), "")
