"""Who sees a table without playing there: a journal that is read again, a record that is checked,
and somebody who begins to watch. None may convict an honest peer, or see another game."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from lanplay.engine.record import Record
from lanplay.games import load
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.events import Accused, Event, ViewChanged
from lanplay_protocol.replica.evidence import guilty
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import SignedMessage, parse_position
from lanplay_protocol.replica.outbox import Entry, Envelope
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.spectator import NUDGE, Spectator, answer
from lanplay_protocol.wire import decode
from tests.byzantine.draws import Draws

PATIENT = 8
"""Times that who watches asks once more, at one peer or another, when nothing has come."""


def read_again(replica: Replica, disk: Sequence[Entry], again: Replica) -> Iterator[str]:
    """Read the journal of a program with another one; yield what is not as it was."""
    try:
        again.step(inputs.Restored(tuple(disk)), 0.0)
    except ValueError as error:
        yield f"cannot read its own journal: {error}"
        return
    yield from _beside(replica, set(again.convicted), again.transcript, "its journal")


def out(replica: Replica) -> Iterator[str]:
    """Compare whom a program takes to be out with its line; yield what is not so."""
    transcript = replica.transcript
    if transcript.number >= SETUP and not replica.over:
        known = set(replica.attendance.openings._out)
        if known != (there := replica.context.everybody - transcript.members):
            yield f"it takes {sorted(known)} to be out, on its line {sorted(there)} are"


def torn(disk: Sequence[Entry], draws: Draws, again: Replica) -> Iterator[str]:
    """Read a journal that ends early, as a rule before a verdict: whom what it holds convicts has
    to be convicted."""
    verdicts = [n for n, (kind, _) in enumerate(disk) if kind == "verdict"]
    end = verdicts[-1] if verdicts and draws.below(3) else draws.below(len(disk) + 1)
    with suppress(ValueError):  # it may say itself that it misses something
        again.step(inputs.Restored(tuple(disk[:end])), 0.0)
        held, statements = again.line.statements, list[SignedMessage]()
        for phase in range(again.transcript.number + 1):
            statements += [known.signed for known in held.of_phase(phase)]
        statements += [known.signed for known in held.statuses]
        by_all = guilty(statements, again.roster, held.game_id).keys() - {again.me}
        if missed := by_all - set(again.convicted):
            yield f"its journal up to entry {end} convicts nobody of {sorted(missed)}"


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


class Watcher:
    """Somebody who watches a table, `at` one peer after another, as who has the number `place`."""

    asleep = dead = False

    def __init__(self, roster: Roster, place: int, at: int) -> None:
        self.spectator = Spectator(load(roster.game), roster)
        self.place, self.at = place, at
        self.named: set[int] = set()
        self.refused: list[str] = []
        self._views: Counter[tuple[tuple[int, ...], ...]] = Counter()

    def sees(self, event: Event | Envelope) -> None:
        """Take note of what it is told."""
        if isinstance(event, Accused):
            self.named.add(event.peer)
        elif isinstance(event, ViewChanged):
            self._views[event.lost, event.back] += 1

    def comes_to(self, replicas: Mapping[int, Replica], now: float) -> Iterator[str]:
        """Let it go on at honest peers; yield in what it is not where that is at which it stays."""
        spectator, events = self.spectator, deque[Event | Envelope]()
        now = max(now, spectator.deadline or now)  # an earlier look has taken it further
        left = (
            spectator.over and self.at not in replicas
        )  # at a liar it is told of no later verdict
        if self.at not in replicas:
            self.at = min(replicas)
            events += spectator.linked(now)
        for _ in range(PATIENT * len(replicas)):
            try:
                while events:
                    event = events.popleft()
                    self.sees(event)
                    for body in _answered(replicas[self.at], event):
                        events += spectator.receive(body, now)
                now += NUDGE
                events += spectator.tick(now)
            except PeerError as error:
                self.refused.append(f"{self.at} ({error})")
                self.at = next((p for p in sorted(replicas) if p > self.at), min(replicas))
                events = deque(spectator.linked(now))
        who = f"who watches at {self.at}, and left {', '.join(self.refused) or 'nobody'},"
        there = replicas[self.at]
        convicted = set(there.convicted)
        known = convicted if left else self.named & convicted  # liars may have told it more
        # a liar may have given its final to who watches alone: all of its view have signed that end
        ended = spectator.over and spectator.transcript.state == there.transcript.state
        seen = there.transcript if ended else spectator.transcript
        yield from _beside(there, known, seen, who)
        begun = Counter((_sorted(v.lost), _sorted(v.back)) for v in spectator.transcript.views)
        if begun - self._views:
            yield f"{who} was not told of views: {begun - self._views}"


def _sorted(peers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(peers))


def watched(replica: Replica, now: float) -> Iterator[str]:
    """Let somebody begin to watch at a program; yield in what it is not where that is."""
    watcher = Watcher(replica.roster, 0, -1)
    yield from watcher.comes_to({replica.me: replica}, now)
    if watcher.refused or watcher.named != set(replica.convicted):
        yield f"who begins to watch convicts {watcher.named}, and left {watcher.refused}"


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
