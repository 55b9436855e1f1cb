"""A rematch: everybody has the seat of the game before, who is not back yet and AI included."""

from __future__ import annotations

import gc
import weakref
from argparse import Namespace
from contextlib import asynccontextmanager
from dataclasses import replace
from math import inf

import pytest
import trio

from lanplay.cli.lobby import row_of
from lanplay.engine.game import Result
from lanplay.errors import Mistake
from lanplay.games import load
from lanplay.lines.front_end import LineFrontEnd
from lanplay.session import reconnect
from lanplay.session.audience import OWNER
from lanplay.session.company import fill
from lanplay.session.finding import LobbyFeed
from lanplay.session.forming import HostedTable
from lanplay.session.hosting import advert, rematch_of
from lanplay.session.joining import TableSearch, closed
from lanplay.session.lifecycle import REMATCH_WAIT, seat_again
from lanplay.session.playing import settle
from lanplay.session.profile import public_now, session_identity
from lanplay.session.settings import Target
from lanplay.tui.glyphs import UNICODE
from lanplay.tui.screens.forming import FormingScreen, described
from lanplay.tui.stage import Stage
from lanplay.ui import forming
from lanplay_protocol.advert import fingerprint, from_txt
from lanplay_protocol.errors import PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, take_over
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.discovery import Found
from lanplay_protocol.shell.host import FrozenTable, LobbyHost
from tests.session.harness import client_of, sat_down
from tests.tui.harness import game_of, scene_of, sitting

ANN, BOB, CYD, EVE = (bytes([number]) * 32 for number in range(1, 5))
ROSTER = Roster(
    game="dice-town",
    rules=load("dice-town").fingerprint,
    options={"brute": "free"},
    names=("Bob", "strong 2", "Ann", "Cyd"),
    peers=(
        Peer(ANN, "Ann", (1, 2), bytes([9]) * 32),
        Peer(BOB, "Bob", (0,), bytes([8]) * 32),
        Peer(CYD, "Cyd", (3,), bytes([7]) * 32),
    ),
    bots=("", "strong", "", ""),
    settings=TableSettings(bot="expert"),
)
SAT = FrozenTable(ROSTER, {ANN: (("10.0.0.1", 4001),), BOB: ()}, "Ann's table")


class Node:
    """A node that only counts what it is told to send."""

    def __init__(self, public):
        self.identity = Namespace(public=public, sign=lambda label, body: bytes(64))
        self.sent = []

    def places(self):
        return ()

    def send(self, to, body):
        self.sent.append(to)

    def close(self, to, error):
        pass


def obey(line, hosting):
    submit = HostedTable(hosting, lambda: None).submit
    return forming.obey(line, hosting.lobby.info.game, submit, print)


def hosting():
    table = rematch_of(SAT, Node(ANN))
    changes = []
    node = Node(ANN)
    made = LobbyHost(node, table.lobby, changes.append, patience=table.patience)
    made._to_guests = lambda body: None
    return made, changes


def test_all_seats_are_as_they_were():
    """Names, AI, options, house rules, the table's name; it is another table all the same."""
    table = rematch_of(SAT, Node(ANN))
    info = table.lobby.info
    assert [(seat.name, seat.peer, seat.bot) for seat in info.seats] == [
        ("Bob", BOB, ""),
        ("strong 2", ANN, "strong"),
        ("Ann", ANN, ""),
        ("Cyd", CYD, ""),
    ]
    assert (info.name, info.options, info.settings) == (
        "Ann's table",
        (("brute", "free"),),
        ROSTER.settings,
    )
    assert info.free == 0
    assert table.patience == inf
    assert rematch_of(SAT, Node(ANN)).lobby.info.table != info.table


def test_it_starts_by_itself_once_all_are_back():
    """Whoever comes gets the old seat, in whatever order they come; a stranger gets none."""
    lobby = rematch_of(SAT, Node(ANN)).lobby
    with pytest.raises(PeerError, match="kept for those who played there before: Bob, Cyd"):
        lobby.join(Guest(bytes([5]) * 32, "Eve", ()))
    assert lobby.join(Guest(CYD, "Cyd", (), bytes([1]) * 32)) == 3
    assert not lobby.ready
    assert lobby.join(Guest(BOB, "Bob", (), bytes([2]) * 32)) == 0
    assert lobby.ready
    roster = lobby.start()
    assert (roster.names, roster.bots) == (ROSTER.names, ROSTER.bots)


def test_where_all_sat_at_one_laptop_its_person_says_when_it_starts():
    """Nobody is to come back: it began at once, before anybody new could have a seat of AI."""
    roster = replace(ROSTER, peers=(replace(ROSTER.peers[0], seats=(0, 1, 2, 3)),))
    lobby = rematch_of(replace(SAT, roster=roster), Node(ANN)).lobby
    assert not lobby.ready
    lobby.free(1)
    assert lobby.seat(ANN, "Dan") == 1
    assert not lobby.ready


def test_a_host_that_starts_earlier_is_asked_once_more():
    """The first start names for whom seats are kept, the second puts AI there."""
    made, changes = hosting()
    made.lobby.join(Guest(BOB, "Bob", (), bytes([2]) * 32))
    with pytest.raises(Mistake, match="not back yet: Cyd"):
        obey("start", made)
    assert obey("start", made)
    fill(made.lobby)
    *there, new = [seat.name for seat in made.lobby.info.seats]
    assert there == ["Bob", "strong 2", "Ann"]
    assert new.endswith("(expert)")
    assert changes


def test_the_hosts_screen_tells_who_is_not_back_yet():
    """A seat that is kept is not free, and nobody sits there."""
    lobby = rematch_of(SAT, Node(ANN)).lobby
    rows = [
        "".join(span.text for span in row) for row in described(lobby.info, 0, None, UNICODE, {CYD})
    ]
    assert [row for row in rows if "not back yet" in row] == [row for row in rows if "Cyd" in row]


def test_who_plays_through_anothers_laptop_is_not_shown_as_its_owner():
    """A person with a phone sits with the laptop that holds the seat, be it the host's."""
    info = rematch_of(SAT, Node(ANN)).lobby.info
    info = replace(info, seats=(replace(info.seats[2], name="Tom"), *info.seats[1:]))
    rows = ["".join(span.text for span in row).split() for row in described(info, 9, None, UNICODE)]
    assert ["1", "Tom", "with", "Ann"] in rows
    assert ["3", "Ann", "host"] in rows


def announced(lobby):
    return advert(lobby, port=1, password=False)


def test_a_kept_seat_is_free_to_whom_it_is_kept_for():
    """In the lobby and for join: to nobody else, locked or not, and until that one has come."""
    lobby = rematch_of(SAT, Node(ANN)).lobby
    lobby.lock(True)
    said = announced(lobby)
    assert from_txt({k.encode(): v.encode() for k, v in said.to_txt().items()}, 1) == said
    assert said.free == 0
    assert not closed(said, BOB)
    (kept,) = LobbyFeed(Namespace(tables=[Found(said, ())]), CYD).tables
    assert "kept" in row_of(kept).note
    for stranger in (b"", EVE, ANN):
        (full,) = LobbyFeed(Namespace(tables=[Found(said, ())]), stranger).tables
        assert "keeps its seats" in row_of(full).closed
    lobby.join(Guest(BOB, "Bob", ()))
    lobby.join(Guest(CYD, "Cyd", ()))
    assert "full or locked" in closed(announced(lobby), BOB)


def test_who_is_kicked_before_coming_back_only_loses_the_kept_seat():
    """It is free to anybody then, and to the one it was kept for; who sat down again is barred."""
    made, _changes = hosting()
    lobby = made.lobby
    obey("kick Bob", made)
    assert lobby.info.free == 1
    assert BOB not in made._node.sent
    assert not closed(announced(lobby), EVE)
    assert lobby.join(Guest(BOB, "Bob", (), bytes([2]) * 32)) == 0
    obey("kick Bob", made)
    with pytest.raises(PeerError, match="sent you away"):
        lobby.join(Guest(BOB, "Bob", ()))
    assert lobby.join(Guest(EVE, "Eve", (), bytes([4]) * 32)) == 0
    assert not lobby.ready
    lobby.join(Guest(CYD, "Cyd", (), bytes([3]) * 32))
    assert lobby.ready


def test_the_key_of_a_host_says_what_it_does_to_a_kept_seat():
    """The seat is freed; only who is there is sent away for good."""
    typed = []
    screen = FormingScreen(Stage(), lambda game: (), str)
    screen._obey = lambda text: typed.append(text)
    lobby = rematch_of(SAT, Node(ANN)).lobby
    lobby.join(Guest(BOB, "Bob", (), bytes([2]) * 32))
    screen.seats(lobby.info, lobby.awaited)
    shown = []
    for keys in (("k", "y"), ("down", "down", "down", "k", "y")):
        for key in keys:
            screen.press(key)
            shown += screen._hints()[:1]
    assert [text for key, text in shown if key == "y"] == [
        "send Bob away for good",
        "free the seat kept for Cyd",
    ]
    assert typed == ["kick Bob", "kick Cyd"]


def test_who_inherits_a_rematch_keeps_the_seats_too():
    """The host goes: the next one's table, too, is open to whom it keeps a seat for."""
    lobby = rematch_of(SAT, Node(ANN)).lobby
    lobby.join(Guest(BOB, "Bob", (), bytes([2]) * 32))
    heir = take_over(lobby.info, Guest(BOB, "Bob", (), bytes([2]) * 32))
    assert not closed(announced(heir), CYD)
    assert heir.late == tuple(guest for guest in lobby.info.guests if guest.identity == CYD)


async def test_the_result_tells_that_the_host_wants_a_rematch():
    """As long as a table keeps the person's seat; r sits down there."""
    async with sitting() as person:
        table = person.table()
        played = game_of(1)
        table.sees(lambda: scene_of(played, played.views[0]))
        wanted = []

        async def over():
            wanted.append(await table.over(Result((1, 2, 3, 4), (3,)), True, None))

        table.invited("Ann")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(over)
            await person.press()
            assert "wants a rematch" not in person.text()
            table.invited("Ann")
            assert "Ann wants a rematch: r takes your seat." in person.text()
            table.invited("")
            assert "wants a rematch" not in person.text()
            await person.press("r")
        assert wanted == [True]


def test_the_line_interface_tells_it_too(capsys):
    """A line with what to type; nothing is said when nobody waits any more."""
    desk = LineFrontEnd()
    desk.invited("Ann")
    desk.invited("")
    assert capsys.readouterr().err.splitlines() == [
        "Ann wants a rematch. Type y for a rematch with the same seats, or Enter to end."
    ]


@pytest.mark.parametrize(
    ("rematch", "typed", "again"),
    [(True, ["c", "c", "y"], True), (True, ["c", ""], False), (False, ["c", ""], False)],
)
async def test_where_a_game_ends_lines_tell_luck_and_decisions_as_often_as_asked(
    rematch, typed, again, monkeypatch, capsys
):
    """Then the person is asked once more what it wants; y counts where there is a rematch."""
    asked = []

    async def choice(question, how, answers):
        asked.append(question)
        return answers[typed[len(asked) - 1]]

    monkeypatch.setattr("lanplay.lines.front_end.choice", choice)
    monkeypatch.setattr("lanplay.lines.front_end.at_keyboard", lambda: True)
    result = Result((1, 0), (0,))
    assert await LineFrontEnd().over(result, rematch, lambda: ["Luck: +3"]) is again
    assert all(each.startswith("Type c to see") for each in asked)
    assert all(("Type y" in each) is rematch for each in asked)
    assert capsys.readouterr().err.count("Luck: +3") == typed.count("c")


async def test_what_tables_keep_is_told_to_whose_game_is_over(monkeypatch, tmp_path):
    """Each host once, as its table comes and goes; tables that keep nothing are passed over."""
    me = session_identity(tmp_path, print).public
    lobby = rematch_of(SAT, Node(ANN)).lobby
    other = Found(announced(lobby), ())
    mine = Found(replace(other.advert, kept=(fingerprint(me),)), ())
    seen = [(), (other,), (other, mine), (mine,), ()]
    told = []

    class Nearby:
        @property
        def tables(self):
            return seen[0]

        async def changed(self):
            seen.pop(0)
            if not seen:
                raise KeyboardInterrupt

    @asynccontextmanager
    async def opened(_):
        yield Nearby()

    monkeypatch.setattr(reconnect, "open_discovery", opened)
    with pytest.raises(KeyboardInterrupt):
        await reconnect.await_rematch(client_of(tmp_path), str, told.append)
    assert told == ["Ann", ""]


def test_a_lobby_knows_its_key_without_taking_it(tmp_path):
    """Another program may be started meanwhile; what one of this program holds is known too."""
    assert public_now(tmp_path) == b""
    kept = Identity(bytes(32))
    (tmp_path / "identity.key").write_bytes(bytes(32))
    assert public_now(tmp_path) == kept.public
    assert session_identity(tmp_path, print).public == public_now(tmp_path) == kept.public


async def test_guests_go_to_where_their_host_was():
    """The host opens the table anew, all others look for it at its address for ten minutes."""
    assert seat_again(SAT, Node(ANN)).lobby.info.host.identity == ANN
    target = seat_again(SAT, Node(BOB))
    assert isinstance(target, Target)
    assert list(await TableSearch(target, print).addresses()) == [("10.0.0.1", 4001)]
    assert (target.wait, target.host) == (REMATCH_WAIT, "Ann")


def test_a_game_after_another_frees_what_that_one_has_left():
    """What goes round in circles is passed over while its game lasts, and no longer."""

    class Left:
        pass

    left = Left()
    left.itself = left
    alive = weakref.ref(left)
    settle()
    del left
    gc.collect()
    assert alive() is not None
    settle()
    assert alive() is None
    gc.unfreeze()


async def test_what_is_shown_of_a_game_that_has_gone_is_its_last_moment():
    """A screen may be drawn between the end of a game and the news of it."""
    async with trio.open_nursery() as own:
        person = await sat_down(own)
        shown, commands = person.presenter._scene(), person.console.commands()
        person.presenter.take = lambda event: None  # the news is still on its way
        person.session.search()
        assert person.session.snapshot(OWNER).table is None
        assert person.presenter._scene().table == shown.table
        assert len(person.console.commands()) <= len(commands)
        own.cancel_scope.cancel()
