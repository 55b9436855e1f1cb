"""HTTP on trio: connections and their limits, requests, replies, streams. Knows no page.

h11 parses. A fault in one connection ends that connection, and nothing else; whatever is cancelled
ends at once, also where a reader does not read.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import parse_qs, urlsplit

import h11
import trio

from lanplay_protocol.shell.addresses import end_of
from lanplay_protocol.shell.strangers import crowded_out

_LOG: Final = logging.getLogger(__name__)

HEAD_BYTES: Final = 8 * 1024
BODY_BYTES: Final = 4 * 1024
FIELDS: Final = 40
IDLE_SECONDS: Final = 60.0
"""How long a connection may take for its next whole request."""
SEND_SECONDS: Final = 10.0
"""How long a reader may take for what is sent at once."""
CONNECTIONS: Final = 64
STRANGERS: Final = 8
"""Connections of one address that have not logged in: one more ends the oldest of them."""
KNOWN: Final = 40
"""Connections that have; any more count as those of strangers, whose room stays theirs."""

Send: TypeAlias = Callable[[bytes], Awaitable[None]]
Headers: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What a browser wants. Names of ``headers`` are lower case; one sent twice is in one value.

    ``fields`` are those of the query or, with POST, of the body.
    """

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    address: str = ""

    def cookies(self, name: str) -> list[str]:
        """Return the values of cookies of a name.

        There may be several, and odd ones beside: all servers of a machine share its cookies.
        """
        every = self.headers.get("cookie", "").split(";")
        pairs = [each.strip().partition("=") for each in every]
        return [value for key, _sep, value in pairs if key == name]


@dataclass(frozen=True, slots=True)
class Reply:
    """What it gets. ``known``: whoever asked has logged in.

    ``stream`` writes the body bit by bit instead, until it returns or the browser hangs up.
    """

    status: int
    body: bytes = b""
    kind: str = "text/plain"
    headers: Headers = ()
    known: bool = False
    stream: Callable[[Send], Awaitable[None]] | None = None


class HttpServer:
    """Serves connections with what ``answer`` returns."""

    def __init__(self, answer: Callable[[HttpRequest], Reply]) -> None:
        self._answer = answer
        self._known = 0
        self._strangers: dict[trio.CancelScope, str] = {}

    async def connection(self, stream: trio.abc.Stream) -> None:
        """Serve one connection to its end; raises nothing."""
        address = _peer(stream)
        scope = trio.CancelScope()
        self._strangers[scope] = address
        room = CONNECTIONS - self._known
        if (late := crowded_out(self._strangers, room, STRANGERS)) is not None:
            del self._strangers[late]
            late.cancel()
        try:
            with scope:
                await self._counted(stream, address, scope)
        except* (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        except* Exception:  # beside it there may be a ``Cancelled``, which goes on
            _LOG.exception("a connection has failed")
        await trio.aclose_forcefully(stream)

    async def _counted(
        self, stream: trio.abc.Stream, address: str, scope: trio.CancelScope
    ) -> None:
        known = False
        try:
            link = _HttpConnection(stream, address)
            while (request := await link.request()) is not None:
                reply = self._answer(request)
                if reply.known and not known and self._known < KNOWN:
                    known = self._strangers.pop(scope, None) is not None
                    self._known += known
                if not await link.reply(request, reply) or (known and reply.status == 403):
                    return  # what somebody has who was sent away is free again
        finally:
            self._known -= known
            self._strangers.pop(scope, None)


class _HttpConnection:
    """One connection of HTTP/1.1."""

    def __init__(self, stream: trio.abc.Stream, address: str) -> None:
        self._stream = stream
        self._address = address
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)

    async def request(self) -> HttpRequest | None:
        """Return the next request; ``None`` once there is none, or it is a bad one."""
        try:
            with trio.move_on_after(IDLE_SECONDS):
                return await self._read()
        except h11.RemoteProtocolError as error:
            await self._refuse(error.error_status_hint)
        return None

    async def _read(self) -> HttpRequest | None:
        head: h11.Request | None = None
        body = b""
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(bytes(await self._stream.receive_some(HEAD_BYTES)))
            elif isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
                if len(body) > BODY_BYTES:
                    raise h11.RemoteProtocolError("too long", 413)
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                return _request(head, body, self._address)
            else:
                return None

    async def _refuse(self, status: int) -> None:
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            await self._send(_head(Reply(status), [("Connection", "close")]), h11.EndOfMessage())

    async def reply(self, request: HttpRequest, reply: Reply) -> bool:
        """Send a reply; return whether another request may come."""
        if reply.stream is not None:
            await self._send(_head(reply))
            await self._pour(reply.stream)
            await self._send(h11.EndOfMessage())
            return False
        body = reply.body if request.method != "HEAD" else b""
        size = ("Content-Length", str(len(reply.body)))
        await self._send(_head(reply, [size]), h11.Data(data=body), h11.EndOfMessage())
        if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
            return False
        self._http.start_next_cycle()
        return True

    async def _pour(self, stream: Callable[[Send], Awaitable[None]]) -> None:
        """Let a stream write until it ends, or the browser hangs up or sends anything more."""

        async def hung_up() -> None:
            await self._stream.receive_some(1)
            nursery.cancel_scope.cancel()

        async def send(data: bytes) -> None:
            await self._send(h11.Data(data=data))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(hung_up)
            await stream(send)
            nursery.cancel_scope.cancel()

    async def _send(self, *events: h11.Event) -> None:
        data = b"".join([self._http.send(event) or b"" for event in events])
        with trio.move_on_after(SEND_SECONDS) as scope:
            await self._stream.send_all(data)
        if scope.cancelled_caught:
            raise trio.BrokenResourceError("it does not read")


def _peer(stream: trio.abc.Stream) -> str:
    """Return the address of the other side; empty if it is gone already."""
    below = stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
    return end_of(below.socket.getpeername) if isinstance(below, trio.SocketStream) else ""


def _head(reply: Reply, more: list[tuple[str, str]] | None = None) -> h11.Response:
    kind = ("Content-Type", f"{reply.kind}; charset=utf-8")
    return h11.Response(status_code=reply.status, headers=[*reply.headers, kind, *(more or ())])


def _request(head: h11.Request, body: bytes, address: str) -> HttpRequest:
    headers: dict[str, str] = {}
    for name, value in head.headers:
        key, text = name.decode("ascii"), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    method = head.method.decode("ascii")
    try:
        url = urlsplit(head.target.decode("ascii"))
        text = body.decode("utf-8") if method == "POST" else url.query
        every = parse_qs(text, keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError as error:
        raise h11.RemoteProtocolError("no text") from error
    fields = {name: values[-1] for name, values in every.items()}
    return HttpRequest(method, url.path, headers, fields, address)
