"""A phone of the laboratory: ``python -m tests.lab.phone ADDRESS NAME`` in its namespace.

It comes to the address in Chromium, and taps what it is asked to the end of the game. Each line
that it prints is one of JSON: what it has just done.
"""

from __future__ import annotations

import json
import sys
import time

from tests.web.browse import GUARD_MS, READY
from tests.web.chromium import BROWSER, FITS, SIZES, TAPS, playwright, tap_or_click

SECONDS = 500.0
STILL = "({TAPS})()[2] && document.getElementById('asked').textContent".replace("{TAPS}", TAPS)


def say(**what):
    """Tell whoever has started the phone."""
    print(json.dumps(what), flush=True)


def play(page):
    """Answer what is asked until the game is over."""
    picked, until = set(), time.monotonic() + SECONDS
    while time.monotonic() < until:
        page.wait_for_function(READY, timeout=120_000)
        page.wait_for_timeout(GUARD_MS)
        if page.query_selector("[data-do=done]"):
            result = page.inner_text("#page")
            say(result=True, where=page.url, mark=page.evaluate("window.mark"))
            page.wait_for_selector("[data-over]", state="attached", timeout=60_000)
            page.wait_for_timeout(GUARD_MS)
            return say(ended=(result, page.inner_text("#page")))
        asked = page.evaluate(STILL)
        if not asked:
            continue
        say(asked=asked, fits=page.evaluate(FITS))
        try:
            tap_or_click(page, picked)
        except playwright.TimeoutError:  # the game went on meanwhile
            continue
    return say(ended=("", ""))


def main():
    address, name = sys.argv[1:]
    width, height = SIZES["phone"]
    with playwright.sync_playwright() as play_:
        browser = play_.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce"
        )
        page = context.new_page()
        page.on("console", lambda message: say(said=message.text))
        page.on("pageerror", lambda error: say(said=str(error)))
        page.goto(address)
        page.fill("#name", name)
        page.locator("button.main").tap()
        page.wait_for_selector("#page")
        page.evaluate("window.mark = 'first'")  # gone once the page is loaded again
        say(sits=True, where=page.url)
        play(page)
        browser.close()


if __name__ == "__main__":
    main()
