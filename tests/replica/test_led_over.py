"""Silent phases, views begun twice, and losses: what journals, records and votes lead over."""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import replace
from itertools import pairwise

import pytest

from lanplay.games import load
from lanplay_protocol.crypto import schnorr
from lanplay_protocol.crypto.group import base, encode, mul
from lanplay_protocol.crypto.proofs import POWERS
from lanplay_protocol.crypto.sealing import seal
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.choices import CommitPhase
from lanplay_protocol.replica.ended_game import EndedGame
from lanplay_protocol.replica.events import AnswerNeeded, HandOpened, QuorumLost, Restarted
from lanplay_protocol.replica.handover import Handover, SeatLottery
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, SignedMessage, sign
from lanplay_protocol.replica.reveals import DealCards
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.spectator import Spectator
from lanplay_protocol.replica.verdicts import pasts_beside
from lanplay_protocol.wire import decode
from lanplay_protocol.wire import encode as packed
from tests.byzantine.witnesses import watched
from tests.replica.harness import Table, identity, roster, vote
from tests.replica.test_audit import record_of
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import bring, leave, level, status
from tests.replica.test_ended_game import alone, said, shown
from tests.replica.test_led_astray import deliver
from tests.replica.test_lines_left import harmless

SENDER, RECEIVER, AWAY = 2, 4, 3


def false_to_receiver(table):
    """Let a liar seal one false part to a receiver, which complains."""
    at = []

    def tamper(table, to, move):
        phase = table.replicas[SENDER].phases.get(move.phase)
        if not isinstance(phase, DealCards) or phase._receiver != RECEIVER:
            return None
        if move.phase < 20 or (at and at[0] != move.phase):
            return None
        at[:] = [move.phase]
        label = phase.label(move.previous, move.phase, SENDER)
        publics = table.replicas[SENDER].context.publics
        junk = seal(publics[RECEIVER], bytes(phase._size), label, b"e" * 32)
        return [replace(move, parts=junk)]

    table.tampers[SENDER] = tamper


def test_who_missed_the_end_after_a_complaint_has_it_from_a_record():
    """A certificate names a complaint as evidence: whoever asks for it by name is given it, long
    before the end, where all that convicts is told.

    The record of an ended game is cut here where the view has begun: what it answers is the same.
    """
    table = begun(5, seed=b"both1", settings=TableSettings(grace=5))
    false_to_receiver(table)
    table.kill(AWAY)
    there = (0, 1, RECEIVER)

    def beyond(t):
        lines = [t.replicas[p].transcript for p in there]
        return all(SENDER not in each.members and not each.here for each in lines)

    table.run(beyond, seconds=900)
    assert [set(table.replicas[p].convicted) for p in there] == [{SENDER}] * 3
    game = EndedGame(record_of(table).extra)
    game._beside = list
    replica = alone(table, AWAY)
    shown(replica, lambda body: said(game, body), seconds=20)
    assert replica.line.lacking() == ([], [])
    assert replica.transcript.view == table.replicas[0].transcript.view
    assert set(replica.convicted) == {SENDER}


def meeting(peers, here, seed, game):
    """A table of which fewer than a quorum are left, in the middle of its game."""
    table = Table(roster(peers, settings=TableSettings(grace=5), game=load(game)), seed=seed)
    table.start()
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=900)
    for peer in set(range(peers)) - set(here):
        table.kill(peer)
    table.run(lambda t: all(t.of(p, QuorumLost) for p in here), seconds=200)
    return table


def votes(table, peer):
    table.step(peer, inputs.ContinueWithout(bytes([peer]) * 32))


def anew(table, here):
    """The rosters with which peers go on anew; each leaves the old game as it does."""
    return {p: e.roster.digest() for p in here for e in table.of(p, Restarted)[:1]}


def test_a_vote_for_a_new_game_stays_though_somebody_is_linked_for_a_moment():
    """Nothing moves, and people may vote before the grace is over: its author alone forgot it."""
    here, passing = (0, 1, 2), 3
    table = Table(
        roster(6, settings=TableSettings(grace=30), game=load("dogs-life")), seed=b"flap21"
    )
    table.start()
    rounds = [replica.context.referee.table for replica in table.replicas]
    table.run(lambda t: all(each.round > 1 for each in rounds), seconds=900)
    for lost in (4, 5):
        table.kill(lost)
    links = [(passing, peer) for peer in here]
    table.disconnect(*links)
    table.run(seconds=3)
    at = table.replicas[0].transcript.at
    votes(table, 0)
    table.run(seconds=2)
    table.connect(*links)
    table.run(seconds=1)
    table.disconnect(*links)
    table.run(seconds=2)
    assert table.replicas[0].transcript.at == at
    for peer in here[1:]:
        votes(table, peer)
    table.run(lambda t: all(t.of(p, Restarted) for p in here), seconds=120)
    assert len(set(anew(table, here).values())) == 1
    assert anew(table, here).keys() == {*here}


def test_a_vote_for_a_new_game_outlives_a_link():
    """Honest people alone: one has voted, the program of the other is started again, it votes."""
    table = meeting(4, (0, 2), b"link", "charidice")
    votes(table, 0)
    deliver(table)
    table.disconnect((0, 2))
    table.run(seconds=1)
    table.restart(2)
    before = len(table.of(2, QuorumLost))
    table.run(lambda t: len(t.of(2, QuorumLost)) > before, seconds=60)
    votes(table, 2)
    table.run(lambda t: t.of(0, Restarted), seconds=5)
    deliver(table)
    assert table.of(0, Restarted)
    table.kill(0)  # its old game is over: it begins the new one
    table.run(lambda t: t.of(2, Restarted), seconds=60)
    rosters = anew(table, (0, 2))
    assert len(rosters) == 2
    assert len(set(rosters.values())) == 1, "they began two new games"


def test_all_who_are_here_go_on_with_one_game():
    """Honest people alone: the last vote comes to one first, which leaves for the new game; another
    hears that its link has ended before it hears the vote."""
    here = (0, 1, 2)
    table = meeting(6, here, b"three", "dogs-life")
    votes(table, 0)
    votes(table, 1)
    deliver(table)
    table.step(2, inputs.ContinueWithout(b"2" * 32))
    last = [(a, b, body) for a, b, body in table.queue if b == 1]
    table.queue = deque(each for each in table.queue if each[1] == 0)
    table.silent.add(0)  # what it says as it leaves is lost with the link
    deliver(table)
    assert table.of(0, Restarted)
    assert not table.of(1, Restarted)
    table.kill(0)  # its old game is over: it begins the new one
    table.queue.extend(last)
    deliver(table)
    table.run(lambda t: t.of(1, Restarted), seconds=5)
    rosters = anew(table, here)
    assert len(rosters) == 3
    assert len(set(rosters.values())) == 1, "they began two new games"


def test_who_was_restarted_votes_for_the_new_game_that_the_others_begin():
    """Honest people alone: two have voted, the program of one is started again; the others go on
    with the vote that it gave before, and it votes once more."""
    here = (0, 1, 2)
    table = meeting(6, here, b"three", "dogs-life")
    votes(table, 0)
    votes(table, 1)
    deliver(table)
    table.restart(1)
    table.run(lambda t: t.replicas[1].attendance.restart.here == set(here), seconds=60)
    table.run(seconds=1)
    votes(table, 2)
    table.run(lambda t: t.of(0, Restarted) and t.of(2, Restarted), seconds=5)
    table.silent |= {0, 2}  # they have begun the new game
    table.step(1, inputs.ContinueWithout(b"again" + bytes(27)))
    rosters = anew(table, here)
    assert len(rosters) == 3
    assert len(set(rosters.values())) == 1, "they began two new games"
    table.restart(1)
    assert not table.replicas[1].attendance.restart.nonce  # it has gone on with it: once only


@pytest.mark.parametrize("voted", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_who_are_linked_over_a_third_go_on_with_it(voted):
    """Honest people alone: two of three that are left have no link to each other."""
    here = (0, 1, 2)
    table = meeting(6, here, b"three", "dogs-life")
    table.disconnect((1, 2))
    table.run(seconds=3)
    for peer in voted:
        votes(table, peer)
        deliver(table)
        table.silent |= {p for p in here if table.of(p, Restarted)}  # it begins the new game
    table.run(lambda t: all(t.of(p, Restarted) for p in here), seconds=5)
    rosters = anew(table, here)
    assert len(rosters) == 3
    assert len(set(rosters.values())) == 1, "they began two new games"


def test_who_is_out_of_the_view_and_back_goes_on_with_its_member():
    """Honest people alone: two of three members are lost as soon as one that was out is back."""
    table = Table(roster(5, settings=TableSettings(grace=5), game=load("dogs-life")), seed=b"out")
    table.start()
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=900)
    for peer in (3, 4):
        table.kill(peer)
    table.run(lambda t: all(t.replicas[p].begun for p in (0, 1, 2)), seconds=100)
    for peer in (0, 1):
        table.kill(peer)
    table.restart(3)
    table.run(lambda t: t.of(2, QuorumLost), seconds=60)
    for peer in (2, 3):
        votes(table, peer)
        deliver(table)
    table.run(seconds=2)
    rosters = anew(table, (2, 3))
    assert len(rosters) == 2
    assert len(set(rosters.values())) == 1, "each goes on alone"


def test_who_were_on_two_sides_of_a_fork_go_on_together():
    """One liar of three has played on with each of two that could not reach each other: both say
    that they are there, as its conviction leaves each with too few, and begin a view."""
    one, liar, other = 0, 1, 2
    table = begun(3, seed=b"two views", settings=TableSettings(grace=10))
    table.run(lambda t: all(r.context.referee.table.round > 1 for r in t.replicas), seconds=900)
    level(table)
    before = [*table.disks[liar]]
    for led, gone in ((other, one), (one, other)):
        table.disconnect((one, other), (liar, gone))
        number = table.replicas[led].transcript.number + 9
        table.run(lambda t, n=number, p=led: t.replicas[p].transcript.number > n, seconds=60)
        table.kill(liar)
        table.disks[liar] = [*before]
        table.restart(liar)
    table.kill(liar)
    table.connect((one, other))
    table.run(seconds=900)
    assert [set(table.replicas[p].convicted) for p in (one, other)] == [{liar}, {liar}]
    assert table.plays_on((one, other))


def test_nobody_makes_up_a_vote_or_brings_one_of_a_game_of_others():
    table = meeting(6, (0, 1, 2), b"three", "dogs-life")
    said = bytes(32), (), (0, 1)
    true = vote(table.roster, 1, *said)
    for bearer, given in ((1, (*true[:4], bytes(64))), (2, true)):
        with pytest.raises(PeerError):
            table.step(0, inputs.Received(bearer, "anew", given))
    assert not table.replicas[0].attendance.restart.votes
    table.step(0, inputs.Received(1, "anew", true))
    assert table.replicas[0].attendance.restart.votes


FORKER, LOST = 3, 4


def other_proof(context, bases, powers):
    """Another proof of the same powers, as true as the first."""
    label, key = context.proof_context(context.me, "powers"), context.key
    statement = schnorr._statement(key.X, bases, powers, label)
    k = 12345
    commitments = [base(k), *(mul(k, b) for b in bases)]
    c = schnorr._challenge(POWERS, statement, commitments)
    return encode(c) + encode(k + c * key.x)


def lot_twice(seed=b"silent"):
    """A table of five with hands that stay sealed, of which one is lost: a liar gives another proof
    of its part of the lot to one than to all others."""
    table = begun(5, seed=seed, settings=TableSettings(grace=5))
    table.run(lambda t: t.replicas[0].transcript.number > 30, seconds=600)

    def tamper(table, to, move):
        replica = table.replicas[FORKER]
        phase = replica.phases[move.phase]
        if not isinstance(phase, SeatLottery) or to != 0:
            return None
        powers, _ = move.parts
        context = copy(replica.context)
        context.transcript_hash, context.phase = replica.transcript.bases[move.phase], move.phase
        return [replace(move, parts=(powers, other_proof(context, [phase._point], powers)))]

    table.tampers[FORKER] = tamper
    table.kill(LOST)
    return table


def shows_what_the_others_went_over(table, done):
    """Let the liar show one alone what is before a phase in which the others said nothing, in a
    message of a view that never was: it counts nowhere, and no journal keeps it. A lie of the
    phase before is shown first, so that this message is no part of the proof either."""
    led, other = table.replicas[0].transcript, table.replicas[1].transcript
    for past in [*other.followed.values()]:
        after, number = other.followed.get(past.hash), other.line[past.hash][0]
        silent = number > 30 and after is not None and after.kind == MOVE and not after.refs
        lie = other.moves[number - 1].get(FORKER)
        if silent and lie is not None and past.hash not in {*led.line, *done}:
            done.append(past.hash)
            odd = PhaseMessage(FORKER, number, 90, past, other.state_at(number), ())
            odd = sign(odd, identity(FORKER), table.replicas[0].context.game_id)
            for signed in (lie, odd):
                bring(table, MOVE, signed.plain(), (0,), FORKER)


@pytest.mark.parametrize("shown", [False, True])
def test_a_journal_leads_over_a_phase_in_which_nobody_said_anything(shown):
    """What one was led over was said of by nobody: in the phase after the lot, where hands stay
    sealed, no message was due, and that past was known by asking alone."""
    table, honest, done = lot_twice(b"silent0"), (0, 1, 2), []

    def without_the_liar(t):
        if shown:
            shows_what_the_others_went_over(t, done)
        return all(FORKER not in t.replicas[p].transcript.members for p in honest)

    table.run(without_the_liar, seconds=200)
    assert bool(done) == shown
    assert [set(table.replicas[p].convicted) for p in honest] == [{FORKER}] * 3
    assert len({table.replicas[p].begun[-1].phase for p in honest}) == 1
    number = table.replicas[0].begun[-1].phase + 3
    table.run(lambda t: t.replicas[0].transcript.number > number, seconds=60)
    table.kill(0)
    table.restart(0)
    table.run(lambda t: all(t.replicas[p].over for p in honest), seconds=600)
    assert all(table.replicas[p].over for p in honest)


def test_who_watches_is_led_over_a_phase_in_which_nobody_said_anything():
    """At whichever peer, also at the one that was led over: a watcher cannot ask for a past."""
    table, honest = lot_twice(), (0, 1, 2)

    def gone_over(t):
        replicas = [t.replicas[p] for p in honest]
        return all(FORKER not in r.transcript.members and r.begun for r in replicas)

    table.run(gone_over, seconds=200)
    assert gone_over(table)
    assert not [each for p in honest for each in watched(table.replicas[p], table.now)]
    line = table.replicas[0].line
    pasts = [each for view in line.transcript.views for each in pasts_beside(view.said, line)]
    assert len(pasts) > 1
    assert all(past.before == led.hash for past, led in pairwise(pasts))


def test_who_watches_keeps_no_past_that_it_does_not_lack():
    """Whoever shows it the game could fill its memory."""
    spectator, nowhere = Spectator(load("dice-town"), roster(3)), Past(MOVE, bytes(32))
    spectator.receive(packed(("past", nowhere.plain())), 0.0)
    assert nowhere.hash not in spectator.line.statements.pasts


def test_a_record_leads_over_a_phase_in_which_nobody_said_anything():
    """The one that was told another lot is gone then; the others play to the end without it."""
    table = lot_twice()

    def apart(t):
        phases = [r.transcript.phase for r in t.replicas[:3]]
        drawn = any(isinstance(p, SeatLottery) for p in t.replicas[0].phases.values())
        return drawn and not any(isinstance(p, SeatLottery | Handover) for p in phases)

    table.run(apart, seconds=200)
    assert apart(table)
    table.kill(0)
    number = table.replicas[1].transcript.number
    table.run(lambda t: t.replicas[1].transcript.number > number + 9, seconds=200)
    others = table.replicas[1].transcript
    assert others.view == 2
    assert table.replicas[0].transcript.past.hash not in others.line
    game = EndedGame(record_of(table, 1).extra)
    replica = alone(table, 0)
    shown(replica, lambda body: said(game, body), seconds=20)
    assert replica.line.lacking() == ([], [])
    assert replica.transcript.view == others.view


def two_views(table, cheat, honest, leads=(), **odd):
    """Let a liar begin a view of all with two statuses, an odd one of which comes to the first
    alone, with pasts that lead there; return what is still to be delivered, what others pass on of
    these among it."""
    everybody = tuple(range(len(table.roster.peers)))
    table.silent.add(cheat)
    one = status(table, 1, everybody, cheat, cheat, **odd)
    two = status(table, 1, everybody, cheat, cheat, again=True)
    bring(table, "status", one.plain(), honest[:1], cheat)
    for past in leads:
        bring(table, "past", past.plain(), honest[:1], cheat)
    bring(table, "status", two.plain(), honest[1:], cheat)
    later, table.shuffle_order = [], False
    while table.queue and not all(table.replicas[p].transcript.view for p in honest):
        item = table.queue[0][2]
        kind, payload = decode(item) if isinstance(item, bytes) else ("", ())
        passed_on = kind == "status" and payload[0] == cheat
        if (kind == "status" and not passed_on) or (kind == MOVE and not payload[2]):
            table._deliver()
        else:
            later.append(table.queue.popleft())
    assert [table.replicas[p].transcript.view for p in honest] == [1] * len(honest)
    table.shuffle_order = True
    return later


def forked_view(table, cheat, honest, leads=(), **odd):
    """Let a liar begin a view twice, and convict itself by what nobody can read, before the two
    meet."""
    level(table)
    later = two_views(table, cheat, honest, leads, **odd)
    game, number = table.replicas[0].context.game_id, table.replicas[0].transcript.number
    bare = SignedMessage(MOVE, cheat, number, 1, b"\xc1", b"")
    signature = identity(cheat).sign(MOVE, packed((game, *bare.key)))
    bad = SignedMessage(MOVE, cheat, number, 1, b"\xc1", signature)
    bring(table, MOVE, bad.plain(), honest, cheat)
    table.queue.extend(later)


def test_a_journal_leads_over_another_view_of_a_number_that_was_told():
    """The view that a liar began twice is kept as one of them; what follows hangs on the other."""
    cheat, honest = 2, (0, 1, 3)
    table = begun(4, seed=b"twice", settings=TableSettings(grace=10))
    forked_view(table, cheat, honest)
    table.run(lambda t: all(cheat not in t.replicas[p].transcript.members for p in honest), 60)
    assert [set(table.replicas[p].convicted) for p in honest] == [{cheat}] * 3
    assert all(cheat not in table.replicas[p].transcript.members for p in honest)
    table.run(seconds=1)
    assert len({tuple(v.number for v in table.replicas[p].begun) for p in honest}) == 1
    for peer in honest:
        table.kill(peer)
        table.restart(peer)
        table.run(seconds=1)


def test_who_chooses_again_in_another_view_of_a_phase_chooses_the_same():
    """Its first choice was sealed in a view that the others had never begun. The pad hangs on what
    was before the phase, and is the same: another choice under it would give both away."""
    cheat, honest = 2, (0, 1, 3)
    table = begun(4, seed=b"pad2", settings=TableSettings(grace=10))

    def chooses(t):
        line = t.replicas[0].transcript
        return isinstance(line.phase, CommitPhase) and 0 in line.missing

    level(table, chooses)
    number = table.replicas[0].transcript.number
    later = [*two_views(table, cheat, honest), *table.queue]
    table.queue = deque(e for e in later if e[0] == 0 and isinstance(e[2], AnswerNeeded))
    table.run(lambda t: 0 not in t.replicas[0].transcript.missing)
    table.queue.extend(later)
    table.run(lambda t: all(t.replicas[p].transcript.number > number for p in honest), 60)
    mine = table.replicas[0].line.statements.of_phase(number)
    said = {k.signed.view: k.said.parts for k in mine if k.signed.sender == 0}
    assert said.keys() == {1, 2}
    assert said[1] == said[2]


@pytest.mark.parametrize("how", ["names", "stands"])
def test_who_watches_is_led_over_what_a_view_beside_the_line_names(how):
    """The view that went on nowhere began with a liar's status that names what never counted, or
    stands where nobody was: one member of the next view had been there, and who watches cannot ask
    for anything by name."""
    cheat, honest = 2, (0, 1, 3)
    table = begun(4, seed=b"twice", settings=TableSettings(grace=10))
    level(table)
    line, beside = table.replicas[0].transcript, harmless(table, 10, cheat)
    if how == "names":
        bring(table, MOVE, beside.plain(), honest, cheat)
        own = (each.ref for each in line.brought if each.sender == cheat)
        forked_view(table, cheat, honest, held=(beside.ref, *own))
    else:
        _, before, last = [line.followed[past] for past in list(line.line)[-4:-1]]
        nowhere = replace(before, refs=before.refs[1:])
        past = replace(last, before=nowhere.hash)
        forked_view(table, cheat, honest, [nowhere], past=past, held=())
    table.run(lambda t: all(cheat not in t.replicas[p].transcript.members for p in honest), 60)
    table.run(seconds=1)
    assert {tuple(v.number for v in table.replicas[p].begun) for p in honest} == {(1, 2)}
    assert [each for p in honest for each in watched(table.replicas[p], table.now)] == []


OWNER, TAKER = 1, 4


def taken():
    """A table in which the seat of a person that has left has gone to the last peer, which holds
    an AI alone; all people have opened the hand to it."""
    bots = ("", "", "", "", "random")
    for seed in range(18, 48):
        settings = TableSettings(grace=5, absent="play")
        table = Table(roster(5, settings=settings, bots=bots), seed=b"open %d" % seed)
        for replica in table.replicas:
            replica.openings.ahead = True
        table.start()
        table.run(lambda t: t.replicas[0].context.referee.table.round > 0, seconds=600)
        table.step(OWNER, inputs.Leaving())
        table.kill(OWNER, lost=False)
        table.run(lambda t: t.of(0, HandOpened), seconds=60)
        (opened,) = table.of(0, HandOpened)
        if opened.holder.peer == TAKER:
            return table
    raise AssertionError("no lot fell so")


def test_a_hand_is_opened_to_whoever_takes_the_seat_next():
    """Honest people alone: the one to whom a hand was open is lost, too. All agree once more, but
    nobody hears it of the others, as a lower place makes a lower number."""
    table = taken()
    table.step(TAKER, inputs.Leaving())
    table.kill(TAKER, lost=False)
    people = (0, 2, 3)
    table.run(lambda t: t.replicas[0].context.seating.holders[OWNER].peer in people, seconds=60)
    table.run(lambda t: all(len(t.of(p, HandOpened)) > 1 for p in people), seconds=600)
    assert [len(table.of(p, HandOpened)) for p in people] == [2, 2, 2]


@pytest.mark.parametrize("again", [False, True])
def test_whoever_is_started_again_is_asked_about_a_hand(again):
    """Honest people alone: a laptop is lost; the program of another one is started again before
    its loss is beyond dispute. Its person is never asked, so that nobody can open the hand."""
    table = begun(5, seed=b"asked", settings=TableSettings(grace=5))
    level(table)
    handle = table.handle

    def thinking(peer, output):  # everybody thinks
        handle(peer, output)
        table.queue = deque(each for each in table.queue if not isinstance(each[2], AnswerNeeded))

    table.kill(OWNER)
    table.run(lambda t: OWNER not in t.replicas[0].context.present, seconds=60)
    table.run(lambda t: all(r.transcript.phase is not None for r in t.replicas), seconds=0)
    table.handle = thinking
    if again:
        table.kill(0)
        table.restart(0)
    table.run(seconds=60)
    people = (0, 2, 3, 4)
    asked = [table.replicas[p].openings.asked for p in people]
    assert not any(table.replicas[p].over for p in people)
    assert asked == [(OWNER,)] * 4


def test_messages_of_views_that_never_were_are_not_each_gone_to():
    """One liar leads the number of the next view up; another one leaves, and then says its message
    of that phase in each view below, most of which never were: for every one of them everybody goes
    over the whole game once more, in one step."""
    cheat, other, honest = 2, 4, (0, 1, 3)
    table = begun(5, seed=b"passed", settings=TableSettings(grace=10))
    level(table, lambda t: cheat in t.replicas[0].transcript.missing)
    line = table.replicas[0].transcript
    number, past, state = line.number, line.past, line.state
    own = said_by(table, cheat, number)
    lifted = status(table, 60, range(5), other, other)
    bring(table, "status", lifted.plain(), honest, other)
    leave(table, author=cheat)
    table.run(lambda t: t.replicas[0].transcript.number > number + 2, seconds=60)
    replica = table.replicas[0]
    (view,) = [each for each in replica.begun if cheat in each.lost]
    assert view.number > 50
    assert view.phase == number
    gone, again = [], replica.line._again
    replica.line._again = lambda *place: gone.append(place) or again(*place)
    game = replica.context.game_id
    for below in range(view.number):
        move = PhaseMessage(cheat, number, below, past, state, own.parts)
        bring(table, MOVE, sign(move, identity(cheat), game).plain(), (0,), cheat)
    assert len(gone) < 4, (len(gone), replica.convicted)


def said_by(table, cheat, number):
    """What a liar would say in a phase, which it keeps back."""
    table.silent.add(cheat)
    table.queue = deque(each for each in table.queue if each[0] != cheat or each[1] == cheat)
    while table.replicas[cheat].transcript.missing >= {cheat}:
        (ask,) = [
            item for _, to, item in table.queue if to == cheat and not isinstance(item, bytes)
        ]
        table.step(cheat, inputs.Answered(ask.seat, table.answerer(cheat, ask)))
    (own,) = table.replicas[cheat].line.statements.of((MOVE, cheat, 0, number))
    return own.said
