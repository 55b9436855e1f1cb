"""The environment of PettingZoo in which all seats act at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from lanplay.env.catalog import WAIT
from lanplay.env.match import Match
from lanplay.env.setting import METADATA, TableEnv


class SimultaneousEnv(TableEnv, ParallelEnv[str, dict[str, Any], Any]):  # type: ignore[misc]  # it has no types
    """A table, an agent for each seat: see ``lanplay.env.parallel_env``.

    Choices that the rules ask of several seats at a time are made in one step. Whoever has nothing
    to choose waits: that alone is legal for it, and it may be left out.
    """

    metadata = METADATA

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game (see ``TableEnv.begin``)."""
        match = self.begin(seed, options)
        return self._seen(match), {agent: {} for agent in self.agents}

    def _seen(self, match: Match) -> dict[str, Any]:
        for seat, agent in enumerate(self.agents):
            self._actions[agent].legal = match.legal(seat)
        return {agent: self._setting.seen(match, seat) for seat, agent in enumerate(self.agents)}

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """Take an action of each agent; nothing is done if one of them is not legal."""
        match, agents = self.playing(), self.agents
        said = [actions.get(agent, WAIT) for agent in agents]
        for seat, action in enumerate(said):
            match.check(seat, action)
        for seat in [*match.choices]:
            match.act(seat, said[seat])
        self._steps += 1
        ended, cut = self._setting.over(match, self._steps)
        rewards = match.rewards(self._setting.reward) if ended else [0.0] * len(agents)
        infos = {
            agent: self._setting.end(match, seat) if ended else {}
            for seat, agent in enumerate(agents)
        }
        seen = self._seen(match)
        if ended or cut:
            self.agents = []
        return (
            seen,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, ended),
            dict.fromkeys(agents, cut),
            infos,
        )

    def render(self) -> str | None:
        """Return the situation of the first seat, in render mode ``ansi``."""
        return None if self.render_mode is None else self._setting.told(self._match, 0)
