"""The replica: signed messages in, signed messages and events out; no clock, socket or chance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lanplay import errors
from lanplay.engine.question import Answer
from lanplay_protocol.crypto.hashing import digest, number
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.cut import (
    Alive,
    Leave,
    parse_ballots,
    parse_decided,
)
from lanplay_protocol.replica.disputes import parse_report
from lanplay_protocol.replica.events import (
    Event,
    Logged,
    LoggedBefore,
    Persist,
    SeatReassigned,
)
from lanplay_protocol.replica.failure_detector import parse_liveness
from lanplay_protocol.replica.jobs import Job, JobResult
from lanplay_protocol.replica.membership import PATIENCE, Membership
from lanplay_protocol.replica.messages import (
    PHASES,
    PhaseMessage,
    SignedMessage,
    parse_complaint,
    parse_signed,
)
from lanplay_protocol.replica.opening import UNNAMED
from lanplay_protocol.replica.restart import last_boundary
from lanplay_protocol.replica.transcript import ProtocolViolation
from lanplay_protocol.schema import fields, uint
from lanplay_protocol.wire import decode

AHEAD = 16
"""Phases that a peer may be ahead; what comes from further on is not kept."""
CHUNK = 64
"""Phases that are sent at once to a peer that is behind."""
RESENDS = 32
"""Times that one peer may ask for messages again in ``NUDGE`` seconds."""
BEATS = 1 << 20
"""Signs of life in a phase."""
NUDGE = 2.0
"""Seconds after which missing messages are asked for again."""
REPORTS = 5.0
"""Seconds to wait for reports in a dispute."""


class Replica(Membership):
    """One peer's side of a game among ``roster.peers``.

    ``seed`` is 32 secret bytes, fresh for every game: key and nonce are made of it. Unless it is
    ``trusted`` who sits here, the game waits for ``trust`` after its keys are known. Every method
    that takes ``now`` (seconds, any origin, never backwards) returns events in order;
    ``deadline`` says when ``tick`` is due at the latest.
    """

    def start(self, now: float) -> list[Event]:
        """Begin: send this peer's key."""
        self._since = now
        return self._go_on(now)

    def restore(
        self, entries: Iterable[tuple[str, Any]], now: float, incomplete: bool = False
    ) -> list[Event]:
        """Resume, instead of ``start``, from the entries that this peer had persisted, in order.

        ``incomplete`` entries miss some of what this peer may have said: it says nothing more
        before the table has cut it off, and then comes back as any other. The events begin with all
        that has been in the log (``LoggedBefore``). Raises ``ValueError`` if the entries do not
        make one game of this peer.
        """
        self._replaying = self.context.replaying = True
        past: list[Event] = []
        try:
            for kind, plain in entries:
                self._recall(kind, plain)
                past += self._recalled()
        except (ProtocolViolation, PeerError) as error:
            raise ValueError(f"phase {self.transcript.number}: {error}") from error
        self._replaying = self.context.replaying = False
        if self.context.publics and self.context.publics[self.me] != self.context.key.X:
            raise ValueError(f"phase {self.transcript.number}: the messages of another seed")
        self._incomplete = incomplete and not self._out
        return [*past, *self._recalled(), *self.start(now)]

    def _recalled(self) -> list[Event]:
        """Return what an entry from disk has brought to the log."""
        self._log()
        number = self.context.referee.table.round
        logged = (each for each in self._drain() if isinstance(each, Logged))
        return [LoggedBefore(number, each.message) for each in logged]

    def bot_key(self, seat: int) -> bytes:
        """Return 32 secret bytes for an AI of this peer at a seat, the same after a restart."""
        return digest("bot", self._seed, number(seat))

    def answer(self, seat: int, answer: Answer, now: float) -> list[Event]:
        """Answer the question that ``AnswerNeeded`` put to a seat.

        Raises ``Illegal`` if the answer breaks the rules (ask again), ``ValueError`` if the seat is
        not asked.
        """
        question = dict(self._questions()).get(seat)
        if question is None:
            raise ValueError(f"seat {seat} is not asked")
        question.check(answer)
        question.check_own(answer, self.views[seat])
        self.context.answers[seat] = answer
        return self._go_on(now)

    def job_done(self, job: Job, work: JobResult, now: float) -> list[Event]:
        """Take the result of a job from ``jobs.next``, and go on with it."""
        self.jobs.finish(job, work)
        if self.jobs.next is None:
            self._take_early(now)
        return self._go_on(now)

    def trust(self, now: float) -> list[Event]:
        """Agree to who sits here, after ``TrustNeeded``."""
        self.context.trusted = True
        return self._go_on(now)

    def receive(self, peer: int, body: bytes, now: float) -> list[Event]:
        """Take what the connection of ``peer`` brought.

        Raises ``PeerError`` if the connection has to be closed; faults against the game come as
        ``Accused`` events instead, as they may be another peer's.
        """
        kind, payload = fields(decode(body), 2, "message")
        match kind:
            case "move":
                self._take(parse_signed(payload), now, peer)
            case "want":
                self._wanted(peer, now, uint(payload, PHASES, "phase"))
            case "here":
                self._stands(peer, payload)
            case "presence":
                self._said(peer, parse_liveness(payload))
            case "cut":
                ballots = parse_ballots(payload)
                self._hear(ballots, now)
                self._relay(peer, "cut", payload, ballots.sender)
            case "anew":
                self._take_restart_vote(peer, payload)
            case "decided":
                self._learn(parse_decided(payload), now)
            case "complaint":
                self._complained(parse_complaint(payload))
            case "report":
                self._take_report(peer, parse_report(payload), now)
            case _:
                raise PeerError(Code.UNEXPECTED, f"a message of kind {kind!r}", peer)
        return self._go_on(now)

    def tick(self, now: float) -> list[Event]:
        """Let time pass: ask for what is missing, accuse who withholds, suspect who is gone."""
        if self.deadline is None or now < self.deadline:
            return []
        if self._alive_at is not None and now >= self._alive_at:
            self._alive_at = None
            self._beat += 1
            self._say(Alive(self.transcript.number * BEATS + self._beat), now)
        if self._nudge_at is not None and now >= self._nudge_at:
            self._nudge_at = None
            self._nudge(now)
        return self._go_on(now)

    def _nudge(self, now: float) -> None:
        if self._detector.liveness.unreachable:
            self._post("presence", self._detector.liveness.plain())
        if self._dispute is not None:
            self._judge(final=True)
        elif self.transcript.number < UNNAMED and self._withholding(now):
            # what they signed may be for another roster: then the host told each another one
            self._halt(errors.Fault.NOT_AGREED.of())
        elif withholding := self._withholding(now):
            for peer in withholding:
                self._accuse(peer, Code.WITHHOLDS, "does not send what its program owes")
        elif self.waiting_for - {self.me} or self._out or self._incomplete or self._deciding.frozen:
            self._post("want", self.transcript.number)

    def _withholding(self, now: float) -> list[int]:
        """Return who is there, owes something that needs no person, and does not send it."""
        if self._deciding.frozen or self._excluded & self.transcript.members:
            return []
        late = {peer for peer in self.waiting_for - {self.me} if self._detector.heard(peer)}
        urged = {} if self._prompt else self._to_skip
        late = late if self._prompt else late & urged.keys()
        since = {p: max(self._since, self._back.get(p, 0.0), urged.get(p, 0.0)) for p in late}
        return sorted(peer for peer in late if now - since[peer] >= PATIENCE)

    def link_down(self, peer: int, now: float) -> list[Event]:
        """Mark the link to ``peer`` as lost, and tell the others."""
        self._detector.link_down(peer, now)
        self._post("presence", self._detector.liveness.plain())
        return self._go_on(now)

    def link_up(self, peer: int, now: float) -> list[Event]:
        """Mark the link to ``peer`` as up, and send what it may have missed."""
        self._detector.link_up(peer)
        self._back.setdefault(peer, now)
        self._post("presence", self._detector.liveness.plain())
        for decided in self.decided:
            self._post("decided", decided.plain(), peer)
        self._post("here", self._here(), peer)
        for phase in range(max(0, self.transcript.number - 1), self.transcript.number + 1):
            self._resend(peer, phase)
        for _, complaint in sorted(self._complaints.items()):
            self._post("complaint", complaint.plain(), peer)
        return self._go_on(now)

    def set_away(self, away: bool, now: float) -> list[Event]:
        """Tell the others that AI answers for this peer's people, or that they do again."""
        seating = self.context.seating
        people = {s for s in seating.of(self.me) if not seating.holders[s].bot}
        self._detector.away = people if away else set()
        self._post("presence", self._detector.liveness.plain())
        return self._go_on(now)

    def journal_failed(self, now: float) -> list[Event]:
        """Tell the others that this peer cannot keep the game on its disk."""
        self._detector.not_durable = True
        self._post("presence", self._detector.liveness.plain())
        return self._go_on(now)

    def skip_wait(self, peer: int, now: float) -> list[Event]:
        """Do not wait for a peer: a majority lets AI take a missing one's seats at once.

        The program of one that is there lets its AI answer.
        """
        self._detector.skip_wait(peer)
        self._post("presence", self._detector.liveness.plain())
        return self._go_on(now)

    def keep_waiting(self, peer: int, now: float) -> list[Event]:
        """Wait for a missing peer, however long it takes."""
        self._detector.keep_waiting(peer)
        self._post("presence", self._detector.liveness.plain())
        return self._go_on(now)

    def continue_without(self, nonce: bytes, now: float) -> list[Event]:
        """Vote for continuing as a new game with those who are here, as too few are.

        ``nonce`` is 32 fresh bytes. ``ValueError`` where that cannot be: enough are here, or no
        round has begun.
        """
        known = last_boundary(self._game, self.roster, self.context.referee.history)
        if not self._waiting:
            raise errors.Mistake(errors.Fault.ENOUGH_HERE)
        if known is None:
            raise errors.Mistake(errors.Fault.NO_ROUND)
        self._restart_votes[self.me] = (nonce, known)
        self._post("anew", (nonce, known))
        return self._go_on(now)

    def leave(self, now: float) -> list[Event]:
        """Give up this peer's seats for now: nobody waits for it, AI takes them at once."""
        self._leaving = True
        if self._begun:
            self._say(Leave(self._deciding.number), now)
        return self._drain()

    def _take(self, signed: SignedMessage, now: float, peer: int) -> None:
        transcript = self.transcript
        shut = self._deciding.given_up | (self._excluded & transcript.members)
        if signed.sender in shut and (peer == signed.sender or not self._deciding.frozen):
            return  # what others already count of it is needed to come to where they stand
        if peer in self._excluded:
            return  # what it says in two ways, others have had in one
        self._relay(peer, "move", signed.plain(), signed.sender)
        if signed.phase == transcript.number and signed.sender in transcript.missing:
            self._check(signed, now)
        elif signed.phase <= transcript.number:
            self._compare(signed)
        elif signed.phase <= transcript.number + AHEAD and self._genuine(signed, peer):
            self._early.setdefault(signed.phase, {}).setdefault(signed.sender, signed)

    def _genuine(self, signed: SignedMessage, peer: int) -> bool:
        """Tell whether a message is its author's, who may have sent it through another peer."""
        if signed.sender == peer or signed.phase < UNNAMED:
            return signed.sender == peer
        try:
            self.transcript.verified(signed)
        except PeerError:
            return False
        return True

    def _check(self, signed: SignedMessage, now: float) -> None:
        transcript = self.transcript
        if self.halted:
            return
        try:
            move = transcript.verified(signed)
        except PeerError:
            return
        odd = self._divergent.get(signed.sender)
        twice = odd is not None and odd[1].slot == move.slot
        if move.epoch > transcript.epoch:
            self._post("here", self._here())  # a cut was decided that this peer has not seen
        elif move.epoch < transcript.epoch:
            return  # its author has not seen a cut
        elif transcript.agrees(move) and not twice:
            self._bring(signed, move)
        elif any(cut.phase > transcript.number for cut in transcript.cuts):
            self._again_from(0)  # the line that was decided on is another one than this
        elif not self._out and not self._excluded & transcript.members:
            self._disagree(signed, move, now)

    def _bring(self, signed: SignedMessage, move: PhaseMessage) -> None:
        try:
            if self._needs_work(move):
                self._early.setdefault(signed.phase, {}).setdefault(signed.sender, signed)
                return
            self._take_in(signed, move)
            self._events.append(Persist(("move", signed.plain()), binding=False))
            if signed.sender in self._withholders and not self._deciding.frozen:
                self._withholders.discard(signed.sender)
                self._detector.link_up(signed.sender)
            self._show_false()
        except ProtocolViolation as fault:
            self._accuse(fault.peer, fault.code, fault.text)

    def _needs_work(self, move: PhaseMessage) -> bool:
        """Tell whether a shell has first to do the long part of checking a move."""
        if self.transcript.phase is None:
            return False
        try:
            return self.jobs.pending(self.transcript.phase.checking(move.sender, move.parts))
        except PeerError:
            return False  # checking it will tell what is wrong

    def _wanted(self, peer: int, now: float, phase: int) -> None:
        """Send a phase again, unless this peer asks faster than anybody needs to."""
        recent = [at for at in self._wants.get(peer, ()) if now - at < NUDGE]
        if len(recent) < RESENDS:
            self._wants[peer] = [*recent, now]
            for each in range(phase, min(phase + CHUNK, len(self.moves))):
                self._resend(peer, each)
            for _, complaint in sorted(self._complaints.items()):
                self._post("complaint", complaint.plain(), peer)
            self._post("here", self._here(), peer)

    def _resend(self, peer: int, phase: int) -> None:
        if phase < len(self.moves):
            for _, signed in sorted(self.moves[phase].items()):
                self._post("move", signed.plain(), peer)

    @property
    def proof(self) -> dict[str, Any]:
        """Everything that was signed in this game, as a record keeps it (see ``audit``)."""
        moves = tuple(
            tuple(signed.plain() for _, signed in sorted(phase.items())) for phase in self.moves
        )
        return {
            "roster": self.roster.plain(),
            "moves": moves,
            "complaints": tuple(each.plain() for each in self.complaints),
            "doubles": tuple(each.plain() for each in self.transcript.equivocations),
            "faults": tuple(each.plain() for each in self.transcript.faults),
            "cuts": tuple(each.plain() for each in self.decided),
        }

    def _go_on(self, now: float) -> list[Event]:
        self._show_false()
        self._name_late_violations()
        self._advance(now)
        if not self.halted and not self.over:
            self._look(now)
            self._vote(now)
            self._advance(now)
            self._ask_back(now)
        self._set_deadline(now)
        return self._drain()

    def _advance(self, now: float) -> None:
        while not self.halted and not self.over and self._dispute is None:
            moved = not self._deciding.frozen and self._send_mine()
            if not self._finish_phase(now) and not moved:
                return

    def _finish_phase(self, now: float) -> bool:
        if not self.transcript.finish(self._events.append):
            return False
        self._log()
        self._name_late_violations()
        seating = self.context.seating
        self._events += [SeatReassigned(seat, holder) for seat, holder in seating.take_changes()]
        self._asked.clear()
        self._since = now
        self._back.clear()
        self._nudge_at = None
        if self._find_line():
            return True
        if self.transcript.phase is None:
            self._finish()
        else:
            self._take_early(now)
            self._judge_complaints()
            for peer, report in sorted(self._early_reports.items()):
                self._take_report(peer, report, now)
        return True

    def _name_late_violations(self) -> None:
        """Accuse those whose false commitments or claims came out as the game went on."""
        for peer, (code, text) in sorted(self.context.late_violations.items()):
            if not self.halted:
                self._accuse(peer, code, text)

    def _take_early(self, now: float) -> None:
        for _, signed in sorted(self._early.pop(self.transcript.number, {}).items()):
            self._take(signed, now, self.me)

    def _set_deadline(self, now: float) -> None:
        if self.halted or self.over or self.transcript.phase is None:
            self.deadline = None
            return
        if self._nudge_at is None:
            dispute = self._dispute is not None
            self._nudge_at = self._since + REPORTS if dispute else now + NUDGE
        members = self.transcript.members
        due = [self._nudge_at, self._detector.deadline(members, now), self._cut_at]
        if (self._out and not self._leaving) or self._incomplete:
            due.append(self._return_at)
        if self._begun and not self._out and self._detector.liveness.unreachable & members:
            self._alive_at = now + NUDGE if self._alive_at is None else self._alive_at
            due.append(self._alive_at)
        self.deadline = min(each for each in due if each is not None)
