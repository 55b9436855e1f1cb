"""What a tournament is before its first game: everything that its results depend on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import lanplay_ai as ai
from lanplay.engine.game import Game, check_table
from lanplay.engine.plain import digest
from lanplay.errors import Fault, Mistake, UserError
from lanplay.games import load
from lanplay.told import briefly
from lanplay.tournament.faults import Wrong

FORMAT: Final = 2
SCHEDULES: Final = ("round-robin", "gauntlet", "field")
ORDERS: Final = ("rotations", "all", "single")


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """A tournament: equal plans, equal games.

    ``entrants`` are bot names; the same may stand there more than once. ``schedule`` is one of
    ``SCHEDULES``, ``orders`` one of ``ORDERS`` (see ``schedule``). ``options`` are all of the
    game's, in its order; ``rules`` are their fingerprint, in hexadecimal. ``versions`` say of each
    entrant which one of its name it is. Where strangers play it is ``sealed``: nobody is told the
    seed before all is played, and no two games have the same luck.
    """

    game: str
    rules: str
    options: tuple[tuple[str, str], ...]
    seats: int
    entrants: tuple[str, ...]
    schedule: str
    orders: str
    seed: int
    versions: tuple[str, ...] = ()
    sealed: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The entrants' names, each once and on one line: a bot's second is called ``bot#2``."""
        seen: Counter[str] = Counter()
        labels = []
        for bot in self.entrants:
            seen[bot] += 1
            name = "".join([c if c.isprintable() else ascii(c)[1:-1] for c in bot])
            labels.append(name if seen[bot] == 1 else f"{name}#{seen[bot]}")
        return tuple(labels)

    def plain(self) -> dict[str, Any]:
        """Return the plan as JSON data."""
        return {**asdict(self), "options": dict(self.options), "commitment": self.commitment}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> TournamentPlan:
        """Return the plan of ``plain()``; ``KeyError``, ``TypeError`` or ``ValueError`` if none."""
        try:
            plan = make_plan(
                str(data["game"]),
                tuple(str(bot) for bot in data["entrants"]),
                seats=int(data["seats"]),
                options={str(name): str(value) for name, value in data["options"].items()},
                schedule=str(data["schedule"]),
                orders=str(data["orders"]),
                seed=int(data["seed"]),
                sealed=bool(data["sealed"]),
                versions=tuple(str(each) for each in data["versions"]),
            )
        except UserError as error:
            raise Mistake(briefly(error.told)) from error
        return replace(plan, rules=str(data["rules"]))

    @property
    def commitment(self) -> str:
        """What can be shown before the first game: a hash of all that results depend on.

        It says nothing of a seed that was drawn, and fits no other.
        """
        bots = tuple(zip(self.entrants, self.versions, strict=True))
        said = (self.game, self.rules, self.options, self.seats, bots, self.schedule, self.orders)
        return digest((str(self.seed), self.sealed, *said)).hex()

    def key(self, *purpose: str | int) -> bytes:
        """Return 32 bytes that the seed and a purpose determine."""
        return digest((str(self.seed), *purpose))

    def luck(self, deal: int, number: int) -> bytes:
        """Return the luck of a game: that of its deal, or its own where it is ``sealed``."""
        return self.key("game", number) if self.sealed else self.key("deal", deal)


def make_plan(
    game: str,
    entrants: Sequence[str],
    *,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    schedule: str = "round-robin",
    orders: str = "rotations",
    seed: int = 1,
    sealed: bool = False,
    versions: Sequence[str] | None = None,
) -> TournamentPlan:
    """Return a checked plan; ``UserError`` says what would be right.

    A game of one seat may have one entrant, all others two. Without ``seats`` there are as many as
    entrants, as far as the game goes, and in a ``field`` as many as the game has. ``ValueError``
    for a schedule or orders that do not exist.
    """
    if schedule not in SCHEDULES or orders not in ORDERS:
        raise ValueError(f"no schedule {schedule!r} or no orders {orders!r}")
    if seed < 0:
        raise UserError(Fault.SEED, seed=seed)
    if len(entrants) < (1 if seats == 1 else 2):
        raise UserError(Wrong.ENTRANTS)
    try:
        played = load(game)
        count = _seats(played, len(entrants), schedule) if seats is None else seats
        chosen = check_table(played, count, options or {})
    except Mistake as error:
        raise UserError(error.told) from error
    if schedule != "field" and len(entrants) < count:
        raise UserError(Wrong.TOO_FEW, entrants=len(entrants), seats=count)
    table = tuple(chosen.items())
    return TournamentPlan(
        game,
        played.fingerprint.hex(),
        table,
        count,
        tuple(entrants),
        schedule,
        orders,
        seed,
        tuple([ai.version(bot, game) for bot in entrants] if versions is None else versions),
        sealed,
    )


def _seats(game: Game, entrants: int, schedule: str) -> int:
    largest = game.seats.stop - 1
    return largest if schedule == "field" else max(game.seats.start, min(entrants, largest))
