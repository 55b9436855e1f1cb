"""What zeroconf heard is read with the same distrust as any other bytes of the network."""

import dataclasses
import os
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import DNSIncoming, DNSOutgoing, ServiceInfo, const

from lanplay_protocol.advert import MAX_ADDRESSES, from_txt
from lanplay_protocol.shell import mdns
from lanplay_protocol.shell.addresses import local_addresses
from lanplay_protocol.shell.mdns import MOST_SERVICES, SERVICE, Found, Responder, merged, read
from tests.discovery.test_discovery import new_advert

ADVERT = new_advert()


def heard(properties, name=ADVERT.table_id, **changes):
    records = {"port": 4242, "addresses": ["10.0.0.2"], **changes}
    return ServiceInfo(SERVICE, f"{name}.{SERVICE}", properties=properties, **records)


@given(st.binary(max_size=400))
def test_any_txt_record_gives_a_row_or_none(text):
    """The raw bytes of a TXT record raise nothing."""
    assert read(heard(text)) is None


def test_what_stays_as_it_is_is_read_once(monkeypatch):
    """All tables are listed every second, and few of them have changed."""
    texts = []
    monkeypatch.setattr(mdns, "from_txt", lambda *given: texts.append(given) or from_txt(*given))
    advert = new_advert(seats=5, free=3)
    said = [dataclasses.replace(advert, free=free).to_txt() for free in (3, 3, 2, 3)]
    rows = [read(heard(each, advert.instance)) for each in said]
    assert [row.advert.free for row in rows] == [3, 3, 2, 3]
    assert len(texts) == 2


def test_a_table_with_two_addresses_is_one_row():
    """All its addresses are in it, IPv4 first."""
    info = heard(ADVERT.to_txt(), addresses=["2001:db8::1", "10.0.0.2", "10.0.0.3"])
    found = read(info)
    assert found.advert == ADVERT
    assert found.addresses == (("10.0.0.2", 4242), ("10.0.0.3", 4242), ("2001:db8::1", 4242))


def test_a_link_local_address_keeps_its_scope():
    """Without the interface it was heard on, it could not be dialled."""
    info = heard(ADVERT.to_txt(), addresses=[b"\xfe\x80" + bytes(13) + b"\x01"], interface_index=3)
    assert read(info).addresses == (("fe80::1%3", 4242),)


def announced(advert, *hosts):
    addresses = tuple((host, advert.port) for host in hosts)
    return Found(advert, addresses, ((advert.peer, addresses),))


def test_peers_of_one_table_are_one_row():
    """It says what the first one says; other tables are left alone."""
    ann = announced(dataclasses.replace(ADVERT, peer="a" * 16, port=1), "10.0.0.1", "10.0.0.2")
    ben = announced(dataclasses.replace(ADVERT, peer="b" * 16, port=2, table="Mine"), "10.0.0.1")
    other = announced(new_advert(), "10.0.0.3")
    one, two = merged([ann, other, ben])
    assert (one.advert, two) == (ann.advert, other)
    assert one.addresses == (("10.0.0.1", 1), ("10.0.0.2", 1), ("10.0.0.1", 2))
    assert one.peers == ann.peers + ben.peers


def test_a_flood_of_peers_adds_few_addresses():
    """A stranger who announces somebody's table again and again fills no dialler's evening."""
    rows = [announced(dataclasses.replace(ADVERT, port=port), "10.0.0.1") for port in range(1, 99)]
    (row,) = merged(rows)
    assert row.addresses == tuple(("10.0.0.1", port) for port in range(1, MAX_ADDRESSES + 1))


def speak(family, *infos):
    """Let a family hear what services say of themselves."""
    out = DNSOutgoing(const._FLAGS_QR_RESPONSE | const._FLAGS_AA)
    for info in infos:
        for record in (info.dns_pointer(), info.dns_service(), info.dns_text()):
            out.add_answer_at_time(record, 0)
        for record in info.dns_addresses():
            out.add_answer_at_time(record, 0)
    manager, heard = family._zeroconf.record_manager, threading.Event()
    for packet in map(DNSIncoming, out.packets()):
        family._zeroconf.loop.call_soon_threadsafe(manager.async_updates_from_response, packet)
    family._zeroconf.loop.call_soon_threadsafe(heard.set)
    assert heard.wait(20)


def test_a_flood_of_services_hides_no_table_for_longer_than_it_lasts(monkeypatch):
    """So many are looked at, however long they would live, while they repeat themselves: a table
    that was announced meanwhile is seen then."""
    advert = dataclasses.replace(ADVERT, table_id=os.urandom(16).hex())
    junk = [f"{number}.{SERVICE}" for number in range(MOST_SERVICES)]
    flood = [
        ServiceInfo(SERVICE, name, 4242, properties={}, other_ttl=9999, addresses=[b"\x0a\0\0\2"])
        for name in junk
    ]
    responder = Responder({"127.0.0.1": None}, lambda: None)
    (family,) = responder._families.values()
    try:
        speak(family, *flood)
        speak(family, mdns._service(advert, 1, ["10.0.0.1"]))
        assert len(family.heard()) <= MOST_SERVICES
        assert advert.table_id not in [row.advert.table_id for row in responder.tables()[0]]
        monkeypatch.setattr(mdns, "TTL_SECONDS", 1)
        time.sleep(1.1)
        speak(family, mdns._service(advert, 1, ["10.0.0.1"]))
        assert advert.table_id in [row.advert.table_id for row in responder.tables()[0]]
    finally:
        responder.close()


def test_a_service_under_another_peers_name_is_no_table():
    """The peer in the TXT record has to be the one in the service's own name."""
    advert = dataclasses.replace(ADVERT, peer="a" * 16)
    assert read(heard(advert.to_txt(), advert.instance)).advert == advert
    assert read(heard(advert.to_txt(), ADVERT.instance)) is None
    assert read(heard(ADVERT.to_txt(), advert.instance)) is None


@pytest.mark.parametrize("port", [None, 0])
def test_a_service_without_a_port_is_no_table(port):
    """Nothing could be dialled."""
    assert read(heard(ADVERT.to_txt(), port=port)) is None


def test_a_service_without_a_usable_address_is_no_table():
    """A table that says it lives at a multicast address is not listed."""
    assert read(heard(ADVERT.to_txt(), addresses=["224.0.0.251"])) is None


def test_this_machine_has_its_loopback_address():
    """Addresses come as texts, whatever the interface."""
    assert "127.0.0.1" in local_addresses()


def test_no_record_of_a_table_outlives_the_others():
    """Listeners keep a query that they put off for as long as its record would have lived."""
    info = mdns._service(new_advert(), 1, ["10.0.0.1", "fe80::1"])
    records = [info.dns_pointer(), info.dns_service(), info.dns_text(), *info.dns_addresses()]
    assert {record.ttl for record in records} == {mdns.TTL_SECONDS}
