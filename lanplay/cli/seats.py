"""Who answers for this program's seats: its AI, or its person; and what the person can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import inf
from operator import itemgetter
from typing import Any

import trio

import lanplay_ai as ai
from lanplay.cli.advice import Advice
from lanplay.cli.desk import Screen
from lanplay.engine.question import Answer, Illegal, Phrase, Question
from lanplay.engine.view import View
from lanplay.errors import Fault, UserError
from lanplay.games.wording import words_of
from lanplay.language import N_, _
from lanplay.session.reaction import Patience, Window
from lanplay.told import worded
from lanplay.ui.commands import Command
from lanplay.ui.scene import Absence, Scene
from lanplay_ai.guard import Failure, Guarded
from lanplay_protocol.channel.words import spelled
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.replica.replica import Replica
from lanplay_protocol.shell.runner import GameRunner
from lanplay_protocol.text import NICKNAME_LIMIT, alike, clean_text

WORDS = N_("Do all screens show these words?")
AWAY = N_("An AI answers for you until you are back: {back}.")


class Seats:
    """Answers for all seats of this program: AI for some, a person for at most one.

    ``agents`` are the AI it brought to the table; those of seats it takes over are made when they
    are asked first. ``trusted`` is called once somebody agreed to who sits at the table.
    """

    def __init__(
        self, replica: Replica, agents: Mapping[int, Guarded], screen: Screen, ask_words: bool
    ) -> None:
        self._replica = replica
        self._own = agents
        self._made: dict[tuple[int, str], Guarded] = {}
        self._screen = screen
        self._ask_words = ask_words
        self._away = False
        self._thought = trio.Lock()
        self._window: Window | None = None
        self._prompt: trio.CancelScope | None = None
        self._patience: Patience | None = None
        self._playing: GameRunner | None = None
        self._deciding: Counter[int] = Counter()
        self._shown: tuple[list[int], list[str]] = ([], [])
        mine = replica.roster.peers[replica.me].seats
        self._seat = next((seat for seat in mine if seat not in agents), mine[0])
        game, names = replica.roster.game, replica.roster.names
        words = words_of(game)
        self._advice = Advice(game, names, screen, lambda message: words.word(message, names))
        self._advice.hints = replica.roster.settings.hints
        self.trusted: Callable[[], None] = lambda: None

    @contextmanager
    def showing(self, playing: GameRunner) -> Iterator[None]:
        """Show the game to its person while a block runs, and know what the person can do."""
        self._playing = playing
        self._screen.commands = partial(self.commands, playing)
        self._screen.sees(partial(self.scene, playing))
        with self._screen.showing():
            yield

    async def listen(self) -> None:
        """Take what the person does, until cancelled."""
        await self._screen.run()

    def scene(self, playing: GameRunner) -> Scene:
        """Return the game as this program's person, or its first AI, sees it now.

        While others answer for its seat, as it was away, it sees what all see.
        """
        replica, roster, owed = self._replica, self._replica.roster, self._replica.awaited
        seating, view = replica.context.seating, replica.views.get(self._seat)
        absent = [
            Absence(roster.shown(peer), frozenset(seating.of(peer)), _left(playing, until))
            for peer, until in sorted(playing.missing.items())
        ]
        people = {seat for seat in range(len(roster.names)) if not roster.bot(seat)}
        return Scene(
            table=replica.context.referee.table,
            names=[clean_text(name, NICKNAME_LIMIT) for name in roster.names],
            view=view,
            asked={seat: owed[seat] for seat in self._waited},
            comparing=self._comparing,
            absent=absent,
            stuck=self._stuck(playing),
            away=frozenset(people - set(replica.people)),
            paused_by=playing.paused_by,
            returning=view is None,
        )

    @property
    def _waited(self) -> list[int]:
        """The seats whose answer is waited for: of its own, those that somebody is asked for."""
        own = set(self._replica.context.seating.of(self._replica.me))
        return [s for s in self._replica.awaited if s not in own or self._deciding[s]]

    @property
    def _comparing(self) -> list[str]:
        return [self._replica.roster.shown(peer) for peer in self._replica.comparing]

    def changed(self) -> None:
        """Show who is waited for, as soon as it is somebody else."""
        shown = (self._waited, self._comparing)
        if shown != self._shown:
            self._shown = shown
            self._screen.changed()

    @contextmanager
    def _decides(self, seat: int) -> Iterator[None]:
        """Know that somebody decides for a seat while a block runs."""
        self._deciding[seat] += 1
        self.changed()
        try:
            yield
        finally:
            self._deciding[seat] -= 1
            self.changed()

    def _stuck(self, playing: GameRunner) -> bool:
        """Whether so many are missing that the game cannot go on without them."""
        return bool(playing.missing) and self._too_few(set(playing.missing))

    def _too_few(self, absent: set[int]) -> bool:
        """Whether too few would be here without these peers."""
        return len(self._replica.transcript.members - absent) < self._replica.roster.quorum

    async def confirm(self, binding: bytes) -> None:
        """Show the words of the table; wait for a person's yes where keys are new."""
        words = " ".join(spelled(binding))
        told = _("The words of this table: {words}").format(words=words)
        if self._ask_words:
            await self._screen.agree(f"{told}\n{_(WORDS)}")
            if names := ", ".join(self._comparing):
                self._screen.notice(_("Still to compare them: {names}.").format(names=names))
        else:
            self._screen.notice(told)
        self.trusted()

    async def answer(self, seat: int, view: View[Any], question: Question, bot: str) -> Answer:
        """Return an AI's answer at once, a person's when it comes; one to a window in due time."""
        pass_answer = question.pass_answer()
        self._advice.forward(alone := self._deserted)
        only_answer, agent = question.only_answer(view), self._agent(seat, bot)
        if pass_answer is None or alone or not self._replica.windows:
            return only_answer[0] if only_answer else await self._answer(seat, view, question, bot)
        window = Window()
        if only_answer is not None:
            answer = only_answer[0]
        elif agent is not None:
            answer = await self._answer(seat, view, question, bot)
        else:
            answer = await self._in_time(window, pass_answer[0], seat, view, question)
        await window.leave(automatic=only_answer is not None or agent is not None)
        return answer

    @property
    def _deserted(self) -> bool:
        """Whether the people of the table have all gone or are away."""
        roster = self._replica.roster
        peopled = not all(roster.bot(seat) for seat in range(len(roster.names)))
        return peopled and not self._replica.people

    async def _in_time(
        self, window: Window, answer: Answer, seat: int, view: View[Any], question: Question
    ) -> Answer:
        """Return a person's answer to a window, or the one that passes once its time is over."""
        self._window = window
        self._screen.closes = lambda: window.closes
        with window.patience() as patience:
            answer = await self._answer(seat, view, question, "")
        self._window, self._screen.closes = None, None
        if patience.cancelled_caught:
            self._screen.notice(_("The time for this reaction is over."))
        return answer

    async def _answer(self, seat: int, view: View[Any], question: Question, bot: str) -> Answer:
        with self._decides(seat):
            while (agent := self._agent(seat, bot)) is None:
                with trio.CancelScope() as self._prompt:
                    idle = self._replica.roster.settings.idle_limit
                    with self._thinking(idle or inf) as patience:
                        async with self._advice.asked(view, question):
                            return await self._screen.answer(view, question)
                    if patience.cancelled_caught:
                        late = _("You have not answered for {seconds} s.").format(seconds=idle)
                        self._screen.notice(f"{late} {self._how_back}")
                        self._set_away(True)
            return await self._think(agent, view, question)

    async def _think(self, agent: Guarded, view: View[Any], question: Question) -> Answer:
        """Return an AI's answer; it may think for a second, and the screen goes on meanwhile.

        One AI thinks at a time, in the order in which they are asked, and none is abandoned: what
        it draws does not depend on how fast it is.
        """
        async with self._thought:
            known = len(agent.faults)
            try:
                answer = await trio.to_thread.run_sync(agent.answer, view, question)
            finally:
                try:
                    await trio.lowlevel.checkpoint_if_cancelled()
                except trio.Cancelled:  # the game has gone on meanwhile: nobody asks any more
                    del agent.faults[known:]
                    raise
        for sentence in agent.told():
            self._screen.notice(sentence)
        return answer

    @property
    def faults(self) -> list[Failure]:
        """What was wrong with the AI that answered here, by seat."""
        agents = [*self._own.items(), *[(seat, each) for (seat, _), each in self._made.items()]]
        return [fault for _, agent in sorted(agents, key=itemgetter(0)) for fault in agent.faults]

    @contextmanager
    def _thinking(self, seconds: float) -> Iterator[trio.CancelScope]:
        """Cancel a block after so many seconds, not counting those in which the game is paused."""
        self._patience = patience = Patience(seconds)
        paused = self._playing is not None and bool(self._playing.paused_by)
        self._patience.run(not paused)
        if timed := seconds < inf and self._screen.closes is None:
            self._screen.closes = lambda: patience.closes
        try:
            with self._patience.scope:
                yield self._patience.scope
        finally:
            self._patience = None
            if timed:
                self._screen.closes = None

    def said(self, said: ChatMessage) -> None:
        """Show what somebody has said; who watches is told apart."""
        line = _("{name} (watching): {text}") if said.watching else _("{name}: {text}")
        self._screen.notice(line.format(name=said.name, text=said.text))

    def paused(self, by: str) -> None:
        """Say who has paused the game; nobody's time runs."""
        told = _("{name} has paused the game; to let it go on: {go}.")
        self._screen.notice(told.format(name=by, go=self._screen.way("go")))
        self._run(False)

    def resumed(self, by: str) -> None:
        """Say who lets the game go on."""
        self._screen.notice(_("{name} lets the game go on.").format(name=by))
        self._run(True)

    def _run(self, goes: bool) -> None:
        """Let its person's time go on, or stand still."""
        if self._patience is not None:
            self._patience.run(goes)
        if self._window is not None:
            self._window.run(goes)

    def _agent(self, seat: int, bot: str) -> Guarded | None:
        """Return the AI that answers for a seat now; ``None`` for a person."""
        if seat in self._own:
            return self._own[seat]
        name = bot or (self._replica.roster.settings.bot if self._away else "")
        if name and (seat, name) not in self._made:
            key, game = self._replica.bot_key(seat), self._replica.roster.game
            self._made[seat, name] = ai.stand_in(name, key, game)
        return self._made.get((seat, name))

    def refused(self, seat: int, illegal: Illegal) -> None:
        """Say why a person's answer was refused; an AI's was judged before, and came too late."""
        if self._agent(seat, self._replica.context.seating.holders[seat].bot) is None:
            self._screen.refused(illegal)

    def happened(self, message: Phrase) -> None:
        """Show an event."""
        self._screen.happened(message)

    def recalled(self, round_: int, message: Phrase) -> None:
        """Remember an event of before this program went on."""
        self._screen.recalled(round_, message)

    def notice(self, text: str) -> None:
        """Show what concerns the table."""
        self._screen.notice(text)

    def asked_to_yield(self) -> None:
        """Most others do not want to wait: an AI answers until the person is back."""
        self._screen.notice(f"{_('Most others do not want to wait.')} {self._how_back}")
        self._set_away(True)

    @property
    def _how_back(self) -> str:
        return _(AWAY).format(back=self._screen.way("back"))

    def _set_away(self, away: bool) -> None:
        self._away = away
        if self._playing is not None:
            self._playing.set_away(away)
        if self._prompt is not None:
            self._prompt.cancel()

    def commands(self, playing: GameRunner) -> tuple[Command, ...]:
        """Return what the person can do at this table; what is of use just now comes early."""
        leaving = N_("leave; an AI plays on, lanplay resume takes the seat back")
        sure = N_("Leave the game? An AI plays on; lanplay resume takes your seat back.")
        if self._too_few(set(playing.missing) | {self._replica.me}):
            leaving = N_("leave; the game waits, lanplay resume goes on with it")
            sure = N_("Leave the game? It waits; lanplay resume goes on with it.")
        return (
            *self._ways_on(playing),
            *self._advice.commands,
            *self._talking(playing),
            Command("q", leaving, leave, sure=sure),
        )

    def _ways_on(self, playing: GameRunner) -> tuple[Command, ...]:
        """Return what lets the game go on, or wait."""
        go = N_("go on after a pause")
        more = N_("more time for this reaction, once")
        back = N_("answer for yourself again")
        hurry = N_("do not wait for somebody: a majority lets an AI play on at once")
        wait = N_("wait for somebody who is missing, however long it takes")
        anew = N_("where too few are left: continue without them as a new game")
        sure = N_("Go on as a new game, without those who are missing? AI gets their seats.")
        missing = next((self._replica.roster.shown(peer) for peer in sorted(playing.missing)), "")
        named = partial(Command, argument=N_("NAME"), now=bool(missing), usual=missing)
        return (
            Command("go", go, _no_argument(playing.unpause), key="u", now=bool(playing.paused_by)),
            Command("more", more, self._more_time, key="m", now=self._window is not None),
            Command("back", back, partial(self._go_away, on=False), key="B", now=self._away),
            Command(
                "anew",
                anew,
                partial(self._anew, playing),
                key="n",
                now=self._stuck(playing),
                sure=sure,
            ),
            named("hurry", hurry, partial(self._about, playing.skip_wait), key="H"),
            named("wait", wait, partial(self._about, playing.keep_waiting), key="W"),
        )

    def _talking(self, playing: GameRunner) -> tuple[Command, ...]:
        """Return what can be said and done among people."""
        say = N_("say something to all at the table")
        pause = N_("let everybody's clocks stand still, until somebody lets them go on")
        away = N_("let an AI answer for you")
        who = N_("who is here, who is missing, who answers for which seat")
        goes = not playing.paused_by
        return (
            Command("say", say, playing.say, N_("TEXT"), key="t"),
            Command("pause", pause, _no_argument(playing.pause), key="p", now=goes),
            Command("away", away, partial(self._go_away, on=True), key="A", now=not self._away),
            Command("who", who, partial(self._who, playing), key="w"),
        )

    def _go_away(self, _argument: str, on: bool) -> None:
        self._screen.notice(self._how_back if on else _("You answer for yourself again."))
        self._set_away(on)

    def _more_time(self, _argument: str) -> None:
        if self._window is None:
            raise ValueError(_("There is no hurry: nothing runs out now."))
        if not self._window.more():
            raise ValueError(_("You had more time already."))
        self._screen.reply(_("You have more time."))

    def _anew(self, playing: GameRunner, _argument: str) -> None:
        """Wish to continue without those who are missing, and do not wait for them any longer."""
        for peer in sorted(playing.missing) if self._stuck(playing) else ():
            playing.skip_wait(peer)
        playing.continue_without()
        self._screen.notice(_("The game continues anew as soon as all who are here type anew."))

    def _about(self, what: Callable[[int], None], name: str) -> None:
        roster = self._replica.roster
        found = [p for p in range(len(roster.peers)) if alike(roster.shown(p)) == alike(name)]
        if not found:
            names = ", ".join(roster.shown(p) for p in range(len(roster.peers)))
            self._screen.notice(worded(Fault.NOBODY_CALLED.of(name=name, known=names)))
        else:
            what(found[0])

    def _who(self, playing: GameRunner, _argument: str) -> None:
        roster, missing = self._replica.roster, playing.missing
        for seat, holder in enumerate(self._replica.context.seating.holders):
            person = f"{{seat}}: {_('person')} ({{name}})"
            who = _("{seat}: {bot} on {name}") if holder.bot else person
            line = who.format(
                seat=roster.names[seat], bot=holder.bot, name=roster.shown(holder.peer)
            )
            self._screen.notice(f"{line} {_('(missing)')}" if holder.peer in missing else line)
        if waited := self._waited:
            names = ", ".join(roster.names[seat] for seat in waited)
            self._screen.notice(_("To decide: {names}.").format(names=names))
        if names := ", ".join(self._comparing):
            told = _("To compare the words of the table: {names}.")
            self._screen.notice(told.format(names=names))
        if playing.watchers:
            names = ", ".join(playing.watchers)
            self._screen.notice(_("Watching: {names}").format(names=names))


def _left(playing: GameRunner, until: float | None) -> float | None:
    """Return how many seconds are left until a time of the game; ``None`` if there is none."""
    return None if until is None else playing.left(until)


def _no_argument(do: Callable[[], None]) -> Callable[[str], None]:
    return lambda _argument: do()


def leave(_argument: str) -> None:
    """Leave the game: it goes on without its person."""
    raise UserError(Fault.LEFT_GAME)
