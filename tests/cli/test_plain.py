"""The line interface: steps are taken back, rules read as text, what is said comes at its place."""

from __future__ import annotations

import io

import pytest

from lanplay.engine.question import Option, Phrase, Pick
from lanplay.errors import UserError
from lanplay.games import NAMES as NAMES_OF_GAMES
from lanplay.games import load
from lanplay.games.dogs_life.actions import MOVE, action
from lanplay.games.dogs_life.reach import reach
from lanplay.games.dogs_life.town import TOWN
from lanplay.games.teaching import lessons_of
from lanplay.games.wording import summary_of
from lanplay.lines.plain import PlainUI
from lanplay.lines.source import Lines
from lanplay.ui.rulebook import flowing, text
from tests.tui.harness import NAMES, Walker, asked_in, game_of, position

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


def test_an_empty_line_after_a_wrong_number_is_asked_about_once():
    """Nothing is picked by whoever meant something and typed a number that is not listed."""
    _question, kept, said = asked("keep", "9\n\n1\n")
    assert said.count("9 was no choice. Enter once more goes on all the same.") == 1
    assert kept == asked("keep", "1\n")[1]
    assert asked("keep", "9\n\n\n")[1] == asked("keep", "\n")[1]


@pytest.mark.parametrize(
    ("typed", "cause"),
    [
        ("9", "'9' is not on the list."),
        ("1 1", "Each number counts once."),
        ("1 2", "How many numbers: 1, not 2."),
        ("", "How many numbers: 1, not 0."),
    ],
)
def test_a_wrong_number_is_told_its_cause_and_what_can_be_chosen(typed, cause):
    """Not how to answer in general: that was told with the first question."""
    _question, answer, straight = asked("rob", "1\n1\n1\n1\n")
    _question, same, said = asked("rob", f"{typed}\n1\n1\n1\n1\n")
    assert same == answer
    told = said.partition(f"{cause}\n")[2]
    assert told == straight[-len(told) :] != straight
    assert told.startswith("  1. ")
    assert said.count("Answer with numbers") == 1


def test_a_number_longer_than_any_is_asked_about_as_any_that_is_not_listed():
    _question, kept, said = asked("keep", f"{'9' * 5000}\n1\n")
    assert f"'{'9' * 60}" in said
    assert len(said) < 3000
    assert kept == asked("keep", "1\n")[1]


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


class Typist:
    """Answers in the town by what is typed, and notes it; all else like a walker."""

    def __init__(self, typed):
        self.out = io.StringIO()
        self.ui = PlainUI(load("dogs-life"), NAMES[:4], io.StringIO(typed), self.out)
        self.given = []

    def answer(self, view, question):
        answer = self.ui.answer(view, question)
        self.given.append(answer)
        return answer


def test_a_place_of_the_town_is_gone_to_by_its_name_step_by_step():
    """The steps after the first are given at the questions that follow, without asking again."""
    played = game_of(3, name="dogs-life")
    view, question = asked_in(played, "act", 0)
    ways = reach(view.table, 0, question.points)
    place = max(ways, key=lambda each: len(ways[each]))
    way = [action(MOVE, each) for each in ways[place]]
    typist = Typist(f"to nowhere\nto {TOWN.key(place)}\n")
    played.agents[0] = typist
    with pytest.raises(UserError):
        while True:
            played.step()
    assert len(way) > 2
    assert typist.given == way
    assert "No place has that name" in typist.out.getvalue()
    assert typist.out.getvalue().count("What does your dog do next?") == 1


def test_a_walk_that_is_no_longer_what_was_meant_is_asked_about():
    """The rest of the way is dropped at another kind of question, and at what is not legal."""
    played = game_of(3, name="dogs-life")
    view, question = asked_in(played, "act", 0)
    place = next(iter(reach(view.table, 0, question.points)))
    typed = io.StringIO(f"to {TOWN.key(place)}\n1\n")
    ui = PlainUI(load("dogs-life"), NAMES[:4], typed, io.StringIO())
    ui.answer(view, question)
    ui._ahead = [-1, -1]
    assert ui.answer(view, question) == question.options[0]
    assert ui._ahead == []


def test_prices_and_bounties_of_fliptown_are_told_in_words():
    played = game_of(3, name="fliptown")
    view, _question = asked_in(played, "move", 0)
    told = "\n".join(summary_of("fliptown").prices(view, NAMES, 0))
    for word in ("Gunsmith: a pistol for $3", ": buy a pan $3", "stars for the first"):
        assert word in told
    assert "{" not in told


def test_a_program_without_standard_input_finds_its_end_at_once():
    """``lanplay play --plain <&-`` waited for ever."""
    lines = Lines(None)
    assert lines.readline() == ""


class Asking:
    """A walker that asks at each kind of question, once, what the first option would mean."""

    def __init__(self, game, seat, told):
        self.game, self.walker, self.told = load(game), Walker(seat), told
        self.out = io.StringIO()
        self.lines, self.asked = [], 0

    def readline(self):
        self.before, self.asked = self.asked, self.out.tell()
        return self.lines.pop(0)

    def answer(self, view, question):
        if question.name not in self.told and question.only_answer(view) is None:
            self.lines = ["? 1\n", "q\n"]
            ui = PlainUI(self.game, NAMES[: view.table.seats], self, self.out)
            with pytest.raises(UserError):
                ui.answer(view, question)
            self.told[question.name] = self.out.getvalue()[self.before : self.asked]
        return self.walker.answer(view, question)


@pytest.mark.parametrize("game", NAMES_OF_GAMES)
def test_what_an_option_would_mean_is_told_with_its_effect_or_the_rule(game):
    """Its name alone would only be read back to whoever has just read it."""
    lessons = lessons_of(game)._texts
    known = [
        text.split(".")[0][:30] for part in ("effects", "plain") for text in lessons[part].values()
    ]
    told = {}
    played = game_of(5, name=game)
    for seat in range(4):
        played.agents[seat] = Asking(game, seat, told)
    played.run()
    assert told
    for kind, said in told.items():
        last = " ".join(said.split())
        assert any(" ".join(each.split())[1:] in last for each in known), (kind, said)


@pytest.mark.parametrize(
    ("sort", "told"), [("backs", "0 Store cards, 2 claims"), ("dollars", "$0")]
)
def test_an_amount_that_is_its_own_number_is_said_once(sort, told):
    """``0 Store cards``, and not ``0. 0 Store cards`` (DT-3.5), nor ``0. $0``."""
    labels = {"backs": lambda n: {"store": n, "claims": 2 - n}, "dollars": lambda n: {"count": n}}
    options = [Option(n, Phrase(sort, labels[sort](n))) for n in range(3)]
    out = io.StringIO()
    ui = PlainUI(GAME, NAMES[:3], io.StringIO(), out)
    ui._offer(Pick(Phrase("take", {"seat": 1}), options))
    assert out.getvalue().splitlines()[0] == f"  {told}"


def test_many_options_stand_apart_where_they_have_commas_of_their_own():
    """``1. N8, from N9; 2. N7, from N8``: a van's ways (DL-3.3), numbered as in a short list."""
    out = io.StringIO()
    ui = PlainUI(GAME, NAMES[:3], io.StringIO(), out)
    options = [Option(n, Phrase("backs", {"store": 1, "claims": n})) for n in range(9)]
    ui._offer(Pick(Phrase("take", {"seat": 1}), options))
    said = out.getvalue().replace("\n   ", "")
    assert "1 Store card, 1 claim; 3. 1 Store card, 2 claims;" in said
