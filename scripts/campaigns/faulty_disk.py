"""A disk that fails on purpose: put as ``sitecustomize`` before a program, it fails one call.

Every call that changes what lies below the given folders (or goes to the standard streams) is
counted: open for writing, write, truncate, fsync, close, rename, replace, unlink, mkdir, chmod. The
environment variable ``FAULTY_DISK`` says in JSON what happens: ``under`` (folders), ``at`` (which
call fails; none if 0), ``errno`` (0: the write is short, the next one finds the disk full),
``ever`` (all further calls fail too), ``only`` (the kinds of call that fail at all; [] for every
one), ``log`` (a file that gets a line for each call).
"""

from __future__ import annotations

import builtins
import errno
import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any

_PLAN = json.loads(os.environ.get("FAULTY_DISK", "{}"))
_REAL_OPEN, _REAL_OS_OPEN = io.open, os.open
_SPACE = ("open", "write", "mkdir")
"""What needs room."""
_HARD = (errno.EIO, errno.EROFS)
"""What a disk says also of files that are there."""


class _Disk:
    """Counts the calls and says which one fails."""

    def __init__(self) -> None:
        self.under = tuple(_PLAN.get("under", ()))
        self.calls = 0
        self.full = False
        self.names: dict[int, str] = {1: "<stdout>", 2: "<stderr>"}
        path = _PLAN.get("log")
        self.log = _REAL_OS_OPEN(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND) if path else None

    def name(self, path: Any) -> str:
        """Return what a path or a descriptor is called; empty if it is none of ours."""
        name = self.names.get(path, "") if isinstance(path, int) else os.path.abspath(path)  # noqa: PTH100
        return name if name.startswith(self.under) else ""

    def meet(self, kind: str, path: Any) -> bool:
        """Count a call, and fail it if it is to; true if it is to be cut short."""
        if not (name := self.name(os.fsdecode(path) if isinstance(path, bytes) else path)):
            return False
        self.calls += 1
        if self.log is not None:
            _REAL_WRITE(self.log, f"{self.calls} {kind} {name}\n".encode())
        if self.needs_none(kind, path, _PLAN.get("errno", 0)):
            return False
        if self.full and kind in _SPACE:
            self.fail(errno.ENOSPC, path)
        at, only = _PLAN.get("at", 0), _PLAN.get("only") or [kind]
        if not at or self.calls < at or kind not in only:
            return False
        if self.calls > at and not _PLAN.get("ever"):
            return False
        if not _PLAN["errno"]:
            self.full = True
            return kind == "write"
        return self.fail(_PLAN["errno"], path)

    def fail(self, number: int, path: Any) -> bool:
        """Fail as the system does: with a name where the call has one."""
        raise OSError(number, os.strerror(number), *([] if isinstance(path, int) else [path]))

    def needs_none(self, kind: str, path: Any, number: int) -> bool:
        """Tell whether a call needs nothing of the disk: what it would make is there already."""
        there = not isinstance(path, int) and os.path.lexists(path)
        return there and (kind == "mkdir" or (kind == "open" and number not in _HARD))


_REAL_WRITE, _REAL_CLOSE, _REAL_DUP2 = os.write, os.close, os.dup2
_DISK = _Disk()


class _File(io.FileIO):
    """A file whose calls are counted."""

    def __init__(
        self,
        file: Any,
        mode: str = "r",
        closefd: bool = True,
        opener: Callable[[str, int], int] | None = None,
    ) -> None:
        self._path = file if isinstance(file, int) else os.fspath(file)
        if not isinstance(file, int) and set(mode) & set("wax+"):
            _DISK.meet("open", file)
        super().__init__(file, mode, closefd, opener)
        self._path = _DISK.name(self._path) or self._path

    def write(self, data: Any) -> int:
        if _DISK.meet("write", self._path):
            data = memoryview(data)[: len(data) // 2]
        return int(super().write(data))

    def truncate(self, size: int | None = None) -> int:
        _DISK.meet("truncate", self._path)
        return super().truncate(size)

    def close(self) -> None:
        open_before = not self.closed and self.writable()
        super().close()
        if open_before:
            _DISK.meet("close", self._path)
            _DISK.names = {n: each for n, each in _DISK.names.items() if each != self._path}


def _open(
    file: Any,
    mode: str = "r",
    buffering: int = -1,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    closefd: bool = True,
    opener: Callable[[str, int], int] | None = None,
) -> Any:
    if not set(mode) & set("wax+"):
        return _REAL_OPEN(file, mode, buffering, encoding, errors, newline, closefd, opener)
    raw = _File(file, mode.replace("b", "").replace("t", ""), closefd, opener)
    if buffering == 0:
        return raw
    buffer: Any = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
    if "b" in mode:
        return buffer
    return io.TextIOWrapper(buffer, encoding, errors, newline, line_buffering=buffering == 1)


def _os_open(path: Any, flags: int, *args: Any, **more: Any) -> int:
    if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        _DISK.meet("open", path)
    descriptor = _REAL_OS_OPEN(path, flags, *args, **more)
    _DISK.names[descriptor] = os.path.abspath(os.fsdecode(path))  # noqa: PTH100
    return descriptor


def _os_close(fd: int) -> None:
    _DISK.names.pop(fd, None)
    _REAL_CLOSE(fd)


def _os_dup2(fd: int, fd2: int, inheritable: bool = True) -> int:
    _DISK.names[fd2] = _DISK.names.get(fd, "")
    return _REAL_DUP2(fd, fd2, inheritable)


def _os_write(descriptor: int, data: Any) -> int:
    if _DISK.meet("write", descriptor):
        data = memoryview(data)[: len(data) // 2]
    return int(_REAL_WRITE(descriptor, data))


def _counted(kind: str, name: str) -> None:
    real = getattr(os, name)

    def call(path: Any, *args: Any, **more: Any) -> Any:
        _DISK.meet(kind, path)
        return real(path, *args, **more)

    setattr(os, name, call)


def _stream(stream: Any) -> Any:
    raw = _File(stream.fileno(), "w", closefd=False)
    raw._path = stream.fileno()  # whose name changes when another file is put in its place
    buffer = io.BufferedWriter(raw)
    return io.TextIOWrapper(buffer, stream.encoding, stream.errors, line_buffering=raw.fileno() > 1)


def _install() -> None:
    for module in (io, builtins, sys.modules["_io"]):
        module.open = _open  # type: ignore[attr-defined]
    io.FileIO = _File  # type: ignore[misc]
    os.open, os.write, os.close, os.dup2 = _os_open, _os_write, _os_close, _os_dup2
    for kind, name in (
        ("fsync", "fsync"),
        ("truncate", "ftruncate"),
        ("truncate", "truncate"),
        ("rename", "rename"),
        ("rename", "replace"),
        ("unlink", "unlink"),
        ("unlink", "remove"),
        ("mkdir", "mkdir"),
        ("chmod", "chmod"),
        ("rmdir", "rmdir"),
    ):
        _counted(kind, name)
    if "<stdout>".startswith(_DISK.under) or "<stderr>".startswith(_DISK.under):
        sys.stdout, sys.stderr = _stream(sys.stdout), _stream(sys.stderr)


if _PLAN:
    _install()
