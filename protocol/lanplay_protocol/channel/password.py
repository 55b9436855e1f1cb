"""A table's password: proven over an established channel, never sent, not guessable offline.

SPAKE2 (M. Abdalla, D. Pointcheval, CT-RSA 2005; the group and constants of the package ``spake2``)
gives both sides one key if they entered one password. Its identities are the two Ed25519 keys, each
with the channel's binding: somebody in between has two channels, so relayed messages agree on
nothing. Four messages: the guest's element, the host's element, the guest's confirmation, the
host's confirmation.

Who confirms first lets the other side check one guess, and may not notice. That is the guest, on
purpose. A stranger who asks to join learns nothing before it has shown a confirmation, which the
host sees to be wrong, counts and does not answer: no guess escapes ``Attempts``. A stranger who
poses as a host can check one guess for each time that a person enters the password there; that
person's program gets no confirmation, and must count the run as failed rather than dial again by
itself. An observer of all four messages can check nothing (and they are sealed besides).

The package computes with Python integers: 3 to 5 ms a message, and not in constant time.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final, Protocol

import nacl.bindings as sodium
from spake2 import SPAKE2_A, SPAKE2_B  # type: ignore[import-untyped]  # the package has no types

from lanplay.errors import Fault, Mistake
from lanplay_protocol.channel.errors import ChannelError, WrongPassword
from lanplay_protocol.crypto.hashing import check_seed, digest, expand
from lanplay_protocol.errors import Code

LIMIT: Final = 128
"""Characters of a password, after normalization."""
ELEMENT: Final = 33
"""Bytes of the first message of each side: a letter for the side and a point."""
MAC: Final = 32


def normalized(password: str) -> bytes:
    """The bytes that a password stands for: NFC, UTF-8.

    Raises ``ValueError``, worded for the person, unless it has 1 to 128 characters.
    """
    text = unicodedata.normalize("NFC", password)
    if not 1 <= len(text) <= LIMIT:
        raise Mistake(Fault.PASSWORD_LENGTH, most=LIMIT)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Mistake(Fault.PASSWORD_TEXT) from error


class _Spake2(Protocol):
    def start(self) -> bytes: ...

    def finish(self, inbound_side_and_message: bytes) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Parties:
    """Who proves the password to whom: their Ed25519 keys, and the binding of their channel."""

    guest: bytes
    host: bytes
    binding: bytes


class PasswordProof:
    """One side of one run; sans-I/O. ``seed`` is 32 fresh random bytes.

    ``ValueError`` for a password that ``normalized`` refuses. The guest sends ``start()``; after
    that each side passes what arrives to ``receive`` and sends what it returns. ``accepted`` turns
    true when the other side has proven the password. One run allows each side one guess; for
    another there must be another run.
    """

    def __init__(self, guest: bool, password: str, parties: Parties, seed: bytes) -> None:
        secret = normalized(password)
        context = (parties.guest, parties.host, parties.binding)
        side = SPAKE2_A if guest else SPAKE2_B
        entropy = digest("channel/password/entropy", check_seed(seed), side.side, secret, *context)
        self._guest = guest
        self._spake: _Spake2 = side(
            secret,
            idA=digest("channel/password/guest", *context),
            idB=digest("channel/password/host", *context),
            entropy_f=lambda size: expand("channel/password/scalar", entropy, size),
        )
        self._element: bytes = self._spake.start()
        self._keys: tuple[bytes, bytes] | None = None
        self._over = False
        self.accepted = False

    def start(self) -> bytes:
        """The guest's first message."""
        if not self._guest:
            raise ValueError("the guest begins")
        return self._element

    def receive(self, message: bytes) -> bytes:
        """Take the other side's next message; return the answer, empty at the guest's end.

        Raises ``WrongPassword`` if the other side does not know the password, else ``ChannelError``
        for a message that no honest program sends. Either ends this run.
        """
        if self._over:
            raise ChannelError(Code.UNEXPECTED, "the proof of the password is over")
        self._over = True
        answer = self._agree(message) if self._keys is None else self._confirmed(message)
        self._over = self.accepted
        return answer

    def _agree(self, message: bytes) -> bytes:
        _check_element(message, b"B" if self._guest else b"A")
        if message[1:] == self._element[1:]:
            raise ChannelError(Code.UNEXPECTED, "this side's own message sent back")
        key = self._spake.finish(message)
        by_guest = digest("channel/password/guest-confirms", key)
        by_host = digest("channel/password/host-confirms", key)
        self._keys = (by_guest, by_host) if self._guest else (by_host, by_guest)
        return by_guest if self._guest else self._element

    def _confirmed(self, message: bytes) -> bytes:
        assert self._keys is not None
        mine, theirs = self._keys
        if not compare_digest(message, theirs):
            raise WrongPassword
        self.accepted = True
        return b"" if self._guest else mine


def _check_element(message: bytes, side: bytes) -> None:
    """The package accepts non-canonical points and fails in many ways on others: none get there."""
    if len(message) != ELEMENT or message[:1] != side:
        raise ChannelError(Code.MALFORMED, "no first message of the other side")
    if not sodium.crypto_core_ed25519_is_valid_point(message[1:]):
        raise ChannelError(Code.MALFORMED, "an element outside the group")
