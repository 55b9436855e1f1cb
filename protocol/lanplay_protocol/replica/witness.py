"""A witness checks a whole game from its public record: no seat, no key, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lanplay import errors
from lanplay.engine.game import Game, check_table
from lanplay.engine.record import Record
from lanplay.engine.referee import Referee
from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.context import WITNESS, Context
from lanplay_protocol.replica.course import Course, Fault
from lanplay_protocol.replica.cut import CUTS, Decided, check_decided, parse_decided
from lanplay_protocol.replica.messages import (
    Complaint,
    Signed,
    check_complaint,
    parse_complaint,
    parse_signed,
)
from lanplay_protocol.replica.opening import Promises
from lanplay_protocol.replica.phases import Phase
from lanplay_protocol.replica.roster import PEERS, Roster, parse_roster
from lanplay_protocol.schema import items

NOBODY = GameKey(1)
"""The key that everybody knows, in place of a witness's own."""
_MESSAGES = 1 << 20


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a game: its author by place (``None``: whoever wrote the record)."""

    peer: int | None
    phase: int
    kind: str
    code: Code
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a witness found: what was checked, by kind, and the first fault, if any."""

    roster: Roster
    checked: Counter[str]
    finding: Finding | None


class Witness:
    """Follows one game from the messages of its peers."""

    def __init__(self, game: Game, roster: Roster) -> None:
        table = game.table(len(roster.names), roster.options, roster.start)
        context = Context(roster, WITNESS, NOBODY, Referee(game, table))
        self.course = Course(context, Promises(context, b""))
        self._complaints: list[Complaint] = []
        self._cuts: list[Decided] = []
        self._faults: list[Signed] = []
        self._evidence: list[Finding] = []

    def follow(
        self,
        phases: Sequence[Sequence[Signed]],
        complaints: Sequence[Complaint],
        cuts: Sequence[Decided] = (),
        faults: Sequence[Signed] = (),
    ) -> Finding | None:
        """Check everything that was signed; return the first fault.

        A peer that was cut off for what it had signed is found by ``faults`` and ``complaints``:
        the game has gone on without it, and is followed to its end.
        """
        self._complaints = list(complaints)
        self._cuts = list(cuts)
        self._faults = list(faults)
        found = self._follow(phases)
        return found or next(iter(self._evidence), None)

    def _follow(self, phases: Sequence[Sequence[Signed]]) -> Finding | None:
        for number, moves in enumerate(phases):
            if number != self.course.number and moves:
                absent = min(self.course.missing, default=0)
                return self._finding(None, Code.MALFORMED, f"a message of peer {absent} is missing")
            if (found := self._phase(number, moves)) is not None:
                return found
        return None

    def _phase(self, number: int, moves: Sequence[Signed]) -> Finding | None:
        if (found := self._cut(number)) is not None:
            return found
        self._fault(number)
        counted = [move.body for cut in self.course.here for move in cut.moves]
        for signed in moves:
            if signed.body in counted:
                continue
            if signed.phase != number or signed.sender not in self.course.missing:
                return self._finding(None, Code.MALFORMED, "a message stands where none is due")
            if (found := self._message(signed)) is not None:
                return found
        if (found := self._complaint()) is not None:
            if found.peer is None:
                return found
            self._evidence.append(found)
        self.course.finish(lambda _: None)
        caught = self.course.context.caught
        self._evidence += [self._finding(p, *what) for p, what in sorted(caught.items())]
        caught.clear()
        return None

    def _cut(self, number: int) -> Finding | None:
        """Take the cuts of a phase: votes of a quorum for what these messages led to."""
        course = self.course
        for decided in [each for each in self._cuts if each.cut.phase == number]:
            try:
                check_decided(decided, course.context.roster, course.context.game_id)
            except PeerError as error:
                return self._finding(None, error.code, f"the record was altered: {error.text}")
            cut = decided.cut
            if cut.transcript != course.context.transcript or cut.number != len(course.cuts):
                return self._finding(None, Code.MALFORMED, "a cut of another game")
            course.decide(cut)
        return None

    def _fault(self, number: int) -> None:
        """Find the fault of messages that did not count."""
        course = self.course
        for signed in [each for each in self._faults if each.phase == number]:
            try:
                move = course.verified(signed)
            except PeerError as error:
                text = f"the record was altered: {error.text}"
                self._evidence.append(self._finding(None, error.code, text))
                continue
            try:
                if course.phase is not None and course.agrees(move):
                    course.phase.check(move.sender, move.parts)
            except PeerError as error:
                self._evidence.append(self._finding(signed.sender, error.code, error.text))
            except CryptoError as error:
                self._evidence.append(self._finding(signed.sender, Code.BAD_PROOF, str(error)))

    def _message(self, signed: Signed) -> Finding | None:
        try:
            move = self.course.verified(signed)
        except PeerError as error:
            return self._finding(None, error.code, f"the record was altered: {error.text}")
        if not self.course.agrees(move):
            text = f"peer {signed.sender} signed another past than the others: one of them is false"
            return self._finding(None, Code.DIVERGED, text)
        try:
            self.course.bring(signed, move)
        except Fault as fault:
            return self._finding(fault.peer, fault.code, fault.text)
        return None

    def _complaint(self) -> Finding | None:
        course = self.course
        for complaint in self._complaints:
            phase = course.sealed_phase(complaint.accused.phase)
            if phase is None or complaint.accused.phase != course.number:
                continue
            try:
                check_complaint(complaint, course.context.roster)
                move = course.verified(complaint.accused)
            except PeerError as error:
                return self._finding(None, error.code, f"the record was altered: {error.text}")
            if not course.agrees(move):
                continue
            culprit = phase.guilty(complaint.author, move, complaint.disclosure)
            return self._finding(culprit, Code.BAD_PROOF, "a sealed part was false, or called so")
        return None

    def _finding(self, peer: int | None, code: Code, text: str) -> Finding:
        return Finding(peer, self.course.number, _kind(self.course.phase), code, text)


def check_record(game: Game, record: Record) -> Verdict:
    """Check a network game's record: every signature, roll, shuffle, share, move and the end.

    Raises ``ValueError`` if the record holds no network game of these rules.
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
    if (roster.game, roster.version) != (game.name, game.version):
        versions = {"theirs": roster.version, "ours": game.version}
        raise errors.Mistake(errors.Fault.RECORD_VERSION, game=roster.game, **versions)
    witness = Witness(game, roster)
    found = witness.follow(phases, complaints, cuts, faults)
    if found is None or found.code is Code.DIVERGED:
        found = _double(witness.course, doubles) or found
    found = found or _end(witness.course, record)
    return Verdict(roster, witness.course.checked, found)


def _phase(value: Any) -> tuple[Signed, ...]:
    return items(value, PEERS, "phase", parse_signed)


def _double(course: Course, doubles: Sequence[Signed]) -> Finding | None:
    for signed in doubles:
        if course.is_double(signed):
            text = "signed two different messages"
            return Finding(signed.sender, signed.phase, "move", Code.EQUIVOCATION, text)
    return None


def _end(course: Course, record: Record) -> Finding | None:
    """Compare what the record claims with what its signed messages lead to."""
    referee, roster, header = course.context.referee, course.context.roster, record.header
    claims = {
        "header": header.plain() == roster.header.plain(),
        "answers": tuple(record.history) == tuple(referee.history),
        "final state": record.state_hash == referee.table.hash(),
        "ending": record.finished == (referee.request is None),
    }
    for name, holds in claims.items():
        if not holds:
            text = f"the record was altered: its {name} is not what the signed messages lead to"
            return Finding(None, course.number, _kind(course.phase), Code.MALFORMED, text)
    return None


def _kind(phase: Phase | None) -> str:
    return "end" if phase is None else type(phase).__name__
