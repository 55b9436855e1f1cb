"""Watching a game: a program without a seat follows it through one of the table's peers.

Where that one goes, lets nobody watch any more, or shows what cannot be verified, it asks another
(see ``spectator_hub``).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Protocol

import trio

from lanplay.engine.game import Game
from lanplay.errors import Fault, Mistake, Unreachable
from lanplay.notices import Notice
from lanplay.told import briefly
from lanplay_protocol.chat import KIND as CHAT
from lanplay_protocol.chat import Chat, ChatMessage, Paused, Resumed, harmless
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.rates import speaking
from lanplay_protocol.replica.context import OBSERVER
from lanplay_protocol.replica.events import Event
from lanplay_protocol.replica.outbox import Envelope
from lanplay_protocol.replica.restart import continues
from lanplay_protocol.replica.roster import PEERS, Roster, parse_roster
from lanplay_protocol.replica.spectator import Spectator
from lanplay_protocol.replica.start import check_start
from lanplay_protocol.schema import fields, message
from lanplay_protocol.shell import passwords
from lanplay_protocol.shell.node import Node, NodeEvent, PeerDisconnected, PeerMessage
from lanplay_protocol.shell.player import Listener
from lanplay_protocol.table import parse_addresses
from lanplay_protocol.wire import encode

ANSWER_SECONDS = 6.0
"""How long a peer may take to answer who wants to watch."""
FORMING_SECONDS = 0.5
"""How often a table that has not started is asked again."""
RETRY_SECONDS = 0.5
PATIENCE_SECONDS = 60.0
"""How long a watcher that has lost its peer looks for another one."""
PLACES = PEERS * PEERS
"""Addresses that a watcher has in hand."""
Address = tuple[str, int]


class SpectatorListener(Listener, Protocol):
    """Whoever watches: what it is shown, and what is said at the table."""

    def table(self, roster: Roster) -> Game:
        """The table is known: return its game; what this raises ends the watching.

        Called again with the roster with which it continues anew, if it does.
        """

    def saw(self, event: Event) -> None:
        """Something happened in the game."""

    def notice(self, text: str) -> None:
        """Something about the connection to the table."""


class SpectatorClient:
    """Follows one game through one peer at a time; ``name`` is listed at the table.

    ``ask`` is for the password of a table that has one.
    """

    def __init__(
        self,
        node: Node,
        name: str,
        audience: SpectatorListener,
        ask: passwords.AskPassword | None = None,
    ) -> None:
        self._ask_password = ask
        self._asked_password = False
        self._chat: Chat | None = None
        self._game: Game | None = None
        self._pace = speaking()
        self.spectator: Spectator | None = None
        self._older: Spectator | None = None  # of the game that goes on anew here
        self._node = node
        self._request = encode(("watch", name))
        self._audience = audience
        self._peer = b""
        self._welcome = False
        self._forming = False
        self._told = False
        self._until = math.inf
        self._lost_at = 0.0
        self._why: str = Fault.NO_ANSWER.of()
        self._places: deque[Address] = deque()
        self._untried: deque[Address] = deque()
        self._refusal: OSError | PeerError = Unreachable(Fault.NO_ADDRESS)
        self._shunned: set[bytes] = set()

    def say(self, text: str) -> None:
        """Say something to all; ``ValueError`` says why that cannot be.

        The peer at which this program watches passes it on, under its name.
        """
        words = harmless(text)
        if not self._welcome:
            raise Mistake(Fault.SAY_UNHEARD)
        if not self._pace.take(trio.current_time()):
            raise Mistake(Fault.SAY_FAST)
        self._node.send(self._peer, encode(("say", words)))

    async def run(self, places: Sequence[Address]) -> Spectator:
        """Watch the game of the table at one of these addresses until it is over.

        Raises ``OSError`` if nobody answers there, ``PeerError`` if the table lets nobody watch or
        none of its peers is to be reached any more.
        """
        self._untried.extend(places)
        while (spectator := self.spectator) is None or not spectator.over:
            if self._peer:
                await self._turn()
            elif spectator is None:
                await self._first()
            else:
                await self._change()
        return spectator

    async def _first(self) -> None:
        """Ask the first peer that answers of those that have not been asked; say why there is none.

        One that has refused is not asked again, at whatever address.
        """
        while self._untried:
            place = self._untried.popleft()
            try:
                found = await self._node.dial(*place)
            except (OSError, PeerError) as error:
                self._failed(error)
                continue
            if found in self._shunned:
                self._node.close(found, PeerError(Code.UNEXPECTED, Fault.ANOTHER_PROGRAM.of()))
                continue
            self._places.append(place)
            self._ask(found)
            return
        raise self._refusal

    def _failed(self, error: OSError | PeerError) -> None:
        """Keep why nobody lets this program watch: a refusal tells more than a silence."""
        if isinstance(error, PeerError) or not isinstance(self._refusal, PeerError):
            self._refusal = error

    def _ask(self, identity: bytes) -> None:
        """Ask a program to let this one watch."""
        self._peer, self._welcome, self._forming = identity, False, False
        self._until = trio.current_time() + ANSWER_SECONDS
        self._node.send(identity, self._request)

    async def _turn(self) -> None:
        with trio.move_on_at(self._deadline):
            self._take(await self._node.events.receive())
        if self._asked_password:
            await self._prove()
        now = trio.current_time()
        try:
            if self._welcome and self.spectator is not None:
                self._tell(self.spectator.tick(now))
            elif self._peer and self._forming and now >= self._until:
                self._ask(self._peer)
            elif self._peer and now >= self._until:
                raise PeerError(Code.UNEXPECTED, Fault.NO_ANSWER.of())
        except PeerError as error:
            self._leave(error)

    async def _prove(self) -> None:
        """Prove the password to the peer that has asked for it, and ask it again."""
        self._asked_password = False
        try:
            if self._ask_password is None:
                raise PeerError(Code.UNEXPECTED, Fault.PASSWORD_NEEDED.of())
            await passwords.prove(self._node, self._peer, self._ask_password, self._proof)
        except PeerError as error:
            if self.spectator is None:
                raise
            if self._peer:
                self._leave(error)
        else:
            self._ask(self._peer)

    async def _proof(self) -> object:
        """Return what the peer says next of the password; ``PeerError`` once it is gone, or left as
        it says nothing."""
        with trio.move_on_after(ANSWER_SECONDS):
            while self._peer:
                event = await self._node.events.receive()
                if isinstance(event, PeerMessage) and event.identity == self._peer:
                    kind, payload = message(event.body)
                    if kind == passwords.KIND:
                        return payload
                else:
                    self._take(event)
        if self._peer:
            self._leave(PeerError(Code.UNEXPECTED, Fault.NO_ANSWER.of()))
        raise PeerError(Code.UNEXPECTED, self._why)

    @property
    def _deadline(self) -> float:
        due = self.spectator.deadline if self._welcome and self.spectator else self._until
        return math.inf if due is None else due

    async def _change(self) -> None:
        """Ask at the next address of the table, if somebody answers there."""
        if not self._places or trio.current_time() > self._lost_at + PATIENCE_SECONDS:
            raise PeerError(Code.UNEXPECTED, Fault.WATCH_GONE.of(why=briefly(self._why)))
        await trio.sleep(RETRY_SECONDS)
        self._places.rotate(-1)
        try:
            found = await self._node.dial(*self._places[0])
        except (OSError, PeerError) as error:
            self._why = error.text if isinstance(error, PeerError) else str(error)
            return
        if found in self._shunned or self.spectator is None or found not in self._known():
            self._node.close(found, PeerError(Code.UNEXPECTED, Fault.ANOTHER_PROGRAM.of()))
            self._places.popleft()
        else:
            self._ask(found)

    def _known(self) -> set[bytes]:
        return {peer.public for peer in self.spectator.roster.peers} if self.spectator else set()

    def _take(self, event: NodeEvent) -> None:
        if event.identity != self._peer:
            return
        if isinstance(event, PeerDisconnected):
            self._lost(event.why or Fault.LINK_CLOSED.of())
        elif isinstance(event, PeerMessage):
            try:
                self._received(event.body, trio.current_time())
            except PeerError as error:
                self._leave(error)

    def _received(self, body: bytes, now: float) -> None:
        kind, payload = message(body)
        if kind == "forming" and self.spectator is not None:
            raise PeerError(Code.UNEXPECTED, Fault.WATCH_OTHER.of())  # it is being played
        if kind == "forming":
            if not self._told:
                self._audience.notice(Notice.FORMING.of())
            self._told = True
            self._forming, self._until = True, now + FORMING_SECONDS
        elif kind == passwords.KIND and not self._welcome:
            self._asked_password = True
        elif kind == "elsewhere" and not self._welcome:
            _add(self._untried, parse_addresses(payload))
        elif kind == "watching" and not self._welcome:
            self._welcomed(payload, now)
        elif kind == CHAT and self._chat is not None:
            self._heard(self._chat, payload, now)
        elif self._welcome and self.spectator is not None:
            self._tell(self.spectator.receive(body, now))

    @property
    def paused_by(self) -> tuple[str, ...]:
        """The names of those who have paused the game; none while it goes on."""
        return () if self._chat is None else self._chat.paused_by(trio.current_time())

    @property
    def pause_left(self) -> float | None:
        """Seconds after which the game goes on by itself; ``None`` where it is not paused."""
        return None if self._chat is None else self._chat.pauses.time_left(trio.current_time())

    def _heard(self, talk: Chat, payload: object, now: float) -> None:
        """Take a word of the talk, whoever at the table brings it: its author has signed it."""
        for event in talk.receive(OBSERVER, payload, now):
            match event:
                case ChatMessage():
                    self._audience.said(event)
                case Paused(name=name, seconds=seconds):
                    self._audience.paused(name, seconds)
                case Resumed(name=name):
                    self._audience.resumed(name)

    def _welcomed(self, payload: object, now: float) -> None:
        plain, addresses = fields(payload, 2, "table")
        roster = parse_roster(plain)
        check_start(roster)
        known = parse_addresses(addresses)
        if self._peer not in {peer.public for peer in roster.peers}:
            raise PeerError(Code.UNEXPECTED, "it does not sit at the table that it shows")
        if self.spectator is None:
            self._shunned.clear()  # who had no room may have some when this peer goes
        if self.spectator is None or self._continues(self.spectator, roster):
            self._older, self.spectator = self.spectator, self._begun(roster)
        elif self.spectator.roster.digest() != roster.digest():
            raise PeerError(Code.UNEXPECTED, Fault.WATCH_OTHER.of())
        _add(self._places, known)
        self._welcome = True
        self._tell(self.spectator.linked(now))

    def _continues(self, seen: Spectator, roster: Roster) -> bool:
        """Tell whether the table has continued, among fewer, the game that was seen so far."""
        history = list(seen.context.referee.history)
        return self._game is not None and continues(self._game, seen.roster, history, roster)

    def _begun(self, roster: Roster) -> Spectator:
        self._game = game = self._audience.table(roster)
        self._chat = Chat(roster, OBSERVER)
        try:
            return Spectator(game, roster)
        except ValueError as error:
            raise PeerError(Code.MALFORMED, f"the table cannot be: {error}") from error

    def _tell(self, events: Sequence[Event | Envelope]) -> None:
        for event in events:
            if isinstance(event, Envelope):
                self._node.send(self._peer, event.body)
            else:
                self._audience.saw(event)
        self._audience.changed()

    def _leave(self, error: PeerError) -> None:
        """Leave a peer that shows what cannot be true, or nothing, for another one."""
        self._shunned.add(self._peer)
        self._node.close(self._peer, error)
        self._lost(error.text)

    def _lost(self, why: str) -> None:
        self._why = why
        if self.spectator is None:
            self._shunned.add(self._peer)
            self._failed(PeerError(Code.UNEXPECTED, why))
        if self._older is not None:  # others may show that the old game goes on, or show it again
            self._begun(self._older.roster)
            self.spectator, self._older = self._older, None
        if self._welcome:
            self._lost_at = trio.current_time()
            self._audience.notice(Notice.ASKING.of(why=briefly(why)))
        self._peer, self._welcome = b"", False


def _add(places: deque[Address], said: Iterable[tuple[bytes, Sequence[Address]]]) -> None:
    """Add the addresses that a peer says, each once, and no more than are of use."""
    for place in (place for _, several in said for place in several):
        if place not in places and len(places) < PLACES:
            places.append(place)
