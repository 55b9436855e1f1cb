"""Two channels joined in memory, and what a network in between could do to their bytes."""

from __future__ import annotations

from collections.abc import Callable

from lanplay_protocol.channel.secure import Channel, Decrypted, Established
from lanplay_protocol.identity import Identity

ANN, BOB, EVE = (Identity(bytes([n]) * 32) for n in (1, 2, 3))

Wire = Callable[[int, bytes], bytes]
"""What a network makes of the bytes that side 0 or side 1 sent."""


def channels(ann=ANN, bob=BOB, ephemerals=(b"a" * 32, b"b" * 32), **options):
    """Return Ann, who dials, and Bob, both with greetings."""
    return (
        Channel(True, ann, "0.3.0", ephemerals[0], b"I am Ann", **options),
        Channel(False, bob, "0.3.0", ephemerals[1], b"I am Bob", **options),
    )


def run(sides, wire: Wire = lambda _, data: data, size=1 << 20):
    """Carry bytes both ways, at most ``size`` at a time, until none are left; return the events."""
    waiting = [b"", b""]
    events: tuple[list[Established | Decrypted], ...] = ([], [])
    while True:
        for me in (0, 1):
            waiting[me] += wire(me, sides[me].data_to_send())
        if not any(waiting):
            return events
        for me in (0, 1):
            data, waiting[me] = waiting[me][:size], waiting[me][size:]
            if data:
                events[1 - me].extend(sides[1 - me].receive(data))


def joined(**options):
    """Return two established channels."""
    sides = channels(**options)
    run(sides)
    assert all(side.established for side in sides)
    return sides
