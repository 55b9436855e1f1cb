"""Who is there: links that this peer has, what others hear, and how long a seat is kept.

A peer is missing once nobody here hears it: a broken link between two is no loss while a third
reaches both. After the table's grace it is gone, whatever it owes; at once if a majority does not
want to wait; a sign of life ends that. One that is there and owes something that needs no person is
late after ``PATIENCE``. That ends when what is owed comes, or by mercy, which is not for who is
gone. All this is suspicion, and convicts nobody.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import STATUS
from lanplay_protocol.replica.roster import PEERS
from lanplay_protocol.replica.settings import FOREVER
from lanplay_protocol.schema import fields, items, uint

LIFE = 8.0
"""Seconds for which a peer without a link to this one is there, after it last signed that it is."""
PATIENCE = 10.0
"""Seconds that a program which is there may owe the table something."""
SLOW = 1.0
"""Seconds in which an honest peer signs a view that others have joined."""
PARDON = 0.1
"""Seconds of those that it took longer which each second makes up for."""
RETURNS = 3
"""Times that a wait for one thing begins again as its author was missing."""
MERCY = 2.0
"""Seconds in which nobody else became late: then others' waits have ended as well."""

ATTEMPT = "attempt"
Debt: TypeAlias = tuple[int, str, int]
"""Who owes what: its message of a phase, its status of an attempt, or an answer to one
``ATTEMPT``, for which nobody is late."""


class Wait(IntEnum):
    """What a person wants of a missing peer."""

    AS_SETTLED = 0
    SKIP = 1
    KEEP = 2


@dataclass(frozen=True, slots=True)
class Liveness:
    """What a peer tells of the others: whom it cannot reach, and who is ``doubted``: others say
    that they do not reach them.

    And of itself: which of its people's seats its AI answers for, as they are ``away``, and whether
    it cannot keep the game on its disk (``not_durable``).
    """

    unreachable: frozenset[int]
    away: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()
    not_durable: bool = False

    def plain(self) -> tuple[Any, ...]:
        """Return it as plain data."""
        sets = (self.unreachable, self.away, self.doubted)
        return (*(tuple(sorted(each)) for each in sets), int(self.not_durable))


def parse_liveness(value: Any) -> Liveness:
    """Return the word of ``Liveness.plain``; ``PeerError`` for any other shape."""
    *sets, unkept = fields(value, 4, "presence")
    peers = (items(each, PEERS, "peers", lambda peer: uint(peer, PEERS, "peer")) for each in sets)
    silent, away, doubt = map(frozenset, peers)
    return Liveness(silent, away, doubt, bool(uint(unkept, 2, "unkept")))


class FailureDetector:
    """Which peers are there, as one peer can tell. Times are seconds, any origin.

    ``asking`` are those that ask for a view, since their farewell, ``late`` owe something and
    ``gone`` are missing, each for too long; ``mute`` have not answered an attempt in that time, and
    ``forgiven`` were one or the other in this view and phase. ``wanting`` tells which peers'
    people want something of a missing one; who is ``convicted``, or has ``left`` and is not
    ``asking``, has no say in that; nor has who is missing where too ``few`` are here to go on.
    ``signed``: peers can sign that they are there.
    """

    def __init__(
        self, me: int, grace: int, wanting: Callable[[Wait, int], Set[int]] = lambda *_: set()
    ) -> None:
        self._me = me
        self._grace = grace
        self._wanting = wanting
        self._since: dict[int, float] = {}
        self._liveness: dict[int, Liveness] = {}
        self._unheard = frozenset[int]()  # whom some linked peer does not hear
        self._doubts = frozenset[int]()  # whom some linked peer doubts
        self._missing: dict[int, float] = {}
        self.left: dict[int, int] = {}  # who has said farewell, and up to which view
        self.convicted: Set[int] = frozenset()
        self.asking: frozenset[int] = frozenset()
        self.few = self.signed = False
        self.late: frozenset[int] = frozenset()
        self.gone: frozenset[int] = frozenset()
        self.mute: frozenset[int] = frozenset()
        self.forgiven: frozenset[int] = frozenset()
        self._grew = -math.inf
        self._owed: dict[Debt, float] = {}
        self._phase = 0
        self._spent: dict[int, float] = {}  # how long each was waited for to sign views
        self._paid: dict[int, float] = {}  # when each did so last
        self._stopped: Set[int] = frozenset()
        self._excused: Set[Debt] = frozenset()
        self._judged = 0.0
        self._returns = Counter[Debt]()
        self.away: set[int] = set()
        self.not_durable = False
        self._signs: dict[int, float] = {}
        self._beats: dict[int, int] = {}
        self._lived: dict[int, float] = {}

    def link_down(self, peer: int, now: float) -> None:
        """Mark the link to a peer as lost, or the peer as withholding what it owes."""
        if peer not in self._since and peer not in self.doubted:  # a cut is no sign of life
            self._signs[peer] = now
        self._since.setdefault(peer, now)
        self._liveness.pop(peer, None)
        self._listen()

    def link_up(self, peer: int) -> None:
        """Mark the link to a peer as up again."""
        self._since.pop(peer, None)

    def said(self, peer: int, word: Liveness, now: float) -> None:
        """Take what a linked peer says of the others and of itself."""
        before = self.doubted
        self._liveness[peer] = word
        self._listen()
        self._signs.update(dict.fromkeys(self.doubted - before, now))

    def _listen(self) -> None:
        words = self._liveness.values()
        self._unheard = frozenset[int]().union(*(word.unreachable for word in words))
        self._doubts = frozenset[int]().union(*(word.doubted for word in words))

    def heartbeat(self, peer: int, beat: int, now: float) -> bool:
        """Take a peer's signed heartbeat, relayed by others; each ``beat`` is new once."""
        if new := beat > self._beats.get(peer, 0):
            self._beats[peer], self._signs[peer], self._lived[peer] = beat, now, now
        return new

    def clear(self, peers: Set[int], entered: Callable[[int], int]) -> None:
        """Forget since when some are missing, and farewells before the view that each entered."""
        self.left = {peer: at for peer, at in self.left.items() if at >= entered(peer)}
        self._missing = {peer: at for peer, at in self._missing.items() if peer not in peers}

    def forgive(self, now: float) -> None:
        """Let nobody be late, and begin all waits for what is owed again: a view began, or too few
        would be left."""
        self.forgiven |= self.late | self.mute
        self.late = self.mute = frozenset()
        self._owed = dict.fromkeys(self._owed, now)
        self._spent.clear()

    def begin(self, phase: int) -> None:
        """Take note of the phase: in another one nobody is forgiven, or waited for, as in this."""
        self.signed = phase >= SETUP
        if phase != self._phase:
            self._phase, self.forgiven = phase, frozenset()
            self._spent.clear()

    def restart(self, now: float) -> None:
        """Suspect nobody, and begin all waits again: this program was stalled."""
        self.forgive(now)
        self.gone = self.forgiven = frozenset()
        self._missing = dict.fromkeys(self._missing, now)

    def judge(
        self,
        members: frozenset[int],
        debts: Set[Debt],
        now: float,
        unread: bool = False,
        excused: Set[Debt] = frozenset(),
        opposed: Set[int] = frozenset(),
    ) -> bool:
        """Work out who of the members and of those ``asking`` is ``late`` or ``gone``; tell whether
        somebody came to be.

        Nobody does while something is ``unread``: it may be what is owed. The waits for ``excused``
        debts stand still; not those for who is ``opposed`` that are half over: who is honest pays
        before, or could not since the wait began.
        """
        missing, before = self.missing(members, now), (self.late, self.gone, self.mute)
        # who comes back has all its time to pay what it could not send
        stopped = missing.keys() - self.late
        began = {d for d in debts & self._owed.keys() if d[0] in stopped - self._stopped}
        self._returns = Counter({d: n for d, n in self._returns.items() if d in debts})
        self._returns.update(began)  # but not however often it goes and comes
        rests = {d for d in debts if d[0] in stopped and self._returns[d] <= RETURNS}
        stood = dict.fromkeys(self._excused, now - self._judged)
        self._add_up(debts, now)
        since = {d: self._owed.get(d, now - self._before(d)) + stood.get(d, 0.0) for d in debts}
        self._owed = {d: now if d in rests else min(now, since[d]) for d in debts}
        half = {d for d, since in self._owed.items() if now >= since + PATIENCE / 2}
        excused = {d for d in excused if d[0] not in opposed or d not in half}
        self._stopped, self._excused, self._judged = stopped, excused, now
        owed = {d: since for d, since in self._owed.items() if d not in excused}
        due = {d: self._due(d, since, members) for d, since in owed.items()}
        ends = {peer: self.ends(peer, since, members) for peer, since in missing.items()}
        over = [debt for debt, end in due.items() if now >= end]
        self.late = frozenset(debt[0] for debt in over if debt[1] != ATTEMPT)
        self.mute = frozenset(debt[0] for debt in over if debt[1] == ATTEMPT)
        self.gone = frozenset(p for p, end in ends.items() if end is not None and now >= end)
        if unread:
            self.late, self.gone = self.late & before[0], self.gone & before[1]
            self.mute &= before[2]
        if self.late - before[0] or self.mute - before[2]:
            self._grew = now
        return bool(self.late - before[0] or self.gone - before[1])

    def _add_up(self, debts: Set[Debt], now: float) -> None:
        """Let all waits for a peer's statuses be one until somebody is left out, or forgiven: else
        who signs each of them in time could owe its message for ever."""
        for debt in self._owed.keys() - debts:
            if debt[1] == STATUS:
                waited = max(0.0, now - self._owed[debt] - self._before(debt) - SLOW)
                pardon = PARDON * (now - self._paid.get(debt[0], now))
                self._spent[debt[0]] = max(0.0, self._before(debt) + waited - pardon)
                self._paid[debt[0]] = now

    def _before(self, debt: Debt) -> float:
        return self._spent.get(debt[0], 0.0) if debt[1] == STATUS else 0.0

    def merciful(self, now: float) -> bool:
        """Tell whether somebody is late or mute, and nobody became so for ``MERCY``."""
        return bool(self.late | self.mute) and now >= self._grew + MERCY

    def _due(self, debt: Debt, since: float, present: frozenset[int]) -> float:
        """Return when a debt makes its peer late. One that is there goes on: what it says, to whom,
        and which link it cuts, it may choose. Late it stays while it is missing."""
        peer = debt[0]
        if self.heard(peer) or peer in self.late or self.to_skip(peer, present):
            return since + PATIENCE
        if peer not in self._missing:
            return since + PATIENCE + LIFE  # until then what it owes has come by a detour
        return math.inf if self._grace == FOREVER else since + max(PATIENCE, self._grace)

    @property
    def liveness(self) -> Liveness:
        """What this peer tells the others: of what others doubt, what it has no sign of itself.

        So all wait for the same signs, whomever a liar tells its doubt; and while who is doubted
        signs, the doubt is no more than that of whoever does not hear it.
        """
        signs = ((p, self._signs.get(p, self._judged)) for p in self.doubted)
        unsigned = {p for p, sign in signs if p in self._unheard or self._judged - sign >= LIFE}
        sets = (frozenset(self._since), frozenset(self.away), frozenset(unsigned))
        return Liveness(*sets, self.not_durable)

    @property
    def doubted(self) -> frozenset[int]:
        """Those whom this peer hears and another one does not, or doubts: they have to sign that
        they are there, and who cuts its link to one peer alone makes nobody else go.

        Before the game nobody can: there a doubt is not passed on, else whom a liar tells one alone
        that it does not hear would be missing for all."""
        doubts = self._unheard | self._doubts if self.signed else self._unheard
        return doubts.difference(self._since, (self._me,))

    def to_sign(self, present: frozenset[int]) -> bool:
        """Tell whether this peer has to sign that it is there: somebody may not hear it."""
        doubted = self._me in self._unheard or any(
            self._me in word.doubted for word in self._liveness.values()
        )
        return doubted or not self._since.keys().isdisjoint(present)

    def of(self, peer: int) -> Liveness:
        """Return what a linked peer said last."""
        return self._liveness.get(peer, Liveness(frozenset()))

    def heard(self, peer: int) -> bool:
        """Tell whether this peer has a link to another."""
        return peer not in self._since

    def lost(self, peer: int) -> bool:
        """Tell whether nobody heard a peer when that was looked at last."""
        return peer in self._missing

    def doubted_by(self, other: int, peer: int) -> bool:
        """Tell whether a linked peer needs the signs of life of another."""
        word = self.of(other)
        return peer in word.unreachable | word.doubted

    def unheard_by(self, other: int, peer: int) -> bool:
        """Tell whether a linked peer said that it does not hear another."""
        return peer in self.of(other).unreachable

    def missing(self, present: frozenset[int], now: float) -> dict[int, float]:
        """Return those present, or ``asking``, that nobody here hears, and since when."""
        here = present | self.asking | {self._me}
        for peer in here - {self._me} if self._since or self.doubted or self._missing else ():
            if self.reached(peer, present, now):
                self._missing.pop(peer, None)
            else:
                self._missing.setdefault(peer, now)
        return {peer: since for peer, since in self._missing.items() if peer in here}

    def reached(self, peer: int, present: frozenset[int], now: float) -> bool:
        """Tell whether this peer, or one present or ``asking``, hears another, or what that one has
        signed lately has come here."""
        if peer not in self._since and peer not in self.doubted:
            return True
        if now - self._lived.get(peer, -math.inf) < LIFE:
            return True  # over however many others it came: all without a link are given it
        here = present | self.asking | {self._me}
        return any(self._reaches(other, peer, now) for other in here - {peer})

    def _reaches(self, other: int, peer: int, now: float) -> bool:
        """Tell whether a peer reaches this one, itself or through another.

        That others hear it is no more than their word: what it signs has to come through. So it has
        to where somebody does not hear it.
        """
        fresh = now - self._signs.get(peer, now) < LIFE
        if other == self._me:
            return self.heard(peer) and (fresh or peer not in self.doubted)
        return fresh and self.heard(other) and not self.unheard_by(other, peer)

    def to_skip(self, peer: int, present: frozenset[int]) -> bool:
        """Tell whether a majority of the others does not want to wait for a peer."""
        votes, needed = self.votes(peer, present)
        return votes >= needed

    def votes(self, peer: int, present: frozenset[int]) -> tuple[int, int]:
        """Return how many do not want to wait for a peer, and how many have to; who asks back
        is one of those who are asked once it says so."""
        wanting = self._wanting(Wait.SKIP, peer) - self._missing.keys()
        voters = self._voters(present | wanting & self.asking, peer) if wanting else frozenset()
        return len(wanting & voters), len(voters) // 2 + 1

    def _voters(self, present: frozenset[int], peer: int) -> frozenset[int]:
        """Return whose people have a say in whether a peer is waited for; of too few all are
        here."""
        there = present.difference(self._missing) if self.few else present
        return there.difference(self.left.keys() - self.asking, self.convicted, {peer})

    def ends(self, peer: int, since: float, present: frozenset[int]) -> float | None:
        """Return when a missing peer is given up; ``None``: it is waited for."""
        if self.to_skip(peer, present):
            return since
        here = self._voters(present | {self._me}, peer) - self._missing.keys()
        if self._grace == FOREVER or self._wanting(Wait.KEEP, peer) & here:
            return None
        return since + self._grace

    def deadline(self, present: frozenset[int], now: float, unread: bool = False) -> float | None:
        """Return when the next wait ends, if one does; ``now`` if one has, but not all is read."""
        found = self.missing(present, now).items()
        ends = [self.ends(peer, since, present) for peer, since in found]
        owed = (d for d in self._owed.items() if d[0] not in self._excused)
        ends += [self._due(debt, since, present) for debt, since in owed]
        ends += [self._grew + MERCY] if self.late | self.mute else []
        later = [end for end in ends if end is not None and end < math.inf]
        return min((max(end, now) for end in later if unread or end > now), default=None)
