"""The table of Dice Town: eight locations, every seat's dice and goods, one's own cup and hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanplay.engine.question import Option, Question
from lanplay.games.dice_town.cards import CLAIM_FACES, STORE, kind, points
from lanplay.games.dice_town.poker import ACE, DICE, FACES, JACK, KING, NINE, QUEEN, TEN, rank
from lanplay.games.dice_town.questions import Keep
from lanplay.games.dice_town.table import DiceTownTable
from lanplay.games.dice_town.text import card_name, word
from lanplay.language import _
from lanplay.tui.cells import EMPTY, Line, Size, Span, clip, line, pad, right, width, wrap
from lanplay.tui.drawing import seat_name
from lanplay.tui.glyphs import Glyphs
from lanplay.ui.games.dice_town import breakdown, score_now
from lanplay.ui.scene import Scene

LETTERS: Final = ("9", "10", "J", "Q", "K", "A")
ROOMY: Final = 20
"""Rows from which on the town has its rules' words beside the stakes."""


class DiceTownScreen:
    """See ``lanplay.tui.games.GameScreen``."""

    def board(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the town above the seats."""
        town = _town(scene, size.columns, glyphs, size.rows >= ROOMY)
        return [*town, EMPTY, *_seats(scene, size.columns, glyphs)][: size.rows]

    def own(self, scene: Scene, size: Size, glyphs: Glyphs) -> Sequence[Line]:
        """Return the cup, the score as it stands and the hand of the person's seat."""
        view, t = scene.view, scene.table
        if view is None:
            return ()
        cup: Line = line(("dim", _("Your cup") + "  "))
        unfinished = len(t.dice[view.seat]) < DICE
        if view.cup and unfinished:
            for place, face in enumerate(view.cup):
                cup += (_die(_tumbling(scene, face, place)),)
        else:
            cup += line(("dim", _("nothing to roll now")))
        score = line(("dim", _("Your score") + " "), ("you", str(score_now(scene))))
        first = (*pad(cup, size.columns - width(score)), *score)
        return [first, *wrap(_hand(scene, glyphs), size.columns, 11)][: size.rows]

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
            (glyphs.nugget, _("nuggets: in the Gold Mine, or of a seat")),
            (glyphs.store, _("Store cards: on the deck, or face down in a hand")),
            (glyphs.claim, _("claims, face down in a hand")),
            ("(3)", _("a claim of so many points, face up: in the Town Hall, or fenced")),
            ("2x #1", _("who shows most of the face so far: two dice, seat 1")),
            ("#1=#3", _("a tie: the Sheriff decides")),
            ("+1A", _("the best hand, and how many aces are in it")),
        )

    breakdown = staticmethod(breakdown)


SCREEN = DiceTownScreen()


# -- dice -----------------------------------------------------------------------------------------


def _die(face: int, role: str = "die") -> Span:
    """Return a die of four cells: its letter in a frame, so that no colour is needed."""
    return Span(role, f"[{LETTERS[face]:>2}]")


def _tumbling(scene: Scene, face: int, place: int) -> int:
    """Return the face that a die shows while it rolls; it comes to rest on its own."""
    return (face + scene.rolling * (place + 1)) % FACES


def _dice(faces: Sequence[int]) -> Line:
    """Return the five dice of a seat, those still under the cup as blanks."""
    shown = tuple(_die(face) for face in sorted(faces))
    return shown + tuple(Span("dim", "[  ]") for _ in range(DICE - len(faces)))


# -- the town -------------------------------------------------------------------------------------


def _town(scene: Scene, columns: int, glyphs: Glyphs, roomy: bool) -> list[Line]:
    """Return the locations in two rows of four: name, stake, who leads for it."""
    boxes = _locations(scene, glyphs, roomy)
    broad = (columns - 3) // 4
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


def _locations(scene: Scene, glyphs: Glyphs, whole: bool) -> list[tuple[Line, Line, Line]]:
    t: DiceTownTable = scene.table
    held = sum(map(len, t.hands)) + sum(map(len, t.deeds))
    row: Line = ()
    for card in t.row:
        row += (_claim(scene, card),)
    unlucky = [seat for seat in range(t.seats) if not t.obtained[seat]]
    doc = _who(scene, unlucky, whole) if any(t.obtained) else EMPTY
    backs = f"{glyphs.store}{glyphs.claim} {held}"
    hands = _("{count} in hands").format(count=held) if whole else backs
    sheriff = f"{glyphs.badge} {scene.names[t.sheriff]}" if t.round else _("not drawn yet")
    return [
        _place(
            "9",
            _("Gold Mine"),
            line(("gold", f"{glyphs.nugget} {t.mine}")),
            _leads(scene, NINE, whole),
        ),
        _place("10", _("Bank"), line(("money", f"${t.bank}")), _leads(scene, TEN, whole)),
        _place("", _("Stagecoach"), line(("money", f"${t.coach}")), EMPTY),
        _place("J", _("General Store"), _store(t, glyphs), _leads(scene, JACK, whole)),
        _place("Q", _("Saloon"), line(("card", hands)), _leads(scene, QUEEN, whole)),
        _place("K", _("Sheriff"), line(("badge", sheriff)), _leads(scene, KING, whole)),
        _place("+", _("Town Hall"), row, _best(scene, whole)),
        _place("", _("Doc Badluck"), line(("dim", _("gets the rest"))), doc),
    ]


def _claim(scene: Scene, card: int) -> Span:
    """Return a claim with its points; while it is being turned nobody knows them yet."""
    face = scene.table.faces.get(card)
    return Span("claim", "(?)" if face is None else f"({points(face)})")


def _store(t: DiceTownTable, glyphs: Glyphs) -> Line:
    return line(("card", f"{glyphs.store} {len(t.deck)}/{len(STORE)}"))


def _place(face: str, name: str, stake: Line, leads: Line) -> tuple[Line, Line, Line]:
    head = line(("die", f"{face} "), ("title", name)) if face else line(("title", name))
    return head, stake, leads


def _leads(scene: Scene, face: int, whole: bool) -> Line:
    """Return who shows the most of a face, and how many; several are a tie (DT-3.0)."""
    counts = scene.table.counts(face)
    most = max(counts)
    if not most:
        return EMPTY
    seats = [seat for seat, count in enumerate(counts) if count == most]
    return line(("dim", f"{most}x ")) + _who(scene, seats, whole)


def _best(scene: Scene, whole: bool) -> Line:
    """Return who shows the best hand once all dice are on the table (DT-3.7)."""
    t: DiceTownTable = scene.table
    if any(len(dice) < DICE for dice in t.dice):
        return EMPTY
    ranks = [rank(dice) for dice in t.dice]
    seats = [seat for seat, each in enumerate(ranks) if each == max(ranks)]
    aces = t.counts(ACE)[seats[0]]
    return _who(scene, seats, whole) + line(("dim", f" +{aces}A" if aces else ""))


def _who(scene: Scene, seats: Sequence[int], whole: bool) -> Line:
    """Return seats by name, or by number where there is no room; a tie is marked as such."""
    shown = [scene.names[seat] if whole else f"#{seat + 1}" for seat in seats]
    return line(("think" if len(seats) > 1 else "text", "=".join(shown)))


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
        *pad(_dice(t.dice[seat]), 22),
        *right(line(("money", f"${t.dollars[seat]}")), 4),
        *right(line(("gold", str(t.nuggets[seat]))), 5),
        *right(_backs("card", glyphs.store, len(t.hands[seat])), 8),
        *right(_backs("claim", glyphs.claim, len(t.deeds[seat])), 8),
        Span("text", "  "),
    )
    fences = tuple(_claim(scene, card) for card in t.fences[seat])
    return clip(spans + (fences or line(("claim", glyphs.dot))), columns, glyphs.more)


def _backs(role: str, back: str, count: int) -> Line:
    """Return the backs of hidden cards, drawn as far as there is room, and their number."""
    return line((role, f"{back * min(4, count)} {count}"))


def _state(scene: Scene, seat: int, glyphs: Glyphs) -> Line:
    """Return one cell that says whether a seat is asked, or its laptop missing."""
    if seat in scene.missing:
        return line(("bad", "!"))
    return line(("think", glyphs.cursor if seat in scene.asked else " "))


def _hand(scene: Scene, glyphs: Glyphs) -> Line:
    t, seat = scene.table, scene.seat
    spans: Line = line(("dim", _("Your hand") + "  "))
    faces = [scene.face(card) for card in t.loot(seat)]
    known = [face for face in faces if face is not None]
    if not known:
        return spans + line(("dim", _("no cards")))
    for place, face in enumerate(sorted(known), 1):
        role = "claim" if kind(face) == "claim" else "card"
        whole = card_name(face).replace(" ", "\u00a0")  # lines are broken at other blanks alone
        spans += line((role, f"{whole}, " if place < len(known) else whole))
    return spans
