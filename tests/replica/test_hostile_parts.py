"""Messages of a modified peer with anything whatever inside: no replica ever fails over them."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import choices, key_setup, reveals, shuffling
from lanplay_protocol.replica.messages import StatusMessage, complain, parse_complaint, refs, sign
from lanplay_protocol.replica.threshold import ThresholdOpening
from lanplay_protocol.wire import encode
from tests.replica.harness import Table, identity, parts, received, roster
from tests.replica.test_card_cheats import cheating

REAL_CRYPTO = True

CHEAT = 2
ENOUGH = 150
"""Phases after which every kind has come several times."""
KINDS = [
    key_setup.KeyCommitments,
    key_setup.Keys,
    key_setup.Escrow,
    key_setup.Ready,
    shuffling.ShufflePiles,
    reveals.Entropy,
    reveals.RevealCards,
    choices.CommitPhase,
    choices.RevealPhase,
    reveals.DealCards,
    choices.OpenAnswers,
]
PLAIN = st.recursive(
    st.none() | st.integers(-(2**40), 2**40) | st.binary(max_size=70) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)


def spoiled(value, path, new):
    """Return ``value`` with the part at ``path`` (a list of numbers) replaced by ``new``."""
    if not path or not isinstance(value, tuple) or not value:
        return new
    place = path[0] % len(value)
    return (*value[:place], spoiled(value[place], path[1:], new), *value[place + 1 :])


@pytest.mark.sweep(2)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(path=st.lists(st.integers(0, 9), max_size=4), new=PLAIN)
def test_no_content_of_a_message_upsets_a_replica(kind, path, new):
    """Whatever stands in a message, honest peers go on, or name its author, and nothing else."""

    def tamper(table, to, move, phase):
        return [parts(move, spoiled(move.parts, path, new))] if isinstance(phase, kind) else None

    def enough(t):
        named = all(t.accused(peer) for peer in (0, 1))
        return named or t.is_settled((0, 1)) or t.replicas[0].transcript.number > ENOUGH

    table = cheating(b"hostile", tamper)
    honest = table.handle
    table.handle = lambda peer, events: honest(peer, events)
    table.start()
    table.run(enough, seconds=45)
    for peer in (0, 1):
        assert {culprit for culprit, _ in table.accused(peer)} <= {CHEAT}


@given(PLAIN)
def test_any_value_is_a_complaint_or_refused(value):
    """No decoded value raises anything but the peer's error in the parser of complaints."""
    with pytest.raises(PeerError):
        parse_complaint(value)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_frame_is_taken_or_refused(frame):
    """No frame of an authenticated peer raises anything but the peer's error."""
    table = Table(roster(3), seed=b"frames")
    table.start()
    try:
        table.replicas[0].step(received(CHEAT, frame), 0.0)
    except PeerError as error:
        assert error.text


@cache
def frames():
    """Return a valid frame of every kind that replicas send each other, in the middle of a game."""
    table = Table(roster(3), seed=b"kinds")
    table.start()
    table.run(lambda t: t.replicas[CHEAT].transcript.number > 30, seconds=600)
    replica = table.replicas[CHEAT]
    moves = [signed for phase in replica.moves[-3:] for signed in phase.values()]
    made = complain(CHEAT, moves[0], bytes(96), identity(CHEAT), table.roster)
    transcript = replica.transcript
    joins = StatusMessage(
        CHEAT, 1, (0, 1, 2), transcript.at, transcript.past, refs(transcript.brought)
    )
    joined = sign(joins, identity(CHEAT), replica.context.game_id).plain()
    payloads = [
        ("move", moves[0].plain()),
        ("want", (0, 3, bytes(32), (moves[0].key,), (bytes(32),), (0,))),
    ]
    payloads += [("complaint", made.plain()), ("status", joined), ("view", (joined,))]
    return table, [*payloads, ("here", (0, 3))]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 5), st.lists(st.integers(0, 9), max_size=5), PLAIN)
def test_no_spoiled_frame_upsets_a_replica(kind, path, new):
    """Moves, requests, complaints and statuses with any part replaced: taken, or refused."""
    table, valid = frames()
    body = encode(spoiled(valid[kind], path, new))
    try:
        table.replicas[0].step(received(CHEAT, body), table.now)
    except PeerError as error:
        assert error.text


def test_a_partial_that_was_sealed_to_oneself_is_looked_at_last():
    """What is false for all is found first, whatever else is false."""
    looked = []
    phase = ThresholdOpening.__new__(ThresholdOpening)
    phase.context, phase._items = SimpleNamespace(me=0), {0: {}, None: {}, 1: {}}
    phase._given = lambda sender, receiver, part, parts: looked.append(receiver)
    phase.check(2, ((), (), ()))
    assert looked == [None, 1, 0]
