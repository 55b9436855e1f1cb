"""Who takes the seats that programs are to have: characters of a level (``characters``)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lanplay_ai.characters import cast
from lanplay_protocol.lobby import Lobby


def company(
    game: str, level: str, seats: int, start: int, there: Collection[str] = ()
) -> Sequence[tuple[str, str]]:
    """Return names and bots for at most so many seats, each once, and none that is ``there``.

    There are fewer where the level has fewer characters.
    """
    found = cast(game, level, seats + len(there), start)
    return [each for each in dict.fromkeys(found) if each[0] not in there][:seats]


def at_table(lobby: Lobby, level: str) -> Sequence[tuple[str, str]]:
    """Return names and bots for the seats of a table that forms; whose turn it is, its id says."""
    info = lobby.info
    there = [seat.name for seat in info.seats]
    return company(info.game, level, len(there), sum(info.table.encode()), there)


def fill(lobby: Lobby, level: str = "") -> None:
    """Let characters take the free seats of a table, of this level or of the table's own."""
    level = level or lobby.info.settings.bot
    lobby.fill(level, at_table(lobby, level))


def seat(lobby: Lobby, place: int, level: str) -> None:
    """Let a character of a level take a seat that no person has."""
    for name, bot in at_table(lobby, level)[:1]:
        lobby.seat_bot(place, bot, name)
        return
    lobby.seat_bot(place, level)
