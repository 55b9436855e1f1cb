"""What a bot author imports."""

from __future__ import annotations

import pytest

import lanplay


def test_every_public_name_is_there():
    """All names that the package promises can be imported from it."""
    for name in lanplay.__all__:
        assert getattr(lanplay, name) is not None


def test_other_names_are_not():
    """A wrong name is an AttributeError like anywhere."""
    with pytest.raises(AttributeError, match="nothing"):
        lanplay.nothing  # noqa: B018  # the look-up is the test


def test_a_bot_written_before_names_changed_finds_the_old_ones():
    """What a bot of another package calls by an old name is what now has the new one."""
    from lanplay.engine.question import Message, Phrase
    from lanplay.games.dice_town.questions import Winner

    question = Winner((0, 1))
    assert Message is Phrase
    assert question.sole(None) == question.only_answer(None)  # old name
    assert question.passing() == question.pass_answer()  # old name
    assert question.weighty(0) == question.needs_confirmation(0)  # old name
    assert question.shows(0) == question.reveals(0)  # old name
