"""Why a cut may be proposed: what the promises of a quorum say, alike for whoever reads them.

A voter believes no proposer: it works out the cut from the signed promises itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.replica.cut import Ballot, Cut, Decided, Promise, check_decided, check_word
from lanplay_protocol.replica.roster import PEERS, Roster

Promised = Mapping[int, Promise]
"""The promises under one ballot, by peer."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What promises lead to: the furthest phase, its line, the messages that count, by peer."""

    lost: tuple[int, ...]
    phase: int
    transcript: bytes
    held: Mapping[int, bytes]
    again: frozenset[int]

    def fits(self, cut: Cut) -> bool:
        """Tell whether a cut is what the promises lead to. Whom it lets back they do not say."""
        held = {move.sender: digest("held", move.body) for move in cut.moves}
        here = (cut.lost, cut.phase, cut.transcript, frozenset(cut.again))
        there = (self.lost, self.phase, self.transcript, self.again)
        return here == there and held == self.held and len(held) == len(cut.moves)


def grounds(promises: Promised) -> Grounds:
    """Return what some promises under one ballot lead to.

    Of a peer that signed two messages none counts, where promises of the chosen line show both.
    """
    lost = next(iter(promises.values())).lost
    phase = max(each.phase for each in promises.values())
    views = Counter(each.transcript for each in promises.values() if each.phase == phase)
    transcript = min(views, key=lambda view: (-views[view], view))
    shown = {
        pair
        for each in promises.values()
        if (each.phase, each.transcript) == (phase, transcript)
        for pair in each.held
        if pair[0] in lost
    }
    times = Counter(sender for sender, _ in shown)
    held = {sender: body for sender, body in shown if times[sender] == 1}
    again = frozenset(peer for each in promises.values() for peer in each.again)
    return Grounds(lost, phase, transcript, held, again - set(lost))


def agree(promises: Promised, quorum: int) -> bool:
    """Tell whether promises are those of a quorum under one ballot, none of them of the lost."""
    heads = {(each.number, each.ballot, each.lost) for each in promises.values()}
    return (
        len(heads) == 1
        and len(promises) >= quorum
        and not set(next(iter(heads))[2]) & set(promises)
    )


def voted(promises: Promised) -> tuple[Ballot, bytes] | None:
    """Return the highest vote of those who promised."""
    return max((each.voted for each in promises.values() if each.voted), default=None)


def grounded(cut: Cut, ballot: Ballot, why: Promised, origin: Promised, quorum: int) -> bool:
    """Tell whether promises lead to a cut; ``origin`` are those of an earlier proposal, if any."""
    if not agree(why, quorum) or any(each.ballot != ballot for each in why.values()):
        return False
    before = voted(why)
    if before is None:
        return not origin and grounds(why).fits(cut)
    free = agree(origin, quorum) and voted(origin) is None
    return before[1] == cut.digest() and free and grounds(origin).fits(cut)


def deniers(one: Decided, other: Decided, roster: Roster, game: bytes) -> set[int]:
    """Return who is at fault for two decisions in one place: it voted for both, or denied a vote.

    Raises ``PeerError`` for a decision that is none.
    """
    ballots = check_decided(one, roster, game), check_decided(other, roster, game)
    if ballots[0] == ballots[1]:
        return {v.sender for v in one.votes} & {v.sender for v in other.votes}
    low, high = (one, other) if ballots[0] < ballots[1] else (other, one)
    voters = {vote.sender for vote in low.votes}
    promises = {each.sender: check_word(each, roster, game) for each in high.why}
    found = {
        peer
        for peer, word in promises.items()
        if isinstance(word, Promise)
        and (word.number, word.ballot) == (high.cut.number, max(ballots))
        and peer in voters
        and (word.voted is None or word.voted[0] < min(ballots))
    }
    return found or {max(ballots) % PEERS}
