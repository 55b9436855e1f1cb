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
from protocol.crypto.hashing import digest, number
from protocol.crypto.keys import GameKey
from protocol.crypto.sealing import disclose
from protocol.errors import Code, PeerError
from protocol.identity import Identity
from protocol.replica.asking import Asking
from protocol.replica.context import Context
from protocol.replica.course import Course, Fault
from protocol.replica.cut import (
    CUTS,
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
    parse_ballots,
    parse_decided,
    parse_kept,
    sign_word,
)
from protocol.replica.deciding import Deciding, Stand
from protocol.replica.disputes import Report, field_hashes, judge, parse_report
from protocol.replica.events import (
    Accused,
    Ask,
    Changed,
    Confirm,
    Event,
    Happened,
    Held,
    Keep,
    Missing,
    Over,
    Reached,
    Seated,
    Send,
    Unkept,
    Urged,
    Waiting,
)
from protocol.replica.messages import (
    PHASES,
    Complaint,
    Move,
    Signed,
    check_complaint,
    complain,
    parse_complaint,
    parse_signed,
    sign,
)
from protocol.replica.opening import OPENING, UNNAMED, Promises, Ready
from protocol.replica.presence import SLACK, Presence, parse_word
from protocol.replica.presence import Word as PresenceWord
from protocol.replica.roster import Roster
from protocol.replica.seating import Holder
from protocol.schema import fields, uint
from protocol.wire import decode, encode

AHEAD = 16
"""Phases that a peer may be ahead; what comes from further on is not kept."""
CHUNK = 64
"""Phases that are sent at once to a peer that is behind."""
RESENDS = 32
"""Times that one peer may ask for messages again in ``NUDGE`` seconds."""
PATIENCE = 10.0
"""Seconds that a program may keep the table waiting for what it owes without its person."""
NUDGE = 2.0
"""Seconds after which missing messages are asked for again."""
REPORTS = 5.0
"""Seconds to wait for reports in a dispute."""
TURN = 0.5
"""Seconds that each peer leaves those before it to begin a cut."""
BEGINNING = 20.0
"""Seconds that a peer may be missing before the game has begun."""
TRIES = 3
"""Times that a program may be cut off for what it withheld, and take part again."""
AGAIN = 2.0
"""Seconds after which a cut that was not decided is asked for again."""


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
        self.roster = roster
        self.me = next(p for p, peer in enumerate(roster.peers) if peer.public == identity.public)
        self.held: Held | None = None
        self.over = False
        self.deadline: float | None = None
        self.decided: list[Decided] = []
        self._identity = identity
        self._game = game
        self._seed = seed
        self._logged = log
        self._events: list[Event] = []
        self._wants: dict[int, list[float]] = {}
        self._asked_of: dict[int, int] = {}
        self._complaints: dict[int, Complaint] = {}
        self._presence = Presence(self.me, roster.house.grace)
        self._deciding = Deciding(self.me, roster.quorum)
        self._returning: set[int] = set()
        self._banned: set[int] = set()
        self._wronged: set[int] = set()
        self._late: set[int] = set()
        self._late_cuts: Counter[int] = Counter()
        self._leaving = False
        self._recalling = False
        self._stale = False
        self._told: dict[int, float | None] = {}
        self._waiting = False
        self._cut_at: float | None = None
        self._return_at = 0.0
        self._begin(trusted)

    def _begin(self, trusted: bool) -> None:
        """Stand at the beginning of the game."""
        table = self._game.table(len(self.roster.names), self.roster.options)
        table.log = [] if self._logged else None
        key = GameKey.derive(digest("game key", self._seed))
        self.context = Context(self.roster, self.me, key, Referee(self._game, table))
        self.context.trusted = trusted
        self.course = Course(self.context, Promises(self.context, digest("nonce", self._seed)))
        self._early: dict[int, dict[int, Signed]] = {}
        self._asked: set[int] = set()
        self._confirming = False
        self._reports: dict[int, Report] = {}
        self._early_reports: dict[int, Report] = {}
        self._odd: dict[int, tuple[Signed, Move]] = {}
        self._dispute: int | None = None
        self._since = 0.0
        self._back: dict[int, float] = {}
        self._nudge_at: float | None = None

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

    def restore(
        self, entries: Iterable[tuple[str, Any]], now: float, stale: bool = False
    ) -> list[Event]:
        """Go on, instead of ``start``, where this peer had kept these entries in this order.

        ``stale`` entries miss some of what this peer may have said: it says nothing more before the
        table has cut it off, and then comes back as any other. Raises ``ValueError`` if they do not
        make one game of this peer.
        """
        self._recalling = self.context.recalling = True
        try:
            for kind, plain in entries:
                self._recall(kind, plain)
        except (Fault, PeerError, FalseClaim) as error:
            raise ValueError(f"phase {self.course.number}: {error}") from error
        self._recalling = self.context.recalling = False
        self._stale = stale and not self._out
        self._log()
        self._drain()
        return self.start(now)

    def _recall(self, kind: str, plain: Any) -> None:
        match kind:
            case "move":
                self._replay(parse_signed(plain))
            case "promise" | "vote":
                self._deciding.recall(parse_kept(kind, plain))
            case "decided":
                self._enter(parse_decided(plain))
            case _:
                raise PeerError(Code.MALFORMED, f"an entry of kind {kind!r}")

    def _replay(self, signed: Signed) -> None:
        course = self.course
        while course.finish(lambda _: None):
            pass
        if signed.phase != course.number or signed.sender not in course.missing:
            return
        move = course.verified(signed)
        if signed.sender == self.me and course.phase is not None:
            course.phase.recall(move.parts)
        course.bring(signed, move)

    def bot_key(self, seat: int) -> bytes:
        """Return 32 secret bytes for an AI of this peer at a seat, the same after a restart."""
        return digest("bot", self._seed, number(seat))

    def asked(self, seat: int) -> bool:
        """Tell whether a seat of this peer has a question to answer."""
        return seat in dict(self._questions())

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
                self._wanted(peer, now, uint(payload, PHASES, "phase"))
            case "here":
                self._stands(peer, payload)
            case "presence":
                self._said(peer, parse_word(payload))
            case "cut":
                ballots = parse_ballots(payload)
                self._relay(peer, "cut", payload, ballots.sender)
                self._hear(ballots, now)
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
        """Let time pass: ask for what is missing, name who withholds, give up who is lost."""
        if self.deadline is None or now < self.deadline:
            return []
        if self._nudge_at is not None and now >= self._nudge_at:
            self._nudge_at = None
            self._nudge(now)
        return self._go_on(now)

    def _nudge(self, now: float) -> None:
        if self._presence.word.silent:
            self._post("presence", self._presence.word.plain())
        if self._dispute is not None:
            self._judge(final=True)
        elif self.course.number < UNNAMED and self._withholding(now):
            # what they signed may be for another roster: then the host told each another one
            self._hold("the peers do not agree who sits at this table, or somebody does not answer")
        elif withholding := self._withholding(now):
            for peer in withholding:
                self._accuse(peer, Code.WITHHOLDS, "does not send what its program owes")
        elif self.waiting_for - {self.me} or self._out or self._deciding.frozen:
            self._post("want", self.course.number)

    def _withholding(self, now: float) -> list[int]:
        """Return who is there, owes something that needs no person, and does not send it."""
        if not self._prompt or self._deciding.frozen:
            return []
        late = {peer for peer in self.waiting_for - {self.me} if self._presence.heard(peer)}
        since = {peer: max(self._since, self._back.get(peer, 0.0)) for peer in late}
        return sorted(peer for peer in late if now - since[peer] >= PATIENCE)

    # -- presence ---------------------------------------------------------------------------------

    def absent(self, peer: int, now: float) -> list[Event]:
        """Know that there is no connection to a peer."""
        self._presence.link_down(peer, now)
        self._post("presence", self._presence.word.plain())
        return self._go_on(now)

    def again(self, peer: int, now: float) -> list[Event]:
        """Return what a peer whose connection was renewed may have missed."""
        self._presence.link_up(peer)
        self._back.setdefault(peer, now)
        self._post("presence", self._presence.word.plain())
        self._post("here", self._here(), peer)
        for phase in range(max(0, self.course.number - 1), self.course.number + 1):
            self._resend(peer, phase)
        for _, complaint in sorted(self._complaints.items()):
            self._post("complaint", complaint.plain(), peer)
        return self._go_on(now)

    def _said(self, peer: int, word: PresenceWord) -> None:
        before, urged = self._presence.of(peer), self._urged
        self._presence.said(peer, word)
        holders = self.context.seating.holders
        for seat in sorted(word.away ^ before.away):
            if seat < len(holders) and holders[seat].peer == peer:
                bot = self.roster.house.bot if seat in word.away else self.roster.bot(seat)
                self._events.append(Seated(seat, Holder(peer, bot)))
        if word.unkept and not before.unkept:
            self._events.append(Unkept(peer))
        if self._urged and not urged:
            self._events.append(Urged())

    @property
    def _urged(self) -> bool:
        return self._presence.urged(self.course.members)

    def set_away(self, away: bool, now: float) -> list[Event]:
        """Tell the others that AI answers for this peer's people, or that they do again."""
        seating = self.context.seating
        people = {s for s in seating.of(self.me) if not seating.holders[s].bot}
        self._presence.away = people if away else set()
        self._post("presence", self._presence.word.plain())
        return self._go_on(now)

    def unkept(self, now: float) -> list[Event]:
        """Tell the others that this peer cannot keep the game on its disk."""
        self._presence.unkept = True
        self._post("presence", self._presence.word.plain())
        return self._go_on(now)

    def hurry(self, peer: int, now: float) -> list[Event]:
        """Do not wait for a peer: a majority lets AI take a missing one's seats at once.

        The program of one that is there lets its AI answer.
        """
        self._presence.hurry(peer)
        self._post("presence", self._presence.word.plain())
        return self._go_on(now)

    def wait(self, peer: int, now: float) -> list[Event]:
        """Wait for a missing peer, however long it takes."""
        self._presence.wait(peer)
        self._post("presence", self._presence.word.plain())
        return self._go_on(now)

    def leave(self, now: float) -> list[Event]:
        """Give up this peer's seats for now: nobody waits for it, AI takes them at once."""
        self._leaving = True
        if self._begun:
            self._say(Leave(self._deciding.number), now)
        return self._drain()

    def _here(self) -> tuple[int, int]:
        return (self.course.number, len(self.decided))

    def _stands(self, peer: int, payload: Any) -> None:
        """Help a peer that is behind, or ask it for what it has more of."""
        phase, cuts = fields(payload, 2, "position")
        uint(cuts, CUTS, "cuts")
        for decided in self.decided[cuts:]:
            self._post("decided", decided.plain(), peer)
        if cuts > len(self.decided):
            self._post("here", self._here(), peer)
        number = self.course.number
        if uint(phase, PHASES, "phase") > number and self._asked_of.get(peer) != number:
            self._asked_of[peer] = number
            self._post("want", number, peer)

    def _relay(self, peer: int, kind: str, payload: Any, author: int) -> None:
        """Pass on what came from its author to whom the two do not hear each other."""
        for other in range(len(self.roster.peers)) if peer == author else ():
            if other not in (self.me, peer) and self._presence.unheard_by(other, peer):
                self._post(kind, payload, other)

    @property
    def _begun(self) -> bool:
        return self.course.number >= OPENING

    @property
    def _out(self) -> bool:
        """Tell whether this peer was cut and follows from outside."""
        return self.me not in self.course.members

    def _look(self, now: float) -> None:
        """See who is missing, and begin a cut where one is due."""
        members = self.course.members
        missing = self._presence.missing(members, now)
        if not self._begun:
            gone = [p for p, since in missing.items() if now - since >= BEGINNING]
            if gone:
                names = ", ".join(self.roster.shown(peer) for peer in sorted(gone))
                self._hold(f"{names} left before the game began: open a new table")
            return
        self._tell_missing({p: self._presence.ends(p, at, members) for p, at in missing.items()})
        lost = self._presence.lost(members, now)
        if (
            self._out
            or self._stale
            or not (lost or self._deciding.frozen or self._returning - members)
        ):
            self._cut_at, self._waiting = None, False
            return
        guests = {peer for peer in self._returning if self._presence.heard(peer)}
        here = (members - missing.keys() - lost) | guests
        if len(here) < self.roster.quorum:
            if not self._waiting:
                self._events.append(Waiting(frozenset(here)))
            self._waiting, self._cut_at = True, None
            return
        self._waiting = False
        self._seek(sorted(here & members).index(self.me), now)

    def _seek(self, rank: int, now: float) -> None:
        """Ask for a cut when it is this peer's turn, and again until one is decided."""
        if self._cut_at is None:
            self._cut_at = now + rank * TURN
        if now >= self._cut_at:
            self._cut_at = now + AGAIN + rank * TURN
            self._say(self._deciding.ask(self._stand(now)), now)

    def _tell_missing(self, ends: dict[int, float | None]) -> None:
        for peer, end in ends.items():
            if peer not in self._told or self._told[peer] != end:
                self._events.append(Missing(peer, end))
        members = self.course.members
        self._events += [Reached(p) for p in self._told if p not in ends and p in members]
        self._told = ends

    def _stand(self, now: float, slack: float = 0.0) -> Stand:
        course, members = self.course, self.course.members
        return Stand(
            phase=course.number,
            transcript=self.context.transcript,
            present=members,
            lost=self._presence.lost(members, now, slack),
            back=frozenset(self._returning) - members,
            wronged=frozenset(self._wronged) & members,
            held=course.held,
        )

    # -- cuts -------------------------------------------------------------------------------------

    def _say(self, word: Word, now: float) -> None:
        ballots = sign_word(word, self.me, self._identity, self.context.game_id)
        self._post("cut", ballots.plain())
        self._weigh(ballots, word, now)

    def _hear(self, ballots: Ballots, now: float) -> None:
        if self._begun:
            self._weigh(ballots, check_word(ballots, self.roster, self.context.game_id), now)

    def _weigh(self, ballots: Ballots, word: Word, now: float) -> None:
        match word:
            case Leave(number=number):
                if number == self._deciding.number and ballots.sender != self.me:
                    self._presence.give_up(ballots.sender, "it left")
            case Return(number=number):
                if ballots.sender != self.me:
                    self._asks_back(ballots.sender, number)
            case _:
                self._decide(ballots, word, now)

    def _decide(self, ballots: Ballots, word: Word, now: float) -> None:
        """Take part in the decision on the next cut; what binds is on disk before it is sent."""
        deciding, sender = self._deciding, ballots.sender
        if self._stale:
            return
        if isinstance(word, Prepare):
            if (promise := deciding.prepared(word, self._stand(now, SLACK))) is not None:
                self._events.append(Keep(("promise", promise.plain()), binding=True))
                self._say(promise, now)
        elif isinstance(word, Promise):
            if (proposal := deciding.promise(sender, word, self._stand(now))) is not None:
                self._say(proposal, now)
        elif isinstance(word, Propose):
            if (vote := deciding.proposed(sender, word, self._stand(now))) is not None:
                self._events.append(Keep(("vote", word.plain()), binding=True))
                self._say(vote, now)
        elif isinstance(word, Vote) and (decided := deciding.vote(ballots, word)) is not None:
            self._learn(decided, now)

    def _asks_back(self, sender: int, number: int) -> None:
        if number < len(self.decided):
            for decided in self.decided[number:]:
                self._post("decided", decided.plain(), sender)
        elif sender not in self.course.members | self._banned and self._late_cuts[sender] < TRIES:
            self._returning.add(sender)

    def _learn(self, decided: Decided, now: float) -> None:
        """Take the next decision, however it came."""
        cut = decided.cut
        if cut.number != len(self.decided) or not self._begun:
            return
        if self.over and cut.phase < self.course.number:
            return
        check_decided(decided, self.roster, self.context.game_id)
        self._events.append(Keep(("decided", decided.plain()), binding=False))
        self._events.append(Changed(cut.lost, cut.back))
        self._enter(decided)
        self._since = now

    def _enter(self, decided: Decided) -> None:
        cut, course = decided.cut, self.course
        self.decided.append(decided)
        self._stale = self._stale and self.me not in cut.lost
        self._deciding.begin(len(self.decided))
        self._cut_at = None
        self._wronged -= set(cut.again)
        self._late_cuts.update(self._late & set(cut.lost))
        self._late -= set(cut.lost)
        for peer in (*cut.lost, *cut.back):
            self._presence.settled(peer)
            self._returning.discard(peer)
            self._early = {
                n: {p: m for p, m in e.items() if p != peer} for n, e in self._early.items()
            }
        known = course.before(cut.phase)
        if known is not None and known != cut.transcript:
            self._again_from(0)
        elif cut.phase < course.number:
            self._again_from(cut.phase)
        else:
            course.decide(cut)

    def _again_from(self, phase: int) -> None:
        """Forget everything from a phase on: the table went on without it."""
        moves = self.course.moves
        doubles, faults = self.course.doubles, self.course.faults
        self._begin(self.context.trusted)
        self.held = None
        course = self.course
        course.doubles, course.faults = doubles, faults
        for decided in self.decided:
            course.decide(decided.cut)
        self.context.recalling = True
        for kept in moves[: phase + 1]:
            for _, signed in sorted(kept.items()):
                self._replay(signed)
        self.context.recalling = self._recalling
        log = self.context.referee.table.log
        if log is not None:
            log.clear()
        self.context.seating.take_changes()

    # -- messages ---------------------------------------------------------------------------------

    def _take(self, signed: Signed, now: float, peer: int) -> None:
        course = self.course
        if signed.sender in self._deciding.given_up | (self._banned & course.members):
            return
        self._relay(peer, "move", signed.plain(), signed.sender)
        if signed.phase == course.number and signed.sender in course.missing:
            self._check(signed, now)
        elif signed.phase <= course.number:
            self._compare(signed)
        elif signed.phase <= course.number + AHEAD and self._genuine(signed, peer):
            self._early.setdefault(signed.phase, {}).setdefault(signed.sender, signed)

    def _genuine(self, signed: Signed, peer: int) -> bool:
        """Tell whether a message is its author's, who may have sent it through another peer."""
        if signed.sender == peer or signed.phase < UNNAMED:
            return signed.sender == peer
        try:
            self.course.verified(signed)
        except PeerError:
            return False
        return True

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
        odd = self._odd.get(signed.sender)
        twice = odd is not None and _slot(odd[1]) == _slot(move)
        if move.epoch > course.epoch:
            self._post("here", self._here())  # a cut was decided that this peer has not seen
        elif move.epoch < course.epoch:
            return  # its author has not seen a cut
        elif course.agrees(move) and not twice:
            self._bring(signed, move)
        elif not self._out and not self._banned & course.members:
            self._disagree(signed, move, now)

    def _bring(self, signed: Signed, move: Move) -> None:
        course = self.course
        try:
            if signed.sender == self.me and course.phase is not None:
                course.phase.recall(move.parts)
            course.bring(signed, move)
            self._events.append(Keep(("move", signed.plain()), binding=False))
            if signed.sender in self._late:
                self._late.discard(signed.sender)
                self._presence.link_up(signed.sender)
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
                self._wronged.add(author)
                text = "what it sealed for another peer is false"
                self._accuse(culprit, Code.BAD_PROOF, text, complaint.accused.phase)

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

    def _post(self, kind: str, payload: Any, to: int | None = None) -> None:
        self._events.append(Send(encode((kind, payload)), to))

    # -- phases -----------------------------------------------------------------------------------

    @property
    def moves(self) -> Sequence[Mapping[int, Signed]]:
        """The accepted messages of every phase, by peer."""
        return self.course.moves

    @property
    def proof(self) -> dict[str, Any]:
        """Everything that was signed in this game, as a record keeps it (see ``witness``)."""
        moves = tuple(
            tuple(signed.plain() for _, signed in sorted(phase.items())) for phase in self.moves
        )
        return {
            "roster": self.roster.plain(),
            "moves": moves,
            "complaints": tuple(each.plain() for each in self.complaints),
            "doubles": tuple(each.plain() for each in self.course.doubles),
            "faults": tuple(each.plain() for each in self.course.faults),
            "cuts": tuple(each.plain() for each in self.decided),
        }

    @property
    def complaints(self) -> list[Complaint]:
        """What receivers have said against sealed parts, by author."""
        return [complaint for _, complaint in sorted(self._complaints.items())]

    @property
    def _prompt(self) -> bool:
        return self.course.phase is not None and self.course.phase.prompt

    def _go_on(self, now: float) -> list[Event]:
        self._advance(now)
        if not self.held and not self.over:
            self._look(now)
            self._advance(now)
            self._ask_back(now)
        self._set_deadline(now)
        return self._drain()

    def _advance(self, now: float) -> None:
        while not self.held and not self.over and self._dispute is None:
            if self._deciding.frozen:
                return
            moved = self._send_mine()
            if not self._finish_phase(now) and not moved:
                return

    def _ask_back(self, now: float) -> None:
        """Ask to take part again, if this peer was cut."""
        if self._stale and self._begun and now >= self._return_at:
            self._return_at = now + AGAIN
            self._say(Leave(len(self.decided)), now)
        elif self._out and not self._leaving and now >= self._return_at:
            self._return_at = now + AGAIN
            self._say(Return(len(self.decided)), now)

    def _send_mine(self) -> bool:
        course, context = self.course, self.context
        phase, me = course.phase, context.me
        waits = self._stale or (context.wronged and bool(self._banned & course.members))
        if phase is None or me not in course.missing or waits:
            return False
        self._ask()
        parts = phase.mine()
        if parts is None:
            return False
        epoch = course.epoch
        move = Move(me, course.number, epoch, context.transcript, course.state, parts)
        signed = sign(move, self._identity, context.game_id)
        course.bring(signed, move)
        self._events.append(Keep(("move", signed.plain()), binding=isinstance(phase, Asking)))
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
                bot = self.context.seating.holders[seat].bot
                self._events.append(Ask(seat, question, bot))

    def _finish_phase(self, now: float) -> bool:
        try:
            if not self.course.finish(self._events.append):
                return False
        except Fault as fault:
            self._accuse(fault.peer, fault.code, fault.text)
            return False
        self._log()
        seating = self.context.seating
        self._events += [Seated(seat, holder) for seat, holder in seating.take_changes()]
        self._asked.clear()
        self._since = now
        self._back.clear()
        self._nudge_at = None
        if any(cut.transcript != self.context.transcript for cut in self.course.here):
            self._again_from(0)
            return True
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
        odd = self._odd.get(signed.sender, (signed, move))
        if _slot(odd[1]) != _slot(move):
            odd = (signed, move)
        self._odd[signed.sender] = odd
        if odd[0].body != signed.body:
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
        if verdict.culprits.keys() & self._banned:
            self._dispute = None
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
        """Name a peer that broke the rules; the table plays on without it where it can."""
        if peer in self._banned:
            return
        self._events.append(
            Accused(peer, code, text, self.course.number if phase is None else phase)
        )
        name = self.context.roster.shown(peer)
        if code is Code.WITHHOLDS and self._begun:
            self._presence.link_down(peer, self._since)
            self._late.add(peer)
        elif self._begun and peer != self.me and code is not Code.FALSE_CLAIM and self._enough:
            self._banned.add(peer)
            self._presence.give_up(peer, text)
            self._dispute = None
            self._odd.clear()
        else:
            self._hold(f"{name} was closed: {text}")

    @property
    def _enough(self) -> bool:
        """Tell whether the table could play on without one of its peers."""
        return len(self.roster.peers) > self.roster.quorum

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
            return
        if self._nudge_at is None:
            dispute = self._dispute is not None
            self._nudge_at = self._since + REPORTS if dispute else now + NUDGE
        members = self.course.members
        due = [self._nudge_at, self._presence.deadline(members, now), self._cut_at]
        if (self._out and not self._leaving) or self._stale:
            due.append(self._return_at)
        self.deadline = min(each for each in due if each is not None)

    def _drain(self) -> list[Event]:
        events, self._events = self._events, []
        return events


def _slot(move: Move) -> tuple[int, int, bytes]:
    """Return what a peer signs one message for: another line of the game is another slot."""
    return (move.phase, move.epoch, move.previous)
