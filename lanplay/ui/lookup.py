"""What can be looked up at a table: the pages of its game as commands, on every front end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from lanplay.engine.view import View
from lanplay.games.wording import LookupPage, pages_of
from lanplay.language import N_, _
from lanplay.ui.commands import Command
from lanplay.ui.scene import Scene


def lookups(
    game: str, scene: Callable[[], Scene], show: Callable[[str], None]
) -> Iterator[Command]:
    """Yield the commands of a game's pages; ``show`` gets what each tells."""
    for page in pages_of(game):
        look = partial(_look, page, scene, show)
        yield Command(page.name, page.help, look)
        if page.of_seat:
            yield Command(page.name, "", look, argument=N_("NAME"))


def _look(
    page: LookupPage, scene: Callable[[], Scene], show: Callable[[str], None], name: str
) -> None:
    now = scene()
    if now.table is None:
        return
    header: Any = None  # pages look at the table and at what lies open
    view = now.view or View(0, now.table, header, [])
    names = [each.casefold() for each in now.names]
    found = [seat for seat, each in enumerate(names) if each.startswith(name.casefold())]
    if name and len(found) != 1:
        raise ValueError(_("Nobody here is called {name}, or several are.").format(name=name))
    show("\n".join(page.tell(view, now.names, found[0] if name else view.seat)))
