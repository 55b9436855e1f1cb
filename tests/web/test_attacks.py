"""Who tries to come in, or to break something, is told no, and the game goes on.

Each attack of the design and the tests that make it (``ATTACKS``), here and beside.
"""

from __future__ import annotations

import gzip
import logging
import re
import zlib
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from lanplay.web.gate import BURST, LINK_SECONDS, RATE, WebGate
from lanplay.web.http import (
    BODY_BYTES,
    CONNECTIONS,
    HEAD_BYTES,
    STRANGERS,
    HttpRequest,
    HttpServer,
    Reply,
)
from lanplay.web.site import Site, by_link
from lanplay_protocol.rates import Bucket
from tests.web.harness import Browser, Chunks, Plain, served, whole

ATTACKS = {
    "another Host, as by DNS rebinding": (
        "a_name_that_somebody_lets_point_here_is_misdirected",
        "phones_come_to_the_address_alone",
    ),
    "another Origin, or none (CSRF)": (
        "a_tap_from_a_page_of_somebody_else_is_refused",
        "a_page_of_somebody_else_neither_joins_nor_taps",
    ),
    "a link twice, or late": ("a_link_is_good_once", "a_link_is_good_once_and_for_five_minutes"),
    "a cookie guessed, or on another seat's page": (
        "without_the_cookie_there_is_no_page_and_no_tap",
        "a_cookie_is_good_for_its_own_seat_alone",
        "the_owners_link_is_none_for_phones_and_theirs_none_for_the_owner",
    ),
    "a cookie that another server sets": (
        "cookies_of_other_servers_of_the_machine_lock_nobody_out",
    ),
    "what lies on the disk as a cookie": (
        "after_resume_a_phone_has_its_seat_with_the_cookie_that_it_has",
    ),
    "a code guessed": (
        "a_code_that_is_wrong_too_often_is_not_heard_for_a_minute",
        "a_code_that_many_have_guessed_at_is_another_one",
        "who_does_not_know_the_code_gets_no_big_screen",
    ),
    "a seat taken over": (
        "who_asks_for_a_seat_that_is_taken_waits_for_the_owner",
        "of_two_that_ask_for_one_seat_the_second_waits_for_the_answer_to_the_first",
    ),
    "a guest that answers for another seat": ("a_guest_answers_for_its_own_seat_alone",),
    "a tap on what is over": ("a_stale_tap_and_one_about_another_question_change_nothing",),
    "too many taps": ("taps_come_as_fast_as_a_person_can_tap",),
    "requests too large, malformed, or noise": (
        "a_malformed_request_is_refused_and_the_next_one_is_served",
        "odd_bytes_end_their_connection_alone",
    ),
    "too many connections": (
        "strangers_get_few_connections_and_one_more_ends_the_oldest",
        "who_is_known_keeps_nobody_out_with_all_that_it_opens",
    ),
    "too many big screens": ("of_too_many_big_screens_the_oldest_that_nobody_looks_at_goes",),
    "who reads slowly, or not at all": ("who_does_not_read_holds_up_neither_others_nor_the_end",),
    "a name or a taste that is code": ("a_hostile_name_is_text", "a_name_is_text_whatever_it_is"),
    "a page open in many places": (
        "a_page_that_is_opened_a_third_time_is_told_so_where_it_was_first",
    ),
    "a fault in drawing": (
        "a_page_that_cannot_be_drawn_ends_its_stream_and_nothing_else",
        "a_fault_in_a_phones_pages_ends_those_alone",
        "a_fault_in_a_big_screen_ends_it_alone",
    ),
    "a hidden face in a page": (
        "no_page_depends_on_what_its_seat_may_not_know",
        "other_hidden_faces_give_the_same_page",
        "two_phones_and_a_laptop_play_a_whole_game",
        "a_big_screen_shows_no_hidden_face_and_takes_no_tap",
        "who_comes_during_a_game_watches_and_sees_no_hand",
    ),
    "plain requests where all is encrypted": (
        "with_tls_a_phone_comes_encrypted_and_nobody_comes_otherwise",
    ),
}
"""What somebody may try, and the tests that try it."""
ORIGIN = "http://127.0.0.1:8765"
HEADERS = {"host": "127.0.0.1:8765", "origin": ORIGIN}


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Visit:
    """A site without any network, and a browser that has logged in there."""

    def __init__(self):
        self.clock, self.person = Clock(), Plain()
        self.gate = WebGate((ORIGIN,), self.clock)
        self.site = Site(self.gate, by_link(self.gate))
        self.token = self.gate.link(self.person)
        self.session, self.cookie = self.gate.enter(self.token)

    def ask(self, method="GET", path="", fields=None, **headers):
        heads = {**HEADERS, "cookie": f"lanplay={self.cookie}", **headers}
        where = path if path.startswith("/") else self.session.path + path
        heads = {name: value for name, value in heads.items() if value is not None}
        return self.site.answer(HttpRequest(method, where, heads, fields or {}))

    def tap(self, **headers):
        return self.ask("POST", "tap", {"do": "ok"}, **headers).status


def test_every_attack_is_made_by_a_test():
    folder = Path(__file__).parent
    text = "".join(each.read_text(encoding="utf-8") for each in folder.glob("test_*.py"))
    there = set(re.findall(r"def test_(\w+)", text))
    assert [each for tests in ATTACKS.values() for each in tests if each not in there] == []


def test_the_page_is_shown_to_whoever_has_logged_in():
    reply = Visit().ask()
    assert (reply.status, reply.kind) == (200, "text/html")
    assert b"hello" in reply.body


@pytest.mark.parametrize("host", ["evil.example:8765", "127.0.0.1", "127.0.0.1:80", "", None])
def test_a_name_that_somebody_lets_point_here_is_misdirected(host):
    reply = Visit().ask(host=host)
    assert reply.status == 421
    assert b"Open the address that the laptop shows." in reply.body


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", None, f"{ORIGIN}, {ORIGIN}"])
def test_a_tap_from_a_page_of_somebody_else_is_refused(origin):
    visit = Visit()
    assert visit.tap(origin=origin) == 403
    assert visit.person.taps == []
    assert visit.tap() == 204


@pytest.mark.parametrize("cookie", ["", "lanplay=", "lanplay=guess", "other=1", "\x00;=;;"])
def test_without_the_cookie_there_is_no_page_and_no_tap(cookie):
    visit = Visit()
    assert visit.ask(cookie=cookie).status == 403
    assert visit.tap(cookie=cookie) == 403


def test_a_cookie_is_good_for_the_pages_of_its_session_alone():
    visit = Visit()
    other, _cookie = visit.gate.enter(visit.gate.link(Plain("other")))
    assert visit.ask(path=other.path).status == 403


@pytest.mark.parametrize("odd", ["lanplay=theirs", 'a{"b":1}=[c, "d"]', "=;;,", "a:b", "lanplay"])
def test_cookies_of_other_servers_of_the_machine_lock_nobody_out(odd):
    """Browsers send them to all ports, before ours or after it."""
    visit = Visit()
    for cookie in (f"{odd}; lanplay={visit.cookie}", f"lanplay={visit.cookie}; {odd}"):
        assert visit.ask(cookie=cookie).status == 200


def test_a_link_is_good_once_and_for_five_minutes():
    visit = Visit()
    assert visit.gate.enter(visit.token) is None
    late = visit.gate.link(visit.person)
    visit.clock.now += LINK_SECONDS + 1
    assert visit.ask(path="/login", fields={"token": late}).status == 403


def test_logging_in_sets_a_cookie_that_no_script_and_no_other_page_gets():
    visit = Visit()
    reply = visit.ask(path="/login", fields={"token": visit.gate.link(visit.person)})
    cookie = dict(reply.headers)["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))
    assert len(cookie.rpartition("Path=")[2]) > 12


def test_every_reply_says_what_the_page_may_load():
    visit = Visit()
    for reply in (visit.ask(), visit.ask(cookie=""), visit.ask(path="/static/client.js")):
        policy = dict(reply.headers)["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy


def test_a_page_has_no_script_and_no_style_of_its_own():
    page = Visit().ask().body.decode()
    assert "style=" not in page
    assert "onclick" not in page
    assert page.count("<script") == 1


def test_script_and_style_are_small_on_their_way():
    visit, sizes = Visit(), []
    for name in ("client.js", "style.css"):
        plain = visit.ask(path=f"/static/{name}").body
        zipped = visit.ask(path=f"/static/{name}", **{"accept-encoding": "gzip"}).body
        assert gzip.decompress(zipped) == plain
        sizes.append(len(zipped))
    assert sum(sizes) <= 20_000


def test_taps_come_as_fast_as_a_person_can_tap():
    visit = Visit()
    told = [visit.tap() for _ in range(2 * BURST)]
    assert told == [204] * BURST + [429] * BURST
    visit.clock.now += 1
    assert visit.tap() == 204


def test_a_stale_tap_conflicts():
    visit = Visit()
    assert visit.ask("POST", "tap", {"do": "stale"}).status == 409


def test_other_methods_and_pages_are_none():
    visit = Visit()
    assert visit.ask("DELETE").status == 405
    assert visit.ask(path="../secret").status == 404
    assert visit.ask(path="/static/../site.py").status == 403


def test_a_fault_in_drawing_is_told_and_nothing_else_ends(caplog):
    visit = Visit()
    visit.person.fails = True
    with caplog.at_level(logging.CRITICAL):
        assert visit.ask().status == 500
    visit.person.fails = False
    assert visit.ask().status == 200


@given(st.lists(st.floats(0, 1000), max_size=50))
def test_a_bucket_never_gives_more_than_its_rate(times):
    bucket, given_, start = Bucket(BURST, RATE), 0, 0.0
    for now in sorted(times):
        given_ += bucket.take(now)
        assert given_ <= BURST + RATE * (now - start) + 1e-6


# -- over sockets ---------------------------------------------------------------------------------


async def test_a_page_is_fetched_and_followed():
    person = Plain()
    async with served(person) as browser:
        assert await browser.login() == 200
        assert (await browser.ask("GET", browser.path))[0] == 200
        async with browser.stream() as event:
            name, data = await event()
            assert (name, data["first"]) == ("page", True)
            person.say("news")
            name, data = await event()
            assert list(data["regions"]) == ["board"]
            assert "news" in data["regions"]["board"]


async def test_a_stream_is_compressed_for_who_takes_it():
    """Each event comes whole when it is sent, and costs little where the page is much the same."""
    person = Plain("x" * 9000)
    async with served(person) as browser:
        await browser.login()
        stream = await trio.open_tcp_stream("127.0.0.1", browser.port)
        async with stream:
            asks = {"Accept-Encoding": "gzip"}
            await stream.send_all(browser.request("GET", f"{browser.path}events", **asks))
            chunks, unpacker = Chunks(stream), zlib.decompressobj(16 + 15)
            assert b"Content-Encoding: gzip" in await chunks.upto(b"\r\n\r\n")
            sizes = []
            for text in (person.text, "y" + person.text):
                person.say(text)
                said = ""
                while f">{text}<" not in said:
                    chunk = await chunks.raw_next()
                    sizes.append(len(chunk))
                    said += unpacker.decompress(chunk).decode().replace("\\", "")
            assert max(sizes) < 1000


async def test_a_link_is_good_once():
    async with served(Plain()) as browser:
        assert await browser.login() == 200
        assert await Browser(browser.port, browser.token).login() == 403


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 10 + b"\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 2 * HEAD_BYTES + b"\r\n\r\n", 431),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na=%FF&b=\xff", 400),
        (
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (2 * BODY_BYTES)
            + b"a" * 2 * BODY_BYTES,
            413,
        ),
        (
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n",
            0,
        ),
    ],
)
async def test_a_malformed_request_is_refused_and_the_next_one_is_served(data, status):
    async with served(Plain()) as browser:
        with trio.fail_after(100):
            answered = await browser.raw(data + b"\r\n" if status == 0 else data)
        found = int(answered.split()[1]) if answered else 0
        assert found == status or (status == 0 and found >= 400)
        assert await browser.login() == 200


@pytest.mark.parametrize("seed", range(20))
async def test_odd_bytes_end_their_connection_alone(seed):
    import random

    noise = random.Random(seed).randbytes(3000)
    async with served(Plain()) as browser:
        stream = await trio.open_tcp_stream("127.0.0.1", browser.port)
        async with stream:
            await stream.send_all(noise)
            await stream.send_eof()
            with trio.fail_after(100):
                assert b"200" not in (await stream.receive_some(65536))[:20]
        assert await browser.login() == 200


async def test_strangers_get_few_connections_and_one_more_ends_the_oldest():
    """A crowd of strangers keeps nobody out: one more of an address ends its oldest."""
    async with served(Plain()) as browser, trio.open_nursery() as nursery:
        crowd = []
        for _ in range(STRANGERS + 2):
            crowd.append(await trio.open_tcp_stream("127.0.0.1", browser.port))
            nursery.start_soon(_held, crowd[-1])
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert await browser.login() == 200
        assert await crowd[0].receive_some(1) == b""
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["127.0.0.2", "127.0.0.3"]], ids=len)
async def test_who_is_known_keeps_nobody_out_with_all_that_it_opens(addresses):
    """Some are taken for known, and stay; those of a guest that is removed end."""
    person = Plain()
    async with served(person) as browser, trio.open_nursery() as nursery:
        await browser.login()
        held, asks = [], browser.request("GET", browser.path, Connection="keep-alive")
        for number in range(CONNECTIONS):
            source = addresses[number % len(addresses)]
            held.append(await trio.open_tcp_stream("127.0.0.1", browser.port, local_address=source))
            await held[-1].send_all(asks)
            assert b"200" in await held[-1].receive_some(65536)
            nursery.start_soon(_held, held[-1])
        assert await browser.login() == 403  # the link is used up, and there is room to say so
        await held[0].send_all(asks)
        assert b"200" in await held[0].receive_some(65536)
        browser.gate.bar(person)
        await held[0].send_all(asks)
        assert b"403" in await whole(held[0])
        nursery.cancel_scope.cancel()


async def _held(stream):
    async with stream:
        await trio.sleep_forever()


async def test_a_page_that_is_opened_a_third_time_is_told_so_where_it_was_first():
    async with served(Plain()) as browser:
        await browser.login()
        async with browser.stream() as first, browser.stream() as second:
            await first(), await second()
            async with browser.stream() as third:
                await third()
                assert (await first())[0] == "elsewhere"


async def test_the_stream_of_who_is_sent_away_comes_to_its_end():
    """Browsers call it an error where the connection is just closed."""
    person = Plain()
    async with served(person) as browser:
        await browser.login()
        stream = await trio.open_tcp_stream("127.0.0.1", browser.port)
        async with stream:
            await stream.send_all(browser.request("GET", f"{browser.path}events"))
            shown = b""
            while b"hello" not in shown:
                shown += await stream.receive_some(65536)
            browser.gate.bar(person)
            assert (await whole(stream)).endswith(b"\r\n0\r\n\r\n")


async def test_who_does_not_read_holds_up_neither_others_nor_the_end():
    person = Plain()
    with trio.fail_after(120):
        async with served(person) as browser:
            await browser.login()
            async with browser.stream() as event:
                slow = await trio.open_tcp_stream("127.0.0.1", browser.port)
                await slow.send_all(browser.request("GET", f"{browser.path}events"))
                for turn in range(40):
                    person.say(f"{turn} " + "x" * 400_000)
                    while f">{turn} " not in str(await event()):
                        pass
                ended = trio.current_time()
    assert trio.current_time() - ended < 1
    await slow.aclose()


async def test_a_page_that_cannot_be_drawn_ends_its_stream_and_nothing_else(caplog):
    person = Plain()
    async with served(person) as browser:
        await browser.login()
        async with browser.stream() as event:
            await event()
            person.fails = True
            person.say("never")
            with (
                caplog.at_level(logging.CRITICAL),
                pytest.raises((EOFError, trio.BrokenResourceError)),
            ):
                while True:
                    await event()
        person.fails = False
        assert (await browser.ask("GET", browser.path))[0] == 200


class Torn(trio.abc.Stream):
    """A connection that is reset in the very moment in which something is cancelled."""

    def __init__(self, request, cancelled):
        self.request, self.cancelled = request, cancelled

    async def receive_some(self, max_bytes=None):
        await trio.sleep(0.05)
        if self.request:
            request, self.request = self.request, b""
            return request
        for scope in self.cancelled():
            scope.cancel()
        raise trio.BrokenResourceError("connection reset by peer")

    async def send_all(self, data):
        await trio.lowlevel.checkpoint()

    async def wait_send_all_might_not_block(self):
        await trio.lowlevel.checkpoint()

    async def aclose(self):
        await trio.lowlevel.checkpoint()


@pytest.mark.parametrize("by", ["others", "the end"])
async def test_a_stream_that_is_reset_as_it_is_cancelled_raises_nothing(by):
    """It is crowded out, or all ends: what a connection raised would end all others, too."""

    async def endless(send):
        await trio.sleep_forever()

    server = HttpServer(lambda request: Reply(200, kind="text/event-stream", stream=endless))
    with trio.fail_after(5), trio.CancelScope() as outer:
        crowded = server._strangers if by == "others" else [outer]
        await server.connection(Torn(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", lambda: crowded))
