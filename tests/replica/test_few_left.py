"""A quorum that reaches each other plays on, however the others fell away and came back."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.events import QuorumLost, Restarted
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import MOVE, read, sign
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.few import played
from tests.replica.harness import Table, identity, roster, vote
from tests.replica.test_cut import begun as table_begun
from tests.replica.test_cut_cheats import bring, level
from tests.replica.test_led_astray import deliver
from tests.replica.test_led_over import meeting, votes
from tests.replica.test_told_anew import by

GRACE = 5
ON = 6
"""Phases in which a table shows that it goes on."""


def begun(seed, thinker):
    """Return a table of five at which a person thinks."""
    table = Thinking(roster(5, 5, TableSettings(grace=GRACE)), b"few %d" % seed)
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.think = {thinker}
    table.run(seconds=GRACE - 1)
    return table


def goes_on(table):
    """Let the person answer, and all that run play on."""
    table.answer()
    goal = ON + max(replica.transcript.number for replica in table.replicas)
    table.run(lambda t: all(r.transcript.number >= goal for r in t.alive), seconds=120)
    assert all(r.transcript.number >= goal for r in table.alive)
    assert not any(table.accused(peer) for peer in table.running)


@pytest.mark.parametrize("apart", [0.0, 2.0, 9.0])
@pytest.mark.parametrize("thinker", [0, 2])
def test_two_of_five_die_one_after_the_other_while_a_person_thinks(apart, thinker):
    """Three that reach each other are a quorum (`tests/model`, case *five-two-die*)."""
    with installed():
        table = begun(int(apart * 2) + 100 * thinker, thinker)
        table.kill(3)
        table.run(seconds=apart)
        table.kill(4)
        table.run(seconds=4 * GRACE)
        goes_on(table)


@pytest.mark.parametrize(
    ("apart", "back"), [(0.0, (3, 4)), (8.0, (3, 4)), (20.0, (3, 4)), (8.0, (1, 4)), (8.0, (1, 2))]
)
def test_four_of_five_fall_away_and_two_come_back(apart, back):
    """Who is left and the two are a quorum, though one alone that comes back is too few."""
    with installed():
        table = begun(int(apart * 2) + 10 * sum(back), 0)
        for peer in (4, 3, 2, 1):
            table.kill(peer)
            table.run(seconds=apart)
        table.run(seconds=5 * GRACE)
        for peer in back:
            table.restart(peer)
            table.run(seconds=apart)
        goes_on(table)


@pytest.mark.parametrize("seed", [206])
def test_a_quorum_that_is_left_of_many_faults_goes_on(seed):
    """Games of the campaign (``tests.replica.few``) that stood still in a draft."""
    with installed():
        about, fault = played(seed)
    assert not fault, about


LIAR = 2


def test_a_vote_for_a_new_game_is_for_the_loss_in_which_it_was_given():
    """Enough came back, and play went on: a later loss asks its people again."""
    table = table_begun(4, seed=b"anew")
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=600)
    away = [(a, b) for a in (0, LIAR) for b in (1, 3)]
    table.disconnect(*away)
    table.run(seconds=30)
    table.step(0, inputs.ContinueWithout(bytes(32)))  # the liar says nothing yet
    table.run(seconds=1)
    table.connect(*away)
    number = table.replicas[0].transcript.number
    table.run(lambda t: t.replicas[0].transcript.number > number + 40, seconds=60)
    assert table.replicas[0].transcript.number > number + 40
    table.disconnect(*away)
    table.run(seconds=30)
    table.step(LIAR, inputs.ContinueWithout(bytes([1]) * 32))
    table.run(seconds=1)
    assert not table.of(0, Restarted)


ONE, OTHER, BACK = 0, 1, 3
HERE = (ONE, OTHER, LIAR)


def voted(table, peer):
    """The votes of one peer for a new game that it knows of, by author."""
    known = table.replicas[peer].attendance.restart.votes.get(frozenset(HERE), {})
    return {author: given.plain for author, given in known.items()}


def votes_for(table, author):
    """A vote of somebody's for a new game from where the first one would begin it."""
    _, _, rounds, players, _ = voted(table, ONE)[ONE]
    return vote(table.roster, author, bytes([author + 9]) * 32, rounds, players)


def lost_twice():
    """A table of six of which three are left a second time, and a vote of the first time, which a
    liar has kept."""
    table = meeting(6, HERE, b"three", "dogs-life")
    votes(table, OTHER)
    deliver(table)
    old = voted(table, LIAR)[OTHER]
    table.restart(BACK)  # the game goes on
    first = table.replicas[ONE].context
    after = first.referee.table.round + 1
    table.run(lambda t: first.referee.table.round > after, seconds=600)
    lost = {p: len(table.of(p, QuorumLost)) for p in HERE}
    table.kill(BACK)
    table.run(lambda t: all(len(t.of(p, QuorumLost)) > lost[p] for p in HERE), seconds=200)
    return table, old


def test_a_vote_of_an_earlier_loss_that_a_liar_shows_is_not_counted():
    """Its author is there, and has not been asked yet: nobody leaves for a new game with it."""
    table, old = lost_twice()
    votes(table, ONE)
    for given in (old, votes_for(table, LIAR)):
        bring(table, "anew", given, (ONE,), LIAR)
    table.run(lambda t: t.of(ONE, Restarted), seconds=5)
    assert voted(table, ONE).keys() == {ONE, LIAR}
    assert not table.of(ONE, Restarted)


@pytest.mark.parametrize("heard", [False, True])
def test_a_vote_that_was_passed_on_counts_where_its_author_is_not_heard(heard):
    """It may have come while its author was still heard, which had said nothing of it itself."""
    table = meeting(6, HERE, b"three", "dogs-life")
    votes(table, ONE)
    given = [votes_for(table, author) for author in (OTHER, LIAR)]
    if not heard:
        table.disconnect((ONE, OTHER))
    for each in given:
        bring(table, "anew", each, (ONE,), LIAR)
    table.run(lambda t: t.of(ONE, Restarted), seconds=5)
    assert bool(table.of(ONE, Restarted)) != heard
    table.disconnect((ONE, OTHER))
    table.run(lambda t: t.of(ONE, Restarted), seconds=5)
    nonces = [peer.nonce for peer in table.of(ONE, Restarted)[0].roster.peers]
    assert nonces[1:] == [each[1] for each in given]


def test_what_a_peer_has_voted_itself_stands_when_its_link_breaks():
    """A liar may have passed on a vote of an earlier loss before."""
    table, old = lost_twice()
    votes(table, OTHER)
    deliver(table)
    new = voted(table, ONE)[OTHER]
    assert new != old
    bring(table, "anew", old, (ONE,), LIAR)
    table.silent.add(LIAR)
    table.disconnect((ONE, OTHER))
    table.run(seconds=2)
    assert voted(table, ONE)[OTHER] == new


@pytest.mark.parametrize("peers", [3, 5])
def test_two_halves_that_a_conviction_leaves_with_too_few_in_views_of_one_number_go_on(peers):
    """A liar has begun a view in each, of the same number, while they could not reach each other:
    no status of either was above the other's view, and both stood still with the proof."""
    table, liar = table_begun(peers, seed=b"halves", settings=TableSettings(grace=5)), peers - 1
    level(table)
    half = peers // 2
    sides = tuple(range(half)), tuple(range(half, liar))

    def until(there):
        """What the liar's program says goes to one side alone."""

        def come(t):
            t.queue = deque(e for e in t.queue if liar not in e[:2] or not {*e[:2]} & {*sides[1]})
            return there(t)

        table.run(come, seconds=60)
        assert there(table)

    def together(side):
        replicas = [table.replicas[peer] for peer in side]
        return lambda _: all(replica.transcript.members == {*side, liar} for replica in replicas)

    pairs = [(one, other) for one in sides[0] for other in sides[1]]
    table.disconnect(*pairs)
    until(together(sides[0]))
    number = table.replicas[0].transcript.view
    status = by(liar, table, half, number, (*sides[1], liar))
    until(lambda t: all(t.replicas[p].attendance.changes.top == number for p in sides[1]))
    bring(table, "status", status, sides[1], liar)
    until(together(sides[1]))
    honest = (*sides[0], *sides[1])
    assert all(table.replicas[peer].transcript.view == number for peer in honest)
    table.kill(liar)
    table.connect(*pairs)
    table.run(lambda t: all(r.transcript.members == {*honest} for r in t.alive), seconds=10)
    assert all(replica.transcript.members == {*honest} for replica in table.alive)
    table.run(Table.is_over, seconds=900)
    assert table.plays_on(honest)
    assert all({each for each, _ in table.accused(peer)} == {liar} for peer in honest)


def test_who_is_left_with_too_few_by_a_conviction_says_so_once_however_long_it_waits():
    """One of two has said so before it was to send the other one a message, and is late and
    forgiven again and again: each time that one signed for a higher attempt, up to where nobody
    follows, and who came back was too few with the one alone."""
    first, second, back, away, liar = range(5)
    table = table_begun(5, seed=b"long", settings=TableSettings(grace=5))
    level(table)
    table.shuffle_order = False
    table.kill(back)
    table.kill(away)
    ahead, behind = table.replicas[first], table.replicas[second]
    table.run(lambda t: len(behind.transcript.members) == 3, seconds=60)
    number = ahead.transcript.number + 2

    def withheld(sender, to, item):
        kind, plain = decode(item) if to == second and isinstance(item, bytes) else ("", ())
        return kind == MOVE and plain[0] == liar and plain[1] >= number and committed(plain[1])

    def committed(phase):
        return isinstance(table.replicas[liar].phases.get(phase), CommitPhase)

    def apart(t):
        t.queue = deque(each for each in t.queue if not withheld(*each))
        line = ahead.transcript
        return line.phase.prompt and line.number == behind.transcript.number + 1 > number

    table.run(apart, seconds=60)
    assert apart(table)
    table.silent.add(liar)
    lie = replace(read(ahead.moves[SETUP - 1][liar]), state=bytes(32))
    lie = sign(lie, identity(liar), ahead.context.game_id)
    bring(table, MOVE, lie.plain(), (first, second), liar)
    table.run(seconds=1800)
    assert second in ahead.transcript.missing
    tops = [table.replicas[p].attendance.changes.top for p in (first, second)]
    table.restart(back)
    goal = ahead.transcript.number + ON
    there = [table.replicas[p] for p in (first, second, back)]
    table.run(lambda t: all(r.transcript.number > goal for r in there), seconds=120)
    assert all(r.transcript.number > goal for r in there)
    assert max(tops) <= 2
