"""Plays in a page without a browser: reads its stream and taps what is there, to the end."""

from __future__ import annotations

import json
import zlib
from random import Random

import trio

from lanplay.config.declared import Settings
from lanplay.ui.presenter import present
from lanplay.web.front_end import seated
from lanplay.web.site import LEVEL, MEMORY, WINDOW
from tests.web.harness import Browser, options, parsed

QUIET = 0.5
"""Seconds after which a walker looks for something else to tap."""


class Walker:
    """Taps at random; ``taps`` counts how often, by what it was told."""

    def __init__(self, browser, seed=0):
        self.browser = browser
        self.page = {}  # the buttons of each region
        self.taps = {}
        self.bytes = []
        self._luck = Random(seed)
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY)

    async def play(self, wanted=("done",)):
        """Play until one of the wanted buttons is there; return it."""
        if not self.browser.cookie:
            await self.browser.login()
        async with self.browser.stream() as event:
            await self._take(event)
            while True:
                every = {do: each for found in self.page.values() for do, each in found.items()}
                if ends := [each for each in wanted if each in every]:
                    return ends[0]
                await self._step(every)
                await self._take(event)

    async def _take(self, event):
        """Show the next change of the page; there may be none, as where a tap was refused."""
        with trio.move_on_after(QUIET):
            name, data = await event()
            while name != "page":
                name, data = await event()
            self.page |= {name: options(parsed(each)) for name, each in data["regions"].items()}
            self.bytes.append(self._wire(json.dumps(data).encode()))

    def _wire(self, data):
        """Return how many bytes it is on its way to a browser."""
        return len(self._packer.compress(data) + self._packer.flush(zlib.Z_SYNC_FLUSH))

    async def _step(self, every):
        """Tap something that is asked for, if anything is."""
        found = {do: each for do, each in every.items() if each["data-rev"] or do == "agree"}
        able = [do for do, each in found.items() if each["aria-disabled"] != "true"]
        if not able:
            return
        do = self._choice(able)
        status = await self.browser.tap(do, found[do]["data-rev"])
        self.taps[status] = self.taps.get(status, 0) + 1
        if status == 429:
            await trio.sleep(0.2)

    def _choice(self, able):
        """Return a tap: what settles the question comes sooner or later.

        It never gives up picking: what it has picked so far may not be allowed.
        """
        ways = [do for do in able if do in ("ok", "yes")]
        picks = [do for do in able if do.startswith("pick.")]
        if ways and (not picks or self._luck.random() < 0.4):
            return ways[0]
        return self._luck.choice(picks or able)


async def whole_game(client, wish, seed=0, settings=None):
    """Play a game of one person against AI in a page; return the outcome and the walker."""
    walkers = []

    async def main(front):
        return await present(client.local(wish, seed), front, lambda ended: None)

    async with trio.open_nursery() as nursery:

        async def shown(link):
            port, token = link.partition("127.0.0.1:")[2].split("/login?token=")
            walkers.append(Walker(Browser(int(port), token), seed))
            nursery.start_soon(_to_the_end, walkers[0])

        calm = settings or Settings(animation=False)
        outcome = await seated(calm, main, shown)
        nursery.cancel_scope.cancel()
    return outcome, walkers[0]


async def _to_the_end(walker):
    await walker.play()
    await walker.browser.tap("done")
