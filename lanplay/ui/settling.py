"""Settings as front ends show them and let their person change them, while the program runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from lanplay.config.declared import Settings


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting: its name, in words what it is for, its value as text.

    ``choices`` are the values that it may have, each with its words; empty: any text.
    """

    name: str
    told: str
    value: str
    choices: Mapping[str, str]


@runtime_checkable
class Settling(Protocol):
    """A front end on which settings can be changed."""

    async def settings(
        self, rows: Callable[[], Sequence[SettingRow]], change: Callable[[str, str], None]
    ) -> None:
        """Show what ``rows`` returns until the person has seen enough.

        ``change`` gives a setting, by name, another value; its ``Problem`` says why it cannot.
        """

    def settled(self, settings: Settings) -> None:
        """Look, move and ask from now on as settings want it."""
