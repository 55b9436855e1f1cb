"""The network: interfaces, whether multicast comes back, whether the port can be listened on."""

from __future__ import annotations

import argparse
import ipaddress
import os
import socket
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from lanplay import __version__
from lanplay.cli.doctor.finding import Finding, fault, note, ok
from lanplay.language import N_, _

DIAL_SECONDS: Final = 2.0
"""How long a program on our port may take to prove that it is another lanplay."""

FIREWALLS: Final = {
    "darwin": N_(
        "Allow your terminal under System Settings, Privacy & Security, Local Network, and Python "
        "in the firewall."
    ),
    "win32": N_(
        "Allow Python in Windows Defender Firewall for private networks, and set this network to "
        "private."
    ),
    "linux": N_("Allow UDP port 5353 in the firewall, for example: sudo ufw allow 5353/udp"),
}
BY_ADDRESS: Final = N_("Tables can be joined by address all the same: lanplay join HOST:PORT.")


def check_interfaces(args: argparse.Namespace) -> Iterator[Finding]:
    """List the network addresses; a machine that has none can only play with itself."""
    import ifaddr

    present: dict[str, str] = {}
    for adapter in ifaddr.get_adapters():
        addresses = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips]
        present |= dict.fromkeys(addresses, adapter.nice_name)
        yield ok("interface", f"{adapter.nice_name}: {', '.join(addresses)}")
    if missing := [each for each in args.interface or () if each.partition("%")[0] not in present]:
        text = _("no interface has the address {addresses}").format(addresses=", ".join(missing))
        yield fault("interface", text, _("Choose one of the addresses above."))
    if not args.interface and not _outside(present):
        text = _("this machine is on no network")
        remedy = _("Connect it to the others' Wi-Fi or cable; a guest network keeps laptops apart.")
        yield fault("interface", text, remedy)


def check_multicast(args: argparse.Namespace) -> Iterator[Finding]:
    """Tell of each IPv4 address whether mDNS that is sent there is heard there; all at once."""
    from protocol.shell.mdns import local_addresses

    present = local_addresses()
    chosen = [each for each in args.interface or _outside(present) if each in present]
    addresses = [each for each in chosen if ":" not in each]
    with ThreadPoolExecutor(max(1, len(addresses))) as threads:
        yield from threads.map(_multicast, addresses)
    for address in (each for each in args.interface or () if ":" in each):
        yield note("multicast", _("{address}: not tried over IPv6").format(address=address))


def _multicast(address: str) -> Finding:
    from protocol.shell.echo import NoEcho, multicast_comes_back

    try:
        multicast_comes_back(address)
    except NoEcho as error:
        text = _("{address}: multicast does not come back ({why})")
        system = FIREWALLS.get(sys.platform, FIREWALLS["linux"])
        remedy = f"{_(system)} {_(BY_ADDRESS)}"
        why = error if error.__cause__ else _("nothing was heard")
        return fault("multicast", text.format(address=address, why=why), remedy)
    return ok("multicast", _("{address}: tables can be discovered").format(address=address))


def check_port(args: argparse.Namespace) -> Iterator[Finding]:
    """Tell whether a table can listen, and if not, who does."""
    for host in args.interface or ("0.0.0.0",):
        yield _port(host, args.port)


def _port(host: str, port: int) -> Finding:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family, reuse_port=False) as server:
            listening = server.getsockname()[1]
    except OSError as error:
        return _busy(host, port, error)
    if port:
        return ok("port", _("port {port} can be listened on").format(port=port))
    return ok("port", _("any port will do, for example {port}").format(port=listening))


def _busy(host: str, port: int, error: OSError) -> Finding:
    here = "127.0.0.1" if host == "0.0.0.0" else host
    if port and _lanplay_listens(here, port):
        text = _("another lanplay listens on port {port}").format(port=port)
        return fault("port", text, _("End it, or choose another port with --port."))
    text = _("port {port} cannot be listened on ({why})")
    remedy = _("Another program may use it, or it is reserved: choose another one with --port.")
    return fault("port", text.format(port=port, why=_reason(error)), remedy)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _lanplay_listens(host: str, port: int) -> bool:
    """Tell whether whoever listens there speaks our protocol, whatever its version."""
    import trio

    from protocol.errors import Code, PeerError
    from protocol.identity import Identity
    from protocol.shell.node import open_node

    async def dial() -> bool:
        with trio.move_on_after(DIAL_SECONDS):
            async with open_node(Identity(os.urandom(32)), __version__) as node:
                try:
                    await node.dial(host, port)
                except PeerError as error:
                    return error.code is Code.VERSION
                except OSError:
                    return False
                return True
        return False

    return trio.run(dial)


def _outside(addresses: Iterable[str]) -> list[str]:
    return [each for each in addresses if not ipaddress.ip_address(each).is_loopback]
