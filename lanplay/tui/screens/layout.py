"""The table as lines: a pure function of a moment, for any size from 80 x 24 on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lanplay.engine.manifest import Summary, Words
from lanplay.engine.question import Option, Phrase
from lanplay.games.teaching import NO_LESSONS, Lessons, lessons_of
from lanplay.games.wording import summary_of, words_of
from lanplay.language import _
from lanplay.tui.cells import (
    EMPTY,
    Line,
    Size,
    Span,
    beside,
    cells,
    clip,
    fill,
    line,
    width,
    wrapped,
)
from lanplay.tui.drawing import Hint, key_bar, log, rule, title
from lanplay.tui.entry import Entry
from lanplay.tui.games import GameScreen, Mapped, screen_of
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.screens.question import agreement, asked, pointing, waiting
from lanplay.tui.screens.staging import strip
from lanplay.ui.decision import Decision
from lanplay.ui.scene import Scene

BROAD = 116
"""Columns from which on the log stands beside the table."""
MAP_BROAD, MAP_ASIDE = 180, 48
"""The same for a map, which is broad itself; and the columns of the log beside it."""
BOARD = 76
"""The columns that a table has at least."""
LOG_ROWS = 2
"""Rows that the log has at least, with its heading; it gets all that others do not need."""
OWN_ROWS = 3
TALL, MAP_TALL = 36, 46
"""Rows from which on own things are drawn large, and a question's rule stands below it."""
OWN_TALL, RULE_ROWS = 7, 3
MAP_OWN_ROWS, MAP_PANEL_ROWS = 1, 4
"""Rows for own things and the question beside a map where there are few: the town goes before."""
PANEL_ROWS = 5
LEAST_BOARD = 11
"""Rows for which every board is drawn (see ``GameScreen.board``)."""
WAITING_ROWS = 3
REPLY_ROWS = 9
MARKS = 12
"""Cells around an option: its number, its mark, and what keeps its effect apart."""
EXPLAINED = 6
"""The most options that are shown with what each does; of more, the help tells it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """All that the screen of a table shows.

    ``asking`` is a sentence that wants a yes. ``reply`` is what the last command came to.
    ``alerts`` are sentences on why the game does not go on as usual, and what can be done.
    ``back`` is how far the log is scrolled up.
    """

    heading: str
    corner: str
    scene: Scene | None
    decision: Decision | None = None
    asking: str = ""
    entry: Entry | None = None
    reply: str = ""
    alerts: Sequence[str] = ()
    log: Sequence[Line] = ()
    back: int = 0
    keys: Sequence[Hint] = ()


@dataclass(frozen=True, slots=True)
class Artist:
    """A game's screen and texts, and what is drawn with."""

    screen: GameScreen
    words: Words
    summary: Summary
    names: Sequence[str]
    glyphs: Glyphs
    lessons: Lessons = NO_LESSONS

    def word(self, message: Phrase) -> str:
        """Return a message in words."""
        return self.words.word(message, self.names)


def artist_of(game: str, names: Sequence[str], glyphs: Glyphs) -> Artist:
    """Return what draws a game for seats of these names."""
    screen, words, summary = screen_of(game), words_of(game), summary_of(game)
    return Artist(screen, words, summary, names, glyphs, lessons_of(game))


def table(moment: Moment, artist: Artist, size: Size) -> tuple[list[Line], int]:
    """Return the whole screen, exactly ``size.rows`` lines, and how many options stand abreast."""
    inner = Size(size.columns, size.rows - 2)
    head = title(moment.heading, moment.corner, size.columns)
    foot = moment.entry.draw(size.columns) if moment.entry else key_bar(moment.keys, size.columns)
    if size.columns >= (MAP_BROAD if isinstance(artist.screen, Mapped) else BROAD):
        body, across = _broad(moment, artist, inner)
    else:
        body, across = _narrow(moment, artist, inner)
    return [head, *fill(body, inner.rows), foot], across


def _broad(moment: Moment, artist: Artist, size: Size) -> tuple[list[Line], int]:
    mapped = isinstance(artist.screen, Mapped)
    left = size.columns - MAP_ASIDE if mapped else max(BOARD, size.columns * 2 // 3)
    main, across = _main(moment, artist, Size(left, size.rows))
    right = size.columns - left - 3
    glyphs = artist.glyphs
    aside = [rule(_("Log"), right, glyphs)]
    aside += log(moment.log, right, size.rows - 1, moment.back)
    gap = (Span("text", " "), Span("dim", glyphs.bar), Span("text", " "))
    return beside(fill(main, size.rows), aside, left, gap), across


def _narrow(moment: Moment, artist: Artist, size: Size) -> tuple[list[Line], int]:
    said = isinstance(artist.screen, Mapped) and moment.decision is not None and moment.reply
    kept = 0 if said else LOG_ROWS  # what is said of a question goes before the log
    main, across = _main(moment, artist, Size(size.columns, size.rows - kept))
    rows = size.rows - len(main)  # with one, what happened says more than what a log is called
    head = [rule(_("Log"), size.columns, artist.glyphs)] if rows > 1 else []
    told = log(moment.log, size.columns, rows - len(head), moment.back)
    return [*main, *head, *told], across


def _main(moment: Moment, artist: Artist, size: Size) -> tuple[list[Line], int]:
    """Return board, own things and panel: at most ``size.rows`` lines.

    A reply takes its rows from the board, never from the question it may be about.
    """
    reply = _reply(moment, size.columns)
    out: list[Line] = []
    own: list[Line] = []
    if moment.scene is not None:
        scene, mapped = moment.scene, isinstance(artist.screen, Mapped)
        tall = size.rows >= (MAP_TALL if mapped else TALL)
        flat = mapped and not tall
        least = OWN_TALL + RULE_ROWS if size.rows >= MAP_TALL else OWN_ROWS
        most = MAP_OWN_ROWS if flat else max(OWN_TALL, least) if tall else OWN_ROWS
        if scene.view is not None:
            own += artist.screen.own(scene, Size(size.columns, most), artist.glyphs)
        rows = size.rows - (
            len(own) + MAP_PANEL_ROWS if flat else max(least, len(own)) + PANEL_ROWS
        )
        crowded = bool(reply) and moment.decision is not None and not tall
        if crowded:
            rows = max(LEAST_BOARD, rows - len(reply))
        board = artist.screen.board(scene, Size(size.columns, rows), artist.glyphs)
        out += [clip(spans, size.columns) for spans in board]
        if (own and not flat and not crowded) or scene.effects.move is not None:
            own[:0] = [strip(scene, size.columns, artist.glyphs)]
    if reply and moment.decision is not None:
        panel_rows = MAP_PANEL_ROWS if isinstance(artist.screen, Mapped) else PANEL_ROWS
        out = out[: max(0, size.rows - len(own) - panel_rows - len(reply))]
    out += own
    out += _alerts(moment, Size(size.columns, size.rows - len(out) - len(reply)))
    rows = size.rows - len(out) - len(reply)
    panel, across = _panel(moment, artist, Size(size.columns, rows))
    told = _rule(moment, artist, size.columns) if size.rows >= TALL else []
    return [*out, *panel, *reply, *(told if len(told) <= rows - len(panel) else [])], across


def _rule(moment: Moment, artist: Artist, columns: int) -> list[Line]:
    """Return the rule of a question in plain words, as its help has it."""
    if moment.decision is None or moment.asking:
        return []
    step = moment.decision.step
    told = artist.lessons.plain(moment.decision.question, step.prompt if step else None)
    return [
        EMPTY,
        *(part for each in told.split("\n") for part in wrapped("dim", f" {each}", columns, 1)),
    ]


def _alerts(moment: Moment, size: Size) -> list[Line]:
    """Return the alerts, in one row at least and in no more than the panel leaves."""
    panel = PANEL_ROWS if moment.decision is not None else WAITING_ROWS
    out = [each for text in moment.alerts for each in wrapped("bad", f" ! {text}", size.columns, 3)]
    return out[: max(1, size.rows - panel)]


def _reply(moment: Moment, columns: int) -> list[Line]:
    if not moment.reply:
        return []
    told = moment.reply.replace("\n", "\n ")
    return wrapped("think", f" {told}", columns, 1)[:REPLY_ROWS]


def _panel(moment: Moment, artist: Artist, size: Size) -> tuple[list[Line], int]:
    glyphs = artist.glyphs
    if moment.asking:
        return agreement(moment.asking, size, glyphs), 1
    if moment.decision is not None and moment.scene is not None:
        scene = moment.scene

        explained = len(moment.decision.options) <= EXPLAINED

        def draw(option: Option) -> Line:
            spans = tuple(artist.screen.option(scene, option, glyphs))
            effect = artist.lessons.effect(option.label) if explained else ""
            fits = width(spans) + cells(effect) + MARKS <= size.columns
            return (*spans, Span("dim", f"  {effect}")) if effect and fits else spans

        if isinstance(artist.screen, Mapped) and not moment.decision.ready:
            return pointing(scene, artist.screen, artist.word, size, glyphs), 1
        return asked(moment.decision, draw, artist.word, size, glyphs)
    if moment.scene is not None:
        return waiting(moment.scene, size, glyphs), 1
    return [EMPTY, line(("dim", " " + _("The table is being laid.")))], 1
