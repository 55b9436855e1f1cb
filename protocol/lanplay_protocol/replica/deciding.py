"""How a cut is decided: one peer's side of single-decree Paxos, an instance for every cut.

Sans-I/O: words in, words out. What has to be on disk before it is sent is marked by the caller, who
sees it in ``promised`` and ``voted``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.replica.cut import (
    Attached,
    Ballot,
    Ballots,
    Cut,
    Decided,
    Prepare,
    Promise,
    Propose,
    Vote,
    Word,
)
from lanplay_protocol.replica.grounds import Promised, grounded, grounds, voted
from lanplay_protocol.replica.messages import SignedMessage
from lanplay_protocol.replica.roster import PEERS

JUMP = PEERS << 20
"""By how much a ballot may be above all that were seen: nobody can use them up."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where this peer stands when it is asked.

    ``present`` take part in the game after all cuts decided so far; ``lost`` are those it has given
    up, ``back`` those that ask to take part again, ``barred`` those that may not, ``wronged`` those
    whose complaints it has upheld, ``two_faced`` those that signed two messages for one slot.
    ``held`` returns the messages of some peers that it holds for its present phase.
    """

    phase: int
    transcript: bytes
    present: frozenset[int]
    lost: frozenset[int]
    back: frozenset[int]
    barred: frozenset[int]
    wronged: frozenset[int]
    two_faced: frozenset[int]
    held: Callable[[frozenset[int]], tuple[SignedMessage, ...]]


@dataclass(frozen=True, slots=True)
class Given:
    """A promise as it came, and what came with it."""

    word: Promise
    ballots: Ballots
    attached: Attached


class Deciding:
    """The decision on cut ``number``.

    ``frozen``: this peer has promised, and says no more; from those in ``given_up`` it takes no
    more messages until it is decided. ``voted`` is the proposal it voted for last.
    """

    def __init__(self, me: int, quorum: int, peers: int) -> None:
        self._me = me
        self._quorum = quorum
        self._peers = frozenset(range(peers))
        self.begin(0)

    def begin(self, number: int) -> None:
        """Turn to a decision of which nothing is known yet."""
        self.number = number
        self.promised: Ballot = 0
        self.given_up: frozenset[int] = frozenset()
        self.voted: Propose | None = None
        self._seen: Ballot = 0
        self._asking: Prepare | None = None
        self._promises: dict[int, Given] = {}
        self._proposals: dict[int, Propose] = {}
        self._votes: dict[int, tuple[Vote, Ballots]] = {}

    def _sees(self, ballot: Ballot) -> bool:
        """Note a ballot; tell whether it is not absurdly high."""
        known = max(self.promised, self._seen)
        if ballot > known + JUMP:
            return False
        self._seen = max(self._seen, ballot)
        return True

    def ask(self, stand: Stand) -> Prepare:
        """Begin a ballot to cut whom this peer has given up."""
        above = max(self.promised, self._seen) // PEERS + 1
        self._asking = Prepare(self.number, above * PEERS + self._me, tuple(sorted(stand.lost)))
        self._promises = {}
        return self._asking

    def prepared(self, word: Prepare, stand: Stand) -> tuple[Promise, Attached] | None:
        """Return the promise that a peer asks for, unless this peer knows better."""
        lost = frozenset(word.lost)
        if word.number != self.number or not self._sees(word.ballot):
            return None
        if word.ballot <= self.promised or self._me in lost or not lost <= stand.lost:
            return None
        self.promised = word.ballot
        self.given_up |= lost
        head = (self.number, word.ballot, word.lost, tuple(sorted(stand.wronged - lost)))
        moves = stand.held(lost)
        held = tuple((move.sender, digest("held", move.body)) for move in moves)
        named = (self.voted.ballot, self.voted.cut.digest()) if self.voted else None
        promise = Promise(*head, stand.phase, stand.transcript, held, named)
        return promise, Attached(moves, self.voted)

    def promise(self, sender: int, given: Given, stand: Stand) -> Propose | None:
        """Take a promise; return the proposal once all who are left, a quorum, have promised."""
        asking, word = self._asking, given.word
        if asking is None or (word.number, word.ballot) != (asking.number, asking.ballot):
            return None
        if sender in asking.lost or word.lost != asking.lost:
            return None
        self._promises[sender] = given
        needed = stand.present - set(asking.lost)
        if len(self._promises) < self._quorum or not needed <= self._promises.keys():
            return None
        return self._proposal(asking, stand)

    def _proposal(self, asking: Prepare, stand: Stand) -> Propose:
        promises = {peer: each.word for peer, each in self._promises.items()}
        why = tuple(each.ballots.bare for _, each in sorted(self._promises.items()))
        if (bound := voted(promises)) is not None:
            before = next(
                each.attached.voted
                for each in self._promises.values()
                if each.word.voted == bound and each.attached.voted is not None
            )
            return Propose(asking.ballot, before.cut, why, before.origin or before.why)
        found = grounds(promises)
        moves = {
            move.sender: move
            for _, each in sorted(self._promises.items())
            for move in each.attached.moves
            if found.held.get(move.sender) == digest("held", move.body)
        }
        ordered = tuple(moves[sender] for sender in sorted(moves))
        back, again = tuple(sorted(stand.back)), tuple(sorted(found.again))
        head = (self.number, found.lost, back, again)
        return Propose(asking.ballot, Cut(*head, found.phase, found.transcript, ordered), why)

    def proposed(self, sender: int, word: Propose) -> bool:
        """Take a proposal; tell whether it is one of this ballot and decision."""
        cut = word.cut
        if (
            cut.number != self.number
            or word.ballot % PEERS != sender
            or not self._sees(word.ballot)
        ):
            return False
        self._proposals[sender] = word
        return word.ballot == self.promised

    def ballot(self, word: Propose, why: Promised, origin: Promised, stand: Stand) -> Vote | None:
        """Return this peer's vote for a proposal of the ballot that it has promised, if it may.

        It votes for what the promises lead to and, unless an earlier vote binds, only where it
        stands itself: whoever is behind catches up first.
        """
        cut = word.cut
        if word.ballot != self.promised or (self.voted and self.voted.ballot == word.ballot):
            return None
        if not self._lawful(cut, stand) or (not origin and not self._sound(cut, stand)):
            return None
        if not grounded(cut, word.ballot, why, origin, self._quorum):
            return None
        self.voted = word
        return Vote(self.number, word.ballot, cut.digest())

    def _lawful(self, cut: Cut, stand: Stand) -> bool:
        """Tell whether a cut moves only peers that may be moved, and leaves a quorum."""
        lost, back = set(cut.lost), set(cut.back)
        if not lost <= stand.present or not back <= self._peers - stand.present - stand.barred:
            return False
        return len(stand.present - lost | back) >= self._quorum

    def _sound(self, cut: Cut, stand: Stand) -> bool:
        """Tell whether a cut loses nobody that this peer hears, and nothing that it holds."""
        lost = frozenset(cut.lost)
        if (
            self._me in lost
            or not lost <= self.given_up | stand.lost
            or not set(cut.back) <= stand.back
        ):
            return False
        if (cut.phase, cut.transcript) == (stand.phase, stand.transcript):
            held = {move.body for move in stand.held(lost)}
            return held <= {move.body for move in cut.moves}
        return cut.phase >= stand.phase and bool(lost & stand.two_faced)

    def vote(self, ballots: Ballots, word: Vote) -> None:
        """Take a vote: the last of each peer counts."""
        before = self._votes.get(ballots.sender)
        if word.number == self.number and (before is None or before[0].ballot <= word.ballot):
            self._votes[ballots.sender] = (word, ballots)

    def decided(self) -> Decided | None:
        """Return the decision once a quorum has voted for one proposal."""
        for proposal in self._proposals.values():
            named = Vote(self.number, proposal.ballot, proposal.cut.digest())
            votes = [(p, b) for p, (word, b) in self._votes.items() if word == named]
            if len(votes) >= self._quorum:
                return Decided(proposal.cut, tuple(b for _, b in sorted(votes)), proposal.why)
        return None

    def recall(self, word: Word) -> None:
        """Know again what this peer has promised and voted, after a restart."""
        match word:
            case Promise(number=number, ballot=ballot, lost=lost) if number == self.number:
                self.promised = max(self.promised, ballot)
                self.given_up |= frozenset(lost)
            case Propose(ballot=ballot, cut=cut) if cut.number == self.number:
                self.promised = max(self.promised, ballot)
                self.voted = word
            case _:
                pass
