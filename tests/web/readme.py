"""The README's pictures of pages, from real games in Chromium: ``python -m tests.web.readme``."""

from __future__ import annotations

import argparse
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.browse import READY
from tests.web.chromium import BROWSER, ROOT, SIZES, TAPS, playwright, program

SHOTS = {"charidice": (3, 9), "dice-town": (5, 4), "fliptown": (5, 10), "dogs-life": (5, 14)}
"""By the game: its seed, and how many taps come before its picture."""
WALL = "<body style='margin:0;background:#e9dfcd;display:flex;gap:14px;padding:14px'>"
PHONE = "<img style='width:357px;border-radius:18px' src='data:image/png;base64,{}'>"


def played(page, taps):
    """Tap so often, whatever comes first."""
    picked = set()
    for _ in range(taps):
        page.wait_for_function(READY, timeout=120_000)
        pick, way, revision = page.evaluate(TAPS)
        do = way if way and (not pick or revision in picked) else pick
        if do is None:
            return
        picked.add(revision)
        page.evaluate("([d, r]) => send(new URLSearchParams({do: d, rev: r}))", [do, revision])
        page.wait_for_timeout(300)
    page.wait_for_function(READY, timeout=120_000)
    page.wait_for_timeout(300)


def sized(page, size):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.reload()  # what a broad screen has room for is open there
    page.wait_for_selector("#asked")
    page.wait_for_timeout(500)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "docs" / "images")
    folder, phones = parser.parse_args().folder, []
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_context(reduced_motion="reduce").new_page()
        for game, (seed, taps) in SHOTS.items():
            table = (game, "--seats", "4", "--seed", str(seed))
            with TemporaryDirectory() as data, program(Path(data), *table) as link:
                page.goto(link)
                played(page, taps)
                sized(page, "laptop")
                page.screenshot(path=folder / f"web-{game}.png")
                sized(page, "phone")
                phones.append(b64encode(page.screenshot()).decode())
        wall = browser.new_page(viewport={"width": 1500, "height": 800})
        wall.set_content(WALL + "".join(map(PHONE.format, phones)))
        wall.screenshot(path=folder / "web-phones.jpg", type="jpeg", quality=80)
        browser.close()


if __name__ == "__main__":
    main()
