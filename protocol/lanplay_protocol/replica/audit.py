"""Checks a whole game from its public record: no seat, no key, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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
from lanplay_protocol.replica import evidence
from lanplay_protocol.replica.context import OBSERVER, Context
from lanplay_protocol.replica.evidence import Proof, alone, guilty
from lanplay_protocol.replica.key_setup import SETUP, UNNAMED, KeyCommitments
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    MOVE,
    STATUS,
    Complaint,
    Key,
    Past,
    PhaseMessage,
    SignedMessage,
    StatusMessage,
    check_complaint,
    parse_complaint,
    parse_past,
    parse_phase,
    parse_statement,
    parse_view,
)
from lanplay_protocol.replica.other_lines import (
    another_state,
    judge,
    judge_beside,
    judge_passed,
    passed,
)
from lanplay_protocol.replica.phases import Phase
from lanplay_protocol.replica.positions import furthest
from lanplay_protocol.replica.roster import UNSIGNED, Roster, parse_roster
from lanplay_protocol.replica.start import accepts_of, check_start, parse_accept, signed_twice
from lanplay_protocol.replica.transcript import ProtocolViolation, Transcript
from lanplay_protocol.replica.verdicts import MOST, OFFERS, judged
from lanplay_protocol.schema import items

LEFT_OUT = "the record was altered: evidence that those who signed it name is left out"
NOBODY = GameKey(1)
"""The key that everybody knows, in place of an observer's own."""
_MESSAGES = 1 << 20


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """What is wrong with a game: its author by place (``None``: whoever wrote the record).

    ``key`` is of who had offered two tables before the game, whether it has a seat or not.
    """

    peer: int | None
    phase: int
    kind: str
    code: Code
    text: str
    key: bytes = b""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What was checked, by kind, and the first violation that was found, if any.

    ``ended``: all who were there have signed the end; in protocol 2, the rules have come to it.
    """

    roster: Roster
    checked: Counter[str]
    finding: AuditFinding | None
    ended: bool


class Auditor:
    """Follows one game from the messages of its peers.

    ``evidence`` are statements beside those that count: they convict by what they are.
    """

    def __init__(self, game: Game, roster: Roster, pasts: Sequence[Past] = ()) -> None:
        def make() -> Transcript:
            table = game.table(len(roster.names), roster.options, roster.start)
            context = Context(roster, OBSERVER, NOBODY, Referee(game, table))
            return Transcript(context, KeyCommitments(context, b""))

        self.line = GameLine(roster, make)
        self._complaints: dict[Key, Complaint] = {}
        self._views: list[tuple[SignedMessage, ...]] = []
        self._evidence: list[SignedMessage] = []
        self._found: list[AuditFinding] = []
        self._kept: set[Key] = set()
        self._early: list[SignedMessage] = []
        self._pasts = pasts

    @property
    def transcript(self) -> Transcript:
        """The game as far as it was followed."""
        return self.line.transcript

    def follow(
        self,
        phases: Sequence[Sequence[SignedMessage]],
        complaints: Sequence[Complaint] = (),
        views: Sequence[tuple[SignedMessage, ...]] = (),
        evidence: Sequence[SignedMessage] = (),
    ) -> AuditFinding | None:
        """Check everything that was signed; return the first fault.

        A peer that was left out for what it had signed is found by the evidence: the game has gone
        on without it, and is followed to its end.
        """
        self._complaints = {each.key: each for each in complaints}
        self._views, self._evidence = list(views), [*dict.fromkeys(evidence)]
        counting = {each.key for many in (*phases, *views) for each in many}
        self._kept = counting | self._complaints.keys() | {e.key for e in evidence}
        try:
            for each in complaints:
                check_complaint(each, self.line.roster)
        except PeerError as error:
            return self._finding(None, error.code, f"the record was altered: {error.text}")
        found = self._follow(phases) or self._beyond()
        self._judge_complaints([*self._complaints.items()])  # about what never counted
        return found or next(iter(self._found), None) or self._guilty() or self._unfounded()

    def _guilty(self) -> AuditFinding | None:
        """Return whom the evidence convicts by itself."""
        game, roster = self.line.statements.game_id, self.line.roster
        for _, proof in sorted(guilty(self._evidence, roster, game).items()):
            return _convicted(proof)
        vain, nowhere = set[bytes](), set[bytes]()  # no chain is gone over twice
        for known in filter(None, (self.line.statements.get(e.key) for e in self._evidence)):
            other = another_state(known, self.transcript) or judge(self.line, known, vain)
            other = other or judge_beside(self.line, known, nowhere)
            if other is None and passed(self.line, known):
                other = judge_passed(self.line, known)
            if other is not None:
                return _convicted(other)
        return None

    def _unfounded(self) -> AuditFinding | None:
        """Find that what leads to evidence is left out: more peers than may lie have named some,
        and it convicts nobody here."""
        views, roster = self.transcript.views, self.line.roster
        named = {peer for peer, keys in self.transcript.finals.items() if keys}
        said = [s for view in views for s in view.said if isinstance(s, StatusMessage)]
        named |= {status.author for status in said if status.evidence}
        if roster.protocol > UNSIGNED and len(named) > len(roster.peers) - roster.quorum:
            return self._finding(None, Code.MALFORMED, LEFT_OUT)
        return None

    def _follow(self, phases: Sequence[Sequence[SignedMessage]]) -> AuditFinding | None:
        for number, moves in enumerate(phases):
            if number != self.transcript.number:
                if not moves:
                    continue  # nor does anything follow
                absent = min(self.transcript.missing, default=0)
                return self._finding(None, Code.MALFORMED, f"a message of peer {absent} is missing")
            if (found := self._phase(moves)) is not None:
                return found
        return None

    def _beyond(self) -> AuditFinding | None:
        """Check what no phase came to: what others name is there only if it was signed."""
        if self._views:
            return self._finding(None, Code.MALFORMED, "a view that has not begun")
        unseen = [e for e in self._evidence if self.line.statements.get(e.key) is None]
        return next(filter(None, map(self._keep, unseen)), None)

    def rules_part(self, game: Game) -> Told:
        """Return that the game was made with other rules, which part from those here now."""
        context = self.transcript.context
        return rules_part(game, context.roster.rules, context.referee)

    def _phase(self, moves: Sequence[SignedMessage]) -> AuditFinding | None:
        number = self.transcript.number
        for signed in (*moves, *(e for e in self._evidence if e.phase == number)):
            if (found := self._keep(signed)) is not None:
                return found
        if (found := self._begin_views()) is not None:
            return found
        for signed in [e for e in self._evidence if e.kind == MOVE and e.phase == number]:
            self._judge(signed)
        for signed in moves:
            have = self.transcript.moves[-1].get(signed.sender)
            if have is not None and have.key == signed.key and signed.view < self.transcript.view:
                continue  # a view has carried it
            if signed.phase != number or signed.sender not in self.transcript.missing:
                return self._finding(None, Code.MALFORMED, "a message stands where none is due")
            if (found := self._message(signed)) is not None:
                return found
        return self._complete()

    def _complete(self) -> AuditFinding | None:
        number = self.transcript.number
        here = [each for each in self._complaints.items() if each[1].accused.phase == number]
        self._judge_complaints(here)
        self.line.finish()
        if self.transcript.number == UNNAMED:  # the game has its id: these can be checked
            for signed in self._early:
                if (found := self._keep(signed)) is not None:
                    return found
            for past in self._pasts:
                self.line.statements.show(past)
        caught = self.transcript.context.late_violations
        self._found += [self._finding(p, *what) for p, what in sorted(caught.items())]
        caught.clear()
        return None

    def _keep(self, signed: SignedMessage) -> AuditFinding | None:
        """Keep a statement of the record, however much there is of its author."""
        if self.transcript.number < UNNAMED and (signed.kind == STATUS or signed.phase >= UNNAMED):
            self._early.append(signed)
            return None
        try:
            _, proof = self.line.statements.add(signed, lambda _: True)
        except PeerError as error:
            return self._finding(None, error.code, f"the record was altered: {error.text}")
        found = self.line.statements.proven(proof)
        if self.line.roster.protocol > UNSIGNED:  # of older ones evidence by itself alone is judged
            self._found += map(_convicted, found)
        return None

    def _begin_views(self) -> AuditFinding | None:
        """Begin the views of this phase: each is signed by all of its members."""
        while self._views and self.transcript.number >= SETUP:
            statuses = self._views[0]
            self.line.expect(statuses)
            for signed in statuses:
                if (found := self._keep(signed)) is not None:
                    return found
            known = [self.line.statements.get(signed.key) for signed in statuses]
            for proof in filter(None, map(alone, filter(None, known))):
                return _convicted(proof, STATUS)
            said = [k.said for k in known if k is not None and isinstance(k.said, StatusMessage)]
            if len(said) < len(statuses) or not _certifies(said, self.line.roster):
                return self._finding(None, Code.MALFORMED, "a view that not all have signed")
            if not all(key in self._kept for status in said for key in status.evidence):
                return self._finding(None, Code.MALFORMED, LEFT_OUT)
            top, past = furthest(said)
            if top[1] > self.transcript.number:
                return None
            if past != self.transcript.past.hash:
                return self._finding(None, Code.MALFORMED, "a view of another game")
            del self._views[0]
            self.line.adopt([k for k in known if k is not None])
        return None

    def _judge(self, signed: SignedMessage) -> None:
        """Find the fault of a message that did not count, if it is of this line of the game."""
        transcript, known = self.transcript, self.line.statements.get(signed.key)
        move = known.said if known is not None else None
        if not isinstance(move, PhaseMessage) or transcript.phase is None:
            return
        if not transcript.fits(move) or move.sender not in transcript.carriable:
            return
        try:
            if move.state != transcript.state:
                text = f"phase {move.phase}: signed another public state"
                raise PeerError(Code.DIVERGED, text)
            transcript.phase.check(move.sender, move.parts)
        except PeerError as error:
            self._found.append(self._finding(signed.sender, error.code, error.text))
        except CryptoError as error:
            self._found.append(self._finding(signed.sender, Code.BAD_PROOF, str(error)))

    def _message(self, signed: SignedMessage) -> AuditFinding | None:
        known = self.line.statements.get(signed.key)
        if known is None:  # of a view so far ahead that nobody would keep it: it is not checked
            return self._finding(None, Code.MALFORMED, "a message stands where none is due")
        if not isinstance(known.said, PhaseMessage):
            return self._finding(signed.sender, Code.MALFORMED, "a message that nobody can read")
        if known.said.previous != self.transcript.past.hash:
            proof = judge(self.line, known)
            text = "the record was altered: a message names another past than the others make"
            return self._finding(None if proof is None else proof.peer, Code.DIVERGED, text)
        try:
            self.transcript.bring(signed, known.said)
        except ProtocolViolation as fault:
            return self._finding(fault.peer, fault.code, fault.text)
        if not self._kept.issuperset(self.transcript.finals.get(signed.sender, ())):
            return self._finding(None, Code.MALFORMED, LEFT_OUT)
        return None

    def _judge_complaints(self, complaints: Iterable[tuple[Key, Complaint]]) -> None:
        """Find whom complaints convict: each once, as far as that can be told by now."""
        for key, complaint in complaints:
            proof = judged(complaint, evidence.known(complaint.accused).said, self.line)
            if proof is not None:
                del self._complaints[key]
                self._found.append(_convicted(proof, _kind(self.transcript.phase)))

    def _finding(self, peer: int | None, code: Code, text: str) -> AuditFinding:
        return AuditFinding(peer, self.transcript.number, _kind(self.transcript.phase), code, text)


def _convicted(proof: Proof, kind: str = MOVE) -> AuditFinding:
    return AuditFinding(proof.peer, proof.phase, kind, proof.code, proof.text)


def _certifies(statuses: Sequence[StatusMessage], roster: Roster) -> bool:
    """Tell whether statuses are those of all members of one attempt, a quorum at least."""
    attempts = {(status.attempt, status.members) for status in statuses}
    if len(attempts) != 1:
        return False
    members = statuses[0].members
    return tuple(s.author for s in statuses) == members and len(members) >= roster.quorum


def check_record(game: Game, record: Record) -> AuditReport:
    """Check a network game's record: every signature, roll, shuffle, share, move and the end.

    Raises ``ValueError`` if the record holds no network game, or one of rules that part from these:
    then nobody is accused.
    """
    if "moves" in record.extra and "views" not in record.extra:
        raise errors.Mistake(errors.Fault.RECORD_OLDER)
    try:
        roster = parse_roster(record.extra["roster"])
        phases = items(record.extra["moves"], _MESSAGES, "phases", parse_phase)
        heard = record.extra.get("complaints", ())
        complaints = items(heard, _MESSAGES, "complaints", parse_complaint)
        views = items(record.extra["views"], _MESSAGES, "views", parse_view)
        evidence = items(record.extra.get("evidence", ()), _MESSAGES, "evidence", parse_statement)
        pasts = items(record.extra.get("pasts", ()), _MESSAGES, "pasts", parse_past)
        check_table(game, len(roster.names), roster.options)
    except KeyError as error:
        raise errors.Mistake(errors.Fault.RECORD_UNSIGNED) from error
    except PeerError as error:
        raise errors.Mistake(errors.Fault.RECORD_FIELDS, why=error.text) from error
    if roster.game != game.name:
        raise errors.Mistake(errors.Fault.RECORD_FIELDS, why=f"its roster is of {roster.game}")
    auditor = Auditor(game, roster, pasts)
    found = _start(roster) or auditor.follow(phases, complaints, views, evidence)
    found = found or _end(auditor.transcript, record)
    if found is not None and not game.plays(roster.rules):
        raise errors.Mistake(auditor.rules_part(game))
    found = found or _offered(roster, record.extra.get(OFFERS, ()))
    ended = auditor.transcript.phase is None
    return AuditReport(roster, auditor.transcript.checked, found, ended)


def _start(roster: Roster) -> AuditFinding | None:
    """Check that all peers have signed the table that was offered to them."""
    try:
        check_start(roster)
    except PeerError:
        text = "the record was altered: not all have signed the table that they play at"
        return AuditFinding(None, 0, "start", Code.MALFORMED, text)
    return None


def _offered(roster: Roster, plain: Any) -> AuditFinding | None:
    """Find who has signed two offers of this table in one term, whether it has a seat or not."""
    try:
        given = items(plain, 2 * MOST, OFFERS, parse_accept)
    except PeerError as error:
        return AuditFinding(None, 0, "start", error.code, f"the record was altered: {error.text}")
    of_table = (each for each in given if each.table == roster.table)
    for key, (one, _) in sorted(signed_twice((*accepts_of(roster), *of_table)).items()):
        place = next((n for n, peer in enumerate(roster.peers) if peer.public == key), None)
        text = f"signed two offers of term {one.term}"
        return AuditFinding(place, 0, "start", Code.EQUIVOCATION, text, key)
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
            at = transcript.number, _kind(transcript.phase)
            return AuditFinding(None, *at, Code.MALFORMED, text)
    return None


def _kind(phase: Phase | None) -> str:
    return "end" if phase is None else type(phase).__name__
