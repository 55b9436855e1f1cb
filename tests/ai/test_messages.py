"""What programs outside are told and say: data, the same for equal positions, within bounds."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from lanplay.engine.question import Option, Phrase, Pick
from lanplay_ai.outside.messages import LISTED, answer_of, plain, plain_answer, question_message
from lanplay_ai.outside.program import BotFault


def asked(count):
    """The message for a question with so many answers."""

    def dialogue(view):
        return (yield Pick(Phrase("pick"), [Option(n, Phrase("one")) for n in range(count)]))

    table = SimpleNamespace(public=dict)
    view = SimpleNamespace(seat=1, table=table, cup=(3, 0), own={7: 2, 5: 1})
    return question_message(4, 9, view, SimpleNamespace(name="q", rule="R-1", dialogue=dialogue))


@pytest.mark.parametrize("count", [1, LISTED - 1, LISTED, LISTED + 1, 3 * LISTED])
def test_a_program_is_told_whether_it_is_shown_all_answers(count):
    """So many are listed; the list is complete if there are no more."""
    message = asked(count)
    assert message["answers"] == list(range(min(count, LISTED)))
    assert message["complete"] == (count <= LISTED)
    assert message["view"] == {"seat": 1, "table": {}, "cup": [3, 0], "own": {"5": 1, "7": 2}}


@pytest.mark.parametrize("depth", range(8))
def test_an_answer_is_nested_no_deeper_than_any_question_wants(depth):
    """Whatever a program says beyond that is its fault, not the stack's."""
    said, right = 1, 1
    for _ in range(depth):
        said, right = [said], (right,)
    if depth <= 4:
        assert plain_answer(said) == right
    else:
        with pytest.raises(BotFault, match="answers are made of"):
            plain_answer(said)


@pytest.mark.parametrize("said", [{}, [], 5, {"id": 3}, {"id": 2, "answer": 1}, {"answer": 1}])
def test_only_the_answer_to_this_question_counts(said):
    """One that comes late, for an earlier question, is none to this."""
    assert answer_of({"id": 3, "answer": [1, None]}, 3) == (1, None)
    with pytest.raises(BotFault, match="question 3"):
        answer_of(said, 3)


@dataclass(frozen=True)
class Value:
    one: int
    both: tuple[int, ...]


def test_public_data_is_told_in_one_order():
    """Whatever the order in which a set or a mapping holds it."""
    places = [(3, 1), (0, 9), (2, 2), (1, 5), (0, 1)]
    assert (
        plain(set(places))
        == plain(frozenset(places[::-1]))
        == [
            [0, 1],
            [0, 9],
            [1, 5],
            [2, 2],
            [3, 1],
        ]
    )
    assert plain({1: b"\x01\xff", 2: Value(3, (4, 5))}) == {
        "1": "01ff",
        "2": {"one": 3, "both": [4, 5]},
    }
