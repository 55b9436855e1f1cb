"""Whoever watches over real sockets: comes at any time, is listed, bounded, and let in or not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
import trio

from lanplay.games import load
from lanplay.session.spectating import chosen
from lanplay_protocol import PROTOCOL
from lanplay_protocol.advert import Advert
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Lobby
from lanplay_protocol.replica.events import GameOver, Logged, PhaseCompleted, TrustNeeded
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.restart import last_boundary, restarted_roster
from lanplay_protocol.replica.roster import Peer
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.spectator import NUDGE, answer
from lanplay_protocol.shell import spectator_client
from lanplay_protocol.shell.host import LobbyHost, join
from lanplay_protocol.shell.mdns import Found
from lanplay_protocol.shell.node import PeerDisconnected, PeerMessage, open_node
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.shell.spectator_client import SpectatorClient
from lanplay_protocol.shell.spectator_hub import (
    ARRIVALS,
    PROOFS,
    SILENT_SECONDS,
    TYPING_SECONDS,
    WANTS,
    WATCHERS,
    SpectatorHub,
)
from lanplay_protocol.wire import decode, encode
from tests.replica.harness import Table, roster
from tests.shell.test_table import GAME, LOOPBACK, VERSION, Player, new_table

pytestmark = pytest.mark.whole_games  # who watches changes peers in mid-game
MIDDLE = 20
"""Answers of a player before it waits for whoever is to come."""
LONG = load("dice-town")
"""Goes on for long enough that a spectator finds another laptop."""


class Listed(Player):
    """Tells when somebody is said to watch."""

    def __init__(self, key):
        super().__init__(key)
        self.watched = trio.Event()

    def notice(self, text):
        super().notice(text)
        if text.endswith(" is watching."):
            self.watched.set()


class Patient(Listed):
    """Answers ``MIDDLE`` times, then waits until the test lets it go on."""

    def __init__(self, key):
        super().__init__(key)
        self.answers = 0
        self.there = trio.Event()
        self.go_on = trio.Event()

    async def answer(self, seat, view, question, bot):
        self.answers += 1
        if self.answers == MIDDLE:
            self.there.set()
            await self.go_on.wait()
        return await super().answer(seat, view, question, bot)


class Audience:
    """Remembers what it is shown."""

    def __init__(self):
        self.events = []
        self.notices = []
        self.stepped = trio.Event()

    def table(self, roster):
        self.roster = roster
        return load(roster.game)

    def saw(self, event):
        self.events.append(event)
        self.stepped.set()

    def changed(self):
        pass

    def notice(self, text):
        self.notices.append(text)

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]


class Game:
    """A game of some programs in this process, which waits in its middle for the test."""

    def __init__(self, people=3, settings=None, password="", shut=False, of=GAME):
        self.of = of
        self.people = people
        self.password = password
        self.shut = shut
        self.settings = settings or TableSettings()
        self.outcomes = {}
        self.players = [Patient(b"0"), *(Listed(b"%d" % place) for place in range(1, people))]
        self.playing = {}
        self.ports = {}
        self.scopes = {place: trio.CancelScope() for place in range(people)}
        self.formed = trio.Event()

    @property
    def middle(self):
        return self.players[0].there

    def go_on(self):
        self.players[0].go_on.set()

    async def host(self, task_status):
        async with open_node(Identity(b"a" * 32), VERSION) as node:
            table = replace(new_table(node, self.people, self.of), settings=self.settings)
            gate = Gate(node, self.password) if self.password else None
            hosting = LobbyHost(node, Lobby(table), lambda info: None, gate)
            self.ports[0] = await node.listen(0, LOOPBACK)
            task_status.started(self.ports[0])
            await self.formed.wait()
            await hosting.run(lambda info: len(info.guests) == self.people)
            await self.play(node, await hosting.begin(str), 0, gate)

    async def guest(self, place):
        async with open_node(Identity(bytes([place]) * 32), VERSION) as node:
            self.ports[place] = await node.listen(0, LOOPBACK)
            name = f"guest {place}"
            start = await join(node, LOOPBACK, self.ports[0], name, lambda info: None, self.ask)
            gate = Gate(node, self.password) if self.password else None
            await self.play(node, start, place, gate)

    async def ask(self):
        return self.password

    async def play(self, node, start, place, gate):
        with self.scopes[place]:
            replica = Replica(self.of, start.roster, node.identity, bytes([place]) * 32)
            playing = GameRunner(
                node,
                replica,
                start.roster,
                start.addresses,
                self.players[place],
                gate=gate,
                shut=self.shut,
            )
            self.playing[place] = playing
            self.outcomes[place] = await playing.run()


@asynccontextmanager
async def game(people=3, settings=None, forming=False, **options):
    """Run a game until the block ends; it has begun, unless it is to be ``forming``."""
    table = Game(people, settings, **options)
    with trio.fail_after(280):
        async with trio.open_nursery() as nursery:
            await nursery.start(table.host)
            for place in range(1, people):
                nursery.start_soon(table.guest, place)
            if not forming:
                table.formed.set()
                await table.middle.wait()
            yield table


def types(password):
    """What asks a person who types this password; ``None`` without a person."""

    async def ask():
        return password

    return ask if password else None


async def watch(port, audience, name="Cyril", key=b"w", password=""):
    """Watch the game at a port and return the spectator at its end."""
    async with open_node(Identity(key * 32), VERSION) as node:
        watching = SpectatorClient(node, name, audience, types(password))
        return await watching.run([(LOOPBACK, port)])


async def refused(port, kind, password=""):
    """Return what is raised to who wants to watch at a port."""
    async with open_node(Identity(b"r" * 32), VERSION) as node:
        with pytest.raises(kind) as caught:
            await SpectatorClient(node, "Cyril", Audience(), types(password)).run(
                [(LOOPBACK, port)]
            )
    return str(caught.value)


async def caught_up(audience, table):
    """Wait until an audience has seen the phase at which the table waits."""
    while len(audience.of(PhaseCompleted)) < table.playing[0]._replica.transcript.number:
        audience.stepped = trio.Event()
        await audience.stepped.wait()


async def test_a_whole_game_with_a_watcher_that_joins_in_the_middle():
    """It sees the game from its beginning, is listed at every screen, and ends in its state."""
    audience = Audience()
    found = []
    async with game() as table, trio.open_nursery() as nursery:

        async def follow():
            found.append(await watch(table.ports[1], audience))

        nursery.start_soon(follow)
        await caught_up(audience, table)
        for player in table.players:
            await player.watched.wait()
        assert table.playing[2].spectators == ("Cyril",)
        assert not audience.of(GameOver)
        table.go_on()
    state = table.outcomes[0].record.state_hash
    assert found[0].context.referee.table.hash() == state
    assert tuple(step.state for step in audience.of(PhaseCompleted)) == table.outcomes[0].trace
    assert audience.of(GameOver)[0].result == table.outcomes[0].result
    assert found[0].context.views == {}
    assert audience.of(Logged)
    assert [event.binding for event in audience.of(TrustNeeded)] == [table.players[0].binding]
    assert all("Cyril is watching." in player.notices for player in table.players)
    assert "Cyril has stopped watching. Nobody is watching now." in table.players[1].notices


async def test_who_watches_a_forming_table_waits_for_its_start():
    """It asks again until there is something to see."""
    audience = Audience()
    async with game(2, forming=True) as table, trio.open_nursery() as nursery:
        nursery.start_soon(watch, table.ports[0], audience)
        table.formed.set()
        await audience.stepped.wait()
        table.go_on()
    assert audience.of(GameOver)[0].result == table.outcomes[0].result


async def test_who_waits_for_a_start_is_let_in_by_it(monkeypatch):
    """A short game is over before it would ask again."""
    monkeypatch.setattr("lanplay_protocol.shell.spectator_client.FORMING_SECONDS", 999)
    audience, table, told = Audience(), Game(2), trio.Event()
    monkeypatch.setattr(audience, "notice", lambda text: told.set())
    table.formed.set()
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            await nursery.start(table.host)
            nursery.start_soon(watch, table.ports[0], audience)
            await told.wait()
            nursery.start_soon(table.guest, 1)
            await audience.stepped.wait()
            table.go_on()
    assert audience.of(GameOver)[0].result == table.outcomes[0].result


def test_who_asks_again_before_it_has_its_answer_is_answered_once(door):
    """Two requests of one program may be on their way when a game starts."""
    for _ in range(2):
        asks(door, b"w", "watch", "Cyril")
    assert [kind for who, kind, _ in door.node.sent if who == b"w"].count("watching") == 1
    assert not door.node.closed


def test_who_watched_and_has_lost_its_link_unnoticed_is_answered_on_the_next_one(door):
    """A link is dead for seconds before both ends know it. Its watcher, which knew it first, had no
    answer, took the peer for one that shows nothing, and never came back to it."""
    for _ in range(2):
        door.linked(b"w", 0.0)
        asks(door, b"w", "watch", "Cyril")
    assert [kind for who, kind, _ in door.node.sent if who == b"w"].count("watching") == 2
    assert door.names == ("Cyril",)


@pytest.mark.parametrize("forming", [True, False])
async def test_a_table_that_is_not_watched_says_so(forming):
    """The table option forbids it, before the start and after."""
    async with game(2, TableSettings(spectators=False), forming) as table:
        table.formed.set()
        assert "The host allows no spectators" in await refused(table.ports[0], PeerError)
        await table.middle.wait()
        assert not table.playing[0].spectators
        table.go_on()
    assert table.outcomes[0].result is not None


@pytest.mark.parametrize("forming", [True, False])
async def test_a_watcher_passes_the_same_door(forming):
    """Who proves the table's password watches, before the start and after it, at any peer; others
    do not, and the game is none the worse for it."""
    audience = Audience()
    async with game(2, None, forming, password="tall ship") as table:
        port = table.ports[0] if forming else table.ports[1]
        table.formed.set()
        assert "has a password" in await refused(port, PeerError)
        assert "not the same" in await refused(port, PeerError, "small ship")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(watch, port, audience, password="tall ship"))
            await table.middle.wait()
            await caught_up(audience, table)
            assert table.playing[0].spectators == ("Cyril",)
            table.go_on()
    assert audience.of(GameOver)[0].result == table.outcomes[0].result


async def test_a_watcher_that_changes_its_peer_proves_the_password_again():
    """It is asked for by each laptop, as nobody vouches for it."""
    audience = Audience()
    async with game(3, password="tall ship", of=LONG) as table, trio.open_nursery() as nursery:
        nursery.start_soon(partial(watch, table.ports[2], audience, password="tall ship"))
        await caught_up(audience, table)
        table.playing[2].leave()
        table.scopes[2].cancel()
        table.go_on()
    assert audience.of(GameOver)[0].result == table.outcomes[0].result


async def test_a_peer_that_does_not_know_the_password_lets_nobody_watch():
    """It came back from disk, where no password is kept, and says where to watch."""
    async with game(2, shut=True) as table:
        assert "at another laptop" in await refused(table.ports[0], PeerError)
        table.go_on()


async def test_a_watcher_goes_on_with_another_peer():
    """Its peer leaves in the middle; the others play on, and it sees the end."""
    audience = Audience()
    async with game(3, of=LONG) as table, trio.open_nursery() as nursery:
        nursery.start_soon(watch, table.ports[2], audience)
        await caught_up(audience, table)
        table.playing[2].leave()
        table.scopes[2].cancel()
        table.go_on()
    assert audience.of(GameOver)[0].result == table.outcomes[0].result
    assert any("asking another laptop" in text for text in audience.notices)
    phases = [event.phase for event in audience.of(PhaseCompleted)]
    assert phases == sorted(set(phases))


@pytest.mark.parametrize("word", [("forming", ()), ("password", b"")])
async def test_a_peer_that_lets_who_watched_elsewhere_wait_is_left_for_another(word, monkeypatch):
    """It said that its game had not begun, or asked for a password and fell silent: for ever."""
    monkeypatch.setattr(spectator_client, "ANSWER_SECONDS", 1.0)
    audience, liar = Audience(), list[int]()

    def lies(place, hub):
        honest = hub.receive

        def receive(identity, body, now):
            liar.append(place)
            hub._silent.pop(identity, None)
            if liar[0] != place:
                honest(identity, body, now)
            elif decode(body)[0] == "watch":
                hub._node.send(identity, encode(word))

        hub.receive = receive

    async with game(3, of=LONG) as table, trio.open_nursery() as nursery:
        nursery.start_soon(partial(watch, table.ports[2], audience, password="a word"))
        await caught_up(audience, table)
        for place in (0, 1):
            lies(place, table.playing[place]._spectators)
        table.playing[2].leave()
        table.scopes[2].cancel()
        for _ in range(80):
            await trio.sleep(0.1 if len(set(liar)) < 2 else 0)
        table.go_on()
        if len(set(liar)) < 2:
            nursery.cancel_scope.cancel()
    assert len(set(liar)) == 2
    assert audience.of(GameOver)[0].result == table.outcomes[liar[-1]].result


async def test_a_peer_that_asks_for_a_password_and_falls_silent_ends_the_wait(monkeypatch):
    """Nobody else was known: who wants to watch is told why it cannot."""
    monkeypatch.setattr(spectator_client, "ANSWER_SECONDS", 1.0)
    async with open_node(Identity(b"s" * 32), VERSION) as node, trio.open_nursery() as nursery:
        port = await node.listen(0, LOOPBACK)

        async def serve():
            while True:
                event = await node.events.receive()
                if isinstance(event, PeerMessage) and decode(event.body)[0] == "watch":
                    node.send(event.identity, encode(("password", b"")))

        nursery.start_soon(serve)
        with trio.fail_after(20):
            assert "No answer" in await refused(port, PeerError, "a word")
        nursery.cancel_scope.cancel()


async def test_who_was_shown_a_game_continued_anew_by_one_alone_goes_back_to_the_table():
    """A liar makes one up, among itself; others who sit there show that the old one goes on."""
    audience, liar, shown, back = Audience(), 2, trio.Event(), trio.Event()
    async with game(3, of=LONG) as table, trio.open_nursery() as nursery:
        nursery.start_soon(watch, table.ports[liar], audience)
        await caught_up(audience, table)
        hubs = [table.playing[place]._spectators for place in range(3)]
        node, other = hubs[liar]._node, hubs[0]._node
        history = table.playing[liar]._replica.context.referee.history
        old, seats = audience.roster, range(3)
        holders = [Holder(old.host(seat), old.bot(seat)) for seat in seats]
        begins = last_boundary(LONG, old, list(history))
        made = restarted_roster(LONG, old, list(history), holders, {liar: (bytes(32), begins)})

        def lies(identity, body, real=node.send):
            kind, payload = decode(body)
            if kind == "watching":
                shown.set()
                body = encode((kind, (made.plain(), payload[1])))
            real(identity, body)

        def tells(identity, body, real=other.send):
            real(identity, body)
            if decode(body)[0] == "watching":
                back.set()

        node.send, other.send = lies, tells
        for hub in hubs:
            hub._shut = hub is not hubs[liar]
        node.close(next(iter(hubs[liar]._here)), PeerError(Code.UNEXPECTED, "gone"))
        await shown.wait()
        hubs[0]._shut = False
        await back.wait()
        table.go_on()
    assert audience.roster == old
    assert audience.of(GameOver)[0].result == table.outcomes[0].result


async def test_a_game_that_goes_on_anew_is_followed_there_again_when_its_peer_is_lost():
    """The next one shows that it goes on, from a round that was seen."""
    table, client = Table(roster(3), seed=b"rounds"), SpectatorClient(Quiet(b"w"), "", Audience())
    table.start()
    table.run(lambda t: t.replicas[0].context.referee.table.round > 2, seconds=3000)
    context, old = table.replicas[0].context, table.roster
    voted, both = (
        (context.referee.history, context.seating.holders),
        dict.fromkeys((0, 2), (b"", 2)),
    )
    new = restarted_roster(LONG, old, *voted, both)
    for place, shown in ((0, old), (0, new), (2, new)):
        client._ask(old.peers[place].public)
        client._received(encode(("watching", (shown.plain(), ()))), 0.0)
        assert client.spectator.roster == shown
        while shown is old and client.spectator.position < table.replicas[0].transcript.at:
            for body in answer(table.replicas[0], client.spectator.position):
                client._received(body, 0.0)
        client._lost("gone")
        assert client.spectator.roster == old


async def test_all_who_wait_at_a_forming_table_find_a_peer_that_shows_it(monkeypatch):
    """They know the host alone, which has no room for all: it names the others, in turn.

    Of a table of three with room for two each, six see the whole game; a seventh is told why not.
    """
    monkeypatch.setattr("lanplay_protocol.shell.spectator_hub.WATCHERS", 2)
    client = "lanplay_protocol.shell.spectator_client"
    monkeypatch.setattr(f"{client}.FORMING_SECONDS", 0.05)
    monkeypatch.setattr(f"{client}.ANSWER_SECONDS", 100.0)  # nine programs in one: all are slow
    audiences = [Audience() for _ in range(6)]
    async with game(forming=True) as table, trio.open_nursery() as nursery:
        for number, audience in enumerate(audiences):
            name, key = f"eye {number}", bytes([100 + number])
            nursery.start_soon(watch, table.ports[0], audience, name, key)
        await trio.sleep(0.5)
        table.formed.set()
        await table.middle.wait()
        for audience in audiences:
            await caught_up(audience, table)
        here = [len(table.playing[place]._spectators._here) for place in range(3)]
        assert here == [2, 2, 2]
        assert "too many spectators" in str(await refused(table.ports[0], PeerError))
        table.go_on()
    assert all(audience.of(GameOver) for audience in audiences)


async def test_who_is_refused_at_one_address_tries_the_others():
    """A table that is found has the addresses of all its peers, and one may be silent."""
    audience = Audience()
    async with game() as table, trio.open_nursery() as nursery:
        table.playing[0]._spectators._shut = True
        async with open_node(Identity(b"w" * 32), VERSION) as node:
            watching = SpectatorClient(node, "Cyril", audience)
            places = [(LOOPBACK, 1), *((LOOPBACK, table.ports[place]) for place in (0, 0, 1))]
            nursery.start_soon(watching.run, places)
            await caught_up(audience, table)
            assert table.playing[1]._spectators.any_here
            table.go_on()
            nursery.cancel_scope.cancel()


async def test_a_table_that_does_not_answer_is_an_error():
    """Where nobody answers at first it does not wait."""
    assert await refused(1, OSError)


def shown(identity, start=None):
    """What a peer answers that sits alone at a table."""
    sits = Peer(identity.public, "alone", (0, 1), bytes(32))
    table = replace(roster(2, game=GAME), peers=(sits,), start=start)
    return (table.plain(), ((identity.public, ((LOOPBACK, 1),)),))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda own: 5, "2 fields"),
        (lambda own: ((), ()), "10 fields"),
        (lambda own: (shown(own)[0], 7), "addresses"),
        (lambda own: shown(Identity(b"x" * 32)), "does not sit at the table"),
        (lambda own: shown(own, {"round": "x"}), "the table cannot be"),
    ],
)
async def test_a_malformed_table_is_a_sentence(answer, why):
    """Whatever a stranger shows as its table, who wants to watch gets an error, not a crash."""
    async with open_node(Identity(b"s" * 32), VERSION) as node:
        port = await node.listen(0, LOOPBACK)

        async def serve():
            while True:
                event = await node.events.receive()
                if isinstance(event, PeerMessage):
                    node.send(event.identity, encode(("watching", answer(node.identity))))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            assert why in await refused(port, PeerError)
            nursery.cancel_scope.cancel()


class Quiet:
    """A node without links, that remembers what it is told."""

    def __init__(self, public):
        self.identity = Identity(b"q" * 32)
        self.public = public
        self.seated = frozenset()
        self.sent = []
        self.closed = []
        self.gone = set()

    def seen_at(self, identity):
        if identity in self.gone:
            return ""
        return "10.0.0.2" if identity.startswith(b"guest") else "10.0.0.1"

    def send(self, identity, body):
        self.sent.append((identity, *decode(body)))

    def close(self, identity, error):
        self.closed.append((identity, error.text))


@pytest.fixture
def door():
    """A table's spectators, at a peer whose game is a few phases old."""
    table = Table(roster(2), seed=b"door")
    table.start()
    table.run(lambda t: t.replicas[0].transcript.number > 10)
    notices = []
    node = Quiet(table.roster.peers[0].public)
    spectators = SpectatorHub(
        node, table.replicas[0], dict, notices.append, clock=lambda: spectators.now
    )
    spectators.notices, spectators.node, spectators.now = notices, node, 0.0
    return spectators


def asks(door, who, *message, now=0.0):
    door.receive(who, encode(message), now)


def test_one_watcher_too_many_is_told_so(door):
    """A peer shows its game to a few; another one is refused, and the place of one who went is
    free."""
    for number in range(WATCHERS):
        asks(door, b"%d" % number, "watch", "same name")
    with pytest.raises(PeerError, match="too many spectators"):
        asks(door, b"x", "watch", "one more")
    door.gone(b"0")
    asks(door, b"x", "watch", "one more")
    assert len(door.names) == WATCHERS


def test_a_crowd_from_one_address_makes_room_for_who_watches_from_another(door):
    """It is sent on to another laptop; nobody makes room for one who has as many here."""
    for number in range(WATCHERS):
        asks(door, b"%d" % number, "watch", "crowd")
    for place in range(WATCHERS // 2):
        asks(door, b"guest %d" % place, "watch", "guest")
    assert [who for who, _ in door.node.closed] == [b"%d" % n for n in range(WATCHERS // 2)]
    assert sorted(door.names) == ["crowd"] * (WATCHERS // 2) + ["guest"] * (WATCHERS // 2)
    with pytest.raises(PeerError, match="too many spectators"):
        asks(door, b"guest x", "watch", "guest")
    assert door.node.sent[-1][:2] == (b"guest x", "elsewhere")


def test_who_is_gone_before_its_request_is_read_takes_no_place(door):
    """Nor does it put out anybody: a request that came before the start is read after it."""
    for number in range(WATCHERS):
        asks(door, b"%d" % number, "watch", "eye")
    door.node.gone.add(b"x")
    asks(door, b"x", "watch", "gone")
    assert door.names.count("eye") == len(door.names) == WATCHERS
    assert not door.node.closed


def test_coming_and_going_does_not_flood_the_table(door):
    """A stranger cannot fill the screens by watching again and again; others may still come."""
    with pytest.raises(PeerError, match="too many spectators"):
        for _ in range(ARRIVALS + 1):
            asks(door, b"w", "watch", "again")
            door.gone(b"w")
    asks(door, b"guest", "watch", "another")
    asks(door, b"w", "watch", "again", now=61.0)
    assert list(door._came) == ["10.0.0.1"]


@pytest.mark.parametrize("message", [("move", ()), ("cut", 1), ("watchers", ("a",)), ("bye", b"")])
def test_a_watcher_that_says_anything_else_is_closed(door, message):
    """It may ask for the game and nothing else; without having asked, not even that."""
    with pytest.raises(PeerError, match="you do not sit at it"):
        asks(door, b"w", "want", (0, 0))
    asks(door, b"w", "watch", "Cyril")
    with pytest.raises(PeerError, match="asks for the game, and nothing else"):
        asks(door, b"w", *message)


@pytest.mark.parametrize("want", [0, (0,), (-1, 0), ("a", 0), (1 << 30, 0)])
def test_a_malformed_question_closes(door, want):
    """Whatever is asked in another shape ends the connection, and nothing else."""
    asks(door, b"w", "watch", "Cyril")
    with pytest.raises(PeerError):
        asks(door, b"w", "want", want)


def test_questions_are_answered_as_often_as_anybody_needs(door):
    """Faster ones are not answered; later ones are."""
    asks(door, b"w", "watch", "Cyril")
    for _ in range(3 * WANTS):
        asks(door, b"w", "want", (0, 0))
    assert sum(kind == "here" for _, kind, _ in door.node.sent) == WANTS
    asks(door, b"w", "want", (0, 0), now=NUDGE)
    assert sum(kind == "here" for _, kind, _ in door.node.sent) == WANTS + 1


def test_a_name_is_made_harmless(door):
    """What a stranger calls itself does not move the cursor of anybody's terminal."""
    asks(door, b"w", "watch", "\x1b[2Jeve\u202e")
    assert door.names
    assert not any(set(text) & {"\x1b", "\u202e"} for text in (*door.names, *door.notices))


def test_the_time_to_type_a_password_is_bounded(door):
    """Who is asked for it and does not prove it does not keep a link for ever."""
    door._gate = Gate(door.node, "tall ship")
    asks(door, b"w", "watch", "Cyril")
    door.close_silent(TYPING_SECONDS)
    assert not door.node.closed
    door.close_silent(TYPING_SECONDS + 1)
    assert [who for who, _ in door.node.closed] == [b"w"]


def test_a_flood_of_proofs_is_refused(door):
    """They are checked one by one; more than a few that wait are too many."""
    door._gate = Gate(door.node, "tall ship")
    for _ in range(PROOFS):
        asks(door, b"w", "password", bytes(32))
    with pytest.raises(PeerError, match="Too many people"):
        asks(door, b"w", "password", bytes(32))


def test_links_without_a_word_are_closed(door):
    """Whoever has no seat says soon what it wants."""
    door.linked(b"s", 0.0)
    door.close_silent(SILENT_SECONDS)
    assert not door.node.closed
    door.close_silent(SILENT_SECONDS + 1)
    assert [who for who, _ in door.node.closed] == [b"s"]


def test_who_watches_elsewhere_is_listed_here(door):
    """All peers show all spectators; those of a peer that is gone are taken out."""
    asks(door, b"w", "watch", "Cyril")
    door.peer_said(1, ("Dora",))
    assert door.names == ("Cyril", "Dora")
    assert door.notices == ["Cyril is watching.", "Dora is watching. Watching now: Cyril, Dora."]
    door.peer_lost(1)
    assert door.notices[-1] == "Dora has stopped watching. Watching now: Cyril."


def test_a_peer_that_says_without_end_who_watches_fills_no_screen(door):
    """Who comes and goes is told as fast as it can be read, and what is true then."""
    for number in range(1000):
        door.peer_said(1, (f"Dora {number}",))
    assert len(door.notices) < 4 * WATCHERS
    told, door.now = len(door.notices), 60.0
    door.peer_said(1, ("Eva",))
    assert "Eva is watching." in door.notices[told:]
    assert door.names == ("Eva",)


async def test_who_has_a_seat_is_sent_to_it():
    """A program with a seat at the table does not watch: it takes its seat again."""
    async with game(3) as table:
        table.playing[2].leave()
        table.scopes[2].cancel()
        async with open_node(Identity(bytes([2]) * 32), VERSION) as node:
            await node.dial(LOOPBACK, table.ports[0])
            node.send(table.playing[0]._node.identity.public, encode(("watch", "guest 2")))
            events = [await node.events.receive()]
            while not isinstance(events[-1], PeerDisconnected):
                events.append(await node.events.receive())
        assert "lanplay resume" in events[-1].why
        table.go_on()


def row(name, state, password=False):
    advert = Advert(
        table_id="0" * 32,
        table=name,
        host="host",
        game="dice-town",
        seats=2,
        free=0,
        people=("host",),
        password=password,
        state=state,
        rules=GAME.fingerprint.hex()[:8],
        version="1",
        protocol=PROTOCOL,
        port=1,
    )
    return Found(advert, ((LOOPBACK, 1),))


def test_the_table_to_watch_is_one_that_plays():
    """Running tables come before forming ones, and all before those with a password; a part of the
    name chooses."""
    forming, playing, secret = row("Ann", "open"), row("Bob", "running"), row("Cy", "open", True)
    assert chosen([forming, playing], "") is playing
    assert chosen([forming, playing], "an") is forming
    assert chosen([secret, forming], "") is forming
    assert chosen([secret, forming], "cy") is secret
    assert chosen([], "") is None


COMMON = ["--interface", LOOPBACK, "--quiet", "--json"]


def started(folder, *arguments):
    command = [sys.executable, "-m", "lanplay", *arguments, *COMMON, "--data", str(folder)]
    environment = {**os.environ, "PYTHONPATH": "."}
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        stdin=subprocess.DEVNULL,
        env=environment,
    )


def port_of(host):
    return host.stderr.readline().rsplit(" ", 1)[1].strip(".\n")


BOTS = ["--auto", "random", "--trust-new"]


def test_lanplay_watch_ends_with_the_result(tmp_path):
    """Programs of their own: the watcher's summary is the players', and its record verifies."""
    host = started(tmp_path / "a", "host", "charidice", "--seats", "2", "--people", "2", *BOTS)
    port = port_of(host)
    watcher = started(tmp_path / "w", "watch", f"{LOOPBACK}:{port}", "--name", "Cyril")
    assert "waiting" in watcher.stderr.readline()
    guest = started(tmp_path / "b", "join", f"{LOOPBACK}:{port}", *BOTS)
    ends = []
    for process in (host, guest, watcher):
        out, errors = process.communicate()
        assert process.returncode == 0, errors
        ends.append(json.loads(out.splitlines()[-1]))
    same = ("scores", "winners", "rounds", "state_hash", "trace")
    assert [ends[2][key] for key in same] == [ends[0][key] for key in same]
    verify = [sys.executable, "-m", "lanplay", "verify", ends[2]["record"]]
    assert subprocess.run(verify, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("option", "why"), [("--no-watching", "no spectators"), ("--password-file", "not the same")]
)
def test_lanplay_watch_is_told_that_it_may_not(tmp_path, option, why):
    """A clear sentence and the exit status of what a person can mend."""
    secret, guess = tmp_path / "secret", tmp_path / "guess"
    secret.write_text("a long enough password")
    guess.write_text("another long password")
    more = [option, str(secret)] if option == "--password-file" else [option]
    host = started(tmp_path / "a", "host", "charidice", "--people", "2", *BOTS, *more)
    watcher = started(
        tmp_path / "w", "watch", f"{LOOPBACK}:{port_of(host)}", "--password-file", guess
    )
    _, errors = watcher.communicate()
    host.kill()
    host.communicate()
    assert watcher.returncode == 2
    assert why in errors
