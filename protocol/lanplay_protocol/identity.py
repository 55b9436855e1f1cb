"""Who a peer is: a long-term Ed25519 key of its installation, and signatures by it."""

from __future__ import annotations

from dataclasses import dataclass, field

import nacl.bindings as sodium
import nacl.exceptions

from lanplay_protocol.errors import Code, PeerError

PUBLIC = sodium.crypto_sign_PUBLICKEYBYTES
SEED = sodium.crypto_sign_SEEDBYTES
SIGNATURE = sodium.crypto_sign_BYTES


@dataclass(frozen=True, slots=True)
class Identity:
    """The secret half: a seed of 32 bytes. ``public`` is the name that others know."""

    seed: bytes = field(repr=False)
    public: bytes = field(init=False)
    _secret: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.seed) != SEED:
            raise ValueError(f"an identity is made of {SEED} bytes")
        public, secret = sodium.crypto_sign_seed_keypair(self.seed)
        object.__setattr__(self, "public", public)
        object.__setattr__(self, "_secret", secret)

    def sign(self, label: str, body: bytes) -> bytes:
        """Return the 64-byte signature of ``body`` for the purpose ``label``."""
        return bytes(sodium.crypto_sign(_labelled(label, body), self._secret)[:SIGNATURE])


def check_signature(public: bytes, label: str, body: bytes, signature: bytes) -> None:
    """Raise ``PeerError`` unless ``public`` signed ``body`` for ``label`` (RFC 8032)."""
    try:
        sodium.crypto_sign_open(signature + _labelled(label, body), public)
    except (nacl.exceptions.BadSignatureError, ValueError, TypeError) as error:
        raise PeerError(Code.BAD_SIGNATURE, "the signature does not match") from error


def _labelled(label: str, body: bytes) -> bytes:
    name = f"lanplay/1/{label}".encode()
    return len(name).to_bytes(1, "big") + name + body
