"""Walls around a program outside: run as a script, it shuts itself in and becomes that program.

What is shut in (Linux, by Landlock and seccomp) reads no folder that is hidden from it and nothing
of other processes, writes no file, opens no socket, signals and slows down nobody outside, leaves
its process group in no way, has ``MEMORY`` for each process and one core for all of them. So have
all that it starts, and nothing takes it back. It needs no rights, and no package: another Python
than that of lanplay may run it.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from errno import EACCES, ENOENT
from pathlib import Path
from shutil import which
from struct import Struct, pack
from typing import Final

MEMORY: Final = 4 << 30
"""Bytes that a process may write to."""
STACK: Final = 1 << 28
"""Bytes that its stack may have beside them."""
FAILED: Final = 125
"""Exit status where the walls could not be put up: the program does not run without them."""

_READ: Final = 0b1101
"""Landlock's rights to run a file, to read it, and to list a folder."""
_RUN_AND_READ: Final = 0b0101
_LIST: Final = 0b1000
_WRITE: Final = 0b0010
_EVERY: Final = (1 << 16) - 1
"""All rights that its fifth version knows."""
_OLDEST: Final = 6
"""The first version that also keeps signals in."""
_SCOPED: Final = 0b11
"""Abstract sockets and signals."""

_MACHINES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""By machine its place in the table of calls, and its number."""
_REFUSED: Final = {
    "socket": (41, 198),
    "bind": (49, 200),
    "io_uring_setup": (425, 425),  # a network, and names that others read
    "ptrace": (101, 117),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),  # others' insides
    "setpgid": (109, 154),
    "setsid": (112, 157),  # ways out of its group
    "timer_create": (222, 107),  # its signals wake who is to stand still
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),  # the time of others
    "sched_setaffinity": (203, 122),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "flock": (73, 32),  # Landlock lets pass
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),  # what others do
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),  # what the kernel keeps
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),  # memory that is not counted
}
"""System calls that are refused, by their numbers on these machines."""
_ALL: Final = 0xFFFFFFFF
_SOME: Final = {
    "socketpair": ((53, 199), 1, 0xF, (1, 5)),  # no datagrams: they go to whom they name
    "prlimit64": ((302, 261), 0, _ALL, (0,)),  # the caller's
    "fcntl": ((72, 25), 1, _ALL, (*range(5), 1030)),  # no locks, leases, and hints
    "ioctl": ((16, 29), 1, _ALL, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    "mmap": ((9, 222), 3, 0x121, (0, 0x01, 0x20)),  # what is shared is a file; no stacks
}
"""Those that are refused unless an argument, by its place, has one of some values in these bits."""


def able() -> bool:
    """Tell whether this machine has what walls are built of."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES or hasattr(sys, "frozen"):
        return False
    try:
        return _call(444, None, 0, 1) >= _OLDEST
    except OSError:
        return False


def walled(arguments: list[str], hidden: Iterable[str], done: int) -> list[str]:
    """Return the command that runs another one within walls, with these folders hidden from it.

    It closes the descriptor ``done`` when the walls stand. ``OSError`` if none there may run.
    """
    if not arguments or which(arguments[0]) is None:
        there = [each for each in arguments[:1] if "/" in each and Path(each).exists()]
        number = EACCES if there else ENOENT  # a file, but nobody may run it
        raise OSError(number, os.strerror(number), *arguments[:1])
    folders = [str(Path(each).resolve()) for each in hidden]
    return [sys.executable, "-I", "-S", __file__, str(done), *folders, "--", *arguments]


def spared(hidden: Iterable[str]) -> Iterator[str]:
    """Yield paths that together have all files but those in the folders that are hidden.

    What a link leads to has a path of its own.
    """
    said = {tuple(each.strip("/").split("/")) for each in hidden}
    ways = {way for way in said if not any(way[:length] in said for length in range(len(way)))}
    steps = {way[:length] for way in ways for length in range(len(way))}
    for step in steps:
        try:
            here = [*Path("/", *step).iterdir()]
        except OSError:
            continue
        for path in here:
            inside = path.parts[1:]
            if inside not in ways and inside not in steps and not path.is_symlink():
                yield str(path)


def shut_in(hidden: Iterable[str]) -> None:
    """Put the walls around this process; ``OSError`` if they cannot be put up."""
    if sys.platform != "linux":
        raise OSError("walls are built on Linux alone")
    import resource

    for kind, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_STACK, STACK)):
        soft, hard = (
            most if limit == resource.RLIM_INFINITY else min(most, limit)
            for limit in resource.getrlimit(kind)
        )
        resource.setrlimit(kind, (soft, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
    _prctl(38, 1)  # PR_SET_NO_NEW_PRIVS
    _hide(hidden)
    _refuse(*_MACHINES[platform.machine()])


def _hide(hidden: Iterable[str]) -> None:
    version = _call(444, None, 0, 1)
    if version < _OLDEST:
        raise OSError("Landlock is too old")
    rules = pack("QQQ", _EVERY, 0, _SCOPED)
    ruleset = _call(444, rules, len(rules), 0)
    _allow(ruleset, "/", _LIST)
    for name in ("null", "zero", "full", "random", "urandom"):
        rights = _RUN_AND_READ if name == "zero" else _RUN_AND_READ | _WRITE  # a way to memory
        _allow(ruleset, f"/dev/{name}", rights)
    for name in ("cpuinfo", "meminfo", "stat", "filesystems", "version", "sys", str(os.getpid())):
        _allow(ruleset, f"/proc/{name}", _READ)
    for path in spared(["/proc", "/dev", *hidden]):
        _allow(ruleset, path, _READ)
    _call(446, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Give rights to what lies at a path and beneath, if there is anything."""
    try:
        here = os.open(path, 0o10000000)  # O_PATH
    except OSError:
        return
    try:
        if not Path(path).is_dir():
            rights &= ~_LIST
        _call(445, ruleset, 1, pack("=Qi", rights, here), 0)
    finally:
        os.close(here)


def _refuse(place: int, machine: int) -> None:
    """Let these system calls fail with ``EPERM``, and those of another machine end the process."""
    step = Struct("HBBI").pack  # what is done, how many steps are left out then or else, a value
    refuse, let = step(0x06, 0, 0, 0x00050001), step(0x06, 0, 0, 0x7FFF0000)
    steps = [step(0x20, 0, 0, 4), step(0x15, 1, 0, machine), step(0x06, 0, 0, 0x80000000)]
    steps += [step(0x20, 0, 0, 0), step(0x35, 0, 1, 1 << 30), refuse]  # calls of x32
    for numbers in _REFUSED.values():
        if (call := numbers[place]) is not None:
            steps += [step(0x15, 0, 1, call), refuse]
    for numbers, argument, bits, values in _SOME.values():
        steps += [step(0x15, 0, 3 + 2 * len(values), numbers[place])]
        steps += [step(0x20, 0, 0, 16 + 8 * argument), step(0x54, 0, 0, bits)]
        for value in values:
            steps += [step(0x15, 0, 1, value), let]
        steps.append(refuse)
    steps.append(let)
    program = ctypes.create_string_buffer(b"".join(steps))
    _prctl(22, 2, pack("HP", len(steps), ctypes.addressof(program)))  # PR_SET_SECCOMP, a filter


def _prctl(option: int, value: int, more: object = None) -> None:
    _checked(_libc().prctl(option, ctypes.c_ulong(value), more, None, None))


def _call(number: int, *values: object) -> int:
    return _checked(_libc().syscall(ctypes.c_long(number), *values))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def main(arguments: list[str]) -> None:
    """Become the program behind ``--``, with the folders before it hidden (see ``walled``)."""
    end = arguments.index("--")
    program = arguments[end + 1 :]
    try:
        os.set_inheritable(int(arguments[0]), False)
        shut_in(arguments[1:end])
        os.execvp(program[0], program)
    except OSError as error:
        os.write(2, f"{program[0]}: {error}\n".encode())
        os._exit(FAILED)


if __name__ == "__main__":
    main(sys.argv[1:])
