"""The games as environments for programs that learn: PettingZoo, Gymnasium, and many at a time.

Needs the optional packages of the extra ``env``. See docs/learning.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lanplay.extras import installing, missing

if TYPE_CHECKING:
    from lanplay.env.aec import AgentsEnv
    from lanplay.env.batch import BatchEnv
    from lanplay.env.parallel import SimultaneousEnv
    from lanplay.env.solo import SoloEnv

Options = Mapping[str, str] | None


def env(
    game: str,
    seats: int = 2,
    options: Options = None,
    *,
    reward: str = "win",
    max_steps: int | None = None,
    render_mode: str | None = None,
) -> AgentsEnv:
    """Return an AEC environment of PettingZoo: one seat acts after the other.

    ``options`` are the table's. Rewards come at the end: ``win`` is a seat's share of the win less
    what is everybody's on average, ``place`` from 1 for the first to -1 for the last, ``score`` its
    points less the mean of the others'. After ``max_steps`` actions a game is truncated, without
    rewards. Raises ``ValueError`` for a table that the game does not know, and
    ``ModuleNotFoundError`` that says what to install.
    """
    from_ = _module("aec")
    made: AgentsEnv = from_.AgentsEnv(
        _setting(game, seats, options, reward, max_steps), render_mode
    )
    return made


def parallel_env(
    game: str,
    seats: int = 2,
    options: Options = None,
    *,
    reward: str = "win",
    max_steps: int | None = None,
    render_mode: str | None = None,
) -> SimultaneousEnv:
    """Return a parallel environment of PettingZoo: all seats act at once (see ``env``)."""
    setting = _setting(game, seats, options, reward, max_steps)
    made: SimultaneousEnv = _module("parallel").SimultaneousEnv(setting, render_mode)
    return made


def gym_env(
    game: str,
    opponents: Sequence[str] = ("beginner",),
    options: Options = None,
    *,
    place: int | None = None,
    reward: str = "win",
    max_steps: int | None = None,
    render_mode: str | None = None,
) -> SoloEnv:
    """Return an environment of Gymnasium: one seat, and bots by their names in all others.

    ``place`` is the seat, from 0; without one it is another in every game, in turn (see ``env``).
    """
    seats = len(opponents) + 1
    setting = _setting(game, seats, options, reward, max_steps, opponents, place)
    made: SoloEnv = _module("solo").SoloEnv(setting, render_mode)
    return made


def batch_env(
    game: str,
    games: int = 64,
    seats: int = 2,
    options: Options = None,
    *,
    opponents: Sequence[str] = (),
    reward: str = "win",
    max_steps: int | None = None,
) -> BatchEnv:
    """Return so many games at a time, with arrays of numpy in and out (see ``env``).

    With ``opponents``, bots in all seats but one, only that seat's choices are asked for.
    """
    seats = len(opponents) + 1 if opponents else seats
    setting = _setting(game, seats, options, reward, max_steps, opponents)
    made: BatchEnv = _module("batch").BatchEnv(setting, games)
    return made


def _setting(*said: Any) -> Any:
    return _module("setting").EnvSetting(*said)


def _module(name: str) -> Any:
    """Return a module of this package; an error says what to install."""
    from importlib import import_module

    try:
        return import_module(f"lanplay.env.{name}")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in ("lanplay", "lanplay_ai"):
            raise
        how = installing(missing("env") or [str(error.name)])
        raise ModuleNotFoundError(
            f"{error.name} is missing. To install what lanplay.env needs: {how}", name=error.name
        ) from error


__all__ = ["batch_env", "env", "gym_env", "parallel_env"]
