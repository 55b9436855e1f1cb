"""Multicast DNS through zeroconf: blocking calls, and threads that know nothing of trio.

Names are table ids, random and never chosen by people, so nothing is probed for first (RFC 6762,
8.1): a table is on the network at once, and nobody can claim its name to keep it off. A host says
its piece again every few seconds and its records live little longer, so that the table of a killed
host lapses; with the usual lifetime of a PTR record it would stay for 75 minutes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import ifaddr
from zeroconf import Error as ZeroconfError
from zeroconf import ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

from protocol.advert import Advert, BadAdvert, candidates, from_txt

SERVICE: Final = "_lanplay._tcp.local."

TTL_SECONDS = 30
"""How long a host's SRV and address records live unless it repeats them."""

MOST_SERVICES: Final = 500
"""Services that are looked at; a flood of them fills no memory."""


@dataclass(frozen=True, slots=True)
class Found:
    """A table of the network."""

    advert: Advert
    addresses: tuple[tuple[str, int], ...]
    """Where it may be reached, in the order to try: see `protocol.advert.candidates`."""


class DiscoveryUnavailable(Exception):
    """The system does not let this program speak multicast DNS; the text says why."""


class Responder:
    """Announces tables and listens for others', on the interfaces with the given addresses.

    Every method blocks, `publish` for half a second; call them from one thread at a time, except
    `tables`, which is quick and may be called from anywhere. `on_news` is called in a thread of
    zeroconf's whenever `tables` may have changed. Raises DiscoveryUnavailable.
    """

    def __init__(self, interfaces: Sequence[str], on_news: Callable[[], None]) -> None:
        self._on_news = on_news
        self._names: dict[str, None] = {}
        self._names_lock = threading.Lock()
        self._published: dict[str, ServiceInfo] = {}
        try:
            self._zeroconf = Zeroconf(list(interfaces), use_asyncio=False)
        except (OSError, RuntimeError) as error:
            raise DiscoveryUnavailable(getattr(error, "strerror", None) or str(error)) from error
        self._browser = ServiceBrowser(self._zeroconf, SERVICE, handlers=[self._heard])

    def publish(self, advert: Advert, revision: int, addresses: Sequence[str]) -> None:
        """Say or repeat what a table says of itself.

        `revision` grows with each change: a listener that hears of 3, 2 and 3 free seats within a
        second could not tell the two equal records apart, and would keep the one in between.
        """
        info = _service(advert, revision, addresses)
        known = advert.table_id in self._published
        self._published[advert.table_id] = info
        if known:
            self._zeroconf.update_service(info)
        else:
            self._zeroconf.register_service(info, cooperating_responders=True)

    def withdraw(self, table_id: str) -> None:
        """Say goodbye for a table, if it was ever published."""
        if (info := self._published.pop(table_id, None)) is not None:
            self._zeroconf.unregister_service(info)

    def move(self, interfaces: Sequence[str]) -> None:
        """Speak and listen on other interfaces from now on."""
        self._zeroconf.update_interfaces(list(interfaces))

    def tables(self) -> tuple[tuple[Found, ...], int]:
        """The tables alive now, one row for each table id, and how many services gave no row."""
        with self._names_lock:
            names = tuple(self._names)
        heard = [info for name in names if (info := self._known(name)) is not None]
        rows = tuple(found for info in heard if (found := read(info)) is not None)
        return rows, len(heard) - len(rows)

    def close(self) -> None:
        """Say goodbye for every table, close the sockets and end the threads."""
        self._browser.cancel()
        self._zeroconf.close()

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
    if info.name != f"{advert.table_id}.{SERVICE}":
        return None
    hosts = candidates(info.parsed_scoped_addresses())
    return Found(advert, tuple((host, advert.port) for host in hosts)) if hosts else None


def local_addresses() -> tuple[str, ...]:
    """The addresses of this machine's interfaces, IPv6 ones without scope."""
    found = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    return tuple(dict.fromkeys(ip if isinstance(ip, str) else ip[0] for ip in found))


def _service(advert: Advert, revision: int, addresses: Sequence[str]) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"{advert.table_id}.{SERVICE}",
        port=advert.port,
        properties={**advert.to_txt(), "rev": str(revision)},
        server=f"{advert.table_id}.local.",
        host_ttl=TTL_SECONDS,
        parsed_addresses=list(addresses),
    )
