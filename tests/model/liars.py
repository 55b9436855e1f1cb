"""What a liar may hand to an honest peer: everything that it can sign, at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from tests.model.peer import Peer
from tests.model.statements import (
    BAD,
    EMPTY,
    FAKE,
    OK,
    OTHER,
    Book,
    Complaint,
    Farewell,
    Move,
    Node,
    Said,
    Status,
    bits,
    sealed,
)
from tests.model.wanting import want
from tests.model.world import World

Offer: TypeAlias = tuple[str, Said]


class Lie(NamedTuple):
    """A statement of a liar, and how many of its lies it costs (what proves nothing is free)."""

    said: Said
    cost: int


def lies(w: World, liar: int, p: Peer) -> Iterator[Offer]:
    """Give all kinds of statements that a liar may hand to `p`; it knows what they all know."""
    book, everything = w.book, 0
    for peer in w.peers.values():
        everything |= peer.known
    yield from _moves(book, liar, p, w.case.liars)
    yield from _ahead(book, liar, p, everything)
    yield from _statuses(book, liar, p, everything)
    for bye in _farewells(w, liar, p):
        if p.heeds(bye):
            yield "farewell" if bye.author == liar else "farewell shown", bye
    handed = w.handed & ~book.farewells
    yield from (("again", said) for said in book.all(handed) if said.author == liar)
    for said in book.all(p.known & book.at.get((p.view, p.phase), 0)):
        if said.author in w.peers:
            yield "complaint", Complaint(liar, book.sign(said))


def _farewells(w: World, liar: int, p: Peer) -> Iterator[Farewell]:
    """Give a liar's farewells of any number, and those that honest peers have said."""
    new = 1 + max([p.top, *(view for view, _ in w.book.attempts)])
    yield from (Farewell(liar, at) for at in sorted({0, p.view, p.top, new, new + 3}))
    yield from (said for said in w.book.all(w.farewells) if isinstance(said, Farewell))


def _moves(book: Book, liar: int, p: Peer, liars: tuple[int, ...]) -> Iterator[Offer]:
    shown = book.claim(liar, p.past)
    true = Move(liar, p.view, p.phase, p.past, OK, shown)
    turn = liar in book.speakers(p.past)
    if turn:
        yield "move", true
        yield "other move", true._replace(body=OTHER)
    yield "invalid", true._replace(body=BAD if turn else OK)
    yield "past of nothing", true._replace(past=FAKE)
    if shown and turn:
        yield "false show", true._replace(shown=OTHER if shown == OK else OK)
    if p.phase < p.table.phases and turn:
        yield from (("bad part", true._replace(body=sealed(o))) for o in range(book.peers))
    opened = not book.turns or (p.phase + 1) % 3 == 0  # by all, in the phase that follows
    if p.phase + 1 < p.table.phases and turn and opened:
        yield "empty", true._replace(body=EMPTY)
    node = book.nodes[p.past]
    for one in bits(node.said) if not node.members else ():
        move = book[one]
        if isinstance(move, Move) and move.author in liars:
            two = book.sign(move._replace(body=OTHER if move.body == OK else OK))
            past = book.hash(Node(node.before, node.said & ~one | two))
            yield "other past", true._replace(past=past, shown=book.claim(liar, past))
            if move.author == liar:
                yield "late invalid", move._replace(body=BAD)


def _ahead(book: Book, liar: int, p: Peer, everything: int) -> Iterator[Offer]:
    """Give moves and places of the phase that `p` has not reached, if all others have spoken."""
    for past in _next(book, liar, p, everything):
        move = Move(liar, p.view, p.phase + 1, past, OK, book.claim(liar, past))
        if liar in book.speakers(past):
            yield "ahead", move


def _next(book: Book, liar: int, p: Peer, everything: int) -> Iterator[int]:
    if p.phase == p.table.phases:
        return
    found: dict[int, list[int]] = {}
    for one in bits(everything & book.at.get((p.view, p.phase), 0)):
        move = book[one]
        if isinstance(move, Move) and move.past == p.past and move.body in (OK, OTHER):
            found.setdefault(move.author, []).append(one)
    own = [Move(liar, p.view, p.phase, p.past, b, book.claim(liar, p.past)) for b in (OK, OTHER)]
    if liar in p.members and found.keys() | {liar} >= p.needed:
        others = sum(found[author][0] for author in p.needed if author != liar)
        mine = [book.sign(move) for move in own] if liar in p.needed else [0]
        yield from (book.hash(Node(p.past, others | one)) for one in mine)


def _statuses(book: Book, liar: int, p: Peer, everything: int) -> Iterator[Offer]:
    at, got = (p.view, p.phase), p.messages()
    held = sum(got.values())
    own = got.get(liar, 0)
    new = 1 + max([p.top, *(view for view, _ in book.attempts)])
    fewer = [tuple(m for m in p.members if m != o) for o in p.members if o != liar]
    plans = [("join", p.tried)] if p.tried[0] > p.view and liar in p.tried[1] else []
    plans += [("join", a) for a in book.attempts if liar in a[1] and a[0] > p.view and a != p.tried]
    plans += [("attempt", (new, members)) for members in (*fewer, p.members) if liar in members]
    out = liar not in p.members or liar in p.left
    for again in {tuple(sorted({*who, liar})): None for who in (p.members, want(p))}:
        asked = any(view > p.view and members == again for view, members in book.attempts)
        if out and not asked:  # once a view, as who is honest
            plans += [("back", (new, again))]
    for kind, (view, members) in plans:
        true = Status(liar, view, members, at, p.past, held)
        yield kind, true
        yield f"{kind} holding its own", true._replace(held=own)
        move = Move(liar, p.view, p.phase, p.past, OTHER, book.claim(liar, p.past))
        yield f"{kind} holding another", true._replace(held=held & ~own | book.sign(move))
        yield f"{kind} from the start", true._replace(at=(0, 0), past=0, held=0)
        yield f"{kind} elsewhere", true._replace(at=(p.view, p.phase + 1))
        yield f"{kind} elsewhere", true._replace(past=0)
        for past in _next(book, liar, p, everything):
            yield f"{kind} ahead", true._replace(at=(p.view, p.phase + 1), past=past, held=0)
