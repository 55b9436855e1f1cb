"""What zeroconf heard is read with the same distrust as any other bytes of the network."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import ServiceInfo

from protocol.shell.mdns import SERVICE, local_addresses, read
from tests.discovery.test_discovery import new_advert

ADVERT = new_advert()


def heard(properties, name=ADVERT.table_id, **changes):
    records = {"port": 4242, "addresses": ["10.0.0.2"], **changes}
    return ServiceInfo(SERVICE, f"{name}.{SERVICE}", properties=properties, **records)


@given(st.binary(max_size=400))
def test_any_txt_record_gives_a_row_or_none(text):
    """The raw bytes of a TXT record raise nothing."""
    assert read(heard(text)) is None


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
