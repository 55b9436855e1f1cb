"""The channel: who is there, what arrives, and what an attacker in between or at the end gets."""

from __future__ import annotations

from contextlib import suppress

import nacl.bindings as sodium
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lanplay_protocol import PROTOCOL
from lanplay_protocol.channel.errors import ChannelError, Tampered
from lanplay_protocol.channel.noise import PAYLOAD_LIMIT, KeyPair
from lanplay_protocol.channel.secure import (
    GREETING_LIMIT,
    HANDSHAKE_LIMIT,
    LINE_LIMIT,
    Channel,
    Decrypted,
    Established,
    check_identity,
    static_key,
)
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity, check_signature
from lanplay_protocol.wire import FRAME_LIMIT
from tests.channel.harness import ANN, BOB, EVE, channels, joined, run

GREETED = f"lanplay/{PROTOCOL} 0.3.0\n".encode()
TORSION = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
"""A point of order 8 on edwards25519."""
UNSOUND = {
    "neutral": (1).to_bytes(32, "little"),
    "order 2": (2**255 - 20).to_bytes(32, "little"),
    "order 4": bytes(32),
    "order 8": TORSION,
    "mixed order": sodium.crypto_core_ed25519_add(ANN.public, TORSION),
    "not reduced": (2**255 - 19 + 3).to_bytes(32, "little"),
    "not on the curve": (2).to_bytes(32, "little"),
    "too short": ANN.public[:31],
    "none": b"",
    "somebody else's": BOB.public,
}


class Recorder:
    """A network that changes nothing and keeps all that each side sent."""

    def __init__(self):
        self.sent = [b"", b""]

    def __call__(self, me, data):
        self.sent[me] += data
        return data


def recorded(ephemerals=(b"a" * 32, b"b" * 32)):
    """Return two established channels and all bytes that passed."""
    wire = Recorder()
    sides = channels(ephemerals=ephemerals)
    run(sides, wire)
    return sides, wire.sent


@given(st.integers(1, 700))
def test_both_sides_learn_the_proven_identity(size):
    """However the bytes are cut, each side ends with the other's key, greeting and one binding."""
    sides = channels()
    events = run(sides, size=size)
    assert events == (
        [Established(BOB.public, b"I am Bob")],
        [Established(ANN.public, b"I am Ann")],
    )
    assert [side.peer for side in sides] == [BOB.public, ANN.public]
    assert sides[0].binding == sides[1].binding
    assert len(sides[0].binding) == 64


def test_every_connection_has_its_own_binding():
    """The same two identities get another binding with another ephemeral key of either side."""
    bindings = {
        joined(ephemerals=pair)[0].binding
        for pair in ((b"a" * 32, b"b" * 32), (b"c" * 32, b"b" * 32), (b"a" * 32, b"d" * 32))
    }
    assert len(bindings) == 3


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=5), st.integers(1, 400))
@example([bytes(PAYLOAD_LIMIT - 4), b"x" * (PAYLOAD_LIMIT - 3), b"y" * FRAME_LIMIT, b""], 60_000)
def test_frames_arrive_as_they_were_sent(bodies, size):
    """In both directions, however long within the limit and however cut on the way."""
    sides = joined()
    for me in (0, 1):
        data = b"".join(sides[me].send(body) for body in bodies)
        events = []
        for start in range(0, len(data), size):
            events += sides[1 - me].receive(data[start : start + size])
        assert events == [Decrypted(body) for body in bodies]


def test_a_first_frame_follows_the_handshake_at_once():
    """What ``send`` returns begins with what the handshake still owes, so no order can go wrong."""
    ann, bob = channels()
    bob.receive(ann.data_to_send())
    ann.receive(bob.data_to_send())
    bob.receive(ann.data_to_send())
    ann.receive(bob.data_to_send())
    assert ann.established
    assert bob.receive(ann.send(b"first")) == [
        Established(ANN.public, b"I am Ann"),
        Decrypted(b"first"),
    ]


def test_nothing_is_sent_before_the_other_side_is_known():
    """Sending early, or a frame over the limit, is the caller's mistake."""
    ann, _ = channels()
    with pytest.raises(ValueError, match="before the channel is established"):
        ann.send(b"secret")
    ann, _ = joined()
    with pytest.raises(ValueError, match="over the limit"):
        ann.send(bytes(FRAME_LIMIT + 1))


@pytest.mark.parametrize(
    "change",
    [
        {"ephemeral": b"short"},
        {"version": "two words"},
        {"version": ""},
        {"version": "0.3\n"},
        {"version": "v" * 33},
        {"greeting": bytes(GREETING_LIMIT + 1)},
        {"protocol": -1},
        {"protocol": 100_000},
    ],
    ids=str,
)
def test_arguments_are_checked(change):
    """What no channel can be made of is refused where it is passed in."""
    arguments = {"initiator": True, "identity": ANN, "version": "1", "ephemeral": b"e" * 32}
    with pytest.raises(ValueError):
        Channel(**(arguments | change))


def test_the_longest_greeting_passes():
    """A greeting of the greatest length fits into the handshake with the longest version."""
    sides = [
        Channel(initiator, who, "v" * 32, who.public, b"g" * GREETING_LIMIT, 65535)
        for initiator, who in ((True, ANN), (False, BOB))
    ]
    run(sides)
    assert all(side.established for side in sides)


def test_an_observer_sees_neither_names_nor_frames():
    """Identities, their Curve25519 forms, greetings and frames never pass in clear."""
    sides, sent = recorded()
    seen = b"".join(sent) + sides[0].send(b"my hidden frame")
    for who in (ANN, BOB):
        assert who.public not in seen
        assert static_key(who).public not in seen
    assert b"I am" not in seen
    assert b"hidden" not in seen


def test_equal_frames_look_different():
    """The same frame sent twice is sealed under two nonces."""
    ann, _ = joined()
    assert ann.send(b"same") != ann.send(b"same")


# The versions


def test_two_versions_of_one_protocol_understand_each_other():
    """Only the protocol number must be equal; the program's version is told, not compared."""
    ann = Channel(True, ANN, "0.3.0", b"a" * 32)
    bob = Channel(False, BOB, "0.4.0rc1", b"b" * 32)
    run((ann, bob))
    assert ann.established
    assert bob.established


def test_another_protocol_is_named_on_both_sides():
    """Each side's error names both versions and says which is older, whoever hears of it first."""
    ann = Channel(True, ANN, "0.3.0", b"a" * 32, protocol=7)
    bob = Channel(False, BOB, "2.0.0", b"b" * 32, protocol=12)
    lines = ann.data_to_send(), bob.data_to_send()
    newer = r"2\.0\.0 \(protocol 12\), newer than lanplay 0\.3\.0 \(protocol 7\)"
    with pytest.raises(PeerError, match=newer) as error:
        ann.receive(lines[1])
    assert error.value.code == Code.VERSION
    older = r"0\.3\.0 \(protocol 7\), older than lanplay 2\.0\.0 \(protocol 12\)"
    with pytest.raises(PeerError, match=older):
        bob.receive(lines[0])


def test_a_side_that_heard_first_still_tells_its_version():
    """An error does not swallow the line that the other side needs for its own error."""
    bob = Channel(False, BOB, "2.0.0", b"b" * 32, protocol=12)
    with pytest.raises(PeerError):
        bob.receive(b"lanplay/7 0.3.0\n")
    assert bob.data_to_send() == b"lanplay/12 2.0.0\n"


@pytest.mark.parametrize(
    "lines",
    [(b"lanplay/12 2.0.0\n", b"lanplay/7 0.3.0\n"), (b"lanplay/12 9.9\n", b"lanplay/7 9.9\n")],
)
def test_a_changed_version_line_ends_the_handshake(lines):
    """Both lines are part of what is hashed: nobody in between makes two versions meet."""
    ann = Channel(True, ANN, "0.3.0", b"a" * 32, protocol=7)
    bob = Channel(False, BOB, "2.0.0", b"b" * 32, protocol=12)
    ann.data_to_send(), bob.data_to_send()
    bob.receive(lines[0])
    ann.receive(lines[1])
    bob.receive(ann.data_to_send())
    with pytest.raises(Tampered):
        ann.receive(bob.data_to_send())
    assert not bob.established


@pytest.mark.parametrize("who", [0, 1])
def test_a_changed_program_version_ends_the_handshake(who):
    """Even the part of the line that is only told cannot be changed on the way."""

    def wire(me, data):
        return data.replace(b"0.3.0", b"0.2.0") if me == who else data

    sides = channels()
    with pytest.raises(Tampered):
        run(sides, wire)
    assert not any(side.established for side in sides)


@pytest.mark.parametrize(
    "junk",
    [
        b"G",
        b"\x00\x00\x00\x45",
        b"lanplai",
        b"lanplay/x 1\n",
        b"lanplay/01 1\n",
        b"lanplay/1\n",
        b"lanplay/1 \x1b[2J\n",
        b"lanplay/1 " + b"v" * LINE_LIMIT,
    ],
)
def test_strangers_that_speak_something_else_are_told_apart_at_once(junk):
    """The first byte that cannot begin a greeting is enough, and no line is waited for forever."""
    _, bob = channels()
    with pytest.raises(ChannelError, match="No lanplay answers"):
        bob.receive(junk)


# Limits


def test_a_stranger_announces_at_most_4_kib():
    """A longer handshake message is refused when its length arrives, before its bytes do."""
    _, bob = channels()
    bob.receive(GREETED)
    with pytest.raises(PeerError) as error:
        bob.receive((HANDSHAKE_LIMIT + 1).to_bytes(2, "big"))
    assert error.value.code == Code.OVERSIZED


def test_a_sealed_frame_over_the_limit_is_refused():
    """An authenticated peer whose program was changed cannot make this side hold more."""
    ann, bob = joined()
    ann._post(ann._sender.encrypt(b"", (FRAME_LIMIT + 1).to_bytes(4, "big")))
    with pytest.raises(PeerError) as error:
        bob.receive(ann.data_to_send())
    assert error.value.code == Code.OVERSIZED


def test_what_a_side_holds_is_bounded():
    """A peer that sends a long frame byte by byte occupies one frame and one message at most."""
    ann, bob = joined()
    data = ann.send(bytes(FRAME_LIMIT)) * 2
    held = 0
    with pytest.raises(Tampered):
        for start in range(0, len(data), 997):
            bob.receive(data[start : start + 997])
            held = max(held, len(bob._input) + len(bob._frames._buffer))
    assert FRAME_LIMIT / 2 < held <= 3 * FRAME_LIMIT


# Attackers in between


@given(st.integers(0, 1), st.data())
def test_a_flipped_bit_on_the_way_to_acquaintance_is_noticed(who, data):
    """Whichever bit of whichever byte changes, the two sides are never both established."""
    _, sent = recorded()
    bit = data.draw(st.integers(0, 8 * len(sent[who]) - 1))
    passed = [0, 0]

    def wire(me, chunk):
        start, passed[me] = passed[me], passed[me] + len(chunk)
        if me != who or not start <= bit // 8 < passed[me]:
            return chunk
        altered = bytearray(chunk)
        altered[bit // 8 - start] ^= 1 << bit % 8
        return bytes(altered)

    sides = channels()
    with suppress(PeerError):
        run(sides, wire)
    assert not all(side.established for side in sides)


@given(st.binary(min_size=1, max_size=100), st.data())
def test_a_flipped_bit_in_a_frame_is_noticed(body, data):
    """A changed frame is an error, or (its length changed) still awaited: never another frame."""
    ann, bob = joined()
    sealed = bytearray(ann.send(body))
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    sealed[bit // 8] ^= 1 << bit % 8
    try:
        assert bob.receive(bytes(sealed)) == []
    except PeerError:
        return
    assert bit < 16


@pytest.mark.parametrize("order", [(0, 0), (1,), (1, 0), (0, 2)])
def test_frames_replayed_dropped_or_reordered_are_noticed(order):
    """Frames arrive once and in order, or the channel breaks."""
    ann, bob = joined()
    frames = [ann.send(bytes([n])) for n in range(3)]
    with pytest.raises(Tampered):
        for n in order:
            bob.receive(frames[n])


def test_frames_of_another_connection_are_refused():
    """What was recorded on one connection of two people is worth nothing on their next one."""
    ann, _ = joined(ephemerals=(b"1" * 32, b"2" * 32))
    _, bob = joined(ephemerals=(b"3" * 32, b"4" * 32))
    with pytest.raises(Tampered):
        bob.receive(ann.send(b"again"))


def test_a_frame_sent_back_is_refused():
    """A mirror in the network is noticed."""
    ann, _ = joined()
    with pytest.raises(Tampered):
        ann.receive(ann.send(b"mirror"))


def test_a_recorded_caller_cannot_be_replayed():
    """All that Ann ever sent, played to a Bob who drew another ephemeral key, is refused."""
    _, sent = recorded()
    again = Channel(False, BOB, "0.3.0", b"c" * 32)
    with pytest.raises(Tampered):
        again.receive(sent[0])
    assert not again.established


def test_a_recorded_answer_cannot_be_replayed():
    """All that Bob ever sent, played to an Ann who drew another ephemeral key, is refused."""
    _, sent = recorded()
    again = Channel(True, ANN, "0.3.0", b"c" * 32)
    with pytest.raises(Tampered):
        again.receive(sent[1])
    assert not again.established


def test_somebody_in_between_is_somebody_else():
    """Who sits between Ann and Bob shows its own key to both, and the bindings differ."""
    ann, eve_to_ann = joined(bob=EVE)
    eve_to_bob, bob = joined(ann=EVE)
    assert ann.peer == bob.peer == EVE.public
    assert ann.binding != bob.binding
    assert (eve_to_ann.binding, eve_to_bob.binding) == (ann.binding, bob.binding)


def test_frames_relayed_between_two_channels_do_not_open():
    """Who has a channel to each of two people cannot pass on what is sealed for another."""
    ann, _ = joined(bob=EVE)
    _, bob = joined(ann=EVE)
    with pytest.raises(Tampered):
        bob.receive(ann.send(b"for Eve"))


# Attackers at the other end


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("claim", UNSOUND.values(), ids=UNSOUND)
def test_an_identity_that_is_not_the_handshake_key_is_refused(who, claim):
    """A stolen, small-order, mixed-order or malformed identity never establishes a channel."""
    sides = channels(ann=EVE) if who == 0 else channels(bob=EVE)
    sides[who]._payload = claim
    with pytest.raises(Tampered, match="identity"):
        run(sides)
    assert not sides[1 - who].established


@pytest.mark.parametrize("claim", UNSOUND.values(), ids=UNSOUND)
def test_an_unsound_identity_fits_no_key(claim):
    """The check holds by itself, for a static key that the claim might be converted to."""
    for static in (static_key(ANN).public, bytes(32), claim):
        with pytest.raises(Tampered):
            check_identity(claim, static)


def test_a_static_key_of_small_order_is_refused():
    """A changed program that shows such a handshake key gets no further, at either end."""
    for who in (0, 1):
        sides = channels(ann=EVE) if who == 0 else channels(bob=EVE)
        forged = KeyPair(b"f" * 32)
        object.__setattr__(forged, "public", bytes(32))
        sides[who]._static = forged
        with pytest.raises(Tampered, match="small order"):
            run(sides)
        assert not sides[1 - who].established


@given(st.binary(min_size=32, max_size=32))
def test_one_key_signs_and_shakes_hands(seed):
    """The key a channel proves is the key that the same installation signs with."""
    identity = Identity(seed)
    check_identity(identity.public, static_key(identity).public)
    check_signature(identity.public, "x", b"body", identity.sign("x", b"body"))


def test_a_program_that_calls_itself_is_told_so():
    """Two channels of one identity do not connect, and neither does a mirror of all bytes."""
    with pytest.raises(PeerError, match="itself"):
        run(channels(bob=ANN))
    dialling, answering = channels(bob=ANN)
    answering.receive(dialling.data_to_send())
    dialling.receive(answering.data_to_send())
    answering.receive(dialling.data_to_send())
    with pytest.raises(PeerError, match="itself"):
        dialling.receive(answering.data_to_send())
    ann, _ = channels()
    ann.receive(ann.data_to_send())
    with pytest.raises(PeerError):
        ann.receive(ann.data_to_send())


def test_the_first_message_carries_nothing():
    """A payload that nothing protects is refused rather than read."""
    ann, bob = channels()
    bob.receive(ann.data_to_send())
    ann.receive(bob.data_to_send())
    data = ann.data_to_send()
    longer = (len(data) - 2 + 5).to_bytes(2, "big") + data[2:] + b"hello"
    with pytest.raises(PeerError) as error:
        bob.receive(longer)
    assert error.value.code == Code.MALFORMED


def test_a_broken_channel_stays_broken():
    """After one error every call raises it again, and genuine frames no longer count."""
    ann, bob = joined()
    good = ann.send(b"good")
    with pytest.raises(Tampered) as first:
        bob.receive(b"\x00\x10" + bytes(16))
    for call in (lambda: bob.receive(good), lambda: bob.send(b"x")):
        with pytest.raises(Tampered) as again:
            call()
        assert again.value is first.value


@given(st.booleans(), st.booleans(), st.lists(st.binary(max_size=120), max_size=6))
def test_any_bytes_raise_the_peers_error_or_nothing(initiator, greeted, chunks):
    """Hostile bytes never establish a channel and never raise anything else."""
    side = channels()[0 if initiator else 1]
    if greeted:
        side.receive(GREETED)
    with suppress(PeerError):
        for chunk in chunks:
            assert side.receive(chunk) == []
    assert not side.established


@given(st.lists(st.binary(max_size=120), max_size=6))
def test_any_bytes_of_a_peer_raise_its_error_or_nothing(chunks):
    """An authenticated peer that seals nothing gets nothing through."""
    _, bob = joined()
    with suppress(PeerError):
        for chunk in chunks:
            assert bob.receive(chunk) == []


@given(st.lists(st.binary(max_size=120), max_size=6))
def test_any_sealed_bytes_raise_the_peers_error_or_are_frames(chunks):
    """Whatever an authenticated peer seals is a frame, part of one, or its error."""
    ann, bob = joined()
    for chunk in chunks:
        ann._post(ann._sender.encrypt(b"", chunk))
    try:
        assert all(isinstance(event, Decrypted) for event in bob.receive(ann.data_to_send()))
    except PeerError as error:
        assert error.code == Code.OVERSIZED
