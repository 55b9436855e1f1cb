"""What there is to say of a game of Fliptown that is over: why one of several has won it."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.question import Phrase
from lanplay.games.fliptown.ending import winners
from lanplay.games.fliptown.table import FliptownTable
from lanplay.games.wording import Plainly


class FliptownNarrator(Plainly):
    """Tells the events alone, and at the end what decided a tie (FT-10.1)."""

    def closing(self, table: FliptownTable) -> Sequence[Phrase]:
        """Return for each seat that had as many points as the winner what it lost by."""
        won, told = winners(table) if table.scores else (), []
        for other, score in enumerate(table.scores if won else ()):
            if other in won or score < max(table.scores):
                continue
            mine, its = table.sheets[won[0]], table.sheets[other]
            by = next(x for x in ("wanted", "gold", "cash") if getattr(mine, x) != getattr(its, x))
            values = {"seat": won[0], "own": getattr(mine, by), "its": getattr(its, by)}
            told.append(Phrase(f"tied-{by}", {**values, "other": other}))
        return told
