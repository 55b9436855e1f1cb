"""What stands above the options is what they answer, at every step of a question."""

from __future__ import annotations

import io
from functools import partial

import pytest

from lanplay.games import load
from lanplay.games.dice_town import questions as q
from lanplay.games.dice_town.text import word
from lanplay.language import speaking
from lanplay.lines.plain import PlainUI
from lanplay.tui.cells import Size, plain
from lanplay.tui.glyphs import UNICODE
from lanplay.tui.screens.question import asked
from lanplay.ui.decision import Decision
from tests.ai.test_bots import view_of
from tests.dice_town.script import card, claim, give, new_table

GAME = load("dice-town")

NAMES = ("Ann", "Bob", "Cyr")
JOE, MARSHAL, BRUTE, CHEATER = (card(kind) for kind in ("joe", "marshal", "brute", "cheater"))
PANEL = Size(80, 12)


def view():
    t = new_table(3)
    give(t, 0, BRUTE, CHEATER, claim(1), claim(2), claim(3))
    return view_of(t, 0, "99JQA", (JOE, MARSHAL, BRUTE, CHEATER, claim(1), claim(2), claim(3)))


KEEP = "Which dice do you keep? One is free, each other $1, none $1. You have $8."
STEPS = [
    (q.Buy((JOE, MARSHAL), (1, 2)), 0, "Which card do you keep?"),
    (q.Buy((JOE, MARSHAL), (1, 2)), 1, "Nervous Joe is yours: whom does he visit?"),
    (q.Keep(5, 8, (BRUTE,), "free"), 0, "Do you lay The Brute with the dice that you keep?"),
    (q.Keep(5, 8, (BRUTE,), "free"), 1, KEEP),
    (q.DiceTownCheat((3, 4), (CHEATER,)), 1, "To which face do you turn it?"),
    (q.Consolation((0,), (claim(1), claim(2), claim(3))), 1,
     "What goes behind barbed wire? Name 2 claims."),
]  # fmt: skip


def reach(question, step):
    """Return a decision that has come to a step: the first option of each one before."""
    decision = Decision(view(), question)
    for _ in range(step):
        decision.point(0 if isinstance(question, q.Buy) else 1)
        assert decision.settle()
    return decision


@pytest.mark.parametrize(("question", "step", "said"), STEPS)
def test_the_panel_asks_what_its_options_answer(question, step, said):
    """DT-3.4: "Which card do you keep?" never stands above a list of players."""
    decision = reach(question, step)
    with speaking("en"):
        lines, _across = asked(
            decision, lambda option: (), partial(word, names=NAMES), PANEL, UNICODE
        )
    assert plain(lines[1]).strip() == said


def test_in_lines_it_is_asked_before_the_options():
    """DT-6.8: who keeps Nervous Joe is asked whom he visits, then sees the players."""
    out = io.StringIO()
    ui = PlainUI(GAME, NAMES, io.StringIO("1\n2\n"), out)
    assert ui.answer(view(), q.Buy((JOE, MARSHAL), (1, 2))) == (JOE, 2, None)
    said = out.getvalue()
    asks, players = said.index("whom does he visit?"), said.index("1. Bob")
    assert said.index("Which card do you keep?") < asks < players
