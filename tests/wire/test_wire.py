"""Bytes from strangers: whatever comes is the canonical encoding of plain data or a PeerError."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Code, PeerError
from protocol.lobby import parse_table
from protocol.replica.disputes import parse_report
from protocol.replica.messages import parse_signed
from protocol.replica.roster import parse_roster
from protocol.wire import DEPTH_LIMIT, FRAME_LIMIT, FrameReader, decode, encode, frame

PLAIN = st.recursive(
    st.none() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=20) | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=6).map(tuple),
    max_leaves=20,
)


@given(PLAIN)
def test_what_is_encoded_is_decoded_the_same(value):
    """Plain data comes back as it was, within the depth limit."""
    try:
        assert decode(encode(value)) == value
    except PeerError as error:
        assert "levels" in error.text


@given(st.binary(max_size=200))
def test_any_bytes_decode_or_are_refused(body):
    """No bytes raise anything but PeerError; what decodes is canonical."""
    try:
        value = decode(body)
    except PeerError as error:
        assert error.code is Code.MALFORMED
    else:
        assert encode(value) == body


@pytest.mark.parametrize(
    "body",
    [
        b"\xcc\x01",  # one in two bytes
        b"\xd9\x01a",  # a short string in the long form
        b"\xcb" + bytes(8),  # a float
        b"\xc7\x00\x01",  # an extension
        b"\xd6\xff" + bytes(4),  # a timestamp
        b"\xc3",  # a truth value
        b"\x82\x01\x01\x01\x01",  # a doubled key
        b"\xdf\xff\xff\xff\xff",  # a map of four billion
        b"\xc6\xff\xff\xff\xff",  # four gigabytes
        b"\x91" * 2000 + b"\x01",
        encode(((((((((((1,),),),),),),),),),)),
        msgpack.packb({1: 2}),
    ],
)
def test_other_encodings_are_refused(body):
    """Non-minimal, float, extension, doubled, oversized and deep values are refused."""
    with pytest.raises(PeerError):
        decode(body)


@given(st.lists(st.binary(max_size=300), max_size=6), st.integers(1, 50))
def test_frames_come_whole_however_the_stream_is_cut(bodies, size):
    """Cut at every ``size`` bytes, a stream brings the same frames in order."""
    stream = b"".join(frame(body) for body in bodies)
    reader = FrameReader()
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert [body for chunk in chunks for body in reader.feed(chunk)] == bodies


def test_a_frame_over_the_limit_is_refused_by_its_length_alone():
    """A length over the limit is refused before any of its bytes have come."""
    reader = FrameReader()
    with pytest.raises(PeerError) as caught:
        list(reader.feed((FRAME_LIMIT + 1).to_bytes(4, "big")))
    assert caught.value.code is Code.OVERSIZED


def test_our_own_oversized_frame_is_our_fault():
    """A body over the limit is a ValueError, not a peer's fault."""
    with pytest.raises(ValueError, match="over the limit"):
        frame(bytes(FRAME_LIMIT + 1))


@given(PLAIN)
@pytest.mark.parametrize("parse", [parse_signed, parse_report, parse_roster, parse_table])
def test_any_value_parses_or_is_refused(parse, value):
    """No decoded value raises anything but PeerError in a message parser."""
    try:
        parse(value)
    except PeerError as error:
        assert error.code is Code.MALFORMED


def test_the_depth_limit_is_what_it_says():
    """A value as deep as the limit passes."""
    value: object = 1
    for _ in range(DEPTH_LIMIT):
        value = (value,)
    assert decode(encode(value)) == value
