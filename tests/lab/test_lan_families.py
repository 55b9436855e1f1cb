"""Networks of IPv4, IPv6, both, and nothing but link-local addresses, with real programs."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time

import pytest

from scripts.campaigns.agreement import difference

PLAYING = "--- Round 2 ---"
PATIENCE = 200
ADDRESSES = {"ipv6": r"\[fd77::1\]:", "link-local": r"\[fe80::[0-9a-f:]+\]:"}
"""Families, and what a host says there; with IPv4 alone the other tests of the network run."""


def lanplay(laptop, *arguments):
    command = [sys.executable, "-m", "lanplay", *arguments, "--json"]
    return laptop.start(command, env={"PYTHONUNBUFFERED": "1"})


def way_in(host):
    """What the host's screen tells others to type, as their shells would take it."""
    told = host.errors()
    (ways,) = re.findall(r"\(or: (.*)\)", told)
    return shlex.split(ways.split(", ")[0])[1:]


def until_open(host):
    """Wait until the host says how others come."""
    deadline = time.monotonic() + PATIENCE
    while "(or:" not in host.errors():
        assert time.monotonic() < deadline, host.said("never said how others come")
        time.sleep(0.05)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("families", ADDRESSES)
def test_laptops_find_each_other_play_and_come_back(lan, families):
    """One finds the table by itself, one types what the host says, one is killed and resumes."""
    laptops = lan(laptops=3).laptops
    for laptop in laptops:
        laptop.have(families)
    auto = ("--auto", "casual", "--trust-new")
    table = ("host", "charidice", "--seats", "3", "--people", "3", "--bot", "casual")
    host = lanplay(laptops[0], *table, "--name", "host", *auto)
    until_open(host)
    typed = way_in(host)
    assert re.match(ADDRESSES[families], typed[-1])
    finds = lanplay(laptops[1], "join", "--wait", "60", "--name", "finds", *auto)
    types = lanplay(laptops[2], *typed, "--name", "types", *auto)
    finds.wait_for(PLAYING)
    finds.kill()
    back = lanplay(laptops[1], "resume", "--trust-new")
    results = []
    for process in (host, back, types):
        process.wait(100)
        results.append(json.loads(process.output().splitlines()[-1]))
    assert len({(r["state_hash"], str(r["scores"]), r["held"]) for r in results}) == 1
    assert difference([results[0], results[2]]) is None
    assert not any(result["held"] for result in results)


def test_one_that_has_both_families_brings_all_to_one_table(lan):
    """A laptop with IPv4 alone and one with IPv6 alone play, though neither reaches the other."""
    laptops = lan(laptops=3).laptops
    for laptop, families in zip(laptops, ("both", "ipv4", "ipv6"), strict=True):
        laptop.have(families)
    auto = ("--auto", "random", "--trust-new", "--quiet")
    table = ("host", "charidice", "--seats", "3", "--people", "3", "--bot", "random")
    lines = (table, ("join", "--wait", "60"), ("join", "--wait", "60"))
    processes = [lanplay(at, *line, *auto) for at, line in zip(laptops, lines, strict=True)]
    results = []
    for process in processes:
        process.wait(100)
        results.append(json.loads(process.output().splitlines()[-1]))
    assert difference(results) is None
    assert not any(result["held"] for result in results)


@pytest.mark.parametrize(
    ("families", "lacks", "heard"),
    [
        ("ipv4", "eth0 has no IPv6", [r"10\.77\.\S+"]),
        ("ipv6", "eth0 has no IPv4", ["fe80::"]),
        ("both", "", [r"10\.77\.\S+", "fe80::"]),
        ("link-local", "eth0 has no IPv4", ["fe80::"]),
    ],
)
def test_doctor_says_which_family_is_missing(lan, families, lacks, heard):
    """And what that means; multicast is tried over each that is there."""
    (laptop,) = lan(laptops=1).laptops
    laptop.have(families)
    said = json.loads(laptop.run([sys.executable, "-m", "lanplay", "doctor", "--json"]))
    found = [each for each in said["findings"] if each["topic"] in ("interface", "multicast")]
    notes = [each["text"] for each in found if each["state"] == "note"]
    assert [text.partition(":")[0] for text in notes] == ([lacks] if lacks else [])
    multicast = [each for each in found if each["topic"] == "multicast"]
    assert [each["state"] for each in multicast] == ["ok"] * len(heard)
    for each, address in zip(multicast, heard, strict=True):
        assert re.match(address, each["text"])
