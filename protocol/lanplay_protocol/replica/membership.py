"""Who takes part: peers that are missing, cut off, and back."""

from __future__ import annotations

from collections.abc import Set
from contextlib import suppress
from dataclasses import replace
from typing import Any

from lanplay import errors
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.cut import (
    CUTS,
    Alive,
    Attached,
    Ballots,
    Decided,
    Leave,
    Prepare,
    Promise,
    Propose,
    Return,
    Vote,
    Word,
    check_decided,
    check_word,
    parse_attached,
    parse_decided,
    parse_kept,
    sign_word,
)
from lanplay_protocol.replica.deciding import Given, Stand
from lanplay_protocol.replica.events import (
    Accused,
    AskedToYield,
    PeerNotDurable,
    PeerReachable,
    PeerUnreachable,
    QuorumLost,
    Restarted,
    RestartVote,
    SeatReassigned,
    ViewChanged,
)
from lanplay_protocol.replica.evidence import Evidence
from lanplay_protocol.replica.failure_detector import SLACK, Liveness
from lanplay_protocol.replica.grounds import Promised, deniers
from lanplay_protocol.replica.messages import PHASES, parse_signed
from lanplay_protocol.replica.restart import restarted_roster
from lanplay_protocol.replica.roster import NONCE, PEERS
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.replica.status import Ballot, Change, Quorum
from lanplay_protocol.replica.timers import Timer
from lanplay_protocol.replica.transcript import ProtocolViolation
from lanplay_protocol.schema import binary, fields, refuse, uint

ROUNDS = 1 << 16
TURN = 0.5
"""Seconds that each peer leaves those before it to begin a cut."""
BEGINNING = 20.0
"""Seconds that a peer may be missing before the game has begun."""
TRIES = 3
"""Times that a program may be cut off for what it withheld, and take part again."""
AGAIN = 2.0
"""Seconds after which a cut that was not decided is asked for again."""
PATIENCE = 10.0
"""Seconds that a program may keep the table waiting for what it owes without its person."""
LONGEST = 60.0
"""Seconds at most that a peer has to stay away which leaves again and again."""


class Membership(Evidence):
    """A peer that sees who is missing, and takes part in the decisions on who is out and back."""

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
    def _asked_to_yield(self) -> bool:
        return self._detector.asked_to_yield(self.transcript.members)

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

    def _take_restart_vote(self, peer: int, payload: Any) -> None:
        nonce, known = fields(payload, 2, "wish")
        if peer not in self._restart_votes:
            self._outbox.tell(RestartVote(peer))
        self._restart_votes[peer] = (binary(nonce, NONCE, "nonce"), uint(known, ROUNDS, "round"))

    def _here(self) -> tuple[int, int]:
        return (self.transcript.number, len(self.decided))

    def _stands(self, peer: int, payload: Any) -> None:
        """Send a peer what it is behind by, or ask it for what it is ahead by."""
        phase, cuts = fields(payload, 2, "position")
        uint(cuts, CUTS, "cuts")
        for decided in self.decided[cuts:]:
            self._outbox.post("decided", decided.plain(), peer)
        if cuts > len(self.decided):
            self._outbox.post("here", self._here(), peer)
        number = self.transcript.number
        if uint(phase, PHASES, "phase") > number and self._asked_of.get(peer) != number:
            self._asked_of[peer] = number
            self._outbox.post("want", number, peer)

    def _relay(self, peer: int, kind: str, payload: Any, author: int) -> None:
        """Pass on what came from its author to whom the two do not hear each other."""
        for other in range(len(self.roster.peers)) if peer == author else ():
            if other not in (self.me, peer) and self._detector.unheard_by(other, peer):
                self._outbox.post(kind, payload, other)

    def _look(self, now: float) -> None:
        """Report who is unreachable, and begin a cut where one is due."""
        members = self.transcript.members
        missing = self._detector.missing(members, now)
        hurried = {p for p in members if self._detector.to_skip(p, members)}
        self._to_skip = {p: self._to_skip.get(p, now) for p in hurried}
        if not self._begun:
            gone = [p for p, since in missing.items() if now - since >= BEGINNING]
            if gone:
                names = ", ".join(self.roster.shown(peer) for peer in sorted(gone))
                self._halt(errors.Fault.LEFT_EARLY.of(names=names))
            return
        enough = len(members - missing.keys()) >= self.roster.quorum
        ends = {p: self._detector.ends(p, at, members) for p, at in missing.items()}
        self._tell_missing(ends if enough else dict.fromkeys(ends))
        lost = self._detector.suspects(members, now)
        if not self.status.member or not (
            lost or self.status.promised or self._returning - members
        ):
            self._timers.stop(Timer.BALLOT)
            self.status.on(Change.QUORUM_HERE)
            return
        guests = {peer for peer in self._returning if self._detector.heard(peer)}
        here = (members - missing.keys() - lost) | guests
        if len(here) < self.roster.quorum:
            if self.status.quorum is Quorum.HERE:
                self._outbox.tell(QuorumLost(frozenset(here)))
            self._timers.stop(Timer.BALLOT)
            self.status.on(Change.QUORUM_LOST)
            self._restart_if_agreed(frozenset(here))
            return
        self.status.on(Change.QUORUM_HERE)
        self._seek(sorted(here & members).index(self.me), now)

    def _seek(self, rank: int, now: float) -> None:
        """Ask for a cut when it is this peer's turn, and again until one is decided."""
        self._timers.start(Timer.BALLOT, now + rank * TURN)
        if self._timers.due(Timer.BALLOT, now):
            self._timers.set(Timer.BALLOT, now + AGAIN + rank * TURN)
            stand = self._stand(now)
            self._blame_reluctant(stand, now)
            self._say(self._deciding.ask(stand), now)

    def _blame_reluctant(self, stand: Stand, now: float) -> None:
        """Count a peer as missing that keeps a decision from being made, asked again and again.

        It promises nothing while a quorum does, or stands where it does not bring this peer.
        """
        if self._frozen_since is None:
            self._frozen_since = now
        since = {p: self._promised_at.get(p, self._frozen_since) for p in stand.present}
        late = {peer for peer, at in since.items() if now - at >= PATIENCE} - stand.lost
        prompt = sum(now - at < PATIENCE for at in self._promised_at.values())
        for peer in sorted(late - {self.me}) if prompt >= self.roster.quorum else ():
            if self._detector.heard(peer):
                self._accuse(peer, Code.WITHHOLDS, "keeps a decision from being made")

    def _note_promise(self, sender: int, word: Promise, now: float) -> None:
        here = (self.transcript.number, self.context.transcript_hash)
        behind = word.phase < here[0] or bool(self.transcript.equivocations)
        if word.number == self._deciding.number and (
            behind or (word.phase, word.transcript) == here
        ):
            self._promised_at[sender] = now

    def _tell_missing(self, ends: dict[int, float | None]) -> None:
        for peer, end in ends.items():
            if peer not in self._told or self._told[peer] != end:
                self._outbox.tell(PeerUnreachable(peer, end))
        members = self.transcript.members
        self._outbox.tell(*(PeerReachable(p) for p in self._told if p not in ends and p in members))
        self._told = ends

    def _stand(self, now: float, slack: float = 0.0) -> Stand:
        transcript, members = self.transcript, self.transcript.members
        return Stand(
            phase=transcript.number,
            transcript=self.context.transcript_hash,
            present=members,
            lost=self._detector.suspects(members, now, slack),
            back=frozenset(self._returning) - members,
            barred=frozenset(self._excluded),
            wronged=frozenset(self._wronged) & members,
            two_faced=frozenset(double.sender for double in transcript.equivocations),
            held=transcript.held,
        )

    def _say(self, word: Word, now: float, attached: Attached | None = None) -> None:
        signed = sign_word(word, self.me, self._identity, self.context.game_id)
        ballots = signed if attached is None else replace(signed, extra=attached.encoded())
        self._outbox.post("cut", ballots.plain())
        self._weigh(ballots, word, now)

    def _hear(self, ballots: Ballots, now: float) -> None:
        if self._begun:
            self._weigh(ballots, check_word(ballots, self.roster, self.context.game_id), now)

    def _weigh(self, ballots: Ballots, word: Word, now: float) -> None:
        match word:
            case _ if ballots.sender == self.me:
                self._decide(ballots, word, now)
            case Leave(number=number):
                if number == self._deciding.number:
                    self._leaves(ballots, now)
            case Return(number=number):
                self._asks_back(ballots.sender, number, now)
            case Alive(beat=beat):
                self._detector.heartbeat(ballots.sender, beat, now)
            case _:
                self._decide(ballots, word, now)

    def _leaves(self, ballots: Ballots, now: float) -> None:
        """Suspect who left, and tell all others: it may have told this peer alone."""
        sender = ballots.sender
        if sender not in self._detector.suspected:
            self._detector.suspect(sender, "it left")
            self._farewells[sender] += 1
            self._away_until[sender] = now + min(2 * (self._farewells[sender] - 1) ** 2, LONGEST)
            self._outbox.post("cut", ballots.plain())

    def _decide(self, ballots: Ballots, word: Word, now: float) -> None:
        """Take part in the decision on the next cut; what binds is on disk before it is sent."""
        deciding, sender = self._deciding, ballots.sender
        if isinstance(word, Vote):
            deciding.vote(ballots, word)
        elif self.status.incomplete:
            return  # it may have promised and voted before, and does not know
        elif isinstance(word, Prepare):
            if sender in self.transcript.members - self._excluded:
                self._promise(word, now)
        elif isinstance(word, Promise):
            self._promised(ballots, word, now)
        elif isinstance(word, Propose) and deciding.proposed(sender, word):
            self._elect(sender, word)
            self._vote(now)
        if (decided := deciding.decided()) is not None:
            self._learn(decided, now)

    def _promise(self, word: Prepare, now: float) -> None:
        given = self._deciding.prepared(word, self._stand(now, SLACK))
        if given is not None:
            if word.ballot % PEERS != self.me and self.status.ballot is not Ballot.YIELDED:
                self.status.on(Change.YIELDED)
                self._timers.set(Timer.BALLOT, now + AGAIN + self.me * TURN)
            self.status.on(Change.PROMISED)
            self._outbox.persist("promise", given[0].plain(), binding=True)
            self._say(given[0], now, given[1])

    def _promised(self, ballots: Ballots, word: Promise, now: float) -> None:
        """Take a promise, and what it holds of the lost: a second message is evidence."""
        attached, sender = parse_attached(word, ballots.extra), ballots.sender
        for signed in attached.moves:
            if self.transcript.verified(signed).phase != word.phase:
                refuse("a message of another phase")
        for signed in attached.moves if sender != self.me else ():
            self._compare(signed)
        if word.number == self._deciding.number and word.phase > self.transcript.number:
            self._stands(sender, (word.phase, len(self.decided)))
        self._note_promise(sender, word, now)
        proposal = self._deciding.promise(sender, Given(word, ballots, attached), self._stand(now))
        if proposal is not None:
            self._say(proposal, now)

    def _elect(self, sender: int, word: Propose) -> None:
        """Keep a proposal of the present ballot, checked as far as it is the same for all."""
        cut = word.cut
        for signed in cut.moves:
            if self.transcript.verified(signed).phase != cut.phase:
                refuse("a message of another phase")
        self._proposal = (word, self._read(word.why), self._read(word.origin))
        if cut.phase > self.transcript.number:
            self._stands(sender, (cut.phase, len(self.decided)))

    def _read(self, given: tuple[Ballots, ...]) -> Promised:
        promises = {}
        for each in given:
            word = check_word(each, self.roster, self.context.game_id)
            if not isinstance(word, Promise) or word.number != self._deciding.number:
                refuse("a promise for something else")
            promises[each.sender] = word
        return promises

    def _vote(self, now: float) -> None:
        """Vote for the proposal at hand once this peer may: it may have to catch up first."""
        if self._proposal is None or self.status.incomplete:
            return
        word = self._proposal[0]
        vote = self._deciding.ballot(*self._proposal, self._stand(now, SLACK))
        if vote is not None:
            self._proposal = None
            self._outbox.persist("vote", word.plain(), binding=True)
            self._say(vote, now)

    def _asks_back(self, sender: int, number: int, now: float) -> None:
        if number < len(self.decided):
            for decided in self.decided[number:]:
                self._outbox.post("decided", decided.plain(), sender)
        elif (
            sender in self.transcript.members | self._excluded
            or self._withholder_cuts[sender] >= TRIES
        ):
            return
        elif now >= self._away_until.get(sender, now):
            self._returning.add(sender)

    def _learn(self, decided: Decided, now: float) -> None:
        """Take the next decision, however it came."""
        cut = decided.cut
        if not self._begun or cut.number > len(self.decided):
            return
        if cut.number < len(self.decided):
            self._compare_decisions(self.decided[cut.number], decided)
            return
        if self.over and cut.phase < self.transcript.number:
            return
        check_decided(decided, self.roster, self.context.game_id)
        self._outbox.persist("decided", decided.plain())
        self._outbox.tell(ViewChanged(cut.lost, cut.back))
        self._enter(decided)
        self._since = now

    def _recall(self, kind: str, plain: Any) -> None:
        match kind:
            case "move":
                while self.transcript.finish(lambda _: None):
                    self._find_line()
                self._replay(parse_signed(plain))
                self._level()
            case "promise" | "vote":
                self._deciding.recall(parse_kept(kind, plain))
                if self._deciding.promised:
                    self.status.on(Change.PROMISED)
            case "decided":
                self._enter(parse_decided(plain))
            case _:
                raise PeerError(Code.MALFORMED, f"an entry of kind {kind!r}")

    def _compare_decisions(self, mine: Decided, other: Decided) -> None:
        """Halt the game if a second decision exists in the place of one: somebody voted twice.

        Two quorums share a peer; whoever is in both has signed both lines of the game.
        """
        if other.cut == mine.cut or self.status.halted:
            return
        both = deniers(mine, other, self.roster, self.context.game_id)
        text = f"signed for two different cuts in the place of cut {mine.cut.number}"
        for peer in sorted(both):
            self._outbox.tell(Accused(peer, Code.EQUIVOCATION, text, mine.cut.phase))
        names = ", ".join(self.roster.shown(peer) for peer in sorted(both))
        self._halt(errors.Fault.TWO_LINES.of(names=names, number=mine.cut.number), Change.TWO_LINES)

    def _enter(self, decided: Decided) -> None:
        cut, transcript = decided.cut, self.transcript
        self.decided.append(decided)
        self._deciding.begin(len(self.decided))
        self._proposal = None
        self._promised_at.clear()
        self.status.on(Change.DECIDED)
        if self.me in cut.lost:
            self.status.on(Change.CUT_OFF)
        if self.me in cut.back:
            self.status.on(Change.LET_BACK)
        self._frozen_since = None
        self._timers.stop(Timer.BALLOT)
        self._wronged -= set(cut.again)
        self._withholder_cuts.update(self._withholders & set(cut.lost))
        for peer in self._withholders & set(cut.back):
            self._withholders.discard(peer)
            self._detector.link_up(peer)
        for peer in (*cut.lost, *cut.back):
            self._detector.clear(peer)
            self._returning.discard(peer)
            self._early = {
                n: {p: m for p, m in e.items() if p != peer} for n, e in self._early.items()
            }
        for peer in self._excluded & set(cut.back):
            self._detector.suspect(peer, "it broke the rules")  # found out after the votes
        known = transcript.before(cut.phase)
        if known is not None and known != cut.transcript:
            self._again_from(0)
        elif cut.phase < transcript.number:
            self._again_from(cut.phase)
        else:
            transcript.decide(cut)

    def _find_line(self) -> bool:
        """Begin again if a cut of the present phase was decided on another line of the game."""
        astray = any(cut.transcript != self.context.transcript_hash for cut in self.transcript.here)
        if astray:
            self._again_from(0)
        return astray

    def _again_from(self, phase: int) -> None:
        """Go back to a phase and drop what came after it: the table went on without that."""
        self._level()
        self.status.on(Change.SET_BACK)
        moves, replaying = self.transcript.moves, self.context.replaying
        doubles, faults = self.transcript.equivocations, self.transcript.faults
        self._begin(self.context.trusted)
        transcript = self.transcript
        transcript.equivocations, transcript.faults = doubles, faults
        for decided in self.decided:
            transcript.decide(decided.cut)
        self.context.replaying = True
        for kept in moves[: phase + 1]:
            for _, signed in sorted(kept.items()):
                with suppress(ProtocolViolation):  # its author is named already
                    self._replay(signed)
        self.context.replaying = replaying
        log = self.context.referee.table.log
        if log is not None:
            log.clear()
        self.context.seating.take_changes()
        self._level()

    @property
    def _may_ask_back(self) -> bool:
        """Tell whether it has to ask: not before it knows the game's id, for which it signs."""
        return self.status.asks_back and self._begun

    def _ask_back(self, now: float) -> None:
        """Ask to take part again; with a journal that misses something, to be cut off first."""
        self._timers.start(Timer.REJOIN, now)
        if self._may_ask_back and self._timers.due(Timer.REJOIN, now):
            self._timers.set(Timer.REJOIN, now + AGAIN)
            number = len(self.decided)
            self._say(Return(number) if self.status.out else Leave(number), now)
