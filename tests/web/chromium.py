"""Chromium at a page of lanplay; whoever imports this is skipped where there is none."""

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
TABLETS = {"tablet": (1024, 768), "small laptop": (1280, 720)}
PHONES = {"small phone": (360, 640), "phone on its side": (844, 390)}
SMALL = 48
"""The least side of what is tapped, in pixels."""

if BROWSER is None:
    pytest.skip("no browser: apt-get install chromium", allow_module_level=True)
playwright = pytest.importorskip(
    "playwright.sync_api", reason="no playwright: pip install playwright"
)


@contextmanager
def program(folder, *arguments, verb="play", speed="instant", name="Eva"):
    """Run ``lanplay play``, or with another verb, for a browser; yield the link that it shows."""
    command = [sys.executable, "-m", "lanplay", *filter(None, [verb]), *arguments]
    process = subprocess.Popen(
        [*command, "--web", "--name", name, "--data", str(folder), "--ai-speed", speed],
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
def opened(link, size="phone", shown="#page", **how):
    """Yield a page of Chromium at a link, and what its console says."""
    width, height = {**SIZES, **TABLETS, **PHONES}[size]
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch="phone" in size, **how
        )
        page = context.new_page()
        said = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(link)
        page.wait_for_selector(shown)
        yield page, said
        browser.close()


FITS = "document.documentElement.scrollWidth <= innerWidth"
TINY = f"""[...document.querySelectorAll("button, input, select, summary, a")]
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([each, box]) => box.width && Math.min(box.width, box.height) < {SMALL - 0.5})
    .map(([each]) => each.outerHTML.slice(0, 80))"""
ASKED = "#ask [data-rev], [data-do=done]"
TAPS = """() => {
    const able = [...document.querySelectorAll("[data-rev]")].filter(each =>
        each.offsetParent && each.ariaDisabled !== "true" && each.ariaPressed !== "true");
    const way = able.find(each =>
        ["ok", "yes"].includes(each.dataset.do) && !each.classList.contains("early"));
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


OVER = """[...document.querySelectorAll("#board *, .dock *")].filter(each => {
    const paper = each.parentElement.closest(".paper, .felt, .ask, .own");
    const box = each.getBoundingClientRect();
    return paper && each.checkVisibility() && !each.closest("svg, .unseen")
        && getComputedStyle(each).position === "static"
        && box.right > paper.getBoundingClientRect().right + 4;
}).map(each => `${each.className}: ${each.textContent}`)"""
"""What lies over the edge of its paper."""


def accessible(page, moves=900):
    """Return what axe finds wrong with a page, if axe is here; things move for so many ms."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="no axe-playwright-python")
    page.wait_for_timeout(moves)
    source = Path(axe.__file__).parent / "axe.min.js"
    page.evaluate(source.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    return [
        (each["id"], node["html"][:120]) for each in found["violations"] for node in each["nodes"]
    ]


@contextmanager
def two_pages(link):
    """Yield Eva's page on her laptop, that of a phone, and what their consoles say."""
    said = []
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        pages = []
        for size in ("laptop", "phone"):
            width, height = SIZES[size]
            context = browser.new_context(
                viewport={"width": width, "height": height},
                has_touch=size == "phone",
                reduced_motion="reduce",
            )
            pages.append(context.new_page())
            pages[-1].on("console", lambda message: said.append(message.text))
            pages[-1].on("pageerror", lambda error: said.append(str(error)))
        pages[0].goto(link)
        yield *pages, said
        browser.close()


def play_on(page, picked):
    """Tap what a page is asked, if anything; tell whether it was."""
    if page.evaluate(TAPS)[2] is None:
        return False
    page.wait_for_timeout(400)
    assert page.evaluate(FITS)
    assert page.evaluate(TINY) == []
    try:
        tap_or_click(page, picked)
    except playwright.TimeoutError:  # the game went on meanwhile
        return False
    return True


def tap_or_click(page, picked):
    pick, way, revision = page.evaluate(TAPS)
    do = way if way and (not pick or revision in picked) else pick
    if do is not None:
        picked.add(revision)
        page.locator(f"[data-do='{do}'][data-rev='{revision}']").first.click(timeout=3000)


def invite(laptop, phone, name):
    """Let a phone come to a laptop's table by the address that it shows."""
    laptop.wait_for_selector("[data-do=invite]", timeout=60_000)
    laptop.wait_for_timeout(500)  # taps on what is new are ignored for a moment
    laptop.locator("[data-do=invite]").click()
    phone.goto(laptop.inner_text(".link"))
    phone.fill("#name", name)
    phone.locator("button.main").tap()
    phone.wait_for_selector("#page")
    laptop.wait_for_timeout(500)
    if close := laptop.query_selector("[data-do=close]"):  # the last seat begins the game
        close.click()
