"""Liars who choose which attempts they join, by who is in them, and how late: each decides that
once for every set of members, and keeps to it however often it is asked."""

from __future__ import annotations

from dataclasses import replace

from lanplay_protocol.replica.messages import MOVE, STATUS, StatusMessage, sign
from tests.replica.harness import identity

SHARES = (0, 15, 40, 70)
"""Of a hundred sets of members those whose attempts a liar joins."""
WAITS = (0.0, 0.0, 3.0, 8.0, 9.5)
"""Seconds until it does: less than others wait for it."""


class Choosing:
    """What liars sign of what honest peers begin; `held` tells what they do not say themselves."""

    def __init__(self, world) -> None:
        self._world, draws = world, world.draws
        liars, peers = sorted(world.liars), range(len(world.actors))
        self._shares = {liar: draws.pick(SHARES) for liar in liars}
        self._waits = {liar: draws.pick(WAITS) for liar in liars}
        self._owes = {liar for liar in liars if draws.below(2)}
        some = draws.below(3)
        self._to = {
            liar: [p for p in peers if p != liar and (some or draws.below(2))] for liar in liars
        }
        self._top = {liar: world.actors[liar].replica.attendance.changes.top for liar in liars}
        self._joins: dict[tuple[int, tuple[int, ...]], bool] = {}

    def held(self, sender: int, kind: str, payload) -> bool:
        """Tell whether a liar keeps to itself what its program says."""
        if sender not in self._top:
            return False
        if kind in (STATUS, "view"):
            return True
        # what it says in a view before the one that it has joined convicts it
        late = kind == MOVE and payload[0] == sender and payload[2] < self._top[sender]
        return kind == MOVE and (sender in self._owes or late)

    def step(self) -> None:
        """Let liars join what they would of what honest peers have signed."""
        world = self._world
        for actor in world.honest if not world.faults else ():
            for said in actor.replica.line.said():
                for liar in said.members if said.author == actor.place else ():
                    if liar in world.liars and said.attempt > self._top[liar]:
                        self._sign(liar, said, actor)

    def _sign(self, liar: int, said: StatusMessage, actor) -> None:
        world, about = self._world, (liar, said.members)
        if about not in self._joins:
            self._joins[about] = world.draws.below(100) < self._shares[liar]
        if self._joins[about]:
            self._top[liar] = said.attempt
            own = replace(said, author=liar, evidence=(), consents=(), again=False)
            game = actor.replica.line.statements.game_id(-1)
            plain = sign(own, identity(liar), game).plain()
            for to in self._to[liar]:
                world._send(liar, to, STATUS, plain, "chosen", self._waits[liar])
