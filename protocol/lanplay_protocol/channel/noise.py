"""Noise_XX_25519_ChaChaPoly, revision 34 of the Noise specification (noiseprotocol.org).

The objects and their names are those of the specification's section 5. Three messages make two
strangers sure of each other's static key: ``-> e``, ``<- e, ee, s, es``, ``-> s, se``. Whatever
does not fit raises ``Tampered``; after that, or any other error, the object is of no more use.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import nacl.bindings as sodium
import nacl.exceptions

from lanplay_protocol.channel.errors import ChannelError, Tampered
from lanplay_protocol.errors import Code

KEY: Final = 32
"""Bytes of a Curve25519 key, public or secret, and of a cipher key."""
TAG: Final = 16
MESSAGE_LIMIT: Final = 65535
"""Bytes of the longest Noise message, handshake or transport."""
PAYLOAD_LIMIT: Final = MESSAGE_LIMIT - TAG
NONCE_LIMIT: Final = (1 << 64) - 1
"""This nonce is reserved by the specification: no message may use it."""
XX: Final = (("e",), ("e", "ee", "s", "es"), ("s", "se"))
HASHES: Final[dict[str, Callable[..., Any]]] = {
    "BLAKE2b": hashlib.blake2b,
    "BLAKE2s": hashlib.blake2s,
    "SHA256": hashlib.sha256,
    "SHA512": hashlib.sha512,
}


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A Curve25519 key; the public half is computed from the secret one."""

    secret: bytes = field(repr=False)
    public: bytes = field(init=False)

    def __post_init__(self) -> None:
        if len(self.secret) != KEY:
            raise ValueError(f"a Curve25519 key has {KEY} bytes, not {len(self.secret)}")
        object.__setattr__(self, "public", sodium.crypto_scalarmult_base(self.secret))

    def agree(self, public: bytes) -> bytes:
        """The shared secret (RFC 7748); ``Tampered`` for a key of small order: it would be zero."""
        try:
            return sodium.crypto_scalarmult(self.secret, public)
        except nacl.exceptions.RuntimeError as error:
            raise Tampered("a public key of small order") from error


class CipherState:
    """A key and the count of what was sealed under it; without a key, bytes pass as they are."""

    def __init__(self, key: bytes | None = None, nonce: int = 0) -> None:
        self._key = key
        self._nonce = nonce

    @property
    def keyed(self) -> bool:
        """Whether there is a key, so that what is written carries a tag."""
        return self._key is not None

    def encrypt(self, ad: bytes, plaintext: bytes) -> bytes:
        """``plaintext`` sealed with its 16-byte tag, which also covers ``ad``.

        Raises ``ChannelError`` after 2**64 - 1 messages: a nonce is never used twice.
        """
        if self._key is None:
            return plaintext
        nonce = self._fresh()
        sealed = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, ad, nonce, self._key)
        self._nonce += 1
        return sealed

    def decrypt(self, ad: bytes, ciphertext: bytes) -> bytes:
        """What was sealed as the next message with this ``ad``; ``Tampered`` for all else."""
        if self._key is None:
            return ciphertext
        nonce = self._fresh()
        if len(ciphertext) < TAG:
            raise Tampered("a sealed message shorter than its tag")
        try:
            opened = sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
                ciphertext, ad, nonce, self._key
            )
        except nacl.exceptions.CryptoError as error:
            raise Tampered from error
        self._nonce += 1
        return opened

    def _fresh(self) -> bytes:
        if self._nonce >= NONCE_LIMIT:
            raise ChannelError(Code.UNEXPECTED, "all nonces of this connection are used up")
        return bytes(4) + self._nonce.to_bytes(8, "little")


class SymmetricState:
    """The hash ``h`` of all that was said, and the chaining key of all that was agreed."""

    def __init__(self, hash_name: str = "BLAKE2b") -> None:
        self._new = HASHES[hash_name]
        name = f"Noise_XX_25519_ChaChaPoly_{hash_name}".encode()
        size = self._new().digest_size
        self.h = name.ljust(size, b"\0") if len(name) <= size else self._hash(name)
        self._ck = self.h
        self.cipher = CipherState()

    def mix_key(self, material: bytes) -> None:
        """Derive the next key from what was agreed before and from ``material``."""
        self._ck, key = self._hkdf(material)
        self.cipher = CipherState(key[:KEY])

    def mix_hash(self, data: bytes) -> None:
        """Make ``h`` depend on ``data`` as well."""
        self.h = self._hash(self.h + data)

    def encrypt_and_hash(self, plaintext: bytes) -> bytes:
        """``plaintext`` sealed (once there is a key) and bound to all that was said."""
        sealed = self.cipher.encrypt(self.h, plaintext)
        self.mix_hash(sealed)
        return sealed

    def decrypt_and_hash(self, ciphertext: bytes) -> bytes:
        """The inverse of ``encrypt_and_hash``; ``Tampered`` if anything said before differs."""
        opened = self.cipher.decrypt(self.h, ciphertext)
        self.mix_hash(ciphertext)
        return opened

    def split(self) -> tuple[CipherState, CipherState]:
        """The two transport ciphers: what the initiator seals, what the responder seals."""
        first, second = self._hkdf(b"")
        return CipherState(first[:KEY]), CipherState(second[:KEY])

    def _hash(self, data: bytes) -> bytes:
        return bytes(self._new(data).digest())

    def _hkdf(self, material: bytes) -> tuple[bytes, bytes]:
        """Two outputs of RFC 5869 with the chaining key as salt and no info."""
        temporary = self._hmac(self._ck, material)
        first = self._hmac(temporary, b"\x01")
        return first, self._hmac(temporary, first + b"\x02")

    def _hmac(self, key: bytes, data: bytes) -> bytes:
        return hmac.new(key, data, self._new).digest()


class HandshakeState:
    """One side of the XX handshake. ``ephemeral`` must be fresh randomness, used only once.

    The initiator writes messages 0 and 2, the responder message 1; each side reads the others in
    order. After the third, ``finished`` is true, ``hash`` names this handshake and ``split`` gives
    the transport ciphers.
    """

    def __init__(
        self,
        initiator: bool,
        static: KeyPair,
        ephemeral: KeyPair,
        prologue: bytes = b"",
        hash_name: str = "BLAKE2b",
    ) -> None:
        self._initiator = initiator
        self._s = static
        self._e = ephemeral
        self._re = b""
        self._rs = b""
        self._step = 0
        self._symmetric = SymmetricState(hash_name)
        self._symmetric.mix_hash(prologue)

    @property
    def finished(self) -> bool:
        """Whether all three messages are through."""
        return self._step == len(XX)

    @property
    def mine(self) -> bool:
        """Whether the next message is this side's to write."""
        return not self.finished and (self._step % 2 == 0) == self._initiator

    @property
    def remote_static(self) -> bytes:
        """The other side's static public key, empty until it was received."""
        return self._rs

    @property
    def hash(self) -> bytes:
        """The hash of all that was said (section 11.2): equal on both sides, and nowhere else."""
        return self._symmetric.h

    def write(self, payload: bytes = b"") -> bytes:
        """The next message, carrying ``payload``; ``ValueError`` out of turn or if too long."""
        if not self.mine:
            raise ValueError("this side has no handshake message to write now")
        message = b"".join(map(self._write_token, XX[self._step]))
        message += self._symmetric.encrypt_and_hash(payload)
        if len(message) > MESSAGE_LIMIT:
            raise ValueError(f"a handshake message of {len(message)} bytes is over {MESSAGE_LIMIT}")
        self._step += 1
        return message

    def read(self, message: bytes) -> bytes:
        """The payload of the other side's next message; ``Tampered`` if it is not genuine."""
        if self.mine or self.finished:
            raise Tampered("a handshake message out of turn")
        if len(message) > MESSAGE_LIMIT:
            raise Tampered("an oversized handshake message")
        for token in XX[self._step]:
            message = self._read_token(token, message)
        payload = self._symmetric.decrypt_and_hash(message)
        self._step += 1
        return payload

    def split(self) -> tuple[CipherState, CipherState]:
        """The ciphers for what this side sends and for what it receives."""
        if not self.finished:
            raise ValueError("the handshake is not over")
        first, second = self._symmetric.split()
        return (first, second) if self._initiator else (second, first)

    def _write_token(self, token: str) -> bytes:
        if token == "e":
            self._symmetric.mix_hash(self._e.public)
            return self._e.public
        if token == "s":
            return self._symmetric.encrypt_and_hash(self._s.public)
        self._symmetric.mix_key(self._agree(token))
        return b""

    def _read_token(self, token: str, message: bytes) -> bytes:
        if token == "e":
            self._re, message = _cut(message, KEY)
            self._symmetric.mix_hash(self._re)
        elif token == "s":
            sealed, message = _cut(message, KEY + TAG * self._symmetric.cipher.keyed)
            self._rs = self._symmetric.decrypt_and_hash(sealed)
        else:
            self._symmetric.mix_key(self._agree(token))
        return message

    def _agree(self, token: str) -> bytes:
        """``ee``, ``es`` or ``se``: first the initiator's key, then the responder's."""
        letters = token if self._initiator else token[::-1]
        own = self._e if letters[0] == "e" else self._s
        return own.agree(self._re if letters[1] == "e" else self._rs)


def _cut(message: bytes, size: int) -> tuple[bytes, bytes]:
    if len(message) < size:
        raise Tampered("a handshake message cut short")
    return message[:size], message[size:]
