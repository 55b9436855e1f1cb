"""The escrow of a key: shares that verify, partials in the exponent, and every known fraud."""

from __future__ import annotations

from itertools import combinations

import pytest

from protocol.crypto import escrow
from protocol.crypto.cards import Ciphertext, card_point, open_mask, unmask
from protocol.crypto.choice import base_of, commit, open_by_gamma
from protocol.crypto.errors import BadProof, CryptoError
from protocol.crypto.group import IDENTITY, L, base, hash_to_point, mul
from protocol.crypto.keys import GameKey

KEY = GameKey.derive(bytes(range(32)))
H = hash_to_point("test", b"due")
MIXED = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")


def dealt(peers):
    quorum = peers // 2 + 1
    return escrow.deal(KEY, peers, quorum, bytes(31) + bytes([peers])), quorum


def partial(dealing, peer, bases=(H,), context=b"due"):
    powers, proof = escrow.partials(dealing.shares[peer], bases, context)
    escrow.check_partials(dealing.commitments, peer, bases, powers, proof, context)
    return powers[0]


@pytest.mark.parametrize("peers", [1, 2, 3, 4, 5])
def test_any_quorum_opens_what_is_due_and_no_smaller_set_does(peers):
    """Every set of q proven partials gives x·H; every set of q - 1 gives something else."""
    dealing, quorum = dealt(peers)
    powers = {peer: partial(dealing, peer) for peer in range(peers)}
    for size in range(1, peers + 1):
        for some in combinations(range(peers), size):
            opened = escrow.combine({peer: powers[peer] for peer in some})
            assert (opened == mul(KEY.x, H)) == (size >= quorum)


def test_every_share_verifies_and_no_other_number_does():
    """A receiver accepts f(j) alone: not a neighbour's share, zero, or a number over the order."""
    dealing, _ = dealt(5)
    for peer, share in enumerate(dealing.shares):
        escrow.check_share(dealing.commitments, peer, share)
        for wrong in (0, share + 1, share + L, dealing.shares[(peer + 1) % 5]):
            with pytest.raises(BadProof):
                escrow.check_share(dealing.commitments, peer, wrong)


@pytest.mark.parametrize("change", ["fewer", "more", "other key", "mixed order", "identity"])
def test_commitments_that_share_another_key_or_quorum_are_refused(change):
    """The degree is the quorum's, the constant term the key of the game, every point prime."""
    dealing, quorum = dealt(5)
    good = dealing.commitments
    changed = {
        "fewer": good[:-1],
        "more": (*good, base(5)),
        "other key": (base(5), *good[1:]),
        "mixed order": (good[0], MIXED, *good[2:]),
        "identity": (good[0], IDENTITY, *good[2:]),
    }[change]
    escrow.check_commitments(good, KEY.X, quorum)
    with pytest.raises(CryptoError):
        escrow.check_commitments(changed, KEY.X, quorum)


def test_a_partial_is_good_for_its_peer_point_and_purpose_alone():
    """Another peer's place, another point, another context or another power is refused."""
    dealing, _ = dealt(3)
    powers, proof = escrow.partials(dealing.shares[0], (H,), b"due")
    other = (hash_to_point("test", b"another"),)
    for peer, bases, given, context in (
        (1, (H,), powers, b"due"),
        (0, other, powers, b"due"),
        (0, (H,), powers, b"again"),
        (0, (H,), (mul(2, H),), b"due"),
        (0, (H,), (MIXED,), b"due"),
        (0, (H,), (IDENTITY,), b"due"),
    ):
        with pytest.raises(CryptoError):
            escrow.check_partials(dealing.commitments, peer, bases, given, proof, context)


def test_a_quorum_opens_exactly_what_the_owner_would_have():
    """A card's share and a committed choice come out as from the owner itself."""
    dealing, quorum = dealt(4)
    some = range(quorum)
    masked: Ciphertext = open_mask(card_point("any", 7), KEY.X)
    share = escrow.combine({p: partial(dealing, p, (masked.b,)) for p in some})
    assert unmask(masked, [share]) == card_point("any", 7)
    made = commit(KEY, b"slot", b"choice", 64)
    due = base_of(b"slot")
    gamma = escrow.combine({p: partial(dealing, p, (due,)) for p in some})
    assert open_by_gamma(made, b"slot", gamma) == b"choice"


def test_nothing_gives_the_key_back():
    """No function of the module takes shares and returns a scalar: keys are never rebuilt."""
    assert not {name for name in dir(escrow) if "recover" in name or "rebuild" in name}
    assert isinstance(escrow.combine({0: partial(dealt(1)[0], 0)}), bytes)
