"""The table of Charidice: the six coloured dice, the best sets of the roll, everybody's sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from lanplay.engine.question import Option
from lanplay.games.charidice.dice import faces
from lanplay.games.charidice.questions import Score
from lanplay.games.charidice.rules import ROLLS
from lanplay.games.charidice.sets import best_sets
from lanplay.games.charidice.table import COLUMNS, ROUNDS, CharidiceTable
from lanplay.games.charidice.text import die_text, word
from lanplay.language import N_, _
from lanplay.ui.games.charidice import breakdown, standing
from lanplay.ui.scene import Scene
from lanplay.web.board import Taps, seat_name
from lanplay.web.elements import NOTHING, Kid, el, joined, some
from lanplay.web.pieces import coloured_die, emblem

SETS: Final = 6
"""How many sets are shown while others play."""
SIGNS: Final = ("⚄", "+", "←", "→")
"""What stands for the columns of a sheet, as sets are written: dice, bonuses, received, given."""
COLOURS: Final = (N_("red"), N_("yellow"), N_("green"), N_("blue"), N_("violet"), N_("white"))
"""The names of the colours, for those who hear them."""


class CharidiceBoard:
    """See ``lanplay.web.board.WebBoard``."""

    art = NOTHING

    @property
    def emblem(self) -> Markup:
        """Return three dice."""
        return emblem(coloured_die(n, colour, "") for n, colour in ((5, 0), (3, 1), (6, 3)))

    def board(self, scene: Scene, taps: Taps) -> Markup:
        """Return the dice of the active seat with their best sets, above the sheets."""
        seats = range(scene.table.seats)
        sheets = el("div", *(_sheet(scene, seat) for seat in seats), class_="sheets")
        return el("div", _tray(scene, taps), sheets, class_="felt")

    def own(self, scene: Scene, taps: Taps) -> Markup:
        """Return nothing: all of it lies on the table."""
        return NOTHING

    def option(self, scene: Scene, option: Option) -> Markup:
        """Return a die or a set in its colours, all else in words."""
        values = option.label.values
        if option.label.id == "die":
            return _die(values["die"])
        if option.label.id == "set":
            return _set(values["dice"], values["points"], values["bonus"], values["gift"])
        return joined([word(option.label, scene.names)])

    breakdown = staticmethod(breakdown)
    standing = staticmethod(standing)


BOARD: Final = CharidiceBoard()


def _die(face: Sequence[int]) -> Markup:
    number, colour = face
    return coloured_die(number, colour, f"{number} {_(COLOURS[colour])}")


def _tray(scene: Scene, taps: Taps) -> Markup:
    """Return whose dice they are, and the dice as they lie."""
    t: CharidiceTable = scene.table
    if t.active < 0:
        return el("div", el("p", _("No dice lie on the table."), class_="calm"), class_="tray")
    made = _("roll {made} of {rolls}").format(made=t.rolls, rolls=ROLLS)
    dots = [el("i", class_=f"dot{some(k < t.rolls, 'full')}") for k in range(ROLLS)]
    rolls = el("span", *dots, class_="rolls", role="img", aria_label=made, title=made)
    double = el("span", _("greatest gift: it counts double"), class_="badge")
    head = el("p", seat_name(scene, t.active), rolls, double if t.demanded else None)
    lie = el("p", _("the dice are rolling"), class_="calm")
    if t.dice:
        dice = [_lying(t, taps, place, face) for place, face in enumerate(faces(t.dice))]
        lie = el("ul", *dice, class_="dice six", data_way="die")
    return el("div", head, lie, _best(scene), class_="tray")


def _lying(t: CharidiceTable, taps: Taps, place: int, face: tuple[int, int]) -> Markup:
    """Return a die over what log and hints call it; one that was just rolled is a new element."""
    new = t.rolled >> place & 1
    key = f"{place}.{t.round}.{t.active}.{t.rolls if new else 'lies'}"
    inside = joined([taps.thing("die", place, _die(face)), el("small", die_text(face))])
    return el("li", inside, data_key=key, data_seen=f"0.{place}")


def _best(scene: Scene) -> Markup | None:
    """Return the best sets of the dice; not where the person picks one below."""
    t: CharidiceTable = scene.table
    mine = scene.asked.get(scene.seat) if scene.seat is not None else None
    if not t.dice or isinstance(mine, Score):
        return None
    factor = 2 if t.demanded else 1
    found = [
        el("li", _set(faces(t.dice, s.mask), s.points, s.bonus, s.gift * factor))
        for s in best_sets(t.dice)[:SETS]
    ]
    head = el("h2", _("Best sets: points + bonus, then the gift"))
    return el("div", head, el("ul", *found), class_="best", data_late=True)


def _set(dice: Sequence[tuple[int, int]], points: int, bonus: int, gift: int) -> Markup:
    """Return a set: its dice, points and bonus, and what it gives away."""
    brings: Kid = f"{points} + {bonus}" if bonus else points
    return el(
        "span",
        el("span", *map(_die, dice), class_="mini"),
        el("b", brings, class_="brings"),
        el("i", f"→ {gift}", class_="gift"),
        class_="set",
    )


def _sheet(scene: Scene, seat: int) -> Markup:
    """Return a seat's sheet: seven rows of four columns, sums and total."""
    t: CharidiceTable = scene.table
    heads = zip((_("Dice"), _("Bonuses"), _("Received"), _("Given")), SIGNS, strict=True)
    rows = []
    for number in range(ROUNDS):
        entries = [t.column(column, seat)[number : number + 1] for column in COLUMNS]
        cells = [el("td", one[0] if one else "·", class_=None if one else "dim") for one in entries]
        rows.append(el("tr", el("th", number + 1, scope="row"), *cells, data_key=f"r{number}"))
    sums = [_sum(t, column, seat) for column in COLUMNS]
    table = el(
        "table",
        el("thead", el("tr", el("td"), *(_head(*each) for each in heads))),
        el("tbody", *rows),
        el("tfoot", el("tr", el("th", "Σ", scope="row"), *sums)),
    )
    gift = el("i", "×2", class_="badge", title=_("this player's greatest gift is still to come"))
    to = _("gives to {name}").format(name=scene.names[t.left(seat)])
    return el(
        "article",
        el(
            "header",
            seat_name(scene, seat),
            el("output", t.total(seat), class_="total", data_has=f".{seat}"),
        ),
        table,
        el("footer", gift if t.greatest[seat] else None, f"→ {to}", class_="dim"),
        class_=f"paper sheet{some(seat == t.active, 'active')}{some(seat == scene.seat, 'mine')}",
        data_key=f"sheet.{seat}",
    )


def _head(name: str, sign: str) -> Markup:
    """Return the head of a column: its name, and what stands for it where that is too long."""
    named = el("span", name, class_="word")
    return el("th", named, el("i", sign, aria_hidden="true"), scope="col", title=name)


def _sum(t: CharidiceTable, column: str, seat: int) -> Markup:
    total = sum(t.column(column, seat))
    most = column == "given" and total and total == max(map(sum, t.given))
    return el("td", f"★{total}" if most else total, class_="most" if most else None)
