"""Ethernet switch in user space whose links delay, lose and duplicate frames (Linux, root).

`Fabric` decides what happens to each frame; it takes time as input and does no I/O. `main` feeds
it from AF_PACKET sockets. `lan_lab.py` beside runs it; nothing outside the standard library.

    python3 lossy_switch.py SEED PORT...     one interface name per port, ports are numbered from 0

It prints one JSON line when ready, then answers each JSON line on stdin with one line on stdout:
`{"link": {...Link fields}}`, `{"cut": [i]}`, `{"cut": [i, j]}`, `{"heal": true}`, `{}`.
The answer is `{"forwarded", "lost", "cpu"}` (frames, frames, seconds) or `{"error": reason}`.
It ends when stdin closes.
"""

from __future__ import annotations

import heapq
import json
import os
import random
import select
import socket
import struct
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

# <linux/if_packet.h>, <linux/if_ether.h>, <linux/socket.h>: not all are in Python's socket module.
SOL_PACKET = 263
PACKET_ADD_MEMBERSHIP, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING = 1, 15, 23
PACKET_MR_PROMISC = 1
ETH_P_ALL = 3
SO_RCVBUFFORCE = 33

VNET = 10  # bytes of virtio_net_hdr before each frame; it carries unfinished checksums along
BURST = 64  # frames taken from one port before the others get their turn


@dataclass(frozen=True, slots=True)
class Link:
    """What one frame meets on its way from one port to another.

    `delay` and `jitter` are seconds one way: each frame takes uniform(delay-jitter, delay+jitter),
    never less than 0. `loss`, `duplicate` and `multicast_loss` are probabilities 0..1;
    `multicast_loss` comes on top of `loss` for multicast and broadcast frames. Frames from one port
    to one other port keep their order, as on Wi-Fi, unless `reorder` is true.
    Raises ValueError for a negative or impossible number.
    """

    delay: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    duplicate: float = 0.0
    multicast_loss: float = 0.0
    reorder: bool = False

    def __post_init__(self) -> None:
        for name in ("delay", "jitter"):
            if not 0 <= getattr(self, name) <= 60:
                raise ValueError(f"link {name} must be 0 to 60 seconds, not {getattr(self, name)}")
        for name in ("loss", "duplicate", "multicast_loss"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"link {name} must be 0 to 1, not {getattr(self, name)}")


@dataclass(slots=True)
class Fabric:
    """The switch without its sockets: `arrive` takes frames, `due` gives them back in time.

    A frame is a virtio header of `VNET` bytes and an Ethernet frame. Each ordered pair of ports
    draws from its own generator, seeded from `seed`, so the fate of a pair's n-th frame does not
    depend on other traffic.
    """

    ports: int
    seed: int = 1
    link: Link = field(default_factory=Link)
    forwarded: int = 0
    lost: int = 0
    _cuts: set[frozenset[int]] = field(default_factory=set)
    _home: dict[bytes, int] = field(default_factory=dict)
    _queue: list[tuple[float, int, int, int, bytes]] = field(default_factory=list)
    _count: int = 0
    _latest: dict[tuple[int, int], float] = field(default_factory=dict)
    _random: dict[tuple[int, int], random.Random] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for pair in ((a, b) for a in range(self.ports) for b in range(self.ports)):
            self._random[pair] = random.Random(f"{self.seed}:{pair}")
            self._latest[pair] = 0.0

    def cut(self, *ports: int) -> None:
        """Stops all traffic of one port, or between two ports both ways, frames under way too."""
        if not 1 <= len(ports) <= 2 or not set(ports) <= set(range(self.ports)):
            raise ValueError(f"cut takes one or two ports of 0..{self.ports - 1}, not {ports}")
        self._cuts.add(frozenset(ports))

    def heal(self) -> None:
        """Ends every cut."""
        self._cuts.clear()

    def arrive(self, port: int, frame: bytes, now: float) -> None:
        """Takes a frame that came in on `port` at time `now` (seconds, any origin)."""
        to, sender = frame[VNET : VNET + 6], frame[VNET + 6 : VNET + 12]
        self._home[sender] = port
        multicast = bool(to[0] & 1)
        if not multicast and to in self._home:
            self._send(port, self._home[to], frame, now, multicast)
            return
        for out in range(self.ports):
            self._send(port, out, frame, now, multicast)

    def due(self, now: float) -> Iterator[tuple[int, bytes]]:
        """Gives (port, frame) for every frame whose time has come, oldest first."""
        while self._queue and self._queue[0][0] <= now:
            _, _, source, out, frame = heapq.heappop(self._queue)
            if self._severed(source, out):
                self.lost += 1
            else:
                self.forwarded += 1
                yield out, frame

    def next_due(self) -> float | None:
        """The time of the next frame, None if none is under way."""
        return self._queue[0][0] if self._queue else None

    def _send(self, source: int, out: int, frame: bytes, now: float, multicast: bool) -> None:
        if source == out:
            return
        link, rng = self.link, self._random[source, out]
        fates = rng.random(), rng.random(), rng.random()
        lost = fates[0] < link.loss or (multicast and fates[1] < link.multicast_loss)
        if lost or self._severed(source, out):
            self.lost += 1
            return
        for _ in range(2 if fates[2] < link.duplicate else 1):
            when = now + max(0.0, link.delay + link.jitter * rng.uniform(-1, 1))
            if not link.reorder:
                when = self._latest[source, out] = max(when, self._latest[source, out])
            self._count += 1
            heapq.heappush(self._queue, (when, self._count, source, out, frame))

    def _severed(self, a: int, b: int) -> bool:
        cuts = self._cuts
        return bool(cuts) and not cuts.isdisjoint(
            (frozenset((a, b)), frozenset((a,)), frozenset((b,)))
        )


def control(fabric: Fabric, line: bytes) -> dict[str, object]:
    """Obeys one control line and returns the answer; see the module docstring."""
    try:
        order = json.loads(line)
        if "link" in order:
            fabric.link = Link(**order["link"])
        if "heal" in order:
            fabric.heal()
        if "cut" in order:
            fabric.cut(*order["cut"])
    except (ValueError, TypeError) as error:
        return {"error": str(error)}
    return {"forwarded": fabric.forwarded, "lost": fabric.lost, "cpu": time.process_time()}


def open_port(name: str) -> socket.socket:
    """A raw socket that sees every frame arriving at interface `name`. OSError if not permitted."""
    if sys.platform != "linux":
        raise OSError("only Linux shows the frames of an interface")
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    port.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    port.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    port.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
    port.bind((name, ETH_P_ALL))
    promisc = struct.pack("IHH8s", socket.if_nametoindex(name), PACKET_MR_PROMISC, 0, b"")
    port.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, promisc)
    port.setblocking(False)
    return port


def take(fabric: Fabric, number: int, port: socket.socket, buffer: memoryview) -> None:
    """Moves the frames waiting at one port into the fabric."""
    try:
        for _ in range(BURST):
            size = port.recv_into(buffer)
            fabric.arrive(number, bytes(buffer[:size]), time.monotonic())
    except OSError:  # nothing more to read, or the interface is down
        return


def main(argv: list[str]) -> int:
    """Switches until stdin closes."""
    fabric = Fabric(ports=len(argv) - 1, seed=int(argv[0]))
    ports = [open_port(name) for name in argv[1:]]
    numbers = {port.fileno(): n for n, port in enumerate(ports)}
    buffer, text = memoryview(bytearray(1 << 17)), b"{}\n"
    while True:
        *lines, text = text.split(b"\n")
        for line in lines:
            print(json.dumps(control(fabric, line)), flush=True)
        for out, frame in fabric.due(time.monotonic()):
            try:
                ports[out].send(frame)
            except OSError:  # the other end of the cable is down
                fabric.lost += 1
        due = fabric.next_due()
        wait = None if due is None else max(0.0, due - time.monotonic())
        for fd in select.select([0, *numbers], [], [], wait)[0]:
            if fd:
                take(fabric, numbers[fd], ports[numbers[fd]], buffer)
            elif chunk := os.read(0, 65536):
                text += chunk
            else:
                return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
