"""Where a person sits: at the line interface or the full screen; here alone it is decided."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import trio

import lanplay_ai as ai
from lanplay.cli import at_terminal
from lanplay.cli.phones import phones_at
from lanplay.cli.resuming import wanted
from lanplay.cli.verifying import verified
from lanplay.config.declared import Settings
from lanplay.errors import Fault, UserError
from lanplay.extras import command_line
from lanplay.garbage import uncollected
from lanplay.language import _
from lanplay.notices import Notice
from lanplay.session.client import Client
from lanplay.session.events import Ended
from lanplay.session.profile import session_identity
from lanplay.session.requests import summary as local_summary
from lanplay.session.saved import all_games
from lanplay.session.settings import Access, TableWish, Target
from lanplay.session.storage import listed
from lanplay.told import worded
from lanplay.ui.front_end import FrontEnd
from lanplay.ui.presenter import Session, present
from lanplay.ui.settings import Preferences
from lanplay_protocol.shell.journal import journals
from lanplay_protocol.shell.runner import GameOutcome

HELD: Final = 3
"""Exit status of a game that is held."""
Main = Callable[[FrontEnd], Awaitable[int]]


def full_screen(settings: Settings, quiet: bool = False) -> bool:
    """Tell whether the person gets the full screen: on a terminal, unless it wants lines."""
    if settings.plain or quiet or os.environ.get("TERM") == "dumb":
        return False
    return at_terminal()


def run(main: Main, settings: Settings, quiet: bool = False) -> int:
    """Run ``main`` under trio with the person's front end; return its exit status."""
    if settings.web and not quiet:
        from lanplay.web.front_end import sit as in_browser

        return in_browser(settings, main)
    if not full_screen(settings, quiet):
        from lanplay.lines.front_end import LineFrontEnd

        lines: FrontEnd = LineFrontEnd(quiet, settings.call)
        return trio.run(main, lines)
    with uncollected():
        from lanplay.tui.front_end import FullScreen, sit

    def seated(front: FullScreen) -> Awaitable[int]:
        return main(front)

    return sit(settings, seated)


@dataclass(slots=True)
class Place:
    """A person's place: its front end, and whether each game ends with a line for programs.

    ``client`` and ``settings`` are others once the person has changed its settings.
    """

    client: Client
    front: FrontEnd
    settings: Settings
    json: bool = False

    @property
    def preferences(self) -> Preferences | None:
        """The settings of its person, where its front end can change them."""
        from lanplay.cli.settings import preferences_of

        return preferences_of(self)

    async def show(self, session: Session, learns: bool = False) -> int:
        """Show a session until it ends; return the exit status of its last game.

        ``learns``: a coach explains the game. ``OSError`` if its record cannot go where it is to,
        ``UserError`` if what else was to be kept could not be.
        """
        wanted = kept = self.client.store.record

        def closing(ended: Ended) -> None:
            nonlocal kept
            kept = ended.path if wanted else None
            close(ended, self.json)

        listens, pace = not self.client.profile.auto, self.client.pace
        async with phones_at(session, self.settings, nobody=not listens) as phones:
            outcome = await present(
                session,
                self.front,
                closing,
                listens=listens,
                pace=pace,
                phones=phones,
                learns=learns,
                preferences=None if self.client.profile.auto else self.preferences,
            )
        if wanted and kept != wanted:
            if kept:
                self.client.say(_("The record is kept in {path}.").format(path=kept))
            outcome.record.save(wanted)  # or say why it cannot be
        for error in self.client.store.lost:
            raise error
        return HELD if outcome.halted else 0

    async def host(self, wish: TableWish, access: Access) -> int:
        """Run ``lanplay host``; ``UserError`` for what the person can mend."""
        return await self.show(self.client.host(wish, access))

    async def join(self, target: Target, access: Access, new: bool = False) -> int:
        """Run ``lanplay join``; ``UserError`` for what the person can mend.

        Without a table's name, the own game in progress comes first, unless a ``new`` one is
        wanted.
        """
        client = self.client
        if client.profile.auto:
            ai.check_anywhere(client.profile.auto)
        identity = session_identity(client.store.folder, client.say)
        if target.table or new:
            if journals(client.store.games):
                client.say(_("A game of yours can go on: lanplay resume (--list shows all)."))
        elif (path := await wanted(identity, client, self.front)) is not None:
            return await self.show(client.resume(path, access))
        return await self.show(client.join(target, access))

    async def resume(self, access: Access, file: Path | None = None) -> int:
        """Go on with a file's game, or the newest that can; ``UserError`` as ``join``."""
        games = listed(self.client.store.games)
        files = [file] if file else [path for path, _ in all_games(games)] or journals(games)
        if not files:
            raise UserError(Fault.NO_KEPT_GAME)
        return await self.show(self.client.resume(files[0], access))

    async def watch(self, target: Target, access: Access) -> int:
        """Run ``lanplay watch``; ``UserError`` for what the person can mend."""
        return await self.show(self.client.watch(target, access))

    async def play(self, wish: TableWish, seed: int | None = None, learns: bool = False) -> int:
        """Run ``lanplay play``: games until the person wants no rematch."""
        return await self.show(self.client.local(wish, seed), learns)


def close(ended: Ended, as_json: bool) -> None:
    """Print the closing lines of a game."""
    outcome, path = ended.outcome, ended.path
    signed = "roster" in outcome.record.extra
    if outcome.halted:
        print(worded(Notice.HELD.of(why=outcome.halted)), file=sys.stderr)
        for line in outcome.report:
            print(f"  {line}", file=sys.stderr)
    elif path is not None and signed:
        verify = command_line("lanplay", "verify", str(path))
        again = _("To check again: {command}").format(command=verify)
        print(verified(outcome.checked), again, sep="\n", file=sys.stderr)
    if as_json:
        print(json.dumps(summary(outcome, path, signed)), flush=True)


def summary(outcome: GameOutcome, path: Path | None, signed: bool) -> dict[str, Any]:
    """Return the closing JSON object of a game; one that is not ``signed`` is of this machine."""
    record, result = outcome.record, outcome.result
    local = local_summary(record.header, result, outcome.rounds, record.state_hash, path)
    if not signed:
        return local
    return {
        **local,
        "steps": outcome.steps,
        "trace": blake2b(b"".join(outcome.trace), digest_size=16).hexdigest(),
        "held": outcome.halted or None,
    }
