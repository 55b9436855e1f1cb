"""Where phones come: the laptop's addresses on its networks, which may change, and one port."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from typing import Final, TypeAlias

import trio

from lanplay.web.certificate import Certificate
from lanplay_protocol.shell.addresses import own_scope, written

PORT: Final = 8765
"""Where phones come, unless another program has it: firewalls need to be told once."""

Serve: TypeAlias = Callable[[trio.abc.Stream], Awaitable[None]]


class Doors:
    """Listens at each address that ``hosts`` returns, encrypted where there is a ``certificate``.

    ``origins`` are those of the pages that are served there, the best address first. One that is
    gone is shown no more, and served should it come back.
    """

    def __init__(
        self,
        hosts: Callable[[], Sequence[str]],
        port: int = PORT,
        certificate: Certificate | None = None,
    ) -> None:
        self._hosts = hosts
        self._context = certificate.context if certificate is not None else None
        self._made: dict[str, trio.SocketListener] = {}
        self.fingerprint = certificate.fingerprint if certificate is not None else ""
        self.port = port
        self.origins: tuple[str, ...] = ()
        self.every: set[str] = set()
        self.look()

    def look(self) -> bool:
        """Listen at addresses that are new; return whether others are to be shown."""
        before, found = self.origins, []
        scheme = "http" if self._context is None else "https"
        for host in self._hosts():
            if host not in self._made and (made := listening(host, self.port)) is not None:
                self._made[host] = made
                self.port = made.socket.getsockname()[1]
            if host in self._made:
                port = self._made[host].socket.getsockname()[1]
                found.append(f"{scheme}://{written(host, port)}")
        self.origins = tuple(found) or before
        self.every |= set(found)
        return self.origins != before

    async def serve(self, connection: Serve, pause: float) -> None:
        """Serve connections at all addresses, also new ones, until cancelled."""
        served: set[str] = set()
        async with trio.open_nursery() as nursery:
            while True:
                for host in self._made.keys() - served:
                    served.add(host)
                    listener: trio.abc.Listener[trio.abc.Stream] = self._made[host]
                    if self._context is not None:
                        listener = trio.SSLListener(listener, self._context, https_compatible=True)
                    nursery.start_soon(partial(trio.serve_listeners, connection, [listener]))
                await trio.sleep(pause)


def listening(host: str, port: int) -> trio.SocketListener | None:
    """Return what listens at an address of this laptop, at any port if that one is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for each in (port, 0):
        with suppress(OSError):
            made = socket.create_server((own_scope(host), each), family=family)
            return trio.SocketListener(trio.socket.from_stdlib_socket(made))
    return None


def reachable(hosts: Sequence[str], chosen: bool) -> Sequence[str]:
    """Return the addresses at which phones may come; loopback only where it was ``chosen``."""
    return [each for each in hosts if chosen or not ip_address(each).is_loopback]
