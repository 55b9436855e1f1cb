"""The replica: signed messages in, signed messages and events out; no clock, socket or chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lanplay import errors
from lanplay_protocol.crypto.hashing import digest, number
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica import inputs
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
    SeatReassigned,
)
from lanplay_protocol.replica.failure_detector import parse_liveness
from lanplay_protocol.replica.membership import PATIENCE, Membership
from lanplay_protocol.replica.messages import (
    PHASES,
    PhaseMessage,
    SignedMessage,
    parse_complaint,
    parse_signed,
)
from lanplay_protocol.replica.opening import UNNAMED
from lanplay_protocol.replica.outbox import Output
from lanplay_protocol.replica.restart import last_boundary
from lanplay_protocol.replica.status import Change, Quorum
from lanplay_protocol.replica.timers import Timer
from lanplay_protocol.replica.transcript import ProtocolViolation
from lanplay_protocol.schema import uint

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
    ``trusted`` who sits here, the game waits for ``Trusted`` after its keys are known.
    """

    def step(self, given: inputs.Input, now: float) -> Output:
        """Take one input at a time in seconds, of any origin, never backwards.

        Raises ``PeerError`` for a message whose connection has to be closed (violations of the
        game's rules come as ``Accused`` events instead, as they may be another peer's), ``Illegal``
        for an answer that breaks the rules, ``Mistake`` for a wish that cannot be met, and
        ``ValueError`` for entries that do not make one game of this peer.
        """
        if not isinstance(given, inputs.Ticked) or self._timers.passed(now):
            _STEPS[type(given)](self, given, now)
            self._go_on(now)
        return self._outbox.take(self.jobs.next, self._timers.deadline)

    def _start(self, given: inputs.Started, now: float) -> None:
        self._since = now

    def _restore(self, given: inputs.Restored, now: float) -> None:
        self.context.replaying = True
        past: list[Event] = []
        try:
            for kind, plain in given.entries:
                self._recall(kind, plain)
                past += self._recalled()
        except (ProtocolViolation, PeerError) as error:
            raise ValueError(f"phase {self.transcript.number}: {error}") from error
        self.context.replaying = False
        if self.context.publics and self.context.publics[self.me] != self.context.key.X:
            raise ValueError(f"phase {self.transcript.number}: the messages of another seed")
        if given.incomplete:
            self.status.on(Change.FOUND_INCOMPLETE)
        self._outbox.tell(*past, *self._recalled())
        self._since = now

    def _recalled(self) -> list[LoggedBefore]:
        """Return what an entry from disk has brought to the log; all else was said before."""
        self._log()
        number = self.context.referee.table.round
        logged = [each for each in self._outbox.take().events if isinstance(each, Logged)]
        return [LoggedBefore(number, each.message) for each in logged]

    def bot_key(self, seat: int) -> bytes:
        """Return 32 secret bytes for an AI of this peer at a seat, the same after a restart."""
        return digest("bot", self._seed, number(seat))

    def _answer(self, given: inputs.Answered, now: float) -> None:
        question = dict(self._questions()).get(given.seat)
        if question is None:
            raise ValueError(f"seat {given.seat} is not asked")
        question.check(given.answer)
        question.check_own(given.answer, self.views[given.seat])
        self.context.answers[given.seat] = given.answer

    def _job_done(self, given: inputs.JobDone, now: float) -> None:
        self.jobs.finish(given.job, given.result)
        if self.jobs.next is None:
            self._take_early(now)

    def _trust(self, given: inputs.Trusted, now: float) -> None:
        self.context.trusted = True

    def _receive(self, given: inputs.Received, now: float) -> None:
        peer, payload = given.peer, given.payload
        match given.kind:
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
                raise PeerError(Code.UNEXPECTED, f"a message of kind {given.kind!r}", peer)

    def _tick(self, given: inputs.Ticked, now: float) -> None:
        """Ask for what is missing, accuse who withholds, suspect who is gone."""
        if self._timers.fired(Timer.HEARTBEAT, now):
            self._beat += 1
            self._say(Alive(self.transcript.number * BEATS + self._beat), now)
        if self._timers.fired(Timer.NUDGE, now):
            self._nudge(now)

    def _nudge(self, now: float) -> None:
        if self._detector.liveness.unreachable:
            self._post_liveness()
        if self.status.disputed:
            self._judge(final=True)
        elif self.transcript.number < UNNAMED and self._withholding(now):
            # what they signed may be for another roster: then the host told each another one
            self._halt(errors.Fault.NOT_AGREED.of())
        elif withholding := self._withholding(now):
            for peer in withholding:
                self._accuse(peer, Code.WITHHOLDS, "does not send what its program owes")
        elif self.waiting_for - {self.me} or not self.status.member or self.status.promised:
            self._outbox.post("want", self.transcript.number)

    def _withholding(self, now: float) -> list[int]:
        """Return who is there, owes something that needs no person, and does not send it."""
        if self.status.promised or self._excluded & self.transcript.members:
            return []
        late = {peer for peer in self.waiting_for - {self.me} if self._detector.heard(peer)}
        urged = {} if self._prompt else self._to_skip
        late = late if self._prompt else late & urged.keys()
        since = {p: max(self._since, self._back.get(p, 0.0), urged.get(p, 0.0)) for p in late}
        return sorted(peer for peer in late if now - since[peer] >= PATIENCE)

    def _link_down(self, given: inputs.LinkDown, now: float) -> None:
        self._detector.link_down(given.peer, now)
        self._post_liveness()

    def _link_up(self, given: inputs.LinkUp, now: float) -> None:
        """Send what a peer whose connection was renewed may have missed."""
        peer = given.peer
        self._detector.link_up(peer)
        self._back.setdefault(peer, now)
        self._post_liveness()
        for decided in self.decided:
            self._outbox.post("decided", decided.plain(), peer)
        self._outbox.post("here", self._here(), peer)
        for phase in range(max(0, self.transcript.number - 1), self.transcript.number + 1):
            self._resend(peer, phase)
        for _, complaint in sorted(self._complaints.items()):
            self._outbox.post("complaint", complaint.plain(), peer)

    def _set_away(self, given: inputs.AwayChanged, now: float) -> None:
        seating = self.context.seating
        people = {s for s in seating.of(self.me) if not seating.holders[s].bot}
        self._detector.away = people & given.seats
        self._post_liveness()

    def _journal_failed(self, given: inputs.JournalFailed, now: float) -> None:
        self._detector.not_durable = True
        self._post_liveness()

    def _skip_wait(self, given: inputs.SkipWait, now: float) -> None:
        self._detector.skip_wait(given.peer)
        self._post_liveness()

    def _keep_waiting(self, given: inputs.KeepWaiting, now: float) -> None:
        self._detector.keep_waiting(given.peer)
        self._post_liveness()

    def _post_liveness(self) -> None:
        self._outbox.post("presence", self._detector.liveness.plain())

    def _continue_without(self, given: inputs.ContinueWithout, now: float) -> None:
        known = last_boundary(self._game, self.roster, self.context.referee.history)
        if self.status.quorum is Quorum.HERE:
            raise errors.Mistake(errors.Fault.ENOUGH_HERE)
        if known is None:
            raise errors.Mistake(errors.Fault.NO_ROUND)
        self._restart_votes[self.me] = (given.nonce, known)
        self._outbox.post("anew", (given.nonce, known))

    def _leave(self, given: inputs.Leaving, now: float) -> None:
        self.status.on(Change.LEFT)
        if self._begun:
            self._say(Leave(self._deciding.number), now)

    def _take(self, signed: SignedMessage, now: float, peer: int) -> None:
        transcript = self.transcript
        shut = self._deciding.given_up | (self._excluded & transcript.members)
        if signed.sender in shut and (peer == signed.sender or not self.status.promised):
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
        if self.status.halted:
            return
        try:
            move = transcript.verified(signed)
        except PeerError:
            return
        odd = self._divergent.get(signed.sender)
        twice = odd is not None and odd[1].slot == move.slot
        if move.epoch > transcript.epoch:
            self._outbox.post("here", self._here())  # a cut was decided that this peer has not seen
        elif move.epoch < transcript.epoch:
            return  # its author has not seen a cut
        elif transcript.agrees(move) and not twice:
            self._bring(signed, move)
        elif any(cut.phase > transcript.number for cut in transcript.cuts):
            self._again_from(0)  # the line that was decided on is another one than this
        elif not self.status.out and not self._excluded & transcript.members:
            self._disagree(signed, move, now)

    def _bring(self, signed: SignedMessage, move: PhaseMessage) -> None:
        try:
            if self._needs_work(move):
                self._early.setdefault(signed.phase, {}).setdefault(signed.sender, signed)
                return
            self._take_in(signed, move)
            self._outbox.persist("move", signed.plain())
            if signed.sender in self._withholders and not self.status.promised:
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
                self._outbox.post("complaint", complaint.plain(), peer)
            self._outbox.post("here", self._here(), peer)

    def _resend(self, peer: int, phase: int) -> None:
        if phase < len(self.moves):
            for _, signed in sorted(self.moves[phase].items()):
                self._outbox.post("move", signed.plain(), peer)

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

    def _go_on(self, now: float) -> None:
        self._show_false()
        self._name_late_violations()
        self._advance(now)
        if not self.status.stands:
            self._look(now)
            self._vote(now)
            self._advance(now)
            self._ask_back(now)
        self._set_deadline(now)

    def _advance(self, now: float) -> None:
        while not self.status.stands and not self.status.disputed:
            moved = not self.status.promised and self._send_mine()
            if not self._finish_phase(now) and not moved:
                return

    def _finish_phase(self, now: float) -> bool:
        if not self.transcript.finish(self._outbox.tell):
            return False
        self._level()
        self._log()
        self._name_late_violations()
        seating = self.context.seating
        self._outbox.tell(
            *(SeatReassigned(seat, holder) for seat, holder in seating.take_changes())
        )
        self._asked.clear()
        self._since = now
        self._back.clear()
        self._timers.stop(Timer.NUDGE)
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
            if not self.status.halted:
                self._accuse(peer, code, text)

    def _take_early(self, now: float) -> None:
        for _, signed in sorted(self._early.pop(self.transcript.number, {}).items()):
            self._take(signed, now, self.me)

    def _set_deadline(self, now: float) -> None:
        """Work out when time alone makes a difference next."""
        if self.status.stands or self.transcript.phase is None:
            self._timers.deadline = None
            return
        timers, members = self._timers, self.transcript.members
        timers.start(Timer.NUDGE, self._since + REPORTS if self.status.disputed else now + NUDGE)
        waits = [Timer.NUDGE, Timer.BALLOT]
        if self._may_ask_back:
            waits.append(Timer.REJOIN)
        if self._begun and not self.status.out and self._detector.liveness.unreachable & members:
            timers.start(Timer.HEARTBEAT, now + NUDGE)
            waits.append(Timer.HEARTBEAT)
        timers.wait_for(waits, self._detector.deadline(members, now))


_STEPS: dict[type[Any], Callable[[Replica, Any, float], None]] = {
    inputs.Started: Replica._start,
    inputs.Restored: Replica._restore,
    inputs.Received: Replica._receive,
    inputs.LinkUp: Replica._link_up,
    inputs.LinkDown: Replica._link_down,
    inputs.Answered: Replica._answer,
    inputs.Trusted: Replica._trust,
    inputs.JobDone: Replica._job_done,
    inputs.AwayChanged: Replica._set_away,
    inputs.JournalFailed: Replica._journal_failed,
    inputs.SkipWait: Replica._skip_wait,
    inputs.KeepWaiting: Replica._keep_waiting,
    inputs.ContinueWithout: Replica._continue_without,
    inputs.Leaving: Replica._leave,
    inputs.Ticked: Replica._tick,
}
