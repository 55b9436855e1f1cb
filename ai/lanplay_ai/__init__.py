"""Players that are programs. A bot sees a game through a seat's view only.

A game's manifest names its own bots (those of ours are in ``lanplay_ai.dice_town`` and so on).
Other packages bring more by entry points of the group ``lanplay.bots``, named ``GAME.BOT``
(``dice-town.cautious``), whose object is called with a key and returns an agent. ``random`` plays
every game. See docs/bots.md.
Bots that are not lanplay's own have a limited time for a decision, said behind their name:
``cautious@0.5``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from lanplay import __version__
from lanplay.engine.agent import Adviser, Agent, Hint
from lanplay.errors import Fault, Mistake
from lanplay.games import known, manifest
from lanplay.games import names as game_names
from lanplay.language import N_
from lanplay_ai.bot import Bot, Bots
from lanplay_ai.guard import Guarded, Unmade

PROGRAM = "cmd"
"""Begins the name of a bot that is a program outside: ``cmd:COMMAND LINE``, or with the seconds
that it has for a decision ``cmd@SECONDS:COMMAND LINE``."""


def bots(game: str) -> dict[str, Bot]:
    """Return the bots of a game by name: ours, then others' that have names of their own."""
    from lanplay_ai.plugins import installed

    return {**ours(game), **installed(game)}


@cache
def ours(game: str) -> Bots:
    """Return ``random`` and the bots that the game's manifest names; none if it is not here."""
    ref = manifest(game).bots if known(game) else None
    return {"random": _RANDOM, **({} if ref is None else ref.load())}


def names(game: str) -> tuple[str, ...]:
    """Return the names of a game's bots."""
    return tuple(bots(game))


def make(
    name: str,
    key: bytes,
    game: str,
    *,
    programs: bool = False,
    hidden: tuple[str, ...] | None = None,
) -> Agent:
    """Return the bot of that name with its own key (at most 64 bytes) to draw from.

    ``programs`` allows a name that begins with ``cmd:``, which starts a program: only for a name
    that this machine's own person typed, never for one that came over the network. With ``hidden``
    folders a bot from outside is within walls (see ``lanplay_ai.outside.walls``).
    Raises ``Mistake``, a ``ValueError`` that names the bots there are, or says why one cannot be
    used.
    """
    if own(name, game):
        return ours(game)[name].make(key)
    if programs and (found := program(name)):
        from lanplay_ai.outside.agent import OutsideAgent

        return OutsideAgent(found[0], game, key, found[1], hidden)
    from lanplay_ai import plugins

    named, seconds = _timed(name)
    agent = plugins.make(name, key, game, None, hidden)
    agent = agent or plugins.make(named, key, game, seconds, hidden)
    if agent is None:
        raise Mistake(Fault.NO_BOT, bot=name, game=game, known=", ".join(bots(game)))
    return agent


def guarded(
    name: str,
    key: bytes,
    game: str,
    *,
    programs: bool = True,
    hidden: tuple[str, ...] | None = None,
) -> Guarded:
    """Return the bot of that name, guarded: nothing that it does ends a game (see ``Guarded``).

    For games on this machine alone: ``programs`` are allowed. Raises ``Mistake`` as ``make`` does;
    whatever else is wrong with a bot counts as a fault of its first answer.
    """
    try:
        agent = make(name, key, game, programs=programs, hidden=hidden)
    except Mistake:
        raise
    except Exception as error:
        agent = Unmade(error)
    return guard(name, agent, key, game)


def guard(name: str, agent: Agent, key: bytes, game: str) -> Guarded:
    """Return a bot with the game's plainest one as its stand-in."""
    plain = plainest(game)
    if name == plain:
        return Guarded(name, agent)
    return Guarded(name, agent, partial(guarded, plain, key, game))


def check(
    name: str,
    key: bytes,
    game: str,
    *,
    programs: bool = True,
    hidden: tuple[str, ...] | None = None,
) -> None:
    """Make a bot once, and start it where it is a program; ``Mistake`` says what is wrong.

    Where ``programs`` are not allowed there is no such bot.
    """
    guarded(name, key, game, programs=programs, hidden=hidden)
    if not own(name, game) and (found := program(name)):
        from lanplay_ai.outside.program import try_out

        try_out(*found, hidden)


def own(name: str, game: str) -> bool:
    """Tell whether a bot is one of lanplay's own: its faults are lanplay's."""
    return name in ours(game)


def version(name: str, game: str) -> str:
    """Return what tells a bot from an older or newer one of its name; "" where nothing does.

    Of a program these are the bytes of the files that its command names.
    """
    if own(name, game):
        return f"lanplay {__version__}"
    if found := program(name):
        from lanplay_ai.outside.program import files_of

        return files_of(found[0])
    from lanplay_ai import plugins

    return plugins.version(name, game) or plugins.version(_timed(name)[0], game) or ""


def explained(game: str) -> dict[str, str]:
    """Return how the bots of a game think, in plain English, as far as they say it."""
    from lanplay_ai.bot import explained as told

    ref = manifest(game).bots
    return {"random": _BY_LOT, **({} if ref is None else told(ref.target.partition(":")[0]))}


def check_anywhere(name: str) -> None:
    """Raise ``Mistake`` unless some game has a bot of that name: the table is not known yet."""
    from lanplay_ai.plugins import installed

    every = {bot: None for game in game_names() for bot in bots(game)}
    if name not in every and not any(_timed(name)[0] in installed(game) for game in game_names()):
        raise Mistake(Fault.NO_BOT_ANYWHERE, bot=name, known=", ".join(every))


def stand_in(name: str, key: bytes, game: str) -> Guarded:
    """Return the bot of that name, or the game's plainest one where this program lacks it.

    For seats that come from another machine, whose bots may not be installed here; guarded as
    ``guarded`` has it.
    """
    try:
        return guarded(name, key, game, programs=False)
    except Mistake:
        return guarded(plainest(game), key, game)


def usual(game: str) -> str:
    """Return the name of the bot that plays where none was named."""
    return "strong" if "strong" in ours(game) else plainest(game)


def plainest(game: str) -> str:
    """Return the name of the bot that answers where another one fails."""
    return "beginner" if "beginner" in ours(game) else "random"


def adviser(game: str, key: bytes) -> Adviser:
    """Return the bot that gives hints to people: the game's best one that is cheap to ask.

    Where none is called strong or expert, the last of its bots counts as the best. One that
    ``slips`` now and then, so that others have a chance, is none to ask.
    """
    own = ours(game)
    best = [name for name in ("strong", "expert") if name in own]
    agents: list[Any] = [make(name, key, game) for name in (*best, *reversed([*own]))]
    able = [each for each in agents if hasattr(each, "explain") and not getattr(each, "slips", 0)]
    return able[0]  # type: ignore[no-any-return]  # it has the method


def worded(hint: Hint, game: str, names: Sequence[str]) -> str:
    """Return a hint's reason in the person's language, with its odds and its worth.

    ``names`` are the seats' names.
    """
    from lanplay_ai.text import sentence

    ref = manifest(game).hints
    return sentence(hint, None if ref is None else ref.load(), names)


def _random(key: bytes) -> Agent:
    from lanplay_ai.random_agent import RandomAgent

    return RandomAgent(key)


def program(name: str) -> tuple[str, float] | None:
    """Return the command line and the seconds of the bot that is a program; else ``None``."""
    head, colon, command = name.partition(":")
    word, seconds = _timed(head)
    if word != PROGRAM or not colon or not command.strip():
        return None
    from lanplay_ai.outside.program import SECONDS

    return command, seconds or SECONDS


def _timed(name: str) -> tuple[str, float | None]:
    """Return the two parts of ``NAME@SECONDS``; a name without a time as it is, and ``None``."""
    word, _at, text = name.rpartition("@")
    try:
        seconds = float(text)
    except ValueError:
        return name, None
    return (word, seconds) if word and 0 < seconds < float("inf") else (name, None)


_BY_LOT = N_("It draws from all answers that are allowed, each as likely as the other.")
_RANDOM = Bot(N_("any legal answer, drawn by lot"), _random, level="random")
