"""What the others owe a peer that needs no person, and what of it they could not pay."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from lanplay_protocol.replica.failure_detector import ATTEMPT, Debt
from lanplay_protocol.replica.messages import MOVE, STATUS, StatusMessage
from lanplay_protocol.replica.status import Status
from lanplay_protocol.replica.transcript import Transcript
from lanplay_protocol.replica.view_change import CIRCLES, Attempt, backed


class Debts(NamedTuple):
    """What is ``owed``, and what of it is ``excused``: who has joined an attempt says nothing more
    until a view begins. ``opposed`` are those that another one's attempt leaves out where views
    circle: who is led alone has to be able to follow."""

    owed: set[Debt]
    excused: set[Debt]
    opposed: set[int]


def debts(
    transcript: Transcript,
    status: Status,
    later: Sequence[StatusMessage],
    tried: Attempt | None,
    to_skip: Set[int],
    quorum: int,
) -> Debts:
    """Return what others owe a peer that is at some place, as far as it paid its part.

    ``later`` are the attempts that are known, ``tried`` the one that this peer has promised,
    ``to_skip`` those whose people a majority does not want to wait for. Who is out is owed an
    answer to its return, and nothing else.
    """
    me, everybody = transcript.context.me, len(transcript.context.roster.peers)
    if status.incomplete or transcript.phase is None:
        return Debts(set(), set(), set())
    own = {(s.attempt, s.members) for s in later if s.author == me}
    own |= {tried} if tried else set()
    own = {attempt for attempt in own if len(attempt[1]) >= quorum}
    joined = {s.author for s in later if (s.attempt, s.members) in own}
    owed: set[Debt] = set()
    if status.member and (me not in transcript.missing or tried):
        prompt = transcript.phase.prompt
        owing = transcript.missing if prompt else transcript.missing & to_skip
        owed |= {(p, MOVE, transcript.number) for p in owing - {me}}
    excused = {debt for debt in owed if debt[0] in joined}
    paid = {(s.author, (s.attempt, s.members)) for s in later}
    last = {peer: attempt for attempt in sorted(own) for peer in attempt[1]}
    # nobody has to follow what as many have signed as may lie: others wait before they do
    own &= backed(later, everybody - quorum)
    unpaid: dict[int, int] = {}  # the first attempt after the last one that each has signed
    for attempt in sorted(own):
        for peer in attempt[1]:
            if (peer, attempt) in paid:
                unpaid.pop(peer, None)
            else:
                unpaid.setdefault(peer, attempt[0])
    owed |= {(p, STATUS, number) for p, number in unpaid.items() if p != me}
    alone = {p: a for p, a in last.items() if a not in own and (p, a) not in paid}
    owed |= {(p, ATTEMPT, number) for p, (number, _) in alone.items() if p != me}
    others = (s for s in later if s.author != me and transcript.circles >= CIRCLES)
    opposed = {p for s in others for p in transcript.members - {*s.members, s.author}}
    return Debts(owed, excused, opposed)
