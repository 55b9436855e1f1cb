"""What the person at a forming table may type: a host's commands, and a guest's farewell."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from shutil import get_terminal_size
from textwrap import wrap

import trio

from lanplay.errors import Fault, Mistake, UserError
from lanplay.games import load
from lanplay.language import N_, _
from lanplay.lines.source import STDIN
from lanplay.session.requests import checked
from lanplay.told import worded
from lanplay.ui.lobby import option_lines
from lanplay_protocol.shell.host import LobbyHost

HELP = N_("""\
start, or an empty line    fill the free seats with AI and play
kick NAME                  send a guest away for good
lock, unlock               take no more guests; take them again
move SEAT SEAT             let two seats change places
ai SEAT [BOT]              put an AI on a free seat
free SEAT                  take an AI from its seat
option NAME=VALUE          change a rule of the game
q                          leave the table to its guests""")
HINT = N_("Enter fills the free seats with AI and starts; help shows what else you can do.")
GUEST = N_("You are a guest: the table waits for its host to start. q leaves it.")


def say(text: str) -> None:
    """Print lines about the table, in the language of the process where they were told.

    On a terminal they are broken between words.
    """
    lines = worded(text).split("\n")
    if sys.stderr.isatty():
        lines = [part for line in lines for part in broken(line)]
    print("\n".join(lines), file=sys.stderr, flush=True)


def broken(line: str) -> list[str]:
    """Return a line in parts that a terminal shows without breaking words or addresses."""
    columns = get_terminal_size().columns - 1
    return wrap(line, columns, break_long_words=False, break_on_hyphens=False) or [line]


def at_keyboard() -> bool:
    """Tell whether a person types: lines from elsewhere are kept for the game's questions."""
    return sys.stdin is not None and sys.stdin.isatty()


async def command(do: Callable[[str], bool], starts: Callable[[], bool]) -> None:
    """Let the host's person type lines for ``do`` (see ``obey``) until one starts the game.

    ``UserError`` if it leaves, or if the input ends at a table of which ``starts`` says that it
    does not start by itself; else it is waited for that then.
    """
    say(_(HINT))
    while line := await _line():
        try:
            if do(line.strip()):
                return
        except Mistake as error:
            say(error.told)
    if not starts():
        raise UserError(Fault.NOBODY_STARTS)
    say(_("Standard input has ended: the table starts when all are there."))
    await trio.sleep_forever()


async def wait_as_guest() -> None:
    """Let a guest leave the table; its other lines are answered, so that none is lost on a game."""
    say(_(GUEST))
    while line := await _line():
        if line.strip() == "q":
            raise UserError(Fault.LEFT_TABLE)
        say(_(GUEST))


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


def obey(line: str, hosting: LobbyHost) -> bool:
    """Do what the host's person typed; return whether the game is to start.

    Raises ``Mistake`` that says what would be right, and changes nothing then.
    """
    lobby = hosting.lobby
    word, _blank, rest = line.partition(" ")
    match word, rest.split():
        case (("start" | ""), []):
            hosting.give_up()
            lobby.fill(lobby.info.settings.bot)
            return True
        case "help", []:
            say("\n".join([_(HELP), *option_lines(lobby.info.game)]))
        case "q", []:
            raise UserError(Fault.LEFT_TABLE)
        case "kick", [_, *_]:
            hosting.kick(rest.strip())
        case (("lock" | "unlock"), []):
            lobby.lock(word == "lock")
            hosting.publish()
        case "move", [one, other]:
            lobby.move(_place(one), _place(other))
            hosting.publish()
        case "ai", [seat, *bot] if len(bot) < 2:
            _seat_bot(hosting, _place(seat), *bot)
        case "free", [seat]:
            lobby.free(_place(seat))
            hosting.publish()
        case "option", [pair]:
            _set_option(hosting, pair)
        case _:
            raise Mistake(Fault.NO_COMMAND, line=line)
    return False


def _place(seat: str) -> int:
    if not seat.isdecimal():
        raise Mistake(Fault.SEAT_FORM, seat=seat)
    return int(seat) - 1


def _seat_bot(hosting: LobbyHost, place: int, bot: str = "") -> None:
    import lanplay_ai as ai

    bot = bot or hosting.lobby.info.settings.bot
    ai.make(bot, bytes(32), hosting.lobby.info.game)
    hosting.lobby.seat_bot(place, bot)
    hosting.publish()


def _set_option(hosting: LobbyHost, pair: str) -> None:
    info = hosting.lobby.info
    name, equals, value = pair.partition("=")
    if not equals:
        raise Mistake(Fault.OPTION_FORM, pair=pair)
    options = {**dict(info.options), name: value}
    hosting.lobby.set_options(checked(load(info.game), len(info.seats), options))
    hosting.publish()
