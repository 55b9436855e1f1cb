"""Closing frames: the reason reaches the other side, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay_protocol.closing import Closed, closed, closing
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.wire import encode


def test_a_closing_side_says_why():
    """Code and text of an error arrive; what could upset a terminal is made harmless."""
    assert closed(closing(PeerError(Code.UNEXPECTED, "it is full"))) == Closed(
        "unexpected", "“it is full”"
    )
    shown = closed(closing(PeerError(Code.UNEXPECTED, "a\x1b[2Jb")))
    assert shown is not None
    assert "\x1b" not in shown.text


def test_other_frames_are_no_closing():
    """A message of any other kind passes unread."""
    assert closed(encode(("move", 1))) is None


@given(st.binary(max_size=80))
def test_a_malformed_closing_is_the_peers_fault(rest):
    """Whatever follows the beginning of a closing frame: a value, or the peer's error."""
    body = encode(("close", 0))[:-1] + rest
    try:
        assert isinstance(closed(body), Closed)
    except PeerError as error:
        assert error.code is Code.MALFORMED


def test_a_reason_over_the_limit_is_refused():
    """A reason of many kilobytes is malformed."""
    with pytest.raises(PeerError):
        closed(encode(("close", ("x", "y" * 1001))))
