"""Tables from their lobby to the first question of their game, with a liar among the laptops: real
programs over real sockets, on a virtual clock.

    python -m tests.shell.lobby_lies --seconds 600 --from 0 --report
    python -m tests.shell.lobby_lies --again 17

Of what a modified program sends it withholds, spoils, repeats, keeps back, or tells somebody else
what it likes, and it makes up words of every kind: offers, accepts of any table, term and offer,
certificates, refusals, tables, farewells. Meanwhile honest programs end, are started again, and are
without a network. In the end all of them run, reach each other, and the liar is gone.
``test_lobby_lies.py`` plays some.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
import traceback
from collections import Counter, deque
from dataclasses import replace
from functools import partial

import trio
from trio.testing import MockClock

from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica.start import ACCEPT, Accept, accept, accepts_of
from lanplay_protocol.wire import encode
from tests.byzantine.coverage import report
from tests.byzantine.draws import Draws
from tests.byzantine.lies import spoiled
from tests.shell.life_cycle import CUT, GRACE, LOOPBACK, Laptop, cut_off, decode, outage
from tests.shell.test_forming import wish
from tests.shell.test_table import Player

NAMES = ("host", "ann", "ben", "cid")
LAST = 8 * GRACE
"""Seconds in which all must have come to something, once all is well."""
HOWS = ("true",) * 5 + ("nothing", "spoiled", "twice", "late", "elsewhere", "made up", "both")
WORDS = (ACCEPT, "offer", "start", "table", "left", "refuse", "out", "no", "join", "seat", "game")
WORDS += ("chat",)
CUTS = (1, 5, GRACE - 2, GRACE + 3)


class Thinker(Player):
    """A person who never answers: what is played after that is another campaign's."""

    async def answer(self, seat, view, question, bot):
        await trio.sleep_forever()


class Honest(Laptop):
    """A real program, and what it has signed. ``agreeing``: it has accepted, and waits."""

    person, agreeing, dead = Thinker, False, False

    def accepted(self, offer):
        super().accepted(offer)
        self.agreeing = True
        self.table.offers.append(offer.roster)

    def saw(self, info):
        self.agreeing = False
        super().saw(info)

    def tap(self):
        super().tap()
        real = self.node.send

        def send(identity, body):
            real(identity, body)
            kind, payload = decode(body)
            if kind == ACCEPT:
                self.table.heard(self, payload)

        self.node.send = send

    async def sit(self, seat):
        try:
            await super().sit(seat)
        except (PeerError, OSError) as error:
            self.refused = self.refused or str(error) or "nothing answers"

    async def attend(self, address):
        self.hosting = None
        return await super().attend(address)

    @property
    def replica(self):
        return self.running and self.running._replica

    @property
    def state(self):
        """Where it is: what its person sees."""
        if self.outcome is not None:
            return "held" if self.outcome.halted else "ended"
        if self.running is not None:
            opened = self.replica.transcript.begun
            return "playing" if opened else type(self.replica.transcript.phase).__name__
        if self.refused:
            return "told why not"
        return "agreeing" if self.agreeing else "forming"


class Liar(Honest):
    """A modified program: what its key can sign it may say, to anybody, at any time."""

    def tap(self):
        Laptop.tap(self)
        real, self.old = self.node.send, deque(maxlen=60)

        def say(identity, body, how):
            self.table.lied(self, identity, body, how)
            real(identity, body)

        async def later(identity, body, seconds):
            await trio.sleep(seconds)
            say(identity, body, "late")

        def send(identity, body):
            draws, how = self.table.draws, "true"
            if self.table.lies > 0:
                how = draws.pick(HOWS)
            self.table.lies -= how != "true"
            self.old.append(body)
            if how in ("true", "twice", "both"):
                real(identity, body)
            if how == "twice":
                say(identity, body, how)
            elif how in ("spoiled", "both"):
                say(identity, self.spoiled(body), how)
            elif how == "late":
                self.node._nursery.start_soon(later, identity, body, draws.pick((1, 5, 20)))
            elif how == "elsewhere":
                say(self.somebody(), draws.pick(self.old), how)
            elif how == "made up":
                say(identity, self.made_up(), how)
            elif how == "nothing":
                self.table.lied(self, identity, body, how)

        self.node.send, self.say = send, say

    def somebody(self):
        others = [each for each in self.table.laptops if each is not self]
        return self.table.draws.pick(others).identity.public

    def inject(self):
        """Say something unasked."""
        self.say(self.somebody(), self.made_up(), "unasked")

    def spoiled(self, body):
        """Change a message, in one place; what it has signed it signs again."""
        kind, payload = decode(body)
        draws = self.table.draws
        if kind == ACCEPT and payload[0] == self.identity.public and draws.below(4):
            return self.accept()
        older = [p for k, p in map(decode, self.old) if k == kind]
        return self._encoded(kind, spoiled(payload, draws, older)) or body

    def _encoded(self, kind, payload):
        try:
            return encode((kind, payload))
        except (TypeError, ValueError, OverflowError):
            return b""

    def offer(self):
        """An offer that was made, or one like it that nobody was shown."""
        draws, offers = self.table.draws, self.table.offers
        roster = replace(draws.pick(offers[::-1]), accepts=())
        term = max(0, roster.term + draws.pick((0, 0, 1, 2, -1, 63)))
        changes = ({}, {"term": term}, {"table": "e" * 32}, {"options": {"any": "thing"}})
        return replace(roster, **draws.pick(changes))

    def accept(self):
        return encode((ACCEPT, accept(self.offer(), self.identity).plain()))

    def made_up(self):
        """Words of any kind, whatever it is there for: signed where its own key can sign them."""
        draws, info, table = self.table.draws, self.info, self.table
        kind = draws.pick(WORDS if table.offers and info else WORDS[4:])
        if kind == ACCEPT:
            return self.accept()
        if kind == "offer":
            roster = self.offer()
            return encode((kind, (roster.plain(), accept(roster, self.identity).signature)))
        if kind == "start":
            some = [each for each in table.accepts.values() if draws.below(4)]
            return encode((kind, tuple(each.plain() for each in some[-6:])))
        if kind == "table":
            few = info.guests[: 1 + draws.below(len(info.guests))]
            others = tuple(g for g in info.guests if g.identity != self.identity.public)
            mine = next((g for g in info.guests if g.identity == self.identity.public), None)
            hosts = (mine, *others) if mine else info.guests
            barred = (few[-1].identity,)
            changes = ({"term": info.term + draws.pick((1, 2, 63))}, {"guests": hosts})
            there = ((LOOPBACK, self.port),)
            places = (
                {"addresses": there, "places": ()},
                {"places": there},
                {"signature": few[-1].signature},
            )
            lied = tuple(replace(each, **draws.pick(places)) for each in info.guests)
            more = (
                {"guests": lied},
                {"guests": few},
                {"barred": barred},
                {"people": 2},
                {"name": "x"},
            )
            return encode((kind, replace(info, **draws.pick((*changes, *more))).plain()))
        if kind == "join":
            return wish(self.identity, draws.pick(("liar", "ann")))
        words = {
            "left": (),
            "refuse": (draws.below(4), draws.pick(("options", "term", "form", "x"))),
            "out": ("no seat", ()),
            "no": ("no seat", ()),
            "seat": "zoe",
            "chat": draws.pick(((), "x", ((self.identity.public, 1, self.name, "x", bytes(64)),))),
            "game": draws.pick((bytes(32), *(each.digest() for each in table.offers[-2:]))),
        }
        return encode((kind, words[kind]))


class Forming:
    """One schedule: its laptops, what they have signed, and what went wrong."""

    def __init__(self, number, folder, liars=1):
        self.draws = Draws(b"lobby %d" % number)
        self.offers, self.accepts, self.signed = [], {}, {}
        self.seen, self.faults, self.told = Counter(), [], []
        self.acts, self.lies = 0, 1 + self.draws.below(30)
        self.laptops, lying = [], {self.draws.below(len(NAMES))}
        while len(lying) < liars:
            lying.add(self.draws.below(len(NAMES)))
        for place, name in enumerate(NAMES):
            each = (Liar if place in lying else Honest)(name, folder)
            each.table, each.when = self, "forming"
            self.laptops.append(each)

    @property
    def honest(self):
        return [each for each in self.laptops if not isinstance(each, Liar)]

    @property
    def liars(self):
        return [each for each in self.laptops if isinstance(each, Liar)]

    def heard(self, laptop, payload):
        """Take note of an accept; an honest key signs one offer of a term."""
        given = Accept(*payload)
        self.accepts[given.public, given.term, given.offer] = given
        for each in self.honest:
            if given.public == each.identity.public:
                slot = (given.public, given.table, given.term)
                if self.signed.setdefault(slot, given.offer) != given.offer:
                    self.faults.append(f"{each.name} signed two offers of term {given.term}")

    def lied(self, liar, identity, body, how):
        kind = str(decode(body)[0])
        to = next((each for each in self.laptops if each.identity.public == identity), None)
        if to is None or to is liar:
            return
        self.acts += 1
        term = "term 0" if not (to.info and to.info.term) else "a later term"
        role = "a host" if liar.hosting is not None else "a guest"
        self.seen[kind, how, "host" if to.hosting else "guest", to.state, f"{term}, by {role}"] += 1
        self.told.append(f"{trio.current_time():.1f}: {liar.name} to {to.name}: {kind} {how}")

    async def play(self):
        """Let them meet, lie and fail; then all is well, and it has to come to something."""
        async with trio.open_nursery() as nursery:
            host = await nursery.start(partial(self.laptops[0].run, seats=4, people=4))
            for each in self.laptops[1:]:
                await nursery.start(each.run, (LOOPBACK, host.port))
                await trio.sleep(self.draws.pick((0, 0.1, 1)))
            for _ in range(self.draws.below(80) + 2):
                await trio.sleep(0.5)
                if self.draws.one_in(6):
                    (self.liars[0] if len(self.liars) < 2 else self.draws.pick(self.liars)).inject()
                if self.draws.one_in(20):
                    await self.fail(nursery)
            await self.heal(nursery)
            began, settled = trio.current_time(), 0
            while trio.current_time() < began + LAST and settled < 20:
                await trio.sleep(0.5)
                over = all(e.state in ("playing", "held", "told why not") for e in self.honest)
                settled = settled + 1 if over else 0
            self.judge()
            nursery.cancel_scope.cancel()

    async def fail(self, nursery):
        """Let something happen to an honest laptop."""
        hit = self.draws.pick(self.honest)
        what = self.draws.pick(("outage", "cut off", "end", "again"))
        self.told.append(f"{trio.current_time():.1f}: {what} {hit.name}")
        self.acts += 1
        if what == "end" and not hit.dead:
            hit.dead = True
            hit.die()
        elif what == "again":
            await self.again(hit, nursery)
        elif hit.dead or hit.refused:
            return  # its program has ended
        elif what == "outage":
            outage(hit, b"")
        elif what == "cut off":
            hit.node._nursery.start_soon(cut_off, hit, self.draws.pick(CUTS))

    async def again(self, hit, nursery):
        if not hit.dead:
            return
        hit.dead, hit.hosting, hit.running, hit.outcome, hit.refused = False, None, None, None, ""
        hit.info, hit.agreeing = None, False
        running = [each for each in self.honest if not each.dead and each is not hit]
        other = next((e for e in running if e.hosting), running[0] if running else self.laptops[0])
        await nursery.start(hit.again, (LOOPBACK, other.port))

    async def heal(self, nursery):
        """Every honest program runs and has a network; the liar is gone, or as honest as others."""
        self.lies = 0
        for liar in self.liars:
            if self.draws.below(2):
                liar.die()
                self.told.append(f"{trio.current_time():.1f}: {liar.name} ends")
        await trio.sleep(max(CUTS) + 1)
        CUT.clear()
        for each in self.honest:
            await self.again(each, nursery)

    def judge(self):
        """Say what is wrong with where the honest programs are."""
        states = {each.name: each.state for each in self.honest}
        games = {e.replica.roster.digest() for e in self.honest if e.state == "playing"}
        if len(games) > 1:
            self.faults.append(f"they play two games: {states}")
        standing = [n for n, s in states.items() if s not in END]
        if standing:
            self.faults.append(f"{', '.join(standing)} stand in a start: {states}")
        hosts = [each for each in self.honest if each.state == "forming" and each.hosting]
        if len(hosts) > 1 and len({each.info.table for each in hosts}) < len(hosts):
            self.faults.append(f"two hosts: {states}")
        honest = {each.identity.public: each.name for each in self.honest}
        for each in self.honest:
            if each.replica is not None:
                peers = each.replica.roster.peers
                named = [honest.get(peers[place].public) for place in each.replica.convicted]
                if any(named):
                    self.faults.append(f"{each.name} convicts {named}")
                self.certain(each)

    def certain(self, laptop):
        """A game hangs on what all have signed: honest peers in it have accepted this very one."""
        for each in accepts_of(laptop.replica.roster):
            slot = (each.public, each.table, each.term)
            if slot in self.signed and self.signed[slot] != each.offer:
                self.faults.append(f"{laptop.name} is in a game that another has not accepted")


END = ("playing", "held", "ended", "told why not", "forming")


def play(number, liars=1):
    """Play one schedule on a clock of its own."""
    CUT.clear()
    with tempfile.TemporaryDirectory() as folder:
        forming = Forming(number, folder, liars)
        try:
            trio.run(forming.play, clock=MockClock(autojump_threshold=0.01))
        except BaseExceptionGroup as errors:
            forming.faults.append("".join(traceback.format_exception(errors)[-12:]))
        return forming


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--again", type=int, help="one schedule, with all that happens")
    parser.add_argument("--liars", type=int, choices=(1, 2), default=1)
    parser.add_argument("--report", action="store_true", help="what was covered, and what was not")
    args = parser.parse_args()
    if args.again is not None:
        found = play(args.again, args.liars)
        print(f"liars {[each.name for each in found.liars]}", *found.told, *found.faults, sep="\n")
        print({each.name: each.state for each in found.laptops})
        return bool(found.faults)
    seen, states, end = Counter(), Counter(), time.monotonic() + args.seconds
    wrong = idle = count = 0
    for number in itertools.count(args.first):
        if time.monotonic() > end:
            break
        found = play(number, args.liars)
        count, idle, wrong = count + 1, idle + (not found.acts), wrong + bool(found.faults)
        seen += found.seen
        states.update(each.state for each in found.honest)
        if found.faults:
            print(f"--again {number}:", *found.faults, sep="\n  ", flush=True)
    print(f"{count} schedules from {args.first}, {idle} idle, {wrong} wrong; {len(seen)} lies")
    print("honest laptops:", ", ".join(f"{name} {n}" for name, n in sorted(states.items())))
    print(*(report(seen) if args.report else ()), sep="\n")
    hours = time.process_time() / 3600
    print(f"lies = {sum(seen.values())}, combinations = {len(seen)}, hours = {hours:.3f}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
