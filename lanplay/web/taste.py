"""How somebody likes pages: language, colours, motion, sound; the browser keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from lanplay.config.declared import Settings
from lanplay.language import N_, NAMES, TAGS, _
from lanplay.web.elements import choice, el
from lanplay.web.http import HttpRequest

COOKIE: Final = "taste"
YEAR: Final = 365 * 24 * 3600
THEMES: Final = {
    "auto": N_("as the device"),
    "light": N_("light"),
    "dark": N_("dark"),
    "contrast": N_("high contrast"),
}
"""The colours, and what they are called."""


@dataclass(frozen=True, slots=True)
class Taste:
    """How a person likes pages. ``lang`` is a language, empty for the laptop's.

    ``still``: nothing moves. ``sound``: short tones tell what happens.
    """

    lang: str = ""
    theme: str = "auto"
    still: bool = False
    sound: bool = False

    @classmethod
    def read(cls, text: str) -> Taste | None:
        """Return what ``text`` says; ``None`` if it is none of ours."""
        lang, theme, *marks = text.split(".") if text.count(".") in (1, 2, 3) else ("?", "?")
        if lang not in ("", *TAGS) or theme not in THEMES or not {*marks} <= {"still", "sound"}:
            return None
        return cls(lang, theme, "still" in marks, "sound" in marks)

    @property
    def text(self) -> str:
        """All of it in a word: see ``read``."""
        return ".".join([self.lang, *self.look.split()])

    @property
    def look(self) -> str:
        """The classes of a document that looks and sounds so."""
        marks = [name for name in ("still", "sound") if getattr(self, name)]
        return " ".join([self.theme, *marks])

    @property
    def cookie(self) -> tuple[str, str]:
        """The header by which a browser keeps it."""
        return "Set-Cookie", f"{COOKIE}={self.text}; Max-Age={YEAR}; SameSite=Strict; Path=/"

    def changed(self, fields: Mapping[str, str]) -> Taste:
        """Return the taste that a form asks for; what it does not say stays as it is."""
        lang, theme = fields.get("lang", ""), fields.get("theme", "")
        return replace(
            self,
            lang=lang if lang in TAGS else self.lang,
            theme=theme if theme in THEMES else self.theme,
            still=fields.get("motion", "") == "still" if "motion" in fields else self.still,
            sound=fields.get("sound", "") == "on" if "sound" in fields else self.sound,
        )

    def form(self, spoken: str) -> Markup:
        """Return where it can be changed; ``spoken`` is the language of the page."""
        motion = {"move": _("with motion"), "still": _("no motion")}
        sound = {"off": _("silent"), "on": _("short tones")}
        rows = (
            _row("lang", _("Language"), {tag: NAMES[tag] for tag in TAGS}, spoken, spoken),
            _row("theme", _("Colours"), {k: _(v) for k, v in THEMES.items()}, self.theme, spoken),
            _row("motion", _("Motion"), motion, "still" if self.still else "move", spoken),
            _row("sound", _("Sound"), sound, "on" if self.sound else "off", spoken),
        )
        form = el("form", *rows, data_do="taste", data_auto=True, class_="form")
        summary = el("summary", _("Language and look"))
        return el("details", summary, form, class_="tastes", data_key="tastes")


def _row(name: str, label: str, options: Mapping[str, str], now: str, spoken: str) -> Markup:
    entry = choice(name, options, now, ident=f"t.{name}", key=f"t.{name}.{now}.{spoken}")
    return el("p", el("label", label, for_=f"t.{name}"), entry)


def taste_of(request: HttpRequest, otherwise: Taste) -> Taste:
    """Return how whoever asks likes pages: as its browser has kept it, else in its language."""
    for text in request.cookies(COOKIE):
        if (kept := Taste.read(text)) is not None:
            return kept
    for each in request.headers.get("accept-language", "").split(","):
        tag = each.partition(";")[0].strip().partition("-")[0].casefold()
        if tag in TAGS:
            return replace(otherwise, lang=tag)
    return otherwise


def settled(settings: Settings) -> Taste:
    """Return how the laptop's settings have pages."""
    theme = settings.theme if settings.theme in THEMES else "auto"
    return Taste(theme=theme, still=not settings.animation)
