"""The table before the game: who sits where, decided by its host, shown alike to all.

Sans-I/O: the host's ``Lobby`` takes what guests and its own person ask for and gives the table as
it is now; guests hold nothing but the last table they were sent. That is enough to go on when the
host is gone: ``next_hosts`` says whom a guest looks for, ``take_over`` makes it the host.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from math import inf

from lanplay.errors import Fault, Mistake
from lanplay.told import Told
from lanplay_protocol.errors import Code, PeerError
from lanplay_protocol.replica.roster import TERMS, Roster
from lanplay_protocol.table import (
    BARRED,
    Guest,
    Seat,
    TableInfo,
    parse_table,
    renewed,
)
from lanplay_protocol.text import NICKNAME_LIMIT, alike, clean_text

__all__ = [
    "Guest",
    "Lobby",
    "Seat",
    "TableInfo",
    "next_hosts",
    "outranks",
    "parse_table",
    "take_over",
]


class Lobby:
    """The host's side of a forming table.

    ``awaited`` are guests whose seats are kept although they have not (yet) come to this host. What
    its person may do raises ``Mistake`` with the cause and what would be right, and changes
    nothing then. Places count from 0, and are shown from 1.
    """

    def __init__(self, info: TableInfo, awaited: frozenset[bytes] = frozenset()) -> None:
        self.info = info
        self.awaited = awaited
        self.running = False

    @property
    def late(self) -> tuple[Guest, ...]:
        """The guests who are awaited."""
        return tuple(guest for guest in self.info.guests if guest.identity in self.awaited)

    @property
    def ready(self) -> bool:
        """Whether all are here for whom the table waits before it starts by itself.

        Where all sit at one laptop, and nobody said how many would come, its person says when.
        """
        info = self.info
        needed = info.people or (len(info.seats) if len(info.guests) > 1 else inf)
        return info.came >= needed and not self.awaited

    def join(self, guest: Guest, bot: str = "") -> int:
        """Seat a guest on the first free seat and return it (its old one if it is back).

        ``bot`` is the AI that answers for the guest, as its program has no person.
        Raises ``PeerError`` that tells the guest why it cannot join.
        """
        info = self.info
        place = info.place(guest.identity)
        if place < len(info.seats):
            self._back(guest)
            return place
        if why := self._refusal(guest):
            raise PeerError(Code.UNEXPECTED, why)
        place = next(place for place, seat in enumerate(info.seats) if not seat.name)
        guest = replace(guest, name=self._unique(guest.name))
        self.info = replace(info, guests=(*info.guests, guest))
        self._set(place, Seat(guest.name, guest.identity, bot))
        return place

    def seat(self, identity: bytes, name: str) -> int:
        """Give a further person at a program that sits here a seat, and return it.

        Raises ``Mistake`` that tells why that cannot be.
        """
        program = next((each for each in self.info.guests if each.identity == identity), None)
        if program is None or identity in self.awaited:
            raise Mistake(Fault.NOT_SEATED)
        if why := self._refusal(replace(program, name=name)):
            raise Mistake(why)
        place = next(place for place, seat in enumerate(self.info.seats) if not seat.name)
        self._set(place, Seat(self._unique(name), identity))
        return place

    def unseat(self, identity: bytes, name: str) -> None:
        """Free the seat of a further person at a program; ``Mistake`` if there is none such."""
        people = self.info.persons(identity)
        wanted = next((each for each in people if alike(each) == alike(name)), "")
        if self.running or wanted not in people[1:]:
            raise Mistake(Fault.NOT_WITH_YOU, name=name, known=", ".join(people[1:]) or "-")
        place = next(p for p, seat in enumerate(self.info.seats) if seat.name == wanted)
        self._set(place, Seat())

    def _back(self, guest: Guest) -> None:
        """Take note of where a guest is now; its name stays what the table calls it."""
        if self.running:
            return
        self.awaited -= {guest.identity}
        guests = tuple(
            replace(guest, name=known.name) if known.identity == guest.identity else known
            for known in self.info.guests
        )
        self.info = replace(self.info, guests=guests)

    def _refusal(self, guest: Guest) -> Told | None:
        info = self.info
        if guest.identity in info.barred:
            return farewell(info)
        if self.running:
            return Fault.TABLE_PLAYS.of(table=info.name)
        if info.locked:
            return Fault.TABLE_LOCKED.of(table=info.name, host=info.host.name)
        if (taken := self._mistaken(guest.name)) is not None:
            return Fault.NAME_TAKEN.of(name=guest.name, taken=taken)
        if not info.free and self.awaited:
            names = ", ".join(guest.name for guest in self.late)
            return Fault.TABLE_KEPT.of(table=info.name, names=names, host=info.host.name)
        if not info.free:
            return Fault.TABLE_FULL.of(table=info.name, seats=len(info.seats))
        return None

    def _mistaken(self, name: str) -> str | None:
        """Return another name at the table for which a name would be taken; the same is counted."""
        names = [seat.name for seat in self.info.seats if alike(seat.name) == alike(name)]
        return next((each for each in names if name not in names), None)

    def leave(self, identity: bytes) -> bool:
        """Free the seats of a guest that is gone; return whether it held any."""
        info = self.info
        if self.running or all(guest.identity != identity for guest in info.guests[1:]):
            return False
        guests = tuple(guest for guest in info.guests if guest.identity != identity)
        seats = tuple(Seat() if seat.peer == identity else seat for seat in info.seats)
        self.info = replace(info, guests=guests, seats=seats)
        self.awaited -= {identity}
        return True

    def give_up(self) -> bool:
        """Free the seats of all who are still awaited; return whether there were any."""
        late = self.awaited
        for identity in late:
            self.leave(identity)
        return bool(late)

    def kick(self, name: str) -> Guest:
        """Send a guest away, never to sit down at this table again, and return it.

        A guest who is awaited loses the seat that was kept, and may come like any other. A further
        person at a program only loses its seat.
        """
        host, *guests = self.info.guests
        wanted = alike(name)
        guest = next((each for each in guests if alike(each.name) == wanted), None)
        if guest is None and wanted == alike(host.name):
            raise Mistake(Fault.KICK_SELF)
        for each in self.info.guests:
            if guest is None and wanted in map(alike, self.info.persons(each.identity)):
                self.unseat(each.identity, name)
                return each
        if guest is None and not guests:
            raise Mistake(Fault.NO_GUESTS, name=name)
        if guest is None:
            raise Mistake(Fault.NO_GUEST, name=name, known=", ".join(g.name for g in guests))
        late = guest.identity in self.awaited
        self.leave(guest.identity)
        if not late:
            barred = (*self.info.barred, guest.identity)[-BARRED:]
            self.info = replace(self.info, barred=barred)
        return guest

    def lock(self, locked: bool) -> None:
        """Take no more guests, or take them again."""
        if locked == self.info.locked:
            raise Mistake(Fault.LOCKED_ALREADY if locked else Fault.NOT_LOCKED)
        self.info = replace(self.info, locked=locked)

    def move(self, one: int, other: int) -> None:
        """Let whoever sits on two seats change places; either may be free."""
        moved, displaced = self._seat(one), self._seat(other)
        if one == other:
            raise Mistake(Fault.SAME_SEATS)
        seats = list(self.info.seats)
        seats[one], seats[other] = displaced, moved
        self.info = replace(self.info, seats=tuple(seats))

    def seat_bot(self, place: int, bot: str, name: str = "") -> None:
        """Put a bot, held by the host, on a seat that no person has; the caller knows the bot."""
        self.free(place)
        name = self._unique(name or f"{bot} {place + 1}")
        self._set(place, Seat(name, self.info.host.identity, bot))

    def free(self, place: int) -> None:
        """Take a bot from its seat; a free seat stays free."""
        seat = self._seat(place)
        host, *guests = self.info.guests
        if seat.name == host.name:
            raise Mistake(Fault.OWN_SEAT, seat=place + 1)
        if seat.name and (not seat.bot or any(seat.name == guest.name for guest in guests)):
            raise Mistake(Fault.SEAT_TAKEN, seat=place + 1, name=seat.name)
        self._set(place, Seat())

    def _seat(self, place: int) -> Seat:
        if not 0 <= place < len(self.info.seats):
            raise Mistake(Fault.NO_SEAT, seat=place + 1, seats=len(self.info.seats))
        return self.info.seats[place]

    def fill(self, bot: str, company: Sequence[tuple[str, str]] = ()) -> int:
        """Put a bot, held by the host, on every free seat; return how many.

        ``company`` has other names and bots for the first of them.
        """
        self.check_all_came()
        free = [place for place, seat in enumerate(self.info.seats) if not seat.name]
        for number, place in enumerate(free):
            plain = (f"{bot} {place + 1}", bot)
            name, kind = company[number] if number < len(company) else plain
            self._set(place, Seat(self._unique(name), self.info.host.identity, kind))
        return len(free)

    def set_options(self, options: Mapping[str, str]) -> None:
        """Change the table's options (checked by the caller)."""
        self.info = replace(self.info, options=tuple(options.items()))

    def start(self) -> Roster:
        """Freeze the table and return it as it is offered; ``Mistake`` while a seat is free."""
        self.check_all_came()
        if self.info.free:
            raise Mistake(Fault.SEATS_FREE, count=self.info.free)
        self.running = True
        return self.info.roster()

    def again(self, info: TableInfo, here: Container[bytes]) -> None:
        """Go back to the table as it was before a start that came to nothing, in the next term.

        Who is not ``here`` is awaited.
        """
        self.running = False
        self.info = replace(info, term=min(info.term + 1, TERMS - 1))
        missing = {guest.identity for guest in info.guests[1:] if guest.identity not in here}
        self.awaited = frozenset(missing)

    def check_all_came(self) -> None:
        """Raise ``Mistake`` while somebody is awaited."""
        if self.awaited:
            raise Mistake(Fault.GUESTS_AWAITED, count=len(self.awaited))

    def _set(self, place: int, seat: Seat) -> None:
        seats = (*self.info.seats[:place], seat, *self.info.seats[place + 1 :])
        self.info = replace(self.info, seats=seats)

    def _unique(self, name: str) -> str:
        taken = {alike(seat.name) for seat in self.info.seats}
        number, unique = 2, name
        while alike(unique) in taken:
            unique = f"{clean_text(name, NICKNAME_LIMIT - 3)} {number}"
            number += 1
        return unique


Filling = Callable[[Lobby], object]
"""Puts AI on every free seat of a table: the same at its host and its guests."""


def by_level(lobby: Lobby) -> None:
    """Put the AI of the house on every free seat."""
    lobby.fill(lobby.info.settings.bot)


def filled(info: TableInfo, fill: Filling = by_level) -> TableInfo:
    """Return a table with AI on every free seat, as it is when it starts."""
    lobby = Lobby(info)
    fill(lobby)
    return lobby.info


def farewell(info: TableInfo) -> Told:
    """Return what a kicked guest is told, then and whenever it comes again."""
    return Fault.SENT_AWAY.of(host=info.host.name, table=info.name)


def next_hosts(info: TableInfo, own: bytes, left: bool) -> tuple[Guest, ...]:
    """Return whom a guest that lost its host asks, in this order, before it hosts the table itself.

    First the host, in case that only the link was lost, unless it said that it ``left``; then all
    who sit on lower seats. ``PeerError`` if there is nobody with whom the table could go on.
    """
    heirs = info.heirs
    places = [guest.identity for guest in heirs]
    if own not in places or (left and len(heirs) == 1):
        raise PeerError(Code.UNEXPECTED, orphaned(info))
    before = heirs[: places.index(own)]
    return before if left else (info.host, *before)


def orphaned(info: TableInfo) -> Told:
    """Return what a guest is told whose table has nobody left but itself."""
    return Fault.ORPHANED.of(host=info.host.name)


def take_over(info: TableInfo, me: Guest, bot: str = "") -> Lobby:
    """Return the table with a guest as its next host; ``bot`` is what answers for it, if any.

    The seats of the old host's people are free, its AI seats are the new host's, and all other
    guests are awaited on theirs. Where its term is one that only a liar comes to, it goes on under
    another id, the same at whichever guest. ``PeerError`` if nobody else is left.
    """
    old, own = info.place(info.host.identity), info.place(me.identity)
    if len(info.heirs) < 2:
        raise PeerError(Code.UNEXPECTED, orphaned(info))
    seats = list(info.seats)
    for place, seat in enumerate(info.seats):
        if place == own:
            seats[place] = replace(seat, bot=bot)
        elif seat.peer == info.host.identity:
            stays = seat.bot and place != old
            seats[place] = replace(seat, peer=me.identity) if stays else Seat()
    me = replace(me, name=seats[own].name, addresses=())
    others = tuple(
        guest for guest in info.guests if guest in info.heirs and guest.identity != me.identity
    )
    table = replace(info, seats=tuple(seats), guests=(me, *others), term=info.term + 1)
    if table.term > TERMS // 2:  # no host comes so far; each has as many terms as it can use
        table = replace(table, table=renewed(info.table), term=0)
    return Lobby(table, frozenset(guest.identity for guest in others))


def outranks(one: TableInfo, other: TableInfo) -> bool:
    """Tell whether the first of two hosts of one table is its host: both sides say the same.

    Whoever has guests is, however often the other one has offered in vain; else the later one.
    """
    one_has, other_has = len(one.guests) > 1, len(other.guests) > 1
    return (one_has, one.term, one.host.identity) > (other_has, other.term, other.host.identity)
