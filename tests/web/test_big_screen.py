"""What a big screen of real pixels shows: letters that are read from a sofa, all on the paper."""

from __future__ import annotations

from functools import partial

import pytest
import trio

from lanplay.engine.game import Result
from lanplay.games import load
from lanplay.language import TAGS, speaking
from lanplay.ui.invitation import Invitation
from lanplay.web.site import shell
from lanplay.web.taste import Taste
from lanplay.web.tv import TvPages, TvTable
from tests.web.chromium import BROWSER, playwright
from tests.web.gallery import STATIC
from tests.web.test_pages import PEOPLE, scene_of, simulated

SIZES = ((1366, 768), (1920, 1080))
LEAST = 11.5
"""The least letters of a map, in pixels of a screen of 768 lines."""
ENDED = """() => {
    const { className, lang } = document.documentElement;
    document.body.animate({}, { id: "stage", duration: 60000 });
    const board = '<section id="board"><article class="result">Ann</article></section>';
    show({ regions: { board }, look: className, lang });
    return document.getAnimations().filter(({ id }) => id === "stage").length;
}"""
LETTERS = """() => [...document.querySelectorAll('.map *')].filter(each => !each.closest('.unseen')
    && [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
    .map(each => [parseFloat(getComputedStyle(each).fontSize) * each.currentCSSZoom,
        each.textContent])"""
BEYOND = """() => {
    const paper = document.querySelector('.result').getBoundingClientRect();
    return [...document.querySelectorAll('.result *')].filter(each => {
        const box = each.getBoundingClientRect();
        return box.bottom > paper.bottom || box.right > paper.right;
    }).map(each => each.textContent);
}"""

CUT = """() => {
    const board = document.querySelector('#board').getBoundingClientRect();
    const small = [...document.querySelectorAll('#board .seat *')].filter(each =>
        [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim())
        && parseFloat(getComputedStyle(each).fontSize) * each.currentCSSZoom < 11);
    const over = [...document.querySelectorAll('#board *')].filter(each => {
        const box = each.getBoundingClientRect();
        return box.width && !each.closest('.unseen, .sr')
            && (box.bottom > board.bottom + 1 || box.right > board.right + 1);
    });
    return [...small, ...over].slice(0, 5).map(each => each.outerHTML.slice(0, 90));
}"""
"""What of a table is cut off, or said of a seat in letters that nobody reads."""


async def _screen(name, rounds, people=PEOPLE):
    """Return a big screen on which a game has come so far, in each language; 0: to its end."""
    played = simulated(name, b"big", people)
    screen = TvTable(TvPages(Taste()), load(name), people, partial(Invitation, "http://x/Y"))
    screen.sees(lambda: scene_of(played, None, people))
    played.table.log = []
    while played.request is not None and not 0 < rounds <= played.table.round:
        played.step()
        for message in played.table.log:
            screen.happened(played.table.round, message)
        played.table.log.clear()
    if not rounds:
        ended = load(name).result(played.table)
        screen.ended(Result(ended.scores, ended.winners))
    pages = {}
    for tag in TAGS:
        with speaking(tag):
            regions = {**screen.regions(), "taste": screen._pages.regions()["taste"]}
            pages[tag] = shell(regions, "tv still")
    return pages


@pytest.fixture(scope="module")
def look():
    """What JavaScript says of a page in each size."""
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(reduced_motion="reduce")

        def seen(body, script):
            def served(route):
                name = route.request.url.rpartition("/")[2]
                if name in ("client.js", "style.css"):
                    route.fulfill(path=STATIC / name)
                elif name == "page":
                    route.fulfill(body=body, content_type="text/html")

            page.route("**/*", served)
            page.set_viewport_size({"width": 390, "height": 844})
            page.goto("http://lanplay/page", wait_until="load")
            for width, height in SIZES:  # from a narrow window to the whole screen, and another
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(100)
                yield page.evaluate(script)
                page.set_viewport_size({"width": 390, "height": 844})
                page.wait_for_timeout(100)
            page.unroute("**/*")

        yield seen
        browser.close()


def test_the_letters_of_fliptowns_map_can_be_read_on_a_big_screen(look):
    for tag, page in trio.run(_screen, "fliptown", 2).items():
        for letters in look(page, LETTERS):
            assert min(letters) >= [LEAST], tag


@pytest.mark.parametrize("name", ["dice-town", "fliptown", "dogs-life", "charidice"])
def test_a_result_stays_on_its_paper(name, look):
    for tag, page in trio.run(_screen, name, 0).items():
        for beyond in look(page, BEYOND):
            assert beyond == [], tag


@pytest.mark.parametrize("name", ["dice-town", "fliptown", "dogs-life", "charidice"])
def test_a_whole_table_is_in_sight_on_a_big_screen(name, look):
    """Nobody scrolls there: in a window that grew a third of A Dog's Life was cut off."""
    for tag, page in trio.run(_screen, name, 2).items():
        for cut in look(page, CUT):
            assert cut == [], tag


@pytest.mark.parametrize("name", ["dice-town", "fliptown", "dogs-life", "charidice"])
def test_a_full_table_of_long_names_is_in_sight_on_a_big_screen(name, look):
    """Where the seats took more height, the map of A Dog's Life grew as all else shrank."""
    people = tuple(f"Bartholomew-Maximi {seat}" for seat in range(load(name).seats[-1]))
    for cut in look(trio.run(_screen, name, 2, people)["en"], CUT):
        assert cut == []


def test_nothing_still_flies_over_a_result(look):
    assert next(look(trio.run(_screen, "charidice", 1)["en"], ENDED)) == 0
