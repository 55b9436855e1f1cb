"""Multicast DNS through zeroconf: blocking calls, and threads that know nothing of trio.

Names are made of the table's id and the fingerprint of the peer that announces it, never chosen by
people, so nothing is probed for first (RFC 6762, 8.1): a table is on the network at once, and
nobody can claim its name to keep it off. All peers of a table may announce it: it is one row with
the addresses of all. Each says its piece again every few seconds and its records live little
longer, so that what a killed program said lapses; with the usual lifetime of a PTR record it would
stay for 75 minutes. So long, and 19 minutes at least, zeroconf also keeps the queries for a PTR
record that it puts off whenever the record is said again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import Final, TypeAlias

from zeroconf import Error as ZeroconfError
from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf, current_time_millis

from lanplay_protocol.advert import MAX_ADDRESSES, Advert, BadAdvert, candidates, from_txt

SERVICE: Final = "_lanplay._tcp.local."

TTL_SECONDS = 30
"""How long an announcement's records live unless it is repeated."""

MOST_SERVICES: Final = 500
"""Services that are looked at; a flood of them fills no memory."""


FAILURES: Final = (ZeroconfError, OSError, RuntimeError)
"""What zeroconf raises; RuntimeError for an address that has gone since it was looked up."""

Interfaces: TypeAlias = Mapping[str, int | None]
"""Addresses of this machine, each with the number that the system gave its interface."""

Addresses: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A table of the network."""

    advert: Advert
    """What the peer says of it that was heard first."""
    addresses: Addresses
    """Where it may be reached, in the order to try: see `lanplay_protocol.advert.candidates`."""
    peers: tuple[tuple[str, Addresses], ...] = ()
    """Whoever announces it, in the order heard: the fingerprint claimed, and where that peer is."""


class DiscoveryUnavailable(Exception):
    """The system does not let this program speak multicast DNS; the text says why."""


class Responder:
    """Announces tables and listens for others', on interfaces: their addresses and system numbers.

    IPv4 and IPv6 each have sockets of their own: one for both hears no IPv4 multicast on macOS, and
    where one family fails the other goes on.

    Every method blocks, `publish` for half a second; call them from one thread at a time, except
    `tables`, which is quick and may be called from anywhere. `on_news` is called in a thread of
    zeroconf's whenever `tables` may have changed. Raises DiscoveryUnavailable if no family works.
    """

    def __init__(self, interfaces: Interfaces, on_news: Callable[[], None]) -> None:
        self._on_news = on_news
        self._threads = ThreadPoolExecutor(2)
        self._families: dict[int, _Family] = {}
        self._said: dict[str, ServiceInfo] = {}
        errors = [self._begin(*family) for family in families(interfaces).items()]
        if not self._families:
            error = next(each for each in errors if each is not None)
            raise DiscoveryUnavailable(getattr(error, "strerror", None) or str(error)) from error

    def publish(self, advert: Advert, revision: int, addresses: Sequence[str]) -> None:
        """Say or repeat what a table says of itself.

        `revision` grows with each change: a listener that hears of 3, 2 and 3 free seats within a
        second could not tell the two equal records apart, and would keep the one in between.
        """
        info = _service(advert, revision, addresses)
        self._said[advert.instance] = info
        self._each(lambda family: family.publish(info))

    def withdraw(self, advert: Advert) -> None:
        """Say goodbye for what was published of a table, if anything ever was."""
        if (info := self._said.pop(advert.instance, None)) is not None:
            self._each(lambda family: family.withdraw(info))

    def move(self, interfaces: Interfaces) -> None:
        """Speak and listen on these interfaces from now on; where any is new, say and ask again.

        Quick if nothing changed. An interface that the system refuses now is left out, so call it
        again from time to time.
        """
        wanted = families(interfaces)
        self._each(lambda family: family.move(wanted.get(family.version, {})))
        for version in wanted.keys() - self._families.keys():
            self._begin(version, wanted[version])

    def ask(self) -> None:
        """Ask who is there, as at the start: on a new network, or after a sleep."""
        self._each(lambda family: family.ask())

    def tables(self) -> tuple[tuple[Found, ...], int]:
        """The tables alive now, one row for each table id, and how many services gave no row."""
        heard: dict[str, list[ServiceInfo]] = {}
        for family in tuple(self._families.values()):
            for info in family.heard():
                heard.setdefault(info.name, []).append(info)
        found = [row for infos in heard.values() if (row := read(*infos)) is not None]
        return merged(found), len(heard) - len(found)

    def close(self) -> None:
        """Say goodbye for every table, close the sockets and end the threads."""
        self._each(lambda family: family.close())
        self._threads.shutdown()

    def _begin(self, version: int, interfaces: Interfaces) -> Exception | None:
        """Use a family too, if the system lets this program; return why not."""
        try:
            family = self._families[version] = _Family(version, interfaces, self._on_news)
            for info in self._said.values():
                family.publish(info)
        except FAILURES as error:
            return error
        return None

    def _each(self, action: Callable[[_Family], None]) -> None:
        """Do something in all families at once; raise what went wrong if it did so in all."""

        def attempt(family: _Family) -> Exception | None:
            try:
                action(family)
            except FAILURES as error:
                return error
            return None

        errors = list(self._threads.map(attempt, self._families.values()))
        if errors and all(errors):
            raise next(each for each in errors if each is not None)


class _Family:
    """One family of addresses: IPv4 or IPv6, as `version` says. Its methods are the Responder's."""

    def __init__(self, version: int, interfaces: Interfaces, on_news: Callable[[], None]) -> None:
        self.version = version
        self._on_news = on_news
        self._published: set[str] = set()
        self._interfaces = dict(interfaces)
        self._zeroconf = Zeroconf(list(interfaces), use_asyncio=False)
        self._browser = self._browse()

    def publish(self, info: ServiceInfo) -> None:
        if info.name in self._published:
            self._zeroconf.update_service(info)
        else:
            self._published.add(info.name)
            self._zeroconf.register_service(info, cooperating_responders=True)

    def withdraw(self, info: ServiceInfo) -> None:
        if info.name in self._published:
            self._published.discard(info.name)
            self._zeroconf.unregister_service(info)

    def move(self, interfaces: Interfaces) -> None:
        """An address that came to another interface (a replugged adapter) is given up first.

        zeroconf compares addresses only, and would stay deaf on the new one.
        """
        stayed = [a for a, number in interfaces.items() if self._interfaces.get(a) == number]
        if interfaces != self._interfaces:
            self._zeroconf.update_interfaces(stayed)
        self._zeroconf.update_interfaces(list(interfaces))
        if interfaces != self._interfaces:
            self._interfaces = dict(interfaces)
            self.ask()

    def ask(self) -> None:
        self._browser.cancel()
        self._browser = self._browse()

    def heard(self) -> list[ServiceInfo]:
        """What is known of services that are complete and have not lapsed, the first heard first.

        Their peers repeat themselves: what a flood said once hides nobody for longer than that.
        """
        said = self._zeroconf.cache.entries_with_name(SERVICE)
        since = current_time_millis() - 1000 * TTL_SECONDS
        names = [getattr(each, "alias", "") for each in said if each.created > since]  # of pointers
        known = map(self._known, [name for name in names if name][:MOST_SERVICES])
        return [info for info in known if info is not None]

    def close(self) -> None:
        self._browser.cancel()
        self._zeroconf.close()

    def _browse(self) -> ServiceBrowser:
        heard = [lambda **_: self._on_news()]
        return ServiceBrowser(self._zeroconf, SERVICE, handlers=heard)

    def _known(self, name: str) -> ServiceInfo | None:
        """What zeroconf knows of a service; None before it is complete and after it lapsed."""
        with suppress(ZeroconfError):
            info = ServiceInfo(SERVICE, name)
            if info.load_from_cache(self._zeroconf):
                return info
        return None


def families(interfaces: Interfaces) -> dict[int, Interfaces]:
    """The addresses that each family uses, by version.

    Of IPv6 one for an interface: its link-local one, if it has any, so that who listens can tell on
    which of its own interfaces it heard.
    """
    four = {address: number for address, number in interfaces.items() if ":" not in address}
    six: dict[int | None, str] = {}
    for address in sorted(interfaces, key=lambda each: not ip_address(each).is_link_local):
        if ":" in address:
            six.setdefault(interfaces[address], address)
    every: dict[int, Interfaces] = {4: four, 6: {six[number]: number for number in six}}
    return {version: own for version, own in every.items() if own}


def read(*heard: ServiceInfo) -> Found | None:
    """The table that a service's records describe, as each family has heard them.

    What it says is the latest of them, if they differ; None if that breaks the format.
    """
    return _read(
        tuple(
            (each.name, each.text, each.port, tuple(each.parsed_scoped_addresses()))
            for each in heard
        )
    )


@lru_cache(2 * MOST_SERVICES)
def _read(heard: tuple[tuple[str, bytes, int | None, tuple[str, ...]], ...]) -> Found | None:
    """Records are listed every second, and stay what they are for minutes."""
    try:  # a name may differ from the one asked for in its capitals, and be none of a service then
        said = [ServiceInfo(SERVICE, name, port, properties=text) for name, text, port, _ in heard]
        info = max(said, key=_revision)
        advert = from_txt(info.properties, info.port)
    except (BadAdvert, ZeroconfError):
        return None
    if info.name != f"{advert.instance}.{SERVICE}":
        return None
    hosts = candidates(host for *_, own in heard for host in own)
    addresses = tuple((host, advert.port) for host in hosts)
    return Found(advert, addresses, ((advert.peer, addresses),)) if hosts else None


def _revision(info: ServiceInfo) -> int:
    text = info.properties.get(b"rev") or b""
    return int(text) if text.isdigit() and len(text) < 10 else 0


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


def _service(advert: Advert, revision: int, addresses: Sequence[str]) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"{advert.instance}.{SERVICE}",
        port=advert.port,
        properties={**advert.to_txt(), "rev": str(revision)},
        server=f"{advert.instance}.local.",
        host_ttl=TTL_SECONDS,
        other_ttl=TTL_SECONDS,
        parsed_addresses=list(addresses),
    )
