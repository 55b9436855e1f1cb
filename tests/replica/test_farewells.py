"""Who says farewell is let go, and back, by all alike; hands and wishes hang on that loss."""

from __future__ import annotations

import itertools

import pytest

from lanplay.games import load
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import HandOpened
from lanplay_protocol.replica.failure_detector import Wait
from lanplay_protocol.replica.messages import MOVE, WAITS, Past, PhaseMessage, StatusMessage, sign
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from lanplay_protocol.replica.view_change import Electorate, ViewChange
from tests.replica import test_absent as absent
from tests.replica.harness import Table, identity, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, join, leave, status
from tests.replica.test_led_astray import deliver
from tests.replica.test_led_far_up import thinking
from tests.replica.test_waits import word

LIAR, LOST, GRACE, VICTIM, SILENT = 2, 4, 10, 0, 4
CHARIDICE = load("charidice")
HONEST = (0, 1, 3)
ALL = (0, 1, 2, 3, 4)


@pytest.mark.parametrize("how", ["lies", "leaves", "is silent"])
def test_who_is_back_before_a_view_without_it_has_begun_takes_part(how):
    """A liar signs no view without the one that said farewell, and then is out itself, or is no
    liar and its laptop dead: three of four are linked, and two of them want each other alone."""
    honest, back = (0, 1, 3), 1
    table = Table(roster(4, settings=TableSettings(grace=5), game=CHARIDICE), seed=b"left")
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 20, 600)
    table.silent.add(LIAR)
    deliver(table)
    table.step(back, inputs.Leaving())
    table.kill(back, lost=False)
    deliver(table)
    if how == "lies":
        replica = table.replicas[0]
        line = replica.transcript
        said = PhaseMessage(LIAR, line.number, line.view, line.past, bytes(32), ())
        signed = sign(said, identity(LIAR), replica.context.game_id)
        bring(table, MOVE, signed.plain(), (0, 3), LIAR)
    elif how == "leaves":
        leave(table, author=LIAR, to=(0, 3))
    table.run(seconds=1)
    table.restart(back)
    table.run(lambda t: all(t.replicas[p].over for p in honest), seconds=120)
    assert all(table.replicas[p].over for p in honest)
    assert not any(back in view.lost for view in table.replicas[0].begun)


def test_who_said_farewell_may_ask_back_before_a_view_only_where_too_few_stay():
    """Elsewhere the view without it comes first: a liar that leaves and asks begins none."""
    left, past = 3, Past(MOVE, bytes(32), ())
    asks = [StatusMessage(left, 1, (*stay, left), (0, 9), past, ()) for stay in ((0, 1, 2), (0, 1))]
    table = Electorate(0, frozenset(range(4)), asks, set(), set(), {left: 0}, set(), {})
    assert ViewChange(0, 4, 3).want(table) == (0, 1, 2)
    assert ViewChange(0, 4, 3).want(table._replace(gone={2})) == (0, 1, left)


def test_who_is_back_after_a_farewell_has_a_say_in_who_is_waited_for():
    """At a table that waits for ever one is out, two leave, it comes back, the last one dies, and
    the two come back: neither wishes to wait for the dead one."""
    settings = TableSettings(grace=FOREVER)
    table = Table(roster(4, settings=settings, game=CHARIDICE), seed=b"says")
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
    table.kill(1)
    for peer in (2, 3):
        table.step(peer, inputs.SkipWait(1))
    table.run(lambda t: all(t.replicas[p].begun for p in (0, 2, 3)), seconds=60)
    for peer in (2, 3):
        table.step(peer, inputs.Leaving())
        for _ in range(min(20, len(table.queue))):
            table._deliver()
        table.kill(peer, lost=False)
    table.restart(1)  # it is told who has left
    table.run(seconds=1)
    table.kill(0)
    for peer in (2, 3):
        table.restart(peer)
    table.run(seconds=30)
    assert not any(table.replicas[p].over for p in (1, 2, 3))
    for peer in (2, 3):
        table.step(peer, inputs.SkipWait(0))
    table.run(lambda t: all(t.replicas[p].over for p in (1, 2, 3)), seconds=600)
    assert all(table.replicas[p].over for p in (1, 2, 3))


def test_who_has_left_after_it_had_asked_has_no_say():
    """Of three in the view one has signed a further attempt, left and is gone, one is dead, and two
    are back that were out: the one that stays decides by itself about the dead one."""
    settings = TableSettings(grace=FOREVER)
    table = Table(roster(5, settings=settings), seed=b"asked")
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
    for out in (1, 4):
        table.kill(out)
        for peer in set(table.running) - {0}:
            table.step(peer, inputs.SkipWait(out))
        table.run(lambda t, o=out: all(o not in r.transcript.members for r in t.alive), seconds=60)
    join(table, 7, (0, 1, 2, 3), to=(0, 2), author=3)
    leave(table, 7, to=(0, 2), author=3)
    table.kill(3)
    table.kill(0)
    for peer in (1, 4):
        table.restart(peer)
    table.run(seconds=30)
    table.step(2, inputs.SkipWait(0))
    table.run(lambda t: all(t.replicas[p].over for p in (1, 2, 4)), seconds=600)
    assert all(table.replicas[p].over for p in (1, 2, 4))


@pytest.mark.parametrize("other", ["dead", "silent"])
def test_who_was_out_and_asks_back_has_a_say_in_who_is_waited_for(other):
    """At a table of five that waits for ever two were out and are back, and of the three in the
    view one is dead and the other one no help: the one that stays is no majority of these."""
    table, honest = Table(roster(5, settings=TableSettings(grace=FOREVER)), seed=b"say"), (2, 3, 4)
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
    for out in (3, 4):
        table.kill(out)
        for peer in table.running:
            table.step(peer, inputs.SkipWait(out))
        table.run(lambda t, o=out: all(o not in r.transcript.members for r in t.alive), seconds=60)
    table.kill(0)
    if other == "dead":
        table.kill(1)
    table.silent.add(1)
    for peer in (3, 4):
        table.restart(peer)
    table.run(seconds=30)
    for peer in honest:
        table.step(peer, inputs.SkipWait(0))
        table.step(peer, inputs.SkipWait(1))
    table.run(lambda t: all(t.replicas[p].over for p in honest), seconds=600)
    assert all(table.replicas[p].over for p in honest)


def test_who_asks_back_asks_for_itself_alone_every_other_time_whatever_a_member_signs():
    """Members let one back at a time: a liar that would have two back keeps neither out."""
    me, asks, liar, past = 3, 4, 2, Past(MOVE, bytes(32), ())
    changes, asked = ViewChange(me, 5, 3), []
    said = [StatusMessage(asks, 1, (0, 1, 2, me, asks), (0, 9), past, ())]

    def joins():
        led = max(each.attempt for each in said)
        table = Electorate(0, frozenset({0, 1, liar}), said, set(), set(), {}, set(), {})
        while (joined := changes.joins(table)[0]) is not None:
            asked.extend([joined[1]] if joined[0] > led else ())
            said.append(StatusMessage(me, *joined, (0, 9), past, ()))
            changes.signed(said[-1])

    for _ in range(40):
        attempt = 1 + max(each.attempt for each in said)
        said.append(StatusMessage(liar, attempt, (0, 1, 2, me, asks), (0, 9), past, ()))
        joins()
        changes.asked_back = -1  # some seconds later
        joins()
    alone = [members == (0, 1, 2, me) for members in asked]
    assert len(alone) > 20
    assert all(one or other for one, other in itertools.pairwise(alone))


def test_who_asks_back_joins_nobody_else_that_asks_but_members():
    """Members let one back at a time: by what another one asks for both neither would be back."""
    me, other, past = 3, 4, Past(MOVE, bytes(32), ())
    asks = [StatusMessage(other, 7, (0, 1, 2, me, other), (0, 9), past, ())]
    table = Electorate(0, frozenset({0, 1, 2}), asks, set(), set(), {}, set(), {})
    assert ViewChange(me, 5, 3).joins(table)[0] == (8, (0, 1, 2, me))
    both = StatusMessage(0, 8, (0, 1, 2, me, other), (0, 9), past, ())
    assert ViewChange(me, 5, 3).joins(table._replace(statuses=[*asks, both]))[0] == (
        8,
        both.members,
    )


def test_who_asks_back_joins_no_attempt_with_a_convicted_peer_that_had_left_and_asks():
    """A liar in the view would lead it on by one that no honest member joins."""
    me, liar, convicted, past = 3, 0, 4, Past(MOVE, bytes(32), ())
    said = [
        StatusMessage(convicted, 7, (0, 1, 2, convicted), (0, 9), past, ()),
        StatusMessage(liar, 8, (0, 1, 2, me, convicted), (0, 9), past, ()),
    ]
    table = Electorate(0, frozenset({0, 1, 2}), said, set(), set(), {convicted: 3}, {convicted}, {})
    assert ViewChange(me, 5, 3).joins(table)[0] == (9, (0, 1, 2, me))


def test_a_member_joins_what_more_than_may_lie_have_signed_though_its_own_wait_has_not_ended():
    """A liar owes them something, and it nothing yet: they would take it for late as well, forgive
    both, and so on for ever (62000049:411:0). What one alone has signed leads nobody."""
    me, liar, past = 3, 0, Past(MOVE, bytes(32), ())
    asks = [StatusMessage(p, 7, (1, 2, me), (0, 9), past, ()) for p in (1, 2)]
    table = Electorate(0, frozenset({liar, 2, me}), asks, set(), set(), {2: 0}, set(), {})
    assert ViewChange(me, 4, 3).joins(table)[0] == (7, (1, 2, me))
    assert ViewChange(me, 4, 3).joins(table._replace(statuses=asks[:1]))[0] != (7, (1, 2, me))


def test_who_is_out_with_too_few_says_anew_in_each_view_that_it_is_there():
    """It had said so for the view that liars began with others, with the same number: that was over
    then, and three of five that are linked stood still for good (90400216:242:1)."""
    me, liars, past = 1, {0, 2}, Past(MOVE, bytes(32), ())
    changes = ViewChange(me, 5, 3)
    changes.signed(StatusMessage(me, 4, (me, 3), (3, 9), past, ()))
    changes.begun(4, (0, 2, 3))
    table = Electorate(4, frozenset({0, 2, 3}), [], set(), liars, {}, liars, {})
    assert changes.joins(table)[0] == (5, (me, 3))
    changes.signed(StatusMessage(me, 5, (me, 3), (4, 9), past, ()))
    assert changes.joins(table)[0] is None


@pytest.mark.parametrize("how", ["is out", "has left"])
def test_who_asks_back_asks_once_in_a_view_however_often_others_come_and_go(how):
    """Else it would sign one attempt after the other; a member that stays signs what it wants."""
    here, everybody, past = (0, 1, 2), (0, 1, 2, 3), Past(MOVE, bytes(32), ())
    changes = ViewChange(3, 4, 3)
    for attempt, members in ((1, everybody), (2, (0, 1, 3))):  # it asked, and followed without 2
        changes.signed(StatusMessage(3, attempt, members, (0, 9), past, ()))
    changes.asked_back = 0
    asks = [StatusMessage(3, 1, everybody, (0, 9), past, ())]
    members, left = (here, {}) if how == "is out" else (everybody, {3: 0})
    table = Electorate(0, frozenset(members), asks, set(), set(), left, set(), {})
    assert changes.joins(table)[0] is None
    stays = table._replace(members=frozenset(everybody), left={})
    assert changes.joins(stays)[0] == (3, everybody)


def test_who_is_out_joins_what_more_than_may_lie_would_have_it_back_by():
    """It may not see what a liar owes the members, and asks back with the liar, for ever: of four
    three honest ones stood still, each time the liar was late to two of them."""
    out, past = 2, Past(MOVE, bytes(32), ())
    changes = ViewChange(out, 4, 3)
    changes.signed(StatusMessage(out, 2, (0, 1, 2, 3), (0, 9), past, ()))
    changes.asked_back = 1
    back = [StatusMessage(peer, 3, (0, 2, 3), (0, 9), past, ()) for peer in (0, 3)]
    table = Electorate(1, frozenset((0, 1, 3)), back, set(), set(), {}, set(), {out: 1})
    assert changes.joins(table)[0] == (3, (0, 2, 3))
    assert changes.joins(table._replace(statuses=back[:1]))[0] is None
    assert changes.joins(table._replace(convicted={0}))[0] is None


def lie(table):
    """Let the liar sign another state than the game has: all convict it."""
    line = table.replicas[0].transcript
    said = PhaseMessage(LIAR, line.number, line.view, line.past, bytes(32), ())
    signed = sign(said, identity(LIAR), table.replicas[0].context.game_id)
    bring(table, MOVE, signed.plain(), HONEST, LIAR)
    assert all(LIAR in table.replicas[p].convicted for p in HONEST)


@pytest.mark.parametrize(
    ("how", "skips"), [("convicted", ()), ("left", ()), ("convicted", (0, 1)), ("left", (0, 1))]
)
def test_a_wish_to_wait_ends_with_its_authors_conviction_or_farewell(how, skips):
    """An accomplice has no link any more; the liar wants to wait for it, and then convicts itself,
    or leaves. The wish counts until a view is without its author, and none begins while the
    accomplice is not gone: three honest ones of five reach each other, and stand still."""
    table = begun(5, seed=b"wish", settings=TableSettings(grace=GRACE))
    table.run(lambda t: t.replicas[0].transcript.number > 20, 60)
    table.kill(LOST)
    bring(table, WAITS, word(table, LIAR, {LOST: Wait.KEEP}), HONEST, LIAR)
    deliver(table)
    if how == "convicted":
        lie(table)
    else:
        leave(table, author=LIAR, to=HONEST)
    table.silent.add(LIAR)
    for p in skips:  # most of the honest
        table.step(p, inputs.SkipWait(LOST))
    number = max(table.replicas[p].transcript.number for p in HONEST)

    def on(t):
        return min(t.replicas[p].transcript.number for p in HONEST) > number + 9

    table.run(on, seconds=3 * GRACE)
    assert on(table)


def test_whoever_is_started_again_is_asked_about_the_hand_of_who_has_said_farewell():
    """Honest people alone, who wait for ever for whoever is lost: the farewell is in no journal."""
    table = thinking(b"farewell", grace=FOREVER)
    table.shuffle_order = False  # nobody hears the farewell once more after the view
    table.step(SILENT, inputs.Leaving())
    table.kill(SILENT, lost=False)
    table.answer()
    seating = table.replicas[VICTIM].context.seating
    table.run(lambda _: seating.holders[SILENT].peer != SILENT, seconds=60)
    table.think = set(ALL)
    people = (0, 1, 2, 3)

    def asked(t):
        return [t.replicas[peer].openings.asked for peer in people] == [(SILENT,)] * len(people)

    table.run(asked, seconds=60)
    assert asked(table)
    table.kill(VICTIM)
    table.restart(VICTIM)
    assert not asked(table)
    table.run(asked, seconds=60)
    assert asked(table)


@pytest.mark.parametrize("again", [False, True])
def test_a_hand_that_all_have_opened_is_closed_once_its_owner_is_back_in_the_same_phase(again):
    """A person thinks on while its owner comes back, and perhaps is lost once more."""
    table = absent.begun()
    faces = absent.with_cards(table)
    lost = absent.LOST
    table.think = {0}
    table.disconnect(*table.pairs(lost))
    holder = absent.stand_in(table)
    table.run(seconds=absent.GRACE + 2)
    others = [p for p in table.running if p != lost]
    for peer in others:
        table.step(peer, inputs.OpenHands())
    table.run(seconds=2)
    line = table.replicas[0].transcript
    number = line.number
    assert any(view.opened for view in line.here)
    table.connect(*table.pairs(lost))
    table.run(lambda _: lost in line.members, seconds=30)
    assert lost in line.members
    if again:
        table.disconnect(*table.pairs(lost))
        table.run(lambda _: lost not in line.members, seconds=30)
        assert (line.number, line.falls[lost]) == (number, 2)
        table.run(seconds=absent.GRACE + 2)
        assert table.replicas[0].openings.asked == (lost,)
    table.answer()
    table.run(lambda _: line.number > number + 8, seconds=4)
    assert line.number > number
    assert not any(table.of(peer, HandOpened) for peer in others)
    assert not again or not absent.seen(holder, faces)


def test_whoever_was_shown_alone_that_somebody_is_back_is_asked_about_its_hand_like_all():
    """The view that had let it back was left for another one, in which it is out as before."""
    table, victim, liar, back, others = absent.begun(peers=5, seed=b"asked"), 0, 2, 4, (1, 3)
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 20, seconds=600)
    honest = [table.replicas[p] for p in (victim, *others)]

    def think():
        table.answer()
        table.think = {0, 1, 2, 3}

    def members(of, wanted):
        table.run(lambda _: all(r.transcript.members == wanted for r in of), seconds=60)
        assert all(replica.transcript.members == wanted for replica in of)

    def joins(attempt, wanted, to):
        line = honest[1].transcript
        there = {"at": line.at, "past": line.past, "held": ()}
        signed = status(table, attempt, wanted, liar, liar, **there)
        bring(table, "status", signed.plain(), to, liar)

    think()
    table.kill(back)
    members(honest, {0, 1, 2, 3})
    think()
    table.run(seconds=2)
    table.silent.add(liar)
    table.restart(back)
    table.run(lambda t: all(r.attendance.promised for r in honest) and not t.queue, seconds=20)
    table.disconnect(*((victim, p) for p in others))
    table.kill(back)
    joins(*honest[0].attendance.changes.tried, (victim,))
    assert honest[0].transcript.members == {*ALL}
    table.disconnect((victim, liar))
    changes = honest[1].attendance.changes
    table.run(lambda _: changes.tried[1] == (1, liar, 3), seconds=60)
    table.shuffle_order = False
    deliver(table)
    tried = {replica.attendance.changes.tried for replica in honest[1:]}
    joins(*tried.pop(), others)
    members(honest[1:], {1, liar, 3})
    table.connect(*((victim, p) for p in others))
    members(honest, {0, 1, 3})
    think()
    table.run(seconds=3 * absent.GRACE)
    assert [replica.openings.asked for replica in honest] == [(liar, back)] * 3
