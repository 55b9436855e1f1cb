"""What makes games of many replicas cheap, where that is not the point: a group that is none, and
Dice Town with most of its nuggets dealt out, which ends after half as many rounds."""

from __future__ import annotations

import pytest

from lanplay.games.dice_town.table import NUGGETS, DiceTownTable
from tests.byzantine.stand_ins import installed

IN_THE_MINE = 12


@pytest.fixture(scope="module", autouse=True)
def cheap_crypto(request):
    """Replace group and signatures, except where a module has ``REAL_CRYPTO``."""
    if getattr(request.module, "REAL_CRYPTO", False):
        yield
    else:
        with installed():
            yield


@pytest.fixture(scope="module", autouse=True)
def short_games(request):
    """Leave few nuggets in the mine, except where a module has ``LONG_GAMES``."""
    if getattr(request.module, "LONG_GAMES", False):
        yield
        return
    begin = DiceTownTable.__init__

    def begin_late(table, *arguments):
        begin(table, *arguments)
        each, rest = divmod(NUGGETS - IN_THE_MINE, table.seats)
        table.nuggets = [each + (seat < rest) for seat in range(table.seats)]
        table.mine = IN_THE_MINE

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DiceTownTable, "__init__", begin_late)
        yield
