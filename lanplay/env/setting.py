"""What is played and how it is counted: one mechanism under all interfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Final

import numpy as np
from gymnasium import spaces

import lanplay_ai
from lanplay.engine.game import check_table
from lanplay.engine.plain import digest
from lanplay.env.declared import Declared
from lanplay.env.match import REWARDS, Match, declared
from lanplay.games.wording import summary_of

SEATS, TABLE = "seats", "table"
"""What of the ``options`` of a reset is ours: a number of seats, and options of the table."""


def whole(name: str, value: Any, least: int = 1) -> int:
    """Return a whole number from ``least`` as Python has it; ``ValueError`` for all else."""
    try:
        number = least - 1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(f"{name} is a whole number from {least}, not {value!r}")
    return number


def render_mode_of(value: str | None) -> str | None:
    """Return a render mode; ``ValueError`` for one that there is not."""
    modes = METADATA["render_modes"]
    if value is not None and value not in modes:
        raise ValueError(f"there is no render mode {value!r}; there are {', '.join(modes)}")
    return value


class ActionSpace(spaces.Discrete[np.int64]):
    """The actions of a game by their numbers; ``words`` says what each is.

    A sample is legal where ``legal`` says what is.
    """

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(len(words))
        self.words = words
        self.legal: Sequence[int] = ()

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return an action by lot: of a mask, of what is legal, or of all."""
        if mask is None and probability is None and self.legal:
            return np.int64(self.np_random.choice(self.legal))
        return super().sample(mask, probability)

    def describe(self) -> str:
        """Return every action in words, a line each."""
        return "\n".join([f"{number:5} {words}" for number, words in enumerate(self.words)])


class ObservationSpace(spaces.Dict):
    """What a seat sees: ``observation``, and ``action_mask`` with 1 for what is legal."""

    def __init__(self, declared: Declared) -> None:
        self.places = declared.places
        least = np.array([place.least for place in self.places], np.float32)
        most = np.array([place.most for place in self.places], np.float32)
        super().__init__(
            {
                "observation": spaces.Box(least, most, dtype=np.float32),
                "action_mask": spaces.MultiBinary(declared.catalog.size),
            }
        )

    def describe(self) -> str:
        """Return every place of an observation in words and with its range, a line each."""
        said = enumerate(self.places)
        return "\n".join([f"{n:5} {each.words}: {each.least} to {each.most}" for n, each in said])


class EnvSetting:
    """A table as it was asked for, and the games that are played at it, one after the other.

    ``opponents`` are names of bots for all seats but one, whose place is ``place``, or every one in
    turn. Raises ``ValueError`` that says what is wrong and what would be right.
    """

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, str] | None,
        reward: str,
        max_steps: int | None,
        opponents: Sequence[str] = (),
        place: int | None = None,
    ) -> None:
        self.game, self.declared = declared(game)
        for bot in opponents:
            lanplay_ai.make(bot, b"", game)
        seats = whole("seats", seats)
        self.options = check_table(self.game, seats, options or {})
        if reward not in REWARDS:
            raise ValueError(f"there is no reward {reward!r}; there are {', '.join(REWARDS)}")
        place = None if place is None else whole("place", place, 0)
        if place is not None and place >= seats:
            raise ValueError(f"there is no place {place} among {seats} seats: they count from 0")
        self.most = self.seats = seats
        self.reward = reward
        self.max_steps = None if max_steps is None else whole("max_steps", max_steps)
        self._opponents, self._place = opponents, place
        self._seed: tuple[int | str, ...] = (0,)
        self._table = self.options

    def reseed(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Take over what a reset says: ``seats``, at most as many as at first, and ``table``.

        Other options are not ours and are passed over. Each reset that says nothing goes back to
        what was asked for at first. What is refused changes nothing.
        """
        said = options or {}
        number = None if seed is None else index(seed)
        seats = whole(SEATS, said.get(SEATS, self.most))
        if seats > self.most:
            raise ValueError(f"seats is a number up to {self.most}, not {seats!r}")
        if self._opponents and seats != self.most:
            raise ValueError("with opponents the number of seats is that of these and one more")
        self._table = check_table(self.game, seats, {**self.options, **said.get(TABLE, {})})
        self.seats = seats
        if number is not None:
            self._seed = (number if -(2**63) <= number < 2**64 else str(number),)

    def begin(self, *number: int) -> Match:
        """Return the game of this number: the same seed and number, the same game."""
        key = digest((*self._seed, *number))
        agents = {}
        if self._opponents:
            own = self.place(*number)
            others = [seat for seat in range(self.seats) if seat != own]
            agents = {
                seat: lanplay_ai.make(bot, digest((*self._seed, *number, seat)), self.game.name)
                for seat, bot in zip(others, self._opponents, strict=True)
            }
        return Match(self.game.name, self.seats, self._table, key, agents)

    def place(self, *number: int) -> int:
        """Return the seat without a bot in the game of this number."""
        return sum(number) % self.seats if self._place is None else self._place

    def over(self, match: Match, steps: int) -> tuple[bool, bool]:
        """Tell whether a game has ended, and whether it is cut off after so many steps."""
        ended = not match.choices
        return ended, not ended and self.max_steps is not None and steps >= self.max_steps

    def end(self, match: Match, seat: int) -> dict[str, Any]:
        """Return what is told of a seat at the end: its score, and its share of the win."""
        result = match.game.result(match.simulation.table)
        return {"score": result.scores[seat], "won": result.share(seat)}

    def seen(self, match: Match, seat: int) -> dict[str, Any]:
        """Return what a seat sees, as ``ObservationSpace`` says."""
        mask = bytearray(match.declared.catalog.size)
        for action in match.legal(seat):
            mask[action] = 1
        return {"observation": match.look(seat).copy(), "action_mask": np.frombuffer(mask, np.int8)}

    def told(self, match: Match | None, seat: int) -> str | None:
        """Return the situation of a seat in lines of text."""
        if match is None:
            return None
        situation = summary_of(self.game.name).situation
        names = [f"seat_{seat}" for seat in range(match.seats)]
        return "\n".join(situation(match.simulation.views[seat], names))


METADATA: Final[dict[str, Any]] = {"render_modes": ["ansi"], "name": "lanplay_v1"}


class TableEnv:
    """A table with an agent for each seat (``seat_0``, …), and the game that is played at it."""

    def __init__(self, setting: EnvSetting, render_mode: str | None) -> None:
        super().__init__()
        self._setting = setting
        self._number = -1
        self._match: Match | None = None
        self.render_mode = render_mode_of(render_mode)
        self.possible_agents = [f"seat_{seat}" for seat in range(setting.most)]
        self.agents = self.possible_agents[:]
        self._sights = {agent: ObservationSpace(setting.declared) for agent in self.agents}
        self._actions = {
            agent: ActionSpace(setting.declared.catalog.words) for agent in self.agents
        }

    def observation_space(self, agent: str) -> ObservationSpace:
        """Return the space of observations of an agent, alike for all."""
        return self._sights[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """Return the space of actions of an agent, alike for all."""
        return self._actions[agent]

    def begin(self, seed: int | None, options: dict[str, Any] | None) -> Match:
        """Begin a game (see ``EnvSetting.reseed``); without a seed it follows from the last."""
        self._setting.reseed(seed, options)
        self._number = 0 if seed is not None else self._number + 1
        self._match = self._setting.begin(self._number)
        self._steps = 0
        self.agents = self.possible_agents[: self._setting.seats]
        return self._match

    def playing(self) -> Match:
        """Return the game that takes actions; ``ValueError`` where there is none."""
        if self._match is None or not self.agents:
            raise ValueError("no game is being played: reset comes first")
        return self._match

    def close(self) -> None:
        """Nothing has to be closed."""
