"""A game of one person against AI, on this machine alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import partial

import trio

import lanplay_ai as ai
from lanplay.cli.advice import Advice
from lanplay.cli.client import Client
from lanplay.cli.desk import Screen
from lanplay.cli.seats import AWAY
from lanplay.engine.chance import Chance
from lanplay.engine.question import Answer, Phrase, Question
from lanplay.engine.record import AUTO, Header, Record
from lanplay.engine.requests import Choose
from lanplay.engine.simulation import Simulation
from lanplay.errors import Fault, Mistake, UserError
from lanplay.games.wording import words_of
from lanplay.language import N_, _
from lanplay.session.requests import SEED_BYTES, Setup, bot_key, derived, seed_bytes, setup, summary
from lanplay.session.settings import TableWish
from lanplay.session.storage import save_record
from lanplay.ui.commands import Command
from lanplay.ui.scene import Scene
from lanplay_ai.guard import Failure, Guarded, noted

ME = 0
"""The person's seat."""


class Local:
    """One game: bots think in threads of their own, a person takes its time.

    ``agents`` are the bots by seat; the seat without one is the person's, for which ``stand_in``
    makes the bot that answers while it is away.
    """

    def __init__(
        self,
        game: Simulation,
        agents: Mapping[int, Guarded],
        screen: Screen,
        stand_in: Callable[[], Guarded],
        hints: bool = True,
    ) -> None:
        self._game = game
        self._agents = agents
        self._screen = screen
        self._asked: dict[int, Question] = {}
        self._stand_in = stand_in
        self._away: Guarded | None = None
        self._stood_in: list[Guarded] = []
        self._prompt = trio.CancelScope()
        header = game.views[ME].header
        words = words_of(header.game)

        def word(message: Phrase) -> str:
            return words.word(message, header.seats)

        self._advice = Advice(header.game, header.seats, screen, word)
        self._advice.hints = hints
        screen.commands = self.commands
        screen.sees(self._scene)

    def commands(self) -> tuple[Command, ...]:
        """Return what the person can do at this table."""
        who = Command("who", N_("who answers for which seat"), self._who, key="w")
        if ME in self._agents:
            return (*self._advice.commands, who, *ELSEWHERE, LEAVE)
        here = self._away is None
        away = Command("away", N_("let an AI answer for you"), self._leave_to_ai, key="A", now=here)
        back = Command(
            "back", N_("answer for yourself again"), self._come_back, key="B", now=not here
        )
        returns = (back,) if self._screen.listens else ()
        return (*returns, *self._advice.commands, away, who, *ELSEWHERE, LEAVE)

    def _who(self, _argument: str) -> None:
        """Tell who answers for each seat."""
        names = self._game.views[ME].header.seats
        for seat, name in enumerate(names):
            bot = self._agents.get(seat, self._away)
            kind = _("person") if bot is None else _("AI")
            self._screen.notice(f"{name}: {kind}")

    def _leave_to_ai(self, _argument: str) -> None:
        if self._away is not None:
            return
        self._away = self._stand_in()
        self._stood_in.append(self._away)
        to_the_end = _("An AI answers for you to the end of this game.")
        returns = _(AWAY).format(back=self._screen.way("back"))
        self._screen.notice(returns if self._screen.listens else to_the_end)
        self._advice.forward(alone=True)
        self._prompt.cancel()

    def _come_back(self, _argument: str) -> None:
        if self._away is not None:
            self._away = None
            self._screen.notice(_("You answer for yourself again."))
            self._advice.forward(alone=False)

    @property
    def faults(self) -> list[Failure]:
        """What was wrong with the bots."""
        return [each for bot in (*self._agents.values(), *self._stood_in) for each in bot.faults]

    def _scene(self) -> Scene:
        view = self._game.views[ME]
        return Scene(self._game.table, view.header.seats, view, dict(self._asked))

    async def run(self) -> None:
        """Play to the end."""
        self._game.table.log = []
        with self._screen.showing():
            while (request := self._game.request) is not None:
                if isinstance(request, Choose):
                    await self._choose(request)
                else:
                    self._game.step()
                if self._show():
                    await self._screen.pace()

    def _show(self) -> bool:
        """Show the events since the last time; return whether there were any."""
        log = self._game.table.log
        assert log is not None
        events = list(log)
        log.clear()
        for message in events:
            self._screen.happened(message)
        return bool(events)

    async def _choose(self, request: Choose) -> None:
        answers: dict[int, Answer] = {}
        open_ = {}
        for seat, question in request.questions.items():
            only_answer = question.only_answer(self._game.views[seat])
            if only_answer is not None:
                answers[seat] = only_answer[0]
            else:
                open_[seat] = question
        self._asked = dict(open_)
        async with trio.open_nursery() as nursery:
            for seat, question in open_.items():
                nursery.start_soon(self._ask, seat, question, answers)
        self._game.referee.chosen({seat: answers[seat] for seat in request.questions})

    async def _ask(self, seat: int, question: Question, answers: dict[int, Answer]) -> None:
        view = self._game.views[seat]
        while seat not in answers:
            agent = self._agents.get(seat, self._away)
            if agent is None:
                with trio.CancelScope() as self._prompt:
                    async with self._advice.asked(view, question):
                        answers[seat] = await self._screen.answer(view, question)
            else:
                answers[seat] = await trio.to_thread.run_sync(
                    agent.answer, view, question, abandon_on_cancel=True
                )
                for sentence in agent.told():
                    self._screen.notice(sentence)
        question.check_own(answers[seat], view)
        del self._asked[seat]
        self._screen.changed()


def leave(_argument: str) -> None:
    """Leave the game."""
    raise UserError(Fault.LEFT_PLAY)


def _nobody_else(_argument: str) -> None:
    raise Mistake(Fault.ALONE)


ELSEWHERE = tuple(
    Command(name, "", _nobody_else, argument)
    for name in ("say", "pause", "go", "more", "hurry", "wait", "anew")
    for argument in ("", "TEXT")
)
"""What can be done at a table with other people: here it is said that there are none."""
NOT_KEPT = N_("This game is kept when it is over: who leaves it before cannot go on with it.")
"""What a person is told at its beginning."""
LEAVE = Command(
    "q",
    N_("leave; a game on this machine alone is not kept"),
    leave,
    sure=N_("Leave the game? A game on this machine alone is not kept."),
)


async def play(client: Client, wish: TableWish, seed: int | None = None) -> int:
    """Run ``lanplay play``: games until the person wants no rematch."""
    auto = client.profile.auto
    table = setup(wish.game, wish.seats, wish.options, [wish.bot, *([auto] if auto else [])])
    secret = os.urandom(SEED_BYTES) if seed is None else seed_bytes(seed)
    if not auto:
        client.desk.ahead(_(NOT_KEPT))
    while await one_game(table, secret, client, wish, typed=seed is not None):
        secret = os.urandom(SEED_BYTES) if seed is None else derived(secret, "rematch")
    return 0


async def one_game(table: Setup, seed: bytes, client: Client, wish: TableWish, typed: bool) -> bool:
    """Play one game, keep its record, and return whether the person wants another one.

    A seed that was ``typed`` is short enough to be found.
    """
    auto = client.profile.auto
    names = (client.profile.name, *(f"{wish.bot} {seat + 1}" for seat in range(1, wish.seats)))
    header = Header(table.game.name, table.game.version, table.options, names, seed)

    def make(bot: str, *purpose: str | int) -> Guarded:
        key = bot_key(seed, bot, wish.game, *purpose) if typed else derived(seed, *purpose)
        return ai.guarded(bot, key, wish.game)

    first = 0 if auto else 1
    kinds = [auto, *[wish.bot] * (wish.seats - 1)]
    agents = {seat: make(kinds[seat], "bot", seat) for seat in range(first, wish.seats)}
    stand_in = partial(make, wish.bot, "away")
    everybody = [agents.get(seat) or stand_in() for seat in range(wish.seats)]
    game = Simulation(table.game, header, everybody, Chance(seed))
    screen = client.desk.table(table.game, names, alone=True)
    local = Local(game, agents, screen, stand_in, wish.hints)
    await local.run()
    record = Record(
        header, game.referee.history, game.table.hash(), extra={AUTO: auto} if auto else {}
    )
    record = noted(record, local.faults)
    path = save_record(record, client.store.record, client.store.folder)
    result = table.game.result(game.table)
    again = await client.desk.over(result, rematch=True)
    if client.json:
        print(json.dumps(summary(header, result, game.table.round, record.state_hash, path)))
    return again
