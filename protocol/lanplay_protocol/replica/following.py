"""What one peer knows of a game in progress, and how it goes from phase to phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.game import Game
from lanplay.engine.question import Question
from lanplay.engine.referee import Referee
from lanplay.engine.view import View
from lanplay_protocol.crypto.hashing import digest
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica.choices import ChoicePhase, awaited
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.cut import Decided, Propose
from lanplay_protocol.replica.deciding import Deciding
from lanplay_protocol.replica.disputes import Report
from lanplay_protocol.replica.events import (
    AnswerNeeded,
    GameOver,
    Halted,
    Logged,
    TrustNeeded,
)
from lanplay_protocol.replica.failure_detector import FailureDetector
from lanplay_protocol.replica.grounds import Promised
from lanplay_protocol.replica.jobs import JobQueue
from lanplay_protocol.replica.messages import (
    Complaint,
    PhaseMessage,
    SignedMessage,
    Slot,
    sign,
)
from lanplay_protocol.replica.opening import OPENING, KeyCommitments, Ready, comparing
from lanplay_protocol.replica.outbox import Outbox
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.status import Change, Progress, Status
from lanplay_protocol.replica.timers import Timer, Timers
from lanplay_protocol.replica.transcript import Transcript


class Following:
    """The state of one peer in one game, and its own part in it.

    ``halted`` says why the game cannot go on, ``decided`` are its cuts so far, in order. What is to
    be said and told collects in ``_outbox``. ``_signed`` is what this peer has ever signed for a
    slot, so that it signs nothing else there when it comes by again. Long work may be done apart
    from it (see ``JobQueue``): what waits for it is taken with ``JobDone``.
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
        self.decided: list[Decided] = []
        self.jobs = JobQueue()
        self.windows = False  # whether reaction windows are asked of seats, too, without a choice
        self._identity = identity
        self._game = game
        self._seed = seed
        self._logged = log
        self._outbox = Outbox()
        self._timers = Timers()
        self._signed: dict[Slot, SignedMessage] = {}
        # what others asked for lately, so that nobody makes this peer send without end
        self._wants: dict[int, list[float]] = {}
        # the phase in which each was asked for what it is ahead by: once is enough
        self._asked_of: dict[int, int] = {}
        # evidence outlives a game that is gone through again: it is judged and passed on once
        self._complaints: dict[tuple[int, int], Complaint] = {}
        self._judged: set[tuple[int, int]] = set()
        self._excluded: set[int] = set()
        self._wronged: set[int] = set()
        self._withholders: set[int] = set()
        self._withholder_cuts: Counter[int] = Counter()
        # who is there, and what this peer's shell has been told of it
        self._detector = FailureDetector(self.me, roster.settings.grace)
        self._told: dict[int, float | None] = {}
        self._to_skip: dict[int, float] = {}
        self._beat = 0
        # who left how often, until when it has to stay away, and who asks to take part again
        self._farewells: Counter[int] = Counter()
        self._away_until: dict[int, float] = {}
        self._returning: set[int] = set()
        # the decision at hand: whoever makes no promise keeps it from being made
        self._deciding = Deciding(self.me, roster.quorum, len(roster.peers))
        self._proposal: tuple[Propose, Promised, Promised] | None = None
        self._promised_at: dict[int, float] = {}
        self._frozen_since: float | None = None
        # who votes for a new game among those who are here, with its nonce and its last boundary
        self._restart_votes: dict[int, tuple[bytes, int]] = {}
        self._begin(trusted)

    def _begin(self, trusted: bool) -> None:
        """Set everything that belongs to one run of the phases back to the game's beginning."""
        roster = self.roster
        table = self._game.table(len(roster.names), roster.options, roster.start)
        table.log = [] if self._logged else None
        key = GameKey.derive(digest("game key", self._seed))
        self.context = Context(self.roster, self.me, key, Referee(self._game, table))
        self.context.trusted = trusted
        self.context.jobs = self.jobs
        self.jobs.forget()
        self.transcript = Transcript(
            self.context, KeyCommitments(self.context, digest("nonce", self._seed))
        )
        self._early: dict[int, dict[int, SignedMessage]] = {}
        # what the shell has been asked in this phase: seats to answer, ``None`` for its trust
        self._asked: set[int | None] = set()
        self._reports: dict[int, Report] = {}
        self._early_reports: dict[int, Report] = {}
        self._reported = b""
        self._divergent: dict[int, tuple[SignedMessage, PhaseMessage]] = {}
        # since when this phase, or its dispute, goes on; since when a link is back in it
        self._since = 0.0
        self._back: dict[int, float] = {}
        self._timers.stop(Timer.NUDGE)

    @property
    def halted(self) -> Halted | None:
        """Why the game cannot go on for now; ``None`` where it can."""
        return self.status.why if self.status.halted else None

    @property
    def over(self) -> bool:
        """Tell whether the game has ended."""
        return self.status.progress is Progress.OVER

    @property
    def views(self) -> Mapping[int, View[Any]]:
        """The views of this peer's own seats."""
        return self.context.views

    @property
    def waiting_for(self) -> frozenset[int]:
        """The peers whose message of the present phase is still missing."""
        return self.transcript.missing

    def _replay(self, signed: SignedMessage) -> None:
        transcript = self.transcript
        while transcript.finish(lambda _: None):
            pass
        move = transcript.verified(signed)
        if signed.sender == self.me:
            self._signed.setdefault(move.slot, signed)
        if signed.phase == transcript.number and signed.sender in transcript.missing:
            self._take_in(signed, move)

    def _take_in(self, signed: SignedMessage, move: PhaseMessage) -> None:
        """Accept a message of the present phase; of its own, recall what it was made from."""
        if signed.sender == self.me and self.transcript.phase is not None:
            self._signed.setdefault(move.slot, signed)
            self.transcript.phase.recall(move.parts)
        self.transcript.bring(signed, move)

    def asked(self, seat: int) -> bool:
        """Tell whether a seat of this peer has a question to answer."""
        return seat in dict(self._questions())

    @property
    def _begun(self) -> bool:
        return self.transcript.number >= OPENING

    @property
    def moves(self) -> Sequence[Mapping[int, SignedMessage]]:
        """The accepted messages of every phase, by peer."""
        return self.transcript.moves

    @property
    def _prompt(self) -> bool:
        return self.transcript.phase is not None and self.transcript.phase.prompt

    def _send_mine(self) -> bool:
        transcript, context = self.transcript, self.context
        phase, me = transcript.phase, context.me
        waits = self.status.incomplete or (
            context.handover_incomplete and bool(self._excluded & transcript.members)
        )
        if phase is None or me not in transcript.missing or waits:
            return False
        said = self._signed.get((transcript.number, transcript.epoch, context.transcript_hash))
        if said is not None:
            self._take_in(said, transcript.verified(said))
            self._outbox.post("move", said.plain())
            return True
        self._ask()
        if self.jobs.pending(phase.making()):
            return False
        parts = phase.mine()
        if parts is None:
            return False
        epoch = transcript.epoch
        move = PhaseMessage(
            me, transcript.number, epoch, context.transcript_hash, transcript.state, parts
        )
        signed = sign(move, self._identity, context.game_id)
        self._signed[move.slot] = signed
        transcript.bring(signed, move)
        self._outbox.persist("move", signed.plain(), binding=isinstance(phase, ChoicePhase))
        self._outbox.post("move", signed.plain())
        return True

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

    def _questions(self) -> list[tuple[int, Question]]:
        phase = self.transcript.phase
        if isinstance(phase, ChoicePhase) and not phase.prompt:
            return phase.waiting()
        return []

    def _ask(self) -> None:
        if isinstance(self.transcript.phase, Ready) and None not in self._asked:
            self._asked.add(None)
            self._outbox.tell(TrustNeeded(self.context.game_id))
        for seat, question in self._questions():
            left = self.windows and question.pass_answer() is not None
            only_answer = None if left else question.only_answer(self.views[seat])
            if only_answer is not None:
                self.context.answers[seat] = only_answer[0]
            elif seat not in self._asked:
                self._asked.add(seat)
                bot = self.context.seating.holders[seat].bot
                self._outbox.tell(AnswerNeeded(seat, question, bot))

    def _finish(self) -> None:
        self.status.on(Change.ENDED)
        self._outbox.tell(GameOver(self._game.result(self.context.referee.table)))

    def _log(self) -> None:
        log = self.context.referee.table.log
        if log:
            self._outbox.tell(*(Logged(message) for message in log))
            log.clear()

    def _level(self) -> None:
        """Note that the phases before the game itself are complete, for the first time or again."""
        if self._begun and self.status.progress in (Progress.OPENING, Progress.CATCHING_UP):
            self.status.on(Change.OPENED)

    def _halt(self, reason: str, change: Change = Change.STUCK) -> None:
        self.status.on(change)
        lines = tuple(
            f"{self.context.roster.shown(peer)}: state {report.state.hex()[:16]}"
            for peer, report in sorted(self._reports.items())
        )
        self.status.why = Halted(reason, lines)
        self._outbox.tell(self.status.why)
