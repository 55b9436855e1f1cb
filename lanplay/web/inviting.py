"""Phones at a table: their own address on the network, and the pages of everybody who has come.

Only what is here is reached from there: the owner's pages have another listener and another gate.
"""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import trio

from lanplay.errors import Fault, Mistake
from lanplay.language import N_, _, speaking_here
from lanplay.notices import Notice
from lanplay.session import commands as c
from lanplay.session.audience import EVERYBODY, Audience
from lanplay.session.events import TableNotice, TableStage
from lanplay.session.on_disk import guests_of
from lanplay.session.table import TableSession
from lanplay.told import inside
from lanplay.ui.commands import reason
from lanplay.ui.invitation import Invitation, PhoneGuest
from lanplay.ui.presenter import Presenter
from lanplay.web.doors import Doors
from lanplay.web.front_end import FAREWELL_SECONDS, WebFrontEnd
from lanplay.web.gate import WebGate
from lanplay.web.guests import STAND_IN_SECONDS, GuestCode, GuestPages
from lanplay.web.http import HttpRequest, HttpServer, Reply
from lanplay.web.joining import code_page, join_page, modules
from lanplay.web.keeping import KeptGuest, KeptGuests, taste_in
from lanplay.web.pages import PageStack, Sentence
from lanplay.web.site import Site, let_in, sentence
from lanplay.web.taste import Taste, taste_of
from lanplay.web.tv import TvFrontEnd, TvPages
from lanplay_protocol.shell.strangers import crowded_out
from lanplay_protocol.text import NICKNAME_LIMIT, alike, clean_text

_LOG: Final = logging.getLogger(__name__)

MOST: Final = 12
"""People with phones at one laptop; where several came from one phone, the first of them that only
watches makes room for one from another."""
SCREENS: Final = 4
"""Big screens at one laptop."""
LEFT: Final = N_("You have left. To come back, scan the code again.")
LOOK_SECONDS: Final = 1.0
"""How often it is looked whose page sleeps."""


class WebPhones:
    """The phones of a laptop: see ``Phones``.

    ``doors`` are where they come, at one address at least; ``taste`` and ``confirm`` are as for its
    owner's pages; ``kept`` are the guests of a game that goes on from the disk.
    """

    def __init__(
        self,
        session: TableSession,
        doors: Doors,
        taste: Taste | None = None,
        confirm: bool = True,
        kept: KeptGuests | None = None,
    ) -> None:
        self._session = session
        self._laptop = session.client.profile.name
        self._taste = taste or Taste()
        self._confirm = confirm
        self._print = doors.fingerprint
        self._doors = doors
        if not doors.origins:
            raise Mistake(Fault.NO_WAY_FOR_PHONES)
        self._open = False
        self._code = GuestCode(trio.current_time, self._elsewhere)
        self._gate: WebGate[PageStack] = WebGate(doors.every, trio.current_time)
        self._guests: list[GuestPages] = []
        self._screens: list[TvPages] = []
        self._saved: tuple[Path, bytes] | None = None
        for each in kept.guests if kept is not None else ():
            guest = self._made(each.name, taste_in(each))
            self._guests.append(guest)
            for key, path in each.sessions:
                self._gate.restore(guest, key, path)

    async def run(self) -> None:
        """Serve those who come, and look whose page sleeps, until cancelled."""
        server = HttpServer(Site(self._gate, self._entrance).answer)
        async with trio.open_nursery() as self._nursery:
            self._nursery.start_soon(self._doors.serve, server.connection, LOOK_SECONDS)
            for guest in self._guests:
                self._nursery.start_soon(self._present, guest, guest.scope)
            while True:
                await trio.sleep(LOOK_SECONDS)
                if self._doors.look() and self._open:
                    self._elsewhere()
                await self._keep()
                for guest in list(self._guests):
                    self._look_after(guest)
                if not self._shows:
                    for screen in list(self._screens):
                        self._dark(screen)

    async def _keep(self) -> None:
        """Keep who is here beside the game that is kept, for its owner alone."""
        journal = self._session.kept_in
        if journal is None or not self._session.played:
            return
        seated = [each for each in self._guests if not each.asks]
        every = [KeptGuest(g.name, g.taste.text, tuple(self._gate.kept(g))) for g in seated]
        kept = KeptGuests(self._doors.port, every)
        if (journal, kept.content) != self._saved:
            self._saved = journal, kept.content
            await trio.to_thread.run_sync(kept.save, guests_of(journal))

    async def close(self) -> None:
        """Tell all who are here that the laptop leaves the table; of a kept game, for now."""
        left = told = N_("{laptop}'s laptop has left the table.")
        over = not self._session.played
        if not over:
            told = N_("{laptop}'s laptop is gone. This page goes on once it is back.")
        named = {"laptop": self._laptop}
        for guest in self._guests:
            guest.push(Sentence(told, named, over))
        for screen in self._screens:  # nothing is kept of them
            screen.push(Sentence(left, named))
        every = (*self._guests, *self._screens)
        await trio.sleep(FAREWELL_SECONDS if every else 0)

    # -- what the owner decides --------------------------------------------------------------------

    @property
    def invitation(self) -> Invitation:
        """How phones come now, and who has come."""
        guests = tuple(PhoneGuest(g.name, g.asks, g.asleep > 0) for g in self._guests)
        if not self._open:
            return Invitation(guests=guests)
        first, *more = [f"{origin}/{self._code.text}" for origin in self._doors.origins]
        return Invitation(first, modules(first), guests, tuple(more), self._print)

    def invite(self) -> None:
        """Let phones come from now on; whoever types the code that was shown can go on."""
        if not self._open:
            self._open = True
            self._renew()

    def uninvite(self) -> None:
        """Let no more come; those who are here stay."""
        self._open = False
        self._renew()

    def _renew(self) -> None:
        """Take another code, and show it wherever it is shown."""
        self._code.renew()
        self._shown_anew()

    def _elsewhere(self) -> None:
        """Show, and tell the owner, how phones come now: what they were told is good no more."""
        self._shown_anew()
        told = Notice.PHONES_ELSEWHERE.of(address=self.invitation.address)
        self._session.tell(TableNotice(told))

    def _shown_anew(self) -> None:
        for screen in self._screens:
            screen.redraw()

    def admit(self, name: str) -> None:
        """Let a phone take the seat that it asks for: the page that had it has it no more."""
        guest = self._found(name, asks=True)
        for other in list(self._guests):
            if other is not guest and other.name == guest.name:
                self._part(other, N_("Your seat is on another device now."))
        seen = self._session.snapshot(Audience(person=guest.name))
        guest.asks, guest.dozed = False, seen.own in seen.away
        self._wake(guest)
        self._nursery.start_soon(self._present, guest, guest.scope)

    def remove(self, name: str, asks: bool | None = None) -> None:
        """Take the seat of a phone away, and the code that it knows; or refuse what it asks for."""
        if asks is None:
            asks = any(alike(g.name) == alike(name) and g.asks for g in self._guests)
        guest = self._found(name, asks)
        self._renew()
        told = N_("{laptop} has taken your seat away.")
        if guest.asks:
            told = N_("{laptop} keeps that seat for somebody else. Give another name.")
        self._part(guest, told, laptop=self._laptop)
        if not guest.asks:
            self._free(guest)

    def _found(self, name: str, asks: bool) -> GuestPages:
        wanted = [g for g in self._guests if g.asks == asks]
        found = next((g for g in wanted if alike(g.name) == alike(name)), None)
        if found is None:
            known = ", ".join(each.name for each in wanted) or "-"
            raise Mistake(Fault.NO_PHONE_ASKS if asks else Fault.NO_PHONE, name=name, known=known)
        return found

    # -- coming and going --------------------------------------------------------------------------

    def _entrance(self, request: HttpRequest) -> Reply:
        """Answer somebody who has no seat, in its language as far as that is known."""
        taste = taste_of(request, self._taste)
        with speaking_here(taste.lang):
            return self._received(request, taste)

    def _received(self, request: HttpRequest, taste: Taste) -> Reply:
        """Answer with the page for a name, once whoever asks has the code."""
        typed = request.fields.get("code", "") if request.method == "GET" else ""
        text, _slash, page = (request.path.strip("/") or typed).partition("/")
        if self._code.stopped(request.address):
            return sentence(429, _("Too many wrong codes: wait a minute."))
        if not text:
            return Reply(200, code_page(wrong=False), "text/html")
        if not self._open or not self._code.fits(text, request.address):
            return Reply(403, code_page(wrong=True), "text/html")
        if page == "tv" and request.method == "GET":
            return self._screen(taste)
        if request.method == "POST":
            return self._named(request, taste)
        return self._asked_for_name()

    @property
    def _began(self) -> bool:
        """Whether the game has begun: whoever comes now gets no seat."""
        return self._session.stage not in (TableStage.SEARCHING, TableStage.FORMING)

    @property
    def _shows(self) -> bool:
        """Whether big screens may show the table."""
        return not self._began or self._session.watched

    def _screen(self, taste: Taste) -> Reply:
        """Let a big screen in; of too many the oldest that nobody looks at goes."""
        if not self._shows:
            return sentence(403, reason(Mistake(Fault.NO_PHONE_WATCHES)))
        if len(self._screens) >= SCREENS:
            idle = [each for each in self._screens if not self._gate.streams(each)]
            self._dark((idle or self._screens)[0])
        screen = TvPages(taste)
        session, cookie = self._gate.admit(screen)
        self._screens.append(screen)
        self._nursery.start_soon(self._light, screen)
        return let_in(session, cookie)

    async def _light(self, screen: TvPages) -> None:
        """Show the table on a big screen; a fault ends these pages, and nothing else."""
        front = TvFrontEnd(screen, lambda: self.invitation)
        presenter = Presenter(
            self._session, front, lambda _: None, listens=False, audience=EVERYBODY
        )
        try:
            with screen.scope, speaking_here(screen.taste.lang):
                await presenter.run()
        except* Exception:
            _LOG.exception("the pages of a big screen have failed")
            self._dark(screen)

    def _dark(self, screen: TvPages) -> None:
        if screen in self._screens:
            self._screens.remove(screen)
            screen.scope.cancel()
            self._gate.bar(screen)

    def _asked_for_name(self, said: str = "", own: str = "") -> Reply:
        session, here = self._session, {g.name for g in self._guests if not g.asleep}
        gone = [name for name in session.persons if name == own or name not in here]
        snapshot = session.snapshot(EVERYBODY)
        page = join_page(
            self._laptop,
            session.title,
            snapshot.game or (snapshot.lobby.game if snapshot.lobby is not None else ""),
            self._code.text,
            gone,
            said or ("" if self._shows else reason(Mistake(Fault.NO_PHONE_WATCHES))),
            bool(self._print),
            late=self._began and session.watched,
        )
        return Reply(409 if said else 200, page, "text/html")

    def _named(self, request: HttpRequest, taste: Taste) -> Reply:
        """Let somebody in under a name; where that cannot be it is told why.

        With ``again`` it says that it is who has that name here, and asks for the seat.
        """
        text, again = request.fields.get("name", ""), "again" in request.fields
        name, own = clean_text(text, NICKNAME_LIMIT, "-").strip("- "), ""
        try:
            if not name:
                raise Mistake(Fault.NO_NAME)
            guest = self._made(name, taste, request.address)
            late = self._in_the_way(guest)
            here = (*self._session.persons, *(each.name for each in self._guests))
            own = next((each for each in here if alike(each) == alike(name)), "")
            guest.name, guest.asks = own or name, bool(own)
            if guest.asks and not again:
                raise Mistake(Fault.PHONE_NAME_HERE, name=own)
            for other in [each for each in self._guests if each.asks and each.name == own]:
                if other.asleep < STAND_IN_SECONDS:
                    raise Mistake(Fault.PHONE_NAME_ASKED, name=own, laptop=self._laptop)
                self._part(other, LEFT)
            if not guest.asks:
                self._seat(guest)
        except ValueError as error:
            return self._asked_for_name(reason(error, inside), own)
        if late is not None:
            self._part(late, LEFT)
        session, cookie = self._gate.admit(guest)
        held = any(each.name == guest.name for each in self._guests)
        self._guests.append(guest)
        if guest.asks:
            told = N_("The seat of {name} is kept. {laptop} decides whether you get it.")
            if held:
                told = N_("Somebody has this seat already. {laptop} decides whether you get it.")
            values = {"laptop": self._laptop, "name": guest.name}
            guest.push(Sentence(told, values, over=False, role="status"))
            self._session.tell(TableNotice(Notice.ASKS_SEAT.of(name=name)))
        else:
            self._nursery.start_soon(self._present, guest, guest.scope)
        return let_in(session, cookie)

    def _in_the_way(self, guest: GuestPages) -> GuestPages | None:
        """Return who goes so that somebody may come, if anybody has to; ``Mistake`` for no room."""
        if len(self._guests) < MOST:
            return None
        seated = self._session.persons
        watch = [each for each in self._guests if not each.asks and each.name not in seated]
        addresses = {each: each.address for each in (*watch, guest)}
        late, from_one = crowded_out(addresses, 0, 0), Counter(addresses.values())
        if late is None or from_one[late.address] <= from_one[guest.address]:
            raise Mistake(Fault.MANY_PHONES)
        return late

    def _made(self, name: str, taste: Taste, address: str = "") -> GuestPages:
        return GuestPages(name, trio.current_time, self._wake, taste, self._retell, address)

    def _seat(self, guest: GuestPages) -> None:
        """Give somebody a seat, or let it watch; ``ValueError`` says why neither can be."""
        session = self._session
        taken = next((each for each in session.names if alike(each) == alike(guest.name)), None)
        if taken is not None:
            raise Mistake(Fault.PHONE_NAME_TAKEN, name=taken)
        if session.stage is TableStage.FORMING:
            session.submit(c.SeatPerson(guest.name))
        elif not session.watched:
            raise Mistake(Fault.NO_PHONE_WATCHES)

    def _leave(self, guest: GuestPages) -> None:
        """Let somebody go who wants to."""
        if self._part(guest, LEFT):
            self._free(guest)

    def _free(self, guest: GuestPages) -> None:
        """Free the seat of a table that forms; in a game AI answers for it."""
        with suppress(ValueError):
            if self._session.stage is TableStage.FORMING:
                self._session.submit(c.UnseatPerson(guest.name))
            elif (seat := self._place(guest)) is not None:
                self._session.submit(c.SetAway(seat, True))

    def _part(self, guest: GuestPages, told: str, **values: str) -> bool:
        """End somebody's rights: its page says why, and its cookie is good no more.

        False if it had none any more: what it does while it reads that is about nothing.
        """
        if guest not in self._guests:
            return False
        self._guests.remove(guest)
        guest.scope.cancel()
        guest.push(Sentence(told, values))
        self._nursery.start_soon(self._bar, guest)
        return True

    async def _bar(self, guest: GuestPages) -> None:
        await trio.sleep(FAREWELL_SECONDS)
        self._gate.bar(guest)

    # -- while they are here -----------------------------------------------------------------------

    async def _present(self, guest: GuestPages, scope: trio.CancelScope) -> None:
        """Show the table to somebody; a fault ends these pages, and nothing else."""
        front = WebFrontEnd(guest, self._confirm, partial(self._seat, guest), guest.name)
        audience, leaves = Audience(person=guest.name), partial(self._leave, guest)
        presenter = Presenter(
            self._session, front, lambda _: None, audience=audience, leaves=leaves
        )
        try:
            with scope, speaking_here(guest.taste.lang):
                await presenter.run()
        except* Exception:
            _LOG.exception("the pages of a phone have failed")
            if self._part(guest, N_("This page cannot be drawn. The game goes on meanwhile.")):
                self._free(guest)

    def _retell(self, guest: GuestPages) -> None:
        """Show a table anew to somebody who wants another language."""
        if guest in self._guests and not guest.asks:
            guest.scope.cancel()
            guest.scope = trio.CancelScope()
            self._nursery.start_soon(self._present, guest, guest.scope)

    def _place(self, guest: GuestPages) -> int | None:
        return self._session.snapshot(Audience(person=guest.name)).own

    def _look_after(self, guest: GuestPages) -> None:
        """Let AI answer for somebody whose page has slept for long while it is asked."""
        if guest.asks or guest.asleep < STAND_IN_SECONDS:
            return
        seat, seen = self._place(guest), self._session.snapshot(EVERYBODY)
        if guest.dozed and seat in seen.away:
            return  # a game that comes after another asks whoever slept through that
        if seat is not None and seat in (seen.asked or {}):
            guest.dozed = True
            why = Notice.PHONE_ASLEEP.of(name=guest.name)
            self._session.submit(c.SetAway(seat, True, why))

    def _wake(self, guest: GuestPages) -> None:
        """Let somebody whose page was asleep answer again."""
        if guest not in self._guests or not guest.dozed:
            return
        if (seat := self._place(guest)) is not None:
            guest.dozed = False
            with suppress(ValueError):
                self._session.submit(c.SetAway(seat, False))
