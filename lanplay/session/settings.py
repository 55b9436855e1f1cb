"""What a session is made of: typed values, made once where a command begins."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from lanplay.errors import Fault, UserError
from lanplay_protocol.replica.settings import DAY, SEALED, TableSettings

Address = tuple[str, int]
WINDOWS: Final = ("hidden", "open")
"""How reactions are waited for at a table (see ``TableSettings.hide_windows``)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Who plays here, under which name; ``auto`` is the bot that answers for its person, if any.

    With ``trust_new`` unknown keys are trusted without comparing words.
    """

    name: str
    auto: str = ""
    trust_new: bool = False


@dataclass(frozen=True, slots=True)
class Store:
    """Where this installation keeps what it has to.

    ``record`` is where the game's record goes instead, ``timing`` where it is written when each
    phase was complete. ``lost`` is what could not be kept though it was asked for.
    """

    folder: Path
    record: Path | None = None
    timing: Path | None = None
    lost: list[UserError] = field(default_factory=list, compare=False)

    @property
    def games(self) -> Path:
        """The folder of games in progress."""
        return self.folder / "games"


@dataclass(frozen=True, slots=True)
class Network:
    """The addresses of this machine to use (``None``: all) and the port to listen on (0: any)."""

    interfaces: tuple[str, ...] | None = None
    port: int = 0

    @property
    def listen_host(self) -> str | None:
        """The address to listen at: the only interface named, or all."""
        return self.interfaces[0] if self.interfaces and len(self.interfaces) == 1 else None


@dataclass(frozen=True, slots=True)
class Installation:
    """This installation: who plays here, where things are kept, and the network.

    ``say`` takes sentences for its person that concern no game, or that come when nobody listens
    to a session any more. ``pace``: seconds between moves of AI, where it plays with one person.
    """

    profile: Profile
    store: Store
    network: Network
    say: Callable[[str], None]
    pace: float = 0.0

    def at(self, port: int) -> Self:
        """Return the same, listening where it does already."""
        return replace(self, network=replace(self.network, port=port))


@dataclass(frozen=True, slots=True)
class Access:
    """A table's password: whether its host wants one, and what asks for it, of a table by name."""

    wanted: bool
    ask: Callable[..., Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Target:
    """The table to find within so many seconds: by a part of its name, or its address, or any.

    ``places`` are the addresses of one that was found already, ``host`` who is to open it again.
    """

    table: str = ""
    wait: float = 30.0
    places: tuple[Address, ...] = ()
    host: str = ""


@dataclass(frozen=True, slots=True)
class TableWish:
    """The table to open: its game and options, its seats, and what its people agree on.

    ``people`` is how many are waited for; ``None``: until its host says start. ``name`` is the
    table's, empty for one made of its host's. See ``TableSettings`` for ``grace``, ``idle`` and
    ``absent``.
    """

    game: str
    seats: int = 4
    bot: str = "strong"
    options: Mapping[str, str] = field(default_factory=dict)
    people: int | None = None
    name: str = ""
    grace: int = 45
    idle: int = 0
    absent: str = SEALED
    watched: bool = True
    hints: bool = True
    windows: str = WINDOWS[0]

    @property
    def table_settings(self) -> TableSettings:
        """The house rules; ``UserError`` if there are none such."""
        for flag, value in (("--grace", self.grace), ("--idle", self.idle)):
            if not 0 <= value < DAY:
                raise UserError(Fault.SECONDS, flag=flag, value=value, most=DAY - 1)
        return TableSettings(
            self.grace,
            self.bot,
            self.absent,
            self.watched,
            self.idle,
            self.hints,
            self.windows == WINDOWS[0],
        )
