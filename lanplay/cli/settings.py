"""Settings changed out of the lobby: kept in their file, and in force at once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import lanplay_ai as ai
from lanplay import games, language
from lanplay.cli.place import Place
from lanplay.cli.table_arguments import nickname
from lanplay.config.declared import SETTINGS, Setting, Settings, Unfit, shown
from lanplay.config.file import ConfigFile, config_path
from lanplay.errors import Fault, Mistake
from lanplay.games.wording import game_title
from lanplay.language import N_, _
from lanplay.session.client import Client
from lanplay.ui.lobby import absent_in_words, windows_in_words
from lanplay.ui.menu import SPEEDS
from lanplay.ui.settings import Preferences, SettingRow, ShowsSettings
from lanplay_ai.characters import called

OFFERED: Final[Mapping[str, str]] = {
    "name": N_("Your name, up to 20 letters (empty: the account's)"),
    "lang": N_("Language"),
    "theme": N_("Colours"),
    "animation": N_("Animate what happens"),
    "ai_speed": N_("How fast AI plays"),
    "call": N_("How you are called back to a table"),
    "confirm": N_("Ask again before anything that cannot be undone"),
    "game": N_("The game that is offered first"),
    "bot": N_("AI in free seats"),
    "absent": N_("A lost laptop's seat"),
    "windows": N_("Reactions"),
    "guests": N_("How phones connect, from the next table on"),
    "web": N_("Start in the browser next time"),
}
"""The settings that can be changed there, and what each is called."""
VALUES: Final[Mapping[str, str]] = {
    "auto": N_("as the device"),
    "light": N_("light"),
    "dark": N_("dark"),
    "colour-blind": N_("colour-blind (terminal)"),
    "slow": N_("slowly"),
    "normal": N_("at the usual speed"),
    "fast": N_("fast"),
    "instant": N_("at once"),
    "off": N_("not at all"),
    "bell": N_("by the bell"),
    "notify": N_("by the bell and on the desktop"),
    "http": N_("http: others can read along"),
    "tls": N_("tls: encrypted, warns once"),
    "true": N_("yes"),
    "false": N_("no"),
}


async def settle(place: Place, text: str = "") -> int:
    """Let the person change settings until it has seen enough; return the exit status.

    ``text`` is a change that was typed, if one was: the name of a setting, and its value.
    """
    preferences = preferences_of(place)
    if preferences is not None and text:
        preferences.typed(text)
    elif preferences is not None:
        await preferences.show()
    return 0


def preferences_of(place: Place) -> Preferences | None:
    """Return the settings of a place, as its front end shows and changes them; if it does."""
    front = place.front
    if not isinstance(front, ShowsSettings):
        return None

    def change(name: str, text: str) -> None:
        _change(place, name, text)
        front.settled(place.settings)

    return Preferences(lambda: list(_rows(place.settings)), change, front)


def _change(place: Place, name: str, text: str) -> None:
    setting = SETTINGS[name]
    try:
        value = setting.parse(text)
    except Unfit as error:
        values = {"where": _("Settings"), "name": name, "value": error.value}
        raise Mistake(
            Fault.SETTING_VALUE, **values, expected=error.why or setting.expected
        ) from error
    changed: dict[str, Any] = {name: value}
    ConfigFile(config_path(os.environ)).store(setting, value)
    settings = place.settings = replace(place.settings, **changed)
    client = place.client
    profile = replace(client.profile, name=nickname(settings.name))
    pace = SPEEDS[settings.ai_speed] if name == "ai_speed" else client.pace
    place.client = Client(profile, client.store, client.network, client.say, pace)
    if name == "lang":
        language.use(language.choose(settings.lang))


def _rows(settings: Settings) -> Iterator[SettingRow]:
    for name, told in OFFERED.items():
        setting, value = SETTINGS[name], getattr(settings, name)
        text = shown(value) if isinstance(value, bool) else value
        yield SettingRow(name, _(told), text, _choices(setting, settings))


def _choices(setting: Setting, settings: Settings) -> Mapping[str, str]:
    """Return the values that a setting may have, in words; none where it is any text."""
    match setting.name:
        case "name":
            return {}
        case "lang":
            return {"auto": _(VALUES["auto"]), **language.NAMES}
        case "game":
            return {name: game_title(name) for name in games.names()}
        case "bot":
            return {each: called(each) for each in (*ai.bots(settings.game), settings.bot)}
        case "absent":
            return {value: absent_in_words(value) for value in setting.about.of}
        case "windows":
            return {value: windows_in_words(value) for value in setting.about.of}
    values = setting.about.of or ("true", "false")
    return {value: _(VALUES[value]) for value in values}
