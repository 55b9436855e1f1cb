"""Multicast DNS through zeroconf: blocking calls, and threads that know nothing of trio.

Names are made of the table's id and the fingerprint of the peer that announces it, never chosen by
people, so nothing is probed for first (RFC 6762, 8.1): a table is on the network at once, and
nobody can claim its name to keep it off. All peers of a table may announce it: it is one row with
the addresses of all. Each says its piece again every few seconds and its records live little
longer, so that what a killed program said lapses; with the usual lifetime of a PTR record it would
stay for 75 minutes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

import ifaddr
from zeroconf import Error as ZeroconfError
from zeroconf import ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

from protocol.advert import MAX_ADDRESSES, Advert, BadAdvert, candidates, from_txt

SERVICE: Final = "_lanplay._tcp.local."

TTL_SECONDS = 30
"""How long an announcement's SRV and address records live unless it is repeated."""

MOST_SERVICES: Final = 500
"""Services that are looked at; a flood of them fills no memory."""


Interfaces: TypeAlias = Mapping[str, int | None]
"""Addresses of this machine, each with the number that the system gave its interface."""

Addresses: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A table of the network."""

    advert: Advert
    """What the peer says of it that was heard first."""
    addresses: Addresses
    """Where it may be reached, in the order to try: see `protocol.advert.candidates`."""
    peers: tuple[tuple[str, Addresses], ...] = ()
    """Whoever announces it, in the order heard: the fingerprint claimed, and where that peer is."""


class DiscoveryUnavailable(Exception):
    """The system does not let this program speak multicast DNS; the text says why."""


class Responder:
    """Announces tables and listens for others', on interfaces: their addresses and system numbers.

    Every method blocks, `publish` for half a second; call them from one thread at a time, except
    `tables`, which is quick and may be called from anywhere. `on_news` is called in a thread of
    zeroconf's whenever `tables` may have changed. Raises DiscoveryUnavailable.
    """

    def __init__(self, interfaces: Interfaces, on_news: Callable[[], None]) -> None:
        self._on_news = on_news
        self._names: dict[str, None] = {}
        self._names_lock = threading.Lock()
        self._published: dict[str, ServiceInfo] = {}
        self._interfaces = dict(interfaces)
        try:
            self._zeroconf = Zeroconf(list(interfaces), use_asyncio=False)
        except (OSError, RuntimeError) as error:
            raise DiscoveryUnavailable(getattr(error, "strerror", None) or str(error)) from error
        self._browser = self._browse()

    def publish(self, advert: Advert, revision: int, addresses: Sequence[str]) -> None:
        """Say or repeat what a table says of itself.

        `revision` grows with each change: a listener that hears of 3, 2 and 3 free seats within a
        second could not tell the two equal records apart, and would keep the one in between.
        """
        info = _service(advert, revision, addresses)
        known = advert.instance in self._published
        self._published[advert.instance] = info
        if known:
            self._zeroconf.update_service(info)
        else:
            self._zeroconf.register_service(info, cooperating_responders=True)

    def withdraw(self, advert: Advert) -> None:
        """Say goodbye for what was published of a table, if anything ever was."""
        if (info := self._published.pop(advert.instance, None)) is not None:
            self._zeroconf.unregister_service(info)

    def move(self, interfaces: Interfaces) -> None:
        """Speak and listen on these interfaces from now on; where any is new, say and ask again.

        Quick if nothing changed. An interface that the system refuses now is left out, so call it
        again from time to time. An address that came to another interface (a replugged adapter) is
        given up first: zeroconf compares addresses only, and would stay deaf on the new one.
        """
        stayed = [a for a, number in interfaces.items() if self._interfaces.get(a) == number]
        if interfaces != self._interfaces:
            self._zeroconf.update_interfaces(stayed)
        self._zeroconf.update_interfaces(list(interfaces))
        if interfaces != self._interfaces:
            self._interfaces = dict(interfaces)
            self.ask()

    def ask(self) -> None:
        """Ask who is there, as at the start: on a new network, or after a sleep."""
        self._browser.cancel()
        self._browser = self._browse()

    def tables(self) -> tuple[tuple[Found, ...], int]:
        """The tables alive now, one row for each table id, and how many services gave no row."""
        with self._names_lock:
            names = tuple(self._names)
        heard = [info for name in names if (info := self._known(name)) is not None]
        rows = tuple(found for info in heard if (found := read(info)) is not None)
        return merged(rows), len(heard) - len(rows)

    def close(self) -> None:
        """Say goodbye for every table, close the sockets and end the threads."""
        self._browser.cancel()
        self._zeroconf.close()

    def _browse(self) -> ServiceBrowser:
        return ServiceBrowser(self._zeroconf, SERVICE, handlers=[self._heard])

    def _known(self, name: str) -> ServiceInfo | None:
        """What zeroconf knows of a service; None before it is complete and after it lapsed."""
        with suppress(ZeroconfError):
            info = ServiceInfo(SERVICE, name)
            if info.load_from_cache(self._zeroconf):
                return info
        return None

    def _heard(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        with self._names_lock:
            if state_change is ServiceStateChange.Removed:
                self._names.pop(name, None)
            elif len(self._names) < MOST_SERVICES:
                self._names[name] = None
        self._on_news()


def read(info: ServiceInfo) -> Found | None:
    """The table that a service's records describe; None if they break the format."""
    try:
        advert = from_txt(info.properties, info.port)
    except BadAdvert:
        return None
    if info.name != f"{advert.instance}.{SERVICE}":
        return None
    hosts = candidates(info.parsed_scoped_addresses())
    addresses = tuple((host, advert.port) for host in hosts)
    return Found(advert, addresses, ((advert.peer, addresses),)) if hosts else None


def merged(rows: Iterable[Found]) -> tuple[Found, ...]:
    """One row for each table id, with all its peers and at most MAX_ADDRESSES addresses.

    What the row says is the first one's, so that nobody who comes later can change it.
    """
    tables: dict[str, Found] = {}
    for row in rows:
        known = tables.setdefault(row.advert.table_id, row)
        if known is not row:
            every = tuple(dict.fromkeys(known.addresses + row.addresses))[:MAX_ADDRESSES]
            tables[row.advert.table_id] = Found(known.advert, every, known.peers + row.peers)
    return tuple(tables.values())


def local_addresses() -> dict[str, int | None]:
    """The addresses of this machine, IPv6 ones without scope, each with its interface's number."""
    return {
        ip.ip if isinstance(ip.ip, str) else ip.ip[0]: adapter.index
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    }


def _service(advert: Advert, revision: int, addresses: Sequence[str]) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"{advert.instance}.{SERVICE}",
        port=advert.port,
        properties={**advert.to_txt(), "rev": str(revision)},
        server=f"{advert.instance}.local.",
        host_ttl=TTL_SECONDS,
        parsed_addresses=list(addresses),
    )
