"""Tables of the network through mDNS: announce one, see the others.

zeroconf runs in threads of its own and reports into trio; it is a hint beside HOST:PORT, never a
condition: where multicast is impossible, ``problem`` says so and everything else works.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import ifaddr
import trio
from zeroconf import Error as ZeroconfError
from zeroconf import (
    InterfaceChoice,
    IPVersion,
    ServiceBrowser,
    ServiceInfo,
    ServiceListener,
    Zeroconf,
)

from protocol.advert import Advert, BadAdvert, from_txt

SERVICE = "_lanplay._tcp.local."
RESOLVE_MS = 3000
POLL_SECONDS = 2.0
CLOSE_SECONDS = 3.0
MOST_TABLES = 200
"""Rows that are kept; a flood of adverts fills no memory."""


@dataclass(frozen=True, slots=True)
class Found:
    """A table of the network: its advert, and the addresses it may be reached at."""

    advert: Advert
    addresses: tuple[tuple[str, int], ...]


class Announcement:
    """An announced table; ``update`` changes what is said of it."""

    def __init__(self, changed: Callable[[Advert], None]) -> None:
        self._changed = changed

    async def update(self, advert: Advert) -> None:
        """Say something new of the table; returns at once, the network learns within a second."""
        self._changed(advert)
        await trio.lowlevel.checkpoint()


class Discovery:
    """What is known of the network. ``problem`` is a sentence when discovery cannot work here."""

    def __init__(
        self, zeroconf: Zeroconf | None, problem: str | None, interfaces: Sequence[str] | None
    ) -> None:
        self.problem = problem
        self.ignored = 0
        self._interfaces = interfaces
        self._moved = trio.Event()
        self._zeroconf = zeroconf
        self._rows: dict[str, Found] = {}
        self._news = trio.Event()

    @property
    def tables(self) -> tuple[Found, ...]:
        """The tables seen, one row each however many addresses they have, by name."""
        return tuple(sorted(self._rows.values(), key=lambda f: (f.advert.table, f.advert.table_id)))

    async def changed(self) -> None:
        """Wait until the list has changed."""
        await self._news.wait()

    @asynccontextmanager
    async def announce(self, advert: Advert) -> AsyncIterator[Announcement]:
        """Announce a table while the block runs; it is withdrawn at the end, however it ends."""
        send, receive = trio.open_memory_channel[Advert](1000)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_announced, advert, receive)
            try:
                yield Announcement(send.send_nowait)
            finally:
                nursery.cancel_scope.cancel()

    async def _keep_announced(
        self, advert: Advert, changes: trio.MemoryReceiveChannel[Advert]
    ) -> None:
        if self._zeroconf is None:
            return
        info = self._service(advert)
        try:
            await self._call(self._zeroconf.register_service, info)
            while True:
                with trio.CancelScope() as wait:
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(_cancel_after, self._moved, wait)
                        advert = await changes.receive()
                        nursery.cancel_scope.cancel()
                info = self._service(advert)
                await self._call(self._zeroconf.update_service, info)
        finally:
            with trio.CancelScope(shield=True, deadline=trio.current_time() + CLOSE_SECONDS):
                await self._call(self._zeroconf.unregister_service, info)

    def _service(self, advert: Advert) -> ServiceInfo:
        return ServiceInfo(
            SERVICE,
            f"{advert.table_id}.{SERVICE}",
            port=advert.port,
            properties=dict(advert.to_txt()),
            server=f"lanplay-{advert.table_id}.local.",
            parsed_addresses=list(self._interfaces or own_addresses()),
        )

    async def _call(self, function: Callable[[ServiceInfo], None], info: ServiceInfo) -> None:
        with suppress(ZeroconfError, OSError):
            await trio.to_thread.run_sync(function, info, abandon_on_cancel=False)

    def moved(self) -> None:
        """Announce tables again: this machine's addresses have changed."""
        moved, self._moved = self._moved, trio.Event()
        moved.set()

    # -- called through the trio token -------------------------------------------------------------

    def seen(self, name: str, info: ServiceInfo | None) -> None:
        """Take what zeroconf resolved of a service; an advert that breaks the format is ignored."""
        found = _found(info) if info is not None else None
        if found is None or (name not in self._rows and len(self._rows) >= MOST_TABLES):
            self.ignored += 1
            return
        self._rows[name] = found
        self._tell()

    def gone(self, name: str) -> None:
        """Forget a service that was withdrawn or whose time has run out."""
        if self._rows.pop(name, None) is not None:
            self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, trio.Event()
        news.set()


class _Listener(ServiceListener):
    def __init__(self, discovery: Discovery, token: trio.lowlevel.TrioToken) -> None:
        self._discovery = discovery
        self._token = token

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        info = zc.get_service_info(type_, name, timeout=RESOLVE_MS)
        self._post(lambda: self._discovery.seen(name, info))

    update_service = add_service

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self._post(lambda: self._discovery.gone(name))

    def _post(self, report: Callable[[], None]) -> None:
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(report)


async def _cancel_after(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


def _found(info: ServiceInfo) -> Found | None:
    try:
        advert = from_txt(info.properties, info.port)
    except BadAdvert:
        return None
    if info.name != f"{advert.table_id}.{SERVICE}":
        return None
    addresses = info.parsed_scoped_addresses(IPVersion.V4Only)
    return Found(advert, tuple((address, advert.port) for address in addresses))


def own_addresses() -> list[str]:
    """Return this machine's IPv4 addresses; loopback only if there is no other."""
    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    outside = [ip for ip in found if not ipaddress.ip_address(ip).is_loopback]
    return outside or found


@asynccontextmanager
async def open_discovery(interfaces: Sequence[str] | None = None) -> AsyncIterator[Discovery]:
    """Look at the network while the block runs, on all interfaces or on those with the addresses.

    Never fails: where discovery is impossible the list stays empty and ``problem`` says why.
    """
    zeroconf, problem = await trio.to_thread.run_sync(_open, interfaces)
    discovery = Discovery(zeroconf, problem, interfaces)
    listener = _Listener(discovery, trio.lowlevel.current_trio_token())
    try:
        async with trio.open_nursery() as nursery:
            if zeroconf is not None:
                await trio.to_thread.run_sync(ServiceBrowser, zeroconf, SERVICE, listener)
                if interfaces is None:
                    nursery.start_soon(_follow_interfaces, zeroconf, discovery)
            yield discovery
            nursery.cancel_scope.cancel()
    finally:
        if zeroconf is not None:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(zeroconf.close)


def _open(interfaces: Sequence[str] | None) -> tuple[Zeroconf | None, str | None]:
    chosen = list(interfaces) if interfaces is not None else InterfaceChoice.All
    try:
        return Zeroconf(chosen, ip_version=IPVersion.V4Only, use_asyncio=False), None
    except OSError as error:
        return None, (
            f"Tables cannot be discovered here ({error.strerror or error}). "
            "Join by address: lanplay join HOST:PORT."
        )


async def _follow_interfaces(zeroconf: Zeroconf, discovery: Discovery) -> None:
    """Let zeroconf know when the machine's addresses change (another Wi-Fi, a cable)."""
    known = await trio.to_thread.run_sync(own_addresses)
    while True:
        await trio.sleep(POLL_SECONDS)
        now = await trio.to_thread.run_sync(own_addresses)
        if now != known:
            known = now
            with suppress(OSError, ZeroconfError):
                await trio.to_thread.run_sync(zeroconf.update_interfaces)
            discovery.moved()
