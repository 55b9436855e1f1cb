#!/usr/bin/env python3
"""Flood a program with strangers' connections and measure what guests and those who play feel.

    python scripts/campaigns/flood.py --rate 600                         (Linux, root)
    python scripts/campaigns/flood.py --addresses 50 --kinds handshake --tries 20

In a network namespace of its own, with as many addresses as are asked for. For each kind of flood:
how long a guest from an address of its own takes to sit down at a real, forming table (it tries
again every second, as the program does), beside how long it takes without a flood; and how long the
steps of a real game of two programs take in the flood. Prints a line of JSON a kind; exit status 0
only if no guest was delayed by more than five seconds, and every game ended well.

The kinds: ``silent`` connects; ``greeting`` says which protocol it speaks, and nothing further;
``handshake`` goes through it under a new identity each time, and stays; ``garbage`` sends bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import trio  # noqa: E402  # needs the line above

from lanplay import __version__  # noqa: E402
from lanplay_protocol.channel.secure import Channel  # noqa: E402
from lanplay_protocol.errors import PeerError  # noqa: E402
from lanplay_protocol.identity import Identity  # noqa: E402
from lanplay_protocol.shell.guest import join  # noqa: E402
from lanplay_protocol.shell.node import open_node  # noqa: E402

KINDS = ("silent", "greeting", "handshake", "garbage")
HOST = "10.77.0.1"
FLOOD = "10.77.1.{}"
PORT = 27000
KEPT = 400
"""Connections that the flood keeps at one time."""
RETRY_SECONDS = 1.0
SETTLE_SECONDS = 2.0
LIMIT_SECONDS = 5.0
PLAYING_SECONDS = 120.0
INSIDE = "FLOOD_INSIDE"


# -- the flood ------------------------------------------------------------------------------------


async def flood(kind: str, sources: list[str], rate: float, port: int) -> None:
    """Open ``rate`` connections a second from addresses in turn, until cancelled."""
    opened: deque[trio.CancelScope] = deque()
    began, count = trio.current_time(), 0
    async with trio.open_nursery() as nursery:
        while True:
            while count < (trio.current_time() - began) * rate:
                scope = trio.CancelScope()
                nursery.start_soon(_stranger, kind, sources[count % len(sources)], port, scope)
                opened.append(scope)
                if len(opened) > KEPT:
                    opened.popleft().cancel()
                count += 1
            await trio.sleep(0.002)


async def _stranger(kind: str, source: str, port: int, scope: trio.CancelScope) -> None:
    gone = suppress(OSError, trio.BrokenResourceError, PeerError)
    with scope, gone, trio.socket.socket() as sock:
        await sock.bind((source, 0))
        await sock.connect((HOST, port))
        await _talk(kind, sock)
        await trio.sleep_forever()


async def _talk(kind: str, sock: trio.socket.SocketType) -> None:
    if kind == "silent":
        return
    if kind == "garbage":
        await sock.send(os.urandom(200))
        return
    channel = Channel(True, Identity(os.urandom(32)), __version__, os.urandom(32))
    await sock.send(channel.data_to_send())
    while kind == "handshake" and not channel.established:
        data = await sock.recv(4096)
        if not data:
            return
        channel.receive(data)
        if answer := channel.data_to_send():
            await sock.send(answer)


@contextmanager
def flooded(kind: str, args: argparse.Namespace, port: int) -> Iterator[None]:
    """Flood a port from another process meanwhile."""
    command = [sys.executable, __file__, "--flood", kind, "--port", str(port)]
    command += ["--rate", str(args.rate), "--addresses", str(args.addresses)]
    process = subprocess.Popen(command)
    try:
        time.sleep(SETTLE_SECONDS)
        yield
        if process.poll() is not None:
            raise SystemExit(f"flood: the flood has ended, with status {process.returncode}")
    finally:
        process.kill()
        process.wait()


Games: TypeAlias = dict[str, dict[str, object]]


# -- who feels it ---------------------------------------------------------------------------------


class Programs:
    """Real programs, each with a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a program under a name, with a bot for its person."""
        home = self.folder / f"{len(self.started)}-{name}"
        home.mkdir()
        command = [sys.executable, "-m", "lanplay", *arguments, "--name", name, "--json"]
        command += ["--trust-new", "--auto", "beginner", "--timing", str(home / "timing")]
        env = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home)}
        env["XDG_CONFIG_HOME"] = env["XDG_STATE_HOME"] = env["XDG_CACHE_HOME"] = str(home)
        with (home / "out").open("wb") as out:
            process = subprocess.Popen(
                command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        self.started.append(process)
        return process

    def said(self, number: int) -> str:
        """Return what a program has printed."""
        return next(self.folder.glob(f"{number}-*")).joinpath("out").read_text(errors="replace")

    def steps(self, number: int) -> list[float]:
        """Return when the steps of a program's game were complete."""
        timing = next(self.folder.glob(f"{number}-*")) / "timing"
        if not timing.exists():
            return []
        return [json.loads(line)[1] for line in timing.read_text().splitlines()]

    def close(self) -> None:
        """End all that still run."""
        for process in self.started:
            process.kill()
            process.wait()


def listening(port: int) -> None:
    """Wait until something listens."""
    import socket

    for _ in range(300):
        with suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        time.sleep(0.1)
    raise SystemExit("flood: the host does not listen")


async def sits_down(port: int) -> float:
    """Return how many seconds a guest takes to sit down, trying again as the program does."""
    began, took = trio.current_time(), 0.0
    identity = Identity(os.urandom(32))
    with trio.move_on_after(60):
        while not took:
            async with open_node(identity, __version__) as node:
                with trio.CancelScope() as scope, suppress(OSError, PeerError):

                    def seated(_: object, scope: trio.CancelScope = scope) -> None:
                        scope.cancel()

                    await join(node, HOST, port, "Guest", seated)
                if scope.cancel_called:
                    took = trio.current_time() - began
                else:
                    await trio.sleep(RETRY_SECONDS)
    return took or 60.0


def delays(port: int, tries: int) -> list[float]:
    """Return how long guests take to sit down, one after the other."""
    found = []
    for _ in range(tries):
        found.append(trio.run(sits_down, port))
        time.sleep(0.3)
    return found


def forming(kind: str, args: argparse.Namespace, folder: Path, port: int) -> dict[str, float]:
    """Measure guests at a forming table."""
    programs = Programs(folder)
    try:
        options = ("--people", "4", "--seats", "4", "--port", str(port))
        programs.start("Host", "host", "charidice", *options)
        listening(port)
        before = delays(port, args.tries)
        with flooded(kind, args, port):
            during = delays(port, args.tries)
    finally:
        programs.close()
    return {
        "alone_s": round(statistics.median(before), 3),
        "flooded_median_s": round(statistics.median(during), 3),
        "flooded_worst_s": round(max(during), 3),
    }


def playing(kind: str, args: argparse.Namespace, folder: Path, port: int) -> Games:
    """Measure a game of two real programs, alone and once more in a flood from its first second."""
    alone = game(folder / "alone", args.game, port, nullcontext())
    inside = game(folder / "flooded", args.game, port + 1, flooded(kind, args, port + 1))
    return {"game_alone": alone, "game_flooded": inside}


def game(
    folder: Path, name: str, port: int, around: AbstractContextManager[None]
) -> dict[str, object]:
    """Play a game of two real programs to its end."""
    folder.mkdir(parents=True)
    programs = Programs(folder)
    try:
        options = ("--people", "2", "--bot", "beginner", "--port", str(port))
        programs.start("Ann", "host", name, *options)
        listening(port)
        with around:
            programs.start("Bea", "join", f"{HOST}:{port}", "--wait", "60")
            until = time.monotonic() + PLAYING_SECONDS
            while None in [p.poll() for p in programs.started] and time.monotonic() < until:
                time.sleep(0.1)
            codes = [process.poll() for process in programs.started]
        steps = programs.steps(0)
        lost = sum(programs.said(n).count("unreachable") for n in range(2))
    finally:
        programs.close()
    gaps = sorted(1000 * (b - a) for a, b in pairwise(steps)) or [0.0]
    return {
        "exit": codes,
        "links_lost": lost,
        "steps": len(gaps),
        "median_ms": round(statistics.median(gaps), 1),
        "p99_ms": round(gaps[len(gaps) * 99 // 100], 1),
        "worst_ms": round(gaps[-1], 1),
    }


# -- the laboratory -------------------------------------------------------------------------------


def prepare(sources: list[str]) -> None:
    """Give this namespace its addresses."""
    batch = ["link set lo up", *(f"addr add {each}/32 dev lo" for each in (HOST, *sources))]
    subprocess.run(["ip", "-batch", "-"], input="\n".join(batch), text=True, check=True)


def main() -> int:
    """Measure; exit status 0 only if nobody was kept out or disturbed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--rate", type=float, default=600.0, help="connections a second")
    parser.add_argument("--addresses", type=int, default=1, help="that the flood comes from")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--tries", type=int, default=10, help="guests, one after the other")
    parser.add_argument("--game", default="dogs-life", help="that is played in the flood")
    parser.add_argument("--flood", choices=KINDS, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=PORT, help=argparse.SUPPRESS)
    args = parser.parse_args()
    sources = [FLOOD.format(1 + number) for number in range(args.addresses)]
    if args.flood:
        trio.run(flood, args.flood, sources, args.rate, args.port)
    if os.environ.get(INSIDE) != "1":
        command = ["unshare", "-n", sys.executable, *sys.argv]
        return subprocess.run(command, env={**os.environ, INSIDE: "1"}, check=False).returncode
    prepare(sources)
    good = True
    for number, kind in enumerate(args.kinds):
        port = args.port + 3 * number
        folder = Path(tempfile.mkdtemp(prefix="lanplay-flood-"))
        (folder / "forming").mkdir()
        guest = forming(kind, args, folder / "forming", port)
        games = playing(kind, args, folder, port + 1)
        row = {"kind": kind, "rate": args.rate, "addresses": args.addresses, **guest, **games}
        print(json.dumps(row), flush=True)
        delay = guest["flooded_worst_s"] - guest["alone_s"]
        if delay > LIMIT_SECONDS or games["game_flooded"]["exit"] != [0, 0]:
            good = False
            print(f"flood: see {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
