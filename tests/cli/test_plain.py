"""The line interface: steps are taken back, rules read as text, what is said comes at its place."""

from __future__ import annotations

import io

from lanplay.games import load
from lanplay.lines.plain import PlainUI
from lanplay.ui.rulebook import flowing, text
from tests.tui.harness import NAMES, position

GAME = load("dice-town")


def asked(name, typed, seats=3):
    """Return the answer that a person types to a question of Dice Town, and what it was shown."""
    _game, view, question = position(name, seats)
    out = io.StringIO()
    answer = PlainUI(GAME, NAMES[:seats], io.StringIO(typed), out).answer(view, question)
    return question, answer, out.getvalue()


def test_a_step_is_taken_back_as_long_as_the_answer_is_not_given():
    """``undo`` asks the step before again; at the first there is nothing to take back."""
    _question, straight, _ = asked("rob", "1\n1\n1\n1\n")
    _question, answer, said = asked("rob", "undo\n1\nundo\n1\n1\n1\n1\n")
    assert answer == straight
    assert said.count("There is nothing to take back here.") == 1


def test_help_comes_with_the_first_question_alone():
    """A newcomer is told once how to answer."""
    _game, view, question = position("keep", 3)
    out = io.StringIO()
    ui = PlainUI(GAME, NAMES[:3], io.StringIO("1\n1\n"), out)
    ui.answer(view, question)
    ui.answer(view, question)
    assert out.getvalue().count("Answer with numbers") == 1


def test_rules_are_shown_as_text():
    """Paragraphs are whole and marks of Markdown gone; rows of tables stay rows."""
    page = text("dice-town")
    shown = flowing(page)
    assert "**" not in shown
    assert not any(line.startswith(("#", "|-")) for line in shown.splitlines())
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert [line for line in shown.splitlines() if line.startswith("| ")] == [
        row.replace("**", "") for row in rows
    ]
