"""Whom an honest peer wants at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tests.model.statements import Rule, Status

if TYPE_CHECKING:
    from tests.model.peer import Peer


def want(p: Peer, forgiving: bool = False) -> tuple[int, ...]:
    """Return the members it would have: nobody convicted or late, and one that comes back."""
    late = set() if forgiving else p.slow
    stay = staying(p, late)
    back = [s for s in _returns(p, late) if s.author not in p.guilty]
    asking, owe = {s.author for s in back}, p.forgiven if p.table.has(Rule.FORGIVEN) else set()
    few = len(stay - owe) < p.book.quorum
    together = asking if few and p.table.has(Rule.TOGETHER) else set()
    if together and p.table.has(Rule.WHOEVER):
        return tuple(sorted(stay | together))
    fit = [s for s in back if set(s.members) == stay | {s.author} | together]
    best = min(fit, key=lambda s: (-s.view, s.members), default=None)
    return best.members if best else tuple(sorted(stay))


def staying(p: Peer, late: set[int]) -> frozenset[int]:
    """Return who is in, and not to be left out."""
    return frozenset(p.members) - late - p.guilty - p.missing - p.left.keys()


def asks(p: Peer, seen: Iterable[Status], new: int) -> tuple[int, tuple[int, ...]]:
    """Return the attempt by which it comes back: one by which members would have it back with
    others that ask, or a new one like that; every other time for itself alone."""
    stay = staying(p, p.slow)
    most = {p.me}.union(stay, (s.author for s in _returns(p, p.slow)))
    back = {s.author for s in seen if s.view > p.left.get(s.author, s.view)}
    most |= back - p.missing - p.guilty  # for whom too few stay, they may be needed
    fit = [s for s in seen if s.author in stay and {p.me, *stay} <= {*s.members} <= most]
    found = [(s.view, s.members) for s in fit if p.table.has(Rule.WITH_OTHERS)]
    view, members = max(found, default=(0, hope(p)))
    if view > max(p.top, p.view):
        return view, members
    return (new if p.back < p.view else 0), members if p.asked % 2 else hope(p)


def hope(p: Peer) -> tuple[int, ...]:
    """Return the members that it would ask for: those it wants, and itself."""
    return tuple(sorted({*want(p), p.me}))


def _returns(p: Peer, late: set[int]) -> Iterator[Status]:
    """Give the statuses by which who is out, and not late, asks back: who has left, too, where
    too few stay."""
    here = frozenset(p.members) - late - p.missing - p.guilty
    here -= p.forgiven if p.table.has(Rule.FORGIVEN) else set()
    few = len(here - p.left.keys()) < p.book.quorum and p.table.has(Rule.TAKEN_BACK)
    out = late | p.missing | set(p.members) - (p.left.keys() if few else set())
    falls = p.book.falls(p.past)
    if not p.table.has(Rule.AGREED):
        falls = tuple(p.fell.count(peer) for peer in range(p.book.peers))
    for s in p.statuses():
        asks = s.view > p.view and s.author in s.members and s.author not in out
        spent = falls[s.author] > p.table.falls and p.table.has(Rule.BUDGET)
        if asks and not spent:
            yield s


def backed(p: Peer, seen: Iterable[Status]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Give the new attempts that others, more than may lie, have signed, with it in them."""
    signed: dict[tuple[int, tuple[int, ...]], set[int]] = {}
    for s in seen:
        signed.setdefault((s.view, s.members), set()).add(s.author)
    for (view, members), by in signed.items():
        new = view > max(p.top, p.view) and len(by) > p.book.peers - p.book.quorum
        if new and p.me in members and p.guilty.isdisjoint(members):
            yield view, members
