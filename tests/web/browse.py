"""Whole games in Chromium: ``python -m tests.web.browse [GAME ...] [--games N] [--by WAY]``.

``--by taps`` plays on a phone, ``--by keys`` on a laptop by the keyboard alone, ``--by guest`` on
the phone of somebody who sits down at another one's laptop, where AI plays, ``--by ear`` on a phone
by what a screen reader says after the question. At each question that is new the page has to fit
and to be accessible (axe-core), and goes into ``--pictures`` as a picture to look at. Exit status 1
if a game was stuck, or something was found.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from lanplay.games import NAMES
from tests.web.chromium import (
    FITS,
    TAPS,
    TINY,
    accessible,
    opened,
    playwright,
    program,
    two_pages,
)

READY = f"() => !!document.querySelector('[data-do=done]') || ({TAPS})()[2]"
GUARD_MS = 400
"""Taps on what is new are ignored for a moment."""
STUCK_SECONDS = 600.0
SIZES = {"taps": "phone", "keys": "laptop", "guest": "phone", "ear": "phone"}
SPOKEN = re.compile(r"""^- '?button [\"'].+""")
TABS = 150
"""Presses of a key after which the keyboard does not get there."""


class Player:
    """Plays on a page to the end; ``found`` is what is wrong with it."""

    def __init__(self, page, name, by, folder):
        self.page, self.name, self.by, self.folder = page, name, by, folder
        self.picked, self.seen, self.taps, self.found = set(), set(), 0, []

    def play(self):
        """Return whether the game came to its end."""
        until = time.monotonic() + STUCK_SECONDS
        while time.monotonic() < until:
            self.page.wait_for_function(READY, timeout=60_000)
            self.page.wait_for_timeout(0 if self.by == "keys" else GUARD_MS)
            self.look()
            if self.page.query_selector("[data-do=done]"):
                self.give("done", None)
                self.page.wait_for_selector("[data-over], #lost:not([hidden])", state="attached")
                return True
            self.answer()
        return False

    def look(self):
        """Judge the page, once for each question."""
        asked = self.page.evaluate("(document.getElementById('asked') || {}).textContent")
        if asked is None or asked in self.seen:
            return
        self.seen.add(asked)
        if not self.page.evaluate(FITS):
            self.found.append((asked, "scrolls sideways"))
        self.found += [(asked, each) for each in self.page.evaluate(TINY)]
        self.found += [(asked, each) for each in accessible(self.page, 0)]
        if self.folder:
            shape = re.sub(r"\W+", "-", asked)[:40]
            name = f"{self.name}-{SIZES[self.by]}-{len(self.seen):02}-{shape}.png"
            self.page.screenshot(path=self.folder / name)

    def answer(self):
        """Do what comes next: a pick for each step, then what settles it."""
        pick, way, revision = self.page.evaluate(TAPS)
        do = way if way and (not pick or revision in self.picked) else pick
        if do is not None:
            self.picked.add(revision)
            self.give(do, revision)

    def give(self, do, revision):
        """Tap, or go there by keys."""
        self.taps += 1
        of = f"[data-rev='{revision}']" if revision else ""
        if self.by == "ear":
            self.hear(f"#ask [data-do='{do}']{of}")
            return
        if self.by != "keys":
            try:
                self.page.locator(f"[data-do='{do}']{of}").first.tap(timeout=3000)
            except playwright.TimeoutError:  # the game went on meanwhile
                return
            return
        for _ in range(TABS):
            here = self.page.evaluate(
                "() => { const at = document.activeElement.dataset;"
                " return [at.do || null, at.rev || null]; }"
            )
            if here == [do, revision]:
                self.page.keyboard.press("Enter")
                self.page.wait_for_timeout(60)
                return
            self.page.keyboard.press("Tab")
        if self.page.query_selector(f"[data-do='{do}']{of}"):
            self.found.append((do, f"not reached by {TABS} presses"))

    def hear(self, what):
        """Press what is named after the question; what is said of the board is a list there."""
        try:
            if shut := self.page.query_selector("#ask details.listed:not([open]) > summary"):
                shut.press("Enter")
            button = self.page.locator(what).last
            said = button.aria_snapshot(timeout=3000)
            if not SPOKEN.match(said):
                self.found.append((what, f"has no name: {said}"))
            button.press("Enter", timeout=3000)
            self.page.wait_for_timeout(60)
        except playwright.Error:  # the game went on meanwhile
            return


def sit_down(eva, tom):
    """Let a phone come to a laptop's table, begin, and let AI play for the laptop's person."""
    for do in ("invite", "close", "start", "do.away", "sure.yes"):
        eva.wait_for_selector(f"[data-do='{do}']", timeout=60_000)
        eva.wait_for_timeout(GUARD_MS)
        eva.locator(f"[data-do='{do}']").click()
        if do == "invite":
            tom.goto(eva.inner_text(".link"))
            tom.fill("#name", "Tom")
            tom.locator("button.main").tap()
            tom.wait_for_selector("#page")


def game(name, number, by, folder):
    """Play one; return what became of it."""
    seats = (name, "--seats", str(2 + number % 2), "--bot", "random")
    began = time.monotonic()
    with TemporaryDirectory() as data, ExitStack() as stack:
        if by == "guest":
            host = program(Path(data), *seats, "--interface", "127.0.0.1", verb="host")
            eva, page, said = stack.enter_context(two_pages(stack.enter_context(host)))
            sit_down(eva, page)
        else:
            link = stack.enter_context(program(Path(data), *seats, "--seed", str(number)))
            size = opened(link, SIZES[by], reduced_motion="reduce")
            page, said = stack.enter_context(size)
        player = Player(page, name, by, folder)
        ended = player.play()
    seconds = round(time.monotonic() - began)
    told = {"game": name, "by": by, "number": number, "ended": ended, "seconds": seconds}
    odd = [each for each in said if "409" not in each]  # a tap that came too late is told so
    return told | {"taps": player.taps, "questions": len(player.seen), "found": player.found + odd}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="GAME")
    parser.add_argument("--games", type=int, default=1, help="of each")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--by", choices=SIZES, default="taps")
    parser.add_argument("--pictures", type=Path)
    args = parser.parse_args()
    if args.pictures:
        args.pictures.mkdir(parents=True, exist_ok=True)
    every = []
    for number in range(args.first, args.first + args.games):
        for name in args.names:
            every.append(game(name, number, args.by, args.pictures))
            print(json.dumps(every[-1]), flush=True)
    bad = [each for each in every if not each["ended"] or each["found"]]
    print(f"{len(every)} games, {sum(e['taps'] for e in every)} taps, {len(bad)} with something")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
