"""What help says: of the question at hand with its rule, of the keys, of all commands."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.language import N_, _
from lanplay.tui.cells import EMPTY, Line, Span, line, pad
from lanplay.tui.games import GameScreen, Leaved, Mapped
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.screens.layout import Artist
from lanplay.tui.screens.pager import page
from lanplay.ui.commands import Command, described
from lanplay.ui.decision import Decision

LEAVES = "v o"
"""The keys of boards that have pages."""
CHOOSING = (
    ("↑ ↓ ← →", N_("point at an option; its number points at it at once")),
    ("Space 1 2 3", N_("where several may be picked: pick it, or put it back")),
    ("Enter", N_("take what is picked; the last step gives the answer")),
    ("Esc", N_("go back a step, as long as the answer is not given")),
)
"""The keys at a question whose options are listed."""
KEYS = (
    ("Space", N_("while changes are being shown: skip to their end")),
    ("PgUp PgDn", N_("scroll the log; l shows all of it")),
    (LEAVES, N_("where the board has pages: the next one; the next player's things")),
    ("R", N_("the rules, with / to search in them")),
    (":", N_("type a command")),
    ("q", N_("leave the game: you are asked once more")),
)
"""The other keys at a table."""
SIGNS = (
    ("!", N_("before a name: this laptop is not connected")),
    ("12 s", N_("after a name: AI takes this seat in so many seconds")),
    ("(AI)", N_("after a name: AI answers for this seat for now")),
)
"""The signs at every table; a game's own come before them."""
Row = tuple[str, str]
"""A key or a sign, and what it does or means."""
COMPARING = N_(
    "The same words on all screens mean that nobody sits between the laptops. Say them aloud: y if "
    "all have them, q if not. After that the laptops shuffle together, so that nobody knows a card."
)
COLUMN = 20
"""Cells for keys and signs."""


def having(keys: Sequence[Row], screen: GameScreen) -> list[Row]:
    """Return those of the keys that do something at a game's board: most have one page."""
    return [row for row in keys if row[0] != LEAVES or isinstance(screen, Leaved)]


def table_help(
    question: str, ruling: str, commands: Sequence[Command], screen: GameScreen, glyphs: Glyphs
) -> list[Line]:
    """Return the help page of a table; ``question`` and ``ruling`` are empty if none is asked."""
    out: list[Line] = []
    if question:
        out.append(line(("title", _("The question"))))
        out += [line(("you", each)) for each in question.split("\n")]
        out += [EMPTY, *page(ruling.rstrip())]
        out.append(EMPTY)
    listed_ones = [(name, _(text)) for name, text in CHOOSING]
    answering = screen.keys() if isinstance(screen, Mapped) else listed_ones
    keys = list(answering) if question else []
    keys += [(name, _(text)) for name, text in having(KEYS, screen)]
    keys += [(each.key, _(each.help)) for each in commands if each.key and each.help and each.now]
    out += listed(_("Keys"), keys)
    signs = screen.signs(glyphs)
    out += [EMPTY, *listed(_("Signs"), [*signs, *((sign, _(text)) for sign, text in SIGNS)])]
    if commands:
        out += [EMPTY, line(("title", _("Commands, typed after :")))]
        out += [(Span("text", text),) for text in described(commands).split("\n")]
    return out


def explained(decision: Decision, artist: Artist) -> str:
    """Return the rule of a question in plain words, and what each option does; empty if unknown."""
    lessons, step = artist.lessons, decision.step
    out = [lessons.plain(decision.question, step.prompt if step is not None else None)]
    effects = [(option.label, lessons.effect(option.label)) for option in decision.options]
    out += [f"- {artist.word(label)}: {effect}" for label, effect in effects if effect]
    return "\n".join(dict.fromkeys(text for text in out if text))


def compared(question: str) -> str:
    """Return the question whether all screens show the same words, with what that is for."""
    return f"{question}\n{_(COMPARING)}"


def listed(heading: str, rows: Sequence[Row]) -> list[Line]:
    """Return a heading and under it keys or signs with what they do or mean."""
    return [
        line(("title", heading)),
        *(
            (
                *pad(line(("key", name.replace("Space", _("Space")).ljust(COLUMN))), COLUMN),
                Span("text", f" {text}"),
            )
            for name, text in rows
        ),
    ]


def screen_help(
    about: Sequence[str], keys: Sequence[Row], further: Sequence[Line] = ()
) -> list[Line]:
    """Return the help page of a screen: paragraphs about it, its keys, and what else there is."""
    out = [part for text in about for part in (line(text), EMPTY)]
    out += listed(_("Keys"), keys)
    return [*out, EMPTY, *further] if further else out
