"""A cheap stand-in for libsodium's group and signatures, put in at one seam: ``nacl.bindings``.

A point is its own discrete logarithm, so that every proof, share and shuffle is computed and
checked by the program's own code, in microseconds. What cannot be forged with libsodium is not
forged here either as long as nobody takes a logarithm: liars handle bytes, they never look into a
point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from nacl import bindings, exceptions

from lanplay_protocol.crypto import group
from lanplay_protocol.crypto.group import SIZE, L
from lanplay_protocol.crypto.shuffle import _generators

_SEEDS: dict[bytes, bytes] = {}
"""The seed of every public key that was made in this process; a signature is a hash under it."""


def _point(k: int) -> bytes:
    return (k % L + 1).to_bytes(SIZE, "little")


def _log(point: bytes) -> int:
    k = int.from_bytes(point, "little") - 1
    if not 0 <= k < L:
        raise exceptions.RuntimeError("no point")
    return k


def _multiple(k: int) -> bytes:
    if k % L == 0:
        raise exceptions.RuntimeError("the neutral element")
    return _point(k)


def _keypair(seed: bytes) -> tuple[bytes, bytes]:
    public = blake2b(seed, digest_size=32, person=b"public").digest()
    _SEEDS[public] = seed
    return public, seed + public


def _signature(message: bytes, seed: bytes) -> bytes:
    return blake2b(message, key=seed, digest_size=64).digest()


def _opened(signed: bytes, public: bytes) -> bytes:
    signature, message = signed[:64], signed[64:]
    if public not in _SEEDS or _signature(message, _SEEDS[public]) != signature:
        raise exceptions.BadSignatureError("the signature does not match")
    return message


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


STAND_INS = {
    "crypto_core_ed25519_from_uniform": lambda u: _point(_number(u)),
    "crypto_core_ed25519_is_valid_point": lambda p: 1 < _number(p) <= L,
    "crypto_core_ed25519_add": lambda p, q: _point(_log(p) + _log(q)),
    "crypto_core_ed25519_sub": lambda p, q: _point(_log(p) - _log(q)),
    "crypto_scalarmult_ed25519_base_noclamp": lambda k: _multiple(_number(k)),
    "crypto_scalarmult_ed25519_noclamp": lambda k, p: _multiple(_number(k) * _log(p)),
    "crypto_sign_seed_keypair": _keypair,
    "crypto_sign": lambda message, secret: _signature(message, secret[:32]) + message,
    "crypto_sign_open": _opened,
}


@contextmanager
def installed() -> Iterator[None]:
    """Replace the group and the signatures of this process while a block runs."""
    before = {name: getattr(bindings, name) for name in STAND_INS}
    _put(STAND_INS)
    try:
        yield
    finally:
        _put(before)


def in_effect() -> bool:
    """Tell whether what the program computes with is the stand-in."""
    return group.base(2) == _multiple(2)


def _put(functions: Mapping[str, Callable[..., Any]]) -> None:
    for name, function in functions.items():
        setattr(bindings, name, function)
    _generators.cache_clear()
