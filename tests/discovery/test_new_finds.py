"""What an mDNS answerer can do to whoever looks for tables."""

from __future__ import annotations

import socket

import trio
from zeroconf import (
    DNSAddress,
    DNSOutgoing,
    DNSPointer,
    DNSService,
    DNSText,
    Zeroconf,
    current_time_millis,
)
from zeroconf.const import (
    _CLASS_IN,
    _FLAGS_AA,
    _FLAGS_QR_RESPONSE,
    _TYPE_A,
    _TYPE_PTR,
    _TYPE_SRV,
    _TYPE_TXT,
)

from lanplay_protocol.shell.discovery import open_discovery
from lanplay_protocol.shell.mdns import SERVICE


def said(alias, name):
    """One packet: a service, and its records under a name that differs in its capitals."""
    now = current_time_millis()
    out = DNSOutgoing(_FLAGS_QR_RESPONSE | _FLAGS_AA)
    for record in (
        DNSPointer(SERVICE, _TYPE_PTR, _CLASS_IN, 120, alias, now),
        DNSService(name, _TYPE_SRV, _CLASS_IN, 120, 0, 0, 5, "h.local.", now),
        DNSText(name, _TYPE_TXT, _CLASS_IN, 120, b"\x03a=b", now),
        DNSAddress("h.local.", _TYPE_A, _CLASS_IN, 120, socket.inet_aton("10.0.0.9"), created=now),
    ):
        out.add_answer_at_time(record, 0)
    return out


async def test_records_under_a_name_in_capitals_end_no_list():
    """Names of DNS are the same whatever their case; the service is no table."""
    speaker = Zeroconf(["127.0.0.1"])
    try:
        with trio.fail_after(10):
            async with open_discovery(["127.0.0.1"]) as discovery:
                await trio.sleep(0.3)
                for _ in range(3):
                    speaker.send(said(f"x.{SERVICE}", f"X.{SERVICE.upper()}"))
                    await trio.sleep(0.7)
                while not discovery.ignored:
                    await discovery.changed()
                assert not discovery.tables
    finally:
        await trio.to_thread.run_sync(speaker.close)
