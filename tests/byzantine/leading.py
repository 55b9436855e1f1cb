"""Liars who lead one honest peer alone: what they say reaches it, and hardly anybody else, until it
is where no other honest peer is. Then its links or its laptop fail, and it comes back."""

from __future__ import annotations

from functools import partial

from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import GameOver, PhaseCompleted, ViewChanged
from lanplay_protocol.replica.finals import Final
from tests.byzantine.coverage import lie
from tests.byzantine.draws import Steps

WORDS = {
    "statuses": ("status", "view"),
    "moves": ("move",),
    "both": ("status", "view", "move"),
    "nothing else": None,
}
"""Of which words the led one alone is told; None: of all."""
OTHERS = ("none", "late", "another")
"""What the others are told instead."""
UNTIL = ("back", "view", "status", "end", 5.0, 20.0, 60.0)
"""When they are told it late."""
GONE = (8.0, 20.0, 60.0, 150.0, Steps(60), Steps(400))
"""How long somebody is gone, so that a view begins."""
APART = (1.0, 5.0, 20.0, 60.0, 150.0, Steps(30), Steps(150), Steps(600), Steps(2500))
"""How long the led one is cut off."""
LONG = 500
"""Steps after which a liar who led nobody anywhere tries something else."""


class Leading:
    """What liars are about: with `begin` they go on, and `held` tells what they do not say."""

    def __init__(self, world, most: int) -> None:
        self.world, self.left = world, 1 + world.draws.below(most)
        self.led: dict[int, int] = {}
        self.there: set[int] = set()
        """Who has come to where no other honest peer is; some are led on from there."""
        self.mode, self.others, self.until = "both", "none", UNTIL[0]
        self.at_the_end = world.draws.one_in(4)
        self.in_between = world.draws.one_in(3)
        """Whether they lie as long as an honest peer that runs is out, and else speak true."""

    @property
    def over(self) -> bool:
        return self.left <= 0 and {*self.led.values()} <= self.there and not self.world.later

    @property
    def quiet(self) -> bool:
        """Whether liars wait with their lies until somebody is about to come back."""
        replicas = [a.replica for a in self.world.honest if not a.dead]
        members = set[int]().union(*(r.transcript.members for r in replicas))
        return self.in_between and all(r.me in members and r.status.member for r in replicas)

    def begin(self) -> None:
        """Let each liar choose whom it leads; somebody may go meanwhile, the led one as well."""
        world, draws = self.world, self.world.draws
        here = [a for a in world.honest if not a.dead]
        ending = any(isinstance(a.replica.transcript.phase, Final) for a in world.honest)
        if self.at_the_end and not ending:
            world._back(Steps(5), self.begin)
            return
        self.led.clear()
        self.there.clear()
        self.left -= 1
        if self.left < 0 or not here:
            return
        self.mode, self.others = draws.pick(tuple(WORDS)), draws.pick(OTHERS)
        self.until = draws.pick(UNTIL)
        one = draws.pick(here).place
        for liar in sorted(world.liars):
            watching = [w.place for w in world.watchers if w.at == liar]
            self.led[liar] = one
            if draws.one_in(3):  # another one than the other liar
                self.led[liar] = draws.pick([*(a.place for a in here), *watching])
        world.acts += 1
        world.told.append(f"{world.now:.1f}: leads {self.led} by {self.mode}, {self.others}")
        world._back(Steps(LONG), partial(self._try_another, self.left))
        if len(here) > 1 and draws.below(3):
            self._fail(draws.pick(here), draws.pick(GONE))

    def _try_another(self, left: int) -> None:
        if {*self.led.values()} - self.there and self.left == left:
            self.begin()

    def held(self, sender: int, to: int, kind: str, payload) -> bool:
        """Tell whether a liar keeps to itself what is due to somebody whom it does not lead."""
        words, world = WORDS[self.mode], self.world
        if self.led.get(sender, to) == to or to >= len(world.actors):
            return False
        signed = kind in ("status", "move") and payload[0] in world.liars
        if words and not (kind in words and (signed or kind == "view")):
            return False
        if self.others == "late" and world.draws.below(4):
            world._send(sender, to, kind, payload, "late", self.until)
        elif self.others == "another" and signed and world.draws.below(2):
            world._send(sender, to, kind, world._spoiled(sender, kind, payload), "another")
        return True

    def sees(self, actor, event: object) -> None:
        """Take note of what an honest peer has come to: whether the led one is there alone."""
        if actor.place not in {*self.led.values()} - self.there or actor.dead:
            return
        others = [a.replica for a in self.world.honest if a is not actor]
        if isinstance(event, PhaseCompleted):
            ahead = all(each.transcript.number < event.phase for each in others)
            alone = ahead and self.mode != "statuses"
        elif isinstance(event, ViewChanged):
            view = actor.replica.transcript.view
            alone = all(each.transcript.view < view for each in others)
        else:
            alone = isinstance(event, GameOver) and not any(each.over for each in others)
        if alone:
            what = f"leads by {self.mode}"
            self.world.seen[lie(type(event).__name__, what, actor.replica)] += 1
            self.there.add(actor.place)
            if self.world.draws.below(2):
                self.led = {p: led for p, led in self.led.items() if led != actor.place}
            self.world._back(0.0, partial(self._cut_off, actor))

    def _cut_off(self, actor) -> None:
        draws, wait = self.world.draws, self.world.draws.pick(APART)
        self._fail(actor, wait, crash=draws.one_in(4))
        if draws.one_in(3):  # the others do not stay as they are, either
            self._fail(draws.pick(self.world.honest), draws.pick(GONE))
        self.world._back(wait if draws.below(2) else draws.pick((1.0, 5.0, Steps(20))), self.begin)

    def _fail(self, actor, wait: float, crash: bool = True) -> None:
        """Let a laptop go for a while, in one way or another, or lose its links to honest ones."""
        world, how = self.world, self.world.draws.pick(("apart", "crash", "leave"))
        if actor.dead:
            return
        if not crash:
            how = "apart"
        world.acts += 1
        world.told.append(f"{world.now:.1f}: {actor.place} at {actor.replica.transcript.at}: {how}")
        if how == "apart":
            for other in world.honest:
                if other is not actor:
                    world.cut(actor.place, other.place)
                    world._back(wait, partial(world.join, actor.place, other.place))
            return
        if how == "leave":
            world.step(actor, inputs.Leaving())
        world.crash(actor, sent=bool(world.draws.below(2)))
        world._back(wait, lambda: world.restart(actor, flushed=not world.draws.one_in(3)))
