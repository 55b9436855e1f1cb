"""What is sealed to one peer: all see for whom, its receiver alone opens it, all can judge."""

from __future__ import annotations

import pytest

from lanplay_protocol.crypto import schnorr, sealing
from lanplay_protocol.crypto.errors import BadProof, BadSeal
from lanplay_protocol.crypto.group import IDENTITY, base
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.crypto.sealing import check_sealed, disclose, judge, open_sealed, seal

ANN, BEN = (GameKey.derive(bytes([n]) * 32) for n in (1, 2))
CONTEXT, SEED, PLAIN = b"game, phase, author", b"s" * 32, b"a share"
SEALED = seal(ANN.X, PLAIN, CONTEXT, SEED)


def garbled():
    """Return a sealing that is right on the outside, and whose box does not open."""
    e, box = 7, SEALED[32 + schnorr.PROOF :]
    bound = sealing._bound(ANN.X, box, CONTEXT)
    return base(e) + schnorr.prove(sealing.AUTHORSHIP, e, base(e), (), (), bound) + box


def test_its_receiver_opens_it_and_everybody_sees_that_it_may():
    check_sealed(ANN.X, SEALED, CONTEXT)
    assert open_sealed(ANN, SEALED, CONTEXT) == PLAIN


@pytest.mark.parametrize(
    ("key", "sealed", "context"),
    [
        (BEN, SEALED, CONTEXT),
        (ANN, SEALED, b"another phase"),
        (ANN, SEALED + b"x", CONTEXT),
        (ANN, bytes([SEALED[0] ^ 1]) + SEALED[1:], CONTEXT),
        (ANN, SEALED[: sealing.OVERHEAD - 1], CONTEXT),
    ],
)
def test_for_another_receiver_or_context_or_changed_it_is_refused_by_all(key, sealed, context):
    for refuses in (
        lambda: check_sealed(key.X, sealed, context),
        lambda: open_sealed(key, sealed, context),
        lambda: judge(key.X, sealed, b"", context),
    ):
        with pytest.raises(BadSeal):
            refuses()


def test_a_disclosure_shows_everybody_what_its_receiver_saw():
    assert judge(ANN.X, SEALED, disclose(ANN, SEALED, CONTEXT), CONTEXT) == PLAIN


def test_who_sealed_garbage_is_at_fault():
    false = garbled()
    check_sealed(ANN.X, false, CONTEXT)
    with pytest.raises(BadSeal, match="does not open"):
        judge(ANN.X, false, disclose(ANN, false, CONTEXT), CONTEXT)


def test_who_discloses_something_else_is_at_fault():
    shown = disclose(ANN, SEALED, CONTEXT)
    other = seal(BEN.X, PLAIN, CONTEXT, SEED)
    for false in (disclose(BEN, other, CONTEXT), IDENTITY + shown[32:], shown[:-1], b""):
        with pytest.raises(BadProof):
            judge(ANN.X, SEALED, false, CONTEXT)
