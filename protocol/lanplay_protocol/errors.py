"""The error a peer can cause: it closes that peer and names it; the table goes on without it."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Why a peer is closed: a fixed list, sent along and worded where it is shown."""

    MALFORMED = "malformed"
    OVERSIZED = "oversized"
    UNEXPECTED = "unexpected"
    VERSION = "version"
    BAD_SIGNATURE = "bad-signature"
    BAD_PROOF = "bad-proof"
    BAD_OPENING = "bad-opening"
    ILLEGAL_ANSWER = "illegal-answer"
    FALSE_CLAIM = "false-claim"
    EQUIVOCATION = "equivocation"
    DIVERGED = "diverged"


class PeerError(Exception):
    """A peer broke the protocol.

    ``code`` says how, ``text`` what exactly; ``peer`` is its place in the roster, or ``None`` while
    its connection is all that is known of it.
    """

    def __init__(self, code: Code, text: str, peer: int | None = None) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
        self.peer = peer
