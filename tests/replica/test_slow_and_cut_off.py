"""Liars make honest peers wait for each other, or differ in whom they wait for: whose messages
take long, who has promised to say nothing more, and who is reached by a detour alone."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.failure_detector import LIFE, MERCY, PATIENCE, SLOW
from lanplay_protocol.replica.settings import FOREVER
from lanplay_protocol.replica.view_change import CIRCLES
from tests.byzantine.stand_ins import installed
from tests.replica.test_back_after_farewell import unsigned
from tests.replica.test_timed_attempts import GRACE, begun, join, stuck
from tests.replica.test_two_liars import HONEST, LIARS, OWES, SIGNS, plays_on, sign

FAST, LAST = HONEST[:2], HONEST[2]


def cut_off(peers, liars, grace, *cuts):
    """A table at which one liar owes its message, no liar signs views, and some links are cut: but
    the programs of the liars go on, and sign that they are there."""
    table = stuck(peers, liars, grace)
    table.dead.difference_update(liars)
    for liar in liars:
        unsigned(table, liar, "move")
    table.disconnect(*cuts)
    return table


@pytest.mark.parametrize("other", [0, 1], ids=["the same", "another"])
def test_two_liars_that_have_each_cut_one_link_part_no_three_honest_ones(other):
    """Who is reached by a detour is late soon after those who are linked: had it the whole grace,
    each of the three would want other members, for ever."""
    with installed():
        table = cut_off(5, LIARS, GRACE, (OWES, HONEST[0]), (SIGNS, HONEST[other]))
        plays_on(table, 2 * (PATIENCE + LIFE) + MERCY)


def test_one_liar_of_three_that_has_cut_one_link_is_late_though_who_is_missing_never_goes():
    """Else one of the two would wait for ever for whoever signs that it is there."""
    liar, honest = 2, (0, 1)
    with installed():
        table = cut_off(3, (liar,), FOREVER, (liar, honest[0]))
        plays_on(table, 2 * PATIENCE + LIFE, honest)


def promised(signs, owes):
    """A table at which one liar has let a phase end once all had promised an attempt: now all owe
    a message, and can say nothing before a view begins."""
    table = stuck(liars=(owes, signs), past=5)
    sign(table, signs, 1)
    table.pause(0.1)
    table.dead.remove(owes)
    del table.replicas[owes]._send_mine
    table.step(owes, inputs.Nudged())
    table.dead.add(owes)
    table.pause(0.1)
    assert all(table.replicas[peer].attendance.promised for peer in HONEST)
    lines = [table.replicas[peer].transcript for peer in HONEST]
    assert all(line.phase.prompt and line.missing >= {*HONEST} for line in lines)
    return table


def test_while_views_overlap_who_can_say_nothing_is_not_late_for_that():
    """All have promised the next attempt before each view begins; after three such views one liar
    signs an attempt without one of them, who had no time to say what it owes."""
    with installed():
        signs, owes = LIARS
        table = promised(signs, owes)

        def overlap(table, attempt):
            sign(table, signs, attempt + 1)  # all promise it ...
            table.after(0.1, sign, owes, attempt)  # ... before the view of this one begins
            if attempt == CIRCLES:
                table.after(0.1, sign, signs, 40, HONEST, (*FAST, *LIARS))
            table.after(0.9, overlap, attempt + 1)

        overlap(table, 1)
        join(table, FAST, LIARS, lambda members: LAST not in members)
        plays_on(table, 3 * PATIENCE)


def test_who_answers_each_attempt_after_the_next_one_has_come_does_not_owe_all_the_time():
    """Its messages take long; for the others it always owes the newest attempt."""
    with installed():
        table = stuck()
        table.lags[LAST], since = 0.6, table.now

        def lead(table, attempt):
            sign(table, LIARS[attempt % 2], attempt, FAST)
            if table.now < since + 2 * PATIENCE:
                table.after(0.95, lead, attempt + 1)

        lead(table, 1)
        join(table, FAST, LIARS, lambda members: LAST not in members)
        plays_on(table, 5 * PATIENCE)


def all_think(table):
    """Tell whether all wait for one person."""
    lines = [replica.transcript for replica in table.replicas]
    return all(line.missing == {0} and not line.phase.prompt for line in lines) and not table.acts


def test_what_a_slow_peer_takes_longer_for_each_view_does_not_add_up_while_a_person_thinks():
    """Views begin again and again, each once all have signed it; the time between two of them makes
    up for what it took."""
    lag, every = 0.75, 6
    with installed():
        table = begun()
        table.think = {0}
        table.run(all_think, seconds=200)
        assert all_think(table)
        table.dead.update(LIARS)
        table.lags[LAST] = lag

        def lead(table, attempt):
            for liar in LIARS:
                sign(table, liar, attempt, FAST)
            table.after(every, lead, attempt + 1)

        lead(table, 1)
        join(table, FAST, LIARS, lambda members: LAST not in members)
        most = PATIENCE / (2 * lag - SLOW)
        table.pause(1.5 * most * every)
        for peer in FAST:
            views = table.of(peer, ViewChanged)
            assert len(views) > most
            assert not any(view.lost for view in views)
