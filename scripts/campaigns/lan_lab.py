"""LAN laboratory: "laptops" as network namespaces on one switch (Linux, root).

    with Lab(laptops=2, link=Link(delay=0.020, loss=0.03)) as lab:
        server = lab.laptops[0].start([sys.executable, "-m", "http.server"])
        lab.cut(0, 1)

Laptops count from 0. All traffic stays inside: no namespace has a way out. Leaving the block ends
every process of the lab and removes its namespaces, also after exceptions, SIGINT and SIGTERM.
What a lab killed with SIGKILL left behind goes with `python3 scripts/campaigns/lan_lab.py sweep`.
Nothing outside the standard library and the `ip` command is needed.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from types import FrameType, TracebackType

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.campaigns.lan_laptop import (
    NETNS,
    LabError,
    Laptop,
    in_namespace,
    ip,
    ip_path,
    read_text,
    remove_namespaces,
)
from scripts.campaigns.lossy_switch import Link

PREFIX = "lanlab"
NAME = re.compile(rf"{PREFIX}-(\d+)-.*")
SIGNALS = (signal.SIGINT, signal.SIGTERM)
_counter = itertools.count(1)


class Terminated(KeyboardInterrupt):
    """SIGTERM arrived while a lab was open."""


@functools.cache
def available() -> str | None:
    """The reason why no lab can run on this machine, None if it can (tried once per process)."""
    if sys.platform != "linux":
        return "the LAN laboratory needs Linux network namespaces"
    if os.geteuid() != 0:
        return "the LAN laboratory needs root"
    if ip_path() is None:
        return "the LAN laboratory needs the ip command (Debian package iproute2)"
    try:
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()
    except OSError as error:
        return f"no raw packet sockets here: {error}"
    probe = f"{PREFIX}-{os.getpid()}-{next(_counter)}-probe"
    try:
        ip(f"netns add {probe}")
        ip("link add probe0 type veth peer name probe1", "link add probe2 type bridge", netns=probe)
    except LabError as error:
        return f"no network namespaces with veth and bridge here: {error}"
    finally:
        ip(f"netns del {probe}", keep_going=True)
    return None


class Lab:
    """`laptops` machines on one switch; use it as a context manager.

    Without `link` the switch is a kernel bridge (no delay, no cuts); with one it is
    `lossy_switch.py` beside, drawing from `seed`. Outputs and homes lie in `directory`, which is
    kept if given; else in a new temporary one, removed at the end unless `keep` is true and the
    block raised. `default_route` gives each laptop a route to a gateway that does not answer.
    Raises LabError if the lab cannot run here (see `available`).
    """

    def __init__(
        self,
        laptops: int,
        link: Link | None = None,
        seed: int = 1,
        *,
        default_route: bool = False,
        directory: Path | None = None,
        keep: bool = False,
    ) -> None:
        if not 1 <= laptops <= 49:
            raise LabError(f"a lab has 1 to 49 laptops, not {laptops}")
        number = next(_counter)
        self.name = f"{PREFIX}-{os.getpid()}-{number}"
        self.seed, self.keep, self._link, self._kept = seed, keep, link, directory is not None
        self.directory = directory or Path(tempfile.gettempdir()) / self.name
        self.laptops: list[Laptop] = []
        net = f"10.77.{number % 255}"
        for i in range(laptops):
            place, gateway = self.directory / f"laptop{i}", f"{net}.254" if default_route else None
            self.laptops.append(Laptop(i, f"{self.name}-{i}", place, f"{net}.{i + 1}", gateway))
        self._switch_namespace = f"{self.name}-switch"
        self._namespaces = [self._switch_namespace, *(laptop.namespace for laptop in self.laptops)]
        self._switch: subprocess.Popen[str] | None = None
        self._catches_sigterm = False

    def __enter__(self) -> Lab:
        if reason := available():
            raise LabError(reason)
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _terminated)
            self._catches_sigterm = True
        try:
            self._build()
        except BaseException:
            self.close(failed=True)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(failed=kind is not None)

    def set(self, link: Link) -> None:
        """Changes the links from the next frame on."""
        self._order(link=asdict(link))

    def cut(self, *laptops: int) -> None:
        """Stops all traffic between two laptops, or of one, unnoticed by both (no carrier lost)."""
        self._order(cut=laptops)

    def heal(self) -> None:
        """Ends every cut."""
        self._order(heal=True)

    def replug(self, laptop: int) -> None:
        """Gives a laptop another adapter in place of its own, with the same address, at once.

        Only with a kernel bridge: the other switch keeps its sockets.
        """
        if self._link is not None:
            raise LabError("adapters are replugged on a kernel bridge only; give no link")
        port, plugged = f"port{laptop}", self.laptops[laptop]
        ip("link del eth0", netns=plugged.namespace)
        ip(self._cable(plugged))
        ip(f"link set {port} addrgenmode none master br0 up", netns=self._switch_namespace)
        plugged.plug_in()

    def stats(self) -> dict[str, float]:
        """The switch's `forwarded` and `lost` frames so far and its `cpu` seconds."""
        return self._order()

    def close(self, *, failed: bool = False) -> None:
        """Ends all processes of the lab and removes its traces; may be called twice."""
        try:
            with _signals_deferred():
                self._close_processes()
                remove_namespaces(self._namespaces)
                if not self._kept and not (failed and self.keep):
                    shutil.rmtree(self.directory, ignore_errors=True)
        finally:
            if self._catches_sigterm:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                self._catches_sigterm = False

    def _build(self) -> None:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=self._kept)
        ip(*(f"netns add {namespace}" for namespace in self._namespaces))
        ip(*map(self._cable, self.laptops))
        ports = [f"port{laptop.number}" for laptop in self.laptops]
        lines = [f"link set {port} addrgenmode none up" for port in ports]
        if self._link is None:
            lines += ["link add br0 type bridge mcast_snooping 0 forward_delay 0"]
            lines += [f"link set {port} master br0" for port in ports]
            lines += ["link set br0 addrgenmode none up"]
        ip(*lines, netns=self._switch_namespace)
        for laptop in self.laptops:
            laptop.bring_up()
        if self._link:
            self._start_switch(ports)
            self.set(self._link)

    def _cable(self, laptop: Laptop) -> str:
        # One segment per frame: otherwise TCP hands the switch 64 KiB "frames" to lose as one.
        plug = f"eth0 netns {laptop.namespace} gso_max_segs 1"
        port = f"port{laptop.number} netns {self._switch_namespace}"
        return f"link add {plug} type veth peer name {port}"

    def _start_switch(self, ports: Sequence[str]) -> None:
        switch = Path(__file__).with_name("lossy_switch.py")
        python = [sys.executable, "-I", "-S", str(switch), str(self.seed)]
        with (self.directory / "switch.err").open("wb") as errors:
            self._switch = subprocess.Popen(
                in_namespace(self._switch_namespace, *python, *ports),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
        self._answer()

    def _order(self, **order: object) -> dict[str, float]:
        if self._switch is None:
            raise LabError("this lab has a kernel bridge; give it a link, such as link=Link()")
        assert self._switch.stdin
        with suppress(BrokenPipeError):
            print(json.dumps(order), file=self._switch.stdin, flush=True)
        return self._answer()

    def _answer(self) -> dict[str, float]:
        assert self._switch
        assert self._switch.stdout
        answer = json.loads(self._switch.stdout.readline() or "null")
        if answer is None:
            raise LabError(f"the switch has ended: {read_text(self.directory / 'switch.err')}")
        if "error" in answer:
            raise LabError(answer["error"])
        return dict(answer)

    def _close_processes(self) -> None:
        for process in (p for laptop in self.laptops for p in laptop.processes):
            process.kill()
            for pipe in (process.popen.stdin, process.popen.stdout, process.popen.stderr):
                if pipe:
                    with suppress(OSError):
                        pipe.close()
        if self._switch:
            self._switch.kill()
            self._switch.communicate()
            self._switch = None


def _terminated(_number: int, _frame: FrameType | None) -> None:
    raise Terminated


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Delivers SIGINT and SIGTERM that arrive inside the block after it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pending: list[int] = []
    old = {n: signal.signal(n, lambda n, _: pending.append(n)) for n in SIGNALS}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
        for arrived in pending:
            signal.raise_signal(arrived)


def sweep() -> list[str]:
    """Removes what labs of dead processes left behind; returns the names of what was removed."""
    paths = [*NETNS.glob(f"{PREFIX}-*"), *Path(tempfile.gettempdir()).glob(f"{PREFIX}-*")]
    dead = []
    for path in paths:
        match = NAME.fullmatch(path.name)
        if match and not Path("/proc", match[1]).exists():
            dead.append(path)
    remove_namespaces([path.name for path in dead if path.parent == NETNS])
    for path in dead:
        if path.parent != NETNS:
            shutil.rmtree(path, ignore_errors=True)
    return [path.name for path in dead]


if __name__ == "__main__":
    if sys.argv[1:] != ["sweep"]:
        sys.exit("lan_lab: the one command is sweep")
    print("\n".join(f"removed {name}" for name in sweep()) or "nothing to remove")
