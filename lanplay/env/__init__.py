"""The games as a PettingZoo environment (AEC), for people who train players of their own.

Needs the optional packages of the extra ``env``. See docs/bots.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lanplay.extras import installing, missing

if TYPE_CHECKING:
    from lanplay.env.aec import GameEnv


def env(
    game: str = "dice-town",
    seats: int = 4,
    options: Mapping[str, str] | None = None,
    render_mode: str | None = None,
) -> GameEnv:
    """Return a new environment for a table of ``game``; ``options`` are the table's.

    Raises ``ValueError`` for a table that the game does not know, and ``ModuleNotFoundError`` that
    says what to install.
    """
    try:
        from lanplay.env.aec import GameEnv
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "lanplay":
            raise
        how = installing(missing("env") or [str(error.name)])
        raise ModuleNotFoundError(
            f"{error.name} is missing. To install what lanplay.env needs: {how}", name=error.name
        ) from error
    return GameEnv(game, seats, options or {}, render_mode)


__all__ = ["env"]
