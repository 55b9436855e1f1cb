"""Games in progress on the command line: which to go on with, their list, and forgetting one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from lanplay.errors import Fault, UserError
from lanplay.games.wording import game_title
from lanplay.language import N_, _, ngettext
from lanplay.lines.commanding import at_keyboard, say
from lanplay.lines.plain import NO, YES
from lanplay.session.client import Client
from lanplay.session.on_disk import forget_beside
from lanplay.session.saved import looked, others, own_game
from lanplay.ui.front_end import FrontEnd
from lanplay_ai.characters import known_as
from lanplay_protocol.identity import Identity
from lanplay_protocol.shell.journal import JournalError, SavedGame, in_use
from lanplay_protocol.text import NICKNAME_LIMIT, clean_text

HOW = N_("Type y for yes, n to look for another table, d to drop the game for good, or q to leave.")
GO_ON = N_("Go on with it? [Y/n/d]")
"""The question about a kept game; ``HOW`` says what the letters are."""
ANSWERS = {**dict.fromkeys(("", *YES), "y"), **dict.fromkeys(NO, "n"), "d": "d"}
"""What a person may answer to that, in any of the languages."""


async def wanted(identity: Identity, client: Client, front: FrontEnd) -> Path | None:
    """Return the file of the own game to go on with before any other table is looked for.

    A person is asked; without one it is a game that is being played now.
    """
    game = await own_game(client.store.games, identity, client.network)
    if game is None:
        return None
    if game.playing:
        said = _("A game of yours is being played: {game}.")
    elif game.ended:
        said = _("A game of yours has ended without you: {game}. Go on with it to see how.")
    else:
        said = _("A game of yours can go on: {game}; nobody is at it now.")
    said = said.format(game=_described(game.kept, identity))
    if client.profile.auto or not at_keyboard():
        client.say(said)
        if not (game.playing or game.ended):
            client.say(_("lanplay resume goes on with it."))
        return game.path if game.playing or game.ended else None
    return await _chosen(said, game.path, front)


async def _chosen(said: str, path: Path, front: FrontEnd) -> Path | None:
    """Ask the person what to do with a kept game: go on, look for another table, or drop it."""
    match await front.choice(f"{said} {_(GO_ON)}", _(HOW), ANSWERS):
        case "y":
            return path
        case "d" if await front.sure(_("Drop the game for good? Its seat stays with an AI.")):
            forget(path)
    return None


def _described(kept: SavedGame, identity: Identity) -> str:
    names = others(kept, identity) or _("AI alone")
    return _("{game} with {names}").format(game=game_title(kept.roster.game), names=names)


def list_games(files: Sequence[Path]) -> int:
    """Print the games in progress in these files; return 0."""
    for path in files:
        try:
            kept, moves = looked(path)
        except JournalError as error:
            print(error, file=sys.stderr)
            continue
        moved = ngettext("{count} message", "{count} messages", len(moves))
        said = moved.format(count=len(moves))
        print(f"{path}  {game_title(kept.roster.game)}  {_names(kept)}  {said}")
    return 0


def forget(path: Path) -> int:
    """Delete a game in progress; ``Problem`` if it is none, is played, or cannot be deleted."""
    try:
        kept, _moves = looked(path)
        if in_use(path):
            raise JournalError(Fault.JOURNAL_IN_USE, path=str(path))
        path.unlink()
        forget_beside(path)
    except OSError as error:
        raise UserError(Fault.CANNOT_FORGET, path=str(path), why=error.strerror) from error
    forgotten = _("Forgotten: {game} with {names}. Its seat stays with an AI.")
    say(forgotten.format(game=game_title(kept.roster.game), names=_names(kept)))
    return 0


def _names(kept: SavedGame) -> str:
    return ", ".join(known_as(clean_text(name, NICKNAME_LIMIT)) for name in kept.roster.names)
