"""Two sessions wired together in memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import session as module
from protocol.errors import Code, PeerError
from protocol.identity import Identity
from protocol.session import Closed, Established, Received, Session

ANN, BOB, EVE = (Identity(bytes([n]) * 32) for n in (1, 2, 3))


def pair(size=10_000, ann=ANN, bob=BOB):
    """Greet each other with streams cut at ``size`` bytes; return the sessions and their events."""
    sides = [Session(ann, "1.0", b"a" * 32), Session(bob, "1.0", b"b" * 32)]
    wires = [sides[1].greeting(), sides[0].greeting()]
    events = [[], []]
    while any(wires):
        for side in (0, 1):
            data, wires[side] = wires[side][:size], wires[side][size:]
            for event in sides[side].receive(data) if data else ():
                if isinstance(event, bytes):
                    wires[1 - side] += event
                else:
                    events[side].append(event)
    return sides, events


@given(st.integers(1, 400))
def test_both_sides_learn_the_proven_identity(size):
    """However the bytes are cut, each side ends with the other's identity."""
    _, events = pair(size)
    assert events == [[Established(BOB.public)], [Established(ANN.public)]]


def test_messages_follow_once_established():
    """What one side sends arrives as it was."""
    (ann, bob), _ = pair()
    assert list(bob.receive(ann.message(b"hello"))) == [Received(b"hello")]


def test_a_closing_side_says_why():
    """The reason of a close reaches the other side."""
    (ann, bob), _ = pair()
    closing = ann.closing(PeerError(Code.UNEXPECTED, "the table is full"))
    assert list(bob.receive(closing)) == [Closed("unexpected", "the table is full")]


def test_a_proof_by_another_key_is_refused():
    """Who greets as Ann must sign as Ann."""
    bob = Session(BOB, "1.0", b"b" * 32)
    eve = Session(EVE, "1.0", b"e" * 32)
    ann = Session(ANN, "1.0", b"e" * 32)
    list(bob.receive(ann.greeting()))
    (proof,) = eve.receive(bob.greeting())
    with pytest.raises(PeerError) as caught:
        list(bob.receive(proof))
    assert caught.value.code is Code.BAD_SIGNATURE


def test_a_recorded_greeting_is_worth_nothing():
    """A proof made for another connection does not fit this one's nonce."""
    old = Session(BOB, "1.0", b"x" * 32)
    ann = Session(ANN, "1.0", b"a" * 32)
    list(old.receive(ann.greeting()))
    (proof,) = ann.receive(old.greeting())
    fresh = Session(BOB, "1.0", b"y" * 32)
    list(fresh.receive(Session(ANN, "1.0", b"a" * 32).greeting()))
    with pytest.raises(PeerError):
        list(fresh.receive(proof))


def test_a_message_before_the_proof_is_refused():
    """Nothing is read of a side that has not proven who it is."""
    bob = Session(BOB, "1.0", b"b" * 32)
    ann = Session(ANN, "1.0", b"a" * 32)
    list(bob.receive(ann.greeting()))
    with pytest.raises(PeerError):
        list(bob.receive(ann.message(b"\xc0")))


def test_another_protocol_is_refused_with_both_versions(monkeypatch):
    """A version mismatch names both programs and both protocols, on either side."""
    bob = Session(BOB, "2.0", b"b" * 32)
    monkeypatch.setattr(module, "PROTOCOL", 7)
    ann = Session(ANN, "1.0", b"a" * 32)
    with pytest.raises(PeerError, match=r"2\.0 \(protocol 1\).*1\.0 \(protocol 7\)") as caught:
        list(bob.receive(ann.greeting()))
    assert caught.value.code is Code.VERSION


def test_a_program_does_not_play_with_itself():
    """A connection to one's own listener is closed."""
    one = Session(ANN, "1.0", b"1" * 32)
    with pytest.raises(PeerError, match="itself"):
        list(one.receive(Session(ANN, "1.0", b"2" * 32).greeting()))
