"""The replica: signed messages in, signed messages and events out; no clock, socket or chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lanplay.engine.game import FalseClaim, Game
from lanplay.engine.question import Answer, Question
from lanplay.engine.referee import Referee
from lanplay.engine.view import View
from protocol.crypto.errors import CryptoError
from protocol.crypto.hashing import digest
from protocol.crypto.keys import GameKey
from protocol.crypto.sealing import disclose
from protocol.errors import Code, PeerError
from protocol.identity import Identity
from protocol.replica.context import Context
from protocol.replica.course import Course, Fault
from protocol.replica.disputes import Report, field_hashes, judge, parse_report
from protocol.replica.events import Accused, Ask, Confirm, Event, Happened, Held, Keep, Over, Send
from protocol.replica.messages import (
    Complaint,
    Move,
    Signed,
    check_complaint,
    complain,
    parse_complaint,
    parse_signed,
    sign,
)
from protocol.replica.opening import UNNAMED, Promises, Ready
from protocol.replica.phases import Asking
from protocol.replica.roster import Roster
from protocol.schema import fields, uint
from protocol.wire import decode, encode

AHEAD = 16
"""Phases that a peer may be ahead; what comes from further on is not kept."""
RESENDS = 8
"""Phases that one peer may ask for again in ``NUDGE`` seconds."""
PATIENCE = 10.0
"""Seconds that a program may keep the table waiting for what it owes without its person."""
NUDGE = 2.0
"""Seconds after which missing messages are asked for again."""
REPORTS = 5.0
"""Seconds to wait for reports in a dispute."""


class Replica:
    """One peer's side of a game among ``roster.peers``.

    ``seed`` is 32 secret bytes, fresh for every game: key and nonce are made of it. Unless it is
    ``trusted`` who sits here, the game waits for ``trust`` after its keys are known. Every method
    that takes ``now`` (seconds, any origin, never backwards) returns events in order;
    ``deadline`` says when ``tick`` is due at the latest.
    """

    def __init__(
        self,
        game: Game,
        roster: Roster,
        identity: Identity,
        seed: bytes,
        trusted: bool = True,
        log: bool = True,
    ) -> None:
        table = game.table(len(roster.names), roster.options)
        table.log = [] if log else None
        me = next(p for p, peer in enumerate(roster.peers) if peer.public == identity.public)
        key = GameKey.derive(digest("game key", seed))
        self.context = Context(roster, me, key, Referee(game, table))
        self.held: Held | None = None
        self.over = False
        self.deadline: float | None = None
        self.context.trusted = trusted
        self.course = Course(self.context, Promises(self.context, digest("nonce", seed)))
        self._identity = identity
        self._game = game
        self._early: dict[int, dict[int, Signed]] = {}
        self._asked: set[int] = set()
        self._confirming = False
        self._complaints: dict[int, Complaint] = {}
        self._wants: dict[int, list[float]] = {}
        self._absent: set[int] = set()
        self._back: dict[int, float] = {}
        self._reports: dict[int, Report] = {}
        self._early_reports: dict[int, Report] = {}
        self._odd: dict[int, tuple[Signed, Move]] = {}
        self._dispute: int | None = None
        self._since = 0.0
        self._events: list[Event] = []

    @property
    def views(self) -> Mapping[int, View[Any]]:
        """The views of this peer's own seats."""
        return self.context.views

    @property
    def waiting_for(self) -> frozenset[int]:
        """The peers whose message of the present phase is still missing."""
        return self.course.missing

    def start(self, now: float) -> list[Event]:
        """Begin: send this peer's key."""
        self._since = now
        return self._go_on(now)

    def restore(self, moves: Iterable[Signed], now: float) -> list[Event]:
        """Go on, instead of ``start``, where this peer had kept these messages in this order.

        Raises ``ValueError`` if they do not make one game of this peer.
        """
        try:
            for signed in moves:
                self._recall(signed)
        except (Fault, PeerError, FalseClaim) as error:
            raise ValueError(f"phase {self.course.number}: {error}") from error
        self._log()
        self._drain()
        return self.start(now)

    def _recall(self, signed: Signed) -> None:
        course = self.course
        if signed.phase != course.number or signed.sender not in course.missing:
            return
        move = course.verified(signed)
        if signed.sender == self.context.me and course.phase is not None:
            course.phase.recall(move.parts)
        course.bring(signed, move)
        course.finish(lambda _: None)

    def answer(self, seat: int, answer: Answer, now: float) -> list[Event]:
        """Answer the question that ``Ask`` put to a seat.

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

    def trust(self, now: float) -> list[Event]:
        """Agree to who sits here, after ``Confirm``."""
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
                self._wanted(peer, now, uint(payload, self.course.number + AHEAD, "phase"))
            case "complaint":
                self._complained(parse_complaint(payload))
            case "report":
                self._take_report(peer, parse_report(payload), now)
            case _:
                raise PeerError(Code.UNEXPECTED, f"a message of kind {kind!r}", peer)
        return self._go_on(now)

    def tick(self, now: float) -> list[Event]:
        """Let time pass: ask for what is missing, name who withholds, close a dispute."""
        if self.deadline is None or now < self.deadline:
            return []
        self.deadline = None
        if self._dispute is not None:
            self._judge(final=True)
        elif self.course.number < UNNAMED and self._withholding(now):
            # what they signed may be for another roster: then the host told each another one
            self._hold("the peers do not agree who sits at this table, or somebody does not answer")
        elif withholding := self._withholding(now):
            for peer in withholding:
                self._accuse(peer, Code.WITHHOLDS, "does not send what its program owes")
        elif self.waiting_for - {self.context.me}:
            self._post("want", self.course.number)
        return self._go_on(now)

    def _withholding(self, now: float) -> list[int]:
        """Return who is there, owes something that needs no person, and does not send it."""
        if not self._prompt:
            return []
        late = self.waiting_for - {self.context.me} - self._absent
        since = {peer: max(self._since, self._back.get(peer, 0.0)) for peer in late}
        return sorted(peer for peer in late if now - since[peer] >= PATIENCE)

    def absent(self, peer: int) -> None:
        """Know that there is no connection to a peer: the table waits for it, without blame."""
        self._absent.add(peer)

    def again(self, peer: int, now: float) -> list[Event]:
        """Return what a peer whose connection was renewed may have missed."""
        self._absent.discard(peer)
        self._back.setdefault(peer, now)
        for phase in range(max(0, self.course.number - 1), self.course.number + 1):
            self._resend(peer, phase)
        return self._drain()

    # -- messages ---------------------------------------------------------------------------------

    def _take(self, signed: Signed, now: float, peer: int) -> None:
        course = self.course
        if signed.phase == course.number and signed.sender in course.missing:
            self._check(signed, now)
        elif signed.phase <= course.number:
            self._compare(signed)
        elif signed.phase <= course.number + AHEAD and signed.sender == peer:
            self._early.setdefault(signed.phase, {}).setdefault(signed.sender, signed)

    def _compare(self, signed: Signed) -> None:
        """Judge a second message for a slot: the same is fine, another is a double signature."""
        if signed.phase > self.course.number or self.held:
            return
        known = self.course.moves[signed.phase].get(signed.sender)
        if known is not None and self.course.is_double(signed):
            self._post("move", known.plain())
            self._post("move", signed.plain())
            text = f"signed two messages for phase {signed.phase}"
            self._accuse(signed.sender, Code.EQUIVOCATION, text, signed.phase)

    def _check(self, signed: Signed, now: float) -> None:
        course = self.course
        if self.held:
            return
        try:
            move = course.verified(signed)
        except PeerError:
            return
        if not course.agrees(move):
            self._disagree(signed, move, now)
            return
        if (odd := self._odd.get(signed.sender)) is not None and odd[0].phase == signed.phase:
            self._disagree(signed, move, now)
            return
        try:
            course.bring(signed, move)
            self._events.append(Keep(signed, binding=False))
        except Fault as fault:
            if fault.sealed:
                self._complain(signed, move)
            else:
                self._accuse(fault.peer, fault.code, fault.text)

    def _complain(self, signed: Signed, move: Move) -> None:
        """Show everybody what was sealed to this peer, and let all judge it alike."""
        context, phase = self.context, self.course.sealed_phase(signed.phase)
        assert phase is not None
        label = phase.label(move.previous, move.phase, move.sender)
        sealed = phase.sealing(move.sender, context.me, move.parts)
        try:
            disclosure = disclose(context.key, sealed, label)
        except CryptoError:
            disclosure = b""  # malformed: everybody sees that without
        made = complain(context.me, signed, disclosure, self._identity)
        self._complained(made)

    def _complained(self, complaint: Complaint) -> None:
        check_complaint(complaint, self.context.roster)
        if complaint.author in self._complaints:
            return
        self._complaints[complaint.author] = complaint
        self._post("complaint", complaint.plain())
        self._judge_complaints()

    def _judge_complaints(self) -> None:
        for author, complaint in sorted(self._complaints.items()):
            phase = self.course.sealed_phase(complaint.accused.phase)
            if phase is None or self.held:
                continue
            try:
                move = self.course.verified(complaint.accused)
            except PeerError:
                culprit = author
            else:
                if not self.course.agrees(move):
                    continue  # a game that is not this one: the move itself begins the dispute
                culprit = phase.guilty(author, move, complaint.disclosure)
            if culprit == author:
                text = "complains of a message that is true"
                self._accuse(author, Code.FALSE_CLAIM, text, complaint.accused.phase)
            else:
                text = "what it sealed for another peer is false"
                self._accuse(culprit, Code.BAD_PROOF, text, complaint.accused.phase)

    def _wanted(self, peer: int, now: float, phase: int) -> None:
        """Send a phase again, unless this peer asks faster than anybody needs to."""
        recent = [at for at in self._wants.get(peer, ()) if now - at < NUDGE]
        if len(recent) < RESENDS:
            self._wants[peer] = [*recent, now]
            self._resend(peer, phase)

    def _resend(self, peer: int, phase: int) -> None:
        if phase < len(self.moves):
            for _, signed in sorted(self.moves[phase].items()):
                self._post("move", signed.plain(), peer)
        for _, complaint in sorted(self._complaints.items()):
            self._post("complaint", complaint.plain(), peer)

    def _post(self, kind: str, payload: Any, to: int | None = None) -> None:
        self._events.append(Send(encode((kind, payload)), to))

    # -- phases -----------------------------------------------------------------------------------

    @property
    def moves(self) -> Sequence[Mapping[int, Signed]]:
        """The accepted messages of every phase, by peer."""
        return self.course.moves

    @property
    def complaints(self) -> list[Complaint]:
        """What receivers have said against sealed parts, by author."""
        return [complaint for _, complaint in sorted(self._complaints.items())]

    @property
    def _prompt(self) -> bool:
        return self.course.phase is not None and self.course.phase.prompt

    def _go_on(self, now: float) -> list[Event]:
        moved = True
        while moved and not self.held and not self.over and self._dispute is None:
            moved = self._send_mine()
            moved = self._finish_phase(now) or moved
        self._set_deadline(now)
        return self._drain()

    def _send_mine(self) -> bool:
        course, context = self.course, self.context
        phase, me = course.phase, context.me
        if phase is None or me not in course.missing:
            return False
        self._ask()
        parts = phase.mine()
        if parts is None:
            return False
        move = Move(me, course.number, context.transcript, course.state, parts)
        signed = sign(move, self._identity, context.game_id)
        course.bring(signed, move)
        self._events.append(Keep(signed, binding=isinstance(phase, Asking)))
        self._post("move", signed.plain())
        return True

    def _questions(self) -> list[tuple[int, Question]]:
        phase = self.course.phase
        if isinstance(phase, Asking) and not phase.prompt:
            return phase.waiting()
        return []

    def _ask(self) -> None:
        if isinstance(self.course.phase, Ready) and not self._confirming:
            self._confirming = True
            self._events.append(Confirm(self.context.game_id))
        for seat, question in self._questions():
            sole = question.sole(self.views[seat])
            if sole is not None:
                self.context.answers[seat] = sole[0]
            elif seat not in self._asked:
                self._asked.add(seat)
                self._events.append(Ask(seat, question))

    def _finish_phase(self, now: float) -> bool:
        try:
            if not self.course.finish(self._events.append):
                return False
        except Fault as fault:
            self._accuse(fault.peer, fault.code, fault.text)
            return False
        self._log()
        self._asked.clear()
        self._since = now
        self._back.clear()
        self.deadline = None
        if self.course.phase is None:
            self._finish()
        else:
            self._take_early(now)
            self._judge_complaints()
            for peer, report in sorted(self._early_reports.items()):
                self._take_report(peer, report, now)
        return True

    def _take_early(self, now: float) -> None:
        for _, signed in sorted(self._early.pop(self.course.number, {}).items()):
            self._take(signed, now, signed.sender)

    def _finish(self) -> None:
        self.over = True
        self._events.append(Over(self._game.result(self.context.referee.table)))

    def _log(self) -> None:
        log = self.context.referee.table.log
        if log:
            self._events += [Happened(message) for message in log]
            log.clear()

    # -- disputes ---------------------------------------------------------------------------------

    def _disagree(self, signed: Signed, move: Move, now: float) -> None:
        """Pass on a message whose author signed another past, and find out who is at fault.

        All others come to see it: those who hold another message of that author for this slot have
        the proof, and so has this peer once it is sent that one.
        """
        odd = self._odd.setdefault(signed.sender, (signed, move))
        if odd[0].body != signed.body and odd[0].phase == signed.phase:
            self.course.doubles += [odd[0], signed]
            text = f"signed two messages for phase {signed.phase}"
            self._accuse(signed.sender, Code.EQUIVOCATION, text, signed.phase)
        elif odd[0] is signed:
            self._post("move", signed.plain())
            self._dispute_begins(now)

    def _dispute_begins(self, now: float) -> None:
        if self._dispute is None and self.context.phase:
            self._dispute = self.context.phase - 1
            self._since = now
            self._report(self._dispute)

    def _report(self, phase: int) -> None:
        context = self.context
        hashes = field_hashes(context.referee.table.public())
        moves = tuple(signed for _, signed in sorted(self.moves[phase].items()))
        mine = Report(phase, context.transcript, self.course.state, hashes, moves)
        self._reports[context.me] = mine
        self._post("report", mine.plain())

    def _take_report(self, peer: int, report: Report, now: float) -> None:
        if report.phase >= self.course.number:
            self._early_reports[peer] = report
        if self.held or self.over:
            return
        if report.phase != self.course.number - 1:
            for signed in report.moves:
                self._compare(signed)
            return
        same = {p: r for p, r in self._reports.items() if r.phase == report.phase}
        self._reports = {**same, peer: report}
        if len(self._reports.keys() - {self.context.me}) < len(self.context.roster.peers) - 1:
            if self._dispute is None:
                return  # one unsigned word holds no game; a message that differs will come
        else:
            self._dispute_begins(now)
        self._judge(final=len(self._reports) == len(self.context.roster.peers))

    def _judge(self, final: bool) -> None:
        context = self.context
        verdict = judge(self._reports, context.roster, self.course.game_id(context.phase - 1))
        double = [p for p, (code, _) in verdict.culprits.items() if code is Code.EQUIVOCATION]
        for report in self._reports.values() if double else ():
            for move in report.moves:
                self.course.is_double(move)
        if not final and not double:
            return
        for peer, (code, text) in sorted(verdict.culprits.items()):
            self._accuse(peer, code, text)
        if not verdict.culprits and not self._accuse_odd():
            self._hold("the peers disagree, and no majority of them agrees on anything")

    def _accuse_odd(self) -> bool:
        """Name those who signed another past than a quorum reports; tell whether there are any."""
        views = Counter((r.transcript, r.state) for r in self._reports.values())
        view, votes = views.most_common(1)[0]
        odd = [p for p, (_, move) in self._odd.items() if (move.previous, move.state) != view]
        if votes < self.context.roster.quorum:
            return False
        for peer in sorted(odd):
            text = f"phase {self.course.number}: signed another past than the others"
            self._accuse(peer, Code.DIVERGED, text)
        return bool(odd)

    def _accuse(self, peer: int, code: Code, text: str, phase: int | None = None) -> None:
        self._events.append(
            Accused(peer, code, text, self.course.number if phase is None else phase)
        )
        name = self.context.roster.shown(peer)
        self._hold(f"{name} was closed: {text}")

    def _hold(self, reason: str) -> None:
        lines = tuple(
            f"{self.context.roster.shown(peer)}: state {report.state.hex()[:16]}"
            for peer, report in sorted(self._reports.items())
        )
        self.held = Held(reason, lines)
        self._events.append(self.held)

    def _set_deadline(self, now: float) -> None:
        if self.held or self.over or self.course.phase is None:
            self.deadline = None
        elif self._dispute is not None:
            self.deadline = self._since + REPORTS
        elif self.deadline is None:
            self.deadline = now + NUDGE

    def _drain(self) -> list[Event]:
        events, self._events = self._events, []
        return events
