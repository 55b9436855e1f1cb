"""A network on which nothing is announced, and a host that says of nobody where it is."""

from __future__ import annotations

import json
import sys

from scripts.campaigns.agreement import difference
from scripts.campaigns.lossy_switch import Link
from tests.lab.test_lan_families import PLAYING, lanplay, until_open, way_in

LYING = """
import sys
from lanplay_protocol.shell.node import Node
Node.seen_at = lambda self, identity: "10.77.99.99"
from lanplay.cli import main
sys.exit(main(sys.argv[1:]))
"""

GREETING = """
import socket, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
    for address in sys.argv[1:]:
        udp.sendto(b"", (address, 9))
"""


def test_guests_of_a_host_that_lies_and_leaves_play_on_where_multicast_is_blocked(lan):
    """Each signs where it listens, so that they are linked when the host goes."""
    lab = lan(laptops=3, link=Link())
    for laptop in lab.laptops:  # ARP is broadcast, and lost with all multicast
        others = [other.address for other in lab.laptops if other is not laptop]
        laptop.run([sys.executable, "-c", GREETING, *others])
    lab.set(Link(multicast_loss=1.0))
    auto = ("--auto", "casual", "--trust-new")
    table = ("host", "charidice", "--seats", "3", "--people", "3", "--grace", "5", *auto)
    command = [sys.executable, "-c", LYING, *table, "--name", "liar", "--json"]
    host = lab.laptops[0].start(command, env={"PYTHONUNBUFFERED": "1"})
    until_open(host)
    guests = [
        lanplay(laptop, *way_in(host), "--name", f"guest{laptop.number}", *auto)
        for laptop in lab.laptops[1:]
    ]
    guests[0].wait_for(PLAYING)
    host.kill()
    results = []
    for guest in guests:
        guest.wait(200)
        results.append(json.loads(guest.output().splitlines()[-1]))
    assert difference(results) is None
    assert not any(result["held"] for result in results)
