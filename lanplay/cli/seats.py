"""Who answers for this program's seats: its AI, or its person; and what the person can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import trio

import ai
from lanplay.cli.console import Console
from lanplay.cli.lines import STDIN
from lanplay.cli.plain import PlainUI
from lanplay.engine.agent import Agent
from lanplay.engine.question import Answer, Illegal, Message, Question
from lanplay.engine.view import View
from lanplay.errors import UserError
from protocol.channel.words import spelled
from protocol.replica.replica import Replica
from protocol.shell.play import Play

WORDS = "Do all screens show these words? Type yes, or q to leave."
HELP = """\
away          let an AI answer for you; back: answer for yourself again
who           who is here, who is missing, who answers for which seat
hurry NAME    do not wait for somebody: a majority lets an AI play on at once
wait NAME     wait for somebody who is missing, however long it takes
anew          where too few are left: continue without them as a new game
q             leave; an AI plays on for you, and lanplay resume takes the seat back"""
AWAY = "An AI answers for you until you type back."


class Seats:
    """Answers for all seats of this program: AI for some, a person for at most one.

    ``agents`` are the AI it brought to the table; those of seats it takes over are made when they
    are asked first. ``trusted`` is called once somebody agreed to who sits at the table.
    """

    def __init__(
        self, replica: Replica, agents: Mapping[int, Agent], screen: PlainUI, ask_words: bool
    ) -> None:
        self._replica = replica
        self._own = agents
        self._made: dict[tuple[int, str], Agent] = {}
        self._screen = screen
        self._ask_words = ask_words
        self._console = Console(STDIN, screen)
        self._away = False
        self._prompt: trio.CancelScope | None = None
        self.trusted: Callable[[], None] = lambda: None

    async def listen(self, playing: Play) -> None:
        """Take what the person types, until cancelled."""
        self._console.command = partial(self._obey, playing)
        await self._console.run()

    async def confirm(self, binding: bytes) -> None:
        """Show the words of the table; wait for a person's yes where keys are new."""
        words = " ".join(spelled(binding))
        self._screen.notice(f"The words of this table: {words}")
        if self._ask_words:
            await self._console.ask(partial(self._screen.agree, WORDS))
        self.trusted()

    async def answer(self, seat: int, view: View[Any], question: Question, bot: str) -> Answer:
        """Return an AI's answer at once, a person's when it comes."""
        while (agent := self._agent(seat, bot)) is None:
            with trio.CancelScope() as self._prompt:
                idle = self._replica.roster.house.idle
                with trio.move_on_after(idle or float("inf")) as patience:
                    return await self._console.ask(partial(self._screen.answer, view, question))
                if patience.cancelled_caught:
                    self._screen.notice(f"You have not answered for {idle} s. {AWAY}")
                    self._away = True
        return agent.answer(view, question)

    def _agent(self, seat: int, bot: str) -> Agent | None:
        """Return the AI that answers for a seat now; ``None`` for a person."""
        if seat in self._own:
            return self._own[seat]
        name = bot or (self._replica.roster.house.bot if self._away else "")
        if name and (seat, name) not in self._made:
            key, game = self._replica.bot_key(seat), self._replica.roster.game
            self._made[seat, name] = ai.stand_in(name, key, game)
        return self._made.get((seat, name))

    def refused(self, seat: int, illegal: Illegal) -> None:
        """Say why an answer was refused; an AI's is a fault of the AI."""
        if self._agent(seat, self._replica.context.seating.holders[seat].bot) is not None:
            raise illegal
        self._screen.refused(illegal)

    def happened(self, message: Message) -> None:
        """Show an event."""
        self._screen.happened(message)

    def notice(self, text: str) -> None:
        """Show what concerns the table."""
        self._screen.notice(text)

    def urged(self) -> None:
        """Most others do not want to wait: an AI answers until the person is back."""
        self._screen.notice(f"Most others do not want to wait. {AWAY}")
        self._set_away(True)

    def _set_away(self, away: bool) -> None:
        self._away = away
        if self._prompt is not None:
            self._prompt.cancel()

    def _obey(self, playing: Play, line: str) -> bool:
        """Obey a command and return true; false if the line is none."""
        word, _, rest = line.partition(" ")
        match word:
            case "help":
                self._screen.notice(HELP)
            case "who":
                self._who(playing)
            case "away" | "back":
                self._screen.notice(AWAY if word == "away" else "You answer for yourself again.")
                self._set_away(word == "away")
                playing.set_away(word == "away")
            case "hurry" | "wait" if rest:
                self._about(playing, word, rest)
            case "anew":
                self._anew(playing)
            case "q":
                raise UserError("You have left the game.")
            case _:
                return False
        return True

    def _anew(self, playing: Play) -> None:
        try:
            playing.anew()
        except ValueError as error:
            self._screen.notice(f"This game cannot continue anew: {error}.")
        else:
            self._screen.notice("The game continues anew as soon as all who are here type anew.")

    def _about(self, playing: Play, word: str, name: str) -> None:
        roster = self._replica.roster
        found = [p for p in range(len(roster.peers)) if roster.shown(p) == name]
        if not found:
            names = ", ".join(roster.shown(p) for p in range(len(roster.peers)))
            self._screen.notice(f"Nobody here is called {name!r}: {names}.")
        else:
            (playing.hurry if word == "hurry" else playing.wait)(found[0])

    def _who(self, playing: Play) -> None:
        roster, missing = self._replica.roster, playing.missing
        for seat, holder in enumerate(self._replica.context.seating.holders):
            who = f"{holder.bot} on " if holder.bot else ""
            gone = " (missing)" if holder.peer in missing else ""
            self._screen.notice(f"{roster.names[seat]}: {who}{roster.shown(holder.peer)}{gone}")
        if playing.watchers:
            self._screen.notice(f"Watching: {', '.join(playing.watchers)}")
