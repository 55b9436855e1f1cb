"""Signs of life of who was restarted in a long phase count for those who heard it before."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica.events import ViewChanged
from lanplay_protocol.replica.failure_detector import LIFE, FailureDetector, Liveness
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import ALIVE, wish
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import encode
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import identity, received, roster
from tests.replica.test_back_after_farewell import begun, unsigned
from tests.replica.test_cut_cheats import bring
from tests.replica.test_led_astray import deliver
from tests.replica.test_mercy import Lying

CHEAT, VICTIM, HONEST = 2, 1, (0, 1, 3)
GRACE = 10
WORD = encode(("presence", Liveness(frozenset({VICTIM})).plain()))


@pytest.mark.sweep(5)
@pytest.mark.parametrize("before", [0, 60, 120])
@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("thinker", [VICTIM, CHEAT, 3])
def test_a_restarted_peer_that_a_liar_does_not_hear_stays(before, restarted, thinker):
    with installed():
        table = Lying(roster(4, 4, TableSettings(grace=GRACE)), b"doubts")
        table.liar = CHEAT
        table.lies = lambda kind, payload, body: WORD if kind == "presence" else body
        table.start()
        table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
        table.think = {thinker}
        for peer in set(HONEST) - {VICTIM}:
            table.step(peer, received(CHEAT, WORD))
        table.run(seconds=before)
        if restarted:
            table.kill(VICTIM)
            table.restart(VICTIM)
        table.run(seconds=8 * GRACE)
        lost = {each for p in HONEST for e in table.of(p, ViewChanged) for each in e.lost}
        assert not lost & set(HONEST), lost


@pytest.mark.sweep(2)
@pytest.mark.parametrize("before", [0, 60, 120])
@pytest.mark.parametrize("thinker", [VICTIM, 3])
def test_a_restarted_peer_without_one_link_stays(before, thinker):
    """Nobody lies here: two have no link to each other, while a person thinks."""
    with installed():
        table = Lying(roster(4, 4, TableSettings(grace=GRACE)), b"doubts")
        table.start()
        table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
        table.think = {thinker}
        table.disconnect((CHEAT, VICTIM))
        table.run(seconds=before)
        table.kill(VICTIM)
        table.restart(VICTIM)
        table.disconnect((CHEAT, VICTIM))
        table.run(seconds=8 * GRACE)
        lost = {each for p in HONEST for e in table.of(p, ViewChanged) for each in e.lost}
        assert not lost, lost


def test_old_signs_of_life_bring_back_no_dead_peer_for_who_was_restarted():
    """A liar had somebody sign many, and tells one after the other once that one is dead: who has
    just been restarted has heard none of them, and the three that are left of five play on."""
    told, dead, liar = 0, 3, 4
    with installed():
        table = Thinking(roster(5, settings=TableSettings(grace=5)), b"hoard")
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
        table.think, kept, post = set(range(5)), [], table._post
        table.shuffle_order = False

        def heard(peer, envelope):
            if peer == dead and envelope.kind == ALIVE:
                kept.append(envelope.payload)
            post(peer, envelope)

        table._post = heard
        bring(table, "presence", Liveness(frozenset({dead})).plain(), (dead,), liar)
        table.run(seconds=60)
        unsigned(table, liar, ALIVE, "presence")
        table.kill(dead)
        table.kill(told)
        table.restart(told)
        table.answer()
        for sign in kept[:14]:
            bring(table, ALIVE, sign, (told,), liar)
            table.run(seconds=4)
        honest = [table.replicas[p] for p in (told, 1, 2)]
        assert all(dead not in replica.transcript.members for replica in honest)
        assert all(replica.transcript.number > 20 or replica.over for replica in honest)


def test_two_liars_that_are_heard_by_one_alone_one_over_the_other_stop_nobody():
    """That one passes their signs on, so that both are there for all, who are linked, or for none:
    else the others join an attempt without one of them, and it waits for what they say no more."""
    there, (bridge, far) = (0, 1, 2), (3, 4)
    with installed():
        table = Thinking(roster(5, settings=TableSettings(grace=GRACE)), b"bridge")
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
        table.shuffle_order = False  # as on a link
        table.think = {0}
        table.run(lambda t: all(r.transcript.missing == {0} for r in t.replicas) and not t.queue)
        table.silent |= {bridge, far}
        table.disconnect(*((far, peer) for peer in there), (bridge, 1), (bridge, 2))
        game, goal = table.replicas[0].context.game_id, 4 + table.replicas[0].transcript.number
        for second in range(0, 80, 2):
            for liar in (bridge, far):
                life = wish(ALIVE, liar, (1 << 30) + second, identity(liar), game)
                bring(table, ALIVE, life.plain(), (0,), by=bridge)
            table.run(seconds=2)
            if second == 2 * GRACE:
                table.answer()
        assert all(table.replicas[peer].transcript.number >= goal for peer in there)
        lost = {each for peer in there for e in table.of(peer, ViewChanged) for each in e.lost}
        assert not lost & {*there}


def test_laptops_in_a_chain_play_on():
    """What each signs comes to all over the others, however many."""
    with installed():
        table = Thinking(roster(4, settings=TableSettings(grace=GRACE)), b"chain")
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
        table.shuffle_order = False  # as on a link
        table.disconnect((0, 2), (0, 3), (1, 3))
        table.run(seconds=3 * GRACE)
        assert min(replica.transcript.number for replica in table.replicas) > 30
        assert not any(table.of(peer, ViewChanged) for peer in range(4))


@pytest.mark.parametrize("word", ["unreachable", "doubted"])
def test_whom_one_alone_is_told_to_doubt_all_wait_for_alike(word):
    """Two liars of five: one tells one peer that it does not hear the other, which signs nothing
    more. For that peer alone it was missing, and the three of no one mind stood still for good
    (90300344:188:3)."""
    told, honest, liars = 1, (1, 2, 3), (0, 4)
    with installed():
        table = begun()
        for liar in liars:
            unsigned(table, liar, "alive", "move", "presence", "here", "past")
        deliver(table)
        says = Liveness(**{"unreachable": frozenset(), word: frozenset({4})})
        bring(table, "presence", says.plain(), (told,), 0)
        goal = 6 + max(replica.transcript.number for replica in table.replicas)

        def furthest_back(table):
            return min(table.replicas[peer].transcript.number for peer in honest)

        table.run(lambda t: furthest_back(t) > goal, seconds=150)
        assert furthest_back(table) > goal


def test_a_doubt_is_told_on_where_no_sign_of_life_comes():
    """While who is doubted signs, it ends with whoever does not hear it."""
    detector = FailureDetector(2, GRACE)
    detector.begin(SETUP)
    detector.said(1, Liveness(frozenset(), doubted=frozenset({4})), 0.0)
    detector.judge(frozenset(range(5)), set(), LIFE - 1)
    assert detector.doubted == {4}
    assert not detector.liveness.doubted
    detector.judge(frozenset(range(5)), set(), LIFE)
    assert detector.missing(frozenset(range(5)), LIFE) == {4: LIFE}
    assert detector.liveness.doubted == {4}
    detector.heartbeat(4, 1, LIFE + 1)
    detector.judge(frozenset(range(5)), set(), LIFE + 1)
    assert not detector.missing(frozenset(range(5)), LIFE + 1)
    assert not detector.liveness.doubted
