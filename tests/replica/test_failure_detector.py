"""Who is there: what a peer believes of others' words, and for how long."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.failure_detector import (
    ATTEMPT,
    LIFE,
    MERCY,
    PATIENCE,
    SLOW,
    FailureDetector,
    Liveness,
    Wait,
)
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import STATUS

ALL = frozenset(range(3))
GRACE = 45
SKIP_4 = (Wait.SKIP, 4)


def heard_by_another(now):
    """Peer 0 has no link to 2; 1 has, and says nothing else."""
    presence = FailureDetector(0, GRACE)
    presence.link_down(2, now)
    presence.said(1, Liveness(frozenset()), now)
    return presence


def test_a_peer_that_only_others_hear_is_there_while_it_signs_that_it_is():
    """Every new word of it counts for some seconds."""
    presence = heard_by_another(0.0)
    for beat in range(1, 6):
        presence.heartbeat(2, beat, beat * LIFE / 2)
    assert presence.missing(ALL, 5 * LIFE / 2 + LIFE - 0.1) == {}
    assert 2 in presence.missing(ALL, 5 * LIFE / 2 + LIFE)


def test_an_old_sign_of_life_says_nothing():
    """Whoever brings the word of a dead peer again and again keeps nobody waiting."""
    presence = heard_by_another(0.0)
    presence.heartbeat(2, 7, 1.0)
    for again in range(2, 40):
        presence.heartbeat(2, 7 - again % 2, again / 4)
    assert 2 in presence.missing(ALL, 1.0 + LIFE)


def test_who_is_heard_here_and_not_by_another_has_to_sign_that_it_is_there():
    """Else who cuts its link to one peer alone would make that one alone want it out."""
    detector = FailureDetector(0, GRACE)
    detector.said(1, Liveness(frozenset({2})), 0.0)
    assert detector.liveness.doubted == {2}
    assert detector.missing(ALL, LIFE - 0.1) == {}
    detector.heartbeat(2, 1, LIFE)
    assert detector.missing(ALL, 2 * LIFE - 0.1) == {}
    assert 2 in detector.missing(ALL, 2 * LIFE)
    detector.said(1, Liveness(frozenset()), 2 * LIFE)
    assert detector.missing(ALL, 2 * LIFE) == {}


def test_who_is_doubted_signs_that_it_is_there_whoever_tells_it_so():
    """A liar may say of a peer that it does not hear it to all but that one."""
    detector = FailureDetector(2, GRACE)
    assert not detector.to_sign(ALL)
    detector.said(0, Liveness(frozenset(), doubted=frozenset({2})), 0.0)
    assert detector.to_sign(ALL)


def test_who_is_missing_is_gone_when_the_grace_has_ended():
    """Whatever it owes; mercy does not bring it back, a sign of life does."""
    here, detector = frozenset({0, 2}), FailureDetector(0, GRACE)
    detector.link_down(2, 0.0)
    assert not detector.judge(here, set(), 0.0)
    assert not detector.judge(here, set(), GRACE - 0.1)
    assert detector.gone == frozenset()
    assert detector.judge(here, set(), float(GRACE))
    assert detector.gone == {2}
    detector.forgive(float(GRACE))
    assert not detector.judge(here, set(), float(GRACE))
    assert detector.gone == {2}
    assert detector.late == frozenset()
    detector.link_up(2)
    detector.judge(here, set(), float(GRACE))
    assert detector.gone == frozenset()


def test_mercy_comes_when_nobody_else_became_late_for_a_while():
    """Others' waits have ended by then; who is late stays late when its link is lost, too."""
    detector, first, second = FailureDetector(0, GRACE), (1, "move", 9), (2, "move", 9)
    detector.judge(ALL, {first}, 0.0)
    detector.judge(ALL, {first, second}, MERCY - 0.5)
    assert detector.judge(ALL, {first, second}, PATIENCE)
    assert detector.judge(ALL, {first, second}, PATIENCE + MERCY - 0.5)
    assert not detector.merciful(PATIENCE + MERCY)
    assert detector.deadline(ALL, PATIENCE + MERCY) == PATIENCE + 2 * MERCY - 0.5
    detector.link_down(2, PATIENCE + MERCY)
    assert not detector.judge(ALL, {first, second}, PATIENCE + 2 * MERCY - 0.5)
    assert detector.late == {1, 2}
    assert detector.merciful(PATIENCE + 2 * MERCY - 0.5)


def test_who_is_linked_and_owes_something_is_late_after_ten_seconds_until_it_pays():
    """Whatever else it says, and to whom. The wait is for one debt: another one is another wait."""
    detector, debt, other = FailureDetector(0, GRACE), (2, "move", 0, 9), (2, "move", 0, 10)
    detector.judge(ALL, {debt}, 0.0)
    assert detector.deadline(ALL, 0.0) == PATIENCE
    detector.judge(ALL, {debt}, PATIENCE - 0.1)
    assert detector.late == frozenset()
    detector.judge(ALL, {debt}, PATIENCE)
    assert detector.late == {2}
    detector.judge(ALL, {other}, PATIENCE)
    assert detector.late == frozenset()


@pytest.mark.parametrize("grace", [0, 5, GRACE, 300])
def test_who_owes_something_and_is_heard_by_others_alone_is_late_after_eighteen_seconds(grace):
    """Whatever the grace, which is for who is missing: else a liar cuts its link to one, for whom
    it is late long after the others have forgiven it. What it owes comes by a detour until then."""
    detector, debt, beats = FailureDetector(0, grace), (2, "move", 0, 9), iter(range(1, 999))
    detector.link_down(2, 0.0)
    end = PATIENCE + LIFE
    for time in (*(float(each) for each in range(0, int(end), 4)), end - 0.1, end):
        assert detector.late == frozenset()
        detector.heartbeat(2, next(beats), time)
        detector.judge(ALL, {debt}, time)
        assert not detector.missing(ALL, time)
    assert detector.late == {2}


def test_the_excuse_of_whom_another_one_opposes_ends_where_its_wait_is_half_over():
    """Whoever is honest pays before that, or could not since the wait began; and a wait that stood
    still for as long as it was excused is not half over."""
    detector, debt = FailureDetector(0, GRACE), (2, "move", 9)
    excused = {"excused": {debt}, "opposed": {2}}
    detector.judge(ALL, {debt}, 0.0)
    detector.judge(ALL, {debt}, PATIENCE / 2 - 0.1, **excused)
    assert detector.deadline(ALL, PATIENCE / 2) is None
    detector.judge(ALL, {debt}, 99.0, **excused)
    assert detector.late == frozenset()
    detector.judge(ALL, {debt}, 99.0)
    detector.judge(ALL, {debt}, 99.1, **excused)
    assert detector.deadline(ALL, 99.1) == 99.1 + PATIENCE / 2
    detector.judge(ALL, {debt}, 99.1 + PATIENCE / 2, **excused)
    assert detector.late == {2}


def test_who_gives_no_signs_of_life_is_missing_as_long_though_it_cuts_its_link():
    """It has said itself that it is to be doubted; and another one is linked to it still."""
    detector = FailureDetector(0, GRACE)
    detector.begin(SETUP)
    detector.said(1, Liveness(frozenset(), doubted=frozenset({2})), 0.0)
    detector.judge(ALL, set(), LIFE)
    assert detector.lost(2)
    detector.link_down(2, GRACE)
    for later in (1, LIFE):
        detector.judge(ALL, set(), GRACE + later)
    assert detector.gone == {2}


def test_waits_begin_again_when_this_program_stood_still():
    """Nobody is late for a program that was not running."""
    detector, debt = FailureDetector(0, GRACE), (2, "move", 0, 9)
    detector.link_down(1, 0.0)
    detector.judge(ALL, {debt}, 0.0)
    detector.restart(100.0)
    detector.judge(ALL, {debt}, 100.0 + PATIENCE - 0.1)
    assert detector.late == frozenset()


def test_half_of_those_who_are_there_skip_nobody():
    """Whom two of four do not want to wait for is waited for; a third ends the wait at once."""
    hurry = {0, 1}
    detector = FailureDetector(0, GRACE, lambda wait, of: hurry if (wait, of) == SKIP_4 else set())
    detector.link_down(4, 0.0)
    four, since = frozenset(range(4)), 5.0
    assert detector.ends(4, since, four | {4}) == since + GRACE
    hurry.add(2)
    assert detector.ends(4, since, four | {4}) == since


def test_who_is_missing_itself_decides_nothing_about_others():
    """Two who are gone and want each other to be waited for hold nobody up."""
    wanted = {(Wait.KEEP, 3): {4}, (Wait.KEEP, 4): {3}, SKIP_4: {2, 3}}
    five = frozenset(range(5))
    detector = FailureDetector(0, GRACE, lambda *wish: wanted.get(wish, set()))
    assert detector.ends(3, 0.0, five) is None
    for peer in (3, 4):
        detector.link_down(peer, 0.0)
        for other in (1, 2):
            detector.said(other, Liveness(frozenset({peer})), 0.0)
    missing = detector.missing(five, 3 * LIFE)
    assert missing.keys() == {3, 4}
    assert detector.ends(3, 0.0, five) == detector.ends(4, 0.0, five) == GRACE


def test_who_does_not_answer_an_attempt_is_mute_and_not_late_and_forgiven_until_the_phase_ends():
    """It may have to wait itself; but it does not count among those who stay, also if it pays: it
    may owe the next attempt. When a view begins nobody is forgiven, either."""
    presence, debts = FailureDetector(0, GRACE), {(1, ATTEMPT, 7), (2, "move", 3)}
    presence.begin(3)
    presence.judge(ALL, debts, 0.0)
    presence.judge(ALL, debts, PATIENCE)
    assert (presence.late, presence.mute, presence.forgiven) == ({2}, {1}, set())
    assert presence.deadline(ALL, PATIENCE) == PATIENCE + MERCY
    presence.forgive(PATIENCE + MERCY)
    assert (presence.late, presence.mute, presence.forgiven) == (set(), set(), {1, 2})
    presence.begin(3)
    presence.judge(ALL, {(1, ATTEMPT, 8)}, PATIENCE + MERCY)
    presence.judge(ALL, set(), PATIENCE + MERCY)
    assert presence.forgiven == {1, 2}
    presence.begin(4)
    assert presence.forgiven == set()


def late_in(detector, views, wait, start=0.0, pause=0.0):
    """Let peer 2 sign some views, each in some seconds, with pauses between them; tell whether it
    was late for one."""
    late = False
    for view in range(views):
        debts, begins = {(2, STATUS, view)}, start + view * (wait + pause)
        detector.judge(ALL, debts, begins)
        detector.judge(ALL, debts, begins + wait)
        late |= 2 in detector.late
        detector.judge(ALL, set(), begins + wait)
    return late


@pytest.mark.parametrize(
    ("views", "wait", "late"), [(2, 5.0, False), (3, 5.0, True), (40, SLOW, False)]
)
def test_waits_for_what_a_peer_signs_add_up(views, wait, late):
    """But for the time that an honest peer needs, which is never late for that."""
    assert late_in(FailureDetector(0, GRACE), views, wait) == late


@pytest.mark.parametrize(("pause", "late"), [(5.0, False), (2.0, True)])
def test_short_delays_with_long_pauses_between_them_never_make_a_peer_late(pause, late):
    """Each second makes up for a part of one; what comes faster than that still adds up."""
    assert late_in(FailureDetector(0, GRACE), 200, 1.5, pause=pause) == late


@pytest.mark.parametrize("by", ["a phase", "mercy"])
def test_waits_that_have_added_up_are_over(by):
    """Nobody is late in a new phase, or in a view of other members, for what it owed before."""
    detector = FailureDetector(0, GRACE)
    detector.begin(5)
    assert not late_in(detector, 2, 4.0)
    if by == "a phase":
        detector.begin(9)
    else:
        detector.forgive(8.0)
    assert not late_in(detector, 2, 4.0, 8.0)


def test_mercy_waits_for_whoever_came_to_be_mute_last():
    """Another one's wait may have ended a moment later; and what is unread may be the answer."""
    presence, first, both = (
        FailureDetector(0, GRACE),
        {(1, ATTEMPT, 7)},
        {(1, ATTEMPT, 7), (2, ATTEMPT, 7)},
    )
    presence.judge(ALL, first, 0.0)
    presence.judge(ALL, both, 1.0)
    presence.judge(ALL, both, PATIENCE + 0.5, unread=True)
    assert presence.mute == set()
    presence.judge(ALL, both, PATIENCE + 0.5)
    presence.judge(ALL, both, PATIENCE + 1.0)
    assert presence.mute == {1, 2}
    assert not presence.merciful(PATIENCE + MERCY + 0.9)
    assert presence.merciful(PATIENCE + MERCY + 1.0)


def test_a_missing_peer_has_no_vote_on_who_is_not_waited_for():
    """Three of four others do not want to wait for a peer, but one of these is missing, too."""
    detector = FailureDetector(0, 45, lambda wait, _: {1, 2, 3} if wait is Wait.SKIP else set())
    everybody = frozenset(range(5))
    detector.link_down(4, 0.0)
    detector.missing(everybody, 20.0)
    assert detector.to_skip(4, everybody)
    detector.link_down(1, 20.0)
    detector.missing(everybody, 40.0)
    assert not detector.to_skip(4, everybody)
