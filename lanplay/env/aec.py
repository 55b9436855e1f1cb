"""The environment itself; importing this module needs numpy, gymnasium and pettingzoo."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from lanplay.engine.question import Illegal
from lanplay.env.asking import OPTIONS, Asking
from lanplay.env.observing import LEAST, MOST, numbers, size
from lanplay.games import load
from lanplay.games.wording import summary_of

ACTIONS = OPTIONS + 1


class GameEnv(AECEnv[str, dict[str, Any], Any]):  # type: ignore[misc]  # it has no types
    """A table of any game, an agent for each seat (``seat_0``, …).

    An action is one step of a question's dialogue: the place of an option; where several may be
    picked, an option is picked or laid down again, and the last action (128) says done.
    Observations are dicts: ``observation`` (float32, see ``observing``) and ``action_mask`` (int8,
    1 for what may be done now). An action that the mask forbids raises ``Illegal``. Rewards come at
    the end: the seat's share of the win, less what everybody's share would be. ``reset(seed=…)``
    repeats a game; without a seed the next one follows from the last.
    """

    metadata = {"render_modes": ["ansi"], "name": "lanplay_v0", "is_parallelizable": False}  # noqa: RUF012  # PettingZoo reads it of the class

    def __init__(
        self, game: str, seats: int, options: Mapping[str, str], render_mode: str | None
    ) -> None:
        super().__init__()
        self._game = load(game)
        self._seats = seats
        self._options = dict(options)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seed, self._games = 0, 0
        self._asking = self._begin()
        length = size(self._asking)
        self._observed = spaces.Dict(
            {
                "observation": spaces.Box(LEAST, MOST, (length,), np.float32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self._actions = spaces.Discrete(ACTIONS)

    def _begin(self) -> Asking:
        key = blake2b(b"%d/%d" % (self._seed, self._games), digest_size=32).digest()
        return Asking(self._game, self._seats, self._options, key)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, the same for all."""
        return self._observed

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """Return the space of actions, the same for all."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. ``options`` are not used: a table's rules are fixed when it is made."""
        self._games += 1
        if seed is not None:
            self._seed, self._games = seed, 0
        self._asking = self._begin()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._asking.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees now."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(ACTIONS, np.int8)
        if seat == self._asking.seat:
            mask[self._asking.legal()] = 1
        seen = np.fromiter(numbers(self._asking, seat), np.float32)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action for ``agent_selection``; ``Illegal`` if its mask forbids it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise Illegal(self._asking.question.rule, "malformed")
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._asking.act(int(action))
        if self._asking.seat < 0:
            self._end()
        else:
            self.agent_selection = self.possible_agents[self._asking.seat]
        self._accumulate_rewards()

    def _end(self) -> None:
        result = self._game.result(self._asking.simulation.table)
        for seat, agent in enumerate(self.possible_agents):
            share = result.share(seat)
            self.rewards[agent] = share - 1 / self._seats
            self.terminations[agent] = True
            self.infos[agent] = {"score": result.scores[seat], "won": share}
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Return the situation in lines of text, in render mode ``ansi``."""
        if self.render_mode is None:
            return None
        situation = summary_of(self._game.name).situation
        view = self._asking.simulation.views[max(0, self._asking.seat)]
        return "\n".join(situation(view, self.possible_agents))

    def close(self) -> None:
        """Nothing has to be closed."""
