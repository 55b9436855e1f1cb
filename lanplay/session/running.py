"""One game of a table: who answers for this peer's seats, what is told, what its people may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import trio

import lanplay_ai as ai
from lanplay.engine.question import Answer, Illegal, Phrase, Question
from lanplay.engine.view import View
from lanplay.errors import Fault, Mistake
from lanplay.language import _
from lanplay.session import commands as c
from lanplay.session.controllers import BotSeat, PersonSeat, SeatController
from lanplay.session.events import (
    Absence,
    AnswerRefused,
    Asked,
    Chatted,
    Event,
    EventLogged,
    GamePaused,
    GameResumed,
    PaceChanged,
    PeersChanged,
    Snapshot,
    TableNotice,
    TableStage,
    WordsShown,
)
from lanplay.session.hints import hinted
from lanplay.session.reaction import Window
from lanplay_ai.guard import Failure, Guarded
from lanplay_protocol.channel.words import spelled
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.text import NICKNAME_LIMIT, alike, clean_text


@dataclass(slots=True)
class BotPace:
    """Seconds between moves of AI; ``usual`` are those that count again once people are back."""

    seconds: float = 0.0
    usual: float | None = None


class RunningGame:
    """Answers for all seats of this peer, and tells its audiences what happens.

    ``agents`` are the AI that it brought to the table; those of seats it takes over are made when
    they are asked first. ``asks_words``: its person has to agree to who sits at the table, which
    ``trusted`` is told. ``alone``: all seats are on this machine. ``stand_in`` makes an AI.
    """

    def __init__(
        self,
        replica: Replica,
        agents: Mapping[int, Guarded],
        tell: Callable[[Event], None],
        *,
        asks_words: bool = False,
        pace: BotPace | None = None,
        alone: bool = False,
        stand_in: Callable[[str, bytes, str], Guarded] = ai.stand_in,
        trusted: Callable[[], None] = lambda: None,
    ) -> None:
        self._replica = replica
        self._tell = tell
        self._asks_words = asks_words
        self._trusted = trusted
        self._stand_in = stand_in
        self._agreed = trio.Event()
        self._pace = pace or BotPace()
        self._alone = alone
        self._thinking = trio.Semaphore(1)
        self._deciding: Counter[int] = Counter()
        self._shown: object = None
        self._log: list[EventLogged] = []
        self._playing: GameRunner | None = None
        self._made: dict[tuple[int, str], BotSeat] = {}
        self._asking: dict[int, trio.CancelScope] = {}
        mine = replica.roster.peers[replica.me].seats
        self.own = next((seat for seat in mine if seat not in agents), mine[0])
        """The seat of this program's first person, or its first AI."""
        self._words: WordsShown | None = None
        self._seats: dict[int, SeatController] = {
            seat: self._bot(agents[seat]) if seat in agents else self._person(seat) for seat in mine
        }

    def _bot(self, agent: Guarded) -> BotSeat:
        pace = (lambda: self._pace.seconds) if self._alone else (lambda: 0.0)
        return BotSeat(agent, self._thinking, self._tell, pace)

    def _person(self, seat: int) -> PersonSeat:
        house = self._replica.roster.settings
        stand_in = StandIn(lambda: self._taken(seat, house.bot))
        return PersonSeat(
            seat,
            stand_in,
            self._tell,
            idle=house.idle_limit,
            left=lambda: self.playing.set_away(self._away),
            runs=lambda: not self.playing.paused_by,
        )

    @property
    def _people(self) -> list[PersonSeat]:
        """The people at this peer."""
        return [each for each in self._seats.values() if isinstance(each, PersonSeat)]

    @property
    def _away(self) -> frozenset[int]:
        """The seats of people here for whom AI answers."""
        return frozenset(person.seat for person in self._people if person.away)

    @property
    def persons(self) -> tuple[str, ...]:
        """The names of the further people at this peer."""
        names = self._replica.roster.names
        return tuple(names[person.seat] for person in self._people if person.seat != self.own)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats."""
        return self._replica.roster.names

    @property
    def watched(self) -> bool:
        """Whether others may watch."""
        return self._replica.roster.settings.spectators

    def seat_of(self, name: str) -> int | None:
        """Return the seat of a further person at this peer; ``None`` if there is none such."""
        names = self._replica.roster.names
        mine = [person.seat for person in self._people if person.seat != self.own]
        return next((seat for seat in mine if names[seat] == name), None)

    def _person_of(self, seats: frozenset[int]) -> PersonSeat | None:
        """Return the person that an audience of these seats is, if it is one: here the first."""
        mine = [person for person in self._people if person.seat in seats]
        return min(mine, key=lambda person: (person.seat != self.own, person.seat), default=None)

    def _taken(self, seat: int, bot: str) -> BotSeat:
        """Return the AI of that name for a seat, always the same one."""
        if (seat, bot) not in self._made:
            key, game = self._replica.bot_key(seat), self._replica.roster.game
            self._made[seat, bot] = self._bot(self._stand_in(bot, key, game))
        return self._made[seat, bot]

    @property
    def playing(self) -> GameRunner:
        """The game on the network."""
        assert self._playing is not None
        return self._playing

    @playing.setter
    def playing(self, playing: GameRunner) -> None:
        self._playing = playing

    @property
    def faults(self) -> list[Failure]:
        """What was wrong with the AI that answered here, by seat."""
        own = [(seat, each) for seat, each in self._seats.items() if isinstance(each, BotSeat)]
        taken = [(seat, each) for (seat, _), each in self._made.items()]
        return [
            fault
            for _seat, each in sorted([*own, *taken], key=lambda pair: pair[0])
            for fault in each.faults
        ]

    def seat(self, place: int, controller: SeatController) -> None:
        """Let another controller answer from now on; what is asked is asked again."""
        if place not in self._seats:
            raise ValueError(_("That cannot be done now."))
        self._seats[place] = controller
        if (scope := self._asking.get(place)) is not None:
            scope.cancel()

    # -- what the game asks and tells (see ``lanplay_protocol.shell.player.Player``) ---------------

    async def answer(self, seat: int, view: View[Any], question: Question, bot: str) -> Answer:
        """Return an AI's answer at once, a person's when it comes; one to a window in due time."""
        pass_answer, only_answer = question.pass_answer(), question.only_answer(view)
        self._forward(deserted := self._deserted)
        asked = Asked(seat, question, view)
        if pass_answer is None or deserted or not self._replica.windows:
            return only_answer[0] if only_answer else await self._answered(asked, bot)
        window = Window()
        at_once = only_answer is not None or not self._by_person(seat, bot)
        answer = (
            only_answer[0]
            if only_answer
            else await self._answered(asked, bot, None if at_once else window)
        )
        await window.leave(automatic=at_once)
        return answer

    def _controller(self, seat: int, bot: str) -> SeatController:
        own = self._seats.get(seat)
        if own is None or (bot and isinstance(own, PersonSeat)):
            return self._taken(seat, bot)
        return own

    def _by_person(self, seat: int, bot: str) -> bool:
        controller = self._controller(seat, bot)
        return isinstance(controller, PersonSeat) and not controller.away

    async def _answered(self, asked: Asked, bot: str, window: Window | None = None) -> Answer:
        with self._decides(asked.seat):
            while True:
                with trio.CancelScope() as scope:
                    self._asking[asked.seat] = scope
                    return await self._controller(asked.seat, bot).answer(asked, window)

    @contextmanager
    def _decides(self, seat: int) -> Iterator[None]:
        """Count a seat among those for which somebody decides while a block runs."""
        self._deciding[seat] += 1
        self.changed()
        try:
            yield
        finally:
            self._asking.pop(seat, None)
            self._deciding[seat] -= 1
            self.changed()

    @property
    def _deserted(self) -> bool:
        """Whether the people of the table have all gone or are away."""
        roster = self._replica.roster
        peopled = not all(roster.bot(seat) for seat in range(len(roster.names)))
        return peopled and not self._replica.people

    def _forward(self, alone: bool) -> None:
        """Let AI move at once while only AI is left at the table; then as before."""
        pace = self._pace
        if alone == (pace.usual is not None):
            return
        if alone:
            pace.usual, pace.seconds = pace.seconds, 0.0
        else:
            pace.seconds, pace.usual = pace.usual or 0.0, None
        self._tell(PaceChanged(pace.seconds, alone))

    async def confirm(self, binding: bytes) -> None:
        """Show the words of a table of several laptops; wait for a yes where keys are new."""
        if len(self._replica.roster.peers) > 1:
            self._words = WordsShown(" ".join(spelled(binding)), self._asks_words)
            self._tell(self._words)
        if self._asks_words:
            await self._agreed.wait()
        self._words = None
        self._trusted()

    def refused(self, seat: int, illegal: Illegal) -> None:
        """Tell why a person's answer was refused; an AI's was judged before, and came too late."""
        if self._by_person(seat, self._replica.context.seating.holders[seat].bot):
            self._tell(AnswerRefused(seat, illegal))

    def happened(self, message: Phrase) -> None:
        """Tell an event of the game."""
        self._logged(self._replica.context.referee.table.round, message)

    def recalled(self, round_: int, message: Phrase) -> None:
        """Tell an event of before this program went on."""
        self._logged(round_, message, past=True)

    def _logged(self, round_: int, message: Phrase, past: bool = False) -> None:
        self._log.append(EventLogged(round_, message, past=True))
        self._tell(EventLogged(round_, message, past))

    def notice(self, text: str) -> None:
        """Tell what concerns the table."""
        self._tell(TableNotice(text))

    def asked_to_yield(self) -> None:
        """Most others do not want to wait: an AI answers until the person is back.

        It is for those who are asked; where none is, for all who sit here.
        """
        for person in [each for each in self._people if each.asked] or self._people:
            person.set_away(True, _("Most others do not want to wait."))

    def said(self, said: ChatMessage) -> None:
        """Tell what somebody has said."""
        self._tell(Chatted(said))

    def paused(self, by: str) -> None:
        """Tell who has paused the game; nobody's time runs."""
        self._tell(GamePaused(by))
        self._run(False)

    def resumed(self, by: str) -> None:
        """Tell who lets the game go on."""
        self._tell(GameResumed(by))
        self._run(True)

    def _run(self, goes: bool) -> None:
        for person in self._people:
            person.run(goes)

    def changed(self) -> None:
        """Tell that somebody else is waited for, as soon as it is so."""
        shown = (self._waited, self._comparing)
        if shown != self._shown:
            self._shown = shown
            self._tell(PeersChanged())

    # -- what may be seen --------------------------------------------------------------------------

    def known(self, seats: frozenset[int]) -> list[Event]:
        """Return what an audience of these seats has missed: the log, and what it is asked."""
        mine = [person.asked for person in self._people if person.seat in seats]
        words = [] if self._words is None else [self._words]
        return [*self._log, *words, *(asked for asked in mine if asked is not None)]

    def snapshot(self, seats: frozenset[int], stage: TableStage) -> Snapshot:
        """Return what an audience of these seats may know now.

        While others answer for the own seat, as it was away, it sees what all see.
        """
        replica, roster, owed = self._replica, self._replica.roster, self._replica.awaited
        playing, seating = self.playing, replica.context.seating
        missing = set(playing.missing)
        absent = tuple(
            Absence(roster.shown(peer), frozenset(seating.of(peer)), self._left(until))
            for peer, until in sorted(playing.missing.items())
        )
        people = {seat for seat in range(len(roster.names)) if not roster.bot(seat)}
        person = self._person_of(seats)
        own = self.own if self.own in seats else None
        own = own if person is None else person.seat
        return Snapshot(
            stage=stage,
            game=roster.game,
            alone=self._alone,
            table=replica.context.referee.table,
            names=tuple(clean_text(name, NICKNAME_LIMIT) for name in roster.names),
            own=own,
            views={seat: view for seat, view in replica.views.items() if seat in seats},
            asked={seat: owed[seat] for seat in self._waited},
            returning=own is not None and own not in replica.views,
            comparing=self._comparing,
            peers=tuple(roster.shown(peer) for peer in range(len(roster.peers))),
            holders=tuple(seating.holders),
            absent=absent,
            away=frozenset(people - set(replica.people)),
            stuck=self._stuck,
            waits=self._too_few(missing | {replica.me}),
            paused_by=tuple(playing.paused_by),
            watchers=tuple(playing.watchers),
            closes=person.closes if person is not None else None,
        )

    @property
    def stage(self) -> TableStage:
        """How far the game is."""
        if self._replica.halted:
            return TableStage.HALTED
        if self._replica.over:
            return TableStage.OVER
        if self._comparing or (self._asks_words and not self._agreed.is_set()):
            return TableStage.TRUSTING
        return TableStage.NO_QUORUM if self._stuck else TableStage.PLAYING

    @property
    def _waited(self) -> list[int]:
        """The seats whose answer is waited for: of its own, those that somebody is asked for."""
        own = set(self._replica.context.seating.of(self._replica.me))
        return [s for s in self._replica.awaited if s not in own or self._deciding[s]]

    @property
    def _comparing(self) -> tuple[str, ...]:
        return tuple(self._replica.roster.shown(peer) for peer in self._replica.comparing)

    @property
    def _stuck(self) -> bool:
        """Whether so many are missing that the game cannot go on without them."""
        return bool(self.playing.missing) and self._too_few(set(self.playing.missing))

    def _too_few(self, absent: set[int]) -> bool:
        """Whether too few would be here without these peers."""
        return len(self._replica.transcript.members - absent) < self._replica.roster.quorum

    def _left(self, until: float | None) -> float | None:
        """Return how many seconds are left until a time of the game; ``None`` if there is none."""
        return None if until is None else self.playing.left(until)

    # -- what its people may do --------------------------------------------------------------------

    def offers(self, seats: frozenset[int], owner: bool) -> tuple[c.CommandOffer, ...]:
        """Return what an audience of these seats, or the owner of this program, may submit."""
        playing, person = self.playing, self._person_of(seats)
        missing = next((self._replica.roster.shown(p) for p in sorted(playing.missing)), "")
        mine: list[c.CommandOffer] = []
        if person is not None:
            hints = self._replica.roster.settings.hints and person.asked is not None
            mine = [
                c.CommandOffer(c.AskHint, hints),
                c.CommandOffer(c.SetAway, person.away),
                c.CommandOffer(c.MoreTime, person.hurried),
            ]
        spoken = [
            c.CommandOffer(c.Say),
            c.CommandOffer(c.Pause, not playing.paused_by),
            c.CommandOffer(c.Unpause, bool(playing.paused_by)),
        ]
        if not owner:
            return (*mine, *(() if self._alone or person is None else spoken))
        together = [
            *spoken,
            c.CommandOffer(c.ContinueWithout, self._stuck),
            c.CommandOffer(c.SkipWait, bool(missing), missing),
            c.CommandOffer(c.KeepWaiting, bool(missing), missing),
        ]
        return (
            *mine,
            *(() if self._alone else together),
            c.CommandOffer(c.SetPace),
            c.CommandOffer(c.LeaveTable),
        )

    def submit(self, command: c.Command) -> None:
        """Do what a person wants; ``Illegal`` or ``ValueError`` says why that cannot be."""
        match command:
            case c.GiveAnswer() | c.SetAway() | c.MoreTime() | c.AskHint():
                self._of_seat(command)
            case c.SetPace(seconds=seconds):
                self._pace.seconds = seconds
            case c.Trust():
                self._agreed.set()
            case _ if self._alone:
                raise Mistake(Fault.ALONE)
            case c.SkipWait(name=name):
                self.playing.skip_wait(self._peer(name))
            case c.KeepWaiting(name=name):
                self.playing.keep_waiting(self._peer(name))
            case _:
                self._together(command)

    def _of_seat(self, command: c.SeatCommand) -> None:
        person = self._seats.get(command.seat)
        if not isinstance(person, PersonSeat):
            raise ValueError(_("That cannot be done now."))
        match command:
            case c.GiveAnswer(answer=answer):
                person.give(answer)
            case c.SetAway(away=away, why=why):
                person.set_away(away, why)
                self._forward(self._deserted)
            case c.MoreTime():
                person.more_time()
            case c.AskHint():
                self._ask_hint(person)

    def _ask_hint(self, person: PersonSeat) -> None:
        if not self._replica.roster.settings.hints:
            raise ValueError(_("This table forbids hints."))
        if person.asked is None or person.nursery is None:
            raise ValueError(_("There is no hint: nothing is asked of you now."))
        person.nursery.start_soon(self._hint, person.asked)

    async def _hint(self, asked: Asked) -> None:
        self._tell(await hinted(self._replica.roster.game, asked))

    def _together(self, command: c.Command) -> None:
        match command:
            case c.Say(text=text, seat=seat) if seat is None or seat in self._seats:
                self.playing.say(text, seat)
            case c.Pause():
                self.playing.pause()
            case c.Unpause():
                self.playing.unpause()
            case c.ContinueWithout():
                for peer in sorted(self.playing.missing) if self._stuck else ():
                    self.playing.skip_wait(peer)
                self.playing.continue_without()
            case _:
                raise ValueError(_("That cannot be done now."))

    def _peer(self, name: str) -> int:
        shown = [self._replica.roster.shown(p) for p in range(len(self._replica.roster.peers))]
        found = [peer for peer, each in enumerate(shown) if alike(each) == alike(name)]
        if not found:
            raise Mistake(Fault.NOBODY_CALLED, name=name, known=", ".join(shown))
        return found[0]


class StandIn:
    """An AI that is made when it is asked first: most people are never away."""

    def __init__(self, make: Callable[[], BotSeat]) -> None:
        self._make = make

    async def answer(self, asked: Asked, within: Window | None = None) -> Answer:
        """Return what the AI answers."""
        return await self._make().answer(asked, within)
