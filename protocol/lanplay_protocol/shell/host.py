"""The shell of a forming table: hosting one. ``lanplay_protocol.shell.guest`` joins one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf

import trio

from lanplay.errors import Fault, Mistake
from lanplay.told import Told
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.identity import SIGNATURE
from lanplay_protocol.lobby import (
    Filling,
    Guest,
    Lobby,
    TableInfo,
    by_level,
    farewell,
    outranks,
    parse_table,
)
from lanplay_protocol.lobby_chat import LobbyChat
from lanplay_protocol.rates import Bucket, speaking
from lanplay_protocol.reasons import packed
from lanplay_protocol.replica.roster import NAME, NONCE, Roster
from lanplay_protocol.replica.start import ACCEPT
from lanplay_protocol.schema import binary, fields, message, text, uint
from lanplay_protocol.shell import passwords
from lanplay_protocol.shell.beginning import KINDS, Beginning, FrozenTable, grace, started
from lanplay_protocol.shell.guest import (
    FOLLOW_SECONDS,
    Accepting,
    HostHandover,
    Refused,
    join,
    refuse,
)
from lanplay_protocol.shell.node import Node, NodeEvent, PeerDisconnected, PeerMessage
from lanplay_protocol.shell.passwords import Gate
from lanplay_protocol.shell.spectator_hub import FORBIDDEN
from lanplay_protocol.table import parse_places
from lanplay_protocol.text import NICKNAME_LIMIT, alike, clean_text
from lanplay_protocol.wire import encode

__all__ = ["FrozenTable", "HostHandover", "LobbyHost", "Refused", "join"]

SEEK_SECONDS = 5.0
SEEK_TIMES = 12
"""How often a host that has lost all its guests looks whether they have gone on without it."""


LOST = 32
"""Guests that are gone and remembered; of more the first are forgotten."""
VAIN = 8
"""Terms in which a host alone has offered at most before it follows another; a liar says more."""
OFTEN, REST_SECONDS = 8, 10.0
"""After so many starts in vain a host rests for so long before it begins another one by itself."""


class LobbyHost:
    """The host's shell of a forming table.

    ``changed`` is called with the table after every change. Call ``start`` when it is full. With a
    ``gate``, only those sit down who prove the table's password. ``early`` events are taken first;
    ``lost`` are programs that may believe that they host this table: see ``run``. For ``patience``
    seconds the seats of those are kept whom the lobby awaits. ``accepted`` is an offer that others
    may have begun; ``accepting`` is told of this host's own before it is made.
    What is said at the table goes through ``chat``.
    """

    def __init__(
        self,
        node: Node,
        lobby: Lobby,
        changed: Callable[[TableInfo], None],
        gate: Gate | None = None,
        early: Sequence[NodeEvent] = (),
        lost: Sequence[Guest] = (),
        patience: float = FOLLOW_SECONDS,
        accepted: FrozenTable | None = None,
        accepting: Accepting = lambda _: None,
        chat: LobbyChat | None = None,
    ) -> None:
        self.lobby = lobby
        self._chat = chat or LobbyChat()
        self._accepted = accepted
        self._accepting = accepting
        self._begun: FrozenTable | None = None
        self._beginning: Beginning | None = None
        self._sent_away: dict[bytes, str] = {}
        self._settled = False
        self._vain, self._rests = 0, -inf
        self._patience = patience
        self._warned = False
        self._gate = gate
        self._node = node
        self._changed = changed
        self._early = early
        self._lost: dict[bytes, Guest] = {}
        self._lose(lost)
        self._wishes: dict[bytes, Bucket] = {}  # bounded as connections are
        self._onlookers: dict[bytes, PeerMessage] = {}
        self._sought = 0
        self._passed: set[bytes] = set()
        self._other: Guest | None = None

    async def run(self, ready: Callable[[TableInfo], bool]) -> Guest | FrozenTable | None:
        """Serve guests until ``ready`` says of the table that it may start.

        Returns ``None`` then; or, if the guests have gone on under another host while this one
        slept or was cut off, that host: this program should join it. Where others have begun the
        game that this program had accepted, its start.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._seek)
            early, self._early = self._early, ()
            for event in early:
                await self._take(event)
            self._follow_until = trio.current_time() + self._patience
            while self._other is None and self._begun is None and self._waits(ready):
                await self._turn()
            nursery.cancel_scope.cancel()
        return self._begun or self._other

    def _waits(self, ready: Callable[[TableInfo], bool]) -> bool:
        """Tell whether the table does not start by itself now: as it was refused, it does not."""
        held = self._settled or trio.current_time() < self._rests
        return held or bool(self.lobby.awaited) or not ready(self.lobby.info)

    async def _turn(self) -> None:
        late = self._follow_until if self.lobby.awaited else inf
        rested = self._rests if self._rests > trio.current_time() else inf
        with trio.move_on_at(min(late, rested)):
            await self._take(await self._node.events.receive())
            return
        if trio.current_time() < late:
            return
        self._lose(self.lobby.late)
        if self.lobby.give_up():
            self.publish()

    async def _take(self, event: NodeEvent) -> None:
        if isinstance(event, PeerDisconnected):
            self._gone(event.identity)
        elif isinstance(event, PeerMessage):
            await self._asked(event)
        elif self._gate is not None:
            self._gate.gone(event.identity)  # what it proved was of the link that it had

    def _gone(self, identity: bytes) -> None:
        """Free the seat of a guest whose link is gone; it may believe that the host is."""
        self._wishes.pop(identity, None)
        self._onlookers.pop(identity, None)
        if self._gate is not None:
            self._gate.gone(identity)
        guests = [guest for guest in self.lobby.info.guests if guest.identity == identity]
        if identity not in self.lobby.awaited and self.lobby.leave(identity):
            self._lose(guests)
            self._sought = 0
            self.publish()

    def _lose(self, guests: Iterable[Guest]) -> None:
        self._lost |= {guest.identity: guest for guest in guests}
        while len(self._lost) > LOST:
            del self._lost[next(iter(self._lost))]

    async def _asked(self, event: PeerMessage) -> None:
        identity = event.identity
        try:
            kind, payload = message(event.body)
            if kind == passwords.KIND and self._gate is not None:
                await self._gate.receive(identity, payload)
            else:
                self._said(identity, kind, payload)
        except PeerError as error:
            refuse(self._node, identity, error.text)

    def _said(self, identity: bytes, kind: object, payload: object) -> None:
        match kind:
            case "left":
                if self.lobby.leave(identity):
                    self.publish()
            case "watch":
                name = text(payload, 256, "name")
                self._watch(PeerMessage(identity, encode((kind, name))))
            case "table" if identity in self._lost or self._sits(identity):
                self._met(identity, parse_table(payload))
            case "seat" | "unseat":
                self._seat_person(identity, str(kind), payload)
            case "chat":
                info, now = self.lobby.info, trio.current_time()
                self._to_guests(self._chat.receive(info, payload, now, identity))
            case "join" if self._gate is None or self._gate.passed(identity):
                self._seat(identity, payload)
            case "join" if self._gate is not None:
                self._gate.ask(identity)
            case _:
                self._of_a_start(identity, kind, payload)

    def _of_a_start(self, identity: bytes, kind: object, payload: object) -> None:
        """Take what is said of a start: of one that came to nothing, or that others have begun."""
        if kind == "start":
            self._start_given(payload)
        elif kind == ACCEPT and (self._sits(identity) or identity in self._lost):
            # it may wait for a start that this host has given up, for ever where the table does
            self._node.send(identity, encode(("table", self.lobby.info.plain())))
        elif kind not in KINDS - {"join", "table"}:
            raise PeerError(Code.UNEXPECTED, Fault.LINK_ELSEWHERE.of())

    def _sits(self, identity: bytes) -> bool:
        return any(guest.identity == identity for guest in self.lobby.info.guests)

    def _start_given(self, payload: object) -> None:
        """Take the certificate of what this program had accepted: others have begun."""
        known = self._accepted
        roster = None if known is None else started(known.roster, payload)
        if known is not None and roster is not None:
            self._begun = replace(known, roster=roster)

    def _may_wish(self, identity: bytes) -> bool:
        """Tell whether a guest may ask for a seat: each time the table is shown to everybody."""
        return self._wishes.setdefault(identity, speaking()).take(trio.current_time())

    def _seat(self, identity: bytes, payload: object) -> None:
        if not self._may_wish(identity):
            return  # it sits here, or can come again
        name, port, nonce, bot, places, signature = fields(payload, 6, "join")
        shown = clean_text(text(name, 256, "name"), NICKNAME_LIMIT)
        address = (self._node.seen_at(identity), uint(port, 1 << 16, "port"))
        said = parse_places(places), binary(signature, SIGNATURE, "signature")
        guest = Guest(identity, shown, (address,), binary(nonce, NONCE, "nonce"), *said)
        guest.check_places(guest.nonce)
        self.lobby.join(guest, clean_text(text(bot, NAME, "bot"), NAME) if bot else "")
        self._lost.pop(identity, None)
        self.publish()
        self._node.send(identity, self._chat.recent(self.lobby.info))

    def _seat_person(self, identity: bytes, kind: str, payload: object) -> None:
        """Do what a guest asks for a further person of its program, or tell it why not."""
        name = clean_text(text(payload, 256, "name"), NICKNAME_LIMIT)
        try:
            if not self._may_wish(identity):
                raise Mistake(Fault.SAY_FAST)
            if kind == "seat":
                self.lobby.seat(identity, name)
            else:
                self.lobby.unseat(identity, name)
        except Mistake as mistake:
            self._node.send(identity, encode(("no", packed(mistake.told))))
            return
        self.publish()

    def _watch(self, request: PeerMessage) -> None:
        """Tell who wants to watch that there is nothing to see yet: it asks again.

        The game takes its request as well when it starts: it may be over before the next one.
        """
        identity = request.identity
        if not self.lobby.info.settings.spectators:
            raise PeerError(Code.UNEXPECTED, FORBIDDEN)
        if self._gate is not None and not self._gate.passed(identity):
            self._gate.ask(identity)
        else:
            self._onlookers[identity] = request
            self._node.send(identity, encode(("forming", ())))

    def _met(self, identity: bytes, other: TableInfo) -> None:
        """Settle with a lost program that shows the same table which of the two hosts it."""
        info = self.lobby.info
        if other.table == info.table and outranks(other, info) and len(info.guests) == 1:
            lost = self._lost[identity]
            self._other = lost if lost.reached else None  # who is nowhere is found nowhere
        elif other.table == info.table and outranks(info, other):
            if other.term > info.term and identity not in self._passed and len(self._passed) < LOST:
                # what it offered it has signed, and it signs nothing else of those terms
                self._passed.add(identity)
                self.lobby.info = replace(info, term=min(other.term, info.term + VAIN))
                self.publish()
            self._node.send(identity, encode(("table", self.lobby.info.plain())))

    async def _seek(self) -> None:
        """Show the table to the guests that were lost, while there are no others."""
        while True:
            await trio.sleep(SEEK_SECONDS)
            if len(self.lobby.info.guests) == 1 and self._lost and self._sought < SEEK_TIMES:
                self._sought += 1
                for guest in list(self._lost.values()):
                    await self._call(guest)

    async def _call(self, guest: Guest) -> None:
        for address in guest.reached:
            try:
                found = await self._node.dial(*address)
            except (OSError, PeerError):
                continue
            if found == guest.identity:
                self._node.send(found, encode(("table", self.lobby.info.plain())))
            elif found not in self._node.seated:
                self._node.close(found, PeerError(Code.UNEXPECTED, Fault.ANOTHER_PROGRAM.of()))

    def publish(self) -> None:
        """Send the table as it is now to all guests."""
        self._settled = False
        host = replace(self.lobby.info.host, places=self._node.places()).signed(self._node.identity)
        self.lobby.info = replace(self.lobby.info, guests=(host, *self.lobby.info.guests[1:]))
        self._node.seated = frozenset(guest.identity for guest in self.lobby.info.guests)
        self._to_guests(encode(("table", self.lobby.info.plain())))
        self._changed(self.lobby.info)

    def _to_guests(self, body: bytes) -> None:
        for guest in self.lobby.info.guests[1:] if body else ():
            self._node.send(guest.identity, body)

    def say(self, words: str, name: str = "") -> None:
        """Say something to all at the table, as a person of this program: see ``LobbyChat.say``."""
        now, me = trio.current_time(), self._node.identity
        self._to_guests(self._chat.say(self.lobby.info, me, words, now, name))

    def kick(self, name: str) -> None:
        """Send a guest away (see ``Lobby.kick``), and tell it and all others.

        A start that is being agreed on comes to nothing by that, and then it goes.
        """
        if self._beginning is not None:
            names = {alike(each.name): each for each in self.lobby.info.guests[1:]}
            if (late := names.get(alike(name))) is None:
                known = ", ".join(each.name for each in names.values())
                raise Mistake(Fault.NO_GUEST, name=name, known=known)
            self._sent_away[late.identity] = late.name
            self._beginning.stop()
            return
        guest = self.lobby.kick(name)
        if guest.identity in self.lobby.info.barred:
            refuse(self._node, guest.identity, farewell(self.lobby.info))
        self.publish()

    def leave(self) -> None:
        """Tell all guests that this host goes on purpose, so that the next one need not wait."""
        self._to_guests(encode(("left", ())))

    def give_up(self) -> None:
        """Free the seats that are kept without end; ``Mistake`` names for whom, the first time."""
        late = ", ".join(guest.name for guest in self.lobby.late)
        if self._patience < inf or not late:
            return
        if not self._warned:
            self._warned = True
            raise Mistake(Fault.SEATS_KEPT, names=late)
        self._lose(self.lobby.late)
        self.lobby.give_up()
        self.publish()

    async def begin(
        self, notice: Callable[[str], None], fill: Filling = by_level
    ) -> FrozenTable | Told:
        """Offer the table, its free seats filled, and return it once all have accepted.

        Else why they have not: the table is as it was, in the next term. ``Mistake`` while somebody
        is awaited. ``notice`` tells for whom it waits; ``fill`` puts AI on free seats.
        """
        lobby = self.lobby
        past, _ = self._node.offers.accepted(lobby.info.table)
        if lobby.info.term <= past:
            lobby.info = replace(lobby.info, term=past + 1)
            self.publish()
        before = lobby.info
        fill(lobby)
        full = lobby.info
        roster, me = lobby.start(), self._node.identity
        offer = FrozenTable(roster, full.addresses, before.name)
        self._accepting(offer)
        self._accepted = offer
        own = self._node.offers.accept(roster, me)
        assert own is not None  # its term is a new one
        body = encode(("offer", (roster.plain(), own.signature)))
        self._to_guests(body)
        shown = (encode(("table", before.plain())), body)
        beginning = Beginning(self._node, roster, offer.addresses, me.public, greeting=shown)
        self._beginning, self._sent_away = beginning, {}
        ended = await beginning.run(notice)
        self._beginning = None
        if isinstance(ended, Roster):
            free = self._node.linked - {peer.public for peer in roster.peers}
            waiting = [each for who, each in self._onlookers.items() if who in free]
            self._node.events.put_back((*waiting, *beginning.early))
            return replace(offer, roster=ended)
        # who refused may know other AI: with what has the free seats shown, it can be begun again
        here = self._node.linked - (ended.silent - self._sent_away.keys())
        lobby.again(full if ended.by_word else before, here)
        self._vain += 1
        if self._vain >= OFTEN:  # a guest may leave each of them as soon as it is offered
            self._rests = trio.current_time() + REST_SECONDS
        self._patience = grace(before.settings)
        self._follow_until = trio.current_time() + self._patience
        for event in beginning.early:
            await self._take(event)
        for name in self._sent_away.values():
            with suppress(Mistake):  # it has gone by itself
                self.kick(name)
        self.publish()
        self._settled = ended.by_word and not before.free
        return ended.why
