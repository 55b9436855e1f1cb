"""Tables are found, followed and lost over multicast DNS on the loopback interface.

Other programs may use the same group meanwhile, so every test looks at its own tables only.
"""

import dataclasses
import os
import socket
import sys
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import trio
import trio.testing
from zeroconf import (
    DNSAddress,
    DNSOutgoing,
    DNSPointer,
    DNSService,
    DNSText,
    ServiceInfo,
    Zeroconf,
    const,
)

from lanplay.games import load
from lanplay_protocol import PROTOCOL
from lanplay_protocol.advert import Advert, fingerprint
from lanplay_protocol.shell import discovery as shell
from lanplay_protocol.shell import mdns
from lanplay_protocol.shell.discovery import open_discovery
from lanplay_protocol.shell.mdns import SERVICE

LOOPBACK = ["127.0.0.1"]
PATIENCE = 20
"""Seconds after which a wait counts as hung."""


def new_advert(**changes):
    advert = Advert(
        table_id=os.urandom(16).hex(),
        table="Kitchen",
        host="Ann",
        game="dice-town",
        seats=5,
        free=4,
        people=("Ann",),
        password=False,
        state="open",
        rules=load("dice-town").fingerprint.hex()[:8],
        version="0.1.0",
        protocol=PROTOCOL,
        port=4242,
    )
    return dataclasses.replace(advert, **changes)


def row(browser, advert):
    rows = [found for found in browser.tables if found.advert.table_id == advert.table_id]
    assert len(rows) <= 1, "one table, two rows"
    return rows[0] if rows else None


async def until(browser, condition):
    """Wait until the browser's list fulfils the condition."""
    with trio.fail_after(PATIENCE):
        while not condition():
            await browser.changed()


async def until_seen(browser, advert):
    await until(browser, lambda: (found := row(browser, advert)) and found.advert == advert)
    return row(browser, advert)


async def until_gone(browser, advert):
    await until(browser, lambda: row(browser, advert) is None)


@contextmanager
def stranger(name, properties, **options):
    """Some other program that registers a service of our type."""
    info = ServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        port=4242,
        properties=properties,
        server=f"{name}.local.",
        parsed_addresses=["127.0.0.1"],
        **options,
    )
    with Zeroconf(LOOPBACK, use_asyncio=False) as zeroconf:
        zeroconf.register_service(info, cooperating_responders=True)
        yield


async def test_a_table_appears_and_vanishes_before_a_waiting_browser():
    """The browser was first; the row comes with its address, and goes when the host ends."""
    advert = new_advert()
    async with open_discovery(LOOPBACK) as browser, open_discovery(LOOPBACK) as host:
        async with host.announce(advert):
            found = await until_seen(browser, advert)
            assert found.addresses == (("127.0.0.1", 4242),)
            assert found.advert.compatible
        await until_gone(browser, advert)


async def test_a_late_browser_finds_an_announced_table():
    """The host was first and has long finished announcing."""
    advert = new_advert()
    async with open_discovery(LOOPBACK) as host, host.announce(advert):
        await until_seen(host, advert)
        async with open_discovery(LOOPBACK) as browser:
            await until_seen(browser, advert)


async def test_one_program_may_host_and_browse():
    """One open discovery does both; it sees its own table as others do."""
    advert = new_advert()
    async with open_discovery(LOOPBACK) as both, both.announce(advert):
        await until_seen(both, advert)


async def test_updates_reach_the_browser_and_the_last_one_stays():
    """Seats taken and left again in quick succession: the list ends with what is true."""
    first = new_advert()
    async with (
        open_discovery(LOOPBACK) as browser,
        open_discovery(LOOPBACK) as host,
        host.announce(first) as announcement,
    ):
        for free in (4, 3, 4, 3, 2, 3):
            advert = dataclasses.replace(first, free=free)
            await announcement.update(advert)
            await until_seen(browser, advert)
        await announcement.update(first)
        running = dataclasses.replace(first, free=3, state="running")
        await announcement.update(running)
        await until_seen(browser, running)


async def test_two_tables_are_two_rows():
    """Two hosts with the same names and the same port; one leaves, the other stays."""
    one, two = new_advert(), new_advert()
    async with (
        open_discovery(LOOPBACK) as browser,
        open_discovery(LOOPBACK) as first,
        open_discovery(LOOPBACK) as second,
        second.announce(two),
    ):
        async with first.announce(one):
            await until_seen(browser, one)
            await until_seen(browser, two)
        await until_gone(browser, one)
        assert row(browser, two)


async def test_a_table_that_all_its_peers_announce_is_one_row():
    """It has the addresses of all; it stays while one announces it, and says what that one says."""
    table = new_advert(state="running")
    ann = dataclasses.replace(table, peer=fingerprint(bytes(32)), port=4001)
    ben = dataclasses.replace(table, peer=fingerprint(bytes([1] * 32)), port=4002)
    places = {advert.peer: (("127.0.0.1", advert.port),) for advert in (ann, ben)}
    async with (
        open_discovery(LOOPBACK) as browser,
        open_discovery(LOOPBACK) as first,
        open_discovery(LOOPBACK) as second,
        second.announce(ben),
    ):
        await until_seen(browser, ben)
        async with first.announce(ann):
            await until(browser, lambda: len(row(browser, table).addresses) == 2)
            found = row(browser, table)
            assert found.advert == ben
            assert dict(found.peers) == places
            assert set(found.addresses) == {("127.0.0.1", 4001), ("127.0.0.1", 4002)}
        await until(browser, lambda: len(row(browser, table).addresses) == 1)
        assert row(browser, table).peers == ((ben.peer, places[ben.peer]),)


async def test_an_announcement_stays_with_its_peer():
    """What another peer says of the table is another announcement."""
    advert = new_advert()
    async with open_discovery(LOOPBACK) as host, host.announce(advert) as announcement:
        with pytest.raises(ValueError, match="stays with its table"):
            await announcement.update(dataclasses.replace(advert, peer="0" * 16))


async def test_a_host_that_fails_takes_its_table_with_it():
    """An error in the hosting program withdraws its table; the browser goes on."""
    advert, next_one = new_advert(), new_advert()
    async with open_discovery(LOOPBACK) as browser:
        with pytest.raises(BaseExceptionGroup):
            async with open_discovery(LOOPBACK) as host, host.announce(advert):
                await until_seen(browser, advert)
                raise RuntimeError("the host's own fault")
        await until_gone(browser, advert)
        async with open_discovery(LOOPBACK) as host, host.announce(next_one):
            await until_seen(browser, next_one)


KILLED = """
import sys, trio
from tests.discovery.test_discovery import LOOPBACK, new_advert
from lanplay_protocol.shell import discovery as shell
from lanplay_protocol.shell import mdns

mdns.TTL_SECONDS, shell.BEAT_SECONDS = 4, 1

async def main():
    advert = new_advert(table_id=sys.argv[1])
    async with shell.open_discovery(LOOPBACK) as host, host.announce(advert):
        await trio.sleep(60)

trio.run(main)
"""


async def test_the_table_of_a_killed_host_lapses():
    """No goodbye was sent; its row ends with the lifetime of its records."""
    advert = new_advert()
    async with open_discovery(LOOPBACK) as browser:
        command = [sys.executable, "-c", KILLED, advert.table_id]
        process = await trio.lowlevel.open_process(command)
        try:
            await until_seen(browser, advert)
        finally:
            process.kill()
            await process.wait()
        await until_gone(browser, advert)


async def test_a_living_host_repeats_itself_within_the_lifetime_of_its_records(
    monkeypatch, mock_clock
):
    """Three times and unchanged, so that two lost announcements cost nobody a row; what is said
    anew has the next revision."""
    send, said = trio.open_memory_channel(10)

    class Records:
        def __init__(self, interfaces, on_news):
            pass

        def publish(self, advert, revision, addresses):
            trio.from_thread.run_sync(send.send_nowait, (advert, revision))

        def tables(self):
            return (), 0

        def move(self, interfaces):
            pass

        def withdraw(self, advert):
            trio.from_thread.run_sync(send.send_nowait, advert.table_id)

        def close(self):
            trio.from_thread.run_sync(send.send_nowait, "closed")

    monkeypatch.setattr(shell, "Responder", Records)
    advert = new_advert()
    async with open_discovery(LOOPBACK) as host, host.announce(advert) as announced:
        for _ in range(3):
            assert await said.receive() == (advert, 1)
            mock_clock.jump(mdns.TTL_SECONDS / 3)
        for revision, free in ((2, 3), (3, 2)):
            advert = dataclasses.replace(advert, free=free)
            await announced.update(advert)
            while (heard := await said.receive())[0] != advert:
                pass
            assert heard == (advert, revision)
    with send, said:
        rest = [said.receive_nowait() for _ in range(said.statistics().current_buffer_used)]
    assert rest[-2:] == [advert.table_id, "closed"]


async def test_after_a_sleep_a_table_is_said_and_asked_for_at_once(monkeypatch, mock_clock):
    """A program's clock stands still while the laptop sleeps, the one on the wall does not."""
    send, said = trio.open_memory_channel(10)
    wall = [1000.0]

    class Records:
        def __init__(self, interfaces, on_news):
            pass

        def publish(self, advert, revision, addresses):
            trio.from_thread.run_sync(send.send_nowait, "said")

        def ask(self):
            trio.from_thread.run_sync(send.send_nowait, "asked")

        def tables(self):
            return (), 0

        def move(self, interfaces):
            trio.from_thread.run_sync(send.send_nowait, "moved")

        def withdraw(self, advert):
            pass

        def close(self):
            pass

    monkeypatch.setattr(shell, "Responder", Records)
    monkeypatch.setattr(shell, "time", SimpleNamespace(time=lambda: wall[0]))
    async with open_discovery(LOOPBACK) as host, host.announce(new_advert()):
        assert await said.receive() == "said"
        await trio.testing.wait_all_tasks_blocked()
        wall[0] += 3600
        mock_clock.jump(shell.POLL_SECONDS)
        assert await said.receive() == "moved"
        assert {await said.receive(), await said.receive()} == {"said", "asked"}
        wall[0] += 1
        mock_clock.jump(shell.POLL_SECONDS)
        assert await said.receive() == "moved"
        await trio.testing.wait_all_tasks_blocked()
        with send, said, pytest.raises(trio.WouldBlock):
            said.receive_nowait()


async def test_interfaces_that_stay_as_they_are_are_left_alone(monkeypatch, mock_clock):
    """After ten seconds they are tried once in ten: each try wakes four threads."""
    moves = []

    class Records:
        def __init__(self, interfaces, on_news):
            pass

        def tables(self):
            return (), 0

        def move(self, interfaces):
            moves.append(trio.current_time())

        def close(self):
            pass

    async def at_once(self, action, *, abandon=False):
        action()
        return True

    monkeypatch.setattr(shell, "Responder", Records)
    monkeypatch.setattr(shell.Discovery, "_attempt", at_once)
    async with open_discovery(LOOPBACK):
        for _ in range(40):
            await trio.testing.wait_all_tasks_blocked()
            mock_clock.jump(shell.POLL_SECONDS)
        await trio.testing.wait_all_tasks_blocked()
    assert moves == [*range(1, 11), 20, 30, 40]


async def test_a_move_that_fails_is_tried_again(monkeypatch):
    """The system may refuse an interface that has just come; the problem shows, and then goes."""
    tries = []
    move = mdns.Responder.move

    def refused_once(self, interfaces):
        tries.append(interfaces)
        if len(tries) == 1:
            raise OSError(19, "No such device")
        move(self, interfaces)

    monkeypatch.setattr(mdns.Responder, "move", refused_once)
    async with open_discovery(LOOPBACK) as host:
        await until(host, lambda: host.problem)
        assert "No such device" in host.problem
        await until(host, lambda: host.problem is None)


async def test_garbage_is_counted_and_shown_to_nobody():
    """A service of our type with another TXT record gives no row and hides no table."""
    junk, advert = os.urandom(16).hex(), new_advert()
    async with open_discovery(LOOPBACK) as browser:
        with stranger(junk, {"id": junk, "table": b"\xff"}):
            await until(browser, lambda: browser.ignored)
            async with open_discovery(LOOPBACK) as host, host.announce(advert):
                await until_seen(browser, advert)
                assert all(found.advert.table_id != junk for found in browser.tables)


async def test_a_service_under_another_tables_name_is_ignored():
    """The id in the TXT record has to be the service's own name."""
    advert = new_advert()
    async with open_discovery(LOOPBACK) as browser:
        with stranger(os.urandom(16).hex(), advert.to_txt()):
            await until(browser, lambda: browser.ignored)
            assert row(browser, advert) is None


def in_capitals():
    """Return a packet: a service, and its records under its name in other capitals."""
    said, name = f"x.{SERVICE}", f"X.{SERVICE.upper()}"
    address, kind = socket.inet_aton("10.0.0.9"), const._CLASS_IN
    out = DNSOutgoing(const._FLAGS_QR_RESPONSE | const._FLAGS_AA)
    for record in (
        DNSPointer(SERVICE, const._TYPE_PTR, kind, 120, said),
        DNSService(name, const._TYPE_SRV, kind, 120, 0, 0, 5, "h.local."),
        DNSText(name, const._TYPE_TXT, kind, 120, b"\x03a=b"),
        DNSAddress("h.local.", const._TYPE_A, kind, 120, address),
    ):
        out.add_answer_at_time(record, 0)
    return out


async def test_records_in_other_capitals_are_counted_and_end_no_list():
    """To DNS they are those of the service; the name is none that zeroconf takes for one."""
    with Zeroconf(LOOPBACK, use_asyncio=False) as speaker, trio.fail_after(PATIENCE):
        async with open_discovery(LOOPBACK) as browser:
            await trio.sleep(0.3)
            speaker.send(in_capitals())
            await until(browser, lambda: browser.ignored)
            found = [each.addresses for each in browser.tables]  # others may announce here, too
            assert not any(host == "10.0.0.9" for each in found for host, _port in each)


async def test_another_version_is_a_row_that_says_so():
    """A table of another protocol is listed with its version and marked as such."""
    theirs = new_advert(protocol=PROTOCOL + 1, version="9.9")
    async with open_discovery(LOOPBACK) as browser:
        with stranger(theirs.table_id, theirs.to_txt()):
            found = await until_seen(browser, theirs)
            assert not found.advert.compatible
            assert found.advert.version == "9.9"


async def test_leaving_while_registering_is_quick():
    """Within three seconds everything is closed, even if the table was announced just before."""
    started = trio.current_time()
    async with open_discovery(LOOPBACK) as host, host.announce(new_advert()):
        pass
    assert trio.current_time() - started < 3


async def test_cancelling_withdraws_the_table():
    """The way SIGTERM takes: the scope is cancelled, and the goodbye is still sent."""
    advert = new_advert()
    async with open_discovery(LOOPBACK) as browser:
        with trio.CancelScope() as signal:
            async with open_discovery(LOOPBACK) as host, host.announce(advert):
                await until_seen(browser, advert)
                signal.cancel()
                await trio.sleep_forever()
        await until_gone(browser, advert)


async def test_nothing_is_left_after_the_end():
    """zeroconf's threads have ended; unclosed sockets would fail the test as warnings."""

    def own():
        return {thread for thread in threading.enumerate() if "Trio" not in thread.name}

    before = own()
    advert = new_advert()
    async with open_discovery(LOOPBACK) as host, host.announce(advert) as announcement:
        await announcement.update(dataclasses.replace(advert, free=0))
    assert own() <= before


async def test_a_machine_without_network_gets_a_reason(monkeypatch):
    """No address at all: nothing fails, the problem says what to do, a table can be hosted."""
    monkeypatch.setattr(shell, "local_addresses", dict)
    async with open_discovery() as nowhere, nowhere.announce(new_advert()):
        assert "HOST:PORT" in nowhere.problem
        assert nowhere.tables == ()


async def test_the_addresses_of_this_machine_are_followed(monkeypatch, mock_clock):
    """One that goes is told with the next look at them, also where discovery uses none of them."""
    up = {"10.0.0.1": 2, "fe80::1": 2}
    monkeypatch.setattr(shell, "local_addresses", lambda: dict(up))
    async with open_discovery(LOOPBACK) as host:
        assert host.addresses == {"10.0.0.1", "fe80::1"}
        del up["10.0.0.1"]
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(shell.POLL_SECONDS)
        await host.changed()
        assert host.addresses == {"fe80::1"}


async def test_discovery_starts_when_the_network_comes(monkeypatch):
    """A laptop that joins the Wi-Fi later is seen then, and the problem is gone."""
    advert = new_advert()
    up = {}
    monkeypatch.setattr(shell, "local_addresses", lambda: dict(up))
    async with open_discovery(LOOPBACK) as host, host.announce(advert):
        assert host.problem
        up["127.0.0.1"] = 1
        async with open_discovery(LOOPBACK) as browser:
            await until_seen(browser, advert)
        assert host.problem is None


async def test_a_blocked_port_gets_a_reason(monkeypatch):
    """What the system refuses is reported with its cause and the way round it."""

    def refuse(*_, **__):
        raise OSError(98, "Address already in use")

    monkeypatch.setattr(mdns, "Zeroconf", refuse)
    async with open_discovery(LOOPBACK) as nowhere:
        assert "Address already in use" in nowhere.problem
        assert "HOST:PORT" in nowhere.problem


@pytest.mark.parametrize("refused", [4, 6])
async def test_where_one_family_is_blocked_the_other_goes_on(monkeypatch, refused):
    """The system refuses the sockets of one: tables are found over the other, with no complaint."""
    real, opened = mdns.Zeroconf, []

    def zeroconf(interfaces, **how):
        version = 6 if ":" in interfaces[0] else 4
        opened.append(version)
        if version == refused:
            raise OSError(97, "Address family not supported by protocol")
        return real(["127.0.0.1"], **how)

    monkeypatch.setattr(mdns, "Zeroconf", zeroconf)
    monkeypatch.setattr(mdns._Family, "move", lambda self, interfaces: None)
    monkeypatch.setattr(shell, "local_addresses", lambda: {"127.0.0.1": 1, "fd00::1": 2})
    advert = new_advert()
    async with open_discovery() as host, host.announce(advert), open_discovery() as browser:
        found = await until_seen(browser, advert)
        assert found.addresses == (("fd00::1", advert.port),)
        assert host.problem is None
        assert set(opened) == {4, 6}


async def test_a_family_that_comes_later_is_used_too(monkeypatch):
    """What was announced before is said there as well."""
    real, up = mdns.Zeroconf, {"127.0.0.1": 1}
    opened = []

    def zeroconf(interfaces, **how):
        opened.append(list(interfaces))
        return real(["127.0.0.1"], **how)

    monkeypatch.setattr(mdns, "Zeroconf", zeroconf)
    publish, said = mdns._Family.publish, set()

    def published(self, info):
        publish(self, info)
        said.add(self.version)

    monkeypatch.setattr(mdns._Family, "publish", published)
    monkeypatch.setattr(mdns._Family, "move", lambda self, interfaces: None)
    monkeypatch.setattr(shell, "local_addresses", lambda: dict(up))
    async with open_discovery() as host, host.announce(new_advert()):
        await until_seen(host, host._announcements[0].advert)
        up["fd00::1"] = 2
        for _ in range(200):
            if {4, 6} == said:
                break
            await trio.sleep(0.05)
        assert said == {4, 6}
    assert opened == [["127.0.0.1"], ["fd00::1"]]


def test_of_two_families_the_later_word_counts_and_all_addresses_do():
    """A packet that was lost on one family does not show what is over."""
    advert = new_advert(seats=5, free=3)

    def said(free, revision, *hosts):
        changed = dataclasses.replace(advert, free=free)
        return mdns._service(changed, revision, hosts)

    found = mdns.read(said(3, 1, "10.0.0.1"), said(1, 2, "fd00::1", "10.0.0.1"))
    assert found.advert.free == 1
    assert [host for host, _ in found.addresses] == ["10.0.0.1", "fd00::1"]
    assert len(found.peers) == 1
