"""What help says: of the question at hand with its rule, of the keys, of all commands."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.language import N_, _
from lanplay.tui.cells import EMPTY, Line, Span, line
from lanplay.tui.commands import Command, described
from lanplay.tui.glyphs import Glyphs
from lanplay.tui.screens.pager import page

KEYS = (
    ("Up Down Left Right", N_("point at an option; a number points at it at once")),
    ("Space", N_("where several may be picked: pick it, or put it back")),
    ("Enter", N_("take what is picked; the last step gives the answer")),
    ("Esc", N_("go back a step, as long as the answer is not given")),
    ("PgUp PgDn", N_("scroll the log; l shows all of it")),
    ("R", N_("the rules, with / to search in them")),
    (":", N_("type a command")),
    ("q", N_("leave the game: you are asked once more")),
)
"""The keys at a table."""
SIGNS = (
    ("badge", N_("the Sheriff, or whoever decides")),
    ("cursor", N_("before a name: the game waits for this seat")),
    ("!", N_("before a name: this laptop is not connected")),
)
"""What the signs before a name mean: a glyph by its name, or a sign itself."""


def table_help(
    question: str, ruling: str, commands: Sequence[Command], glyphs: Glyphs
) -> list[Line]:
    """Return the help page of a table; ``question`` and ``ruling`` are empty if none is asked."""
    out: list[Line] = []
    if question:
        out += [line(("title", _("The question"))), line(("you", question)), EMPTY]
        out += page(ruling.rstrip())
        out.append(EMPTY)
    out += [line(("title", _("Keys")))]
    out += [line(("key", f"{name:<20}"), _(text)) for name, text in KEYS]
    out += [line(("key", f"{each.key:<20}"), _(each.help)) for each in commands if each.key]
    out += [EMPTY, line(("title", _("Signs")))]
    for name, text in SIGNS:
        out.append(line(("key", f"{getattr(glyphs, name, name):<20}"), _(text)))
    if commands:
        out += [EMPTY, line(("title", _("Commands, typed after :")))]
        out += [(Span("text", text),) for text in described(commands).split("\n")]
    return out
