#!/usr/bin/env python3
"""Measure what the cryptography costs, in this process alone.

    python3 scripts/bench_crypto.py [RECORD]

Prints milliseconds (the median of several runs) for keys, escrow, shuffles with their proofs, a
dealt card and a robbed hand; with a record of a network game, the seconds to verify it.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanplay.engine.record import load  # noqa: E402  # needs the line above
from lanplay.games import load as load_game  # noqa: E402
from lanplay_protocol.crypto import escrow  # noqa: E402
from lanplay_protocol.crypto.cards import card_point, joint_key, open_mask  # noqa: E402
from lanplay_protocol.crypto.keys import GameKey, check_key, prove_key  # noqa: E402
from lanplay_protocol.crypto.proofs import check_powers, powers_of, prove_powers  # noqa: E402
from lanplay_protocol.crypto.sealing import open_sealed, seal  # noqa: E402
from lanplay_protocol.crypto.shuffle import check_shuffle, prove_shuffle, shuffle  # noqa: E402
from lanplay_protocol.replica.audit import check_record  # noqa: E402

PEERS = 5
QUORUM = 3
KEYS = [GameKey.derive(bytes([n]) * 32) for n in range(PEERS)]
JOINT = joint_key([key.X for key in KEYS])
SEED = bytes(32)


def median(what: str, action: Callable[[], Any], runs: int = 15) -> None:
    """Print the median time of an action."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        action()
        times.append((time.perf_counter() - begun) * 1e3)
    print(f"{what:50s} {statistics.median(times):8.2f} ms")


def keys_and_escrow() -> None:
    """Time keys and the escrow of five peers."""
    key = KEYS[0]
    proof = prove_key(key, b"bench")
    median("key: prove possession", lambda: prove_key(key, b"bench"))
    median("key: check possession", lambda: check_key(key.X, proof, b"bench"))
    dealing = escrow.deal(key, PEERS, QUORUM, SEED)
    median("escrow: deal to 5, quorum 3", lambda: escrow.deal(key, PEERS, QUORUM, SEED))
    median(
        "escrow: check one share",
        lambda: escrow.check_share(dealing.commitments, 1, dealing.shares[1]),
    )
    point = card_point("bench", 0)
    powers = {p: escrow.partials(dealing.shares[p], (point,), b"")[0][0] for p in range(QUORUM)}
    median("escrow: one partial", lambda: escrow.partials(dealing.shares[1], (point,), b""))
    median("escrow: combine 3 partials", lambda: escrow.combine(powers))


def shuffles() -> None:
    """Time the two decks of Dice Town, a full deck and a robbed hand."""
    for size, name in ((8, "hand of 8"), (19, "Store deck"), (25, "claims"), (52, "52 cards")):
        old = [open_mask(card_point("bench", face), JOINT) for face in range(size)]
        new, witness = shuffle(old, JOINT, SEED)
        proof = prove_shuffle(old, new, witness, JOINT, b"bench", SEED)

        def prove(old: Any = old, new: Any = new, witness: Any = witness) -> None:
            prove_shuffle(old, new, witness, JOINT, b"bench", SEED)

        def check(old: Any = old, new: Any = new, proof: bytes = proof) -> None:
            check_shuffle(old, new, proof, JOINT, b"bench")

        median(f"{name}: shuffle", lambda old=old: shuffle(old, JOINT, SEED))  # type: ignore[misc]  # defaults bind the loop
        median(f"{name}: prove", prove)
        median(f"{name}: check", check)


def deal() -> None:
    """Time one card dealt to a seat: what one giver does, what the receiver does with four."""
    key, receiver = KEYS[0], KEYS[1]
    base = open_mask(card_point("bench", 3), JOINT).b

    def give() -> bytes:
        powers = powers_of(key, [base])
        plain = powers[0] + prove_powers(key, [base], powers, b"bench")
        return seal(receiver.X, plain, b"bench", SEED)

    sealed = give()

    def take() -> None:
        for _ in range(PEERS - 1):
            plain = open_sealed(receiver, sealed, b"bench")
            check_powers(key.X, [base], [plain[:32]], plain[32:], b"bench")

    median("deal: one giver's share", give)
    median("deal: the receiver, four shares", take)


def main() -> int:
    """Run the benchmark."""
    keys_and_escrow()
    shuffles()
    deal()
    for name in sys.argv[1:]:
        record = load(Path(name))
        begun = time.perf_counter()
        verdict = check_record(load_game(record.header.game), record)
        spent = time.perf_counter() - begun
        print(f"verify {Path(name).name}: {spent:.2f} s, {dict(verdict.checked)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
