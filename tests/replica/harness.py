"""Whole tables in memory: replicas, a virtual clock, links that lose order but no message."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from nacl import bindings

from lanplay.engine.chance import Chance
from lanplay.engine.question import Pick
from lanplay.games import load
from lanplay_protocol.crypto import schnorr
from lanplay_protocol.identity import Identity
from lanplay_protocol.replica import evidence, inputs, shuffling
from lanplay_protocol.replica.events import (
    Accused,
    AnswerNeeded,
    Halted,
    PhaseCompleted,
)
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.replica.messages import PhaseMessage, parse_signed, read, sign
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.restart import vote_body
from lanplay_protocol.replica.roster import Peer, Roster
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.schema import fields
from lanplay_protocol.wire import decode, encode

GAME = load("dice-town")

for _pure in (
    "crypto_core_ed25519_from_uniform",
    "crypto_core_ed25519_is_valid_point",
    "crypto_scalarmult_ed25519_noclamp",
    "crypto_sign_open",
):  # every replica of a table checks the same proofs; one process need not compute them again
    setattr(bindings, _pure, lru_cache(1 << 17)(getattr(bindings, _pure)))


def _once(module, name):
    """Let what one replica has found true be true for the others too: it is a pure function."""
    known = lru_cache(1 << 14)(getattr(module, name))

    def check(*given):
        return known(*(tuple(each) if isinstance(each, list) else each for each in given))

    setattr(module, name, check)


_once(evidence, "read")
_once(schnorr, "check")
_once(shuffling, "checked")


_decoded = lru_cache(1 << 10)(decode)  # the same bytes go to many


def received(peer, body):
    """Return what a replica is given when ``peer`` sent these bytes."""
    kind, payload = fields(_decoded(body), 2, "message")
    return inputs.Received(peer, kind, payload)


def roster(peers=3, seats=None, settings=None, game=GAME, bots=(), **options):
    seats = peers if seats is None else seats
    chosen = {name: options.get(name, values[0]) for name, values in game.options.items()}
    held = [tuple(range(place, seats, peers)) for place in range(peers)]
    entries = tuple(
        Peer(identity(place).public, f"peer {place}", held[place]) for place in range(peers)
    )
    names = tuple(f"seat {s}" for s in range(seats))
    settings = TableSettings() if settings is None else settings
    return Roster(game.name, game.fingerprint, chosen, names, entries, bots, settings)


def identity(place):
    return Identity(bytes([place + 1]) * 32)


def vote(table_roster, peer, nonce, rounds, players):
    """A vote for a new game, as its author signs it."""
    said = (peer, nonce, rounds, players)
    return (*said, identity(peer).sign("anew", vote_body(table_roster, said)))


def asks(transcript, past=None):
    """What a peer sends that asks for what is new where a transcript is."""
    return encode(("want", (*transcript.at, past or transcript.past.hash, (), (), ())))


class Walker:
    """Answers any question with legal picks drawn from a key; counts its draws."""

    def __init__(self, key: bytes) -> None:
        self._chance = Chance(key)
        self._draws = 0

    def answer(self, view, question):
        steps = question.dialogue(view)
        try:
            step = next(steps)
            while True:
                step = steps.send(self._pick(step))
        except StopIteration as end:
            return end.value

    def _below(self, limit):
        self._draws += 1
        return self._chance.below(limit, "walk", (self._draws,))

    def _pick(self, step):
        values = [option.value for option in step.options if option.why_not is None]
        if isinstance(step, Pick):
            return values[self._below(len(values))]
        while True:
            count = step.at_least + self._below(min(len(values), step.at_most) - step.at_least + 1)
            order = self._chance.permutation(len(values), "some", (self._draws,))
            chosen = tuple(values[place] for place in islice(order, count))
            if step.why_not(chosen) is None:
                return chosen


class Recorded(Replica):
    """A replica that remembers the phase of each of its own messages."""

    def __init__(self, *args):
        super().__init__(*args)
        self.phases = {}

    def _send_mine(self):
        phase, number = self.transcript.phase, self.context.phase
        sent = super()._send_mine()
        if sent:
            self.phases[number] = phase
        return sent


def lies_once(tamper):
    """What a modified peer sends that says nothing more once it has lied: else its own next words,
    which name what it had signed for itself, may convict it before the lie is judged."""
    lied = []

    def lie(table, to, move):
        if lied and move.phase > lied[0]:
            return []
        moves = tamper(table, to, move)
        if moves:
            lied.append(move.phase)
        return moves

    return lie


@dataclass
class Table:
    """``tampers[peer]`` may replace what a modified peer sends: (to, move) -> moves or None.

    With ``offload`` long work is done later than it is wanted, as by a shell's thread.
    ``game`` is given where it is none of our own.
    ``down`` holds the pairs of peers without a connection, ``dead`` the peers that do not run.
    """

    roster: Roster
    seed: bytes = b"table"
    shuffle_order: bool = True
    tampers: dict = field(default_factory=dict)
    silent: set = field(default_factory=set)
    down: set = field(default_factory=set)
    dead: set = field(default_factory=set)
    dying: set = field(default_factory=set)
    sends: list = field(default_factory=list)
    kill_at: tuple = ()
    people: tuple = ()
    offload: bool = False
    game: object = None

    def __post_init__(self):
        self.now = 0.0
        count = len(self.roster.peers)
        self.replicas = [self.replica(place) for place in range(count)]
        self.walkers = [Walker(self.seed + b"%d" % p) for p in range(count)]
        self.answerer = lambda peer, ask: self.walkers[peer].answer(
            self.replicas[peer].views[ask.seat], ask.question
        )
        self.inputs = [[] for _ in range(count)]
        self.events = [[] for _ in range(count)]
        self.disks = [[] for _ in range(count)]
        self.deadlines = [None] * count
        self.sends = [0] * count
        self.queue = deque()
        self._chance = Chance(b"order" + self.seed)
        self._turns = 0

    def start(self):
        for peer in range(len(self.replicas)):
            self.step(peer, inputs.Started())

    def step(self, peer, given):
        """Give a peer's replica an input, and do what it asks for; ``inputs`` is its whole run."""
        self.inputs[peer].append((self.now, given))
        self.handle(peer, self.replicas[peer].step(given, self.now))

    def handle(self, peer, output):
        if peer in self.dead:
            return
        if output.persist:
            self.disks[peer].append((output.persist, output.sync))
        self.deadlines[peer] = output.deadline
        for envelope in output.send:
            if peer not in self.dead:
                self._post(peer, envelope)
        for event in output.events if peer not in self.dead else ():
            self.events[peer].append(event)
            if isinstance(event, AnswerNeeded):
                self.queue.append((peer, peer, event))
        if output.job is not None and (peer, peer, output.job) not in self.queue:
            self.queue.append((peer, peer, output.job))

    def _post(self, peer, event):
        others = [p for p in range(len(self.replicas)) if p != peer]
        self.sends[peer] += 1
        here = self.kill_at[:2] == (peer, self.sends[peer]) or peer in self.dying
        for number, to in enumerate(others if event.to is None else [event.to]):
            if frozenset((peer, to)) in self.down or (here and number >= self.kill_at[2]):
                continue
            for body in self._tampered(peer, to, event.body):
                self.queue.append((peer, to, body))
        if here and peer not in self.dead:
            self.kill_at = (*self.kill_at[:2], 0)
            self.kill(peer, lost=False)

    def _tampered(self, peer, to, body):
        kind, payload = decode(body)
        if peer in self.silent:
            return []
        if kind != "move" or peer not in self.tampers:
            return [body]
        signed = parse_signed(payload)
        if signed.sender != peer:
            return [body]
        game = self._game(peer, signed.phase)
        moves = self.tampers[peer](self, to, read(signed))
        if moves is None:
            return [body]
        return [self._signed(peer, move, game) for move in moves]

    def _game(self, peer, phase):
        return self.replicas[peer].line.statements.game_id(phase)

    def _signed(self, peer, move: PhaseMessage, game):
        return encode(("move", sign(move, identity(peer), game).plain()))

    def run(self, until=lambda table: False, seconds=60.0):
        """Deliver everything; let time pass when nothing moves; stop at the end or ``until``."""
        end = self.now + seconds
        while not until(self) and self.now <= end:
            if self.dying:
                self._bury()
            if self.queue:
                self._deliver()
            elif all(self.deadlines[peer] is None for peer in self.running):
                return
            else:
                self._wait()

    def _wait(self):
        deadlines = [self.deadlines[peer] for peer in self.running]
        self.now = max(self.now, min(each for each in deadlines if each is not None))
        for peer in self.running:
            self.step(peer, inputs.Ticked())
            end = self.deadlines[peer]
            assert end is None or end > self.now, "it waits for a time that has come: it spins"

    @property
    def running(self):
        return [peer for peer in range(len(self.replicas)) if peer not in self.dead]

    @property
    def alive(self):
        return [self.replicas[peer] for peer in self.running]

    def disconnect(self, *pairs):
        """Break connections: what was on its way is lost, and both ends notice."""
        broken = {frozenset(pair) for pair in pairs} - self.down
        self.down |= broken
        self.queue = deque(
            (a, b, item) for a, b, item in self.queue if frozenset((a, b)) not in broken
        )
        for one, other in sorted(map(sorted, broken)):
            for peer, gone in ((one, other), (other, one)):
                if peer not in self.dead:
                    self.step(peer, inputs.LinkDown(gone))

    def connect(self, *pairs):
        """Make new connections: both ends notice."""
        made = {frozenset(pair) for pair in pairs} & self.down
        self.down -= made
        for one, other in sorted(map(sorted, made)):
            for peer, back in ((one, other), (other, one)):
                if peer not in self.dead:
                    self.step(peer, inputs.LinkUp(back))

    def pairs(self, peer):
        """All pairs of a peer with another."""
        return [(peer, other) for other in range(len(self.replicas)) if other != peer]

    def kill(self, peer, lost=True):
        """End a program at once: what it had sent is ``lost``, or arrives before its end shows."""
        self.dead.add(peer)
        self.queue = deque((a, b, item) for a, b, item in self.queue if b != peer)
        if lost:
            self.disconnect(*self.pairs(peer))
        else:
            self.dying.add(peer)

    def _bury(self):
        for peer in sorted(self.dying - {sender for sender, _, _ in self.queue}):
            self.dying.discard(peer)
            self.disconnect(*self.pairs(peer))

    def restart(self, peer, flushed=True, incomplete=False):
        """Start a program again from what it had kept, and connect it to all who run.

        Unless ``flushed``, what it wrote after its last sync is lost: the power failed.
        ``incomplete``: it says itself that it misses something.
        """
        self.dead.discard(peer)
        self.dying.discard(peer)
        self.disconnect(*self.pairs(peer))
        kept = self.kept(peer, flushed)
        self.disks[peer] = [(kept, True)]
        self.replicas[peer] = self.replica(peer)
        for other in range(len(self.replicas)):
            if other != peer:
                self.step(peer, inputs.LinkDown(other))
        self.step(peer, inputs.Restored(kept, incomplete))
        self.connect(*(pair for pair in self.pairs(peer) if pair[1] not in self.dead))

    def kept(self, peer, flushed=True):
        """Return what a program finds on its disk; see ``restart``."""
        steps = self.disks[peer]
        last = max((number for number, (_, sync) in enumerate(steps) if sync), default=-1)
        return tuple(e for entries, _ in (steps if flushed else steps[: last + 1]) for e in entries)

    def replica(self, place):
        seed = (self.seed * 32)[:31] + bytes([place])
        game = self.game or load(self.roster.game)
        replica = Recorded(game, self.roster, self.identity(place), seed)
        replica.jobs.offload = self.offload
        return replica

    def identity(self, place):
        """The identity of a peer; ``people`` names them where they are not the first ones."""
        return identity(self.people[place] if self.people else place)

    def _deliver(self):
        self._turns += 1
        if self.shuffle_order:
            self.queue.rotate(-self._chance.below(len(self.queue), "turn", (self._turns,)))
        sender, to, item = self.queue.popleft()
        replica = self.replicas[to]
        if to in self.dead:
            return
        if isinstance(item, AnswerNeeded):
            if item.question in dict(replica._questions()).values():
                self.step(to, inputs.Answered(item.seat, self.answerer(to, item)))
        elif isinstance(item, Job):
            self.step(to, inputs.JobDone(item, item.run()))
        elif not replica.halted:
            self.step(to, received(sender, item))

    def of(self, peer, kind):
        return [event for event in self.events[peer] if isinstance(event, kind)]

    def trace(self, peer):
        return [(e.phase, e.transcript, e.state) for e in self.of(peer, PhaseCompleted)]

    def accused(self, peer):
        return {(event.peer, event.code) for event in self.of(peer, Accused)}

    def is_over(self):
        return all(replica.over for replica in self.alive)

    def is_halted(self, peers):
        return all(self.of(peer, Halted) for peer in peers)

    def is_settled(self, peers):
        """Tell whether the game of some peers has ended, or is held."""
        return all(self.replicas[peer].over or self.replicas[peer].halted for peer in peers)

    def plays_on(self, peers):
        """Tell whether the game has ended for some peers alike, or was held before it began."""
        replicas = [self.replicas[peer] for peer in peers]
        if all(replica.halted and not replica.transcript.begun for replica in replicas):
            return True
        ends = {(r.context.transcript_hash, r.context.referee.table.hash()) for r in replicas}
        return all(replica.over for replica in replicas) and len(ends) == 1


def parts(move, new):
    """Return the move with other parts."""
    return replace(move, parts=new)
