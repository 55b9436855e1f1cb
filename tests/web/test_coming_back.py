"""A phone has its seat after the laptop was away, at each of its addresses, and encrypted."""

from __future__ import annotations

import json
import os
import ssl
import stat
import sys
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import pytest
import trio

from lanplay.cli.phones import TablePhones
from lanplay.config.declared import Settings
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.audience import EVERYBODY, Audience
from lanplay.session.client import NO_PASSWORD
from lanplay.session.on_disk import guests_of
from lanplay.session.settings import TableWish
from lanplay.web import inviting, keeping
from lanplay.web.certificate import DAYS, FILE, certificate
from lanplay.web.doors import Doors
from lanplay.web.http import HttpRequest
from lanplay.web.keeping import KeptGuest, KeptGuests
from lanplay_protocol.shell.journal import journals
from tests.session.harness import client_of
from tests.session.test_commands import Watched, following, until
from tests.web.guests import HERE, laptop
from tests.web.harness import Browser


@asynccontextmanager
async def served_by_the_program(session, settings=None):
    """Let the phones of a table come as the program does."""
    async with trio.open_nursery() as nursery:
        phones = TablePhones(session, settings or Settings(), nursery)
        nursery.start_soon(phones.go_on)
        yield phones
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def came_back(tmp_path, monkeypatch):
    """A game with Tom's phone is left and gone on with: the phones, Tom's browser, the file.

    The port is this process's own: while nobody listens, tests beside would take the usual one.
    """
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr("lanplay.web.doors.PORT", 20_000 + os.getpid() % 10_000)
    client = client_of(tmp_path, "Eva")
    hosts = Watched(client.host(TableWish("charidice", 3, "random"), NO_PASSWORD))
    async with following(hosts), served_by_the_program(hosts.session) as phones:
        await until(lambda: hosts.of(e.LobbyChanged))
        phones.invite()
        address = phones.invitation.address
        port, code = int(address.split(":")[2].partition("/")[0]), address.rpartition("/")[2]
        tom = Browser(port)
        assert (await tom.join(code, "Tom"))[0] == 200
        await tom.tap("taste", lang="hu", theme="dark")
        hosts.session.submit(c.StartGame())
        await until(lambda: hosts.session.snapshot(EVERYBODY).asked)
        kept = guests_of(hosts.session.kept_in)
        await until(lambda: kept.exists() and "hu.dark" in kept.read_text())
    [saved] = journals(client.store.games)
    again = Watched(client.resume(saved, NO_PASSWORD))
    async with following(again), served_by_the_program(again.session) as phones:
        await until(lambda: phones.invitation.guests)
        yield again.session, phones, tom, kept


async def test_what_is_kept_of_guests_brings_them_and_their_sessions_back(tmp_path, monkeypatch):
    """Whoever has their cookie is in; what lies on the disk lets nobody in."""
    async with came_back(tmp_path, monkeypatch) as (_, phones, tom, kept):
        gate = phones._made._gate
        secret, text = tom.cookie.partition("=")[2], kept.read_text()
        stored = json.loads(text)["guests"][0]["sessions"][0][0]

        def lets_in(cookie):
            heads = {"cookie": f"lanplay={cookie}"}
            return gate.session(HttpRequest("GET", tom.path, heads)) is not None

        assert lets_in(secret)
        assert not lets_in(stored)
        assert secret not in text
        assert sys.platform == "win32" or stat.S_IMODE(kept.stat().st_mode) == 0o600


async def test_after_resume_a_phone_has_its_seat_with_the_cookie_that_it_has(tmp_path, monkeypatch):
    async with came_back(tmp_path, monkeypatch) as (session, phones, tom, _):
        await until(lambda: session.snapshot(Audience(person="Tom")).asked)
        status, _heads, body = await tom.ask("GET", tom.path)
        assert status == 200
        assert '<html lang="hu" class="guest dark">' in body.decode()
        assert [each.name for each in phones.invitation.guests] == ["Tom"]
        assert not phones.invitation.address  # nobody else comes before the owner wants it


async def test_after_resume_a_cookie_of_nobody_lets_nobody_in(tmp_path, monkeypatch):
    async with came_back(tmp_path, monkeypatch) as (_, _phones, tom, kept):
        stored = json.loads(kept.read_text())["guests"][0]["sessions"][0][0]
        for guess in ("guess", stored):
            stranger = Browser(tom.port)
            stranger.path, stranger.cookie = tom.path, f"lanplay={guess}"
            assert (await stranger.ask("GET", tom.path))[0] == 403


async def test_when_a_game_ends_nothing_is_kept_of_its_guests(tmp_path, monkeypatch):
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.kept_in and guests_of(eva.session.kept_in).exists())
        journal = eva.session.kept_in
        for name in ("Eva", "Tom"):
            audience = Audience(person=name) if name != "Eva" else Audience(owner=True)
            seat = eva.session.snapshot(audience).own
            eva.session.submit(c.SetAway(seat, True))
        await until(lambda: eva.hosts.of(e.Ended))
        await trio.sleep(0.2)
        assert not guests_of(journal).exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'{"port": "x", "guests": []}',
        b'{"port": 1, "guests": [{"name": 1}]}',
        b'{"port": 1, "guests": [{"name": "T", "taste": "", "sessions": [["zz", "/a/"]]}]}',
        b'{"port": 1, "guests": [{"name": "T", "taste": "", "sessions": [["00", "/a/"]]}]}',
        b"\xff" * 100,
    ],
)
def test_a_file_that_is_none_of_ours_brings_nobody_back(content, tmp_path):
    path = tmp_path / "x.guests"
    path.write_bytes(content)
    assert keeping.load(path) is None


def test_who_was_here_is_read_as_it_was_kept(tmp_path):
    kept = KeptGuests(8765, [KeptGuest("Tom", "cs.dark", (("ab" * 32, "/path/"),))])
    kept.save(tmp_path / "x.guests")
    assert keeping.load(tmp_path / "x.guests") == kept
    assert keeping.load(tmp_path / "none.guests") is None


async def test_an_address_that_comes_while_phones_play_is_shown_and_served(tmp_path, monkeypatch):
    """As when the laptop gets into another Wi-Fi network; those who are here stay."""
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)
    hosts = ["127.0.0.1"]
    monkeypatch.setattr("tests.web.guests.HERE", hosts)
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        hosts[:] = ["127.0.0.2", "127.0.0.1"]
        await until(lambda: "127.0.0.2" in eva.phones.invitation.address)
        shown = eva.phones.invitation
        assert [each.split(":")[1] for each in shown.others] == ["//127.0.0.1"]
        await until(lambda: any("127.0.0.2" in n.text for n in eva.hosts.of(e.TableNotice)))
        port = int(shown.address.split(":")[2].partition("/")[0])
        stream = await trio.open_tcp_stream("127.0.0.2", port)
        async with stream:
            head = f"GET / HTTP/1.1\r\nHost: {shown.address.split('/')[2]}\r\n\r\n"
            await stream.send_all(head.encode())
            assert b"200" in (await stream.receive_some(20))
        hosts[:] = []  # no network for a moment
        await trio.sleep(0.2)
        assert eva.phones.invitation.address == shown.address
        assert (await tom.ask("GET", tom.path))[0] == 200


async def test_with_tls_a_phone_comes_encrypted_and_nobody_comes_otherwise(tmp_path):
    made = certificate(tmp_path)
    async with laptop(tmp_path, doors={"certificate": made}) as eva:
        shown = eva.phones.invitation
        assert shown.address.startswith("https://127.0.0.1:")
        assert made.fingerprint in "\n".join(shown.told())
        port = int(shown.address.split(":")[2].partition("/")[0])
        trust = ssl.create_default_context(cafile=str(tmp_path / FILE))
        trust.check_hostname = False
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        async with trio.SSLStream(stream, trust, https_compatible=True) as sealed:
            heads = f"Host: 127.0.0.1:{port}\r\nOrigin: https://127.0.0.1:{port}\r\n"
            body = "name=Tom"
            heads += f"Content-Length: {len(body)}\r\nConnection: close\r\n"
            await sealed.send_all(f"POST /{eva.code} HTTP/1.1\r\n{heads}\r\n{body}".encode())
            answered = b""
            while more := await sealed.receive_some(65536):
                answered += more
        assert b" 200 " in answered[:20]
        assert b"; Secure" in answered
        assert eva.session.persons == ("Tom",)
        plain = await Browser(port).raw(
            f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        )
        assert b"200" not in plain[:20]


def test_a_certificate_is_made_once_and_for_its_owner_alone(tmp_path):
    first = certificate(tmp_path)
    assert certificate(tmp_path).fingerprint == first.fingerprint
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    (tmp_path / FILE).write_text("nonsense")
    assert certificate(tmp_path).fingerprint != first.fingerprint
    assert DAYS <= 825


def test_a_certificate_of_a_clock_that_was_ahead_is_made_anew(tmp_path, monkeypatch):
    """No phone took it until the day had come at which it was made."""

    class Ahead(datetime):
        @classmethod
        def now(cls, zone):
            return datetime.now(zone) + timedelta(days=30)

    with monkeypatch.context() as once:
        once.setattr("lanplay.web.certificate.datetime", Ahead)
        first = certificate(tmp_path)
    assert certificate(tmp_path).fingerprint != first.fingerprint


async def test_the_laptops_addresses_have_one_port():
    doors = Doors(lambda: [*HERE, "127.0.0.3"], 0)
    ports = {each.rpartition(":")[2] for each in doors.origins}
    assert len(doors.origins) == 2
    assert len(ports) == 1
    for each in doors._made.values():
        each.socket.close()


async def test_ai_answers_on_for_who_had_left_before_the_laptop_came_back(tmp_path, monkeypatch):
    """The game that is gone on with waited for somebody who had gone, for good: nobody at that
    laptop can let AI answer for another one's seat."""
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)
    client = client_of(tmp_path, "Eva")
    hosts = Watched(client.host(TableWish("charidice", 3, "random"), NO_PASSWORD))
    hosts.thinks_after = 0
    async with following(hosts), served_by_the_program(hosts.session) as phones:
        await until(lambda: hosts.of(e.LobbyChanged))
        phones.invite()
        address = phones.invitation.address
        tom = Browser(int(address.split(":")[2].partition("/")[0]))
        await tom.join(address.rpartition("/")[2], "Tom")
        hosts.session.submit(c.StartGame())
        await until(lambda: hosts.session.snapshot(EVERYBODY).asked)
        kept = guests_of(hosts.session.kept_in)
        await until(lambda: kept.exists() and "Tom" in kept.read_text())
        phones.remove("Tom")
        await until(lambda: "Tom" not in kept.read_text())
        hosts.session.submit(c.LeaveTable())
        await until(lambda: hosts.left)
    [saved] = journals(client.store.games)
    again = Watched(client.resume(saved, NO_PASSWORD))
    again.thinks_after = 0
    async with following(again), served_by_the_program(again.session):
        await until(lambda: again.session.played)
        seat = again.session.snapshot(Audience(person="Tom")).own
        await until(lambda: seat in again.session.snapshot(EVERYBODY).away)
