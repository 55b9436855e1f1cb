"""An honest peer: a function of the signed statements that it holds.

It has no clock. The world tells it when one of its waits has ended; what it then does about the
debt is decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.model.debts import ATTEMPT, Debt, due
from tests.model.statements import (
    BAD,
    FAKE,
    OK,
    OTHER,
    Book,
    Complaint,
    Farewell,
    Move,
    Node,
    Rule,
    Status,
    bits,
    sealed,
)
from tests.model.wanting import asks, backed, want

View: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A view's number, its members, and their statuses: its certificate."""


@dataclass(frozen=True)
class Table:
    """What all peers of a game know of it, and which rules they follow."""

    book: Book
    phases: int
    person: int = -1
    """The phase in which a person answers."""
    falls: int = 2
    """How often a peer may fall out of the view before it stays out (BUDGET)."""
    off: frozenset[Rule] = frozenset()

    def has(self, rule: Rule) -> bool:
        """Tell whether a rule is in force."""
        return rule not in self.off


@dataclass(slots=True)
class Peer:
    """What an honest peer remembers."""

    me: int
    table: Table
    members: tuple[int, ...]
    tried: tuple[int, tuple[int, ...]]
    """The attempt that it is in."""
    past: int = 0
    stable: int = 0
    """The last transcript that every member has signed."""
    view: int = 0
    phase: int = 0
    top: int = 0
    """The highest attempt that it ever signed."""
    followed: int = 0
    """The highest attempt with everybody that it signed or followed: each ends suspicion once."""
    carry: int = 0
    """The messages of this phase that the certificate of the view counts."""
    known: int = 0
    late: set[Debt] = field(default_factory=set)
    """Suspicion: time, never proof; the beginning of a view ends it."""
    owed: dict[Debt, int] = field(default_factory=dict)
    """How many waits had ended, of all peers', when the one for each debt began."""
    left: dict[int, int] = field(default_factory=dict)
    """Who has said farewell, and the number that it named."""
    back: int = -1
    """The view in which it last asked back."""
    forgiven: set[int] = field(default_factory=set)
    """Who was late in this view, and owes still."""
    debts: tuple[object, set[Debt]] = (None, set())
    """What others owe it, for what it holds and has said."""
    held: tuple[int, list[Status]] = (0, [])
    """Statuses, and what they say: worked out once."""
    sent: bool = False
    answered: bool = False
    done: int = FAKE
    """The transcript that all final messages name."""
    restarts: int = 0
    fell: list[int] = field(default_factory=list)
    """Whom it suspected, once for each time (only without AGREED)."""
    grew: int = 0
    """How many waits had ended when the last of its own did."""
    forgave: int = 0
    asked: int = 0
    """How often it has asked back."""
    asks: int = 0
    """How often it asked back in vain since anything else happened."""
    missing: frozenset[int] = frozenset()
    """Whom nobody hears, whatever they owe; mercy is not for them (MISSING)."""

    @property
    def book(self) -> Book:
        return self.table.book

    @property
    def guilty(self) -> frozenset[int]:
        """Whom it convicts."""
        return self.book.guilty(self.known)

    @property
    def out(self) -> bool:
        """Tell whether it is out of the view, or has said farewell."""
        return self.me not in self.members or self.me in self.left

    @property
    def slow(self) -> set[int]:
        """Who is late: it still owes that for which the wait has ended."""
        late = self.late & due(self) if self.late and self.table.has(Rule.DEBT) else self.late
        return {debt[0] for debt in late if debt[2] > ATTEMPT}

    @property
    def mute(self) -> set[int]:
        """Who has not answered an attempt of its own that no more have signed than may lie."""
        return {debt[0] for debt in self.late & due(self) if debt[2] <= ATTEMPT}

    @property
    def needed(self) -> frozenset[int]:
        """Whose messages the phase needs: of the members those that have to speak."""
        return self.book.speakers(self.past).intersection(self.members)

    # --- what it holds ---

    def receive(self, statements: int) -> int:
        """Take statements from anybody; return what it says to everybody."""
        before, had = self.guilty, self.known
        bye = self._farewells(statements & self.book.farewells)
        statements &= ~self.book.farewells
        if not self.table.has(Rule.KEEP):
            statements = sum(one for one in bits(statements) if not self._second(one))
        self.known |= self.book.shows(statements)
        out = self._complain(self.known & ~had)
        if self.table.has(Rule.PROOF_FIRST):
            out |= self.proofs(self.guilty - before)
        return out | bye | self.advance()

    def _farewells(self, statements: int) -> int:
        """Take farewells; return those that it passes on."""
        out = 0
        for one in bits(statements):
            said = self.book[one]
            if isinstance(said, Farewell) and self.heeds(said):
                self.left[said.author] = said.number
                out |= one
        return out & self.told()

    def heeds(self, said: Farewell) -> bool:
        """Tell whether a farewell is news: its author has signed no view since that has begun."""
        has, before = self.table.has, self.left.get(said.author, -1)
        own = said.author != self.me or has(Rule.OWN_COUNTS)
        new = said.number > before if has(Rule.NEWEST) else before < 0
        return own and new and said.number >= self.book.entered(self.past)[said.author]

    def told(self) -> int:
        """Return the farewells that it tells whoever it meets, or who asks."""
        said = sum(self.book.sign(Farewell(peer, at)) for peer, at in self.left.items())
        return said if self.table.has(Rule.PASSED_ON) else 0

    def leave(self) -> int:
        """Say farewell: no promise of its own is above the number."""
        return self.book.sign(Farewell(self.me, max(self.view, self.top)))

    def _second(self, one: int) -> bool:
        new = self.book[one]
        return isinstance(new, Move) and any(
            isinstance(m, Move) and m.author == new.author and m != new
            for m in self.book.all(self.known & self.book.at[new.view, new.phase])
        )

    def _complain(self, new: int) -> int:
        """Disclose every part that opens to something false."""
        out = 0
        for one in bits(new):
            said = self.book[one]
            if isinstance(said, Move) and said.body == sealed(self.me):
                out |= self.book.sign(Complaint(self.me, one))
        self.known |= out
        return out

    def proofs(self, peers: frozenset[int]) -> int:
        """Return one proof against each of some convicted peers."""
        out = 0
        for peer in peers:
            proof = next(
                p for p in self.book.proofs if p.peer == peer and self.book.holds(self.known, p)
            )
            out |= self.book.evidence(proof) & self.known
        return out

    def messages(self) -> dict[int, int]:
        """Return the message of each member for the phase that it is in."""
        final = self.phase == self.table.phases
        bad = self.guilty if not final or not self.table.has(Rule.FINALS_STAND) else frozenset()
        found = {}
        for one in bits(self.known & self.book.at.get((self.view, self.phase), 0)):
            move = self.book[one]
            valid = isinstance(move, Move) and move.past == self.past and move.body != BAD
            if valid and move.author in self.needed and move.author not in bad:
                found[move.author] = one
        for one in bits(self.carry):
            found[self.book[one].author] = one
        return found

    def wanted(self) -> int:
        """Return what it asks everybody for: all that may bring it on (RELAY)."""
        out = 0
        for (view, phase), moves in self.book.at.items():
            final = phase == self.table.phases and self.table.has(Rule.ENDED)
            if (view, phase) >= (self.view, self.phase) or final:
                out |= moves
        for one in bits(self.book.statuses):
            status = self.book[one]
            if isinstance(status, Status) and status.view > self.view:
                out |= one
        for said in self.book.all(self.book.farewells):
            out |= self.book.sign(said) if isinstance(said, Farewell) and self.heeds(said) else 0
        return out & ~self.known

    def led_here(self, other: int, at: tuple[int, int]) -> int:
        """Return what it shows who asks on another line, no further on than itself: what was said
        last on its own before that place (ASKED_PAST)."""
        if (self.view, self.phase) < at or not self.table.has(Rule.ASKED_PAST):
            return 0
        past, shown = self.past, 0
        while past != other:
            if past == 0:
                return shown
            node = self.book.nodes[past]
            shown = shown or (node.said if self.book.place(past) <= at else 0)
            past = node.before
        return 0

    def certificates(self) -> list[View]:
        """Return the later views that begin, the newest first: every member signed the same."""
        book, found = self.book, []
        for (view, members), joined in book.attempts.items():
            if view <= self.view:
                continue
            signed = [joined.get(m, 0) & self.known for m in members]
            there = sum(map(bool, signed))
            needed = len(members) if self.table.has(Rule.ALL_SIGN) else len(members) // 2 + 1
            if there >= needed:  # of two by one author, who is convicted, the first made counts
                found.append((view, members, tuple(one & -one for one in signed if one)))
        return sorted(found, reverse=True)

    # --- what it does ---

    def advance(self) -> int:
        """Do everything that is due; return what it says to everybody."""
        out = 0
        while self.done == FAKE:
            if not (self._end() or self._enter()):
                said = self._join() or self._play()
                if said is None:
                    break
                out |= said
                self.known |= said
        return out

    def _end(self) -> bool:
        """End the game when finals of all members name the same past (§8)."""
        finals: dict[int, set[int]] = {}
        for (_, phase), moves in self.book.at.items():
            if phase == self.table.phases:
                for m in self.book.all(moves & self.known):
                    if isinstance(m, Move) and m.past != FAKE and m.body != BAD:
                        finals.setdefault(m.past, set()).add(m.author)
        ends = [past for past, by in finals.items() if by.issuperset(self.book.members(past))]
        if not self.table.has(Rule.FINALS_STAND):
            ends = [p for p in ends if not self.guilty.intersection(self.book.members(p))]
        if ends:
            self.done = self.stable = min(ends)
        return bool(ends)

    def _enter(self) -> bool:
        """Begin the newest view: whoever is a member, and whatever was signed since (PROMISE)."""
        for view, members, statuses in self.certificates():
            if len(members) >= self.book.quorum or not self.table.has(Rule.QUORUM):
                self._adopt(view, members, statuses)
                return True
        return False

    def _adopt(self, view: int, members: tuple[int, ...], statuses: tuple[int, ...]) -> None:
        has, said = self.table.has, sum(statuses)
        signed = [s for s in self.book.all(said) if isinstance(s, Status)]
        top = max(s.at for s in signed)
        past = min(s.past for s in signed if s.at == top)
        mine = next((s for s in signed if s.author == self.me), None)
        if mine and not has(Rule.FURTHEST):
            top, past = mine.at, mine.past
        held = 0
        for status in signed:
            if (status.at, status.past) == (top, past):
                held |= status.held
        last = top[1] == self.table.phases and has(Rule.FINALS)
        self.carry = 0 if last else self._counted(held, past)
        joined = (view, members)
        self.tried = max(self.tried, joined) if has(Rule.NUMBER) else joined
        self.top = self.top if has(Rule.NUMBER) else view
        self.members, self.view, self.phase = members, view, top[1]
        self.past = self.book.hash(Node(past, said, members))
        self.late, self.owed, self.answered, self.forgave, self.asks = set(), {}, False, 0, 0
        self.forgiven = set()
        entered, for_good = self.book.entered(self.past), not has(Rule.SIGNED_SINCE)
        self.left = {p: at for p, at in self.left.items() if at >= entered[p] or for_good}
        self.sent = any(self.book[one].author == self.me for one in bits(self.carry))

    def _counted(self, held: int, past: int) -> int:
        """Return the valid messages of a phase among those held; of two by one author none."""
        by: dict[tuple[int, int], int] = {}
        for one in bits(held):
            move = self.book[one]
            if not isinstance(move, Move) or self.book.invalid(move):
                continue
            if self._follows(move, past):
                by[move.author, move.view] = by.get((move.author, move.view), 0) | one
        newest = {author: by[author, view] for author, view in sorted(by)}
        return sum(ones for ones in newest.values() if ones.bit_count() == 1)

    def _follows(self, move: Move, past: int) -> bool:
        """Tell whether a message is for a phase, in this view or in one before (CARRIED)."""
        if not self.table.has(Rule.CARRIED) or move.past == FAKE:
            return move.past == past
        return self.book.phase_end(move.past) == self.book.phase_end(past)

    def statuses(self) -> list[Status]:
        """Return all statuses that it holds and that stand where they say."""
        ones = self.known & self.book.statuses
        if self.held[0] != ones:
            held = self.book.all(ones)
            found = [s for s in held if isinstance(s, Status) and self.book.stands(s)]
            self.held = ones, found
        return self.held[1]

    def _join(self) -> int | None:
        """Sign an attempt with the members it wants: the highest of one of them, or a new one."""
        has, out = self.table.has, self.out
        seen = [s for s in self.statuses() if s.view > self.view]
        wanted, everybody = want(self), want(self, forgiving=True)
        forgiving = [s for s in seen if s.author in wanted and s.members == everybody]
        newest = max((s.view for s in forgiving), default=0)
        if has(Rule.FOLLOW_MERCY) and newest > self.followed:
            self.forgiven |= self.slow | self.mute
            self.late, self.owed, wanted, self.followed = set(), {}, everybody, newest
        if not has(Rule.OPINION):
            others = [s for s in seen if s.author in wanted and s.view > self.top]
            wanted = max(others).members if others else wanted
        new = 1 + max([self.top, self.view, *(s.view for s in seen)])
        mine = [s.view for s in seen if s.members == wanted and s.author in wanted]
        joined = Counter(view for view in mine if view > self.top)
        view = max(joined, key=lambda each: (joined[each], each), default=0)
        if not view:
            view = new if not out and wanted != self.tried[1] else 0
        view = view if self.me in wanted else 0
        if not view and (out or has(Rule.BACKED)):  # whom a liar owes something, others may not see
            view, wanted = max(backed(self, seen), default=(0, wanted))
        if not view and out:  # comes back
            view, wanted = asks(self, seen, new)
        few = len(wanted) < self.book.quorum and has(Rule.QUORUM)
        # though too few are there, who is out says once that it is, and whom convictions left with
        # too few
        short = has(Rule.LEFT_FEW) and len({*self.members} - self.guilty) < self.book.quorum
        promised = not out and self.tried[0] > self.view
        told = wanted == self.tried[1] and self.tried[0] > max(self.view, self.left.get(self.me, 0))
        told = told or (promised and len(self.tried[1]) < self.book.quorum)
        if not view or (few and (told or not (out or short))):
            return None
        self.back = self.view if out and not few else self.back
        self.asked += out and view == new
        self.followed = view if wanted == everybody else self.followed
        held = sum(self.messages().values())
        self.tried, self.top = (view, wanted), view
        at = (self.view, self.phase)
        return self.book.sign(Status(self.me, view, wanted, at, self.past, held))

    def _play(self) -> int | None:
        """Say what is due; go on when every member's message of the phase is there."""
        inside = self.me in self.members
        promised = inside and self.tried[0] > self.view and self.table.has(Rule.PROMISE)
        speaks = self.me in self.needed and not promised
        if speaks and not self.sent and (self.phase != self.table.person or self.answered):
            self.sent = True
            return self.book.sign(self.move())
        got = self.messages()
        if self.phase == self.table.phases or not self.needed <= got.keys():
            return None
        self.past = self.book.hash(Node(self.past, sum(got.values())))
        self.stable = self.book.signed_by(self.past, frozenset(self.members))
        self.phase, self.carry, self.sent, self.answered = self.phase + 1, 0, False, False
        self.forgiven = set()
        return 0

    def move(self) -> Move:
        """Return its message for this phase; asked again, a person may answer otherwise."""
        final = self.phase == self.table.phases
        body = OK if final or (self.view + self.restarts) % 2 == 0 else OTHER
        shown = self.book.claim(self.me, self.past)
        return Move(self.me, self.view, self.phase, self.past, body, shown)

    # --- whom it waits for ---

    def owing(self) -> Iterator[tuple[int, frozenset[Debt]]]:
        """Give the debts against which its waits run, and since when."""
        waits: dict[int, set[Debt]] = {}
        for debt, since in self.owed.items():
            if debt[0] not in self.missing and debt not in self.late:
                waits.setdefault(since, set()).add(debt)
        yield from ((since, frozenset(debts)) for since, debts in waits.items())

    def settle(self, clock: int) -> None:
        """Begin the waits for what has come to be owed, and end those for what is paid."""
        now = due(self)
        self.owed = {debt: self.owed.get(debt, clock) for debt in now}
        self.late &= now if self.table.has(Rule.DEBT) else self.late

    def suspect(self, debts: frozenset[Debt]) -> None:
        """End a wait; who is out asks back again, without whom it suspects (ASK_AGAIN)."""
        self.late |= debts
        late = {who for who, _, phase in debts if phase > ATTEMPT}
        if self.me in self.members:
            self.fell += late
        if self.out and late and self.table.has(Rule.ASK_AGAIN):
            self.back = -1

    def miss(self, lost: frozenset[int]) -> None:
        """End the wait for those that nobody hears; who is out asks back without them."""
        self.missing = lost
        self.back = -1

    def ask_again(self) -> None:
        """Ask back once more, as time has passed in which no view began."""
        self.back = -1
        self.asks += 1

    def meet(self, peer: int) -> None:
        """Take a sign of life of a peer: whose person is asked owes nothing more."""
        asked = (peer, self.view, self.table.person)
        self.late -= {asked} if self.table.has(Rule.PERSON) else set()
        self.missing -= {peer}
        self.owed = {debt: at for debt, at in self.owed.items() if debt[0] != peer}

    def forgive(self) -> None:
        """Begin all waits again, with nobody late (MERCY)."""
        self.forgiven |= self.slow | self.mute
        self.late, self.owed = set(), {}
        self.forgave += 1
        self.back = -1

    def restart(self) -> None:
        """Start again from the disk."""
        self.late, self.forgave, self.restarts = set(), 0, self.restarts + 1
        self.missing, self.left, self.forgiven = frozenset(), {}, set()
        if not self.table.has(Rule.JOURNAL):  # what was signed since the phase began is forgotten
            self.sent, self.tried, self.top = False, (self.view, self.members), self.view
            own = self.book.at.get((self.view, self.phase), 0) | self.book.statuses
            lost = [one for one in bits(self.known & own) if self.book[one].author == self.me]
            self.known &= ~sum(lost)
