"""Settings as front ends show them and let their person change them, while the program runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from lanplay.config.declared import Settings
from lanplay.language import N_, _
from lanplay.told import suggesting
from lanplay.ui.commands import Command


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
class ShowsSettings(Protocol):
    """A front end on which settings can be changed."""

    async def settings(
        self, rows: Callable[[], Sequence[SettingRow]], change: Callable[[str, str], None]
    ) -> None:
        """Show what ``rows`` returns until the person has seen enough.

        ``change`` gives a setting, by name, another value; its ``Problem`` says why it cannot.
        """

    def settled(self, settings: Settings) -> None:
        """Look, move and ask from now on as settings want it."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of one person: what they are, how one is changed, and where that is shown."""

    rows: Callable[[], Sequence[SettingRow]]
    change: Callable[[str, str], None]
    front: ShowsSettings

    async def show(self) -> None:
        """Show the settings until the person has seen enough."""
        await self.front.settings(self.rows, self.change)

    def typed(self, text: str) -> None:
        """Change what a line says, ``NAME VALUE``; ``ValueError`` says what could stand there."""
        name, _sep, value = text.partition(" ")
        row = next((each for each in self.rows() if each.name == name), None)
        value = value.strip()
        if row is None or (row.choices and value not in row.choices):
            allowed = list(row.choices) if row is not None else [each.name for each in self.rows()]
            told = _("A setting's name and its value are wanted. Here can stand: {known}.")
            told = told.format(known=", ".join(allowed))
            raise ValueError(suggesting(told, value if row is not None else name, allowed))
        self.change(name, value)


def commands(
    preferences: Preferences,
    start: Callable[[Callable[[], Awaitable[None]]], None],
    set_speed: Callable[[str], None],
) -> tuple[Command, Command]:
    """Return how settings are looked at and changed at a table.

    ``start`` runs what takes its time; ``set_speed`` has AI move at another speed in this game.
    """

    def change(name: str, value: str) -> None:
        preferences.change(name, value)
        if name == "ai_speed":
            set_speed(value)

    here = replace(preferences, change=change)
    told = N_("settings: name, language, colours, speed, bell")
    one = N_("change a setting; settings lists their names")
    return (
        Command("settings", told, lambda _: start(here.show), key="S", quiet=True),
        Command("settings", one, here.typed, N_("NAME VALUE")),
    )


def listed(rows: Sequence[SettingRow]) -> str:
    """Return all settings in lines: what each is called, its value, and what it may be."""
    lines = []
    for row in rows:
        lines.append(f"{row.told}: {row.choices.get(row.value, row.value)}")
        values = "|".join(row.choices) or _("any text")
        lines.append(f"    settings {row.name} {values}")
    return "\n".join(lines)
