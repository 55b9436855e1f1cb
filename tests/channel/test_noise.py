"""The Noise handshake against public vectors, another implementation, and an active attacker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from noise.connection import Keypair, NoiseConnection

from lanplay_protocol.channel.errors import ChannelError, Tampered
from lanplay_protocol.channel.noise import (
    HASHES,
    KEY,
    MESSAGE_LIMIT,
    NONCE_LIMIT,
    TAG,
    CipherState,
    HandshakeState,
    KeyPair,
)

VECTORS = [
    vector
    for file in sorted(Path(__file__).with_name("vectors").glob("*.json"))
    for vector in json.loads(file.read_text(encoding="utf-8"))["vectors"]
]
SMALL_ORDER = [
    bytes(32),
    (1).to_bytes(32, "little"),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    (2**255 - 20).to_bytes(32, "little"),
    (2**255 - 19).to_bytes(32, "little"),
    (2**255 - 18).to_bytes(32, "little"),
]
"""Every u-coordinate of small order on Curve25519, reduced or not (cr.yp.to/ecdh.html)."""


def key(n):
    """Return a key pair that the number determines."""
    return KeyPair(bytes([n]) * 32)


def pair(prologues=(b"p", b"p"), hash_name="BLAKE2b"):
    """Return both sides of a handshake with fixed keys."""
    return [
        HandshakeState(side == 0, key(side + 1), key(side + 3), prologues[side], hash_name)
        for side in (0, 1)
    ]


def shaken():
    """Return both sides of a finished handshake."""
    sides = pair()
    for step in range(3):
        sides[1 - step % 2].read(sides[step % 2].write(b"payload"))
    return sides


def test_there_are_vectors_of_every_hash():
    """The public vectors cover the hash that channels use, and three more."""
    assert {vector["protocol_name"].split("_")[-1] for vector in VECTORS} == set(HASHES)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["protocol_name"])
def test_public_vector(vector):
    """Every message of a published vector is written byte for byte and read back."""
    hash_name = vector["protocol_name"].split("_")[-1]
    sides = [
        HandshakeState(
            who == "init",
            *(KeyPair(bytes.fromhex(vector[f"{who}_{kind}"])) for kind in ("static", "ephemeral")),
            bytes.fromhex(vector[f"{who}_prologue"]),
            hash_name,
        )
        for who in ("init", "resp")
    ]
    for step, message in enumerate(vector["messages"]):
        payload, sealed = (bytes.fromhex(message[name]) for name in ("payload", "ciphertext"))
        writer, reader = sides[step % 2], sides[1 - step % 2]
        if step < 3:
            assert writer.write(payload) == sealed
            assert reader.read(sealed) == payload
            continue
        if step == 3:
            ciphers = [side.split() for side in sides]
        assert ciphers[step % 2][0].encrypt(b"", payload) == sealed
        assert ciphers[1 - step % 2][1].decrypt(b"", sealed) == payload
    assert sides[0].hash == sides[1].hash
    assert sides[0].hash.hex() == vector.get("handshake_hash", sides[0].hash.hex())


class Oracle:
    """A side played by the package noiseprotocol."""

    def __init__(self, initiator, static, ephemeral, prologue):
        self.noise = NoiseConnection.from_name(b"Noise_XX_25519_ChaChaPoly_BLAKE2b")
        (self.noise.set_as_initiator if initiator else self.noise.set_as_responder)()
        self.noise.set_prologue(prologue)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, static.secret)
        self.noise.set_keypair_from_private_bytes(Keypair.EPHEMERAL, ephemeral.secret)
        self.noise.start_handshake()


@pytest.mark.filterwarnings("ignore:One of ephemeral keypairs is already set")
@given(
    st.booleans(),
    st.lists(st.binary(min_size=32, max_size=32), min_size=4, max_size=4),
    st.binary(max_size=80),
    st.lists(st.binary(max_size=200), min_size=3, max_size=8),
)
def test_another_implementation_understands_this_one(initiator, secrets, prologue, payloads):
    """In either role, with any keys, noiseprotocol reads all that is written, and the reverse."""
    static, ephemeral, *theirs = map(KeyPair, secrets)
    mine = HandshakeState(initiator, static, ephemeral, prologue)
    other = Oracle(not initiator, *theirs, prologue).noise
    for payload in payloads[:3]:
        if mine.mine:
            assert other.read_message(mine.write(payload)) == payload
        else:
            assert mine.read(bytes(other.write_message(payload))) == payload
    assert mine.hash == other.get_handshake_hash()
    assert mine.remote_static == theirs[0].public
    send, receive = mine.split()
    for payload in payloads[3:]:
        assert other.decrypt(send.encrypt(b"", payload)) == payload
        assert receive.decrypt(b"", bytes(other.encrypt(payload))) == payload


@given(st.integers(0, 2), st.data())
def test_a_flipped_bit_in_the_handshake_is_refused(step, data):
    """Whichever bit of whichever message changes, no handshake is finished on both sides."""
    sides = pair()
    with pytest.raises(Tampered):
        for turn in range(3):
            message = bytearray(sides[turn % 2].write(b"payload"))
            if turn == step:
                bit = data.draw(st.integers(0, 8 * len(message) - 1))
                message[bit // 8] ^= 1 << bit % 8
            sides[1 - turn % 2].read(bytes(message))


def test_the_ignored_bit_of_a_key_is_not_ignored():
    """X25519 ignores a key's highest bit; the handshake still notices that it changed."""
    ann, bob = pair()
    first = bytearray(ann.write())
    first[31] ^= 0x80
    bob.read(bytes(first))
    with pytest.raises(Tampered):
        ann.read(bob.write())


@given(st.integers(0, 2), st.data())
def test_a_handshake_message_cut_short_is_refused(step, data):
    """No proper prefix of any handshake message is accepted."""
    sides = pair()
    for turn in range(step):
        sides[1 - turn % 2].read(sides[turn % 2].write())
    message = sides[step % 2].write()
    with pytest.raises(Tampered):
        sides[1 - step % 2].read(message[: data.draw(st.integers(0, len(message) - 1))])


@given(st.integers(0, 2), st.binary(max_size=200))
@example(0, b"")
def test_arbitrary_bytes_finish_no_handshake(step, junk):
    """Whatever a stranger sends, the other side raises the peer's error at the latest at the end.

    The first message is any 32 bytes, so it alone cannot be refused.
    """
    sides = pair()
    for turn in range(step):
        sides[1 - turn % 2].read(sides[turn % 2].write())
    with pytest.raises(Tampered):
        sides[1 - step % 2].read(junk)
        sides[0].read(sides[1].write())


@pytest.mark.parametrize("public", SMALL_ORDER, ids=lambda public: public.hex()[:8])
def test_a_key_of_small_order_is_refused(public):
    """No secret is shared with a key of small order: it would be zero for everybody."""
    with pytest.raises(Tampered, match="small order"):
        key(1).agree(public)


@pytest.mark.parametrize("public", SMALL_ORDER, ids=lambda public: public.hex()[:8])
def test_an_ephemeral_key_of_small_order_is_refused(public):
    """Who dials with such a key gets no answer."""
    _, bob = pair()
    bob.read(public)
    with pytest.raises(Tampered, match="small order"):
        bob.write()


@pytest.mark.parametrize("public", SMALL_ORDER, ids=lambda public: public.hex()[:8])
def test_a_static_key_of_small_order_is_refused(public):
    """A side that shows such a key, by a program that was changed for it, is refused."""
    ann, bob = pair()
    forged = key(2)
    object.__setattr__(forged, "public", public)
    bob._s = forged
    bob.read(ann.write())
    with pytest.raises(Tampered, match="small order"):
        ann.read(bob.write())


def test_prologues_must_be_equal():
    """Two sides that were told different things before the handshake do not finish it."""
    ann, bob = pair(prologues=(b"version 1", b"version 2"))
    bob.read(ann.write())
    with pytest.raises(Tampered):
        ann.read(bob.write())


def test_a_recorded_handshake_cannot_be_replayed():
    """The dialling side's recorded messages are worth nothing against a new ephemeral key."""
    ann, bob = pair()
    first = ann.write()
    bob.read(first)
    ann.read(bob.write())
    last = ann.write()
    again = HandshakeState(False, key(2), key(9), b"p")
    again.read(first)
    again.write()
    with pytest.raises(Tampered):
        again.read(last)


def test_messages_out_of_turn_are_refused():
    """Reading out of turn is the peer's fault, writing out of turn is the caller's."""
    ann, bob = pair()
    with pytest.raises(Tampered, match="turn"):
        ann.read(b"x" * 32)
    with pytest.raises(ValueError, match="no handshake message"):
        bob.write()
    with pytest.raises(ValueError, match="not over"):
        ann.split()
    with pytest.raises(Tampered, match="turn"):
        shaken()[0].read(b"x" * 32)


@given(st.binary(max_size=300), st.data())
def test_a_flipped_bit_in_transport_is_refused(payload, data):
    """Whichever bit of a sealed message changes, it does not open."""
    ann, bob = shaken()
    sealed = bytearray(ann.split()[0].encrypt(b"", payload))
    bit = data.draw(st.integers(0, 8 * len(sealed) - 1))
    sealed[bit // 8] ^= 1 << bit % 8
    with pytest.raises(Tampered):
        bob.split()[1].decrypt(b"", bytes(sealed))


@given(st.binary(max_size=300), st.data())
def test_transport_cut_short_is_refused(payload, data):
    """No proper prefix of a sealed message opens."""
    ann, bob = shaken()
    sealed = ann.split()[0].encrypt(b"", payload)
    with pytest.raises(Tampered):
        bob.split()[1].decrypt(b"", sealed[: data.draw(st.integers(0, len(sealed) - 1))])


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(
        lambda x: x != [0, 1, 2, 3][: len(x)]
    )
)
def test_transport_out_of_order_is_refused(order):
    """Sealed messages open in the order they were sealed, each once, and none may be missing."""
    ann, bob = shaken()
    send, receive = ann.split()[0], bob.split()[1]
    sealed = [send.encrypt(b"", bytes([n])) for n in range(4)]
    with pytest.raises(Tampered):
        for n in order:
            receive.decrypt(b"", sealed[n])


def test_a_message_does_not_open_in_the_other_direction():
    """What a side sealed cannot be sent back to it."""
    ann, _ = shaken()
    send, receive = ann.split()
    with pytest.raises(Tampered):
        receive.decrypt(b"", send.encrypt(b"", b"mirror"))


def test_no_nonce_is_used_twice():
    """The last nonce but one works, then the key is used up in either direction."""
    send, receive = (CipherState(b"k" * KEY, NONCE_LIMIT - 1) for _ in range(2))
    receive.decrypt(b"", send.encrypt(b"", b"the last"))
    with pytest.raises(ChannelError, match="used up"):
        send.encrypt(b"", b"one more")
    with pytest.raises(ChannelError, match="used up"):
        receive.decrypt(b"", bytes(TAG))


def test_messages_are_bounded():
    """Noise messages have at most 65535 bytes, written or read."""
    ann, bob = pair()
    with pytest.raises(ValueError, match="65535"):
        ann.write(bytes(MESSAGE_LIMIT))
    with pytest.raises(Tampered, match="oversized"):
        bob.read(bytes(MESSAGE_LIMIT + 1))


def test_a_key_has_32_bytes():
    """A caller that passes anything else hears so at once."""
    with pytest.raises(ValueError, match="31"):
        KeyPair(b"k" * 31)


def test_secrets_are_not_printed():
    """A key pair in a log or an error shows its public half only."""
    assert repr(key(7).secret)[2:-1] not in repr(key(7))
