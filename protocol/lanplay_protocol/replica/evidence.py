"""The court: who is guilty is a function of signed statements, alike for all who hold the same.

No clock, no order of arrival and no judge's state is part of it. What a statement shows by itself,
or beside one other, is judged here; what its phase has to check is judged on the transcript.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice

from lanplay import errors
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.denials import Denials
from lanplay_protocol.replica.messages import (
    MOVE,
    START,
    STATUS,
    Citation,
    Complaint,
    Key,
    Past,
    PhaseMessage,
    Said,
    SignedMessage,
    Slot,
    StatusMessage,
    check_genuine,
    check_ref,
    read,
)
from lanplay_protocol.replica.roster import Roster

SPARE = 1 << 20
"""Bytes that are held of what one author has signed beyond what counts."""
OVERHEAD = 1024
"""Bytes that a statement takes beside its body."""
BODIES = 2
"""Statements that are kept of one slot: two convict already. More only where others name them."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A genuine statement and what it says; ``None``: it is malformed."""

    signed: SignedMessage
    said: Said | None


@dataclass(frozen=True, slots=True)
class Proof:
    """What convicts a peer: statements, or a complaint with the message that it is about.

    With no statements it lies in the transcript itself.
    """

    peer: int
    code: Code
    text: str
    phase: int
    statements: tuple[SignedMessage, ...] = ()
    complaint: Complaint | None = None


def closed(roster: Roster, proof: Proof) -> str:
    """Return that a game cannot go on without a peer that a proof convicts."""
    why = errors.by_code(proof.code, proof.text)
    return errors.Fault.WAS_CLOSED.of(name=roster.shown(proof.peer), why=why)


def alone(known: Statement) -> Proof | None:
    """Return what a statement proves by itself."""
    if known.said is not None:
        return None
    signed = known.signed
    text = f"signed what nobody can read for phase {signed.phase}"
    return Proof(signed.sender, Code.MALFORMED, text, signed.phase, (signed,))


def between(one: Statement, other: Statement) -> Proof | None:
    """Return what two statements of one author prove: two bodies in a slot, or a denial."""
    a, b = one.signed, other.signed
    if a.sender != b.sender or a.key == b.key:
        return None
    if a.slot == b.slot:
        what = "messages" if a.kind == MOVE else "statuses"
        place = f"phase {a.phase}" if a.kind == MOVE else f"attempt {a.view}"
        text = f"signed two {what} for {place}"
        return Proof(a.sender, Code.EQUIVOCATION, text, a.phase, (a, b))
    for status, move in ((one.said, other.said), (other.said, one.said)):
        if (
            isinstance(status, StatusMessage)
            and isinstance(move, PhaseMessage)
            and move.view < status.attempt
            and (status.at < move.at or _unsaid(status, move))
        ):
            text = f"denied in attempt {status.attempt} what it had signed for phase {move.phase}"
            return Proof(a.sender, Code.EQUIVOCATION, text, move.phase, (a, b))
    return None


def _unsaid(status: StatusMessage, move: PhaseMessage) -> bool:
    """Tell whether a status leaves out its author's own message where it stands, on its line."""
    there = (status.at, status.past.hash) == (move.at, move.previous)
    return there and all(ref.sender != move.sender for ref in status.held)


def false_ref(carrier: SignedMessage) -> Proof:
    """Return the proof against whoever names in its past what nobody signed."""
    text = f"phase {carrier.phase}: named a past that nobody signed"
    return Proof(carrier.sender, Code.DIVERGED, text, carrier.phase, (carrier,))


def unfounded(carrier: SignedMessage, *named: SignedMessage) -> Proof:
    """Return the proof against whoever names a past that does not follow from what it names."""
    text = f"phase {carrier.phase}: named a past that follows from nothing"
    return Proof(carrier.sender, Code.DIVERGED, text, carrier.phase, (carrier, *named))


def past_of(said: Said, kind: str) -> Iterator[tuple[Citation, str]]:
    """Give the statements that a statement names, with their kinds."""
    for ref in said.past.refs:
        yield ref, kind or said.past.kind
    for ref in said.held if isinstance(said, StatusMessage) else ():
        yield ref, MOVE


def guilty(
    statements: Iterable[SignedMessage], roster: Roster, game: Callable[[int], bytes]
) -> dict[int, Proof]:
    """Return whom a set of statements convicts by themselves, each with the first proof.

    ``game`` returns the id that messages of a phase are signed for. What is not genuine proves
    nothing. A statement that another one names counts as signed, whether its body is there or not.
    """
    found: dict[int, Proof] = {}
    genuine: list[Statement] = []
    for signed in sorted(statements, key=lambda each: each.key):
        try:
            check_genuine(signed, roster, game(signed.phase if signed.kind == MOVE else -1))
        except PeerError:
            continue
        genuine.append(known(signed))
    named = _named(genuine, roster, game)
    for proof in chain(map(alone, genuine), _contradictions(genuine), named):
        if proof is not None:
            found.setdefault(proof.peer, proof)
    return found


def _contradictions(genuine: list[Statement]) -> Iterator[Proof | None]:
    """Give what two statements prove of an author, without trying all."""
    held = Denials()
    for each in genuine:
        yield from (between(other, each) for other in held.of(each))
        held.add(each)


def known(signed: SignedMessage) -> Statement:
    """Return a genuine statement with what it says."""
    try:
        return Statement(signed, read(signed))
    except PeerError:
        return Statement(signed, None)


def _named(
    genuine: list[Statement], roster: Roster, game: Callable[[int], bytes]
) -> Iterator[Proof | None]:
    """Give what statements prove by naming others: what nobody signed, or a second body."""
    bodies = {each.signed.slot: each.signed for each in genuine}
    unnamed = roster.digest()
    for each in genuine:
        for ref, kind in past_of(each.said, "") if each.said else ():
            of = _game_of(ref, kind, each.signed, unnamed, game)
            if not _signed(ref, kind, roster, of):
                yield false_ref(each.signed)
                continue
            other = bodies.get(ref.key(kind)[:4])
            if other is not None and other.digest != ref.digest:
                yield second_body(ref, kind, each.signed, other)


def _signed(ref: Citation, kind: str, roster: Roster, game: bytes) -> bool:
    """Tell whether a name is its author's word; nothing is for a game that has no id."""
    with suppress(PeerError):
        check_ref(ref, kind, roster, game)
        return game != b""
    return False


def _game_of(
    ref: Citation, kind: str, carrier: SignedMessage, unnamed: bytes, game: Callable[[int], bytes]
) -> bytes:
    """Return the id for which was signed what a ``carrier`` names; none if that is of the phases
    that are signed as ``unnamed``, which name nothing of later ones."""
    named = game(ref.phase if kind == MOVE else -1)
    early = named != unnamed and carrier.kind == MOVE and game(carrier.phase) == unnamed
    return b"" if early else named


def second_body(ref: Citation, kind: str, carrier: SignedMessage, other: SignedMessage) -> Proof:
    """Return the proof against an author of two bodies, one of which another peer names."""
    place = f"phase {ref.phase}" if kind == MOVE else f"attempt {ref.view}"
    what = "messages" if kind == MOVE else "statuses"
    text = f"signed two {what} for {place}"
    return Proof(ref.sender, Code.EQUIVOCATION, text, ref.phase, (carrier, other))


class Statements:
    """Every statement that this peer holds, and the ``pasts`` that they show, by hash.

    ``shows`` is the first that showed each. ``complaints`` are those that were heard. ``tops`` are
    the highest attempts that each peer has signed, 0 for none. ``game`` is the id that all is
    signed for once the game has one. ``version`` changes with all that is held. ``twice`` convicts
    whose second bodies others name.
    """

    def __init__(self, roster: Roster, unnamed: int) -> None:
        self.game = b""
        self._roster = roster
        self._unnamed, self._before = unnamed, roster.digest()  # phases that are signed for that
        self._slots: dict[Slot, dict[bytes, Statement]] = {}
        self._denials = Denials()
        self._phases: dict[int, list[Statement]] = {}
        self.pasts: dict[bytes, Past] = {}
        self.shows: dict[bytes, SignedMessage] = {}
        self._after: dict[bytes, list[Past]] = {}
        self._authors: dict[bytes, set[int]] = {}
        self._said: dict[bytes, set[Key]] = {}  # after each past
        self._witnesses: dict[Key, set[int]] = {}  # whose statuses name each as evidence
        self.complaints: dict[Key, Complaint] = {}
        self.statuses: list[Statement] = []
        self.tops = [0 for _ in roster.peers]
        self.version = 0
        self.twice: list[Proof] = []
        self._named: dict[Slot, list[tuple[Citation, SignedMessage]]] = {}  # that are not held
        self.sizes: Counter[int] = Counter()  # bytes that are held of each author
        self._checked: set[tuple[str, Citation]] = set()

    def game_id(self, phase: int) -> bytes:
        """Return the id that a message of a phase is signed for; -1: what is no message."""
        return self._before if 0 <= phase < self._unnamed else self.game

    def add(
        self, signed: SignedMessage, named: Callable[[Key], bool] = lambda _: False
    ) -> tuple[Statement | None, Proof | None]:
        """Keep a genuine statement; return what is new of it, and whom it convicts.

        Of a full slot only what is ``named`` by others: somebody's line may hang on the third body
        of a liar. Who names what nobody signed shows no past by that. ``PeerError`` if it is
        nobody's, or cannot be checked yet.
        """
        slot = self._slots.get(signed.slot, {})
        if signed.digest in slot or (len(slot) >= BODIES and not named(signed.key)):
            return None, None
        if not self.genuine(signed.ref, signed.kind):
            raise PeerError(Code.BAD_SIGNATURE, "a statement that its author has not signed")
        new = known(signed)
        names = [] if new.said is None else [*past_of(new.said, "")]
        before = self._before
        right = (n for n in names if _game_of(*n, signed, before, self.game_id))
        genuine = [n for n in right if self.genuine(*n)]
        true = len(genuine) == len(names)
        for ref, kind in genuine:
            self._name(ref, kind, signed)
        for ref, carrier in self._named.pop(signed.slot, ()):
            if ref.digest != signed.digest:
                self.twice.append(second_body(ref, signed.kind, carrier, signed))
        others = [*self._denials.of(new)]
        self._denials.add(new)
        self._slots.setdefault(signed.slot, {})[signed.digest] = new
        self.version += 1
        self.sizes[signed.sender] += OVERHEAD + len(signed.body)
        if new.said is not None and true and new.said.past.kind != START:  # it may be any hash
            self._keep_past(new.said.past)
            self.shows.setdefault(new.said.past.hash, signed)
            self._authors.setdefault(new.said.past.hash, set()).add(signed.sender)
            self._said.setdefault(new.said.past.hash, set()).add(signed.key)
        if signed.kind == STATUS:
            self.statuses.append(new)
            self.tops[signed.sender] = max(self.tops[signed.sender], signed.view)
            for key in new.said.evidence if isinstance(new.said, StatusMessage) else ():
                self._witnesses.setdefault(key, set()).add(signed.sender)
        else:
            self._phases.setdefault(signed.phase, []).append(new)
        false = None if true else false_ref(signed)
        proofs = [alone(new), false, *(between(other, new) for other in others)]
        return new, next((proof for proof in proofs if proof is not None), None)

    def _name(self, ref: Citation, kind: str, carrier: SignedMessage) -> None:
        slot = ref.key(kind)[:4]
        held = self._slots.get(slot, {})
        if ref.digest not in held:
            self._named.setdefault(slot, []).append((ref, carrier))
            first = (each.signed for each in islice(held.values(), 1))  # beside one is enough
            self.twice += (second_body(ref, kind, carrier, other) for other in first)

    def proven(self, proof: Proof | None = None) -> list[Proof]:
        """Return a proof, if there is one, and those of second bodies that have come out since."""
        found, self.twice = [each for each in (proof, *self.twice) if each is not None], []
        return found

    def full(self, author: int, me: int, of: Callable[[int], Iterable[SignedMessage]]) -> bool:
        """Tell whether more than ``SPARE`` is held of an author beside what counts, and beside as
        much as this peer has signed in vain itself: who is led on for long is so like others."""
        if self.sizes[author] <= SPARE:
            return False
        counts = {p: sum(OVERHEAD + len(s.body) for s in of(p)) for p in (author, me)}
        return self.sizes[author] - counts[author] > SPARE + self.sizes[me] - counts[me]

    def leads(self, signed: SignedMessage, step: int) -> bool:
        """Tell whether a status is a ``step`` of attempts above all that are held of its author."""
        last = self.last(STATUS, signed.sender)
        return signed.kind == STATUS and (last is None or signed.view >= last.view + step)

    def last(self, kind: str, sender: int) -> SignedMessage | None:
        """Return what is held of an author for its furthest slot; ``None``: nothing."""
        slots = (slot for slot in self._slots if slot[:2] == (kind, sender))
        slot = max(slots, key=lambda slot: slot[2:], default=None)
        return None if slot is None else next(iter(self._slots[slot].values())).signed

    def of(self, slot: Slot) -> list[Statement]:
        """Return the statements held of one slot, the first that came first."""
        return list(self._slots.get(slot, {}).values())

    def built_on(self, past: bytes, key: Key, but: Set[int]) -> bool:
        """Tell whether anybody ``but`` some has gone on from a past with a statement.

        There may be phases between in which nobody else says anything.
        """
        waiting = [each for each in self._after.get(past, ()) if key in each.keys]
        while waiting:  # no past comes twice: each is a hash of the one before
            node = waiting.pop()
            if self._authors.get(node.hash, set()) - but:
                return True
            waiting += self._after.get(node.hash, ())
        return False

    def followers(self, key: Key) -> set[int]:
        """Return who has gone on from a past that names a statement."""
        naming = (past.hash for past in self.pasts.values() if key in past.keys)
        return set[int]().union(*map(self.beyond, naming))

    def beyond(self, past: bytes) -> dict[int, tuple[int, bool, int]]:
        """Return who has gone on from a past, or from what follows it, each with the place of the
        last that it has said there."""
        waiting, found = [past], dict[int, tuple[int, bool, int]]()
        while waiting:
            each = waiting.pop()
            for kind, author, view, phase, _ in self._said.get(each, ()):
                found[author] = max(found.get(author, (0, False, 0)), (view, kind == MOVE, phase))
            waiting += (node.hash for node in self._after.get(each, ()))
        return found

    def namers(self, past: bytes, finals: Mapping[int, Sequence[Key]]) -> Set[int]:
        """Return who has said anything after a past, or names what was said there as evidence, in a
        status or in some ``finals``."""
        said = self._said.get(past, set())
        ended = {peer for peer, named in finals.items() if not said.isdisjoint(named)}
        return ended.union(
            self._authors.get(past, ()),
            *(self._witnesses[key] for key in self._witnesses.keys() & said),
        )

    def of_phase(self, phase: int) -> list[Statement]:
        """Return the messages held of a phase, of all views."""
        return list(self._phases.get(phase, ()))

    def next_of_each(self, phase: int) -> list[Statement]:
        """Return the first message held of each author for a phase after one."""
        found: dict[int, Statement] = {}
        for number in sorted(self._phases):
            for known in self._phases[number] if number > phase else ():
                found.setdefault(known.signed.sender, known)
        return [*found.values()]

    def holds(self, key: Key) -> bool:
        """Tell whether a statement or a complaint is held."""
        return self.get(key) is not None or key in self.complaints

    def get(self, key: Key) -> Statement | None:
        """Return a statement, if it is held."""
        return self._slots.get(key[:4], {}).get(key[4])

    def complain(self, complaint: Complaint) -> None:
        """Keep a complaint that its author has signed."""
        self.complaints[complaint.key] = complaint
        self.version += 1

    def show(self, past: Past) -> None:
        """Keep a past that follows from what is held, or that was asked for by its hash: unless it
        names what nobody signed, or nothing that anybody could."""
        if self.shows_past(past):
            self.version += past.hash not in self.pasts
            self._keep_past(past)

    def shows_past(self, past: Past) -> bool:
        """Tell whether a past is one: it names what was signed. A hash alone may be any."""
        return past.kind != START and all(self.genuine(ref, past.kind) for ref in past.refs)

    def _keep_past(self, past: Past) -> None:
        if past.hash not in self.pasts:
            self.pasts[past.hash] = past
            self._after.setdefault(past.before, []).append(past)

    def vouches(self, past: Past) -> bool:
        """Tell whether a statement shows a past, or more have signed what it names than may lie."""
        few = len(self._roster.peers) - self._roster.quorum
        return past.hash in self.shows or len(past.refs) > few

    def lacks(self, past: Past) -> list[Key]:
        """Return the statements that a past names and that are not held."""
        return [key for key in past.keys if self.get(key) is None]

    def made(self, signed: SignedMessage) -> None:
        """Take what this peer has just signed itself: nobody has to check that."""
        self._checked.add((signed.kind, signed.ref))

    def genuine(self, ref: Citation, kind: str, keep: bool = True) -> bool:
        """Tell whether a name is its author's word; ``keep`` that in mind where it is held."""
        if (kind, ref) not in self._checked:
            game = self.game_id(ref.phase if kind == MOVE else -1)
            if not _signed(ref, kind, self._roster, game):
                return False  # it may be once the game has its id
            if keep:
                self._checked.add((kind, ref))
        return True
