"""The view change: whom this peer wants at the table, and which attempt at a view it joins.

Joining is the vote: a view begins once all its members have signed the same attempt. Sans-I/O; the
statuses that are seen go in, the attempt to sign comes out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from lanplay_protocol.replica.messages import VIEWS, StatusMessage

FALLS = 5
"""How often a peer may fall out of the view and still come back."""
CIRCLES = 3
"""Views of the same members in one phase that end suspicion: what is owed then is owed on."""
MERCIES = 4
"""Attempts with everybody by which one peer may end suspicion in a view."""

Attempt: TypeAlias = tuple[int, tuple[int, ...]]
"""A number, and the members wanted."""


class Electorate(NamedTuple):
    """What an attempt hangs on: the view and its members, and who is out of the question.

    ``late`` owe something and ``gone`` are not heard, each for too long; ``left`` want to go, since
    the attempt that each names, ``convicted`` are proven liars; ``falls`` says how often each was
    left out of a view so far. Who is ``forgiven`` owes still: it does not count among those who
    stay.
    ``again``: this peer has to be told anew what its seats know, which takes a view, though it may
    be one of the same members. ``circles`` are the views of the same members in this phase.
    Attempts above the ``limit`` make no number higher.
    """

    view: int
    members: frozenset[int]
    statuses: Sequence[StatusMessage]
    late: Set[int]
    gone: Set[int]
    left: Mapping[int, int]
    convicted: Set[int]
    falls: Mapping[int, int]
    again: bool = False
    circles: int = 0
    limit: int = VIEWS
    paced: bool = False
    forgiven: Set[int] = frozenset()


def backed(statuses: Iterable[StatusMessage], most: int) -> set[Attempt]:
    """Return the attempts that more have signed than may lie, ``most``."""
    signed: dict[Attempt, set[int]] = {}
    for s in statuses:
        signed.setdefault((s.attempt, s.members), set()).add(s.author)
    return {attempt for attempt, by in signed.items() if len(by) > most}


class ViewChange:
    """One peer's attempts.

    ``tried`` is the attempt it is in, ``top`` the highest number that it ever signed, ``followed``
    the highest with everybody that it signed or followed: each of these ends suspicion once.
    ``made`` counts what it has signed since a view began, ``asks`` how often it has asked back.
    ``asked_back`` is the view in which it last asked to take part again, ``known`` are the
    attempts that it has signed since it was restarted from a journal with a hole; ``None``: no such
    restart, it knows all of them.
    """

    def __init__(self, me: int, peers: int, quorum: int) -> None:
        self._me = me
        self._peers = peers
        self._quorum = quorum
        self.tried: Attempt = (0, tuple(range(peers)))
        self.top = self.made = self.asks = self.followed = 0
        self.asked_back = -1
        self.known: set[int] | None = None
        self._ended = Counter[int]()  # how much suspicion each has ended in this view
        self._led: frozenset[int] = frozenset()  # whom it has followed though it is paced

    def silent(self, view: int) -> bool:
        """Tell whether this peer has promised to say nothing more in a view."""
        return self.tried[0] > view

    def vain(self, limit: int) -> int:
        """Return by how many attempts it is beyond the ``limit``: others do not follow for ever."""
        return max(0, self.top - limit)

    def ask_again(self, limit: int) -> None:
        """Ask anew to take part, as others are late or gone now; in vain as often, time alone
        decides."""
        if not self.vain(limit):
            self.asked_back = -1

    def signed(self, status: StatusMessage) -> None:
        """Recall an attempt that this peer has signed."""
        self.tried = max(self.tried, (status.attempt, status.members))
        self.top = max(self.top, status.attempt)
        self.made += 1

    def knows(self, attempt: int) -> bool:
        """Tell whether it knows what it has signed since an attempt that it has signed."""
        return self.known is None or attempt in self.known

    def begun(self, number: int, members: Iterable[int]) -> None:
        """Take up a view that has begun."""
        self.tried = max(self.tried, (number, tuple(sorted(members))))
        self.made = 0
        self._ended.clear()

    def want(self, table: Electorate, forgiving: bool = False) -> tuple[int, ...]:
        """Return the members it wants: nobody convicted, gone or late, and one that comes back."""
        late = frozenset[int]() if forgiving else table.late
        stay = self._staying(table, late)
        back = list(self._returns(table, late)) if table.statuses else []
        if len(stay - table.forgiven) < self._quorum:  # all who ask are needed, whatever they want
            return tuple(sorted(stay.union(s.author for s in back)))
        fit = [s for s in back if set(s.members) == stay | {s.author}]
        best = min(fit, key=lambda s: (-s.attempt, s.members), default=None)
        return best.members if best else tuple(sorted(stay))

    def _staying(self, table: Electorate, late: Set[int]) -> frozenset[int]:
        return table.members - late - table.gone - table.left.keys() - table.convicted

    def hope(self, table: Electorate) -> tuple[int, ...]:
        """Return the members that it would ask for: those it wants, and itself if out or back."""
        return tuple(sorted({*self.want(table), self._me}))

    def _returns(self, table: Electorate, late: Set[int]) -> Iterator[StatusMessage]:
        """Give the statuses by which peers that are out ask back; that left, where too few stay."""
        here = table.members - late - table.gone - table.convicted - table.forgiven
        left = table.left.keys() if len(here - table.left.keys()) < self._quorum else set[int]()
        out = table.members - left | late | table.gone | table.convicted
        for s in table.statuses:
            since = max(table.view, table.left.get(s.author, 0))  # it has asked before it left
            asks = s.attempt > since and s.author in s.members and s.author not in out
            if asks and table.falls.get(s.author, 0) <= FALLS:
                yield s

    def joins(self, table: Electorate) -> tuple[Attempt | None, bool]:
        """Return the attempt that this peer signs now, if any, and whether it forgives all.

        It is, of those that want the same members, the one that most have joined, or a new one.
        """
        want, out = self.want(table), self._me not in table.members - table.left.keys()
        everybody = self.want(table, forgiving=True) if table.late else want
        if forgives := self._forgives(table, want, everybody):
            want = everybody
        counted = (s.attempt for s in table.statuses if s.attempt <= table.limit)
        new = 1 + max([self.top, table.view, *counted])
        # one that others have joined: a liar may show each of them another one, and a higher one
        joined = Counter(s.attempt for s in self._to_join(table, want))
        number = max(joined, key=lambda each: (joined[each], each), default=0)
        if not number:
            anew = want != self.tried[1] or (table.again and not self.silent(table.view))
            number = new if anew and not out and not table.paced else 0
        if self._me not in want:
            number = 0
        if not number:  # whom a liar owes something, others may not see
            number, want = max(self._backed(table), default=(0, want))
        if not number and out and not table.paced:
            number, want = self._asks(table, new)
        few = len(want) < self._quorum
        # who is out says even so that it is there, once a view: others may come back with it; and
        # who is left with too few by a conviction, as the liar may have begun another view of this
        # number: it says nothing more, whoever is late and forgiven, or nobody follows in the end
        alone = out or len(table.members - table.convicted) < self._quorum
        since = max(table.view, table.left.get(self._me, 0))  # what it said before is over
        told = want == self.tried[1] and self.tried[0] > since
        told = told or (not out and self.silent(table.view) and len(self.tried[1]) < self._quorum)
        if not number or (few and (told or not alone)):
            return None, forgives
        if out and (not few or self.vain(table.limit)):
            self.asked_back = table.view
            self.asks += number == new  # whatever it joins meanwhile: nobody else chooses its turn
        if want == everybody:
            self.followed = number
        return (number, want), forgives

    def _to_join(self, table: Electorate, want: tuple[int, ...]) -> list[StatusMessage]:
        """Return the statuses of later attempts at what it wants that it may join now."""
        mine = [s for s in table.statuses if s.members == want and s.author in want]
        later = [s for s in mine if s.attempt > max(self.top, table.view)]
        if not table.paced:
            self._led = frozenset()
            return later
        # nobody alone leads it on; what others have joined it joins at once. But one that was led
        # above may be honest, and can sign no lower one: it joins each of these once
        known = backed(mine, self._peers - self._quorum)
        with_it = {s.author for s in mine if (s.attempt, s.members) == self.tried}
        led = {s.author for s in later} - with_it - self._led
        self._led |= led if want == self.tried[1] else frozenset()
        return [s for s in later if (s.attempt, s.members) in known or s.author in led]

    def _asks(self, table: Electorate, new: int) -> Attempt:
        """Return the attempt by which it comes back; every other time it asks for itself alone."""
        number, members = max(self._with_others(table), default=(0, self.hope(table)))
        if number > max(self.top, table.view):
            return number, members
        asks = members if self.asks % 2 else self.hope(table)
        return (new if self.asked_back < table.view else 0), asks

    def _with_others(self, table: Electorate) -> Iterator[Attempt]:
        """Give the attempts by which members would have it back, with any others that ask."""
        stay = self._staying(table, table.late)
        most = {self._me}.union(stay, (s.author for s in self._returns(table, table.late)))
        # who has left and asks back may be needed by others, for whom too few stay
        back = (s for s in table.statuses if s.attempt > table.left.get(s.author, s.attempt))
        most.update({s.author for s in back} - table.gone - table.convicted)
        # above the limit nobody else follows, unless with this one more have signed than may lie
        led = backed(table.statuses, self._peers - self._quorum - 1)
        for s in table.statuses:
            wanted = {self._me, *stay} <= {*s.members} <= most
            near = s.attempt <= table.limit or (s.attempt, s.members) in led
            if wanted and s.author in stay and near and s.attempt > table.view:
                yield s.attempt, s.members

    def _backed(self, table: Electorate) -> Iterator[Attempt]:
        """Give the new attempts that others, more than may lie, have signed, with it in them."""
        for number, members in backed(table.statuses, self._peers - self._quorum):
            new = number > max(self.top, table.view)
            if new and self._me in members and table.convicted.isdisjoint(members):
                yield number, members

    def _forgives(
        self, table: Electorate, want: tuple[int, ...], everybody: tuple[int, ...]
    ) -> bool:
        """Tell whether an attempt with everybody ends suspicion now, ``MERCIES`` times in a view
        for each author: nobody forgives without end, or where nobody is late."""
        if not table.late or table.circles >= CIRCLES:
            return False
        after = max(self.followed, table.view)
        new = (s for s in table.statuses if s.members == everybody and s.attempt > after)
        by = {(s.attempt, s.author) for s in new if s.author in want}
        by = {each for each in by if self._ended[each[1]] < MERCIES}
        if not by:
            return False
        self.followed = max(by)[0]
        self._ended.update(author for attempt, author in by if attempt == self.followed)
        return True
