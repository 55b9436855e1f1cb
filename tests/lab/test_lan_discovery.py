"""Discovery while laptops sleep, roam and change their addresses: real programs, real interfaces.

Records live 3 s here instead of 30 and are repeated every 2 s, so that a test need not wait long.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from scripts.campaigns.lan_laptop import Laptop, Process
from scripts.campaigns.lossy_switch import Link

TABLE = "00112233445566778899aabbccddeeff"
PATIENCE = 30
"""Seconds after which a wait counts as hung."""

PROGRAM = """
import dataclasses, json, sys, trio
from tests.discovery.test_discovery import new_advert
from lanplay_protocol.shell import discovery as shell
from lanplay_protocol.shell import mdns

mdns.TTL_SECONDS, shell.BEAT_SECONDS = 3, 2

async def announce(peer):
    advert = new_advert(table_id=sys.argv[1], peer=peer)
    async with shell.open_discovery() as network, network.announce(advert):
        print("up", flush=True)
        await trio.sleep_forever()

async def browse():
    async with shell.open_discovery() as network:
        while True:
            hosts = [host for row in network.tables for host, _ in row.addresses]
            rows = [row.advert.table_id for row in network.tables]
            print(json.dumps([rows, hosts]), flush=True)
            await network.changed()

trio.run(announce, sys.argv[2]) if sys.argv[2:] else trio.run(browse)
"""


def announcer(laptop: Laptop) -> Process:
    program = [sys.executable, "-c", PROGRAM, TABLE, f"{laptop.number:016x}"]
    process = laptop.start(program)
    process.wait_for("up")
    return process


def link_local(laptop: Laptop) -> str:
    """Its address that needs no configuration, as others see it there."""
    (told,) = laptop.run(
        ["ip", "-6", "-brief", "address", "show", "eth0", "scope", "link"]
    ).splitlines()
    return told.split()[2].partition("/")[0]


def browser(laptop: Laptop) -> Process:
    process = laptop.start([sys.executable, "-c", PROGRAM])
    process.wait_for("[")
    return process


def listed(process: Process) -> tuple[list[str], list[str]]:
    """The table ids and IPv4 addresses in the browser's list now."""
    rows, hosts = json.loads(process.output().splitlines()[-1])
    return rows, [host for host in hosts if ":" not in host]


def until(process: Process, condition: Callable[[list[str], list[str]], Any]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition(*listed(process)):
        assert time.monotonic() < deadline, process.said("never listed what it should")
        time.sleep(0.05)


def until_at(process: Process, *addresses: str) -> None:
    """Wait until the table is one row with exactly these IPv4 addresses."""
    until(process, lambda rows, hosts: (rows, sorted(hosts)) == ([TABLE], sorted(addresses)))


def until_gone(process: Process) -> None:
    until(process, lambda rows, hosts: not rows)


def test_a_new_address_replaces_the_old_one(lan):
    """A laptop that announces gets another address; then one that looks does: one row, no dead."""
    announcing, looking = lan().laptops
    announcer(announcing)
    view = browser(looking)
    until_at(view, announcing.address)
    announcing.change_address()
    until_at(view, announcing.address)
    looking.change_address()
    announcing.change_address()
    until_at(view, announcing.address)


def test_a_cable_that_was_out_longer_than_the_records_live(lan):
    """The row lapses on the other side, and comes back with the cable."""
    announcing, looking = lan().laptops
    announcer(announcing)
    view = browser(looking)
    until_at(view, announcing.address)
    announcing.link_down()
    until_gone(view)
    announcing.link_up()
    until_at(view, announcing.address)


def test_programs_that_started_before_the_network(lan):
    """No address when both began: the table is found when the network has come."""
    announcing, looking = lan().laptops
    for laptop in (announcing, looking):
        laptop.lose_address()
    announcer(announcing)
    view = browser(looking)
    for laptop in (announcing, looking):
        laptop.change_address()
    until_at(view, announcing.address)


def test_an_adapter_that_is_replugged_with_the_same_address(lan):
    """The system gives it another number; both directions work again."""
    lab = lan()
    announcing, looking = lab.laptops
    announcer(announcing)
    view = browser(looking)
    until_at(view, announcing.address)
    lab.replug(0)
    until_at(browser(looking), announcing.address)
    lab.replug(1)
    announcing.change_address()
    until_at(view, announcing.address)


def test_a_suspended_laptop_comes_back_and_sees_what_is_true(lan):
    """Its table lapses and returns; one that slept itself has the tables of now when it wakes."""
    announcing, looking = lan(link=Link(delay=0.002)).laptops
    program, view = announcer(announcing), browser(looking)
    until_at(view, announcing.address)
    program.stop()
    until_gone(view)
    program.cont()
    until_at(view, announcing.address)
    view.stop()
    announcing.change_address()
    time.sleep(4)  # longer than the records of the old address live
    view.cont()
    until_at(view, announcing.address)


def test_a_table_that_three_laptops_announce(lan):
    """One row with the addresses of all; a killed one's address lapses and the table stays."""
    one, two, looking = lan(laptops=3).laptops
    first = announcer(one)
    announcer(two)
    view = browser(looking)
    until_at(view, one.address, two.address)
    first.kill()
    until_at(view, two.address)


def test_what_was_said_over_ipv6_goes_with_its_adapter(lan):
    """Without IPv4: after another adapter the table is one row, at the new link-local address."""
    lab = lan()
    announcing, looking = lab.laptops
    for laptop in (announcing, looking):
        laptop.lose_address()
    announcer(announcing)
    view = browser(looking)

    def seen() -> list[str]:
        rows, hosts = json.loads(view.output().splitlines()[-1])
        return [host.partition("%")[0] for host in hosts] if rows == [TABLE] else []

    for _ in range(2):
        deadline = time.monotonic() + PATIENCE
        while seen() != [link_local(announcing)]:
            assert time.monotonic() < deadline, view.said("never listed what it should")
            time.sleep(0.1)
        lab.replug(0)
        announcing.lose_address()
