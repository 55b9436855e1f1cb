"""One laptop of the LAN laboratory and the processes in it; `lan_lab.py` makes them."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
NETNS = Path("/run/netns")  # where `ip netns` keeps its names


class LabError(RuntimeError):
    """The laboratory could not do what it was asked; the text says why."""


def ip(*lines: str, netns: str | None = None, keep_going: bool = False) -> None:
    """Runs lines of the `ip` command, in namespace `netns` if given.

    Raises LabError with the command's own words; `keep_going` ignores failures.
    """
    command = [ip_path() or "ip", *(("-n", netns) if netns else ())]
    command += [*(("-force",) if keep_going else ()), "-batch", "-"]
    done = subprocess.run(
        command, input="\n".join(lines), text=True, capture_output=True, start_new_session=True
    )
    if done.returncode and not keep_going:
        raise LabError(f"ip {'; '.join(lines)}: {done.stderr.strip()}")


@functools.cache
def ip_path() -> str | None:
    """Where the `ip` command is, None if this machine has none."""
    return shutil.which("ip", path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")


def in_namespace(name: str, *argv: str | Path) -> list[str]:
    """The command line that runs `argv` in a named network namespace."""
    return [ip_path() or "ip", "netns", "exec", name, *map(str, argv)]


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _inhabitants(namespaces: Iterable[str]) -> list[int]:
    """The ids of all processes inside these namespaces, never one of the caller's namespace."""
    wanted = set()
    for namespace in namespaces:
        with suppress(OSError):
            wanted.add(_identity(NETNS / namespace))
    wanted.discard(_identity(Path("/proc/self/ns/net")))
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if _identity(entry / "ns/net") in wanted:
                found.append(int(entry.name))
    return found


def remove_namespaces(namespaces: Sequence[str]) -> None:
    """Ends whatever still runs in these namespaces and deletes those that exist."""
    for _ in range(500):
        if not (left := _inhabitants(namespaces)):
            break
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.Signals["SIGKILL"])
        time.sleep(0.01)
    ip(*(f"netns del {n}" for n in namespaces if (NETNS / n).exists()), keep_going=True)


@dataclass(slots=True)
class Process:
    """A process in a laptop, leader of its own process group."""

    popen: subprocess.Popen[bytes]
    stdout: Path | None
    stderr: Path | None

    @property
    def pid(self) -> int:
        """Its process id, the same inside and outside."""
        return self.popen.pid

    def poll(self) -> int | None:
        """The exit code, negative for a signal, None while it runs."""
        return self.popen.poll()

    def wait(self, timeout: float = 60) -> int:
        """The exit code when it ends; LabError after `timeout` seconds, the process runs on."""
        try:
            return self.popen.wait(timeout)
        except subprocess.TimeoutExpired:
            raise LabError(self.said(f"still runs after {timeout} s")) from None

    def wait_for(self, text: str, timeout: float = 60) -> str:
        """The output so far once it contains `text`; LabError when it ends or `timeout` passes."""
        deadline = time.monotonic() + timeout
        while True:
            ended = self.poll() is not None
            if text in (output := self.output()):
                return output
            if ended or time.monotonic() > deadline:
                state = "ended" if ended else f"did not within {timeout} s"
                raise LabError(self.said(f"{state} without printing {text!r}"))
            time.sleep(0.02)

    def _signal(self, name: str) -> None:
        """Sends a signal to the whole process group, nothing if the leader has ended."""
        if sys.platform == "win32":
            raise LabError("the LAN laboratory needs Linux")
        if self.poll() is None:
            os.killpg(self.pid, signal.Signals[name])

    def kill(self) -> None:
        """SIGKILL to the process group, and waits until the leader is gone."""
        self._signal("SIGKILL")
        self.popen.wait()

    def stop(self) -> None:
        """SIGSTOP: the process freezes, as a laptop going to sleep."""
        self._signal("SIGSTOP")

    def cont(self) -> None:
        """SIGCONT: it wakes up."""
        self._signal("SIGCONT")

    def output(self) -> str:
        """What it wrote to stdout so far; LabError if `start` sent that elsewhere."""
        return read_text(self.stdout)

    def errors(self) -> str:
        """What it wrote to stderr so far; LabError if `start` sent that elsewhere."""
        return read_text(self.stderr)

    def said(self, what: str) -> str:
        """`what` happened to this process, as a text with the end of its output."""
        tails = [read_text(path)[-2000:] for path in (self.stdout, self.stderr) if path]
        return "\n".join([f"{self.popen.args!r} {what}; its output ends with:", *tails])


def read_text(path: Path | None) -> str:
    """A file's text so far, whatever its bytes; LabError for None."""
    if path is None:
        raise LabError("this process writes elsewhere; give start() no stdout or stderr")
    return path.read_text(encoding="utf-8", errors="replace")


@dataclass(slots=True)
class Laptop:
    """One machine of the lab: a namespace with `eth0`, and a directory with its own HOME."""

    number: int
    namespace: str
    directory: Path
    address: str
    gateway: str | None
    processes: list[Process] = field(default_factory=list)

    @property
    def home(self) -> Path:
        """Its HOME; configuration, data and temporary files of its processes lie in here too."""
        return self.directory / "home"

    def environment(self) -> dict[str, str]:
        """The variables its processes start with: a fresh account, nothing from the caller."""
        places = {"HOME": "", "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share"}
        places |= {"XDG_STATE_HOME": ".local/state", "XDG_CACHE_HOME": ".cache"}
        places |= {"XDG_RUNTIME_DIR": ".run", "TMPDIR": "tmp"}
        fixed = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
        return fixed | {name: str(self.home / place) for name, place in places.items()}

    def start(
        self,
        argv: Sequence[str | Path],
        *,
        env: Mapping[str, str] | None = None,
        stdin: int | IO[Any] | None = None,
        stdout: int | IO[Any] | None = None,
        stderr: int | IO[Any] | None = None,
        cwd: Path = ROOT,
    ) -> Process:
        """Starts `argv` here. `env` is added to `environment()`; stdin is empty by default.

        stdout and stderr go to files in `directory` unless given (as to subprocess.Popen).
        A command that cannot be started ends with exit code 255 and `ip`'s reason on stderr.
        """
        stem = f"{len(self.processes)}-{Path(argv[0]).name}"
        files = [self.directory / f"{stem}.{kind}" for kind in ("out", "err")]
        with files[0].open("wb") as out, files[1].open("wb") as err:
            popen = subprocess.Popen(
                in_namespace(self.namespace, *argv),
                env=self.environment() | dict(env or {}),
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=out if stdout is None else stdout,
                stderr=err if stderr is None else stderr,
                cwd=cwd,
                start_new_session=True,
            )
        process = Process(popen, None if stdout else files[0], None if stderr else files[1])
        self.processes.append(process)
        return process

    def run(self, argv: Sequence[str | Path], timeout: float = 60, **options: Any) -> str:
        """Runs `argv` to its end and returns its stdout; LabError if it fails or takes too long."""
        process = self.start(argv, **options)
        try:
            if process.wait(timeout):
                raise LabError(process.said(f"ended with {process.poll()}"))
        finally:
            process.kill()
        return process.output()

    def bring_up(self) -> None:
        """First start of the machine: its directories and its network."""
        for place in ("tmp", ".run"):
            (self.home / place).mkdir(mode=0o700, parents=True)
        # A laptop on a network has its link-local address already; do not wait for DAD (RFC 4862).
        no_dad = "echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad"
        shell = in_namespace(self.namespace, "/bin/sh", "-c", no_dad)
        subprocess.run(shell, stderr=subprocess.DEVNULL, check=False)  # fails where IPv6 is off
        ip("link set lo up", netns=self.namespace)
        self.plug_in()

    def plug_in(self) -> None:
        """Uses an adapter that has come, with the laptop's address."""
        up = (f"address add {self.address}/24 dev eth0", "link set eth0 up")
        ip(*up, *self._default(), netns=self.namespace)

    def link_down(self) -> None:
        """Switches the network off: no carrier, no routes; the address stays."""
        ip("link set eth0 down", netns=self.namespace)

    def link_up(self) -> None:
        """Switches the network on again."""
        ip("link set eth0 up", *self._default(), netns=self.namespace)

    def lose_address(self) -> None:
        """Has no IPv4 address any more; `change_address` gives it one."""
        ip("address flush dev eth0 scope global", netns=self.namespace)

    def change_address(self) -> str:
        """Takes another IPv4 address of the lab's /24, the last octet 50 higher."""
        stem, last = self.address.rsplit(".", 1)
        address = f"{stem}.{(int(last) + 49) % 250 + 1}"
        new = ("address flush dev eth0 scope global", f"address add {address}/24 dev eth0")
        ip(*new, *self._default(), netns=self.namespace)
        self.address = address
        return address

    def have(self, families: str) -> None:
        """Has IPv4 and IPv6 as `families` says: `ipv4`, `ipv6`, `both` or `link-local` alone."""
        if families == "ipv4":
            off = (
                "for each in eth0 lo; do echo 1 > /proc/sys/net/ipv6/conf/$each/disable_ipv6; done"
            )
            self.run(["/bin/sh", "-c", off])
        if families in ("ipv6", "link-local"):
            self.lose_address()
        if families in ("ipv6", "both"):
            address = f"fd77::{self.number + 1}/64"
            ip(f"address add {address} dev eth0 nodad", netns=self.namespace)

    def _default(self) -> list[str]:
        return [f"route replace default via {self.gateway} dev eth0"] if self.gateway else []
