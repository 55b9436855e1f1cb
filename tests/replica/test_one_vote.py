"""Votes for a new game among too few: one of each author for the same players, whatever follows."""

from __future__ import annotations

from collections import deque

from lanplay_protocol.replica import restart
from lanplay_protocol.replica.events import Restarted
from tests.replica.test_led_astray import deliver
from tests.replica.test_led_over import anew, meeting, votes

HERE = (0, 1, 2)
BEHIND = 1


def voted(monkeypatch):
    """Three are left of six. One has voted, and one that did not know the last round yet."""
    table = meeting(6, HERE, b"three", "dogs-life")
    votes(table, 0)
    whole = restart.boundaries
    with monkeypatch.context() as patched:
        patched.setattr(restart, "boundaries", lambda *of: dict([*whole(*of).items()][:-1]))
        votes(table, BEHIND)
    deliver(table)
    return table


def one_game(table):
    rosters = anew(table, HERE)
    return len(rosters) == 3 and len(set(rosters.values())) == 1


def test_who_votes_again_and_knows_another_round_by_then_goes_on_with_the_others(monkeypatch):
    """Honest people alone: the last vote comes to one, which leaves with the first vote of the one
    that was behind; that one votes once more before it hears of it."""
    table = voted(monkeypatch)
    votes(table, 2)
    last = [each for each in table.queue if each[1] == BEHIND]
    table.queue = deque(each for each in table.queue if each[1] == 0)
    table.silent |= {0, 2}  # what they say as they leave is lost with their links
    deliver(table)
    assert table.of(0, Restarted)
    votes(table, BEHIND)
    table.queue.extend(last)
    deliver(table)
    assert one_game(table), "they began two new games"


def test_who_was_restarted_gives_the_vote_that_the_others_hold(monkeypatch):
    """Honest people alone: the program of the one that was behind is started again, and knows the
    last round now; the others go on with its first vote, and it votes once more."""
    table = voted(monkeypatch)
    table.restart(BEHIND)
    table.run(lambda t: t.replicas[BEHIND].attendance.restart.here == set(HERE), seconds=60)
    table.run(seconds=2)
    votes(table, 2)
    table.run(lambda t: t.of(0, Restarted) and t.of(2, Restarted), seconds=20)
    assert not table.of(BEHIND, Restarted), "it went on though its person had not agreed anew"
    table.silent |= {0, 2}  # they have begun the new game
    votes(table, BEHIND)
    assert one_game(table), "they began two new games"
