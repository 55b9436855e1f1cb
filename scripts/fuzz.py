#!/usr/bin/env python3
"""Feed random bytes to every decoder that peers can reach, guided by coverage (atheris).

    pip install atheris; python3 scripts/fuzz.py [-runs=10000000] [-max_len=4096] [CORPUS]

Arguments are libFuzzer's. The first byte picks the decoder. Anything but the peer's own error, or
more memory than libFuzzer's limit (``-rss_limit_mb``), stops the run and keeps the input. Linux
and macOS; not part of the test suite, which feeds the same decoders from hypothesis.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def decoders() -> Sequence[Callable[[bytes], Any]]:
    """Return every decoder that bytes from the network can reach."""
    from lanplay_protocol.channel.secure import Channel
    from lanplay_protocol.closing import closed
    from lanplay_protocol.crypto.cards import parse_deck
    from lanplay_protocol.identity import Identity
    from lanplay_protocol.lobby import parse_table
    from lanplay_protocol.replica.messages import parse_complaint, parse_signed
    from lanplay_protocol.replica.roster import parse_roster
    from lanplay_protocol.wire import FrameReader, decode

    me = Identity(bytes(32))

    def channel(initiator: bool) -> Callable[[bytes], Any]:
        return lambda data: Channel(initiator, me, "1", bytes(range(32))).receive(
            b"lanplay/1 1\n" + data
        )

    def parsed(parse: Callable[[Any], Any]) -> Callable[[bytes], Any]:
        return lambda data: parse(decode(data))

    parsers = (parse_signed, parse_complaint, parse_roster, parse_table)
    return (
        decode,
        lambda data: list(FrameReader().feed(data)),
        channel(True),
        channel(False),
        lambda data: Channel(False, me, "1", bytes(range(32))).receive(data),
        closed,
        lambda data: parse_deck(data, len(data) // 64),
        *(parsed(parse) for parse in parsers),
    )


def main() -> None:
    """Fuzz until libFuzzer's arguments say stop."""
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        sys.exit("fuzz: atheris is missing: python3 -m pip install atheris")
    with atheris.instrument_imports(include=["lanplay_protocol"]):
        targets = decoders()
    from lanplay_protocol.crypto.errors import CryptoError
    from lanplay_protocol.errors import PeerError

    def one(data: bytes) -> None:
        if data:
            with suppress(PeerError, CryptoError):
                targets[data[0] % len(targets)](data[1:])

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
