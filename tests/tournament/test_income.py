"""Where seats get what they get: read from the few events that a game names."""

from __future__ import annotations

from typing import Any

import pytest

from lanplay.games import NAMES, load
from lanplay.tournament.bots import seated
from lanplay.tournament.income import income_of, sources_of
from lanplay.tournament.plan import make_plan
from lanplay.tournament.playing import simulate
from lanplay.tournament.schedule import line_ups


@pytest.mark.parametrize("name", [name for name in NAMES if sources_of(load(name))])
def test_the_events_heard_are_all_that_income_reads(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game's income is the same whether its table keeps the events heard alone or every event."""
    game, plan = load(name), make_plan(name, ["random"] * 4, seed=5)
    line_up = line_ups(plan, 0)[0]
    few = simulate(plan, game, plan.luck(0, 0), line_up, seated(plan, 0, line_up)).table

    def everything(_game: object, table: Any) -> None:
        table.log = []

    monkeypatch.setattr("lanplay.tournament.playing.listen", everything)
    every = simulate(plan, game, plan.luck(0, 0), line_up, seated(plan, 0, line_up)).table

    assert income_of(game, few) == income_of(game, every)
    assert sum(map(sum, income_of(game, every)))
    assert len(few.log or ()) < len(every.log)
