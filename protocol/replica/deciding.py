"""How a cut is decided: one peer's side of single-decree Paxos, an instance for every cut.

Sans-I/O: words in, words out. What has to be on disk before it is sent is marked by the caller, who
sees it in ``promised`` and ``voted``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from protocol.replica.cut import (
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
from protocol.replica.messages import Signed
from protocol.replica.roster import PEERS


@dataclass(frozen=True, slots=True)
class Stand:
    """Where this peer stands when it is asked.

    ``present`` take part in the game after all cuts decided so far; ``lost`` are those it has given
    up, ``back`` those that ask to take part again, ``wronged`` those whose complaints
    it has upheld. ``held`` returns the messages of some peers that
    it holds for its present phase.
    """

    phase: int
    transcript: bytes
    present: frozenset[int]
    lost: frozenset[int]
    back: frozenset[int]
    wronged: frozenset[int]
    held: Callable[[frozenset[int]], tuple[Signed, ...]]


class Deciding:
    """The decision on cut ``number``.

    ``frozen``: this peer has promised, and stands still; from those in ``given_up`` it takes no
    more messages until it is decided.
    """

    def __init__(self, me: int, quorum: int) -> None:
        self._me = me
        self._quorum = quorum
        self.doubles: list[tuple[Ballots, Ballots]] = []
        self.begin(0)

    def begin(self, number: int) -> None:
        """Turn to a decision of which nothing is known yet."""
        self.number = number
        self.promised: Ballot = 0
        self.given_up: frozenset[int] = frozenset()
        self.voted: tuple[Ballot, Cut] | None = None
        self._seen: Ballot = 0
        self._asking: Prepare | None = None
        self._promises: dict[int, Promise] = {}
        self._cuts: dict[bytes, Cut] = {}
        self._votes: dict[tuple[Ballot, bytes], dict[int, Ballots]] = {}

    @property
    def frozen(self) -> bool:
        """Tell whether this peer has promised anything for this cut."""
        return self.promised > 0

    def ask(self, stand: Stand) -> Prepare:
        """Begin a ballot to cut whom this peer has given up."""
        above = max(self.promised, self._seen) // PEERS + 1
        self._asking = Prepare(self.number, above * PEERS + self._me, tuple(sorted(stand.lost)))
        self._promises = {}
        return self._asking

    def prepared(self, word: Prepare, stand: Stand) -> Promise | None:
        """Return the promise that a peer asks for, unless this peer knows better."""
        self._seen = max(self._seen, word.ballot)
        lost = frozenset(word.lost)
        if word.number != self.number or word.ballot <= self.promised or self._me in lost:
            return None
        if not lost <= stand.lost:
            return None
        self.promised = word.ballot
        self.given_up |= lost
        head = (self.number, word.ballot, word.lost, tuple(sorted(stand.wronged - lost)))
        return Promise(*head, stand.phase, stand.transcript, stand.held(lost), self.voted)

    def promise(self, sender: int, word: Promise, stand: Stand) -> Propose | None:
        """Take a promise; return the proposal once all who are left, a quorum, have promised."""
        self._seen = max(self._seen, word.ballot)
        asking = self._asking
        if asking is None or (word.number, word.ballot) != (asking.number, asking.ballot):
            return None
        if sender in asking.lost:
            return None
        self._promises[sender] = word
        needed = stand.present - set(asking.lost)
        if len(self._promises) < self._quorum or not needed <= self._promises.keys():
            return None
        self._asking = None
        return Propose(asking.ballot, self._chosen(asking, stand))

    def _chosen(self, asking: Prepare, stand: Stand) -> Cut:
        voted = [each.voted for each in self._promises.values() if each.voted is not None]
        if voted:
            return max(voted, key=lambda vote: vote[0])[1]
        phase = max(each.phase for each in self._promises.values())
        furthest = [each for each in self._promises.values() if each.phase == phase]
        views = Counter(each.transcript for each in furthest)
        transcript = min(views, key=lambda view: (-views[view], view))
        moves = {
            move.sender: move
            for _, each in sorted(self._promises.items())
            if (each.phase, each.transcript) == (phase, transcript)
            for move in each.moves
            if move.sender in asking.lost
        }
        back = stand.back - stand.present
        ordered = tuple(moves[sender] for sender in sorted(moves))
        lost = asking.lost
        wronged = {peer for each in self._promises.values() for peer in each.again}
        again = tuple(sorted(wronged & stand.present - set(lost)))
        return Cut(self.number, lost, tuple(sorted(back)), again, phase, transcript, ordered)

    def proposed(self, sender: int, word: Propose, stand: Stand) -> Vote | None:
        """Return this peer's vote for a proposal, unless it has promised otherwise."""
        self._seen = max(self._seen, word.ballot)
        cut = word.cut
        if cut.number != self.number or word.ballot % PEERS != sender:
            return None
        self._cuts[cut.digest()] = cut
        if word.ballot != self.promised or self._me in cut.lost or not self._sound(cut, stand):
            return None
        if not set(cut.lost) <= self.given_up | stand.lost:
            return None  # nobody that this peer still hears is cut off with its vote
        self.promised = word.ballot
        self.voted = (word.ballot, cut)
        return Vote(self.number, word.ballot, cut.digest())

    def _sound(self, cut: Cut, stand: Stand) -> bool:
        """Tell whether a cut keeps what this peer holds, and moves the peers it may move."""
        lost, back = set(cut.lost), set(cut.back)
        if not lost <= stand.present or back & stand.present or cut.phase < stand.phase:
            return False
        if (cut.phase, cut.transcript) != (stand.phase, stand.transcript):
            return True
        held = {move.body for move in stand.held(frozenset(lost))}
        return held <= {move.body for move in cut.moves}

    def vote(self, ballots: Ballots, word: Vote) -> Decided | None:
        """Take a vote; return the decision once a quorum has voted for one cut."""
        if word.number != self.number:
            return None
        for (ballot, cut), votes in self._votes.items():
            other = votes.get(ballots.sender)
            if ballot == word.ballot and cut != word.cut and other is not None:
                self.doubles.append((other, ballots))
        votes = self._votes.setdefault((word.ballot, word.cut), {})
        votes[ballots.sender] = ballots
        known = self._cuts.get(word.cut)
        if known is None or len(votes) < self._quorum:
            return None
        return Decided(known, tuple(vote for _, vote in sorted(votes.items())))

    def recall(self, word: Word) -> None:
        """Know again what this peer has promised and voted, after a restart."""
        match word:
            case Promise(number=number, ballot=ballot, lost=lost) if number == self.number:
                self.promised = max(self.promised, ballot)
                self.given_up |= frozenset(lost)
            case Propose(ballot=ballot, cut=cut) if cut.number == self.number:
                self.promised = max(self.promised, ballot)
                self.voted = (ballot, cut)
            case _:
                pass
