"""One line of a game, as anybody can follow it who is given its statements, in any order.

Views begin here: a certificate says where the game goes on, and whoever holds what it names goes
there, forwards or back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from itertools import islice

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.context import OBSERVER
from lanplay_protocol.replica.events import PhaseCompleted
from lanplay_protocol.replica.evidence import OVERHEAD, Proof, Statement, Statements
from lanplay_protocol.replica.key_setup import SETUP, UNNAMED
from lanplay_protocol.replica.messages import (
    MOVE,
    STATUS,
    Key,
    Past,
    PhaseMessage,
    SignedMessage,
    StatusMessage,
)
from lanplay_protocol.replica.positions import AHEAD, Positions, furthest, names_of
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.transcript import InstalledView, ProtocolViolation, Transcript, begins
from lanplay_protocol.replica.unchecked import Unchecked

NAMED = 4 << 20
"""Bytes that are kept beside all else for each who names them."""
COUNTED = 64
"""Attempts above the ``ground`` that make others choose higher numbers; twice as many are kept."""


class GameLine:
    """The statements held and the transcript that follows from them.

    ``make`` begins the game anew, for a line that goes back. ``watch`` is told of every phase that
    is completed, and ``completed`` called then; ``rewound`` when the line went back; ``keeps`` is
    told what counts, and if it was checked: what a view carries may be false. ``delays`` says of a
    message that it cannot be checked yet. What is ``false`` does not count, nor what the
    ``convicted`` say in the present phase, unless others have gone on with it. ``leads`` is told of
    a past that this line goes over, ``turned`` of one of a phase that it went over instead of its
    own. ``positions`` knows which statuses count; ``visited`` are pasts
    beside this line; who has ``ended`` shows an end.
    """

    def __init__(self, roster: Roster, make: Callable[[], Transcript]) -> None:
        self.roster = roster
        self.statements = Statements(roster, UNNAMED)
        self.false: set[Key] = set()
        self.convicted: set[int] = set()
        self.positions = Positions(self.statements)
        self.watch: Callable[[PhaseCompleted], None] = lambda _: None
        self.delays: Callable[[PhaseMessage], bool] = lambda _: False
        self.completed: Callable[[], None] = lambda: None
        self.rewound: Callable[[], None] = lambda: None
        self.keeps: Callable[[SignedMessage, bool], None] = lambda _, checked: None
        self.leads: Callable[[Past], None] = lambda _: None
        self.turned: Callable[[Past], None] = lambda _: None
        self.unchecked = Unchecked(AHEAD)
        self.violations: list[ProtocolViolation] = []
        self.ended: dict[int, set[int]] = {}  # who has shown an end, and of whose finals
        self._left: set[tuple[SignedMessage, ...]] = set()  # views left for others no later
        self._ends: dict[int, Past] = {}  # the ends that peers have shown
        self._vain: set[int] = set()  # whose was none: each costs to go over the whole line
        self._certified = 0
        self._named: dict[Key, tuple[int, set[int]]] = {}  # kept for who names it, in bytes
        self.visited: dict[tuple[bytes, int], Transcript | None] = {}
        self._make = make
        # what ``later`` and ``lacking`` came to, for as long as nothing changes
        self._shown: tuple[object, list[tuple[Statement, StatusMessage]]] = (None, [])
        self._lacks: tuple[object, tuple[list[Key], list[bytes]]] = (None, ([], []))
        self.transcript = make()

    def add(
        self, signed: SignedMessage, bringer: int = OBSERVER
    ) -> tuple[Statement | None, Proof | None]:
        """Keep a statement (see ``Statements.add``) unless it is from too far ahead, or its author
        has signed too much: then what others name, ``NAMED`` for each, and what may have led others
        up. What cannot be checked yet waits, as much as each honest ``bringer`` may bring."""
        transcript = self.transcript
        if transcript.context.replaying and transcript.number >= UNNAMED:  # it was kept before
            return self.statements.add(signed, lambda _: True)
        if signed.view > self.ground + 2 * COUNTED:
            return None, None
        if transcript.number < UNNAMED and (signed.kind == STATUS or signed.phase >= UNNAMED):
            self.unchecked.keep(signed, bringer)
            return None, None
        view, number = transcript.at
        due = signed.slot == (MOVE, signed.sender, view, max(signed.phase, number))
        vote = signed.kind == STATUS and signed.view > view  # few fit between view and ground
        due = due or (vote and signed.sender not in self.convicted)
        due = due and not self.statements.of(signed.slot)
        of = signed.sender, transcript.context.me, transcript.signed_by
        full = signed.phase > number + AHEAD or (not due and self.statements.full(*of))
        if full and not (self.statements.leads(signed, COUNTED) or self._granted(signed)):
            return None, None
        return self.statements.add(signed, lambda _: full or self._granted(signed))

    def _granted(self, signed: SignedMessage) -> bool:
        """Tell whether a statement is named, and some who name it have let little be kept so."""
        by = self.naming(signed.key) if signed.key in self.lacking()[0] else set()
        for each in self.transcript.signed_by(signed.sender):
            self._named.pop(each.key, None)
        spent = Counter[int]()
        for size, names in self._named.values():
            spent.update(dict.fromkeys(names, size))
        if all(spent[peer] > NAMED for peer in by):
            return False
        self._named[signed.key] = OVERHEAD + len(signed.body), by
        return True

    @property
    def ground(self) -> int:
        """The highest attempt that some honest peer has come to, if fewer than a quorum lie.

        As many as may lie can sign any numbers: the next highest of anybody's is not theirs alone.
        """
        heard = sorted(self.statements.tops, reverse=True)[-self.roster.quorum]
        return max(self._certified, self.transcript.view, heard)

    def expect(self, statuses: Sequence[SignedMessage]) -> None:
        """Let the ground rise to an attempt that a quorum has signed, however far ahead it is."""
        attempt = max((s.view for s in statuses), default=0)
        authors = {s.sender for s in statuses if s.view == attempt}
        signed = (self.statements.genuine(s.ref, STATUS, keep=False) for s in statuses)
        if len(authors) >= self.roster.quorum and attempt > self.ground and all(signed):
            self._certified = attempt

    @property
    def moment(self) -> tuple[int, bytes, int]:
        """What is the same only while the same is held, here, and known to be false."""
        return (self.statements.version, self.transcript.past.hash, len(self.positions.dead))

    def said(self) -> list[StatusMessage]:
        """Return the statuses of later views that count: what they name can be shown."""
        return [status for _, status in self.later()]

    def later(self) -> list[tuple[Statement, StatusMessage]]:
        """Return them with what they say."""
        if self._shown[0] != (now := self.moment):
            line, nowhere, shown = self.transcript, set[bytes](), self.positions.shown
            later = (k for k in self.statements.statuses if k.signed.view > line.view)
            found = ((k, k.said) for k in later if shown(k, line, nowhere))
            self._shown = (now, [(k, s) for k, s in found if isinstance(s, StatusMessage)])
        return self._shown[1]

    def shown(self, known: Statement) -> bool:
        """Tell whether all that a status names is here, and leads to where it claims to be."""
        return self.positions.shown(known, self.transcript)

    def lacking(self) -> tuple[list[Key], list[bytes]]:
        """Return the statements, and the pasts, that are named by those held and are not here."""
        # what others say next shows if they have gone on with a convicted peer's message
        line, convicted = self.transcript, self.convicted & self.transcript.missing
        now = (self.moment, line.at, len(self.positions.odd), convicted, [*self._ends.values()])
        if self._lacks[0] != now:
            later = self.statements.next_of_each(line.number) if convicted else ()
            named = {peer: past.keys for peer, past in self._ends.items()}
            here = self.statements.of_phase(line.number)
            for known in sorted(here, key=lambda k: k.signed.view != line.view):
                named.setdefault(known.signed.sender, []).extend(self.named(known))
            self._lacks = now, self.positions.lacking(line, later, named.values())
        return self._lacks[1]

    def naming(self, key: Key, beyond: bool = True) -> set[int]:
        """Return who names a statement or a complaint, as evidence, held, or in its past, and who
        has gone on with what names it."""
        held = (*self.statements.statuses, *self.statements.of_phase(self.transcript.number))
        naming = [known for known in held if key in self.named(known)]
        keys = {key, *(known.signed.key for known in naming)}
        by = {known.signed.sender for known in naming}
        by |= {peer for peer, past in self._ends.items() if not keys.isdisjoint(past.keys)}
        return by.union(*map(self.statements.followers, keys)) if beyond else by

    def named(self, known: Statement) -> Sequence[Key]:
        """Return what a status, or a message of the present phase, names beside its past."""
        phase, said = self.transcript.phase, known.said
        with suppress(PeerError):  # checking it will tell what is wrong
            if phase is not None and isinstance(said, PhaseMessage):
                return phase.names(said.parts)
        return names_of(said) if isinstance(said, StatusMessage) else ()

    def advance(self) -> bool:
        """Enter what begins, take what is due, complete what can be; tell whether anything was."""
        turned = self.enter() is not None or self.follow()
        return turned or self.pull() or self.finish() or self.conclude()

    def pull(self) -> bool:
        """Take the messages of the present phase that are held."""
        transcript, moved = self.transcript, False
        for peer in sorted(transcript.missing.difference(transcript.moves[-1])):
            for known in self.statements.of((MOVE, peer, *transcript.at)):
                move = known.said
                if not isinstance(move, PhaseMessage) or not self._counts(known.signed):
                    continue
                due = move.previous == transcript.past.hash and not self.delays(move)
                if due and all(map(self.statements.holds, self.named(known))):
                    moved = self._bring(known.signed, move) or moved
                    break
        return moved

    def _counts(self, signed: SignedMessage) -> bool:
        """Tell if a message may count: of a journal what did; of the convicted what is built on."""
        line, peer, key = self.transcript, signed.sender, signed.key
        if key in self.false:
            return False
        if line.context.replaying:
            return key in line.true
        # finals stand; and nobody stands in for a peer before all keys are shared
        heard = peer not in self.convicted or self._anew or line.number < SETUP
        return heard or self.statements.built_on(line.past.hash, key, self.convicted)

    def _bring(self, signed: SignedMessage, move: PhaseMessage) -> bool:
        self.transcript.recall(move)
        try:
            self.transcript.bring(signed, move)
        except ProtocolViolation as violation:
            self.false.add(signed.key)
            self.violations.append(violation)
            return False
        self.keeps(signed, True)
        return True

    def finish(self) -> bool:
        """Complete the present phase if nothing is missing."""
        if done := self.transcript.finish(self.watch):
            self.statements.show(self.transcript.past)
            if self.transcript.number == UNNAMED:
                self.statements.game = self.transcript.context.game_id
            self.completed()
        return done

    def end(self, past: Past, peer: int) -> None:
        """Take what a peer shows that has come to the end: the names of the finals of all.

        Of a liar's finals they may be others than those that are held here, and of a view that is
        over here: who had signed in it may have ended with it while a next one began.
        """
        self.ended[peer] = {ref.sender for ref in past.refs}
        transcript = self.transcript
        if (
            self._anew
            and past.kind == MOVE
            and transcript.line.get(past.before, (0, 0))[0] == transcript.number
            and peer not in self._vain
            and all(ref.phase == transcript.number for ref in past.refs)
            and all(self.statements.genuine(ref, MOVE, keep=False) for ref in past.refs)
        ):
            self._ends[peer] = past

    def led_over(self, past: Past) -> None:
        """Take a past that this line went over, as its journal has it."""
        self.statements.show(past)
        if self._anew:  # it may have gone back to the end from a view
            self.end(past, self.transcript.context.me)

    def conclude(self) -> bool:
        """Go to an end that was shown, once all that it names is here."""
        for peer, past in list(self._ends.items()):
            finals = [known for key in past.keys if (known := self.statements.get(key))]
            named = (key for each in finals for key in self.named(each))
            if len(finals) < len(past.refs) or not all(map(self.statements.holds, named)):
                continue
            del self._ends[peer]
            if past.before in self.transcript.line:
                if self._go(past.before, [past]):
                    return True
                self._vain |= {peer} - {self.transcript.context.me}  # it has many by its journal
        return False

    def certificates(self) -> list[list[Statement]]:
        """Return the certificates of later views that can be entered, the newest first."""
        joined: dict[tuple[int, tuple[int, ...]], dict[int, Statement]] = {}
        # a liar may have signed another one, that leads nowhere: it is not among these
        for known, status in self.later():
            if status.author in status.members and len(status.members) >= self.roster.quorum:
                attempt = joined.setdefault((status.attempt, status.members), {})
                attempt.setdefault(status.author, known)
        whole = [a for a, by in joined.items() if by.keys() == set(a[1])]
        return [[joined[a][m] for m in a[1]] for a in sorted(whole, reverse=True)]

    def enter(self) -> InstalledView | None:
        """Begin the newest view whose certificate is here; after the end there is none."""
        begun = self.transcript.number >= SETUP and self.transcript.phase is not None
        later = self.certificates() if begun and self.said() else ()
        found = (self.adopt(c) for c in later if tuple(k.signed for k in c) not in self._left)
        return next((view for view in found if view is not None), None)

    def follow(self) -> bool:
        """Go over to where those have gone on who show an end, as a liar has made two views, or two
        messages: only who is out of its view, or where too few are left for a next one."""
        line, left = self.transcript, len(self.roster.peers) - len(self.convicted)
        known = self.convicted | {line.context.me}
        ended, out = self.ended.keys() - known, line.context.me not in line.members
        if not (self.convicted and ended and (out or left - len(ended) < self.roster.quorum)):
            return False
        for node in self.positions.rivals(line, known, self.ended, left - self.roster.quorum):
            if self.turn(node):
                return True
            self.positions.dead.add(node.hash)
        return False

    def turn(self, node: Past) -> bool:
        """Go over a past beside this line, instead of what followed here; tell if one can."""
        before = self.transcript.views
        if found := self._go(node.before, [node]):
            self._leave(before)
            if node.kind == MOVE:
                self.turned(node)
        return found

    def _leave(self, before: Sequence[InstalledView]) -> None:
        """Note which views were left for one that is no later: nobody enters what is not ahead."""
        line, now = self.transcript, {view.statuses for view in self.transcript.views}
        self._left |= {view.statuses for view in before if view.number >= line.view} - now
        self._left -= {view for view in self._left if self.positions.ahead(view, line)}

    def adopt(self, statuses: Sequence[Statement]) -> InstalledView | None:
        """Go to where a certificate says that the game goes on; ``None`` if nobody could."""
        said = [known.said for known in statuses if isinstance(known.said, StatusMessage)]
        at, past = furthest(said)
        line, dead = self.transcript, self.positions.dead
        path = None if past in dead else self.positions.path(past, line)
        if path is None or self.positions.place(past, line) != at:
            return None
        if not self._go(*path):
            dead.add(past)
            return None
        named = {r.key(MOVE) for s in said if (s.at, s.past.hash) == (at, past) for r in s.held}
        slots = Counter(key[:4] for key in named)  # a journal need not hold what does not count
        once = [key for key in sorted(named) if slots[key[:4]] == 1]
        held = [each for key in once if (each := self.statements.get(key)) is not None]
        view = begins(self.transcript, said[0].attempt, list(statuses), held)
        self._decide(view)
        self._leave(line.views)
        return view

    def _go(self, common: bytes, nodes: list[Past]) -> bool:
        """Go back to a past of this line, and over others from there; ``False``: nobody can.

        It is tried beside this line first: nothing of it is lost where one cannot.
        """
        place = self.transcript.line[common]
        if nodes:
            other, found = self.other(place, nodes)
            self.violations += [v for v in other.violations if v.signed.key not in self.false]
            self.false |= other.false
            if not found:
                return False
        if common != self.transcript.past.hash:
            self.rewind(*place)
        for node in nodes:
            self.leads(node)  # what shows it here need not be on the disk
        return all(map(self._apply, nodes))

    def other(self, place: tuple[int, int], nodes: list[Past]) -> tuple[GameLine, bool]:
        """Return a line from a place of this one over some pasts, and whether it can go there."""
        other = copy(self)
        other.transcript = self._again(*place)
        other.false, other.violations, other._left = set(self.false), [], set()
        other.watch, other.keeps = (lambda _: None), (lambda _, checked: None)
        other.leads = lambda _: None
        other.completed = other.rewound = lambda: None
        return other, all(map(other._apply, nodes))

    def _decide(self, view: InstalledView) -> None:
        for each in view.carried:
            self.keeps(each.signed, False)
        self.transcript.decide(view)
        self.statements.show(self.transcript.past)
        self.violations += self.transcript.false
        self.transcript.false.clear()

    def _apply(self, node: Past) -> bool:
        """Go over one past: the messages of a phase, or the statuses of a view."""
        found = [self.statements.get(key) for key in node.keys]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            return False
        if node.kind == STATUS:
            return self._apply_view(known) and self.transcript.past.hash == node.hash
        for each in known:
            sender = each.signed.sender
            have = self.transcript.moves[-1].get(sender)
            if have is not None and have.key != each.signed.key:
                self.transcript.drop(sender)
            if sender in self.transcript.moves[-1] or sender not in self.transcript.missing:
                continue
            if not isinstance(each.said, PhaseMessage) or not self.transcript.fits(each.said):
                return False  # what is true of another line would be false here
            if self._anew and each.said.previous != node.before:
                return False  # a final of a view that is over
            if not self._bring(each.signed, each.said):
                return False
        return self.finish() and self.transcript.past.hash == node.hash

    @property
    def _anew(self) -> bool:
        """Whether no view carries a message of the present phase."""
        return self.transcript.phase is not None and self.transcript.phase.anew

    def _apply_view(self, known: list[Statement]) -> bool:
        attempts = {
            (k.said.attempt, k.said.members) for k in known if isinstance(k.said, StatusMessage)
        }
        members = next(iter(attempts))[1] if len(attempts) == 1 else ()
        whole = [k.signed.sender for k in known] == list(members)
        if not whole or len(members) < self.roster.quorum or not all(map(self.shown, known)):
            return False
        return self.adopt(known) is not None

    def rewind(self, phase: int, views: int) -> None:
        """Go back to a phase, and to the first of its views: what came after did not happen."""
        self.transcript = transcript = self._again(phase, views)
        context = transcript.context
        if context.referee.table.log is not None:
            context.referee.table.log.clear()
        context.seating.take()
        self.rewound()

    def _again(self, phase: int, views: int) -> Transcript:
        """Go over this line once more, up to a phase and the first of its views."""
        old, transcript = self.transcript, self._make()
        context, transcript.true = transcript.context, old.true
        before, context.replaying = context.replaying, True
        for number in range(phase + 1):
            here = (view for view in old.views if view.phase == number)
            for view in islice(here, views if number == phase else None):
                transcript.decide(view)
            if number < phase:
                self._replay(transcript, old.moves[number])
        context.replaying = before
        transcript.false.clear()
        return transcript

    def _replay(self, transcript: Transcript, moves: dict[int, SignedMessage]) -> None:
        for _, signed in sorted(moves.items()):
            known = self.statements.get(signed.key)
            move = known.said if known is not None else None
            if isinstance(move, PhaseMessage) and signed.sender not in transcript.moves[-1]:
                transcript.recall(move)
                transcript.bring(signed, move)
        transcript.finish(lambda _: None)
