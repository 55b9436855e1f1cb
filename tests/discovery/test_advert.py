"""What a table says of itself survives the wire; what strangers say is checked."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay_protocol import PROTOCOL
from lanplay_protocol.advert import (
    MAX_PEOPLE,
    MAX_SEATS,
    TXT_ENTRY_BYTES,
    Advert,
    BadAdvert,
    candidates,
    fingerprint,
    from_txt,
)
from lanplay_protocol.text import NICKNAME_LIMIT, TABLE_NAME_LIMIT, clean_text

EXAMPLE = Advert(
    table_id="00112233445566778899aabbccddeeff",
    table="Kitchen",
    host="Ann",
    game="dice-town",
    seats=5,
    free=3,
    people=("Ann", "Ben"),
    password=False,
    state="open",
    rules="bf59e31c",
    version="0.1.0",
    protocol=PROTOCOL,
    port=4242,
)


def names(limit):
    return st.text(st.characters(), max_size=2 * limit).map(lambda text: clean_text(text, limit))


KEYS_OF_PEERS = st.binary(min_size=32, max_size=32)


@st.composite
def adverts(draw):
    seats = draw(st.integers(1, MAX_SEATS))
    return Advert(
        table_id=draw(st.binary(min_size=16, max_size=16)).hex(),
        table=draw(names(TABLE_NAME_LIMIT)),
        host=draw(names(NICKNAME_LIMIT)),
        game=draw(st.sampled_from(["dice-town", "charidice", "fliptown", "dogs-life"])),
        seats=seats,
        free=draw(st.integers(0, seats)),
        people=tuple(draw(st.lists(names(NICKNAME_LIMIT), max_size=MAX_PEOPLE))),
        password=draw(st.booleans()),
        state=draw(st.sampled_from(["open", "running"])),
        rules=draw(st.sampled_from(["00000000", "01234567", "89abcdef"])),
        version=draw(st.sampled_from(["0.1.0", "1.0.0rc1", "2.0+local"])),
        protocol=PROTOCOL,
        port=draw(st.integers(1, 65535)),
        peer=draw(st.just("") | KEYS_OF_PEERS.map(fingerprint)),
        kept=tuple(draw(st.lists(KEYS_OF_PEERS.map(fingerprint), max_size=MAX_PEOPLE))),
    )


def wire(advert):
    return {key.encode(): text.encode() for key, text in advert.to_txt().items()}


def encoded(txt):
    return [f"{key}={text}".encode() for key, text in txt.items()]


@given(adverts())
def test_an_advert_comes_back_as_it_was(advert):
    """Writing and reading a TXT record changes nothing."""
    assert from_txt(wire(advert), advert.port) == advert


def test_every_peer_announces_under_its_own_name():
    """Two peers of a table collide nowhere, and each name is a DNS label (63 bytes, RFC 1035)."""
    peers = [fingerprint(bytes([n] * 32)) for n in range(3)]
    names = {dataclasses.replace(EXAMPLE, peer=peer).instance for peer in peers}
    assert len(names | {EXAMPLE.instance}) == 4
    assert max(len(name.encode()) for name in names) <= 63


@given(adverts())
def test_a_txt_record_fits_one_packet(advert):
    """Every entry is within 255 bytes (RFC 6763, 6.1), the record within 1000 with its lengths."""
    entries = encoded(advert.to_txt())
    assert max(map(len, entries)) <= TXT_ENTRY_BYTES
    assert sum(len(entry) + 1 for entry in entries) <= 1000


def test_the_longest_advert_fits_one_packet():
    """Full seats, and every name of the most bytes that clean text can have."""
    worst = "𐌰\u0f71\u0f71" * TABLE_NAME_LIMIT
    advert = dataclasses.replace(
        EXAMPLE,
        table=clean_text("𐌰" * TABLE_NAME_LIMIT, TABLE_NAME_LIMIT),
        host=clean_text("𐌰" * NICKNAME_LIMIT, NICKNAME_LIMIT),
        people=(clean_text(worst, NICKNAME_LIMIT), clean_text("𐌰" * 99, NICKNAME_LIMIT)) * 3,
        game="g" * 32,
        rules="f" * 8,
        version="1" * 32,
        seats=MAX_SEATS,
        free=MAX_SEATS,
        state="running",
        protocol=65535,
        peer="f" * 16,
        kept=("f" * 16,) * MAX_PEOPLE,
    )
    assert sum(len(entry) + 1 for entry in encoded(advert.to_txt())) <= 1000


KEYS = st.sampled_from([*wire(EXAMPLE), b"in2", b"in5", b"in6", b"other", b"\xff"])
VALUES = st.one_of(st.none(), st.binary(max_size=300), st.integers().map(lambda n: b"%d" % n))


@given(st.dictionaries(KEYS, VALUES), st.none() | st.integers(-1, 70000), st.booleans())
def test_any_bytes_give_an_advert_or_bad_advert(properties, port, whole):
    """Whatever a stranger sends, BadAdvert is the only error, and names come out clean."""
    try:
        advert = from_txt({**wire(EXAMPLE), **properties} if whole else properties, port)
    except BadAdvert as error:
        assert error.field
    else:
        for name in (advert.table, advert.host, *advert.people):
            assert clean_text(name, TABLE_NAME_LIMIT) == name


@pytest.mark.parametrize("key", [key for key in wire(EXAMPLE) if not key.startswith(b"in")])
def test_a_missing_field_is_named(key):
    """Without one of its fields an advert of our protocol is refused by that field's name."""
    properties = wire(EXAMPLE)
    del properties[key]
    with pytest.raises(BadAdvert) as refusal:
        from_txt(properties, EXAMPLE.port)
    assert refusal.value.field == key.decode()


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("protocol", b"0"),
        ("protocol", b"-1"),
        ("protocol", b"65536"),
        ("protocol", b"\xc2\xb2"),
        ("id", b"../../etc/passwd"),
        ("id", b"00112233445566778899AABBCCDDEEFF"),
        ("table", b"\xff\xfe"),
        ("table", b"x" * 256),
        ("host", None),
        ("game", b"Dice Town"),
        ("seats", b"0"),
        ("seats", b"17"),
        ("seats", b"99999999999999999999"),
        ("free", b"6"),
        ("password", b"yes"),
        ("state", b"closed"),
        ("version", b"1.0 \x1b[31m"),
        ("r", b"BF59E31C"),
        ("r", b"bf59e31"),
        ("peer", b"ann"),
        ("peer", b"A" * 16),
        ("in1", b"\x80"),
        ("in1", None),
    ],
)
def test_a_bad_field_is_named(key, raw):
    """Out of range, undecodable, oversized and empty fields are refused by their names."""
    with pytest.raises(BadAdvert) as refusal:
        from_txt({**wire(EXAMPLE), key.encode(): raw}, EXAMPLE.port)
    assert refusal.value.field == key


@pytest.mark.parametrize("port", [None, 0, -1, 65536])
def test_a_port_nobody_can_dial_is_refused(port):
    """The SRV record's port is checked like everything else."""
    with pytest.raises(BadAdvert) as refusal:
        from_txt(wire(EXAMPLE), port)
    assert refusal.value.field == "port"


def test_unknown_keys_are_ignored():
    """A newer program may say more."""
    assert from_txt({**wire(EXAMPLE), b"colour": b"\xff", b"x": None}, 4242) == EXAMPLE


def test_names_come_out_clean():
    """An advert cannot steer the reader's terminal."""
    properties = {**wire(EXAMPLE), b"table": "\x1b[2J\u202eKit".encode(), b"in0": b"\x07Ann"}
    advert = from_txt(properties, 4242)
    assert (advert.table, advert.people) == ("[2JKit", ("Ann", "Ben"))


def test_another_protocol_is_read_as_far_as_it_goes():
    """A row of another version names that version and keeps all that can be read."""
    properties = {**wire(EXAMPLE), b"protocol": b"7", b"version": b"9.1", b"seats": b"many"}
    advert = from_txt({**properties, b"in1": b"\xff"}, 4242)
    assert not advert.compatible
    assert (advert.protocol, advert.version, advert.table) == (7, "9.1", "Kitchen")
    assert (advert.seats, advert.free, advert.people) == (0, 0, ())


def test_another_protocol_needs_hardly_anything():
    """Its number, its table and its port are enough; the rest shows as unknown."""
    advert = from_txt({b"protocol": b"7", b"id": EXAMPLE.table_id.encode()}, 4242)
    assert (advert.table, advert.game, advert.version, advert.state) == ("?", "?", "?", "running")


def test_an_advert_of_ours_is_checked_when_made():
    """A raw name never reaches the network."""
    with pytest.raises(BadAdvert) as refusal:
        dataclasses.replace(EXAMPLE, host="Ann\n")
    assert refusal.value.field == "host"


@pytest.mark.parametrize("free", [-1, EXAMPLE.seats + 1])
def test_no_table_has_more_free_seats_than_seats(free):
    """Neither ours is announced so, nor is a stranger's listed."""
    with pytest.raises(BadAdvert) as refusal:
        dataclasses.replace(EXAMPLE, free=free)
    assert refusal.value.field == "free"
    with pytest.raises(BadAdvert) as refusal:
        from_txt({**wire(EXAMPLE), b"free": b"%d" % free}, EXAMPLE.port)
    assert refusal.value.field == "free"
    dataclasses.replace(EXAMPLE, free=EXAMPLE.seats)


def test_a_replacement_character_is_a_character():
    """A name may hold U+FFFD; that alone is no sign of bytes that are not UTF-8."""
    advert = dataclasses.replace(EXAMPLE, table="\ufffd!")
    assert from_txt(wire(advert), advert.port) == advert


def test_addresses_are_tried_in_a_useful_order():
    """IPv4, then IPv6, link-local IPv6 and loopback; newest first within each, none twice."""
    heard = ["127.0.0.1", "fe80::1%3", "2001:db8::9", "10.0.0.2", "10.0.0.1", "2001:db8::9"]
    assert candidates(heard) == ("10.0.0.2", "10.0.0.1", "2001:db8::9", "fe80::1%3", "127.0.0.1")


@pytest.mark.parametrize(
    "address", ["", "localhost", "0.0.0.0", "::", "224.0.0.251", "255.255.255.255", "fe80::1"]
)
def test_addresses_nobody_can_dial_are_left_out(address):
    """No address, none of a machine's own, and a link-local one without its scope."""
    assert candidates([address, "10.0.0.1"]) == ("10.0.0.1",)
