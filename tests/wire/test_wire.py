"""Bytes from strangers: whatever comes is the canonical encoding of plain data or a PeerError."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity, check_signature
from lanplay_protocol.lobby import parse_table
from lanplay_protocol.replica.messages import (
    parse_complaint,
    parse_key,
    parse_past,
    parse_ref,
    parse_signed,
)
from lanplay_protocol.replica.roster import parse_roster
from lanplay_protocol.replica.verdicts import parse_verdict
from lanplay_protocol.schema import binary, blob, fields, items, text, uint
from lanplay_protocol.wire import DEPTH_LIMIT, FRAME_LIMIT, FrameReader, decode, encode, frame

PARSERS = (
    *(parse_signed, parse_past, parse_ref, parse_key, parse_complaint, parse_verdict),
    *(parse_roster, parse_table),
)
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
        b"\xd1\x01\x2c",  # 300 as a number that may be negative: as long as the canonical form
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


def test_a_frame_as_long_as_the_limit_arrives():
    """The limit itself is allowed, on both sides."""
    body = bytes(FRAME_LIMIT)
    assert list(FrameReader().feed(frame(body))) == [body]


def test_our_own_oversized_frame_is_our_fault():
    """A body over the limit is a ValueError, not a peer's fault."""
    with pytest.raises(ValueError, match="over the limit"):
        frame(bytes(FRAME_LIMIT + 1))


@given(PLAIN)
@pytest.mark.parametrize("parse", PARSERS)
def test_any_value_parses_or_is_refused(parse, value):
    """No decoded value raises anything but PeerError in a message parser."""
    try:
        parse(value)
    except PeerError as error:
        assert error.code is Code.MALFORMED


@pytest.mark.parametrize(
    ("shape", "fitting", "beyond"),
    [
        (lambda value: uint(value, 5, "it"), [0, 4], [5, -1, None, "1", b"\1"]),
        (lambda value: binary(value, 2, "it"), [b"ab"], [b"", b"a", b"abc", "ab"]),
        (lambda value: blob(value, 2, "it"), [b"", b"ab"], [b"abc", "ab"]),
        (lambda value: text(value, 2, "it"), ["", "ab", "žš"], ["abc", b"ab"]),
        (lambda value: items(value, 2, "it", int), [(), (1, 2)], [(1, 2, 3), [1], "12"]),
        (lambda value: fields(value, 2, "it"), [(1, 2)], [(), (1,), (1, 2, 3), [1, 2]]),
    ],
)
def test_every_shape_holds_up_to_its_edge(shape, fitting, beyond):
    """What just fits passes unchanged; what is one more, one less or of another kind does not."""
    for value in fitting:
        assert shape(value) == value
    for value in beyond:
        with pytest.raises(PeerError) as caught:
            shape(value)
        assert caught.value.code is Code.MALFORMED


def test_a_signature_is_good_for_one_purpose():
    """What somebody signed as talk is not its move, under whatever split of label and body."""
    ann = Identity(b"a" * 32)
    signature = ann.sign("talk", b"body")
    check_signature(ann.public, "talk", b"body", signature)
    for label, body in (("move", b"body"), ("tal", b"kbody"), ("talkb", b"ody"), ("", b"talkbody")):
        with pytest.raises(PeerError) as caught:
            check_signature(ann.public, label, body, signature)
        assert caught.value.code is Code.BAD_SIGNATURE


def test_the_depth_limit_is_what_it_says():
    """A value as deep as the limit passes."""
    value: object = 1
    for _ in range(DEPTH_LIMIT):
        value = (value,)
    assert decode(encode(value)) == value


def test_a_kept_verdict_of_an_unknown_kind_is_refused():
    with pytest.raises(PeerError):
        parse_verdict((0, "unheard-of", "", None, (), None))
