"""The demonstration: one host and several guests as processes on the loopback interface."""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import trio

import lanplay_ai as ai
from lanplay.cli.endings import USAGE
from lanplay.errors import Fault, UserError
from lanplay.language import _, current
from lanplay.notices import Notice
from lanplay.session.requests import table_setup
from lanplay_protocol.shell.discovery import open_discovery

LOOPBACK = "127.0.0.1"
DISCOVERY_SECONDS = 8.0
NAMES = ("Ada", "Bela", "Cyril", "Dana", "Emil")
SHOWN = (Notice.HELD.value[0], Fault.NOT_KEPT.value[0])
"""What peers tell that is passed on, beside what ends them."""


@dataclass(frozen=True, slots=True)
class Demo:
    """The game to show: with how many seats, among how many processes, and where it is kept."""

    game: str
    seats: int
    peers: int
    bot: str
    discovery: bool = True
    record: str = ""
    json: bool = False


def demo(args: argparse.Namespace) -> int:
    """Run ``lanplay demo``; return 0 if every peer ends with the same scores and state."""
    shown = Demo(
        args.game,
        args.seats,
        args.peers,
        args.bot or ai.usual(args.game),
        not args.no_discovery,
        args.record or "",
        args.json,
    )
    return trio.run(demonstrate, shown)


async def demonstrate(demo: Demo) -> int:
    """Play one game among so many processes and compare how they end."""
    table_setup(demo.game, demo.seats, {}, [demo.bot], programs=False)
    if not 1 <= demo.peers <= demo.seats:
        raise UserError(Fault.PEERS, peers=demo.peers, seats=demo.seats)
    with tempfile.TemporaryDirectory(prefix="lanplay-demo-") as folder:
        async with trio.open_nursery() as nursery:
            table = f"demo {os.getpid()}"
            with socket.create_server((LOOPBACK, 0)) as server:
                port = int(server.getsockname()[1])  # which is free again
            results: dict[int, dict[str, Any]] = {}
            run = partial(_run, Path(folder), results, nursery.cancel_scope)
            nursery.start_soon(run, 0, _host_command(demo, table, port))
            target = await _target(demo, table, port)
            for number in range(1, demo.peers):
                guest = _guest_command(demo, target, NAMES[number % len(NAMES)])
                nursery.start_soon(run, number, guest)
    status = report(results, demo.peers)
    record = Path(results.get(0, {}).get("record") or "")
    kept = demo.record if record == Path(demo.record) else ""
    if demo.json and 0 in results:
        print(json.dumps({**results[0], "record": kept or None, "peers": demo.peers}), flush=True)
    return status or (0 if kept == demo.record else USAGE)


def _host_command(demo: Demo, table: str, port: int) -> list[str]:
    people = ["--people", str(demo.peers), "--seats", str(demo.seats), "--bot", demo.bot]
    kept = ["--record", demo.record] if demo.record else []
    where = ["--table", table, "--port", str(port)]
    return ["host", demo.game, *where, *people, *kept, *_common(demo, NAMES[0])]


def _guest_command(demo: Demo, target: str, name: str) -> list[str]:
    return ["join", target, "--quiet", *_common(demo, name)]


def _common(demo: Demo, name: str) -> list[str]:
    common = ["--name", name, "--auto", demo.bot, "--interface", LOOPBACK, "--json"]
    return [*common, "--trust-new", "--lang", current()]


async def _target(demo: Demo, table: str, port: int) -> str:
    """Return how guests find the table: its name through mDNS, or its address as a fallback."""
    if demo.discovery:
        with trio.move_on_after(DISCOVERY_SECONDS):
            async with open_discovery([LOOPBACK]) as discovery:
                while all(row.advert.table != table for row in discovery.tables):
                    await discovery.changed()
                print(_("Table '{table}' was found through mDNS.").format(table=table), flush=True)
                return table
        print(_("mDNS does not work on this machine: the guests join by address."), flush=True)
    return f"{LOOPBACK}:{port}"


async def _run(
    folder: Path,
    results: dict[int, dict[str, Any]],
    everybody: trio.CancelScope,
    number: int,
    arguments: list[str],
) -> None:
    """Run a peer; all end if it ends without a result."""
    command = [sys.executable, "-m", "lanplay", *arguments, "--data", str(folder / f"{number}")]
    async with trio.open_nursery() as nursery:
        start = partial(
            trio.run_process,
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},  # as it is read
        )
        process = await nursery.start(start)
        nursery.start_soon(_watch_output, process, number, results)
        await _watch_errors(process)
    if number not in results:
        everybody.cancel()


async def _watch_output(
    process: trio.Process, number: int, results: dict[int, dict[str, Any]]
) -> None:
    assert process.stdout is not None
    async for line in lines(process.stdout):
        if line.startswith("{"):
            results[number] = json.loads(line)
        else:
            print(line, flush=True)


async def _watch_errors(process: trio.Process) -> None:
    assert process.stderr is not None
    shown = ("lanplay: ", *(_(text).partition("{")[0] for text in SHOWN))
    async for line in lines(process.stderr):
        if line.startswith(shown):
            print(line, file=sys.stderr, flush=True)


async def lines(stream: trio.abc.ReceiveStream) -> Any:
    """Yield the lines of a byte stream."""
    rest = b""
    async for data in stream:
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace").rstrip("\r")
    if rest:
        yield rest.decode("utf-8", "replace")


def report(results: dict[int, dict[str, Any]], peers: int) -> int:
    """Print what every peer ended with; return 0 if all agree."""
    for number, result in sorted(results.items()):
        told = _("peer {number}: scores {scores}  state {state}")
        state = result["state_hash"][:32]
        print(told.format(number=number + 1, scores=result["scores"], state=state))
    ends = {(str(r["scores"]), r["state_hash"], r["trace"]) for r in results.values()}
    if len(results) == peers and len(ends) == 1 and not any(r["held"] for r in results.values()):
        agreed = _("All {peers} replicas agree after each of {steps} steps.")
        print(agreed.format(peers=peers, steps=results[0]["steps"]))
        return 0
    print(_("The replicas do not agree, or a peer did not finish."), file=sys.stderr)
    return 1
