"""Joining a table: find it, sit down, wait for the start."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from ipaddress import IPv6Address
from math import inf

import trio

from lanplay import __version__
from lanplay.engine.game import Game, check_table, rules_name
from lanplay.errors import Fault, Mistake, Unreachable, UserError, by_code, told_of
from lanplay.games import known, load
from lanplay.language import _, figure
from lanplay.notices import Notice
from lanplay.session.company import fill
from lanplay.session.events import TableNotice
from lanplay.session.forming import JoinedTable
from lanplay.session.on_disk import keep_offer
from lanplay.session.settings import Address, Target
from lanplay.session.table import TableSession
from lanplay.told import Told, briefly, worded
from lanplay_protocol import PROTOCOL
from lanplay_protocol.advert import Advert
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.lobby import TableInfo
from lanplay_protocol.replica.roster import Roster
from lanplay_protocol.shell.addresses import written
from lanplay_protocol.shell.discovery import Found, open_discovery
from lanplay_protocol.shell.guest import ANSWER_SECONDS
from lanplay_protocol.shell.host import FrozenTable, HostHandover, Refused, join
from lanplay_protocol.shell.node import Node
from lanplay_protocol.shell.sockets import quickest_first
from lanplay_protocol.text import PLACEHOLDER, alike

RETRY_SECONDS = 1.0
"""How long to wait before a table that did not answer is tried again."""
NAMED_SECONDS = 1.0
"""How long tables have to answer, one after the other, before one is taken for the one named."""


def playable(roster: Roster) -> Game:
    """Return the game of a table; ``UserError`` if this program does not play it, or not so."""
    game = installed(roster)
    if not game.plays(roster.rules):
        theirs = rules_name(game.name, roster.rules)
        raise UserError(Fault.RULES_DIFFER, ours=game.rules_name, theirs=theirs)
    return game


def installed(roster: Roster) -> Game:
    """Return the game of a table, by whatever rules; ``UserError`` if it is not played here."""
    try:
        game = load(roster.game)
        check_table(game, len(roster.names), roster.options)
    except Mistake as error:
        raise UserError(Fault.CANNOT_PLAY, why=error.told) from error
    return game


class TableSearch:
    """Looks for a table until a wait is over, and says each thing about that once.

    Where its address is not known, it is looked for at ``interfaces``: first one where a seat is
    kept for the program whose key is ``own``. ``table`` is its name or address, once known.
    """

    def __init__(
        self,
        target: Target,
        say: Callable[[str], None],
        interfaces: Sequence[str] | None = None,
        own: bytes = b"",
    ) -> None:
        self.table = target.table
        self._known = places(target)
        self._target = target
        self._tell = say
        self._interfaces = interfaces
        self._own = own
        self._end = trio.current_time() + target.wait
        self._said: set[str] = set()

    @property
    def over(self) -> bool:
        """Whether it is too late to try again."""
        return trio.current_time() + RETRY_SECONDS >= self._end

    def wait_for(self, why: str) -> None:
        """Say what is being waited for, and how long at most."""
        said = _("{why} Trying again, at most {seconds} s.")
        self._say(said.format(why=why, seconds=figure(self._target.wait, "g")))

    def _say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._tell(text)

    async def addresses(self) -> Sequence[Address]:
        """Return where the table may be reached; ``UserError`` if there is none in time."""
        if self._known and not (self._target.host and self._said):
            return self._known
        if self._target.host:
            return (*self._known, *await self._kept())
        why, others = "", ""
        with trio.move_on_at(self._end):
            async with open_discovery(self._interfaces) as discovery:
                await all_heard(self._target)
                while True:
                    own = self._own
                    rows = called(discovery.tables, self._target.table)
                    others = ", ".join({row.advert.table: 0 for row in discovery.tables})
                    rows.sort(key=lambda row: not row.advert.keeps(own))
                    if row := next((row for row in rows if not closed(row.advert, own)), None):
                        self._say(found(row.advert, own))
                        self.table = row.advert.table
                        return row.addresses
                    if why := " ".join(closed(row.advert, own) for row in rows):
                        said = _("{why} Waiting for a seat, at most {seconds} s.")
                    else:
                        said = _("Looking for a table on this network, at most {seconds} s.")
                    self._say(said.format(why=why, seconds=figure(self._target.wait, "g")))
                    await discovery.changed()
        if others and not why:
            raise UserError(Fault.NO_SUCH_TABLE, table=self._target.table, others=others)
        raise UserError(Fault.NO_SEAT_FREE.of(why=why) if why else Fault.NO_TABLE)

    async def _kept(self) -> Sequence[Address]:
        """Return where a table is announced that keeps a seat for this program, if one is: who is
        to open it again may have another address by now."""
        with trio.move_on_after(RETRY_SECONDS):
            async with open_discovery(self._interfaces) as discovery:
                while not (rows := [r for r in discovery.tables if r.advert.keeps(self._own)]):
                    await discovery.changed()
                return [address for row in rows for address in row.addresses]
        return ()


def places(target: Target) -> tuple[Address, ...]:
    """Return where a table is known to be: nowhere yet if it has to be looked for."""
    if target.places or not target.table:
        return target.places
    given = parse_address(target.table)
    return () if given is None else (given,)


async def all_heard(target: Target) -> None:
    """Wait, where a table is named, until all have had time to answer: ``called`` chooses then."""
    await trio.sleep(min(NAMED_SECONDS, target.wait / 2) if target.table else 0)


def called(tables: Iterable[Found], name: str) -> list[Found]:
    """Return the tables whose name holds ``name``; where one is called just that, no others."""
    wanted = alike(name)
    rows = [row for row in tables if wanted in alike(row.advert.table)]
    return [row for row in rows if alike(row.advert.table) == wanted] or rows


def closed(advert: Advert, own: bytes = b"") -> str:
    """Return the sentence that says why one cannot sit down at a table now; empty if one can.

    ``own`` is the key of the program that would: a seat that is kept for it is free to it.
    """
    if not advert.compatible:
        return _("'{table}' has another version: {versions}").format(
            table=advert.table, versions=versions(advert)
        )
    if (other := other_rules(advert)) is not None:
        text = _("'{table}' plays by the rules {theirs}; here are {ours}.")
        return text.format(table=advert.table, **other)
    if advert.state == "ended":
        return _("'{table}' has ended.").format(table=advert.table)
    if advert.state != "open":
        return _("'{table}' is playing.").format(table=advert.table)
    if advert.free or advert.keeps(own):
        return ""
    if advert.kept:
        return _("'{table}' keeps its seats for those who played there before.").format(
            table=advert.table
        )
    return _("'{table}' is full or locked.").format(table=advert.table)


def versions(advert: Advert) -> str:
    """Return which of two versions that cannot play together is older, and what helps."""
    if advert.protocol < PROTOCOL:
        text = _("lanplay {theirs}, older than {ours} here: lanplay share gives it this one.")
    else:
        text = _("lanplay {theirs}, newer than {ours} here: lanplay share there gives it to you.")
    return text.format(theirs=advert.version, ours=__version__)


def other_rules(advert: Advert) -> Mapping[str, str] | None:
    """Return how the rules of a table are called, and those here, if they are not the same."""
    if not known(advert.game) or advert.rules == PLACEHOLDER:
        return None
    try:
        game = load(advert.game)
        names = {"ours": game.rules_name, "theirs": f"{advert.game}/{advert.rules}"}
        return None if advert.rules in game.shown_rules else names
    except Mistake:
        return None  # whoever sits down there is told why it cannot be played here


def found(advert: Advert, own: bytes = b"") -> str:
    """Return the sentence that a table was found, by the program with this key."""
    text = _("Found '{table}', hosted by {host}.")
    if advert.keeps(own):
        text = _("Found '{table}', hosted by {host}: your seat is kept.")
    return text.format(table=advert.table, host=advert.host)


def parse_address(text: str) -> tuple[str, int] | None:
    """Return ``HOST:PORT`` as a pair; ``None`` if the text is a name: it has no colon.

    An IPv6 address stands in brackets, with or without its scope; without them it is understood
    too. Raises ``UserError`` for an address or a port that is none, and for one without a port.
    """
    host, colon, port = text.strip("\"'").rpartition(":")
    if not colon and not re.fullmatch(r"[0-9]+(\.[0-9]+){3}", port):
        return None
    host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 0 < int(port) < 1 << 16 or not _is_host(host):
        raise UserError(Fault.ADDRESS_FORM, text=text)
    return host, int(port)


def _is_host(text: str) -> bool:
    """Tell whether it may be a name (RFC 1123), or is an address: with colons, an IPv6 one."""
    try:
        return bool(IPv6Address(text)) if ":" in text else bool(re.fullmatch(r"[\w.-]+", text))
    except ValueError:
        return False


async def sit_down(node: Node, target: Target, session: TableSession) -> FrozenTable | HostHandover:
    """Join the table that is looked for and wait for the start, or to become the host.

    ``UserError`` says why there was neither.
    """
    client, forming = session.client, JoinedTable(node, session.chat)
    search = TableSearch(target, client.say, client.network.interfaces, node.identity.public)
    if target.host:  # told as an event: after what clears the screen of the last game
        said = _("Waiting for {name} to open the table again, at most {seconds} s.")
        session.tell(TableNotice(said.format(name=target.host, seconds=figure(target.wait, "g"))))

    def changed(info: TableInfo) -> None:
        playable(info.roster())
        forming.info = info
        session.show(info)

    while True:
        addresses = await search.addresses()
        try:
            with session.forming(forming):
                ask = partial(session.ask_password, search.table)
                return await first_answer(node, addresses, session, changed, ask, places(target))
        except (OSError, PeerError) as error:
            seated = forming.info is not None
            if seated or search.over or not _passing(error):
                raise UserError(_told(error, seated)) from error
            search.wait_for(_why(error))
            await trio.sleep(RETRY_SECONDS)


async def first_answer(
    node: Node,
    addresses: Sequence[Address],
    session: TableSession,
    changed: Callable[[TableInfo], None],
    ask: Callable[[], Awaitable[str]],
    known: Collection[Address] = (),
) -> FrozenTable | HostHandover:
    """Join at the first address that answers; ``OSError`` if none does.

    Who hosts nothing turns this program away, and anybody may announce an address and say nothing
    there, or nonsense: of several the next one may be the host's. At one that was ``known`` before
    the host may still look at the end of its last game.
    """
    failed, refused, met = Unreachable(Fault.NO_ADDRESS), None, False
    patience = trio.CancelScope()
    profile = session.client.profile

    def say(text: str) -> None:
        session.tell(TableNotice(text))

    def accepting(offer: FrozenTable) -> None:
        keep_offer(session, offer, own_bots(offer.roster, node, bot), offer.proven)

    def showed(info: TableInfo) -> None:
        nonlocal met
        met, patience.deadline = True, inf
        changed(info)

    async def asked() -> str:
        nonlocal met
        met, patience.deadline = True, inf
        return await ask()

    name, bot = profile.name, profile.auto
    ways = await quickest_first(addresses)
    for host, port in ways:
        why: str = Fault.NO_ANSWER.of()
        try:
            waits = (host, port) in (*known, ways[-1])
            with trio.move_on_after(inf if waits else ANSWER_SECONDS) as patience:
                sat = partial(join, node, host, port, name, showed, asked, bot)
                return await sat(say, accepting, fill, session.chat)
        except OSError as error:
            why = briefly(told_of(error))
        except PeerError as error:
            if met:
                raise  # by the host of a table
            refused = error
            continue
        failed = Unreachable(Fault.SILENT_AT, address=written(host, port), why=why)
    raise refused or failed


def own_bots(roster: Roster, node: Node, auto: str) -> dict[int, str]:
    """Return the AI that answers for a guest's seats, by seat."""
    seats = next(peer.seats for peer in roster.peers if peer.public == node.identity.public)
    return {seat: auto for seat in seats if auto}


def _passing(error: OSError | PeerError) -> bool:
    """Tell whether it may be otherwise a moment later."""
    if isinstance(error, Refused):
        return False
    return isinstance(error, OSError) or error.code is Code.UNEXPECTED


def _why(error: OSError | PeerError) -> str:
    """Return why there is no seat at the moment, without what to do about it."""
    why = worded(briefly(_told(error, False)))
    return why if why[-2:-1] == "." else f"{why}."  # it ends with another's sentence, quoted


def _told(error: OSError | PeerError, seated: bool) -> Told:
    if isinstance(error, OSError):
        return Fault.UNREACHABLE.of(why=briefly(told_of(error)))
    why = by_code(error.code, error.text)
    if isinstance(error, Refused):
        return Notice.FROM_TABLE.of(why=error.text)
    if error.code is Code.VERSION and isinstance(error.text, Told):
        return error.text
    return (Fault.SEAT_LOST if seated else Fault.CANNOT_JOIN).of(why=briefly(why))
