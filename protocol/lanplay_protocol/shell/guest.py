"""A guest's shell of a forming table: it sits down, waits for the start, and survives its host."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf

import trio

from lanplay.errors import Fault, Mistake, UserError
from lanplay.notices import Notice, part
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.lobby import (
    Filling,
    Guest,
    Lobby,
    TableInfo,
    by_level,
    filled,
    next_hosts,
    parse_table,
    take_over,
)
from lanplay_protocol.lobby_chat import KIND as CHAT
from lanplay_protocol.lobby_chat import LobbyChat
from lanplay_protocol.reasons import packed, unpacked
from lanplay_protocol.replica.roster import NONCE, Roster
from lanplay_protocol.replica.start import difference, refused
from lanplay_protocol.schema import message
from lanplay_protocol.shell import passwords
from lanplay_protocol.shell.addresses import written
from lanplay_protocol.shell.beginning import Beginning, FrozenTable, grace, started
from lanplay_protocol.shell.node import Node, NodeEvent, PeerDisconnected, PeerMessage
from lanplay_protocol.shell.offers import parse_offer
from lanplay_protocol.table import BARRED, renewed
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text
from lanplay_protocol.wire import encode

EARLY = 8
"""Events of each other program that are kept until they are of use here too."""
ANSWER_SECONDS = 12.0
"""How long the next host may take to notice that it is the host, and to answer."""
HOLD_SECONDS = 9.0
"""How long a guest whose host is there keeps one that takes it for the next host: if the host is
gone, this guest will have noticed by then."""
_JOIN, _START = encode(("join", 0))[:-1], encode(("start", 0))[:-1]

BRIEF_SECONDS, BRIEFLY = 5.0, 3
"""A host that hangs up so soon, so often one after the other, is followed as one that left."""
FOLLOW_SECONDS = 10.0
"""How long the seats of a former host's guests are kept for them."""
Accepting = Callable[[FrozenTable], None]
"""Told of an offer before this program accepts it, so that it may be kept on disk."""


@dataclass(frozen=True, slots=True)
class HostHandover:
    """A table of which this program has become the host.

    ``early``: what other programs have sent to the new host already; ``lost``: the old one.
    ``patience``: seconds for which the seats of those are kept whom its lobby awaits. ``accepted``
    is the offer that this program has accepted last, if others may have begun it; ``proven``: it
    has proven the password of the table to a host.
    """

    lobby: Lobby
    early: tuple[NodeEvent, ...] = ()
    lost: tuple[Guest, ...] = ()
    patience: float = FOLLOW_SECONDS
    accepted: FrozenTable | None = None
    proven: bool = False


class Refused(PeerError):
    """The host, or a guest of it, has said why this program cannot sit at the table."""


class _HostGone(Exception):
    def __init__(self, why: str, left: bool) -> None:
        super().__init__(why)
        self.why = why
        self.left = left


async def join(
    node: Node,
    host: str,
    port: int,
    name: str,
    changed: Callable[[TableInfo], None],
    ask: passwords.AskPassword | None = None,
    bot: str = "",
    notice: Callable[[str], None] = lambda _: None,
    accepting: Accepting = lambda _: None,
    fill: Filling = by_level,
    chat: LobbyChat | None = None,
) -> FrozenTable | HostHandover:
    """Join the table at an address and wait for it to start, or to become its host.

    ``changed`` is called with every table as it is shown; ``ask`` is for its password, also that of
    a later host; ``bot`` is what answers for this program if it does; ``notice`` tells its person
    why there is a later host, or what the host refuses; ``accepting`` is told of an offer that this
    program accepts, before it does; ``fill`` puts AI on free seats, as the host does; ``chat`` has
    what is said at the table. Raises ``OSError`` if nothing answers, ``PeerError`` with the reason
    if the table refuses, or ends without a next host.
    """
    guest = _Attending(node, name, changed, ask, notice, bot, accepting, fill, chat)
    try:
        start = await guest.attend((host, port))
    except BaseException:
        guest.leave()
        raise
    return start if isinstance(start, FrozenTable) else guest.inherit()


class _Attending:
    def __init__(
        self,
        node: Node,
        name: str,
        changed: Callable[[TableInfo], None],
        ask: passwords.AskPassword | None,
        notice: Callable[[str], None],
        bot: str,
        accepting: Accepting,
        fill: Filling,
        chat: LobbyChat | None,
    ) -> None:
        self._fill = fill
        self._chat = chat or LobbyChat()
        self._accepting = accepting
        self._accepted: FrozenTable | None = None
        self._node = node
        self._me = Guest(node.identity.public, name, ())
        self._bot = bot
        self._changed = changed
        self._ask = ask
        self._notice = notice
        self._host = b""
        self._address = ("", 0)
        self._info: TableInfo | None = None
        self._due: TableInfo | None = None  # what a later host should have shown at first
        self._since, self._briefly = -inf, 0
        self._seated = False
        self._proven: set[bytes] = set()  # hosts: whoever has that key knows the password
        self._early: list[NodeEvent] = []
        self._held: dict[bytes, float] = {}

    async def attend(self, address: tuple[str, int]) -> FrozenTable | None:
        """Sit down and follow one host after the other; ``None`` when this program is the next."""
        self._request(await self._node.dial(*address), address)
        while True:
            try:
                if (start := await self._step()) is not None:
                    return start
            except _HostGone as gone:
                if self._info is None:
                    ended = Fault.HOST_CLOSED if gone.left else Fault.LINK_CLOSED
                    why = gone.why or ended.of()
                    raise PeerError(Code.UNEXPECTED, why) from None
                found = await self._follow(self._info, gone.left or self._hangs_up())
                if not found:
                    return None
                if isinstance(found, FrozenTable):
                    return found

    def inherit(self) -> HostHandover:
        """Return the table as this program's own; it has seen one."""
        assert self._info is not None
        lobby = take_over(self._info, self._me, self._bot)
        early, patience, lost = tuple(self._early), grace(self._info.settings), (self._info.host,)
        return HostHandover(lobby, early, lost, patience, self._accepted, bool(self._proven))

    def leave(self) -> None:
        """Tell the host that this program goes on purpose, and go."""
        self._node.send(self._host, encode(("left", ())))
        self._node.close(self._host, PeerError(Code.UNEXPECTED, Fault.LINK_CLOSED.of()))

    def _request(self, host: bytes, address: tuple[str, int]) -> None:
        self._host, self._address, self._seated = host, address, False
        self._chat.passed_on = False
        me, places = self._me, self._node.places(host)
        if places != me.places or not me.nonce:
            # it signs one list for a nonce: no offer that it accepts can hold an older one
            me = replace(me, nonce=os.urandom(NONCE), places=places).signed(self._node.identity)
            self._me = me
        wish = (me.name, self._node.port, me.nonce, self._bot, me.places, me.signature)
        self._node.send(host, encode(("join", wish)))

    async def _step(self) -> FrozenTable | None:
        """Take what the host says next; one that says what cannot be read is gone."""
        try:
            return await self._heard()
        except PeerError as error:
            if self._info is None or isinstance(error, Refused):
                raise
            self._node.close(self._host, error)
            raise _HostGone(error.text, True) from error

    async def _heard(self) -> FrozenTable | None:
        """Take what the host says next; return the start if that is it."""
        kind, payload = await self._message()
        if kind == "offer":
            return await self._offered(payload)
        if kind == "start":
            return self._started(payload)
        await self._take(kind, payload)
        return None

    def _started(self, payload: object) -> FrozenTable | None:
        """Take the certificate of the offer that this program has accepted last."""
        known = self._accepted
        roster = None if known is None else started(known.roster, payload)
        return None if known is None or roster is None else replace(known, roster=roster)

    async def _offered(self, payload: object) -> FrozenTable | None:
        """Compare an offer with the table that was shown; accept it, and wait for all others."""
        if self._info is None:
            return None  # said before this program asked to sit down: it is said again since
        term = self._info.term
        try:
            roster, known = parse_offer(payload, self._host)
            term, wrong = roster.term, self._wrong(roster) or self._unsigned(roster)
        except PeerError as error:
            wrong = refused(error)
        if wrong:
            self._node.send(self._host, encode(("refuse", (term, wrong))))
            name = clean_text(self._info.host.name, NICKNAME_LIMIT)
            self._notice(Fault.OFFER_DIFFERS.of(name=name, what=part(wrong).of()))
            return None
        proven = self._host in self._proven
        offer = FrozenTable(roster, self._info.addresses, self._info.name, proven)
        self._accepting(offer)
        self._accepted = offer
        beginning = Beginning(self._node, roster, offer.addresses, self._host, [known])
        ended = await beginning.run(self._notice)
        self._node.events.put_back((*self._early, *beginning.early))
        self._early.clear()
        if isinstance(ended, Roster):
            return replace(offer, roster=ended)
        self._notice(ended.why)
        if ended.liar:
            self._info = replace(self._info, barred=(*self._info.barred, ended.liar)[-BARRED:])
            raise _HostGone(ended.why, True)
        if not any(_later(event, self._host, roster) for event in beginning.early):
            raise _HostGone(ended.why, False)
        return None

    def _wrong(self, offer: Roster) -> str:
        """Return what of an offer is not as this program's person was shown it; empty: nothing."""
        assert self._info is not None
        term, digest = self._node.offers.accepted(offer.table)
        own = self._node.identity.public
        if offer.term <= term:
            # that of an earlier sitting may have begun: another seed would sign it twice
            mine = any(p.public == own and p.nonce == self._me.nonce for p in offer.peers)
            return "" if mine and offer.digest() == digest else "term"
        shown = filled(self._info, self._fill).roster()
        return difference(shown, offer, own, self._me.nonce)

    def _unsigned(self, offer: Roster) -> str:
        """Return ``places`` if the table shows a peer at places that it has not signed for this."""
        assert self._info is not None
        guests = {guest.identity: guest for guest in self._info.guests}
        try:
            for peer in offer.peers:
                guests[peer.public].check_places(peer.nonce)
        except (KeyError, PeerError):
            return "places"
        return ""

    async def _take(self, kind: object, payload: object) -> None:
        if kind == "table":
            self._show(parse_table(payload))
        elif kind == "out":
            why = unpacked(payload)
            if why == unpacked(packed(Fault.LINK_ELSEWHERE.of())):
                raise _HostGone(why, False)  # to what was said in a game that came to nothing
            raise Refused(Code.UNEXPECTED, why)
        elif kind == "no":
            self._notice(unpacked(payload))
        elif kind == "left":
            raise _HostGone("", True)
        elif kind == passwords.KIND:
            await self._prove()
        elif kind == CHAT and self._info is not None:
            self._chat.passed_on = True
            with suppress(PeerError):  # it costs nobody the seat
                self._chat.receive(self._info, payload, trio.current_time())

    def _show(self, info: TableInfo) -> None:
        """Take a table at which this program sits; another one than so far is none of its own."""
        known = info.table if self._info is None else self._info.table
        seated = info.place(self._node.identity.public) < len(info.seats)
        if not seated or info.table not in (known, renewed(known)):
            return
        host = replace(info.host, addresses=(self._address,))
        info = replace(info, guests=(host, *info.guests[1:]))
        self._changed(info)
        if not self._seated:
            self._since = trio.current_time()
        self._info, self._seated = info, True
        self._node.seated = frozenset(guest.identity for guest in info.guests)

    async def _prove(self) -> None:
        if self._ask is None:
            raise PeerError(Code.UNEXPECTED, Fault.PASSWORD_NEEDED.of())
        await passwords.prove(self._node, self._host, self._ask, self._proof)
        self._proven.add(self._host)
        self._request(self._host, self._address)

    async def _proof(self) -> object:
        while True:
            kind, payload = await self._message()
            if kind == passwords.KIND:
                return payload
            if kind != "table":  # nobody is shown one who has proven nothing
                await self._take(kind, payload)

    async def _message(self) -> tuple[object, object]:
        """Return what the host says next; other events are kept for later."""
        while True:
            event = await self._event()
            if isinstance(event, PeerMessage) and self._accepted and event.body.startswith(_START):
                with suppress(PeerError):  # whoever brings it, it is one or it is nothing
                    payload = message(event.body)[1]
                    if self._started(payload) is not None:
                        return "start", payload
                continue
            if event.identity != self._host:
                self._keep(event)
            elif isinstance(event, PeerDisconnected):
                raise _HostGone(event.why, False)
            elif isinstance(event, PeerMessage):
                return message(event.body)

    async def _event(self) -> NodeEvent:
        while True:
            with trio.move_on_at(min(self._held.values(), default=inf) if self._seated else inf):
                return await self._node.events.receive()
            self._send_on()

    def _keep(self, event: NodeEvent) -> None:
        known = [each for each in self._early if each.identity == event.identity]
        if isinstance(event, PeerDisconnected):
            self._forget(event.identity)
        elif len(known) < EARLY:
            self._early.append(event)  # what is lost here is asked for again
            if isinstance(event, PeerMessage) and event.body.startswith(_JOIN):
                self._held[event.identity] = trio.current_time() + HOLD_SECONDS

    def _forget(self, identity: bytes) -> None:
        self._early = [each for each in self._early if each.identity != identity]
        self._held.pop(identity, None)

    def _send_on(self) -> None:
        """Tell those who have waited too long that this program hosts nothing."""
        now = trio.current_time()
        for identity in [each for each, until in self._held.items() if until <= now]:
            self._forget(identity)
            refuse(self._node, identity, Fault.HOST_THERE.of(address=written(*self._address)))

    def _hangs_up(self) -> bool:
        """Tell whether the host has only ever been there for a moment of late."""
        brief = trio.current_time() - self._since < BRIEF_SECONDS
        self._briefly = self._briefly + 1 if brief else 0
        return self._briefly >= BRIEFLY

    async def _follow(self, info: TableInfo, left: bool) -> FrozenTable | bool:
        """Sit down with the next host; tell whether there was one before this program.

        Returns the start instead if that has it. Where a later host leaves this program with nobody
        else, those go on who were there before that one.
        """
        gone = Notice.HOST_LEFT if left else Notice.HOST_LOST
        self._notice(gone.of(name=info.host.name))
        if left and len(info.heirs) < 2 and self._due is not None:
            self._info = info = replace(self._due, term=max(self._due.term, info.term))
        for guest in next_hosts(info, self._node.identity.public, left):
            if found := await self._found(guest, info):
                return found
        return False

    async def _found(self, guest: Guest, info: TableInfo) -> FrozenTable | bool:
        again = guest == info.host
        with trio.move_on_after(ANSWER_SECONDS):
            for address in guest.reached:
                try:
                    found = await self._sit_down(guest.identity, address) or True
                except (OSError, PeerError, UserError, Mistake, _HostGone) as error:
                    leaves = isinstance(error, UserError) and error.leaves
                    if leaves or (again and isinstance(error, Refused | UserError | Mistake)):
                        raise
                    if isinstance(error, Refused):
                        self._notice(error.text)  # it was never the host: others are asked
                        break
                    continue
                if not again:
                    self._due, self._briefly = take_over(info, guest).info, 0
                return found
        self._node.close(guest.identity, PeerError(Code.UNEXPECTED, Fault.NO_ANSWER.of()))
        return False

    async def _sit_down(self, host: bytes, address: tuple[str, int]) -> FrozenTable | None:
        found = await self._node.dial(*address)
        if found != host:
            self._node.close(found, PeerError(Code.UNEXPECTED, Fault.ANOTHER_PROGRAM.of()))
            raise OSError("somebody else is there")
        self._request(host, address)
        while not self._seated:
            kind, payload = await self._message()
            if kind == "start" and (start := self._started(payload)) is not None:
                return start
            await self._take(kind, payload)
        return None


def seat_person(node: Node, info: TableInfo, name: str, sits: bool) -> None:
    """Ask the host of a table for a seat for a further person at this program, or to free it."""
    node.send(info.host.identity, encode(("seat" if sits else "unseat", name)))


def say(node: Node, info: TableInfo, chat: LobbyChat, words: str, name: str = "") -> None:
    """Say something to all at a table through its host: see ``LobbyChat.say``."""
    if not chat.passed_on:
        raise Mistake(Fault.SAY_LATER, name=info.host.name)
    body = chat.say(info, node.identity, words, trio.current_time(), name)
    node.send(info.host.identity, body)


def refuse(node: Node, identity: bytes, why: str) -> None:
    """Tell a program why it cannot sit here, and close its link."""
    node.send(identity, encode(("out", packed(why))))
    node.close(identity, PeerError(Code.UNEXPECTED, why))


def _later(event: NodeEvent, host: bytes, offer: Roster) -> bool:
    """Tell whether a host has shown the same table in a later term."""
    if not isinstance(event, PeerMessage) or event.identity != host:
        return False
    kind, payload = message(event.body)
    if kind != "table":
        return False
    return parse_table(payload).follows(offer.table, offer.term)
