"""Messages of a modified peer with anything whatever inside: no replica ever fails over them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.errors import PeerError
from protocol.replica import opening, phases, shuffling
from protocol.replica.messages import parse_complaint
from tests.replica.harness import Table, parts, roster
from tests.replica.test_card_cheats import cheating

CHEAT = 2
KINDS = [
    opening.Promises,
    opening.Keys,
    opening.Escrow,
    opening.Ready,
    shuffling.ShufflePiles,
    phases.Entropy,
    phases.ShowCards,
    phases.Commit,
    phases.Open,
    phases.DealCards,
    phases.Answers,
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


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(path=st.lists(st.integers(0, 9), max_size=4), new=PLAIN)
def test_no_content_of_a_message_upsets_a_replica(kind, path, new):
    """Whatever stands in a message, honest peers go on, or name its author, and nothing else."""

    def tamper(table, to, move, phase):
        return [parts(move, spoiled(move.parts, path, new))] if isinstance(phase, kind) else None

    table = cheating(b"hostile", tamper)
    honest = table.handle
    table.handle = lambda peer, events: honest(peer, events)
    table.start()
    table.run(lambda t: t.is_held((0, 1)) or t.now > 40, seconds=45)
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
        table.replicas[0].receive(CHEAT, frame, 0.0)
    except PeerError as error:
        assert error.text
