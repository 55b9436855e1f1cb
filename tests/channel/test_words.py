"""The three words: the published list, no bias, and nobody in between."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay_protocol.channel.words import spelled, word_list

PUBLISHED = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
"""SHA-256 of BIP-39's english.txt as published."""


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
