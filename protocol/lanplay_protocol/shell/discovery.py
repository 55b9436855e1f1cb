"""Tables of the network through mDNS, over IPv4 and IPv6: announce one, see the others.

Laptops sleep, roam and change their addresses: those of this machine are looked at every second,
and what has changed is said and asked again. A hint beside HOST:PORT, never a condition: where
multicast is impossible, `problem` says so and everything else works. zeroconf runs in threads of
its own and reports into trio.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

import trio

from lanplay.errors import Fault
from lanplay_protocol.advert import Advert
from lanplay_protocol.shell.addresses import bare, local_addresses, outward
from lanplay_protocol.shell.mdns import FAILURES, DiscoveryUnavailable, Found, Interfaces, Responder
from lanplay_protocol.shell.stillness import beat

__all__ = ["Announcement", "Discovery", "Found", "open_discovery"]

_LOG = logging.getLogger(__name__)

POLL_SECONDS: Final = 1.0
"""How often the machine's addresses are compared and lapsed tables are taken out."""

MOVE_SECONDS: Final = 10.0
"""For so long after a change each look tries all interfaces, as the system may refuse a new one at
first; after that they are tried once in so long."""

BEAT_SECONDS = 10.0
"""How often an announcement is repeated: three times within its records' lifetime."""

SLEEP_SECONDS: Final = 5.0
"""A poll that took so much longer by the wall clock means that this machine was asleep."""

MOST_ADDRESSES: Final = 8
"""Addresses of this machine that are announced; IPv6 may have many."""

CLOSE_SECONDS: Final = 2.0
"""The longest that a goodbye may hold up the end."""


class Announcement:
    """An announced table; `update` changes what is said of it."""

    def __init__(self, advert: Advert, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._said: tuple[Advert, tuple[str, ...]] | None = None
        self._revision = 0
        self.advert = advert
        self.due = trio.current_time()

    async def update(self, advert: Advert) -> None:
        """Say something new of the table: at once, or, after several changes, the last one.

        Raises ValueError for another table's advert, or another peer's.
        """
        if advert.instance != self.advert.instance:
            raise ValueError("an announcement stays with its table; announce the other one")
        self.advert = advert
        self.due = trio.current_time()
        self._wake()
        await trio.lowlevel.checkpoint()

    def next_revision(self, addresses: tuple[str, ...]) -> int:
        """Take note of what is about to be said; a repetition keeps its revision."""
        if self._said != (self.advert, addresses):
            self._said = (self.advert, addresses)
            self._revision += 1
        return self._revision


class Discovery:
    """What is known of the network, kept up to date while `open_discovery` is open."""

    def __init__(self, interfaces: Sequence[str] | None) -> None:
        self._only = interfaces
        self._token = trio.lowlevel.current_trio_token()
        self._responder: Responder | None = None
        self._interfaces: Interfaces = {}
        self._addresses: frozenset[str] = frozenset()
        self._changing = self._rests = -math.inf
        self._announcements: list[Announcement] = []
        self._busy = trio.Lock()
        self._wanted = trio.Event()
        self._changed = trio.Event()
        self._problem: str | None = None
        self._listing: tuple[tuple[Found, ...], int] = ((), 0)

    @property
    def tables(self) -> tuple[Found, ...]:
        """The tables alive now, this program's own too, one row each, by name."""
        return self._listing[0]

    @property
    def ignored(self) -> int:
        """How many services of our type are on the network whose advert breaks the format."""
        return self._listing[1]

    @property
    def addresses(self) -> frozenset[str]:
        """All addresses of this machine, IPv6 ones without scope: at most a second old."""
        return self._addresses

    @property
    def problem(self) -> str | None:
        """Why tables cannot be discovered here, and what to do; None while all is well."""
        return self._problem

    async def changed(self) -> None:
        """Wait until `tables`, `ignored`, `addresses` or `problem` differs from now."""
        await self._changed.wait()

    @asynccontextmanager
    async def announce(self, advert: Advert) -> AsyncIterator[Announcement]:
        """Announce a table while the block runs; it is withdrawn at the end, however it ends.

        Every peer of a table may do so, each with its own fingerprint in `advert.peer`: listeners
        show one row. Nothing waits for the network: the block starts at once.
        """
        announcement = Announcement(advert, self._want)
        self._announcements.append(announcement)
        self._want()
        try:
            yield announcement
        finally:
            self._announcements.remove(announcement)
            with trio.move_on_after(CLOSE_SECONDS, shield=True):
                async with self._busy:
                    if self._responder is not None:
                        goodbye = partial(self._responder.withdraw, advert)
                        await self._attempt(goodbye, abandon=True)

    async def run(self) -> None:
        """Keep everything up to date, until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow_addresses)
            nursery.start_soon(self._keep_announcing)

    async def follow(self) -> None:
        """Use the addresses that this machine has now."""
        present = local_addresses()
        self._note(frozenset(present))
        usable = _usable(present, self._only)
        works = self._responder is not None or not usable
        if self._responder is not None:
            works = await self._move(self._responder, usable)
        elif usable:
            works = await self._open(usable)
        if works:
            self._tell_problem(_lacking(present, usable, self._only))

    async def close(self) -> None:
        """End all threads; bounded, and not to be cancelled."""
        if self._responder is not None:
            with trio.move_on_after(CLOSE_SECONDS, shield=True):
                await self._attempt(self._responder.close, abandon=True)

    async def _open(self, interfaces: Interfaces) -> bool:
        try:
            self._responder = await trio.to_thread.run_sync(Responder, interfaces, self._post_news)
        except DiscoveryUnavailable as error:
            self._tell_problem(Fault.DISCOVERY_SHUT.of(why=str(error)))
            return False
        self._change(interfaces)
        self._announce_again()
        return True

    async def _move(self, responder: Responder, interfaces: Interfaces) -> bool:
        """Say the new addresses before moving: the move repeats on new interfaces what was said."""
        if interfaces != self._interfaces:
            self._change(interfaces)
            for announcement in tuple(self._announcements):
                await self._say(announcement)
        now = trio.current_time()
        if self._changing < now < self._rests:
            return True
        async with self._busy:
            works = await self._attempt(partial(responder.move, interfaces))
        self._rests = now + MOVE_SECONDS if works else now
        return works

    def _change(self, interfaces: Interfaces) -> None:
        self._interfaces = interfaces
        self._changing = trio.current_time() + MOVE_SECONDS

    async def _follow_addresses(self) -> None:
        while True:
            before = time.time()
            await beat(POLL_SECONDS)
            self._take_news()
            await self.follow()
            if time.time() - before > POLL_SECONDS + SLEEP_SECONDS:
                await self._wake()

    async def _wake(self) -> None:
        """After a sleep the others have taken this machine's tables out, and it knows none."""
        self._announce_again()
        if self._responder is not None:
            async with self._busy:
                await self._attempt(self._responder.ask)

    async def _keep_announcing(self) -> None:
        while True:
            self._wanted = trio.Event()
            for announcement in tuple(self._announcements):
                if announcement.due <= trio.current_time():
                    await self._say(announcement)
            now = trio.current_time()
            due = min((a.due - now for a in self._announcements), default=BEAT_SECONDS)
            with trio.move_on_after(max(0, due)):
                await self._wanted.wait()

    async def _say(self, announcement: Announcement) -> None:
        async with self._busy:
            if announcement not in self._announcements:
                return
            announcement.due = trio.current_time() + BEAT_SECONDS
            outside = tuple(outward(self._interfaces)[:MOST_ADDRESSES])  # a packet is small
            if self._responder is not None and outside:
                revision = announcement.next_revision(outside)
                publish = self._responder.publish
                await self._attempt(partial(publish, announcement.advert, revision, outside))

    async def _attempt(self, action: Callable[[], None], *, abandon: bool = False) -> bool:
        """Do something blocking in a thread, and tell whether it worked: later polls try again."""
        try:
            await trio.to_thread.run_sync(action, abandon_on_cancel=abandon)
        except FAILURES as error:
            self._tell_problem(Fault.DISCOVERY_FAILS.of(why=repr(error)))
            return False
        return True

    def _want(self) -> None:
        self._wanted.set()

    def _announce_again(self) -> None:
        for announcement in self._announcements:
            announcement.due = trio.current_time()
        self._want()

    def _post_news(self) -> None:
        """Called in zeroconf's threads: a burst of news wakes the list once."""
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._take_news, idempotent=True)

    def _take_news(self) -> None:
        if self._responder is not None:
            self._list(*self._responder.tables())

    def _list(self, found: tuple[Found, ...], ignored: int) -> None:
        rows = sorted(found, key=lambda row: (row.advert.table, row.advert.table_id))
        if (tuple(rows), ignored) != self._listing:
            self._listing = tuple(rows), ignored
            self._tell()

    def _note(self, addresses: frozenset[str]) -> None:
        if addresses != self._addresses:
            self._addresses = addresses
            self._tell()

    def _tell_problem(self, problem: str | None) -> None:
        if problem != self._problem:
            _LOG.info("discovery: %s", problem or "works")
            self._problem = problem
            self._tell()

    def _tell(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()


@asynccontextmanager
async def open_discovery(interfaces: Sequence[str] | None = None) -> AsyncIterator[Discovery]:
    """Look at the network while the block runs.

    `interfaces` are addresses of this machine to use, IPv4 or IPv6; by default all it has.
    Where discovery is impossible the list stays empty, `problem` says why, and it starts by itself
    when the network comes. An error of the block comes out in an ExceptionGroup.
    """
    discovery = Discovery(interfaces)
    try:
        await discovery.follow()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(discovery.run)
            yield discovery
            nursery.cancel_scope.cancel()
    finally:
        await discovery.close()


def _usable(present: Interfaces, only: Sequence[str] | None) -> Interfaces:
    """The addresses to use. IPv4's loopback is enough where programs of one machine meet."""
    if only is None:
        return {address: number for address, number in present.items() if address != "::1"}
    return {address: present[bare(address)] for address in only if bare(address) in present}


def _lacking(
    present: Interfaces, usable: Interfaces, interfaces: Sequence[str] | None
) -> str | None:
    """What stands in the way of discovery with these addresses, in words; None if nothing does."""
    if interfaces is not None:
        if usable:
            return None
        wanted, there = ", ".join(interfaces), ", ".join(present) or "-"
        return Fault.NO_INTERFACE.of(wanted=wanted, present=there)
    if any(not ipaddress.ip_address(address).is_loopback for address in usable):
        return None
    return Fault.NO_NETWORK.of()
