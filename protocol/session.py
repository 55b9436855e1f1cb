"""One connection between two programs: who is there, which versions, then framed messages.

Sans-I/O: bytes in, events out. Both sides greet, then both sign both greetings, so that an identity
is what its key proves and an old greeting is worth nothing. Nothing but greetings is read before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from protocol import PROTOCOL
from protocol.crypto.hashing import digest
from protocol.errors import Code, PeerError
from protocol.identity import SIGNATURE, Identity, check_signature
from protocol.schema import binary, fields, text, uint
from protocol.text import clean_text
from protocol.wire import FRAME_LIMIT, FrameReader, decode, encode, frame

MAGIC = "lanplay"
NONCE = 32
_LABEL = "session"
_CLOSE = encode(("close", 0))[:-1]
"""How every closing message begins; all others pass unread."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """The first frame of each side."""

    protocol: int
    version: str
    identity: bytes
    nonce: bytes

    def encoded(self) -> bytes:
        """Return the frame body."""
        return encode((MAGIC, self.protocol, self.version, self.identity, self.nonce))


@dataclass(frozen=True, slots=True)
class Established:
    """The other side proved its identity."""

    identity: bytes


@dataclass(frozen=True, slots=True)
class Received:
    """A message of the established connection."""

    body: bytes


@dataclass(frozen=True, slots=True)
class Closed:
    """The other side closed the connection and said why."""

    code: str
    text: str


class Session:
    """One side of a connection. ``nonce`` is 32 fresh random bytes."""

    def __init__(self, identity: Identity, version: str, nonce: bytes) -> None:
        self._identity = identity
        self._mine = Greeting(PROTOCOL, version, identity.public, nonce)
        self._reader = FrameReader()
        self._theirs: Greeting | None = None
        self.established = False

    def greeting(self) -> bytes:
        """Return the bytes to send first."""
        return frame(self._mine.encoded())

    def message(self, body: bytes) -> bytes:
        """Return the bytes that carry a message."""
        return frame(body)

    def closing(self, error: PeerError) -> bytes:
        """Return the bytes that say why this side closes."""
        return frame(encode(("close", (str(error.code), error.text[:500]))))

    def receive(self, data: bytes) -> Iterator[bytes | Established | Received | Closed]:
        """Take bytes; yield events, and bytes that are to be sent.

        Raises ``PeerError`` if the other side breaks the protocol or speaks another version.
        """
        for body in self._reader.feed(data):
            if self._theirs is None:
                yield self._greeted(body)
            elif (closed := _closed(body)) is not None:
                yield closed
            elif not self.established:
                yield self._proven(body)
            else:
                yield Received(body)

    def _greeted(self, body: bytes) -> bytes:
        self._theirs = theirs = parse_greeting(body)
        if theirs.protocol != self._mine.protocol:
            raise PeerError(Code.VERSION, version_text(self._mine, theirs))
        if theirs.identity == self._mine.identity:
            raise PeerError(Code.UNEXPECTED, "this program called itself")
        proof = self._identity.sign(_LABEL, _bound(self._mine, theirs))
        return frame(encode(("proof", proof)))

    def _proven(self, body: bytes) -> Established:
        assert self._theirs is not None
        kind, proof = fields(decode(body), 2, "proof")
        if kind != "proof":
            raise PeerError(Code.UNEXPECTED, "a message before the proof of identity")
        theirs = self._theirs
        signed = _bound(theirs, self._mine)
        check_signature(theirs.identity, _LABEL, signed, binary(proof, SIGNATURE, "proof"))
        self.established = True
        self._reader.limit = FRAME_LIMIT
        return Established(theirs.identity)


def _bound(author: Greeting, reader: Greeting) -> bytes:
    return digest("session", author.encoded(), reader.encoded())


def version_text(mine: Greeting, theirs: Greeting) -> str:
    """Return one sentence that names both versions."""
    return (
        f"this program is lanplay {mine.version} (protocol {mine.protocol}), the other one lanplay "
        f"{clean_text(theirs.version, 32)} (protocol {theirs.protocol}): use one version on both"
    )


def parse_greeting(body: bytes) -> Greeting:
    """Return the greeting of a frame; ``PeerError`` for anything else."""
    magic, protocol, version, identity, nonce = fields(decode(body), 5, "greeting")
    if magic != MAGIC:
        raise PeerError(Code.UNEXPECTED, "no lanplay greeting")
    return Greeting(
        uint(protocol, 1 << 16, "protocol"),
        text(version, 64, "version"),
        binary(identity, 32, "identity"),
        binary(nonce, NONCE, "nonce"),
    )


def _closed(body: bytes) -> Closed | None:
    if not body.startswith(_CLOSE):
        return None
    _, payload = fields(decode(body), 2, "close")
    code, why = fields(payload, 2, "close")
    return Closed(text(code, 64, "code"), clean_text(text(why, 512, "reason"), 500))
