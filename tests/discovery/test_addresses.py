"""Addresses of both families: which are used, in what order, and how they are typed."""

from __future__ import annotations

import socket
import sys
from argparse import Namespace
from contextlib import suppress
from types import SimpleNamespace

import ifaddr
import pytest
import trio

from lanplay.errors import UserError
from lanplay.session import hosting
from lanplay.session.joining import parse_address
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.shell import addresses, mdns
from lanplay_protocol.shell.addresses import needs_scope, outward, scoped, written
from lanplay_protocol.shell.links import Links
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.table import parse_address as parse_told

PRESENT = {
    "127.0.0.1": 1,
    "::1": 1,
    "fe80::1": 2,
    "169.254.3.4": 2,
    "2001:db8::5": 2,
    "fd00::5": 2,
    "10.0.0.5": 2,
    "fe80::2": 3,
}


@pytest.fixture
def machine(monkeypatch):
    """A machine with an Ethernet and a Wi-Fi adapter: ``machine(*addresses)`` leaves it some."""

    def have(*left):
        own = {each: PRESENT[each] for each in left or PRESENT}
        for module in (addresses, hosting):
            monkeypatch.setattr(module, "local_addresses", lambda: own)

    have()
    return have


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("10.0.0.1:7007", ("10.0.0.1", 7007)),
        ("ann.local:7007", ("ann.local", 7007)),
        ("[fd00::5]:7007", ("fd00::5", 7007)),
        ('"[fd00::5]:7007"', ("fd00::5", 7007)),
        ("fd00::5:7007", ("fd00::5", 7007)),
        ("[fe80::1%eth0]:7007", ("fe80::1%eth0", 7007)),
        ("fe80::1%eth0:7007", ("fe80::1%eth0", 7007)),
        ("[fe80::1]:7007", ("fe80::1", 7007)),
        ("kitchen", None),
    ],
)
def test_addresses_are_understood_as_people_type_them(text, place):
    """IPv6 in brackets, quoted for the shell, with its scope and without."""
    assert parse_address(text) == place


@pytest.mark.parametrize(
    "text",
    [
        *("fd00::5", "[fd00::5]", "fe80::1%eth0", "a:b:7007", "x:0", "x:y", "x:65536"),
        *(":7007", "[]:7007", "a b:7007", "x:\u0667\u0660\u0660\u0667", "http://x:7007"),
        "192.168.1.20",
    ],
)
def test_what_is_no_address_is_told(text):
    """An IPv6 address without a port, above all: its last group is none. No name is looked up."""
    with pytest.raises(UserError, match="is not an address"):
        parse_address(text)


@pytest.mark.parametrize("platform", ["win32", "linux"])
def test_on_windows_an_address_of_an_adapter_that_is_not_connected_is_none(platform, monkeypatch):
    """Windows keeps it meanwhile: it was named to others, who waited for it."""
    idle = [ifaddr.IP("198.51.100.7", 24, "idle"), ifaddr.IP(("2001:db8::7", 0, 0), 64, "idle")]
    own = [ifaddr.IP("127.0.0.1", 8, "lo"), ifaddr.IP(("::1", 0, 0), 128, "lo")]
    adapters = [ifaddr.Adapter(ips[0].nice_name, "", ips, index=7) for ips in (idle, own)]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(sys, "platform", platform)
    left = {} if platform == "win32" else {"198.51.100.7": 7, "2001:db8::7": 7}
    assert addresses.local_addresses() == left | {"127.0.0.1": 7, "::1": 7}


def test_addresses_that_reach_furthest_come_first():
    """IPv4 before IPv6, those of the link alone after both; loopback where nothing else is."""
    assert outward(sorted(PRESENT)) == [
        "10.0.0.5",
        "2001:db8::5",
        "fd00::5",
        "169.254.3.4",
        "fe80::1",
        "fe80::2",
    ]
    assert outward(["fe80::1%eth0", "::1"]) == ["fe80::1"]
    assert outward(["::1", "127.0.0.1"]) == ["127.0.0.1", "::1"]
    assert outward([]) == []


@pytest.mark.parametrize(
    ("left", "interfaces", "ways"),
    [
        ((), None, ["10.0.0.5", "169.254.3.4", "2001:db8::5", "fd00::5"]),
        (("::1", "127.0.0.1", "fe80::1", "fd00::5"), None, ["fd00::5"]),
        (("127.0.0.1", "fe80::1"), None, ["fe80::1"]),
        (("127.0.0.1", "::1"), None, ["127.0.0.1"]),
        ((), ["fe80::2%wlan0"], ["fe80::2"]),
        ((), ["eth0", "fd00::5"], ["fd00::5"]),
    ],
)
def test_a_host_names_addresses_that_work(machine, left, interfaces, ways):
    """A link-local one only where there is no other; never a word in the place of one."""
    machine(*left)
    assert [each for each in hosting.own_addresses(interfaces) if each != "::1"] == ways


def test_what_a_host_tells_to_type_is_understood(machine):
    """Brackets are quoted: some shells take them for patterns."""
    assert hosting.typed("10.0.0.5", 7) == "10.0.0.5:7"
    assert hosting.typed("fd00::5", 7) == '"[fd00::5]:7"'
    for host in PRESENT:
        assert parse_address(hosting.typed(host, 7)) == (host, 7)
        assert parse_address(written(host, 7)) == (host, 7)


def test_a_link_local_address_is_tried_on_every_interface_with_such(machine):
    """Unless its scope is known; all others stay as they are."""
    assert scoped("fe80::9") == ["fe80::9%2", "fe80::9%3"]
    for host in ("fe80::9%eth0", "fd00::5", "10.0.0.5", "ann.local", "", "169.254.3.4"):
        assert scoped(host) == [host]
        assert not needs_scope(host)
    machine("127.0.0.1")
    assert scoped("fe80::9") == ["fe80::9"]


def test_a_scope_is_of_the_machine_that_says_it():
    """What others tell of where somebody is comes without, and so is what is dialled in a game."""
    assert parse_told(("fe80::1%wlan7", 5)) == ("fe80::1", 5)
    me, other = Identity(bytes(32)), bytes([1]) * 32
    peers = (Peer(me.public, "me", (0,)), Peer(other, "other", (1,)))
    roster = Roster("dice-town", bytes(16), {}, ("me", "other"), peers)
    links = Links(Namespace(identity=me), roster, {other: [("fe80::1%3", 5)]}, eager=False)
    links.known_at(other, ("fe80::1%4", 5))
    links.known_at(other, ("10.0.0.1", 5))
    assert links.addresses[other] == [("10.0.0.1", 5), ("fe80::1", 5)]


@pytest.mark.parametrize(
    ("left", "interfaces", "told"),
    [
        (("127.0.0.1", "::1"), None, "This laptop is on no network: connect it to the others'"),
        ((), None, "Others on this network: lanplay join   (or: lanplay join 10.0.0.5:7, "),
        (
            (),
            ["127.0.0.1"],
            "Others on this network: lanplay join   (or: lanplay join 127.0.0.1:7)",
        ),
    ],
)
def test_a_host_on_no_network_is_told_so(machine, left, interfaces, told):
    """It was told how others come, by an address of its own that leads nobody there."""
    machine(*left)
    said = []
    client = SimpleNamespace(network=SimpleNamespace(interfaces=interfaces))
    session = SimpleNamespace(client=client, tell=lambda event: said.append(str(event.text)))
    hosting.introduce(SimpleNamespace(name="Eva's table"), 7, session)
    assert said[0] == "Table 'Eva's table' is open on port 7."
    assert said[1].startswith(told)


def test_each_family_has_its_own_addresses():
    """Of IPv6 one for each interface, its link-local one if it has any: scopes come from there."""
    assert mdns.families({"10.0.0.5": 2, "fd00::5": 2, "fe80::1": 2, "fd00::6": 3}) == {
        4: {"10.0.0.5": 2},
        6: {"fe80::1": 2, "fd00::6": 3},
    }
    assert mdns.families({"10.0.0.5": 2}) == {4: {"10.0.0.5": 2}}
    assert mdns.families({}) == {}


async def test_of_several_interfaces_the_first_that_answers_is_used(monkeypatch):
    """The others are tried at the same time, and given up."""
    ways = {"there": ["192.0.2.1", "127.0.0.1", "127.0.0.1"], "nowhere": ["127.0.0.1"] * 2}
    place = "lanplay_protocol.shell.sockets.scoped"
    monkeypatch.setattr(place, lambda host: ways.get(host, [host]))
    async with (
        open_node(Identity(bytes(32)), "1") as one,
        open_node(Identity(bytes([1]) * 32), "1") as other,
    ):
        port = await other.listen(0, "127.0.0.1")
        with trio.fail_after(4):
            assert await one.dial("there", port) == other.identity.public
        with socket.create_server(("127.0.0.1", 0)) as server:
            closed = server.getsockname()[1]
        with pytest.raises(OSError):
            await one.dial("nowhere", closed)


@pytest.mark.skipif(not socket.has_ipv6, reason="IPv6 is not here")
async def test_a_node_listens_on_both_families_at_one_port():
    """Whoever has only one of them comes in all the same."""
    async with (
        open_node(Identity(bytes(32)), "1") as one,
        open_node(Identity(bytes([1]) * 32), "1") as other,
    ):
        port = await other.listen(0)
        for host in ("127.0.0.1", "::1"):
            with suppress(OSError):
                socket.create_connection((host, port), 1).close()
                assert await one.dial(host, port) == other.identity.public
