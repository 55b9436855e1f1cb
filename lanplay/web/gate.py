"""Who may come in: links for one use, sessions, where requests come from, how many. Sans-I/O."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, Generic, TypeVar

from lanplay.web.http import HttpRequest
from lanplay_protocol.rates import Bucket

T = TypeVar("T")

COOKIE: Final = "lanplay"
LINK_SECONDS: Final = 300.0
"""How long a link to log in is good."""
BURST: Final = 20
RATE: Final = 8.0
"""Taps of a session at once, and a second in the long run."""
SECRET_BYTES: Final = 24


@dataclass(eq=False, slots=True)
class WebSession(Generic[T]):
    """A browser that has logged in: whose page it shows, and under which path."""

    person: T
    path: str
    bucket: Bucket
    streams: list[Callable[[], None]] = field(default_factory=list)
    """What closes each of its streams, the newest last."""
    secure: bool = False
    """Its cookie is sent encrypted alone."""


class WebGate(Generic[T]):
    """Keeps strangers out. ``origins`` are those of the pages, ``now`` a clock.

    Secrets are kept as hashes: looking one up tells nothing by how long it takes.
    """

    def __init__(self, origins: Collection[str], now: Callable[[], float]) -> None:
        self._origins = origins
        self._now = now
        self._links: dict[bytes, tuple[T, float]] = {}
        self._sessions: dict[bytes, WebSession[T]] = {}

    def link(self, person: T) -> str:
        """Return a token with which one browser may log in as somebody, for a while."""
        token = secrets.token_urlsafe(SECRET_BYTES)
        self._links[_hash(token)] = person, self._now() + LINK_SECONDS
        return token

    def enter(self, token: str) -> tuple[WebSession[T], str] | None:
        """Return a new session and the value of its cookie; ``None`` if the token is not good."""
        person, until = self._links.pop(_hash(token), (None, 0.0))
        if person is None or self._now() > until:
            return None
        return self.admit(person)

    def admit(self, person: T) -> tuple[WebSession[T], str]:
        """Return a new session of somebody, and the value of its cookie."""
        cookie = secrets.token_urlsafe(SECRET_BYTES)
        path = f"/{secrets.token_urlsafe(SECRET_BYTES // 2)}/"
        session = self._sessions[_hash(cookie)] = self._session(person, path)
        return session, cookie

    def kept(self, person: T) -> list[tuple[str, str]]:
        """Return the sessions of somebody for a file: the hash of each cookie, and the path."""
        every = self._sessions.items()
        return [(key.hex(), each.path) for key, each in every if each.person is person]

    def restore(self, person: T, key: str, path: str) -> None:
        """Let the browser in again that has the cookie of a kept session."""
        self._sessions[bytes.fromhex(key)] = self._session(person, path)

    def _session(self, person: T, path: str) -> WebSession[T]:
        secure = any(each.startswith("https:") for each in self._origins)
        return WebSession(person, path, Bucket(BURST, RATE), secure=secure)

    def bar(self, person: T) -> None:
        """End all sessions of somebody: their cookies are good no more, their streams close."""
        for key, session in list(self._sessions.items()):
            if session.person is person:
                del self._sessions[key]
                for close in list(session.streams):
                    close()

    def streams(self, person: T) -> int:
        """Return how many pages of somebody are open."""
        every = self._sessions.values()
        return sum(len(each.streams) for each in every if each.person is person)

    def refused(self, request: HttpRequest) -> int:
        """Return the status with which a request is refused for where it comes from, else 0.

        Another ``Host`` is a name that somebody lets point here; another ``Origin``, or none, is a
        page of somebody else.
        """
        host = request.headers.get("host", "")
        own = next((each for each in self._origins if each.partition("//")[2] == host), None)
        if own is None:
            return 421
        if request.method not in ("GET", "POST"):
            return 405
        foreign = request.headers.get("origin", "") != own
        return 403 if request.method == "POST" and foreign else 0

    def session(self, request: HttpRequest) -> WebSession[T] | None:
        """Return the session of a request, whose path has to be its own."""
        found = [self._sessions.get(_hash(each)) for each in request.cookies(COOKIE)]
        return next((s for s in found if s is not None and request.path.startswith(s.path)), None)

    def tap(self, session: WebSession[T]) -> bool:
        """Return whether a session may tap once more now."""
        return session.bucket.take(self._now())


def set_cookie(session: WebSession[T], value: str) -> tuple[str, str]:
    """Return the header that gives a browser its cookie.

    It has a path of its own: browsers send cookies to all ports of a machine.
    """
    secure = "; Secure" if session.secure else ""
    return "Set-Cookie", f"{COOKIE}={value}; HttpOnly; SameSite=Strict; Path={session.path}{secure}"


def _hash(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
