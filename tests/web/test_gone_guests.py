"""People with phones, or their laptop, who have gone.

What they do while they read the farewell is about nothing.
"""

from __future__ import annotations

import pytest
import trio

from lanplay.cli.phones import phones_at
from lanplay.config.declared import Settings
from lanplay.errors import UserError
from lanplay.session import commands as c
from lanplay.session.audience import EVERYBODY
from lanplay.session.client import NO_PASSWORD
from lanplay.session.settings import TableWish
from tests.session.harness import client_of
from tests.session.test_commands import until
from tests.web.guests import laptop
from tests.web.harness import Browser


async def test_who_has_left_and_asks_for_another_language_ends_nothing(tmp_path):
    """Its cookie is good while the farewell is shown: what it taps then is about nothing."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        await tom.tap("leave")
        await tom.tap("sure.yes")
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
        await tom.tap("sure.yes")
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


@pytest.mark.parametrize(
    ("plays", "told"), [(False, "has left the table."), (True, "This page goes on once")]
)
async def test_phones_are_told_when_the_person_of_their_laptop_leaves(plays, told, tmp_path):
    """They said for ever that they try to reach it."""
    session = client_of(tmp_path, "Eva").host(TableWish("charidice", 3, "random"), NO_PASSWORD)
    shown = []

    async def phone(address, task_status):
        browser = Browser(int(address.split(":")[2].partition("/")[0]))
        await browser.join(address.rpartition("/")[2], "Tom")
        async with browser.stream() as event:
            await event()
            task_status.started()
            while not any(told in each for each in shown):
                shown.append(str(await event()))

    async def hosted():
        async with (
            phones_at(session, Settings(), nobody=False) as phones,
            trio.open_nursery() as running,
        ):
            running.start_soon(session.run)
            await until(lambda: session.snapshot(EVERYBODY).lobby)
            phones.invite()
            await nursery.start(phone, phones.invitation.address)
            if plays:
                session.submit(c.StartGame())
                await until(lambda: session.snapshot(EVERYBODY).asked)
            session.submit(c.LeaveTable())

    async with trio.open_nursery() as nursery:
        with pytest.RaisesGroup(UserError, flatten_subgroups=True):
            await hosted()
        with trio.fail_after(5):
            await until(lambda: any(told in each for each in shown))


async def test_a_big_screen_is_not_promised_to_go_on_by_itself(tmp_path):
    """Nothing is kept of it: after ``lanplay resume`` its page is reached by the new address."""
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        await eva.browser().enter(f"/{eva.code}/tv")
        eva.session.submit(c.StartGame())
        guest, [screen] = eva.guest("Tom"), eva.phones._screens
        for each in (guest, screen):
            await until(lambda page=each: "Charidice" in page.regions()["head"])
        await eva.phones.close()
        assert "This page goes on" in guest.regions()["board"]
        assert "has left the table" in screen.regions()["board"]
