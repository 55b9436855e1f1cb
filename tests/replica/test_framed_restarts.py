"""A journal that is older than what its peer has said: whoever wrote it convicts nobody by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.doubt import ANSWER
from lanplay_protocol.replica.events import QuorumLost, Restarted
from lanplay_protocol.replica.messages import MOVE, SignedMessage, read
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import encode
from tests.byzantine.cut_back import sweep
from tests.byzantine.stand_ins import installed
from tests.replica.absences import Thinking
from tests.replica.harness import Walker, identity, roster, vote
from tests.replica.test_cut import begun
from tests.replica.test_cut_cheats import CHEAT, VICTIM, bring, level
from tests.replica.test_led_over import meeting, votes

PEERS = range(4)


def test_who_restarts_from_a_stale_journal_signs_nothing_a_second_time():
    """Its person answers otherwise than before: what others hold of it is what it has said."""
    table = begun(4, seed=b"stale")
    level(table)
    for missing in range(1, 8):
        after = max(table.replicas[p].transcript.number for p in PEERS) + 4
        kept = table.kept(VICTIM)
        table.kill(VICTIM)
        table.disks[VICTIM] = [(kept[:-missing], True)]
        table.walkers[VICTIM] = Walker(b"otherwise %d" % missing)
        try:
            table.restart(VICTIM)
        except ValueError:
            table.restart(VICTIM, incomplete=True)
        table.run(
            lambda t, on=after: all(t.replicas[p].transcript.number > on for p in PEERS),
            seconds=300,
        )
        assert all(table.replicas[p].transcript.number > after for p in PEERS)
        assert not any(table.accused(p) for p in PEERS), missing


def test_what_others_hold_of_a_peer_is_what_it_has_signed():
    table = begun(4, seed=b"older")
    level(table)
    replica = table.replicas[VICTIM]
    slot, signed = max(replica._exchange.signed.items(), key=lambda item: item[0][2:])
    kept = [e for e in table.kept(VICTIM) if not (e[0] == "move" and e[1] == signed.plain())]
    table.kill(VICTIM)
    table.disks[VICTIM] = [(tuple(kept), True)]
    table.restart(VICTIM)
    table.run(lambda t: slot in t.replicas[VICTIM]._exchange.signed, seconds=20)
    assert table.replicas[VICTIM]._exchange.signed[slot].digest == signed.digest


def test_who_ends_again_before_others_have_given_it_all_that_it_lacks_is_restarted():
    """It has got its own message of where they stand first, and owes another one where it stands:
    that is no hole in its journal."""
    table = begun(3, seed=b"twice cut")

    def waits(t):
        line = t.replicas[CHEAT].transcript
        return line.number > 30 and line.missing and VICTIM in line.moves[-1]

    table.run(waits, seconds=600)
    place = table.replicas[CHEAT].transcript.number
    table.kill(VICTIM)
    table.queue.clear()
    kept = table.kept(VICTIM)
    own = [n for n, (kind, plain) in enumerate(kept) if kind == "move" and plain[0] == VICTIM]
    table.disks[VICTIM] = [(kept[: own[-3]], True)]
    table.shuffle_order = False
    for _ in range(2):
        table.restart(VICTIM)
        again = table.replicas[VICTIM]
        assert VICTIM in again.transcript.missing
        table.run(lambda _, r=again: (MOVE, VICTIM, 0, place) in r._exchange.signed, seconds=1)
        assert again.transcript.number < place
        table.kill(VICTIM)
    table.restart(VICTIM)
    table.run(lambda t: t.is_over(), seconds=3000)
    assert table.is_over()
    assert not any(table.accused(p) for p in range(3))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("game", ["charidice", "fliptown"])
def test_a_journal_cut_off_anywhere_convicts_nobody(game):
    """A disk lost what it had kept, and its person answers otherwise: nothing is signed twice, and
    all play on. Every index of whole games: ``python -m tests.byzantine.cut_back``."""
    with installed():
        count, faults = sweep(game, b"anywhere", every=14, first=3)
    assert count > 12
    assert faults == []


def restarted(mute=(), lost=1):
    """A table on which a peer has been restarted with a journal that lost its end, at a question.

    The ``mute`` hold its last words, and neither say so nor give them.
    """
    table = begun(4, seed=b"stale")
    level(table)
    kept = table.kept(VICTIM)
    own = [n for n, e in enumerate(kept) if e[0] == "move" and e[1][0] == VICTIM]
    table.kill(VICTIM)
    table.disks[VICTIM] = [(kept[: own[-lost]], True)]
    table.walkers[VICTIM] = Walker(b"otherwise")
    post = table._post

    def quiet(peer, envelope):
        if peer not in mute or envelope.to != VICTIM or envelope.kind in ("presence", "here"):
            post(peer, envelope)

    table._post = quiet
    table.restart(VICTIM)
    return table


def test_who_is_restarted_signs_nothing_before_all_have_told_what_they_hold():
    """One peer of three that keeps silent costs a wait of seconds, and no more."""
    table = restarted(mute=(2,))
    replica, start = table.replicas[VICTIM], table.now
    table.run(lambda t: not replica._doubt.silent, seconds=60)
    assert ANSWER <= table.now - start <= ANSWER + 1
    goal = replica.transcript.number + 4
    table.run(lambda t: all(t.replicas[p].transcript.number > goal for p in PEERS), seconds=300)
    assert all(table.replicas[p].transcript.number > goal for p in PEERS)
    assert not any(table.accused(p) for p in PEERS)


def test_what_is_named_and_not_given_is_signed_by_nobody_again():
    """A liar names what it holds, and keeps it back: there is no second body; the table goes on
    without its peer for a while."""
    table = begun(4, seed=b"stale")
    level(table)
    replica = table.replicas[VICTIM]
    at = replica.transcript.at
    last = replica.line.statements.last("move", VICTIM)
    later = replace(last.ref, phase=at[1] + 3)
    bare = SignedMessage("move", VICTIM, later.phase, later.view, b"never given", b"")
    body = encode((replica.line.statements.game, *bare.key))
    real = replace(later, digest=bare.digest, signature=identity(VICTIM).sign("move", body))
    table.step(VICTIM, inputs.Received(2, "held", ((real.plain(),), ())))
    assert replica._doubt.furthest == (at[0], at[1] + 3)
    table.run(lambda t: len(t.replicas[0].begun) > 1, seconds=300)
    signed = [slot[2:] for slot in replica._exchange.signed if slot[0] == "move"]
    assert not [slot for slot in signed if at < slot <= (at[0], at[1] + 3)]
    assert not any(table.accused(p) for p in PEERS)


def test_nobody_makes_up_what_a_peer_has_said():
    table = begun(4, seed=b"stale")
    level(table)
    replica = table.replicas[VICTIM]
    before = replica._doubt.furthest
    last = replica.line.statements.last("move", VICTIM).ref
    for false in (replace(last, phase=last.phase + 9), replica.line.statements.last("move", 2).ref):
        with pytest.raises(PeerError, match="never said"):
            table.step(VICTIM, inputs.Received(2, "held", ((false.plain(),), ())))
    assert replica._doubt.furthest == before


def without_a_link(peer, other, grace):
    """A table on which a peer has been restarted and has no link to another one."""
    table = begun(4, seed=b"no link", settings=TableSettings(grace=grace))
    level(table)
    table.kill(peer)
    table.down |= {frozenset((peer, other))}
    connect = table.connect
    table.connect = lambda *pairs: connect(*(p for p in pairs if set(p) != {peer, other}))
    table.restart(peer)
    return table


@pytest.mark.parametrize("grace", [0, 20])
def test_who_has_no_link_and_says_nothing_keeps_nobody_out_for_good(grace):
    """Not at a table that waits for ever either: the others hear it, and play."""
    table = without_a_link(VICTIM, CHEAT, grace)
    post = table._post
    table._post = lambda peer, said: None if said.kind == "alive" else post(peer, said)
    goal = table.replicas[VICTIM].transcript.number + 4
    table.run(lambda t: all(t.replicas[p].transcript.number > goal for p in PEERS), seconds=300)
    replica = table.replicas[VICTIM]
    table.run(lambda t: VICTIM in t.replicas[0].transcript.members, seconds=300)
    assert replica.transcript.number > goal
    assert VICTIM in replica.transcript.members
    assert not any(table.accused(p) for p in PEERS)


def test_who_has_no_link_is_waited_for_as_long_as_the_grace_whatever_signs_of_it_come():
    """What it holds it can say on a link alone, and who brings its signs may keep that back."""
    table = without_a_link(VICTIM, CHEAT, 45)
    replica, start = table.replicas[VICTIM], table.now
    table.run(lambda t: not replica._doubt.silent, seconds=60)
    assert 44 <= table.now - start <= 46


def test_an_old_sign_of_life_is_not_taken_for_one_of_now():
    """One peer alone has the last word of another one, which a disk has lost, and is switched off
    when that one is restarted. The others show it the last sign of life that they have of the
    absent peer: it waits for that one nevertheless, and signs nothing twice."""
    away, rest = 3, (0, 2)
    with installed():
        table = Thinking(roster(4), b"an old sign")
        table.shuffle_order = False
        table.start()
        table.run(lambda t: min(r.transcript.number for r in t.replicas) > 9, 600)
        table.think = {VICTIM}

        def waits(t):
            lines = [r.transcript for r in t.replicas]
            asked = all(line.phase and not line.phase.prompt for line in lines)
            return asked and not t.queue and all(line.missing == {VICTIM} for line in lines)

        table.run(waits, 60)
        table.disconnect((2, away))  # who lacks a link gives signs of life
        table.run(seconds=5)
        table.connect((2, away))
        table.run(seconds=5)
        kept = table.kept(VICTIM)
        table.disconnect(*((VICTIM, p) for p in rest))
        table.answer()
        table.run(lambda t: VICTIM in t.replicas[away].transcript.moves[-1], seconds=3)
        table.kill(VICTIM)
        table.kill(away)
        table.disks[VICTIM] = [(kept, True)]
        table.walkers[VICTIM] = Walker(b"otherwise")
        table.restart(VICTIM)
        table.run(seconds=20)
        assert all(table.replicas[p].attendance.detector._beats[away] for p in (VICTIM, *rest))
        table.restart(away)
        goal = table.replicas[VICTIM].transcript.number + 4
        table.run(lambda t: all(r.transcript.number > goal for r in t.replicas), seconds=60)
        assert all(replica.transcript.number > goal for replica in table.replicas)
        assert not any(table.accused(p) for p in PEERS)


def test_no_status_denies_a_message_that_somebody_has_named():
    """Another peer leaves: whoever has signed for a later place joins no attempt from before it,
    though the others are no quorum then, and the game is held."""
    table = begun(4, seed=b"stale")
    level(table)
    replica = table.replicas[VICTIM]
    at = replica.transcript.at
    bare = SignedMessage("move", VICTIM, at[1] + 3, at[0], b"kept back", b"")
    body = encode((replica.line.statements.game, *bare.key))
    named = replace(bare, signature=identity(VICTIM).sign("move", body)).ref
    table.step(VICTIM, inputs.Received(CHEAT, "held", ((named.plain(),), ())))
    table.step(3, inputs.Leaving())
    table.run(seconds=60)
    said = [read(s) for s in replica._exchange.signed.values() if s.kind == "status"]
    assert all(each.at >= (at[0], at[1] + 3) for each in said)
    assert not any(table.accused(p) for p in PEERS)


def test_who_is_restarted_from_a_journal_that_was_given_up_does_not_begin_a_new_game_twice():
    """The disk refused what was to be kept as it began the first one: with the same nonce the
    second would be the same game with other keys, and whoever holds words of both convicts it."""
    own, other, liar = here = (0, 1, 2)
    table = meeting(6, here, b"three", "dogs-life")

    def begins(times):
        lost = len(table.of(own, QuorumLost))
        table.restart(own, incomplete=times > 1)
        table.run(lambda t: len(t.of(own, QuorumLost)) > lost, seconds=200)
        table.step(own, inputs.ContinueWithout(bytes([times]) * 32))
        mine = table.replicas[own].attendance.restart.votes[frozenset(here)][own]
        given = vote(table.roster, liar, bytes(32), mine.plain[2], here)
        bring(table, "anew", given, (own,), liar)
        table.run(lambda t: len(t.of(own, Restarted)) == times, seconds=20)
        return [event.roster.digest() for event in table.of(own, Restarted)]

    votes(table, other)
    assert len(begins(1)) == 1
    kept = table.kept(own)
    used = max(n for n, (kind, plain) in enumerate(kept) if kind == "anew" and not plain)
    table.disks[own] = [(kept[:used], True)]
    assert len(set(begins(2))) == 2
