"""Bias in dice and shuffles made by several peers, one of them dishonest.

Dice and shuffles come from the protocol's own functions, with keys and seeds drawn from a counter.
Peer 0 is dishonest: it tries many keys and takes the one it likes best, shuffles as it likes, and
leaves whenever a roll displeases it, whereupon the quorum opens its part from the escrow. Judged by
chi-square and its distance from the mean in standard deviations.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from lanplay_protocol.crypto import escrow
from lanplay_protocol.crypto.cards import card_point, joint_key, open_mask
from lanplay_protocol.crypto.group import Point, hash_to_point, mul
from lanplay_protocol.crypto.hashing import below, digest, number
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.crypto.shuffle import shuffle
from lanplay_protocol.wire import encode

PEERS = 3
QUORUM = 2
SIDES = 6
CARDS = 4
LIMIT = 4.5
"""Standard deviations: an honest run exceeds it once in 300,000."""


def seed(*parts: int) -> bytes:
    """Return 32 bytes that belong to some numbers."""
    return digest("fairness", *(number(part) for part in parts))


def greedy_key(run: int) -> GameKey:
    """Return the key that a grinding peer would choose before it knows anybody else's."""
    keys = [GameKey.derive(seed(run, 0, attempt)) for attempt in range(8)]
    point = hash_to_point("entropy", b"greedy")
    return max(keys, key=lambda key: mul(key.x, point))


def roll(game: bytes, slot: int, keys: Sequence[GameKey], dice: int) -> tuple[int, ...]:
    """Return the dice that peer 0 rolls under its cup; it leaves unless it likes them.

    Where it leaves, its part of the entropy is opened by the others from its escrow.
    """
    base = hash_to_point("entropy", game, encode(slot))
    powers = [mul(key.x, base) for key in keys]
    faces = under_cup(game, slot, keys[0], powers, dice)
    if sum(faces) < 4 * dice:
        powers[0] = opened_by_quorum(keys[0], base)
        faces = under_cup(game, slot, keys[0], powers, dice)
    return faces


def opened_by_quorum(key: GameKey, base: Point) -> Point:
    """Return the power of a peer that left, from the partials of the other two."""
    dealing = escrow.deal(key, PEERS, QUORUM, seed(0))
    return escrow.combine({p: mul(dealing.shares[p], base) for p in (1, 2)})


def under_cup(
    game: bytes, slot: int, key: GameKey, powers: Sequence[Point], dice: int
) -> tuple[int, ...]:
    """Return the faces under a cup, as ``lanplay_protocol.replica.cups`` makes them."""
    entropy = digest("entropy", game, encode(slot), *powers)
    bases = [hash_to_point("die", game, encode((slot, 0, place))) for place in range(dice)]
    return tuple(below(SIDES, "die", mul(key.x, base), entropy) for base in bases)


def dice_counts(dice: int) -> Counter[int]:
    """Return how often each face came in at least so many dice, ten to a slot, 50 slots a game."""
    counts: Counter[int] = Counter()
    run = 0
    while counts.total() < dice:
        keys = [greedy_key(run), *(GameKey.derive(seed(run, p)) for p in range(1, PEERS))]
        game = digest("game", *(key.X for key in keys))
        for slot in range(50):
            counts.update(roll(game, slot, keys, 10))
        run += 1
    return counts


def shuffle_counts(shuffles: int) -> Counter[tuple[int, ...]]:
    """Return how often each order of four cards came; peer 0 never moves a card."""
    counts: Counter[tuple[int, ...]] = Counter()
    joint = joint_key([GameKey.derive(seed(p)).X for p in range(PEERS)])
    start = [open_mask(card_point("fairness", face), joint) for face in range(CARDS)]
    for run in range(shuffles):
        order = list(range(CARDS))
        for peer in range(1, PEERS):
            _, witness = shuffle(start, joint, seed(run, peer, 7))
            order = [order[place] for place in witness.order]
        counts[tuple(order)] += 1
    return counts


def deviation(counts: Sequence[int]) -> tuple[float, float]:
    """Return chi-square against a uniform law, and its normal score (Wilson and Hilferty, 1931)."""
    expected = sum(counts) / len(counts)
    chi = sum((count - expected) ** 2 / expected for count in counts)
    free = len(counts) - 1
    spread = 2 / (9 * free)
    return chi, ((chi / free) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)


def judge(what: str, counts: Sequence[int], show: Callable[[str], None] = print) -> bool:
    """Say how far counts are from uniform; return whether that is within the limit."""
    chi, score = deviation(counts)
    free = len(counts) - 1
    show(f"{what}: {sum(counts)} drawn, chi-square {chi:.1f} at {free} degrees, score {score:+.2f}")
    return score <= LIMIT
