"""The environment of PettingZoo in which one seat acts after the other."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from lanplay.env.match import Match
from lanplay.env.setting import METADATA, EnvSetting, TableEnv


class AgentsEnv(TableEnv, AECEnv[str, dict[str, Any], Any]):  # type: ignore[misc]  # it has no types
    """A table, an agent for each seat (``seat_0``, …): see ``lanplay.env.env``.

    Seats that choose at the same time act one after the other and see nothing of each other's
    choices.
    """

    metadata = {**METADATA, "is_parallelizable": False}  # noqa: RUF012  # it is read of the class

    def __init__(self, setting: EnvSetting, render_mode: str | None) -> None:
        super().__init__(setting, render_mode)
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game (see ``TableEnv.begin``)."""
        match = self.begin(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select(match)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees now."""
        return self._setting.seen(self.playing(), self._seat[agent])

    def step(self, action: int | None) -> None:
        """Take an action for ``agent_selection``; ``IllegalActionError`` if it is not legal."""
        match, agent = self.playing(), self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        match.act(self._seat[agent], action)
        self._steps += 1
        self._select(match)

    def _select(self, match: Match) -> None:
        """Select whoever chooses next, or end the game."""
        for seat, choice in match.choices.items():
            agent = self.agent_selection = self.possible_agents[seat]
            self._actions[agent].legal = choice.legal
            break
        if match.choices and self._setting.max_steps is None:
            return
        ended, cut = self._setting.over(match, self._steps)
        if ended:
            rewards = match.rewards(self._setting.reward)
            for seat, agent in enumerate(self.agents):
                self.rewards[agent] = self._cumulative_rewards[agent] = rewards[seat]
                self.terminations[agent] = True
                self.infos[agent] = self._setting.end(match, seat)
            self.agent_selection = self.agents[0]
        elif cut:
            self.truncations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """Return the situation of the seat that acts, in render mode ``ansi``."""
        if self.render_mode is None:
            return None
        return self._setting.told(self._match, self._seat[self.agent_selection])
