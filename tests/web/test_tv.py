"""A big screen: it shows what all may see, to whoever knows the code, and nothing is tapped."""

from __future__ import annotations

import logging

import pytest
import trio

from lanplay.session import commands as c
from lanplay.session.audience import EVERYBODY
from lanplay.web import inviting
from tests.session.test_commands import until
from tests.session.test_several_people import HIDING, marked
from tests.web.guests import laptop
from tests.web.harness import parsed
from tests.web.walker import Walker


async def screen_of(eva):
    """Let a big screen come; return the browser once its page is the table's."""
    browser, count = eva.browser(), len(eva.phones._screens)
    assert await browser.enter(f"/{eva.code}/tv") == 200
    await until(lambda: len(eva.phones._screens) > count and eva.phones._screens[-1]._stack)
    return browser


async def body_of(browser):
    status, _heads, body = await browser.ask("GET", browser.path)
    assert status == 200
    return body.decode()


async def test_while_a_table_forms_a_big_screen_shows_how_to_come_and_who_has(tmp_path):
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        shown = await body_of(await screen_of(eva))
        assert 'class="qr"' in shown
        assert eva.code in shown
        assert "Tom" in shown
        assert eva.session.persons == ("Tom",)


async def test_who_does_not_know_the_code_gets_no_big_screen(tmp_path):
    async with laptop(tmp_path) as eva:
        for path in ("/tv", "/AAAA-AAAA/tv"):
            assert await eva.browser().enter(path) == 403
        eva.phones.uninvite()
        assert await eva.browser().enter(f"/{eva.code}/tv") in (200, 403)
        assert eva.phones._screens == []


async def test_another_code_is_shown_at_once(tmp_path):
    async with laptop(tmp_path) as eva:
        browser = await screen_of(eva)
        async with browser.stream() as event:
            await event()
            eva.phones.uninvite()
            eva.phones.invite()
            name, data = await event()
            assert name == "page"
            assert eva.code in data["regions"]["board"]


@pytest.mark.parametrize("name", ["charidice", *HIDING])
async def test_a_big_screen_shows_no_hidden_face_and_takes_no_tap(name, tmp_path):
    async with laptop(tmp_path, name) as eva:
        tv, tom = await screen_of(eva), await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        [screen] = eva.phones._screens
        hidden, end = 0, trio.current_time() + 4
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Walker(tom).play)
            while trio.current_time() < end or (name in HIDING and not hidden):
                before = screen.regions()
                with marked(eva.session._game._replica.views, ()) as count:
                    assert screen.regions() == before
                hidden += count
                await trio.sleep(0.05)
            nursery.cancel_scope.cancel()
        assert name not in HIDING or hidden
        root = parsed("".join(screen.regions().values()))
        assert [each for each in root.all() if each["data-do"]] == []
        for do in ("pick.0", "yes", "ok", "do.q", "say", "agree", "start", "leave"):
            assert await tv.tap(do, "1.0", text="x") == 409


async def test_of_too_many_big_screens_the_oldest_that_nobody_looks_at_goes(tmp_path):
    async with laptop(tmp_path) as eva:
        first = await screen_of(eva)
        async with first.stream() as event:
            await event()
            second = await screen_of(eva)
            for _ in range(inviting.SCREENS - 1):
                await screen_of_more(eva)
            assert len(eva.phones._screens) == inviting.SCREENS
            assert (await first.ask("GET", first.path))[0] == 200
            assert (await second.ask("GET", second.path))[0] == 403


async def screen_of_more(eva):
    assert await eva.browser().enter(f"/{eva.code}/tv") == 200


async def test_a_table_that_nobody_may_watch_has_no_big_screen(tmp_path, monkeypatch):
    async with laptop(tmp_path) as eva:
        tv = await screen_of(eva)
        monkeypatch.setattr(type(eva.session), "watched", False)
        eva.session.submit(c.StartGame())
        await until(lambda: not eva.phones._screens)
        assert (await tv.ask("GET", tv.path))[0] == 403
        assert await eva.browser().enter(f"/{eva.code}/tv") == 403


async def test_a_fault_in_a_big_screen_ends_it_alone(tmp_path, monkeypatch, caplog):
    async with laptop(tmp_path) as eva:
        tv, tom = await screen_of(eva), await eva.come("Tom")
        with caplog.at_level(logging.CRITICAL):
            monkeypatch.setattr(eva.phones._screens[0]._stack[-1], "regions", None)
            assert (await tv.ask("GET", tv.path))[0] == 500
        assert (await tom.ask("GET", tom.path))[0] == 200
