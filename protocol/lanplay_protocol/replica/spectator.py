"""A spectator follows a running game: no seat, no key, no vote; signed messages in, events out.

It verifies everything as an auditor does and accuses nobody: that is for those who play. What it
cannot verify it ignores; where one peer brings it no further it asks another.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from lanplay.engine.game import Game
from lanplay.engine.question import Question
from lanplay.engine.referee import Referee
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.choices import awaited
from lanplay_protocol.replica.context import OBSERVER, Context
from lanplay_protocol.replica.cut import CUTS, Cut, Decided, check_decided, parse_decided
from lanplay_protocol.replica.events import (
    Event,
    GameOver,
    Logged,
    PhaseCompleted,
    SeatReassigned,
    TrustNeeded,
    ViewChanged,
)
from lanplay_protocol.replica.following import Following
from lanplay_protocol.replica.messages import PHASES, SignedMessage, parse_signed
from lanplay_protocol.replica.opening import OPENING, UNNAMED, KeyCommitments, comparing
from lanplay_protocol.replica.outbox import Entry, Envelope
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.transcript import ProtocolViolation, Transcript
from lanplay_protocol.schema import fields, uint
from lanplay_protocol.wire import decode, encode

CHUNK = 64
"""Phases, and cuts, that are sent at once to whoever asks."""
NUDGE = 2.0
"""Seconds after which what is missing is asked for again."""
VAIN = 3
"""Times that a peer may say that it is ahead and bring nothing that can be verified."""
_NOBODY = GameKey(1)
Position = tuple[int, int]
"""How far somebody is: the present phase, and the number of cuts decided."""


def parse_position(value: Any) -> Position:
    """Return a phase and a number of cuts; ``PeerError`` for any other shape."""
    phase, cuts = fields(value, 2, "position")
    return uint(phase, PHASES, "phase"), uint(cuts, CUTS, "cuts")


def public(entry: Entry) -> bytes | None:
    """Return what a peer that persists an entry tells its spectators; ``None``: nothing.

    What it persists has been verified, and is on its disk, when its spectators get it.
    """
    return encode(entry) if entry[0] in ("move", "decided") else None


def answer(peer: Following, position: Position) -> list[bytes]:
    """Return what a peer answers to a spectator that is at a position: at most ``CHUNK`` phases."""
    phase, cuts = position
    kept: list[tuple[str, Any]] = [("decided", d.plain()) for d in peer.decided[cuts:][:CHUNK]]
    for moves in peer.moves[phase : phase + CHUNK]:
        kept += [("move", signed.plain()) for _, signed in sorted(moves.items())]
    here = (len(peer.moves) - 1, len(peer.decided))
    return [encode(each) for each in (*kept, ("here", here))]


class Spectator:
    """One game among ``roster.peers`` as everybody may see it.

    Messages come from one peer of the table at a time, any one, in any order; every ``Envelope``
    goes to it.
    Methods that take ``now`` (seconds, any origin, never backwards) return events in order:
    ``TrustNeeded`` once the table has its words, and, each told once however often the game is
    followed anew, ``Logged``, ``ViewChanged``, ``SeatReassigned``, ``PhaseCompleted``; then
    ``GameOver``. ``tick`` is due at ``deadline``.
    """

    def __init__(self, game: Game, roster: Roster) -> None:
        self.roster = roster
        self.over = False
        self.decided: list[Decided] = []
        self.deadline: float | None = None
        self._game = game
        self._events: list[Event | Envelope] = []
        self._told: list[bytes] = []
        self._early_cuts: dict[int, Decided] = {}
        self._ahead: Position = (0, 0)
        self._asked: Position = (0, 0)
        self._vain = 0
        self._answered = False
        self._begin()

    @property
    def awaited(self) -> dict[int, Question]:
        """The questions that the game waits for, by seat."""
        return awaited(self.transcript.phase, self.transcript.missing)

    @property
    def comparing(self) -> list[int]:
        """The peers of which the game waits to hear that their people have compared the words."""
        return comparing(self.transcript.phase, self.transcript.missing)

    def _begin(self) -> None:
        """Go back to the beginning of the game."""
        roster = self.roster
        table = self._game.table(len(roster.names), roster.options, roster.start)
        table.log = []
        self.context = Context(roster, OBSERVER, _NOBODY, Referee(self._game, table))
        self.transcript = Transcript(self.context, KeyCommitments(self.context, b""))
        self._early: dict[int, dict[int, SignedMessage]] = {}

    @property
    def position(self) -> Position:
        """How far this spectator is."""
        return (self.transcript.number, len(self.decided))

    @property
    def checked(self) -> Counter[str]:
        """What has been verified, by kind."""
        return self.transcript.checked

    def linked(self, now: float) -> list[Event | Envelope]:
        """Begin, or go on, with a peer of the table that answers from now on."""
        self._ahead, self._vain = self.position, 0
        self._ask(now)
        return self._drain()

    def receive(self, body: bytes, now: float) -> list[Event | Envelope]:
        """Take what the peer sent; ``PeerError`` if its connection has to be closed."""
        kind, payload = fields(decode(body), 2, "message")
        match kind:
            case "move":
                self._take(parse_signed(payload))
            case "decided":
                self._learn(parse_decided(payload))
            case "here":
                self._ahead, self._answered = parse_position(payload), True
            case _:
                raise PeerError(Code.UNEXPECTED, f"a message of kind {kind!r}")
        self._advance()
        if kind == "here" and self._behind and self.position != self._asked:
            self._ask(now)
        return self._drain()

    def tick(self, now: float) -> list[Event | Envelope]:
        """Ask again for what is missing.

        ``PeerError`` if the peer does not answer, or is ahead and cannot show how: another one
        should be asked.
        """
        if self.deadline is None or now < self.deadline:
            return []
        stuck = not self._answered or (self._behind and self.position == self._asked)
        self._vain = self._vain + 1 if stuck else 0
        if self._vain >= VAIN:
            self._again_from(0)  # one that signed twice may have led it astray
            raise PeerError(Code.DIVERGED, "what it shows of the game cannot be verified")
        self._ask(now)
        return self._drain()

    @property
    def _behind(self) -> bool:
        phase, cuts = self.position
        return self._ahead[0] > phase or self._ahead[1] > cuts

    def _ask(self, now: float) -> None:
        if self.over:
            self.deadline = None
            return
        self._asked, self._answered = self.position, False
        self.deadline = now + NUDGE
        self._events.append(Envelope("want", self.position))

    def _take(self, signed: SignedMessage) -> None:
        transcript = self.transcript
        if signed.phase == transcript.number and signed.sender in transcript.missing:
            self._bring(signed)
        elif transcript.number < signed.phase <= transcript.number + CHUNK:
            self._early.setdefault(signed.phase, {})[signed.sender] = signed

    def _bring(self, signed: SignedMessage) -> None:
        """Take a message of the present phase, if it is true and of this line of the game."""
        transcript = self.transcript
        try:
            move = transcript.verified(signed)
            if transcript.agrees(move):
                transcript.bring(signed, move)
        except ProtocolViolation:
            transcript.moves[-1].pop(signed.sender, None)
        except PeerError:
            return

    def _learn(self, decided: Decided) -> None:
        if 0 <= decided.cut.number - len(self.decided) < CHUNK:
            self._early_cuts[decided.cut.number] = decided

    def _advance(self) -> None:
        """Complete every phase for which all messages have come."""
        while not self.over:
            if not self._cut() and not self._finish():
                return
            for _, signed in sorted(self._early.pop(self.transcript.number, {}).items()):
                self._take(signed)

    def _cut(self) -> bool:
        """Take the next decision, if it has come and a quorum voted for it."""
        decided = self._early_cuts.get(len(self.decided))
        if decided is None or self.transcript.number < OPENING:
            return False  # votes are signed for the id that the game has by then
        del self._early_cuts[len(self.decided)]
        try:
            check_decided(decided, self.roster, self.context.game_id)
        except PeerError:
            return False
        self._enter(decided)
        return True

    def _enter(self, decided: Decided) -> None:
        cut, transcript = decided.cut, self.transcript
        self.decided.append(decided)
        known = transcript.before(cut.phase)
        if known is not None and known != cut.transcript:
            self._again_from(0)
        elif cut.phase < transcript.number:
            self._again_from(cut.phase)
        else:
            transcript.decide(cut)

    def _again_from(self, phase: int) -> None:
        """Go back to a phase and drop what came after it: the table went on without that."""
        moves = self.transcript.moves
        self._begin()
        for decided in self.decided:
            self.transcript.decide(decided.cut)
        self.context.replaying = True
        for kept in moves[: phase + 1]:
            while self._finish():
                pass
            for _, signed in sorted(kept.items()):
                self._take(signed)
        self.context.replaying = False
        self._early.clear()

    def _finish(self) -> bool:
        """Go on to the next phase if nothing is missing; tell what is new of it."""
        transcript, cuts = self.transcript, self.transcript.here
        steps: list[PhaseCompleted] = []
        if not transcript.finish(steps.append):
            return False
        self._tell(steps[0], cuts)
        if any(cut.transcript != self.context.transcript_hash for cut in transcript.here):
            self._again_from(0)
        elif transcript.phase is None:
            self._end()
        return True

    def _end(self) -> None:
        self.over = True
        self.deadline = None
        self._events.append(GameOver(self._game.result(self.context.referee.table)))

    def _tell(self, step: PhaseCompleted, cuts: list[Cut]) -> None:
        """Tell what a phase brought, unless it was told before."""
        log, changes = self.context.referee.table.log, self.context.seating.take_changes()
        news = self._told[step.phase : step.phase + 1] != [step.transcript]
        if news:
            self._told[step.phase :] = [step.transcript]
            self._events += [ViewChanged(cut.lost, cut.back) for cut in cuts]
            self._events += [SeatReassigned(seat, holder) for seat, holder in changes]
            self._events += [Logged(message) for message in log]
            self._events.append(step)
            if step.phase == UNNAMED - 1:
                self._events.append(TrustNeeded(self.context.game_id))
        log.clear()

    @property
    def proof(self) -> dict[str, Any]:
        """Everything that was signed in this game, as a record keeps it (see ``audit``)."""
        return {
            "roster": self.roster.plain(),
            "moves": tuple(
                tuple(signed.plain() for _, signed in sorted(phase.items()))
                for phase in self.transcript.moves
            ),
            "cuts": tuple(each.plain() for each in self.decided),
        }

    def _drain(self) -> list[Event | Envelope]:
        events, self._events = self._events, []
        return events
