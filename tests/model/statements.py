"""Signed statements, what they name, and the court.

A ``Book`` holds every statement that was made in one game, each once. A set of statements is an
``int``, a bit for each, so that "holds more" and "holds a proof" are one operation; a transcript
hash is the number of what it stands for. Nobody can sign for another: only the world writes here.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import NamedTuple, TypeAlias


class Rule(Enum):
    """The rules that can be switched off, each of which somebody must then miss."""

    E1 = "an invalid move convicts its author"
    E2 = "two bodies in one slot convict their author"
    E3 = "a status that denies what its author had said convicts it"
    UNSAID = "a status that leaves out its author's own message where it stands convicts it"
    E4 = "a complaint convicts whoever sealed something false"
    E4_FALSE = "a complaint about a part that is due convicts the complainer"
    E5 = "an empty commitment convicts once a quorum has opened it"
    E6 = "a show that contradicts the claim in its transcript convicts"
    ONE_LINE = "a claim is judged by the shows of its own transcript only (E6)"
    SLOT = "the slot does not contain the past"
    REFS = "a message carries what it names: the past is shown"
    COMPLAINT_CARRIES = "a complaint carries the accused move"
    KEEP = "nothing genuine is refused: the second body is kept"
    PROOF_FIRST = "whoever convicts sends the proof to everybody"
    GREETING = "who comes back, or is joined again, is given the proofs, and gives its own"
    RELAY = "what a peer lacks is asked of everybody"
    ASKED_PAST = "who asks says where it stands, and is shown what led to another line"
    ENDED = "finals are served to whoever missed the end"
    QUORUM = "a view has at least a quorum of members"
    ALL_SIGN = "a view begins when every member has signed the same attempt"
    PROMISE = "who has signed an attempt says nothing more in earlier views"
    FURTHEST = "the certificate's furthest position decides what follows"
    OPINION = "nobody is left out because somebody else says so"
    NUMBER = "an outsider keeps its highest number and the attempt it joined"
    LEFT_FEW = "whom a conviction leaves with too few says once that it is there"
    ASK_AGAIN = "who is out asks again, without whom it waited for in vain"
    DEBT = "suspicion is a debt, and ends when it is paid"
    PAID_BY_JOINING = "the debt of a phase is paid by joining one's attempt"
    PAID_BY_CARRY = "the debt of a phase is paid by a message that the certificate carries"
    OLDEST = "the oldest wait ends first"
    CARRIED = "what one certificate counts of a phase, the next counts too"
    FINALS = "finals are signed anew in a new view"
    FINALS_STAND = "finals of all members are the end, whatever comes out"
    MERCY = "who is left with less than a quorum forgives all who are late"
    FOLLOW_MERCY = "who is not late and begins an attempt with everybody is followed"
    PERSON = "no timer runs while a person is asked"
    OWN_STALL = "who was stalled judges no debt from before"
    JOURNAL = "what is signed is on the disk before it is sent"
    AGREED = "falls are counted in the transcript, not by each peer for itself"
    BUDGET = "who fell out too often in the transcript stays out"
    POSITION = "a status counts if its position is where its past leads"
    MISSING = "whom nobody hears is left out, whatever it owes, and by who is out too"
    TOGETHER = "where too few stay, those who ask back come together"
    WHOEVER = "whomever each of them wants"
    WITH_OTHERS = "who asks back joins members that would have it back with others that ask"
    BACKED = "who is in the view, too, joins an attempt that more have signed than may lie"
    PASSED_ON = "a farewell is passed on, and told to who is met, or asks"
    OWN_COUNTS = "who hears its own farewell counts as gone for itself, too, and asks back"
    NEWEST = "of an author's farewells the newest counts"
    SIGNED_SINCE = "a farewell is over as a view begins that its author has signed since"
    TAKEN_BACK = "who has left and asks back is heard where too few stay"
    ALONE = "who gets no answer to its attempt from so many that too few are left forgives"
    FORGIVEN = "who was forgiven and owes still does not count among those who stay"


FAKE = -1
"""A past that follows from nothing signed: what names it is malformed, whoever reads it."""
OK, OTHER, BAD, EMPTY = "ok", "other", "bad", "empty"
"""Bodies: two valid answers, an invalid one, a commitment with no legal choice inside."""


def sealed(peer: int) -> str:
    """Return the body whose part for `peer`, and only that, opens to something false."""
    return f"bad for {peer}"


class Move(NamedTuple):
    """A peer's one message for a view and phase; it names all that was before."""

    author: int
    view: int
    phase: int
    past: int
    body: str
    shown: str
    """What its author says that its answer of the phase before was (E6)."""


class Status(NamedTuple):
    """I join attempt `view`, say nothing more in earlier views, and this is where I stand."""

    author: int
    view: int
    members: tuple[int, ...]
    at: tuple[int, int]
    past: int
    held: int


class Complaint(NamedTuple):
    """The disclosure that opens the part which `accused` has for its author."""

    author: int
    accused: int


class Farewell(NamedTuple):
    """Its author goes, and says nothing more in the view of this number, or in any before."""

    author: int
    number: int


Said: TypeAlias = Move | Status | Complaint | Farewell


class Node(NamedTuple):
    """What a transcript hash stands for: the messages of a phase, or a view's certificate."""

    before: int
    said: int
    members: tuple[int, ...] = ()
    """Those of the view, where this is a certificate."""


class Proof(NamedTuple):
    """The statements that convict a peer: all of `need`, and partials of a quorum (E5)."""

    kind: Rule
    peer: int
    need: int
    opened: bool = False


def bits(statements: int) -> Iterator[int]:
    """Give the statements of a set one by one, each as a set of its own."""
    while statements:
        yield (low := statements & -statements)
        statements ^= low


class Book:
    """All statements and transcripts of one game, and what they prove."""

    def __init__(self, peers: int, off: frozenset[Rule], turns: int = 0) -> None:
        self.peers, self.quorum, self.off = peers, peers // 2 + 1, off
        self.turns = turns
        """Of how many phases, before the final one, two of three are one peer's turn alone."""
        self.said: list[Said] = []
        self.carried: list[int] = []
        """For each statement it and all that it shows: its past, what it holds or accuses."""
        self.nodes = [Node(FAKE, 0, tuple(range(peers)))]
        self.under = [0]
        """For each transcript all statements in it."""
        self.proofs: list[Proof] = []
        self.at: dict[tuple[int, int], int] = {}
        """The moves for each view and phase, whatever past they name."""
        self.statuses = 0
        self.farewells = 0
        self.attempts: dict[tuple[int, tuple[int, ...]], dict[int, int]] = {}
        """For each view and its members the statuses of each that join it."""
        self._numbers: dict[Said, int] = {}
        self._hashes: dict[Node, int] = {self.nodes[0]: 0}
        self._by: list[list[int]] = [[] for _ in range(peers)]
        self._partials: dict[int, int] = {}
        self._verdicts: dict[int, frozenset[int]] = {}
        self.line = cache(self._line)
        self.speakers = cache(self._speakers)
        self.falls = cache(self._falls)
        self.entered = cache(self._entered)
        self.place = cache(self._place)
        self.words = cache(self._words)
        self.tag = cache(self._tag)

    def __getitem__(self, one: int) -> Said:
        return self.said[one.bit_length() - 1]

    def all(self, statements: int) -> Iterator[Said]:
        """Give the statements of a set in the order in which they were first made."""
        return (self[one] for one in bits(statements))

    def shows(self, statements: int) -> int:
        """Return the statements with all that they carry."""
        found = 0
        for one in bits(statements):
            found |= self.carried[one.bit_length() - 1]
        return found

    def find(self, said: Said) -> int:
        """Return a statement as a set of one, or nothing where it was never made."""
        number = self._numbers.get(said)
        return 0 if number is None else 1 << number

    def sign(self, said: Said) -> int:
        """Return a statement as a set of one; what is new is entered and judged."""
        if one := self.find(said):
            return one
        one = 1 << len(self.said)
        self._numbers[said] = len(self.said)
        self.said.append(said)
        self.carried.append(one | self._shown_by(said))
        if isinstance(said, Move):
            self.at[said.view, said.phase] = self.at.get((said.view, said.phase), 0) | one
        elif isinstance(said, Status):
            self.statuses |= one
            if said.author in said.members and self.stands(said):
                joined = self.attempts.setdefault((said.view, said.members), {})
                joined[said.author] = joined.get(said.author, 0) | one
        elif isinstance(said, Farewell):  # a wish: it proves nothing
            self.farewells |= one
            return one
        self.proofs += [p for p in self._judged(said, one) if p.kind not in self.off]
        self._by[said.author].append(one)
        return one

    def _shown_by(self, said: Said) -> int:
        if isinstance(said, Farewell):
            return 0
        if isinstance(said, Complaint):
            return self.shows(said.accused) if Rule.COMPLAINT_CARRIES not in self.off else 0
        if said.past == FAKE or Rule.REFS in self.off:
            return 0
        return self.under[said.past] | (self.shows(said.held) if isinstance(said, Status) else 0)

    # --- transcripts ---

    def hash(self, node: Node) -> int:
        """Return the number of a transcript."""
        if node not in self._hashes:
            self._hashes[node] = len(self.nodes)
            self.nodes.append(node)
            self.under.append(self.under[node.before] | self.shows(node.said))
        return self._hashes[node]

    def members(self, past: int) -> tuple[int, ...]:
        """Return the members of the view in which a transcript ends."""
        while not self.nodes[past].members:
            past = self.nodes[past].before
        return self.nodes[past].members

    def phase_end(self, past: int) -> int:
        """Return a transcript without the certificates that follow its last phase."""
        while self.nodes[past].members and past:
            past = self.nodes[past].before
        return past

    def stands(self, said: Status) -> bool:
        """Tell whether a status stands where its past leads (POSITION)."""
        if said.past == FAKE or Rule.POSITION in self.off:
            return said.past != FAKE
        return said.at == self.place(said.past)

    def _place(self, past: int) -> tuple[int, int]:
        """Return the view and the phase to which a transcript leads."""
        if past == 0:
            return 0, 0
        node = self.nodes[past]
        view, phase = self.place(node.before)
        if not node.members:
            return view, phase + 1
        return max(s.view for s in self.all(node.said) if isinstance(s, Status)), phase

    def last_phase(self, past: int) -> int:
        """Return the messages of the last phase that a transcript contains."""
        return self.nodes[self.phase_end(past)].said

    def _line(self, past: int) -> tuple[tuple[tuple[int, str], ...], ...]:
        """Return the game that a transcript tells: the bodies by author, phase by phase."""
        node = self.nodes[past]
        if past == 0:
            return ()
        if node.members:
            return self.line(node.before)
        told = sorted((m.author, m.body) for m in self.all(node.said) if isinstance(m, Move))
        return (*self.line(node.before), tuple(told))

    def _speakers(self, past: int) -> frozenset[int]:
        """Return who has to speak in the phase to which a transcript leads: the game decides it,
        and with it what was answered before."""
        phase = self.place(past)[1]
        if phase >= self.turns or phase % 3 == 0:
            return frozenset(range(self.peers))
        others = sum(body == OTHER for told in self.line(past) for _, body in told)
        return frozenset({(phase + others) % self.peers})

    def signed_by(self, past: int, members: frozenset[int]) -> int:
        """Return the last transcript before one that each of some members has named since."""
        authors = set[int]()
        while past:
            node = self.nodes[past]
            said = [s for s in self.all(node.said) if isinstance(s, Move | Status)]
            authors |= {s.author for s in said if s.past == node.before}
            if authors >= members:
                return node.before
            past = node.before
        return 0

    def _falls(self, past: int) -> tuple[int, ...]:
        """Return for each peer how many certificates of a transcript left it out (BUDGET)."""
        if past == 0:
            return (0,) * self.peers
        node = self.nodes[past]
        was = self.falls(node.before)
        if not node.members:
            return was
        fell = set(self.members(node.before)) - set(node.members)
        return tuple(times + (peer in fell) for peer, times in enumerate(was))

    def _entered(self, past: int) -> tuple[int, ...]:
        """Return for each peer the newest view of a transcript that it has signed."""
        if past == 0:
            return (0,) * self.peers
        node = self.nodes[past]
        was = self.entered(node.before)
        signed = {s.author: s.view for s in self.all(node.said) if isinstance(s, Status)}
        return tuple(max(at, signed.get(peer, 0)) for peer, at in enumerate(was))

    def claim(self, author: int, past: int) -> str:
        """Return what a peer answered in the last phase of a transcript, if anything."""
        said = self.all(self.last_phase(past))
        return next((m.body for m in said if isinstance(m, Move) and m.author == author), "")

    # --- the court ---

    def guilty(self, known: int) -> frozenset[int]:
        """Return whom a set of statements convicts; no clock, no order, no state of the judge."""
        if known not in self._verdicts:
            found = frozenset(proof.peer for proof in self.proofs if self.holds(known, proof))
            self._verdicts[known] = found
        return self._verdicts[known]

    def holds(self, known: int, proof: Proof) -> bool:
        """Tell whether a set of statements contains the whole of a proof."""
        if proof.need & known != proof.need:
            return False
        authors = {m.author for m in self.all(known & self._partials.get(proof.need, 0))}
        return not proof.opened or len(authors) >= self.quorum

    def evidence(self, proof: Proof) -> int:
        """Return all statements of a proof."""
        return proof.need | (self._partials[proof.need] if proof.opened else 0)

    def _judged(self, said: Said, one: int) -> Iterator[Proof]:
        """Give the proofs that a new statement completes or begins."""
        if isinstance(said, Complaint):
            accused = self[said.accused]
            true = isinstance(accused, Move) and accused.body == sealed(said.author)
            kind, peer = (Rule.E4, accused.author) if true else (Rule.E4_FALSE, said.author)
            yield Proof(kind, peer, one | said.accused)
        elif not isinstance(said, Farewell):
            if self.invalid(said):
                yield Proof(Rule.E1, said.author, one)
            for other in self._by[said.author]:
                yield from self._between(said, one, self[other], other)
            if isinstance(said, Move) and said.past != FAKE:
                yield from self._answers(said, one)

    def invalid(self, said: Move | Status) -> bool:
        """Tell whether a statement convicts its author alone (E1): it names nothing, is an illegal
        answer, or was not its author's to say."""
        if said.past == FAKE or isinstance(said, Status):
            return said.past == FAKE
        return said.body == BAD or said.author not in self.speakers(said.past)

    def _between(self, said: Said, one: int, other: Said, two: int) -> Iterator[Proof]:
        if _slot(said, self.off) == _slot(other, self.off):
            yield Proof(Rule.E2, said.author, one | two)
        move, status = (said, other) if isinstance(said, Move) else (other, said)
        if isinstance(move, Move) and isinstance(status, Status) and move.view < status.view:
            unsaid = status.at == (move.view, move.phase) and status.past == move.past
            named = any(m.author == move.author for m in self.all(status.held))
            if status.at < (move.view, move.phase):
                yield Proof(Rule.E3, said.author, one | two)
            elif unsaid and not named:
                yield Proof(Rule.UNSAID, said.author, one | two)

    def _answers(self, move: Move, one: int) -> Iterator[Proof]:
        """Give what a move proves about answers of the phase before: its shows and partials."""
        before = self.last_phase(move.past)
        elsewhere = self._by[move.author] if Rule.ONE_LINE in self.off else []
        for claim in [*bits(before), *elsewhere]:
            said = self[claim]
            if not isinstance(said, Move) or said.phase != move.phase - 1:
                continue
            if said.body == EMPTY and claim & before:  # the move contains partials of it
                if claim not in self._partials:
                    self._partials[claim] = 0
                    yield Proof(Rule.E5, said.author, claim, opened=True)
                self._partials[claim] |= one
            if said.author == move.author and move.shown not in (said.body, ""):
                yield Proof(Rule.E6, move.author, one | claim)

    # --- words ---

    def name(self, one: int) -> str:
        """Return what a statement is called in a counterexample."""
        return self.words(self[one])

    def _words(self, said: Said) -> str:
        """Return what is said, signed or not, in words that are alike in every replay."""
        if isinstance(said, Move):
            shown = f" showing {said.shown}" if said.shown else ""
            past = "@nothing" if said.past == FAKE else self.tag(said.past)
            return f"{said.author}'s move {said.view}.{said.phase} {said.body}{shown}{past}"
        if isinstance(said, Status):
            moves = [m for m in self.all(said.held) if isinstance(m, Move)]
            held = " ".join(sorted(f"{m.author}" + m.body.removeprefix(OK) for m in moves))
            members = "".join(map(str, said.members))
            where = f"{said.at[0]}.{said.at[1]}{self.tag(said.past)}"
            return f"{said.author}'s status {said.view} with {members} at {where} holding [{held}]"
        if isinstance(said, Farewell):
            return f"{said.author}'s farewell {said.number}"
        return f"{said.author}'s complaint about {self.name(said.accused)}"

    def _tag(self, past: int) -> str:
        """Return a short mark for a transcript."""
        node = self.nodes[past]
        if past == 0:
            return ""
        words = sorted(self.name(one) for one in bits(node.said))
        return f"@{zlib.crc32(repr((self.tag(node.before), words)).encode()) % 4096:03x}"


def _slot(said: Said, off: frozenset[Rule]) -> object:
    """Return what a statement takes up: one body each, and the past is no part of it (E2)."""
    if isinstance(said, Move):
        past = said.past if Rule.SLOT in off else None
        return said.author, "move", said.view, said.phase, past
    if isinstance(said, Status):
        return said.author, "status", said.view
    return said
