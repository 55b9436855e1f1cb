"""What is wrong with bytes that a peer sent; its author is at fault, never this program."""

from __future__ import annotations


class CryptoError(ValueError):
    """Bytes from a peer failed a cryptographic check: refuse them and name their author."""


class BadElement(CryptoError):
    """Not the canonical encoding of a point of prime order, or of a scalar below L."""


class BadProof(CryptoError):
    """A proof, an opening or a share that does not hold for the statement it came with."""


class BadSeal(CryptoError):
    """A sealed message or commitment whose content cannot be what its author claimed."""
