"""Who takes part: who is here, who is late, and this peer's part in the views that follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lanplay import errors
from lanplay.engine.game import Game
from lanplay_protocol.rates import Bucket, speaking
from lanplay_protocol.replica.debts import debts
from lanplay_protocol.replica.events import (
    AskedToYield,
    PeerNotDurable,
    PeerReachable,
    PeerUnreachable,
    QuorumLost,
    SeatReassigned,
    ViewChanged,
)
from lanplay_protocol.replica.evidence import closed
from lanplay_protocol.replica.exchange import Exchange
from lanplay_protocol.replica.failure_detector import (
    PATIENCE,
    FailureDetector,
    Liveness,
)
from lanplay_protocol.replica.hand_openings import HandOpenings
from lanplay_protocol.replica.key_setup import SETUP, UNNAMED
from lanplay_protocol.replica.line import COUNTED, GameLine
from lanplay_protocol.replica.messages import (
    ALIVE,
    LEAVE,
    OPEN,
    WAITS,
    SignedMessage,
    parse_wish,
)
from lanplay_protocol.replica.outbox import Outbox
from lanplay_protocol.replica.restart import RestartVotes
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.seating import Holder
from lanplay_protocol.replica.settings import FOREVER
from lanplay_protocol.replica.status import Change, Quorum, Status
from lanplay_protocol.replica.timers import Timer, Timers
from lanplay_protocol.replica.verdicts import Verdicts, evidence_of, keep_way, named_beside
from lanplay_protocol.replica.view_change import CIRCLES, Electorate, ViewChange
from lanplay_protocol.replica.waits import Waits

BEAT = 2.0
"""Seconds between signs of life for those who have no link to this peer."""
REST = 2.0
"""Seconds after which a peer that is out again asks back: the wait grows with every time."""
LONGEST = 60.0
"""Seconds at most that it waits."""
MANY = 16
"""Attempts that a member signs at once, as somebody may lead it on. Who is out may make ``COUNTED``
in a view."""
PACE = 3.0
"""Seconds before each further one, however many others have led it on before: less than the
``PATIENCE`` with which others wait for it."""
HELD = 2.0
"""Seconds without progress, all others there, after which a game does not begin with whom a proof
convicts."""


class Attendance:
    """What one peer knows and wants of who takes part.

    ``announced`` are the certificates of the views that the shell has been told of, ``restart``
    knows who wants a new game among those who are here.
    """

    def __init__(
        self,
        game: Game,
        me: int,
        line: GameLine,
        verdicts: Verdicts,
        exchange: Exchange,
        status: Status,
        outbox: Outbox,
        timers: Timers,
    ) -> None:
        roster = line.roster
        self.waits = Waits(me, line, exchange, outbox)
        self.detector = FailureDetector(me, roster.settings.grace, self.waits.wanting)
        self.waits.up, self.waits.lost = self.detector.heard, self.detector.lost
        self.waits.votes = lambda peer: self.detector.votes(peer, line.transcript.members)
        self.detector.convicted = line.convicted
        self.changes = ViewChange(me, len(roster.peers), roster.quorum)
        self.openings = HandOpenings(me, line, exchange, outbox)
        self.announced: set[tuple[SignedMessage, ...]] = set()
        self.restart = RestartVotes(game, me, line, exchange, outbox)
        self.restart.hears = self.detector.heard
        self._made, self._counted = 0.0, 0.0  # attempts lately, as of a time
        self._fell = 0  # how often anybody was left out, at most
        self._apart = -math.inf  # when somebody was missing last, before the game
        self._farewells: dict[int, Any] = {}
        self._signs: dict[int, Any] = {}  # the newest sign of life of each
        self._speaks: dict[int, Bucket] = {}  # how often each may say that its people come and go
        self.beat = 0
        self._away: set[int] = set()  # seats whose people are, as far as the shell knows
        self._told: dict[int, float | None] = {}  # who is missing, as far as the shell knows
        self._to_skip: frozenset[int] = frozenset()  # whom a majority does not want to wait for
        self._game = game
        self._me = me
        self._line = line
        self._verdicts = verdicts
        self._exchange = exchange
        self._status = status
        self._outbox = outbox
        self._timers = timers

    @property
    def _roster(self) -> Roster:
        return self._line.roster

    @property
    def promised(self) -> bool:
        """Tell whether this peer has joined an attempt, and says nothing more in this view."""
        return self.changes.silent(self._line.transcript.view)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats for which a person answers now, as far as this peer has heard."""
        holders, detector = self._line.transcript.context.seating.holders, self.detector
        away = {h.peer: detector.of(h.peer).away for h in holders} | {self._me: detector.away}
        return tuple(s for s, h in enumerate(holders) if not h.bot and s not in away[h.peer])

    # --- what others say, and what this peer's person wishes ---

    def post(self) -> None:
        """Tell the others whom this peer hears."""
        self._outbox.post("presence", self.detector.liveness.plain())

    def said(self, peer: int, word: Liveness, now: float) -> None:
        """Take what a peer says of the others and of itself."""
        before, doubted = self.detector.of(peer), self.detector.doubted
        self.detector.said(peer, word, now)
        if self.detector.doubted != doubted:
            self._outbox.pass_on(peer, "presence", now, self.post)
        held = enumerate(self._line.transcript.context.seating.holders)
        people = [(seat, h) for seat, h in held if h.peer == peer and not h.bot]
        news = [(s, h) for s, h in people if (s in word.away) != (s in self._away)]
        unkept = word.not_durable and not before.not_durable
        if (news or unkept) and self._speaks.setdefault(peer, speaking()).take(now):
            for seat, holder in news:
                self.tell_holder(seat, holder)
            self._outbox.tell(*([PeerNotDurable(peer)] if unkept else ()))

    def tell_holder(self, seat: int, holder: Holder) -> None:
        """Tell who answers for a seat now: AI, while its person is away."""
        away = not holder.bot and seat in self.detector.of(holder.peer).away
        (self._away.add if away else self._away.discard)(seat)
        bot = self._roster.settings.bot if away else holder.bot
        self._outbox.tell(SeatReassigned(seat, Holder(holder.peer, bot)))

    def waits_for(self, payload: Any, now: float) -> None:
        """Take a word of whom its author waits for; ``PeerError`` unless it has signed it."""
        self.waits.said(parse_wish(WAITS, payload, self._roster, self._roster.digest()), now)

    def wished(self, peer: int, kind: str, payload: Any, now: float) -> None:
        """Take a signed wish; ``PeerError`` unless its author signed it."""
        transcript = self._line.transcript
        if transcript.number < SETUP:
            return
        said = parse_wish(kind, payload, self._roster, self._line.statements.game)
        author = said.author
        if author == self._me and kind != LEAVE:  # what it has said before it was restarted
            self.beat = max(self.beat, said.number if kind == ALIVE else 0)
        elif kind == OPEN:
            self.openings.said(said, now)
        elif kind == ALIVE:
            if self.detector.heartbeat(author, said.number, now):
                self._signs[author] = payload
                say = partial(self.relay, author, kind, payload, author, self.detector.doubted_by)
                self._outbox.pass_on(author, kind, now, say)
        elif max(transcript.entered(author), 1 + self.detector.left.get(author, -1)) <= said.number:
            self.detector.left[author] = said.number
            self._farewells[author] = payload
            self.openings.lost(transcript.context.everybody - transcript.members, {author}, now)
            # a liar may have told this peer alone
            self._outbox.pass_on(author, kind, now, partial(self._outbox.post, kind, payload))

    def leave(self) -> None:
        """Say farewell: what this peer has signed of other views was before that."""
        self._exchange.wish(self._line, LEAVE, max(self._line.transcript.view, self.changes.top))

    def greet(self, to: int) -> None:
        """Pass on who has left, who waits for whom, and everybody's last sign of life: else both
        want other members, as an old one is new to who was restarted."""
        for _, sign in sorted(self._signs.items()):
            self._outbox.post(ALIVE, sign, to)
        for author in sorted(self.detector.left.keys() & self._farewells.keys()):
            self._outbox.post(LEAVE, self._farewells[author], to)
        self.waits.greet(to)

    def relay(
        self, peer: int, kind: str, payload: Any, author: int, needed: Callable[[int, int], bool]
    ) -> None:
        """Pass on what came from its author to who ``needed`` it."""
        for other in range(len(self._roster.peers)) if peer == author else ():
            if other not in (self._me, peer) and needed(other, peer):
                self._outbox.post(kind, payload, other)

    def continue_without(self, nonce: bytes) -> None:
        """Vote for a new game among those who are here, for when the others are given up;
        ``Mistake`` where that cannot be."""
        here = self._line.transcript.members.difference(self._told)
        if self._status.quorum is Quorum.HERE and len(here) >= self._roster.quorum:
            raise errors.Mistake(errors.Fault.ENOUGH_HERE)
        self.restart.vote(nonce)

    # --- suspicion ---

    def look(self, now: float, unread: bool) -> None:
        """Work out who is missing and who is late, and forgive where too few would be left."""
        transcript = self._line.transcript
        detector, members = self.detector, transcript.members
        detector.begin(transcript.number)
        said, left = self._line.said(), detector.left
        detector.asking = frozenset(s.author for s in said if s.attempt > left.get(s.author, 0))
        missing = detector.missing(members, now)
        enough = len(members.difference(missing)) >= self._roster.quorum
        detector.few = not enough
        urged = self._me in self._to_skip
        self._to_skip = frozenset(p for p in members if detector.to_skip(p, members))
        if self._me in self._to_skip and not urged:
            self._outbox.tell(AskedToYield())
        ends = self._ends(missing)
        self._tell_missing(ends if enough else dict.fromkeys(ends))
        tried = self.changes.tried if self.promised else None
        found = debts(transcript, self._status, said, tried, self._to_skip, self._roster.quorum)
        if detector.judge(members, found.owed, now, unread, *found[1:]) and self.promised:
            self.changes.ask_again(self._limit)  # who is out, without whom it waited for
        here = frozenset(self.changes.hope(self._table()))
        if len(here) >= self._roster.quorum:
            if enough:
                self._status.on(Change.QUORUM_HERE)
                self.restart.forget()
        else:
            if self._status.member and self._status.quorum is Quorum.HERE:
                self._outbox.tell(QuorumLost(here.difference(missing)))
            self._status.on(Change.QUORUM_LOST)
        few = len(here - detector.mute) < self._roster.quorum
        if few and detector.merciful(now) and not unread:
            detector.forgive(now)
            self.changes.ask_again(self._limit)
        heard = frozenset(peer for peer in left if detector.reached(peer, members, now))
        self.openings.look(now, unread, heard)
        everybody = self._line.transcript.context.everybody  # on whichever side of a fork
        there = {p for p in everybody - self._line.convicted if detector.reached(p, everybody, now)}
        self.restart.here = frozenset(there | {self._me})
        if self._status.quorum is Quorum.LOST:
            self.restart.begin_if_agreed()

    def cannot_begin(self, since: float, now: float) -> str:
        """Return why a game cannot begin: nobody can stand in before all keys are shared; and where
        others have given up a start, those who have begun may be too few."""
        transcript, roster = self._line.transcript, self._roster
        if self._status.incomplete:
            return ""  # what it misses may be of a game that goes on
        if transcript.number >= SETUP:
            return self._too_few_began(since, now)
        missing = self.detector.missing(transcript.members, now)
        if missing.keys() - self._line.convicted:
            self._apart = now  # it may have begun, and come back with what is lacking here
        held = now - max(since, self._apart) >= HELD
        for _, proof in sorted(self._verdicts.convicted.items()) if held else ():
            return closed(roster, proof)
        ends = self._ends(missing)
        self._tell_missing(ends)
        unwanted = (p for p in transcript.missing if self.detector.to_skip(p, transcript.members))
        lost = (p for p, end in ends.items() if end is not None and now >= end)
        if gone := {*unwanted, *lost}:
            return errors.Fault.LEFT_EARLY.of(names=", ".join(map(roster.shown, sorted(gone))))
        owing = transcript.missing.difference((self._me,), missing)
        prompt = transcript.phase is not None and transcript.phase.prompt
        if not owing or not prompt or now - since < PATIENCE:
            return ""
        if transcript.number < UNNAMED:
            # what they signed may be for another roster: then the host told each another one
            return errors.Fault.NOT_AGREED.of()
        return errors.Fault.SLOW_START.of(names=", ".join(map(roster.shown, sorted(owing))))

    def _too_few_began(self, since: float, now: float) -> str:
        transcript, roster = self._line.transcript, self._roster
        over = roster.settings.grace != FOREVER and now - since >= roster.settings.grace
        if not over or self._status.quorum is Quorum.HERE or transcript.begun:
            return ""
        for _, proof in sorted(self._verdicts.convicted.items()):
            return closed(roster, proof)
        gone = (self.detector.gone | transcript.missing) - {self._me}
        return errors.Fault.LEFT_EARLY.of(names=", ".join(map(roster.shown, sorted(gone))))

    def _ends(self, missing: Mapping[int, float]) -> dict[int, float | None]:
        """Return until when each member that is missing is waited for; ``None``: for ever."""
        members = self._line.transcript.members
        return {p: self.detector.ends(p, at, members) for p, at in missing.items() if p in members}

    def _tell_missing(self, ends: Mapping[int, float | None]) -> None:
        for peer, end in ends.items():
            if peer not in self._told or self._told[peer] != end:
                self._outbox.tell(PeerUnreachable(peer, end))
        members = self._line.transcript.members
        self._outbox.tell(*(PeerReachable(p) for p in self._told if p not in ends and p in members))
        self._told = dict(ends)

    # --- the view change ---

    def vote(self, now: float) -> bool:
        """Join an attempt at another view, if one is due."""
        status, begun = self._status, self._line.transcript.number >= SETUP
        if not begun or status.incomplete or status.leaving:
            return False
        paced = self._timers.waits(Timer.PACE, now)
        attempt, forgives = self.changes.joins(self._table()._replace(paced=paced))
        if forgives:
            self.detector.forgive(now)
        if attempt is None:
            return False
        told = (self._verdicts.wronged, self._verdicts.evidence, self.openings.consents)
        self.changes.signed(self._exchange.join(self._line, attempt, *told))
        if self.changes.known is not None:
            self.changes.known.add(attempt[0])
        rest = (PATIENCE + BEAT) * 2 ** min(self.changes.vain(self._limit), COUNTED)
        self._timers.set(Timer.REJOIN, now + rest)
        if status.member or self.changes.made >= COUNTED:
            made = max(0.0, self._made - (now - self._counted) / PACE) + 1
            self._made, self._counted = min(made, MANY), now
            if self._made == MANY:
                self._timers.set(Timer.PACE, now + PACE)
        return True

    def _table(self) -> Electorate:
        transcript, detector = self._line.transcript, self.detector
        return Electorate(
            transcript.view,
            transcript.members,
            self._line.said(),
            detector.late,
            detector.gone,
            detector.left,
            self._line.convicted,
            transcript.falls,
            self.openings.due or (self._verdicts.wronged and not transcript.told_enough(self._me)),
            transcript.circles,
            self._limit,
            forgiven=detector.forgiven,
        )

    @property
    def _limit(self) -> int:
        """The attempt up to which others follow."""
        return self._line.ground + COUNTED

    def announce(self, now: float) -> bool:
        """Keep and tell the views that have begun; tell whether one has.

        Nobody is suspected of anything in a new view, unless such views only go round in circles.
        """
        transcript = self._line.transcript
        out = transcript.context.everybody - transcript.members
        new = [view for view in transcript.views if view.statuses not in self.announced]
        for view in new:
            self.announced.add(view.statuses)
            self._outbox.hold(evidence_of(self._line, named_beside(view.said, self._line)))
            keep_way(view.said, self._line, self._outbox)
            self._outbox.persist("view", tuple(each.plain() for each in view.statuses))
            unheard = {*self.detector.left, *self._line.convicted, *self._told, self._me}
            slow = tuple(sorted(view.lost & self.detector.late - unheard))
            self._outbox.tell(ViewChanged(tuple(sorted(view.lost)), tuple(sorted(view.back)), slow))
            if self._me in view.lost or self._me not in transcript.members:
                self._status.on(Change.CUT_OFF)
            if self._me in transcript.members:  # a view that was left may have been without it
                self._status.on(Change.LET_BACK)
                if not self.changes.knows(transcript.entered(self._me)):
                    self._status.on(Change.FOUND_INCOMPLETE)
            self._verdicts.wronged &= self._me not in view.again
            self.detector.clear(view.lost | view.back, transcript.entered)
            self.openings.back(view.back)
            self.openings.lost(out, self.detector.left.keys(), now)
            self.changes.begun(view.number, transcript.members)
            if (fell := transcript.falls.total()) > self._fell:  # what is gone back on is nothing
                self._fell, self._made = fell, 0.0
                self._timers.stop(Timer.PACE)
            falls = transcript.falls[self._me]
            if self._me in view.lost:
                self._timers.stop(Timer.REJOIN)  # that was of another absence
            if self._me not in transcript.members and falls > 1:
                self.changes.asked_back = view.number
                self._timers.start(Timer.REJOIN, now + min(REST * (falls - 1) ** 2, LONGEST))
        if any(v.lost or v.back for v in new) or (new and transcript.circles < CIRCLES):
            self.detector.forgive(now)
            self.detector.forgiven = frozenset()
        return bool(new)

    @property
    def to_sign(self) -> bool:
        """Tell whether this peer has to sign that it is there."""
        line = self._line.transcript
        doubted = self.detector.to_sign(line.members)
        return line.number >= SETUP and doubted and self._status.takes_part

    def set_deadline(self, now: float, unread: bool) -> None:
        """Work out when time alone makes a difference next; something may be ``unread``."""
        timers, members = self._timers, self._line.transcript.members
        waits = [Timer.NUDGE, Timer.ANSWER]
        if timers.waits(Timer.PACE, now):
            waits.append(Timer.PACE)
        if self._line.transcript.number >= SETUP and self._status.asks_back:
            timers.start(Timer.REJOIN, now + BEAT)
            waits.append(Timer.REJOIN)
        if self.to_sign:
            timers.start(Timer.HEARTBEAT, now + BEAT)
            waits.append(Timer.HEARTBEAT)
        ends = [self.detector.deadline(members, now, unread), self.openings.deadline(now, unread)]
        timers.wait_for(waits, min((each for each in ends if each is not None), default=None))
