"""Modified peers in a table of honest ones: each attempt is refused and its author named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay.games.dice_town.questions import Keep
from lanplay_protocol.crypto.choice import commit, opening
from lanplay_protocol.crypto.group import hash_to_point, mul
from lanplay_protocol.errors import Code
from lanplay_protocol.replica.choices import CHOICE_SIZE, CommitPhase, RevealPhase
from lanplay_protocol.replica.messages import sign
from lanplay_protocol.replica.reveals import Entropy
from lanplay_protocol.wire import encode
from tests.replica.harness import Table, identity, parts, roster

REAL_CRYPTO = True

CHEAT = 2
HONEST = (0, 1)


def cheated(table, tamper, code, seconds=600.0):
    table.tampers[CHEAT] = tamper
    table.start()
    table.run(lambda t: t.is_settled(HONEST), seconds=seconds)
    assert table.plays_on(HONEST)
    for peer in HONEST:
        assert (CHEAT, code) in table.accused(peer)
        assert {culprit for culprit, _ in table.accused(peer)} == {CHEAT}


def phase_of(table, move):
    """Return the phase that a message of the modified peer belongs to."""
    return table.replicas[CHEAT].phases[move.phase]


def other_power(point):
    return mul(7, point)


def test_a_rerolled_entropy_is_refused():
    """DT-2.1: a peer that publishes another power as its part of a roll has no proof for it."""

    def tamper(table, to, move):
        if not isinstance(phase_of(table, move), Entropy):
            return None
        powers, proof = move.parts
        return [parts(move, ((other_power(powers[0]),), proof))]

    cheated(Table(roster(3), seed=b"reroll"), tamper, Code.BAD_PROOF)


def test_dice_that_were_not_rolled_cannot_be_shown():
    """DT-2.2: a die shown with another secret than its own is refused."""

    def tamper(table, to, move):
        phase = phase_of(table, move)
        if not isinstance(phase, RevealPhase) or not phase.request.questions:
            return None
        openings, powers, proof = move.parts
        if not powers:
            return None
        forged = (hash_to_point("any", b"die"), *powers[1:])
        return [parts(move, (openings, forged, proof))]

    cheated(Table(roster(3), seed=b"forged"), tamper, Code.BAD_PROOF)


def test_a_keep_changed_after_the_others_were_seen_is_refused():
    """DT-2.2: an opening that is not what was committed to is refused."""

    def tamper(table, to, move):
        if not isinstance(phase_of(table, move), RevealPhase):
            return None
        openings, powers, proof = move.parts
        if not openings:
            return None
        (_, salt), *rest = openings
        return [parts(move, (((encode(((), ())), salt), *rest), powers, proof))]

    cheated(Table(roster(3), seed=b"changed"), tamper, Code.BAD_OPENING)


def test_an_opening_withheld_is_opened_by_the_others_after_ten_seconds():
    """DT-2.2: whoever has committed and does not open is late, not guilty: it is left out, and the
    others open what it had committed to."""
    table = Table(roster(3), seed=b"withheld")
    table.tampers[CHEAT] = lambda table, to, move: (
        [] if isinstance(phase_of(table, move), RevealPhase) else None
    )
    table.start()
    table.run(lambda t: all(t.replicas[peer].begun for peer in HONEST), seconds=600)
    assert table.replicas[0].begun[0].lost == {CHEAT}
    assert 10 <= table.now <= 11
    assert all(table.accused(peer) == set() for peer in HONEST)


def test_different_commitments_to_different_peers_are_evidence():
    """Two signed bodies for one slot name their author, on every honest peer."""

    def tamper(table, to, move):
        phase = phase_of(table, move)
        if not isinstance(phase, CommitPhase) or to == 0:
            return None
        (_, sealed), *rest = move.parts
        return [parts(move, ((bytes(32), sealed), *rest))]

    cheated(Table(roster(3), seed=b"double"), tamper, Code.EQUIVOCATION)


def test_a_second_message_for_a_slot_is_evidence():
    """A peer that sends one message and then another for the same phase is named."""

    def tamper(table, to, move):
        if not isinstance(phase_of(table, move), CommitPhase):
            return None
        (_, sealed), *rest = move.parts
        return [move, parts(move, ((bytes(32), sealed), *rest))]

    cheated(Table(roster(3), seed=b"second"), tamper, Code.EQUIVOCATION)


@pytest.mark.longer_games
def test_a_keep_that_cannot_be_paid_is_refused():
    """DT-2.3: an opened choice that is illegal names its seat's peer."""
    table = Table(roster(3), seed=b"poor")
    honest = table.answerer

    def answer(peer, ask):
        if peer == CHEAT and isinstance(ask.question, Keep):
            object.__setattr__(ask.question, "dollars", 99)
            return tuple(range(ask.question.dice)), ()
        return honest(peer, ask)

    table.answerer = answer
    cheated(table, lambda *_: None, Code.ILLEGAL_ANSWER)


def test_a_replica_with_other_rules_is_named_by_what_it_signs():
    """A state that does not follow from the transcript convicts whoever signs it."""
    table = Table(roster(3), seed=b"diverged")
    table.start()
    table.run(lambda t: isinstance(t.replicas[CHEAT].transcript.phase, CommitPhase))
    table.replicas[CHEAT].context.referee.table.bank += 5
    table.run(lambda t: t.is_settled(HONEST))
    assert table.plays_on(HONEST)
    for peer in HONEST:
        assert table.accused(peer) == {(CHEAT, Code.DIVERGED)}


@pytest.mark.parametrize("silent", [False, True])
def test_another_past_told_to_one_peer_alone_is_evidence(silent):
    """A message with another transcript or state hash, sent to one peer only, names its author to
    all: to those who have the other message by the pair of them."""
    told = []

    def tamper(table, to, move):
        if not isinstance(phase_of(table, move), CommitPhase) or (told and to != told[0]):
            return None
        if to != 0:
            return [] if silent else None
        told[:] = [0]
        return [replace(move, state=bytes(32))]

    table = Table(roster(3), seed=b"one")
    table.tampers[CHEAT] = tamper
    table.start()
    table.run(lambda t: t.is_settled(HONEST), seconds=200)
    assert table.plays_on(HONEST)
    for peer in HONEST:
        assert {culprit for culprit, _ in table.accused(peer)} == {CHEAT}


def test_two_peers_that_disagree_hold_the_game():
    """Each holds the other's word for a lie, as one of them is: nothing goes on without both."""
    table = Table(roster(2), seed=b"halves")
    table.start()
    table.run(lambda t: isinstance(t.replicas[1].transcript.phase, CommitPhase))
    table.replicas[1].context.referee.table.bank += 5
    table.run(lambda t: t.is_halted((0, 1)))
    for peer in (0, 1):
        assert table.accused(peer) == {(1 - peer, Code.DIVERGED)}


def test_a_message_in_another_name_is_ignored():
    """A move signed by anybody but its author counts for nothing and harms nobody."""
    table = Table(roster(3), seed=b"name")
    table.start()
    table.run(lambda t: isinstance(t.replicas[0].transcript.phase, CommitPhase))

    def forge(table, to, move):
        forged = replace(move, sender=1 - to if to < 2 else 0, parts=())
        body = encode(("move", sign(forged, identity(CHEAT), table._game(CHEAT, 1)).plain()))
        table.queue.append((CHEAT, to, body))

    table.tampers[CHEAT] = forge
    table.run(seconds=3000)
    assert table.is_over()
    assert all(table.accused(peer) == set() for peer in range(3))


def test_an_old_message_again_changes_nothing():
    """A message of an earlier phase, sent again, is neither played nor held against anybody."""
    table = Table(roster(3), seed=b"again")
    old = []

    def repeat(table, to, move):
        old.append(move)
        return [move, old[len(old) // 2]]

    table.tampers[CHEAT] = repeat
    table.start()
    table.run(seconds=3000)
    assert table.is_over()
    assert all(table.accused(peer) == set() for peer in range(3))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("answer", [((0, 0), ()), ((9,), ()), "no", ((), (99,)), None])
def test_malformed_answers_name_their_author(answer):
    """Whatever a modified program opens, it is refused and its peer named."""
    table = Table(roster(3), seed=b"malformed")
    seat = table.roster.peers[CHEAT].seats[0]

    def tamper(table, to, move):
        key, phase = table.replicas[CHEAT].context.key, phase_of(table, move)
        if isinstance(phase, CommitPhase):
            made = commit(
                key,
                phase.slot_at(table.replicas[CHEAT].transcript.bases[move.phase], seat),
                encode(answer),
                CHOICE_SIZE,
            )
            return [parts(move, ((made.digest, made.sealed),))]
        if isinstance(phase, RevealPhase):
            salt = opening(key, phase._made[seat].slot)
            return [parts(move, (((encode(answer), salt),), (), b""))]
        return None

    table.tampers[CHEAT] = tamper
    table.start()
    table.run(lambda t: t.is_settled(HONEST))
    assert table.plays_on(HONEST)
    for peer in HONEST:
        assert {culprit for culprit, _ in table.accused(peer)} == {CHEAT}
