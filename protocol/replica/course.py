"""The course of a game: its phases in turn and the signed messages that answer them.

Alike for whoever follows a game, at the table or from its record: nothing here is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from lanplay.engine.game import FalseClaim
from protocol.crypto.errors import CryptoError
from protocol.crypto.hashing import digest
from protocol.errors import Code, PeerError
from protocol.replica.context import Context
from protocol.replica.events import Stepped
from protocol.replica.messages import Move, Signed, verify
from protocol.replica.opening import UNNAMED
from protocol.replica.phases import Phase, SealedPhase, SealingFault
from protocol.replica.planner import next_phase

SEALED_KEPT = 64
"""Phases with sealed parts that are kept, in case a receiver complains later."""


class Fault(Exception):
    """A peer signed what breaks the rules: everybody who follows the game can tell.

    ``sealed`` marks what only the receiver of a sealed part has seen; it has to complain.
    """

    def __init__(self, peer: int, code: Code, text: str, sealed: bool = False) -> None:
        super().__init__(text)
        self.peer = peer
        self.code = code
        self.text = text
        self.sealed = sealed


class Course:
    """The phases of one game from its first.

    ``moves`` holds every message, phase by phase, a false one included; the last phase is the
    present one. ``doubles`` are genuine second messages for one slot: evidence.
    ``phase`` is ``None`` once the game is over. ``state`` is the hash of the public state.
    ``checked`` counts what has been verified, by kind.
    """

    def __init__(self, context: Context, first: Phase) -> None:
        self.context = context
        self.phase: Phase | None = first
        self.moves: list[dict[int, Signed]] = [{}]
        self.state = context.referee.table.hash()
        self.checked: Counter[str] = Counter()
        self.doubles: list[Signed] = []
        self._brought: dict[int, Any] = {}
        self._sealed: dict[int, SealedPhase] = {}
        self._past = [(context.transcript, self.state)]

    @property
    def number(self) -> int:
        """The number of the present phase."""
        return len(self.moves) - 1

    @property
    def missing(self) -> frozenset[int]:
        """The peers whose message of the present phase has not come."""
        return frozenset() if self.phase is None else self.phase.owing - self._brought.keys()

    def game_id(self, phase: int) -> bytes:
        """Return the id that messages of a phase are signed for."""
        return self.context.game_id if phase >= UNNAMED else self.context.roster.digest()

    def verified(self, signed: Signed) -> Move:
        """Return the move of a message; ``PeerError`` unless its named author signed it."""
        return verify(signed, self.context.roster, self.game_id(signed.phase))

    def is_double(self, signed: Signed) -> bool:
        """Tell whether a message is its author's second one for its slot, and keep it if so."""
        if signed.phase > self.number:
            return False
        known = self.moves[signed.phase].get(signed.sender)
        slot = (signed.sender, signed.phase)
        if known is None or known.body == signed.body:
            return False
        if any((each.sender, each.phase) == slot for each in self.doubles):
            return False
        try:
            self.verified(signed)
        except PeerError:
            return False
        self.doubles.append(signed)
        return True

    def agrees(self, move: Move) -> bool:
        """Tell whether the author of a move of this or an earlier phase saw the same game."""
        known = self._past[move.phase] if move.phase <= self.number else None
        return (move.previous, move.state) == known

    def bring(self, signed: Signed, move: Move) -> None:
        """Take a missing message of the present phase; ``Fault`` if its author broke the rules."""
        sender = signed.sender
        if self.phase is None or sender not in self.missing:
            raise ValueError(f"no message of peer {sender} is missing")
        self.moves[-1][sender] = signed
        try:
            self._brought[sender] = self.phase.check(sender, move.parts)
        except SealingFault as error:
            raise Fault(sender, Code.BAD_PROOF, str(error), sealed=True) from error
        except PeerError as error:
            raise Fault(sender, error.code, error.text) from error
        except CryptoError as error:
            raise Fault(sender, Code.BAD_PROOF, str(error)) from error

    def finish(self, watch: Callable[[Stepped], None]) -> bool:
        """Go on to the next phase if nothing is missing; tell ``watch``; ``Fault`` as ``bring``."""
        phase, context = self.phase, self.context
        if phase is None or self.missing:
            return False
        try:
            follows = phase.done(self._brought) or next_phase(context)
        except FalseClaim as claim:
            culprit = context.roster.host(claim.seat)
            raise Fault(culprit, Code.FALSE_CLAIM, str(claim)) from claim
        self.checked.update(phase.verified(self._brought), messages=len(self._brought))
        if isinstance(phase, SealedPhase):
            self._sealed[self.number] = phase
            self._sealed.pop(self.number - SEALED_KEPT, None)
        bodies = [self.moves[-1][peer].body for peer in sorted(self.moves[-1])]
        context.transcript = digest("transcript", context.transcript, *bodies)
        self.state = context.referee.table.hash()
        watch(Stepped(self.number, type(phase).__name__, context.transcript, self.state))
        context.phase += 1
        self.moves.append({})
        self._past.append((context.transcript, self.state))
        self._brought = {}
        self.phase = follows
        return True

    def sealed_phase(self, number: int) -> SealedPhase | None:
        """Return a phase with sealed parts, the present one included, if it is still kept."""
        if number == self.number and isinstance(self.phase, SealedPhase):
            return self.phase
        return self._sealed.get(number)
