"""What a decision on who takes part does to the one who learns of it."""

from __future__ import annotations

import pytest

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.cut import Cut, Decided, Return, Vote, sign_word
from lanplay_protocol.replica.membership import TRIES
from lanplay_protocol.replica.messages import SignedMessage
from lanplay_protocol.replica.replica import AHEAD, NUDGE, RESENDS
from lanplay_protocol.wire import encode
from tests.replica.harness import identity, received, roster
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, level
from tests.replica.test_evidence import complaint, told

VOTERS = (0, 1, 3)


def decision(replica, ballot, **changes):
    """A cut where a replica stands, voted for by a quorum."""
    plain = {"number": len(replica.decided), "lost": (), "back": (), "again": (), "moves": ()}
    where = {"phase": replica.transcript.number, "transcript": replica.context.transcript_hash}
    cut = Cut(**{**plain, **where, **changes})
    vote, game = Vote(cut.number, ballot, cut.digest()), replica.context.game_id
    votes = tuple(sign_word(vote, peer, identity(peer), game) for peer in VOTERS)
    return Decided(cut, votes)


def learn(table, decided, peer=0):
    body = encode(("decided", decided.plain()))
    return table.replicas[peer].step(received(1, body), table.now)


def stopped(seed=b"decisions"):
    """A table of four that stands at one phase, of which nothing more is delivered."""
    table = begun(seed=seed)
    level(table)
    table.queue.clear()
    return table


def test_the_past_of_a_game_hangs_on_its_decisions():
    """Two lines with different cuts never have one hash again, whatever else is the same."""
    hashes = set()
    for again in ((), (1,), (1, 3)):
        table = begun(seed=b"hashes")
        level(table)
        here = table.replicas[0].transcript.number
        decided = decision(table.replicas[0], 9, again=again)
        for peer in range(4):
            table.handle(peer, learn(table, decided, peer))
        table.run(lambda t, n=here: t.replicas[0].transcript.number > n, seconds=120)
        hashes.add(table.replicas[0].transcript.before(here + 1))
    assert len(hashes) == 3


@pytest.mark.parametrize("banned", [True, False])
def test_who_is_let_back_and_was_found_out_meanwhile_is_given_up_again(banned):
    """The votes were cast before it was known."""
    table = stopped()
    learn(table, decision(table.replicas[0], 9, lost=(CHEAT,)))
    replica = table.replicas[0]
    if banned:
        replica._excluded.add(CHEAT)
    learn(table, decision(replica, 17, back=(CHEAT,)))
    assert (CHEAT in replica._detector.suspected) is banned


@pytest.mark.parametrize(("times", "heard"), [(TRIES - 1, True), (TRIES, False)])
def test_who_has_withheld_too_often_stays_out(times, heard):
    """It may come back twice; the third time was the last."""
    table = stopped()
    replica = table.replicas[0]
    learn(table, decision(replica, 9, lost=(CHEAT,)))
    replica._withholder_cuts[CHEAT] = times
    word = sign_word(Return(1), CHEAT, identity(CHEAT), replica.context.game_id)
    replica.step(received(CHEAT, encode(("cut", word.plain()))), table.now)
    assert (CHEAT in replica._returning) is heard


def test_nobody_is_given_more_than_the_near_future_to_keep():
    """Messages of phases far ahead are not kept, however many come."""
    table = stopped()
    replica = table.replicas[0]
    here = replica.transcript.number
    for phase in range(here + 1, here + 200):
        body = encode(("move", SignedMessage(1, phase, b"?", bytes(64)).plain()))
        replica.step(received(1, body), table.now)
    assert sorted(replica._early) == list(range(here + 1, here + AHEAD + 1))


def test_nobody_is_sent_the_game_again_and_again():
    """So many questions are answered at once; after a while there are answers again."""

    def answered(now):
        want = received(1, encode(("want", 0)))
        outputs = [replica.step(want, now) for _ in range(3 * RESENDS)]
        return [each.kind for output in outputs for each in output.send].count("here")

    replica = stopped().replicas[0]
    now = 1000.0
    assert answered(now) == RESENDS
    assert answered(now + NUDGE / 2) == 0
    assert answered(now + NUDGE) == RESENDS


def test_a_table_of_two_cannot_play_on_without_one():
    """Where no quorum would be left the game is held, and says why."""
    table = begun(2, seed=b"two")
    told(table, complaint(table))
    assert table.replicas[0].halted is not None
    three = begun(3, seed=b"three")
    told(three, complaint(three))
    assert three.replicas[0].halted is None


def test_nobody_goes_on_anew_while_enough_are_here():
    """Those who are missing come back to the game that the others play."""
    table = stopped()
    with pytest.raises(ValueError, match="Enough are here"):
        table.replicas[0].step(inputs.ContinueWithout(bytes(32)), table.now)
    assert table.replicas[0]._restart_votes == {}


@pytest.mark.parametrize("peers", range(1, 9))
def test_any_two_quorums_share_a_peer_and_none_is_larger_than_it_has_to_be(peers):
    """So two halves of a table never both go on, and one that is larger than half always can."""
    quorum = roster(peers, seats=8).quorum
    assert 2 * quorum > peers
    assert 2 * (quorum - 1) <= peers
