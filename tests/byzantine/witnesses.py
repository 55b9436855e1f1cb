"""Who sees a table without playing there: a journal that is read again, a record that is checked,
and somebody who begins to watch. None may convict an honest peer, or see another game."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from lanplay.engine.record import Record
from lanplay.games import load
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.events import Accused, Event
from lanplay_protocol.replica.messages import parse_position
from lanplay_protocol.replica.outbox import Entry, Envelope
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.spectator import NUDGE, Spectator, answer
from lanplay_protocol.wire import decode

NUDGES = 3
"""Times that who watches asks once more when nothing has come for a while."""


def read_again(replica: Replica, disk: Sequence[Entry], again: Replica) -> Iterator[str]:
    """Read the journal of a program with another one; yield what is not as it was."""
    try:
        again.step(inputs.Restored(tuple(disk)), 0.0)
    except ValueError as error:
        yield f"cannot read its own journal: {error}"
        return
    yield from _beside(replica, set(again.convicted), again.transcript, "its journal")


def checked(replica: Replica) -> Iterator[str]:
    """Check the record that a program would keep now; yield what is wrong with what it says."""
    referee, roster = replica.context.referee, replica.roster
    record = Record(
        roster.header,
        tuple(referee.history),
        referee.table.hash(),
        finished=referee.request is None,
        extra=replica.proof,
    )
    found = check_record(load(roster.game), record).finding
    if found is None and replica.convicted:
        yield f"its record names nobody; {sorted(replica.convicted)} are convicted"
    if found is not None and found.peer not in replica.convicted:
        yield f"its record names {found.peer}: {found.text}"


def watched(replica: Replica, now: float) -> Iterator[str]:
    """Let somebody begin to watch at a program; yield in what it is not where that is."""
    watcher, named = Spectator(load(replica.roster.game), replica.roster), set[int]()
    events = deque(watcher.linked(now))
    for _ in range(NUDGES):
        try:
            while events:
                event = events.popleft()
                if isinstance(event, Accused):
                    named.add(event.peer)
                for body in _answered(replica, event):
                    events += watcher.receive(body, now)
            now += NUDGE
            events += watcher.tick(now)
        except PeerError as error:
            yield f"who watches leaves it: {error}"
            return
    yield from _beside(replica, named, watcher.transcript, "who watches")


def _answered(replica: Replica, event: Event | Envelope) -> list[bytes]:
    """Return what a program answers to who watches, if that asks."""
    if not isinstance(event, Envelope):
        return []
    return answer(replica, parse_position(decode(event.body)[1]))


def _beside(replica: Replica, named: set[int], there: Any, who: str) -> Iterator[str]:
    here = replica.transcript
    if named != set(replica.convicted):
        yield f"{who} convicts {sorted(named)}, it {sorted(replica.convicted)}"
    if there.at < here.at:
        yield f"{who} stands at {there.at}, it at {here.at}"
    elif not set(here.line) <= set(there.line):
        yield f"{who} sees another game at {there.at}, it at {here.at}"
