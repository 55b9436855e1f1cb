"""Many games in one process: numpy arrays in and out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lanplay.env.match import Match
from lanplay.env.setting import ActionSpace, EnvSetting, ObservationSpace, whole


class BatchState(NamedTuple):
    """Where all games are: a row each.

    ``observation`` (float32) and ``mask`` (int8) are of the seat that chooses, ``seat``. A game
    that has ended is begun anew, so that these are of the next one: then ``terminated`` or
    ``truncated`` is set, and ``reward`` has what each seat of the last one gets.
    """

    observation: npt.NDArray[np.float32]
    mask: npt.NDArray[np.int8]
    seat: npt.NDArray[np.int64]
    reward: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]


class BatchEnv:
    """Many games at a time: see ``lanplay.env.batch_env``.

    ``places[row]`` is the seat without a bot, where there are opponents.
    """

    def __init__(self, setting: EnvSetting, games: int) -> None:
        self._setting = setting
        self.games = games = whole("the number of games", games)
        self.observation_space = ObservationSpace(setting.declared)
        self.action_space = ActionSpace(setting.declared.catalog.words)
        self._matches: list[Match] = []
        self._steps = [0] * games
        self._numbers = [0] * games

    @property
    def places(self) -> npt.NDArray[np.int64]:
        """The seat without a bot in each game that is played now."""
        place = self._setting.place
        return np.array([place(row, number) for row, number in enumerate(self._numbers)])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> BatchState:
        """Begin all games (see ``EnvSetting.reseed``); without a seed they follow from the last."""
        self._setting.reseed(seed, options)
        begun = bool(self._matches) and seed is None
        self._numbers = [number + 1 if begun else 0 for number in self._numbers]
        self._matches = [self._begin(row) for row in range(self.games)]
        return self._batch()

    def _begin(self, row: int) -> Match:
        self._steps[row] = 0
        match = self._setting.begin(row, self._numbers[row])
        while not match.choices:  # a game in which there is nothing to choose
            self._numbers[row] += 1
            match = self._setting.begin(row, self._numbers[row])
        return match

    def _batch(self) -> BatchState:
        games, setting = self.games, self._setting
        actions = setting.declared.catalog.size
        observation = np.empty((games, setting.declared.size), np.float32)
        mask = bytearray(games * actions)
        seats = []
        base = 0
        for row, match in enumerate(self._matches):
            seat = next(iter(match.choices))
            seats.append(seat)
            observation[row] = match.look(seat)
            for action in match.choices[seat].legal:
                mask[base + action] = 1
            base += actions
        return BatchState(
            observation,
            np.frombuffer(mask, np.int8).reshape(games, actions),
            np.array(seats),
            np.zeros((games, setting.seats)),
            np.zeros(games, np.bool_),
            np.zeros(games, np.bool_),
        )

    def step(self, actions: npt.ArrayLike) -> BatchState:
        """Take an action in each game; nothing is done if one of them is not legal."""
        if not self._matches:
            raise ValueError("no game is being played: reset comes first")
        said: list[int] = np.asarray(actions).tolist()
        if len(said) != self.games:
            raise ValueError(f"{self.games} games take as many actions, not {len(said)}")
        seats = [next(iter(match.choices)) for match in self._matches]
        for match, seat, action in zip(self._matches, seats, said, strict=True):
            if type(action) is not int or action not in match.choices[seat].legal:
                match.check(seat, action)
        over = []
        for row, match in enumerate(self._matches):
            match.act(seats[row], said[row])
            self._steps[row] += 1
            if not match.choices or self._steps[row] == self._setting.max_steps:
                over.append((row, match))
                self._numbers[row] += 1
                self._matches[row] = self._begin(row)
        batch = self._batch()
        for row, match in over:
            if match.choices:
                batch.truncated[row] = True
            else:
                batch.terminated[row] = True
                batch.reward[row] = match.rewards(self._setting.reward)
        return batch
