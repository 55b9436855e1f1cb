"""Every page besides the games', in Chromium: ``python -m tests.web.states FOLDER [--lang cs]``.

Pictures of each at three sizes go into the folder, to be looked at; each page has to fit, to have
targets that a finger meets, and to be accessible (axe-core). Exit status 1 if one is not so.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.chromium import BROWSER, FITS, SIZES, TINY, accessible, playwright, program

PHONE = dict(zip(("width", "height"), SIZES["phone"], strict=True))
GAMES = ("charidice", "dice-town", "fliptown", "dogs-life")


class Camera:
    """Looks at pages; ``found`` is what is wrong with them."""

    def __init__(self, folder):
        self.folder, self.found = folder, []

    def look(self, page, name, sizes=SIZES):
        """Take a picture at each size, and judge it."""
        page.wait_for_timeout(400)
        for size in sizes:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(150)
            if not page.evaluate(FITS):
                self.found.append((name, size, "scrolls sideways"))
            self.found += [(name, size, each) for each in page.evaluate(TINY)]
            self.found += [(name, size, each) for each in accessible(page, 0)]
            page.screenshot(path=self.folder / f"{name}-{size}.png")
        page.set_viewport_size(PHONE)


def click(page, do):
    """Tap what does something, once it is there."""
    page.wait_for_selector(f"[data-do='{do}']").click()
    page.wait_for_timeout(500)


def before_a_game(browser, camera, flags):
    """Look at the lobby, and where one comes from there."""
    with TemporaryDirectory() as data, program(Path(data), *flags, verb="") as link:
        page = fresh(browser, flags[1])
        page.goto(link)
        page.wait_for_selector("[data-do=new]")
        camera.look(page, "lobby")
        for do in ("new", "history", "settings"):
            click(page, do)
            camera.look(page, do)
            click(page, "leave")
        click(page, "leave")
        page.wait_for_selector("[data-over]", state="attached")
        camera.look(page, "left", ("phone",))


def at_a_table(browser, camera, game, flags):
    """Look at a table that forms, at phones that come, at the big screen, at commands' replies."""
    arguments = (game, "--seats", "3", "--interface", "127.0.0.1", *flags)
    with TemporaryDirectory() as data, program(Path(data), *arguments, verb="host") as link:
        eva, tom, tv = (fresh(browser, flags[1]) for _ in range(3))
        eva.goto(link)
        click(eva, "invite")
        address = eva.inner_text(".link")
        tom.goto(address.rpartition("/")[0])
        camera.look(tom, f"{game}-code", ("phone",))
        tom.goto(address)
        camera.look(tom, f"{game}-join", ("phone", "laptop"))
        tv.goto(f"{address}/tv")
        tv.wait_for_selector("#page")
        camera.look(tv, f"{game}-tv-forming", ("television", "laptop"))
        tom.fill("#name", "Tom")
        tom.locator("button.main").click()
        tom.wait_for_selector("#page")
        camera.look(eva, f"{game}-invited")
        camera.look(tom, f"{game}-forming", ("phone",))
        click(eva, "close")
        camera.look(eva, f"{game}-hosts", ("phone", "laptop"))
        click(eva, "start")
        eva.wait_for_selector("#asked")
        eva.wait_for_timeout(1500)
        camera.look(tv, f"{game}-tv", ("television", "laptop"))
        camera.look(eva, f"{game}-begins", ("laptop", "television"))
        for do in ("hint", "rules", "who"):
            if eva.query_selector(f"[data-do='do.{do}']"):
                click(eva, f"do.{do}")
                camera.look(eva, f"{game}-{do}", ("phone", "laptop"))
                if eva.query_selector("[data-do='close']"):  # a new question closes it too
                    click(eva, "close")
        for page in (eva, tom):
            click(page, "do.away")
            click(page, "sure.yes")
        eva.wait_for_selector("[data-do=done]", timeout=120_000)
        camera.look(eva, f"{game}-result")
        camera.look(tv, f"{game}-tv-result", ("television",))


def fresh(browser, lang="en"):
    """Return a page that shares nothing with others, and on which nothing moves."""
    return browser.new_context(reduced_motion="reduce", viewport=PHONE, locale=lang).new_page()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--lang", default="en")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    camera, flags = Camera(args.folder), ("--lang", args.lang)
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        before_a_game(browser, camera, flags)
        for game in args.games:
            at_a_table(browser, camera, game, flags)
        browser.close()
    for each in camera.found:
        print(*each)
    print(f"{len(list(args.folder.glob('*.png')))} pictures, {len(camera.found)} found")
    sys.exit(bool(camera.found))


if __name__ == "__main__":
    main()
