"""One table from its lobby to the next day, over real sockets on a virtual clock: something happens
to one laptop at one transition.

    python -m tests.shell.life_cycle [TRANSITION...]

plays all of them, or those at some transitions; ``test_life_cycle.py`` plays some. All laptops have
to come to one end, also the one that was hit, when it is started again: soon, or, if it was ending,
when all others have left.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import trio
from trio.testing import MockClock

from lanplay_protocol.lobby import Lobby
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import SignedMessage, parse_signed
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.shell.archive import Archive
from lanplay_protocol.shell.beginning import Beginning, FrozenTable, Unbegun
from lanplay_protocol.shell.guest import join
from lanplay_protocol.shell.host import HostHandover, LobbyHost
from lanplay_protocol.shell.journal import Journal, SavedGame, journals
from lanplay_protocol.shell.node import open_node
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.wire import decode, encode
from tests.shell.test_forming import LOOPBACK, VERSION, Program
from tests.shell.test_table import GAME, Player, new_table

NAMES = ("host", "ann", "ben")
GRACE = 12
SOON, LATER = 5.0, 60.0
SILENCE = GRACE - 2
LONG = 400.0
"""Seconds of the table's own clock in which all must have come to their end."""
LAST = 10**6
TRANSITIONS = {
    "forming": ("table", 0),
    "offer": ("offer", 0),
    "accept": ("accept", 0),
    "certificate": ("start", 0),
    "opening": ("move", 0),
    "shares": ("move", 2),
    "ready": ("move", SETUP - 1),
    "first phase": ("move", SETUP),
    "middle": ("move", SETUP + 40),
    "view change": ("status", 0),
    "final": ("move", LAST),
    "after the final": ("bye", 0),
}
"""Each by the message that makes it, and the phase that it is of."""
SIGNED = ("move", "status")
CUT = set()
"""The ports of programs that are without a network."""


class Laptop(Program):
    """A program and its disk: it may be started again. ``hits`` says what happens to it, once."""

    person = Player

    def __init__(self, name, folder):
        super().__init__(name)
        self.folder = Path(folder) / name
        self.seed = os.urandom(32)
        self.outcome, self.running, self.hits, self.was_hit = None, None, None, False

    def opened(self, seats, people):
        info = replace(new_table(self.node, seats, GAME), people=people)
        return HostHandover(Lobby(replace(info, settings=TableSettings(GRACE))))

    async def host(self, seat):
        accepting = self.accepted
        self.hosting = LobbyHost(
            self.node, seat.lobby, self.saw, None, seat.early, seat.lost, accepting=accepting
        )
        self.saw(seat.lobby.info)
        while (other := await self.hosting.run(lambda _: self.hosting.lobby.ready)) is None:
            began = await self.hosting.begin(str)
            if isinstance(began, FrozenTable):
                return began
        return other if isinstance(other, FrozenTable) else other.reached[0]

    async def attend(self, address):
        return await join(
            self.node, *address, self.name, self.saw, self.ask, accepting=self.accepted
        )

    def accepted(self, offer):
        """Keep an offer on the disk: its accept is sent only then."""
        for path in journals(self.folder):
            path.unlink()
        kept = SavedGame(offer.roster, offer.addresses, self.seed, {})
        Journal.create(self.folder, kept).close()

    async def sit(self, seat):
        self.tap()
        await super().sit(seat)
        if self.start is not None:
            await self.play(self.start, None)

    async def play(self, start, entries):
        """Play a game, from its beginning or from the disk, and show its end for days."""
        (path,) = journals(self.folder)
        journal, _, _ = Journal.open(path)
        try:
            if entries is None:
                journal.begin(start.roster)
            replica = Replica(GAME, start.roster, self.identity, self.seed)
            table = (self.node, replica, start.roster, start.addresses)
            player = self.person(self.name.encode())
            self.running = GameRunner(*table, player, journal=journal, restored=entries)
            outcome = await self.running.run()
            if outcome.result is not None and not outcome.signed:
                await self.running.stay()  # as a program does while it shows a result
                outcome = self.running.outcome()
            self.outcome = outcome
        finally:
            journal.close()
        if self.outcome.signed:
            self.node.archive.keep(self.outcome.record, missed=True)
            self.node.archive.playing = b""
        await trio.sleep_forever()

    async def again(self, address, *, task_status):
        """Start the program again, with what is on its disk."""
        self.scope = trio.CancelScope()
        with self.scope:
            async with open_node(self.identity, VERSION) as self.node:
                self.port = await self.node.listen(0, LOOPBACK)
                task_status.started()
                self.tap()
                for path in journals(self.folder):
                    journal, kept, entries = Journal.open(path)
                    journal.close()
                    if (start := await self.begun(kept)) is not None:
                        await self.play(start, entries or None)
                await self.sit(address)

    async def begun(self, kept):
        """Return the start of a game that was accepted; ``None`` if it came to nothing."""
        roster = kept.roster
        if not roster.accepts:
            host = roster.peers[0].public
            roster = await Beginning(self.node, roster, kept.addresses, host).run(str)
        return None if isinstance(roster, Unbegun) else FrozenTable(roster, kept.addresses)

    # -- what happens to it ------------------------------------------------------------------------

    def tap(self):
        """Look at all that this program sends, and keep the ends of its games."""
        self.node.archive = Archive(self.folder / "ended", trio.current_time)
        real, dial = self.node.send, self.node.dial

        async def dialled(host, port):
            if CUT & {self.port, port}:
                raise OSError("no network")
            return await dial(host, port)

        self.node.dial = dialled

        def send(identity, body):
            heard = self.hits is not None and identity in self.node.linked
            if heard and self.due(*decode(body)):
                hits, self.hits, self.was_hit = self.hits, None, True
                body = hits(self, body)
            if body is not None:
                real(identity, body)

        self.node.send = send

    def due(self, kind, payload):
        said, phase = TRANSITIONS[self.when]
        if kind != said:
            return False
        if kind == "table":
            return len(self.hosting.lobby.info.guests) == len(NAMES)
        if kind == "status":
            return parse_signed(payload, kind).sender == self.running._replica.me
        if kind != "move":
            return True
        signed, replica = parse_signed(payload), self.running._replica
        ends = getattr(replica.transcript.phase, "anew", True)
        due = ends if phase == LAST else phase <= signed.phase < phase + 30
        return due and signed.sender == replica.me

    def signed(self, kind, payload):
        """Sign another public state in the place of a move, or a status that wants to be told."""
        sender, phase, view, said, _ = payload
        parts = list(decode(said))
        parts[1 if kind == "move" else 4] = bytes(32) if kind == "move" else 1
        bare = SignedMessage(kind, sender, phase, view, encode(tuple(parts)), b"")
        game = self.running._replica.line.statements.game_id(phase if kind == "move" else -1)
        signature = self.identity.sign(kind, encode((game, *bare.key)))
        return replace(bare, signature=signature).plain()


def kill(laptop, body):
    """It ends in the middle of what it says, without a word."""
    laptop.die()


def outage(laptop, body):
    """All its connections break, and what it was about to say is lost."""
    for link in list(laptop.node._links.values()):
        laptop.node._drop(link, "an outage")


def long_outage(laptop, body, seconds=SILENCE):
    """For so long it reaches nobody, and no connection to it lasts."""
    outage(laptop, body)
    laptop.node._nursery.start_soon(cut_off, laptop, seconds)


async def cut_off(laptop, seconds):
    """Let nobody connect to a program, nor the program to anybody."""
    CUT.add(laptop.port)
    for _ in range(round(seconds)):
        outage(laptop, b"")  # one may have been on its way
        await trio.sleep(1)
    CUT.discard(laptop.port)


def lie(laptop, body):
    """It tells the first one something else than all others."""
    kind, payload = decode(body)
    return encode((kind, laptop.signed(kind, payload) if kind in SIGNED else (b"nonsense",)))


async def life(folder, victim, when, what):
    """Play one life of a table; return what is wrong with it."""
    CUT.clear()
    laptops = [Laptop(name, folder) for name in NAMES]
    hit = laptops[victim]
    hit.when, hit.hits = when, what
    for each in laptops:
        each.when = when
    if when == "view change":  # one that nobody reaches brings it about
        laptops[1].when, laptops[1].hits = "middle", partial(long_outage, seconds=3 * GRACE)
    async with trio.open_nursery() as nursery:
        host = await nursery.start(partial(laptops[0].run, seats=len(NAMES), people=len(NAMES)))
        for number, each in enumerate(laptops[1:], 2):
            await nursery.start(each.run, (LOOPBACK, host.port))
            await settled(lambda n=number: host.was_hit or len(host.info.guests) == n, 30)
        await settled(lambda: hit.was_hit, LONG)
        if when == "forming" or (when, what) == ("offer", lie):
            await settled(lambda: all(map(seated_or_told, laptops[1:])), LONG)
            nursery.cancel_scope.cancel()
            return [f"{e.name} is stranded" for e in laptops[1:] if not seated_or_told(e)]
        if what is kill:
            await trio.sleep(LATER if "final" in when else SOON)
            other = laptops[1 - min(victim, 1)]
            await nursery.start(hit.again, (LOOPBACK, other.port))
        await settled(lambda: all(each.outcome for each in laptops), LONG)
        nursery.cancel_scope.cancel()
    return list(wrong(laptops, victim, when, what))


def seated_or_told(laptop):
    """Tell whether it is back at the table, or its person was told why it is not.

    Who was just coming to a table has been shown nobody else of it.
    """
    return bool(laptop.refused) or (laptop.info is not None and laptop.info.term == 1)


async def settled(condition, seconds):
    """Wait until something is so, or for long enough."""
    for _ in range(int(2 * seconds)):
        if condition():
            return
        await trio.sleep(0.5)


def wrong(laptops, victim, when, what):
    """Give what is wrong with how a life has ended."""
    if not laptops[victim].was_hit:
        yield "it never came to that"
    lies = what is lie and TRANSITIONS[when][0] in SIGNED
    judged = [each for place, each in enumerate(laptops) if not (lies and place == victim)]
    if any(each.outcome is None for each in judged):
        yield f"no end for {[each.name for each in judged if each.outcome is None]}"
        return
    if lies and all(each.outcome.halted for each in judged):
        if TRANSITIONS[when][1] >= SETUP or when == "view change":
            yield f"held: {laptops[0].outcome.halted}"
        return  # nobody can stand in yet: they go back to the table
    if not all(each.outcome.signed for each in judged):
        yield f"unsigned: {[(e.name, e.outcome.signed, e.outcome.halted) for e in judged]}"
    if len({each.outcome.record.state_hash for each in judged}) > 1:
        yield "they ended apart"
    for each in judged:
        report = check_record(GAME, each.outcome.record)
        found = report.finding
        named = None if found is None else report.roster.peers[found.peer].name
        if named != (laptops[victim].name if lies else None):
            yield f"the record of {each.name} names {named}: {found}"


def play(victim, when, what):
    """Play one life on a clock of its own; return what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        clock = MockClock(autojump_threshold=0.01)
        return trio.run(partial(life, folder, victim, when, what), clock=clock)


def cases():
    """Give every life: the host alone makes offers, and guests alone are not the first to end."""
    for when, what in itertools.product(TRANSITIONS, (kill, outage, long_outage, lie)):
        for victim in (0, 2):
            if victim == 0 or when not in ("forming", "offer"):
                yield victim, when, what


def main():
    faults, chosen = 0, sys.argv[1:] or TRANSITIONS
    for victim, when, what in (case for case in cases() if case[1] in chosen):
        began = time.process_time()
        found = play(victim, when, what)
        faults += bool(found)
        took = time.process_time() - began
        print(f"{what.__name__} {NAMES[victim]} at {when}: {took:.1f} s", *found, sep="\n  ")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
