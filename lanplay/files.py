"""How files are written: whole or not at all, so that a disk that fails leaves the old one."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

PRIVATE: Final = 0o600
"""The mode of what only its owner may read."""
OWN_FOLDER: Final = 0o700
"""The same of a folder."""
COMMON: Final = 0o666
"""The mode of all else: the umask says who may read it."""
REFUSALS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
"""What a system says of a disk that takes nothing more."""
_HELD: Final = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""The same of a lock that another process holds."""
PATIENCE: Final = (0.05, 0.1, 0.2, 0.4) if sys.platform == "win32" else ()
"""Seconds between attempts: there whoever looks at a file, a scanner too, keeps it in its place."""
_LOCKED_BYTE: Final = 1 << 30
"""Behind the end of any file: on Windows nobody else can read what is locked."""


def plain(content: str | bytes) -> Any:
    """Return what a file in JSON says; ``ValueError`` unless it could be written again.

    Lists that nest without end could not, nor could text that holds half a letter.
    """
    import json

    try:
        found = json.loads(content)
        json.dumps(found, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError(str(error)) from error
    return found


@contextmanager
def whole(path: Path, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """Write a new file in a block, and put it in the place of an old one when the block ends.

    Whatever goes wrong, the old one stays as it was. ``OSError`` names the file. A link is followed
    where the system allows it; what is no file, as a device, is written into.
    """
    if path.exists() and not path.is_file():
        with naming(path), path.open("wb") as device:
            yield device
        return
    if path.is_symlink():
        with naming(path), path.open("ab"):
            path = Path(os.path.realpath(path))
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with naming(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.unlink(missing_ok=True)
            with os.fdopen(os.open(draft, flags, mode), "w+b") as file:
                yield file
                file.flush()
                to_disk(file.fileno())
            put(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def replace(path: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Write a file whole or not at all; ``OSError`` names it."""
    with whole(path, mode) as file:
        file.write(content)


def renew(path: Path, content: bytes, mode: int = PRIVATE) -> None:
    """Write a file that lies beside what somebody may have sent, whole or not at all: what is none,
    as a link to anywhere, a pipe or a device, makes room. ``OSError`` names it."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.unlink()
    replace(path, content, mode)


def put(draft: Path, path: Path, rounds: int = 1) -> None:
    """Put a file or a folder in a place; ``OSError`` if the system refuses it to the end."""
    for seconds in PATIENCE * rounds:
        with suppress(PermissionError):
            draft.replace(path)
            return
        time.sleep(seconds)
    draft.replace(path)


def to_disk(descriptor: int) -> None:
    """Return once what was written to a file outlasts a power cut; ``OSError`` if the disk refuses.

    On macOS ``fsync`` alone leaves it in the drive's own memory. Not every file system knows more.
    """
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def close_to_others(path: Path, mode: int = PRIVATE) -> None:
    """Let nobody but the owner at a file or folder of an older version, as far as that can be."""
    with suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(mode)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name a file in what the system refuses while the block runs: descriptors have no names."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        no_folder = error.errno in (errno.EEXIST, errno.ENOENT)  # a file as one, or no such drive
        why = errno.ENOTDIR if no_folder else error.errno
        raise OSError(why, os.strerror(why), str(path)) from error


def locked(descriptor: int) -> bool:
    """Lock an open file for this process; false if another holds it. It never waits.

    The system unlocks it when the process ends, however it does. A file system that knows no locks
    keeps nobody out.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _HELD
    return True
