"""What convicts beside the line that a peer is on: where lines part, and lies on those left."""

from __future__ import annotations

from lanplay_protocol.errors import Code
from lanplay_protocol.replica.evidence import Proof, Statement, false_ref, unfounded
from lanplay_protocol.replica.key_setup import UNNAMED
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import MOVE, Past, PhaseMessage, SignedMessage
from lanplay_protocol.replica.positions import DEEP
from lanplay_protocol.replica.transcript import ProtocolViolation, Transcript

DEAD_ENDS = 4
"""Pasts beside a line that are gone to for what one peer has said."""


def judge(line: GameLine, known: Statement, vain: set[bytes] | None = None) -> Proof | None:
    """Return whom a message convicts by the past that it names, beside this line of the game.

    Where the two lines part something may be named that was never signed.
    From the pasts that are ``vain`` nobody is convicted now: no chain is gone over twice.
    """
    if not isinstance(known.said, PhaseMessage):
        return None
    vain, over = set() if vain is None else vain, list[bytes]()
    proof = _judge(line, known.signed, known.said.past, vain, over)
    vain.update(over if proof is None else ())
    return proof


def _judge(
    line: GameLine, carrier: SignedMessage, node: Past, vain: set[bytes], over: list[bytes]
) -> Proof | None:
    for _ in range(DEEP):
        if (proof := _unfounded(line, carrier, node)) is not None:
            return proof  # whatever is known of the past before it: others may not know that
        if node.before in line.transcript.line:
            return _part(line, carrier, node)
        following = line.statements.pasts.get(node.before)
        shown = line.statements.shows.get(following.hash) if following else None
        if following is None or shown is None or following.hash in vain:
            return None  # this peer's own past, from a line that it has left
        over.append(following.hash)
        carrier, node = shown, following
    return None


def beside(
    line: GameLine, past: bytes, author: int, nowhere: set[bytes] | None = None
) -> Transcript | None:
    """Go to a past beside this line, which nothing leads back to; ``None`` where nobody can.

    Each is gone to once, and few for what one ``author`` has said there: as many more for each who
    has been there, too, or names that as evidence, so that pasts of nothing keep nobody from going
    where another was.
    """
    if past in line.positions.dead:
        return None
    if (past, author) not in line.visited:
        finals = line.transcript.finals
        namers = {p: line.statements.namers(p, finals) for p, by in line.visited if by == author}
        been = line.statements.namers(past, finals) | {author}
        spent = (sum(by in each for each in namers.values()) for by in been)
        if min(spent) >= DEAD_ENDS:
            return None
        path = line.positions.path(past, line.transcript, nowhere)
        if path is None or _far(line, past, nowhere):
            return None
        other, there = line.other(line.transcript.line[path[0]], path[1])
        line.visited[past, author] = other.transcript if there else None
    return line.visited[past, author]


def another_state(known: Statement, there: Transcript) -> Proof | None:
    """Return whom a message convicts that names another public state than its past has."""
    move = known.said
    if not isinstance(move, PhaseMessage):
        return None
    here = there.line.get(move.previous, (-1,))[0] == move.phase
    if not here or move.state == there.state_at(move.phase):
        return None
    text = f"phase {move.phase}: signed another public state"
    return Proof(move.sender, Code.DIVERGED, text, move.phase, (known.signed,))


def unplaced(line: GameLine, known: Statement, nowhere: set[bytes]) -> bool:
    """Tell whether it is not known yet where a message hangs."""
    move = known.said
    return isinstance(move, PhaseMessage) and (
        move.previous not in line.transcript.line and _far(line, move.previous, nowhere)
    )


def _far(line: GameLine, past: bytes, nowhere: set[bytes] | None) -> bool:
    """Tell whether something that leads to a past, or is named there, is not here yet."""
    return line.positions.place(past, line.transcript, nowhere) is None


def judge_beside(
    line: GameLine, known: Statement, nowhere: set[bytes] | None = None
) -> Proof | None:
    """Return whom a message convicts that is false on a line that was left: whoever was there
    has convicted its author, and all have to."""
    move = known.said
    if not isinstance(move, PhaseMessage) or move.previous in line.transcript.line:
        return None
    there = beside(line, move.previous, move.sender, nowhere)
    if there is None:
        return None
    if (proof := another_state(known, there)) is not None:
        return proof
    if not there.fits(move) or move.sender not in there.carriable:
        return None
    try:
        there.bring(known.signed, move)
    except ProtocolViolation as v:
        return Proof(v.peer, v.code, v.text, move.phase, (known.signed,))
    there.drop(move.sender)
    return None


def passed(line: GameLine, known: Statement) -> bool:
    """Tell whether a later view of this line has begun in the phase of a message, which does
    not count; ``False`` of what was found to break no rule."""
    move, key, transcript = known.said, known.signed.key, line.transcript
    return isinstance(move, PhaseMessage) and any(
        move.phase == view.phase and move.view < view.number and key not in transcript.true
        for view in transcript.views
    )


def judge_passed(line: GameLine, known: Statement) -> Proof | None:
    """Return whom a message convicts that came when its view had passed without it."""
    move, transcript = known.said, line.transcript
    assert isinstance(move, PhaseMessage)
    here = (v.number for v in transcript.views if v.phase == move.phase)
    place = (move.phase, sum(number <= move.view for number in here))
    begun = not move.view or move.view in {v.number for v in transcript.views}
    if transcript.line.get(move.previous) != place or not begun:
        return None
    there = line.other(place, [])[0].transcript
    if move.sender not in there.carriable:
        return None
    try:
        there.bring(known.signed, move)
    except ProtocolViolation as v:
        return Proof(v.peer, v.code, v.text, move.phase, (known.signed,))
    return None


def _part(line: GameLine, carrier: SignedMessage, node: Past) -> Proof | None:
    mine = line.transcript.followed.get(node.before)
    if mine is None or node.kind != MOVE or mine.kind != MOVE or node.hash == mine.hash:
        return None
    true = all(line.statements.genuine(ref, MOVE) for ref in node.refs)
    return None if true else false_ref(carrier)  # of two bodies the statements tell


def _unfounded(line: GameLine, carrier: SignedMessage, node: Past) -> Proof | None:
    """Judge a past that follows from nothing: what it names was said after something else.

    Messages of its own view only: those that a view has carried name an earlier past.
    """
    for ref in node.refs if node.kind == MOVE and carrier.phase > UNNAMED else ():
        if not line.statements.genuine(ref, MOVE):
            return false_ref(carrier)
        held = line.statements.get(ref.key(MOVE))
        if held and held.said and ref.view == carrier.view and held.said.past.hash != node.before:
            return unfounded(carrier, held.signed)
    return None
