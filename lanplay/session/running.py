"""One game of a table: who answers for this peer's seats, what is told, what its people may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

import trio

import lanplay_ai as ai
from lanplay.engine.question import Illegal, Phrase
from lanplay.errors import Fault, Mistake
from lanplay.games import order_book
from lanplay.language import _
from lanplay.notices import Notice
from lanplay.session import commands as c
from lanplay.session.events import (
    Absence,
    AnswerRefused,
    Chatted,
    Event,
    GamePaused,
    GameResumed,
    Logbook,
    PeersChanged,
    Snapshot,
    TableNotice,
    TableStage,
    WordsShown,
)
from lanplay.session.habits import HabitStore
from lanplay.session.seats import BotPace, OwnSeats
from lanplay_ai.guard import Failure, Guarded
from lanplay_protocol.channel.words import spelled
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.replica.key_setup import SETUP
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.replica.settings import PASS
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.text import NICKNAME_LIMIT, alike, clean_text


class RunningGame:
    """Answers for all seats of this peer, and tells its audiences what happens.

    ``agents`` are the AI that it brought to the table; those of seats it takes over are made when
    they are asked first. ``asks_words``: its person has to agree to who sits at the table, which
    ``trusted`` is told; ``changed`` are those whose key is another one. ``alone``: all seats are on
    this machine. ``stand_in`` makes an AI.
    """

    def __init__(
        self,
        replica: Replica,
        agents: Mapping[int, Guarded],
        tell: Callable[[Event], None],
        *,
        asks_words: bool = False,
        changed: str = "",
        pace: BotPace | None = None,
        alone: bool = False,
        stand_in: Callable[[str, bytes, str], Guarded] = ai.stand_in,
        habits: HabitStore | None = None,
        trusted: Callable[[], None] = lambda: None,
    ) -> None:
        self._replica = replica
        self._tell = tell
        self._asks_words, self._changed = asks_words, changed
        self._trusted = trusted
        self._agreed = trio.Event()
        self._alone = alone
        self._shown: object = None
        self._log = Logbook()
        self._playing: GameRunner | None = None
        self._words: WordsShown | None = None
        self._seats = OwnSeats(
            replica,
            agents,
            tell,
            pace=pace or BotPace(),
            stand_in=stand_in,
            changed=self.changed,
            away=lambda: self.playing.set_away(self._seats.away),
            runs=lambda: not self.playing.chat.paused_by,
            habits=habits,
            forms=book.forms if (book := order_book(replica.roster.game)) else {},
        )
        self.own = self._seats.first
        self.answer = self._seats.answer

    @property
    def persons(self) -> tuple[str, ...]:
        """The names of the further people at this peer."""
        further = [person.seat for person in self._seats.people if person.seat != self.own]
        return tuple(self.names[seat] for seat in further)

    @property
    def logged(self) -> int:
        """How many events the log has."""
        return len(self._log)

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
        further = [person.seat for person in self._seats.people if person.seat != self.own]
        return next((seat for seat in further if self.names[seat] == name), None)

    @property
    def away(self) -> frozenset[int]:
        """The seats of people at this peer for whom AI answers."""
        return self._seats.away

    @property
    def faults(self) -> list[Failure]:
        """What was wrong with the AI that answered here, by seat."""
        return self._seats.faults

    @property
    def playing(self) -> GameRunner:
        """The game on the network."""
        assert self._playing is not None
        return self._playing

    @playing.setter
    def playing(self, playing: GameRunner) -> None:
        self._playing = playing

    # -- what the game asks and tells (see ``lanplay_protocol.shell.player``) ----------------------

    async def confirm(self, binding: bytes) -> None:
        """Show the words of a table of several laptops; wait for a yes where keys are new."""
        if len(self._replica.roster.peers) > 1:
            words = " ".join(spelled(binding))
            self._words = WordsShown(words, self._asks_words, self._changed)
            self._tell(self._words)
        if self._asks_words:
            await self._agreed.wait()
        self._words = None
        self._trusted()

    def refused(self, seat: int, illegal: Illegal) -> None:
        """Tell why a person's answer was refused; an AI's was judged before, and came too late."""
        if self._seats.by_person(seat, self._replica.context.seating.holders[seat].bot):
            self._tell(AnswerRefused(seat, illegal))

    def happened(self, message: Phrase) -> None:
        """Tell an event of the game."""
        self._logged(self._replica.context.referee.table.round, message)

    def recalled(self, round_: int, message: Phrase) -> None:
        """Tell an event of before this program went on."""
        self._logged(round_, message, past=True)

    def _logged(self, round_: int, message: Phrase, past: bool = False) -> None:
        self._tell(self._log.note(round_, message, past))

    def notice(self, text: str) -> None:
        """Tell what concerns the table."""
        self._tell(TableNotice(text))

    def asked_to_yield(self) -> None:
        """Most others do not want to wait: an AI answers until the person is back.

        It is for those who are asked; where none is, for all who sit here.
        """
        for person in [each for each in self._seats.people if each.asked] or self._seats.people:
            person.set_away(True, Notice.HURRIED.of())

    def said(self, said: ChatMessage) -> None:
        """Tell what somebody has said."""
        self._tell(Chatted(said))

    def paused(self, by: str, seconds: float) -> None:
        """Tell who has paused the game, and for how long; nobody's time runs."""
        self._tell(GamePaused(by, seconds))
        self._run(False)

    def resumed(self, by: str) -> None:
        """Tell who lets the game go on."""
        self._tell(GameResumed(by))
        self._run(True)

    def _run(self, goes: bool) -> None:
        for person in self._seats.people:
            person.run(goes)

    def changed(self) -> None:
        """Tell that somebody else is waited for, as soon as it is so."""
        missing = dict(self.playing.missing)  # also until when each is waited for
        shown = (self._waited, self._comparing, self._replica.openings.asked, missing)
        if shown != self._shown:
            self._shown = shown
            self._tell(PeersChanged())
        if not self._seats.people and self._stuck and self._replica.attendance.restart.wanted:
            with suppress(Mistake):  # nobody is here who could agree to what the others want
                self.playing.continue_without()
                for peer in sorted(self.playing.missing):
                    self.playing.skip_wait(peer)

    # -- what may be seen --------------------------------------------------------------------------

    def known(self, seats: frozenset[int]) -> list[Event]:
        """Return what an audience of these seats has missed: the log, and what it is asked."""
        mine = [person.asked for person in self._seats.people if person.seat in seats]
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
        # AI has the seats of those who were left behind, and their names
        anew, every = roster.start is not None, range(len(roster.names))
        people = {seat for seat in every if anew or not roster.bot(seat)}
        person = self._seats.person_of(seats)
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
            openings=self._openings if self.own in seats else (),
            passes=roster.settings.absent == PASS,
            starting=self._starting,
            paused_by=tuple(playing.chat.paused_by),
            pause_left=playing.chat.left,
            pauses=frozenset(each.seat for each in playing.chat.pauses),
            spectators=tuple(playing.spectators),
            closes=person.closes if person is not None else None,
            pace=self._seats.pace.seconds,
            orders=person.standing.orders() if person is not None else None,
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
        """The seats whose answer is waited for: of its own, those that somebody is asked for.

        Who of the others takes how long over a window is not shown; nor AI whose answer only comes
        with that of a person at its laptop.
        """
        own, owed = set(self._replica.context.seating.of(self._replica.me)), self._replica.awaited
        hidden = {s for s, asked in owed.items() if self._replica.windows and asked.pass_answer()}
        holders, people = self._replica.context.seating.holders, set(self._replica.people)
        thinking = {holders[s].peer for s in people & owed.keys()}
        hidden |= {s for s in owed.keys() - people if holders[s].peer in thinking}
        return [s for s in owed if (s in self._seats.deciding if s in own else s not in hidden)]

    @property
    def _comparing(self) -> tuple[str, ...]:
        there = [p for p in self._replica.comparing if p not in self.playing.missing]
        return tuple(map(self._replica.roster.shown, there))

    @property
    def _openings(self) -> tuple[str, ...]:
        return tuple(self.names[seat] for seat in self._replica.openings.asked)

    @property
    def _stuck(self) -> bool:
        """Whether so many are missing that the game cannot go on without them."""
        missing = self.playing.missing
        return bool(missing) and not self._starting and self._too_few({*missing})

    def _too_few(self, absent: set[int]) -> bool:
        """Whether too few would be here without these peers, and those that are convicted."""
        here = self._replica.transcript.members - absent - self._replica.convicted.keys()
        return len(here) < self._replica.roster.quorum

    @property
    def _starting(self) -> bool:
        """Whether the game has not begun yet: without all who sit here it does not."""
        return self._replica.transcript.number < SETUP

    def _left(self, until: float | None) -> float | None:
        """Return how many seconds are left until a time of the game; ``None`` if there is none."""
        return None if until is None else self.playing.left(until)

    # -- what its people may do --------------------------------------------------------------------

    def offers(self, seats: frozenset[int], owner: bool) -> tuple[c.CommandOffer, ...]:
        """Return what an audience of these seats, or the owner of this program, may submit."""
        playing, person = self.playing, self._seats.person_of(seats)
        missing = next((self._replica.roster.shown(p) for p in sorted(playing.missing)), "")
        waits = bool(missing) and not self._stuck  # where too few are left no wish makes them more
        mine: list[c.CommandOffer] = []
        if person is not None:
            hints = self._replica.roster.settings.hints and person.asked is not None
            mine = [
                c.CommandOffer(c.AskHint, hints),
                c.CommandOffer(c.SetAway, person.away),
                c.CommandOffer(c.MoreTime, person.hurried),
                *([c.CommandOffer(c.GiveOrder)] if person.standing.forms else []),
                *[c.CommandOffer(c.FromNowOn, True, mode.value) for mode in person.onwards],
            ]
        spoken = [
            c.CommandOffer(c.Say),
            c.CommandOffer(c.Pause, not playing.chat.paused_by),
            c.CommandOffer(c.Unpause, bool(playing.chat.paused_by)),
        ]
        if not owner:
            return (*mine, *(() if self._alone or person is None else spoken))
        together = [
            *spoken,
            c.CommandOffer(c.OpenHands, bool(self._openings)),
            c.CommandOffer(c.ContinueWithout, self._stuck),
            c.CommandOffer(c.SkipWait, waits, missing),
            c.CommandOffer(c.KeepWaiting, waits, missing),
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
                self._seats.submit(command)
            case c.ReadRule() | c.GiveOrder() | c.FromNowOn() | c.GiveAhead():
                self._seats.submit(command)
            case c.SetPace(seconds=seconds):
                self._seats.pace.seconds = seconds
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

    def _together(self, command: c.Command) -> None:
        match command:
            case c.Say(text=text, seat=seat) if seat is None or seat in self._seats:
                self.playing.chat.say(text, seat)
            case c.Pause(seat=seat) if seat is None or seat in self._seats:
                self.playing.pause(seat)
            case c.Unpause(seat=seat) if seat is None or seat in self._seats:
                self.playing.unpause(seat)
            case c.OpenHands():
                self.playing.open_hands()
            case c.ContinueWithout():
                for peer in sorted(self.playing.missing) if self._stuck else ():
                    self.playing.skip_wait(peer)
                self.playing.continue_without()
            case _:
                raise ValueError(_("That cannot be done now."))

    def _peer(self, name: str) -> int:
        others = sorted(self._replica.transcript.members - {self._replica.me})
        shown = {self._replica.roster.shown(peer): peer for peer in others}
        found = [peer for each, peer in shown.items() if alike(each) == alike(name)]
        if not found:
            raise Mistake(Fault.NOBODY_CALLED, name=name, known=", ".join(shown))
        return found[0]
