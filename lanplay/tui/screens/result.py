"""How a game ended: the score by source, who won, what decided it."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from lanplay.engine.game import Result
from lanplay.engine.question import Phrase
from lanplay.games.wording import closing
from lanplay.language import _
from lanplay.tui.cells import EMPTY, Line, Size, Span, clip, fill, line, pad, width, wrap, wrapped
from lanplay.tui.drawing import Hint, grid, key_bar, title
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.screens.help import screen_help
from lanplay.tui.screens.layout import Artist
from lanplay.tui.screens.pager import Pager
from lanplay.tui.stage import Stage
from lanplay.ui.breakdown import Breakdown, ranked, who_won
from lanplay.ui.looking import Looking, Review
from lanplay.ui.modal import Modal
from lanplay.ui.moments import ahead, curve, decided, titled
from lanplay.ui.scene import Scene

PAGE = 10
"""Lines that a page key scrolls."""
BARS, DIGITS = "▁▂▃▄▅▆▇█", "0123456789"
"""What heights are drawn with, and where there are letters alone."""
NAME_CELLS = 20
"""How much of a name is shown."""


class ResultScreen(Modal[bool]):
    """Shows the end of a game until the person has chosen; the answer: whether to play again."""

    def __init__(
        self,
        stage: Stage,
        artist: Artist,
        scene: Scene,
        result: Result,
        events: Sequence[tuple[int, Phrase]],
        log: Sequence[Line],
        rematch: bool,
        game: str,
        review: Review | None,
    ) -> None:
        super().__init__(False)
        self._stage, self._artist = stage, artist
        self._looking, self._reply = Looking(review, self._show), ""
        self._scene, self._result = scene, result
        self._moments = decided(game, events, scene.names, result.winners)
        self._closing = closing(game, scene.table, scene.names)
        self._titles = titled(game, events, scene.names)
        self._curve = curve(events, artist.summary.weight, len(scene.names))
        self._top = 0
        self._log = log
        self._rematch = rematch
        self._host = ""
        self._more = 0

    async def answered(self) -> bool:
        """Return whether the person wants a rematch, once it has chosen."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._looking.run)
            again = await super().answered()
            nursery.cancel_scope.cancel()
        return again

    def _show(self, told: Sequence[str]) -> None:
        self._reply = ""
        self._stage.push(Pager(self._stage, _("Luck and decisions"), [line(each) for each in told]))

    def invited(self, host: str) -> None:
        """Show who waits for the person with a rematch; empty: nobody does now."""
        self._host = host
        self._stage.redraw()

    def lines(self, size: Size) -> Sequence[Line]:
        """Return the whole screen."""
        names = self._scene.names
        breakdown = self._artist.screen.breakdown(self._scene)
        out = [EMPTY, *winners(names, self._result)]
        if won := ahead(names, self._result, breakdown):
            out += _notes([won], size.columns)
        out += [EMPTY, *score_table(names, breakdown, self._result, self._artist, size.columns)]
        out += _notes(breakdown.notes, size.columns)
        scores, closing = self._result.scores, _notes(self._closing, size.columns)
        tied = scores.count(max(scores)) > len(self._result.winners)
        out += closing if tied else []  # there it says what decided
        out += [EMPTY, line(("title", "  " + _("What decided it")))]
        for round_, text in self._moments:
            out += wrap(line(("dim", f"  {round_}: "), text), size.columns, 4)
        if self._titles:
            out += [EMPTY, line(("title", "  " + _("Worth telling")))]
            out += _notes(self._titles, size.columns)
        if closing and not tied:
            out += [EMPTY, *closing]
        out += [EMPTY, line(("title", "  " + _("Points gained, round by round")))]
        out += curves(self._curve, names, size.columns, self._artist.glyphs)
        told = _("{host} wants a rematch: r takes your seat.").format(host=self._host)
        said = self._reply or (told if self._host else "")
        news = wrapped("think", f"  {said}", size.columns, 2) if said else []
        rows = size.rows - 2 - len(news)
        self._more = len(out) - rows
        self._top = max(0, min(self._top, self._more))
        body = fill(out[self._top :], rows)
        return [
            title(_("The game is over"), "", size.columns),
            *body,
            *news,
            key_bar(self._hints(), size.columns),
        ]

    def _hints(self) -> list[Hint]:
        again = [("r", _("rematch, same seats"))] if self._rematch else []
        more = [("down", _("scroll"))] if self._more > 0 else []
        look = [("c", _("luck and decisions"))] if self._looking.review is not None else []
        return [*again, ("enter", _("done")), *more, *look, ("l", _("log")), ("?", _("help"))]

    def _help(self) -> Sequence[Line]:
        about = (
            _("Every player's score by source; the winner comes first."),
            _("Below are the events that changed the score most."),
            _("The game is kept: lanplay history lists all, lanplay replay steps through one."),
            _("lanplay replay FILE --page game.html writes a page to share."),
        )
        again = [("r", _("play again: everybody keeps the seat"))] if self._rematch else []
        look = _("luck and decisions: what brought the win, and what cost most")
        keys = [*again, ("Enter q", _("leave the result")), ("l", _("the log of the game"))]
        keys += [("c", look)] if self._looking.review is not None else []
        return screen_help(about, keys)

    def press(self, key: str) -> None:
        """Take a key: rematch, the log, or the end."""
        if key == "l":
            self._stage.push(Pager(self._stage, _("Log"), list(self._log), at_end=True))
        elif key in ("up", "down", "pageup", "pagedown", " "):
            self._top += {"up": -1, "down": 1, "pageup": -PAGE}.get(key, PAGE)
        elif key == "c" and self._looking.review is not None:
            self._reply = self._looking.ask()
        elif key == "?":
            self._stage.push(Pager(self._stage, _("Help"), self._help()))
        elif key == "r" and self._rematch:
            self.give(True)
        elif key in ("enter", "q"):
            self.give(False)


def _notes(notes: Sequence[str], columns: int) -> list[Line]:
    return [part for note in notes for part in wrap(line(f"  {note}"), columns, 4)]


def curves(
    rows: Sequence[Sequence[float]], names: Sequence[str], columns: int, glyphs: Glyphs
) -> list[Line]:
    """Return for each seat what it had gained by each round, as a row of bars."""
    most = max((value for row in rows for value in row), default=0.0) or 1.0
    steps = BARS if glyphs.unicode else DIGITS
    out = []
    for name, row in zip(names, rows, strict=True):
        bars = (steps[round(max(0.0, value) / most * (len(steps) - 1))] for value in row[1:])
        head = pad(line(f"  {name}"), NAME_CELLS, glyphs.more)
        out.append(clip((*head, Span("gold", " " + "".join(bars))), columns, glyphs.more))
    return out


def winners(names: Sequence[str], result: Result) -> list[Line]:
    """Return the line that names who won; it may be nobody."""
    return [line(("good" if result.winners else "bad", "  " + who_won(result, names)))]


def score_table(
    names: Sequence[str], breakdown: Breakdown, result: Result, artist: Artist, columns: int
) -> list[Line]:
    """Return the scores by source, best first."""
    head = [line(("dim", "  " + _("Seat")))]
    head += [line(("dim", source)) for source in breakdown.sources]
    head.append(line(("dim", _("Total"))))
    rows = [head]
    for seat in ranked(result):
        mark = artist.glyphs.badge if seat in result.winners else " "
        role = "you" if seat in result.winners else "text"
        row = [line(("badge", f"{mark} "), *clip(line((role, names[seat])), NAME_CELLS))]
        row += [line(str(points)) for points in breakdown.points[seat]]
        row.append((Span(role, str(result.scores[seat])),))
        rows.append(row)
    return [
        (Span("text", "  "), *spans) for spans in fitting(rows, columns - 2, artist.glyphs.more)
    ]


def fitting(rows: Sequence[Sequence[Line]], columns: int, more: str) -> list[Line]:
    """Return a grid of at most ``columns`` cells: numbers stay, headings are cut as far as need be.

    ``rows[0]`` are the headings. The longest are cut first, and before that, columns come closer.
    """
    head, *others = rows
    for gap, limit in ((3, NAME_CELLS), *((2, cells) for cells in range(NAME_CELLS, 0, -1))):
        table = grid([[clip(each, limit, more) for each in head], *others], gap)
        if width(table[0]) <= columns:
            return table
    return [clip(spans, columns, more) for spans in grid(rows, 1)]
