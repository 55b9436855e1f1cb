"""A game in the browser: what its person sees, and how it is asked. See ``TableDisplay``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from math import ceil, inf
from time import monotonic
from typing import Any, Final

import trio
from markupsafe import Markup

from lanplay.engine.game import Game, Result
from lanplay.engine.question import Answer, Illegal, Phrase, Question, walked
from lanplay.engine.view import View
from lanplay.errors import UserError
from lanplay.games.teaching import Lessons, lessons_of
from lanplay.games.wording import closing, game_title, words_of
from lanplay.language import _, pgettext
from lanplay.ui import rulebook
from lanplay.ui.alerts import alerts, corner
from lanplay.ui.changes import Happening, Unfolding
from lanplay.ui.commands import Command, reason
from lanplay.ui.decision import Decision, refusal, selection
from lanplay.ui.looking import Looking, Review
from lanplay.ui.moments import ahead, decided, titled
from lanplay.ui.scene import Scene
from lanplay.web import regions as r
from lanplay.web.board import Taps, board_of
from lanplay.web.elements import NOTHING, el, joined
from lanplay.web.live import Page, Tap
from lanplay.web.log import GameLog
from lanplay.web.pages import PageStack
from lanplay.web.rules import drawn

TICK_SECONDS: Final = 0.5


class GamePicture(Page):
    """A game as it is shown on ``pages``, whoever looks: its moment, and the log of its events."""

    def __init__(
        self, pages: PageStack, game: Game, names: Sequence[str], lessons: Lessons
    ) -> None:
        self.commands: Callable[[], Sequence[Command]] = tuple
        self.closes: Callable[[], float | None] = lambda: None
        self.attends: Callable[[bool], None] = lambda reads: None
        self._pages = pages
        self._game = game.name
        self._title = game_title(game.name)
        self._artist = r.BoardArtist(board_of(game.name), words_of(game.name), names, lessons)
        self._log = GameLog(self._artist)
        self._scene: Callable[[], Scene] | None = None
        self._unfolding = Unfolding()
        self._stage = NOTHING

    def way(self, command: str) -> str:
        """Return what the button of a command is called; empty where there is none such."""
        named = (r.called_here(each) for each in self.commands() if each.name == command)
        button = next(named, "")
        return _("“{button}”").format(button=button) if button else ""

    def _staged(self, scene: Scene) -> Markup:
        """Return what is to be seen of the last change, at the person's speed."""
        now = trio.current_time()
        standing = self._artist.board.standing(scene)
        show = self._unfolding.sees(standing, now, scene.pace, scene.seat)
        if show is not None or not self._stage:
            self._stage = r.stage(show or Happening(), now)
        return self._stage if scene.pace else NOTHING

    def _story(self, scene: Scene, result: Result) -> Markup:
        """Return how the game ended, and what decided it."""
        breakdown = self._artist.board.breakdown(scene)
        names, events = scene.names, self._log.events
        said = [ahead(names, result, breakdown), *titled(self._game, events, names)]
        held = closing(self._game, scene.table, names)
        notes = (*breakdown.notes, *filter(None, said), *held)
        moments = decided(self._game, events, names, result.winners)
        return r.ended(self._artist, result, replace(breakdown, notes=notes), moments)

    def _round(self, scene: Scene) -> Markup | None:
        """Return which round it is, for the head of the page."""
        number = scene.table.round
        told = _("round {number}").format(number=number) if number else ""
        return el("span", told, class_="dim") if told else None

    def showing(self) -> AbstractContextManager[Any]:
        """Be what is seen while a block runs."""
        return self._pages.showing(self)

    def sees(self, scene: Callable[[], Scene]) -> None:
        """Show from now on what ``scene`` returns."""
        self._scene = scene
        self._pages.redraw()

    def changed(self) -> None:
        """Show what the scene is now."""
        self._pages.redraw()

    def recalled(self, round_: int, message: Phrase) -> None:
        """Add an event of that round to the log."""
        self._log.add(round_, message)
        self._pages.redraw()

    happened = recalled

    def notice(self, text: str) -> None:
        """Add what concerns the table to the log."""
        self._log.note(text, self.way)
        self._pages.redraw()

    def call(self, text: str) -> None:
        """Do nothing: the page's title and its sound call (see ``data_turn``)."""


class WebTable(GamePicture):
    """Shows a game and asks its person.

    ``phone``: the person plays through another one's laptop, who decides what comes after the game.
    """

    def __init__(
        self, pages: PageStack, game: Game, names: Sequence[str], confirm: bool, phone: bool = False
    ) -> None:
        super().__init__(pages, game, names, lessons_of(game.name))
        self.listens = True
        self._phone = phone
        self._confirm = confirm
        self._decision: Decision | None = None
        self._given = trio.Event()
        self._serial = 0
        self._tip = ""
        self._ruling = NOTHING
        self._asking = ""
        self._agreed = trio.Event()
        self._sure: Command | None = None
        self._reply = ""
        self._result: tuple[Result, bool] | None = None
        self._looking = Looking(None, self._show)
        self._again = False
        self._host = ""
        self._stands = inf
        self._ordering, self._reads = False, NOTHING

    # -- what the presenter calls -----------------------------------------------------------------

    async def run(self) -> None:
        """Draw anew what counted down when it was drawn, until cancelled."""
        while True:
            await trio.sleep(TICK_SECONDS)
            if monotonic() >= self._stands:
                self._pages.redraw()

    async def answer(self, view: View[Any], question: Question) -> Answer:
        """Ask the person and return the answer; cancelled if it is no longer asked."""
        self._serial += 1
        self._given, self._reply = trio.Event(), ""
        self._ruling = self._passage(question.rule)
        self._decision = decision = Decision(view, question)
        self._pages.redraw()
        try:
            while not self._given.is_set():
                with trio.move_on_after(TICK_SECONDS if self.closes() is not None else inf):
                    await self._given.wait()
                self._pages.redraw()
            return decision.answer
        finally:
            self._decision, self._reply = None, ""
            self._pages.redraw()

    def _passage(self, rule: str) -> Markup:
        """Return the rule that a question is about, in words."""
        with suppress(UserError):
            return drawn(rulebook.matching(rulebook.text(self._game), rule))
        return NOTHING

    async def agree(self, question: str) -> None:
        """Ask for a yes and return once it comes; the log keeps the question's first line."""
        self._asking, self._agreed = question, trio.Event()
        self.notice(question.partition("\n")[0])
        try:
            await self._agreed.wait()
        finally:
            self._asking = ""
            self._pages.redraw()

    say = GamePicture.notice

    def reply(self, text: str) -> None:
        """Show what a command came to."""
        self._reply = text
        self._pages.redraw()

    def advised(self, text: str, question: Question, path: Sequence[Answer]) -> None:
        """Show why something is advised, and what is picked for it, each step on a line."""
        if (decision := self._decision) is not None:
            steps = walked(question, decision.view, path)
            self.reply("\n".join([text, *(selection(*each, self._artist.word) for each in steps)]))

    def introduced(self, goal: Sequence[str]) -> None:
        """Show what the game is about over the question, until a tap; AI waits meanwhile."""
        front = rulebook.front(rulebook.shown(self._game))
        self._reads = drawn("\n".join(["\n\n".join(goal), *front]))
        self.attends(True)

    def coached(self, text: str) -> None:
        """Show what a coach says over the question."""
        self._tip = text
        self._pages.redraw()

    def refused(self, illegal: Illegal) -> None:
        """Say why an answer was refused."""
        self.reply(refusal(illegal, self._artist.word))

    async def over(self, result: Result, rematch: bool, review: Review | None) -> bool:
        """Show how the game ended; return whether the person wants a rematch.

        ``review`` as in ``FrontEnd.over``.
        """
        self._result, self._agreed = (result, rematch), trio.Event()
        self._looking = Looking(review, self._show)
        self._pages.redraw()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._looking.run)
            await self._agreed.wait()
            nursery.cancel_scope.cancel()
        return self._again

    def _show(self, told: Sequence[str]) -> None:
        self.reply("\n".join(told))

    def invited(self, host: str) -> None:
        """Show with the result who waits for the person with a rematch; empty: nobody does now."""
        self._host = host
        self._pages.redraw()

    # -- drawing ----------------------------------------------------------------------------------

    @property
    def _revision(self) -> str:
        picked = len(self._decision.picked) if self._decision is not None else 0
        return f"{self._serial}.{picked}"

    def regions(self) -> Mapping[str, Markup]:
        """Return the page as it is now."""
        commands, art = self.commands(), self._artist.board.art
        chat = any(each.name == "say" and each.help for each in commands)
        side = r.side(self._log.lines, chat)
        common = {"side": side, "menu": r.menu(commands), "art": art}
        if self._ordering and self._scene is not None:
            common["reply"] = r.orders(self._scene().orders(), self._reply)
        elif self._reply:
            common["reply"] = r.reply(self._reply)
        elif self._reads:
            common["reply"] = r.reply(self._reads)
        if self._scene is None:
            wait = el("p", _("The table is being laid."), class_="sentence")
            ask = self._wanted() or wait
            return r.whole(head=r.head(self._title), ask=ask, **common)
        scene = replace(self._scene(), decision=self._decision)
        self._stands = monotonic() + scene.stands
        common["stage"] = self._staged(scene)
        if self._result is not None:
            return self._over(scene, *self._result, common)
        taps = Taps(scene.decision, self._revision)
        board = self._artist.board.board(scene, taps)
        own = self._artist.board.own(scene, taps) if scene.view is not None else None
        live = "off" if self._stands < inf else None  # the log has told it once
        news = [el("p", each, aria_live=live) for each in alerts(scene, self.way)]
        news += [
            r.button(f"{r.called_here(each)} {each.usual}".strip(), f"do.{each.name}", "", "main")
            for each in commands
            if each.name in ("go", "admit") and each.offered and each.help
        ]
        return r.whole(
            head=self._head(scene),
            alerts=joined(news),
            board=board,
            **({"own": own} if own else {}),
            ask=self._wanted() or self._question(scene, taps),
            **common,
        )

    def _head(self, scene: Scene) -> Markup:
        turn = scene.decision is not None or bool(self._asking)
        told = el("strong", _("Your turn"), class_="yours") if turn else None
        who = el("span", corner(scene, "·").strip(), class_="dim corner")
        return r.head(self._title, self._round(scene), told, who, turn=turn)

    def _wanted(self) -> Markup | None:
        """Return what waits for a yes."""
        if self._sure is not None:
            return r.sure(_(self._sure.sure), "sure.yes", "sure.no")
        return r.sure(self._asking, "agree", "do.q") if self._asking else None

    def _question(self, scene: Scene, taps: Taps) -> Markup:
        if scene.decision is None:
            waits = r.waiting(scene)
            told = _("An AI answers for you until you are back: {back}.")
            back = r.button(pgettext("key", "I am back"), "do.back", "", "main")
            away = [el("p", told.format(back=self.way("back"))), el("div", back, class_="ways")]
            return joined([waits, *(away if scene.seat in scene.away else [])])
        question = r.asked(scene, taps, self._artist, self._ruling, self._left)
        return joined([el("p", self._tip, class_="coach") if self._tip else None, question])

    @property
    def _left(self) -> str:
        """How much time there is left, in words."""
        closes = self.closes()
        if closes is None:
            return ""
        return _("{seconds} s left").format(seconds=max(0, ceil(closes - trio.current_time())))

    def _over(
        self, scene: Scene, result: Result, rematch: bool, common: dict[str, Markup]
    ) -> Mapping[str, Markup]:
        ways = [r.button(_("rematch, same seats"), "again", "", "main")] if rematch else []
        if self._looking.review is not None:
            ways.append(r.button(_("luck and decisions"), "look", "", "quiet"))
        ways.append(r.button(_("leave") if self._phone else _("done"), "done", "", "quiet"))
        told = _("{host} wants a rematch.").format(host=self._host) if self._host else ""
        heading = r.asking(told or _("The game is over"))
        laptop = scene.laptops.get(scene.seat, "") if self._phone and scene.seat is not None else ""
        decides = el("p", _("A rematch is up to {laptop}.").format(laptop=laptop)) if laptop else ""
        ask = joined([heading, decides, el("div", *ways, class_="ways")])
        head = r.head(self._title, el("span", _("The game is over"), class_="dim"))
        del common["menu"]
        return r.whole(head=head, board=self._story(scene, result), ask=ask, **common)

    # -- taps -------------------------------------------------------------------------------------

    def act(self, tap: Tap) -> bool:
        """Take a tap; false if it is about what is no more, or is refused."""
        verb, _sep, rest = tap.do.partition(".")
        self._unfolding.finish()
        if verb == "present":  # the page has come to it by itself
            return True
        self.attends(False)
        if verb == "order":
            return self._do("orders", rest.replace(".", " "))
        self._ordering = tap.do == "do.orders"
        self._reads = drawn(rulebook.shown(self._game)) if tap.do == "do.rules" else NOTHING
        match verb:
            case "do" if self._ordering or self._reads:
                self._reply = ""
                self.attends(bool(self._reads))
            case "pick" | "ok" | "back" | "yes":
                return self._decide(verb, rest, tap.revision)
            case "do" | "say":
                return self._do(rest or verb, tap.fields.get("text", ""))
            case "sure":
                return self._be_sure(rest == "yes")
            case "agree" | "again" | "done":
                self._again = verb == "again"
                self._agreed.set()
            case "look" if self._looking.review is not None:
                self._reply = self._looking.ask()
            case "close":
                self._reply = ""
            case _:
                return False
        return True

    def _decide(self, verb: str, rest: str, revision: str) -> bool:
        decision = self._decision
        if decision is None or revision != self._revision or self._given.is_set():
            return False
        if verb == "pick":
            if decision.ready or not rest.isdecimal() or int(rest) >= len(decision.options):
                return False
            self._pick(decision, int(rest))
        elif verb == "ok":
            decision.settle()
        elif verb == "back":
            decision.back()
        if decision.ready and (verb == "yes" or not (self._confirm and decision.slip)):
            self._given.set()
        return True

    def _pick(self, decision: Decision, place: int) -> None:
        if decision.several:
            decision.toggle(place)
        else:
            decision.point(place)
            decision.settle()

    def _do(self, name: str, text: str) -> bool:
        """Give a command, once its person is sure; false if it is refused, or there is none."""
        for each in self._called(name):
            if each.sure and self._confirm:
                self._sure = each
                return True
            if not text or each.argument:
                return self._run(each, text or each.usual)
        return False

    def _called(self, name: str) -> Iterator[Command]:
        """Yield the commands of a name: that with a likely argument first, then that without."""
        every = [each for each in self.commands() if each.name == name and each.help]
        yield from (each for each in every if each.usual or name == "say")
        yield from (each for each in every if not each.argument or name == "orders")

    def _run(self, command: Command, argument: str) -> bool:
        try:
            command.run(argument if command.argument else "")
        except ValueError as error:
            self.reply(reason(error, self.way))
            return False
        return True

    def _be_sure(self, yes: bool) -> bool:
        command, self._sure = self._sure, None
        if command is not None and yes:
            self._run(command, command.usual)
        return command is not None
