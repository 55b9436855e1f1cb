"""The keys that the bar at the foot of a table names: those that do something now."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.language import _
from lanplay.tui.drawing import Hint
from lanplay.tui.games import GameScreen, Leaved, Mapped
from lanplay.ui.commands import Command, called
from lanplay.ui.decision import Decision, digits


def table_hints(
    screen: GameScreen, decision: Decision | None, asking: bool, commands: Sequence[Command]
) -> list[Hint]:
    """Return the keys of a table, the most useful first; ``asking``: a yes is waited for."""
    hints: list[Hint] = [("y", _("yes"))] if asking else []
    if decision is not None:
        hints = _deciding(screen, decision)
    hints += [("?", _("help")), ("q", _("leave"))]
    hints += [("v", _("page")), ("o", _("others"))] if isinstance(screen, Leaved) else []
    hints += [(each.key, called(each)) for each in commands if each.key and each.offered]
    return [*hints, ("R", _("rules")), (":", _("commands")), ("l", _("log"))]


def useless(key: str) -> str:
    """Return that a key does nothing now."""
    told = _("{key} does nothing now; ? lists the keys.")
    return told.format(key=_("Space") if key == " " else key)


def _deciding(screen: GameScreen, decision: Decision) -> list[Hint]:
    """Return the keys for a question; the panel of a map names its own."""
    if isinstance(screen, Mapped):
        return []
    if decision.ready:
        return [("enter", _("answer")), ("escape", _("change"))]
    back = [("escape", _("back"))] if decision.begun else []
    if decision.several:
        picks = f"{digits(decision.options)} {_('pick, put back')}"
        return [("space", picks), ("enter", _("done")), *back]
    return [("enter", _("choose")), *back]
