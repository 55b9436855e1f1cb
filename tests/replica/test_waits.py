"""Whom people want to wait for is heard by all alike, whoever a liar tells."""

from __future__ import annotations

import pytest

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import AskedToYield, ViewChanged, WaitDisputed
from lanplay_protocol.replica.failure_detector import Wait
from lanplay_protocol.replica.line import COUNTED
from lanplay_protocol.replica.messages import WAITS, wish
from lanplay_protocol.replica.roster import PEERS
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from lanplay_protocol.replica.waits import CHANGES, WISHES
from lanplay_protocol.wire import encode
from tests.replica.absences import Thinking
from tests.replica.faults import steps
from tests.replica.harness import identity, received, roster
from tests.replica.test_cut import begun, finish
from tests.replica.test_cut_cheats import bring

CHEAT, LOST, GRACE = 2, 4, 10


def table(seed=b"waits", peers=5):
    made = begun(peers, seed=seed, settings=TableSettings(grace=GRACE))
    steps(made, 60)
    return made


def word(made, author, wishes, view=0, change=0, signer=None):
    """A word of one peer about some others."""
    digits = sum(wait * len(Wait) ** peer for peer, wait in wishes.items())
    number = (view * CHANGES + change) * WISHES + digits
    signer = author if signer is None else signer
    return wish(WAITS, author, number, identity(signer), made.roster.digest()).plain()


def fallen(made, peers):
    """Who was left out, as some have seen it."""
    return {each for p in peers for e in made.of(p, ViewChanged) for each in e.lost}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("told", [0, 1, 3])
@pytest.mark.parametrize("wait", [Wait.SKIP, Wait.KEEP])
def test_a_liar_that_tells_one_alone_costs_no_honest_peer_a_fall(told, wait):
    """One hears that a lost peer is to be waited for, or not: the others hear it from that one."""
    made = table()
    made.kill(LOST)
    others = [peer for peer in (0, 1, 3) if wait is Wait.SKIP]
    for peer in others[:2]:  # with the liar most do not want to wait
        made.step(peer, inputs.SkipWait(LOST))
    bring(made, WAITS, word(made, CHEAT, {LOST: wait}), (told,))
    made.run(seconds=3 * GRACE)
    assert not fallen(made, (0, 1, 3)) & {0, 1, 3}
    assert (LOST in fallen(made, (0, 1, 3))) is (wait is Wait.SKIP)
    if wait is Wait.KEEP:
        for peer in (0, 1, 3):
            made.step(peer, inputs.SkipWait(LOST))
    finish(made)
    assert not fallen(made, (0, 1, 3)) & {0, 1, 3}


def test_a_word_is_its_authors():
    """Nobody says for another one whom it waits for."""
    made = table()
    with pytest.raises(PeerError):
        made.replicas[0].step(
            received(CHEAT, encode((WAITS, word(made, 1, {LOST: Wait.SKIP}, signer=CHEAT)))),
            made.now,
        )


def test_what_was_said_before_a_peer_was_out_is_over():
    """Who is back is waited for like at first, though nobody has taken anything back."""
    made = table()
    made.kill(LOST)
    for peer in (0, 1, 3):
        made.step(peer, inputs.SkipWait(LOST))
    made.run(lambda t: LOST in fallen(t, (0,)), seconds=GRACE / 2)
    assert LOST in fallen(made, (0,))
    assert not made.replicas[0].attendance.waits.wanting(Wait.SKIP, LOST)
    made.restart(LOST)
    made.run(lambda t: LOST in t.replicas[0].transcript.members, seconds=60)
    assert LOST in made.replicas[0].transcript.members
    for peer in range(4):
        assert not made.replicas[peer].attendance.waits.wanting(Wait.SKIP, LOST)


def test_a_link_that_is_up_again_ends_a_wish():
    made = table()
    made.disconnect((0, LOST))
    made.step(0, inputs.KeepWaiting(LOST))
    made.run(seconds=1)
    assert made.replicas[1].attendance.waits.wanting(Wait.KEEP, LOST) == {0}
    made.connect((0, LOST))
    made.run(seconds=1)
    assert not made.replicas[1].attendance.waits.wanting(Wait.KEEP, LOST)


def test_a_restarted_program_still_wants_what_its_person_wanted():
    """Others give it back its own word, and what its person has wished since counts above it."""
    made = table()
    made.kill(LOST)
    made.step(0, inputs.SkipWait(3))
    made.step(0, inputs.KeepWaiting(LOST))
    made.run(seconds=1)
    made.kill(0)
    made.restart(0)
    made.run(seconds=2)
    waits = made.replicas[1].attendance.waits
    assert made.replicas[0].attendance.waits.wanting(Wait.KEEP, LOST) == {0}
    made.step(0, inputs.SkipWait(LOST))
    made.run(seconds=1)
    assert waits.wanting(Wait.SKIP, LOST) == {0}


@pytest.mark.parametrize("first", [0, LOST])
def test_a_wish_ends_with_a_restart_of_its_author_once_that_has_a_link_to_who_was_lost(first):
    """Whichever of the two is back first: else a person waits for ever for who is lost once more,
    and does not know it."""
    made = Thinking(roster(5, settings=TableSettings(grace=GRACE)), b"wish ends")
    made.start()
    made.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
    made.think = set(range(5))
    made.run(seconds=2)
    made.kill(LOST)
    made.step(0, inputs.KeepWaiting(LOST))
    made.run(seconds=2)
    made.kill(0)
    for peer in sorted((0, LOST), key=lambda each: each != first):
        made.restart(peer)
    made.run(seconds=2)
    assert not made.replicas[0].begun
    assert not any(r.attendance.waits.wanting(Wait.KEEP, LOST) for r in made.replicas)
    made.kill(LOST)
    made.run(seconds=3 * GRACE)
    assert fallen(made, (0, 1, 2, 3)) == {LOST}


def test_a_wish_before_its_own_older_word_comes_back_is_said_again():
    made = table()
    for _ in range(3):
        made.step(0, inputs.KeepWaiting(LOST))
    old = word(made, 0, {3: Wait.SKIP, LOST: Wait.KEEP}, change=9)
    made.kill(LOST)
    made.disconnect((0, 3))
    made.step(0, inputs.SkipWait(LOST))
    made.step(0, received(1, encode((WAITS, old))))
    made.run(seconds=1)
    for peer in (0, 1):
        waits = made.replicas[peer].attendance.waits
        assert waits.wanting(Wait.SKIP, LOST) == waits.wanting(Wait.SKIP, 3) == {0}


def test_words_of_one_author_are_bounded():
    """So many in a view, and none of views that cannot have begun: all pass on each."""
    made, sent = table(), []
    last = word(made, CHEAT, dict.fromkeys(range(PEERS), Wait.KEEP), change=CHANGES - 1)
    assert bring(made, WAITS, last, (0,))[0].count(WAITS) == 1
    assert bring(made, WAITS, last, (0,))[0].count(WAITS) == 0
    later = word(made, CHEAT, {LOST: Wait.KEEP}, view=3 * COUNTED)
    assert bring(made, WAITS, later, (0,))[0].count(WAITS) == 0
    for _ in range(CHANGES + 3):
        given = inputs.KeepWaiting(LOST)
        sent += [e for e in made.replicas[1].step(given, made.now).send if e.kind == WAITS]
    assert len(sent) == CHANGES


def test_most_who_do_not_want_to_wait_are_heard_by_whom_they_do_not_want_to_wait_for():
    made = table()
    for peer in (0, 1, 3):
        made.step(peer, inputs.SkipWait(CHEAT))
    made.run(seconds=1)
    assert len(made.of(CHEAT, AskedToYield)) == 1


def test_who_cuts_one_link_after_the_other_ends_nobodys_wish_not_to_wait_for_it():
    """Most do not want to wait for the answer of a person at a laptop that all others hear."""
    made = Thinking(roster(4, settings=TableSettings(grace=FOREVER)), b"flaps")
    made.start()
    made.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
    made.think, honest = {CHEAT}, (0, 1, 3)
    lines = [replica.transcript for replica in made.replicas]
    made.run(lambda _: all(r.missing == {CHEAT} and not r.phase.prompt for r in lines), seconds=60)
    for peer in honest:
        made.step(peer, inputs.SkipWait(CHEAT))
    for peer in honest * 9:
        made.disconnect((CHEAT, peer))
        made.run(seconds=1)
        made.connect((CHEAT, peer))
        made.run(seconds=0.1)
    assert fallen(made, honest) == {CHEAT}


def test_a_wish_not_to_wait_for_who_was_lost_ends_whoever_hears_it_first():
    made = table()
    made.disconnect(*made.pairs(LOST))
    made.run(seconds=1)
    made.step(0, inputs.SkipWait(LOST))
    made.run(seconds=1)
    assert made.replicas[1].attendance.waits.wanting(Wait.SKIP, LOST) == {0}
    for peer in (1, 0):
        made.connect((peer, LOST))
        made.run(seconds=1)
    assert not made.replicas[0].begun
    assert not made.replicas[1].attendance.waits.wanting(Wait.SKIP, LOST)


@pytest.mark.parametrize("ends", ["leaves", "dies"])
def test_whom_most_do_not_want_to_wait_for_once_fewer_are_here_is_told_so(ends):
    """Two of four others say so, which are most once one is gone: its AI answers, and it stays."""
    made = Thinking(roster(5, settings=TableSettings(grace=GRACE)), b"fewer")
    made.start()
    made.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
    made.think = {CHEAT}
    made.run(seconds=2)
    for peer in (0, 1):
        made.step(peer, inputs.SkipWait(CHEAT))
    made.run(seconds=1)
    assert not made.of(CHEAT, AskedToYield)
    if ends == "leaves":
        made.step(LOST, inputs.Leaving())
        made.run(seconds=0.1)
    made.kill(LOST)
    made.run(lambda t: t.of(CHEAT, AskedToYield), seconds=2 * GRACE)
    assert len(made.of(CHEAT, AskedToYield)) == 1
    made.answer()
    finish(made)
    assert fallen(made, (0, 1, 3)) == {LOST}


def test_all_are_told_who_wants_to_wait_for_whom_and_how_many_say_so():
    """Whoever did not want to wait pressed the key, and nothing happened: neither that one nor the
    others, whose votes it took, were told of it."""
    made = table(peers=4)
    made.kill(3)
    made.run(seconds=1)
    made.step(0, inputs.SkipWait(3))
    made.run(seconds=1)
    for peer in (0, 1, 2):
        (said,) = made.of(peer, WaitDisputed)
        assert said == WaitDisputed(0, 3, keep=False, votes=1, needed=2, asks=peer != 0)
    made.step(0, inputs.SkipWait(3))  # nothing new
    made.step(1, inputs.KeepWaiting(3))
    made.run(seconds=1)
    made.step(2, inputs.SkipWait(1))  # of whom is asked about nobody is asked
    made.run(seconds=1)
    made.step(0, inputs.SkipWait(1))
    made.run(seconds=1)
    for peer in (0, 1, 2):
        kept, thinks, agreed = made.of(peer, WaitDisputed)[1:]
        assert kept == WaitDisputed(1, 3, keep=True, votes=1, needed=2, asks=peer != 1)
        assert thinks == WaitDisputed(2, 1, keep=False, votes=1, needed=2, asks=peer == 0)
        assert agreed == WaitDisputed(0, 1, keep=False, votes=2, needed=2, asks=False)


def test_who_does_not_want_to_wait_is_not_asked_for_the_same_again():
    made = table(peers=5)
    made.kill(LOST)
    made.run(seconds=1)
    for peer in (0, 1, 2):
        made.step(peer, inputs.SkipWait(LOST))
        made.run(seconds=1)
    asks = [[e.asks for e in made.of(peer, WaitDisputed)] for peer in range(4)]
    assert asks == [[False] * 3, [True, False, False], [True, True, False], [True, True, False]]


@pytest.mark.parametrize(("peers", "lost"), [(3, 1), (4, 3), (5, 4)])
def test_who_comes_back_is_not_asked_to_yield_by_votes_that_a_view_has_ended(peers, lost):
    """Given up by vote, and restarted: it knew of the view that had ended the votes only after it
    had heard them, and its AI answered in its person's place."""
    made = Thinking(roster(peers, settings=TableSettings(grace=GRACE)), b"given up %d" % peers)
    made.start()
    made.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
    made.think = set(range(peers))
    made.run(seconds=2)
    made.kill(lost)
    others = [peer for peer in range(peers) if peer != lost]
    for peer in others:
        made.step(peer, inputs.SkipWait(lost))
    made.run(lambda t: lost in fallen(t, others), seconds=GRACE / 2)
    made.run(seconds=1)
    assert lost in fallen(made, others)
    made.restart(lost)
    made.run(lambda t: t.replicas[0].transcript.members == frozenset(range(peers)), seconds=60)
    made.run(seconds=2)
    assert lost in made.replicas[0].transcript.members
    assert not made.of(lost, AskedToYield)


def test_a_liar_that_changes_its_mind_all_the_time_fills_no_screen():
    made = table()
    for change in range(60):
        wishes = {LOST: (Wait.SKIP, Wait.KEEP)[change % 2]}
        bring(made, WAITS, word(made, CHEAT, wishes, change=change), (0,))
    made.run(seconds=1)
    assert 0 < len(made.of(0, WaitDisputed)) <= 10
