"""Where a program connects to and listens: whatever an address is, and on how many interfaces."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress

import trio

from lanplay_protocol.shell.addresses import own_scope, scoped

CONNECT_SECONDS = 2.0
"""Seconds after which an address that takes no connection is tried after others."""
ALIKE_SECONDS = 0.2
"""Seconds in which further addresses count as quick as the first one."""


async def listeners_at(port: int, host: str | None) -> list[trio.SocketListener]:
    """Listen on a port, one for IPv4 and IPv6 (0: any free); ``OSError`` if it is taken."""
    host = host and own_scope(host)
    listeners = await trio.open_tcp_listeners(port, host=host)
    port = listeners[0].socket.getsockname()[1]
    if all(listener.socket.getsockname()[1] == port for listener in listeners):
        return listeners
    for listener in listeners:
        await listener.aclose()
    return await trio.open_tcp_listeners(port, host=host)


async def connect(host: str, port: int) -> trio.SocketStream:
    """Connect; ``OSError`` also for an address that no name system would take."""
    try:
        first, *others = scoped(host)
        if others:
            return await _connect_any([first, *others], port)
        return await trio.open_tcp_stream(first, port)
    except (UnicodeError, ValueError, OverflowError) as error:
        raise OSError(f"{host!r} is no address") from error
    except OSError as error:
        first = getattr(error.__cause__, "exceptions", [error])[0]  # trio's words give no reason
        raise OSError(first.errno, reason(first)) from error


def reason(error: OSError) -> str:
    """Return why the system refused something to a socket, without what that was."""
    number = error.errno or 0
    if sys.platform == "win32" and number >= 10000:  # of Winsock, which ``strerror`` does not know
        return ctypes.FormatError(number).rstrip(".")
    return os.strerror(number) if number > 0 else str(error.strerror or error)


async def quickest_first(
    places: Sequence[tuple[str, int]], own: Collection[tuple[str, int]] = ()
) -> list[tuple[str, int]]:
    """Return addresses of one program, those in front that take a connection: a laptop has many,
    of virtual machines and tunnels too, and each that leads nowhere costs whoever dials it seconds.
    Of these its ``own`` come first: at any other a stranger may answer, who says no more.
    """
    if len(places) < 2:
        return list(places)
    found: list[tuple[str, int]] = []
    with trio.move_on_after(CONNECT_SECONDS) as patience:

        async def attempt(place: tuple[str, int]) -> None:
            with suppress(OSError):
                await trio.aclose_forcefully(await connect(*place))
                found.append(place)
                patience.deadline = min(patience.deadline, trio.current_time() + ALIKE_SECONDS)

        async with trio.open_nursery() as nursery:
            for place in places:
                nursery.start_soon(attempt, place)
    found.sort(key=lambda place: place not in own)
    return [*found, *(place for place in places if place not in found)]


async def _connect_any(hosts: Sequence[str], port: int) -> trio.SocketStream:
    """Connect to the first of several addresses that answers; all are tried at once."""
    opened: list[trio.SocketStream] = []
    errors: list[OSError] = []

    async def attempt(host: str, scope: trio.CancelScope) -> None:
        try:
            opened.append(await trio.open_tcp_stream(host, port))
            scope.cancel()
        except OSError as error:
            errors.append(error)

    wanted = 0
    try:
        async with trio.open_nursery() as nursery:
            for host in hosts:
                nursery.start_soon(attempt, host, nursery.cancel_scope)
        wanted = 1
    finally:
        for stream in opened[wanted:]:
            stream.socket.close()  # at once: a wait would end here if this is cancelled
    if not opened:
        raise errors[0]
    return opened[0]
