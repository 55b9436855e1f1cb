"""The table's password: who learns what from an honest run, a wrong guess and a recording."""

from __future__ import annotations

import hashlib

import nacl.bindings as sodium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay_protocol.channel import cpace
from lanplay_protocol.channel.cpace import ELEMENT
from lanplay_protocol.channel.errors import ChannelError, WrongPassword
from lanplay_protocol.channel.password import (
    LIMIT,
    MAC,
    Parties,
    PasswordProof,
    normalized,
)
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.errors import PeerError
from tests.channel.harness import ANN, BOB, EVE, joined
from tests.channel.test_cpace import SMALL

SEEDS = (b"g" * 32, b"h" * 32)
PARTIES = Parties(ANN.public, BOB.public, b"binding" * 9)
PARTIES_DIGEST = digest("channel/password/parties", PARTIES.guest, PARTIES.host)


def sides(guest="dodge city", host="dodge city", parties=(PARTIES, PARTIES)):
    """Return Ann, the guest, and Bob, the host, with the passwords they entered."""
    return (
        PasswordProof(True, guest, parties[0], SEEDS[0]),
        PasswordProof(False, host, parties[1], SEEDS[1]),
    )


def run(guest, host):
    """Carry the four messages and return them."""
    first = guest.start()
    second = host.receive(first)
    third = guest.receive(second)
    fourth = host.receive(third)
    assert guest.receive(fourth) == b""
    return first, second, third, fourth


def test_one_password_is_accepted_on_both_sides():
    """After four short messages each side knows that the other knows the password."""
    guest, host = sides()
    messages = run(guest, host)
    assert guest.accepted
    assert host.accepted
    assert [len(message) for message in messages] == [ELEMENT, ELEMENT, MAC, MAC]


def test_a_wrong_guess_gets_no_answer():
    """The host sees that the guest guessed wrong, and has told it nothing by then."""
    guest, host = sides(guest="dodge citi")
    confirmation = guest.receive(host.receive(guest.start()))
    with pytest.raises(WrongPassword, match="not the same"):
        host.receive(confirmation)
    assert not guest.accepted
    assert not host.accepted


def test_a_guest_shows_its_guess_before_the_host_confirms():
    """What the host sends first is the same element, blinded, whatever the guest guessed."""
    answers = set()
    for guess in ("dodge city", "wrong", "wrong too"):
        guest, host = sides(guest=guess)
        answers.add(host.receive(guest.start()))
        assert not host.accepted
    assert len(answers) == 1


def test_a_host_that_does_not_know_the_password_is_not_accepted():
    """Who poses as a host cannot make the guest believe it, whatever it confirms."""
    guest, host = sides(host="a guess")
    mine = guest.receive(host.receive(guest.start()))
    with pytest.raises(WrongPassword):
        guest.receive(mine)
    assert not guest.accepted


@pytest.mark.parametrize("wrong", [b"", bytes(MAC), bytes(ELEMENT), b"x" * 500])
def test_no_other_bytes_confirm(wrong):
    """A confirmation of any other content or length is a wrong password."""
    guest, host = sides()
    guest.receive(host.receive(guest.start()))
    with pytest.raises(WrongPassword):
        host.receive(wrong)


def test_a_password_is_text_not_bytes():
    """One password typed as composed or as combining characters is one password (NFC)."""
    assert normalized("Cafe\u0301") == normalized("Caf\u00e9") == b"Caf\xc3\xa9"


@pytest.mark.parametrize("text", ["", "x" * (LIMIT + 1), "\ud800"])
def test_passwords_that_are_none_are_refused(text):
    """An empty, too long or invalid password is a sentence for the person who typed it."""
    with pytest.raises(ValueError, match="Choose another"):
        normalized(text)


def test_the_longest_password_is_counted_after_normalization():
    """128 letters, each typed as two characters, are a password."""
    assert len(normalized("e\u0301" * LIMIT)) == 2 * LIMIT


# Attackers in between


def test_messages_relayed_between_two_channels_are_refused():
    """Eve, between Ann and Bob, relays every message; both know the password, and neither agrees.

    Her two channels have two bindings and show her key, not theirs.
    """
    ann, eve_as_bob = joined(bob=EVE)
    eve_as_ann, bob = joined(ann=EVE)
    parties = (
        Parties(ANN.public, ann.peer, ann.binding),
        Parties(bob.peer, BOB.public, bob.binding),
    )
    assert eve_as_bob.binding != eve_as_ann.binding
    guest, host = sides(parties=parties)
    confirmation = guest.receive(host.receive(guest.start()))
    with pytest.raises(WrongPassword):
        host.receive(confirmation)


@pytest.mark.parametrize("field", ["guest", "host", "binding"])
def test_everything_about_the_channel_is_bound(field):
    """Another key of either side, or another binding, is enough to refuse the right password."""
    values = {"guest": ANN.public, "host": BOB.public, "binding": PARTIES.binding}
    other = Parties(**(values | {field: b"o" * 32}))
    guest, host = sides(parties=(PARTIES, other))
    confirmation = guest.receive(host.receive(guest.start()))
    with pytest.raises(WrongPassword):
        host.receive(confirmation)


def test_a_recorded_run_is_worth_nothing():
    """Who recorded a guest's messages cannot join with them: the host's element is another one."""
    guest, host = sides()
    first, _, third, _ = run(guest, host)
    again = PasswordProof(False, "dodge city", PARTIES, b"i" * 32)
    again.receive(first)
    with pytest.raises(WrongPassword):
        again.receive(third)


def test_a_run_sent_back_is_refused():
    """A guest or host that only returns what it gets is told apart."""
    guest, host = sides()
    first = guest.start()
    with pytest.raises(ChannelError, match="sent back"):
        guest.receive(first)
    assert host.receive(first) != first


# Attackers with a recording


CANDIDATES = ["dodge city", *(f"candidate {n}" for n in range(12))]


def generator(candidate):
    """Return the element that stands for a password between these two."""
    return cpace.generator(normalized(candidate), PARTIES_DIGEST, PARTIES.binding)


def in_the_subgroup(element):
    """Tell whether an element is of prime order, on the curve itself: by libsodium, as Edwards'."""
    prime = 2**255 - 19
    u = int.from_bytes(element, "little")
    y = (u - 1) * pow(u + 1, -1, prime) % prime
    return sodium.crypto_core_ed25519_is_valid_point(y.to_bytes(32, "little"))


def test_a_recording_excludes_no_password():
    """Both elements are of the one group of prime order that each candidate's generator spans.

    So each is a multiple of any candidate's, and an observer needs the shared element to check a
    guess, which is a Diffie-Hellman problem for each candidate.
    """
    for seed in range(8):
        guest, host = (PasswordProof(n, "x", PARTIES, bytes([seed, n]) * 16) for n in (True, False))
        assert all(map(in_the_subgroup, run(guest, host)[:2]))
    clamped = b"\x08" + bytes(30) + b"\x40"
    assert all(in_the_subgroup(cpace.multiple(clamped, generator(word))) for word in CANDIDATES)


def test_no_message_is_a_function_of_the_password_alone():
    """With other random seeds all four messages of one password are other ones."""
    one = run(*sides())
    other = run(*(PasswordProof(n == 0, "dodge city", PARTIES, bytes([n]) * 32) for n in (0, 1)))
    assert not set(one) & set(other)
    secret = normalized("dodge city")
    for hidden in (secret, hashlib.sha256(secret).digest(), generator("dodge city")):
        assert all(hidden not in message for message in one)


class PatientHost:
    """A stranger who poses as a host, guesses once in its element, and keeps all it learns."""

    scalar = b"e" * 32

    def __init__(self, guess):
        self.element = cpace.multiple(self.scalar, generator(guess))

    def confirms(self, first):
        """Return what a guest confirms that has the password of the guess."""
        shared = cpace.multiple(self.scalar, first)
        both = ((first, b""), (self.element, b""))
        key = cpace.key(PARTIES.binding, shared, *both)
        return digest("channel/password/guest-confirms", key)


def test_a_false_host_can_check_the_guess_of_its_element():
    """One run does tell a false host whether its one guess was right: that is the promise."""
    guest, _ = sides()
    host = PatientHost("dodge city")
    confirmation = guest.receive(host.element)
    assert host.confirms(guest.start()) == confirmation


def test_a_false_host_can_check_no_second_guess():
    """What explains the confirmation hangs on the element that was sent, not on what it tries now.

    Its element is a multiple of the right generator, too, but by a scalar that nobody knows.
    """
    guest, _ = sides()
    host = PatientHost("a guess")
    confirmation = guest.receive(host.element)
    assert host.confirms(guest.start()) != confirmation
    other = PatientHost("dodge city")
    other.element = host.element
    assert other.confirms(guest.start()) != confirmation


# Hostile elements


@pytest.mark.parametrize("element", SMALL)
def test_elements_outside_the_group_are_refused(element):
    """Elements of small order are the peer's error, on either side."""
    guest, host = sides()
    for side in (guest, host):
        with pytest.raises(ChannelError, match="outside the group"):
            side.receive(bytes.fromhex(element))


@pytest.mark.parametrize("message", [b"", b"A", bytes(31), bytes(33), b"A" + bytes(32)])
def test_messages_of_another_form_are_refused(message):
    """Another length is the peer's error."""
    _, host = sides()
    with pytest.raises(ChannelError, match="first message"):
        host.receive(message)


def test_an_element_without_randomness_is_only_a_guess():
    """A host that sends the generator of the right password has guessed, and is no crash."""
    guest, _ = sides()
    assert len(guest.receive(generator("dodge city"))) == MAC
    assert not guest.accepted


@settings(max_examples=20)
@given(st.lists(st.binary(max_size=40), min_size=1, max_size=3))
def test_any_bytes_raise_the_peers_error(messages):
    """Hostile bytes are never accepted and raise nothing else."""
    guest, _ = sides()
    with pytest.raises(PeerError):
        for message in messages:
            guest.receive(message.ljust(ELEMENT, b"B")[:ELEMENT])
            guest.receive(message)
    assert not guest.accepted


def test_a_run_allows_one_guess():
    """After a wrong confirmation, and after the end, a run takes no more messages."""
    guest, host = sides()
    right = guest.receive(host.receive(guest.start()))
    with pytest.raises(WrongPassword):
        host.receive(bytes(MAC))
    with pytest.raises(ChannelError, match="over"):
        host.receive(right)
    guest, host = sides()
    run(guest, host)
    with pytest.raises(ChannelError, match="over"):
        host.receive(right)
    assert host.accepted


def test_the_guest_begins():
    """Calling ``start`` on the host's side is the caller's mistake."""
    with pytest.raises(ValueError, match="guest"):
        sides()[1].start()


def test_one_seed_never_hides_two_passwords():
    """Even with a repeated seed, the scalars of two passwords and of two sides differ."""
    found = {
        PasswordProof(guest, word, PARTIES, SEEDS[0])._scalar
        for word in ("one", "two")
        for guest in (True, False)
    }
    assert len(found) == 4
