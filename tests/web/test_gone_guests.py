"""People with phones who have gone: what they do while they read the farewell is about nothing."""

from __future__ import annotations

import trio

from tests.web.guests import laptop


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


async def test_who_has_left_does_nothing_to_the_seat_of_who_came_after_it(tmp_path, monkeypatch):
    """Somebody else has the name now: nothing that the gone page says is about that seat."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        gone = eva.guest("Tom")
        await tom.tap("leave")
        await trio.sleep(0.03)
        await eva.come("Tom")
        gone.dozed = True
        monkeypatch.setattr(eva.phones, "_place", lambda guest: 1)
        eva.phones._leave(gone)
        eva.phones._wake(gone)
        await trio.sleep(0.03)
        assert gone.dozed
        assert eva.session.persons == ("Tom",)


async def test_a_screen_that_was_put_out_is_put_out_once(tmp_path):
    """Its pages may fail in the moment in which it is put out for another one."""
    async with laptop(tmp_path) as eva:
        await eva.browser().enter(f"/{eva.code}/tv")
        [screen] = eva.phones._screens
        for _ in range(2):
            eva.phones._dark(screen)
        assert not eva.phones._screens
