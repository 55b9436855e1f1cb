"""A real browser: whole games by taps on a phone, and what only a browser can tell."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "msedge"))), None)
SIZES = {"phone": (390, 844), "laptop": (1366, 768), "television": (1920, 1080)}
SMALL = 44
"""The least side of what is tapped, in pixels."""

if BROWSER is None:
    pytest.skip("no browser: apt-get install chromium", allow_module_level=True)
playwright = pytest.importorskip(
    "playwright.sync_api", reason="no playwright: pip install playwright"
)


@contextmanager
def program(folder, *arguments):
    """Run ``lanplay play`` in a browser's stead; yield the link that it shows."""
    command = [sys.executable, "-m", "lanplay", "play", *arguments, "--web", "--name", "Eva"]
    process = subprocess.Popen(
        [*command, "--data", str(folder), "--ai-speed", "instant"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        env={"HOME": str(folder), "PYTHONPATH": "ai:protocol", "PATH": "/usr/bin:/bin"},
    )
    try:
        lines = iter(process.stderr.readline, "")
        yield next(found[0] for line in lines if (found := re.search(r"http://\S+", line)))
    finally:
        process.terminate()
        process.communicate(timeout=30)


@contextmanager
def opened(link, size="phone", **how):
    """Yield a page of Chromium at a link, and what its console says."""
    width, height = SIZES[size]
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=size == "phone", **how
        )
        page = context.new_page()
        said = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(link)
        page.wait_for_selector("#page")
        yield page, said
        browser.close()


FITS = "document.documentElement.scrollWidth <= innerWidth"
TINY = f"""[...document.querySelectorAll("button, input, select")]
    .filter(each => each.offsetParent && Math.min(each.offsetWidth, each.offsetHeight) < {SMALL})
    .map(each => each.outerHTML.slice(0, 80))"""
ASKED = "#ask [data-rev], [data-do=done]"
TAPS = """() => {
    const able = [...document.querySelectorAll("[data-rev]")].filter(each =>
        each.offsetParent && each.ariaDisabled !== "true" && each.ariaPressed !== "true");
    const way = able.find(each => ["ok", "yes"].includes(each.dataset.do));
    const pick = able.find(each => each.dataset.do.startsWith("pick."));
    return [pick?.dataset.do, way?.dataset.do, able[0]?.dataset.rev];
}"""


def tap(page, picked):
    """Tap what is asked for: one thing of each step, then what settles it."""
    pick, way, revision = page.evaluate(TAPS)
    do = way if way and (not pick or revision in picked) else pick
    if do is None:
        return
    picked.add(revision)
    page.locator(f"[data-do='{do}'][data-rev='{revision}']").first.tap(timeout=3000)


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


@pytest.mark.timeout(120)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["charidice", "dice-town", "fliptown", "dogs-life"])
def test_a_table_fits_every_screen(game, size, tmp_path):
    with program(tmp_path, game, "--seed", "5") as link, opened(link, size) as (page, said):
        page.wait_for_selector("#ask [data-rev]", timeout=60_000)
        assert page.evaluate(FITS)
        assert page.evaluate(TINY) == []
        assert page.title().startswith("●")
        assert accessible(page) == []
    assert said == []


def accessible(page):
    """Return what axe finds wrong with a page, if axe is here."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="no axe-playwright-python")
    page.wait_for_timeout(900)  # what moves has come to rest
    source = Path(axe.__file__).parent / "axe.min.js"
    page.context.pages[0].evaluate(source.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    return [
        (each["id"], node["html"][:120]) for each in found["violations"] for node in each["nodes"]
    ]


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
