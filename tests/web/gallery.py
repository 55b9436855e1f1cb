"""Every question as a picture: ``python -m tests.web.gallery FOLDER [--games fliptown ...]``.

Games are played without a network; every step of every question that comes up is drawn on a phone
and a laptop, in each language, and in English in each look. Sheets of them go into the folder, to
be looked at; no page may scroll sideways, cut a text off, or say in another language what it says
in English. Exit status 1 if one does.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from io import BytesIO
from pathlib import Path
from random import Random

import trio
import trio.testing
from PIL import Image

from lanplay.games import NAMES
from lanplay.language import TAGS, speaking
from lanplay.web.live import Tap
from lanplay.web.site import shell
from tests.web.chromium import BROWSER, FITS, SIZES, playwright
from tests.web.harness import options, parsed
from tests.web.test_pages import PEOPLE, drawn, shown, simulated

STATIC = Path(__file__).resolve().parents[2] / "lanplay/web/static"
LOOKS = ("light", "dark", "contrast")
SAME = {"charidice", "dice", "town", "fliptown", "a", "dog's", "life", "bank", "hotel"}
"""Words that are the same in every language; the game's title is that of the first one here."""
SAME |= {"grouchy", "belle", "rex", "wanted", *" ".join(PEOPLE).lower().split()}
STEPS = 8
ACROSS = {"phone": 7, "laptop": 3}
"""Pictures in a row of a sheet."""
SHEET = 1950, 2
"""How wide a sheet is, and how many rows it has."""
WALKS = 30
"""Ways that are taken through questions of one name."""
TAKEN = 3
"""Moments that are drawn of the same step, where other options come up."""
CUT = """() => [...document.querySelectorAll('#page *')].filter(each => {
    const style = getComputedStyle(each);
    return each.textContent && each.clientWidth && each.scrollWidth > each.clientWidth + 1
        && style.overflowX !== 'visible' && style.position !== 'absolute';
}).map(each => each.className + ': ' + each.innerText.slice(0, 40))"""
LINES = "() => document.body.innerText.split(/\\n+/)"


async def steps(name, games):
    """Return the pages of each step of each question, by language, as regions."""
    found, walked, luck = {}, {}, Random(1)
    for number in range(games):
        played = simulated(name, b"gallery%d" % number)
        while (request := played.request) is not None:
            for seat, question in getattr(request, "questions", {}).items():
                often = walked.get(question.name, 0)
                if often >= WALKS or question.only_answer(played.views[seat]) is not None:
                    continue
                walked[question.name] = often + 1
                async with shown(played, seat, question) as page:
                    await walk(page, question, found, luck)
            played.step()
    every = ((key, list(taken.values())) for key, taken in found.items())
    return {f"{key}-{n}": each for key, taken in every for n, each in enumerate(taken)}


async def walk(page, question, found, luck):
    """Take a way through a question."""
    for _ in range(STEPS):
        decision = page._decision
        step = decision.step
        kind = "ready" if decision.ready else step.prompt.id
        key = f"{question.name}-{kind}{'-no' if decision.refused else ''}"
        labels = frozenset(each.label.id for each in decision.options) if step else frozenset()
        taken = found.setdefault(key, {})
        if labels not in taken and len(taken) < TAKEN:
            taken[labels] = {}
            for tag in TAGS:
                with speaking(tag):
                    taken[labels][tag] = dict(page.regions()), page._pages.regions()
        buttons = options(parsed(drawn(page)))
        able = [do for do in buttons if do.startswith("pick.") or do == "ok"]
        if decision.ready or not able:
            return
        page.act(Tap(luck.choice(able), page._revision))
        await trio.testing.wait_all_tasks_blocked()
        if page._decision is None:
            return


class Studio:
    """Takes the pictures; ``found`` is what is wrong with them."""

    def __init__(self, folder, page):
        self.folder, self.page, self.found = folder, page, set()
        page.route("**/*", self._served)
        self._regions = None

    def _served(self, route):
        name = route.request.url.rpartition("/")[2]
        if name in ("client.js", "style.css", "icon.svg", "turn.svg"):
            route.fulfill(path=STATIC / name)
        elif name == "page":
            route.fulfill(body=shell(self._regions), content_type="text/html")
        # the stream says nothing, and is not answered

    def shoot(self, key, pages):
        """Return the pictures of one page by language, look and size."""
        made, english = {}, {}
        for tag, (regions, whole) in pages.items():
            self._regions = {**whole, **regions, "taste": whole["taste"]}
            self.page.goto("http://lanplay/page", wait_until="load")
            for look in LOOKS if tag == "en" else LOOKS[:1]:
                shows = {"regions": {}, "first": True, "look": f"{look} still", "lang": tag}
                self.page.evaluate(f"show({json.dumps(shows)})")
                for size in ACROSS:
                    width, height = SIZES[size]
                    self.page.set_viewport_size({"width": width, "height": height})
                    self.page.evaluate("nearer()")
                    self._judge(f"{key} {tag} {size}", tag, english.setdefault(size, set()))
                    made[tag, look, size] = self.page.screenshot(type="jpeg", quality=80)
        return made

    def _judge(self, where, tag, english):
        if not self.page.evaluate(FITS):
            self.found.add((where, "scrolls sideways"))
        self.found |= {(where, f"cut: {each}") for each in self.page.evaluate(CUT)}
        lines = {each.strip() for each in self.page.evaluate(LINES)}
        if tag == "en":
            english |= lines
            return
        for each in lines & english:
            words = re.findall(r"[^\W\d_][\w']{2,}", each.lower())
            if set(words) - SAME:
                self.found.add((where, f"same as English: {each}"))


def sheets(folder, name, made):
    """Put the pictures of one language, look and size side by side."""
    groups = {}
    for pictures in made.values():
        for kind, picture in pictures.items():
            groups.setdefault(kind, []).append(picture)
    for kind, pictures in groups.items():
        across = ACROSS[kind[2]]
        width = SHEET[0] // across
        height = width * SIZES[kind[2]][1] // SIZES[kind[2]][0]
        for first in range(0, len(pictures), across * SHEET[1]):
            sheet = Image.new("RGB", (SHEET[0], height * SHEET[1]), "red")
            for place, each in enumerate(pictures[first : first + across * SHEET[1]]):
                small = Image.open(BytesIO(each)).resize((width - 6, height - 6), Image.LANCZOS)
                sheet.paste(small, (place % across * width, place // across * height))
            number = first // (across * SHEET[1])
            sheet.save(folder / f"{name}-{'-'.join(kind)}-{number}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="*", default=NAMES)
    parser.add_argument("--each", type=int, default=6, help="games that are played of each")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    count, found = 0, set()
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        for name in args.games:
            pages = trio.run(steps, name, args.each)
            studio = Studio(args.folder, browser.new_page(reduced_motion="reduce"))
            made = {key: studio.shoot(key, each) for key, each in pages.items()}
            sheets(args.folder, name, made)
            found |= studio.found
            pictures = sum(map(len, made.values()))
            print(f"{name}: {len(pages)} pages, {pictures} pictures", flush=True)
            count += pictures
        browser.close()
    for each in sorted(found):
        print(*each)
    print(f"{count} pictures, {len(found)} found")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
