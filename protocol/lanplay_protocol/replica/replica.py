"""The replica: signed messages in, signed messages and events out; no clock, socket or chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from typing import Any

from lanplay.engine.game import Game, Result
from lanplay.engine.question import Question
from lanplay.engine.referee import Referee
from lanplay.engine.view import View
from lanplay.errors import Fault
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.attendance import Attendance
from lanplay_protocol.replica.catch_up import AGAIN, FIRST, CatchUp
from lanplay_protocol.replica.choices import awaited
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.doubt import ANSWER, Doubt
from lanplay_protocol.replica.events import (
    Accused,
    Event,
    GameOver,
    Halted,
    HandOpened,
    Logged,
    LoggedBefore,
)
from lanplay_protocol.replica.evidence import Proof, closed
from lanplay_protocol.replica.exchange import Exchange
from lanplay_protocol.replica.failure_detector import Wait, parse_liveness
from lanplay_protocol.replica.jobs import JobQueue
from lanplay_protocol.replica.key_setup import SETUP, UNNAMED, KeyCommitments, comparing
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    ALIVE,
    MOVE,
    STATUS,
    Citation,
    Past,
    PhaseMessage,
    SignedMessage,
    StatusMessage,
    parse_complaint,
    parse_past,
    parse_ref,
    parse_signed,
    parse_view,
)
from lanplay_protocol.replica.outbox import Outbox, Output
from lanplay_protocol.replica.recall import recall
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.settings import FOREVER, TableSettings
from lanplay_protocol.replica.start import ACCEPT, Accept, parse_accept
from lanplay_protocol.replica.status import Change, Progress, Quorum, Status
from lanplay_protocol.replica.timers import Timer, Timers
from lanplay_protocol.replica.transcript import InstalledView, Transcript
from lanplay_protocol.replica.verdicts import Verdicts, evidence_of
from lanplay_protocol.schema import fields, items

BEATS = 1 << 20
"""Signs of life in a phase."""


class Replica:
    """One peer's side of a game among ``roster.peers``.

    ``seed`` is 32 secret bytes, fresh for every game: key and nonce are made of it. Unless it is
    ``trusted`` who sits here, the game waits for ``Trusted`` after its keys are known.
    ``openings`` is its part in opening lost people's hands.
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
        self.roster = roster
        self.me = next(p for p, peer in enumerate(roster.peers) if peer.public == identity.public)
        self.status = Status()
        self.jobs = JobQueue()
        self._game = game
        self._outbox = Outbox()
        self._timers = Timers()
        self._trusted = trusted
        self._verdicts = Verdicts(roster, identity, self._outbox)
        self._exchange = Exchange(self.me, identity, seed, self._outbox)
        self._catch_up = CatchUp(self._outbox)
        self._doubt = Doubt()
        self._words: dict[int, Any] = {}  # what others hold of this peer, before the game's id
        # since when this phase goes on; not before the game was started, or went on
        self._since = math.inf

        def make() -> Transcript:
            table = game.table(len(roster.names), roster.options, roster.start)
            table.log = [] if log else None
            key = GameKey.derive(digest("game key", seed))
            context = Context(roster, self.me, key, Referee(game, table))
            context.trusted = self._trusted
            context.evidence = lambda: self._verdicts.evidence
            return Transcript(context, KeyCommitments(context, digest("nonce", seed)))

        self.line = GameLine(roster, make)
        self.context.jobs = self.jobs  # what is gone over beside the line leaves them alone
        self.line.watch = self._outbox.tell
        self.line.completed = self._completed
        self.line.rewound = self._rewound
        self.line.keeps = self._keep
        self.line.leads = lambda past: self._outbox.persist("past", past.plain())
        self.line.turned = lambda past: self._outbox.persist("turn", past.plain())
        self.line.delays = self._cannot_check
        self.attendance = Attendance(
            game,
            self.me,
            self.line,
            self._verdicts,
            self._exchange,
            self.status,
            self._outbox,
            self._timers,
        )
        self.openings = self.attendance.openings

    # --- what can be asked of it ---

    @property
    def transcript(self) -> Transcript:
        """The line of the game that this peer is on."""
        return self.line.transcript

    @property
    def context(self) -> Context:
        """What this peer knows at this moment."""
        return self.line.transcript.context

    @property
    def halted(self) -> Halted | None:
        """Why the game cannot go on for now; ``None`` where it can."""
        return self.status.why if self.status.halted else None

    @property
    def over(self) -> bool:
        """Tell whether the game has ended."""
        return self.status.progress is Progress.OVER

    @property
    def result(self) -> Result | None:
        """How the game has ended by its rules, whether all have signed that yet or not."""
        referee = self.context.referee
        return self._game.result(referee.table) if referee.request is None else None

    @property
    def ends(self) -> bool:
        """Tell whether nothing more is to be waited for: too few may be left to sign the end."""
        unsigned = self.status.quorum is Quorum.LOST and self.result is not None
        return self.status.stands or unsigned

    @property
    def windows(self) -> bool:
        """Whether reaction windows are asked of seats, too, without a choice."""
        return self._exchange.windows

    @windows.setter
    def windows(self, asked: bool) -> None:
        self._exchange.windows = asked

    @property
    def views(self) -> Mapping[int, View[Any]]:
        """The views of this peer's own seats."""
        return self.context.views

    @property
    def begun(self) -> Sequence[InstalledView]:
        """The views of the table that began so far, in order."""
        return self.transcript.views

    @property
    def moves(self) -> Sequence[Mapping[int, SignedMessage]]:
        """The accepted messages of every phase, by peer."""
        return self.transcript.moves

    @property
    def convicted(self) -> Mapping[int, Proof]:
        """The peers that are proven to have lied, each with a proof."""
        return self._verdicts.convicted

    @property
    def proofs(self) -> list[tuple[str, Any]]:
        """What convicts them, as who watches is told it."""
        return self._verdicts.proofs(self.line)

    def bot_key(self, seat: int) -> bytes:
        """Return 32 secret bytes for an AI of this peer at a seat, the same after a restart."""
        return self._exchange.bot_key(seat)

    def asked(self, seat: int) -> Question | None:
        """Return the question that a seat of this peer has to answer, if it has one."""
        return dict(self._questions()).get(seat)

    def _questions(self) -> list[tuple[int, Question]]:
        return self._exchange.questions(self.line)

    @property
    def awaited(self) -> dict[int, Question]:
        """The questions that the game waits for, of all peers' seats, as far as this peer knows.

        Of its own seats those that have not answered, though it says nothing before all have.
        """
        missing = self.transcript.missing
        own = dict(self._questions()) if self.me in missing else {}
        return dict(sorted({**awaited(self.transcript.phase, missing - {self.me}), **own}.items()))

    @property
    def comparing(self) -> list[int]:
        """The others of which this peer has not heard that they have compared the words."""
        return comparing(self.transcript.phase, self.transcript.missing - {self.me})

    @property
    def people(self) -> tuple[int, ...]:
        """The seats for which a person answers now, as far as this peer has heard."""
        return self.attendance.people

    @property
    def proof(self) -> dict[str, Any]:
        """Everything that was signed in this game, as a record keeps it (see ``audit``)."""
        return {**self.transcript.record(), **self._verdicts.record(self.line)}

    # --- inputs ---

    def step(self, given: inputs.Input, now: float) -> Output:
        """Take one input at a time in seconds, of any origin, never backwards.

        Raises ``PeerError`` for a message whose connection has to be closed (violations of the
        game's rules come as ``Accused`` events instead, as they may be another peer's), ``Illegal``
        for an answer that breaks the rules, ``Mistake`` for a wish that cannot be met, and
        ``ValueError`` for entries that do not make one game of this peer.
        """
        if not isinstance(given, inputs.Ticked) or self._timers.passed(now):
            if self._timers.stalled(now):  # nobody can be late for a program that stood still
                self._restart_waits(now)
            if _STEPS[type(given)](self, given, now) is not False:
                self._go_on(now, unread=not isinstance(given, inputs.Ticked))
            self._outbox.pass_late(now)
        return self._outbox.take(self.jobs.next, self._timers.deadline)

    def _restart_waits(self, now: float) -> None:
        self._since = now
        self._wait_for_words(self._doubt.silent, now)
        self.attendance.detector.restart(now)
        self.attendance.openings.restart(now)

    def _wake(self, given: inputs.Woken, now: float) -> None:
        """Suspect nobody, and ask where the others are."""
        self._restart_waits(now)
        if not self.status.stands:
            self._catch_up.want(self.line)

    def _start(self, given: inputs.Started, now: float) -> None:
        self._since = now
        self._verdicts.offered(given.offers)

    def _restore(self, given: inputs.Restored, now: float) -> None:
        past, proofs = list[Event](), list[Proof | None]()
        attendance = self.attendance
        known = self.line, self._exchange, self._verdicts, attendance.changes, attendance.restart
        try:
            for kind, plain in given.entries:
                proofs.append(recall(kind, plain, *known))
                past += self._recalled()
        except PeerError as error:
            raise ValueError(f"phase {self.transcript.number}: {error}") from error
        if self.context.publics and self.context.publics[self.me] != self.context.key.X:
            raise ValueError(f"phase {self.transcript.number}: the messages of another seed")
        self._check_recalled(given.incomplete)
        lost = self.context.everybody - self.transcript.members
        self.attendance.openings.lost(lost, set(), now)
        self.attendance.announced = {view.statuses for view in self.transcript.views}
        attendance.restart.recalled(given.incomplete)
        if given.incomplete:
            self.status.on(Change.FOUND_INCOMPLETE)
            attendance.changes.known = set()
        if self.me not in self.transcript.members:
            self.status.on(Change.CUT_OFF)
        self._outbox.tell(*past)
        self._since = now
        places = [slot[2:] for slot in self._exchange.signed if slot[0] == MOVE]
        self._doubt.furthest = max(places, default=self._doubt.furthest)
        self._wait_for_words(self.context.everybody - {self.me}, now)
        for proof in filter(None, proofs):
            self._convict(proof)

    def _wait_for_words(self, peers: Set[int], now: float) -> None:
        """Sign nothing new before some have said what they hold of this peer, or the grace ends."""
        grace = self.roster.settings.grace
        grace = TableSettings().grace if grace == FOREVER else grace
        self._doubt.begin(peers, now + max(grace, ANSWER))
        for peer in filter(self.attendance.detector.heard, self._doubt.silent):
            self._doubt.here(peer, now)

    def _check_recalled(self, incomplete: bool) -> None:
        """Raise ``ValueError`` if what this peer has signed goes on beyond what was kept."""
        signed, transcript = self._exchange.signed, self.transcript
        own = [m for slot, m in signed.items() if slot[0] == MOVE and slot[2:] > transcript.at]
        later = [m for m in own if m.key in transcript.true]  # others may have given it the rest
        beyond = not all(self.line.positions.parts(each.key, transcript) for each in later)
        due = self.me in transcript.missing and (MOVE, self.me, *transcript.at) not in signed
        if ((beyond and due) or self.line.unchecked) and not incomplete:
            raise ValueError(f"phase {self.transcript.number}: a message is missing")

    def _recalled(self) -> list[LoggedBefore]:
        """Return what an entry from disk has brought to the log; all else was said before."""
        self._log()
        number = self.context.referee.table.round
        logged = [each for each in self._outbox.take().events if isinstance(each, Logged)]
        return [LoggedBefore(number, each.message) for each in logged]

    def _answer(self, given: inputs.Answered, now: float) -> None:
        self._exchange.answer(self.line, given.seat, given.answer)

    def _trust(self, given: inputs.Trusted, now: float) -> None:
        self._trusted = self.context.trusted = True

    def _receive(self, given: inputs.Received, now: float) -> bool:
        """Take a message; tell whether anything may follow: else it was known, or is not kept."""
        peer, payload = given.peer, given.payload
        match given.kind:
            case "move" | "status":
                return self._take(parse_signed(payload, given.kind), peer)
            case "view":
                found = parse_view(payload)
                self.line.expect(found)
                for signed in found:
                    self._take(signed, peer)
            case "past" | "end":
                self._show(peer, parse_past(payload), given.kind == "end")
            case "want":
                if self._catch_up.answer(self.line, peer, now, payload):
                    self._verdicts.greet(peer, self.line)
                    self.attendance.greet(peer)
            case "here":
                self._catch_up.stands(self.line, peer, payload)
            case "held":
                self._told(peer, payload)
            case "complaint":
                complaint = parse_complaint(payload)
                self._take(complaint.accused, peer)
                self._verdicts.hear(complaint, self.line)
            case _:
                self._hear(peer, given.kind, payload, now)
        return True

    def _hear(self, peer: int, kind: str, payload: Any, now: float) -> None:
        """Take a word of a peer that is no evidence."""
        match kind:
            case "presence":
                self.attendance.said(peer, parse_liveness(payload), now)
            case "waits":
                self.attendance.waits_for(payload, now)
            case "alive" | "leave" | "open":
                self.attendance.wished(peer, kind, payload, now)
            case "anew":
                self.attendance.restart.said(peer, payload)
            case _ if kind == ACCEPT:
                self._accepted(parse_accept(payload))
            case _:
                raise PeerError(Code.UNEXPECTED, f"a message of kind {kind!r}", peer)

    def _accepted(self, given: Accept) -> None:
        """Take what a peer has signed of an offer of this table: of one in a later term it has left
        a setup; of two in this term it is convicted."""
        place = {peer.public: n for n, peer in enumerate(self.roster.peers)}.get(given.public)
        here = self.roster.accepts and given.table == self.roster.table
        if place is None or place == self.me or not here:
            return
        # others may have begun already with who is ready, and it with them
        ready = (MOVE, self.me, 0, SETUP - 1) in self._exchange.signed
        ready = ready or self.transcript.number >= SETUP or self.status.incomplete
        if given.term > self.roster.term and not ready and not self.status.stands:
            self._outbox.post(ACCEPT, given.plain())
            self._halt(Fault.LEFT_EARLY.of(names=self.roster.shown(place)))
        if self._verdicts.offered((given,)):
            self._outbox.post(ACCEPT, given.plain())
            what = Code.EQUIVOCATION, f"signed two offers of term {given.term}"
            self._outbox.tell(Accused(place, *what, self.transcript.number))

    def _take(self, signed: SignedMessage, peer: int) -> bool:
        """Keep a statement, whoever brought it, and all that follows from it; tell whether it is
        new."""
        try:
            known, proof = self.line.add(signed, peer)
        except PeerError:
            return False  # it is nobody's
        if known is None:
            return False
        if signed.sender == self.me:
            # its journal may lack it: what this peer has signed it signs once
            self._exchange.signed.setdefault(known.signed.slot, known.signed)
            self._has_signed(known.signed.ref, signed.kind)
            if isinstance(known.said, StatusMessage):
                self.attendance.changes.signed(known.said)
        later = isinstance(known.said, StatusMessage) and known.said.attempt > self.transcript.view
        if later or signed.sender == self.me:  # others follow only who shows what it has followed
            self._outbox.hold([(signed.kind, signed.plain())])
        unheard = self.attendance.detector.unheard_by
        self.attendance.relay(peer, signed.kind, signed.plain(), signed.sender, unheard)
        for each in self.line.statements.proven(proof):
            self._convict(each)
        self._verdicts.weigh(known, self.line)
        if isinstance(known.said, StatusMessage) and not self.line.shown(known):
            self._catch_up.want_named(self.line, peer)  # a game may end before it is nudged
        return True

    def _told(self, peer: int, payload: Any) -> None:
        """Take what a peer holds of this one's last words, and ask for what is not here."""
        said = [items(each, 1, "names", parse_ref) for each in fields(payload, 2, "words")]
        named = [
            (ref, kind) for kind, some in zip((MOVE, STATUS), said, strict=True) for ref in some
        ]
        for ref, kind in named:
            early = kind == STATUS or ref.phase >= UNNAMED
            if early and self.transcript.number < UNNAMED:
                self._words[peer] = payload  # it can be checked once the game has its id
                return
            if ref.sender != self.me or not self.line.statements.genuine(ref, kind):
                raise PeerError(Code.MALFORMED, "words of this peer that it never said", peer)
            self._has_signed(ref, kind)
        self._doubt.told(peer)
        lacks = tuple(key for r, k in named if self.line.statements.get(key := r.key(k)) is None)
        if lacks:
            place = *self.transcript.at, self.transcript.past.hash
            self._outbox.post("want", (*place, lacks, (), ()), peer)

    def _has_signed(self, ref: Citation, kind: str) -> None:
        if kind == MOVE:
            self._doubt.furthest = max(self._doubt.furthest, (ref.view, ref.phase))
        else:
            self.attendance.changes.top = max(self.attendance.changes.top, ref.view)

    def _show(self, peer: int, past: Past, end: bool) -> None:
        """Take a past that was asked for by its hash, and ask for what it names. Only of its own
        ``end`` is a peer taken at its word: a past that it passes on may be another's lie."""
        if end:
            self.line.end(past, peer)
        if past.hash in self.line.lacking()[1]:
            self.line.statements.show(past)
            self._catch_up.want_named(self.line, peer)

    def _tick(self, given: inputs.Ticked, now: float) -> None:
        """Ask for what is missing, and say that this peer is there."""
        if self._timers.fired(Timer.HEARTBEAT, now):
            self._sign_life()
        if self._timers.fired(Timer.ANSWER, now):
            self._doubt.expire(now)
        if self._timers.fired(Timer.NUDGE, now):
            self._timers.set(Timer.NUDGE, now + AGAIN)
            self._nudge()
        if self._timers.fired(Timer.REJOIN, now):
            self.attendance.changes.asked_back = -1
            if self.status.incomplete:
                self.attendance.leave()

    def _sign_life(self) -> None:
        self.attendance.beat = max(self.attendance.beat + 1, self.transcript.number * BEATS)
        self._exchange.wish(self.line, ALIVE, self.attendance.beat)

    def _nudged(self, given: inputs.Nudged, now: float) -> None:
        """Ask for what is missing though the clock stands, and say that this peer is there: the
        others' may go on."""
        if self.attendance.to_sign:
            self._sign_life()
        self._nudge()

    def _nudge(self) -> None:
        detector, phase = self.attendance.detector, self.transcript.phase
        self.attendance.restart.say_again()
        if detector.liveness.unreachable or detector.doubted:
            self.attendance.post()
        if not self.status.member or self.attendance.promised or (phase and phase.prompt):
            self._catch_up.want(self.line)
        elif self.transcript.missing - {self.me} or any(self.line.lacking()):
            others = self.context.everybody - {self.me}
            self._catch_up.want_of_next(self.line, sorted(filter(detector.heard, others)))

    def _link_down(self, given: inputs.LinkDown, now: float) -> None:
        self.attendance.detector.link_down(given.peer, now)
        self._doubt.gone(given.peer)
        self.attendance.post()

    def _link_up(self, given: inputs.LinkUp, now: float) -> None:
        """Send what a peer whose connection was renewed may have missed, proofs first."""
        peer = given.peer
        self.attendance.detector.link_up(peer)
        self.attendance.waits.link_up(peer)
        self._doubt.here(peer, now)
        self._verdicts.greet(peer, self.line)
        self.attendance.greet(peer)
        self.attendance.post()
        for known in self.line.statements.statuses:
            if known.signed.view >= self.transcript.view:
                self._outbox.post(STATUS, known.signed.plain(), peer)
        self.attendance.openings.greet(peer)
        last = [self.line.statements.last(kind, peer) for kind in (MOVE, STATUS)]
        held = tuple(() if signed is None else (signed.ref.plain(),) for signed in last)
        self._outbox.post("held", held, peer)
        self._catch_up.here(self.line, peer)
        for phase in range(max(0, self.transcript.number - 1), self.transcript.number + 1):
            self._catch_up.resend(self.line, peer, phase)

    def _set_away(self, given: inputs.AwayChanged, now: float) -> None:
        people = {s for s in self.roster.peers[self.me].seats if not self.roster.bot(s)}
        self.attendance.detector.away = people & given.seats
        self.attendance.post()

    def _journal_failed(self, given: inputs.JournalFailed, now: float) -> None:
        self.attendance.detector.not_durable = True
        self.attendance.post()

    def _leave(self, given: inputs.Leaving, now: float) -> None:
        self.status.on(Change.LEFT)
        if self.transcript.number >= SETUP:
            self.attendance.leave()

    # --- what follows ---

    def _go_on(self, now: float, unread: bool) -> None:
        self._advance(now)
        if not self.status.stands:
            self._look(now, unread)
            while not self.status.stands and self._may_vote(now) and self.attendance.vote(now):
                self._advance(now)
        if self.status.stands or self.transcript.phase is None:
            self._timers.deadline = None
        else:
            self._timers.start(Timer.NUDGE, now + FIRST)
            if (end := self._doubt.deadline) is not None:
                self._timers.set(Timer.ANSWER, end)
            self.attendance.set_deadline(now, unread)

    def _advance(self, now: float) -> None:
        """Do all that the statements at hand make due; what comes out after the end is told."""
        if self.over:
            self._judge()
        while not self.status.stands:
            at = self.transcript.past.hash
            moved = self.line.advance()
            self._judge()
            if self.attendance.announce(now):
                self.attendance.waits.renew()
                self._since = now
            if self.transcript.past.hash != at:
                self._since = now
                self._timers.stop(Timer.NUDGE)
            if self.transcript.phase is None:
                self._finish()
            elif not (self._send_mine() or moved):
                return

    def _finish(self) -> None:
        self.status.on(Change.ENDED)
        assert self.result is not None
        self._outbox.tell(GameOver(self.result))

    def _completed(self) -> None:
        """Tell what a phase brought, and judge what others had said of it before."""
        transcript = self.transcript
        if transcript.number >= SETUP:
            self.status.on(Change.SET_UP)
        self._log()
        changes, openings = self.context.seating.take()
        for each in changes:
            self.attendance.tell_holder(*each)
        self._outbox.tell(*(HandOpened(*each) for each in openings))
        self._exchange.asked.clear()
        if transcript.number == UNNAMED:
            for signed in self.line.unchecked.take():
                self._take(signed, self.me)
            for peer, words in sorted(self._words.items()):
                with suppress(PeerError):  # what is taken now is another peer's, and true
                    self._told(peer, words)
        self._verdicts.weigh_again(self.line)

    def _rewound(self) -> None:
        self.attendance.announced &= {view.statuses for view in self.transcript.views}
        self._exchange.asked.clear()
        self.jobs.forget()
        self.context.jobs = self.jobs
        self._verdicts.went_back(self.line)

    def _log(self) -> None:
        log = self.context.referee.table.log
        if log:
            self._outbox.tell(*(Logged(message) for message in log))
            log.clear()

    def _send_mine(self) -> bool:
        waits = self.status.incomplete or (
            self.context.handover_incomplete and self._verdicts.wronged
        )
        if self.me not in self.transcript.missing or waits or self.attendance.promised:
            return False
        known = (MOVE, self.me, *self.transcript.at) in self._exchange.signed
        if (not known and self._may_have_signed) or not self._exchange.send(self.line):
            return False
        self._doubt.furthest = max(self._doubt.furthest, self.transcript.at)
        return True

    @property
    def _unheard(self) -> Set[int]:
        """Whoever may hold what this peer has signed, and has yet to say so."""
        detector = self.attendance.detector
        linked = {peer for peer in self._doubt.silent if detector.heard(peer)}
        return self._doubt.silent & (self.transcript.members | linked) - self.line.convicted

    @property
    def _may_have_signed(self) -> bool:
        """Tell whether something may have been signed here for this place, that is lost."""
        above = self.attendance.changes.top > self.transcript.view
        return above or self.transcript.at <= self._doubt.furthest or bool(self._unheard)

    def _may_vote(self, now: float) -> bool:
        """Tell whether a status could neither be a second one, nor deny a message."""
        detector, changes = self.attendance.detector, self.attendance.changes
        lost = changes.top > self.transcript.view and not changes.knows(changes.top)
        if lost and self._doubt.waits(now):
            return False  # that view may have begun, and this peer have played in it
        unheard = self._unheard - detector.late - detector.left.keys()
        at, furthest = self.transcript.at, self._doubt.furthest
        known = at > furthest or (MOVE, self.me, *at) in self._exchange.signed
        return at >= furthest and known and not unheard

    def _keep(self, signed: SignedMessage, checked: bool) -> None:
        """Persist a message that counts, or that a view carries, and before it what it names."""
        known = self.line.statements.get(signed.key)
        self._outbox.hold(evidence_of(self.line, self.line.named(known) if known else ()))
        if checked:
            self._outbox.persist(MOVE, signed.plain())
        else:
            self._outbox.hold([(MOVE, signed.plain())])

    def _cannot_check(self, move: PhaseMessage) -> bool:
        """Tell whether a shell has first to do the long part of checking a move. A game that is
        taken from a journal waits for nothing."""
        if self.transcript.phase is None:
            return False
        try:
            jobs = self.transcript.phase.checking(move.sender, move.parts)
            return not self.context.replaying and self.jobs.pending(jobs)
        except PeerError:
            return False  # checking it will tell what is wrong

    # --- conviction ---

    def _judge(self) -> None:
        for proof in self._verdicts.find(self.line):
            self._convict(proof)

    def _convict(self, proof: Proof) -> None:
        """Convict a peer by a proof; the table plays on without it where it can.

        It cannot where no quorum would be left, nor where the game does not come to begin.
        """
        if proof.peer == self.me or not self._verdicts.convict(proof, self.line):
            return
        self.line.convicted.add(proof.peer)
        self.transcript.convict(proof.peer)
        self._outbox.tell(Accused(proof.peer, proof.code, proof.text, proof.phase))
        if self.transcript.phase is None:
            return  # the game has ended: nobody has to be cut off any more
        left = self.context.everybody - self.line.convicted  # who is out may come back
        if len(left) < self.roster.quorum:
            self._halt(closed(self.roster, proof))

    def _look(self, now: float, unread: bool) -> None:
        """Work out who is late; end a game that cannot begin."""
        if self.transcript.number >= SETUP:
            self.attendance.look(now, unread)
        if not unread and (why := self.attendance.cannot_begin(self._since, now)):
            self._halt(why)

    def _halt(self, reason: str) -> None:
        self.status.on(Change.STUCK)
        self.status.why = Halted(reason)
        self._outbox.tell(self.status.why)


_STEPS: dict[type[Any], Callable[[Replica, Any, float], bool | None]] = {
    inputs.Started: Replica._start,
    inputs.Restored: Replica._restore,
    inputs.Received: Replica._receive,
    inputs.LinkUp: Replica._link_up,
    inputs.LinkDown: Replica._link_down,
    inputs.Answered: Replica._answer,
    inputs.Trusted: Replica._trust,
    inputs.JobDone: lambda self, given, now: self.jobs.finish(given.job, given.result),
    inputs.AwayChanged: Replica._set_away,
    inputs.JournalFailed: Replica._journal_failed,
    inputs.SkipWait: lambda self, given, now: self.attendance.waits.wish(given.peer, Wait.SKIP),
    inputs.KeepWaiting: lambda self, given, now: self.attendance.waits.wish(given.peer, Wait.KEEP),
    inputs.ContinueWithout: lambda self, given, now: self.attendance.continue_without(given.nonce),
    inputs.OpenHands: lambda self, given, now: self.attendance.openings.agree(),
    inputs.Leaving: Replica._leave,
    inputs.Nudged: Replica._nudged,
    inputs.Ticked: Replica._tick,
    inputs.Woken: Replica._wake,
}
