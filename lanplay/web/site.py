"""The pages of one laptop: where each request goes, and what a browser may do with the answer."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from gzip import compress
from importlib.resources import files
from typing import Final, Generic, TypeVar

import trio
from markupsafe import Markup

from lanplay.language import _, current, speaking_here
from lanplay.web.elements import el, joined
from lanplay.web.gate import WebGate, WebSession, set_cookie
from lanplay.web.http import Headers, HttpRequest, Reply, Send
from lanplay.web.live import Person, Tap, event, follow
from lanplay.web.regions import DOCK

P = TypeVar("P", bound=Person)
_LOG: Final = logging.getLogger(__name__)

SECURITY: Final = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Accel-Buffering", "no"),
    ("Referrer-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
STATIC: Final = {
    "client.js": "text/javascript",
    "style.css": "text/css",
    "icon.svg": "image/svg+xml",
    "turn.svg": "image/svg+xml",
}
"""The files that pages load, and their types."""
LEVEL, WINDOW, MEMORY = 3, 16 + 14, 4
"""How streams are compressed: as gzip that remembers 16 KB, in 72 KiB of memory."""
STREAMS: Final = 2
"""Streams of a session; an older one is told that the page is open elsewhere."""


class Site(Generic[P]):
    """Answers requests for the pages of those whom the gate lets in.

    ``entrance`` answers all others: it is where they may come to be let in.
    """

    def __init__(self, gate: WebGate[P], entrance: Callable[[HttpRequest], Reply]) -> None:
        self._gate = gate
        self._entrance = entrance

    def answer(self, request: HttpRequest) -> Reply:
        """Return the reply to a request, whatever it is; a fault in drawing is one with 500."""
        try:
            reply = self._routed(request)
        except Exception:
            _LOG.exception("%s has failed", request.method)
            session = self._gate.session(request)
            with speaking_here(session.person.taste.lang if session is not None else ""):
                reply = sentence(500, _("This page cannot be drawn. The game goes on meanwhile."))
        return replace(reply, headers=(*SECURITY, *reply.headers))

    def _routed(self, request: HttpRequest) -> Reply:
        if status := self._gate.refused(request):
            return sentence(status, _("Open the address that the laptop shows."))
        if (name := request.path.removeprefix("/static/")) in STATIC:
            zipped = _zipped(request)
            return Reply(200, _static(name, zipped), STATIC[name], _coding(zipped))
        session = self._gate.session(request)
        if session is None:
            return self._entrance(request)
        with speaking_here(session.person.taste.lang):
            return replace(self._done(request, session, session.person), known=True)

    def _done(self, request: HttpRequest, session: WebSession[P], person: P) -> Reply:
        match request.method, request.path.removeprefix(session.path):
            case "GET", "":
                return Reply(200, shell(person.regions(), person.look), "text/html")
            case "GET", "events":
                zipped = _zipped(request)
                stream = partial(_stream, session, zipped)
                return Reply(200, kind="text/event-stream", headers=_coding(zipped), stream=stream)
            case "POST", "tap":
                if not self._gate.tap(session):
                    return Reply(429)
                fields = request.fields
                tap = Tap(fields.get("do", ""), fields.get("rev", ""), fields)
                status = 204 if person.act(tap) else 409
                return Reply(status, headers=(person.taste.cookie,) if tap.do == "taste" else ())
        return Reply(404)


def by_link(gate: WebGate[P]) -> Callable[[HttpRequest], Reply]:
    """Return the entrance for those who have a link with a token."""

    def entrance(request: HttpRequest) -> Reply:
        token = request.fields.get("token", "") if request.path == "/login" else ""
        entered = gate.enter(token)
        if entered is None:
            told = _("This link is used up or too old. Enter in lanplay's terminal shows another.")
            return sentence(403, told)
        return let_in(*entered)

    return entrance


def let_in(session: WebSession[P], cookie: str) -> Reply:
    """Give a browser its cookie; a page of ours sends it on, as a redirection would lose it."""
    go = el("meta", http_equiv="refresh", content=f"0;url={session.path}")
    page = document(el("p", el("a", _("Go on"), href=session.path), class_="sentence"), go)
    return Reply(200, page, "text/html", (set_cookie(session, cookie),), known=True)


def _zipped(request: HttpRequest) -> bool:
    """Tell whether a browser takes what is compressed."""
    return "gzip" in request.headers.get("accept-encoding", "")


def _coding(zipped: bool) -> Headers:
    return (("Content-Encoding", "gzip"),) if zipped else ()


def compressed(send: Send) -> Send:
    """Return what sends each event compressed: little more than what is new since the last ones."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY)

    async def sent(data: bytes) -> None:
        await send(packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))

    return sent


async def _stream(session: WebSession[P], zipped: bool, send: Send) -> None:
    if zipped:
        send = compressed(send)
    with trio.CancelScope() as scope:
        session.streams.append(scope.cancel)
        for close in session.streams[:-STREAMS]:
            close()
        try:
            await follow(session.person, send)
        finally:
            session.streams.remove(scope.cancel)
    await send(event("elsewhere"))


@cache
def _static(name: str, zipped: bool) -> bytes:
    content = files("lanplay.web").joinpath("static", name).read_bytes()
    return compress(content, mtime=0) if zipped else content


def sentence(status: int, text: str) -> Reply:
    """Return a page that says one thing."""
    return Reply(status, document(el("p", text, class_="sentence")), "text/html")


def shell(regions: Mapping[str, Markup], look: str = "") -> bytes:
    """Return the page as it is now, as a whole document that keeps itself up to date."""
    lost = _("No connection to the laptop. Trying again.")
    use = el("button", _("Use it here"), type="button", data_reload=True)
    told = (_("This page is open elsewhere."), use)
    body = joined(
        [
            el("p", lost, id="lost", hidden=True, role="alert"),
            el("p", *told, id="elsewhere", hidden=True, role="alert"),
            el(
                "main",
                *(regions[name] for name in ("head", "alerts", "board")),
                el(
                    "div",
                    el("div", *(regions[name] for name in DOCK), class_="dock"),
                    regions["side"],
                    class_="aside",
                ),
                *(regions[name] for name in ("menu", "taste", "art", "stage")),
                id="page",
            ),
        ]
    )
    return document(body, el("script", src="/static/client.js", defer=True), look=look)


def document(body: Markup, *head: Markup, look: str = "") -> bytes:
    """Return a document with a body; ``head`` is what its head has besides."""
    every = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width,initial-scale=1"),
        el("title", "lanplay"),
        el("link", rel="icon", href="/static/icon.svg", id="icon"),
        el("link", rel="stylesheet", href="/static/style.css"),
        *head,
    )
    page = el("html", every, el("body", body), lang=current(), class_=look or None)
    return f"<!doctype html>{page}".encode()
