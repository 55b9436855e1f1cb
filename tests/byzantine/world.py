"""A table of honest replicas and liars on a virtual clock: anything may happen at any step."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from lanplay.errors import Mistake
from lanplay.games import load
from lanplay_protocol.errors import PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.consent import people
from lanplay_protocol.replica.events import (
    Accused,
    AnswerNeeded,
    GameOver,
    Halted,
    OpeningAsked,
    PhaseCompleted,
    Restarted,
    RestartVote,
    SeatReassigned,
    TrustNeeded,
    ViewChanged,
)
from lanplay_protocol.replica.failure_detector import LIFE
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import StatusMessage, sign
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.replica.settings import FOREVER
from lanplay_protocol.replica.spectator import answer, public
from lanplay_protocol.wire import decode, encode
from tests.byzantine.choosing import Choosing
from tests.byzantine.coverage import Lie, lie
from tests.byzantine.draws import Draws, Steps
from tests.byzantine.floods import flood
from tests.byzantine.leading import Leading
from tests.byzantine.lies import SAID, forged, resigned, spoiled
from tests.byzantine.post import Parcel, Post
from tests.byzantine.secrets import Recorded, Secrets
from tests.byzantine.witnesses import Watcher, checked, out, read_again, torn, watched
from tests.replica.harness import Walker, identity, received

QUIET = 6
"""Phases that must follow when the lies and faults have ended, or the end of the game."""
FAULTS = (
    *("sleep", "crash", "cut", "apart", "leave", "tear", "slow"),
    *("skip", "keep", "away", "disk", "anew"),
)
"""What may happen to an honest laptop, or its person may wish."""
ASKED = (AnswerNeeded, TrustNeeded, OpeningAsked, RestartVote)
"""What a person, or an AI, is asked."""
BACK = (0.0, 1.0, 20.0, 60.0, 150.0, Steps(100))
"""Seconds, or steps of the table, after which a laptop, or a link, that failed is back."""
TORN = ("", "verdict", "view", "past")
"""Entries of a journal before which the power fails while several are written; any."""
WAYS = ("nothing", "spoiled", "old", "late", "twice", "both")
"""What a liar may make of a message that is due."""
HAPPENS = ("status", "view", "verdict", "end", "back")
"""What may happen to honest peers: a liar says then what it has held back."""
WAITS = (1.0, 5.0, 20.0, 60.0, *HAPPENS)
"""How long, or until what happens, a liar holds a message back."""
VOTE = 100.0
"""Seconds of the table's clock without progress after which people vote not to wait."""
PATIENCE = 600.0
"""Seconds after which nothing follows any more."""
MEET = 3.0
"""Seconds that a proof may be on its way when all have gone on."""
TURNS = 200_000
"""Steps after which a schedule that still talks is taken for one that never ends: six who ask each
other every second for what a liar leads them to say take 70,000 in two minutes."""
HELD = 5.0
"""Seconds after which people leave a table that is held: they open another one."""
LATER = 2000
"""Steps after which who watches has to have come to where others are."""
SEEN = 3
"""One in so many schedules is looked at by others in the end."""
AWAY = 5
"""In one of so many a laptop is gone once more."""
EARLY = 4
"""In one of so many liars are from the beginning what they are in the end: dead, for example.

In one of so many whole games they lie before it has begun: nobody stands in for who gives that up.
"""
FLOODED = 4
"""In one of so many a liar says as much as it can."""
LED = 30
"""Attempts by which a liar leads others on."""
LEADING = 4
"""In one of so many with liars these lead one honest peer alone: see `leading`."""
LED_ON = 3000
"""Steps in which they do."""
MEMORY = 200
"""Messages of before that a liar may send again."""


@dataclass
class Actor:
    """One laptop: its program, for a liar a second one under its key (`twin`), and its disk.

    Until it is known who lies nobody has a twin: what it will have been `given` is kept for it.
    """

    place: int
    replica: Recorded
    walkers: tuple[Walker, Walker]
    twin: Replica | None = None
    given: list[tuple[inputs.Input, float]] = field(default_factory=list)
    disk: list[tuple[tuple, bool]] = field(default_factory=list)
    deadline: float | None = None
    asleep: bool = False
    dead: bool = False
    touched: bool = False
    """Whether it was ever down, asleep, or without one of its links."""
    held: float | None = None
    """Since when its game is held."""
    tears: tuple[str, float] | None = None
    """Before which entry its power fails, and for how long."""
    secrets: Secrets = field(default_factory=Secrets)


MODES = ("honest", "silent", "lying", "circling", "refusing", "leaving", "choosing", "choosing")
"""What liars are in the end, when all must go on: see `_turn`."""


class World:
    """The table. `play` goes on honestly; `schedule` lets liars and faults loose."""

    def __init__(
        self, roster: Roster, seed: bytes, offload: bool = False, trusting: bool = True
    ) -> None:
        self.roster, self.seed, self.now = roster, seed, 0.0
        self.offload, self.trusting = offload, trusting
        self.actors = [self._actor(place) for place in range(len(roster.peers))]
        self.post = Post()
        self.withheld: list[tuple[str, Parcel]] = []
        self.later: list[tuple[float, Callable[[], None]]] = []
        self.watchers: list[Watcher] = []
        self.slow: set[tuple[int, int]] = set()
        self.ways, self.failing, self.said = WAYS, FAULTS, SAID
        self.whole = False
        self.holding: tuple[str, set[int]] | None = None
        self.leading: Leading | None = None
        self.down: set[frozenset[int]] = set()
        self.refused: set[frozenset[int]] = set()
        self.mute = False  # liars do not sign that they are there
        self.liars: frozenset[int] = frozenset()
        self._honest: tuple[object, list[Actor]] = (None, [])
        self.drawn = False
        self.sides: dict[int, set[int]] = {}
        self.lies = 0
        self.circling = False
        self.choosing: Choosing | None = None
        self.circled: set[tuple[int, int]] = set()
        self.older: deque[tuple[str, object]] = deque(maxlen=MEMORY)
        self.forged: deque[tuple[str, object]] = deque(maxlen=MEMORY)
        self._last: tuple[object, str, bytes] = ((), "", b"")
        self.draws = Draws(seed)
        self.faults: list[str] = []
        self.told: list[str] = []
        self.seen: Counter[Lie] = Counter()
        self.lines: dict[int, dict[tuple[int, int], bytes]] = {p.place: {} for p in self.actors}
        self.parted: dict[tuple[int, int], tuple[int, int]] = {}
        self.ended: set[int] = set()
        self.anew: dict[int, Roster] = {}  # who has begun a new game, with those who were here
        self.turns = 0
        self.kept: list[tuple[Actor, int]] = []  # who wished to wait for whom
        self.acts = 0  # lies told and faults that happened
        self.verbose = False

    def _actor(self, place: int) -> Actor:
        walkers = (Walker(self.seed + b"%d" % place), Walker(self.seed + b"twin %d" % place))
        return Actor(place, self._replica(place), walkers)

    def _replica(self, place: int, twin: bool = False) -> Recorded:
        seed = (self.seed * 32)[:31] + bytes([place])
        game = load(self.roster.game)
        replica = Recorded(game, self.roster, identity(place), seed, trusted=self.trusting)
        replica.jobs.offload = self.offload and not twin
        return replica

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
            self.refuse(actor, given, error)
            output = None
        except Mistake:  # of its person
            output = None
        except Exception as error:
            if not lies:
                self.faults.append(f"{actor.place} raised {error!r} at {given!r:.300}")
            output = None
        if output is not None:
            self.handle(actor, output)
        if isinstance(given, inputs.Answered):
            return
        if not self.drawn:
            actor.given.append((given, self.now))
        elif actor.twin is not None and actor.place in self.sides:
            try:
                output = actor.twin.step(given, self.now)
            except Exception:
                return
            self._handle_twin(actor, output)

    def _double(self, actor: Actor) -> None:
        """Give a liar who has two sides its second program, which has seen all that the first has
        so far, and answered alike."""
        actor.twin = actor.twin or self._replica(actor.place, twin=True)
        for given, now in actor.given:
            with suppress(Exception):
                actor.twin.step(given, now)
        actor.given.clear()

    def refuse(self, actor: Actor, given: inputs.Input, error: PeerError) -> None:
        """Close the connection of a peer that broke the protocol; it is made again at once."""
        if not isinstance(given, inputs.Received) or actor.place in self.liars:
            return
        if given.peer not in self.liars:
            what = f"{error} ({given!r:.300})"
            self.faults.append(f"{actor.place} closes honest {given.peer}: {what}")
        self.cut(actor.place, given.peer)
        self.join(actor.place, given.peer)

    def handle(self, actor: Actor, output) -> None:
        """Do what a laptop's program asks for."""
        replica = actor.replica
        if self._tears(actor, output.persist):
            return
        if output.persist:
            actor.disk.append((output.persist, output.sync))
            here = [each.place for each in self.watchers if each.at == actor.place]
            for body in [b for entry in output.persist if here for b in public(entry)]:
                for watcher in here:
                    self._say(actor.place, watcher, *decode(body))
        actor.deadline = output.deadline
        if actor.place not in self.liars:
            actor.secrets.collect(replica)
        for envelope in output.send:
            if actor.place not in self.liars:
                body = self._encoded(envelope.kind, envelope.payload)
                for what in actor.secrets.let_out(replica, envelope, body):
                    self.faults.append(f"{actor.place} lets out {what} in {envelope.kind}")
            self._post(actor.place, envelope)
        for event in output.events:
            self._event(actor, event)
        if output.job is not None and all(each.item != output.job for each in self.post):
            self.post.append(Parcel(actor.place, actor.place, output.job, self.now))

    def _tears(self, actor: Actor, entries) -> bool:
        """Tell whether the power fails while entries are written: nothing is sent of that step."""
        kinds = [kind for kind, _ in entries]
        before, wait = actor.tears or ("", 0.0)
        if actor.tears is None or len(kinds) < 2 or before not in ("", *kinds):
            return False
        kept = kinds.index(before) if before else self.draws.below(len(kinds))
        self.told.append(f"{self.now:.1f}: {actor.place} keeps {kept} of {kinds}")
        actor.disk.append((entries[:kept], False))
        actor.tears = None
        self.crash(actor)
        self._back(wait, lambda: self.restart(actor))
        return True

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
        if isinstance(event, ASKED):
            self.post.append(Parcel(actor.place, actor.place, event, self.now))
        elif not honest:
            return
        elif isinstance(event, Accused):
            self._happens("verdict")
            if event.peer not in self.liars:
                self.faults.append(f"{actor.place} convicts honest {event.peer}: {event}")
        elif isinstance(event, PhaseCompleted):
            self._completed(actor, event)
        elif isinstance(event, SeatReassigned):
            self._reassigned(actor, event)
        elif isinstance(event, ViewChanged):
            self._happens("view")
        elif isinstance(event, GameOver):
            self._happens("end")
            self.ended.add(actor.place)
        elif isinstance(event, Restarted):
            self._begins_anew(actor, event.roster)
        elif isinstance(event, Halted):
            actor.held = self.now
            self.told.append(f"{self.now:.1f}: {actor.place} is held: {event}")
        if self.leading:
            self.leading.sees(actor, event)

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

    def _begins_anew(self, actor: Actor, roster: Roster) -> None:
        """Let a program leave the game for a new one: it has to be the same for all who play it,
        unless one of them lies."""
        peers = [peer.public for peer in roster.peers]
        places = {p for p, peer in enumerate(self.roster.peers) if peer.public in peers}
        for other in places & self.anew.keys() if not places & self.liars else ():
            there = self.anew[other]
            if there.digest() != roster.digest() and identity(actor.place).public in {
                peer.public for peer in there.peers
            }:
                self.faults.append(f"{actor.place} and {other} begin two new games with each other")
        self.anew[actor.place], actor.held = roster, self.now
        self.later.append((self.now, lambda: self.crash(actor, sent=True)))

    @property
    def honest(self) -> list[Actor]:
        if self._honest[0] is not self.liars:
            self._honest = self.liars, [a for a in self.actors if a.place not in self.liars]
        return self._honest[1]

    @property
    def lying(self) -> bool:
        """Whether liars have lies left, and tell them now."""
        return self.lies > 0 and bool(self.liars) and not (self.leading and self.leading.quiet)

    def _others(self, place: int, to: int | None) -> list[int]:
        return [p for p in range(len(self.actors)) if p != place] if to is None else [to]

    # -- messages ------------------------------------------------------------------------------

    def _post(self, sender: int, envelope) -> None:
        self.older.append((envelope.kind, envelope.payload))
        for to in self._others(sender, envelope.to):
            self._say(sender, to, envelope.kind, envelope.payload)
        if envelope.kind == "status" and sender not in self.liars:
            self._happens("status")

    def _say(self, sender: int, to: int, kind: str, payload) -> None:
        """Send what is due to somebody, or what a liar makes of it."""
        held = self.leading is not None and self.leading.held(sender, to, kind, payload)
        held |= self.choosing is not None and self.choosing.held(sender, kind, payload)
        if sender not in self.liars:
            self._send(sender, to, kind, payload)
        elif held or (self.circling and kind == "move") or (self.mute and kind == "alive"):
            pass
        elif self.holding and kind == "move":  # its turn comes, and for some alone
            if to in self.holding[1]:
                self._send(sender, to, kind, payload, "held back", self.holding[0])
        elif to not in self.sides.get(sender, ()):
            self._lie(sender, to, kind, payload)

    def _send(
        self, sender: int, to: int, kind: str, payload, how="true", wait: float | str = 0.0
    ) -> None:
        if sender in self.liars and how != "true":
            if to not in self.liars and to < len(self.actors):
                self.seen[lie(kind, how, self.actors[to].replica)] += 1
            self.told.append(f"{self.now:.1f}: {sender} to {to}: {kind} {how} {wait or ''}")
            self.acts += 1
        if frozenset((sender, to)) not in self.down and not self._receiver(to).dead:
            try:
                body = self._encoded(kind, payload)
            except (TypeError, ValueError, OverflowError):
                return  # nothing that can be sent
            if isinstance(wait, str):
                self.withheld.append((wait, Parcel(sender, to, body)))
            else:
                self.post.append(Parcel(sender, to, body, self.now + wait))

    def _receiver(self, place: int) -> Actor | Watcher:
        peers = len(self.actors)
        return self.actors[place] if place < peers else self.watchers[place - peers]

    def _happens(self, what: str) -> None:
        """Let liars say what they have held back until something happens."""
        for each in [each for each in self.withheld if each[0] == what]:
            self.withheld.remove(each)
            pair = frozenset((each[1].sender, each[1].to))
            if pair not in self.down and not self._receiver(each[1].to).dead:
                self.post.append(each[1])

    def _encoded(self, kind: str, payload) -> bytes:
        """Return the bytes of a message, which goes to many."""
        if self._last[0] is not payload or self._last[1] != kind:
            self._last = (payload, kind, encode((kind, payload)))
        return self._last[2]

    def _lie(self, sender: int, to: int, kind: str, payload) -> None:
        """Send what a liar makes of a message that is due to somebody."""
        how = "true"
        if self.lying and self.draws.below(2):
            how = self.draws.pick(self.ways)
            self.lies -= 1
        if how in ("true", "twice", "both", "late"):
            self._send(
                sender, to, kind, payload, how, self.draws.pick(WAITS) if how == "late" else 0
            )
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
        for at, action in [each for each in self.later if each[0] <= self._clock(each[0])][:1]:
            self.later.remove((at, action))
            action()
            return True
        asleep = {each.place for each in (*self.actors, *self.watchers) if each.asleep}
        due = self.post.due(self.now, asleep)
        if ready := [p for p in due if p.link[:2] not in self.slow] or due:
            parcel = ready[self.draws.below(len(ready))]
            self.post.remove(parcel)
            self._deliver(parcel)
            return True
        times = [p.due for p in self.post if p.to not in asleep and p.due < 1e8]
        times += [at for at, _ in self.later if not isinstance(at, Steps)]
        watching = [w for w in self.watchers if w.spectator.deadline is not None]
        awake = [a for a in self.actors if not a.dead and not a.asleep]
        times += [a.deadline for a in awake if a.deadline is not None]
        times += [a.held + HELD for a in awake if a.held is not None]
        if not times:
            self.turns = min((at for at, _ in self.later), default=self.turns)
            return bool(self.later)
        times += [w.spectator.deadline for w in watching]
        self.now = max(self.now, min(times))
        for watcher in watching:
            self._watch(watcher, lambda w: w.spectator.tick(self.now))
        for actor in awake:
            if actor.deadline is not None and actor.deadline <= self.now:
                self.step(actor, inputs.Ticked())
                spins = actor.deadline is not None and actor.deadline <= self.now
                if spins and actor.place in self.liars:
                    actor.deadline = None  # its program is broken by its own lies
                elif spins and not actor.dead:  # its power may have failed meanwhile
                    self.faults.append(f"{actor.place} waits for a time that has come: it spins")
        return True

    def _deliver(self, parcel: Parcel) -> None:
        item = parcel.item
        if parcel.to >= len(self.actors):
            watcher = self.watchers[parcel.to - len(self.actors)]
            if watcher.at == parcel.sender:
                self._watch(watcher, lambda w: w.spectator.receive(item, self.now))
            return
        actor = self.actors[parcel.to]
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
                if not self.drawn:  # its second program answers alike
                    actor.given.append((inputs.Answered(item.seat, answer), self.now))
        elif isinstance(item, TrustNeeded):
            self.step(actor, inputs.Trusted())
        elif isinstance(item, OpeningAsked):
            may = actor.place not in self.liars and actor.replica.attendance.openings.asked
            if may and self.draws.below(2):
                self.step(actor, inputs.OpenHands())
        elif isinstance(item, RestartVote):
            if actor.place not in self.liars and self.draws.below(2):
                self._continue(actor)
        elif item in actor.replica.worked:
            self.faults.append(f"{actor.place} does long work a second time in a phase")
        else:
            actor.replica.worked.add(item)
            self.step(actor, inputs.JobDone(item, item.run()))

    def _watch(self, watcher: Watcher, what: Callable[[Watcher], list]) -> None:
        """Let somebody who watches take what has come, or ask again; it goes on where it can."""
        try:
            events = what(watcher)
        except PeerError:
            awake = [a.place for a in self.actors if not a.dead and not a.asleep]
            watcher.at = next((p for p in awake if p > watcher.at), min(awake, default=watcher.at))
            events = watcher.spectator.linked(self.now)
        for event in events:
            watcher.sees(event)
            if isinstance(event, Accused) and event.peer not in self.liars:
                self.faults.append(f"who watches at {watcher.at} convicts {event.peer}: {event}")
            actor = self.actors[watcher.at]
            if isinstance(event, Envelope) and not actor.dead and not actor.asleep:
                for body in answer(actor.replica, watcher.spectator.position):
                    self._say(watcher.at, watcher.place, *decode(body))

    # -- faults --------------------------------------------------------------------------------

    def fault(self) -> None:
        """Let something happen to a laptop; what fails is back after a while."""
        actor = self.draws.pick(self.actors)
        what, others = self.draws.pick(self.failing), self._others(actor.place, None)
        if actor.dead or actor.asleep:
            return
        self.acts += 1
        wait, other = self.draws.pick(BACK), others[self.draws.below(len(others))]
        self.told.append(f"{self.now:.1f}: {what} {actor.place}, {other}, {wait}")
        if what == "sleep":
            actor.asleep = actor.touched = True
            self._back(wait, lambda: self.wake(actor))
        elif what in ("crash", "leave"):
            if what == "leave":
                self.step(actor, inputs.Leaving())
            self.crash(actor, sent=what == "leave" or bool(self.draws.below(2)))
            self._back(wait, lambda: self.restart(actor, flushed=not self.draws.below(2)))
        elif what in ("cut", "apart"):
            for each in [other] if what == "cut" else others:
                self.cut(actor.place, each)
                self._back(wait, lambda each=each: self.join(actor.place, each))
        elif what == "tear":
            actor.tears = (self.draws.pick(TORN), wait)
        elif what == "slow":
            self._slow()
        elif what in ("skip", "keep"):
            self.step(actor, (inputs.SkipWait if what == "skip" else inputs.KeepWaiting)(other))
            if what == "keep":
                self.kept.append((actor, other))
        elif what == "disk":
            self.step(actor, inputs.JournalFailed())
        elif what == "away":
            seats = self.roster.peers[actor.place].seats
            away = frozenset() if self.draws.below(2) else frozenset(seats)
            self.step(actor, inputs.AwayChanged(away))
        elif what == "anew":
            self._continue(actor)

    def _continue(self, actor: Actor) -> None:
        """Let a laptop's people want to go on in a new game, without those who are not here."""
        self.step(actor, inputs.ContinueWithout(bytes([actor.place]) * 24 + self.turns.to_bytes(8)))

    def _back(self, wait: float, action: Callable[[], None]) -> None:
        at = self._clock(wait) + wait
        self.later.append((Steps(at) if isinstance(wait, Steps) else at, action))

    def _clock(self, at: float) -> float:
        return self.turns if isinstance(at, Steps) else self.now

    def _slow(self) -> None:
        """Let some links bring what they bring after all others."""
        places = range(len(self.actors) + len(self.watchers))
        self.slow = {(a, b) for a in places for b in places if self.draws.below(3) == 2}

    def wake(self, actor: Actor) -> None:
        """Let a stalled program run again: it reads what has come, and notices that it stood."""
        if not actor.asleep:
            return
        actor.asleep = False
        for parcel in [p for p in self.post if p.to == actor.place and p.due <= self.now]:
            if self.post.remove(parcel):  # a link may have been closed over one before it
                self._deliver(parcel)
        self.step(actor, inputs.Woken())
        self.step(actor, inputs.Ticked())

    def crash(self, actor: Actor, sent: bool = False) -> None:
        """End a program at once; what it had `sent` may arrive before others notice."""
        if actor.dead:
            return
        self.wake(actor)
        for parcel in [p for p in self.post if p.sender == actor.place != p.to and sent]:
            if not self._receiver(parcel.to).asleep and self.post.remove(parcel):
                self._deliver(parcel)
        for other in self._others(actor.place, None):
            self.cut(actor.place, other)
        actor.dead = actor.touched = True
        actor.tears = None
        self.post.take(lambda p: p.to == actor.place)

    def restart(self, actor: Actor, flushed: bool = True) -> None:
        """Start a program again from what is on its disk."""
        if not actor.dead or actor.held is not None:
            return
        actor.dead = False
        steps = actor.disk
        last = max((number for number, (_, sync) in enumerate(steps) if sync), default=-1)
        kept = tuple(e for entries, _ in (steps if flushed else steps[: last + 1]) for e in entries)
        actor.disk = [(kept, True)]
        said, actor.replica = actor.replica.said, self._replica(actor.place)
        # what it had signed as the power failed may come from the journal, and be long over there
        actor.replica.said |= said
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
        self.post.take(lambda p: {p.sender, p.to} == pair)
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
        self._happens("back")

    def heal(self) -> None:
        """End all faults: every honest program runs, and hears every other one.

        Who wished to wait for somebody however long it takes does not wish it any more.
        """
        self.later.clear()
        for actor in self.honest:
            actor.tears = None
            self.wake(actor)
            self.restart(actor)
        for one in range(len(self.actors)):
            for other in range(one):
                self.join(one, other)
        for actor, about in self.kept:
            self.step(actor, inputs.SkipWait(about))
        self.kept.clear()

    # -- a schedule ----------------------------------------------------------------------------

    def lose(self, place: int) -> bool:
        """Play on until a laptop that is switched off has been left out; tell whether it came to
        that: too few are left where somebody had not begun yet, and gives the start up."""
        while self.turn() and self.actors[0].replica.transcript.number < SETUP + 2:
            pass
        self.crash(self.actors[place])
        left = [each for each in self.actors if each.place != place]
        for each in left if self.roster.settings.grace == FOREVER else ():
            self.step(each, inputs.SkipWait(place))
        end = self.now + PATIENCE
        while self.turn() and not all(each.replica.transcript.views for each in left):
            if self.now > end:
                return False
        return True

    def schedule(
        self,
        draws: Draws,
        liars: int,
        faults: bool = True,
        whole: bool = False,
        led: bool = False,
    ) -> None:
        """Let `liars` of the peers lie and laptops fail for a while; then the game must go on.

        A ``whole`` one is a game from its beginning: it has to come to its end. In one that is
        ``led``, and in some others, liars lead one honest peer alone.
        """
        self.draws, self.whole = draws, whole
        if whole:
            self.start()
            early = draws.one_in(EARLY)
            while not early and self._least < SETUP and self.turn():
                pass
        alive = [actor.place for actor in self.actors if not actor.dead]
        self.liars, self.sides = self.foresee(draws, liars)
        self.drawn = True
        # a few kinds of lies and faults at a time meet in ways in which all at once hardly do
        self.ways, self.failing, self.said = map(draws.some, (WAYS, FAULTS, SAID))
        self.lies = draws.below(40 if whole else draws.pick((12, 40))) + (liars > 0)
        if draws.one_in(3):
            self.holding = draws.pick(HAPPENS), {p for p in alive if draws.below(2)}
        for place in alive[: draws.pick((0, 0, 1, 2))]:
            self.watchers.append(Watcher(self.roster, len(self.actors) + len(self.watchers), place))
        if draws.below(2):
            self._slow()
        for watcher in self.watchers:
            self._watch(watcher, lambda w: w.spectator.linked(self.now))
        turns = draws.below(2000 if whole else draws.pick((120, 120, 400))) + 10
        mode = draws.pick(MODES)
        seldom = 60 if whole else draws.pick((12, 50))
        if liars and (led or draws.one_in(LEADING)):
            turns, seldom = self._lead()
        elif draws.one_in(EARLY):
            self._turn(mode)
        if liars and not self.leading and draws.one_in(FLOODED):
            self._flood()
            return
        self._chaos(turns, faults, seldom)
        self.leading = None
        if self.faults:
            return
        first, second = (self.heal, lambda: self._turn(mode))[:: 1 - 2 * draws.below(2)]
        first()
        second()
        self._quiet(whole)
        if not self.faults and self.draws.one_in(AWAY):
            self._go_away()
            self._quiet(whole)
        if not self.faults:
            self._see()

    def foresee(self, draws: Draws, liars: int) -> tuple[frozenset[int], dict[int, set[int]]]:
        """Return who lies, and to whom each liar with two sides says what its second program says.

        Whoever copies this world for a schedule asks before: that program then has not to catch up
        in each copy.
        """
        alive, sides = [actor.place for actor in self.actors if not actor.dead], {}
        first = draws.below(len(alive))
        lying = frozenset(alive[(first + step) % len(alive)] for step in range(liars))
        for liar in sorted(lying):
            some = draws.below(1 << len(self.actors)) if draws.below(2) else 0
            if theirs := {p for p in alive if some >> p & 1 and p != liar}:
                sides[liar] = theirs
                self._double(self.actors[liar])
        return lying, sides

    def _lead(self) -> tuple[int, int]:
        """Let liars lead somebody; return for how many steps, and how seldom something else fails:
        hardly ever, as where that one has been led to depends on all that happens."""
        self.leading, self.holding = Leading(self, 8 if self.whole else 3), None
        self.lies = self.draws.pick((0, 0, 2, 5, 20))
        if self.draws.below(2):
            self.sides = {}
        self.leading.begin()
        return LED_ON * (4 if self.whole else 1), self.draws.pick((1 << 30, 300, 120))

    def _turn(self, mode: str) -> None:
        """Let liars be something else from now on."""
        self.told.append(f"{self.now:.1f}: liars are {mode}")
        if mode != "lying":
            self.holding = None
        if mode not in ("silent", "leaving", "lying"):
            self.lies, self.sides = 0, {}
        self.circling = mode == "circling"
        self.choosing = Choosing(self) if mode == "choosing" else None
        cuts = mode == "refusing" or (mode == "choosing" and self.draws.below(2))
        if cuts and not self.refused:
            self._refuse()
        for liar in sorted(self.liars) if mode in ("silent", "leaving") else ():
            if mode == "leaving" and not self.actors[liar].dead:
                self.step(self.actors[liar], inputs.Leaving())
            self.crash(self.actors[liar], sent=True)
            self.acts += 1

    def _go_away(self) -> None:
        """Let one more laptop be gone, for longer than it is waited for or shorter, and come back:
        whatever was before, it has to come back from that, too."""
        actor = self.draws.pick(self.honest)
        end, view = self.now + self.draws.pick((200.0, 20.0)), view_of(actor.replica)
        self.told.append(f"{self.now:.1f}: {actor.place} is away")
        for other in self._others(actor.place, None):
            self.cut(actor.place, other)
        others = [a.replica for a in self.honest if a is not actor]
        turns = self.turns + TURNS // 10  # those who talk that much have waited long enough by then
        while self.now < end and all(view_of(each) == view for each in others) and self.turn():
            if self.turns > turns:
                break
        self.heal()

    def _see(self) -> None:
        """Let others look at what honest laptops have seen: see `witnesses`."""
        one = self.draws.pick(self.honest) if self.draws.one_in(SEEN) else None
        for actor in self.honest:
            disk = [entry for entries, _ in actor.disk for entry in entries]
            seen, found = actor.replica, list[str]()
            if not gave_up(seen):  # its person is told to open another table, whatever comes now
                found += read_again(seen, disk, self._replica(actor.place))
            if not actor.dead:
                found += out(seen)
            if seen.convicted:
                found += torn(disk, self.draws, self._replica(actor.place))
            if actor is one:
                found += [*checked(seen), *watched(seen, self.now)]
            self.faults += [f"{actor.place}: {each}" for each in found]
        # where a liar is as many as the others, or these have gone on in a new game, it may have
        # shown a watcher a view that they signed, and not them, and no view tells of its lies
        if len(self._playing) > len(self.actors) // 2 and self._watchers_apart():
            turns = self.turns + LATER  # one has seen another message of a liar: a view tells
            while self.turns < turns and self.turn():
                pass
            self.faults += self._watchers_apart()

    def _watchers_apart(self) -> list[str]:
        """Return in what those who watch are not where the laptop is at which each watches."""
        replicas = {a.place: a.replica for a in self.honest if not a.dead}
        for parcel in [each for each in self.post if each.to >= len(self.actors)]:
            self._deliver(parcel)  # who has seen the end asks no more, and is told a verdict
        watchers = self.watchers if replicas else ()
        return [each for one in watchers for each in one.comes_to(replicas, self.now)]

    def _chaos(self, turns: int, faults: bool, seldom: int) -> None:
        """Let things happen for some turns; in a long time all is well again now and then."""
        for _ in range(turns):
            if faults and self.draws.one_in(seldom):
                self.fault()
            if self.whole and self.draws.one_in(4 * seldom):
                self.heal()
            if self.lying and self.draws.one_in(40 if self.whole else 8):
                self.inject()
            over = self.leading is not None and self.leading.over
            if self.faults or over or not self.turn():
                return

    def circle(self) -> None:
        """Let liars, who send no moves, begin an attempt with all members in every view, and
        another one as soon as somebody has followed; or join what they choose."""
        if self.choosing:
            self.choosing.step()
        for liar in self.liars if self.circling else ():
            transcript = self.actors[liar].replica.transcript
            tops = (a.replica.attendance.changes.top for a in self.honest)
            attempt = 1 + max(transcript.view, *tops)
            if len(self.circled) > LED or (liar, attempt) in self.circled:
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
        """Let liars cut their links to some for good, and sign that they are there, or not."""
        self.mute = bool(self.draws.below(2))
        pairs = [(liar, p.place) for liar in sorted(self.liars) for p in self.honest]
        cut = [pair for pair in pairs if self.draws.below(2)]
        self.refused = set(map(frozenset, cut))
        for liar, other in cut:
            self.cut(liar, other)
            self.acts += 1

    def inject(self) -> None:
        """Let a liar send something unasked: of before, spoiled or not, made up, or told to another
        one already."""
        self.lies -= 1
        liar = sorted(self.liars)[self.draws.below(len(self.liars))]
        to = self._others(liar, None)
        target = to[self.draws.below(len(to))]
        replica = self.actors[liar].replica
        how = self.draws.pick(("forged", "forged", "again", "unasked"))
        if how == "again" and self.forged:
            said = self.draws.pick(self.forged)
        elif how == "unasked" and self.older:
            kind, payload = self.draws.pick(self.older)
            said = kind, self._spoiled(liar, kind, payload) if self.draws.below(3) else payload
        else:
            said = forged(replica, liar, self.draws, self.said)
            self.forged.append(said)
        self._send(liar, target, *said, how)
        for other in to if self.draws.one_in(3) else ():
            if other != target:
                self._send(liar, other, *said, how, self.draws.pick((0.0, *WAITS)))

    def _flood(self) -> None:
        """Let a liar send an honest peer as much as it can of some kinds of words."""
        liar, actor = min(self.liars), self.draws.pick(self.honest)
        self.acts += 1
        for kind in self.said:
            if not actor.dead and not self.faults:
                self.faults += flood(self, liar, actor.place, kind)

    def _quiet(self, whole: bool) -> None:
        """Go on until every honest peer has ended, or gone on for some phases."""
        start = {a.place: position(a.replica) for a in self.honest}
        goal = 1 << 30 if whole else max(at for _, at in start.values()) + QUIET
        quorum = len(self.honest) > len(self.actors) // 2
        end, turns, least = self.now + PATIENCE, self.turns, self._least
        vote = self.now + VOTE
        while not self.faults and not self._settled(goal):
            self.circle()
            if self._least > least:
                end, turns, least = self.now + PATIENCE, self.turns, self._least
                vote = self.now + VOTE
            if self.now > vote:
                vote = end + 1
                self._skip_gone()
            ended = not self.turn()
            # of two, or where too many have given it up or play anew, nothing has to follow
            enough = len(self.honest) - self._gave_up > len(self.actors) // 2
            most = TURNS // (1 if enough else 20 if quorum else 40)
            if ended or self.now > end or self.turns > turns + most:
                # before all keys are shared nobody can stand in for who gives up the start
                few = self._gave_up and self._least < SETUP
                if enough and not few:
                    where = {a.place: position(a.replica) for a in self.honest}
                    self.faults.append(f"no way on from {start} to {where} at {self.now:.0f}")
                break
        end = self.now + MEET
        while not self.faults and self._differ and self.now < end and self.turn():
            pass
        for (one, other), at in self._unproven.items() if quorum else ():
            self.faults.append(f"{one} and {other} part at {at}, and nobody is convicted")
        begun = all(a.replica.transcript.begun for a in self.honest)
        if quorum and begun and not self.faults and self._differ:
            self.faults.append(f"verdicts differ: {self.convicted}")
        if quorum and begun and not self.faults and self.roster.settings.grace == FOREVER:
            self._asked_alike()

    def _asked_alike(self) -> None:
        """See that the same is asked of all who stand in a phase, once nobody answers any more, and
        a while after the last sign of life of who is gone, about its hand; that settles no loss."""
        thinking, turns, end = list[Parcel](), self.turns + TURNS // 10, self.now + LIFE + 1
        while self.turns < turns and self.now < end:
            thinking += self.post.take(lambda p: isinstance(p.item, ASKED))
            if not self.turn():
                break
        for parcel in thinking:
            self.post.append(parcel)
        members = [a.replica for a in self.honest if a.replica.status.member]
        if any(replica.attendance.openings.consents for replica in members):
            return  # who has agreed is not asked any more
        having = people(self.roster, {replica.me for replica in members})
        asked = {each.attendance.openings.asked for each in members if each.me in having}
        alike = len(self.liars) > 1 or len(asked) < 2  # one tells of the other what it likes
        if len({r.transcript.past.hash for r in members}) == 1 and not alike:
            self.faults.append(f"some are asked about the hand of who is gone, others not: {asked}")

    @property
    def convicted(self) -> dict[int, set[int]]:
        """Whom each has convicted."""
        return {actor.place: set(actor.replica.convicted) for actor in self.honest}

    @property
    def over(self) -> bool:
        """Whether all honest peers have come to the end of the game."""
        return all(actor.replica.over for actor in self._playing)

    @property
    def _playing(self) -> list[Actor]:
        """Who is honest, and has not begun another game."""
        return [actor for actor in self.honest if actor.place not in self.anew]

    @property
    def _gave_up(self) -> int:
        """How many honest peers have given up a start."""
        return sum(actor.held is not None for actor in self.honest)

    @property
    def _least(self) -> int:
        """The phase of the honest peer that is furthest behind."""
        return min((a.replica.transcript.number for a in self._playing), default=1 << 30)

    def _settled(self, goal: int) -> bool:
        """Tell whether all have gone on, and who parted knows why: they may meet phases later."""
        gone = all(self._gone_on(actor, goal) for actor in self._playing)
        return self.over or (gone and not self._unproven)

    @property
    def _differ(self) -> bool:
        return len({frozenset(actor.replica.convicted) for actor in self._playing}) > 1

    @property
    def _unproven(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The pairs whose lines have parted, and that have convicted nobody, with the place; where
        both have gone back since, to a view from before, nothing has come of it. Who has given up
        the start, and left, is told nothing any more."""
        known = self.convicted
        return {
            (one, other): at
            for (one, other), at in self.parted.items()
            if not (known[one] and known[other])
            and not any(
                self.actors[p].dead and self.actors[p].held is not None for p in (one, other)
            )
            and (self._stays(one, at) or self._stays(other, at))
        }

    def _stays(self, place: int, at: tuple[int, int]) -> bool:
        """Tell whether what an honest peer saw completed at a place is still on its line."""
        return self.lines[place][at] in self.actors[place].replica.transcript.line

    def _skip_gone(self) -> None:
        """Let people vote that they do not wait: nobody else ends the wait for a question, nor for
        whom they themselves wished to wait however long it takes."""
        for actor in self.honest:
            for gone in sorted(self.liars | self.anew.keys()):
                self.step(actor, inputs.SkipWait(gone))

    def _gone_on(self, actor: Actor, goal: int) -> bool:
        replica = actor.replica
        if actor.place in self.ended or replica.over:
            return True
        if gave_up(replica):
            return True  # nobody can stand in yet: people open another table
        return replica.transcript.number >= goal


def gave_up(replica: Replica) -> bool:
    """Tell whether a start has come to nothing for a replica."""
    return bool(replica.halted) and not replica.transcript.begun


def view_of(replica: Replica) -> int:
    """Return the number of the view that a replica is in."""
    return replica.transcript.view


def position(replica: Replica) -> tuple[int, int]:
    """Return the view and the phase that a replica is in."""
    return (view_of(replica), replica.transcript.number)
