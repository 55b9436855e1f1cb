"""A table outlives its laptops: peers are lost, cut off, and come back, and one game is played."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase, RevealPhase
from lanplay_protocol.replica.events import (
    AnswerNeeded,
    PeerUnreachable,
    QuorumLost,
    Restarted,
    SeatReassigned,
    ViewChanged,
)
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.reveals import DealCards, RevealCards, RevealDice
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from lanplay_protocol.replica.shuffling import MixPiles
from lanplay_protocol.wire import decode
from tests.replica.faults import Faults, steps, wrong
from tests.replica.harness import GAME, Table, parts, roster

GRACE = 5
LONG = 4.0 * TableSettings().grace
"""Seconds after which nobody was given up who is waited for."""


def begun(peers=4, seats=None, seed=b"cut", settings=None):
    """A table whose game has begun, of AI, whose hands go with their seats, unless set up."""
    bots = () if settings else ("random",) * (seats or peers)
    settings = settings or TableSettings(grace=GRACE)
    table = Table(roster(peers, seats, settings, bots=bots), seed=seed)
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    return table


def at(table, peer, kind):
    """Run until a peer owes a message of some kind of phase."""

    def owes(_):
        transcript = table.replicas[peer].transcript
        return isinstance(transcript.phase, kind) and peer in transcript.missing

    table.run(owes, seconds=3000)
    return owes(table)


def keeping(table, seat):
    """Run until a seat is asked which dice to keep."""

    def asked(_):
        replica = table.replicas[seat]
        return any(question.name == "keep" for _, question in replica._questions())

    table.run(asked, seconds=3000)
    return asked(table)


def die_in(table, victim, kind, reach):
    """Run until a peer ends with its message of some kind of phase, after so many have it."""
    post = table._post

    def end(peer, event):
        said, payload = decode(event.body)
        own = peer == victim and said == "move" and payload[0] == victim
        phase = table.replicas[victim].phases.get(payload[1]) if own else None
        if isinstance(phase, kind) and not table.kill_at:
            table.kill_at = (victim, table.sends[victim] + 1, reach)
        post(peer, event)

    table._post = end
    table.run(lambda t: t.dead, seconds=3000)
    assert table.dead


def finish(table):
    table.run(lambda t: t.is_over(), seconds=900)
    assert wrong(table) == ""


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    "kind", [CommitPhase, RevealPhase, DealCards, RevealCards, RevealDice, MixPiles]
)
@pytest.mark.parametrize("reach", [0, 1, 3])
def test_a_peer_lost_in_any_kind_of_phase_is_replaced(kind, reach):
    """Before it sends, after one has its message, after all have: the survivors end the game
    alike."""
    table = begun(seed=b"kind4")
    die_in(table, 1, kind, reach)
    finish(table)


@pytest.mark.timeout(600)
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_no_fault_of_network_or_laptops_loses_a_game(seed):
    """Kills, restarts with and without the last writes, broken links, partitions: once all is well
    again the game ends for all alike, and nobody is accused."""
    faults = Faults(seed)
    assert faults.play() == "", faults.log


def test_a_peer_that_was_cut_while_its_choice_counted_opens_it_when_it_is_back():
    """DT-2.2: two are cut, one of them alive: its commitment counts, and it knows its own choice
    again when it has gone back to that phase."""
    table = begun(5, seed=b"kind")
    die_in(table, 4, CommitPhase, 1)
    number = table.replicas[1].transcript.number
    table.run(lambda t: t.replicas[0].transcript.number > number, seconds=10)
    table.disconnect(*table.pairs(0))
    table.run(lambda t: t.replicas[1].begun, seconds=60)
    assert 0 in {each.signed.sender for each in table.replicas[1].begun[0].carried}
    table.connect(*table.pairs(0))
    finish(table)


def test_a_sealed_hand_stays_closed():
    """Where hands stay sealed the AI gets no card and no die that was rolled before."""
    for game in range(20):  # until it has its cards while it keeps dice
        settings = TableSettings(grace=GRACE)
        table = begun(seed=b"view%d" % game, settings=settings)
        lost = table.replicas[2]
        table.run(lambda t: len(t.replicas[2].views[2].own) > 1, seconds=600)
        if keeping(table, 2):
            break
    assert keeping(table, 2)
    public = table.replicas[0].context.referee.table
    hand = [card for card in public.loot(2) if card not in public.faces]
    assert lost.views[2].cup
    table.kill(2)
    table.run(lambda t: any(2 in r.views for r in t.alive), seconds=60)
    view = next(replica.views[2] for replica in table.alive if 2 in replica.views)
    assert hand
    assert all(view.face(card) is None for card in hand)
    assert view.cup == ()
    finish(table)


def test_a_choice_once_committed_stays():
    """DT-2.2: dice kept by a peer that is lost before it opens are kept, as it had chosen."""
    table = begun(seed=b"stays")
    chosen = []
    honest = table.answerer

    def answerer(peer, ask):
        answer = honest(peer, ask)
        if peer == 1 and ask.question.name == "keep":
            chosen.append(answer)
        return answer

    table.answerer = answerer
    table.tampers[1] = lambda table, to, move: (
        [] if isinstance(table.replicas[1].phases[move.phase], RevealPhase) else None
    )
    table.run(
        lambda t: chosen and isinstance(t.replicas[1].transcript.phase, RevealPhase), seconds=600
    )
    number = table.replicas[1].transcript.number
    table.run(lambda t: all(r.transcript.number >= number for r in t.replicas), seconds=60)
    before = len(table.replicas[0].context.referee.history)
    table.kill(1)
    table.run(lambda t: len(t.replicas[0].context.referee.history) > before, seconds=60)
    assert table.replicas[0].context.referee.history[before][1] == chosen[-1]


def test_a_game_that_has_not_begun_ends_with_a_clear_word():
    """Nobody can stand in before all keys are shared: the others are told who left."""
    table = Table(roster(3), seed=b"early")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number == 2)
    table.kill(1)
    table.run(seconds=100)
    for replica in table.alive:
        assert replica.halted
        assert "peer 1 left before the game began" in replica.halted.reason


def test_who_convicts_before_the_game_waits_for_a_laptop_that_may_have_begun():
    """The cheat's true word that it is ready is with the one that is away, and comes with it."""

    def spoiled(table, to, move):
        return [parts(move, (1,)) if to == 0 and move.phase == SETUP - 1 else move]

    table = Table(roster(3), seed=b"uncertain", tampers={2: spoiled})
    table.start()
    table.run(lambda t: t.replicas[1].transcript.number >= SETUP)
    table.kill(1)
    table.run(seconds=10)
    assert table.accused(0)
    assert not table.replicas[0].halted
    table.restart(1)
    table.run(lambda t: all(r.transcript.number > SETUP + 2 for r in t.replicas[:2]), seconds=30)
    assert min(r.transcript.number for r in table.replicas[:2]) > SETUP + 2


@pytest.mark.parametrize("grace", [GRACE, FOREVER])
def test_who_has_begun_with_too_few_gives_up_the_start_as_the_others_did(grace):
    """Before anything was played nothing is lost: after the grace they are told who is not there,
    and are back at their table; where a table waits for ever they wait."""
    silent = lambda table, to, move: [] if move.phase >= SETUP else None  # noqa: E731
    settings = TableSettings(grace=grace)
    table = Table(roster(4, settings=settings), seed=b"few", tampers={2: silent, 3: silent})
    table.start()
    table.run(lambda t: all(r.transcript.number >= SETUP for r in t.replicas))
    table.kill(2)
    table.kill(3)
    table.run(seconds=GRACE - 1)
    assert not any(replica.halted for replica in table.alive)
    table.run(seconds=GRACE)
    for replica in table.alive:
        assert not replica.transcript.begun
        assert bool(replica.halted) == (grace == GRACE)
        assert grace == FOREVER or "peer 2, peer 3 left before" in replica.halted.reason


def test_fewer_than_a_quorum_wait_and_lose_nothing():
    """2-2: neither half plays on; when the halves meet the game goes on from where it was."""
    table = begun(seed=b"halves")
    steps(table, 300)
    table.disconnect((0, 2), (0, 3), (1, 2), (1, 3))
    table.run(seconds=6 * GRACE)
    numbers = [replica.transcript.number for replica in table.replicas]
    table.run(seconds=6 * GRACE)
    assert [replica.transcript.number for replica in table.replicas] == numbers
    assert all(table.of(peer, QuorumLost) for peer in range(4))
    assert not any(table.of(peer, ViewChanged) for peer in range(4))
    table.connect((0, 2), (0, 3), (1, 2), (1, 3))
    finish(table)
    assert not any(event.lost for peer in range(4) for event in table.of(peer, ViewChanged))


@pytest.mark.parametrize("here", [(0, 1), (2,)])
def test_too_few_who_all_agree_continue_as_a_new_game(here):
    """Public things stay, hidden cards are dealt again, AI sits in the other seats; the old game
    can still go on."""
    table = begun(seed=b"anew")
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=600)
    old = table.replicas[here[0]].context.referee.table
    others = [p for p in range(4) if p not in here]
    table.disconnect(*((a, b) for a in here for b in others))
    table.run(seconds=30)
    with pytest.raises(ValueError, match="Enough are here"):
        begun(seed=b"anew").replicas[0].step(inputs.ContinueWithout(bytes(32)), 0.0)
    for peer in here:
        table.step(peer, inputs.ContinueWithout(bytes([peer]) * 32))
        table.run(seconds=1)
    rosters = {event.roster.digest() for peer in here for event in table.of(peer, Restarted)}
    assert len(rosters) == 1
    new = table.of(here[0], Restarted)[0].roster
    assert [peer.name for peer in new.peers] == [f"peer {peer}" for peer in here]
    assert sorted(seat for peer in new.peers for seat in peer.seats) == list(range(4))
    again = GAME.table(4, new.options, new.start)
    assert again.round == old.round - 1
    fresh = Table(new, seed=b"fresh", people=here)
    fresh.start()
    fresh.run(lambda t: t.is_over(), seconds=600)
    assert wrong(fresh) == ""
    table.connect(*((a, b) for a in here for b in others))
    finish(table)


@pytest.mark.longer_games(12, 8)
def test_of_three_and_one_the_three_play_on_and_the_one_comes_back():
    """The one waits, takes its seat back with the same key, and ends with all the others."""
    table = begun(seed=b"three")
    steps(table, 200)
    table.disconnect(*table.pairs(3))
    table.run(lambda t: t.replicas[0].begun, seconds=60)
    steps(table, 300)
    assert not table.replicas[3].begun
    table.connect(*table.pairs(3))
    table.run(lambda t: t.replicas[3].views and 3 in t.replicas[0].transcript.members, seconds=60)
    finish(table)
    seated = [event.holder.peer for event in table.of(0, SeatReassigned) if event.seat == 3]
    assert len(seated) == 2
    assert seated[0] != 3
    assert seated[1] == 3


def test_a_broken_link_between_two_is_no_loss():
    """Whoever reaches both passes on what they say: nobody is missing, nobody is cut off."""
    table = begun(seed=b"link")
    steps(table, 100)
    table.disconnect((0, 3))
    finish(table)
    assert table.now < 60
    assert not any(
        table.of(peer, PeerUnreachable) or table.of(peer, ViewChanged) for peer in range(4)
    )


def test_what_came_by_a_detour_is_not_passed_on_again():
    """One reaches the author, and passes it on to the others: each gets it once."""
    table = begun(seed=b"detour")
    steps(table, 100)
    table.disconnect((0, 2), (0, 3))
    passed, post = [], table._post

    def posted(peer, event):
        passed.extend([peer] if event.kind == "move" and event.payload[0] != peer else [])
        post(peer, event)

    table._post = posted
    finish(table)
    assert passed.count(1) > 100
    assert {peer for peer in passed if passed.count(peer) > 10} == {1}


def test_all_laptops_gone_and_a_majority_goes_on():
    """Three of four that start again from their disks end the game; the fourth joins them later."""
    table = begun(seed=b"all")
    steps(table, 500)
    for peer in range(4):
        table.kill(peer)
    for peer in (2, 0, 3):
        table.restart(peer)
    table.run(lambda t: t.replicas[0].begun, seconds=100)
    steps(table, 100)
    table.restart(1)
    finish(table)


def test_who_leaves_is_not_waited_for():
    """A signed farewell needs no grace: AI plays on at once."""
    table = begun(seed=b"leave", settings=TableSettings(grace=0))
    steps(table, 100)
    table.step(1, inputs.Leaving())
    table.run(lambda t: t.replicas[0].begun, seconds=60)
    assert table.now <= 1
    table.kill(1)
    finish(table)


@pytest.mark.parametrize("waits", [False, True])
def test_grace_zero_waits_for_ever_and_a_majority_need_not(waits):
    """With grace 0 a lost peer is waited for, unless most of those present do not want to."""
    table = begun(seed=b"ever", settings=TableSettings(grace=0))
    steps(table, 100)
    table.kill(1)
    table.run(seconds=LONG)
    assert not table.replicas[0].begun
    for peer in (0, 2):
        table.step(peer, inputs.SkipWait(1))
    if waits:
        table.step(3, inputs.KeepWaiting(1))
    finish(table)


def test_one_who_wants_to_wait_stops_the_clock():
    """A person may wait for a missing one, however long it takes."""
    table = begun(seed=b"wait")
    steps(table, 100)
    table.kill(1)
    table.step(2, inputs.KeepWaiting(1))
    table.run(seconds=LONG)
    assert not table.replicas[0].begun
    table.restart(1)
    finish(table)


def test_a_stale_peer_says_nothing_before_it_was_cut():
    """Whose journal misses what it said comes back only as one that was cut."""
    table = begun(seed=b"stale")
    steps(table, 400)
    table.kill(1)
    table.dead.discard(1)
    kept = table.kept(1)
    table.replicas[1] = table.replica(1)
    table.step(1, inputs.Restored(kept[: len(kept) // 2], incomplete=True))
    table.connect(*table.pairs(1))
    said = []
    post = table._post

    def overhear(peer, event):
        kind, payload = decode(event.body)
        if peer == 1 and kind == "move" and payload[0] == 1 and not table.replicas[1].begun:
            said.append(payload[1])
        post(peer, event)

    table._post = overhear
    table.run(lambda t: t.replicas[1].begun, seconds=60)
    assert all(phase < table.replicas[0].transcript.number for phase in said)
    finish(table)


def test_takeover_follows_the_grace_within_a_second():
    """The cut is decided as soon as the grace is over."""
    table = begun(seed=b"soon")
    steps(table, 100)
    at_death = table.now
    table.kill(0)
    table.run(lambda t: all(r.begun for r in t.alive), seconds=60)
    assert table.now - at_death <= GRACE + 1


def test_a_question_that_was_asked_before_is_asked_of_the_ai():
    """DT-2.2: a seat whose person was thinking is asked again, of its AI."""
    table = begun(seed=b"asked")
    assert at(table, 2, CommitPhase)
    table.kill(2)
    table.run(
        lambda t: any(e.seat == 2 for p in (0, 1, 3) for e in t.of(p, AnswerNeeded)), seconds=60
    )
    assert any(e.seat == 2 and e.bot for p in (0, 1, 3) for e in table.of(p, AnswerNeeded))
