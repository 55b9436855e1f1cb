"""Lines that a person types outside of games: at a forming table, and as answers to questions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import trio

from lanplay.errors import Fault, Mistake, UserError
from lanplay.language import N_, _
from lanplay.lines.source import STDIN
from lanplay.prose import broken
from lanplay.told import worded
from lanplay.ui.commands import reason
from lanplay.ui.forming import typed

HINT = N_(
    "Enter fills the free seats with AI and starts; learn is a first game with a coach; help "
    "shows what else you can do."
)
GUEST = N_(
    "You are a guest: the table waits for its host to start. Type q to leave, say TEXT to talk to "
    "all at the table, or invite to let phones join."
)


def say(text: str) -> None:
    """Print lines about the table, in the language of the process where they were told.

    On a terminal they are broken between words.
    """
    lines = worded(text).split("\n")
    if sys.stderr.isatty():
        lines = [part for line in lines for part in broken(line)]
    print("\n".join(lines), file=sys.stderr, flush=True)


def at_keyboard() -> bool:
    """Tell whether a person types: lines from elsewhere are kept for the game's questions."""
    return sys.stdin is not None and sys.stdin.isatty()


async def command(do: Callable[[str], bool], starts: bool) -> None:
    """Let the host's person type lines for ``do`` until one starts the game.

    ``UserError`` if the input ends at a table that does not start by itself; one that ``starts``
    is waited for then.
    """
    say(_(HINT))
    while line := await _line():
        try:
            if do(line.strip()):
                return
        except Mistake as error:
            say(reason(error, typed))
    if not starts:
        raise UserError(Fault.NOBODY_STARTS)
    say(_("Standard input has ended: the table starts when everybody is there."))
    await trio.sleep_forever()


async def wait_as_guest(obey: Callable[[str], bool]) -> None:
    """Return once a guest leaves the table; lines that ``obey`` does not know are answered."""
    say(_(GUEST))
    while line := await _line():
        if line.strip() == "q":
            return
        try:
            if not obey(line.strip()):
                say(_(GUEST))
        except Mistake as error:
            say(error.told)
    await trio.sleep_forever()


async def choice(question: str, how: str, answers: Mapping[str, str]) -> str:
    """Ask the person at the keyboard and return what its line stands for.

    ``UserError`` if the person leaves.
    """
    say(question)
    while line := await _line():
        word = line.strip().casefold()
        if word == "q":
            break
        if word in answers:
            return answers[word]
        say(how)
    raise UserError(Fault.NOTHING_BEGUN)


async def _line() -> str:
    await trio.to_thread.run_sync(STDIN.wait, abandon_on_cancel=True)
    return STDIN.readline()
