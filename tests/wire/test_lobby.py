"""The forming table: seats, guests, bots, and the roster they become."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanplay_protocol.errors import PeerError
from lanplay_protocol.lobby import (
    Guest,
    Lobby,
    Seat,
    TableInfo,
    next_hosts,
    outranks,
    parse_table,
    take_over,
)
from lanplay_protocol.replica.roster import parse_roster
from lanplay_protocol.table import BARRED
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text

HOST = b"h" * 32


def lobby(seats=4):
    chairs = (Seat("host", HOST), *(Seat() for _ in range(seats - 1)))
    guests = (Guest(HOST, "host", ()),)
    options = (("brute", "free"),)
    return Lobby(TableInfo("0" * 32, "a table", "dice-town", bytes(16), options, chairs, guests))


def guest(letter, name=None):
    return Guest(letter.encode() * 32, name or letter, (("127.0.0.1", 1),))


def test_guests_take_free_seats_in_order_and_bots_the_rest():
    """Joining takes the first free seat; filling puts the host's bots on all others at once."""
    table = lobby()
    assert [table.join(guest("a")), table.join(guest("b"))] == [1, 2]
    assert table.fill("steady") == 1
    roster = table.start()
    assert [peer.seats for peer in roster.peers] == [(0, 3), (1,), (2,)]


def test_a_guest_without_a_person_sits_down_as_ai():
    """All at the table know from the roster for which seats no person answers."""
    table = lobby(3)
    table.join(guest("a"), "steady")
    table.join(guest("b"))
    assert table.start().bots == ("", "steady", "")


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


@pytest.mark.parametrize(
    ("name", "taken"),
    [("Ｈost", "host"), ("HOST", "host"), ("ﬃne", "ffine"), ("ｓtrong 3", "strong 3")],
)
def test_a_name_that_could_be_taken_for_another_is_refused(name, taken):
    """Full-width letters, ligatures and capitals look like others; AI has names as well."""
    table = lobby(5)
    table.join(guest("a", "ffine"))
    table.seat_bot(2, "strong")
    with pytest.raises(PeerError, match=f"'{name}' could be taken for '{taken}'"):
        table.join(guest("b", name))
    assert table.join(guest("b", "another")) == 3
    table.seat_bot(4, "Strong")
    assert table.info.seats[4].name == "Strong 5"


def test_an_ai_gets_a_name_like_nobody_elses():
    """Nobody can refuse it: it is counted on."""
    table = lobby(3)
    table.join(guest("a", "Ｓtrong 3"))
    table.seat_bot(2, "strong")
    assert table.info.seats[2].name == "strong 3 2"


def test_who_has_a_seat_is_known_by_its_key_whatever_it_is_called():
    """Who is back keeps the name that the table calls it by, though it now calls itself another."""
    table = lobby()
    table.join(guest("a"))
    assert table.join(guest("a", "Ｈost")) == 1
    assert table.info.seats[1].name == "a"


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
    with pytest.raises(ValueError, match="Free seats: 2"):
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


def test_one_key_has_one_place_in_a_roster():
    """Whoever sat there twice would have two votes."""
    table = lobby(2)
    table.join(guest("a"))
    game, version, options, names, (one, other), *rest = table.start().plain()
    twin = (one[0], *other[1:])
    with pytest.raises(PeerError, match="twice"):
        parse_roster((game, version, options, names, (one, twin), *rest))


def kinds(table):
    """Who sits on each seat: a guest's letter, the host (H), a bot (*) or nobody (-)."""
    return "".join(
        "-" if not seat.name else "*" if seat.bot else seat.name[0].replace("h", "H")
        for seat in table.info.seats
    )


def seated(*letters, seats=4):
    table = lobby(seats)
    for letter in letters:
        table.join(guest(letter))
    return table


def test_a_kicked_guest_frees_its_seat_and_cannot_come_back():
    """Who was kicked is told who did it and what to do, then and when it comes again."""
    table = seated("a", "b")
    assert table.kick("A").identity == b"a" * 32
    assert kinds(table) == "H-b-"
    for _ in range(2):
        with pytest.raises(PeerError, match=r"host has sent you away.*lanplay tables"):
            table.join(guest("a"))
    assert table.join(guest("c")) == 1


@pytest.mark.parametrize(("name", "hint"), [("c", "The guests are: a, b"), ("host", "yourself")])
def test_kicking_who_is_no_guest_says_who_is(name, hint):
    """A wrong name, or one's own, is refused with the right ones, and nobody loses a seat."""
    table = seated("a", "b")
    with pytest.raises(ValueError, match=hint):
        table.kick(name)
    assert kinds(table) == "Hab-"


def test_a_locked_table_takes_no_more_guests_until_it_is_unlocked():
    """Newcomers are told that the table is locked; who sits at it stays and may come back."""
    table = seated("a")
    table.lock(True)
    with pytest.raises(PeerError, match=r"locked\. Ask host"):
        table.join(guest("b"))
    assert table.join(guest("a")) == 1
    table.lock(False)
    assert table.join(guest("b")) == 2


def test_locking_twice_is_said():
    """A command that changes nothing says so."""
    table = lobby()
    with pytest.raises(ValueError, match="not locked"):
        table.lock(False)
    table.lock(True)
    with pytest.raises(ValueError, match="already"):
        table.lock(True)


def test_two_seats_change_places():
    """Persons, bots and free seats move alike; the roster has them where they moved."""
    table = seated("a", "b")
    table.move(0, 1)
    table.move(2, 3)
    assert kinds(table) == "aH-b"
    table.fill("steady")
    assert [peer.seats for peer in table.start().peers] == [(1, 2), (0,), (3,)]


@pytest.mark.parametrize(
    ("seats", "hint"), [((0, 4), "1 to 4"), ((-1, 0), "1 to 4"), ((1, 1), "Two")]
)
def test_seats_that_cannot_change_places_are_refused(seats, hint):
    """Seats that do not exist, or one seat twice, are refused with what there is."""
    table = seated("a")
    with pytest.raises(ValueError, match=hint):
        table.move(*seats)
    assert kinds(table) == "Ha--"


def test_one_seat_is_given_to_a_bot_by_name_and_freed_again():
    """A free seat, or one of a bot, takes a named bot; freeing it lets a guest sit there."""
    table = seated("a")
    table.seat_bot(2, "steady")
    table.seat_bot(2, "random")
    assert (kinds(table), table.info.seats[2].bot) == ("Ha*-", "random")
    table.free(2)
    assert table.join(guest("b")) == 2


@pytest.mark.parametrize(("place", "hint"), [(0, "your own"), (1, "kick"), (7, "1 to 4")])
def test_a_persons_seat_is_neither_freed_nor_given_to_a_bot(place, hint):
    """Persons lose no seat by a slip of the keyboard: the sentence says what would do it."""
    table = seated("a")
    for change in (lambda: table.free(place), lambda: table.seat_bot(place, "steady")):
        with pytest.raises(ValueError, match=hint):
            change()
    assert kinds(table) == "Ha--"


def test_a_guest_that_comes_back_is_known_by_what_it_says_now():
    """A restarted program keeps its seat and name, with its new address and nonce."""
    table = seated("a")
    again = Guest(b"a" * 32, "other", (("127.0.0.1", 7),), b"n" * 32)
    assert table.join(again) == 1
    (known,) = table.info.guests[1:]
    assert (known.name, known.addresses, known.nonce) == ("a", again.addresses, again.nonce)


def heir(table, letter):
    return take_over(table.info, Guest(letter.encode() * 32, "?", ()))


def test_the_lowest_seat_is_the_next_host():
    """Guests ask their host, then all who sit before them; the first of them asks nobody else."""
    table = seated("a", "b", "c")
    table.move(1, 3)
    order = {
        letter: [each.name for each in next_hosts(table.info, letter.encode() * 32, False)]
        for letter in "abc"
    }
    assert order == {"c": ["host"], "b": ["host", "c"], "a": ["host", "c", "b"]}
    assert next_hosts(table.info, b"c" * 32, True) == ()


def test_an_heir_keeps_the_table_and_all_seats_but_the_old_hosts():
    """Id, name, options and seats stay; the old host's AI seats are the new host's."""
    table = seated("a", "b")
    table.seat_bot(3, "steady")
    table.kick("b")
    table.join(guest("c"))
    table.lock(True)
    new = heir(table, "a")
    assert kinds(new) == "-ac*"
    assert new.info.host.name == "a"
    assert {seat.peer for seat in new.info.seats} == {b"", b"a" * 32, b"c" * 32}
    old = table.info
    for name in ("table", "name", "options", "settings", "people", "locked", "barred"):
        assert getattr(new.info, name) == getattr(old, name)
    assert new.info.term == old.term + 1


def test_an_heir_waits_for_those_who_sat_at_the_table_and_frees_the_rest():
    """Nobody starts while guests are on their way; those who do not come lose their seats."""
    new = heir(seated("a", "b", "c"), "a")
    for hurry in (lambda: new.fill("steady"), new.start):
        with pytest.raises(ValueError, match="still on their way: 2"):
            hurry()
    assert not new.ready
    assert new.join(guest("c")) == 3
    assert new.give_up()
    assert kinds(new) == "-a-c"
    assert not new.give_up()
    new.fill("steady")
    new.start()


def test_the_old_host_that_comes_back_is_an_ordinary_guest():
    """It sits down on a free seat like anyone, with no say."""
    new = heir(seated("a", "b"), "a")
    assert new.join(Guest(HOST, "host", (), b"n")) == 0
    assert new.info.host.name == "a"
    assert new.leave(HOST)


@pytest.mark.parametrize("left", [True, False])
def test_a_table_without_other_guests_ends_with_a_clear_word(left):
    """Who would be alone is told so and what to do; only a host that may be back is asked first."""
    table = seated("a")
    with pytest.raises(PeerError, match=r"nobody else sits at the table.*lanplay host"):
        next_hosts(table.info, b"a" * 32, left) and heir(table, "a")


def test_a_host_that_seats_not_its_guest_has_no_heir_in_it():
    """A program that is on no seat of the last table cannot take it over."""
    with pytest.raises(PeerError, match="has left"):
        next_hosts(seated("a", "b").info, b"x" * 32, False)


def test_of_two_hosts_of_one_table_all_name_the_same():
    """The later host is the host; of two equally late ones exactly one."""
    first = seated("a", "b", "c")
    one, other = heir(first, "a"), heir(first, "b")
    assert outranks(one.info, first.info)
    assert not outranks(first.info, one.info)
    assert outranks(one.info, other.info) != outranks(other.info, one.info)


def test_a_table_waits_for_as_many_people_as_it_says():
    """With a number it is ready when so many sit there, without when all seats are people's."""
    table = seated("a", seats=3)
    table.seat_bot(2, "steady")
    assert not table.ready
    table.info = replace(table.info, people=2)
    assert table.ready


@pytest.mark.parametrize("field", range(9))
def test_a_table_with_a_wrong_field_is_refused(field):
    """Every field of a table is checked."""
    plain = list(seated("a").info.plain())
    plain[field] = b"wrong"
    with pytest.raises(PeerError):
        parse_table(tuple(plain))


def test_a_table_without_a_host_or_with_a_program_twice_is_refused():
    """There is one host, and every program is at the table once."""
    *head, guests, settings, state = seated("a").info.plain()
    for wrong in ((), guests + guests[:1]):
        with pytest.raises(PeerError):
            parse_table((*head, wrong, settings, state))


@pytest.mark.parametrize(("at", "name"), [(0, "A"), (0, "eve"), (1, "ｈost")])
def test_a_table_where_a_name_may_mean_another_laptop_is_refused(at, name):
    """Who cheats is named: a host cannot call itself, or its seat, what its guest is called."""
    info = seated("a").info
    seats = [replace(seat, name=name) if n == at else seat for n, seat in enumerate(info.seats)]
    with pytest.raises(PeerError):
        parse_table(replace(info, seats=tuple(seats)).plain())
    host = replace(info.host, name="a")
    with pytest.raises(PeerError):
        parse_table(replace(info, guests=(host, *info.guests[1:])).plain())


@pytest.mark.parametrize("table", ["", "odd", "F" * 32, "0" * 31, "0" * 33, "0" * 32 + "\n"])
def test_a_table_whose_id_is_none_is_refused(table):
    """Whoever hosts it next announces it under that id."""
    with pytest.raises(PeerError):
        parse_table(replace(seated("a").info, table=table).plain())


@pytest.mark.parametrize("seat", [Seat("ghost", b"g" * 32), Seat("ghost"), Seat("", b"a" * 32)])
def test_a_seat_is_of_a_program_at_the_table_or_nobodys(seat):
    """What is said from it is shown with the name of that program."""
    info = seated("a").info
    with pytest.raises(PeerError):
        parse_table(replace(info, seats=(*info.seats[:-1], seat)).plain())


def test_of_too_many_who_were_sent_away_the_first_are_forgotten():
    """Whoever was sent away last is never the one to come back."""
    table = lobby()
    names = [bytes([number]) * 32 for number in range(BARRED + 5)]
    for identity in names:
        table.join(Guest(identity, "a", ()))
        table.kick("a")
    assert table.info.barred == tuple(names[5:])
    with pytest.raises(PeerError, match="has sent you away"):
        table.join(Guest(names[-1], "a", ()))


def test_any_number_of_one_name_are_told_apart():
    """The third Ann is no second one."""
    table = lobby(6)
    for letter in "abcd":
        table.join(guest(letter, "Ann"))
    assert [seat.name for seat in table.info.seats[1:5]] == ["Ann", "Ann 2", "Ann 3", "Ann 4"]


def test_a_table_is_not_ready_while_somebody_is_on_the_way():
    """A seat that is kept for its person counts as taken, but its person is not here."""
    new = heir(seated("a", "b", "c"), "a")
    new.info = replace(new.info, people=2)
    assert not new.ready
    new.join(guest("b"))
    assert not new.ready
    new.leave(b"c" * 32)
    assert new.ready
