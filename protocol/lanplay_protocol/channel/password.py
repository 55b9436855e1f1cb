"""A table's password: proven over an established channel, never sent, not guessable offline.

CPace (``cpace``) gives both sides one key if they entered one password. Its channel identifier is
the two Ed25519 keys, its session identifier the channel's binding: somebody in between has two
channels, so relayed messages agree on nothing. Four messages: the guest's element, the host's
element, the guest's confirmation, the host's confirmation.

Who confirms first lets the other side check one guess, and may not notice. That is the guest, on
purpose. A stranger who asks to join learns nothing before it has shown a confirmation, which the
host sees to be wrong, counts and does not answer: no guess escapes ``Attempts``. A stranger who
poses as a host can check one guess for each time that a person enters the password there; that
person's program gets no confirmation, and must count the run as failed rather than dial again by
itself. An observer of all four messages can check nothing (and they are sealed besides).

The password's element is worked out with Python integers, not in constant time; all else is
libsodium's.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from lanplay.errors import Fault, Mistake
from lanplay_protocol.channel import cpace
from lanplay_protocol.channel.cpace import ELEMENT
from lanplay_protocol.channel.errors import ChannelError, WrongPassword
from lanplay_protocol.crypto.hashing import check_seed, digest, expand
from lanplay_protocol.errors import Code

LIMIT: Final = 128
"""Characters of a password, after normalization."""
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
        side = b"guest" if guest else b"host"
        entropy = digest("channel/password/entropy", check_seed(seed), side, secret, *context)
        channel = digest("channel/password/parties", parties.guest, parties.host)
        self._guest = guest
        self._session = parties.binding
        self._scalar = expand("channel/password/scalar", entropy, ELEMENT)
        self._element = cpace.multiple(
            self._scalar, cpace.generator(secret, channel, self._session)
        )
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
        if len(message) != ELEMENT:
            raise ChannelError(Code.MALFORMED, "no first message of the other side")
        if message == self._element:
            raise ChannelError(Code.UNEXPECTED, "this side's own message sent back")
        try:
            shared = cpace.multiple(self._scalar, message)
        except ValueError as error:
            raise ChannelError(Code.MALFORMED, "an element outside the group") from error
        first, second = (self._element, message)[:: 1 if self._guest else -1]
        key = cpace.key(self._session, shared, (first, b""), (second, b""))
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
