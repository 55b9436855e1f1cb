"""Feed spoiled messages to everything that strangers and peers can reach, as fast as it goes.

    python -m tests.byzantine.fuzz --seconds 600 --file fuzz.json

Whole games are played; at many of their steps the process is copied, and the copy takes thousands
of inputs: true messages of any moment of the game, from anybody, flipped, cut, with fields changed
in value or type, nested deeply, made huge, and signed anew by the liar. They go to a real replica,
to the shell around it (farewells, who watches), to one who watches, to the chat, a lobby's host, a
channel that nobody has greeted yet, the record's reader, and to every decoder. Nothing
may raise but the peer's own error, take long, make memory grow, or convict anybody who is honest.
A batch is its number: ``--from N`` begins with it, ``--file`` keeps the next one. What goes wrong
is printed with its batch; the exit status is 0 only if nothing did.
"""

from __future__ import annotations

from tests.byzantine.stand_ins import installed

if __name__ == "__main__":
    installed().__enter__()  # before the group is used by anybody, and for good

import argparse
import gc
import json
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import msgpack
import trio

from lanplay import errors
from lanplay.engine.record import Record, from_bytes
from lanplay.games import load
from lanplay_protocol.advert import Advert, BadAdvert, from_txt
from lanplay_protocol.channel.secure import Channel
from lanplay_protocol.chat import Chat
from lanplay_protocol.closing import closed, closing
from lanplay_protocol.crypto.cards import parse_deck
from lanplay_protocol.crypto.errors import CryptoError
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.lobby_chat import LobbyChat
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.audit import check_record
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.messages import (
    ALIVE,
    LEAVE,
    WAITS,
    complain,
    parse_complaint,
    parse_past,
    parse_signed,
    read,
    wish,
)
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.roster import parse_roster
from lanplay_protocol.replica.settings import TableSettings
from lanplay_protocol.replica.spectator import Spectator, public
from lanplay_protocol.schema import fields
from lanplay_protocol.shell.node import PeerMessage
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.shell.spectator_hub import SpectatorHub
from lanplay_protocol.table import parse_table
from lanplay_protocol.wire import FrameReader, decode, encode
from tests.byzantine.draws import Draws
from tests.byzantine.lies import resigned, spoiled
from tests.replica.drawn_tables import drawn_table
from tests.replica.harness import Table, identity, received, vote
from tests.shell.test_forming import wish as joins
from tests.shell.test_host import guest, hosting

GAMES = ("charidice", "dice-town", "fliptown", "dogs-life")
PEERS, LIAR, TARGET = 3, 2, 0
BATCH = 4000
"""Inputs of one copy."""
SLOW = 0.5
"""Seconds of processor time that no input may take."""
GREETING = 4096
"""Bytes that a stranger may send before it has proven who it is."""
GROWTH = 64 << 20
"""Bytes by which no batch may grow."""
EXPECTED = (PeerError, CryptoError, errors.Mistake)
ADVERT = Advert(
    "0" * 32, "a table", "Ann", "dice-town", 4, 2, ("Ann", "Ben"), False, "open", "0" * 8, "1", 3, 7
)


class Drawn:
    """Numbers from a seed, as ``tests.byzantine.draws`` gives them, and much faster."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.below = self.random.randrange
        self.pick = self.random.choice

    def one_in(self, times):
        return self.below(times) == 0


def spoil_bytes(body, draws):
    """Return bytes that are something else in some place, or end before their end."""
    changed = bytearray(body)
    for _ in range(1 + draws.below(3)):
        if not changed:
            return b"\xc1"
        at = draws.below(len(changed))
        way = draws.below(6)
        if way == 0:
            changed[at] ^= 1 << draws.below(8)
        elif way == 1:
            del changed[at:]
        elif way == 2:
            changed[at:at] = draws.random.randbytes(draws.below(20))
        elif way == 3:
            changed[at] = draws.pick((0xC0, 0xC1, 0xCF, 0xD3, 0xDD, 0xDF, 0xC6, 0x90, 0xFF))
        elif way == 4:
            changed[at : at + 8] = b"\xff" * 8
        else:
            changed[at:at] = changed[: draws.below(200)]
    return bytes(changed)


ODD = (
    None,
    True,
    -1,
    1 << 63,
    (1 << 64) - 1,
    -(1 << 63),
    b"",
    b"\0" * 32,
    b"x" * 30_000,
    "",
    "\x1b[2J\u202e" * 9,
    "y" * 30_000,
    (),
    ((((((((),),),),),),),),
    (0,) * 2000,
    1.5,
    {"a": 1},
)
"""Values of every type, and of no sensible size."""


def odd(plain, draws):
    """Return plain data with something quite different in one place."""
    if isinstance(plain, tuple | list) and plain and not draws.one_in(4):
        at = draws.below(len(plain))
        return (*plain[:at], odd(plain[at], draws), *plain[at + 1 :])
    return draws.pick(ODD)


def packed(value):
    """Return what a careless program would send."""
    try:
        return encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return msgpack.packb(value, strict_types=False, default=str)


class Recording(Table):
    """A table that keeps every message, and shows the game to one who watches at the target."""

    def __post_init__(self):
        super().__post_init__()
        self.corpus = {}
        self.watcher = Spectator(load(self.roster.game), self.roster)

    def handle(self, peer, output):
        for envelope in output.send:
            self.corpus.setdefault((peer, envelope.body), None)
        if peer == TARGET:
            for entry in output.persist:
                for body in public(entry):
                    self.watcher.receive(body, self.now)
        super().handle(peer, output)


def eventful(table):
    """Let everything happen of which peers tell each other: links break, one leaves and is back."""
    table.run(lambda t: all(r.transcript.number > SETUP + 4 for r in t.replicas), seconds=300)
    table.step(LIAR, inputs.Leaving())
    table.run(lambda t: t.replicas[TARGET].begun, seconds=60)
    table.disconnect((TARGET, LIAR))
    end = table._turns + 60
    table.run(lambda t: t._turns > end, seconds=5)
    table.connect((TARGET, LIAR))


def everything(table):
    """Return all that was sent at a table, and what is sent only where somebody lies or is lost."""
    line = table.replicas[TARGET].line
    signed = line.statements.of_phase(SETUP)[0].signed
    complaint = complain(LIAR, signed, bytes(64), identity(LIAR), table.roster)
    some = list(line.statements.pasts.values())[-3:]
    more = [(kind, past.plain()) for kind in ("past", "end") for past in some]
    anew = vote(table.roster, LIAR, bytes(32), ((1, bytes(32)),), (LIAR,))
    more += [("complaint", complaint.plain()), ("anew", anew), ("here", (1, 9))]
    for kind in (ALIVE, LEAVE):
        more += [(kind, wish(kind, LIAR, 1, identity(LIAR), line.statements.game).plain())]
    more += [(WAITS, wish(WAITS, LIAR, 7, identity(LIAR), table.roster.digest()).plain())]
    more += [("want", (0, SETUP, bytes(32), (signed.key,), (bytes(32),), (1, 2)))]
    return [*table.corpus, *((LIAR, encode(each)) for each in more)]


def chatter(roster_):
    """Return what is said at a table, with the chat of the target that has not heard it."""
    words, bodies = Chat(roster_, LIAR, identity(LIAR), 1), []
    for events in (words.say("hello", 1.0), words.pause(2.0), words.go(3.0), words.say("x", 9.0)):
        bodies += [event.body for event in events if isinstance(event, Envelope)]
    return Chat(roster_, TARGET, identity(TARGET), 1), bodies


def lobby():
    """Return a host with a guest, and what guests say."""
    host = hosting()
    host.lobby.join(guest(b"B" * 32, "Ben"))
    host.lobby.join(guest(identity(LIAR).public, "Lea"))
    info, talk = host.lobby.info, LobbyChat()
    said = [talk.say(info, identity(LIAR), text, 0.0) for text in ("hello", "x")]
    asks = [decode(joins(identity(LIAR), "Cy")), ("seat", "Dan"), ("unseat", "Dan")]
    asks += [("watch", "Eve"), ("left", ()), ("table", host.lobby.info.plain())]
    return host, [*(encode(each) for each in asks), *said]


def decoders(recording):
    """Return every decoder that bytes reach, each with something true for it."""
    me = identity(TARGET)
    moves = [body for _, body in recording.corpus if decode(body)[0] == "move"]
    complaint = (1, 2, 3, bytes(32), b"part", bytes(64))
    plain = recording.roster.plain()
    host, asks = lobby()

    def parsed(parse):
        return lambda data: parse(decode(data))

    def channel(data):
        Channel(False, me, "1", bytes(range(32))).receive(data)

    def signed(data):
        read(parse_signed(fields(decode(data), 2, "message")[1]))

    def talked(said):
        LobbyChat().receive(host.lobby.info, fields(said, 2, "message")[1], 0.0)

    greeting = Channel(True, identity(LIAR), "1", bytes(range(32))).data_to_send()
    error = closing(PeerError(Code.UNEXPECTED, errors.Fault.LINK_CLOSED.of()))
    return [
        (signed, moves),
        (decode, moves),
        (closed, [error]),
        (lambda data: list(FrameReader().feed(data)), [b"\0\0\0\5hello"]),
        (channel, [greeting, greeting + b"\0\x20" + bytes(32)]),
        (parsed(parse_roster), [encode(plain)]),
        (parsed(talked), asks[-2:]),
        (parsed(parse_table), [encode(hosting().lobby.info.plain())]),
        (parsed(parse_complaint), [encode(complaint)]),
        (parsed(parse_past), [encode((bytes(32), 1, ((0, bytes(32)),)))]),
        (lambda data: parse_deck(data, len(data) // 64), [bytes(640)]),
    ]


class Nowhere:
    """A node, or links, that send nothing."""

    def __init__(self, own):
        self.identity, self.seated = own, frozenset()

    def seen_at(self, identity):
        """Return one address for all."""
        return "10.0.0.1"

    def send(self, *said):
        """Send it nowhere."""


def runner(batch):
    """Return a shell around a batch's replica, without sockets: the door of all that peers say."""
    made, place = object.__new__(GameRunner), batch.replica.me
    nowhere = Nowhere(identity(place))
    made._done, made.links, made._roster = {}, nowhere, batch.table.roster
    made.elsewhere = set()
    made._replica, made._clock = batch.replica, SimpleNamespace(goes=False)
    made.chat = SimpleNamespace(heard=lambda peer, said: batch.chat.receive(peer, said, batch.now))
    made._spectators = SpectatorHub(
        nowhere, batch.replica, dict, lambda told: None, clock=lambda: batch.now
    )
    made._step = lambda given: batch.replica.step(given, batch.now)
    return made


class Batch:
    """The inputs of one copy of a game, each of them harmless."""

    def __init__(self, number, recording, corpus, record):
        self.draws = Drawn(number)
        self.table, self.corpus, self.record = recording, corpus, record
        self.replica = recording.replicas[TARGET]
        self.chat, self.words = chatter(recording.roster)
        self.host, self.asks = lobby()
        self.decoders = decoders(recording)
        self.runner = runner(self)
        self.affairs = [encode(("bye", bytes(32))), encode(("watchers", ("Ann", "Eve")))]
        self.affairs += [encode((kind, ())) for kind in ("join", "left", "watch")]
        self.older = {}
        for _, body in corpus:
            kind, payload = decode(body)
            self.older.setdefault(kind, []).append(payload)
        self.counts = Counter()
        self.faults = []
        self.now = recording.now

    def run(self):
        """Take all inputs; return what was counted, and what went wrong."""
        start = memory()
        ways = (self.peer_says,) * 60 + (self.watch,) * 12 + (self.talk,) * 8
        ways += (self.join,) * 6 + (self.decode,) * 12 + (self.advert,) * 2
        ways += (self.shell,) * 8 + (self.greet,) * 2
        for _ in range(BATCH):
            way = self.draws.pick(ways)
            self.one(way)
        if self.record is not None:
            self.one(self.verify)
        if memory() - start > GROWTH:
            self.faults.append(f"grew by {(memory() - start) >> 20} MiB")
        return self.counts, self.faults

    def one(self, way):
        began = time.process_time()
        try:
            way()
            self.counts["taken"] += 1
        except EXPECTED:
            self.counts["refused"] += 1
        except Exception as error:
            self.fault(f"{way.__name__} raised {error!r} ({where(error)})")
        took = time.process_time() - began
        self.counts[way.__name__] += 1
        if took > SLOW and way.__name__ != "verify":
            self.fault(f"{way.__name__} took {took:.2f} s")
        for peer in set(self.replica.convicted) - {LIAR}:
            self.fault(f"{way.__name__} convicted {peer}: {self.replica.convicted[peer]}")

    def fault(self, what):
        """Note what is wrong, once."""
        if what not in self.faults and len(self.faults) < 9:
            self.faults.append(what)

    def body(self, bodies):
        """Return a message: true, spoiled as bytes or as a value, or something else altogether."""
        draws, true = self.draws, self.draws.pick(bodies)
        way = draws.below(8)
        if way == 0:
            return true
        if way < 4:
            return spoil_bytes(true, draws)
        kind, payload = decode(true)
        if way < 7:
            new = spoiled(payload, draws, self.older.get(kind, []))
            return packed((kind, new))
        if draws.one_in(5):
            kind = draws.pick(list(self.older))
        return packed(odd((kind, payload), draws))

    def peer_says(self):
        """Somebody sends the replica something, in anybody's name."""
        draws = self.draws
        sender = draws.pick((1, LIAR))
        if draws.one_in(4):
            kind = draws.pick(("move", "status"))
            payload = draws.pick(self.older.get(kind) or self.older["move"])
            again = resigned(
                self.replica, LIAR, kind, (LIAR, *payload[1:]), draws, self.older.get(kind, [])
            )
            if again is None:
                return
            given = inputs.Received(sender, kind, again)
        else:
            given = received(sender, self.body([self.draws.pick(self.corpus)[1]]))
        self.now += 0.001
        self.replica.step(given, self.now)

    def watch(self):
        """The peer at which somebody watches sends anything."""
        self.table.watcher.receive(self.body([self.draws.pick(self.corpus)[1]]), self.now)

    def talk(self):
        """Somebody says something."""
        _, payload = fields(decode(self.body(self.words)), 2, "message")
        self.chat.receive(self.draws.pick((1, LIAR)), payload, self.now)

    def join(self):
        """Somebody asks the host of a forming table for something."""
        whose = (b"B" * 32, b"C" * 32, identity(LIAR).public)
        message = PeerMessage(self.draws.pick(whose), self.body(self.asks))
        step = self.host._asked(message)
        try:
            step.send(None)
        except StopIteration:
            return
        step.close()

    def shell(self):
        """Somebody at the table says what the shell takes itself, or anything else."""
        body = self.body(self.affairs if self.draws.below(4) else [self.draws.pick(self.corpus)[1]])
        self.now += 0.001
        self.runner._heard(self.draws.pick((1, LIAR)), body)

    def greet(self):
        """A stranger sends anything at all, in pieces, without end: it costs a bounded buffer."""
        channel, taken = Channel(False, identity(TARGET), "1", bytes(range(32))), 0
        greeting = Channel(True, identity(LIAR), "1", bytes(range(32))).data_to_send()
        while taken < 3 * GREETING:
            some = self.draws.random.randbytes(1 + self.draws.below(GREETING))
            way = self.draws.below(4)
            piece = (greeting, greeting[: self.draws.below(len(greeting))], some, b"x" * 999)[way]
            channel.receive(spoil_bytes(piece, self.draws) if self.draws.below(2) else piece)
            taken += len(piece)
        raise AssertionError("a stranger was listened to without end")

    def decode(self):
        """Any bytes reach any decoder."""
        decoder, true = self.draws.pick(self.decoders)
        if true:
            decoder(spoil_bytes(self.draws.pick(true), self.draws))

    def advert(self):
        """A table says anything of itself."""
        txt = {k.encode(): v.encode() for k, v in ADVERT.to_txt().items()}
        key = self.draws.pick(list(txt))
        txt[key] = self.draws.pick((None, b"", spoil_bytes(txt[key], self.draws), b"\xff" * 255))
        try:
            from_txt(txt, self.draws.pick((None, 0, 7, 1 << 16, -1)))
        except BadAdvert as error:
            raise PeerError(Code.MALFORMED, str(error)) from error

    def verify(self):
        """Somebody hands over a record that was altered."""
        record, draws = self.record, self.draws
        if draws.one_in(2):
            try:
                from_bytes(spoil_bytes(record.to_bytes(), draws))
            except errors.Problem as error:
                raise PeerError(Code.MALFORMED, str(error)) from error
            return
        extra = dict(record.extra)
        key = draws.pick(sorted(extra))
        extra[key] = (spoiled if draws.one_in(2) else lambda p, d, _: odd(p, d))(
            extra[key], draws, []
        )
        altered = Record(
            record.header, record.history, record.state_hash, record.finished, extra=extra
        )
        try:
            report = check_record(load(self.table.roster.game), altered)
        except ValueError as error:  # as it says: it may hold no network game
            raise PeerError(Code.MALFORMED, str(error)) from error
        if report.finding is not None and report.finding.peer not in (None, LIAR):
            raise AssertionError(f"a record convicts an honest peer: {report.finding}")


def where(error):
    """Return the last two places of a traceback."""
    trace, places = error.__traceback__, []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{Path(code.co_filename).name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " ".join(places[-3:])


def memory():
    """Return the bytes that this process has."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def in_a_copy(batch):
    """Run a batch in a copy of this process; return its counts and faults."""
    reader, writer = os.pipe()
    gc.freeze()  # to look through what the copies share would be counted to an input
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            trio.current_time = lambda: 0.0  # a host of a table asks what time it is
            with os.fdopen(writer, "wb") as out:
                out.write(json.dumps(batch().run()).encode())
        except BaseException as error:
            print(f"{error!r} ({where(error)})", file=sys.stderr, flush=True)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        data = source.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else ({}, ["the copy ended"])


def begun(game, number):
    """Return a table whose game has begun, the same one for a number: every other is eventful."""
    drawn = drawn_table(load(game), PEERS, TableSettings(), Draws(b"table %d" % number).below)
    table = Recording(drawn, seed=b"fuzz %d" % number)
    table.start()
    if number % 2:
        eventful(table)
    return table


def whole(game, number):
    """Play a whole game; return its table and its record."""
    table = begun(game, number)
    table.run(lambda t: t.is_over(), seconds=900)
    replica = table.replicas[TARGET]
    referee = replica.context.referee
    return table, Record(
        table.roster.header, tuple(referee.history), referee.table.hash(), True, extra=replica.proof
    )


def campaign(first, seconds, done):
    """Run batches from a number on; ``done`` is told each. Forty are spread over each game."""
    number, end = first, time.monotonic() + seconds
    while time.monotonic() < end:
        game, last = GAMES[number // 40 % len(GAMES)], (number // 40 + 1) * 40
        recorded, record = whole(game, number // 40)
        corpus = everything(recorded)
        table = begun(game, number // 40)
        step = max(1, recorded._turns // 40)

        def here(t, step=step, corpus=corpus, record=record, game=game, last=last):
            nonlocal number
            if t._turns % step == number % 40 % step and here.last != t._turns:
                here.last = t._turns
                at = number
                counts, faults = in_a_copy(lambda: Batch(at, t, corpus, record))
                number += 1
                done(number, counts, [f"batch {at}, {game}: {fault}" for fault in faults])
            return number == last or time.monotonic() > end

        here.last = -1
        table.run(here, seconds=900)
        number = last if time.monotonic() < end else number
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--from", type=int, default=None, dest="first", help="batch")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--file", type=Path, help="keeps how far it has come")
    args = parser.parse_args()
    state = {"next": 0, "inputs": 0, "seconds": 0.0, "faults": []}
    if args.file is not None and args.file.exists():
        state |= json.loads(args.file.read_text())
    if args.first is not None:
        state["next"] = args.first
    counts, began, before = Counter(), time.monotonic(), state["seconds"]

    def done(number, counted, faults):
        counts.update(counted)
        state["next"] = number
        state["inputs"] += counted.get("taken", 0) + counted.get("refused", 0)
        state["seconds"] = before + time.monotonic() - began
        state["faults"] += faults
        for fault in faults:
            print(fault, flush=True)
        if args.file is not None:
            args.file.write_text(json.dumps(state))

    campaign(state["next"], args.seconds, done)
    taken = counts["taken"] + counts["refused"]
    rate = taken / (time.monotonic() - began)
    print(json.dumps({"inputs": taken, "a second": round(rate), **counts}))
    print(f"{state['inputs']} inputs in all, {len(state['faults'])} faults; next {state['next']}")
    return 1 if state["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
