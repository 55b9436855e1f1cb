"""Somebody who needs large letters, on a phone: the page stays whole."""

from __future__ import annotations

import json

import pytest

from tests.web.chromium import BROWSER, FITS, OVER, SIZES, playwright, program

PIXELS = 24
"""The largest letters that Chromium's settings offer; 16 are usual."""
OWN = "document.querySelector('#own').offsetHeight / innerHeight"


@pytest.mark.timeout(120)
@pytest.mark.parametrize("game", ["fliptown", "dogs-life"])
def test_with_the_largest_letters_nothing_runs_off_a_phones_page(game, tmp_path):
    """Fliptown's map scrolled sideways; a dog's load stood with one letter in a line."""
    profile = tmp_path / "chromium"
    (profile / "Default").mkdir(parents=True)
    wanted = {"webkit": {"webprefs": {"default_font_size": PIXELS}}}
    (profile / "Default" / "Preferences").write_text(json.dumps(wanted), encoding="utf-8")
    width, height = SIZES["phone"]
    with (
        program(tmp_path, game, "--seed", "5") as link,
        playwright.sync_playwright() as play,
        play.chromium.launch_persistent_context(
            profile,
            executable_path=BROWSER,
            args=["--no-sandbox"],
            viewport={"width": width, "height": height},
            has_touch=True,
        ) as browser,
    ):
        page = browser.new_page()
        page.goto(link)
        page.wait_for_selector("#page [data-rev]", state="attached", timeout=60_000)
        assert page.evaluate("getComputedStyle(document.body).fontSize") == f"{PIXELS}px"
        assert page.evaluate(FITS)
        assert page.evaluate(OVER) == []
        assert page.evaluate(OWN) < 0.25
