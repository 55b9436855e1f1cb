"""What others owe an honest peer: the debts against which its waits run."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tests.model.statements import FAKE, Rule, bits

if TYPE_CHECKING:
    from tests.model.peer import Peer

Debt: TypeAlias = tuple[int, int, int]
"""Who owes its message of (view, phase), or its status of an attempt in that view (phase -1).

Phases from ``ATTEMPT`` down are attempts, one each, for which nobody is late.
"""
ATTEMPT = -2


def due(p: Peer) -> set[Debt]:
    """Return what others owe a peer, worked out once for what it holds and has said."""
    now = (p.known, p.past, p.carry, p.sent, p.tried, p.done, p.out)
    if p.debts[0] != now:
        p.debts = now, _due(p)
    return p.debts[1]


def _due(p: Peer) -> set[Debt]:
    """Return what others owe a peer that has paid its own part; no person owes anything.

    Who is out is owed an answer to its return, and nothing else. Nobody has to follow what as many
    have signed as may lie.
    """
    if p.done != FAKE:
        return set()
    later = [s for s in p.statuses() if s.view > p.view]
    promised = p.tried[0] > p.view
    own = {(s.view, s.members) for s in later if s.author == p.me}
    own |= {p.tried} if promised else set()
    own = {attempt for attempt in own if len(attempt[1]) >= p.book.quorum}
    signed = {a: {s.author for s in later if (s.view, s.members) == a} for a in own}
    found: set[Debt] = set()
    asked = p.phase == p.table.person and p.table.has(Rule.PERSON)
    if p.me in p.members and (p.sent or promised or p.me not in p.needed) and not asked:
        paid = {*p.messages()}
        if not p.table.has(Rule.PAID_BY_CARRY):
            paid -= {p.book[one].author for one in bits(p.carry)}
        if p.table.has(Rule.PAID_BY_JOINING):
            paid = paid.union(*signed.values())
        found |= {(m, p.view, p.phase) for m in p.needed if m not in paid}
    backed = sorted(a for a in own if len(signed[a]) > p.book.peers - p.book.quorum)
    newest = {m: a for a in backed for m in a[1]}
    found |= {(m, p.view, -1) for m, attempt in newest.items() if m not in signed[attempt]}
    last = {m: a for a in sorted(own) for m in a[1]}
    alone = [(m, a) for m, a in last.items() if a not in backed and m not in signed[a]]
    if p.me in p.members and p.table.has(Rule.ALONE):
        found |= {(m, p.view, ATTEMPT - number) for m, (number, _) in alone}
    return {debt for debt in found if debt[0] != p.me}
