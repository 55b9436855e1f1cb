"""Going on from what a peer had persisted: every entry once more, in order."""

from __future__ import annotations

from typing import Any

from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.evidence import Proof, Statement
from lanplay_protocol.replica.exchange import Exchange
from lanplay_protocol.replica.line import GameLine
from lanplay_protocol.replica.messages import (
    StatusMessage,
    parse_past,
    parse_signed,
    parse_view,
)
from lanplay_protocol.replica.restart import RestartVotes
from lanplay_protocol.replica.roster import NONCE
from lanplay_protocol.replica.verdicts import Verdicts, parse_verdict
from lanplay_protocol.replica.view_change import ViewChange
from lanplay_protocol.schema import blob, fields


def recall(
    kind: str,
    plain: Any,
    line: GameLine,
    exchange: Exchange,
    verdicts: Verdicts,
    changes: ViewChange,
    restart: RestartVotes,
) -> Proof | None:
    """Take one entry; ``PeerError`` where it does not follow from those before it. Return whom it
    convicts: the verdict may have been cut off."""
    line.transcript.context.replaying = True
    proof, checked = None, kind != "evidence"  # that is checked when it comes to count
    kind, plain = (kind, plain) if checked else fields(plain, 2, "evidence")
    match kind:
        case "move" | "status":
            signed = parse_signed(plain, kind)
            if checked:
                line.transcript.true.add(signed.key)
            _, proof = line.add(signed)
            _own(line.statements.get(signed.key), line.transcript.context.me, exchange, changes)
        case "view" | "turn":
            _turn(line, kind, plain)
            changes.begun(line.transcript.view, line.transcript.members)
        case "verdict":
            verdict = parse_verdict(plain)  # it falls with a line that is left later on
            verdicts.convicted[verdict.peer] = verdict
            line.convicted.add(verdict.peer)
            line.transcript.convict(verdict.peer)
            for signed in verdict.statements:
                line.add(signed)
        case "past":
            line.led_over(parse_past(plain))
        case "anew":
            restart.nonce = blob(plain, NONCE, "nonce")
        case "complaint" | "offers":
            verdicts.recall(kind, plain, line)
        case _:
            raise PeerError(Code.MALFORMED, f"an entry of kind {kind!r}")
    line.transcript.context.replaying = True
    while line.pull() or line.finish() or line.conclude():
        pass
    line.transcript.context.replaying = False
    return proof


def _turn(line: GameLine, kind: str, plain: Any) -> None:
    """Go to where the line went, by a view or over a past beside it."""
    if kind == "turn":
        found = line.turn(parse_past(plain))
    else:
        line.expect(statuses := parse_view(plain))
        for signed in statuses:
            line.add(signed)
        known = [line.statements.get(signed.key) for signed in statuses]
        found = line.adopt([each for each in known if each is not None]) is not None
    if not found:
        raise PeerError(Code.MALFORMED, f"a {kind} that follows from nothing")


def _own(known: Statement | None, me: int, exchange: Exchange, changes: ViewChange) -> None:
    """Note what this peer has signed itself: it signs nothing else there."""
    if known is not None and known.signed.sender == me:
        exchange.signed.setdefault(known.signed.slot, known.signed)
        if isinstance(known.said, StatusMessage):
            changes.signed(known.said)
