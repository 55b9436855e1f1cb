"""A table from its lobby to when all have left: a kill, an outage or a lie at each transition.

All of them, at every laptop: ``python -m tests.shell.life_cycle``.
"""

from __future__ import annotations

from functools import partial

import pytest

from lanplay_protocol.shell.archive import Archive
from tests.shell.life_cycle import GRACE, TRANSITIONS, cases, kill, lie, long_outage, outage, play


def some():
    """A kill at every transition, and an outage or a lie; of the host and a guest by turns."""
    every = list(cases())
    yield from [(0, "middle", long_outage), (2, "view change", long_outage)]
    for number, when in enumerate(TRANSITIONS):
        for turn, what in enumerate((kill, (outage, lie)[number % 2])):
            victim = 2 * ((number + turn) % 2)
            yield victim if (victim, when, what) in every else 0, when, what


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("victim", "when", "what"), list(some()))
def test_all_come_to_one_end_whatever_happens_to_one_laptop(victim, when, what):
    """They begin or are back at their table; the end reaches everybody, who was switched off at it
    when the others have left; who lied is named by all and by the record, and nobody else."""
    assert play(victim, when, what) == []


def test_a_table_whose_end_is_kept_nowhere_is_noticed(monkeypatch):
    """Who was switched off at the end asks for it in vain (without the plant it has it: above)."""
    assert (0, "final", kill) in list(some())
    monkeypatch.setattr(Archive, "keep", lambda *given, **how: None)
    assert play(0, "final", kill) == ["no end for ['host']"]


def test_the_end_reaches_a_running_program_that_had_no_network_for_longer_than_it_was_waited_for():
    """The others have ended and left; it asks them as a finished game, and does not wait for them
    to sign off any more."""
    assert play(2, "final", partial(long_outage, seconds=GRACE + 3)) == []


def test_a_host_that_was_cut_off_while_it_offered_comes_to_the_table_of_those_who_went_on():
    """Its links are back before its grace has ended, and its offers answered by nobody."""
    assert play(0, "accept", partial(long_outage, seconds=GRACE - 2)) == []
