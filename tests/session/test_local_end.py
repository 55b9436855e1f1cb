"""A game of this machine alone comes to its end, whatever its last step is."""

from __future__ import annotations

import trio

from lanplay.games import load
from lanplay.session.local import identity_of, local_table
from lanplay.session.requests import table_setup
from lanplay.session.settings import Profile, TableWish
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.replica.outbox import Output
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.shell.runner import GameRunner
from tests.replica.harness import Walker

SEED = bytes(32)


class EndsByJob:
    """A replica whose last step waits for long work; ``over`` only when that is done."""

    def __init__(self, replica):
        self._replica = replica
        self._held = None
        self._done = False

    def __getattr__(self, name):
        return getattr(self._replica, name)

    @property
    def over(self):
        return self._done

    ends = over

    def step(self, given, now):
        if isinstance(given, inputs.JobDone) and self._held is not None:
            self._done = True
            return self._held
        output = self._replica.step(given, now)
        if not self._replica.over:
            return output
        self._held = self._held or output
        return Output(job=Job(bool, ()))


class Guesser:
    """Answers whatever it is asked by chance, at once."""

    def __init__(self):
        self.walker = Walker(bytes(32))

    def __getattr__(self, name):
        return lambda *_: None

    async def confirm(self, binding):
        pass

    async def answer(self, seat, view, question, bot):
        await trio.lowlevel.checkpoint()
        return self.walker.answer(view, question)


async def test_a_game_that_ends_with_long_work_ends(autojump_clock):
    """What a phase waits for may be the last thing of all: nothing comes after it."""
    wish = TableWish(game="charidice", seats=2, bot="random", options={}, hints=True)
    table = table_setup(wish.game, wish.seats, wish.options, [wish.bot])
    kept = local_table(table, wish, Profile(name="Ann"), SEED, typed=False)
    replica = Replica(load(wish.game), kept.roster, identity_of(SEED), SEED)
    # no limit by this clock, which jumps while a thread works
    async with open_node(identity_of(SEED), "1") as node:
        outcome = await GameRunner(node, EndsByJob(replica), kept.roster, {}, Guesser()).run()
    assert outcome.result is not None
