"""The check of a table between laptops: three replicas in memory, one cut off for a while."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations

from lanplay.check.random_games import options_of
from lanplay.engine.game import Game
from lanplay.engine.record import Record
from lanplay.engine.replay import Replay
from lanplay_ai.random_agent import RandomAgent
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import AnswerNeeded
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.wire import decode

PEERS = 3
CUT, RETURN = 60, 90
"""Deliveries after which a laptop is cut off, and is back."""
SECONDS = 600.0
"""What a game may take, on the table's own clock."""


class _Table:
    """Replicas, a clock that stands while anything moves, and what is on its way."""

    def __init__(self, game: Game) -> None:
        seats = max(game.seats[0], min(PEERS, game.seats[-1]))
        people = [Identity(bytes([place + 1]) * 32) for place in range(min(PEERS, seats))]
        peers = tuple(
            Peer(each.public, f"laptop {place}", tuple(range(place, seats, len(people))))
            for place, each in enumerate(people)
        )
        names = tuple(f"seat {seat}" for seat in range(seats))
        roster = Roster(
            game.name, game.fingerprint, options_of(game, 1), names, peers, (), TableSettings()
        )
        self.header = roster.header
        self.now = 0.0
        self.down = False
        self.replicas = [
            Replica(game, roster, each, b"check" + bytes([place]) * 27)
            for place, each in enumerate(people)
        ]
        self._agents = [RandomAgent(b"laptop %d" % place) for place in range(len(people))]
        self._queue: deque[tuple[int, int, Envelope | AnswerNeeded]] = deque()
        self._deadlines: list[float | None] = [None] * len(people)
        for place in range(len(people)):
            self._step(place, inputs.Started())

    def play(self) -> None:
        """Play to the end; the last laptop loses its connections for a while."""
        for number in range(1_000_000):
            if number in (CUT, RETURN) and len(self.replicas) == PEERS:
                self._link(down=number == CUT)
            if all(replica.over for replica in self.replicas) or self.now > SECONDS:
                return
            if self._queue:
                self._deliver()
            else:
                self._wait()

    def _link(self, *, down: bool) -> None:
        self.down, last = down, PEERS - 1
        if down:
            self._queue = deque(each for each in self._queue if not self._cut(*each[:2]))
        for one, other in combinations(range(PEERS), 2):
            if other == last:
                for a, b in ((one, other), (other, one)):
                    self._step(a, inputs.LinkDown(b) if down else inputs.LinkUp(b))

    def _cut(self, one: int, other: int) -> bool:
        return self.down and one != other and PEERS - 1 in (one, other)

    def _wait(self) -> None:
        times = [each for each in self._deadlines if each is not None]
        self.now = max(self.now, min(times, default=SECONDS + 1))
        for place in range(len(self.replicas)):
            self._step(place, inputs.Ticked())

    def _step(self, place: int, given: inputs.Input) -> None:
        output = self.replicas[place].step(given, self.now)
        self._deadlines[place] = output.deadline
        for envelope in output.send:
            others = range(len(self.replicas)) if envelope.to is None else (envelope.to,)
            for to in others:
                if to != place and not self._cut(place, to):
                    self._queue.append((place, to, envelope))
        for event in output.events:
            if isinstance(event, AnswerNeeded):
                self._queue.append((place, place, event))

    def _deliver(self) -> None:
        sender, to, item = self._queue.popleft()
        replica = self.replicas[to]
        if isinstance(item, Envelope):
            kind, payload = decode(item.body)
            self._step(to, inputs.Received(sender, kind, payload))
        elif replica.asked(item.seat):
            answer = self._agents[to].answer(replica.views[item.seat], item.question)
            self._step(to, inputs.Answered(item.seat, answer))


def together(game: Game) -> Iterator[str]:
    """Play at three laptops; what they hold at the end is what a replay comes to."""
    table = _Table(game)
    table.play()
    ends = {replica.context.referee.table.hash() for replica in table.replicas}
    if not all(replica.over for replica in table.replicas):
        yield f"the game is not over after {table.now:.0f} s"
    elif len(ends) > 1:
        yield "the laptops hold different ends"
    else:
        context = table.replicas[0].context
        history = tuple(context.referee.history)
        Replay(game, Record(table.header, history, ends.pop())).run()
