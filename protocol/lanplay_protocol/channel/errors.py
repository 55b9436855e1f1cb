"""What a channel refuses; each is a ``PeerError``, so that it closes that connection alone."""

from __future__ import annotations

from lanplay.errors import Fault
from lanplay_protocol.errors import Code, PeerError


class ChannelError(PeerError):
    """The other end, or somebody in between, broke the channel: it is dead from here on."""


class Tampered(ChannelError):
    """Bytes that the other end did not seal: altered, cut, out of order, replayed or forged."""

    def __init__(self, text: str = "the connection was tampered with") -> None:
        super().__init__(Code.BAD_SIGNATURE, text)


class WrongPassword(ChannelError):
    """The other side does not know the table's password, or somebody sits in between."""

    def __init__(self) -> None:
        super().__init__(Code.BAD_PROOF, Fault.PASSWORD_WRONG.of())
