"""This installation's identity: one key, made at first start, readable by its owner only."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lanplay.errors import Fault, UserError
from lanplay.files import locked, to_disk
from lanplay_protocol.identity import SEED, Identity

FILE = "identity.key"
_HELD: list[int] = []
"""Open files whose locks keep a second program of this installation from the same identity."""
_SESSIONS: dict[Path, Identity] = {}
"""The identities that this program has, by folder."""


def own_identity(folder: Path, warn: Callable[[str], None]) -> Identity:
    """Return the identity kept in ``folder``, made if there is none.

    While another program uses it, or where nothing can be kept, an identity for this run alone:
    ``warn`` is told. ``UserError`` for a file that is no identity: it is never written over.
    """
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        if not locked(descriptor):
            os.close(descriptor)
            warn(Fault.IDENTITY_IN_USE.of())
            return Identity(os.urandom(SEED))
        _HELD.append(descriptor)
        seed = _seed(descriptor)
    except OSError as error:
        warn(Fault.IDENTITY_PATH.of(path=str(path), why=error.strerror))
        return Identity(os.urandom(SEED))
    if len(seed) != SEED:
        os.close(_HELD.pop())
        raise UserError(Fault.NO_IDENTITY, path=str(path), size=SEED)
    return Identity(seed)


def in_use(path: Path) -> bool:
    """Tell whether a running program holds the identity in ``path``."""
    with suppress(OSError), path.open("rb+", buffering=0) as file:
        return not locked(file.fileno())
    return False


def session_identity(folder: Path, warn: Callable[[str], None]) -> Identity:
    """Return ``own_identity``, the same however often one program asks: it may play many games."""
    if folder not in _SESSIONS:
        _SESSIONS[folder] = own_identity(folder, warn)
    return _SESSIONS[folder]


def public_now(folder: Path) -> bytes:
    """Return the key that ``session_identity`` would have now; empty if it would be a new one."""
    if folder in _SESSIONS:
        return _SESSIONS[folder].public
    with suppress(OSError), (folder / FILE).open("rb+", buffering=0) as file:
        return kept_key(folder) if locked(file.fileno()) else b""
    return b""


def kept_key(folder: Path) -> bytes:
    """Return the key of the identity in ``folder``, whoever uses it now; empty if none is there."""
    with suppress(OSError):
        seed = (folder / FILE).read_bytes()
        return Identity(seed).public if len(seed) == SEED else b""
    return b""


def _seed(descriptor: int) -> bytes:
    """Return what an open and locked file holds; into an empty one comes a seed, or nothing."""
    if seed := os.read(descriptor, SEED + 1):
        return seed
    seed = os.urandom(SEED)
    try:
        if os.write(descriptor, seed) != SEED:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        to_disk(descriptor)
    except OSError:
        os.ftruncate(descriptor, 0)
        raise
    return seed
