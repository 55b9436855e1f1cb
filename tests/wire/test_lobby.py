"""The forming table: seats, guests, bots, and the roster they become."""

from __future__ import annotations

import pytest

from protocol.errors import PeerError
from protocol.lobby import Guest, Lobby, Seat, TableInfo, parse_table
from protocol.replica.roster import parse_roster
from protocol.text import NICKNAME_LIMIT, clean_text

HOST = b"h" * 32


def lobby(seats=4):
    chairs = (Seat("host", HOST), *(Seat() for _ in range(seats - 1)))
    guests = (Guest(HOST, "host", ()),)
    options = (("brute", "free"),)
    return Lobby(TableInfo("t", "a table", "dice-town", 1, options, chairs, guests))


def guest(letter, name=None):
    return Guest(letter.encode() * 32, name or letter, (("127.0.0.1", 1),))


def test_guests_take_free_seats_in_order_and_bots_the_rest():
    """Joining takes the first free seat; filling puts the host's bots on all others at once."""
    table = lobby()
    assert [table.join(guest("a")), table.join(guest("b"))] == [1, 2]
    assert table.fill("steady") == 1
    roster = table.start()
    assert [peer.seats for peer in roster.peers] == [(0, 3), (1,), (2,)]


def test_a_guest_that_joins_again_keeps_its_seat():
    """One identity holds one seat of its own."""
    table = lobby()
    assert table.join(guest("a")) == table.join(guest("a")) == 1
    assert table.info.free == 2


def test_names_at_a_table_are_unique():
    """Two guests of one name can be told apart."""
    table = lobby()
    table.join(guest("a", "host"))
    assert [seat.name for seat in table.info.seats[:2]] == ["host", "host 2"]


def test_unique_names_stay_within_their_limit():
    """Two guests with the same longest name are told apart by names that are no longer."""
    table = lobby()
    for letter in "ab":
        table.join(guest(letter, "漢" * 10))
    names = [seat.name for seat in table.info.seats[1:3]]
    assert len(set(names)) == 2
    assert all(clean_text(name, NICKNAME_LIMIT) == name for name in names)


def test_a_full_table_says_so():
    """Joining a full table is refused with the reason."""
    table = lobby(2)
    table.join(guest("a"))
    with pytest.raises(PeerError, match="full"):
        table.join(guest("b"))


def test_a_running_table_takes_nobody():
    """Once the table has begun, newcomers are told so."""
    table = lobby(2)
    table.fill("steady")
    table.start()
    with pytest.raises(PeerError, match="begun"):
        table.join(guest("a"))


def test_a_guest_that_leaves_frees_its_seat():
    """A seat is free again when its guest is gone; the host's never is."""
    table = lobby()
    table.join(guest("a"))
    assert table.leave(b"a" * 32)
    assert not table.leave(HOST)
    assert table.info.free == 3
    assert len(table.info.guests) == 1


def test_a_table_with_free_seats_does_not_start():
    """Starting needs somebody on every seat."""
    with pytest.raises(ValueError, match="2 seats are free"):
        lobby(3).start()


def test_table_and_roster_travel_unchanged():
    """What is sent of a table is what is read."""
    table = lobby()
    table.join(guest("a"))
    table.fill("steady")
    assert parse_table(table.info.plain()) == table.info
    roster = table.start()
    assert parse_roster(roster.plain()) == roster


@pytest.mark.parametrize("field", range(7))
def test_a_roster_with_a_wrong_field_is_refused(field):
    """Every field of a roster is checked."""
    table = lobby(2)
    table.fill("steady")
    plain = list(table.start().plain())
    plain[field] = b"wrong"
    with pytest.raises(PeerError):
        parse_roster(tuple(plain))


def test_every_seat_has_exactly_one_host():
    """A roster in which a seat is held twice or by nobody is refused."""
    table = lobby(2)
    table.join(guest("a"))
    game, version, options, names, peers, *rest = table.start().plain()
    (one, name, _, _), two = peers
    with pytest.raises(PeerError):
        parse_roster((game, version, options, names, ((one, name, (0, 1), b""), two), *rest))
    with pytest.raises(PeerError):
        parse_roster((game, version, options, names, (two,), *rest))
