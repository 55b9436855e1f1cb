"""A rematch: everybody has the seat of the game before, who is not back yet and AI included."""

from __future__ import annotations

from argparse import Namespace
from math import inf

import pytest

from lanplay.cli.commanding import obey
from lanplay.cli.hosting import again
from lanplay.cli.joining import Search
from lanplay.cli.sitting import REMATCH_WAIT, seat_again
from lanplay.errors import Mistake
from lanplay.tui.glyphs import UNICODE
from lanplay.tui.screens.forming import described
from protocol.errors import PeerError
from protocol.lobby import Guest
from protocol.replica.house import House
from protocol.replica.roster import Peer, Roster
from protocol.shell.gather import Hosting, Start

ANN, BOB, CYD = (bytes([number]) * 32 for number in range(1, 4))
ROSTER = Roster(
    game="dice-town",
    version=1,
    options={"brute": "free"},
    names=("Bob", "strong 2", "Ann", "Cyd"),
    peers=(
        Peer(ANN, "Ann", (1, 2), bytes([9]) * 32),
        Peer(BOB, "Bob", (0,), bytes([8]) * 32),
        Peer(CYD, "Cyd", (3,), bytes([7]) * 32),
    ),
    bots=("", "strong", "", ""),
    house=House(bot="expert"),
)
SAT = Start(ROSTER, {ANN: (("10.0.0.1", 4001),), BOB: ()}, "Ann's table")


class Node:
    """A node that only counts what it is told to send."""

    def __init__(self, public):
        self.identity = Namespace(public=public)
        self.sent = []

    def send(self, to, body):
        self.sent.append(to)


def hosting():
    table = again(SAT, Node(ANN))
    changes = []
    node = Node(ANN)
    made = Hosting(node, table.lobby, changes.append, patience=table.patience)
    made._to_guests = lambda body: None
    return made, changes


def test_all_seats_are_as_they_were():
    """Names, AI, options, house rules, the table's name; it is another table all the same."""
    table = again(SAT, Node(ANN))
    info = table.lobby.info
    assert [(seat.name, seat.peer, seat.bot) for seat in info.seats] == [
        ("Bob", BOB, ""),
        ("strong 2", ANN, "strong"),
        ("Ann", ANN, ""),
        ("Cyd", CYD, ""),
    ]
    assert (info.name, info.options, info.house) == (
        "Ann's table",
        (("brute", "free"),),
        ROSTER.house,
    )
    assert info.free == 0
    assert table.patience == inf
    assert again(SAT, Node(ANN)).lobby.info.table != info.table


def test_it_starts_by_itself_once_all_are_back():
    """Whoever comes gets the old seat, in whatever order they come; a stranger gets none."""
    lobby = again(SAT, Node(ANN)).lobby
    with pytest.raises(PeerError, match="full"):
        lobby.join(Guest(bytes([5]) * 32, "Eve", ()))
    assert lobby.join(Guest(CYD, "Cyd", (), bytes([1]) * 32)) == 3
    assert not lobby.ready
    assert lobby.join(Guest(BOB, "Bob", (), bytes([2]) * 32)) == 0
    assert lobby.ready
    roster = lobby.start()
    assert (roster.names, roster.bots) == (ROSTER.names, ROSTER.bots)


def test_a_host_that_starts_earlier_is_asked_once_more():
    """The first start names for whom seats are kept, the second puts AI there."""
    made, changes = hosting()
    made.lobby.join(Guest(BOB, "Bob", (), bytes([2]) * 32))
    with pytest.raises(Mistake, match="not back yet: Cyd"):
        obey("start", made)
    assert obey("start", made)
    assert [seat.name for seat in made.lobby.info.seats] == ["Bob", "strong 2", "Ann", "expert 4"]
    assert changes


def test_the_hosts_screen_tells_who_is_not_back_yet():
    """A seat that is kept is not free, and nobody sits there."""
    lobby = again(SAT, Node(ANN)).lobby
    rows = [
        "".join(span.text for span in row) for row in described(lobby.info, 0, None, UNICODE, {CYD})
    ]
    assert [row for row in rows if "not back yet" in row] == [row for row in rows if "Cyd" in row]


async def test_guests_go_to_where_their_host_was():
    """The host opens the table anew, all others look for it at its address for ten minutes."""
    args = Namespace(table=None)
    assert seat_again(SAT, Node(ANN), args).lobby.info.host.identity == ANN
    search = seat_again(SAT, Node(BOB), args)
    assert isinstance(search, Search)
    assert list(await search.addresses()) == [("10.0.0.1", 4001)]
    assert search._wait == REMATCH_WAIT
