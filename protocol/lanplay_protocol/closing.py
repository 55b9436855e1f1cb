"""The last frame of a side that closes a connection: a code and a reason."""

from __future__ import annotations

from dataclasses import dataclass

from lanplay_protocol.errors import PeerError
from lanplay_protocol.reasons import packed, unpacked
from lanplay_protocol.schema import fields, text
from lanplay_protocol.wire import decode, encode

_START = encode(("close", 0))[:-1]
"""How every closing frame begins; all others pass unread."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The other side closed the connection and said why."""

    code: str
    text: str


def closing(error: PeerError) -> bytes:
    """Return the frame body that says why this side closes."""
    return encode(("close", (str(error.code), packed(error.text))))


def closed(body: bytes) -> Closed | None:
    """Return what a closing frame says; ``None`` for another; ``PeerError`` if it is malformed."""
    if not body.startswith(_START):
        return None
    _, payload = fields(decode(body), 2, "close")
    code, why = fields(payload, 2, "close")
    return Closed(text(code, 64, "code"), unpacked(why))
