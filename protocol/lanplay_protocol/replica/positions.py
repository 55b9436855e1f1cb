"""Where statuses say that their authors stand; who claims what does not follow is not counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import zip_longest
from typing import TypeVar

from lanplay_protocol.replica.evidence import Statement, Statements
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import (
    MOVE,
    STATUS,
    Key,
    Past,
    Said,
    SignedMessage,
    StatusMessage,
)
from lanplay_protocol.replica.transcript import Transcript

AHEAD = 64
"""Phases that a statement may be ahead; what comes from further on is not kept, but for what leads
to where others are who have gone on beside this line."""
NESTED = 64
"""Views within views that a status is believed to have gone through."""
DEEP = 1 << 12
"""Pasts that are followed back to find where another line begins."""
SILENT = 64
"""Of these in a row that nobody shows, and that name no more authors than may lie."""

_T = TypeVar("_T")


def furthest(said: Sequence[StatusMessage]) -> tuple[tuple[int, int], bytes]:
    """Return the highest place in some statuses, and the past there that most name (or least)."""
    top = max(status.at for status in said)
    named = Counter(status.past.hash for status in said if status.at == top)
    return top, min(named, key=lambda past: (-named[past], past))


def names_of(status: StatusMessage) -> list[Key]:
    """Return the statements that a status names beside its past."""
    return [*(ref.key(MOVE) for ref in status.held), *status.evidence]


def foot(past: Past, top: tuple[int, int]) -> tuple[int, int] | None:
    """Return where a past begins that leads to a view and a phase; ``None``: no line goes so."""
    view, phase = top
    if past.kind == STATUS:
        attempt = past.refs[0].view if past.refs else view
        return (attempt - 1, phase) if attempt <= view else None
    begins = past.refs[0].phase if past.refs else phase - 1
    return (view, begins) if begins == phase - 1 else None


def in_turn(lists: Iterable[Iterable[_T]]) -> list[_T]:
    """Return what stands in some lists, once each: the first of every list, then the second."""
    rows = zip_longest(*lists)
    return [*dict.fromkeys(each for row in rows for each in row if each is not None)]


class Positions:
    """Which places are shown by the statements held.

    ``dead`` are pasts with something false in them: a status that stands there counts for nothing.
    ``odd`` are messages that name another past than this line's, until it is known what that is.
    """

    def __init__(self, statements: Statements) -> None:
        self.dead: set[bytes] = set()
        self.odd: dict[Key, Statement] = {}
        self._statements = statements
        self._places: dict[bytes, tuple[int, int]] = {}  # where pasts lead to that were shown

    def shown(
        self, known: Statement, transcript: Transcript, nowhere: set[bytes] | None = None
    ) -> bool:
        """Tell whether all that a status names is here, and leads to where it claims to be."""
        status = known.said
        if not isinstance(status, StatusMessage) or not status.at >= (0, SETUP):
            return False
        past = status.past.hash
        there = past not in self.dead and self.place(past, transcript, nowhere) == status.at
        return there and all(map(self._statements.holds, names_of(status)))

    def place(
        self,
        past: bytes,
        transcript: Transcript,
        nowhere: set[bytes] | None = None,
        nested: int = 0,
    ) -> tuple[int, int] | None:
        """Return the view and the phase that a past leads to, wherever it parts from this line.

        ``None`` where that cannot be shown with what is held.
        """
        if past not in self._places:
            path = self.path(past, transcript, nowhere)
            if path is None or nested > NESTED:
                return None
            at = transcript.place(path[0])
            for node in path[1]:
                found = self._over(node, at, transcript, nowhere, nested)
                if found is None:
                    return None
                self._places[node.hash] = at = found
            self._places[past] = at
        return self._places[past]

    def _over(
        self,
        node: Past,
        at: tuple[int, int],
        transcript: Transcript,
        nowhere: set[bytes] | None,
        nested: int,
    ) -> tuple[int, int] | None:
        """Return where a past leads from a place: a phase further, or to another view."""
        view, phase = at
        if node.kind == MOVE:
            whole = all(ref.phase == phase and ref.view <= view for ref in node.refs)
            return (view, phase + 1) if whole else None
        for key in node.keys:
            known = self._statements.get(key)
            status = known.said if known else None
            if not isinstance(status, StatusMessage) or status.attempt <= view:
                return None
            held = all(map(self._statements.holds, names_of(status)))
            if not held or self.place(status.past.hash, transcript, nowhere, nested + 1) is None:
                return None
        return (node.refs[0].view, phase) if node.refs else None

    def path(
        self, past: bytes, transcript: Transcript, nowhere: set[bytes] | None = None
    ) -> tuple[bytes, list[Past]] | None:
        """Return the last past of this line before another past, and what leads on from there.

        ``None`` where that cannot be shown with what is held: ``nowhere`` notes which pasts.
        """
        found: list[Past] = []
        nowhere = set() if nowhere is None else nowhere
        while past not in transcript.line:
            node = self._statements.pasts.get(past)
            if node is None or past in nowhere or self._statements.lacks(node):
                nowhere.update((past, *(each.hash for each in found)))
                return None
            if len(found) > DEEP:  # nearer ones may lead back
                nowhere.add(found[0].hash)
                return None
            found.append(node)
            past = node.before
        return past, found[::-1]

    def ahead(self, view: Iterable[SignedMessage], transcript: Transcript) -> bool:
        """Tell whether a view begins where this line ends, or beyond that."""
        known = (self._statements.get(signed.key) for signed in view)
        said = [each.said for each in known if each and isinstance(each.said, StatusMessage)]
        path = self.path(furthest(said)[1], transcript) if said else None
        return path is not None and path[0] == transcript.past.hash

    def parts(self, key: Key, transcript: Transcript) -> bool:
        """Tell whether something was signed on a line that parts from this one before its end."""
        known = self._statements.get(key)
        path = self.path(known.said.past.hash, transcript) if known and known.said else None
        return path is not None and path[1] != [] and path[0] != transcript.past.hash

    def rivals(
        self, transcript: Transcript, but: Set[int], ended: Mapping[int, Set[int]], most: int
    ) -> Iterator[Past]:
        """Give the pasts beside this line with which more than ``most`` have gone on, ``but`` for
        some, and more of those that have ``ended``, each with finals of some, than with this line
        there."""
        held, seen, ways = self._statements, set[bytes](), dict[Past, None]()
        for known in (*self.odd.values(), *held.next_of_each(transcript.number)):
            if known.said and known.signed.sender not in but:
                _, nodes = self.path(known.said.past.hash, transcript, seen) or (b"", [])
                seen.update(node.hash for node in nodes)  # what else leads here parts there, too
                ways.update(dict.fromkeys(nodes[:1]))
        for node in ways:
            own = transcript.followed.get(node.before)
            went, stayed = held.beyond(node.hash), held.beyond(own.hash) if own else {}
            # who was on both is where it has said its last word
            there = {p for p in went.keys() - but if went[p] > stayed.get(p, ())}
            here = {p for p in stayed.keys() - but if p not in there}
            # who has ended without a final of its own is where those are whose finals it has
            over = {p for p in here & ended.keys() if ended[p] & there and not ended[p] & here}
            there, here = there | over, here - over
            more = len(there) > most and len(there & ended.keys()) > len(here & ended.keys())
            said = (each for key in node.keys if (each := held.get(key)))
            views = (each for each in said if isinstance(each.said, StatusMessage))
            whole = all(self.shown(each, transcript) for each in views)
            if (own or node.kind == STATUS) and more and whole and node.hash not in self.dead:
                yield node

    def lacking(
        self,
        transcript: Transcript,
        beside: Iterable[Statement] = (),
        named: Iterable[Iterable[Key]] = (),
    ) -> tuple[list[Key], list[bytes]]:
        """Return the statements, and the pasts, that are not here and are named by statuses of
        later views, by odd messages, an author's newest first, by some ``beside``, or ``named``.

        What each author names comes in turn: nobody fills the questions with what is nowhere.
        """
        odd: dict[int, list[Said]] = {}
        for _, known in sorted(self.odd.items(), reverse=True):
            odd.setdefault(known.signed.sender, []).extend([known.said] if known.said else [])
        sources = [[each.said] for each in beside if each.said is not None]
        said = [known.said for known in self._statements.statuses]
        later = [s for s in said if isinstance(s, StatusMessage) and s.attempt > transcript.view]
        joined = Counter((s.attempt, s.members) for s in later)
        by: dict[int, list[Said]] = {}
        for status in sorted(later, key=lambda s: -joined[s.attempt, s.members]):
            by.setdefault(status.author, []).append(status)
        held, lists, pasts = self._statements.holds, [*named], list[Iterable[bytes]]()
        for each in (*sources, *odd.values(), *by.values()):
            keys, before, gone_over = dict[Key, None](), dict[bytes, None](), dict[bytes, bool]()
            for first in each:
                self._lacking(first, transcript, keys, before, gone_over)
            lists.append(keys)
            pasts.append(before)
        return in_turn([k for k in keys if not held(k)] for keys in lists), in_turn(pasts)

    def _lacking(
        self,
        first: Said,
        transcript: Transcript,
        keys: dict[Key, None],
        pasts: dict[bytes, None],
        gone_over: dict[bytes, bool],
    ) -> None:
        """Go back from a statement over all that it names, to this line or where one has been.

        Of what is far ahead that alone which is beside this line: to what is on it this one goes.
        """
        waiting, most, bare = [first], len(gone_over) + DEEP, 0
        while waiting:
            said, beside, been = waiting.pop(), False, list[bytes]()
            named = names_of(said) if isinstance(said, StatusMessage) else []
            past, at = said.past, said.at
            while past.hash not in gone_over and len(gone_over) < most:
                gone_over[past.hash] = False
                been.append(past.hash)
                named += past.keys
                for key in past.keys if past.hash not in transcript.line else ():
                    known = self._statements.get(key)
                    if known and isinstance(known.said, StatusMessage):
                        waiting.append(known.said)
                below = foot(past, at)
                bare = 0 if self._statements.vouches(past) else bare + 1
                here = past.hash in transcript.line or past.before in transcript.line
                beside = here and transcript.past.hash not in (past.hash, past.before)
                if here or below is None or bare == SILENT:
                    break
                following = self._statements.pasts.get(past.before)
                if following is None:
                    pasts[past.before] = None
                    break
                past, at = following, below
            beside = beside or gone_over.get(past.hash, False)
            gone_over.update(dict.fromkeys(been, beside))
            near = transcript.number + AHEAD
            keys.update((key, None) for key in named if beside or key[3] <= near)
