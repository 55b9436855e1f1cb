"""What a class of questions has to state."""

from __future__ import annotations

import pytest

from lanplay.engine.question import Option, Phrase, Pick, Question, WordedLater


def test_a_question_that_does_not_say_whether_it_needs_the_dice_cannot_be_written():
    """Whoever names a question says so beside its name, and inherits it from none."""
    with pytest.raises(TypeError, match="Forgetful does not state needs_cup"):

        class Forgetful(Question):
            name = "forgetful"

    class Stated(Question):
        name = "stated"
        needs_cup = True

    with pytest.raises(TypeError, match="Heir does not state needs_cup"):

        class Heir(Stated):
            name = "heir"


def test_a_question_whose_answers_show_dice_that_it_does_not_need_cannot_be_written():
    """Wherever the method that shows them stands."""

    class Base(Question):
        def reveals(self, answer):
            return (0,)

    with pytest.raises(TypeError, match="Careless shows dice that it does not need"):

        class Careless(Base):
            name = "careless"
            needs_cup = False


def test_options_are_put_in_words_once_they_are_read():
    """What may be picked is known without a word of them."""
    worded = []

    def word(value):
        worded.append(value)
        return Phrase("die", {"face": value})

    step = Pick(Phrase("keep"), WordedLater((3, 5), word))
    assert (list(step.legal()), worded) == ([3, 5], [])
    assert list(step.options) == [Option(each, Phrase("die", {"face": each})) for each in (3, 5)]
    assert (len(step.options), step.options[1].value, worded) == (2, 5, [3, 5])
