"""What weighs is done only after a yes, however often it is tapped."""

from __future__ import annotations

import pytest
import trio

from lanplay.games import load
from lanplay.language import speaking
from lanplay.notices import Notice
from lanplay.session import commands as c
from lanplay.session.audience import EVERYBODY
from lanplay.ui.commands import Command, described
from lanplay.ui.invitation import Invitation, PhoneGuest, commands
from lanplay.web.live import Tap
from lanplay.web.lobby import FormingPage
from lanplay.web.pages import PageStack
from lanplay.web.table import WebTable
from tests.session.test_commands import until
from tests.web.guests import laptop
from tests.web.harness import options, parsed
from tests.web.test_pages import PEOPLE, drawn, moments, scene_of, shown


async def test_a_second_tap_on_what_weighs_is_no_yes():
    """Somebody who tapped twice had left the game."""
    left = []
    played, seat, question = next(moments("charidice"))
    async with shown(played, seat, question) as page:
        page.commands = lambda: [Command("q", "leave", left.append, sure="Leave the game?")]
        for _ in range(3):
            assert page.act(Tap("do.q"))
        assert left == []
        assert "Leave the game?" in drawn(page)
        assert page.act(Tap("sure.yes"))
        assert left == [""]


@pytest.mark.parametrize("do", ["leave", "kick Ann"])
async def test_at_a_forming_table_leaving_and_sending_away_wait_for_a_yes(do, tmp_path):
    """One tap beside the right one closed the table for all who had come."""
    async with laptop(tmp_path) as eva:
        page, lines = FormingPage(PageStack()), []
        page.seats(eva.session.snapshot(EVERYBODY).lobby)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page.host, lines.append)
            await trio.testing.wait_all_tasks_blocked()
            for answer in ("sure.no", "sure.yes"):
                assert lines == []
                assert page.act(Tap(do))
                assert lines == []
                assert {"sure.yes", "sure.no"} <= options(parsed(page.regions()["ask"])).keys()
                assert page.act(Tap(answer))
                assert "sure.yes" not in options(parsed(page.regions()["ask"]))
            assert lines == ["q" if do == "leave" else do]
            assert not page.act(Tap("sure.yes"))
            nursery.cancel_scope.cancel()


async def test_a_phone_sends_nobody_away(tmp_path):
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        assert await tom.tap("kick Eva") == 409
        assert await tom.tap("sure.yes") == 409


class Asking:
    """Phones of which Tom's asks for a seat."""

    let_in: list[str] = []

    @property
    def invitation(self):
        return Invitation(guests=(PhoneGuest("Tom", asks=True),))

    def admit(self, name):
        self.let_in.append(name)

    invite = uninvite = remove = print


async def test_a_phone_that_asks_for_its_seat_is_let_in_by_a_tap_above_the_board():
    """In words of the reader's language: the log alone said so, and named no button."""
    with speaking("cs"):
        page = WebTable(PageStack(), load("charidice"), PEOPLE, confirm=True)
        played, seat, _question = next(moments("charidice"))
        page.sees(lambda: scene_of(played, played.views[seat]))
        asks = commands(Asking(), print)
        page.commands = lambda: asks
        assert "Tom" in options(parsed(page.regions()["alerts"]))["do.admit"].text
        page.notice(Notice.ASKS_SEAT.of(name="Tom"))
        assert "remove" not in page._log.lines[-1].text
        page.act(Tap("do.admit"))
    assert Asking.let_in == ["Tom"]


@pytest.mark.parametrize(
    ("invitation", "listed"),
    [
        (Invitation(), {"invite"}),
        (Invitation("http://a/b"), {"invite", "uninvite"}),
        (Invitation(guests=(PhoneGuest("Tom"),)), {"invite", "remove"}),
    ],
)
def test_help_lists_what_can_be_done_about_phones_while_there_are_some(
    monkeypatch, invitation, listed
):
    monkeypatch.setattr(Asking, "invitation", invitation)
    lines = described(commands(Asking(), print)).split("\n")
    assert {each.split()[0] for each in lines} == listed


async def test_who_is_let_in_again_answers_at_once(tmp_path):
    """AI went on for a person who was back, until it had found out how to say so."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        seat = eva.seat("Tom")
        await tom.tap("do.q")
        assert await tom.tap("sure.yes") == 204
        assert seat in eva.session.snapshot(EVERYBODY).away
        await eva.browser().join(eva.code, "Tom")
        eva.phones.admit("Tom")
        assert seat not in eva.session.snapshot(EVERYBODY).away
