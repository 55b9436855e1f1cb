"""A real browser: whole games by taps on a phone, and what only a browser can tell."""

from __future__ import annotations

from socket import socket

import pytest

from lanplay.games import load
from lanplay.ui import story
from tests.replaying.test_page import record_of
from tests.web.chromium import (
    ASKED,
    FITS,
    OVER,
    PHONES,
    SIZES,
    TABLETS,
    TINY,
    accessible,
    invite,
    opened,
    play_on,
    playwright,
    program,
    tap,
    tap_or_click,
    two_pages,
)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("game", ["charidice"])
def test_a_whole_game_is_played_on_a_phone(game, tmp_path):
    arguments = (game, "--seats", "2", "--bot", "random", "--seed", "1")
    with (
        program(tmp_path, *arguments) as link,
        opened(link, reduced_motion="reduce") as (page, said),
    ):
        picked = set()
        for _ in range(400):
            page.wait_for_selector(ASKED, timeout=30_000)
            page.wait_for_timeout(400)  # taps on what is new are ignored for a moment
            assert page.evaluate(FITS)
            assert page.evaluate(TINY) == []
            if page.query_selector("[data-do=done]"):
                break
            try:
                tap(page, picked)
            except playwright.TimeoutError:  # the game went on meanwhile
                continue
        page.locator("[data-do=done]").tap()
        page.wait_for_selector("[data-over], #lost:not([hidden])", state="attached")
    assert said == []


IN_SIGHT = """["[data-do='do.hint']", "[data-do='do.rules']", "#asked", ".streets, .graves"].filter(
    each => document.querySelector(each)?.getBoundingClientRect().bottom > innerHeight)"""
"""What of help, question and map is below the fold."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("size", [*SIZES, *TABLETS, *PHONES])
@pytest.mark.parametrize("game", ["charidice", "dice-town", "fliptown", "dogs-life"])
def test_a_table_fits_every_screen(game, size, tmp_path):
    with program(tmp_path, game, "--seed", "5") as link, opened(link, size) as (page, said):
        page.wait_for_selector("#page [data-rev]", timeout=60_000)
        page.wait_for_function("document.title.startsWith('●')", timeout=30_000)
        assert page.evaluate(FITS)
        assert page.evaluate(OVER) == []
        assert size != "laptop" or page.evaluate(IN_SIGHT) == []
        assert page.evaluate(TINY) == []
        assert accessible(page) == []
    assert said == []


BESIDE = """() => {
    const dock = document.querySelector(".dock").getBoundingClientRect();
    const board = document.querySelector("#board").getBoundingClientRect();
    return board.right <= dock.left && dock.bottom <= innerHeight;
}"""


@pytest.mark.parametrize("game", ["charidice", "dice-town", "fliptown", "dogs-life"])
def test_on_a_phone_on_its_side_the_question_lies_beside_the_board(game, tmp_path):
    """It lay over it: of a map to tap on a strip of 80 pixels was left."""
    with (
        program(tmp_path, game, "--seed", "5") as link,
        opened(link, "phone on its side") as (page, said),
    ):
        page.wait_for_selector("#page [data-rev]", state="attached", timeout=60_000)
        assert page.evaluate(BESIDE)
    assert said == []


BROADEST = "W" * 20


@pytest.mark.parametrize("game", ["charidice", "dice-town", "fliptown", "dogs-life"])
def test_with_the_broadest_name_nothing_runs_off_a_small_phones_page(game, tmp_path):
    """It widened the whole board: half of Dice Town and of Fliptown's map was cut off."""
    with (
        program(tmp_path, game, "--seed", "5", name=BROADEST) as link,
        opened(link, "small phone") as (page, _said),
    ):
        page.wait_for_selector("#page [data-rev]", state="attached", timeout=60_000)
        assert page.evaluate(FITS)
        assert page.evaluate(OVER) == []


def test_the_keyboard_alone_answers(tmp_path):
    arguments = ("charidice", "--seats", "2", "--seed", "1")
    with program(tmp_path, *arguments) as link, opened(link, "laptop") as (page, _said):
        page.wait_for_selector("#ask [data-rev]")
        page.wait_for_timeout(500)
        revision = page.get_attribute("#ask [data-rev]", "data-rev")
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.dataset.rev") == revision:
                break
        page.keyboard.press("Enter")
        done = f"!document.querySelector(\"[data-rev='{revision}']\") || "
        done += "!!document.querySelector('[aria-pressed=true]')"
        assert any(page.evaluate(done) or page.wait_for_timeout(100) for _ in range(50))
        assert page.evaluate("document.activeElement !== document.body")


COVERED = """() => {
    const at = document.activeElement, box = at.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !at.contains(top) && !top?.contains(at);
}"""


def test_the_keyboard_gets_to_nothing_that_is_covered(tmp_path):
    """On a small screen the buttons below the board were reached under the question."""
    with (
        program(tmp_path, "dice-town", "--seed", "5") as link,
        opened(link, reduced_motion="reduce") as (page, _said),
    ):
        page.wait_for_selector("#ask [data-rev]", state="attached")
        reached = set()
        for _ in range(30):
            page.keyboard.press("Tab")
            assert not page.evaluate(COVERED)
            reached.add(page.evaluate("document.activeElement.dataset.do"))
        assert "do.q" in reached


def test_enter_held_down_taps_once(tmp_path):
    """Held a little too long it answered one question after another with what came first."""
    arguments = ("charidice", "--seats", "2", "--seed", "1")
    with program(tmp_path, *arguments) as link, opened(link, "laptop") as (page, _said):
        page.wait_for_selector("#ask [data-rev]")
        taps = []
        page.on("request", lambda each: taps.append(each.post_data or ""))
        page.locator("[data-do='do.hint']").focus()
        for _ in range(10):
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        page.wait_for_timeout(300)
        assert len([each for each in taps if "do=do.hint" in each]) == 1


def test_by_keys_what_weighs_is_answered_next(tmp_path):
    """The keyboard stood on ``leave``, and the whole board lay between that and the yes."""
    with program(tmp_path, "charidice") as link, opened(link, "laptop") as (page, _said):
        page.wait_for_selector("#ask [data-rev]")
        page.locator("[data-do='do.q']").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-do='sure.yes']")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.do") == "sure.yes"


SHOWN = "document.getAnimations().filter(each => each.id === 'stage').length"
CHANGED = "document.getElementById('stage').dataset.from"


def test_a_tap_ends_what_is_being_shown_and_with_reduced_motion_nothing_is(tmp_path):
    arguments = ("charidice", "--seats", "2", "--seed", "1")
    with (
        program(tmp_path, *arguments, speed="slow") as link,
        opened(link) as (page, said),
    ):
        picked = set()
        while not page.evaluate(SHOWN):
            page.wait_for_timeout(100)
            tap(page, picked)
        page.touchscreen.tap(195, 10)
        assert page.evaluate(SHOWN) == 0
        page.emulate_media(reduced_motion="reduce")
        page.wait_for_timeout(300)
        before = page.evaluate(CHANGED)
        while page.evaluate(CHANGED) == before:
            page.wait_for_timeout(100)
            tap(page, picked)
        assert page.evaluate(SHOWN) == 0
        shown, fresh = (page.inner_text("#board"), page.reload() and page.inner_text("#board"))
        assert shown == fresh  # nothing is still on its way
    assert [each for each in said if "409" not in each] == []


STUBS = """() => {
    stream.close();
    Object.assign(window, { notes: [], felt: [] });
    window.AudioContext = class {};
    window.GainNode = class {
        gain = { exponentialRampToValueAtTime() {} };
        connect() { return this; }
    };
    window.OscillatorNode = class extends GainNode {
        constructor(_context, { frequency }) { super(); notes.push(frequency); }
        start() {}
        stop() {}
    };
    navigator.vibrate = (length) => felt.push(length);
}"""
TURNS = """([look, turn]) => {
    const more = turn ? 'data-turn="1" data-title="● Your turn"' : 'data-title="lanplay"';
    const head = `<header id="head" class="region head" ${more}><h1>lanplay</h1></header>`;
    show({ regions: { head }, look, lang: document.documentElement.lang });
    return [notes.splice(0), felt.splice(0), document.getElementById("icon").href.slice(-8),
        document.title];
}"""


def test_a_turn_is_seen_in_title_and_icon_and_felt_and_heard_by_who_wants_it(tmp_path):
    arguments = ("charidice", "--seats", "2", "--seed", "1")
    with program(tmp_path, *arguments) as link, opened(link) as (page, said):
        page.touchscreen.tap(195, 20)  # without a touch browsers let nobody vibrate
        page.evaluate(STUBS)
        waits, turn = ([], [], "icon.svg", "lanplay"), ([], [80], "turn.svg", "● Your turn")
        for look, tones in (("guest", []), ("guest sound", [659, 880])):
            assert page.evaluate(TURNS, [look, False]) == [*waits]
            assert page.evaluate(TURNS, [look, True]) == [tones, *turn[1:]]
    assert said == []


TAPPABLE = """() => {
    const top = document.getElementById("head").getBoundingClientRect().bottom;
    const bottom = document.querySelector(".dock").getBoundingClientRect().top;
    return [...document.querySelectorAll("#board [data-rev]")].some(each => {
        const box = each.getBoundingClientRect();
        return box.top >= top && box.bottom <= bottom;
    });
}"""


ARROWS = """() => {
    const things = [...document.querySelectorAll("#board [data-do], #own [data-do]")]
        .filter(each => each.checkVisibility());
    const met = new Set(things.slice(0, 1));
    for (const each of met)
        for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
            each.focus();
            const press = { key, bubbles: true, cancelable: true };
            each.dispatchEvent(new KeyboardEvent("keydown", press));
            met.add(document.activeElement);
        }
    return [things.length, things.filter(each => !met.has(each)).map(each => each.dataset.do)];
}"""
"""How many things on a board can be tapped, and which of them no arrow leads to."""
MANY = 5


@pytest.mark.parametrize("game", ["charidice", "dice-town", "fliptown", "dogs-life"])
def test_arrows_lead_from_any_thing_on_a_board_to_every_other(game, tmp_path):
    with program(tmp_path, game, "--seed", "5") as link, opened(link, "laptop") as (page, said):
        page.wait_for_selector("#page [data-rev]", timeout=60_000)
        picked = set()
        for _ in range(20):
            count, missed = page.evaluate(ARROWS)
            assert missed == []
            if count >= MANY:
                break
            tap_or_click(page, picked)
            page.wait_for_timeout(500)
        assert count >= MANY
    assert said == []


def test_what_could_not_be_said_stands_there_again(tmp_path):
    """It was lost: too long, too soon after the last, or while the Wi-Fi was away."""
    arguments = ("charidice", "--seats", "3", "--interface", "127.0.0.1")
    with program(tmp_path, *arguments, verb="host") as link, two_pages(link) as (eva, tom, _said):
        invite(eva, tom, "Tom")
        eva.wait_for_timeout(500)
        eva.locator("[data-do=start]").click()
        eva.wait_for_selector("#say")
        long, short = "so long " * 28, "good luck"
        for text, left, offline in ((long, long, False), (short, "", False), (short, short, True)):
            eva.context.set_offline(offline)
            eva.fill("#say", text)
            eva.press("#say", "Enter")
            eva.wait_for_timeout(500)
            assert eva.input_value("#say") == left


def test_the_page_of_a_game_is_read_on_a_phone_without_zooming(tmp_path):
    """It was drawn as wide as a laptop's, in letters of a third of their size."""
    record = record_of("charidice")
    kept = tmp_path / "game.html"
    kept.write_text(story.page(load("charidice"), record, record.header.seats), encoding="utf-8")
    with opened(kept.as_uri(), is_mobile=True, shown="table") as (page, said):
        assert page.evaluate("innerWidth") == SIZES["phone"][0]
        assert accessible(page) == []
    assert said == []


def test_a_hint_on_a_phone_leaves_what_it_is_about_in_sight(tmp_path):
    with (
        program(tmp_path, "fliptown", "--seed", "5") as link,
        opened(link, reduced_motion="reduce") as (page, _said),
    ):
        page.wait_for_selector("#board [data-rev]", timeout=60_000)
        page.wait_for_timeout(500)  # what is new is brought into sight by itself
        page.locator("[data-do='do.hint']").tap()
        page.wait_for_selector("#reply [data-do=close]")
        page.wait_for_timeout(100)
        assert page.evaluate(TAPPABLE)


def test_a_page_that_is_loaded_again_shows_the_same_question(tmp_path):
    with program(tmp_path, "dice-town", "--seed", "5") as link, opened(link) as (page, _said):
        page.wait_for_selector("#ask [data-rev]", timeout=60_000)
        asked = page.inner_text("#asked")
        page.reload()
        page.wait_for_selector("#ask [data-rev]")
        assert page.inner_text("#asked") == asked
        page.context.set_offline(True)
        page.context.set_offline(False)
        assert page.inner_text("#asked") == asked


def test_what_says_that_the_page_is_open_elsewhere_can_be_read(tmp_path):
    """Its button was white on white, and nobody saw how to go on."""
    with program(tmp_path, "charidice") as link, opened(link, "laptop") as (page, _said):
        page.wait_for_selector("#ask [data-rev]")
        page.evaluate("document.getElementById('elsewhere').hidden = false")
        assert accessible(page) == []


@pytest.mark.timeout(170)
@pytest.mark.parametrize("game", ["charidice", "dice-town", "fliptown", "dogs-life"])
def test_a_phone_comes_sits_down_and_plays_some_rounds(game, tmp_path):
    """It types a name, plays, is loaded again, and scans the code once more: the same seat."""
    arguments = (game, "--seats", "3", "--interface", "127.0.0.1")  # a full table begins at once
    with program(tmp_path, *arguments, verb="host") as link, two_pages(link) as (eva, tom, said):
        eva.wait_for_selector("[data-do=invite]")
        eva.wait_for_timeout(500)  # taps on what is new are ignored for a moment
        eva.locator("[data-do=invite]").click()
        address = eva.inner_text(".link")
        tom.goto(address)
        assert tom.evaluate(FITS)
        assert tom.evaluate(TINY) == []
        assert accessible(tom) == []
        tom.fill("#name", "Tom")
        tom.locator("button.main").tap()
        tom.wait_for_selector("#page")
        assert accessible(eva) == []
        eva.locator("[data-do=close]").click()
        eva.wait_for_selector("#board:has-text('with Eva')")
        eva.locator("[data-do=start]").click()
        answered, picked = {eva: 0, tom: 0}, {eva: set(), tom: set()}
        for _ in range(400):
            for page in (eva, tom):
                answered[page] += play_on(page, picked[page])
            if min(answered.values()) >= 6:
                break
            tom.wait_for_timeout(50)
        assert min(answered.values()) >= 6
        tom.reload()
        tom.wait_for_selector("#asked")
        where = tom.url
        tom.goto(address)
        tom.wait_for_url(where)
        tom.wait_for_selector("#asked")
    assert said == []


@pytest.mark.timeout(240)
def test_two_laptops_and_two_phones_play_and_a_phone_that_was_offline_has_its_seat(tmp_path):
    """Four people at one table, two of them at phones; one is out of reach for a while."""
    folders = [tmp_path / name for name in ("eva", "jan")]
    for folder in folders:
        folder.mkdir()
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    local = ("--interface", "127.0.0.1", "--trust-new")
    hosts = ("charidice", "--seats", "4", "--port", port, *local)
    with (
        program(folders[0], *hosts, verb="host") as first,
        two_pages(first) as (eva, tom, said),
    ):
        invite(eva, tom, "Tom")
        joins = (f"127.0.0.1:{port}", *local)
        browser = eva.context.browser
        with program(folders[1], *joins, verb="join", name="Jan") as second:
            jan = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
            ida = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
            ida = ida.new_page()
            jan.goto(second)
            invite(jan, ida, "Ida")
            people = {"Eva": eva, "Tom": tom, "Jan": jan, "Ida": ida}
            answered, picked = dict.fromkeys(people, 0), {name: set() for name in people}
            offline = False
            for turn in range(900):
                for name, page in people.items():
                    if not (offline and name == "Ida"):
                        answered[name] += play_on(page, picked[name])
                if not offline and answered["Ida"] >= 2:
                    offline, since = True, turn
                    ida.context.set_offline(True)
                if offline and turn == since + 60:
                    ida.context.set_offline(False)
                    offline = False
                    answered["Ida"] = -1000
                others = min(count for name, count in answered.items() if name != "Ida")
                if -996 <= answered["Ida"] < 0 and others >= 4:
                    break
                eva.wait_for_timeout(30)
            assert -996 <= answered["Ida"] < 0
            assert others >= 4
    odd = [each for each in said if "ERR_INTERNET_DISCONNECTED" not in each and "409" not in each]
    assert odd == []


@pytest.mark.timeout(240)
def test_a_phone_asks_who_is_here_goes_comes_back_and_speaks_another_language(tmp_path):
    """What it is told lies where it looks; what no region says is in its language too."""
    arguments = ("charidice", "--seats", "3", "--interface", "127.0.0.1")
    with program(tmp_path, *arguments, verb="host") as link, two_pages(link) as (eva, tom, said):
        invite(eva, tom, "Tom")
        eva.wait_for_timeout(500)
        eva.locator("[data-do=start]").click()
        steps = (
            ("do.who", "#reply", "Tom: person"),
            ("do.away", "#ask", "until you are back?"),
            ("sure.yes", "#ask", "An AI answers for you"),
        )
        for do, where, told in steps:
            tom.locator(f"[data-do='{do}']").first.click()
            tom.locator(where, has_text=told).wait_for()
            assert tom.evaluate(FITS)
            assert tom.evaluate(TINY) == []
            assert accessible(tom) == []
        tom.locator("#ask [data-do='do.back']").click()
        tom.wait_for_selector("#ask [data-do='do.back']", state="detached")
        tom.evaluate("document.querySelector('.tastes').open = true")
        tom.select_option("#t\\.lang", "hu")
        tom.locator("#lost", has_text="Nincs kapcsolat").wait_for(state="attached")
    assert said == []
