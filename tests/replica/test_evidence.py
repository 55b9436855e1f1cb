"""What counts against a peer, or for it: what it signed itself, for this game, once."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.crypto.group import base
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.events import Accused
from lanplay_protocol.replica.evidence import Statements, alone, between, guilty, known
from lanplay_protocol.replica.key_setup import UNNAMED, Keys, key_commitment
from lanplay_protocol.replica.messages import (
    Past,
    PhaseMessage,
    StatusMessage,
    check_genuine,
    complain,
    read,
    refs,
    sign,
)
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.shuffling import ShufflePiles
from lanplay_protocol.wire import encode
from tests.replica.harness import Table, identity, parts, received, roster

GAME, OTHER = b"g" * 32, b"o" * 32
NOWHERE = bytes(32)
CHEAT = 1
ESCROW = 2
"""The phase in which every peer seals something to every other one."""


def begun():
    """A table of three in the middle of its first round."""
    table = Table(roster(3), seed=b"evidence")
    table.start()
    table.run(lambda t: min(r.transcript.number for r in t.replicas) > 10, seconds=600)
    return table


def test_a_move_counts_in_the_game_it_was_signed_for():
    """The same people play again: what they signed in one game says nothing in the next."""
    table = begun()
    game = table.replicas[0].context.game_id
    (signed,) = [each for each in table.replicas[0].moves[8].values() if each.sender == CHEAT][:1]
    again = sign(read(signed), identity(CHEAT), OTHER)
    check_genuine(again, table.roster, OTHER)
    with pytest.raises(PeerError):
        check_genuine(again, table.roster, game)


def test_a_move_counts_for_its_author_and_phase_alone():
    """Neither the name nor the number on the outside of a message can be changed."""
    table = begun()
    game = table.replicas[0].context.game_id
    signed = next(each for each in table.replicas[0].moves[8].values() if each.sender == CHEAT)
    for changed in (
        replace(signed, sender=2),
        replace(signed, phase=signed.phase + 1),
        replace(signed, view=signed.view + 1),
        replace(signed, signature=bytes(64)),
        replace(signed, body=signed.body + b"\0"),
    ):
        with pytest.raises(PeerError):
            check_genuine(changed, table.roster, game)


def of(*said, author=CHEAT):
    """Whom these words of one author convict, by themselves."""
    made = [sign(each, identity(author), GAME) for each in said]
    return set(guilty(made, roster(3), lambda phase: GAME))


START = Past("move", NOWHERE)
MOVE = PhaseMessage(CHEAT, 9, 1, START, NOWHERE, ())
JOINS = StatusMessage(CHEAT, 2, (0, 1, 2), (1, 9), START, ())


def test_two_bodies_for_one_slot_convict_whatever_past_they_name():
    """E2: the slot is view and phase alone; another view is another slot."""
    elsewhere = replace(MOVE, past=Past("move", bytes([1]) * 32))
    assert of(MOVE, elsewhere) == {CHEAT}
    assert of(MOVE, replace(MOVE, parts=(1,))) == {CHEAT}
    assert of(MOVE, replace(elsewhere, view=2)) == set()
    assert of(JOINS, replace(JOINS, members=(0, 1))) == {CHEAT}
    assert of(JOINS, replace(JOINS, attempt=3)) == set()
    assert of(MOVE, MOVE) == set()


def test_who_says_more_in_a_view_after_it_joined_a_later_attempt_is_convicted():
    """E3: a status denies nothing that its author had said, and is followed by nothing there."""
    assert of(replace(MOVE, phase=8), JOINS) == set()
    assert of(replace(MOVE, phase=10), JOINS) == {CHEAT}
    assert of(replace(MOVE, phase=10, view=2), JOINS) == set()


def test_a_status_that_leaves_out_its_authors_own_message_convicts_it():
    """E3: what it had said where it stands it names; on another line it had said nothing there."""
    named = replace(JOINS, held=refs([sign(MOVE, identity(CHEAT), GAME)]))
    assert of(MOVE, JOINS) == {CHEAT}
    assert of(MOVE, named) == set()
    assert of(replace(MOVE, past=Past("move", bytes([1]) * 32)), JOINS) == set()


def test_a_past_that_nobody_signed_convicts_who_names_it():
    """A past is shown by the message that names it: it cannot be claimed."""
    named = sign(replace(MOVE, sender=0, phase=8), identity(0), GAME)
    past = Past("move", NOWHERE, refs([named]))
    assert of(replace(MOVE, past=past)) == set()
    forged = Past("move", NOWHERE, (replace(past.refs[0], signature=bytes(64)),))
    assert of(replace(MOVE, past=forged)) == {CHEAT}


@pytest.mark.parametrize("later", ["forged", "move", "status", "unnamed"])
def test_before_the_game_has_its_id_a_false_name_convicts_as_a_record_does(later):
    """A phase that is signed for the roster's hash can name nothing but what others are signed
    for, whether the id is known to who reads it or not."""
    here = roster(3)
    first = sign(PhaseMessage(0, 0, 0, Past("", NOWHERE), NOWHERE, ()), identity(0), here.digest())
    after, joins = replace(MOVE, sender=0), replace(JOINS, author=0)
    named = {
        "forged": replace(first.ref, signature=bytes(64)),
        "move": sign(after, identity(0), GAME).ref,
        "status": sign(joins, identity(0), GAME).ref,
        "unnamed": sign(after, identity(0), here.digest()).ref,
    }[later]
    kind = "status" if later == "status" else "move"
    for past, whom in (
        (Past("move", NOWHERE, (first.ref,)), set()),
        (Past(kind, NOWHERE, (named,)), {CHEAT}),
    ):
        said = replace(MOVE, phase=1, view=0, past=past)
        signed = sign(said, identity(CHEAT), here.digest())
        for game in (b"", GAME):
            held = Statements(here, UNNAMED)
            held.game = game
            _, proof = held.add(signed)
            assert ({proof.peer} if proof else set()) == whom
            assert set(guilty([signed], here, held.game_id)) == whom


NAMELESS = Past("", bytes([1]) * 32)
"""What may stand for any past: it has whatever hash its author likes, and names nothing."""
FIRST = PhaseMessage(CHEAT, 0, 0, NAMELESS, NOWHERE, ())


def test_a_past_without_names_is_before_the_first_phase_alone():
    """Of no other view either, and in no status: it would show a past that nobody signed."""
    assert of(FIRST) == set()
    assert of(replace(FIRST, phase=1)) == {CHEAT}
    assert of(replace(FIRST, view=1)) == {CHEAT}
    assert of(replace(JOINS, past=NAMELESS)) == {CHEAT}


def test_a_past_without_names_is_neither_kept_nor_taken_for_shown():
    """Whoever shows one again and again brings nothing new: else all is gone over each time."""
    held = Statements(roster(3), UNNAMED)
    held.game = GAME
    held.add(sign(FIRST, identity(CHEAT), held.game_id(0)))
    before = held.version
    held.show(NAMELESS)
    assert held.version == before
    assert NAMELESS.hash not in {*held.pasts, *held.shows}


def test_a_past_with_another_message_of_somebody_in_it_is_half_of_the_proof():
    """Who signed two messages is convicted by one of them, and by the name of the other."""
    one, other = (replace(MOVE, sender=0, phase=8, parts=(number,)) for number in (1, 2))
    named = sign(other, identity(0), GAME)
    carrier = sign(replace(MOVE, past=Past("move", NOWHERE, refs([named]))), identity(CHEAT), GAME)
    both = [carrier, sign(one, identity(0), GAME)]
    assert set(guilty(both, roster(3), lambda phase: GAME)) == {0}
    assert set(guilty([carrier, named], roster(3), lambda phase: GAME)) == set()


def test_what_nobody_signed_convicts_nobody():
    """A forged statement proves nothing of the peer that it names."""
    signed = sign(MOVE, identity(CHEAT), GAME)
    forged = replace(sign(replace(MOVE, parts=(1,)), identity(2), GAME), sender=CHEAT)
    assert guilty([signed, forged], roster(3), lambda phase: GAME) == {}


def complaint(table, accused=0):
    """A complaint of the cheat's about what a peer sealed to it when the keys were shared."""
    return complain(
        CHEAT, table.replicas[0].moves[ESCROW][accused], b"", identity(CHEAT), table.roster
    )


def told(table, word, to=0, by=CHEAT):
    """Let a peer bring a complaint; return what is said of it."""
    body = encode(("complaint", word.plain()))
    return table.replicas[to].step(received(by, body), table.now)


def accused(output):
    return [(event.peer, event.code) for event in output.events if isinstance(event, Accused)]


def test_nobody_complains_in_the_name_of_another():
    """A complaint is judged against its author: so it counts only if that one has signed it."""
    table = begun()
    forged = replace(complaint(table), author=2)
    with pytest.raises(PeerError) as caught:
        told(table, forged)
    assert caught.value.code is Code.BAD_SIGNATURE
    assert table.replicas[0].proof["complaints"] == ()


def test_a_complaint_reaches_those_who_do_not_hear_its_author():
    """Whoever hears it first tells all others, so that all judge alike."""
    table = begun()
    output = told(table, complaint(table))
    assert Envelope("complaint", complaint(table).plain()) in output.send


def test_made_up_evidence_is_its_authors_fault():
    """A message that the accused has not signed says nothing of the accused."""
    table = begun()
    genuine = table.replicas[0].moves[ESCROW][2]
    for forged in (replace(genuine, signature=bytes(64)), replace(genuine, body=b"\x90")):
        word = complain(CHEAT, forged, b"", identity(CHEAT), table.roster)
        assert accused(told(begun(), word)) == [(CHEAT, Code.FALSE_CLAIM)]


def other_nonce(table, to, move):
    """A cheat that has promised one nonce publishes another."""
    if move.phase != 1:
        return None
    _, public, proof = move.parts
    return [parts(move, (bytes(32), public, proof))]


def other_key(table, to, move):
    """A cheat that has promised one key publishes another, with a true proof of it."""
    if move.phase != 1:
        return None
    replica = table.replicas[2]
    nonce, _, _ = move.parts
    return [parts(move, (nonce, *replica.transcript.phase.mine()[1:]))]


@pytest.mark.parametrize("cheat", [other_nonce, other_key])
def test_a_key_is_promised_before_any_is_known(cheat):
    """Else whoever speaks last could try keys until it likes the words that come out."""
    table = Table(roster(3), seed=b"keys", shuffle_order=False, tampers={CHEAT: cheat})
    table.start()
    table.run(lambda t: t.is_settled((0, 2)), seconds=120)
    for honest in (0, 2):
        assert table.accused(honest) == {(CHEAT, Code.BAD_OPENING)}
        assert table.replicas[honest].halted


def test_a_key_comes_with_proof_that_its_secret_is_known():
    """Else one could publish a key that cancels all others out of the key of the deck."""
    table = Table(roster(3), seed=b"keys", shuffle_order=False)
    table.start()
    table.run(lambda t: t.replicas[CHEAT].transcript.number == 1, seconds=60)
    context, phase = table.replicas[CHEAT].context, table.replicas[CHEAT].transcript.phase
    nonce, own, proof = phase.mine()
    for public, proven in ((own, True), (base(5), False), (table.replicas[2].context.key.X, False)):
        promised = (b"", key_commitment(context, CHEAT, nonce, public), b"")
        keys = Keys(table.replicas[0].context, bytes(32), promised)
        if proven:
            assert keys.check(CHEAT, (nonce, public, proof)) == (nonce, public)
        else:
            with pytest.raises(CryptoError):
                keys.check(CHEAT, (nonce, public, proof))


def test_everybody_shuffles():
    """A deck is in nobody's order if one of the shufflers is honest: so nobody is left out."""
    table = Table(roster(4, seats=4), seed=b"shufflers")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 0, seconds=600)
    for replica in table.replicas:
        assert any(isinstance(phase, ShufflePiles) for phase in replica.phases.values())


def test_no_two_choices_are_sealed_alike():
    """What hides one choice hides no other: not of the same seat, nor of another of its peer."""
    table = Table(roster(2, seats=5), seed=b"pads")
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 3, seconds=3000)
    pads = []
    made = {}
    for phase in table.replicas[0].moves[4:]:
        for peer, signed in phase.items():
            said = read(signed).parts
            if committed(said):
                made[peer] = said
            elif len(said) == 3 and peer in made and committed(said[0]):
                for (_, sealed), (choice, _) in zip(made.pop(peer), said[0], strict=True):
                    padded = (choice + b"\x80").ljust(len(sealed), b"\0")
                    pads.append(bytes(a ^ b for a, b in zip(sealed, padded, strict=True)))
    assert len(pads) > 10
    assert len(set(pads)) == len(pads)


def committed(said):
    """Tell whether these are commitments, hashes with sealed choices, or choices with salts."""
    return (
        isinstance(said, tuple)
        and bool(said)
        and all(
            isinstance(each, tuple) and len(each) == 2 and [*map(type, each)] == [bytes, bytes]
            for each in said
        )
    )


def everything_between(statements, roster, game):
    """What the court says that tries every two statements."""
    genuine = [known(each) for each in statements]
    proofs = [alone(each) for each in genuine]
    proofs += [between(one, other) for one in genuine for other in genuine]
    return {proof.peer for proof in proofs if proof is not None}


@pytest.mark.parametrize("seed", range(60))
def test_the_court_convicts_whom_every_two_statements_convict(seed):
    """It does not try all: who is guilty is the same."""
    chance, game = random.Random(seed), bytes(64)
    table_roster, said = roster(4), []
    for _ in range(chance.randint(2, 9)):
        author, view, phase = chance.randrange(4), chance.randrange(4), 9 + chance.randrange(3)
        past = Past("move", bytes([chance.randrange(2)]) * 32)
        move = PhaseMessage(author, phase, view, past, bytes(32), ())
        signed = sign(move, identity(author), game)
        held = (signed.ref,) if chance.random() < 0.5 else ()
        status = StatusMessage(author, chance.randint(1, 5), (0, 1), (view, phase), past, held)
        said.append(signed if chance.random() < 0.6 else sign(status, identity(author), game))
    found = guilty(said, table_roster, lambda phase: game)
    assert found.keys() == everything_between(said, table_roster, game)
