"""A forming table: its host's lines are parsed into commands of the session; what is said there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import lanplay_ai as ai
from lanplay.errors import Fault, Mistake
from lanplay.language import N_, _
from lanplay.session import commands as c
from lanplay.ui.lobby import option_lines
from lanplay_protocol.chat import ChatMessage
from lanplay_protocol.table import Seat, TableInfo

HELP = N_("""\
start, or an empty line    fill the free seats with AI and play
learn                      a first game: beginners in the free seats, and a coach
kick NAME                  send a guest away for good
lock, unlock               take no more guests; take them again
move SEAT SEAT             let two seats change places
ai SEAT [BOT]              put an AI on a free seat
free SEAT                  take an AI from its seat
option NAME=VALUE          change a rule of the game
q                          leave the table to its guests""")


WORDS: Final = ("start", "learn", "kick", "lock", "unlock", "move", "ai", "free", "option", "q")
"""What lines begin with."""


def obey(
    line: str, game: str, submit: Callable[[c.Command], None], say: Callable[[str], None]
) -> bool:
    """Do what a host has typed; return whether it has nothing more to type.

    Raises ``Mistake`` that says what would be right, and changes nothing then.
    """
    if line == "help":
        say("\n".join([_(HELP), *option_lines(game)]))
        return False
    command = parsed(line, game)
    submit(command)
    return isinstance(command, c.StartGame | c.LeaveTable)


def typed(command: str) -> str:
    """Return how a host types a command, with what belongs to it: ``move SEAT SEAT``."""
    heads = (row.partition("  ")[0] for row in _(HELP).split("\n"))
    return next((head for head in heads if head.startswith(f"{command} ")), command)


def nobody_else(info: TableInfo) -> bool:
    """Tell whether one person alone sits at a table: then a first game is offered."""
    return sum(bool(seat.name and not seat.bot) for seat in info.seats) == 1


def through(info: TableInfo, seat: Seat) -> str:
    """Return whose laptop a person plays through; empty for that laptop's own person and AI."""
    laptop = next((each.name for each in info.guests if each.identity == seat.peer), "")
    return "" if seat.bot or seat.name in ("", laptop) else laptop


def parsed(line: str, game: str) -> c.Command:
    """Return the command that a line is; ``Mistake`` if it is none."""
    word, _blank, rest = line.partition(" ")
    match word, rest.split():
        case (("start" | ""), []):
            return c.StartGame()
        case "learn", []:
            return c.StartGame(ai.plainest(game))
        case "q", []:
            return c.LeaveTable()
        case "kick", [_, *_]:
            return c.Kick(rest.strip())
        case (("lock" | "unlock"), []):
            return c.Lock(word == "lock")
        case "move", [one, other]:
            return c.MoveSeat(_place(one), _place(other))
        case "ai", [seat, *bot] if len(bot) < 2:
            return c.SeatBot(_place(seat), *bot)
        case "free", [seat]:
            return c.FreeSeat(_place(seat))
        case "option", [pair]:
            return _option(pair)
    raise _unknown(word, line)


def _unknown(word: str, line: str) -> Mistake:
    if word in WORDS:
        return Mistake(Fault.NO_COMMAND, line=line)
    return Mistake(Fault.NO_COMMAND, line=word, known=", ".join(WORDS))


def _place(seat: str) -> int:
    if not seat.isdecimal():
        raise Mistake(Fault.SEAT_FORM, seat=seat)
    return int(seat) - 1


def _option(pair: str) -> c.SetOption:
    name, equals, value = pair.partition("=")
    if not equals:
        raise Mistake(Fault.OPTION_FORM, pair=pair)
    return c.SetOption(name, value)


def spoken(said: ChatMessage) -> str:
    """Return what somebody has said as a line.

    It is quoted: a name may be any sentence, and no line of the program's own is so.
    """
    line = _("{name} (watching): “{text}”") if said.watching else _("{name}: “{text}”")
    if said.laptop:
        line = _("{name}, with {laptop}: “{text}”")
    return line.format(name=said.name, laptop=said.laptop, text=said.text)
