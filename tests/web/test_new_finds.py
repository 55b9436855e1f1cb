"""What strangers and hostile files can do to the pages for phones, and to what is kept of people."""

from __future__ import annotations

import time

import pytest
import trio

from lanplay.config.file import ConfigFile, FileError
from lanplay.errors import UserError
from lanplay.session import commands as c
from lanplay.session import hints
from lanplay.session.habits import HabitStore
from lanplay.session.trust import KnownKeys
from lanplay.web import keeping
from lanplay.web.guests import WRONG_ALL
from lanplay.web.http import HttpServer, Reply
from tests.replica.harness import roster
from tests.session.test_commands import until
from tests.web.guests import laptop
from tests.web.test_guests import of_seat


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 60_000,
        b'{"port": 1, "guests": [{"name": [1], "taste": "", "sessions": []}]}',
    ],
)
def test_a_file_that_is_none_of_ours_ends_nothing(content, tmp_path):
    """Nested without end, or with a name that is no text: nobody comes back."""
    path = tmp_path / "x.guests"
    path.write_bytes(content)
    assert keeping.load(path) is None


def test_a_path_of_half_a_letter_ends_nothing(tmp_path):
    """JSON may spell half a surrogate pair; what is kept is written again."""
    path = tmp_path / "x.guests"
    key = b"ab" * 32
    path.write_bytes(
        b'{"port": 1, "guests": [{"name": "T", "taste": "", "sessions": [["'
        + key
        + b'", "/\\ud800/"]]}]}'
    )
    kept = keeping.load(path)
    if kept is not None:
        kept.save(path)


def test_known_keys_nested_without_end_are_damaged(tmp_path):
    (tmp_path / "known_peers.json").write_text("[" * 60_000)
    with pytest.raises(UserError):
        KnownKeys(tmp_path)


def test_known_keys_with_half_a_letter_are_damaged_or_kept(tmp_path):
    """A program that has read them can write them, in the middle of a game."""
    (tmp_path / "known_peers.json").write_text('{"%s": "\\ud800"}' % ("ab" * 32))
    try:
        known = KnownKeys(tmp_path)
    except UserError:
        return
    known.remember(roster(2), b"")


async def test_a_code_that_strangers_have_worn_out_is_shown_anew(tmp_path, monkeypatch):
    """The big screen shows the code that is good now: nobody is told a wrong one."""
    async with laptop(tmp_path) as eva:
        screen = eva.browser()
        await screen.enter(f"/{eva.code}/tv")
        await trio.sleep(0.3)
        async with screen.stream() as event:
            seen = ""
            while eva.code not in seen:
                with trio.fail_after(5):
                    _, data = await event()
                seen = str(data)
            before = eva.code
            for n in range(WRONG_ALL):
                eva.phones._code.fits("AAAA-AAAA", f"10.0.0.{n}")
            assert eva.code != before
            with trio.move_on_after(15):
                while eva.code not in seen:
                    _, data = await event()
                    seen = str(data)
            assert eva.code in seen


@pytest.mark.parametrize(
    "content",
    [
        "[" * 60_000,
        '{"Me": {"orders": {"g": {"c": ["always", Infinity]}}, "thinking": {}}}',
        '{"Me": {"orders": {}, "thinking": {"g": {"w": [1%s, 1]}}}}' % ("0" * 400),
    ],
)
def test_habits_that_cannot_be_read_are_as_if_they_were_not_there(content, tmp_path):
    """Numbers without end, or lists in lists: nothing in the file is worth a question."""
    (tmp_path / "habits.json").write_text(content)
    assert HabitStore(tmp_path).of("Me").plain() == HabitStore().of("Me").plain()


def test_settings_nested_without_end_are_no_toml(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("x = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(FileError):
        ConfigFile(path)


async def test_who_has_left_and_asks_for_another_language_ends_nothing(tmp_path):
    """Its cookie is good while the farewell is shown: what it taps then is about nothing."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        await tom.tap("leave")
        await trio.sleep(0.03)
        assert eva.guest("Tom") is None
        await tom.tap("taste", lang="cs")
        await trio.sleep(0.03)
        await tom.tap("leave")
        await trio.sleep(0.5)
        una = await eva.come("Una")
        assert (await una.ask("GET", una.path))[0] == 200


async def test_who_is_sent_away_has_no_page_of_the_table_any_more(tmp_path):
    """Neither at once, nor after it has asked for another language."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        eva.phones.remove("Tom")
        await trio.sleep(0.03)
        await tom.tap("taste", lang="cs")
        await trio.sleep(0.05)
        _status, _heads, body = await tom.ask("GET", tom.path)
        assert b"place." not in body


class Torn(trio.abc.Stream):
    """A connection that is reset in the very moment in which it is crowded out."""

    def __init__(self, server, request):
        self.server, self.request = server, request

    async def receive_some(self, max_bytes=None):
        await trio.sleep(0.05)
        if self.request:
            request, self.request = self.request, b""
            return request
        for scope in self.server._strangers:
            scope.cancel()
        raise trio.BrokenResourceError("connection reset by peer")

    async def send_all(self, data):
        await trio.lowlevel.checkpoint()

    async def wait_send_all_might_not_block(self):
        await trio.lowlevel.checkpoint()

    async def aclose(self):
        await trio.lowlevel.checkpoint()


async def test_a_stream_that_is_reset_as_it_is_crowded_out_raises_nothing():
    """``HttpServer.connection`` raises nothing: what it raises would end all others, too."""

    async def endless(send):
        await trio.sleep_forever()

    server = HttpServer(lambda request: Reply(200, kind="text/event-stream", stream=endless))
    torn = Torn(server, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    with trio.fail_after(5):
        await server.connection(torn)


async def test_who_asks_for_a_hint_again_and_again_takes_one_thread(tmp_path, monkeypatch):
    """A hint may take long; the game's own long work waits for the same threads."""
    running, most = 0, 0

    def slow(game, asked):
        nonlocal running, most
        running += 1
        most = max(most, running)
        time.sleep(2)
        running -= 1
        raise ValueError("no hint")

    monkeypatch.setattr(hints, "_explained", slow)
    async with laptop(tmp_path, seats=2) as eva:
        tom = await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: of_seat(eva, "Tom").own in (of_seat(eva, "Tom").asked or {}))
        for _ in range(19):
            await tom.tap("do.hint")
        await trio.sleep(1)
        assert most > 0
        assert most <= 2
