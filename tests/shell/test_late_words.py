"""A game that came to nothing is still spoken of on links at which its table forms again."""

from __future__ import annotations

import os

import pytest
import trio

from lanplay.errors import Fault
from lanplay_protocol.errors import PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.lobby import Guest, Lobby, Seat, TableInfo
from lanplay_protocol.replica.failure_detector import Liveness
from lanplay_protocol.shell.host import LobbyHost, Refused, join
from lanplay_protocol.shell.node import (
    PeerConnected,
    PeerDisconnected,
    PeerMessage,
    open_node,
)
from lanplay_protocol.shell.runner import NOT_WITH_IT
from lanplay_protocol.wire import encode
from tests.replica.harness import identity
from tests.shell import test_host
from tests.shell.test_links import no_network, playing  # noqa: F401  # a fixture

LOOPBACK = "127.0.0.1"


async def test_what_was_said_of_the_last_game_costs_no_guest_its_seat():
    """Two that give a game up at one time: the word of one reached the other when that hosted the
    table again. The answer, that it is no request, was taken for a refusal: the program ended."""
    hosts, comes = Identity(os.urandom(32)), Identity(os.urandom(32))
    async with open_node(hosts, "1") as there, open_node(comes, "1") as here:
        await there.listen(0, LOOPBACK)
        chairs = (Seat("ann", hosts.public), Seat())
        guests = (Guest(hosts.public, "ann", ()),)
        info = TableInfo("0" * 32, "a table", "dice-town", bytes(16), (), chairs, guests)
        sits = trio.Event()

        def changed(info):
            if not info.free:
                sits.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(LobbyHost(there, Lobby(info), changed).run, lambda info: False)
            await here.dial(LOOPBACK, there.port)
            here.send(hosts.public, encode(("waits", b"")))
            with trio.fail_after(20), pytest.raises(PeerError) as turned:
                await join(here, LOOPBACK, there.port, "bob", print)
            assert not isinstance(turned.value, Refused)
            nursery.start_soon(join, here, LOOPBACK, there.port, "bob", print)
            with trio.fail_after(20):
                await sits.wait()
            nursery.cancel_scope.cancel()


OUT = encode(("out", ("LINK_ELSEWHERE", ())))
PRESENCE = encode(("presence", Liveness(frozenset()).plain()))


def turns_away(playing):  # noqa: F811
    playing._received(PeerMessage(identity(0).public, OUT))
    playing._linked_down(PeerDisconnected(identity(0).public, ""))


def plays_on_elsewhere(playing):  # noqa: F811
    playing._linked_down(PeerDisconnected(identity(0).public, NOT_WITH_IT))


@pytest.mark.parametrize("goes", [turns_away, plays_on_elsewhere])
async def test_who_is_at_another_table_is_not_back_before_it_says_so(
    playing,  # noqa: F811
    autojump_clock,
    goes,
):
    """Who had gone on without those that came back late was gone and back on their screens, again
    and again, as each link that it closed counted as its return. Who forms a table is gone to."""
    playing._heard(2, encode(("presence", Liveness(frozenset({0})).plain())))
    playing.node.linked.discard(identity(0).public)
    goes(playing)
    assert set(playing.missing) == playing.elsewhere == {0}
    for _ in range(3):
        playing._linked_up(PeerConnected(identity(0).public, LOOPBACK, dialled=True))
        goes(playing)
    (told,) = playing.player.notices
    assert "is gone; the game waits." in told
    playing._linked_up(PeerConnected(identity(0).public, LOOPBACK, dialled=True))
    assert playing.elsewhere == {0}
    playing._heard(0, PRESENCE)
    assert playing.elsewhere == set()
    assert playing.player.notices[1:] == ["peer 0 is back."]


@pytest.mark.parametrize("left", [True, False])
async def test_a_host_that_has_died_has_not_closed_its_table(left):
    """Who waits for it to open the table again was told that it never will."""
    node = test_host.Node()
    node.port = 1
    node.places = lambda host=b"": ((LOOPBACK, 1),)

    async def dial(host, port):
        left_word = PeerMessage(test_host.ANN, encode(("left", ())))
        node.events.put(left_word if left else PeerDisconnected(test_host.ANN, ""))
        return test_host.ANN

    node.dial = dial
    with pytest.raises(PeerError) as ended:
        await join(node, LOOPBACK, 1, "bob", print)
    told = Fault.HOST_CLOSED if left else Fault.LINK_CLOSED
    assert ended.value.text == told.of()
