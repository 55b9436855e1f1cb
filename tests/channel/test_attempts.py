"""How fast a table's password can be guessed, by one key, by many, and at once."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay_protocol.channel.attempts import IN_ALL, KEYS, PATIENCE, PER_KEY, Attempts
from lanplay_protocol.channel.errors import ChannelError

ANN = b"a" * 32


def key(n):
    """Return the n-th key of somebody who makes keys."""
    return n.to_bytes(32, "big")


def guesses(attempts, keys, seconds):
    """Count the guesses of an attacker who uses the keys in turn, each as early as it may."""
    now, count = 0.0, 0
    while now < seconds:
        chosen = keys(count)
        if wait := attempts.wait(chosen, now):
            now += wait
            continue
        attempts.begin(chosen, now)
        count += 1
    return count


def test_the_first_wrong_guesses_cost_nothing():
    """Somebody who mistypes twice may try a third time at once."""
    attempts = Attempts()
    for _ in range(PER_KEY.free):
        assert attempts.wait(ANN, 0.0) == 0.0
        attempts.begin(ANN, 0.0)
    assert attempts.wait(ANN, 0.0) == 1.0
    assert attempts.wait(key(1), 0.0) == 0.0


def test_each_further_guess_doubles_the_delay():
    """One key waits 1, 2, 4 … seconds, at most five minutes, and the delay passes."""
    attempts, now, waits = Attempts(), 0.0, []
    for _ in range(13):
        attempts.begin(ANN, now)
        waits.append(attempts._keys[ANN].until - now)
        now += attempts.wait(ANN, now)
    assert waits == [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]


def test_an_early_guess_is_refused_in_words():
    """The error says how long to wait, and the refused guess is not counted."""
    attempts = Attempts()
    for _ in range(PER_KEY.free):
        attempts.begin(ANN, 5.0)
    with pytest.raises(ChannelError, match="Try again in 1 s"):
        attempts.begin(ANN, 5.5)
    assert attempts.wrong == attempts._keys[ANN].wrong == PER_KEY.free


def test_one_key_gets_few_guesses():
    """An hour of one key is about twenty guesses."""
    assert guesses(Attempts(), lambda _: ANN, 3600) < 24


def test_new_keys_get_no_more_than_the_table_allows():
    """A fresh key for every guess still gives at most one guess in ten seconds."""
    assert guesses(Attempts(), key, 3600) <= IN_ALL.free + 3600 / IN_ALL.longest + 4


def test_guesses_at_once_are_charged_at_once():
    """Runs in parallel are counted when they begin, so that they are no way around the delay."""
    attempts = Attempts()
    with pytest.raises(ChannelError):
        for n in range(100):
            attempts.begin(key(n), 0.0)
    assert attempts.wrong == IN_ALL.free


def test_a_right_password_is_not_held_against_anybody():
    """A guest who mistyped and then got in leaves no delay for itself."""
    attempts = Attempts()
    for now in (0.0, 1.0):
        attempts.begin(ANN, now)
    attempts.succeeded(ANN)
    assert ANN not in attempts._keys
    assert attempts.wait(ANN, 2.0) == 0.0
    assert attempts.wrong == 1


def test_a_guest_gets_in_while_a_stranger_guesses():
    """Whatever a stranger does, a key that has not guessed yet waits at most ten seconds."""
    attempts = Attempts()
    guesses(attempts, key, 3600)
    assert attempts.wait(ANN, 3600.0) <= IN_ALL.longest


def test_who_knows_the_password_comes_in_beside_a_stranger_that_guesses_all_the_time():
    """Somebody who retries now and then has its turn; the next one is the stranger's again."""
    attempts, guessed, came = Attempts(), 0, 0
    for turn in range(40 * 1800):  # half an hour of 40 handshakes a second
        now = turn / 40
        if turn % 200 == 7:
            with suppress(ChannelError):
                attempts.begin(ANN, now, "10.0.0.2")
                attempts.succeeded(ANN)
                came += 1
        with suppress(ChannelError):
            attempts.begin(key(turn), now, "10.0.0.3")
            guessed += 1
    assert came > 50
    assert 50 < guessed <= IN_ALL.free + 1800 / IN_ALL.longest + 4


def test_who_has_waited_and_does_not_come_back_loses_its_turn():
    attempts = Attempts()
    for _ in range(IN_ALL.free):
        attempts.begin(key(_), 0.0, "10.0.0.3")
    with pytest.raises(ChannelError):
        attempts.begin(ANN, 0.5, "10.0.0.2")
    assert attempts.wait(key(99), 1.0, "10.0.0.3") == PATIENCE - 0.5
    assert attempts.wait(ANN, 1.0, "10.0.0.2") == 0.0
    assert attempts.wait(key(99), 0.5 + PATIENCE, "10.0.0.3") == 0.0


def test_memory_is_bounded():
    """Only so many keys are remembered; what is forgotten still counts in the sum."""
    attempts = Attempts()
    count = guesses(attempts, key, 4000)
    assert count > KEYS
    assert len(attempts._keys) == KEYS
    assert attempts.wrong == count
    assert key(0) not in attempts._keys
    for turn in range(KEYS + 4):
        for now in (2e4 + 100 * turn, 2e4 + 100 * turn + 1):
            with suppress(ChannelError):
                attempts.begin(key(turn), now, str(turn))
    assert len(attempts._turns) == KEYS
    assert len(attempts._asked) <= KEYS


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.floats(0, 1000)), max_size=60))
def test_the_sum_is_never_below_what_one_key_did(steps):
    """Over any mixture of guesses and successes no count is negative and no key exceeds the sum."""
    attempts, now = Attempts(), 0.0
    for n, success, pause in steps:
        now += pause
        if attempts.wait(key(n), now):
            continue
        attempts.begin(key(n), now)
        if success:
            attempts.succeeded(key(n))
        assert all(0 <= each.wrong <= attempts.wrong for each in attempts._keys.values())
