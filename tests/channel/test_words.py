"""The three words: the published list, no bias, and nobody in between."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay_protocol.channel.errors import ChannelError
from lanplay_protocol.channel.words import check, commitment, spelled, word_list, words
from lanplay_protocol.errors import Code
from tests.channel.harness import ANN, BOB, EVE

PUBLISHED = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
"""SHA-256 of BIP-39's english.txt as published."""
NONCES = {ANN.public: b"a" * 16, BOB.public: b"b" * 16, EVE.public: b"e" * 16}


def test_the_list_is_as_published():
    """The word list is BIP-39's, byte for byte, so every program ever built shows the same."""
    data = files("lanplay_protocol.channel").joinpath("words.txt").read_bytes()
    assert hashlib.sha256(data).hexdigest() == PUBLISHED


def test_the_words_are_easy_to_tell_apart():
    """2048 words of 3 to 8 plain letters, no two with the same first four."""
    assert len({word[:4] for word in word_list()}) == 2048
    assert all(word.isascii() and word.islower() and 3 <= len(word) <= 8 for word in word_list())


@given(st.integers(0, 2**33 - 1), st.integers(0, 127), st.binary(max_size=27))
def test_every_33_bits_have_their_own_words(number, rest, tail):
    """Words and 33-bit numbers correspond one to one, so no word is likelier than another."""
    shown = spelled((number << 7 | rest).to_bytes(5, "big") + tail)
    index = word_list().index
    first, second, third = map(index, shown)
    assert (first << 22) + (second << 11) + third == number


@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_word_can_come_at_every_place(place):
    """Each of the 2048 words is shown at each place by exactly one value of its 11 bits."""
    shift = 7 + 11 * (2 - place)
    shown = [spelled((n << shift).to_bytes(5, "big"))[place] for n in range(2048)]
    assert tuple(shown) == word_list()


def test_words_of_many_rosters_are_even():
    """Over 40,000 words no count strays from the even one (chi-square, 2047 degrees of freedom).

    The draws are fixed, so the figure is always the same; 2290 is exceeded once in 10,000.
    """
    counts = dict.fromkeys(word_list(), 0)
    for n in range(13_334):
        for word in words({ANN.public: n.to_bytes(16, "big")}):
            counts[word] += 1
    even = 3 * 13_334 / 2048
    assert sum((count - even) ** 2 / even for count in counts.values()) < 2290


def test_all_screens_show_the_same():
    """The order in which a program learnt the nonces does not matter."""
    assert words(NONCES) == words(dict(reversed(NONCES.items())))


@pytest.mark.parametrize("key", NONCES)
def test_everybody_contributes(key):
    """Another nonce of anybody, or another roster, gives other words."""
    fewer = {k: nonce for k, nonce in NONCES.items() if k != key}
    assert len({words(NONCES), words(NONCES | {key: b"x" * 16}), words(fewer)}) == 3


def test_keys_count_as_well_as_nonces():
    """Another key in the roster gives other words, even with the same nonces in the same order."""
    rosters = [sorted((ANN.public, other.public)) for other in (BOB, EVE)]
    assert (
        len({words(dict(zip(keys, (b"1" * 16, b"2" * 16), strict=True))) for keys in rosters}) == 2
    )


def test_somebody_in_between_shows_other_words():
    """Eve, who plays Bob to Ann and Ann to Bob, passes on every nonce: their words differ."""
    on_anns_screen = words({ANN.public: NONCES[ANN.public], EVE.public: NONCES[BOB.public]})
    on_bobs_screen = words({BOB.public: NONCES[BOB.public], EVE.public: NONCES[ANN.public]})
    assert on_anns_screen != on_bobs_screen


def test_a_commitment_opens_with_its_nonce_only():
    """A second nonce, somebody else's key or a copied commitment is the peer's error."""
    committed = commitment(NONCES[ANN.public], ANN.public)
    check(committed, NONCES[ANN.public], ANN.public)
    for nonce, key in ((b"x" * 16, ANN.public), (NONCES[ANN.public], EVE.public)):
        with pytest.raises(ChannelError) as error:
            check(committed, nonce, key)
        assert error.value.code == Code.BAD_OPENING


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_hostile_openings_are_the_peers_error(committed, nonce):
    """Bytes of any length that are no opening raise nothing but the peer's error."""
    with pytest.raises(ChannelError):
        check(committed, nonce, ANN.public)


def test_own_contributions_are_checked():
    """A caller with a nonce or a key of another size hears so."""
    with pytest.raises(ValueError, match="16"):
        commitment(b"short", ANN.public)
    with pytest.raises(ValueError, match="32"):
        commitment(b"n" * 16, b"short")
