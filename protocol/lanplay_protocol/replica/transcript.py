"""The transcript of a game: its phases in turn and the signed messages that complete them.

Alike for whoever follows a game, at the table or from its record: nothing here is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.consent import HandOpening, agreed
from lanplay_protocol.replica.context import Context
from lanplay_protocol.replica.events import PhaseCompleted
from lanplay_protocol.replica.evidence import Statement
from lanplay_protocol.replica.handover import after_change
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import (
    COMPLAINT,
    MOVE,
    START,
    STATUS,
    Key,
    Past,
    PhaseMessage,
    Said,
    SignedMessage,
    StatusMessage,
    read,
    refs,
)
from lanplay_protocol.replica.phases import Phase, SealedPhase, SealingFault
from lanplay_protocol.replica.planner import next_phase
from lanplay_protocol.replica.threshold import resume

RETELLINGS = 8
"""How often a peer is told anew what its seats know, but for coming back: that it always is."""


class ProtocolViolation(Exception):
    """A peer signed what breaks the rules: everybody who follows the game can tell."""

    def __init__(self, peer: int, code: Code, text: str, signed: SignedMessage) -> None:
        super().__init__(text)
        self.peer = peer
        self.code = code
        self.text = text
        self.signed = signed


@dataclass(frozen=True, slots=True)
class InstalledView:
    """Who takes part from a phase on: its members signed its ``statuses``, its certificate.

    ``lost`` are out at once, ``back`` take part from the end of the phase on. ``carried`` are the
    messages of the phase that count; who has none among them signs anew. ``again`` are told anew
    what their seats know; ``opened`` are hands that the people open.
    """

    number: int
    phase: int
    lost: frozenset[int]
    back: frozenset[int]
    again: frozenset[int]
    carried: tuple[Statement, ...]
    statuses: tuple[SignedMessage, ...]
    opened: tuple[HandOpening, ...] = ()

    @property
    def said(self) -> list[Said]:
        """What its statuses say."""
        return [*map(read, self.statuses)]


class Transcript:
    """The phases of one game from its first.

    ``moves`` holds every message that counts, phase by phase; the last phase is the present one.
    ``phase`` is ``None`` once the game is over. ``state`` is the hash of the public state, ``past``
    what the present phase's messages name. ``checked`` counts what has been verified, by kind.
    ``views`` are those that began so far: each changes who takes part when its phase is complete.
    ``false`` are messages that a view carried and that broke the rules; ``true`` are those that
    were found to break none, which need not be checked again. ``unsealed`` are messages
    that held something false for this peer: nobody else has seen it, so it has to complain.
    ``bases`` are the hashes that each phase began with, to which its proofs are bound. ``line``
    says for every past of this line in which phase it is, and after how many views there;
    ``followed`` is what came after each. ``finals`` are the names of the evidence that each who has
    signed the end has signed with it.
    """

    def __init__(self, context: Context, first: Phase) -> None:
        self.context = context
        self.phase: Phase | None = first
        self.moves: list[dict[int, SignedMessage]] = [{}]
        self.state = context.referee.table.hash()
        self.checked: Counter[str] = Counter()
        self.false: list[ProtocolViolation] = []
        self.true: set[Key] = set()
        self.unsealed: list[tuple[SignedMessage, PhaseMessage]] = []
        self.views: list[InstalledView] = []
        self.falls = Counter[int]()
        self.told = Counter[int]()
        self.past = Past(START, context.transcript_hash)
        self.line: dict[bytes, tuple[int, int]] = {self.past.hash: (0, 0)}
        self.followed: dict[bytes, Past] = {}
        self.finals: dict[int, tuple[Key, ...]] = {}
        self._brought: dict[int, Any] = {}
        self._sealed: dict[int, SealedPhase] = {}
        self._states: list[bytes] = [self.state]
        self.bases = [context.transcript_hash]

    @property
    def number(self) -> int:
        """The number of the present phase."""
        return len(self.moves) - 1

    @property
    def missing(self) -> frozenset[int]:
        """The peers whose message of the present phase has not come.

        Who is told anew what its seats know, as it was told something false, is asked after that.
        """
        if self.phase is None:
            return frozenset()
        asked = () if self.phase.prompt else (view.again for view in self.here)
        return self.phase.owing.difference(self._brought, *asked)

    @property
    def view(self) -> int:
        """The number of the newest view."""
        return self.views[-1].number if self.views else 0

    @property
    def at(self) -> tuple[int, int]:
        """The view and the phase of this transcript."""
        return (self.view, self.number)

    @property
    def begun(self) -> bool:
        """Tell whether all are known to have begun: each has signed something of the game, or a
        view has begun. Till then it may be given up like a start."""
        signed = frozenset[int]().union(*self.moves[SETUP:])
        return bool(self.views) or signed == self.context.everybody

    @property
    def here(self) -> list[InstalledView]:
        """The views that began in the present phase."""
        if not self.views or self.views[-1].phase < self.number:
            return []
        return [view for view in self.views if view.phase == self.number]

    @property
    def members(self) -> frozenset[int]:
        """The members of the newest view."""
        present = self.context.present
        if not self.views or self.views[-1].phase < self.number:
            return present
        for view in self.here:
            present = present - view.lost | view.back
        return present

    def settled(self, peer: int) -> int:
        """Return the newest view that left a peer out or let it back, 0 if none did."""
        return max((v.number for v in self.views if peer in v.lost | v.back), default=0)

    def record(self) -> dict[str, Any]:
        """Everything that counts in this game, as a record keeps it (see ``audit``)."""
        moves = (tuple(m.plain() for _, m in sorted(p.items())) for p in self.moves)
        views = (tuple(each.plain() for each in view.statuses) for view in self.views)
        roster = self.context.roster.plain()
        return {"roster": roster, "moves": tuple(moves), "views": tuple(views)}

    def entered(self, peer: int) -> int:
        """Return the newest view that a peer has signed: a farewell before it is over."""
        signed = (v.number for v in self.views for s in v.statuses if s.sender == peer)
        return max(signed, default=0)

    @property
    def circles(self) -> int:
        """How many views of the same members have begun in the present phase."""
        return sum(not view.lost and not view.back for view in self.here)

    def may_be_told(self, said: StatusMessage) -> bool:
        """Tell whether whoever wants to be told anew has complained of what it was told."""
        complains = any(key[:2] == (COMPLAINT, said.author) for key in said.evidence)
        return said.again and complains and not self.told_enough(said.author)

    def told_enough(self, peer: int) -> bool:
        """Tell whether a peer can only be told anew by coming back."""
        return self.told[peer] >= RETELLINGS

    @property
    def brought(self) -> tuple[SignedMessage, ...]:
        """The messages of the present phase that count so far."""
        return tuple(self.moves[-1][peer] for peer in sorted(self._brought))

    def place(self, past: bytes) -> tuple[int, int]:
        """Return the view and the phase in which a past of this line is."""
        phase, views = self.line[past]
        before = [view.number for view in self.views if view.phase < phase]
        here = [view.number for view in self.views if view.phase == phase][:views]
        return max((0, *before, *here)), phase

    def state_at(self, phase: int) -> bytes:
        """Return the hash of the public state before a phase that was reached."""
        return self._states[phase]

    def fits(self, move: PhaseMessage) -> bool:
        """Tell whether a message is for the present phase of this line, in this view or before,
        and was said after the past of that view: what names it then is true of everybody."""
        there = move.previous in self.line and self.place(move.previous)
        return move.phase == self.number and there == move.at

    def signed_by(self, author: int) -> Iterator[SignedMessage]:
        """Give what an author had to sign: messages that count, and statuses of begun views."""
        yield from (moves[author] for moves in self.moves if author in moves)
        for view in self.views:
            yield from (status for status in view.statuses if status.sender == author)

    def drop(self, peer: int) -> None:
        """Let a peer's message of the present phase not count: it is convicted."""
        self._brought.pop(peer, None)
        self.finals.pop(peer, None)
        self.moves[-1].pop(peer, None)

    def convict(self, peer: int) -> None:
        """Let what a convicted peer has said in the present phase not count, unless all is there:
        a journal that is read again has gone on then."""
        said = self.moves[-1].get(peer)
        begun = self.number >= SETUP and self.phase is not None and not self.phase.anew
        if said and begun and self.missing and said.view == self.view:  # else a view carried it
            self.true.discard(said.key)  # if it counts after all it is kept once more
            self.drop(peer)

    def decide(self, view: InstalledView) -> None:
        """Begin a view in the present phase."""
        self.views.append(view)
        self.falls.update(view.lost)
        self.told.update(view.again)
        self._after(Past(STATUS, self.past.hash, refs(view.statuses)))
        self.line[self.past.hash] = (self.number, len(self.here))
        self.context.seating.leave(view.lost)
        if self.phase is not None and self.phase.anew:
            self.context.seating.come_back(view.back)  # whoever is there signs the end
        carried = {each.signed.sender: each for each in view.carried}
        for peer in list(self._brought):
            if peer not in carried or carried[peer].signed.key != self.moves[-1][peer].key:
                self.drop(peer)
        for peer, each in sorted(carried.items()):
            if peer in self.carriable and isinstance(each.said, PhaseMessage):
                self._carry(each.signed, each.said)

    @property
    def carriable(self) -> frozenset[int]:
        """Those whose message of the present phase may count, whether they are out or not."""
        return frozenset() if self.phase is None else self.phase.needs.difference(self._brought)

    def _carry(self, signed: SignedMessage, move: PhaseMessage) -> None:
        self.recall(move)
        try:
            self.bring(signed, move)
        except ProtocolViolation as violation:
            self.false.append(violation)

    def recall(self, move: PhaseMessage) -> None:
        """Restore what this peer knew when it sent a message of its own."""
        if move.sender == self.context.me and self.phase is not None:
            with suppress(PeerError, CryptoError):  # another program has used its key
                self.phase.recall(move.parts)

    def _after(self, past: Past) -> None:
        self.followed[past.before] = past
        self.past = past

    def bring(self, signed: SignedMessage, move: PhaseMessage) -> None:
        """Take a message of the present phase; ``ProtocolViolation`` if it is false."""
        sender, context = signed.sender, self.context
        if self.phase is None or sender not in self.phase.needs:
            raise ValueError(f"no message of peer {sender} is missing")
        again = context.replaying
        context.replaying = again and signed.key in self.true
        try:
            if move.state != self.state:
                raise PeerError(Code.DIVERGED, f"phase {self.number}: signed another public state")
            brought = self.phase.check(sender, move.parts)
        except SealingFault:
            brought = None  # the game goes on; what is missing comes with a view
            self.unsealed.append((signed, move))
            if not self.context.shares:
                self.moves[-1][sender] = signed  # known, and no key was shared
                self.true.add(signed.key)
                return
        except PeerError as error:
            raise ProtocolViolation(sender, error.code, error.text, signed) from error
        except CryptoError as error:
            raise ProtocolViolation(sender, Code.BAD_PROOF, str(error), signed) from error
        finally:
            context.replaying = again
        self.true.add(signed.key)
        self._brought[sender] = brought
        if self.phase.anew:
            self.finals[sender] = brought
        self.moves[-1][sender] = signed

    def finish(self, watch: Callable[[PhaseCompleted], None]) -> bool:
        """Go on to the next phase if nothing is missing; tell ``watch``."""
        phase, context = self.phase, self.context
        if phase is None or self.missing:
            return False
        views, base = self.here, context.transcript_hash
        follows = self._follows(phase, views)
        self.checked.update(phase.verified(self._brought), messages=len(self._brought))
        if isinstance(phase, SealedPhase):
            self._sealed[self.number] = phase
        before = self.past.hash
        if context.transcript_hash != base:  # the game has got its id
            before = context.transcript_hash
            self.line[before] = self.line[self.past.hash]
        self._after(Past(MOVE, before, refs(self.moves[-1].values())))
        context.transcript_hash = self.past.hash
        self.state = context.referee.table.hash()
        watch(PhaseCompleted(self.number, type(phase).__name__, self.past.hash, self.state))
        context.phase += 1
        context.jobs.forget()
        self.moves.append({})
        self.line[self.past.hash] = (self.number, 0)
        self._states.append(self.state)
        self.bases.append(context.transcript_hash)
        self._brought = {}
        self.phase = follows
        if follows is not None:
            follows.begin()
        return True

    def _follows(self, phase: Phase, views: Sequence[InstalledView]) -> Phase | None:
        if phase.anew:
            return None
        context, members, opened = self.context, self.members, list[HandOpening]()
        for view in views:
            context.seating.come_back(view.back & members)  # a later view may have left it out
            context.seating.reveal_again(view.again & members)
            # who was back, and is lost again, is another loss
            context.seating.close(view.back)
            opened = [o for o in opened if context.roster.host(o.seat) not in view.back]
            opened += view.opened
        for each in opened:
            context.seating.open(each.seat, each.holder)
        brought = self._brought
        follows = after_change(context, phase, brought) if views else resume(phase, brought)
        return follows or next_phase(context)

    def sealed_phase(self, number: int) -> SealedPhase | None:
        """Return a phase with sealed parts, the present one included, however long ago it was: to
        go over the line for it would cost as much for each complaint as the whole game."""
        if number == self.number and isinstance(self.phase, SealedPhase):
            return self.phase
        return self._sealed.get(number)


def begins(
    transcript: Transcript, number: int, statuses: list[Statement], held: list[Statement]
) -> InstalledView:
    """Return the view that a certificate begins at the present position of a transcript.

    Of the messages held, at most one of an author in a view and in order, the newest counts.
    """
    said = [each.said for each in statuses if isinstance(each.said, StatusMessage)]
    members = frozenset(said[0].members)
    fit = [e for e in held if isinstance(e.said, PhaseMessage) and transcript.fits(e.said)]
    ended = transcript.phase is None or transcript.phase.anew
    newest = {} if ended else {each.signed.sender: each for each in fit}
    before, roster = transcript.members, transcript.context.roster
    consents = [wish for each in said for wish in each.consents]
    opened = agreed(transcript.context, members, transcript.settled, consents)
    return InstalledView(
        number=number,
        phase=transcript.number,
        lost=before - members,
        back=members - before,
        again=frozenset(s.author for s in said if transcript.may_be_told(s)) & members,
        carried=tuple(newest.values()),
        statuses=tuple(each.signed for each in statuses),
        opened=tuple(each for each in opened if roster.host(each.seat) not in before),
    )
