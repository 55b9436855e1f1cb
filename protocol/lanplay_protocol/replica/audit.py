"""Checks a whole game from its public record: no seat, no key, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lanplay import errors
from lanplay.engine.game import Game, check_table
from lanplay.engine.record import Record
from lanplay.engine.referee import Referee
from lanplay.engine.replay import rules_part
from lanplay.told import Told
from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.context import OBSERVER, Context
from lanplay_protocol.replica.cut import CUTS, Decided, check_decided, parse_decided
from lanplay_protocol.replica.messages import (
    Complaint,
    SignedMessage,
    check_complaint,
    parse_complaint,
    parse_signed,
)
from lanplay_protocol.replica.opening import KeyCommitments
from lanplay_protocol.replica.phases import Phase
from lanplay_protocol.replica.roster import PEERS, Roster, parse_roster
from lanplay_protocol.replica.transcript import ProtocolViolation, Transcript
from lanplay_protocol.schema import items

NOBODY = GameKey(1)
"""The key that everybody knows, in place of an observer's own."""
_MESSAGES = 1 << 20


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """What is wrong with a game: its author by place (``None``: whoever wrote the record)."""

    peer: int | None
    phase: int
    kind: str
    code: Code
    text: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What was checked, by kind, and the first violation that was found, if any."""

    roster: Roster
    checked: Counter[str]
    finding: AuditFinding | None


class Auditor:
    """Follows one game from the messages of its peers."""

    def __init__(self, game: Game, roster: Roster) -> None:
        table = game.table(len(roster.names), roster.options, roster.start)
        context = Context(roster, OBSERVER, NOBODY, Referee(game, table))
        self.transcript = Transcript(context, KeyCommitments(context, b""))
        self._complaints: list[Complaint] = []
        self._cuts: list[Decided] = []
        self._faults: list[SignedMessage] = []
        self._evidence: list[AuditFinding] = []

    def follow(
        self,
        phases: Sequence[Sequence[SignedMessage]],
        complaints: Sequence[Complaint],
        cuts: Sequence[Decided] = (),
        faults: Sequence[SignedMessage] = (),
    ) -> AuditFinding | None:
        """Check everything that was signed; return the first fault.

        A peer that was cut off for what it had signed is found by ``faults`` and ``complaints``:
        the game has gone on without it, and is followed to its end.
        """
        self._complaints = list(complaints)
        self._cuts = list(cuts)
        self._faults = list(faults)
        found = self._follow(phases)
        return found or next(iter(self._evidence), None)

    def _follow(self, phases: Sequence[Sequence[SignedMessage]]) -> AuditFinding | None:
        for number, moves in enumerate(phases):
            if number != self.transcript.number and moves:
                absent = min(self.transcript.missing, default=0)
                return self._finding(None, Code.MALFORMED, f"a message of peer {absent} is missing")
            if (found := self._phase(number, moves)) is not None:
                return found
        return None

    def rules_part(self, game: Game) -> Told:
        """Return that the game was made with other rules, which part from those here now."""
        context = self.transcript.context
        return rules_part(game, context.roster.rules, context.referee)

    def _phase(self, number: int, moves: Sequence[SignedMessage]) -> AuditFinding | None:
        if (found := self._cut(number)) is not None:
            return found
        self._fault(number)
        counted = [move.body for cut in self.transcript.here for move in cut.moves]
        for signed in moves:
            if signed.body in counted:
                continue
            if signed.phase != number or signed.sender not in self.transcript.missing:
                return self._finding(None, Code.MALFORMED, "a message stands where none is due")
            if (found := self._message(signed)) is not None:
                return found
        if (found := self._complaint()) is not None:
            if found.peer is None:
                return found
            self._evidence.append(found)
        self.transcript.finish(lambda _: None)
        caught = self.transcript.context.late_violations
        self._evidence += [self._finding(p, *what) for p, what in sorted(caught.items())]
        caught.clear()
        return None

    def _cut(self, number: int) -> AuditFinding | None:
        """Take the cuts of a phase: votes of a quorum for what these messages led to."""
        transcript = self.transcript
        for decided in [each for each in self._cuts if each.cut.phase == number]:
            try:
                check_decided(decided, transcript.context.roster, transcript.context.game_id)
            except PeerError as error:
                return self._finding(None, error.code, f"the record was altered: {error.text}")
            cut = decided.cut
            if cut.transcript != transcript.context.transcript_hash or cut.number != len(
                transcript.cuts
            ):
                return self._finding(None, Code.MALFORMED, "a cut of another game")
            transcript.decide(cut)
        return None

    def _fault(self, number: int) -> None:
        """Find the fault of messages that did not count."""
        transcript = self.transcript
        for signed in [each for each in self._faults if each.phase == number]:
            try:
                move = transcript.verified(signed)
            except PeerError as error:
                text = f"the record was altered: {error.text}"
                self._evidence.append(self._finding(None, error.code, text))
                continue
            try:
                if transcript.phase is not None and transcript.agrees(move):
                    transcript.phase.check(move.sender, move.parts)
            except PeerError as error:
                self._evidence.append(self._finding(signed.sender, error.code, error.text))
            except CryptoError as error:
                self._evidence.append(self._finding(signed.sender, Code.BAD_PROOF, str(error)))

    def _message(self, signed: SignedMessage) -> AuditFinding | None:
        try:
            move = self.transcript.verified(signed)
        except PeerError as error:
            return self._finding(None, error.code, f"the record was altered: {error.text}")
        if not self.transcript.agrees(move):
            text = f"peer {signed.sender} signed another past than the others: one of them is false"
            return self._finding(None, Code.DIVERGED, text)
        try:
            self.transcript.bring(signed, move)
        except ProtocolViolation as fault:
            return self._finding(fault.peer, fault.code, fault.text)
        return None

    def _complaint(self) -> AuditFinding | None:
        transcript = self.transcript
        for complaint in self._complaints:
            phase = transcript.sealed_phase(complaint.accused.phase)
            if phase is None or complaint.accused.phase != transcript.number:
                continue
            try:
                check_complaint(complaint, transcript.context.roster)
                move = transcript.verified(complaint.accused)
            except PeerError as error:
                return self._finding(None, error.code, f"the record was altered: {error.text}")
            if not transcript.agrees(move):
                continue
            culprit = phase.guilty(complaint.author, move, complaint.disclosure)
            return self._finding(culprit, Code.BAD_PROOF, "a sealed part was false, or called so")
        return None

    def _finding(self, peer: int | None, code: Code, text: str) -> AuditFinding:
        return AuditFinding(peer, self.transcript.number, _kind(self.transcript.phase), code, text)


def check_record(game: Game, record: Record) -> AuditReport:
    """Check a network game's record: every signature, roll, shuffle, share, move and the end.

    Raises ``ValueError`` if the record holds no network game, or one of rules that part from these:
    then nobody is accused.
    """
    try:
        roster = parse_roster(record.extra["roster"])
        phases = items(record.extra["moves"], _MESSAGES, "phases", _phase)
        complaints = items(
            record.extra.get("complaints", ()), PEERS * PEERS, "complaints", parse_complaint
        )
        cuts = items(record.extra.get("cuts", ()), CUTS, "cuts", parse_decided)
        doubles = items(record.extra.get("doubles", ()), 64, "doubles", parse_signed)
        faults = items(record.extra.get("faults", ()), CUTS, "faults", parse_signed)
        check_table(game, len(roster.names), roster.options)
    except KeyError as error:
        raise errors.Mistake(errors.Fault.RECORD_UNSIGNED) from error
    except PeerError as error:
        raise errors.Mistake(errors.Fault.RECORD_FIELDS, why=error.text) from error
    if roster.game != game.name:
        raise errors.Mistake(errors.Fault.RECORD_FIELDS, why=f"its roster is of {roster.game}")
    auditor = Auditor(game, roster)
    found = auditor.follow(phases, complaints, cuts, faults)
    if found is None or found.code is Code.DIVERGED:
        found = _double(auditor.transcript, doubles) or found
    found = found or _end(auditor.transcript, record)
    if found is not None and not game.plays(roster.rules):
        raise errors.Mistake(auditor.rules_part(game))
    return AuditReport(roster, auditor.transcript.checked, found)


def _phase(value: Any) -> tuple[SignedMessage, ...]:
    return items(value, PEERS, "phase", parse_signed)


def _double(transcript: Transcript, doubles: Sequence[SignedMessage]) -> AuditFinding | None:
    for signed in doubles:
        if transcript.is_equivocation(signed):
            text = "signed two different messages"
            return AuditFinding(signed.sender, signed.phase, "move", Code.EQUIVOCATION, text)
    return None


def _end(transcript: Transcript, record: Record) -> AuditFinding | None:
    """Compare what the record claims with what its signed messages lead to."""
    referee, roster, header = transcript.context.referee, transcript.context.roster, record.header
    claims = {
        "header": header.plain() == roster.header.plain(),
        "answers": tuple(record.history) == tuple(referee.history),
        "final state": record.state_hash == referee.table.hash(),
        "ending": record.finished == (referee.request is None),
    }
    for name, holds in claims.items():
        if not holds:
            text = f"the record was altered: its {name} is not what the signed messages lead to"
            return AuditFinding(
                None, transcript.number, _kind(transcript.phase), Code.MALFORMED, text
            )
    return None


def _kind(phase: Phase | None) -> str:
    return "end" if phase is None else type(phase).__name__
