"""The screen of a table while a game is played or watched."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, inf
from typing import Any, Final

import trio

from lanplay.engine.game import Game, Result
from lanplay.engine.orders import Order
from lanplay.engine.question import Answer, Illegal, Phrase, Question
from lanplay.engine.view import View
from lanplay.games.wording import game_title
from lanplay.language import _, current
from lanplay.told import worded
from lanplay.tui.cells import EMPTY, Line, Size, line
from lanplay.tui.drawing import Hint
from lanplay.tui.games import Leaved, Mapped
from lanplay.tui.screens.answering import Answering
from lanplay.tui.screens.calling import Calling
from lanplay.tui.screens.help import compared, explained, table_help
from lanplay.tui.screens.hints import table_hints
from lanplay.tui.screens.layout import Moment, artist_of, table
from lanplay.tui.screens.orders import OrdersScreen
from lanplay.tui.screens.pager import Pager, page
from lanplay.tui.screens.result import ResultScreen
from lanplay.tui.screens.staging import Staging
from lanplay.tui.stage import Stage
from lanplay.ui.alerts import alerts, corner
from lanplay.ui.commands import Command
from lanplay.ui.decision import refusal, selection
from lanplay.ui.looking import Review
from lanplay.ui.orders import OrderRow
from lanplay.ui.rulebook import front
from lanplay.ui.scene import Scene

FRAMES: Final = 5
FRAME_SECONDS: Final = 0.07
TICK_SECONDS: Final = 0.5
SCROLL: Final = 5
MOST_LINES: Final = 5000
"""Lines of the log that are kept."""


class TableScreen:
    """Shows a game and asks its person.

    ``commands`` is what the person can do beside answering; it is asked for whenever it matters.
    ``page`` returns the game's rules, ``ruling`` the passage of one rule.
    """

    def __init__(
        self,
        stage: Stage,
        game: Game,
        names: Sequence[str],
        page: Callable[[], str],
        ruling: Callable[[str], str],
    ) -> None:
        self._stage = stage
        self._game = game
        self._page, self._ruling = page, ruling
        self._artist = artist_of(game.name, names, stage.glyphs)
        self._scene: Callable[[], Scene] | None = None
        self._counts, self._stands = trio.Event(), inf
        self._asked = Answering(stage, self._artist.screen)
        self._staging = Staging(
            self._artist.screen, lambda: stage.habits.animation, lambda: stage.redraw()
        )
        self._calling = Calling(self.reply)
        self._agreed = trio.Event()
        self._asking = ""
        self._reply = self._tip = self._advice = ""
        self._told: deque[Callable[[], Sequence[Line]]] = deque(maxlen=MOST_LINES)
        self._log, self._lang = list[Line](), current()
        self._events: list[tuple[int, Phrase]] = []
        self._back = 0
        self._rolling = 0
        self._leaf = 0
        self._focus: int | None = None
        self._result: ResultScreen | None = None
        self._reads = False
        self.listens = True
        self.closes: Callable[[], float | None] = lambda: None
        self.attends: Callable[[bool], None] = lambda reads: None

    # -- what the driver calls ---------------------------------------------------------------------

    def sees(self, scene: Callable[[], Scene]) -> None:
        """Show from now on what ``scene`` returns."""
        self._scene = scene
        self._staging.sees(scene())
        self.changed()

    def changed(self) -> None:
        """Show what the scene is now."""
        self._asked.goes_on()
        self._stage.redraw()

    async def answer(self, view: View[Any], question: Question) -> Answer:
        """Ask the person and return the answer; cancelled if it is no longer wanted."""
        if (given := await self._asked.ahead(view, question)) is not None:
            return given
        if self._artist.screen.rolls(question):
            await self._roll()
        self.call(_("Your turn"))
        decision = self._asked.begin(view, question)
        self._reply = ""
        self._leaf, self._focus = 0, None
        self._stage.redraw()
        try:
            await self._wait()
            return decision.answer
        finally:
            self._asked.end()
            self._staging.forget()
            self._tip = self._advice = ""
            self._stage.redraw()

    async def _wait(self) -> None:
        """Wait for the answer; where time runs out, show how much there is left."""
        while not self._asked.is_given:
            with trio.move_on_after(TICK_SECONDS if self.closes() is not None else inf):
                await self._asked.given()
            self._stage.redraw()

    @property
    def _left(self) -> str:
        """How much time there is left, in words."""
        closes = self.closes()
        if closes is None or self._asked.decision is None:
            return ""
        seconds = max(0, ceil(closes - trio.current_time()))
        more = any(each.name == "more" and each.now for each in self.commands())
        told = _("{seconds} s left; m: more time") if more else _("{seconds} s left")
        return told.format(seconds=seconds)

    async def _roll(self) -> None:
        """Show the dice rolling for a moment."""
        if not self._stage.habits.animation:
            return
        try:
            for left in range(FRAMES, 0, -1):
                self._rolling = left
                self._stage.redraw()
                await trio.sleep(FRAME_SECONDS)
        finally:
            self._rolling = 0

    async def agree(self, question: str) -> None:
        """Ask for a yes and return once it comes; the log keeps the question's first line."""
        self._asking, self._agreed = question, trio.Event()
        self.notice(question.partition("\n")[0])
        self._stage.redraw()
        try:
            await self._agreed.wait()
        finally:
            self._asking = ""
            self._stage.redraw()

    async def run(self) -> None:
        """Take what the person does, until cancelled: the stage hands over the keys.

        Meanwhile, what counts down is drawn anew, and changes are seen happening.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._staging.run)
            await self._count_down()

    async def _count_down(self) -> None:
        while True:
            self._counts = trio.Event()
            with trio.move_on_after(self._stands) as passed:
                await self._counts.wait()
            if passed.cancelled_caught:
                self._stage.redraw()

    @property
    def commands(self) -> Callable[[], Sequence[Command]]:
        """What the person can do beside answering; asked for whenever it matters."""
        return self._calling.commands

    @commands.setter
    def commands(self, commands: Callable[[], Sequence[Command]]) -> None:
        self._calling.commands = commands

    def way(self, command: str) -> str:
        """Return how the person gives a command without an argument: by its key, or typed."""
        return self._calling.way(command)

    def obey(self, text: str) -> None:
        """Do what a typed command says, once its person is sure; say so if it is none."""
        self._calling.obey(text)

    def recalled(self, round_: int, message: Phrase) -> None:
        """Add an event of that round to the log."""
        self._events.append((round_, message))
        self._add(lambda: [line(text)] if (text := self._artist.word(message)) else [])

    happened = recalled

    def notice(self, text: str) -> None:
        """Add what concerns the table to the log."""
        self._asked.goes_on()
        told = partial(worded, text, self.way)
        self._add(lambda: [line(("think", f"* {each}")) for each in told().split("\n")])

    say = notice

    def reply(self, text: str) -> None:
        """Show what a command came to, until the next key."""
        self._reply = text
        self._stage.redraw()

    def call(self, text: str) -> None:
        """Call the person, if it looks elsewhere."""
        self._stage.ringer.call(text)

    def introduced(self, goal: Sequence[str]) -> None:
        """Show the goal, and the game on one screen, before anything else."""
        out = [part for text in goal for part in (line(("you", text)), EMPTY)]
        out += page("\n".join(front(self._page())))
        told = _("A coach says under a question what is new there; c ends that, ? explains more.")
        out += [EMPTY, line(("think", told))]
        heading = _("{game}: a first game").format(game=game_title(self._game.name))
        self._read(Pager(self._stage, heading, out, ends=_("begin")))

    def _read(self, page: Pager) -> None:
        """Show a page for which a clock stops, and AI waits."""
        self._stage.push(page)
        self._reads = True
        self.attends(True)

    def coached(self, text: str) -> None:
        """Show what a coach says under the question."""
        self._tip = text
        self._stage.redraw()

    def advised(self, text: str, question: Question, path: Sequence[Answer]) -> None:
        """Show advice until the question is answered; the key of the hint takes it step by step."""
        self._asked.advised(question, path)
        self._reply, self._advice = "", text
        self._stage.redraw()

    @property
    def _advised(self) -> str:
        """What is advised: why, and its next step."""
        if not self._advice or self._asked.decision is None:
            return ""
        if (step := self._asked.advised_next()) is None:
            return self._advice
        prompt, options, strayed = step
        told = _("{advice} {step}. h: do that.")
        advice = _("The hint goes another way.") if strayed else self._advice
        return told.format(advice=advice, step=selection(prompt, options, self._artist.word))

    def _add(self, word: Callable[[], Sequence[Line]]) -> None:
        """Add lines to the log; ``word`` has them in the language that is spoken."""
        self._told.append(word)
        self._log += (added := word())
        del self._log[:-MOST_LINES]
        if self._back:
            self._back += len(added)
        self._stage.redraw()

    def refused(self, illegal: Illegal) -> None:
        """Say why an answer was refused."""
        self.reply(refusal(illegal, self._artist.word))

    async def over(self, result: Result, rematch: bool, review: Review | None) -> bool:
        """Show how the game ended; return whether there is to be a rematch (``FrontEnd``)."""
        if self._scene is None:
            return False
        self._result = shown = ResultScreen(
            self._stage,
            self._artist,
            self._scene(),
            result,
            self._events,
            self._log,
            rematch,
            self._game.name,
            review,
        )
        return await self._stage.ask(shown)

    def invited(self, host: str) -> None:
        """Show with the result who waits for the person with a rematch; empty: nobody does now."""
        if self._result is not None:
            self._result.invited(host)

    def showing(self) -> Any:
        """Be on the screen while a block runs."""
        return self._stage.showing(self)

    # -- drawing -----------------------------------------------------------------------------------

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        if self._reads:  # it is drawn again: what was read is closed
            self._reads = False
            self.attends(False)
        if self._lang != current():
            self._lang = current()
            self._log[:] = [each for word in self._told for each in word()]
        shown, self._asked.across = table(self._moment(), self._artist, size)
        return shown

    def _moment(self) -> Moment:
        scene = self._scene() if self._scene is not None else None
        if scene is not None:
            self._stands = scene.stands
            self._counts.set()
            scene = replace(
                scene,
                rolling=self._rolling,
                effects=self._staging.effects(scene),
                decision=self._asked.decision,
                leaf=self._leaf,
                focus=self._focus,
                pointer=self._asked.pointer,
            )
        said = self._reply or self._asked.note
        return Moment(
            heading=self._heading(scene),
            corner=corner(scene, self._stage.glyphs.dot) if scene is not None else "",
            scene=scene,
            decision=self._asked.decision,
            asking=self._wants_yes(),
            entry=self._calling.entry,
            reply=" ".join(filter(None, (said or self._left, self._advised or self._tip))),
            alerts=alerts(scene, self.way) if scene is not None else (),
            log=self._log,
            back=self._back,
            keys=self._hints(),
        )

    def _wants_yes(self) -> str:
        """Return what waits for a yes, and in a last line the keys for it; empty if nothing."""
        if (command := self._calling.sure) is not None:
            return f"{_(command.sure)}\n{_('y: yes    Esc: no')}"
        return f"{self._asking}\n{_('y: yes    q: leave')}" if self._asking else ""

    def _heading(self, scene: Scene | None) -> str:
        name = game_title(self._game.name)
        if scene is None or not scene.table.round:
            return name
        return f"{name}  {self._stage.glyphs.dot}  " + _("round {number}").format(
            number=scene.table.round
        )

    def _hints(self) -> list[Hint]:
        if self._calling.sure is not None:
            return [("y", _("yes")), ("escape", _("no"))]
        screen = self._artist.screen
        return table_hints(screen, self._asked.decision, bool(self._asking), self.commands())

    # -- keys --------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Take a key: for the line being typed, the question at hand, or a command."""
        self._reply = self._asked.note = ""
        shown = self._staging.finish()
        self._asked.stop()
        self.attends(False)
        if self._calling.press(key) or (shown and key == " "):
            return
        if self._asking and key == "y":
            self._agreed.set()
        elif (key == "h" and self._asked.follow()) or (
            self._asked.decision and self._asked.press(self._moment().scene, key)
        ):
            self._leaf, self._focus = 0, None
        else:
            self._command_key(key)

    def _command_key(self, key: str) -> None:
        match key:
            case "?":
                self._help()
            case "R":
                self._rules()
            case "l":
                self._stage.push(Pager(self._stage, _("Log"), list(self._log), at_end=True))
            case ":":
                self._calling.ask()
            case "/" if self._asked.decision and isinstance(self._artist.screen, Mapped):
                self._calling.read(_("Place:"), self._point)
            case "q":
                self.obey("q")
            case "O" if self._orders():
                self._stage.push(OrdersScreen(self._stage, self._orders, self._give_order))
            case "v" | "o" if isinstance(self._artist.screen, Leaved):
                self._turn_over(key)
            case "pageup" | "pagedown":
                self._back = max(0, self._back + (SCROLL if key == "pageup" else -SCROLL))
            case _:
                self._calling.key(key, self._asked.useless)

    def _orders(self) -> Sequence[OrderRow]:
        return self._scene().orders() if self._scene is not None else ()

    def _give_order(self, card: str, order: Order) -> None:
        row = next(each for each in self._orders() if each.card == card)
        self.obey(f"orders {row.number} {row.orders.index(order) + 1}")

    def _point(self, text: str) -> None:
        """Point at the place of the board that has this name."""
        self._asked.press(self._moment().scene, f"find {text}")

    def _turn_over(self, key: str) -> None:
        """Show the next page of the board, or the things of the next seat."""
        if key == "v":
            self._leaf += 1
        elif self._scene is not None:
            scene = self._scene()
            seat = scene.seat or 0 if self._focus is None else self._focus
            self._focus = (seat + 1) % len(scene.names)

    def _rules(self) -> None:
        self._read(Pager(self._stage, _("Rules"), page(self._page())))

    def _help(self) -> None:
        decision = self._asked.decision
        question = decision.question if decision is not None else None
        ruling = self._ruling(question.rule) if question is not None else ""
        plain = explained(decision, self._artist) if decision is not None else ""
        asked = self._artist.word(decision.asks) if decision is not None else ""
        asked = compared(self._asking) if self._asking else asked
        board, glyphs = self._artist.screen, self._stage.glyphs
        text = table_help(asked, plain or ruling, self.commands(), board, glyphs)
        keys = {"R": (_("all rules"), self._rules)}
        if question is not None and plain:
            numbered = Pager(self._stage, question.rule, page(ruling.rstrip()))
            keys["right"] = (question.rule, partial(self._read, numbered))
        self._read(Pager(self._stage, _("Help"), text, keys=keys))
