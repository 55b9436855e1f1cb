"""The replica: signed messages in, signed messages and events out; no clock, socket or chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from lanplay import errors
from lanplay.engine.game import Game
from lanplay.engine.question import Question
from lanplay.engine.referee import Referee
from lanplay.engine.view import View as SeatView
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.catch_up import AGAIN, FIRST, CatchUp
from lanplay_protocol.replica.choices import awaited
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.court import Court, parse_verdict
from lanplay_protocol.replica.events import (
    Accused,
    AskedToYield,
    Event,
    GameOver,
    Halted,
    Logged,
    LoggedBefore,
    PeerNotDurable,
    PeerReachable,
    PeerUnreachable,
    QuorumLost,
    Restarted,
    RestartVote,
    SeatReassigned,
    ViewChanged,
)
from lanplay_protocol.replica.evidence import Known, Proof
from lanplay_protocol.replica.exchange import Exchange
from lanplay_protocol.replica.failure_detector import (
    PATIENCE,
    Debt,
    FailureDetector,
    Liveness,
    parse_liveness,
)
from lanplay_protocol.replica.jobs import JobQueue
from lanplay_protocol.replica.line import Line
from lanplay_protocol.replica.messages import (
    ALIVE,
    LEAVE,
    MOVE,
    STATUS,
    Past,
    PhaseMessage,
    SignedMessage,
    parse_complaint,
    parse_past,
    parse_signed,
    parse_wish,
)
from lanplay_protocol.replica.messages import (
    Status as Joined,
)
from lanplay_protocol.replica.opening import OPENING, UNNAMED, KeyCommitments, comparing
from lanplay_protocol.replica.outbox import Outbox, Output
from lanplay_protocol.replica.restart import last_boundary, restarted_roster
from lanplay_protocol.replica.roster import NONCE, PEERS, Roster
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.replica.status import Change, Progress, Quorum, Status
from lanplay_protocol.replica.timers import Timer, Timers
from lanplay_protocol.replica.transcript import Transcript, View
from lanplay_protocol.replica.view_change import Table, ViewChange
from lanplay_protocol.schema import binary, fields, items, uint

BEATS = 1 << 20
"""Signs of life in a phase."""
BEAT = 2.0
"""Seconds between signs of life for those who have no link to this peer."""
REST = 2.0
"""Seconds after which a peer that is out again asks back: the wait grows with every time."""
LONGEST = 60.0
"""Seconds at most that it waits."""
ROUNDS = 1 << 16
BEGINNING = 20.0
"""Seconds that a peer may be missing before the game has begun."""


class Replica:
    """One peer's side of a game among ``roster.peers``.

    ``seed`` is 32 secret bytes, fresh for every game: key and nonce are made of it. Unless it is
    ``trusted`` who sits here, the game waits for ``Trusted`` after its keys are known.
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
        self._court = Court(roster, identity, self._outbox)
        self._exchange = Exchange(self.me, identity, seed, self._outbox)
        self._catch_up = CatchUp(self._outbox)
        self._detector = FailureDetector(self.me, roster.settings.grace)
        self._changes = ViewChange(self.me, len(roster.peers), roster.quorum)
        # messages that name another past than this line's, until it is known what that is
        self._odd: dict[Any, Known] = {}
        # views that the shell has been told of, and who is missing as far as it knows
        self._announced: set[int] = set()
        self._told: dict[int, float | None] = {}
        self._to_skip: dict[int, float] = {}
        self._beat = 0
        # since when this phase goes on; not before the game was started, or went on
        self._since = math.inf
        # who votes for a new game among those who are here, with its nonce and its last boundary
        self._restart_votes: dict[int, tuple[bytes, int]] = {}

        def make() -> Transcript:
            table = game.table(len(roster.names), roster.options, roster.start)
            table.log = [] if log else None
            key = GameKey.derive(digest("game key", seed))
            context = Context(roster, self.me, key, Referee(game, table))
            context.trusted = self._trusted
            context.jobs = self.jobs
            self.jobs.forget()
            return Transcript(context, KeyCommitments(context, digest("nonce", seed)))

        self.line = Line(roster, make)
        self.line.watch = self._outbox.tell
        self.line.completed = self._completed
        self.line.rewound = self._exchange.asked.clear
        self.line.keeps = lambda signed: self._outbox.persist("move", signed.plain())
        self.line.delays = self._needs_work
        self._seed = seed

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
    def windows(self) -> bool:
        """Whether reaction windows are asked of seats, too, without a choice."""
        return self._exchange.windows

    @windows.setter
    def windows(self, asked: bool) -> None:
        self._exchange.windows = asked

    @property
    def views(self) -> Mapping[int, SeatView[Any]]:
        """The views of this peer's own seats."""
        return self.context.views

    @property
    def begun(self) -> Sequence[View]:
        """The views of the table that began so far, in order."""
        return self.transcript.views

    @property
    def waiting_for(self) -> frozenset[int]:
        """The peers whose message of the present phase is still missing."""
        return self.transcript.missing

    @property
    def moves(self) -> Sequence[Mapping[int, SignedMessage]]:
        """The accepted messages of every phase, by peer."""
        return self.transcript.moves

    @property
    def convicted(self) -> Mapping[int, Proof]:
        """The peers that are proven to have lied, each with a proof."""
        return self._court.convicted

    def bot_key(self, seat: int) -> bytes:
        """Return 32 secret bytes for an AI of this peer at a seat, the same after a restart."""
        return self._exchange.bot_key(seat)

    def asked(self, seat: int) -> bool:
        """Tell whether a seat of this peer has a question to answer."""
        return seat in dict(self._questions())

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
        holders = self.context.seating.holders
        return tuple(
            seat
            for seat, holder in enumerate(holders)
            if not holder.bot and seat not in self._away_at(holder.peer)
        )

    def _away_at(self, peer: int) -> Set[int]:
        return self._detector.away if peer == self.me else self._detector.of(peer).away

    @property
    def proof(self) -> dict[str, Any]:
        """Everything that was signed in this game, as a record keeps it (see ``audit``)."""
        proofs = [proof for _, proof in sorted(self._court.convicted.items())]
        return {
            "roster": self.roster.plain(),
            "moves": tuple(
                tuple(signed.plain() for _, signed in sorted(phase.items())) for phase in self.moves
            ),
            "views": tuple(
                tuple(each.plain() for each in view.statuses) for view in self.transcript.views
            ),
            "complaints": tuple(each.plain() for _, each in sorted(self._court.complaints.items())),
            "evidence": tuple(
                (each.kind, each.plain()) for proof in proofs for each in proof.statements
            ),
        }

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
            _STEPS[type(given)](self, given, now)
            self._go_on(now)
        return self._outbox.take(self.jobs.next, self._timers.deadline)

    def _restart_waits(self, now: float) -> None:
        self._since = now
        self._detector.restart(now)

    def _start(self, given: inputs.Started, now: float) -> None:
        self._since = now

    def _restore(self, given: inputs.Restored, now: float) -> None:
        past: list[Event] = []
        try:
            for kind, plain in given.entries:
                self.context.replaying = True
                self._recall(kind, plain)
                past += self._recalled()
        except PeerError as error:
            raise ValueError(f"phase {self.transcript.number}: {error}") from error
        self.context.replaying = False
        if self.context.publics and self.context.publics[self.me] != self.context.key.X:
            raise ValueError(f"phase {self.transcript.number}: the messages of another seed")
        self._announced = {view.number for view in self.transcript.views}
        if given.incomplete:
            self.status.on(Change.FOUND_INCOMPLETE)
        if self.me not in self.transcript.members:
            self.status.on(Change.CUT_OFF)
        self._outbox.tell(*past)
        self._since = now

    def _recall(self, kind: str, plain: Any) -> None:
        match kind:
            case "move" | "status":
                known, _ = self.line.add(parse_signed(plain, kind))
                if known is not None and known.signed.sender == self.me:
                    self._recall_own(known)
            case "view":
                statuses = [self._keep(parse_signed(each, STATUS)) for each in plain]
                view = self.line.adopt([each for each in statuses if each is not None])
                if view is None:
                    raise PeerError(Code.MALFORMED, "a view that follows from nothing")
                self._changes.begun(view.number, self.transcript.members)
            case "verdict":
                proof = parse_verdict(plain)
                self._court.convicted[proof.peer] = proof
                self.line.convicted.add(proof.peer)
            case "complaint":
                self._court.recall(plain)
            case _:
                raise PeerError(Code.MALFORMED, f"an entry of kind {kind!r}")
        while self.line.pull() or self.line.finish():
            self.context.replaying = True
        if self.line.violations:
            raise PeerError(Code.MALFORMED, str(self.line.violations[0]))

    def _recall_own(self, known: Known) -> None:
        self._exchange.signed.setdefault(known.signed.slot, known.signed)
        if isinstance(known.said, Joined):
            self._changes.signed(known.said)

    def _keep(self, signed: SignedMessage) -> Known | None:
        """Keep a statement that stands in a certificate; return it with what it says."""
        self.line.add(signed)
        return self.line.statements.get(signed.key)

    def _recalled(self) -> list[LoggedBefore]:
        """Return what an entry from disk has brought to the log; all else was said before."""
        self._log()
        number = self.context.referee.table.round
        logged = [each for each in self._outbox.take().events if isinstance(each, Logged)]
        return [LoggedBefore(number, each.message) for each in logged]

    def _answer(self, given: inputs.Answered, now: float) -> None:
        self._exchange.answer(self.line, given.seat, given.answer)

    def _job_done(self, given: inputs.JobDone, now: float) -> None:
        self.jobs.finish(given.job, given.result)

    def _trust(self, given: inputs.Trusted, now: float) -> None:
        self._trusted = self.context.trusted = True

    def _receive(self, given: inputs.Received, now: float) -> None:
        peer, payload = given.peer, given.payload
        match given.kind:
            case "move" | "status":
                self._take(parse_signed(payload, given.kind), peer)
            case "view":
                for signed in items(payload, PEERS, "statuses", lambda v: parse_signed(v, STATUS)):
                    self._take(signed, peer)
            case "past":
                self._show(peer, parse_past(payload))
            case "want":
                if self._catch_up.answer(self.line, peer, now, payload):
                    self._court.greet(peer)
            case "here":
                self._catch_up.stands(self.line, peer, payload)
            case "complaint":
                self._court.hear(parse_complaint(payload))
            case _:
                self._hear(peer, given.kind, payload, now)

    def _hear(self, peer: int, kind: str, payload: Any, now: float) -> None:
        """Take a word of a peer that is no evidence."""
        match kind:
            case "presence":
                self._said(peer, parse_liveness(payload))
            case "alive" | "leave":
                self._wished(peer, kind, payload, now)
            case "anew":
                self._take_restart_vote(peer, payload)
            case _:
                raise PeerError(Code.UNEXPECTED, f"a message of kind {kind!r}", peer)

    def _take(self, signed: SignedMessage, peer: int) -> None:
        """Keep a statement, whoever brought it, and all that follows from it."""
        try:
            known, proof = self.line.add(signed)
        except PeerError:
            return  # it is nobody's
        if known is None:
            return
        self._relay(peer, signed.kind, signed.plain(), signed.sender)
        if proof is not None:
            self._convict(proof)
        self._weigh(known)
        later = isinstance(known.said, Joined) and known.said.attempt > self.transcript.view
        if later and not self.line.shown(known):
            self._catch_up.want(self.line, peer)

    def _show(self, peer: int, past: Past) -> None:
        """Take a past that was asked for by its hash, and ask for what it names."""
        if past.hash in self.line.lacking()[1]:
            self.line.statements.show(past)
            self._catch_up.want(self.line, peer)

    def _weigh(self, known: Known) -> None:
        """Judge what a message says of what this peer has seen itself."""
        move, transcript = known.said, self.transcript
        if not isinstance(move, PhaseMessage) or move.phase > transcript.number:
            return
        if transcript.line.get(move.previous, (-1,))[0] != move.phase:
            self._odd[known.signed.key] = known
        elif move.state != transcript.state_at(move.phase):
            text = f"phase {move.phase}: signed another public state"
            self._convict(Proof(move.sender, Code.DIVERGED, text, move.phase, (known.signed,)))

    def _relay(self, peer: int, kind: str, payload: Any, author: int) -> None:
        """Pass on what came from its author to whom the two do not hear each other."""
        for other in range(len(self.roster.peers)) if peer == author else ():
            if other not in (self.me, peer) and self._detector.unheard_by(other, peer):
                self._outbox.post(kind, payload, other)

    def _said(self, peer: int, word: Liveness) -> None:
        before, urged = self._detector.of(peer), self._asked_to_yield
        self._detector.said(peer, word)
        holders = self.context.seating.holders
        for seat in sorted(word.away ^ before.away):
            if seat < len(holders) and holders[seat].peer == peer:
                bot = self.roster.settings.bot if seat in word.away else self.roster.bot(seat)
                self._outbox.tell(SeatReassigned(seat, Holder(peer, bot)))
        if word.not_durable and not before.not_durable:
            self._outbox.tell(PeerNotDurable(peer))
        if self._asked_to_yield and not urged:
            self._outbox.tell(AskedToYield())

    @property
    def _asked_to_yield(self) -> bool:
        return self._detector.asked_to_yield(self.transcript.members)

    def _wished(self, peer: int, kind: str, payload: Any, now: float) -> None:
        if self.transcript.number < OPENING:
            return
        said = parse_wish(kind, payload, self.roster, self.line.statements.game)
        if said.author == self.me:
            return
        if kind == ALIVE:
            self._detector.heartbeat(said.author, said.number, now)
            self._relay(peer, kind, payload, said.author)
        elif said.number >= self.transcript.view and said.author not in self._detector.left:
            self._detector.left.add(said.author)
            self._outbox.post(kind, payload)  # it may have told this peer alone

    def _take_restart_vote(self, peer: int, payload: Any) -> None:
        nonce, known = fields(payload, 2, "wish")
        if peer not in self._restart_votes:
            self._outbox.tell(RestartVote(peer))
        self._restart_votes[peer] = (binary(nonce, NONCE, "nonce"), uint(known, ROUNDS, "round"))

    def _restart_if_agreed(self, here: frozenset[int]) -> None:
        """Begin a new game if all who are here have voted for it (``ContinueWithout``)."""
        if here - self._restart_votes.keys() or self.me not in self._restart_votes:
            return
        agreed = {peer: self._restart_votes[peer] for peer in here}
        self._restart_votes.clear()
        referee, holders = self.context.referee, self.context.seating.holders
        try:
            roster = restarted_roster(self._game, self.roster, referee.history, holders, agreed)
        except ValueError:
            return  # it is said again once this peer has caught up
        self._outbox.tell(Restarted(roster))

    def _tick(self, given: inputs.Ticked, now: float) -> None:
        """Ask for what is missing, and say that this peer is there."""
        if self._timers.fired(Timer.HEARTBEAT, now):
            self._beat += 1
            self._exchange.wish(self.line, ALIVE, self.transcript.number * BEATS + self._beat)
        if self._timers.fired(Timer.NUDGE, now):
            self._timers.set(Timer.NUDGE, now + AGAIN)
            if self._detector.liveness.unreachable:
                self._post_liveness()
            if self.waiting_for - {self.me} or not self.status.member or self._promised:
                self._catch_up.want(self.line)
        if self._timers.fired(Timer.REJOIN, now):
            self._changes.asked_back = -1
            if self.status.incomplete:
                self._exchange.wish(self.line, LEAVE, self.transcript.view)

    def _link_down(self, given: inputs.LinkDown, now: float) -> None:
        self._detector.link_down(given.peer, now)
        self._post_liveness()

    def _link_up(self, given: inputs.LinkUp, now: float) -> None:
        """Send what a peer whose connection was renewed may have missed, proofs first."""
        peer = given.peer
        self._detector.link_up(peer)
        self._court.greet(peer)
        self._post_liveness()
        for known in self.line.statements.statuses:
            if known.signed.view >= self.transcript.view:
                self._outbox.post(STATUS, known.signed.plain(), peer)
        self._catch_up.here(self.line, peer)
        for phase in range(max(0, self.transcript.number - 1), self.transcript.number + 1):
            self._catch_up.resend(self.line, peer, phase)

    def _set_away(self, given: inputs.AwayChanged, now: float) -> None:
        seating = self.context.seating
        people = {s for s in seating.of(self.me) if not seating.holders[s].bot}
        self._detector.away = people if given.away else set()
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
        if self.transcript.number >= OPENING:
            self._exchange.wish(self.line, LEAVE, self.transcript.view)

    # --- what follows ---

    @property
    def _promised(self) -> bool:
        """Tell whether this peer has joined an attempt, and says nothing more in this view."""
        return self._changes.silent(self.transcript.view)

    def _go_on(self, now: float) -> None:
        self._advance(now)
        if not self.status.stands:
            self._look(now)
            while not self.status.stands and self._vote(now):
                self._advance(now)
        self._set_deadline(now)

    def _advance(self, now: float) -> None:
        """Do all that the statements at hand make due."""
        while not self.status.stands:
            at = self.transcript.past.hash
            moved = self.line.advance()
            self._find_guilty()
            self._announce(now)
            if self.transcript.past.hash != at:
                self._since = now
                self._timers.stop(Timer.NUDGE)
            if self.transcript.phase is None:
                self._finish()
            elif not (self._send_mine() or moved):
                return

    def _finish(self) -> None:
        self.status.on(Change.ENDED)
        self._outbox.tell(GameOver(self._game.result(self.context.referee.table)))

    def _completed(self) -> None:
        """Tell what a phase brought, and judge what others had said of it before."""
        transcript = self.transcript
        if transcript.number >= OPENING:
            self.status.on(Change.OPENED)
        self._log()
        seating = self.context.seating
        self._outbox.tell(
            *(SeatReassigned(seat, holder) for seat, holder in seating.take_changes())
        )
        self._exchange.asked.clear()
        if transcript.number == UNNAMED:
            for signed in self.line.take_unchecked():
                self._take(signed, self.me)
        for peer in sorted(transcript.missing):
            for known in self.line.statements.of((MOVE, peer, *transcript.at)):
                self._weigh(known)

    def _log(self) -> None:
        log = self.context.referee.table.log
        if log:
            self._outbox.tell(*(Logged(message) for message in log))
            log.clear()

    def _announce(self, now: float) -> None:
        """Keep and tell the views that have begun; nobody is suspected of anything in a new one."""
        for view in self.transcript.views:
            if view.number in self._announced:
                continue
            self._announced.add(view.number)
            self._outbox.persist("view", tuple(each.plain() for each in view.statuses))
            self._outbox.tell(ViewChanged(tuple(sorted(view.lost)), tuple(sorted(view.back))))
            if self.me in view.lost:
                self.status.on(Change.CUT_OFF)
            if self.me in view.back:
                self.status.on(Change.LET_BACK)
            if self.me in view.again:
                self._court.wronged = False
            for peer in (*view.lost, *view.back):
                self._detector.clear(peer)
            self._changes.begun(view.number, self.transcript.members)
            falls = self.transcript.falls[self.me]
            if self.me not in self.transcript.members and falls > 1:
                self._changes.asked_back = view.number
                self._timers.start(Timer.REJOIN, now + min(REST * (falls - 1) ** 2, LONGEST))
            self._restart_waits(now)

    def _send_mine(self) -> bool:
        waits = self.status.incomplete or (self.context.handover_incomplete and self._court.wronged)
        if self.me not in self.transcript.missing or waits or self._promised:
            return False
        return self._exchange.send(self.line)

    def _needs_work(self, move: PhaseMessage) -> bool:
        """Tell whether a shell has first to do the long part of checking a move."""
        if self.transcript.phase is None:
            return False
        try:
            return self.jobs.pending(self.transcript.phase.checking(move.sender, move.parts))
        except PeerError:
            return False  # checking it will tell what is wrong

    # --- conviction ---

    def _find_guilty(self) -> None:
        """Convict whoever is guilty by what is held now."""
        transcript = self.transcript
        for found in self.line.violations:
            self._convict(
                Proof(found.peer, found.code, found.text, found.signed.phase, (found.signed,))
            )
        self.line.violations.clear()
        for signed, move in transcript.unsealed:
            self._court.complain(self.line, signed, move)
        transcript.unsealed.clear()
        for peer, (code, text) in sorted(self.context.late_violations.items()):
            self._convict(Proof(peer, code, text, transcript.number))
        for proof in self._court.judge(self.line):
            self._convict(proof)
        for key, known in list(self._odd.items()):
            verdict = self.line.judge(known)
            if verdict is not None:
                del self._odd[key]
                self._convict(verdict)

    def _convict(self, proof: Proof) -> None:
        """Convict a peer by a proof; the table plays on without it where it can.

        It cannot before the game has begun, nor where no quorum would be left.
        """
        if proof.peer == self.me or not self._court.convict(proof):
            return
        self.line.convicted.add(proof.peer)
        self._outbox.tell(Accused(proof.peer, proof.code, proof.text, proof.phase))
        phase = self.transcript.phase
        if phase is None:
            return  # the game has ended: nobody has to be cut off any more
        if not phase.anew:
            self.transcript.drop(proof.peer)
        left = self.transcript.members - self.line.convicted
        if self.transcript.number < OPENING or len(left) < self.roster.quorum:
            name, why = self.roster.shown(proof.peer), errors.by_code(proof.code, proof.text)
            self._halt(errors.Fault.WAS_CLOSED.of(name=name, why=why))

    def _halt(self, reason: str) -> None:
        self.status.on(Change.STUCK)
        self.status.why = Halted(reason)
        self._outbox.tell(self.status.why)

    # --- suspicion, and the view change ---

    def _look(self, now: float) -> None:
        """Work out who is missing and who is late, and forgive where too few would be left."""
        members = self.transcript.members
        missing = self._detector.missing(members, now)
        if self.transcript.number < OPENING:
            self._look_early(missing, now)
            return
        to_skip = {p for p in members if self._detector.to_skip(p, members)}
        self._to_skip = {p: self._to_skip.get(p, now) for p in to_skip}
        enough = len(members - missing.keys()) >= self.roster.quorum
        ends = {p: self._detector.ends(p, at, members) for p, at in missing.items()}
        self._tell_missing(ends if enough else dict.fromkeys(ends))
        self._detector.judge(members, self._debts(), now)
        here = members - self._detector.late - self._detector.left - self.line.convicted
        if len(here) >= self.roster.quorum:
            if enough:
                self.status.on(Change.QUORUM_HERE)
        elif self.status.member:
            here = here - missing.keys()
            if self.status.quorum is Quorum.HERE:
                self._outbox.tell(QuorumLost(here))
            self.status.on(Change.QUORUM_LOST)
            self._detector.restart(now)
        if self.status.quorum is Quorum.LOST:
            self._restart_if_agreed(members - missing.keys())

    def _look_early(self, missing: Mapping[int, float], now: float) -> None:
        """End a game that cannot begin: nobody can stand in before all keys are shared."""
        gone = [p for p, since in missing.items() if now - since >= BEGINNING]
        if gone:
            names = ", ".join(self.roster.shown(peer) for peer in sorted(gone))
            self._halt(errors.Fault.LEFT_EARLY.of(names=names))
            return
        owing = self.waiting_for - {self.me} - missing.keys()
        phase = self.transcript.phase
        if owing and phase is not None and phase.prompt and now - self._since >= PATIENCE:
            if self.transcript.number < UNNAMED:
                # what they signed may be for another roster: then the host told each another one
                self._halt(errors.Fault.NOT_AGREED.of())
            else:
                why = errors.by_code(Code.WITHHOLDS, "does not send what its program owes")
                name = self.roster.shown(min(owing))
                self._halt(errors.Fault.WAS_CLOSED.of(name=name, why=why))

    def _debts(self) -> set[Debt]:
        """Return what others owe this peer without asking a person, as far as it paid its part."""
        transcript, statuses = self.transcript, self.line.said()
        if not self.status.member or transcript.phase is None:
            return set()
        own = {
            (s.attempt, s.members)
            for s in statuses
            if s.author == self.me and s.attempt > transcript.view
        }
        joined = {s.author for s in statuses if (s.attempt, s.members) in own}
        debts: set[Debt] = set()
        if self.me not in transcript.missing or self._promised:
            prompt = transcript.phase.prompt
            owing = transcript.missing if prompt else transcript.missing & self._to_skip.keys()
            debts |= {(peer, MOVE, *transcript.at) for peer in owing - joined - {self.me}}
        attempt, members = self._changes.tried
        if attempt > transcript.view:
            paid = {s.author for s in statuses if (s.attempt, s.members) == (attempt, members)}
            debts |= {(p, STATUS, attempt, 0) for p in set(members) - paid - {self.me}}
        return debts

    def _table(self) -> Table:
        transcript, detector = self.transcript, self._detector
        late = detector.late if self.status.member else frozenset[int]()
        convicted = self.line.convicted
        statuses = self.line.said()
        return Table(
            transcript.view,
            transcript.members,
            statuses,
            late,
            detector.left,
            convicted,
            transcript.falls,
            self._court.wronged,
        )

    def _vote(self, now: float) -> bool:
        """Join an attempt at another view, if one is due."""
        ready = self.transcript.number >= OPENING and not self.status.incomplete
        if not ready or self.status.leaving:
            return False
        attempt, forgives = self._changes.joins(self._table())
        if forgives:
            self._detector.restart(now)
        if attempt is None:
            return False
        status = self._exchange.join(self.line, attempt, self.line.convicted, self._court.wronged)
        self._changes.signed(status)
        self._timers.set(Timer.REJOIN, now + PATIENCE)
        return True

    def _tell_missing(self, ends: dict[int, float | None]) -> None:
        for peer, end in ends.items():
            if peer not in self._told or self._told[peer] != end:
                self._outbox.tell(PeerUnreachable(peer, end))
        members = self.transcript.members
        self._outbox.tell(*(PeerReachable(p) for p in self._told if p not in ends and p in members))
        self._told = ends

    def _set_deadline(self, now: float) -> None:
        """Work out when time alone makes a difference next."""
        if self.status.stands or self.transcript.phase is None:
            self._timers.deadline = None
            return
        timers, members = self._timers, self.transcript.members
        timers.start(Timer.NUDGE, now + FIRST)
        waits, ends = [Timer.NUDGE], [self._detector.deadline(members, now)]
        begun = self.transcript.number >= OPENING
        if begun and self.status.asks_back:
            timers.start(Timer.REJOIN, now + BEAT)
            waits.append(Timer.REJOIN)
        if begun and not self.status.out and self._detector.liveness.unreachable & members:
            timers.start(Timer.HEARTBEAT, now + BEAT)
            waits.append(Timer.HEARTBEAT)
        timers.wait_for(waits, min((end for end in ends if end is not None), default=None))


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
