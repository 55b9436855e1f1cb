"""Addresses of this machine and of others, IPv4 and IPv6: in what order, and how they are written.

A link-local IPv6 address (`fe80::…`) is one of an interface: its scope (`%eth0`) says which, and
means something on its own machine only. Where it is not known, every interface is tried.
"""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any

import ifaddr


def local_addresses() -> dict[str, int | None]:
    """The addresses of this machine, IPv6 ones without scope, each with its interface's number."""
    return {
        ip.ip if isinstance(ip.ip, str) else ip.ip[0]: adapter.index
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if sys.platform != "win32" or _connected(ip)
    }


def _connected(ip: ifaddr.IP) -> bool:
    """Whether an adapter is: Windows gives addresses also to those that are not."""
    family, at = (socket.AF_INET, (ip.ip,)) if ip.is_IPv4 else (socket.AF_INET6, ip.ip)
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((at[0], 0, *at[1:]))
    except OSError as error:
        return error.errno != errno.EADDRNOTAVAIL
    return True


def bare(host: str) -> str:
    """An address without the scope that it may have."""
    return host.partition("%")[0]


def end_of(name: Callable[[], Any]) -> str:
    """The bare address of an end of a connection; empty if the connection has already gone."""
    try:
        return bare(str(name()[0]))
    except OSError:
        return ""


def written(host: str, port: int) -> str:
    """An address and a port as they are typed: an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def needs_scope(host: str) -> bool:
    """Whether it is a link-local IPv6 address of which it is not said on which interface."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.version == 6 and address.is_link_local and "%" not in host


def scoped(host: str) -> list[str]:
    """What a socket can dial for it: one that lacks its scope, on every interface with such."""
    if not needs_scope(host):
        return [host]
    numbers = {number for each, number in local_addresses().items() if needs_scope(each)}
    return [f"{host}%{number}" for number in sorted(n for n in numbers if n is not None)] or [host]


def own_scope(host: str) -> str:
    """An address of this machine as a socket can listen at it."""
    number = local_addresses().get(host) if needs_scope(host) else None
    return host if number is None else f"{host}%{number}"


def outward(addresses: Iterable[str]) -> list[str]:
    """Addresses as others are to try them: those that reach furthest first, IPv4 before IPv6.

    Without scopes and without loopback, unless there is nothing else.
    """
    every = sorted(dict.fromkeys(map(bare, addresses)), key=_reach)
    return [each for each in every if not ip_address(each).is_loopback] or every


def _reach(host: str) -> tuple[bool, int]:
    address = ip_address(host)
    return address.is_link_local, address.version
