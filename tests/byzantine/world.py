"""A table of honest replicas and liars on a virtual clock: anything may happen at any step."""

from __future__ import annotations

from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field

from lanplay.engine.dialogue import Illegal
from lanplay.games import load
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import (
    Accused,
    AnswerNeeded,
    GameOver,
    Halted,
    PhaseCompleted,
    SeatReassigned,
)
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import StatusMessage, sign
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.wire import encode
from tests.byzantine.coverage import Lie, lie
from tests.byzantine.draws import Draws
from tests.byzantine.lies import forged, resigned, spoiled
from tests.byzantine.secrets import Recorded, Secrets
from tests.byzantine.witnesses import checked, read_again, watched
from tests.replica.harness import Walker, identity, received

QUIET = 6
"""Phases that must follow when the lies and faults have ended, or the end of the game."""
FAULTS = (
    *("sleep", "wake", "crash", "restart", "cut", "join"),
    *("skip", "keep", "away", "disk", "leave"),
)
"""What may happen to an honest laptop, or its person may wish."""
VOTE = 100.0
"""Seconds of the table's clock without progress after which people vote not to wait."""
PATIENCE = 600.0
"""Seconds after which nothing follows any more."""
MEET = 3.0
"""Seconds that a proof may be on its way when all have gone on."""
TURNS = 30_000
"""Steps after which a schedule that still talks is taken for one that never ends."""
HELD = 5.0
"""Seconds after which people leave a table that is held: they open another one."""
SEEN = 3
"""One in so many schedules is looked at by others in the end."""
MEMORY = 200
"""Messages of before that a liar may send again."""


@dataclass
class Actor:
    """One laptop: its program, for a liar a second one under its key (`twin`), and its disk."""

    place: int
    replica: Recorded
    twin: Replica
    walkers: tuple[Walker, Walker]
    disk: list[tuple[tuple, bool]] = field(default_factory=list)
    deadline: float | None = None
    asleep: bool = False
    dead: bool = False
    touched: bool = False
    """Whether it was ever down, asleep, or without one of its links."""
    held: float | None = None
    """Since when its game is held."""
    secrets: Secrets = field(default_factory=Secrets)


@dataclass(frozen=True)
class Parcel:
    """A message, or a question to a person, on its way since before `due`."""

    sender: int
    to: int
    item: object
    due: float = 0.0


class World:
    """The table. `play` goes on honestly; `schedule` lets liars and faults loose."""

    def __init__(self, roster: Roster, seed: bytes) -> None:
        self.roster, self.seed, self.now = roster, seed, 0.0
        self.actors = [self._actor(place) for place in range(len(roster.peers))]
        self.queue: list[Parcel] = []
        self.down: set[frozenset[int]] = set()
        self.refused: set[frozenset[int]] = set()
        self.liars: frozenset[int] = frozenset()
        self.drawn = False
        self.sides: dict[int, set[int]] = {}
        self.lies = 0
        self.circling = False
        self.circled: set[tuple[int, int]] = set()
        self.older: deque[tuple[str, object]] = deque(maxlen=MEMORY)
        self._last: tuple[object, str, bytes] = ((), "", b"")
        self.draws = Draws(seed)
        self.faults: list[str] = []
        self.told: list[str] = []
        self.seen: Counter[Lie] = Counter()
        self.convicted: dict[int, set[int]] = {p.place: set() for p in self.actors}
        self.lines: dict[int, dict[tuple[int, int], bytes]] = {p.place: {} for p in self.actors}
        self.parted: dict[tuple[int, int], tuple[int, int]] = {}
        self.ended: set[int] = set()
        self.turns = 0
        self.kept: list[tuple[Actor, int]] = []  # who wished to wait for whom
        self.acts = 0  # lies told and faults that happened
        self.verbose = False

    def _actor(self, place: int) -> Actor:
        walkers = (Walker(self.seed + b"%d" % place), Walker(self.seed + b"twin %d" % place))
        return Actor(place, self._replica(place), self._replica(place), walkers)

    def _replica(self, place: int) -> Recorded:
        seed = (self.seed * 32)[:31] + bytes([place])
        return Recorded(load(self.roster.game), self.roster, identity(place), seed)

    # -- steps ---------------------------------------------------------------------------------

    def start(self) -> None:
        for actor in self.actors:
            self.step(actor, inputs.Started())

    def step(self, actor: Actor, given: inputs.Input) -> None:
        """Give a laptop an input, and do what its program asks for."""
        if actor.dead:
            return
        lies = actor.place in self.liars
        try:
            output = actor.replica.step(given, self.now)
        except PeerError as error:
            self._refused(actor, given, error)
            output = None
        except Exception as error:
            if not lies:
                self.faults.append(f"{actor.place} raised {error!r} at {given!r:.300}")
            output = None
        if output is not None:
            self._handle(actor, output, actor.replica)
        if not isinstance(given, inputs.Answered) and self._has_twin(actor):
            self._step_twin(actor, given, lies)

    def _has_twin(self, actor: Actor) -> bool:
        """Tell whether a second program may still speak for a peer: before it is known who lies
        any may, then those of liars who have two sides."""
        return not self.drawn or actor.place in self.sides

    def _step_twin(self, actor: Actor, given: inputs.Input, lies: bool) -> None:
        try:
            output = actor.twin.step(given, self.now)
        except Exception:
            return
        if lies:
            self._handle_twin(actor, output)

    def _refused(self, actor: Actor, given: inputs.Input, error: PeerError) -> None:
        """Close the connection of a peer that broke the protocol; it is made again at once."""
        if not isinstance(given, inputs.Received) or actor.place in self.liars:
            return
        if given.peer not in self.liars:
            what = f"{error} ({given!r:.300})"
            self.faults.append(f"{actor.place} closes honest {given.peer}: {what}")
        self.cut(actor.place, given.peer)
        self.join(actor.place, given.peer)

    def _handle(self, actor: Actor, output, replica: Recorded) -> None:
        if output.persist:
            actor.disk.append((output.persist, output.sync))
        actor.deadline = output.deadline
        if actor.place not in self.liars:
            actor.secrets.collect(replica)
            for envelope in output.send:
                for what in actor.secrets.let_out(replica, envelope):
                    self.faults.append(f"{actor.place} lets out {what} in {envelope.kind}")
        for envelope in output.send:
            self._post(actor.place, envelope)
        for event in output.events:
            self._event(actor, event)
        if output.job is not None:
            self.queue.append(Parcel(actor.place, actor.place, output.job, self.now))

    def _handle_twin(self, actor: Actor, output) -> None:
        for envelope in output.send:
            for to in self._others(actor.place, envelope.to):
                if to in self.sides.get(actor.place, ()):
                    self._send(actor.place, to, envelope.kind, envelope.payload, "twin")
        for event in output.events:
            if isinstance(event, AnswerNeeded):
                try:
                    answer = actor.walkers[1].answer(actor.twin.views[event.seat], event.question)
                    self._handle_twin(
                        actor, actor.twin.step(inputs.Answered(event.seat, answer), self.now)
                    )
                except Exception:
                    continue

    def _event(self, actor: Actor, event: object) -> None:
        honest = actor.place not in self.liars
        if self.verbose:
            where = (*position(actor.replica), type(actor.replica.transcript.phase).__name__)
            self.told.append(f"{self.now:.1f}: {actor.place} at {where}: {event!r:.160}")
        if isinstance(event, AnswerNeeded):
            self.queue.append(Parcel(actor.place, actor.place, event, self.now))
        elif not honest:
            return
        elif isinstance(event, Accused):
            self.convicted[actor.place].add(event.peer)
            if event.peer not in self.liars:
                self.faults.append(f"{actor.place} convicts honest {event.peer}: {event}")
        elif isinstance(event, PhaseCompleted):
            self._completed(actor, event)
        elif isinstance(event, SeatReassigned):
            self._reassigned(actor, event)
        elif isinstance(event, GameOver):
            self.ended.add(actor.place)
        elif isinstance(event, Halted):
            actor.held = self.now
            self.told.append(f"{self.now:.1f}: {actor.place} is held: {event}")

    def _completed(self, actor: Actor, event: PhaseCompleted) -> None:
        at = (view_of(actor.replica), event.phase)
        self.lines[actor.place][at] = event.transcript
        for other in self.honest:
            if self.lines[other.place].get(at, event.transcript) != event.transcript:
                self.parted[actor.place, other.place] = at

    def _reassigned(self, actor: Actor, event: SeatReassigned) -> None:
        owner = next(p for p, peer in enumerate(self.roster.peers) if event.seat in peer.seats)
        kept = owner not in self.liars and not self.actors[owner].touched
        steady = sum(not each.touched for each in self.honest)
        if kept and steady > len(self.actors) // 2 and event.holder.peer != owner:
            self.faults.append(f"{actor.place} gives honest {owner}'s seat {event.seat} away")

    @property
    def honest(self) -> list[Actor]:
        return [each for each in self.actors if each.place not in self.liars]

    def _others(self, place: int, to: int | None) -> list[int]:
        return [p for p in range(len(self.actors)) if p != place] if to is None else [to]

    # -- messages ------------------------------------------------------------------------------

    def _post(self, sender: int, envelope) -> None:
        self.older.append((envelope.kind, envelope.payload))
        for to in self._others(sender, envelope.to):
            if sender in self.liars:
                if self.circling and envelope.kind == "move":
                    continue
                if self.refused and envelope.kind == "alive":
                    continue
                if to not in self.sides.get(sender, ()):
                    self._lie(sender, to, envelope.kind, envelope.payload)
            else:
                self._send(sender, to, envelope.kind, envelope.payload)

    def _send(self, sender: int, to: int, kind: str, payload, how="true", wait=0.0) -> None:
        if sender in self.liars and how != "true":
            if to not in self.liars:
                self.seen[lie(kind, how, self.actors[to].replica)] += 1
            self.told.append(f"{self.now:.1f}: {sender} to {to}: {kind} {how}")
            self.acts += 1
        if frozenset((sender, to)) not in self.down and not self.actors[to].dead:
            try:
                body = self._encoded(kind, payload)
            except (TypeError, ValueError, OverflowError):
                return  # nothing that can be sent
            self.queue.append(Parcel(sender, to, body, self.now + wait))

    def _encoded(self, kind: str, payload) -> bytes:
        """Return the bytes of a message, which goes to many."""
        if self._last[0] is not payload or self._last[1] != kind:
            self._last = (payload, kind, encode((kind, payload)))
        return self._last[2]

    def _lie(self, sender: int, to: int, kind: str, payload) -> None:
        """Send what a liar makes of a message that is due to somebody."""
        how = "true"
        if self.lies > 0:
            how = self.draws.pick(
                ("true", "true", "true", "nothing", "spoiled", "old", "late", "twice", "both")
            )
            self.lies -= how != "true"
        if how in ("true", "twice", "both", "late"):
            wait = self.draws.pick((1.0, 5.0, 20.0, 60.0)) if how == "late" else 0.0
            self._send(sender, to, kind, payload, how, wait)
        if how in ("spoiled", "both"):
            self._send(sender, to, kind, self._spoiled(sender, kind, payload), how)
        if how == "twice":
            self._send(sender, to, kind, payload, how)
        if how == "old" and self.older:
            self._send(sender, to, *self.draws.pick(self.older), how)
        if how == "nothing":
            self._send(sender, to, kind, payload, how, 1e9)

    def _spoiled(self, sender: int, kind: str, payload):
        older = [each for name, each in self.older if name == kind]
        if self.draws.below(4):  # what it signs, it signs again
            again = resigned(self.actors[sender].replica, sender, kind, payload, self.draws, older)
            if again is not None:
                return again
        return spoiled(payload, self.draws, older)

    # -- time and turns ------------------------------------------------------------------------

    def turn(self) -> bool:
        """Deliver one parcel, or let time pass; return whether anything is left to do."""
        self.turns += 1
        for actor in self.actors:
            if actor.held is not None and not actor.dead and self.now >= actor.held + HELD:
                self.told.append(f"{self.now:.1f}: {actor.place} leaves")
                self.crash(actor)
        # what one link brings comes in turn
        first: dict[tuple[int, int, int], int] = {}
        for n, parcel in enumerate(self.queue):
            if parcel.due <= self.now and not self.actors[parcel.to].asleep:
                own = n if parcel.sender == parcel.to else -1
                first.setdefault((parcel.sender, parcel.to, own), n)
        ready = list(first.values())
        if ready:
            parcel = self.queue.pop(ready[self.draws.below(len(ready))])
            self._deliver(parcel)
            return True
        times = [p.due for p in self.queue if not self.actors[p.to].asleep and p.due < 1e8]
        awake = [a for a in self.actors if not a.dead and not a.asleep]
        times += [a.deadline for a in awake if a.deadline is not None]
        times += [a.held + HELD for a in awake if a.held is not None]
        if not times:
            return False
        self.now = max(self.now, min(times))
        for actor in awake:
            if actor.deadline is not None and actor.deadline <= self.now:
                self.step(actor, inputs.Ticked())
                if actor.deadline is not None and actor.deadline <= self.now:
                    self.faults.append(f"{actor.place} waits for a time that has come: it spins")
        return True

    def _deliver(self, parcel: Parcel) -> None:
        actor = self.actors[parcel.to]
        item = parcel.item
        if isinstance(item, bytes):
            try:
                given = received(parcel.sender, item)
            except PeerError:
                return
            self.step(actor, given)
        elif isinstance(item, AnswerNeeded):
            if item.question in dict(actor.replica._questions()).values():
                view = actor.replica.views[item.seat]
                answer = actor.walkers[0].answer(view, item.question)
                self.step(actor, inputs.Answered(item.seat, answer))
                self._answer_twin(actor, item.seat, answer)
        else:
            self.step(actor, inputs.JobDone(item, item.run()))

    def _answer_twin(self, actor: Actor, seat: int, answer) -> None:
        """Before it lies, a liar's second program answers as the first does."""
        if self.drawn:
            return
        with suppress(ValueError, Illegal):
            actor.twin.step(inputs.Answered(seat, answer), self.now)

    # -- faults --------------------------------------------------------------------------------

    def fault(self) -> None:
        """Let something happen to an honest laptop."""
        actor = self.honest[self.draws.below(len(self.honest))]
        what = self.draws.pick(FAULTS)
        self.told.append(f"{self.now:.1f}: {what} {actor.place}")
        self.acts += 1
        if what == "sleep" and not actor.dead:
            actor.asleep = actor.touched = True
        elif what == "wake":
            self.wake(actor)
        elif what == "crash":
            self.crash(actor)
        elif what == "restart" and actor.dead:
            self.restart(actor, flushed=not self.draws.below(2))
        elif what in ("cut", "join"):
            other = self._others(actor.place, None)
            to = other[self.draws.below(len(other))]
            (self.cut if what == "cut" else self.join)(actor.place, to)
        elif what in ("skip", "keep") and not actor.dead and not actor.asleep:
            to = self._others(actor.place, None)
            wish = inputs.SkipWait if what == "skip" else inputs.KeepWaiting
            about = to[self.draws.below(len(to))]
            self.step(actor, wish(about))
            if what == "keep":
                self.kept.append((actor, about))
        elif what == "disk" and not actor.dead and not actor.asleep:
            self.step(actor, inputs.JournalFailed())
        elif what == "leave" and not actor.dead and not actor.asleep:
            self.step(actor, inputs.Leaving())
            self.crash(actor)
        elif what == "away" and not actor.dead and not actor.asleep:
            seats = self.roster.peers[actor.place].seats
            away = frozenset() if self.draws.below(2) else frozenset(seats)
            self.step(actor, inputs.AwayChanged(away))

    def wake(self, actor: Actor) -> None:
        """Let a stalled program run again: it reads what has come, and notices that it stood."""
        if not actor.asleep:
            return
        actor.asleep = False
        for parcel in [p for p in self.queue if p.to == actor.place and p.due <= self.now]:
            if parcel in self.queue:  # a link may have been closed over one before it
                self.queue.remove(parcel)
                self._deliver(parcel)
        self.step(actor, inputs.Woken())
        self.step(actor, inputs.Ticked())

    def crash(self, actor: Actor) -> None:
        """End a program at once; what it had sent may arrive before others notice."""
        if actor.dead:
            return
        self.wake(actor)
        for other in self._others(actor.place, None):
            self.cut(actor.place, other)
        actor.dead = actor.touched = True
        self.queue = [p for p in self.queue if p.to != actor.place]

    def restart(self, actor: Actor, flushed: bool = True) -> None:
        """Start a program again from what is on its disk."""
        if not actor.dead or actor.held is not None:
            return
        actor.dead = False
        steps = actor.disk
        last = max((number for number, (_, sync) in enumerate(steps) if sync), default=-1)
        kept = tuple(e for entries, _ in (steps if flushed else steps[: last + 1]) for e in entries)
        actor.disk = [(kept, True)]
        actor.replica = self._replica(actor.place)
        actor.deadline = None
        for other in self._others(actor.place, None):
            self.step(actor, inputs.LinkDown(other))
        self.step(actor, inputs.Restored(kept))
        for other in self._others(actor.place, None):
            if not self.actors[other].dead:
                self.join(actor.place, other)

    def cut(self, one: int, other: int) -> None:
        """Break a link: what was on its way is lost, and both ends notice."""
        pair = frozenset((one, other))
        if pair in self.down:
            return
        self.down.add(pair)
        self.queue = [p for p in self.queue if frozenset((p.sender, p.to)) != pair]
        for a, b in ((one, other), (other, one)):
            self.actors[a].touched |= b not in self.liars
            self.step(self.actors[a], inputs.LinkDown(b))

    def join(self, one: int, other: int) -> None:
        """Make a link again: both ends notice."""
        pair = frozenset((one, other))
        if pair not in self.down - self.refused:
            return
        if self.actors[one].dead or self.actors[other].dead:
            return
        self.down.discard(pair)
        for a, b in ((one, other), (other, one)):
            self.step(self.actors[a], inputs.LinkUp(b))

    def heal(self) -> None:
        """End all faults: every honest program runs, and hears every other one.

        Who wished to wait for somebody however long it takes does not wish it any more.
        """
        for actor in self.honest:
            self.wake(actor)
            self.restart(actor)
        for one in range(len(self.actors)):
            for other in range(one):
                self.join(one, other)
        for actor, about in self.kept:
            self.step(actor, inputs.SkipWait(about))
        self.kept.clear()

    # -- a schedule ----------------------------------------------------------------------------

    def lose(self, place: int) -> None:
        """Play on until a laptop that is switched off has been left out."""
        while self.turn() and self.actors[0].replica.transcript.number < SETUP + 2:
            pass
        self.crash(self.actors[place])
        left = [each for each in self.actors if each.place != place]
        while self.turn() and not all(each.replica.transcript.views for each in left):
            pass

    def schedule(self, draws: Draws, liars: int, faults: bool = True, whole: bool = False) -> None:
        """Let `liars` of the peers lie and laptops fail for a while; then the game must go on.

        A ``whole`` one is a game from its beginning: it has to come to its end.
        """
        self.draws = draws
        alive = [actor.place for actor in self.actors if not actor.dead]
        first = draws.below(len(alive))
        self.liars = frozenset(alive[(first + step) % len(alive)] for step in range(liars))
        for liar in sorted(self.liars):
            sides = draws.below(1 << len(self.actors)) if draws.below(2) else 0
            if theirs := {p for p in alive if sides >> p & 1 and p != liar}:
                self.sides[liar] = theirs
        self.drawn = True
        self.lies = draws.below(40 if whole else 12) + (liars > 0)
        if whole:
            self.start()
        self._chaos(draws.below(2000 if whole else 120) + 10, faults, 60 if whole else 12)
        if self.faults:
            return
        self.heal()
        mode = draws.pick(("honest", "silent", "lying", "circling", "refusing"))
        self.told.append(f"{self.now:.1f}: healed, liars {mode}")
        if mode == "honest":
            self.lies, self.sides = 0, {}
        elif mode == "circling":
            self.lies, self.sides, self.circling = 0, {}, True
        elif mode == "refusing":
            self.lies, self.sides = 0, {}
            self._refuse()
        elif mode == "silent":
            for liar in sorted(self.liars):
                self.crash(self.actors[liar])
                self.acts += 1
        self._quiet(whole)
        if not self.faults and self.draws.one_in(SEEN):
            self._see()

    def _see(self) -> None:
        """Let others look at what an honest laptop has seen: see `witnesses`."""
        actor = self.honest[self.draws.below(len(self.honest))]
        disk = [entry for entries, _ in actor.disk for entry in entries]
        seen = actor.replica
        found = [*read_again(seen, disk, self._replica(actor.place)), *checked(seen)]
        found += watched(seen, self.now)
        self.faults += [f"{actor.place}: {each}" for each in found]

    def _chaos(self, turns: int, faults: bool, seldom: int) -> None:
        """Let things happen for some turns; in a long time all is well again now and then."""
        for _ in range(turns):
            if faults and self.draws.one_in(seldom):
                self.fault()
            if seldom > 12 and self.draws.one_in(4 * seldom):
                self.heal()
            if self.lies > 0 and self.liars and self.draws.one_in(seldom * 2 // 3):
                self.inject()
            if self.faults or not self.turn():
                return

    def circle(self) -> None:
        """Let liars, who send no moves, begin an attempt with all members in every view."""
        for liar in self.liars if self.circling else ():
            transcript = self.actors[liar].replica.transcript
            attempt = transcript.view + 1
            if (liar, attempt) in self.circled or transcript.number < SETUP:
                continue
            self.circled.add((liar, attempt))
            members = tuple(sorted(transcript.members))
            said = StatusMessage(liar, attempt, members, transcript.at, transcript.past, ())
            statements = self.actors[liar].replica.line.statements
            signed = sign(said, identity(liar), statements.game_id(-1))
            for to in self._others(liar, None):
                self._send(liar, to, signed.kind, signed.plain(), "circling")

    def _refuse(self) -> None:
        """Let liars cut their links to some for good, and not sign that they are there."""
        pairs = [(liar, p.place) for liar in sorted(self.liars) for p in self.honest]
        cut = [pair for pair in pairs if self.draws.below(2)]
        self.refused = set(map(frozenset, cut))
        for liar, other in cut:
            self.cut(liar, other)
            self.acts += 1

    def inject(self) -> None:
        """Let a liar send something of before, spoiled or not, to somebody, unasked."""
        self.lies -= 1
        liar = sorted(self.liars)[self.draws.below(len(self.liars))]
        to = self._others(liar, None)
        target = to[self.draws.below(len(to))]
        replica = self.actors[liar].replica
        if self.draws.below(2):
            self._send(liar, target, *forged(replica, liar, self.draws), "forged")
            return
        if not self.older:
            return
        kind, payload = self.draws.pick(self.older)
        if self.draws.below(3):
            payload = self._spoiled(liar, kind, payload)
        self._send(liar, target, kind, payload, "unasked")

    def _quiet(self, whole: bool) -> None:
        """Go on until every honest peer has ended, or gone on for some phases."""
        start = {a.place: position(a.replica) for a in self.honest}
        goal = 1 << 30 if whole else max(at for _, at in start.values()) + QUIET
        end, turns, least = self.now + PATIENCE, self.turns + TURNS, self._least
        vote = self.now + VOTE
        quorum = len(self.honest) > len(self.actors) // 2
        while not self.faults and not self._settled(goal):
            self.circle()
            if self._least > least:
                end, turns, least = self.now + PATIENCE, self.turns + TURNS, self._least
                vote = self.now + VOTE
            if self.now > vote:
                vote = end + 1
                self._skip_liars()
            if not self.turn() or self.now > end or self.turns > turns:
                if quorum and len(self.honest) - len(self._left) > len(self.actors) // 2:
                    where = {a.place: position(a.replica) for a in self.honest}
                    self.faults.append(f"no way on from {start} to {where} at {self.now:.0f}")
                break
        for (one, other), at in self._unproven.items() if quorum else ():
            self.faults.append(f"{one} and {other} part at {at}, and nobody is convicted")
        end = self.now + MEET
        while not self.faults and self._differ and self.now < end and self.turn():
            pass
        begun = all(a.replica.transcript.begun for a in self.honest)
        if quorum and begun and not self.faults and self._differ:
            self.faults.append(f"verdicts differ: {self.convicted}")

    @property
    def _left(self) -> set[int]:
        """The honest peers whose farewell counts for others yet, or who gave up a start."""
        told = {peer for a in self.honest for peer in a.replica.attendance.detector.left}
        return {a.place for a in self.honest if a.place in told or a.held is not None}

    @property
    def _least(self) -> int:
        """The phase of the honest peer that is furthest behind."""
        return min(actor.replica.transcript.number for actor in self.honest)

    def _settled(self, goal: int) -> bool:
        """Tell whether all have gone on, and who parted knows why: they may meet phases later."""
        over = all(actor.replica.over for actor in self.honest)
        gone = all(self._gone_on(actor, goal) for actor in self.honest)
        return over or (gone and not self._unproven)

    @property
    def _differ(self) -> bool:
        return len({frozenset(self.convicted[p.place]) for p in self.honest}) > 1

    @property
    def _unproven(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The pairs whose lines have parted, and that have convicted nobody, with the place."""
        known = self.convicted
        return {
            (one, other): at
            for (one, other), at in self.parted.items()
            if not (known[one] and known[other])
        }

    def _skip_liars(self) -> None:
        """Let people vote that they do not wait: nobody else ends the wait for a question, nor for
        whom they themselves wished to wait however long it takes."""
        for actor in self.honest:
            for liar in sorted(self.liars):
                self.step(actor, inputs.SkipWait(liar))

    def _gone_on(self, actor: Actor, goal: int) -> bool:
        replica = actor.replica
        if actor.place in self.ended or replica.over:
            return True
        if replica.halted and not replica.transcript.begun:
            return True  # nobody can stand in yet: people open another table
        return replica.transcript.number >= goal


def view_of(replica: Replica) -> int:
    """Return the number of the view that a replica is in."""
    return replica.transcript.view


def position(replica: Replica) -> tuple[int, int]:
    """Return the view and the phase that a replica is in."""
    return (view_of(replica), replica.transcript.number)
