"""The table that somebody asks for, the seeds of its game and its bots, and its closing line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from random import SystemRandom
from typing import Any

import lanplay_ai as ai
from lanplay.engine.game import Game, Result, check_table
from lanplay.engine.record import Header
from lanplay.errors import Fault, Mistake, UserError
from lanplay.games import load

SEED_BYTES = 32
SEED = 1
"""Holds where no other is asked for, so that runs can be compared."""
DRAWN_BITS = 128
"""Too many to be tried out, few enough to be typed again."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A table asked for: the game and its options, checked."""

    game: Game
    options: Mapping[str, str]
    seats: int


def table_setup(
    name: str, seats: int, options: Mapping[str, str], bots: Sequence[str], *, programs: bool = True
) -> TableSetup:
    """Return a table asked for; ``Mistake`` says what would be right.

    Whether bots may be ``programs``: not where other laptops might have to play them.
    """
    game = load(name)
    chosen = checked(game, seats, options)
    for bot in bots:
        ai.check(bot, bytes(SEED_BYTES), name, programs=programs)
    return TableSetup(game, chosen, seats)


def absent_of(game: Game) -> tuple[str, ...]:
    """Return what may become of lost laptops' seats in a game, the usual first."""
    from lanplay_protocol.replica.settings import PASS, PLAY, SEALED

    return (SEALED, PLAY, PASS) if game.manifest.passes else (SEALED, PLAY)


def checked(game: Game, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """Return what ``check_table`` does; its ``Mistake`` names what there is in words, too."""
    for name, value in options.items():
        from lanplay.games.wording import option_name, option_value

        asked = {"game": game.name, "option": name}
        if name not in game.options:
            every = [f"{each} ({option_name(game.name, each)})" for each in game.options]
            fault = Fault.NO_OPTION if every else Fault.NO_OPTIONS
            raise Mistake(fault, known=", ".join(every), **asked)
        if value not in (values := game.options[name]):
            every = [f"{each} ({option_value(game.name, name, each)})" for each in values]
            raise Mistake(Fault.OPTION_VALUE, value=value, known=", ".join(every), **asked)
    return check_table(game, seats, options)


def options_of(pairs: Sequence[str]) -> dict[str, str]:
    """Return ``NAME=VALUE`` pairs as a mapping; ``Mistake`` for another form."""
    for pair in pairs:
        if "=" not in pair:
            raise Mistake(Fault.OPTION_FORM, pair=pair)
    parts = [pair.partition("=") for pair in pairs]
    return {name: value for name, _, value in parts}


def derived(seed: bytes, *purpose: str | int) -> bytes:
    """Return 32 bytes that ``seed`` and a purpose determine."""
    label = "/".join(map(str, purpose)).encode()
    return blake2b(label, key=seed, digest_size=SEED_BYTES).digest()


def seed_bytes(seed: int) -> bytes:
    """Return a seed as bytes; ``UserError`` for a negative one."""
    if seed < 0:
        raise UserError(Fault.SEED, seed=seed)
    return blake2b(str(seed).encode(), digest_size=SEED_BYTES).digest()


def run_seed(given: int | None, bots: Iterable[str], game: str) -> int:
    """Return the seed of a run: the one given, else ``SEED``.

    Where bots play that are not lanplay's own, which could try seeds out, the system draws it.
    """
    if given is not None:
        return given
    own = all(ai.own(bot, game) for bot in bots)
    return SEED if own else SystemRandom().getrandbits(DRAWN_BITS)


def bot_key(seed: bytes, bot: str, game: str, *purpose: str | int) -> bytes:
    """Return the key of a bot.

    One that is not lanplay's own could find a seed that somebody typed: its key has nothing of it.
    """
    return derived(seed if ai.own(bot, game) else b"", *purpose)


def summary(
    header: Header, result: Result | None, rounds: int, state_hash: bytes, path: Path | None
) -> dict[str, Any]:
    """Return the closing JSON object of a game."""
    return {
        "game": header.game,
        "seats": list(header.seats),
        "scores": list(result.scores) if result else None,
        "winners": list(result.winners) if result else None,
        "rounds": rounds,
        "state_hash": state_hash.hex(),
        "record": str(path) if path else None,
    }
