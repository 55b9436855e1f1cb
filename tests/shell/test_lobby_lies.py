"""A liar among those who come to a table, with real lobbies, starts and openings.

Schedules by the hundred: ``python -m tests.shell.lobby_lies``.
"""

from __future__ import annotations

import pytest

from tests.shell.lobby_lies import play


@pytest.mark.parametrize("number", range(3))
def test_whatever_a_liar_says_at_a_table_that_forms_the_honest_come_to_one_game_or_are_told(number):
    """Nobody honest signs two offers of a term, is convicted, plays in another game than the
    others, or stands in a start for good."""
    assert play(number).faults == []
