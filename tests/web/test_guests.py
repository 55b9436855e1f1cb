"""People with phones: they come, play for their own seat alone, sleep, and are taken away."""

from __future__ import annotations

import logging
import time
from html import unescape
from statistics import median

import pytest
import segno
import trio

from lanplay.errors import Mistake
from lanplay.games import NAMES
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session import hints, reaction, seats, standing
from lanplay.session.audience import EVERYBODY, Audience
from lanplay.web import gate, inviting
from lanplay.web.guests import (
    ASLEEP_SECONDS,
    STAND_IN_SECONDS,
    WRONG,
    WRONG_ALL,
    GuestCode,
)
from lanplay.web.inviting import MOST
from lanplay.web.joining import InvitationPage
from lanplay.web.live import Tap
from lanplay.web.pages import PageStack
from tests.session.test_commands import until
from tests.session.test_several_people import HIDING, marked
from tests.web.guests import laptop
from tests.web.harness import parsed
from tests.web.walker import Walker


@pytest.fixture
def _fast(monkeypatch):
    monkeypatch.setattr(gate, "BURST", 10_000)
    monkeypatch.setattr(gate, "RATE", 10_000)
    for pace in reaction.PAUSE:
        monkeypatch.setitem(reaction.PAUSE, pace, 0.01)
    monkeypatch.setattr(seats, "HOLD", 1e6)
    monkeypatch.setattr(standing, "taken", lambda share: 0.0)


async def test_somebody_comes_by_the_code_and_has_a_seat(tmp_path):
    async with laptop(tmp_path) as eva:
        browser = await eva.come("Tom")
        assert eva.session.persons == ("Tom",)
        _status, _heads, body = await browser.ask("GET", browser.path)
        assert "with Eva" in body.decode()


async def test_phones_talk_at_a_forming_table_and_the_log_of_the_game_begins_with_it(tmp_path):
    """Whoever comes later reads it too; who has no seat has no field, and what is typed is text."""

    async def page(browser):
        return unescape((await browser.ask("GET", browser.path))[2].decode())

    async with laptop(tmp_path, seats=4) as eva:
        tom = await eva.come("Tom")
        await tom.tap("say", text="<b>who</b> is next?")
        await until(lambda: eva.hosts.of(e.Chatted))
        [heard] = eva.hosts.of(e.Chatted)
        assert (heard.said.name, heard.said.laptop) == ("Tom", "Eva")
        una, late = await eva.come("Una"), "Tom, with Eva: “<b>who</b> is next?”"
        eva.session.submit(c.Say("welcome"))
        for each in (tom, una):
            assert late in await page(each)
            assert "Eva: “welcome”" in await page(each)
            assert 'data-do="say"' in await page(each)
        await tom.tap("say", text="x" * 201)
        assert "That is too long." in await page(tom)
        eva.session.submit(c.UnseatPerson("Una"))
        await until(lambda: "Una" not in eva.session.names)
        assert 'data-do="say"' not in await page(una)
        await una.tap("say", text="let me in")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        assert late in await page(tom)
        assert not any("let me in" in each.said.text for each in eva.hosts.of(e.Chatted))


async def test_a_table_for_so_many_people_starts_when_a_phone_makes_them_complete(tmp_path):
    """Phones count like laptops: it waited for whatever came over the network next."""
    async with laptop(tmp_path, people=3) as eva:
        await eva.come("Tom")
        assert not eva.session.played
        await eva.browser().join(eva.code, "Una")
        await until(lambda: eva.session.played)


async def test_who_finds_all_seats_taken_is_told_what_can_be_done_with_a_phone(tmp_path):
    """It was told commands that only a laptop has."""
    async with laptop(tmp_path, seats=2) as eva:
        eva.session.submit(c.SeatBot(1))
        status, said = await eva.browser().join(eva.code, "Tom")
        assert status == 409
        assert "none of its 2 seats is free. Its host can free the seat of an AI." in said
        assert "lanplay" not in said


async def compared(eva, kinds):
    """Draw the pages of guests for whatever is asked, with other faces for all that others hide."""
    replica, drawn = eva.session._game._replica, {}
    while True:
        for guest in eva.phones._guests:
            here = list(replica.awaited.items())
            if drawn.get(guest.name) == here:
                continue
            drawn[guest.name] = here
            seat = of_seat(eva, guest.name).own
            before = guest.regions()
            with marked(replica.views, {seat}) as hidden:
                other = guest.regions()
            after = guest.regions()  # the time that is left may have become a second less
            assert all(each in (before[name], after[name]) for name, each in other.items())
            asked = (of_seat(eva, guest.name).asked or {}).get(seat)
            if asked is not None:
                kinds[asked.name] = kinds.get(asked.name, 0) + hidden
        await trio.sleep(0.02)


@pytest.mark.sweep(4)
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("_fast")
@pytest.mark.parametrize("name", NAMES)
async def test_two_phones_and_a_laptop_play_a_whole_game(name, tmp_path):
    """Meanwhile no page of theirs depends on what somebody else hides."""
    kinds = {}
    with trio.fail_after(280):
        async with laptop(tmp_path, name) as eva, trio.open_nursery() as nursery:
            walkers = [
                Walker(await eva.come(each), seed) for seed, each in enumerate(("Tom", "Una"))
            ]
            for walker in walkers:
                nursery.start_soon(walker.play)
            eva.session.submit(c.StartGame())
            await until(lambda: eva.session.snapshot(EVERYBODY).asked)
            nursery.start_soon(compared, eva, kinds)
            await until(lambda: eva.hosts.of(e.Ended), tries=25_000)
            [ended] = eva.hosts.of(e.Ended)
            assert ended.outcome.result is not None
            assert ended.outcome.record.header.seats == ("Eva", "Tom", "Una")
            nursery.cancel_scope.cancel()
    assert name not in HIDING or any(kinds.values())
    for walker in walkers:
        assert set(walker.taps) <= {204, 409}
        assert walker.taps[204] > 5
        assert walker.bytes[0] < 80 * 1024
        assert median(walker.bytes) < 10 * 1024
        print(name, max(walker.bytes), median(walker.bytes), len(walker.bytes))


def of_seat(eva, name):
    return eva.session.snapshot(Audience(person=name))


async def test_a_guest_is_named_with_its_laptop_at_the_table_and_to_all(tmp_path):
    async with laptop(tmp_path) as eva:
        browser = await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        wanted = "Tom plays through Eva's laptop"
        await until(lambda: any(wanted in n.text for n in eva.hosts.of(e.TableNotice)))
        assert "with Eva" in (await browser.ask("GET", browser.path))[2].decode()


async def test_before_the_name_is_given_it_is_said_what_is_played_and_who_could_see_what(tmp_path):
    async with laptop(tmp_path) as eva:
        browser = eva.browser()
        status, _heads, body = await browser.ask("GET", f"/{eva.code}")
        said = body.decode()
        assert status == 200
        assert "through Eva's laptop, which could see your dice and cards" in unescape(said)
        assert "listens in on this Wi-Fi" in said
        assert "<b>Charidice</b>" in said


@pytest.mark.parametrize("host", ["evil.example:8765", "127.0.0.1", "127.0.0.1:80", None])
async def test_phones_come_to_the_address_alone(host, tmp_path):
    """A name that somebody lets point at the laptop is not its address."""
    async with laptop(tmp_path) as eva:
        browser = await eva.come("Tom")
        for path in (browser.path, f"/{eva.code}", "/"):
            assert (await browser.ask("GET", path, Host=host))[0] in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", None])
async def test_a_page_of_somebody_else_neither_joins_nor_taps(origin, tmp_path):
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        assert (await tom.ask("POST", f"{tom.path}tap", {"do": "leave"}, Origin=origin))[0] == 403
        posted = await eva.browser().ask("POST", f"/{eva.code}", {"name": "Una"}, Origin=origin)
        assert posted[0] == 403
        assert eva.session.persons == ("Tom",)


async def test_a_cookie_is_good_for_its_own_seat_alone(tmp_path):
    async with laptop(tmp_path) as eva:
        tom, una = await eva.come("Tom"), await eva.come("Una")
        for path in (una.path, f"{una.path}events", f"{una.path}../", "/lobby", "/"):
            body = (await tom.ask("GET", path))[2].decode()
            assert 'id="page"' not in body
        for method, path in (("POST", f"{una.path}tap"), ("POST", f"{una.path}events")):
            assert (await tom.ask(method, path, {"do": "leave"}))[0] in (403, 404)
        tom.cookie = tom.cookie[:-1] + ("A" if tom.cookie[-1] != "A" else "B")
        assert (await tom.ask("GET", tom.path))[0] == 403
        assert eva.session.persons == ("Tom", "Una")


async def test_the_owners_link_is_none_for_phones_and_theirs_none_for_the_owner(tmp_path):
    async with laptop(tmp_path) as eva:
        browser = eva.browser()
        for path in ("/login?token=x", "/login", "/static/../site.py", "/events", "/tap"):
            assert (await browser.ask("GET", path))[0] == 403


async def test_a_guest_answers_for_its_own_seat_alone(tmp_path):
    """Whatever it sends: what it may do follows from its cookie, and no request names a seat."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        await eva.come("Una")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        audience = Audience(person="Tom")
        mine = of_seat(eva, "Tom").own
        assert [*of_seat(eva, "Tom").views] == [mine]
        for seat in {0, 1, 2} - {mine}:
            for command in (
                c.GiveAnswer(seat, None),
                c.SetAway(seat, True),
                c.AskHint(seat),
                c.MoreTime(seat),
                c.Say("x", seat),
            ):
                with pytest.raises(ValueError, match="cannot be done"):
                    eva.session.submit(command, audience)
        for command in (c.LeaveTable(), c.Rematch(), c.SkipWait("Eva"), c.KeepWaiting("Eva")):
            with pytest.raises(ValueError, match="cannot be done"):
                eva.session.submit(command, audience)
        for do in ("do.q", "do.speed", "do.fast", "do.hurry", "do.anew", "do.invite", "do.remove"):
            if do != "do.q":
                assert await tom.tap(do, text="Una") == 409
        assert eva.session.stage is e.TableStage.PLAYING


async def test_a_stale_tap_and_one_about_another_question_change_nothing(tmp_path):
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: 1 in (of_seat(eva, "Tom").asked or ()))
        before = of_seat(eva, "Tom").asked[1]
        for do in ("pick.0", "ok", "yes", "back"):
            assert await tom.tap(do, "9.9") == 409
        assert of_seat(eva, "Tom").asked[1] == before


async def test_a_code_that_is_wrong_too_often_is_not_heard_for_a_minute(tmp_path):
    async with laptop(tmp_path) as eva:
        browser = eva.browser()
        for _ in range(WRONG):
            assert (await browser.ask("GET", "/AAAA-AAAA"))[0] == 403
        assert (await browser.ask("GET", f"/{eva.code}"))[0] == 429


async def test_without_an_invitation_nobody_comes_and_who_is_here_stays(tmp_path):
    async with laptop(tmp_path) as eva:
        tom, code = await eva.come("Tom"), eva.code
        eva.phones.uninvite()
        assert (await eva.browser().join(code, "Una"))[0] == 403
        assert (await tom.ask("GET", tom.path))[0] == 200
        eva.phones.invite()
        assert eva.code != code
        assert (await eva.browser().join(code, "Una"))[0] == 403


async def test_the_code_is_another_one_only_where_that_is_wanted(tmp_path):
    """To show it once more does not stop who is typing it."""
    async with laptop(tmp_path) as eva:
        code, page = eva.code, InvitationPage(PageStack(), eva.phones)
        eva.phones.invite()
        assert eva.code == code
        assert page.act(Tap("invite"))
        assert eva.code != code


@pytest.mark.parametrize("name", ["", "   ", "Eva", "eva", "\uff25va"])
async def test_a_name_that_is_none_or_another_ones_gets_no_seat(name, tmp_path):
    async with laptop(tmp_path) as eva:
        assert (await eva.browser().join(eva.code, name))[0] == 409
        assert eva.session.persons == ()


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\u202eTom", "a" * 200, "x\r\nSet-Cookie: y=1"]
)
async def test_a_hostile_name_is_text(name, tmp_path):
    async with laptop(tmp_path) as eva:
        browser = eva.browser()
        status, _said = await browser.join(eva.code, name)
        assert status == 200
        body = (await browser.ask("GET", browser.path))[2].decode()
        assert body.count("<script") == 1
        assert "\u202e" not in body


async def test_who_asks_for_a_seat_that_is_taken_waits_for_the_owner(tmp_path):
    """Who is let in twice is told that no phone asks any more, not that nobody is called so."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        other = await eva.come("Tom")
        waits = (await other.ask("GET", other.path))[2].decode()
        assert "Somebody has this seat already. Eva decides whether you get it." in waits
        assert [each.asks for each in eva.phones.invitation.guests] == [False, True]
        eva.phones.admit("Tom")
        await until(lambda: len(eva.phones._guests) == 1)
        await trio.sleep(0.6)
        assert (await tom.ask("GET", tom.path))[0] == 403
        assert "with Eva" in (await other.ask("GET", other.path))[2].decode()
        with pytest.raises(Mistake, match="No phone asks for the seat of 'Tom'"):
            eva.phones.admit("Tom")


async def test_of_two_by_one_name_the_second_may_take_another(tmp_path):
    """It was kept waiting for the first one's seat, and came back to that whenever it scanned."""
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        second = eva.browser()
        status, said = await second.join(eva.code, "tom", again=False)
        assert status == 409
        assert "Somebody at the table is called Tom already. Take another name" in said
        assert "I am Tom" in said
        assert len(eva.phones.invitation.guests) == 1
        assert (await second.join(eva.code, "Tom 2", again=False))[0] == 200
        assert eva.session.persons == ("Tom", "Tom 2")


async def test_of_two_that_ask_for_one_seat_the_second_waits_for_the_answer_to_the_first(tmp_path):
    """Their rows would look alike, so the owner could let in the wrong one; and one phone that
    asked again and again took the room of all others."""
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        await eva.come("Tom")
        third = eva.browser()
        for _ in range(2 * MOST):
            status, said = await third.join(eva.code, "Tom")
            assert status == 409
            assert "Another phone asks for the seat of Tom. Wait until Eva has decided" in said
        assert [each.asks for each in eva.phones.invitation.guests] == [False, True]
        eva.phones.remove("Tom")
        assert (await third.join(eva.code, "Tom"))[0] == 200
        assert [each.asks for each in eva.phones.invitation.guests] == [False, True]


async def test_who_asked_for_a_seat_and_went_away_keeps_nobody_from_asking(tmp_path):
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        await eva.come("Tom")
        eva.phones._guests[1]._heard -= ASLEEP_SECONDS + STAND_IN_SECONDS
        assert (await eva.browser().join(eva.code, "Tom"))[0] == 200
        assert [each.asks for each in eva.phones.invitation.guests] == [False, True]


async def test_whoever_is_refused_a_seat_is_not_told_that_it_was_its_own(tmp_path):
    async with laptop(tmp_path) as eva:
        tom, other = await eva.come("Tom"), await eva.come("Tom")
        eva.phones.remove("Tom")
        said = (await other.ask("GET", other.path))[2].decode()
        assert "keeps that seat for somebody else. Give another name." in said
        assert "with Eva" in (await tom.ask("GET", tom.path))[2].decode()


async def test_who_left_a_game_and_comes_back_is_told_that_the_seat_is_kept(tmp_path):
    """Nobody else has it; and yet only the owner knows whether it is the same person."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        await tom.tap("do.q")
        await tom.tap("sure.yes")
        await until(lambda: not eva.guest("Tom"))
        again = await eva.come("Tom")
        waits = (await again.ask("GET", again.path))[2].decode()
    assert "The seat of Tom is kept. Eva decides whether you get it." in waits


async def test_a_phone_that_is_removed_has_no_seat_no_cookie_and_no_code(tmp_path):
    async with laptop(tmp_path) as eva:
        tom, code = await eva.come("Tom"), eva.code
        eva.phones.remove("tom")
        assert eva.session.persons == ()
        assert await tom.tap("leave") == 409
        await trio.sleep(0.6)
        assert (await tom.ask("GET", tom.path))[0] == 403
        assert (await tom.join(code, "Tom"))[0] == 403


@pytest.mark.parametrize(("asks", "left"), [(None, [False]), (True, [False]), (False, [True])])
async def test_of_two_by_one_name_the_one_whose_row_is_tapped_is_removed(asks, left, tmp_path):
    """By name alone, as it is typed, the one that only asks is meant."""
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        await eva.come("Tom")
        eva.phones.remove("Tom", asks)
        assert [each.asks for each in eva.phones.invitation.guests] == left


async def test_in_a_game_ai_answers_for_a_phone_that_is_removed(tmp_path):
    async with laptop(tmp_path) as eva:
        await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        seat = of_seat(eva, "Tom").own
        eva.phones.remove("Tom")
        assert seat in of_seat(eva, "Tom").away
        await until(lambda: eva.hosts.of(e.Ended))


async def test_a_page_that_sleeps_keeps_its_seat_and_ai_answers_only_in_the_end(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(inviting, "STAND_IN_SECONDS", 0.5)
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)
    async with laptop(tmp_path, seats=2) as eva:
        tom = await eva.come("Tom")
        eva.session.submit(c.StartGame())
        seat = 1
        await until(lambda: seat in (eva.session.snapshot(EVERYBODY).asked or {}))
        eva.hosts.thinks_after = 0
        assert await tom.tap("here") == 204
        assert await tom.tap("hidden") == 204
        await until(lambda: seat in of_seat(eva, "Tom").away)
        await until(lambda: eva.hosts.of(e.AwayChanged))
        told = [each.why for each in eva.hosts.of(e.AwayChanged)]
        assert told == ["Tom's phone is asleep."]
        assert await tom.tap("here") == 204
        assert seat not in of_seat(eva, "Tom").away
        assert (await tom.ask("GET", tom.path))[0] == 200


async def test_no_ai_answers_for_a_page_that_sleeps_while_others_think(tmp_path, monkeypatch):
    """Only once it is asked: until then nobody has missed it."""
    monkeypatch.setattr(inviting, "STAND_IN_SECONDS", 0.1)
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)
    async with laptop(tmp_path, seats=2) as eva:
        eva.hosts.thinks_after = 0
        tom = await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        eva.session.submit(c.SetAway(1, True))  # whoever begins, it is Eva's turn then
        await until(lambda: list(eva.session.snapshot(EVERYBODY).asked) == [0])
        eva.session.submit(c.SetAway(1, False))
        assert await tom.tap("hidden") == 204
        await until(lambda: eva.guest("Tom").asleep > 0.5)
        assert not eva.session.snapshot(EVERYBODY).away
        eva.session.submit(c.SetAway(0, True))
        asleep = "Tom's phone is asleep."
        await until(lambda: asleep in [each.why for each in eva.hosts.of(e.AwayChanged)])


async def test_another_language_in_mid_game_tells_the_whole_log_again(tmp_path, monkeypatch):
    """Events, what the table told, and talk, of before the game too; each guest reads its own."""
    monkeypatch.setattr(inviting, "STAND_IN_SECONDS", 0.5)
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)

    async def log(browser):
        root = parsed((await browser.ask("GET", browser.path))[2].decode())
        return "\n".join(each.text for each in root.all("li") if each["data-key"])

    async with laptop(tmp_path, seats=2, idle=1) as eva:
        tom = await eva.come("Tom")
        eva.session.submit(c.Say("before"))
        eva.session.submit(c.StartGame())
        await until(lambda: 1 in (eva.session.snapshot(EVERYBODY).asked or {}))
        eva.hosts.thinks_after = 0
        await until(lambda: 1 in of_seat(eva, "Tom").away)
        eva.session.submit(c.Say("meanwhile"))
        english = await log(tom)
        told = len(english.split("\n"))
        assert "You have not answered for 1 s. An AI answers for you" in english
        await tom.tap("taste", lang="cs")
        czech = []
        while len(czech) < told or not any("meanwhile" in line for line in czech):
            czech = (await log(tom)).split("\n")
        said = ["Eva: „before“", "Neodpovídáš už", "Eva: „meanwhile“"]
        places = [[n for n, line in enumerate(czech) if each in line] for each in said]
        assert [len(each) for each in places] == [1, 1, 1]
        assert places == sorted(places)


async def test_who_comes_during_a_game_watches_and_sees_no_hand(tmp_path):
    """And is told so before it gives a name: nobody is promised a seat."""
    async with laptop(tmp_path, "dice-town") as eva:
        eva.hosts.thinks_after = 0
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        asked = (await eva.browser().ask("GET", f"/{eva.code}"))[2].decode()
        assert "The game has begun: you can watch it." in asked
        assert ">watch</button>" in asked
        assert "sit down" not in asked
        assert "could see your dice" not in asked
        browser = await eva.come("Zoe")
        body = (await browser.ask("GET", browser.path))[2].decode()
        assert not of_seat(eva, "Zoe").views
        assert "Your hand" not in body
        assert "pick." not in body


async def test_who_wants_two_languages_at_one_moment_stays(tmp_path):
    """Both of its wishes came before anything was shown anew: its seat was taken away."""
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        guest = eva.guest("Tom")
        guest.retold()
        guest.retold()
        await trio.sleep(0.2)
        assert eva.session.persons == ("Tom",)
        assert eva.guest("Tom") is guest
        assert "cannot be drawn" not in (await tom.ask("GET", tom.path))[2].decode()


async def test_a_phone_that_watches_under_many_names_makes_room_for_another_one(
    tmp_path, monkeypatch
):
    """It took the room of all; whoever has a seat stays, and its own next name finds none."""
    async with laptop(tmp_path, "charidice") as eva:
        eva.hosts.thinks_after = 0
        await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        for n in range(MOST - 1):
            await eva.come(f"Zoe {n}")
        status, said = await eva.browser().join(eva.code, "Zoe again")
        assert status == 409
        assert "No more phones can join" in said
        monkeypatch.setattr("lanplay.web.http._peer", lambda stream: "10.0.0.9")
        await eva.come("Ann")
        names = [each.name for each in eva.phones.invitation.guests]
        assert names == ["Tom", *(f"Zoe {n}" for n in range(1, MOST - 1)), "Ann"]


async def test_who_comes_during_a_game_that_nobody_may_watch_is_told_at_once(tmp_path, monkeypatch):
    async with laptop(tmp_path, "dice-town") as eva:
        eva.hosts.thinks_after = 0
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        monkeypatch.setattr(type(eva.session), "watched", False)
        asked = (await eva.browser().ask("GET", f"/{eva.code}"))[2].decode()
    assert "The game has begun, and this table takes no spectators." in asked
    assert "you can watch" not in asked


async def test_a_fault_in_a_phones_pages_ends_those_alone(tmp_path, monkeypatch, caplog):
    async with laptop(tmp_path) as eva:
        tom, una = await eva.come("Tom"), await eva.come("Una")
        with caplog.at_level(logging.CRITICAL):
            monkeypatch.setattr(eva.guest("Tom")._stack[-1], "regions", None)
            assert (await tom.ask("GET", tom.path))[0] == 500
        assert (await una.ask("GET", una.path))[0] == 200
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)


async def test_when_the_laptop_leaves_its_phones_are_told(tmp_path):
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        async with tom.stream() as event, trio.open_nursery() as nursery:
            await event()
            nursery.start_soon(eva.phones.close)
            name, data = await event()
            while "has left the table" not in str(data):
                name, data = await event()
            assert name == "page"


def test_a_code_is_typed_as_it_is_read_out():
    code = GuestCode(lambda: 0.0, lambda: None)
    for text in (code.text, code.text.lower(), code.text.replace("-", " ")):
        assert code.fits(text, "a")
        assert code.fits(text.replace("0", "o").replace("1", "l"), "a")


def test_a_code_that_many_have_guessed_at_is_another_one():
    code = GuestCode(lambda: 0.0, lambda: None)
    before = code.text
    for number in range(WRONG_ALL):
        assert not code.fits("WRNG-0000", str(number))
    assert code.text != before
    assert not code.fits(before, "a")


async def test_a_code_that_strangers_have_worn_out_is_shown_anew(tmp_path):
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
        told = [str(each.text) for each in eva.hosts.of(e.TableNotice)]
        assert any(eva.code in each for each in told)


async def test_the_code_in_a_terminal_is_the_one_that_is_scanned(tmp_path):
    async with laptop(tmp_path) as eva:
        shown = eva.phones.invitation
        cells = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
        drawn = [[cells[each] for each in row] for row in shown.drawn()]
        modules = [[pair[half] for pair in row] for row in drawn for half in (0, 1)]
        found = [row[2:-2] for row in modules[2:-2]][: len(shown.code)]
        assert found == [list(map(int, row)) for row in shown.code]
        assert max(map(len, shown.drawn())) < 60
        assert len(shown.drawn()) < 20
        scanned = segno.make(shown.address, error="m", micro=False)
        assert [list(row) for row in scanned.matrix] == found


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
        assert most == 1
