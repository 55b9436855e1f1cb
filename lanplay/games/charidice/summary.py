"""A seat's view in a few lines of text, for interfaces without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lanplay.engine.question import Phrase
from lanplay.engine.view import View
from lanplay.games.charidice.dice import faces
from lanplay.games.charidice.questions import Score
from lanplay.games.charidice.sets import best_sets
from lanplay.games.charidice.table import COLUMNS, CharidiceTable
from lanplay.games.charidice.text import dice_text, word
from lanplay.games.wording import Title
from lanplay.language import N_, _

SETS = 4


def situation(view: View[CharidiceTable], names: Sequence[str]) -> Iterator[str]:
    """Yield the sheets, the dice and the best sets, each line at most 80 columns for short names.

    A sheet shows the sums of its four columns and, with ``x2``, a greatest gift still to come.
    """
    t = view.table
    yield _(
        "Round {number}. Columns: dice, bonuses, received, given; x2: greatest gift to come."
    ).format(number=t.round)
    for seat in range(t.seats):
        sums = " ".join(f"{sum(t.column(name, seat)):>4}" for name in COLUMNS)
        greatest = "x2" if t.greatest[seat] else "  "
        total = _("total {points}").format(points=t.total(seat))
        yield f"  {names[seat]:<20.20} {sums}  {greatest}  {total}"
    if t.dice:
        yield _("{seat}, roll {rolls}: {dice}.").format(
            seat=names[t.active], rolls=t.rolls, dice=dice_text(faces(t.dice))
        )
        if t.demanded:
            yield _("The greatest gift is demanded: it counts double.")
        score = Score(t.dice, 2 if t.demanded else 1)
        sets = [word(score.label(each), names) for each in best_sets(t.dice)[:SETS]]
        yield _("Best sets: {sets}.").format(sets="; ".join(sets))


TITLES: Final = (
    Title(N_("The greatest gift"), "gives", "gift"),
    Title(N_("The best set"), "scores-set", "points bonus"),
)


def weight(event: Phrase) -> float:
    """Return the points that a set or a gift has brought."""
    if event.id == "scores-set":
        return float(event.values["points"] + event.values["bonus"])
    return float(event.values["gift"]) if event.id == "gives" else 0.0
