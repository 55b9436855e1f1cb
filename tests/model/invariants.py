"""What must hold in every game, whatever liars do."""

from __future__ import annotations

from collections.abc import Iterator

from tests.model.peer import Peer
from tests.model.statements import EMPTY, FAKE, Complaint, Move, Said, Status, sealed
from tests.model.world import World


def broken(w: World) -> Iterator[str]:
    """Give what is wrong in a state."""
    agreed = not w.case.split and len(w.case.liars) < w.book.quorum
    quorum = len(w.honest) >= w.book.quorum
    for p in w.peers.values():
        if p.guilty & w.honest:
            yield "an honest peer is convicted"
        if agreed and quorum and w.honest - w.gone - set(p.members):
            yield "the seat of a connected honest peer is handed over"
        if quorum and max(w.book.falls(p.past)) > p.table.falls + 1:
            yield "a peer delays the table more often than its budget allows"
        if _asked_again(w, p):
            yield "an answer that the certificate holds is asked for again"
    for p in w.peers.values():
        for o in w.peers.values():
            one, two = w.book.line(p.stable), w.book.line(o.stable)
            if p.me >= o.me or one[: len(two)] == two[: len(one)]:
                continue
            met = agreed and not {p.me, o.me} <= w.gone  # a liar may play on with each in turn
            if met or not w.book.guilty(p.known | o.known):
                yield "honest peers diverge" if met else "a fork without proof"


def _asked_again(w: World, p: Peer) -> bool:
    """Tell whether an honest peer's answer got lost in a view change: it could be another then."""
    node = w.book.nodes[p.past]
    if not node.members or not p.past or p.phase == w.case.phases:
        return False
    statuses = [s for s in w.book.all(node.said) if isinstance(s, Status)]
    top = max(s.at for s in statuses)
    held = {m.author for s in statuses if s[3:5] == (top, node.before) for m in w.book.all(s.held)}
    return not held & w.honest <= p.messages().keys()


def quiet(w: World) -> str:
    """Return how a game stands in which nothing more happens by itself, or what is wrong."""
    live = w.running()
    if len({p.guilty for p in live}) > 1 and not w.apart:
        return "WRONG: verdicts of honest peers differ"
    for p in live:
        if missing := _provable(w, p) - p.guilty:
            return f"WRONG: {p.me} holds proof against {sorted(missing)} and does not convict"
    late = [p for p in live if p.done == FAKE]
    if not late:
        return "finished"
    if len(live) < w.book.quorum or w.apart:
        return "held, fewer honest peers than a quorum"
    if all(_asking(w, p) for p in late):
        return "waits for a liar's person, until people vote"
    return "WRONG: an honest quorum stands still"


def _asking(w: World, p: Peer) -> bool:
    owing = p.needed - p.messages().keys()
    paid = p.sent or p.me not in p.needed
    return p.phase == w.case.person and paid and owing <= set(w.case.liars)


def _provable(w: World, p: Peer) -> frozenset[int]:
    """Return the liars that must be convicted by what a peer holds: the rules in short."""
    said = list(w.book.all(p.known))
    found = {s.author for s in said if _false(w, s, p.me)}
    slots: dict[object, Said] = {}
    for s in said:
        if isinstance(s, Move | Status):
            slot = (s.author, type(s), s.view, s.phase if isinstance(s, Move) else None)
            if slots.setdefault(slot, s) != s:
                found.add(s.author)
    for phase, answers in enumerate(w.book.line(p.past)[:-1]):  # its partials have come since
        found |= {author for author, body in answers if body == EMPTY and phase + 1 < p.phase}
    moves = [m for m in said if isinstance(m, Move)]
    for s in (s for s in said if isinstance(s, Status)):
        named = {m.author for m in w.book.all(s.held)}
        denied = [m for m in moves if m.view < s.view and (m.view, m.phase) > s.at]
        denied += [
            m
            for m in moves
            if ((m.view, m.phase), m.past) == (s.at, s.past) and m.author not in named
        ]
        found |= {m.author for m in denied if m.author == s.author}
    return frozenset(found)


def _false(w: World, said: Said, me: int) -> bool:
    """Tell whether a statement is false by itself, or in what it has for one peer."""
    if isinstance(said, Complaint):
        accused = w.book[said.accused]
        return not (isinstance(accused, Move) and accused.body == sealed(said.author))
    if not isinstance(said, Move):
        return False
    if w.book.invalid(said):
        return True
    claim = w.book.claim(said.author, said.past)
    return said.shown != claim or said.body == sealed(me)
