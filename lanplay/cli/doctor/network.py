"""The network: interfaces, whether multicast comes back, whether the port can be listened on."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from lanplay import __version__
from lanplay.cli.doctor.finding import Examined, Finding, fault, note, ok
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


def check_interfaces(examined: Examined) -> Iterator[Finding]:
    """List the network addresses; a machine that has none can only play with itself."""
    import ifaddr

    from lanplay_protocol.shell.addresses import local_addresses

    here = local_addresses()
    for adapter in ifaddr.get_adapters():
        every = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips]
        if not (addresses := [each for each in every if each in here]):
            yield note("interface", _("{name}: not connected").format(name=adapter.nice_name))
            continue
        yield ok("interface", f"{adapter.nice_name}: {', '.join(addresses)}")
        yield from _lacking(adapter.nice_name, _outside(addresses))
    wanted = examined.network.interfaces or ()
    if missing := [each for each in wanted if each.partition("%")[0] not in here]:
        text = _("no interface has the address {addresses}").format(addresses=", ".join(missing))
        yield fault("interface", text, _("Choose one of the addresses above."))
    if not wanted and not _outside(here):
        text = _("this machine is on no network")
        remedy = _("Connect it to the others' Wi-Fi or cable; a guest network keeps laptops apart.")
        yield fault("interface", text, remedy)


def _lacking(name: str, addresses: Sequence[str]) -> Iterator[Finding]:
    """Tell which family of addresses an interface that has any lacks, and what that means."""
    six = sum(":" in each for each in addresses)
    if addresses and not six:
        text = _("{name} has no IPv6: laptops there that have IPv6 alone cannot reach this one")
        yield note("interface", text.format(name=name))
    if addresses and six == len(addresses):
        text = _("{name} has no IPv4: laptops there that have IPv4 alone cannot reach this one")
        yield note("interface", text.format(name=name))


def check_multicast(examined: Examined) -> Iterator[Finding]:
    """Tell of each interface and family whether mDNS that is sent there is heard; all at once.

    Where one of the two works, tables are found: what is wrong with the other is good to know.
    """
    from lanplay_protocol.shell.addresses import bare, local_addresses
    from lanplay_protocol.shell.mdns import families

    present = local_addresses()
    chosen = map(bare, examined.network.interfaces or _outside(present))
    own = families({each: present[each] for each in chosen if each in present})
    addresses = [address for family in own.values() for address in family]
    with ThreadPoolExecutor(max(1, len(addresses))) as threads:
        silence = dict(zip(addresses, threads.map(_silence, addresses), strict=True))
    for address, why in silence.items():
        beside = [each for each in addresses if present[each] == present[address]]
        yield _multicast(address, why, all(silence[each] is not None for each in beside))


def _multicast(address: str, why: str | None, deaf: bool) -> Finding:
    if why is None:
        return ok("multicast", _("{address}: tables can be discovered").format(address=address))
    text = _("{address}: multicast does not come back ({why})").format(address=address, why=why)
    if not deaf:
        return note("multicast", text, _("The other family of addresses works there."))
    system = FIREWALLS.get(sys.platform, FIREWALLS["linux"])
    return fault("multicast", text, f"{_(system)} {_(BY_ADDRESS)}")


def _silence(address: str) -> str | None:
    """Return why multicast does not come back at an address; ``None`` if it does."""
    from lanplay_protocol.shell.echo import NoEcho, multicast_comes_back

    try:
        multicast_comes_back(address)
    except NoEcho as error:
        return str(error) if error.__cause__ else _("nothing was heard")
    return None


def check_port(examined: Examined) -> Iterator[Finding]:
    """Tell whether a table can listen, and if not, who does."""
    from lanplay_protocol.shell.addresses import bare, own_scope

    for host in examined.network.interfaces or ("0.0.0.0",):
        yield _port(own_scope(bare(host)), examined.network.port)


def _port(host: str, port: int) -> Finding:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        place = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)[0][4]
        with socket.create_server(place, family=family, reuse_port=False) as server:
            listening = server.getsockname()[1]
    except OSError as error:
        return _busy(host, port, error)
    if port:
        return ok("port", _("port {port} can be listened on").format(port=port))
    return ok("port", _("any port will do, for example {port}").format(port=listening))


def _busy(host: str, port: int, error: OSError) -> Finding:
    from lanplay_protocol.shell.sockets import reason

    if port and _lanplay_listens("127.0.0.1" if host == "0.0.0.0" else host, port):
        text = _("another lanplay listens on port {port}").format(port=port)
        return fault("port", text, _("End it, or choose another port with --port."))
    text = _("port {port} cannot be listened on ({why})")
    remedy = _("Another program may use it, or it is reserved: choose another one with --port.")
    return fault("port", text.format(port=port, why=reason(error)), remedy)


def _lanplay_listens(host: str, port: int) -> bool:
    """Tell whether whoever listens there speaks our protocol, whatever its version."""
    import trio

    from lanplay_protocol.errors import Code, PeerError
    from lanplay_protocol.identity import Identity
    from lanplay_protocol.shell.node import open_node

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
