"""The settings, each declared once: name, type, what it is for, default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeVar

from lanplay.errors import told_of
from lanplay.language import N_, TAGS, _

T = TypeVar("T")
Value = str | bool

YES: Final = ("true", "yes", "on", "1")
NO: Final = ("false", "no", "off", "0")


def _bot(name: str) -> None:
    import lanplay_ai as ai

    ai.check_anywhere(name)


def _game(name: str) -> None:
    from lanplay import games

    games.load(name)


@dataclass(frozen=True, slots=True)
class About:
    """What a declaration says besides name, type and default.

    ``of`` are the only values a text may have; ``check`` raises ``ValueError`` for others than it
    knows. ``metavar`` stands for the value in help. ``implied`` maps foreign environment variables
    to the value that they mean when they are not empty, ``renamed`` values of old to today's.
    """

    help: str
    of: tuple[str, ...] = ()
    check: Callable[[str], None] | None = None
    metavar: str = ""
    implied: tuple[tuple[str, str], ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


def _set(default: T, help: str, **more: Any) -> T:
    """Declare a setting by its default and what ``About`` says of it."""
    declared: T = field(default=default, metadata={"about": About(help, **more)})
    return declared


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings as they count now. ``notices`` are sentences for the person, no setting."""

    name: str = _set(
        "", N_("your name, up to 20 letters; empty: the name of this account"), metavar="NAME"
    )
    lang: str = _set(
        "auto", N_("the language of everything shown; auto: the system's"), of=("auto", *TAGS)
    )
    game: str = _set("dice-town", N_("the game that is offered first"), check=_game, metavar="GAME")
    bot: str = _set("strong", N_("the AI that takes empty seats"), check=_bot, metavar="BOT")
    absent: str = _set(
        "sealed",
        N_(
            "what becomes of a lost laptop's seat at your tables; sealed: AI plays without its "
            "hand and its dice, unless all agree; play: with them; pass: nobody plays"
        ),
        of=("sealed", "play", "pass"),
        renamed=(("plays", "play"),),
    )
    windows: str = _set(
        "hidden",
        N_(
            "reaction cards at your tables; hidden: players who cannot react pause now and "
            "then too, so that pauses give nothing away; open: they do not"
        ),
        of=("hidden", "open"),
    )
    ai_speed: str = _set(
        "normal",
        N_("how fast AI moves follow each other"),
        of=("slow", "normal", "fast", "instant"),
    )
    animation: bool = _set(
        True,
        N_("animate what happens; never if NO_MOTION is set"),
        implied=(("NO_MOTION", "false"),),
    )
    confirm: bool = _set(True, N_("ask again before anything that cannot be undone"))
    call: str = _set(
        "bell",
        N_("how to call you back to a table after a wait; notify: also on the desktop"),
        of=("off", "bell", "notify"),
    )
    colours: str = _set(
        "auto",
        N_("how many colours to use; auto: what the terminal can, none if NO_COLOR is set"),
        of=("auto", "256", "16", "none"),
        implied=(("NO_COLOR", "none"),),
    )
    theme: str = _set(
        "auto",
        N_(
            "the palette that suits your terminal and your eyes; auto: light where the terminal "
            "says that it is light, else dark"
        ),
        of=("auto", "dark", "light", "colour-blind"),
    )
    ascii: bool = _set(
        False, N_("draw with ASCII characters only; false: only where nothing else works")
    )
    plain: bool = _set(
        False, N_("lines that are only ever appended: for screen readers, pipes and logs")
    )
    web: bool = _set(False, N_("play in the browser of this laptop"))
    guests: str = _set(
        "http",
        N_("how phones connect: http, which others on the Wi-Fi can read, or tls, encrypted"),
        of=("http", "tls"),
    )
    data: str = _set(
        "",
        N_("where identity, known keys and records are kept; empty: the system's place"),
        metavar="FOLDER",
    )
    log: str = _set(
        "", N_("write what happens to this file, without secrets; empty: no log"), metavar="FILE"
    )
    notices: tuple[str, ...] = ()


class Unfit(ValueError):
    """A value that a setting cannot have; ``why`` is what whoever checked it tells, if anything."""

    def __init__(self, value: object, why: str = "") -> None:
        super().__init__(value)
        self.value = shown(value)
        self.why = why


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; what it is called everywhere follows from its name."""

    name: str
    default: Value
    about: About

    @property
    def variable(self) -> str:
        """The environment variable."""
        return f"LANPLAY_{self.name.upper()}"

    @property
    def flag(self) -> str:
        """The option of the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def expected(self) -> str:
        """What would be right, in words."""
        if isinstance(self.default, bool):
            return _("true or false")
        if self.about.of:
            return _("one of: {values}").format(values=", ".join(self.about.of))
        return _("text in quotes")

    def read(self, value: object) -> Value:
        """Return a value of the file; ``Unfit`` for one that the setting cannot have."""
        if type(value) is not type(self.default):
            raise Unfit(value)
        return self._checked(value)

    def parse(self, text: str) -> Value:
        """Return the value that a text of the environment means; ``Unfit`` as with ``read``."""
        if isinstance(self.default, bool):
            word = text.strip().casefold()
            if word not in YES + NO:
                raise Unfit(text)
            return word in YES
        return self._checked(text)

    def today(self, value: Value) -> Value:
        """Return a value by the name that it has today."""
        return dict(self.about.renamed).get(value, value) if isinstance(value, str) else value

    def _checked(self, value: Value) -> Value:
        if isinstance(value, str) and self.about.of and self.today(value) not in self.about.of:
            raise Unfit(value)
        if isinstance(value, str) and self.about.check is not None:
            try:
                self.about.check(value)
            except ValueError as error:
                raise Unfit(value, told_of(error)) from error
        return value


def shown(value: object) -> str:
    """Return a value as the file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def written(value: Value) -> str:
    """Return a value as TOML, whatever letters it has."""
    import json

    return json.dumps(value, ensure_ascii=False)


SETTINGS: Final[Mapping[str, Setting]] = {
    each.name: Setting(each.name, getattr(Settings(), each.name), each.metadata["about"])
    for each in fields(Settings)
    if each.metadata
}
"""All settings by name, in the order of their declaration."""
