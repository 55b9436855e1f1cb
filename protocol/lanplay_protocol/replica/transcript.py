"""The transcript of a game: its phases in turn and the signed messages that complete them.

Alike for whoever follows a game, at the table or from its record: nothing here is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.cut import Cut
from lanplay_protocol.replica.events import PhaseCompleted
from lanplay_protocol.replica.handover import after_change
from lanplay_protocol.replica.messages import PhaseMessage, SignedMessage, verify
from lanplay_protocol.replica.opening import UNNAMED
from lanplay_protocol.replica.phases import Phase, SealedPhase, SealingFault
from lanplay_protocol.replica.planner import next_phase
from lanplay_protocol.replica.threshold import resume

SEALED_KEPT = 64
"""Phases with sealed parts that are kept, in case a receiver complains later."""


class ProtocolViolation(Exception):
    """A peer signed what breaks the rules: everybody who follows the game can tell."""

    def __init__(self, peer: int, code: Code, text: str) -> None:
        super().__init__(text)
        self.peer = peer
        self.code = code
        self.text = text


class Transcript:
    """The phases of one game from its first.

    ``moves`` holds every message, phase by phase, a false one included; the last phase is the
    present one. ``equivocations`` are genuine second messages for one slot: evidence.
    ``phase`` is ``None`` once the game is over. ``state`` is the hash of the public state.
    ``checked`` counts what has been verified, by kind. ``cuts`` are those decided so far, in order:
    each takes effect when its phase is reached, and changes who takes part when that is complete.
    ``faults`` are messages that broke the rules and did not count. ``unsealed`` are messages that
    held something false for this peer: nobody else has seen it, so it has to complain.
    """

    def __init__(self, context: Context, first: Phase) -> None:
        self.context = context
        self.phase: Phase | None = first
        self.moves: list[dict[int, SignedMessage]] = [{}]
        self.state = context.referee.table.hash()
        self.checked: Counter[str] = Counter()
        self.equivocations: list[SignedMessage] = []
        self.faults: list[SignedMessage] = []
        self.unsealed: list[tuple[SignedMessage, PhaseMessage]] = []
        self.cuts: list[Cut] = []
        self._brought: dict[int, Any] = {}
        self._sealed: dict[int, SealedPhase] = {}
        self._past = [(0, context.transcript_hash, self.state)]

    @property
    def number(self) -> int:
        """The number of the present phase."""
        return len(self.moves) - 1

    @property
    def missing(self) -> frozenset[int]:
        """The peers whose message of the present phase has not come."""
        return frozenset() if self.phase is None else self.phase.owing - self._brought.keys()

    @property
    def epoch(self) -> int:
        """The number of cuts that were complete before the present phase."""
        return self._past[-1][0]

    @property
    def here(self) -> list[Cut]:
        """The cuts that are complete with the present phase."""
        return [cut for cut in self.cuts if cut.phase == self.number]

    @property
    def members(self) -> frozenset[int]:
        """The peers that take part once every cut decided so far is complete."""
        present = self.context.present
        for cut in self.cuts:
            if cut.phase >= self.number:
                present = present - set(cut.lost) | set(cut.back)
        return present

    def held(self, peers: frozenset[int]) -> tuple[SignedMessage, ...]:
        """Return the good messages of some peers in the present phase; of two, none counts."""
        double = {each.sender for each in self.equivocations if each.phase == self.number}
        brought = sorted(peers & self._brought.keys() - double)
        return tuple(self.moves[-1][peer] for peer in brought)

    def before(self, phase: int) -> bytes | None:
        """Return the transcript hash before a phase, if the game has come so far."""
        return self._past[phase][1] if phase < len(self._past) else None

    def decide(self, cut: Cut) -> None:
        """Take the next cut; its phase is not past."""
        self.cuts.append(cut)
        if cut.phase == self.number:
            self._cut(cut)

    def _cut(self, cut: Cut) -> None:
        """Take the lost out at once, but count their messages that the cut names."""
        counted = {move.sender: move for move in cut.moves}
        for peer in cut.lost:
            mine, theirs = self.moves[-1].get(peer), counted.get(peer)
            if mine is not None and (theirs is None or theirs.body != mine.body):
                del self.moves[-1][peer]
                if self._brought.pop(peer, None) is None:
                    self.faults.append(mine)
        for peer, signed in counted.items():
            if peer in self.missing:
                self._count(peer, signed)
        self.context.seating.leave(frozenset(cut.lost))

    def _count(self, peer: int, signed: SignedMessage) -> None:
        try:
            move = self.verified(signed)
            if move.phase == self.number and self.agrees(move):
                if peer == self.context.me and self.phase is not None:
                    self.phase.recall(move.parts)
                self.bring(signed, move)
        except (ProtocolViolation, PeerError):
            self.faults.append(signed)
            self.moves[-1].pop(peer, None)

    def game_id(self, phase: int) -> bytes:
        """Return the id that messages of a phase are signed for."""
        return self.context.game_id if phase >= UNNAMED else self.context.roster.digest()

    def verified(self, signed: SignedMessage) -> PhaseMessage:
        """Return the move of a message; ``PeerError`` unless its named author signed it."""
        return verify(signed, self.context.roster, self.game_id(signed.phase))

    def is_equivocation(self, signed: SignedMessage) -> bool:
        """Tell whether a message is its author's second one for its slot, and keep it if so."""
        if signed.phase > self.number:
            return False
        known = self.moves[signed.phase].get(signed.sender)
        slot = (signed.sender, signed.phase)
        if known is None or known.body == signed.body:
            return False
        if any((each.sender, each.phase) == slot for each in self.equivocations):
            return False
        try:
            move = self.verified(signed)
            if (move.epoch, move.previous) != self._past[signed.phase][:2]:
                return False  # it may have been true on a line that another peer's double made
        except PeerError:
            return False
        self.equivocations.append(signed)
        return True

    def agrees(self, move: PhaseMessage) -> bool:
        """Tell whether the author of a move of this or an earlier phase saw the same game."""
        known = self._past[move.phase] if move.phase <= self.number else None
        return (move.epoch, move.previous, move.state) == known

    def bring(self, signed: SignedMessage, move: PhaseMessage) -> None:
        """Take a missing message of the present phase; ``ProtocolViolation`` if it is false."""
        sender = signed.sender
        if self.phase is None or sender not in self.missing:
            raise ValueError(f"no message of peer {sender} is missing")
        self.moves[-1][sender] = signed
        try:
            self._brought[sender] = self.phase.check(sender, move.parts)
        except SealingFault:
            if self.context.shares:
                self._brought[sender] = None  # the game goes on; what is missing comes with a cut
            self.unsealed.append((signed, move))
        except PeerError as error:
            raise ProtocolViolation(sender, error.code, error.text) from error
        except CryptoError as error:
            raise ProtocolViolation(sender, Code.BAD_PROOF, str(error)) from error

    def finish(self, watch: Callable[[PhaseCompleted], None]) -> bool:
        """Go on to the next phase if nothing is missing; tell ``watch``."""
        phase, context, cuts = self.phase, self.context, self.here
        if phase is None or self.missing:
            return False
        follows = self._follows(phase, cuts)
        self.checked.update(phase.verified(self._brought), messages=len(self._brought))
        if isinstance(phase, SealedPhase):
            self._sealed[self.number] = phase
            self._sealed.pop(self.number - SEALED_KEPT, None)
        bodies = [self.moves[-1][peer].body for peer in sorted(self.moves[-1])]
        bodies += [cut.digest() for cut in cuts]
        context.transcript_hash = digest("transcript", context.transcript_hash, *bodies)
        self.state = context.referee.table.hash()
        watch(
            PhaseCompleted(self.number, type(phase).__name__, context.transcript_hash, self.state)
        )
        context.phase += 1
        context.jobs.forget()
        self.moves.append({})
        self._past.append((self.epoch + len(cuts), context.transcript_hash, self.state))
        self._brought = {}
        self.phase = follows
        for cut in self.here:
            self._cut(cut)
        return True

    def _follows(self, phase: Phase, cuts: list[Cut]) -> Phase | None:
        context = self.context
        for cut in cuts:
            context.seating.come_back(frozenset(cut.back))
            context.seating.reveal_again(frozenset(cut.again))
        if cuts:
            follows = after_change(context, phase, self._brought)
        else:
            follows = resume(phase, self._brought)
        return follows or next_phase(context)

    def sealed_phase(self, number: int) -> SealedPhase | None:
        """Return a phase with sealed parts, the present one included, if it is still kept."""
        if number == self.number and isinstance(self.phase, SealedPhase):
            return self.phase
        return self._sealed.get(number)
