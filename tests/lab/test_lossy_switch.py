"""The switch's decisions about frames, with time as an input and no network."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts.campaigns.lossy_switch import VNET, Fabric, Link, control

BROADCAST = b"\xff" * 6


def mac(port: int) -> bytes:
    return bytes([2, 0, 0, 0, 0, port])


def frame(to: bytes, sender: int, text: bytes = b"") -> bytes:
    return bytes(VNET) + to + mac(sender) + b"\x08\x00" + text


def introduced(ports: int, **options: Any) -> Fabric:
    """A fabric that has learnt where each machine sits, with nothing under way."""
    fabric = Fabric(ports)
    for port in range(ports):
        fabric.arrive(port, frame(BROADCAST, port), 0.0)
    list(fabric.due(0.0))
    fabric.link, fabric.forwarded, fabric.lost = Link(**options), 0, 0
    return fabric


def send(fabric: Fabric, count: int, to: bytes | None = None, gap: float = 0.001) -> None:
    for number in range(count):
        text = number.to_bytes(4, "big")
        fabric.arrive(0, frame(to or mac(1), 0, text), number * gap)


def received(fabric: Fabric, now: float = 1e9) -> list[int]:
    return [int.from_bytes(data[-4:], "big") for _, data in fabric.due(now)]


def test_unicast_goes_to_one_port_once_known() -> None:
    """A frame for a machine the switch has heard goes to that machine's port only."""
    fabric = introduced(4)
    fabric.arrive(0, frame(mac(2), 0), 0.0)
    assert [out for out, _ in fabric.due(0.0)] == [2]


@pytest.mark.parametrize("to", [BROADCAST, b"\x01\x00\x5e\x00\x00\xfb", mac(99)])
def test_multicast_and_unknown_go_everywhere_else(to: bytes) -> None:
    """Broadcast, multicast and frames for unheard machines reach all ports but their own."""
    fabric = introduced(4)
    fabric.arrive(1, frame(to, 1), 0.0)
    assert [out for out, _ in fabric.due(0.0)] == [0, 2, 3]


def test_delay_holds_a_frame_for_exactly_that_long() -> None:
    """Without jitter a frame is due `delay` seconds after it came, not earlier."""
    fabric = introduced(2, delay=0.5)
    send(fabric, 1)
    assert fabric.next_due() == 0.5
    assert received(fabric, 0.499) == []
    assert received(fabric, 0.5) == [0]


def test_jitter_stays_in_its_range() -> None:
    """Every frame takes between delay - jitter and delay + jitter."""
    fabric = introduced(2, delay=0.02, jitter=0.01, reorder=True)
    send(fabric, 200, gap=0.0)
    assert received(fabric, 0.0099) == []
    early = received(fabric, 0.0201)
    assert 50 < len(early) < 150
    assert len(received(fabric, 0.0301)) == 200 - len(early)


@pytest.mark.parametrize("reorder", [False, True])
def test_frames_of_a_pair_overtake_only_on_request(reorder: bool) -> None:
    """Jittered frames between two ports keep their order unless the link reorders."""
    fabric = introduced(2, delay=0.02, jitter=0.02, reorder=reorder)
    send(fabric, 100)
    order = received(fabric)
    assert sorted(order) == list(range(100))
    assert (order == sorted(order)) is not reorder


def test_loss_takes_about_its_share() -> None:
    """A link with 30 % loss loses about 30 % of the frames and counts them."""
    fabric = introduced(2, loss=0.3)
    send(fabric, 1000)
    assert 600 < len(received(fabric)) < 800
    assert fabric.lost + fabric.forwarded == 1000


def test_total_loss_lets_nothing_through() -> None:
    """A link with loss 1 delivers no frame."""
    fabric = introduced(2, loss=1.0)
    send(fabric, 50)
    assert received(fabric) == []


def test_multicast_loss_spares_unicast() -> None:
    """Multicast loss 1 stops multicast and broadcast and nothing else."""
    fabric = introduced(2, multicast_loss=1.0)
    send(fabric, 5, to=BROADCAST)
    assert received(fabric) == []
    send(fabric, 5)
    assert received(fabric) == [0, 1, 2, 3, 4]


def test_duplicate_delivers_twice() -> None:
    """A link with duplicate 1 delivers every frame twice."""
    fabric = introduced(2, duplicate=1.0)
    send(fabric, 3)
    assert received(fabric) == [0, 0, 1, 1, 2, 2]


def test_same_seed_same_fate() -> None:
    """Which frames of a pair are lost depends on the seed, not on other pairs' traffic."""
    fates = []
    for seed, others in ((1, False), (1, True), (2, False)):
        fabric = Fabric(3, seed, Link(loss=0.5))
        for number in range(64):
            if others:
                fabric.arrive(2, frame(BROADCAST, 2), 0.0)
            fabric.arrive(0, frame(BROADCAST, 0, number.to_bytes(4, "big")), 0.0)
        arrived = [data[-4:] for out, data in fabric.due(0.0) if out == 1 and data[VNET + 11] == 0]
        fates.append(arrived)
    assert fates[0] == fates[1] != fates[2]


def test_cut_pair_is_cut_both_ways_and_alone() -> None:
    """A cut between two ports stops both directions and leaves each of them a third port."""
    fabric = introduced(3)
    fabric.cut(0, 1)
    for source, to in ((0, 1), (1, 0), (0, 2), (2, 1)):
        fabric.arrive(source, frame(mac(to), source), 0.0)
    assert [(data[VNET + 11], out) for out, data in fabric.due(0.0)] == [(0, 2), (2, 1)]


def test_cut_port_hears_and_says_nothing() -> None:
    """A cut of one port stops everything to and from it."""
    fabric = introduced(3)
    fabric.cut(2)
    for source in range(3):
        fabric.arrive(source, frame(BROADCAST, source), 0.0)
    assert [out for out, _ in fabric.due(0.0)] == [1, 0]


def test_cut_takes_frames_under_way() -> None:
    """Frames between the ports when the cut comes are lost, those sent after healing pass."""
    fabric = introduced(2, delay=1.0)
    send(fabric, 3)
    fabric.cut(0, 1)
    assert received(fabric) == []
    fabric.heal()
    send(fabric, 2)
    assert received(fabric) == [0, 1]


@pytest.mark.parametrize(
    "order",
    [
        {"cut": [0, 5]},
        {"cut": []},
        {"cut": [0, 1, 2]},
        {"link": {"loss": 2}},
        {"link": {"delay": -1}},
        {"link": {"lag": 1}},
    ],
)
def test_bad_orders_are_refused(order: object) -> None:
    """An impossible order gets its reason and changes nothing."""
    fabric = introduced(3)
    answer = control(fabric, json.dumps(order).encode())
    assert isinstance(answer["error"], str)
    assert fabric.link == Link()
    send(fabric, 1)
    assert received(fabric) == [0]


def test_orders_change_the_running_switch() -> None:
    """Control lines change the link, cut, heal and answer with counts."""
    fabric = introduced(2)
    assert "error" not in control(fabric, b'{"link": {"duplicate": 1.0}}')
    send(fabric, 1)
    assert received(fabric) == [0, 0]
    control(fabric, b'{"cut": [0]}')
    send(fabric, 1)
    assert received(fabric) == []
    answer = control(fabric, b'{"heal": true}')
    assert (answer["forwarded"], answer["lost"]) == (2, 1)
