"""Several people at one laptop, at the forming table and in its talk."""

from __future__ import annotations

import pytest

from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.errors import PeerError
from lanplay_protocol.lobby import Lobby, Seat, TableInfo, parse_table, take_over
from tests.wire.test_chat import Room, word
from tests.wire.test_lobby import HOST, guest, lobby

ANN, BEN = b"a" * 32, b"b" * 32


def shared(seats=6):
    """A table to which two laptops have come: Una and Vic sit at Ann's."""
    table = lobby(seats)
    table.join(guest("a"))
    table.join(guest("b"))
    table.seat(ANN, "Una")
    table.seat(ANN, "Vic")
    return table


def names(table):
    return [seat.name for seat in table.info.seats]


def test_a_further_person_sits_down_at_any_laptop_on_the_first_free_seat():
    """The host's own included; all are the laptop's seats in the roster, and no AI."""
    table = shared()
    table.seat(HOST, "Wim")
    assert names(table) == ["host", "a", "b", "Una", "Vic", "Wim"]
    assert table.info.persons(ANN) == ("a", "Una", "Vic")
    assert parse_table(table.info.plain()).persons(HOST) == ("host", "Wim")
    roster = table.start()
    assert [peer.seats for peer in roster.peers] == [(0, 5), (1, 3, 4), (2,)]
    assert [peer.name for peer in roster.peers] == ["host", "a", "b"]
    assert set(roster.bots) == {""}


def test_the_table_waits_for_people_and_not_for_laptops():
    """Two at one laptop are two; a program that AI answers for is one, the host's AI none."""
    chairs = (Seat("host", HOST), *(Seat() for _ in range(4)))
    head = ("0" * 32, "T", "dice-town", bytes(16))
    table = Lobby(TableInfo(*head, (), chairs, (guest("h"),), people=4))
    table.join(guest("a"))
    table.seat_bot(4, "steady")
    assert table.info.came == 2
    table.seat(ANN, "Una")
    assert not table.ready
    table.join(guest("b"), "steady")
    assert table.info.came == 4
    assert table.ready


@pytest.mark.parametrize("name", ["a", "A"])
def test_equal_names_are_counted_also_here(name):
    """As when a program joins; one that could be mistaken for another is refused."""
    table = shared()
    if name == "a":
        table.seat(BEN, name)
        assert names(table)[5] == "a 2"
    else:
        with pytest.raises(ValueError, match="could be taken for 'a'"):
            table.seat(BEN, name)
        assert table.info.free == 1


def test_a_seat_is_refused_with_its_reason():
    """Where the table is full, locked or plays, and to a laptop that does not sit there."""
    table = shared()
    before = table.info
    with pytest.raises(ValueError, match="does not sit at this table"):
        table.seat(b"x" * 32, "Xen")
    table.lock(True)
    with pytest.raises(ValueError, match="locked"):
        table.seat(ANN, "Wim")
    table.lock(False)
    assert table.info == before
    table.seat(ANN, "Wim")
    with pytest.raises(ValueError, match="full"):
        table.seat(ANN, "Xen")
    table.start()
    with pytest.raises(ValueError, match="begun to play"):
        table.seat(ANN, "Xen")
    with pytest.raises(ValueError, match="sits with you"):
        table.unseat(ANN, "Una")


def test_only_a_laptop_frees_its_own_peoples_seats_and_never_that_of_the_first():
    """Whoever came first can only leave with the program."""
    table = shared()
    for identity, name in ((BEN, "Una"), (ANN, "a"), (ANN, "b"), (ANN, "nobody")):
        with pytest.raises(ValueError, match=r"With you sit: (Una, Vic|-)"):
            table.unseat(identity, name)
    table.unseat(ANN, "una")
    assert names(table) == ["host", "a", "b", "", "Vic", ""]


def test_a_person_is_no_ai_that_the_host_takes_away():
    """It may be sent away alone: its laptop stays, and is not barred."""
    table = shared()
    with pytest.raises(ValueError, match="Una sits in seat"):
        table.free(3)
    with pytest.raises(ValueError, match="Una sits in seat"):
        table.seat_bot(3, "steady")
    assert table.kick("UNA").identity == ANN
    assert names(table) == ["host", "a", "b", "", "Vic", ""]
    assert not table.info.barred
    assert table.kick("a").identity == ANN
    assert names(table) == ["host", "", "b", "", "", ""]


def test_a_program_has_the_place_of_its_first_person_wherever_that_sits():
    """Also where another of its people has moved to a lower seat."""
    table = shared()
    table.move(1, 4)
    assert names(table)[:5] == ["host", "Vic", "b", "Una", "a"]
    assert table.info.place(ANN) == 4
    assert table.info.persons(ANN) == ("a", "Vic", "Una")
    assert [each.name for each in table.info.heirs] == ["b", "a"]


def test_all_people_of_a_lost_laptop_leave_with_it():
    """A guest's, and a host's: the next one inherits its AI only."""
    table = shared()
    table.seat(HOST, "Ben on a phone")
    table.leave(ANN)
    assert names(table) == ["host", "", "b", "", "", "Ben on a phone"]
    table.seat_bot(1, "steady")
    table.join(guest("c"))
    heir = take_over(table.info, guest("b"))
    assert names(heir) == ["", "steady 2", "b", "c", "", ""]
    assert [seat.peer for seat in heir.info.seats if seat.bot] == [BEN]


def test_the_people_of_the_next_host_keep_their_seats_and_so_do_others():
    """Those of other guests are kept as the guests' own are."""
    table = shared()
    heir = take_over(table.info, guest("b"))
    assert names(heir) == ["", "a", "b", "Una", "Vic", ""]
    heir.join(guest("a"))
    assert heir.info.persons(ANN) == ("a", "Una", "Vic")
    heir = take_over(table.info, guest("a"))
    heir.give_up()
    assert names(heir) == ["", "a", "", "Una", "Vic", ""]


def test_what_is_said_names_the_person_of_a_seat():
    """Only of a seat that its laptop has: what it says for another one closes its connection."""
    room = Room(2, 4)
    for seat in (1, 3, None):
        room.handle(1, room.talks[1].say("hello", 0.0, seat))
    room.run()
    heard = [("seat 1", 1), ("seat 3", 3), ("seat 1", 1)]
    assert [(said.name, said.seat) for said in room.of(0, ChatMessage)] == heard
    with pytest.raises(PeerError, match="sits elsewhere"):
        room.talks[0].receive(1, word(room.talks[1]._speak("say", (2, "I am another"))), 0.0)
