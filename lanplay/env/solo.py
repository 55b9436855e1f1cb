"""The environment of Gymnasium: one seat, bots in the others."""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium

from lanplay.env.match import Match
from lanplay.env.setting import METADATA, ActionSpace, EnvSetting, ObservationSpace, render_mode_of


class SoloEnv(gymnasium.Env[dict[str, Any], Any]):
    """A seat at a table with bots: see ``lanplay.env.gym_env``."""

    metadata = METADATA

    def __init__(self, setting: EnvSetting, render_mode: str | None) -> None:
        self._setting = setting
        self._number = -1
        self._match: Match | None = None
        self._seat = self._steps = 0
        self.render_mode = render_mode_of(render_mode)
        self.observation_space = ObservationSpace(setting.declared)
        self.action_space = self._actions = ActionSpace(setting.declared.catalog.words)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; without a seed it follows from the last."""
        seed = None if seed is None else index(seed)
        super().reset(seed=seed)
        self._setting.reseed(seed, options)
        while True:  # until there is anything to choose
            self._number = 0 if seed is not None else self._number + 1
            seed = None
            self._match = self._setting.begin(self._number)
            if self._match.choices:
                break
        self._seat = self._setting.place(self._number)
        self._steps = 0
        return self._seen(self._match), {}

    def _seen(self, match: Match) -> dict[str, Any]:
        self._actions.legal = match.legal(self._seat)
        return self._setting.seen(match, self._seat)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action; ``IllegalActionError`` if it is not legal."""
        match = self._match
        if match is None or any(self._setting.over(match, self._steps)):
            raise ValueError("no game is being played: reset comes first")
        match.act(self._seat, action)
        self._steps += 1
        ended, cut = self._setting.over(match, self._steps)
        reward = match.rewards(self._setting.reward)[self._seat] if ended else 0.0
        told = self._setting.end(match, self._seat) if ended else {}
        return self._seen(match), reward, ended, cut, told

    def render(self) -> Any:
        """Return the situation in lines of text, in render mode ``ansi``."""
        return None if self.render_mode is None else self._setting.told(self._match, self._seat)
