"""A recorded game on the screen of its table: forward and back by move and round."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import trio

from lanplay.config.declared import Settings
from lanplay.engine.game import Game
from lanplay.engine.stepper import Stepper
from lanplay.games.wording import game_title, narrated
from lanplay.language import N_, _, pgettext
from lanplay.tui.cells import Line, Size, line
from lanplay.tui.drawing import Hint
from lanplay.tui.front_end import habits
from lanplay.tui.games import Leaved
from lanplay.tui.loop import run
from lanplay.tui.screens.help import LEAVES, having, listed, screen_help
from lanplay.tui.screens.layout import Moment, artist_of, table
from lanplay.tui.screens.pager import Pager
from lanplay.tui.screens.staging import Staging
from lanplay.tui.stage import Stage
from lanplay.tui.theme import depth, style, suiting
from lanplay.ui.changes import USUAL_PACE
from lanplay.ui.looking import Looking, Review
from lanplay.ui.menu import SPEEDS
from lanplay.ui.modal import Modal
from lanplay.ui.scene import Scene

FORWARD: Final = ("right", "enter", " ")
BACK: Final = ("left", "backspace")
NEXT_ROUND: Final = ("down", "pagedown")
PREVIOUS_ROUND: Final = ("up", "pageup")
LEAVE: Final = ("q", "escape")
KEYS: Final = (
    ("→ Enter Space", N_("a move forward")),
    ("← Backspace", N_("a move back")),
    ("↓ PgDn", N_("to the next round")),
    ("↑ PgUp", N_("to the round before")),
    ("Home End", N_("to the beginning; to the end")),
    ("s Tab", N_("as the next player saw it, as far as the record shows")),
    (LEAVES, N_("where the board has pages: the next one; the next player's things")),
    ("c", N_("luck and decisions: what brought the win, and what cost most")),
    ("l", N_("the log up to here")),
    ("q Esc", N_("leave")),
)
"""The keys of a replay, for the help page."""


class ReplayScreen(Modal[None]):
    """Shows one position of a record at a time, as everybody or one of the known seats saw it.

    What a move forward changes is seen happening, at ``pace`` (see ``Scene``). ``review`` returns
    lines on luck and decisions; it takes seconds.
    """

    def __init__(
        self,
        stage: Stage,
        stepper: Stepper,
        game: Game,
        names: Sequence[str],
        seat: int | None,
        pace: float = USUAL_PACE,
        review: Review | None = None,
    ) -> None:
        """Begin where the stepper stands, with the eyes of ``seat``, or everybody's."""
        super().__init__(None)
        self._stage = stage
        self._stepper = stepper
        self._game, self._title = game.name, game_title(game.name)
        self._artist = artist_of(game.name, names, stage.glyphs)
        board = self._artist.screen
        self._staging = Staging(board, lambda: stage.habits.animation, lambda: stage.redraw())
        self._pace = pace
        self._looking = Looking(review, self._show)
        self._eyes: Sequence[int | None] = (None, *stepper.known)
        self._eye = self._eyes.index(seat)
        self._reply = ""
        self._leaf = 0
        self._focus: int | None = None
        ways: Mapping[Callable[[], bool], Sequence[str]] = {
            stepper.forward: FORWARD,
            stepper.back: BACK,
            stepper.next_round: NEXT_ROUND,
            stepper.previous_round: PREVIOUS_ROUND,
            stepper.to_start: ("home",),
            stepper.to_end: ("end",),
        }
        self._ways = {key: way for way, keys in ways.items() for key in keys}

    async def answered(self) -> None:
        """Return once the person has seen enough."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._staging.run)
            nursery.start_soon(self._looking.run)
            await super().answered()
            nursery.cancel_scope.cancel()

    def _show(self, told: Sequence[str]) -> None:
        self._reply = ""
        self._stage.push(Pager(self._stage, _("Luck and decisions"), [line(each) for each in told]))

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        return table(self._moment(), self._artist, size)[0]

    def press(self, key: str) -> None:
        """Step, change the eyes, read the log, or leave."""
        self._reply = ""
        if self._staging.finish() and key == " ":
            return
        if key in LEAVE:
            self.give(None)
        elif key in self._ways:
            self._go(self._ways[key], shows=key in FORWARD)
        elif key in ("s", "tab"):
            self._next_eyes()
        elif key == "c" and self._looking.review is not None:
            self._reply = self._looking.ask()
        elif key == "v":
            self._leaf += 1
        elif key == "o":
            seat = self._eyes[self._eye] or 0 if self._focus is None else self._focus
            self._focus = (seat + 1) % len(self._artist.names)
        elif key == "?":
            self._stage.push(Pager(self._stage, _("Help"), self._help()))
        elif key == "l":
            self._stage.push(Pager(self._stage, _("Log"), self._log(), at_end=True))

    def _next_eyes(self) -> None:
        self._eye, self._focus = (self._eye + 1) % len(self._eyes), None
        if len(self._eyes) == 1:
            self._reply = _("This record shows no hands: it was played between laptops.")

    def _go(self, way: Callable[[], bool], shows: bool) -> None:
        """Step; without a show of what it changes where that is more than a move forward."""
        self._staging.forget()
        if not way():
            self._reply = _("There is nothing more in that direction.")
        elif not shows:
            self._staging.sees(self._scene())
            self._staging.forget()

    def _moment(self) -> Moment:
        return Moment(
            heading=self._heading(),
            corner=self._corner(),
            scene=self._staged(),
            reply=self._reply,
            log=self._log(),
            keys=(
                ("right", pgettext("replay", "move")),
                ("left", _("back")),
                ("down", _("round")),
                ("up", _("round back")),
                ("s", _("seat")),
                ("q", _("leave")),
                *self._leaves(),
                *([("c", _("luck and decisions"))] if self._looking.review is not None else []),
                ("?", _("help")),
                ("l", _("log")),
            ),
        )

    def _leaves(self) -> Sequence[Hint]:
        paged = isinstance(self._artist.screen, Leaved)
        return [("v", _("page")), ("o", _("others"))] if paged else []

    def _help(self) -> Sequence[Line]:
        about = (
            _("A game that was played, move by move: what everybody saw, or what one player saw."),
            _("A game on one machine shows every hand; one between laptops only yours."),
        )
        signs = self._artist.screen.signs(self._stage.glyphs)
        further = listed(_("Signs"), signs) if signs else ()
        keys = [(keys, _(text)) for keys, text in having(KEYS, self._artist.screen)]
        return screen_help(about, keys, further)

    def _heading(self) -> str:
        at, now = self._stepper, self._stepper.now
        place = _("round {round} of {rounds}, move {move} of {moves}").format(
            round=now.round, rounds=at.rounds, move=now.move, moves=at.moves
        )
        return f"{self._title}  {self._stage.glyphs.dot}  {place}"

    def _corner(self) -> str:
        seat = self._eyes[self._eye]
        if seat is None:
            return _("as everybody saw it")
        return _("as {name} saw it").format(name=self._artist.names[seat])

    def _scene(self) -> Scene:
        now, seat = self._stepper.now, self._eyes[self._eye]
        view = None if seat is None else now.views[seat]
        names, leaf, focus = self._artist.names, self._leaf, self._focus
        table, pace = now.public.table, self._pace
        over = self._stepper.finished and now is self._stepper.positions[-1]
        return Scene(table, names, view, now.asked, leaf=leaf, focus=focus, pace=pace, over=over)

    def _staged(self) -> Scene:
        scene = self._scene()
        return replace(scene, effects=self._staging.effects(scene))

    def _log(self) -> list[Line]:
        """Return what has happened up to the present position."""
        passed = self._stepper.positions[: self._stepper.at + 1]
        events = [event for each in passed for event in each.events]
        told = map(self._artist.word, narrated(self._game, events))
        return [line(text) for text in told if text]


def show(
    settings: Settings,
    stepper: Stepper,
    game: Game,
    names: Sequence[str],
    seat: int | None,
    review: Callable[[], Sequence[str]] | None = None,
) -> None:
    """Let the person step through a record on the full screen until it leaves."""
    stage = Stage(habits(settings))

    pace = SPEEDS[settings.ai_speed]

    async def main() -> None:
        screen = ReplayScreen(stage, stepper, game, names, seat, pace, review)
        await stage.ask(screen)

    palette = style(suiting(settings.theme, os.environ))
    run(stage, main, palette, depth(settings.colours, os.environ))
