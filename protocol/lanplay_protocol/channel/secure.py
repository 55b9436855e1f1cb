"""One sealed connection: versions in clear, then Noise XX, then frames that nobody else reads.

Sans-I/O: bytes in, events out. Each side sends a line ``lanplay/<protocol> <version>`` at once;
both lines go into the handshake's prologue, so that nobody in between can change what is spoken.
An installation has one key: its Ed25519 identity, in its Curve25519 form (RFC 7748, section 4.1),
is the static key of the handshake, so an identity is proven by the handshake or not at all. (That
one key may do both: E. Thormarker, "On using the same key pair for Ed25519 and an X25519 based
KEM", 2021.)

On the wire: the line; then Noise messages, each behind its length in two bytes. What the transport
messages carry, put together, are the frames of ``lanplay_protocol.wire``; a long frame spans
two messages. An end of the stream is a lost connection, never a farewell: only a sealed message can
be one.

Who dials shows its identity to nobody but the proven holder of the other one; who answers shows its
identity to whoever dials.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import nacl.bindings as sodium

from lanplay.errors import Fault
from lanplay.told import Told
from lanplay_protocol import PROTOCOL
from lanplay_protocol.channel.errors import ChannelError, Tampered
from lanplay_protocol.channel.noise import KEY, PAYLOAD_LIMIT, HandshakeState, KeyPair
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import PUBLIC, Identity
from lanplay_protocol.wire import FRAME_LIMIT, FrameReader, frame

MAGIC: Final = b"lanplay/"
LINE_LIMIT: Final = 64
"""Bytes of the longest first line."""
HANDSHAKE_LIMIT: Final = 4096
"""Bytes of the longest message before the other side is authenticated."""
GREETING_LIMIT: Final = 3072
_PROLOGUE: Final = b"lanplay channel\n"
_PREFIX: Final = 2
_LINE: Final = re.compile(rb"lanplay/(0|[1-9][0-9]{0,4}) ([!-~]{1,32})\n")


@dataclass(frozen=True, slots=True)
class Established:
    """The other side proved its identity, an Ed25519 key, and sealed this greeting."""

    peer: bytes
    greeting: bytes


@dataclass(frozen=True, slots=True)
class Decrypted:
    """A frame that the other side sealed."""

    body: bytes


class Channel:
    """One side of a sealed connection.

    ``initiator`` is who dialled; ``version`` names this program (1 to 32 visible ASCII characters);
    ``ephemeral`` is 32 fresh random bytes, never used for another channel; ``greeting``, at most
    3072 bytes, reaches the other side together with the proof of identity. ``ValueError`` if one of
    them is not so.

    ``peer`` (the other side's 32-byte Ed25519 key) and ``binding`` (64 bytes that this connection
    alone has, the same on both sides) are empty until ``established`` is true.
    """

    def __init__(
        self,
        initiator: bool,
        identity: Identity,
        version: str,
        ephemeral: bytes,
        greeting: bytes = b"",
        protocol: int = PROTOCOL,
    ) -> None:
        if len(greeting) > GREETING_LIMIT:
            raise ValueError(f"a greeting of {len(greeting)} bytes is over {GREETING_LIMIT}")
        self._line = first_line(version, protocol)
        self._initiator = initiator
        self._own = identity.public
        self._static = static_key(identity)
        self._ephemeral = KeyPair(ephemeral)
        self._payload = identity.public + greeting
        self._input = bytearray()
        self._output = bytearray(self._line)
        self._handshake: HandshakeState | None = None
        self._frames = FrameReader(FRAME_LIMIT)
        self._broken: PeerError | None = None
        self.peer = b""
        self.binding = b""

    @property
    def established(self) -> bool:
        """Whether the other side is authenticated, so that ``send`` may be called."""
        return bool(self.peer)

    def data_to_send(self) -> bytes:
        """The bytes to send now, each of them once; to be asked at first and after ``receive``.

        After an error too: a side that speaks another version must still hear this side's.
        """
        data = bytes(self._output)
        self._output.clear()
        return data

    def send(self, body: bytes) -> bytes:
        """The bytes that carry a frame of at most ``FRAME_LIMIT`` bytes, and all due before it.

        ``ValueError`` before the channel is established or for a longer frame; on a broken channel
        the ``PeerError`` that broke it.
        """
        self._check_whole()
        if not self.established:
            raise ValueError("nothing can be sent before the channel is established")
        stream = frame(body)
        for start in range(0, len(stream), PAYLOAD_LIMIT):
            self._post(self._sender.encrypt(b"", stream[start : start + PAYLOAD_LIMIT]))
        return self.data_to_send()

    def receive(self, data: bytes) -> list[Established | Decrypted]:
        """Take bytes as they come and return what they complete.

        Raises ``PeerError`` if the other side speaks another version or anything is not as it was
        sealed. The channel is then broken for good: what arrived together with the fault is
        dropped, and every later call raises the same error.
        """
        self._check_whole()
        try:
            return self._receive(data)
        except PeerError as error:
            self._broken = error
            raise

    def _check_whole(self) -> None:
        if self._broken is not None:
            raise self._broken

    def _receive(self, data: bytes) -> list[Established | Decrypted]:
        self._input += data
        events: list[Established | Decrypted] = []
        if self._handshake is None and (line := self._next_line()):
            self._begin(line)
        while self._handshake is not None and (message := self._next_message()) is not None:
            if self.established:
                opened = self._receiver.decrypt(b"", message)
                events += map(Decrypted, self._frames.feed(opened))
            else:
                events += self._shake(self._handshake, message)
        return events

    def _next_line(self) -> bytes:
        start = bytes(self._input[:LINE_LIMIT])
        line, end, _ = start.partition(b"\n")
        if not MAGIC.startswith(start[: len(MAGIC)]) or (not end and len(start) == LINE_LIMIT):
            raise ChannelError(Code.UNEXPECTED, Fault.NO_GREETING.of())
        del self._input[: len(line + end) if end else 0]
        return line + end if end else b""

    def _begin(self, theirs: bytes) -> None:
        self._check_version(theirs)
        lines = (self._line, theirs) if self._initiator else (theirs, self._line)
        prologue = _PROLOGUE + b"".join(lines)
        shake = HandshakeState(self._initiator, self._static, self._ephemeral, prologue)
        self._handshake = shake
        if self._initiator:
            self._post(shake.write())

    def _check_version(self, theirs: bytes) -> None:
        match = _LINE.fullmatch(theirs)
        if not match:
            raise ChannelError(Code.UNEXPECTED, Fault.NO_GREETING.of())
        if theirs.split(b" ")[0] != self._line.split(b" ")[0]:
            raise ChannelError(Code.VERSION, _version_text(self._line, theirs))

    def _next_message(self) -> bytes | None:
        if len(self._input) < _PREFIX:
            return None
        size = int.from_bytes(self._input[:_PREFIX], "big")
        if size > HANDSHAKE_LIMIT and not self.established:
            raise ChannelError(Code.OVERSIZED, f"a handshake of {size} bytes")
        if len(self._input) < _PREFIX + size:
            return None
        message = bytes(self._input[_PREFIX : _PREFIX + size])
        del self._input[: _PREFIX + size]
        return message

    def _shake(self, shake: HandshakeState, message: bytes) -> list[Established]:
        payload = shake.read(message)
        if not shake.remote_static:
            if payload:
                raise ChannelError(Code.MALFORMED, "a payload that nothing protects")
            self._post(shake.write(self._payload))
            return []
        peer, greeting = payload[:PUBLIC], payload[PUBLIC:]
        check_identity(peer, shake.remote_static)
        if peer == self._own:
            raise ChannelError(Code.UNEXPECTED, Fault.ITSELF.of())
        if shake.mine:
            self._post(shake.write(self._payload))
        self._sender, self._receiver = shake.split()
        self.peer, self.binding = peer, shake.hash
        return [Established(peer, greeting)]

    def _post(self, message: bytes) -> None:
        self._output += len(message).to_bytes(_PREFIX, "big") + message


def first_line(version: str, protocol: int = PROTOCOL) -> bytes:
    """The line that a channel sends first; ``ValueError`` for a version that is none."""
    line = f"lanplay/{protocol} {version}\n".encode()
    if not _LINE.fullmatch(line):
        raise ValueError(f"{version!r} is not 1 to 32 visible ASCII characters")
    return line


def static_key(identity: Identity) -> KeyPair:
    """The handshake key of an identity: its Ed25519 key in Curve25519 form."""
    _, secret = sodium.crypto_sign_seed_keypair(identity.seed)
    return KeyPair(sodium.crypto_sign_ed25519_sk_to_curve25519(secret))


def check_identity(identity: bytes, static: bytes) -> None:
    """Raise ``Tampered`` unless ``identity`` is a sound Ed25519 key whose other form ``static`` is.

    Small-order, mixed-order and non-canonical keys are refused. A key and its negative have the
    same Curve25519 form; both belong to whoever holds the secret, so nobody gains another's name.
    """
    sound = len(identity) == KEY and sodium.crypto_core_ed25519_is_valid_point(identity)
    if not sound or sodium.crypto_sign_ed25519_pk_to_curve25519(identity) != static:
        raise Tampered("the identity shown is not the key of the handshake")


def _version_text(mine: bytes, theirs: bytes) -> Told:
    """What names both versions, and says which is older; the lines are visible ASCII."""
    (ours, here), (others, there) = (line[len(MAGIC) :].decode().split() for line in (mine, theirs))
    fault = Fault.OLDER if int(others) < int(ours) else Fault.NEWER
    shown = "lanplay {} (protocol {})".format
    return fault.of(ours=shown(here, ours), theirs=shown(there, others))
