"""Choices, masked cards and proven shuffles: what holds, and every way to cheat that is refused."""

from __future__ import annotations

import nacl.bindings as sodium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay_protocol.crypto import group
from lanplay_protocol.crypto.cards import (
    Ciphertext,
    card_point,
    joint_key,
    open_mask,
    parse_deck,
    plain_deck,
    unmask,
)
from lanplay_protocol.crypto.choice import base_of, check_opening, commit, open_by_gamma, opening
from lanplay_protocol.crypto.errors import BadElement, BadProof, BadSeal, CryptoError
from lanplay_protocol.crypto.group import SIZE, L
from lanplay_protocol.crypto.keys import GameKey, check_key, prove_key
from lanplay_protocol.crypto.proofs import check_powers, powers_of, prove_powers
from lanplay_protocol.crypto.sealing import disclose, judge, open_sealed, seal
from lanplay_protocol.crypto.shuffle import check_shuffle, prove_shuffle, shuffle

KEYS = [GameKey.derive(bytes([n]) * 32) for n in (1, 2, 3)]
JOINT = joint_key([key.X for key in KEYS])
POINTS = [card_point("test", face) for face in range(8)]
DECK = [open_mask(point, JOINT) for point in POINTS]
CONTEXT = b"game 1, phase 7, peer 2"
ORDER_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")


def shuffled(size=8, seed=b"s" * 32):
    fresh, witness = shuffle(DECK[:size], JOINT, seed)
    proof = prove_shuffle(DECK[:size], fresh, witness, JOINT, CONTEXT, b"p" * 32)
    return fresh, witness, proof


def faces(deck):
    return [POINTS.index(unmask(c, [group.mul(key.x, c.b) for key in KEYS])) for c in deck]


@pytest.mark.parametrize("size", range(1, 9))
def test_a_shuffle_of_any_size_proves_itself(size):
    """An honest shuffle is accepted, keeps every card, and its author can follow them."""
    fresh, witness, proof = shuffled(size)
    check_shuffle(DECK[:size], fresh, proof, JOINT, CONTEXT)
    assert faces(fresh) == list(witness.order)
    assert sorted(witness.order) == list(range(size))


def test_a_doubled_card_is_refused():
    """No card may stand twice in the new pile."""
    fresh, _, proof = shuffled()
    with pytest.raises(BadProof):
        check_shuffle(DECK, [fresh[1], *fresh[1:]], proof, JOINT, CONTEXT)


def test_a_replaced_card_is_refused():
    """No card may become another one."""
    fresh, _, proof = shuffled()
    other = Ciphertext(group.add(fresh[0].a, POINTS[0]), fresh[0].b)
    with pytest.raises(BadProof):
        check_shuffle(DECK, [other, *fresh[1:]], proof, JOINT, CONTEXT)


def test_another_order_than_the_proven_one_is_refused():
    """The proof fits one order of the new pile, and halves of a card cannot change places."""
    fresh, _, proof = shuffled()
    swapped = Ciphertext(fresh[0].b, fresh[0].a)
    for deck in (fresh[::-1], [fresh[1], fresh[0], *fresh[2:]], [swapped, *fresh[1:]]):
        with pytest.raises(BadProof):
            check_shuffle(DECK, deck, proof, JOINT, CONTEXT)


def test_a_proof_is_good_in_its_context_alone():
    """Another game, phase, peer, joint key or old pile: the proof does not hold."""
    fresh, _, proof = shuffled()
    check_shuffle(DECK, fresh, proof, JOINT, CONTEXT)
    for old, joint, context in (
        (DECK, JOINT, b"game 2"),
        (DECK, KEYS[0].X, CONTEXT),
        (DECK[::-1], JOINT, CONTEXT),
    ):
        with pytest.raises(BadProof):
            check_shuffle(old, fresh, proof, joint, context)


def test_every_word_of_a_proof_matters():
    """Changing any 32 bytes of the proof, or its length, makes it fail."""
    fresh, _, proof = shuffled(3)
    for at in range(0, len(proof), SIZE):
        word = proof[at : at + SIZE]
        other = proof[:SIZE] if word != proof[:SIZE] else proof[SIZE : 2 * SIZE]
        with pytest.raises(CryptoError):
            check_shuffle(DECK[:3], fresh, proof[:at] + other + proof[at + SIZE :], JOINT, CONTEXT)
    for wrong in (proof[:-1], proof + b"\x00", b"", proof[:-SIZE]):
        with pytest.raises(BadProof):
            check_shuffle(DECK[:3], fresh, wrong, JOINT, CONTEXT)


def test_a_scalar_out_of_range_is_refused():
    """A response of L or more is no other way to write a smaller one."""
    fresh, _, proof = shuffled(2)
    high = (int.from_bytes(proof[-SIZE:], "little") + L).to_bytes(SIZE, "little")
    with pytest.raises(BadElement):
        check_shuffle(DECK[:2], fresh, proof[:-SIZE] + high, JOINT, CONTEXT)


def test_all_orders_of_three_cards_are_about_equally_likely():
    """Chi-square over 1,200 seeds: the permutation is not biased."""
    seen: dict[tuple[int, ...], int] = {}
    for number in range(1200):
        _, witness = shuffle(DECK[:3], JOINT, number.to_bytes(32, "big"))
        seen[witness.order] = seen.get(witness.order, 0) + 1
    assert len(seen) == 6
    assert sum((count - 200) ** 2 / 200 for count in seen.values()) < 20.5


def test_a_pile_survives_its_encoding_and_nothing_else_does():
    """A pile of another length or with an invalid point is refused."""
    fresh, _, _ = shuffled(4)
    data = plain_deck(fresh)
    assert parse_deck(data, 4) == fresh
    for wrong, count in ((data, 3), (data[:-1], 4), (ORDER_8 + data[SIZE:], 4)):
        with pytest.raises(BadElement):
            parse_deck(wrong, count)


def test_a_card_opens_with_all_shares_and_with_no_fewer():
    """Without one peer's share the point found is no card at all."""
    fresh, _, _ = shuffled(4)
    shares = [group.mul(key.x, fresh[0].b) for key in KEYS]
    assert unmask(fresh[0], shares) in POINTS
    assert unmask(fresh[0], shares[:2]) not in POINTS


@pytest.mark.parametrize("size", [1, 3, 6])
def test_powers_prove_themselves_and_nothing_else(size):
    """Other powers, bases, keys, orders and contexts are refused."""
    key = KEYS[0]
    bases = POINTS[:size]
    powers = powers_of(key, bases)
    proof = prove_powers(key, bases, powers, CONTEXT)
    check_powers(key.X, bases, powers, proof, CONTEXT)
    wrong = (group.add(powers[0], POINTS[0]), *powers[1:])
    for public, b, p, context in (
        (key.X, bases, wrong, CONTEXT),
        (KEYS[1].X, bases, powers, CONTEXT),
        (key.X, [POINTS[7], *bases[1:]], powers, CONTEXT),
        (key.X, bases, powers, b"other"),
    ):
        with pytest.raises(CryptoError):
            check_powers(public, b, p, proof, context)


def test_a_power_that_is_no_valid_point_is_refused():
    """Small-order and mixed-order points prove nothing, though the library would add them."""
    key, bases = KEYS[0], POINTS[:1]
    (power,) = powers_of(key, bases)
    proof = prove_powers(key, bases, (power,), CONTEXT)
    mixed = sodium.crypto_core_ed25519_add(power, ORDER_8)
    for bad in (ORDER_8, mixed, bytes(32), b"\xff" * 32):
        with pytest.raises(CryptoError):
            check_powers(key.X, bases, (bad,), proof, CONTEXT)


def test_a_key_without_proof_of_possession_is_refused():
    """A key made of the others' (rogue key) cannot be proven, nor a proof borrowed."""
    rogue = group.sub(KEYS[0].X, KEYS[1].X)
    proof = prove_key(KEYS[0], CONTEXT)
    check_key(KEYS[0].X, proof, CONTEXT)
    for public, context in ((rogue, CONTEXT), (KEYS[1].X, CONTEXT), (KEYS[0].X, b"other")):
        with pytest.raises(BadProof):
            check_key(public, proof, context)


def test_what_is_sealed_is_read_by_its_receiver_and_judged_by_all():
    """Only the receiver's key opens a sealing; a disclosure lets everybody read the same."""
    sealed = seal(KEYS[0].X, b"share", CONTEXT, b"e" * 32)
    assert open_sealed(KEYS[0], sealed, CONTEXT) == b"share"
    shown = disclose(KEYS[0], sealed, CONTEXT)
    assert judge(KEYS[0].X, sealed, shown, CONTEXT) == b"share"
    for key, context in ((KEYS[1], CONTEXT), (KEYS[0], b"other")):
        with pytest.raises(CryptoError):
            open_sealed(key, sealed, context)
    with pytest.raises(CryptoError):
        judge(KEYS[0].X, sealed, bytes(len(shown)), CONTEXT)


@given(st.binary(max_size=200), st.binary(max_size=20))
@settings(max_examples=25, deadline=None)
def test_a_choice_opens_to_what_was_committed(choice, slot):
    """Author and quorum open the same choice; any other opening is refused."""
    key = KEYS[0]
    made = commit(key, slot, choice, 64)
    salt = opening(key, slot)
    check_opening(made, slot, choice, salt)
    assert open_by_gamma(made, slot, group.mul(key.x, base_of(slot))) == choice
    assert len(made.sealed) % 64 == 0
    for wrong in (
        (slot + b"x", choice, salt),
        (slot, choice + b"x", salt),
        (slot, choice, bytes(32)),
    ):
        with pytest.raises(BadProof):
            check_opening(made, *wrong)


def test_a_sealed_choice_that_is_another_is_its_authors_fault():
    """A quorum that opens a seal finds out when it is not what was committed to."""
    one, two = commit(KEYS[0], b"slot", b"one", 64), commit(KEYS[0], b"slot", b"two", 64)
    gamma = group.mul(KEYS[0].x, base_of(b"slot"))
    with pytest.raises(BadSeal):
        open_by_gamma(type(one)(one.digest, two.sealed), b"slot", gamma)


def test_an_author_cannot_open_another_choice_than_it_sealed():
    """What a quorum would find in its place is what counts: the opening has to be the same."""
    one, two = commit(KEYS[0], b"slot", b"one", 64), commit(KEYS[0], b"slot", b"two", 64)
    salt = opening(KEYS[0], b"slot")
    check_opening(one, b"slot", b"one", salt)
    with pytest.raises(BadProof, match="another choice was sealed"):
        check_opening(type(one)(one.digest, two.sealed), b"slot", b"one", salt)
