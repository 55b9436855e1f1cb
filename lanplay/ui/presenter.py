"""The presenter: shows a session to its person, and passes on what the person wants."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

import trio

import lanplay_ai as ai
from lanplay.engine.manifest import Confiding, Narrator
from lanplay.engine.question import Phrase
from lanplay.errors import Fault, UserError
from lanplay.games import load
from lanplay.games.wording import narrator_of, words_of
from lanplay.language import N_, _
from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.audience import OWNER, Audience
from lanplay.session.on_disk import coached_in
from lanplay.told import briefly, worded
from lanplay.ui import alerts, settings
from lanplay.ui.coach import Coach
from lanplay.ui.commands import Command, described, found, reason
from lanplay.ui.forming import obey, spoken
from lanplay.ui.front_end import Advised, TableDisplay, TableFrontEnd
from lanplay.ui.hints import hint_text
from lanplay.ui.invitation import Phones, commands
from lanplay.ui.looking import review_of
from lanplay.ui.lookup import lookups
from lanplay.ui.menu import Menu, saying
from lanplay.ui.scene import Scene, as_shown, scene_of
from lanplay_ai.characters import Company
from lanplay_protocol.shell.runner import GameOutcome

WORDS = N_("Do all screens show these words?")


class Session(Protocol):
    """A table that is played, or watched; ``kept_in`` is the journal of a game in progress."""

    kept_in: Path | None

    async def run(self) -> GameOutcome:
        """Play until its people leave; return how the last game ended."""

    def submit(self, command: c.Command, audience: Audience = OWNER) -> None:
        """Do what a person wants."""

    def subscribe(
        self, audience: Audience
    ) -> AbstractContextManager[trio.MemoryReceiveChannel[e.Event]]:
        """Open a channel that brings a snapshot first, then changes."""

    def snapshot(self, audience: Audience) -> e.Snapshot:
        """Return what an audience may know now."""

    def commands(self, audience: Audience) -> Sequence[c.CommandOffer]:
        """Return what may be submitted now."""


async def present(
    session: Session,
    front: TableFrontEnd,
    closing: Callable[[e.Ended], None],
    *,
    listens: bool = True,
    pace: float = 0.0,
    phones: Phones | None = None,
    learns: bool = False,
    preferences: settings.Preferences | None = None,
) -> GameOutcome:
    """Show a session to its person until it ends; return how its last game ended.

    ``closing`` prints what there is to say after each game. ``listens``: a person answers here.
    ``phones`` are those that its person may invite. ``learns``: a coach explains the game.
    ``preferences`` are the settings that its person may change meanwhile.
    """
    presenter = Presenter(session, front, closing, listens, pace, phones, learns=learns)
    presenter.preferences = preferences
    async with trio.open_nursery() as nursery:
        await nursery.start(presenter.run)
        outcome = await session.run()
        nursery.cancel_scope.cancel()
    return outcome


class _Shown(NamedTuple):
    """A game that is shown: where, and what has to do with it alone."""

    display: TableDisplay
    menu: Menu
    narrator: Narrator
    company: Company


class Presenter:
    """Shows the events of a session on the displays of a front end.

    ``audience`` is who looks there: the owner, or a further person at this laptop, who ``leaves``
    by itself.
    """

    def __init__(
        self,
        session: Session,
        front: TableFrontEnd,
        closing: Callable[[e.Ended], None],
        listens: bool = True,
        pace: float = 0.0,
        phones: Phones | None = None,
        audience: Audience = OWNER,
        leaves: Callable[[], None] | None = None,
        learns: bool = False,
    ) -> None:
        self._session = session
        self._front = front
        self._closing = closing
        self._listens = listens
        self._shown: _Shown | None = None
        self._last: e.Snapshot | None = None
        self._pace = pace
        self._phones = phones
        self._audience = audience
        self._leaves = leaves
        self._learns = learns
        self._screens = ExitStack()
        self._table = ExitStack()
        self._scopes: set[trio.CancelScope] = set()
        self._hosted: bool | None = None
        self._seated = trio.Event()
        self._asked: dict[int, trio.CancelScope] = {}
        self._coach: Coach | None = None
        self.preferences: settings.Preferences | None = None

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Show events as they come, until cancelled.

        Where they came faster than they could be shown it begins again with how things are now.
        """
        with self._screens, self._table:
            async with trio.open_nursery() as self._nursery:
                while True:
                    with self._session.subscribe(self._audience) as events:
                        task_status.started()
                        task_status = trio.TASK_STATUS_IGNORED
                        async for event in events:
                            self.take(event)

    def take(self, event: e.Event) -> None:
        """Show an event."""
        match event:
            case e.Snapshot() if event.game:
                self._begin(as_shown(event))
            case e.Snapshot(stage=e.TableStage.FORMING) | e.StageChanged():
                self._search()
            case e.LobbyChanged():
                self._form(event)
            case e.Ended():
                self._start(self._end, event)
            case e.Invited(host=host):
                self._front.invited(host)
            case _ if self._shown is not None:
                self._show(self._shown, event)
            case e.TableNotice(text=text):
                (self._front.ahead if self._hosted is None else self._front.say)(text)
            case e.Chatted(said=said):
                self._front.heard(spoken(said))

    @property
    def _snapshot(self) -> e.Snapshot:
        """The table as it is now; of a game that is shown and has gone, as it was last."""
        now = as_shown(self._session.snapshot(self._audience))
        if now.table is not None:
            self._last = now
        return self._last or now

    def _submit(self, command: c.Command) -> None:
        if self._leaves is not None and isinstance(command, c.LeaveTable):
            self._leaves()
        else:
            self._session.submit(command, self._audience)

    def _before(self) -> Sequence[Command]:
        """Return what the person may do at a forming table, whoever hosts it."""
        return (saying(self._submit), *self._about_phones())

    def _about_phones(self) -> Sequence[Command]:
        """Return what the person may do about phones."""
        phones, front = self._phones, self._front
        if phones is None or self._snapshot.alone:
            return ()
        return commands(phones, partial(front.invitation, phones))

    def _further(self) -> Sequence[Command]:
        """Return what the person may do beside the game's own commands."""
        if (shown := self._shown) is None:
            return ()
        display, game = shown.display, self._snapshot.game
        return (
            *self._about_coach(display),
            *self._about_phones(),
            *self._about_settings(shown.menu),
            *(lookups(game, self._scene, display.notice) if game else ()),
        )

    def _about_settings(self, menu: Menu) -> Sequence[Command]:
        """Return how settings are looked at and changed during a game."""
        if self.preferences is None or not self._listens:
            return ()
        return settings.commands(self.preferences, self._start, menu.set_speed)

    # -- a game ------------------------------------------------------------------------------------

    def _begin(self, snapshot: e.Snapshot) -> None:
        """Show a game that begins, or that this program goes on with."""
        self._stop()
        self._table.close()
        display = self._front.table(load(snapshot.game), snapshot.names, snapshot.alone)
        programs = [seat for seat, each in enumerate(snapshot.holders) if each.bot]
        company = Company(snapshot.game, snapshot.names, programs)
        menu = Menu(self._submit, display, self._pace, more=self._further)
        shown = _Shown(display, menu, narrator_of(snapshot.game), company)
        self._shown, self._last = shown, None
        display.commands = lambda: menu.commands(self._snapshot, self._offers(), display.listens)
        display.closes = lambda: self._snapshot.closes
        display.attends = self._attend
        if snapshot.table is not None:
            display.sees(self._scene)
        self._table.enter_context(display.showing())
        notes = self._coachs_notes
        if self._learns or self._coach is not None or (notes is not None and notes.is_file()):
            self._teach(display, True)
        if self._listens:
            self._start(display.run)

    def _attend(self, reads: bool) -> None:
        """Tell that the person is there, or reads: a reaction has more time then, and AI waits."""
        hurried = [each.now for each in self._offers() if each.kind is c.MoreTime]
        if hurried and (seat := self._snapshot.own) is not None:
            self._submit(c.ReadRule(seat, reads))
            if hurried == [True] and not reads:
                self._submit(c.MoreTime(seat))

    def _offers(self) -> tuple[c.CommandOffer, ...]:
        return tuple(self._session.commands(self._audience))

    def _scene(self) -> Scene:
        return scene_of(self._snapshot)

    def _show(self, shown: _Shown, event: e.Event) -> None:
        """Show an event of the game."""
        display = shown.display
        match event:
            case e.Asked():
                self._tell_tip(display, event)
                self._asked[event.seat] = scope = trio.CancelScope()
                self._start(self._ask, display, event, scope)
            case e.NoLongerAsked(seat=seat):
                self._asked.pop(seat, trio.CancelScope()).cancel()
            case e.EventLogged():
                self._narrate(shown, event)
            case e.AnswerRefused(illegal=illegal):
                display.refused(illegal)
            case e.WordsShown():
                self._trust(display, event)
            case e.Hinted():
                self._advise(display, event)
            case e.PeersChanged():
                display.changed()
            case e.Chatted(said=said):
                told = spoken(said)
                display.notice(told)
                display.call(told)
            case _:
                for text in alerts.told(event, self._snapshot, display.way, display.listens):
                    display.notice(text)

    def _teach(self, display: TableDisplay, learns: bool) -> None:
        """Let a coach explain the game from now on, or no more."""
        if self._coach is not None and not learns:
            self._coach.end()
        self._coach = Coach(self._snapshot.game, self._coachs_notes) if learns else None
        if self._coach is None:
            display.coached("")
            display.reply(_("The coach is off."))
        elif goal := self._coach.goal():
            display.introduced(goal)

    @property
    def _coachs_notes(self) -> Path | None:
        """Where it is kept what a coach has said in the game of this laptop's owner."""
        journal = self._session.kept_in if self._audience.owner else None
        return None if journal is None else coached_in(journal)

    def _about_coach(self, display: TableDisplay) -> Sequence[Command]:
        """Return the command that begins a guided game, or ends it."""
        if not self._listens:
            return ()
        on = self._coach is not None
        told = N_("end the coach's explanations") if on else N_("let a coach explain the game")
        return (
            Command("coach", told, lambda _: self._teach(display, not on), key="c", quiet=not on),
        )

    def _tell_tip(self, display: TableDisplay, event: e.Asked) -> None:
        """Let the coach, if there is one, say what is new about a question."""
        if self._coach is not None:
            display.coached(self._coach.tip(event.view, event.question))

    def _narrate(self, shown: _Shown, event: e.EventLogged) -> None:
        """Show an event of the log with what explains it."""
        display = shown.display
        if not event.past:
            display.sees(self._scene)
            for told in self._confided(shown.narrator, event.message):
                display.happened(event.round, told)
        for told in shown.narrator.tell(event.message):
            (display.recalled if event.past else display.happened)(event.round, told)
        if (said := shown.company.hears(event.message)) and not event.past:
            display.notice(said)

    def _confided(self, narrator: Narrator, message: Phrase) -> Sequence[Phrase]:
        """Return what the own seat alone is told before an event."""
        view = self._snapshot.own_view
        if view is None or not isinstance(narrator, Confiding):
            return ()
        return narrator.confide(message, view)

    def _advise(self, display: TableDisplay, event: e.Hinted) -> None:
        snapshot = self._snapshot
        word = partial(words_of(snapshot.game).word, names=snapshot.names)
        if event.hint is None or not isinstance(display, Advised):
            display.reply(hint_text(event, snapshot.game, snapshot.names, word))
            return
        question, view = event.asked.question, event.asked.view
        why = ai.worded(event.hint, snapshot.game, snapshot.names)
        display.advised(why, question, tuple(question.path(view, event.hint.answer)))

    async def _ask(self, display: TableDisplay, event: e.Asked, scope: trio.CancelScope) -> None:
        with scope, self._leaving():
            answer = await display.answer(event.view, event.question)
            try:
                self._submit(c.GiveAnswer(event.seat, answer))
            except ValueError as error:  # nobody waits for it any more
                display.reply(reason(error, display.way))

    def _trust(self, display: TableDisplay, event: e.WordsShown) -> None:
        told = _("The words of this table: {words}").format(words=event.words)
        if event.asks and self._audience.owner:
            if event.changed:
                told += f"\n{worded(briefly(Fault.OTHER_KEY_WATCHED.of(names=event.changed)))}."
            self._start(self._agree, display, told)
        else:
            display.notice(told)

    async def _agree(self, display: TableDisplay, told: str) -> None:
        with self._leaving():
            await display.agree(f"{told}\n{_(WORDS)}")
            self._submit(c.Trust())
            if names := ", ".join(self._snapshot.comparing):
                display.notice(_("Still comparing them: {names}.").format(names=names))

    async def _end(self, event: e.Ended) -> None:
        """Show how the game ended until its person goes on."""
        look = self._audience.owner and event.outcome.result is not None
        review = review_of(self._snapshot.game, event.path) if look and event.path else None
        again = await self._front.over(event.outcome.result, event.rematch, review)
        self._closing(event)
        self._submit(c.Rematch() if again and event.rematch else c.LeaveTable())

    @contextmanager
    def _leaving(self) -> Iterator[None]:
        """Leave the table where its person leaves what a block asks."""
        try:
            yield
        except UserError as error:
            if not error.leaves:
                raise
            self._submit(c.LeaveTable())

    # -- before a game -----------------------------------------------------------------------------

    def _search(self) -> None:
        """Show the way to a table."""
        self._stop()
        self._table.close()
        self._screens.close()
        self._shown = self._last = None
        self._screens.enter_context(self._front.forming())
        self._hosted, self._seated = False, trio.Event()
        self._start(self._be_guest, self._seated)

    def _form(self, event: e.LobbyChanged) -> None:
        """Show a table that forms, and let its host change it."""
        self._front.seats(event.info, event.awaited)
        hosted = event.hosted and self._audience.owner
        if hosted and not self._hosted:
            self._stop()
            self._hosted = True
            self._start(self._front.host, partial(self._obey, event.info.game), event.info)
        elif not hosted:
            if self._hosted:
                self._stop()
                self._start(self._be_guest, self._seated)
            self._hosted = False
            self._seated.set()

    def _obey(self, game: str, line: str) -> bool:
        """Do what the host of a forming table has typed; return whether it starts or leaves."""
        if line == "help":
            self._front.say(described(self._before()))
        done = not self._typed(line) and obey(line, game, self._submit, self._front.say)
        self._learns = self._learns or line == "learn"
        return done

    def _typed(self, line: str) -> bool:
        """Do what was typed to be said, or about phones; false if it is about something else."""
        if (called := found(self._before(), line)) is not None:
            called[0].run(called[1])
        return called is not None

    async def _be_guest(self, seated: trio.Event) -> None:
        await self._front.guest(seated, self._typed)
        self._submit(c.LeaveTable())

    # -- tasks -------------------------------------------------------------------------------------

    def _start(self, task: Callable[..., Awaitable[object]], *arguments: object) -> None:
        """Run a task until the table is another one."""
        scope = trio.CancelScope()
        self._scopes.add(scope)
        self._nursery.start_soon(self._within, scope, partial(task, *arguments))

    async def _within(self, scope: trio.CancelScope, task: Callable[[], Awaitable[object]]) -> None:
        with scope:
            await task()
        self._scopes.discard(scope)

    def _stop(self) -> None:
        """End all tasks of what was shown before."""
        for scope in list(self._scopes):
            scope.cancel()
        self._scopes.clear()
        self._asked.clear()
