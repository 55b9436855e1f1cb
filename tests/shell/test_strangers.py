"""Strangers crowd out themselves: whoever comes from an own address has room, and its turn."""

import random

import pytest

from lanplay_protocol.shell.node import EACH, STRANGERS
from lanplay_protocol.shell.strangers import REMEMBERED, Turnstile, crowded_out

GUEST = "10.0.0.2"
GUEST_SECONDS = 0.5
"""What a guest's slow laptop needs to go through a handshake."""


def test_nobody_goes_while_there_is_room():
    assert crowded_out({}, 0, 0) is None
    assert crowded_out({1: "a", 2: "a", 3: "b"}, 3, 2) is None


def test_of_the_address_that_has_the_most_the_oldest_goes():
    here = {1: "guest", 2: "flood", 3: "flood", 4: "other"}
    assert crowded_out(here, 3, 9) == 2
    assert crowded_out(here, 9, 1) == 2


def test_where_all_addresses_have_as_many_the_oldest_goes():
    assert crowded_out({1: "a", 2: "b", 3: "a", 4: "b"}, 3, 9) == 1
    assert crowded_out({1: "a", 2: "b"}, 0, 0) == 1


@pytest.mark.parametrize("addresses", [1, 50, STRANGERS - 2])
@pytest.mark.parametrize("rate", [600, 6000])
def test_a_flood_from_other_addresses_never_ends_a_guest_in_its_handshake(addresses, rate):
    """Nor can it hold more than its share, in whatever order its addresses come."""
    draw = random.Random(f"{addresses} {rate}")
    here, step = {}, 1 / rate
    began = None
    for number in range(int(4 * GUEST_SECONDS * rate)):
        if number == 2 * addresses:
            here[-1], began = GUEST, number
        else:
            here[number] = f"flood {draw.randrange(addresses)}"
        if (late := crowded_out(here, STRANGERS, EACH)) is not None:
            assert late != -1
            del here[late]
        assert len(here) <= min(STRANGERS, EACH * (addresses + 1))
        if began is not None and (number - began) * step > GUEST_SECONDS:
            return
    raise AssertionError("the guest never came")


@pytest.mark.parametrize("addresses", [1, 50])
def test_a_guest_waits_for_one_turn_of_each_address_at_most_however_many_wait(addresses):
    """And for none of those that have had theirs."""
    turns = Turnstile(burst=1, per_second=1)
    crowd = [turns.wait(f"flood {number % addresses}") for number in range(300)]
    turns.advance(1.0)
    guests = []
    for second in range(2, 3 * addresses + 4):
        if second in (2, addresses + 3):
            guests.append((second, turns.wait(f"{GUEST} {second}")))
        turns.advance(float(second))
        for came, turn in guests:
            assert turn.is_set() or second - came < (addresses if came == 2 else 1)
    assert sum(turn.is_set() for turn in crowd) == 3 * addresses + 3 - len(guests)


def test_addresses_have_their_turns_one_after_the_other():
    turns = Turnstile(burst=1, per_second=1)
    waiting = {name: turns.wait(name[0]) for name in ("a1", "a2", "a3", "b1", "b2", "c1")}
    order = []
    for second in range(1, 7):
        turns.advance(float(second))
        order += [name for name, turn in waiting.items() if turn.is_set() and name not in order]
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_turns_are_no_more_than_there_is_time_for_and_who_left_has_none():
    turns = Turnstile(burst=4, per_second=10)
    waiting = [turns.wait("a") for _ in range(100)]
    turns.leave(waiting[0])
    turns.advance(1000.0)
    assert [turn.is_set() for turn in waiting[:6]] == [False, True, True, True, True, False]
    turns.advance(1000.5)
    assert sum(turn.is_set() for turn in waiting) == 4 + 4
    assert turns.waiting == 100 - 1 - 8


def test_what_is_remembered_of_addresses_is_bounded():
    turns = Turnstile(burst=10_000, per_second=1)
    for number in range(2 * REMEMBERED):
        turns.wait(f"address {number}")
    turns.advance(1.0)
    assert turns.waiting == 0
    assert len(turns._last) == REMEMBERED
