"""Each guest has its own language, colours and sound, at once, and its browser keeps them."""

from __future__ import annotations

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from lanplay.language import TAGS, _, current, speaking_here
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.audience import EVERYBODY
from lanplay.web.http import HttpRequest
from lanplay.web.taste import THEMES, Taste, taste_of
from tests.session.test_commands import until
from tests.web.guests import laptop

TASTES = st.builds(
    Taste, st.sampled_from(("", *TAGS)), st.sampled_from(list(THEMES)), st.booleans(), st.booleans()
)


@given(TASTES)
def test_a_taste_is_read_as_it_was_kept(taste):
    assert Taste.read(taste.text) == taste


@given(st.text(max_size=30))
def test_what_a_browser_has_kept_is_a_taste_of_ours_or_none(text):
    found = Taste.read(text)
    assert found is None or found.theme in THEMES
    asked = HttpRequest("GET", "/", {"cookie": f"taste={text}"})
    assert isinstance(taste_of(asked, Taste()), Taste)


@pytest.mark.parametrize(
    ("heads", "lang"),
    [
        ({}, "cs"),
        ({"accept-language": "hu-HU,hu;q=0.9,en;q=0.8"}, "hu"),
        ({"accept-language": "de-AT,en-GB;q=0.8"}, "en"),
        ({"accept-language": "xx,yy"}, "cs"),
        ({"accept-language": "hu", "cookie": "taste=en.dark"}, "en"),
        ({"accept-language": "hu", "cookie": "taste=xx.dark.<b>"}, "hu"),
    ],
)
def test_a_page_is_in_the_language_that_was_chosen_or_of_the_browser_or_the_laptop(heads, lang):
    assert taste_of(HttpRequest("GET", "/", heads), Taste("cs")).lang == lang


async def test_a_task_and_those_that_it_starts_speak_a_language_of_their_own():
    said = []

    async def says():
        await trio.lowlevel.checkpoint()
        said.append(_("yes"))

    async with trio.open_nursery() as nursery:
        with speaking_here("cs"):
            nursery.start_soon(says)
            with speaking_here("hu"):
                nursery.start_soon(says)
            with speaking_here(""):
                assert current() == "cs"
        nursery.start_soon(says)
    assert sorted(said) == sorted(["ano", "igen", "yes"])


async def test_a_guest_reads_its_own_language_before_it_sits_and_the_laptop_keeps_its_own(tmp_path):
    async with laptop(tmp_path) as eva:
        browser = eva.browser()
        body = (await browser.ask("GET", f"/{eva.code}", Accept_Language="hu"))[2].decode()
        assert '<html lang="hu"' in body
        assert current() == "en"


async def test_what_a_guest_sets_is_shown_at_once_also_in_the_log_and_to_nobody_else(tmp_path):
    async with laptop(tmp_path) as eva:
        tom, una = await eva.come("Tom"), await eva.come("Una")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        await until(lambda: eva.hosts.of(e.EventLogged))
        async with tom.stream() as event:
            _name, data = await event()
            fields = {"lang": "cs", "theme": "contrast", "motion": "still", "sound": "on"}
            request = {"do": "taste", **fields}
            _status, heads, _body = await tom.ask("POST", f"{tom.path}tap", request)
            assert heads["set-cookie"].startswith("taste=cs.contrast.still.sound;")
            page = dict(data["regions"])
            while "kolo" not in page["side"] or data["lang"] != "cs":
                _name, data = await event()
                page |= data.get("regions", {})
            assert data["look"] == "guest contrast still sound"
        assert "round" in (await una.ask("GET", una.path))[2].decode()
        shown = (await tom.ask("GET", tom.path))[2].decode()
        assert '<html lang="cs" class="guest contrast still sound">' in shown


async def test_what_the_table_tells_is_read_by_each_guest_in_its_language(tmp_path):
    async with laptop(tmp_path) as eva:
        told = {"Tom": "Tom plays through", "Una": "Přes notebook hráče Eva hraje Una."}
        browsers = {name: await eva.come(name) for name in told}
        await browsers["Una"].tap("taste", lang="cs")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.snapshot(EVERYBODY).asked)
        for name, browser in browsers.items():
            await until(lambda name=name: eva.guest(name)._stack)
            body = (await browser.ask("GET", browser.path))[2].decode()
            assert told[name] in body


@pytest.mark.parametrize(("tag", "told"), [("cs", "Tuto stránku nelze"), ("hu", "Ez az oldal")])
async def test_a_fault_in_drawing_is_told_to_a_guest_in_its_language(
    tag, told, tmp_path, monkeypatch, caplog
):
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        await tom.tap("taste", lang=tag)
        monkeypatch.setattr(eva.guest("Tom"), "regions", lambda: {}["planted"])
        status, _heads, body = await tom.ask("GET", tom.path)
        assert (status, current()) == (500, "en")
        assert told in body.decode()


@pytest.mark.parametrize(
    ("tag", "code", "name"), [("cs", "notebook", "jméno"), ("hu", "kód", "nev")]
)
async def test_who_cannot_come_is_told_why_in_its_language(tag, code, name, tmp_path):
    async with laptop(tmp_path) as eva:
        browser = eva.browser()
        for path, word in (("/", code), ("/XXXX-XXXX", code), (f"/{eva.code}", name)):
            body = (await browser.ask("GET", path, Accept_Language=tag))[2].decode()
            assert word in body
            assert "laptop shows" not in body
        for who in ("", "Eva"):
            asked = browser.ask("POST", f"/{eva.code}", {"name": who}, Accept_Language=tag)
            status, _heads, reply = await asked
            assert status == 409
            assert name in reply.decode()


async def test_a_taste_that_there_is_not_changes_nothing(tmp_path):
    async with laptop(tmp_path) as eva:
        tom = await eva.come("Tom")
        odd = {"lang": "xx", "theme": "<b>", "motion": "?", "sound": "loud"}
        assert await tom.tap("taste", **odd) == 204
        assert eva.guest("Tom").taste == Taste()
