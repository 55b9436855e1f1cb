"""A spectator follows a running game: no seat, no key, no vote; signed messages in, events out.

It verifies everything as those who play do, and convicts whom they convict, by the same statements.
What it cannot verify it ignores; where one peer brings it no further it asks another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, Protocol

from lanplay.engine.game import Game
from lanplay.engine.question import Question
from lanplay.engine.referee import Referee
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.choices import awaited
from lanplay_protocol.replica.context import OBSERVER, Context
from lanplay_protocol.replica.events import (
    Accused,
    Event,
    GameOver,
    Logged,
    PhaseCompleted,
    SeatReassigned,
    TrustNeeded,
    ViewChanged,
)
from lanplay_protocol.replica.evidence import Proof
from lanplay_protocol.replica.key_setup import UNNAMED, KeyCommitments, comparing
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    MOVE,
    PHASES,
    VIEWS,
    SignedMessage,
    parse_complaint,
    parse_past,
    parse_position,
    parse_signed,
    parse_view,
)
from lanplay_protocol.replica.outbox import Entry, Envelope, Outbox
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.start import Accept, parse_accept
from lanplay_protocol.replica.transcript import Transcript
from lanplay_protocol.replica.verdicts import (
    OFFERS,
    Verdicts,
    evidence_of,
    named_beside,
    parse_verdict,
    pasts_beside,
    proven,
)
from lanplay_protocol.schema import items, message
from lanplay_protocol.wire import encode

CHUNK = 64
"""Phases, and views, that are sent at once to whoever asks."""
NUDGE = 2.0
"""Seconds after which what is missing is asked for again."""
VAIN = 3
"""Times that a peer may say that it is ahead and bring nothing that can be verified."""
_NOBODY = GameKey(1)


class Followed(Protocol):
    """A peer whose game is watched."""

    @property
    def roster(self) -> Roster:
        """Who sits there."""

    @property
    def transcript(self) -> Transcript:
        """The line of the game that it is on."""

    @property
    def line(self) -> GameLine:
        """All that it holds of the game."""

    @property
    def proofs(self) -> list[tuple[str, Any]]:
        """What convicts those whom it has convicted."""


def public(entry: Entry) -> list[bytes]:
    """Return what a peer that persists an entry tells its spectators.

    What it persists has been verified, and is on its disk, when its spectators get it.
    """
    kind, plain = entry
    if kind == "verdict":
        return [encode(each) for each in proven(parse_verdict(plain))]
    if kind == "evidence":
        return public(plain)
    return [encode(entry)] if kind in ("move", "view", "status", "complaint", OFFERS) else []


def answer(peer: Followed, position: tuple[int, int]) -> list[bytes]:
    """Return what a peer answers to a spectator that is at a position: at most ``CHUNK`` phases."""
    (view, phase), transcript = position, peer.transcript
    end, kept = phase + CHUNK, list[tuple[str, Any]]()
    counts = [[(MOVE, by[p].plain()) for p in sorted(by)] for by in transcript.moves[phase:end]]
    here = counts.pop() if counts and end > transcript.number else []
    kept += chain(*counts)  # what counts comes first: who watches follows that
    later = [each for each in transcript.views if each.number > view and each.phase < end]
    for each in later[:CHUNK]:
        kept += evidence_of(peer.line, named_beside(each.said, peer.line))
        kept.append(("view", tuple(signed.plain() for signed in each.statuses)))
        kept += [("past", past.plain()) for past in pasts_beside(each.said, peer.line)]
    if end >= transcript.number:  # who follows so far asks no more
        named = (key for final in transcript.finals.values() for key in final)
        kept += [*evidence_of(peer.line, named), *peer.proofs]
    kept += here  # who is convicted has no say there any more
    line, moves = transcript.line, transcript.moves
    # what a phase goes on from in which nobody speaks is shown by no message
    silent = (past for past in transcript.followed.values() if not moves[line[past.hash][0]])
    kept += [("past", past.plain()) for past in silent if phase <= line[past.before][0] < end]
    beyond = (VIEWS - 1, PHASES - 1)  # the end is, of whatever line who watches was led along
    at = beyond if transcript.phase is None else transcript.at
    return [encode(each) for each in (*dict.fromkeys(kept), ("here", at))]


class Spectator:
    """One game among ``roster.peers`` as everybody may see it.

    Messages come from one peer of the table at a time, any one, in any order; every ``Envelope``
    goes to it.
    Methods that take ``now`` (seconds, any origin, never backwards) return events in order:
    ``TrustNeeded`` once the table has its words, and, each told once however often the game is
    followed anew, ``Logged``, ``ViewChanged``, ``SeatReassigned``, ``PhaseCompleted``, ``Accused``
    (again where it comes out again); then ``GameOver``. ``tick`` is due at ``deadline``.
    """

    def __init__(self, game: Game, roster: Roster) -> None:
        self.roster = roster
        self.over = False
        self.deadline: float | None = None
        self._game = game
        self._events: list[Event | Envelope] = []
        # the transcript hash of each phase that was told, and the views that were
        self._told: list[bytes] = []
        self._announced: set[tuple[SignedMessage, ...]] = set()
        self._ahead = self._asked = (0, 0)
        self._vain, self._answered = 0, False
        self._outbox = Outbox()  # who watches keeps and sends nothing of what it finds
        self._verdicts = Verdicts(roster, None, self._outbox)
        self._begin()

    @property
    def transcript(self) -> Transcript:
        """The game as far as it was followed."""
        return self.line.transcript

    @property
    def context(self) -> Context:
        """What everybody may know of it."""
        return self.line.transcript.context

    @property
    def awaited(self) -> dict[int, Question]:
        """The questions that the game waits for, by seat."""
        return awaited(self.transcript.phase, self.transcript.missing)

    @property
    def comparing(self) -> list[int]:
        """The peers of which the game waits to hear that their people have compared the words."""
        return comparing(self.transcript.phase, self.transcript.missing)

    def _begin(self) -> None:
        """Follow the game from its beginning, with nothing held of it."""
        self.line = GameLine(self.roster, self._make)
        self.line.watch = self._tell
        self.line.completed = self._completed
        self.line.rewound = lambda: self._verdicts.went_back(self.line)
        self.line.rewound()
        for complaint in self._verdicts.complaints.values():  # they were told, and stand
            self.line.statements.complain(complaint)

    def _make(self) -> Transcript:
        roster = self.roster
        table = self._game.table(len(roster.names), roster.options, roster.start)
        table.log = []
        context = Context(roster, OBSERVER, _NOBODY, Referee(self._game, table))
        return Transcript(context, KeyCommitments(context, b""))

    @property
    def position(self) -> tuple[int, int]:
        """How far this spectator is."""
        return self.transcript.at

    @property
    def checked(self) -> Counter[str]:
        """What has been verified, by kind."""
        return self.transcript.checked

    def linked(self, now: float) -> list[Event | Envelope]:
        """Begin, or go on, with a peer of the table that answers from now on."""
        self._ahead, self._vain = self.position, 0
        self._ask(now)
        return self._drain()

    def receive(self, body: bytes, now: float) -> list[Event | Envelope]:
        """Take what the peer sent; ``PeerError`` if its connection has to be closed."""
        kind, payload = message(body)
        match kind:
            case "move" | "status":
                self._keep(parse_signed(payload, kind))
            case "complaint":
                complaint = parse_complaint(payload)
                self._keep(complaint.accused)
                self._verdicts.hear(complaint, self.line)
            case _ if kind == OFFERS:
                self._offered(items(payload, 2, OFFERS, parse_accept))
            case "view":
                found = parse_view(payload)
                self.line.expect(found)
                for signed in found:
                    self._keep(signed)
            case "past":  # of a phase in which nobody said anything: no message shows it
                if (past := parse_past(payload)).hash in self.line.lacking()[1]:
                    self.line.statements.show(past)
            case "here":
                self._ahead, self._answered = parse_position(payload), True
            case _:
                raise PeerError(Code.UNEXPECTED, f"a message of kind {kind!r}")
        self._advance()
        if kind == "here" and self._ahead > self.position != self._asked:
            self._ask(now)
        return self._drain()

    def tick(self, now: float) -> list[Event | Envelope]:
        """Ask again for what is missing.

        ``PeerError`` if the peer does not answer, or is ahead and cannot show how: another one
        should be asked.
        """
        if self.deadline is None or now < self.deadline:
            return []
        stuck = not self._answered or self._ahead > self.position == self._asked
        self._vain = self._vain + 1 if stuck else 0
        if self._vain >= VAIN:
            raise PeerError(Code.DIVERGED, "what it shows of the game cannot be verified")
        if self._vain == VAIN - 1:
            self._begin()  # one that signed twice may have led it astray, at another peer
        self._ask(now)
        return self._drain()

    def _ask(self, now: float) -> None:
        if self.over:
            self.deadline = None
            return
        self._asked, self._answered = self.position, False
        self.deadline = now + NUDGE
        self._events.append(Envelope("want", self.position))

    def _keep(self, signed: SignedMessage) -> None:
        """Keep a statement, if it is one, and what follows; what is not is ignored."""
        try:
            known, proof = self.line.add(signed)
        except PeerError:
            return
        for each in self.line.statements.proven(proof):
            self._convict(each)
        if known is not None:
            self._verdicts.weigh(known, self.line)

    def _offered(self, accepts: Sequence[Accept]) -> None:
        """Name who has signed two offers of this table, if it plays."""
        places = {peer.public: place for place, peer in enumerate(self.roster.peers)}
        for key, (one, _) in self._verdicts.offered(accepts).items():
            if key in places:
                what = Code.EQUIVOCATION, f"signed two offers of term {one.term}"
                self._events.append(Accused(places[key], *what, self.transcript.number))

    def _convict(self, proof: Proof) -> None:
        """Name a peer as those who play do; what counts nevertheless shows in what follows."""
        if self._verdicts.convict(proof, self.line):
            self._events.append(Accused(proof.peer, proof.code, proof.text, proof.phase))
        elif proof.peer in self.line.convicted:  # else the game is followed anew
            return
        self.line.convicted.add(proof.peer)
        self.transcript.convict(proof.peer)

    def _judge(self) -> None:
        for proof in self._verdicts.find(self.line):
            self._convict(proof)

    def _advance(self) -> None:
        if self.over:
            self._judge()
        while not self.over:
            moved = self.line.advance()
            self._judge()
            if not moved:
                break
            for view in self.transcript.views:
                if view.statuses not in self._announced:
                    self._announced.add(view.statuses)
                    lost, back = tuple(sorted(view.lost)), tuple(sorted(view.back))
                    self._events.append(ViewChanged(lost, back))
            if self.transcript.phase is None:
                self._end()

    def _end(self) -> None:
        self.over = True
        self.deadline = None
        self._events.append(GameOver(self._game.result(self.context.referee.table)))

    def _tell(self, step: PhaseCompleted) -> None:
        """Tell what a phase brought, unless it was told before."""
        log, (changes, _) = self.context.referee.table.log or [], self.context.seating.take()
        if self._told[step.phase : step.phase + 1] != [step.transcript]:
            self._told[step.phase :] = [step.transcript]
            self._events += [SeatReassigned(seat, holder) for seat, holder in changes]
            self._events += [Logged(message) for message in log]
            self._events.append(step)
            if step.phase == UNNAMED - 1:
                self._events.append(TrustNeeded(self.context.game_id))
        log.clear()

    def _completed(self) -> None:
        for signed in self.line.unchecked.take():
            self._keep(signed)
        self._verdicts.weigh_again(self.line)

    @property
    def proof(self) -> dict[str, Any]:
        """Everything that was signed in this game, as a record keeps it (see ``audit``)."""
        return {**self.transcript.record(), **self._verdicts.record(self.line)}

    def _drain(self) -> list[Event | Envelope]:
        events, self._events = self._events, []
        self._outbox.take()
        return events
