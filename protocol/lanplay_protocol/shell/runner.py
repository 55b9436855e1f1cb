"""Runs a replica over a node's links until the game is over or held."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import trio

from lanplay.engine.question import Illegal, Question
from lanplay.engine.record import Record
from lanplay.engine.view import View
from lanplay.errors import Fault, by_code
from lanplay.notices import Notice
from lanplay_protocol.chat import KIND as CHAT
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.events import (
    AnswerNeeded,
    AskedToYield,
    Event,
    Logged,
    LoggedBefore,
    PhaseCompleted,
    Restarted,
    SeatReassigned,
    TrustNeeded,
)
from lanplay_protocol.replica.jobs import Job
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.outbox import Entry, Output
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.roster import NONCE, Roster
from lanplay_protocol.replica.start import ACCEPT
from lanplay_protocol.schema import binary, message
from lanplay_protocol.shell.absentees import Absentees
from lanplay_protocol.shell.archive import asking
from lanplay_protocol.shell.beginning import KINDS, accepts_said, certificate, grace
from lanplay_protocol.shell.chat import TableChat
from lanplay_protocol.shell.journal import Journal, JournalError
from lanplay_protocol.shell.links import Links
from lanplay_protocol.shell.node import (
    Node,
    NodeEvent,
    PeerConnected,
    PeerDisconnected,
    PeerMessage,
)
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.player import GameDelegate, GameOutcome
from lanplay_protocol.shell.spectator_hub import NOT_HERE, SEATED, SpectatorHub
from lanplay_protocol.shell.stillness import PULSE_SECONDS, Stillness, next_beat
from lanplay_protocol.wire import encode

_LOG = logging.getLogger(__name__)

__all__ = ["GameDelegate", "GameOutcome", "GameRunner"]

READING_SECONDS = 0.5
"""How long what comes may keep time from passing: a peer that floods gains no more by it."""
NOT_WITH_IT = Notice.SAID.of(why=NOT_HERE)
"""Why a peer closes a link that plays another game."""
LINGER_SECONDS = 5.0
"""How long a finished program stays for others that are still missing messages."""


class GameRunner:
    """One network game as this program sees it. ``addresses`` tells where peers listen.

    ``links`` are those to its peers, and know where these are; ``chat`` is the talk at the table,
    which knows who has paused.
    """

    def __init__(
        self,
        node: Node,
        replica: Replica,
        roster: Roster,
        addresses: Mapping[bytes, Sequence[tuple[str, int]]],
        player: GameDelegate,
        watch: Callable[[PhaseCompleted], None] = lambda _: None,
        journal: Journal | None = None,
        restored: Sequence[Entry] | None = None,
        incomplete: bool = False,
        gate: Gate | None = None,
        shut: bool = False,
    ) -> None:
        """With a ``journal`` the game is kept on disk; with ``restored`` entries it goes on.

        ``incomplete`` entries miss something: the table has to cut this peer off before it takes
        part, and nothing is added to its journal. ``gate`` and ``shut`` say who may watch here (see
        ``SpectatorHub``). ``missing`` are the peers that nobody hears, and until when (see
        ``left``) each is waited for, ``None`` for ever; ``elsewhere`` those that form a table or
        play another game by now: they are not here before they say something. The game has
        ``begun`` once its entries are gone through.
        """
        self._node = node
        self._replica = replica
        self._roster = roster
        self.links = Links(node, roster, addresses, eager=restored is not None)
        self._player = player
        self._watch = watch
        self._place = self.links.place
        node.seated = frozenset(self._place)
        node.archive.playing = roster.digest()
        self._spectators = SpectatorHub(
            node, replica, lambda: self.links.addresses, player.notice, gate, shut
        )
        self.chat = TableChat(node, replica, self.links, self._spectators, player)
        self._clock = self.chat.clock
        self._done: dict[int, bytes] = {}
        self._asking: dict[int, tuple[tuple[Question, View[Any]], trio.CancelScope]] = {}
        self._journal = None if incomplete else journal
        self._restored, self._source = restored, journal
        self._absentees = Absentees(self.links, () if restored is None else self.links.others)
        self.missing = self._absentees.until
        self.elsewhere: set[int] = set()
        self._incomplete = incomplete
        self.begun = False
        self._restarted: Roster | None = None
        self._patience = trio.CancelScope()
        self._output = Output()
        self._stillness = Stillness()
        self._send, self._inbox = trio.open_memory_channel[Any](0)

    async def run(self) -> GameOutcome:
        """Play to the end and return how it was; ``JournalError`` for entries that are no game."""
        _LOG.info("a game of %d peers, as peer %d", len(self._place), self._replica.me)
        async with trio.open_nursery() as nursery:
            self._serve(nursery)
            for place in self.links.others:
                if not self.links.up(place):
                    self._step(inputs.LinkDown(place))
            self._begin()
            self._stillness.turn()
            while not self._replica.ends and not self._restarted:
                await self._go_on()
            await self._linger()
            self._spectators.dismiss(self._farewell())
            nursery.cancel_scope.cancel()
        return self.outcome()

    def _serve(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        for each in (self._pump, self.links.keep, self._spectators.run):
            nursery.start_soon(each)

    def _begin(self) -> None:
        if self._restored is None:
            self._step(inputs.Started(self._node.offers.proofs(self._roster.table)))
        else:
            try:
                self._step(inputs.Restored(tuple(self._restored), self._incomplete))
            except ValueError as error:
                path = "" if self._source is None else str(self._source.path)
                why = str(error)
                raise JournalError(Fault.JOURNAL_INCONSISTENT, path=path, why=why) from error
        self.begun = True

    async def _go_on(self) -> None:
        await (self._turn() if self._output.job is None else self._work(self._output.job))

    async def _work(self, job: Job) -> None:
        """Do the long work that the replica waits for, in a thread: a screen goes on meanwhile."""
        self._step(inputs.JobDone(job, await trio.to_thread.run_sync(job.run)))

    async def _turn(self) -> None:
        """Take what comes, or let time pass: only then can anybody be late."""
        pulse = next_beat(PULSE_SECONDS) if self._clock.goes else math.inf
        deadline = min(self._clock.when(self._output.deadline), self.chat.ends, pulse)
        with trio.CancelScope(deadline=deadline) as self._patience:
            self._take(await self._inbox.receive())
        if self._patience.cancelled_caught and not self._clock.goes:
            self.chat.look()
            self._step(inputs.Nudged())
        still = self._stillness.turn() and self._clock.goes
        if still or trio.current_time() >= self._clock.when(self._output.deadline):
            await self._read_all()
            self._step(inputs.Woken() if still else inputs.Ticked())

    async def _read_all(self) -> None:
        """Take all that has come: some of it may be what the table waits for."""
        with trio.move_on_after(READING_SECONDS):
            while self._node.unread or self._inbox.statistics().tasks_waiting_send:
                try:
                    self._take(self._inbox.receive_nowait())
                except trio.WouldBlock:
                    await trio.lowlevel.checkpoint()

    async def _linger(self) -> None:
        self.links.broadcast(encode(("bye", self._replica.context.referee.table.hash())))
        with trio.move_on_after(LINGER_SECONDS):
            while self._watched_to_the_end or any(self.links.up(place) for place in self.absent):
                self._take(await self._inbox.receive())

    @property
    def absent(self) -> list[int]:
        """The peers that have not said that they have come to the end of the game."""
        return [place for place in self.links.others if place not in self._done]

    async def stay(self) -> None:
        """Show the end of a game that is over to all who come back only now, and let those sign it
        who have not; return once all have seen it.

        To be run after ``run``, while there is time. Nothing more is written to the journal.
        """
        self._journal = None
        async with trio.open_nursery() as nursery:
            self._serve(nursery)
            while self.absent or not (self._replica.over or self._replica.halted):
                await self._go_on()
            nursery.cancel_scope.cancel()

    @property
    def _watched_to_the_end(self) -> bool:
        """Tell whether somebody watches here who may still miss the end: it goes when it has it."""
        return self._replica.over and self._spectators.any_here

    def _farewell(self) -> str:
        if self._replica.halted:
            return Fault.GAME_HELD.of(why=self._replica.halted.reason)
        return (Fault.GAME_ANEW if self._restarted else Fault.GAME_OVER).of()

    @property
    def spectators(self) -> Sequence[str]:
        """The names of those who watch, at any peer, as they may be shown."""
        return self._spectators.names

    async def _pump(self) -> None:
        while True:
            await self._send.send(await self._node.events.receive())

    def _take(self, item: NodeEvent | tuple[Any, inputs.Answered] | inputs.Trusted) -> None:
        match item:
            case inputs.Trusted():
                self._step(item)
            case (scope, given):
                self._answered(scope, given)
            case PeerConnected():
                self._linked_up(item)
            case PeerDisconnected():
                self._linked_down(item)
            case PeerMessage():
                self._received(item)

    def _linked_up(self, event: PeerConnected) -> None:
        place = self._place.get(event.identity)
        if place is None:
            if event.dialled:
                self._node.close(event.identity, PeerError(Code.UNEXPECTED, NOT_HERE))
            else:
                self._spectators.linked(event.identity, trio.current_time())
            return
        _LOG.info("link to peer %d at %s", place, event.host)
        self.links.seen(event)
        self._done.pop(place, None)
        self._absentees.linked(place)
        self.links.send(place, asking(self._roster))
        self._spectators.peer_linked(place)
        self.chat.linked(place)
        if self._replica.transcript.number < SETUP and self._roster.accepts:
            self.links.send(place, certificate(self._roster))
        if place not in self.elsewhere:
            self._step(inputs.LinkUp(place))

    def _linked_down(self, event: PeerDisconnected) -> None:
        place = self._place.get(event.identity)
        if place is None:
            self._spectators.gone(event.identity)
        else:
            self._spectators.peer_lost(place)
            why = event.why or (Fault.LINK_DONE.of() if place in self._done else "")
            if why == NOT_WITH_IT:
                why = Fault.LINK_ANOTHER.of()
                self.elsewhere.add(place)
                self.links.leave_in_peace(place)
            _LOG.info("no link to peer %d: %s", place, why)
            self._absentees.lost(place, why)
            self._step(inputs.LinkDown(place))

    def _received(self, item: PeerMessage) -> None:
        place = self._place.get(item.identity)
        try:
            if place is None:
                self._spectators.receive(item.identity, item.body, trio.current_time())
            else:
                self._heard(place, item.body)
        except PeerError as error:
            if place is not None:
                why = by_code(error.code, error.text)
                self._player.notice(Notice.CLOSED.of(name=self._roster.shown(place), why=why))
            self._node.close(item.identity, error)

    def _heard(self, place: int, body: bytes) -> None:
        """Take what a peer said: of this shell's own affairs, or for the replica."""
        kind, payload = message(body)
        self._may_be_back(place, kind)
        if kind == "bye":
            if not (self._clock.goes or self._replica.over or place in self._done):
                self._step(inputs.Nudged())  # it has the end, and goes before it is asked again
            self._done[place] = binary(payload, 32, "state hash")
        elif kind == "watchers":
            self._spectators.peer_said(place, payload)
        elif kind == CHAT:
            self.chat.heard(place, payload)
        elif kind in KINDS:
            said, own = accepts_said(kind, payload), self._roster.peers[place].public
            # who passes on what another has signed may have begun, or shows the end of a game
            if kind == "join" or (kind == ACCEPT and said[0].public == own):
                self.links.send(place, certificate(self._roster))
            for each in said:
                self._step(inputs.Received(place, ACCEPT, each.plain()))
        elif kind == "watch":
            raise PeerError(Code.UNEXPECTED, SEATED)
        elif kind == "out":  # its program forms a table: it has given this game up
            self.elsewhere.add(place)
            self.links.turned_away(place, PeerError(Code.UNEXPECTED, Fault.LINK_ELSEWHERE.of()))
        else:
            self._step(inputs.Received(place, kind, payload))

    def _may_be_back(self, place: int, kind: object) -> None:
        """Take note that a peer that was elsewhere speaks of this game again."""
        if place in self.elsewhere and kind not in KINDS | {"out"}:
            self.elsewhere.discard(place)
            self._step(inputs.LinkUp(place))

    def _answered(self, scope: trio.CancelScope, given: inputs.Answered) -> None:
        seat = given.seat
        asked, _ = (None, None) if scope.cancel_called else self._asking.pop(seat)
        if asked is None or asked != (self._replica.asked(seat), self._replica.views.get(seat)):
            return  # something else is asked by now, or an AI plays on here meanwhile
        try:
            self._step(given)
        except Illegal as illegal:
            self._player.refused(seat, illegal)
            holder = self._replica.context.seating.holders[seat]
            self._begin_to_ask(AnswerNeeded(seat, asked[0], holder.bot))

    def _step(self, given: inputs.Input) -> None:
        """Give the replica an input, and do what it asks for in the order of ``Output``."""
        self._output = output = self._replica.step(given, self._clock())
        self._persist(output)
        for envelope in output.send:
            self.links.post(envelope)
        for event in output.events:
            self._handle(event)
        self._player.changed()

    def _handle(self, event: Event) -> None:
        match event:
            case AnswerNeeded():
                self._begin_to_ask(event)
            case TrustNeeded():
                self._nursery.start_soon(self._confirm, event)
            case PhaseCompleted():
                _LOG.debug("phase %d, %s", event.phase, event.kind)
                self._watch(event)
            case _:
                self._tell(event)

    def _tell(self, event: Event) -> None:
        _LOG.debug("%s %s", type(event).__name__, getattr(event, "peer", ""))
        match event:
            case Logged(message=message):
                self._player.happened(message)
            case LoggedBefore():
                self._player.recalled(event.round, event.message)
            case AskedToYield():
                self._player.asked_to_yield()
            case Restarted(roster=roster):
                self._restarted = roster
            case SeatReassigned(seat=seat, holder=holder) if holder.peer != self._replica.me:
                if seat in self._asking:
                    self._asking.pop(seat)[1].cancel()
        for line in self._absentees.told(event):
            self._player.notice(line)

    def _persist(self, output: Output) -> None:
        """Write to the journal; where the disk refuses, the game goes on in memory."""
        try:
            if self._journal is not None:
                for entry in output.persist:
                    self._journal.append(entry)
                if output.sync:
                    self._journal.sync()
        except OSError as error:
            self._give_up_journal(error)
        for entry in output.persist:
            self._spectators.show(entry)

    def _give_up_journal(self, error: OSError) -> None:
        if self._journal is not None:
            journal, self._journal = self._journal, None
            path, lost = str(journal.path), journal.give_up()
            self._player.notice(lost.of(path=path, why=error.strerror))
            self._nursery.start_soon(self._tell_not_durable)

    async def _tell_not_durable(self) -> None:
        self._step(inputs.JournalFailed())

    def _begin_to_ask(self, event: AnswerNeeded) -> None:
        """Ask a seat; what it is being asked already is not asked again, but where it sees
        something else by now: the game has gone another way, or it was told anew what it knows."""
        view = self._replica.views[event.seat]
        before = self._asking.get(event.seat)
        if before is not None and before[0] == (event.question, view):
            return
        if before is not None:
            before[1].cancel()
        scope = trio.CancelScope()
        self._asking[event.seat] = ((event.question, view), scope)
        self._nursery.start_soon(self._ask, event, view, scope)

    async def _ask(self, event: AnswerNeeded, view: View[Any], scope: trio.CancelScope) -> None:
        with scope:
            answer = await self._player.answer(event.seat, view, event.question, event.bot)
            await self._clock.going()
            await self._send.send((scope, inputs.Answered(event.seat, answer)))

    async def _confirm(self, event: TrustNeeded) -> None:
        await self._player.confirm(event.binding)
        await self._send.send(inputs.Trusted())

    # -- what a person wants ----------------------------------------------------------------------

    def set_away(self, seats: frozenset[int]) -> None:
        """Tell the others for which of this program's people AI answers now."""
        self._step(inputs.AwayChanged(seats))

    def skip_wait(self, place: int) -> None:
        """Do not wait for a peer (see ``SkipWait``)."""
        self._step(inputs.SkipWait(place))

    def keep_waiting(self, place: int) -> None:
        """Wait for a missing peer, however long it takes."""
        self._step(inputs.KeepWaiting(place))

    def open_hands(self) -> None:
        """Agree that hands are opened (see ``OpeningAsked``); ``Mistake`` if nothing is asked."""
        self._step(inputs.OpenHands())

    def continue_without(self) -> None:
        """Vote for going on as a new game with those who are here; ``ValueError`` says why not."""
        self._step(inputs.ContinueWithout(os.urandom(NONCE)))

    def pause(self, seat: int | None = None) -> None:
        """Pause the game for all (see ``pausing``); ``ValueError`` if that cannot be now.

        While it is paused no time passes: nobody is given up, or blamed for being late, and what is
        answered is sent when the game goes on.
        """
        self.chat.pause(seat)
        self._patience.deadline = min(self._patience.deadline, self.chat.ends)

    def unpause(self, seat: int | None = None) -> None:
        """Let a paused game go on, as far as a seat's person may; ``ValueError`` if it does."""
        self.chat.unpause(seat)
        self._patience.deadline = min(self._clock.when(self._output.deadline), self.chat.ends)

    def left(self, until: float) -> float:
        """Return how many seconds of the game are left until a time that an event names."""
        return max(0.0, until - self._clock())

    def leave(self) -> None:
        """Tell the others that this program leaves, so that nobody waits for it."""
        self.chat.leave()
        self._step(inputs.Leaving())

    def outcome(self) -> GameOutcome:
        """Return how the game stands: what would be kept if the program ended now."""
        replica, roster, line = self._replica, self._roster, self._replica.transcript
        referee = replica.context.referee
        record = Record(
            header=roster.header,
            history=tuple(referee.history),
            state_hash=referee.table.hash(),
            finished=referee.request is None,
            extra=replica.proof,
        )
        held = replica.halted
        return GameOutcome(
            record=record,
            result=replica.result,
            signed=replica.over,
            restored=self._restored is not None,
            grace=grace(roster.settings),
            on_record=line.begun or bool(replica.convicted),
            rounds=referee.table.round,
            halted=held.reason if held else "",
            report=held.report if held else (),
            steps=line.number,
            trace=tuple(map(line.state_at, range(1, line.number + 1))),
            checked=line.checked,
            restarted=self._restarted,
            seen=replica.context.seen,
        )
