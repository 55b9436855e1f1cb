"""How many complaints are kept as somebody names them: no liar uses up what is there for others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from lanplay_protocol.replica.roster import PEERS

NAMED = 64
"""Complaints that are kept as one peer names them; an honest one names 40 at most."""


class Allowance:
    """What is left of it for each peer: for what it names itself, and, apart from that and more,
    for what those name whom it has gone on with."""

    def __init__(self) -> None:
        self._named = Counter[int]()
        self._followed = Counter[int]()

    def grants(self, named: Set[int], followed: Set[int] = frozenset()) -> bool:
        """Tell whether one more is kept that some have named, and others have gone on with."""
        for spent, by, most in (
            (self._named, named, NAMED),
            (self._followed, followed, NAMED * PEERS),
        ):
            if any(spent[each] < most for each in by):
                spent.update(by)
                return True
        return False
